//! System calls that the runtime makes for the subject, in place of the C library: they are seen as the
//! subject's own are (`kernel`), and errors are told as the C library tells them.

use crate::refused;
use crate::runner;
use crate::snapshot;
use crate::sys::{AT_FDCWD, Stat, TimeSpec, direct, number, set_errno};
use core::ffi::{c_char, c_int, c_long, c_void};

/// A call of the runtime's own for the subject, with an error told as the C library tells it.
///
/// # Safety
/// What the call does to memory, it may do.
unsafe fn call<const N: usize>(number: i64, arguments: [i64; N]) -> i64 {
    const ERRORS: core::ops::RangeInclusive<i64> = -4095..=-1;
    let mut all = [0; 6];
    all[..N].copy_from_slice(&arguments);
    if !snapshot::leaves_nothing(number, all) {
        runner::become_single();
    }
    let [a, b, c, d, e, f] = all;
    // SAFETY: memory that it is given is as this function asks for it.
    let result = unsafe { direct(number, a, b, c, d, e, f) };
    if refused::may_be(number, all) {
        refused::look(number, all, result);
    }
    if !ERRORS.contains(&result) {
        return result;
    }
    set_errno(-result as c_int);
    -1
}

/// # Safety
/// At `stat` is room for one.
pub unsafe fn fstat(fd: c_int, stat: *mut Stat) -> c_int {
    // SAFETY: memory that it is given is as this function asks for it.
    unsafe { call(number::FSTAT, [fd.into(), stat as i64]) as c_int }
}

/// # Safety
/// `path` is a text, and at `stat` is room for one.
pub unsafe fn fstatat(folder: c_int, path: *const c_char, stat: *mut Stat, flags: c_int) -> c_int {
    // SAFETY: memory that it is given is as this function asks for it.
    unsafe {
        call(
            number::FSTATAT,
            [folder.into(), path as i64, stat as i64, flags.into()],
        ) as c_int
    }
}

/// # Safety
/// `parts` are so many pieces of memory that may be written.
pub unsafe fn readv(fd: c_int, parts: *const c_void, count: c_int) -> isize {
    // SAFETY: memory that it is given is as this function asks for it.
    unsafe { call(number::READV, [fd.into(), parts as i64, count.into()]) as isize }
}

/// # Safety
/// `path` is a text.
pub unsafe fn openat(folder: c_int, path: *const c_char, flags: c_int, mode: c_int) -> c_int {
    // SAFETY: memory that it is given is as this function asks for it.
    unsafe {
        call(
            number::OPENAT,
            [folder.into(), path as i64, flags.into(), mode.into()],
        ) as c_int
    }
}

/// # Safety
/// Nothing is in use where memory is put by force.
pub unsafe fn mmap(
    address: *mut c_void,
    length: usize,
    protection: c_int,
    flags: c_int,
    fd: c_int,
    offset: c_long,
) -> *mut c_void {
    // SAFETY: memory that it is given is as this function asks for it.
    unsafe {
        call(
            number::MMAP,
            [
                address as i64,
                length as i64,
                protection.into(),
                flags.into(),
                fd.into(),
                offset,
            ],
        ) as *mut c_void
    }
}

/// # Safety
/// Nobody uses the memory any more.
pub unsafe fn munmap(address: *mut c_void, length: usize) -> c_int {
    // SAFETY: memory that it is given is as this function asks for it.
    unsafe { call(number::MUNMAP, [address as i64, length as i64]) as c_int }
}

pub fn getpid() -> c_int {
    // SAFETY: it touches no memory.
    unsafe { call(number::GETPID, []) as c_int }
}

pub fn getppid() -> c_int {
    // SAFETY: it touches no memory.
    unsafe { call(number::GETPPID, []) as c_int }
}

pub fn gettid() -> c_int {
    // SAFETY: it touches no memory.
    unsafe { call(number::GETTID, []) as c_int }
}

pub fn kill(pid: c_int, signal: c_int) -> c_int {
    // SAFETY: it touches no memory.
    unsafe { call(number::KILL, [pid.into(), signal.into()]) as c_int }
}

/// # Safety
/// At `time` is room for one.
pub unsafe fn clock_gettime(clock: c_int, time: *mut TimeSpec) -> c_int {
    // SAFETY: memory that it is given is as this function asks for it.
    unsafe { call(number::CLOCK_GETTIME, [clock.into(), time as i64]) as c_int }
}

/// # Safety
/// At `time` is one, and at `left`, unless it is null, room for another.
pub unsafe fn clock_nanosleep(
    clock: c_int,
    flags: c_int,
    time: *const TimeSpec,
    left: *mut TimeSpec,
) -> c_int {
    // SAFETY: memory that it is given is as this function asks for it.
    unsafe {
        call(
            number::CLOCK_NANOSLEEP,
            [clock.into(), flags.into(), time as i64, left as i64],
        ) as c_int
    }
}

/// # Safety
/// There is room for them, or the address is null.
pub unsafe fn times(to: *mut [c_long; 4]) -> c_long {
    // SAFETY: memory that it is given is as this function asks for it.
    unsafe { call(number::TIMES, [to as i64]) }
}

/// # Safety
/// There is room for so many bytes.
pub unsafe fn getrandom(buffer: *mut c_void, size: usize, flags: u32) -> isize {
    // SAFETY: memory that it is given is as this function asks for it.
    unsafe {
        call(
            number::GETRANDOM,
            [buffer as i64, size as i64, flags.into()],
        ) as isize
    }
}

/// # Safety
/// There is room for so many bytes.
pub unsafe fn read(fd: c_int, buffer: *mut c_void, count: usize) -> isize {
    // SAFETY: memory that it is given is as this function asks for it.
    unsafe { call(number::READ, [fd.into(), buffer as i64, count as i64]) as isize }
}

/// # Safety
/// There is room for so many bytes.
pub unsafe fn pread(fd: c_int, buffer: *mut c_void, count: usize, at: c_long) -> isize {
    // SAFETY: memory that it is given is as this function asks for it.
    unsafe { call(number::PREAD, [fd.into(), buffer as i64, count as i64, at]) as isize }
}

pub fn lseek(fd: c_int, offset: c_long, whence: c_int) -> c_long {
    // SAFETY: it touches no memory.
    unsafe { call(number::LSEEK, [fd.into(), offset, whence.into()]) }
}

/// # Safety
/// `path` is a text.
pub unsafe fn open(path: *const c_char, flags: c_int, mode: c_int) -> c_int {
    // SAFETY: memory that it is given is as this function asks for it.
    unsafe { openat(AT_FDCWD, path, flags, mode) }
}
