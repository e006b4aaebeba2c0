//! Calls by which the subject sends signals, waits for them, and says what is to be done with them.

use super::cancelling::stop_if_cancelled;
use super::create::known;
use super::moves::{PAUSE, WANT};
use super::signals::{
    arm, armed, bit, mask_matters, note_open, owner, send, set_action, take_away,
};
use super::{Move, channels, current, own, point, several, threads};
use crate::memory::{clear, is_flagged};
use crate::shared::state;
use crate::sys::{self, EAGAIN, EINTR, EINVAL, ESRCH, SigAction};
use crate::turns::Turns;
use core::ffi::c_int;
use elsewise_wire::Reason;

/// Waits until a handler has run, meanwhile with another mask if there is one.
fn pause(site: u32, mask: Option<u64>) -> c_int {
    let changes = mask.map_or(0, |mask| owner().mask ^ mask);
    point(site, Move::Pause(changes));
    stop_if_cancelled();
    let was = owner().mask;
    owner().mask = mask.unwrap_or(was);
    note_open();
    let mine = current();
    mine.pauses = true;
    mine.waits_for = PAUSE;
    mine.woken = false;
    let (object, late) = (PAUSE, false);
    point(site, Move::Leave { object, late });
    let mine = current();
    mine.waits_for = 0;
    mine.woken = false;
    if mine.is_cancelled() {
        mine.pauses = false;
        owner().mask = was;
        stop_if_cancelled();
    }
    if changes != 0 {
        point(site, Move::Mask(changes));
        owner().mask = was;
        note_open();
    }
    fail(EINTR)
}

fn fail(error: c_int) -> c_int {
    sys::set_errno(error);
    -1
}

/// Takes a signal of the set that is on its way, and waits for one; 0 if none came in time.
fn take(site: u32, set: u64, late: bool) -> c_int {
    loop {
        point(site, Move::Take);
        stop_if_cancelled();
        let threads = threads();
        let me = threads.current;
        let mut best: Option<(c_int, usize)> = None;
        for at in 0..threads.used {
            let Some(flight) = threads.all[at].flight.filter(|flight| flight.flies) else {
                continue;
            };
            let mine = flight.to.is_none_or(|to| to == me) && set & bit(flight.signal) != 0;
            let before = |(signal, other): (c_int, usize)| {
                let names = (threads.all[at].name, threads.all[other].name);
                (flight.signal, names.0) < (signal, names.1)
            };
            if mine && best.is_none_or(before) {
                best = Some((flight.signal, at));
            }
        }
        if let Some((signal, at)) = best {
            take_away(site, at);
            return signal;
        }
        let mine = current();
        mine.wanted = set;
        mine.waits_for = WANT;
        mine.woken = false;
        point(site, Move::Leave { object: WANT, late });
        let mine = current();
        let woken = mine.woken;
        mine.wanted = 0;
        mine.waits_for = 0;
        mine.woken = false;
        stop_if_cancelled();
        if !woken {
            return 0;
        }
    }
}

/// Descriptors by which signals are read, and which.
const MOST_DESCRIPTORS: usize = 16;

static DESCRIPTORS: Turns<[(c_int, u64); MOST_DESCRIPTORS]> =
    Turns::new([(-1, 0); MOST_DESCRIPTORS]);

fn descriptors() -> &'static mut [(c_int, u64); MOST_DESCRIPTORS] {
    // SAFETY: its users take turns, as `Turns` says.
    unsafe { &mut *DESCRIPTORS.get() }
}

fn note_descriptor(fd: c_int, signals: u64) {
    let all = descriptors();
    let same = all.iter().position(|(one, _)| *one == fd);
    match same.or_else(|| all.iter().position(|(one, _)| *one < 0)) {
        Some(at) => all[at] = (fd, signals),
        None => super::too_much(),
    }
}

/// The descriptor is closed.
pub fn forget_descriptor(fd: c_int) {
    let all = descriptors();
    if let Some(one) = all.iter_mut().find(|(one, _)| *one == fd) {
        *one = (-1, 0);
    }
}

/// A read from such a descriptor, if it is one and signals are ours; its result.
///
/// # Safety
/// There is room for so many bytes.
pub unsafe fn read_signal(site: u32, fd: c_int, to: u64, size: u64) -> Option<isize> {
    const SIZE: usize = 128;
    if !is_ours() || size < SIZE as u64 {
        return None;
    }
    let all = descriptors();
    let (_, signals) = all.iter().copied().find(|(one, _)| *one == fd)?;
    let signal = take(site, signals, channels::never_waits(fd));
    if signal == 0 {
        return Some(fail(EAGAIN) as isize);
    }
    clear(to, SIZE as u64);
    // SAFETY: as the caller says, and it is so much.
    unsafe {
        core::ptr::write_bytes(to as *mut u8, 0, SIZE);
        *(to as *mut u32) = signal as u32;
    }
    Some(SIZE as isize)
}

fn is_ours() -> bool {
    several() && own::moves()
}

/// Changes which signals the running thread blocks.
///
/// # Safety
/// A set of signals, or null.
unsafe fn change_mask(site: u32, how: c_int, set: *const u64) {
    if set.is_null() {
        return;
    }
    mask_matters();
    // SAFETY: null was looked for; all else is a set of signals.
    let set = unsafe { *set };
    let mine = owner();
    let new = match how {
        0 => mine.mask | set,
        1 => mine.mask & !set,
        _ => set,
    };
    let changes = mine.mask ^ new;
    if changes != 0 && is_ours() {
        point(site, Move::Mask(changes));
    }
    owner().mask = new;
    note_open();
}

/// A signal to the process that the subject runs in.
pub fn to_process(site: u32, signal: c_int, real: impl FnOnce() -> c_int) -> c_int {
    if !is_ours() {
        return real();
    }
    match send(site, None, signal, real) {
        EINVAL => fail(EINVAL),
        result => result,
    }
}

super::names::in_calls_of! {
    __elw_m_sigaction, c"sigaction": (signal: c_int, new: *const SigAction, old: *mut SigAction) -> c_int = |site, real| {
        let action = (!new.is_null()).then(|| ((*new).handler, (*new).flags));
        let result = real.call([signal as u64, new as u64, old as u64]) as c_int;
        if result == 0 && !old.is_null() {
            clear(old as u64, core::mem::size_of::<SigAction>() as u64);
        }
        if let Some((handler, flags)) = action.filter(|_| result == 0) {
            set_action(signal, handler, flags);
        }
        result
    };
    __elw_m_signal, c"signal": (signal: c_int, handler: u64) -> u64 = |site, real| {
        let old = real.call([signal as u64, handler]);
        if old != u64::MAX {
            set_action(signal, handler as usize, 0);
        }
        old
    };
    __elw_m_signalfd, c"signalfd": (fd: c_int, signals: *const u64, flags: c_int) -> c_int = |site, real| {
        let result = real.call([fd as u64, signals as u64, flags as u64]) as c_int;
        if result >= 0 {
            note_descriptor(result, *signals);
        }
        result
    };
    __elw_m_raise, c"raise": (signal: c_int) -> c_int = |site, real| {
        let call = || real.call([signal as u64]) as c_int;
        if !is_ours() {
            return call();
        }
        let me = owner().index();
        send(site, Some(me), signal, call)
    };
    __elw_m_pthread_kill, c"pthread_kill": (thread: u64, signal: c_int) -> c_int = |site, real| {
        let call = || real.call([thread, signal as u64]) as c_int;
        if !is_ours() {
            return call();
        }
        let to = match thread == sys::pthread_self() {
            true => Some(owner().index()),
            false if thread == threads().all[0].handle => Some(0),
            false => known(thread),
        };
        match to {
            None => ESRCH,
            Some(_) => send(site, to, signal, call),
        }
    };
    __elw_m_pthread_sigmask, c"pthread_sigmask": (how: c_int, new: *const u64, old: *mut u64) -> c_int = |site, real| {
        change_mask(site, how, new);
        let result = real.call([how as u64, new as u64, old as u64]) as c_int;
        if !old.is_null() {
            clear(old as u64, 128);
        }
        result
    };
    __elw_m_sigprocmask, c"sigprocmask": (how: c_int, new: *const u64, old: *mut u64) -> c_int = |site, real| {
        change_mask(site, how, new);
        let result = real.call([how as u64, new as u64, old as u64]) as c_int;
        if !old.is_null() {
            clear(old as u64, 128);
        }
        result
    };
    __elw_m_pause, c"pause": () -> c_int = |site, real| match is_ours() {
        true => pause(site, None),
        false => real.call([]) as c_int,
    };
    __elw_m_sigsuspend, c"sigsuspend": (set: *const u64) -> c_int = |site, real| {
        if !is_ours() {
            return real.call([set as u64]) as c_int;
        }
        pause(site, Some(*set))
    };
    __elw_m_sigwait, c"sigwait": (set: *const u64, to: *mut c_int) -> c_int = |site, real| {
        if !is_ours() {
            return real.call([set as u64, to as u64]) as c_int;
        }
        let signal = take(site, *set, false);
        clear(to as u64, 4);
        *to = signal;
        0
    };
    __elw_m_sigwaitinfo, c"sigwaitinfo": (set: *const u64, info: *mut [c_int; 32]) -> c_int = |site, real| {
        if !is_ours() {
            return real.call([set as u64, info as u64]) as c_int;
        }
        taken(take(site, *set, false), info)
    };
    __elw_m_sigtimedwait, c"sigtimedwait": (set: *const u64, info: *mut [c_int; 32], time: u64) -> c_int = |site, real| {
        if !is_ours() {
            return real.call([set as u64, info as u64, time]) as c_int;
        }
        taken(take(site, *set, true), info)
    };
    __elw_m_alarm, c"alarm": (seconds: u32) -> u32 = |site, real| {
        if is_ours() {
            return arm(site, seconds > 0).into();
        }
        armed(seconds > 0);
        real.call([seconds.into()]) as u32
    };
    __elw_m_setitimer, c"setitimer": (which: c_int, new: *const [i64; 4], old: *mut [i64; 4]) -> c_int = |site, real| {
        if !new.is_null() && state().traced() && is_flagged(new as u64, 32) {
            // `getitimer` gives it back.
            state().opaque(site, Reason::Memory);
        }
        let value = if new.is_null() { [0; 4] } else { *new };
        let on = value[2] != 0 || value[3] != 0;
        let again = value[0] != 0 || value[1] != 0;
        if on && again && is_ours() {
            // Its later signals.
            state().opaque(site, Reason::Timer);
        }
        if is_ours() && which == 0 {
            let was = arm(site, on);
            if !old.is_null() {
                clear(old as u64, 32);
                *old = [0, 0, was.into(), 0];
            }
            return 0;
        }
        if which == 0 {
            armed(on);
        }
        real.call([which as u64, new as u64, old as u64]) as c_int
    };
}

/// # Safety
/// Null, or room for one.
unsafe fn taken(signal: c_int, info: *mut [c_int; 32]) -> c_int {
    if signal == 0 {
        return fail(EAGAIN);
    }
    if !info.is_null() {
        clear(info as u64, 128);
        // SAFETY: null was looked for; all else is a set of signals.
        unsafe {
            *info = [0; 32];
            (*info)[0] = signal;
        }
    }
    signal
}
