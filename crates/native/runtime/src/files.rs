//! Names, sizes and mappings of the main input: what opens it, asks how long it is, or maps it.
//! As in `primary`, the real function does the work, and labels are added.

use crate::counted;
use crate::frame::{Caller, called};
use crate::input_calls;
use crate::memory::{clear, entry, set_label};
use crate::primary::{after_open, before_open, is_input};
use crate::shared::{State, is_input_file, state};
use crate::streams::{length_label, main_bytes};
use crate::subject_calls;
use crate::sys::{self, Stat};
use crate::written;
use core::ffi::{c_char, c_int, c_long, c_void};
use elsewise_wire::{Op, Reason};

/// `st_size` of the main input is its length, for a caller that follows it.
///
/// # Safety
/// There is one, which can be written.
unsafe fn label_stat(state: &mut State, caller: &Caller, site: u32, stat: *mut Stat) {
    clear(stat as u64, core::mem::size_of::<Stat>() as u64);
    // SAFETY: it has been filled in.
    if !caller.follows() && written::has_unknown_length(unsafe { &*stat }) {
        state.opaque(site, Reason::Input);
    }
    // SAFETY: it has been filled in.
    if is_input_file(state, unsafe { &*stat }) && state.header().free_length != 0 {
        if !caller.follows() {
            return state.opaque(site, Reason::Input);
        }
        let label = length_label(state);
        // SAFETY: it has been filled in.
        set_label(unsafe { &raw const (*stat).size } as u64, 8, label);
    }
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn fstat64(fd: c_int, stat: *mut Stat) -> c_int {
    let (caller, site, [lfd, lstat]) = called(fstat64 as *const ());
    let state = state();
    is_input(fd);
    state.made_concrete(site, lfd, fd as u64, Reason::Argument);
    state.made_concrete(site, lstat, stat as u64, Reason::Address);
    // SAFETY: there is room for one, as C asks for.
    let result = unsafe { subject_calls::fstat(fd, stat) };
    if result == 0 && state.traced() {
        // SAFETY: the system has just written it.
        unsafe { label_stat(state, &caller, site, stat) };
    }
    result
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn fstatat64(
    folder: c_int,
    path: *const c_char,
    stat: *mut Stat,
    flags: c_int,
) -> c_int {
    let (caller, site, labels) = called::<4>(fstatat64 as *const ());
    let values = [folder as u64, path as u64, stat as u64, flags as u64];
    // SAFETY: a path, and room for one, as C asks for.
    unsafe { stat_here(caller, site, labels, values, folder, path, stat, flags) }
}

/// # Safety
/// As of the C library's.
#[allow(clippy::too_many_arguments, reason = "they are those of the call")]
unsafe fn stat_here(
    caller: Caller,
    site: u32,
    labels: [u32; 4],
    values: [u64; 4],
    folder: c_int,
    path: *const c_char,
    stat: *mut Stat,
    flags: c_int,
) -> c_int {
    let state = state();
    // SAFETY: the path is null or a text, as C asks for.
    unsafe { before_open(folder, path) };
    for (label, value) in labels.into_iter().zip(values) {
        state.made_concrete(site, label, value, Reason::Argument);
    }
    // SAFETY: the path is null or a text, as C asks for.
    unsafe { path_is_concrete(state, site, path) };
    // SAFETY: a path, and room for one, as C asks for.
    let result = unsafe { subject_calls::fstatat(folder, path, stat, flags) };
    if result == 0 && state.traced() {
        // SAFETY: the system has just written it.
        unsafe { label_stat(state, &caller, site, stat) };
    }
    result
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn stat64(path: *const c_char, stat: *mut Stat) -> c_int {
    let (caller, site, [lpath, lstat]) = called(stat64 as *const ());
    let values = [0, path as u64, stat as u64, 0];
    // SAFETY: the path is null or a text, as C asks for.
    unsafe {
        stat_here(
            caller,
            site,
            [0, lpath, lstat, 0],
            values,
            sys::AT_FDCWD,
            path,
            stat,
            0,
        )
    }
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn lstat64(path: *const c_char, stat: *mut Stat) -> c_int {
    let (caller, site, [lpath, lstat]) = called(lstat64 as *const ());
    let values = [0, path as u64, stat as u64, 0];
    let flags = sys::AT_SYMLINK_NOFOLLOW;
    // SAFETY: the path is null or a text, as C asks for.
    unsafe {
        stat_here(
            caller,
            site,
            [0, lpath, lstat, 0],
            values,
            sys::AT_FDCWD,
            path,
            stat,
            flags,
        )
    }
}

/// A name that came from the input: the system's answer to it is not followed.
///
/// # Safety
/// Null, or a text.
unsafe fn path_is_concrete(state: &mut State, site: u32, path: *const c_char) {
    if !state.traced() || path.is_null() {
        return;
    }
    let mut at = path as u64;
    loop {
        if entry(at) != 0 {
            return state.opaque(site, Reason::Memory);
        }
        // SAFETY: as the caller says, and its end was not there yet.
        if unsafe { *(at as *const u8) } == 0 {
            return;
        }
        at += 1;
    }
}

/// # Safety
/// As the system's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: c_int) -> c_int {
    // The mode, where there is one, is not named in the declaration: the caller sees to its label.
    let (_, site, [lpath, lflags]) = called(open64 as *const ());
    let values = [path as u64, flags as u64];
    // SAFETY: the path is null or a text, as C asks for.
    after_open(unsafe {
        open_here(site, [lpath, lflags], values, sys::AT_FDCWD, path);
        subject_calls::open(path, flags, mode)
    })
}

/// # Safety
/// As the system's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn openat64(
    folder: c_int,
    path: *const c_char,
    flags: c_int,
    mode: c_int,
) -> c_int {
    let (_, site, [lfolder, lpath, lflags]) = called(openat64 as *const ());
    let state = state();
    state.made_concrete(site, lfolder, folder as u64, Reason::Argument);
    let values = [path as u64, flags as u64];
    // SAFETY: the path is null or a text, as C asks for.
    after_open(unsafe {
        open_here(site, [lpath, lflags], values, folder, path);
        subject_calls::openat(folder, path, flags, mode)
    })
}

/// # Safety
/// The path is null or a text.
unsafe fn open_here(
    site: u32,
    labels: [u32; 2],
    values: [u64; 2],
    folder: c_int,
    path: *const c_char,
) {
    // SAFETY: the path is null or a text, as C asks for.
    unsafe { before_open(folder, path) };
    let state = state();
    for (label, value) in labels.into_iter().zip(values) {
        state.made_concrete(site, label, value, Reason::Argument);
    }
    // SAFETY: the path is null or a text, as C asks for.
    unsafe { path_is_concrete(state, site, path) };
    input_calls::opens(path);
}

/// Runs begin before the main input is opened by the C library's streams, too.
///
/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn fopen64(path: *const c_char, mode: *const c_char) -> *mut c_void {
    let (_, site, [lpath, lmode]) = called(fopen64 as *const ());
    let values = [path as u64, mode as u64];
    // SAFETY: the path is null or a text, as C asks for.
    unsafe {
        open_here(site, [lpath, lmode], values, sys::AT_FDCWD, path);
        path_is_concrete(state(), site, mode);
        sys::fopen(path, mode)
    }
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn mmap64(
    address: *mut c_void,
    size: usize,
    protection: c_int,
    flags: c_int,
    fd: c_int,
    offset: c_long,
) -> *mut c_void {
    let (caller, site, labels) = called::<6>(mmap64 as *const ());
    let state = state();
    let input = flags & sys::MAP_ANONYMOUS == 0 && is_input(fd);
    let values = [
        address as u64,
        size as u64,
        protection as u64,
        flags as u64,
        fd as u64,
        offset as u64,
    ];
    for (label, value) in labels.into_iter().zip(values) {
        state.made_concrete(site, label, value, Reason::Argument);
    }
    // SAFETY: nobody uses what is replaced, as C asks for.
    let got = unsafe { subject_calls::mmap(address, size, protection, flags, fd, offset) };
    if got as isize == -1 || !state.traced() {
        return got;
    }
    let anonymous = flags & sys::MAP_ANONYMOUS != 0;
    // Code of the program's making; or memory that is the same for all runs.
    let code = anonymous && protection & sys::PROT_EXEC != 0;
    let shared = flags & sys::MAP_SHARED != 0 && protection & sys::PROT_WRITE != 0;
    if code || shared && !state.running {
        counted::unfollowed();
    }
    // Where the length is free, the mapping has the length that this run has: what lies behind it
    // is another thing for another length.
    if input && state.header().free_length != 0 {
        let label = length_label(state);
        let length = main_bytes(state).len() as u64;
        state.made_concrete(site, label, length, Reason::Size);
    }
    if !input {
        if !anonymous && written::is_mapped(fd.into(), protection.into(), flags.into()) {
            counted::unfollowed();
        }
        clear(got as u64, size as u64);
        return got;
    }
    if !caller.follows() {
        state.opaque(site, Reason::Input);
    } else if flags & sys::MAP_PRIVATE == 0 {
        state.opaque(site, Reason::Memory);
    }
    let length = (main_bytes(state).len() as u64).saturating_sub(offset as u64);
    clear(got as u64, size as u64);
    for index in 0..length.min(size as u64) {
        let label = state.node(Op::Input, 0, 8, 0, offset as u64 + index);
        set_label(got as u64 + index, 1, label);
    }
    got
}

/// What is no longer mapped has no labels.
///
/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn munmap(address: *mut c_void, size: usize) -> c_int {
    let (_, site, [laddress, lsize]) = called(munmap as *const ());
    let state = state();
    state.made_concrete(site, laddress, address as u64, Reason::Address);
    state.made_concrete(site, lsize, size as u64, Reason::Size);
    // SAFETY: nobody uses what is replaced, as C asks for.
    let result = unsafe { subject_calls::munmap(address, size) };
    if result == 0 && state.traced() {
        clear(address as u64, size as u64);
    }
    result
}
