//! Inputs that a program is started with: arguments and environment variables.
//!
//! The engine starts the program with placeholders of the greatest length. Runs begin when `main`
//! is about to be called, and put the case's bytes in place; a NUL among them ends the string.

use crate::call::frame;
use crate::input::fill;
use crate::server;
use crate::shared::state;
use crate::sys;
use crate::threads;
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

static mut MAIN: Option<MainFunction> = None;

/// What the program's first instruction calls. The C library's own function follows; it calls
/// constructors, then `main`.
///
/// # Safety
/// Called once, by the start-up code of every C program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __libc_start_main(
    main: MainFunction,
    count: c_int,
    arguments: *const *mut c_char,
    init: *const c_void,
    fini: *const c_void,
    unload: *const c_void,
    stack: *const c_void,
) -> c_int {
    unsafe {
        MAIN = Some(main);
        let real = sys::dlsym(sys::RTLD_NEXT, c"__libc_start_main".as_ptr());
        if real.is_null() {
            sys::_exit(70);
        }
        let real: StartFunction = core::mem::transmute(real);
        real(begin, count, arguments, init, fini, unload, stack)
    }
}

unsafe extern "C" fn begin(
    count: c_int,
    arguments: *const *mut c_char,
    environment: *const *mut c_char,
) -> c_int {
    give(count, arguments, environment);
    let code = match unsafe { MAIN } {
        Some(main) => unsafe { main(count, arguments, environment) },
        None => 70,
    };
    threads::exits(frame().site);
    code
}

fn give(count: c_int, arguments: *const *mut c_char, environment: *const *mut c_char) {
    let state = state();
    if !state.traced() || state.header().given_used == 0 {
        return;
    }
    server::first_input();
    let used = (state.header().given_used as usize).min(MAX_GIVEN);
    for index in 0..used {
        let entry = state.header().given[index];
        let text = match entry.index {
            0 => variable(&entry, environment),
            index if (index as c_int) < count => unsafe { *arguments.add(index as usize) },
            _ => core::ptr::null_mut(),
        };
        if text.is_null() {
            continue; // the engine sees that nobody asked for it
        }
        let at = unsafe { text.add(entry.before as usize) }.cast::<u8>();
        fill(state, 0, at, entry.size as usize, &entry.name);
    }
}

/// The value of the variable that an entry names; null when it is gone.
fn variable(entry: &GivenEntry, environment: *const *mut c_char) -> *mut c_char {
    let name = &entry.name[ENVIRONMENT_PREFIX.len()..];
    let length = name
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(name.len());
    let mut at = environment;
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
