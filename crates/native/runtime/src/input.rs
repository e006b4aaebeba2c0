//! Inputs: standard input, and `elsewise_input` of `elsewise.h`.

use crate::call::{enter, frame};
use crate::memory::{byte_label, clear, set_label, shadow};
use crate::server;
use crate::shared::{State, state};
use crate::sys;
use core::ffi::{c_char, c_int, c_void};
use elsewise_wire::{
    CONST_RIGHT, Ending, EventKind, MAX_STREAMS, NAME_BYTES, Op, Reason, StreamRecord,
};

/// The case's bytes for a stream; empty if the case has none.
fn stream(state: &State, name: &[u8; NAME_BYTES], occurrence: u32) -> &'static [u8] {
    let mut at = state.input;
    loop {
        let record = unsafe { &*at.cast::<StreamRecord>() };
        if record.occurrence == u32::MAX {
            return &[];
        }
        let bytes = unsafe { at.add(core::mem::size_of::<StreamRecord>()) };
        if record.occurrence == occurrence && record.name == *name {
            return unsafe { core::slice::from_raw_parts(bytes, record.size as usize) };
        }
        at = unsafe { bytes.add((record.size as usize).next_multiple_of(8)) };
    }
}

pub const STDIN: [u8; NAME_BYTES] = {
    let mut name = [0; NAME_BYTES];
    let text = b"stdin";
    let mut index = 0;
    while index < text.len() {
        name[index] = text[index];
        index += 1;
    }
    name
};

fn stdin_length(state: &mut State) -> u32 {
    if state.stdin_length_label == 0 {
        state.stdin_length_label = state.node(Op::Length, 0, 64, 0, 0);
    }
    state.stdin_length_label
}

/// Takes up to `count` bytes of standard input to `buffer`; how many, and the label of that.
///
/// Where the length of standard input is free, whether there are `count` bytes left is a choice.
/// On the side where there are, the bytes are plain inputs; on the other, each byte is "the input
/// if there is one, else what was there", and the result a function of the length: so a subject
/// that ignores the result, or reads beyond it, is followed exactly.
pub fn take_stdin(state: &mut State, site: u32, buffer: *mut u8, count: u64) -> (u64, u32) {
    let bytes = stream(state, &STDIN, 0);
    let from = state.stdin_asked;
    let left = (bytes.len() as u64).saturating_sub(from);
    let taken = left.min(count);
    state.stdin_asked = from.saturating_add(count);
    let free = state.header().free_length != 0;
    let full = taken == count;
    if free && count > 0 {
        let length = stdin_length(state);
        let enough = state.node(Op::Uge, CONST_RIGHT, 1, length, from + count);
        state.event(EventKind::Branch, 0, site, enough, u32::from(!full));
    }
    for index in 0..if free && !full { count } else { taken } {
        let address = buffer as u64 + index;
        let label = if full || !free {
            state.node(Op::Input, 0, 8, 0, from + index)
        } else {
            let old = byte_label(unsafe { *shadow(address) });
            let input = state.node(Op::Input, 0, 8, 0, from + index);
            let length = stdin_length(state);
            let there = state.node(Op::Ugt, CONST_RIGHT, 1, length, from + index);
            let old = match old {
                0 => {
                    let value = unsafe { u64::from(*(address as *const u8)) };
                    state.node(Op::Const, 0, 8, 0, value)
                }
                label => label,
            };
            state.node(
                Op::Ite,
                0,
                8,
                there,
                u64::from(input) | u64::from(old) << 32,
            )
        };
        set_label(address, 1, label);
    }
    unsafe {
        let source = bytes.as_ptr().add((from as usize).min(bytes.len()));
        sys::memcpy(buffer.cast(), source.cast(), taken as usize);
    }
    let header = state.header();
    header.streams[0].size = header.streams[0].size.max(state.stdin_asked);
    if full || !free {
        return (taken, 0);
    }
    // length - from, but 0 where the input ended before.
    let length = stdin_length(state);
    let some = state.node(Op::Uge, CONST_RIGHT, 1, length, from);
    let rest = state.node(Op::Sub, CONST_RIGHT, 64, length, from);
    let none = state.node(Op::Const, 0, 64, 0, 0);
    let label = state.node(
        Op::Ite,
        0,
        64,
        some,
        u64::from(rest) | u64::from(none) << 32,
    );
    (taken, label)
}

/// `read`.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_read(fd: c_int, buffer: *mut c_void, count: usize) -> isize {
    let (site, [lfd, lbuffer, lcount]) = enter::<3>();
    let state = state();
    if !state.traced() || fd != 0 {
        let got = unsafe { sys::read(fd, buffer, count) };
        if got > 0 {
            clear(buffer as u64, got as u64);
        }
        return got;
    }
    server::first_input();
    state.made_concrete(site, lfd, fd as u64, Reason::Argument);
    state.made_concrete(site, lbuffer, buffer as u64, Reason::Address);
    state.made_concrete(site, lcount, count as u64, Reason::Size);
    let (taken, label) = take_stdin(state, site, buffer.cast(), count as u64);
    frame().result = label;
    taken as isize
}

/// `elsewise_input` of `elsewise.h`.
#[unsafe(no_mangle)]
pub extern "C" fn elsewise_input(address: *mut u8, size: usize, name: *const c_char) {
    let (site, _) = enter::<0>();
    let state = state();
    if !state.traced() {
        unsafe { sys::memset(address.cast(), 0, size) };
        return clear(address as u64, size as u64);
    }
    server::first_input();
    let mut key = [0u8; NAME_BYTES];
    let mut length = 0;
    while length < NAME_BYTES - 1 {
        let byte = unsafe { *name.add(length) } as u8;
        if byte == 0 {
            break;
        }
        key[length] = byte;
        length += 1;
    }
    let header = state.header();
    let used = header.streams_used as usize;
    let occurrence = header.streams[..used]
        .iter()
        .filter(|entry| entry.name == key)
        .count() as u32;
    let bytes = stream(state, &key, occurrence);
    let there = bytes.len().min(size);
    unsafe {
        sys::memcpy(address.cast(), bytes.as_ptr().cast(), there);
        sys::memset(address.add(there).cast(), 0, size - there);
    }
    if used >= MAX_STREAMS {
        state.opaque(site, Reason::Streams);
        return clear(address as u64, size as u64);
    }
    let entry = &mut header.streams[used];
    entry.name = key;
    entry.occurrence = occurrence;
    entry.size = size as u64;
    header.streams_used = used as u32 + 1;
    for index in 0..size as u64 {
        let label = state.node(Op::Input, 0, 8, used as u32, index);
        set_label(address as u64 + index, 1, label);
    }
}

/// `elsewise_assume` of `elsewise.h`.
#[unsafe(no_mangle)]
pub extern "C" fn elsewise_assume(condition: c_int) {
    let (site, [label]) = enter::<1>();
    let state = state();
    if state.traced() && label != 0 {
        let holds = state.node(Op::Ne, CONST_RIGHT, 1, label, 0);
        state.event(EventKind::Assume, 0, site, holds, u32::from(condition == 0));
    }
    if condition == 0 {
        if state.traced() {
            state.header().ending = Ending::Assume as u32;
        }
        unsafe { sys::_exit(0) }
    }
}
