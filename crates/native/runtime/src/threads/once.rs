//! What is done once.

use super::meetings::{DONE, me, object};
use super::{Move, moves, point};
use core::ffi::c_int;
use elsewise_wire::threads::access::{ATOMIC, RELEASES, WRITES};

/// Calls the function unless somebody has; waits for somebody who is at it.
pub fn once(site: u32, control: u64, function: u64) -> c_int {
    if unsafe { *(control as *const c_int) } == 2 {
        object(control).owner = DONE;
    }
    point(site, Move::Once(control));
    if object(control).owner == DONE {
        return 0;
    }
    object(control).owner = me();
    let function: extern "C" fn() = unsafe { core::mem::transmute(function as usize) };
    function();
    point(site, Move::Done(control));
    object(control).owner = DONE;
    // Code of libraries may look at the object itself.
    unsafe { *(control as *mut c_int) = 2 };
    0
}

/// A variable of a C++ function that is made when it is first reached. Its first byte says that it
/// is there; code looks at that by itself.
fn guard_done(site: u32, guard: u64) {
    point(site, Move::Done(guard));
    object(guard).owner = DONE;
    if super::several() {
        moves::touch(site, guard, 1, WRITES | ATOMIC | RELEASES);
    }
    unsafe { *(guard as *mut u8) = 1 };
}

super::names::in_place_of! {
    __cxa_guard_acquire(guard: u64) -> c_int = |site, real| {
        if unsafe { *(guard as *const u8) } != 0 {
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
