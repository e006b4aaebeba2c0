//! What code that is not instrumented asks the loader for by name, as far as that tells of what it may do behind
//! everybody's back.

use crate::counted;
use crate::foreign;
use crate::loaded::{self, Loaded};
use crate::turns::Turns;
use core::ffi::{c_int, c_void};

/// Functions that go on where an earlier call of theirs has stopped, or that models stand in for which do so: the
/// C library's knows nothing of calls of its model.
const GO_ON: [&[u8]; 4] = [b"strtok", b"getopt", b"getopt_long", b"getopt_long_only"];
/// Functions that keep what nobody sees, or tell of what nobody follows.
const UNSEEN: [&[u8]; 8] = [
    b"on_exit",
    b"register_printf_specifier",
    b"register_printf_function",
    b"register_printf_modifier",
    b"fetestexcept",
    b"fegetexceptflag",
    b"feholdexcept",
    b"_ZSt13set_terminatePFvvE",
];
/// Functions that find variables by their names.
const FIND: [&[u8]; 2] = [b"dlsym", b"dlvsym"];

const MOST: usize = 1024;

struct Imports {
    /// How often the loader had loaded something when it was looked.
    loads: u64,
    /// One of [`GO_ON`] is called by somebody else.
    goes_on: bool,
    /// Some library finds variables by their names.
    finds: bool,
    /// Those that can be found so, and how large they are.
    variables: [(u64, u32); MOST],
    used: usize,
}

static IMPORTS: Turns<Imports> = Turns::new(Imports {
    loads: 0,
    goes_on: false,
    finds: false,
    variables: [(0, 0); MOST],
    used: 0,
});

/// What is known of the objects that are loaded now.
fn imports() -> &'static Imports {
    // SAFETY: its users take turns, as `Turns` says.
    let all = unsafe { &mut *IMPORTS.get() };
    let loads = loaded::loads();
    if all.loads != loads {
        all.loads = loads;
        all.used = 0;
        each(|object| all.reads(object));
        each(|object| all.lists(object));
    }
    all
}

/// Calls `act` with each object.
fn each(mut act: impl FnMut(&Loaded)) {
    unsafe extern "C" fn visit<F: FnMut(&Loaded)>(
        object: *const Loaded,
        _: usize,
        act: *mut c_void,
    ) -> c_int {
        // SAFETY: the loader's description of an object, and what was given for it below.
        unsafe { (*act.cast::<F>())(&*object) };
        0
    }
    fn visitor<F: FnMut(&Loaded)>(
        _: &F,
    ) -> unsafe extern "C" fn(*const Loaded, usize, *mut c_void) -> c_int {
        visit::<F>
    }
    // SAFETY: what is called keeps to what the loader asks for.
    unsafe { loaded::dl_iterate_phdr(visitor(&act), (&raw mut act).cast()) };
}

impl Imports {
    /// Instrumented code calls models; whoever calls the functions themselves is somebody else.
    fn reads(&mut self, object: &Loaded) {
        // SAFETY: an object that is loaded.
        let Some(code) = (unsafe { object.code() }) else {
            return;
        };
        if foreign::is_of_system(code) {
            return;
        }
        let others = foreign::is_of_others(code);
        // SAFETY: as above.
        unsafe {
            object.wants(|name| {
                self.goes_on |= GO_ON.contains(&name);
                self.finds |= others && FIND.contains(&name);
                if others && UNSEEN.contains(&name) {
                    counted::unfollowed();
                }
            });
        }
    }

    fn lists(&mut self, object: &Loaded) {
        // SAFETY: an object that is loaded.
        let Some(code) = (unsafe { object.code() }) else {
            return;
        };
        if foreign::is_of_system(code) || foreign::is_of_others(code) {
            return;
        }
        // SAFETY: as above.
        unsafe {
            object.exports(|address, size| match self.variables.get_mut(self.used) {
                Some(variable) => {
                    *variable = (address, size);
                    self.used += 1;
                }
                None if self.finds => counted::unfollowed(),
                None => {}
            });
        }
    }
}

/// For models that go on where an earlier call has stopped: does somebody call what they stand in for?
#[unsafe(no_mangle)]
pub extern "C" fn __elw_goes_on() {
    if imports().goes_on {
        counted::unfollowed();
    }
}

/// Looks at what was loaded with the program.
pub fn look() {
    imports();
}

/// Variables that some library finds by their names, if one does.
pub fn found_by_name() -> impl Iterator<Item = (u64, Option<u32>)> {
    let finds = imports().finds;
    finds.then(variables).into_iter().flatten()
}

/// Variables that can be found by their names.
pub fn variables() -> impl Iterator<Item = (u64, Option<u32>)> {
    let all = imports();
    let variables = all.variables[..all.used].iter();
    variables.map(|(address, size)| (*address, Some(*size)))
}
