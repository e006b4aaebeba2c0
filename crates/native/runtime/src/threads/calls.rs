//! Calls of the system by which threads wait for each other: reading, writing, polling what the
//! subject has made itself. What comes from outside is asked of the system as ever.

use super::cancelling::stop_if_cancelled;
use super::channels::{self, IN, OUT, Poll, Watched, Way};
use super::names::Real;
use super::{
    Move, conditions, current, given, outside, own, point, several, signal_calls, touched,
};
use crate::first_input::first_input;
use crate::frame::taken_as_they_are;
use crate::memory::{clear, memory_is_lost};
use crate::surroundings;
use crate::sys::{self, EAGAIN};
use crate::written;
use core::ffi::{c_int, c_void};
use elsewise_wire::threads::access::WRITES;

fn error() -> c_int {
    sys::errno()
}

/// Those who wait for descriptors are told when one is ready.
fn tell(site: u32) {
    let mut from = 0;
    while let Some(at) = channels::could_go_on(from) {
        conditions::wake(site, at);
        from = at + 1;
    }
}

/// Does a call on a descriptor when it can be done, if other threads have a part in that.
pub fn pass(site: u32, fd: c_int, way: Way, mut call: impl FnMut() -> isize) -> isize {
    if way == Way::In {
        written::read_by_model(fd.into());
    }
    let mut call = || written::by_model(&mut call);
    if !several() || !own::moves() {
        return call();
    }
    let Some(end) = channels::find(fd) else {
        return call();
    };
    loop {
        let waits = !channels::never_waits(fd);
        if end.common && waits {
            let events = match way {
                Way::In => IN,
                Way::Out => OUT,
            };
            let mut one = [poll_for(fd, events)];
            watch(site, &mut one, false);
        } else {
            point(site, Move::Pass { fd, way, waits });
            stop_if_cancelled();
        }
        let result = channels::without_waiting(fd, &mut call);
        if result == -1 && waits && error() == EAGAIN {
            continue;
        }
        tell(site);
        return result;
    }
}

fn poll_for(fd: c_int, events: i16) -> Poll {
    Poll {
        fd,
        events,
        found: 0,
    }
}

/// Waits until one of the descriptors is ready.
fn watch(site: u32, list: &mut [Poll], all: bool) {
    let watched = Watched::new(list, all);
    loop {
        let late = false;
        point(site, Move::Watch { watched, late });
        stop_if_cancelled();
        if channels::ready(watched.polls()) {
            return;
        }
        let mine = current();
        mine.waits_for = channels::WATCHING;
        mine.woken = false;
        mine.watched = Some(watched);
        let object = channels::WATCHING;
        point(site, Move::Leave { object, late });
        let mine = current();
        mine.waits_for = 0;
        mine.woken = false;
        mine.watched = None;
        stop_if_cancelled();
    }
}

/// Before a call that waits for descriptors: how long, in milliseconds, or without end below 0. Comes
/// back when it would not wait, or no longer.
fn before_poll(site: u32, list: &mut [Poll], all: bool, time: i64) {
    written::asks_what_is_ready();
    let known = || list.iter().any(|one| channels::find(one.fd).is_some());
    if !several() || !own::moves() || !all && !known() {
        return;
    }
    if time < 0 {
        return watch(site, list, all);
    }
    let watched = Watched::new(list, all);
    let late = true;
    point(site, Move::Watch { watched, late });
    stop_if_cancelled();
    if time > 0 && !channels::ready(watched.polls()) {
        surroundings::pass_millis(time as u64);
    }
}

/// Ours wait no longer; what is outside may.
fn time_left(list: &[Poll], all: bool, time: i64) -> i64 {
    let ours = all || list.iter().any(|one| channels::find(one.fd).is_some());
    if several() && own::moves() && ours {
        0
    } else {
        time
    }
}

/// Writes all of it, as a call that waits does.
fn write_all(
    site: u32,
    fd: c_int,
    from: u64,
    size: u64,
    mut call: impl FnMut(u64, u64) -> isize,
) -> isize {
    written::bytes(fd.into(), from, size);
    super::touch_range(from, size, 0);
    let waits = several() && channels::find(fd).is_some();
    if waits {
        memory_is_lost(site, from, size);
    }
    let waits = waits && !channels::never_waits(fd);
    let mut done = 0;
    loop {
        let got = pass(site, fd, Way::Out, || call(from + done, size - done));
        if got < 0 && done > 0 {
            return done as isize;
        }
        if !waits || got <= 0 {
            return got;
        }
        done += got as u64;
        if done >= size {
            return done as isize;
        }
    }
}

/// Before what changes who has which end.
fn shut(site: u32, fd: c_int, call: impl FnOnce() -> c_int) -> c_int {
    if !several() || !own::moves() || channels::find(fd).is_none() {
        return call();
    }
    point(site, Move::Shut(fd));
    let result = call();
    tell(site);
    result
}

/// The subject makes something by which its parts talk: each run has its own.
fn make(call: impl FnOnce() -> c_int) -> c_int {
    first_input();
    call()
}

fn received(site: u32, fd: c_int, to: u64, flags: c_int, call: impl FnMut() -> isize) -> isize {
    const DO_NOT_WAIT: c_int = 0x40;
    let mut call = call;
    let got = match flags & DO_NOT_WAIT {
        0 => pass(site, fd, Way::In, call),
        _ => at_once(site, fd, Way::In, &mut call),
    };
    if got > 0 {
        touched(site, to, got as u64, WRITES);
        clear(to, got as u64);
    }
    got
}

/// A call that says itself that it does not wait.
fn at_once(site: u32, fd: c_int, way: Way, call: &mut impl FnMut() -> isize) -> isize {
    written::read_by_model(fd.into());
    let mut call = || written::by_model(&mut *call);
    if several() && own::moves() && channels::find(fd).is_some() {
        let waits = false;
        point(site, Move::Pass { fd, way, waits });
        let result = call();
        tell(site);
        return result;
    }
    call()
}

/// Room for as many descriptors of `select`.
const MOST_SELECTED: usize = 64;

/// What `select` is asked for, as `poll` would be.
///
/// # Safety
/// Sets of so many bits, or null.
unsafe fn selected(count: c_int, sets: [*const u64; 3], list: &mut [Poll; MOST_SELECTED]) -> usize {
    let mut used = 0;
    for fd in 0..count.clamp(0, 1024) {
        let is = |set: *const u64| {
            // SAFETY: sets of so many bits, or null.
            !set.is_null() && unsafe { *set.add(fd as usize / 64) } >> (fd % 64) & 1 != 0
        };
        let events = if is(sets[0]) { IN } else { 0 } | if is(sets[1]) { OUT } else { 0 };
        if (events != 0 || is(sets[2])) && used < MOST_SELECTED {
            list[used] = poll_for(fd, events);
            used += 1;
        }
    }
    used
}

/// A time of `select` in milliseconds; without end where there is none.
///
/// # Safety
/// A time, or null.
unsafe fn millis(time: *const [i64; 2], per_milli: i64) -> i64 {
    match time.is_null() {
        true => -1,
        false => {
            // SAFETY: null was looked for; all else is a time.
            let [seconds, rest] = unsafe { *time };
            seconds * 1000 + (rest + per_milli - 1) / per_milli
        }
    }
}

/// # Safety
/// Arguments of the C library's function.
unsafe fn select(site: u32, real: &Real, arguments: [u64; 6], time: i64) -> c_int {
    let sets = [1, 2, 3].map(|index| arguments[index] as *const u64);
    let mut list = [Poll::default(); MOST_SELECTED];
    // SAFETY: sets of so many bits, or null.
    let used = unsafe { selected(arguments[0] as c_int, sets, &mut list) };
    let list = &mut list[..used];
    before_poll(site, list, false, time);
    let zero = [0i64; 2];
    let mut arguments = arguments;
    if time_left(list, false, time) != time {
        arguments[4] = &raw const zero as u64;
    }
    // SAFETY: as the C library's function asks for it.
    let result = unsafe { real.call(arguments) } as c_int;
    for set in sets {
        if !set.is_null() && result >= 0 {
            clear(set as u64, (arguments[0]).div_ceil(8));
        }
    }
    result
}

super::names::in_calls_of! {
    __elw_m_pipe, c"pipe": (to: *mut [c_int; 2]) -> c_int = |site, real| {
        let result = make(|| real.call([to as u64]) as c_int);
        if result == 0 {
            clear(to as u64, 8);
            channels::made_one(*to);
        }
        result
    };
    __elw_m_pipe2, c"pipe2": (to: *mut [c_int; 2], flags: c_int) -> c_int = |site, real| {
        let result = make(|| real.call([to as u64, flags as u64]) as c_int);
        if result == 0 {
            clear(to as u64, 8);
            channels::made_one(*to);
        }
        result
    };
    __elw_m_socketpair, c"socketpair":
        (family: c_int, kind: c_int, protocol: c_int, to: *mut [c_int; 2]) -> c_int = |site, real| {
        let arguments = [family as u64, kind as u64, protocol as u64, to as u64];
        let result = make(|| real.call(arguments) as c_int);
        if result == 0 {
            clear(to as u64, 8);
            channels::made_pair(*to);
        }
        result
    };
    __elw_m_eventfd, c"eventfd": (value: u32, flags: c_int) -> c_int = |site, real| {
        let result = make(|| real.call([value.into(), flags as u64]) as c_int);
        if result >= 0 {
            channels::made_one([result; 2]);
        }
        result
    };
    __elw_m_socket, c"socket": (family: c_int, kind: c_int, protocol: c_int) -> c_int = |site, real| {
        let arguments = [family as u64, kind as u64, protocol as u64];
        let result = make(|| real.call(arguments) as c_int);
        if result >= 0 {
            channels::made_common(result);
        }
        result
    };
    __elw_m_accept, c"accept": (fd: c_int, address: u64, size: u64) -> c_int = |site, real| {
        let result = pass(site, fd, Way::In, || real.call([fd as u64, address, size]) as c_int as isize);
        if result >= 0 && channels::find(fd).is_some() {
            channels::made_common(result as c_int);
        }
        result as c_int
    };
    __elw_m_accept4, c"accept4": (fd: c_int, address: u64, size: u64, flags: c_int) -> c_int = |site, real| {
        let arguments = [fd as u64, address, size, flags as u64];
        let result = pass(site, fd, Way::In, || real.call(arguments) as c_int as isize);
        if result >= 0 && channels::find(fd).is_some() {
            channels::made_common(result as c_int);
        }
        result as c_int
    };
    __elw_m_listen, c"listen": (fd: c_int, count: c_int) -> c_int =
        |site, real| shut(site, fd, || real.call([fd as u64, count as u64]) as c_int);
    __elw_m_connect, c"connect": (fd: c_int, address: u64, size: u32) -> c_int =
        |site, real| shut(site, fd, || real.call([fd as u64, address, size.into()]) as c_int);
    __elw_m_close, c"close": (fd: c_int) -> c_int = |site, real| {
        let result = shut(site, fd, || real.call([fd as u64]) as c_int);
        signal_calls::forget_descriptor(fd);
        outside::files_are_unlocked(site);
        result
    };
    __elw_m_flock, c"flock": (fd: c_int, how: c_int) -> c_int = |site, real| {
        let call = |how: c_int| real.call([fd as u64, how as u64]) as c_int;
        match several() && own::moves() {
            true => outside::lock_file(site, fd, how, call),
            false => call(how),
        }
    };
    __elw_m_shutdown, c"shutdown": (fd: c_int, how: c_int) -> c_int =
        |site, real| shut(site, fd, || real.call([fd as u64, how as u64]) as c_int);

    __elw_m_send, c"send": (fd: c_int, from: u64, size: u64, flags: c_int) -> isize = |site, real| {
        write_all(site, fd, from, size, |from, size| {
            real.call([fd as u64, from, size, flags as u64]) as isize
        })
    };
    __elw_m_sendto, c"sendto":
        (fd: c_int, from: u64, size: u64, flags: c_int, to: u64, length: u32) -> isize = |site, real| {
        write_all(site, fd, from, size, |from, size| {
            real.call([fd as u64, from, size, flags as u64, to, length.into()]) as isize
        })
    };
    __elw_m_sendmsg, c"sendmsg": (fd: c_int, message: u64, flags: c_int) -> isize = |site, real| {
        // Parts of it are not looked at.
        written::by_others(fd.into());
        pass(site, fd, Way::Out, || real.call([fd as u64, message, flags as u64]) as isize)
    };
    __elw_m_recv, c"recv": (fd: c_int, to: u64, size: u64, flags: c_int) -> isize = |site, real| {
        received(site, fd, to, flags, || real.call([fd as u64, to, size, flags as u64]) as isize)
    };
    __elw_m_recvfrom, c"recvfrom":
        (fd: c_int, to: u64, size: u64, flags: c_int, from: u64, length: u64) -> isize = |site, real| {
        received(site, fd, to, flags, || {
            real.call([fd as u64, to, size, flags as u64, from, length]) as isize
        })
    };
    __elw_m_recvmsg, c"recvmsg": (fd: c_int, message: u64, flags: c_int) -> isize = |site, real| {
        let got = pass(site, fd, Way::In, || real.call([fd as u64, message, flags as u64]) as isize);
        if got > 0 {
            given::received(site, message, got as u64);
        }
        got
    };
    __elw_m_eventfd_read, c"eventfd_read": (fd: c_int, to: u64) -> c_int = |site, real| {
        let result = pass(site, fd, Way::In, || real.call([fd as u64, to]) as c_int as isize);
        clear(to, 8);
        result as c_int
    };
    __elw_m_eventfd_write, c"eventfd_write": (fd: c_int, value: u64) -> c_int = |site, real| {
        pass(site, fd, Way::Out, || real.call([fd as u64, value]) as c_int as isize) as c_int
    };

    __elw_m_poll, c"poll": (list: *mut Poll, count: u64, time: c_int) -> c_int = |site, real| {
        let all: &mut [Poll] = match list.is_null() {
            true => &mut [],
            false => core::slice::from_raw_parts_mut(list, count as usize),
        };
        memory_is_lost(site, list as u64, count * 8);
        before_poll(site, all, false, time.into());
        let time = time_left(all, false, time.into());
        let result = real.call([list as u64, count, time as u64]) as c_int;
        clear(list as u64, count * 8);
        result
    };
    __elw_m_ppoll, c"ppoll": (list: *mut Poll, count: u64, time: *const [i64; 2], mask: u64) -> c_int = |site, real| {
        let all: &mut [Poll] = match list.is_null() {
            true => &mut [],
            false => core::slice::from_raw_parts_mut(list, count as usize),
        };
        memory_is_lost(site, list as u64, count * 8);
        let wanted = millis(time, 1_000_000);
        before_poll(site, all, false, wanted);
        let zero = [0i64; 2];
        let time = match time_left(all, false, wanted) == wanted {
            true => time,
            false => &raw const zero,
        };
        let result = real.call([list as u64, count, time as u64, mask]) as c_int;
        clear(list as u64, count * 8);
        result
    };
    __elw_m_select, c"select":
        (count: c_int, reads: u64, writes: u64, errors: u64, time: *const [i64; 2]) -> c_int = |site, real| {
        let arguments = [count as u64, reads, writes, errors, time as u64, 0];
        select(site, real, arguments, millis(time, 1000))
    };
    __elw_m_pselect, c"pselect":
        (count: c_int, reads: u64, writes: u64, errors: u64, time: *const [i64; 2], mask: u64) -> c_int = |site, real| {
        let arguments = [count as u64, reads, writes, errors, time as u64, mask];
        select(site, real, arguments, millis(time, 1_000_000))
    };
    __elw_m_epoll_wait, c"epoll_wait": (fd: c_int, events: u64, count: c_int, time: c_int) -> c_int = |site, real| {
        let mut one = [poll_for(fd, IN)];
        before_poll(site, &mut one, true, time.into());
        let time = time_left(&one, true, time.into());
        let result = real.call([fd as u64, events, count as u64, time as u64]) as c_int;
        if result > 0 {
            clear(events, 12 * result as u64);
        }
        result
    };
}

/// `write`: what it is given is only output, unless it comes back, or goes to another thread.
///
/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_write(fd: c_int, from: *const c_void, size: usize) -> isize {
    let (caller, site, labels) = crate::frame::called::<3>(__elw_m_write as *const ());
    taken_as_they_are(site, &labels[..2], &[fd as u32 as u64, from as u64]);
    let lsize = labels[2];
    if lsize != 0 {
        written::by_others(fd.into());
    }
    // SAFETY: bytes that can be read, as C asks for.
    let done = write_all(site, fd, from as u64, size as u64, |from, size| unsafe {
        sys::write(fd, from as *const c_void, size as usize)
    });
    if done == size as isize && caller.follows() {
        caller.give_back(lsize, done as u64);
    }
    done
}

/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_writev(fd: c_int, parts: *const [u64; 2], count: c_int) -> isize {
    let (_, site, _) = crate::frame::called::<3>(__elw_m_writev as *const ());
    if (1..=1024).contains(&count) {
        let lost = several() && channels::find(fd).is_some();
        // SAFETY: bytes that can be read, as C asks for.
        for part in unsafe { core::slice::from_raw_parts(parts, count as usize) } {
            written::bytes(fd.into(), part[0], part[1]);
            if lost {
                memory_is_lost(site, part[0], part[1]);
            }
        }
    }
    static REAL: Real = Real::new(c"writev");
    // SAFETY: as the C library's function asks for it.
    pass(site, fd, Way::Out, || unsafe {
        REAL.call([fd as u64, parts as u64, count as u64]) as isize
    })
}
