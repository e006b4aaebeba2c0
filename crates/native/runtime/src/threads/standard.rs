//! Threads of C11, which are those of POSIX by other names and with other numbers for errors.

use super::{conditions, create, locks};
use crate::memory;
use crate::sys::{self, TimeSpec};
use core::ffi::{c_int, c_void};

const SUCCESS: c_int = 0;
const BUSY: c_int = 1;
const ERROR: c_int = 2;
const NO_MEMORY: c_int = 3;
const TIMED_OUT: c_int = 4;

fn said(error: c_int) -> c_int {
    match error {
        0 => SUCCESS,
        sys::EBUSY => BUSY,
        sys::EAGAIN => NO_MEMORY,
        sys::ETIMEDOUT => TIMED_OUT,
        _ => ERROR,
    }
}

super::names::in_place_of! {
    thrd_create(to: *mut u64, function: u64, argument: u64) -> c_int =
        |_site, real| said(create::start(to, core::ptr::null(), function, (argument, 0)));
    thrd_join(handle: u64, to: *mut c_int) -> c_int = |site, real| {
        let mut result: *mut c_void = core::ptr::null_mut();
        static JOIN: super::names::Real = super::names::Real::new(c"pthread_join");
        let error = create::join(site, handle, &raw mut result as u64, &JOIN);
        if error == 0 && !to.is_null() {
            *to = result as usize as c_int;
            memory::copy(to as u64, &raw const result as u64, 4);
        }
        said(error)
    };
    thrd_yield() -> c_int = |site, real| {
        super::give_way(site);
        0
    };
    mtx_lock(mutex: u64) -> c_int = |site, real| said(locks::lock(site, mutex));
    mtx_trylock(mutex: u64) -> c_int = |site, real| said(locks::try_lock(site, mutex));
    mtx_timedlock(mutex: u64, _until: *const TimeSpec) -> c_int =
        |site, real| said(locks::timed_lock(site, mutex));
    mtx_unlock(mutex: u64) -> c_int = |site, real| said(locks::unlock(site, mutex));
    cnd_wait(condition: u64, mutex: u64) -> c_int =
        |site, real| said(conditions::wait(site, condition, mutex, false));
    cnd_timedwait(condition: u64, mutex: u64, time: *const TimeSpec) -> c_int = |site, real| {
        let result = conditions::wait(site, condition, mutex, true);
        if result == sys::ETIMEDOUT {
            conditions::until(time);
        }
        said(result)
    };
    cnd_signal(condition: u64) -> c_int = |site, real| said(conditions::signal(site, condition));
    cnd_broadcast(condition: u64) -> c_int = |site, real| said(conditions::broadcast(site, condition));
}
