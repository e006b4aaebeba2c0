//! Inputs that a program is started with: arguments and environment variables.
//!
//! The engine starts the program with placeholders of the greatest length. Runs begin when `main`
//! is about to be called, and put the case's bytes in place; a NUL among them ends the string.

use crate::first_input::first_input;
use crate::frame::frame;
use crate::input::fill;
use crate::shared::state;
use crate::sys;
use crate::threads;
use crate::turns::Turns;
use core::ffi::{c_char, c_int, c_void};
use elsewise_wire::{ENVIRONMENT_PREFIX, GivenEntry, MAX_GIVEN};

type MainFunction = unsafe extern "C" fn(c_int, *const *mut c_char, *const *mut c_char) -> c_int;
type StartFunction = unsafe extern "C" fn(
    MainFunction,
    c_int,
    *const *mut c_char,
    *const c_void,
    *const c_void,
    *const c_void,
    *const c_void,
) -> c_int;

static MAIN: Turns<Option<MainFunction>> = Turns::new(None);

/// Variables of the environment that are inputs: where they are, and how long.
struct Variables {
    all: [(u64, u32); MAX_GIVEN],
    used: usize,
}

static VARIABLES: Turns<Variables> = Turns::new(Variables {
    all: [(0, 0); MAX_GIVEN],
    used: 0,
});

/// Whoever has the environment may look at these.
pub fn variables() -> impl Iterator<Item = (u64, Option<u32>)> {
    // SAFETY: its users take turns, as `Turns` says.
    let variables = unsafe { &*VARIABLES.get() };
    let all = variables.all[..variables.used].iter();
    all.map(|(text, size)| (*text, Some(*size)))
}

/// What the program's first instruction calls. The C library's own function follows; it calls
/// constructors, then `main`.
///
/// # Safety
/// Called once, by the start-up code of every C program.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn __libc_start_main(
    main: MainFunction,
    count: c_int,
    arguments: *const *mut c_char,
    init: *const c_void,
    fini: *const c_void,
    unload: *const c_void,
    stack: *const c_void,
) -> c_int {
    // SAFETY: no other thread is there yet. The C library's function of this name is of this type.
    unsafe {
        *MAIN.get() = Some(main);
        let real = sys::dlsym(sys::RTLD_NEXT, c"__libc_start_main".as_ptr());
        if real.is_null() {
            sys::_exit(70);
        }
        let real: StartFunction = core::mem::transmute(real);
        real(begin, count, arguments, init, fini, unload, stack)
    }
}

/// # Safety
/// Called once by the C library, in place of `main`.
unsafe extern "C" fn begin(
    count: c_int,
    arguments: *const *mut c_char,
    environment: *const *mut c_char,
) -> c_int {
    // SAFETY: as the caller says.
    unsafe { give(count, arguments, environment) };
    // SAFETY: it was set before anybody could call this.
    let code = match unsafe { *MAIN.get() } {
        // SAFETY: called as the C library would have.
        Some(main) => unsafe { main(count, arguments, environment) },
        None => 70,
    };
    threads::exits(frame().site);
    code
}

/// # Safety
/// Arguments and environment of the program, as the system lays them out.
unsafe fn give(count: c_int, arguments: *const *mut c_char, environment: *const *mut c_char) {
    let state = state();
    if !state.traced() || state.header().given_used == 0 {
        return;
    }
    first_input();
    let used = (state.header().given_used as usize).min(MAX_GIVEN);
    for index in 0..used {
        let entry = state.header().given[index];
        let text = match entry.index {
            // SAFETY: as the caller says.
            0 => unsafe { variable(&entry, environment) },
            // SAFETY: there are so many.
            index if (index as c_int) < count => unsafe { *arguments.add(index as usize) },
            _ => core::ptr::null_mut(),
        };
        if text.is_null() {
            continue; // the engine sees that nobody asked for it
        }
        // SAFETY: the engine has started the program with a text of this length in this place.
        unsafe {
            let at = text.add(entry.before as usize).cast::<u8>();
            fill(state, 0, at, entry.size as usize, &entry.name);
            if entry.index == 0 {
                let variables = &mut *VARIABLES.get();
                variables.all[variables.used] = (at as u64, entry.size as u32);
                variables.used += 1;
            }
        }
    }
}

/// The value of the variable that an entry names; null when it is gone.
///
/// # Safety
/// A list of texts, which null ends.
unsafe fn variable(entry: &GivenEntry, environment: *const *mut c_char) -> *mut c_char {
    let name = &entry.name[ENVIRONMENT_PREFIX.len()..];
    let length = name
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(name.len());
    let mut at = environment;
    // SAFETY: as the caller says; a text is not looked at behind the first byte that differs, its end included.
    unsafe {
        while !(*at).is_null() {
            let text = (*at).cast::<u8>();
            let same = (0..length).all(|index| *text.add(index) == name[index]);
            if same && *text.add(length) == b'=' {
                return text.add(length + 1).cast();
            }
            at = at.add(1);
        }
    }
    core::ptr::null_mut()
}
