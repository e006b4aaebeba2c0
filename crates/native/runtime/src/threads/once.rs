//! What is done once.

use super::sync_objects::{DONE, me, object};
use super::{Move, accesses, current, point};
use crate::shared::state;
use core::ffi::c_int;
use elsewise_wire::threads::access::{ATOMIC, RELEASES, WRITES};

/// Is it this thread that is to do it? Waits for somebody who is at it.
///
/// # Safety
/// A `pthread_once_t` of the program's.
unsafe fn begins(site: u32, control: u64) -> bool {
    // SAFETY: a `pthread_once_t` of the program's.
    if unsafe { *(control as *const c_int) } == 2 {
        object(control).owner = DONE;
    }
    point(site, Move::Once(control));
    if object(control).owner == DONE {
        return false;
    }
    object(control).owner = me();
    true
}

/// # Safety
/// A `pthread_once_t` of the program's.
unsafe fn done(site: u32, control: u64) {
    point(site, Move::Done(control));
    object(control).owner = DONE;
    // Code of libraries may look at the object itself.
    // SAFETY: a `pthread_once_t` of the program's.
    unsafe { *(control as *mut c_int) = 2 };
}

/// Calls the function unless somebody has.
///
/// # Safety
/// A `pthread_once_t`, and a function without arguments.
pub unsafe fn once(site: u32, control: u64, function: u64) -> c_int {
    // SAFETY: a `pthread_once_t` of the program's.
    unsafe {
        if begins(site, control) {
            let function: extern "C" fn() = core::mem::transmute(function as usize);
            function();
            done(site, control);
        }
    }
    0
}

/// For the model of `pthread_once`: 1 if the function is to be called, 0 if it has been, and below that where
/// nobody explores.
///
/// # Safety
/// A `pthread_once_t` of the program's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_once_begins(control: u64) -> c_int {
    match state().traced() {
        // SAFETY: a `pthread_once_t` of the program's.
        true => unsafe { begins(state().place, control) }.into(),
        false => -1,
    }
}

/// # Safety
/// A `pthread_once_t` of the program's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_once_done(control: u64) {
    // SAFETY: a `pthread_once_t` of the program's.
    unsafe { done(state().place, control) };
}

/// It is not done, and who comes next does it: the function has thrown, or its thread ends in it.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_once_left(control: u64) {
    point(current().site, Move::Done(control));
    object(control).owner = 0;
}

/// A variable of a C++ function that is made when it is first reached. Its first byte says that it
/// is there; code looks at that by itself.
///
/// # Safety
/// A guard of C++, of eight bytes.
unsafe fn guard_done(site: u32, guard: u64) {
    point(site, Move::Done(guard));
    object(guard).owner = DONE;
    if super::several() {
        accesses::touch(site, guard, 1, WRITES | ATOMIC | RELEASES);
    }
    // SAFETY: a guard of the compiler's.
    unsafe { *(guard as *mut u8) = 1 };
}

super::names::in_place_of! {
    __cxa_guard_acquire(guard: u64) -> c_int = |site, real| {
        if *(guard as *const u8) != 0 {
            return 0;
        }
        point(site, Move::Once(guard));
        if object(guard).owner == DONE {
            return 0;
        }
        object(guard).owner = me();
        1
    };
    __cxa_guard_release(guard: u64) -> c_int = |site, real| {
        guard_done(site, guard);
        0
    };
    __cxa_guard_abort(guard: u64) -> c_int = |site, real| {
        point(site, Move::Done(guard));
        object(guard).owner = 0;
        0
    };

    pthread_once(control: u64, function: u64) -> c_int =
        |site, real| once(site, control, function);
    call_once(control: u64, function: u64) -> c_int =
        |site, real| once(site, control, function);
}
