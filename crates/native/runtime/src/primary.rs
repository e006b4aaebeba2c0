//! The main input: a real file that the engine writes anew before each run. It is standard input,
//! or the file that stands for `@@` among the arguments, and any descriptor of it is the input.
//!
//! The functions here take the place of the C library's of the same names, for instrumented code
//! and for shared libraries alike. Whatever they do, they do by the real function; they add labels.

use crate::counted;
use crate::first_input::first_input;
use crate::frame::{Caller, called, enter, frame};
use crate::memory::{clear, label_of_byte, set_label};
use crate::shared::{Main, State, is_input_file, state};
use crate::streams::{length_label, main_bytes};
use crate::subject_calls;
use crate::sys::{self, Stat};
use crate::threads::signal_calls::read_signal;
use crate::threads::{self, Way};
use crate::written;
use core::ffi::{c_char, c_int, c_long, c_void};
use elsewise_wire::threads::access::WRITES;
use elsewise_wire::{CONST_RIGHT, EventKind, Op, Reason};

/// Is `fd` open on the main input? Such a descriptor is looked at only when runs are wanted, so
/// this is also where they begin.
pub fn is_input(fd: c_int) -> bool {
    let state = state();
    if !state.traced() {
        return false;
    }
    let mut stat = Stat::default();
    // SAFETY: there is room for it.
    let found = quietly(|| unsafe { subject_calls::fstat(fd, &mut stat) }) == 0;
    if !found || !is_input_file(state, &stat) {
        return false;
    }
    if !state.running {
        let at = subject_calls::lseek(fd, 0, sys::SEEK_CUR);
        first_input();
        own_description(state, fd, at);
    }
    true
}

/// A call of ours that the subject must not see the error of.
fn quietly<T>(call: impl FnOnce() -> T) -> T {
    let error = sys::errno();
    let result = call();
    sys::set_errno(error);
    result
}

/// A descriptor of a named input that was opened before runs began: all runs would share where it
/// stands, so each opens it anew. (Standard input is rewound by the engine.)
fn own_description(state: &mut State, fd: c_int, at: c_long) {
    if state.header().streams[0].name.starts_with(b"stdin\0") {
        return;
    }
    quietly(|| {
        let path = sys::path_of_descriptor(fd);
        // SAFETY: the path ends by a NUL.
        let new = unsafe { subject_calls::open(path.as_ptr().cast(), 0, 0) };
        subject_calls::lseek(new, at, sys::SEEK_SET);
        if new < 0 || sys::dup2(new, fd) < 0 {
            sys::_exit(70);
        }
        sys::close(new);
    });
}

/// For models of stdio: 1 when `fd` is the main input.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_input_fd(fd: c_int) -> c_int {
    is_input(fd).into()
}

/// For models of stdio: what comes next is done for a stream that has a buffer.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_for_stream() {
    state().main.for_stream = true;
}

/// The C library's streams read ahead, and so the descriptor of one stands elsewhere than here, where they do
/// not: whoever uses it beside the stream sees that.
fn beside_stream(fd: c_int) {
    let main = &mut state().main;
    if core::mem::take(&mut main.for_stream) {
        main.ahead = Some(fd);
    } else if main.ahead == Some(fd) && !main.is_at_end(fd) {
        counted::unfollowed();
    }
}

/// Before a file is opened: runs begin before the main input is.
///
/// # Safety
/// The path is null or a text.
pub unsafe fn before_open(folder: c_int, path: *const c_char) {
    let state = state();
    if !state.traced() || state.running {
        return;
    }
    let mut stat = Stat::default();
    // SAFETY: as the caller says; there is room for the answer.
    let found = quietly(|| unsafe { subject_calls::fstatat(folder, path, &mut stat, 0) }) == 0;
    if found && is_input_file(state, &stat) {
        first_input();
    }
}

/// A new descriptor stands at the beginning.
pub fn after_open(fd: c_int) -> c_int {
    let main = &mut state().main;
    main.set_at_end(fd, false);
    main.placed = Some(fd);
    fd
}

/// Where a descriptor stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    At(u64),
    /// At the end, wherever that is: a read came there, or a seek.
    End,
}

/// Where `fd` stands; `None` when it cannot be told.
fn position(state: &mut State, site: u32, fd: c_int) -> Option<Position> {
    let at = subject_calls::lseek(fd, 0, sys::SEEK_CUR);
    if at < 0 {
        return None;
    }
    let length = main_bytes(state).len() as u64;
    if at as u64 != length || state.header().free_length == 0 {
        return Some(Position::At(at as u64));
    }
    if state.main.is_at_end(fd) {
        return Some(Position::End);
    }
    if state.main.short && state.main.placed != Some(fd) {
        // A copy of a descriptor that a read has brought to the end looks like this, too.
        let label = length_label(state);
        state.made_concrete(site, label, length, Reason::Size);
    }
    Some(Position::At(at as u64))
}

/// Labels what a read of `count` bytes at `from` brings to `buffer`, before it does: how many
/// bytes that is, and the label of their number.
///
/// Where the length is free, whether there are `count` bytes left is a choice. On the side where
/// there are, the bytes are plain inputs; on the other, each byte is "the input if there is one,
/// else what was there", and the result a function of the length: so a subject that ignores the
/// result, or reads beyond it, is followed exactly.
///
/// # Safety
/// The buffer has room for so many bytes.
unsafe fn label_read(
    state: &mut State,
    site: u32,
    buffer: *mut c_void,
    count: u64,
    from: Position,
) -> (u64, u32) {
    let Position::At(from) = from else {
        return (0, 0);
    };
    let length = main_bytes(state).len() as u64;
    let taken = length.saturating_sub(from).min(count);
    let free = state.header().free_length != 0;
    let full = taken == count;
    if free && count > 0 {
        let length = length_label(state);
        let enough = state.node(Op::Uge, CONST_RIGHT, 1, length, from.saturating_add(count));
        state.event(EventKind::Branch, 0, site, enough, u32::from(!full));
    }
    // No input has more than so many bytes.
    let most = state.header().max_input.saturating_sub(from).min(count);
    for index in 0..if free && !full { most } else { taken } {
        let address = buffer as u64 + index;
        let input = state.node(Op::Input, 0, 8, 0, from + index);
        let label = if full || !free {
            input
        } else {
            // SAFETY: the buffer has room for so many bytes, as C asks for.
            unsafe { or_what_was_there(state, address, from + index, input) }
        };
        set_label(address, 1, label);
    }
    let header = state.header();
    header.streams[0].size = header.streams[0].size.max(from.saturating_add(count));
    if full || !free {
        return (taken, 0);
    }
    (taken, rest_label(state, from))
}

/// The byte `input`, which is byte `offset` of the main input, if there is one; else the byte at
/// `address`.
///
/// # Safety
/// The byte can be read.
unsafe fn or_what_was_there(state: &mut State, address: u64, offset: u64, input: u32) -> u32 {
    // SAFETY: the buffer has room for so many bytes, as C asks for.
    let old = unsafe { label_of_byte(state, address) };
    let length = length_label(state);
    let there = state.node(Op::Ugt, CONST_RIGHT, 1, length, offset);
    let arms = u64::from(input) | u64::from(old) << 32;
    state.node(Op::Ite, 0, 8, there, arms)
}

/// `length - from`, but 0 where the input ends before.
fn rest_label(state: &mut State, from: u64) -> u32 {
    let length = length_label(state);
    if from == 0 {
        return length;
    }
    let some = state.node(Op::Uge, CONST_RIGHT, 1, length, from);
    let rest = state.node(Op::Sub, CONST_RIGHT, 64, length, from);
    let none = state.node(Op::Const, 0, 64, 0, 0);
    let arms = u64::from(rest) | u64::from(none) << 32;
    state.node(Op::Ite, 0, 64, some, arms)
}

/// A read of the main input, at `at` or where the descriptor stands; the result and its label.
///
/// # Safety
/// The buffer has room for so many bytes.
unsafe fn take(
    site: u32,
    fd: c_int,
    buffer: *mut c_void,
    count: usize,
    at: Option<u64>,
) -> (isize, u32) {
    let state = state();
    let from = match at {
        Some(at) => Some(Position::At(at)),
        None => position(state, site, fd),
    };
    let Some(from) = from else {
        // SAFETY: the buffer has room for so many bytes, as C asks for.
        return (unsafe { subject_calls::read(fd, buffer, count) }, 0);
    };
    // SAFETY: the buffer has room for so many bytes, as C asks for.
    let (expected, label) = unsafe { label_read(state, site, buffer, count as u64, from) };
    // SAFETY: the buffer has room for so many bytes, as C asks for.
    let got = unsafe { plain_read(fd, buffer, count, at) };
    if got != expected as isize {
        // The subject has changed the file, or cannot read it.
        clear(buffer as u64, state.header().max_input.min(count as u64));
        state.opaque(site, Reason::Memory);
        return (got, 0);
    }
    if at.is_none() && from != Position::End && (expected as usize) < count {
        state.main.comes_to_end(fd);
    }
    (got, label)
}

/// `read`, as instrumented code calls it.
///
/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_read(fd: c_int, buffer: *mut c_void, count: usize) -> isize {
    let (site, [lfd, lbuffer, lcount]) = enter::<3>();
    let labels = [lfd, lbuffer, lcount];
    // SAFETY: the buffer has room for so many bytes, as C asks for.
    let (got, label) = unsafe { read_here(site, fd, buffer, count, labels, None) };
    frame().result = label;
    got
}

/// # Safety
/// The buffer has room for so many bytes.
unsafe fn read_here(
    site: u32,
    fd: c_int,
    buffer: *mut c_void,
    count: usize,
    labels: [u32; 3],
    at: Option<u64>,
) -> (isize, u32) {
    let state = state();
    if !state.traced() {
        // SAFETY: the buffer has room for so many bytes, as C asks for.
        return (unsafe { plain_read(fd, buffer, count, at) }, 0);
    }
    let input = is_input(fd);
    for (label, value, reason) in [
        (labels[0], fd as u64, Reason::Argument),
        (labels[1], buffer as u64, Reason::Address),
        (labels[2], count as u64, Reason::Size),
    ] {
        state.made_concrete(site, label, value, reason);
    }
    threads::begin_call(fd);
    // SAFETY: the buffer has room for so many bytes, as C asks for.
    let (got, label) = unsafe { read_followed(site, fd, input, buffer, count, at) };
    if got > 0 {
        threads::touched(site, buffer as u64, got as u64, WRITES);
    }
    threads::end_call();
    (got, label)
}

/// The same, with labels.
///
/// # Safety
/// The buffer has room for so many bytes.
unsafe fn read_followed(
    site: u32,
    fd: c_int,
    input: bool,
    buffer: *mut c_void,
    count: usize,
    at: Option<u64>,
) -> (isize, u32) {
    if input {
        if at.is_none() {
            beside_stream(fd);
        }
        // SAFETY: the buffer has room for so many bytes, as C asks for.
        return unsafe { take(site, fd, buffer, count, at) };
    }
    if at.is_none()
        // SAFETY: the buffer has room for so many bytes, as C asks for.
        && let Some(got) = unsafe { read_signal(site, fd, buffer as u64, count as u64) }
    {
        return (got, 0);
    }
    // SAFETY: the buffer has room for so many bytes, as C asks for.
    let read = || unsafe { plain_read(fd, buffer, count, at) };
    let got = match at {
        None => threads::pass(site, fd, Way::In, read),
        Some(_) => {
            written::read_by_model(fd.into());
            read()
        }
    };
    if got > 0 {
        clear(buffer as u64, got as u64);
    }
    (got, 0)
}

/// # Safety
/// The buffer has room for so many bytes.
unsafe fn plain_read(fd: c_int, buffer: *mut c_void, count: usize, at: Option<u64>) -> isize {
    // SAFETY: the buffer has room for so many bytes, as C asks for.
    unsafe {
        match at {
            Some(at) => subject_calls::pread(fd, buffer, count, at as c_long),
            None => subject_calls::read(fd, buffer, count),
        }
    }
}

/// What shared libraries call; instrumented code has [`__elw_m_read`].
///
/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn read(fd: c_int, buffer: *mut c_void, count: usize) -> isize {
    let (caller, site, labels) = called(read as *const ());
    // SAFETY: the buffer has room for so many bytes, as C asks for.
    let (got, label) = unsafe { read_here(site, fd, buffer, count, labels, None) };
    caller.give_back(label, got as u64);
    foreign_read(&caller, site, fd, got);
    got
}

/// Code that is not instrumented has read input: what it does with that is not followed.
fn foreign_read(caller: &Caller, site: u32, fd: c_int, got: isize) {
    if !caller.follows() && got > 0 && is_input(fd) {
        state().opaque(site, Reason::Input);
    }
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn pread64(
    fd: c_int,
    buffer: *mut c_void,
    count: usize,
    at: c_long,
) -> isize {
    let (caller, site, [lfd, lbuffer, lcount, lat]) = called::<4>(pread64 as *const ());
    state().made_concrete(site, lat, at as u64, Reason::Argument);
    if at < 0 {
        // SAFETY: the buffer has room for so many bytes, as C asks for.
        return unsafe { subject_calls::pread(fd, buffer, count, at) };
    }
    let labels = [lfd, lbuffer, lcount];
    // SAFETY: the buffer has room for so many bytes, as C asks for.
    let (got, label) = unsafe { read_here(site, fd, buffer, count, labels, Some(at as u64)) };
    caller.give_back(label, got as u64);
    foreign_read(&caller, site, fd, got);
    got
}

#[repr(C)]
pub struct IoVec {
    base: *mut c_void,
    length: usize,
}

/// Scattered reads: one after the other while they are full, as the system does it.
///
/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn readv(fd: c_int, parts: *const IoVec, count: c_int) -> isize {
    let (caller, site, [lfd, lparts, lcount]) = called(readv as *const ());
    let state = state();
    state.made_concrete(site, lfd, fd as u64, Reason::Argument);
    state.made_concrete(site, lparts, parts as u64, Reason::Address);
    state.made_concrete(site, lcount, count as u64, Reason::Size);
    if !(0..=1024).contains(&count) || !is_input(fd) {
        // SAFETY: pieces of memory that have room, as C asks for.
        let call = || unsafe { subject_calls::readv(fd, parts.cast(), count) };
        let got = threads::pass(site, fd, Way::In, call);
        let mut left = got.max(0) as usize;
        for index in 0..count.max(0) as usize {
            // SAFETY: there are so many.
            let part = unsafe { &*parts.add(index) };
            let here = left.min(part.length);
            if here > 0 {
                clear(part.base as u64, here as u64);
            }
            left -= here;
        }
        return got;
    }
    let mut sum = 0;
    for index in 0..count as usize {
        // SAFETY: there are so many.
        let part = unsafe { &*parts.add(index) };
        // SAFETY: a piece of memory that can be written.
        let (got, label) = unsafe { take(site, fd, part.base, part.length, None) };
        if got < 0 {
            return if sum > 0 { sum } else { got };
        }
        foreign_read(&caller, site, fd, got);
        if got as usize != part.length {
            // The sum of full reads and of what this one got.
            let label = match (label, sum) {
                (0, _) | (_, 0) => label,
                (label, sum) => state.node(Op::Add, CONST_RIGHT, 64, label, sum as u64),
            };
            caller.give_back(label, (sum + got) as u64);
            return sum + got;
        }
        sum += got;
    }
    sum
}

const SEEK_END: c_int = 2;

#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn lseek64(fd: c_int, offset: c_long, whence: c_int) -> c_long {
    let (caller, site, [lfd, loffset, lwhence]) = called(lseek64 as *const ());
    let state = state();
    let input = is_input(fd);
    if input {
        beside_stream(fd);
        if whence > SEEK_END {
            // Where there are holes and data depends on the length, too.
            counted::unfollowed();
        }
    }
    let was = match input && state.header().free_length != 0 {
        true => position(state, site, fd),
        false => None,
    };
    for (label, value) in [
        (lfd, fd as u64),
        (loffset, offset as u64),
        (lwhence, whence as u64),
    ] {
        state.made_concrete(site, label, value, Reason::Argument);
    }
    let end = match whence {
        sys::SEEK_SET => false,
        sys::SEEK_CUR => was == Some(Position::End),
        // To the end, or to holes and data, of which a small file has none but its end.
        _ => was.is_some(),
    };
    if end && offset != 0 {
        // A place that no label describes: the length is what it is in this run.
        let length = main_bytes(state).len() as u64;
        let label = length_label(state);
        state.made_concrete(site, label, length, Reason::Size);
    }
    let at = subject_calls::lseek(fd, offset, whence);
    if was.is_some() && at >= 0 {
        let at_end = end && offset == 0;
        state.main.set_at_end(fd, at_end);
        if whence == sys::SEEK_SET {
            state.main.placed = Some(fd);
        }
        if at_end {
            state.main.comes_to_end(fd);
            let label = length_label(state);
            caller.give_back(label, at as u64);
        }
    }
    at
}

// The names without a number mean the same on a system where all offsets have 64 bits.
#[cfg(not(test))]
core::arch::global_asm!(
    ".globl fopen, fstat, fstatat, lseek, lstat, mmap, open, openat, pread, stat",
    ".set fopen, fopen64",
    ".set fstat, fstat64",
    ".set fstatat, fstatat64",
    ".set lseek, lseek64",
    ".set lstat, lstat64",
    ".set mmap, mmap64",
    ".set open, open64",
    ".set openat, openat64",
    ".set pread, pread64",
    ".set stat, stat64",
);

impl Main {
    fn comes_to_end(&mut self, fd: c_int) {
        self.short = true;
        self.placed = None;
        self.set_at_end(fd, true);
    }

    fn set_at_end(&mut self, fd: c_int, at_end: bool) {
        if let Some(word) = self.at_end.get_mut(fd as usize / 64) {
            let bit = 1 << (fd as usize % 64);
            *word = if at_end { *word | bit } else { *word & !bit };
        }
    }

    fn is_at_end(&self, fd: c_int) -> bool {
        let word = self.at_end.get(fd as usize / 64);
        word.is_some_and(|word| word >> (fd as usize % 64) & 1 != 0)
    }
}
