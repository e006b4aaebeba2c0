//! Semaphores without a name.

use super::create::stop_if_cancelled;
use super::locks::{EAGAIN, ETIMEDOUT};
use super::meetings::{self, look, object};
use super::{Move, point};
use crate::sys;
use core::ffi::{c_int, c_void};

fn fail(error: c_int) -> c_int {
    unsafe { *sys::__errno_location() = error };
    -1
}

fn try_down(site: u32, semaphore: u64, failure: c_int) -> c_int {
    point(site, Move::TryDown(semaphore));
    match object(semaphore).count {
        0 => fail(failure),
        _ => {
            object(semaphore).count -= 1;
            0
        }
    }
}

super::names::in_place_of! {
    sem_init(semaphore: u64, shared: c_int, value: u32) -> c_int = |_site, real| {
        meetings::renew(semaphore).count = value;
        real.call([semaphore, shared as u64, value.into()]) as c_int
    };
    sem_destroy(_semaphore: u64) -> c_int = |_site, real| 0;
    sem_wait(semaphore: u64) -> c_int = |site, real| {
        point(site, Move::Down(semaphore));
        stop_if_cancelled();
        object(semaphore).count -= 1;
        0
    };
    sem_trywait(semaphore: u64) -> c_int = |site, real| try_down(site, semaphore, EAGAIN);
    sem_timedwait(semaphore: u64, _until: *const c_void) -> c_int =
        |site, real| try_down(site, semaphore, ETIMEDOUT);
    sem_clockwait(semaphore: u64, _clock: c_int, _until: *const c_void) -> c_int =
        |site, real| try_down(site, semaphore, ETIMEDOUT);
    sem_post(semaphore: u64) -> c_int = |site, real| {
        point(site, Move::Up(semaphore));
        object(semaphore).count += 1;
        0
    };
    sem_getvalue(semaphore: u64, to: *mut c_int) -> c_int = |site, real| {
        point(site, Move::TryDown(semaphore));
        unsafe { *to = look(semaphore).count as c_int };
        0
    };
}
