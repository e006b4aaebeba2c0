//! What a program could see of the machine and the moment it runs on: the time, numbers of
//! processes, random bytes. With an engine they are the same in every run, and on the
//! uninstrumented build when a case is replayed (`driver/support/surroundings.c` does the same there);
//! without one, they are the system's.

use crate::frame::{called, frame};
use crate::memory::clear;
use crate::shared::state;
use crate::subject_calls;
use crate::surroundings::{
    ELAPSED, PARENT, PROCESS, REAL_PROCESS, SECOND, UPTIME, fixed, look, moment, nanos, real,
};
use crate::sys::{self, TimeSpec, TimeVal};
use crate::threads::{self, signal_calls};
use core::ffi::{c_int, c_long, c_uint, c_void};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use elsewise_wire::Reason;

static RANDOM: AtomicU64 = AtomicU64::new(0);
fn concrete<const N: usize>(site: u32, labels: [u32; N], values: [u64; N]) {
    for (label, value) in labels.into_iter().zip(values) {
        state().made_concrete(site, label, value, Reason::Argument);
    }
}

/// Writes a result of the system's: it has no labels.
///
/// # Safety
/// Null, or room for the value.
unsafe fn put<T>(to: *mut T, value: T) {
    if !to.is_null() {
        clear(to as u64, core::mem::size_of::<T>() as u64);
        // SAFETY: null was looked for; all else is room for it.
        unsafe { to.write(value) };
    }
}

fn real_moment(clock: c_int) -> TimeSpec {
    let mut now = TimeSpec::default();
    // SAFETY: there is room for it.
    unsafe { subject_calls::clock_gettime(clock, &mut now) };
    now
}

fn fail(error: c_int) -> c_int {
    sys::set_errno(error);
    -1
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn time(to: *mut c_long) -> c_long {
    let (_, site, labels) = called::<1>(time as *const ());
    concrete(site, labels, [to as u64]);
    let now = match fixed().then(|| moment(0)).flatten() {
        Some(now) => now,
        None => real_moment(0),
    };
    // SAFETY: null, or room for it, as C asks for.
    unsafe { put(to, now.seconds) };
    now.seconds
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn clock_gettime(clock: c_int, to: *mut TimeSpec) -> c_int {
    let (_, site, labels) = called::<2>(clock_gettime as *const ());
    concrete(site, labels, [clock as u64, to as u64]);
    if !fixed() {
        // SAFETY: times, and null or room for another, as C asks for.
        return unsafe { subject_calls::clock_gettime(clock, to) };
    }
    match moment(clock) {
        Some(now) => {
            // SAFETY: null, or room for it, as C asks for.
            unsafe { put(to, now) };
            0
        }
        None => fail(sys::EINVAL),
    }
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn gettimeofday(to: *mut TimeVal, zone: *mut [c_int; 2]) -> c_int {
    let (_, site, labels) = called::<2>(gettimeofday as *const ());
    concrete(site, labels, [to as u64, zone as u64]);
    let now = match fixed().then(|| moment(0)).flatten() {
        Some(now) => now,
        None => real_moment(0),
    };
    let value = TimeVal {
        seconds: now.seconds,
        micros: now.nanos / 1000,
    };
    // SAFETY: null, or room for it, as C asks for.
    unsafe { put(to, value) };
    // SAFETY: null, or room for it, as C asks for.
    unsafe { put(zone, [0, 0]) };
    0
}

/// Processor time in microseconds.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn clock() -> c_long {
    called::<0>(clock as *const ());
    let now = match fixed().then(|| moment(2)).flatten() {
        Some(now) => now,
        None => real_moment(2),
    };
    now.seconds * 1_000_000 + now.nanos / 1000
}

/// Processor times in hundredths of a second.
///
/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn times(to: *mut [c_long; 4]) -> c_long {
    let (_, site, labels) = called::<1>(times as *const ());
    concrete(site, labels, [to as u64]);
    if !fixed() {
        // SAFETY: null, or room for them.
        return unsafe { subject_calls::times(to) };
    }
    let ticks = (look() / (SECOND / 100)) as c_long;
    // SAFETY: null, or room for it, as C asks for.
    unsafe { put(to, [ticks, 0, 0, 0]) };
    UPTIME as c_long * 100 + ticks
}

fn pass(nanos: u64) {
    ELAPSED.fetch_add(nanos, Relaxed);
    threads::may_be_cancelled(frame().site);
    // Another thread may be what is waited for.
    threads::give_way(frame().site);
}

fn is_time(time: &TimeSpec) -> bool {
    time.seconds >= 0 && (0..SECOND as c_long).contains(&time.nanos)
}

/// Nobody waits: the time is simply later.
///
/// # Safety
/// A time, and null or room for another.
unsafe fn sleep_for(time: *const TimeSpec, left: *mut TimeSpec) -> c_int {
    // SAFETY: times, and null or room for another, as C asks for.
    let time = unsafe { &*time };
    if !is_time(time) {
        return sys::EINVAL;
    }
    pass(nanos(time));
    // SAFETY: null, or room for it, as C asks for.
    unsafe { put(left, TimeSpec::default()) };
    0
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn nanosleep(time: *const TimeSpec, left: *mut TimeSpec) -> c_int {
    let (_, site, labels) = called::<2>(nanosleep as *const ());
    concrete(site, labels, [time as u64, left as u64]);
    if !fixed() {
        // SAFETY: times, and null or room for another, as C asks for.
        return unsafe { sys::nanosleep(time, left) };
    }
    // SAFETY: times, and null or room for another, as C asks for.
    match unsafe { sleep_for(time, left) } {
        0 => 0,
        error => fail(error),
    }
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn clock_nanosleep(
    clock: c_int,
    flags: c_int,
    time: *const TimeSpec,
    left: *mut TimeSpec,
) -> c_int {
    const ABSOLUTE: c_int = 1;
    let (_, site, labels) = called::<4>(clock_nanosleep as *const ());
    let values = [clock as u64, flags as u64, time as u64, left as u64];
    concrete(site, labels, values);
    if !fixed() {
        // This function returns its error.
        // SAFETY: times, and null or room for another, as C asks for.
        let result = unsafe { subject_calls::clock_nanosleep(clock, flags, time, left) };
        return match result {
            0 => 0,
            _ => sys::errno(),
        };
    }
    let Some(now) = moment(clock) else {
        return sys::EINVAL;
    };
    if flags & ABSOLUTE == 0 {
        // SAFETY: times, and null or room for another, as C asks for.
        return unsafe { sleep_for(time, left) };
    }
    // SAFETY: times, and null or room for another, as C asks for.
    let until = unsafe { &*time };
    if !is_time(until) {
        return sys::EINVAL;
    }
    pass(nanos(until).saturating_sub(nanos(&now)));
    0
}

#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn sleep(seconds: c_uint) -> c_uint {
    let (_, site, labels) = called::<1>(sleep as *const ());
    concrete(site, labels, [seconds.into()]);
    let time = TimeSpec {
        seconds: seconds.into(),
        nanos: 0,
    };
    if fixed() {
        pass(nanos(&time));
        return 0;
    }
    let mut left = TimeSpec::default();
    // SAFETY: a time, and room for another.
    match unsafe { sys::nanosleep(&time, &mut left) } {
        0 => 0,
        // As the C library rounds it.
        _ => left.seconds as c_uint + c_uint::from(left.nanos >= SECOND as c_long / 2),
    }
}

#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn usleep(micros: c_uint) -> c_int {
    let (_, site, labels) = called::<1>(usleep as *const ());
    concrete(site, labels, [micros.into()]);
    let time = TimeSpec {
        seconds: c_long::from(micros / 1_000_000),
        nanos: c_long::from(micros % 1_000_000) * 1000,
    };
    if fixed() {
        pass(nanos(&time));
        return 0;
    }
    // SAFETY: a time; nobody wants to know what is left.
    unsafe { sys::nanosleep(&time, core::ptr::null_mut()) }
}

/// Processes that the run has started keep the system's numbers.
fn shown(real: c_int) -> c_int {
    match fixed() && real == REAL_PROCESS.load(Relaxed) {
        true => PROCESS,
        false => real,
    }
}

#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn getpid() -> c_int {
    called::<0>(getpid as *const ());
    shown(subject_calls::getpid())
}

#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn gettid() -> c_int {
    called::<0>(gettid as *const ());
    shown(subject_calls::gettid())
}

#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn getppid() -> c_int {
    called::<0>(getppid as *const ());
    match fixed() && subject_calls::getpid() == REAL_PROCESS.load(Relaxed) {
        true => PARENT,
        false => shown(subject_calls::getppid()),
    }
}

/// A signal to the number that the run knows itself by is one to the run.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn kill(pid: c_int, signal: c_int) -> c_int {
    let (_, site, labels) = called::<2>(kill as *const ());
    concrete(site, labels, [pid as u32 as u64, signal as u32 as u64]);
    let pid = real(pid).unwrap_or(pid);
    match pid == REAL_PROCESS.load(Relaxed) {
        true => signal_calls::to_process(site, signal, || subject_calls::kill(pid, signal)),
        false => subject_calls::kill(pid, signal),
    }
}

/// The next of a fixed sequence of numbers (SplitMix64).
fn random() -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut z = RANDOM.fetch_add(STEP, Relaxed).wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// # Safety
/// There is room for so many bytes.
unsafe fn random_bytes(to: *mut u8, size: usize) {
    clear(to as u64, size as u64);
    let mut number = 0;
    for index in 0..size {
        if index % 8 == 0 {
            number = random();
        }
        // SAFETY: as the caller says.
        unsafe { to.add(index).write((number >> (index % 8 * 8)) as u8) };
    }
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn getrandom(to: *mut c_void, size: usize, flags: c_uint) -> isize {
    let (_, site, labels) = called::<3>(getrandom as *const ());
    concrete(site, labels, [to as u64, size as u64, flags.into()]);
    if !fixed() {
        // SAFETY: there is room for so many bytes, as C asks for.
        return unsafe { subject_calls::getrandom(to, size, flags) };
    }
    // SAFETY: there is room for so many bytes, as C asks for.
    unsafe { random_bytes(to.cast(), size) };
    size as isize
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn getentropy(to: *mut c_void, size: usize) -> c_int {
    const EIO: c_int = 5;
    let (_, site, labels) = called::<2>(getentropy as *const ());
    concrete(site, labels, [to as u64, size as u64]);
    if size > 256 {
        return fail(EIO);
    }
    if !fixed() {
        // SAFETY: there is room for so many bytes, as C asks for.
        let got = unsafe { subject_calls::getrandom(to, size, 0) };
        return if got == size as isize { 0 } else { -1 };
    }
    // SAFETY: there is room for so many bytes, as C asks for.
    unsafe { random_bytes(to.cast(), size) };
    0
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn arc4random_buf(to: *mut c_void, size: usize) {
    let (_, site, labels) = called::<2>(arc4random_buf as *const ());
    concrete(site, labels, [to as u64, size as u64]);
    // SAFETY: there is room for so many bytes, as C asks for.
    unsafe { some_random(to.cast(), size) };
}

/// Fixed random bytes, or the system's.
///
/// # Safety
/// There is room for so many bytes.
unsafe fn some_random(to: *mut u8, size: usize) {
    if fixed() {
        // SAFETY: there is room for so many bytes, as C asks for.
        return unsafe { random_bytes(to, size) };
    }
    let mut done = 0;
    while done < size {
        let part = (size - done).min(256);
        // SAFETY: as the caller says, and so much is left of it.
        let got = unsafe { subject_calls::getrandom(to.add(done).cast(), part, 0) };
        done += got.max(0) as usize;
    }
}

fn random_word() -> u32 {
    let mut word = 0u32;
    // SAFETY: there is room for so many bytes.
    unsafe { some_random((&raw mut word).cast(), 4) };
    word
}

#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn arc4random() -> u32 {
    called::<0>(arc4random as *const ());
    random_word()
}

/// A number below `bound`.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn arc4random_uniform(bound: u32) -> u32 {
    let (_, site, labels) = called::<1>(arc4random_uniform as *const ());
    concrete(site, labels, [bound.into()]);
    if bound < 2 {
        return 0;
    }
    // Numbers above the last multiple of the bound would come too often.
    let least = bound.wrapping_neg() % bound;
    loop {
        let number = random_word();
        if number >= least {
            return number % bound;
        }
    }
}
