//! Semaphores; those with a name are the run's own, as nobody else has a part in it.

use super::cancelling::stop_if_cancelled;
use super::sync_objects::{self, look, object};
use super::{Move, point};
use crate::sys::{self, EAGAIN, ETIMEDOUT};
use crate::turns::Turns;
use core::ffi::{c_int, c_void};

fn fail(error: c_int) -> c_int {
    sys::set_errno(error);
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

const LONGEST: usize = 56;
const MOST_NAMED: usize = 64;

/// A semaphore with a name.
#[derive(Clone, Copy)]
struct Named {
    /// What the program has a pointer to.
    semaphore: [u64; 4],
    name: [u8; LONGEST],
    there: bool,
    /// It has been there, and its name was taken away.
    gone: bool,
}

static NAMES: Turns<[Named; MOST_NAMED]> = Turns::new(
    [Named {
        semaphore: [0; 4],
        name: [0; LONGEST],
        there: false,
        gone: false,
    }; MOST_NAMED],
);

/// The place of a name: the same whichever is asked for first. `None` if it is too long, or there is
/// no room.
///
/// # Safety
/// A text.
unsafe fn place(name: *const u8) -> Option<&'static mut Named> {
    let mut wanted = [0; LONGEST];
    let mut hash = 0usize;
    for index in 0.. {
        // SAFETY: as the caller says, and its end was not there yet.
        let byte = unsafe { *name.add(index) };
        if byte == 0 {
            break;
        }
        *wanted.get_mut(index)? = byte;
        hash = hash.wrapping_mul(31).wrapping_add(byte.into());
    }
    // SAFETY: its users take turns, as `Turns` says.
    let names = unsafe { &mut *NAMES.get() };
    let mut tried = (0..MOST_NAMED).map(|step| (hash + step) % MOST_NAMED);
    let at = tried.find(|at| names[*at].name == wanted || names[*at].name[0] == 0)?;
    names[at].name = wanted;
    Some(&mut names[at])
}

/// # Safety
/// The name is a text.
unsafe fn open(site: u32, name: *const u8, flags: c_int, value: u32) -> u64 {
    const CREATE: c_int = 0o100;
    const EXCLUSIVE: c_int = 0o200;
    const ENOENT: c_int = 2;
    const EEXIST: c_int = 17;
    const ENOSPC: c_int = 28;
    let failed = |error: c_int| {
        fail(error);
        0
    };
    // SAFETY: as the caller says.
    let Some(it) = (unsafe { place(name) }) else {
        super::too_much();
        return failed(ENOSPC);
    };
    let semaphore = &raw const it.semaphore as u64;
    point(site, Move::TryDown(semaphore));
    match (it.there, flags & CREATE != 0, flags & EXCLUSIVE != 0) {
        (false, false, _) => return failed(ENOENT),
        (true, true, true) => return failed(EEXIST),
        (true, ..) => {}
        (false, true, _) => {
            it.there = true;
            if it.gone {
                // Who still has the one before should go on with that.
                super::too_much();
            }
            sync_objects::renew(semaphore).count = value;
        }
    }
    semaphore
}

super::names::in_calls_of! {
    __elw_m_sem_open, c"sem_open": (name: *const u8, flags: c_int, mode: u32, value: u32) -> u64 =
        |site, real| open(site, name, flags, value);
    __elw_m_sem_close, c"sem_close": (semaphore: u64) -> c_int = |site, real| 0;
    __elw_m_sem_unlink, c"sem_unlink": (name: *const u8) -> c_int = |site, real| {
        let Some(it) = place(name) else {
            return fail(2);
        };
        it.gone = true;
        point(site, Move::TryDown(&raw const it.semaphore as u64));
        match core::mem::replace(&mut it.there, false) {
            true => 0,
            false => fail(2),
        }
    };
}

super::names::in_place_of! {
    sem_init(semaphore: u64, shared: c_int, value: u32) -> c_int = |_site, real| {
        sync_objects::renew(semaphore).count = value;
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
        *to = look(semaphore).count as c_int;
        0
    };
}
