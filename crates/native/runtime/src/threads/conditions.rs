//! Condition variables, and barriers, at which one waits for others to come.

use super::cancelling::stop_if_cancelled;
use super::reports::report;
use super::sync_objects::{self, me, object};
use super::{Life, Move, current, pick, point, threads};
use crate::frame::{called, taken_as_they_are};
use crate::memory::memory_is_lost;
use crate::shared::state;
use crate::surroundings;
use crate::sys::{self, EAGAIN, ETIMEDOUT, TimeSpec};
use crate::written;
use core::ffi::{c_int, c_long, c_void};
use elsewise_wire::threads::{SyncOp, misuse};

/// Waits for a condition; `late`: no longer than for a while.
pub fn wait(site: u32, condition: u64, mutex: u64, late: bool) -> c_int {
    let had = object(mutex).count;
    point(site, Move::Wait { condition, mutex });
    stop_if_cancelled();
    let mine = current();
    mine.waits_for = condition;
    mine.woken = false;
    let spurious = !late && mine.spurious > 0;
    let it = object(mutex);
    it.owner = 0;
    it.count = 0;
    let awake = Move::Awake {
        condition,
        late: late || spurious,
    };
    point(site, awake);
    let mine = current();
    let woken = mine.woken;
    let stopped = mine.is_cancelled();
    mine.waits_for = 0;
    mine.woken = false;
    if spurious && !woken {
        mine.spurious -= 1;
    }
    if stopped && woken {
        // Who is cancelled takes no signal from others that wait.
        wake_one(site, condition);
    }
    // Others may have the mutex meanwhile, and do whatever they do with it: its time is over all the same.
    let lock = Move::Lock {
        sync: SyncOp::Mutex,
        address: mutex,
        again: false,
    };
    point(site, lock);
    let it = object(mutex);
    it.owner = me();
    it.count = had.max(1);
    if stopped {
        stop_if_cancelled();
    }
    match late && !woken {
        true => ETIMEDOUT,
        false => 0,
    }
}

/// Lets one of those who wait go on.
pub fn wake(site: u32, at: usize) {
    let thread = &mut threads().all[at];
    thread.woken = true;
    let number = thread.sync_number(SyncOp::Wake);
    report(site, SyncOp::Wake, number, true, 0, 0);
}

/// Waits for the object, as the how-manieth in the order of names.
fn waiting(object: u64, index: u32) -> Option<usize> {
    let threads = threads();
    let waits = |at: &usize| {
        let thread = &threads.all[*at];
        thread.life == Life::Alive && thread.waits_for == object && !thread.woken
    };
    let mut least = None;
    for _ in 0..=index {
        least = (0..threads.used)
            .filter(waits)
            .filter(|at| {
                least.is_none_or(|least: usize| threads.all[*at].name > threads.all[least].name)
            })
            .min_by_key(|at| threads.all[*at].name);
        least?;
    }
    least
}

fn count_waiting(object: u64) -> u32 {
    let threads = threads();
    let all = threads.alive();
    all.filter(|thread| thread.waits_for == object && !thread.woken)
        .count() as u32
}

pub fn signal(site: u32, condition: u64) -> c_int {
    point(site, Move::Signal(condition));
    wake_one(site, condition);
    0
}

/// Lets one of those who wait for the condition go on; which of them is left open.
fn wake_one(site: u32, condition: u64) {
    let ways = count_waiting(condition);
    let way = pick(site, ways);
    if let Some(at) = waiting(condition, way) {
        wake(site, at);
    }
}

/// Waits until a word is no longer what it was and somebody has said so; false if that takes too
/// long.
///
/// # Safety
/// It can be read.
unsafe fn wait_for_word(site: u32, word: *const u32, was: u32, late: bool) -> bool {
    let object = word as u64;
    point(site, Move::Look(object));
    // SAFETY: the word can be read.
    if unsafe { *word } != was {
        return true;
    }
    let mine = current();
    mine.waits_for = object;
    mine.woken = false;
    point(site, Move::Leave { object, late });
    let mine = current();
    mine.waits_for = 0;
    mine.woken
}

/// `futex` as a call of the system: those who wait for a word, and those who wake them.
///
/// # Safety
/// The word can be read.
unsafe fn futex(site: u32, word: u64, operation: u64, value: u32, time: u64) -> Option<c_int> {
    const WAIT: u64 = 0;
    const WAKE: u64 = 1;
    const WAIT_BITS: u64 = 9;
    const WAKE_BITS: u64 = 10;
    const KIND: u64 = 127;
    match operation & KIND {
        WAIT | WAIT_BITS => {
            point(site, Move::Look(word));
            // SAFETY: the word can be read.
            if unsafe { *(word as *const u32) } != value {
                return Some(EAGAIN);
            }
            let mine = current();
            mine.waits_for = word;
            mine.woken = false;
            let late = time != 0;
            point(site, Move::Leave { object: word, late });
            let mine = current();
            mine.waits_for = 0;
            Some(if mine.woken { 0 } else { ETIMEDOUT })
        }
        WAKE | WAKE_BITS => {
            point(site, Move::Signal(word));
            let mut woken = 0;
            while woken < value {
                let ways = count_waiting(word);
                let way = match value - woken < ways {
                    true => pick(site, ways),
                    false => 0,
                };
                let Some(at) = waiting(word, way) else {
                    break;
                };
                wake(site, at);
                woken += 1;
            }
            Some(-(woken as c_int))
        }
        _ => None,
    }
}

/// `syscall`, as instrumented code calls it.
///
/// # Safety
/// As of the system's call of this number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_syscall(
    number: c_long,
    a: u64,
    b: u64,
    c: u64,
    d: u64,
    e: u64,
    f: u64,
) -> c_long {
    let (_, site, labels) = called::<7>(__elw_m_syscall as *const ());
    if state().traced() {
        taken_as_they_are(site, &labels, &[number as u64, a, b, c, d, e, f]);
        use sys::number::{FSTAT, FSTATAT, LSEEK, MREMAP, STATX};
        match number {
            // Labels do not go with it.
            MREMAP => memory_is_lost(site, a, b),
            FSTAT | FSTATAT | LSEEK | STATX => written::is_told(site),
            _ => {}
        }
        if number == sys::number::FUTEX && super::several() && super::own::moves() {
            // SAFETY: the word can be read.
            match unsafe { futex(site, a, b, c as u32, d) } {
                // What it does is not known here, and it may wait.
                None => super::too_much(),
                Some(error @ 1..) => {
                    sys::set_errno(error);
                    return -1;
                }
                Some(woken) => return (-woken).into(),
            }
        }
    }
    // SAFETY: as the system's call asks for it.
    unsafe { sys::syscall(number, a, b, c, d, e, f) }
}

pub fn broadcast(site: u32, condition: u64) -> c_int {
    point(site, Move::Signal(condition));
    while let Some(at) = waiting(condition, 0) {
        wake(site, at);
    }
    0
}

/// What a barrier says to one of those who have waited at it.
const SERIAL: c_int = -1;

fn arrive(site: u32, barrier: u64) -> c_int {
    point(site, Move::Arrive(barrier));
    let it = object(barrier);
    it.count += 1;
    if it.count < it.extra {
        let mine = current();
        mine.waits_for = barrier;
        mine.woken = false;
        let late = false;
        point(
            site,
            Move::Leave {
                object: barrier,
                late,
            },
        );
        current().waits_for = 0;
        return 0;
    }
    it.count = 0;
    while let Some(at) = waiting(barrier, 0) {
        wake(site, at);
    }
    SERIAL
}

/// Nobody waits: it is simply later.
///
/// # Safety
/// A time, or null.
pub unsafe fn until(time: *const TimeSpec) {
    if !time.is_null() {
        // SAFETY: null was looked for; all else is a time.
        surroundings::let_pass(unsafe { &*time });
    }
}

super::names::in_place_of! {
    pthread_cond_wait(condition: u64, mutex: u64) -> c_int =
        |site, real| wait(site, condition, mutex, false);
    pthread_cond_timedwait(condition: u64, mutex: u64, time: *const TimeSpec) -> c_int = |site, real| {
        let result = wait(site, condition, mutex, true);
        if result == ETIMEDOUT {
            until(time);
        }
        result
    };
    pthread_cond_clockwait(
        condition: u64, mutex: u64, _clock: c_int, time: *const TimeSpec
    ) -> c_int = |site, real| {
        let result = wait(site, condition, mutex, true);
        if result == ETIMEDOUT {
            until(time);
        }
        result
    };
    pthread_cond_signal(condition: u64) -> c_int = |site, real| signal(site, condition);
    pthread_cond_broadcast(condition: u64) -> c_int = |site, real| broadcast(site, condition);
    pthread_cond_destroy(condition: u64) -> c_int = |site, real| {
        point(site, Move::Signal(condition));
        if count_waiting(condition) > 0 {
            super::misused(site, misuse::CONDITION);
        }
        0
    };
    // What futures of the C++ library wait by.
    _ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(
        _base: u64, word: *const u32, was: u32, late: u8, _seconds: u64, _nanos: u64
    ) -> u8 = |site, real| wait_for_word(site, word, was, late != 0).into();
    _ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(
        _base: u64, word: *const u32, was: u32, late: u8, _seconds: u64, _nanos: u64
    ) -> u8 = |site, real| wait_for_word(site, word, was, late != 0).into();
    _ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(word: u64) -> c_int =
        |site, real| broadcast(site, word);
    pthread_barrier_init(barrier: u64, attributes: *const c_void, count: u32) -> c_int = |_site, real| {
        let error = real.call([barrier, attributes as u64, count.into()]) as c_int;
        if error == 0 {
            sync_objects::renew(barrier).extra = count;
        }
        error
    };
    pthread_barrier_wait(barrier: u64) -> c_int = |site, real| arrive(site, barrier);
    pthread_barrier_destroy(barrier: u64) -> c_int = |site, real| {
        point(site, Move::Arrive(barrier));
        if count_waiting(barrier) > 0 {
            super::misused(site, misuse::BARRIER);
        }
        0
    };
}
