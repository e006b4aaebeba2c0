//! Inputs: the case's bytes for them, and `elsewise_input` and its companions of `elsewise.h`.

use crate::first_input::first_input;
use crate::frame::{enter, frame};
use crate::memory::{clear, set_label};
use crate::shared::{State, state};
use crate::streams::stream;
use crate::sys;
use crate::threads;
use core::ffi::{c_char, c_int};
use elsewise_wire::{CONST_RIGHT, Ending, EventKind, MAX_STREAMS, NAME_BYTES, Op, Reason};

/// A stream that the run asks for: its index, and the bytes that the case has for it. `None` when
/// there are too many.
fn ask(state: &mut State, name: &[u8; NAME_BYTES], size: u64) -> Option<(u32, &'static [u8])> {
    let header = state.header();
    let used = header.streams_used as usize;
    let occurrence = header.streams[..used.min(MAX_STREAMS)]
        .iter()
        .filter(|entry| entry.name == *name)
        .count() as u32;
    let entry = header.streams.get_mut(used)?;
    entry.name = *name;
    entry.occurrence = occurrence;
    entry.size = size;
    header.streams_used = used as u32 + 1;
    Some((used as u32, stream(state, name, occurrence)))
}

/// Makes memory the input `name`.
///
/// # Safety
/// The bytes can be written.
pub unsafe fn fill(
    state: &mut State,
    site: u32,
    address: *mut u8,
    size: usize,
    name: &[u8; NAME_BYTES],
) {
    let asked = ask(state, name, size as u64);
    // SAFETY: there is room for so many bytes.
    unsafe { give(state, site, address, size, asked, 0) };
}

/// Makes memory a part of the input `name`, which grows as it is asked for: `from` on.
///
/// # Safety
/// The bytes can be written.
pub unsafe fn take(
    state: &mut State,
    site: u32,
    address: *mut u8,
    size: usize,
    name: &[u8; NAME_BYTES],
    from: usize,
) {
    let index = growing(state, name);
    let asked = index.map(|index| {
        let entry = &mut state.header().streams[index as usize];
        entry.size = entry.size.max((from + size) as u64);
        (index, stream(state, name, 0))
    });
    // SAFETY: there is room for so many bytes.
    unsafe { give(state, site, address, size, asked, from) };
}

/// Bytes and labels of a stream, `from` on; zeros where there is no stream.
///
/// # Safety
/// The bytes can be written.
unsafe fn give(
    state: &mut State,
    site: u32,
    address: *mut u8,
    size: usize,
    asked: Option<(u32, &'static [u8])>,
    from: usize,
) {
    let Some((index, bytes)) = asked else {
        state.opaque(site, Reason::Streams);
        // SAFETY: there is room for so many bytes.
        unsafe { sys::memset(address.cast(), 0, size) };
        return clear(address as u64, size as u64);
    };
    let bytes = bytes.get(from..).unwrap_or_default();
    let there = bytes.len().min(size);
    // SAFETY: as the caller says; so many bytes are there, and they are the engine's.
    unsafe {
        sys::memcpy(address.cast(), bytes.as_ptr().cast(), there);
        sys::memset(address.add(there).cast(), 0, size - there);
    }
    for offset in 0..size as u64 {
        let label = state.node(Op::Input, 0, 8, index, from as u64 + offset);
        set_label(address as u64 + offset, 1, label);
    }
}

/// The stream of that name, which is asked for in parts.
fn growing(state: &mut State, name: &[u8; NAME_BYTES]) -> Option<u32> {
    let used = state.header().streams_used as usize;
    let known = state.header().streams[..used.min(MAX_STREAMS)]
        .iter()
        .position(|entry| entry.name == *name);
    match known {
        Some(index) => Some(index as u32),
        None => ask(state, name, 0).map(|(index, _)| index),
    }
}

/// The next `size` (at most 8) bytes of an input that grows as it is asked for; the value and its
/// label.
pub fn next(state: &mut State, site: u32, name: &[u8; NAME_BYTES], size: u32) -> (u64, u32) {
    let Some(index) = growing(state, name) else {
        state.opaque(site, Reason::Streams);
        return (0, 0);
    };
    let bytes = stream(state, name, 0);
    let entry = &mut state.header().streams[index as usize];
    let from = entry.size;
    entry.size += u64::from(size);
    let (mut value, mut label) = (0, 0);
    for place in 0..size {
        let offset = from + u64::from(place);
        let byte = bytes.get(offset as usize).copied().unwrap_or(0);
        value |= u64::from(byte) << (place * 8);
        let input = state.node(Op::Input, 0, 8, index, offset);
        label = match label {
            0 => input,
            below => state.node(Op::Concat, 0, (place + 1) * 8, input, u64::from(below)),
        };
    }
    (value, label)
}

/// A name as streams have it: cut to fit.
///
/// # Safety
/// Null, or a text.
pub unsafe fn name_of(text: *const c_char) -> [u8; NAME_BYTES] {
    let mut name = [0u8; NAME_BYTES];
    for (index, place) in name[..NAME_BYTES - 1].iter_mut().enumerate() {
        let byte = match text.is_null() {
            true => 0,
            // SAFETY: as the caller says, and its end was not there yet.
            false => unsafe { *text.add(index) as u8 },
        };
        if byte == 0 {
            break;
        }
        *place = byte;
    }
    name
}

/// `elsewise_input` of `elsewise.h`.
///
/// # Safety
/// The bytes can be written, and the name is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elsewise_input(address: *mut u8, size: usize, name: *const c_char) {
    let (site, _) = enter::<0>();
    // SAFETY: room for so many bytes, and a name.
    unsafe { input(site, address, size, name) };
}

/// # Safety
/// As of [`elsewise_input`].
pub unsafe fn input(site: u32, address: *mut u8, size: usize, name: *const c_char) {
    let state = state();
    if !state.traced() {
        // SAFETY: there is room for so many bytes.
        unsafe { sys::memset(address.cast(), 0, size) };
        return clear(address as u64, size as u64);
    }
    first_input();
    // SAFETY: room for so many bytes, and a name.
    unsafe { fill(state, site, address, size, &name_of(name)) };
}

/// `elsewise_assume` of `elsewise.h`.
#[unsafe(no_mangle)]
pub extern "C" fn elsewise_assume(condition: c_int) {
    let (site, [label]) = enter::<1>();
    assume(site, label, condition != 0);
}

/// Goes on only where the condition, whose operand not being zero has `label`, holds.
pub fn assume(site: u32, label: u32, holds: bool) {
    let state = state();
    if state.traced() && label != 0 {
        let condition = state.node(Op::Ne, CONST_RIGHT, 1, label, 0);
        state.event(EventKind::Assume, 0, site, condition, u32::from(!holds));
    }
    if !holds {
        dismiss();
    }
}

/// Ends a run that counts for nothing.
pub fn dismiss() -> ! {
    threads::end(frame().site);
    let state = state();
    if state.traced() {
        state.header().ending = Ending::Assume as u32;
    }
    sys::_exit(0)
}
