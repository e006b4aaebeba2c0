//! The C library's own functions, where the runtime has taken their names.

use crate::sys;
use core::ffi::CStr;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A function that is looked for when it is first needed.
pub struct Real {
    name: &'static CStr,
    found: AtomicUsize,
}

impl Real {
    pub const fn new(name: &'static CStr) -> Real {
        Real {
            name,
            found: AtomicUsize::new(0),
        }
    }

    fn address(&self) -> usize {
        let known = self.found.load(Relaxed);
        if known != 0 {
            return known;
        }
        // SAFETY: the name ends by a NUL.
        let found = unsafe { sys::dlsym(sys::RTLD_NEXT, self.name.as_ptr()) } as usize;
        if found == 0 {
            // Who calls it was linked with a library that has it.
            sys::_exit(70)
        }
        self.found.store(found, Relaxed);
        found
    }

    /// Calls it. Arguments and results of these functions are all numbers and pointers.
    ///
    /// # Safety
    /// As of the C library's function of this name.
    pub unsafe fn call<const N: usize>(&self, arguments: [u64; N]) -> u64 {
        let mut all = [0; 6];
        all[..N].copy_from_slice(&arguments);
        let [a, b, c, d, e, f] = all;
        // SAFETY: as the caller says; registers that a function takes no argument from do not matter to it.
        unsafe {
            let function: unsafe extern "C" fn(u64, u64, u64, u64, u64, u64) -> u64 =
                core::mem::transmute(self.address());
            function(a, b, c, d, e, f)
        }
    }
}

/// A function of this name, which stands before that of the C library, and what it does in a run with an
/// engine. The body is given the site of the call, and the real function; it may do whatever that asks of its caller.
macro_rules! in_place_of {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty = |$site:ident, $real:ident| $body:expr;)*) => {$(
        $crate::threads::names::stands_before! {
            $name, {
                const NAME: &str = concat!(stringify!($name), "\0");
                match core::ffi::CStr::from_bytes_with_nul(NAME.as_bytes()) {
                    Ok(name) => name,
                    Err(_) => panic!(),
                }
            }, ($($argument: $type),*) -> $result = |$site, $real| $body
        }
    )*};
}

/// What instrumented code calls in place of a function of the C library, which keeps its name for all
/// others. Otherwise as [`in_place_of`].
macro_rules! in_calls_of {
    ($($name:ident, $original:literal: ($($argument:ident: $type:ty),*) -> $result:ty = |$site:ident, $real:ident| $body:expr;)*) => {$(
        $crate::threads::names::stands_before! {
            $name, $original, ($($argument: $type),*) -> $result = |$site, $real| $body
        }
    )*};
}

/// One such function: its name, and that of the real one.
macro_rules! stands_before {
    ($name:ident, $original:expr, ($($argument:ident: $type:ty),*) -> $result:ty = |$site:ident, $real:ident| $body:expr) => {
        /// # Safety
        /// As of the C library's.
        #[cfg_attr(not(test), unsafe(no_mangle))]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> $result {
            const COUNT: usize = 0 $(+ { let _ = stringify!($argument); 1 })*;
            static REAL: $crate::threads::names::Real = $crate::threads::names::Real::new($original);
            let (_, $site, labels) = $crate::frame::called::<COUNT>($name as *const ());
            if !$crate::shared::state().traced() {
                // SAFETY: as the caller says.
                return unsafe { REAL.call([$($argument as u64),*]) } as $result;
            }
            let values: [u64; COUNT] = [$($argument as u64),*];
            $crate::frame::taken_as_they_are($site, &labels, &values);
            #[allow(
                unused_variables,
                unused_unsafe,
                reason = "few need the site or the real function, and some touch no memory"
            )]
            let body: fn(&$crate::threads::names::Real, u32 $(, $type)*) -> $result =
                // SAFETY: bodies do with the arguments what the C library's function of this name does, for whoever calls it.
                |$real, $site $(, $argument)*| unsafe { $body };
            body(&REAL, $site $(, $argument)*)
        }
    };
}

pub(crate) use in_calls_of;
pub(crate) use in_place_of;
pub(crate) use stands_before;
