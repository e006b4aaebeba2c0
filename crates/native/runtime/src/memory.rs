//! The shadow of memory: one 32-bit entry per byte, `label << 3 | index of the byte in the label`.

use crate::objects;
use crate::shared::state;
use crate::sys;
use core::ffi::c_void;
use elsewise_wire::{Op, Reason, SHADOW_BASE, SHADOW_MASK, SHADOW_SIZE};

/// Entry of the byte at `address`; the following bytes' entries follow it.
pub fn shadow(address: u64) -> *mut u32 {
    (((address & SHADOW_MASK) << 2) + SHADOW_BASE) as *mut u32
}

/// Reserves the shadow. Instrumented code writes it, so it must exist even without an engine.
pub extern "C" fn reserve() {
    if state().reserved {
        return;
    }
    state().reserved = true;
    let got = unsafe {
        sys::mmap(
            SHADOW_BASE as *mut c_void,
            SHADOW_SIZE as usize,
            sys::PROT_READ | sys::PROT_WRITE,
            sys::MAP_PRIVATE | sys::MAP_ANONYMOUS | sys::MAP_NORESERVE | sys::MAP_FIXED_NOREPLACE,
            -1,
            0,
        )
    };
    if got as u64 != SHADOW_BASE || !objects::reserve() {
        let text = b"elsewise: cannot reserve the shadow memory of an instrumented program \
            (68 TiB of address space); raise `ulimit -v` and set vm.overcommit_memory to 0 or 1\n";
        unsafe {
            sys::write(2, text.as_ptr().cast(), text.len());
            sys::_exit(70);
        }
    }
}

/// Label of one byte, from its shadow entry.
pub fn byte_label(entry: u32) -> u32 {
    if entry == 0 {
        return 0;
    }
    let (label, index) = (entry >> 3, entry & 7);
    let state = state();
    let node = state.get(label);
    if node.bits == 8 && index == 0 {
        return label;
    }
    state.node(Op::Extract, 0, 8, label, u64::from(index) * 8)
}

/// Label of the `size` (at most 8) bytes at `address`, which are in memory now.
pub fn label_of(address: u64, size: u32) -> u32 {
    let entries = unsafe { core::slice::from_raw_parts(shadow(address), size as usize) };
    let first = entries[0];
    let state = state();
    // The usual cases: nothing labelled, or exactly the bytes of one label.
    if entries.iter().all(|entry| *entry == 0) {
        return 0;
    }
    if first & 7 == 0
        && entries
            .iter()
            .enumerate()
            .all(|(i, e)| *e == first + i as u32)
    {
        let label = first >> 3;
        let bits = u32::from(state.get(label).bits);
        if bits == size * 8 {
            return label;
        }
        if bits > size * 8 {
            return state.node(Op::Extract, 0, size * 8, label, 0);
        }
    }
    // Joined from the lowest byte up; neighbours of one label are taken together.
    let mut whole = 0;
    let mut width = 0;
    let mut at = 0;
    while at < entries.len() {
        let entry = entries[at];
        let mut run = 1;
        let part = if entry == 0 {
            while at + run < entries.len() && entries[at + run] == 0 {
                run += 1;
            }
            let mut value = 0u64;
            for index in (0..run).rev() {
                let byte = unsafe { *((address + (at + index) as u64) as *const u8) };
                value = value << 8 | u64::from(byte);
            }
            state.node(Op::Const, 0, run as u32 * 8, 0, value)
        } else {
            while at + run < entries.len()
                && entries[at + run] == entry + run as u32
                && entries[at + run] & 7 != 0
            {
                run += 1;
            }
            let (label, index) = (entry >> 3, entry & 7);
            if index == 0 && u32::from(state.get(label).bits) == run as u32 * 8 {
                label
            } else {
                state.node(Op::Extract, 0, run as u32 * 8, label, u64::from(index) * 8)
            }
        };
        if part == 0 {
            return 0; // no room; counted where it happened
        }
        width += run as u32 * 8;
        whole = match whole {
            0 => part,
            below => state.node(Op::Concat, 0, width, part, u64::from(below)),
        };
        if whole == 0 {
            return 0;
        }
        at += run;
    }
    whole
}

/// Labels the `size` (at most 8) bytes at `address` as the bytes of `label`.
pub fn set_label(address: u64, size: u32, label: u32) {
    let entries = shadow(address);
    for index in 0..size {
        let entry = if label == 0 { 0 } else { label << 3 | index };
        unsafe { entries.add(index as usize).write(entry) };
    }
}

/// From this size on, the shadow is given back to the system instead of being written.
pub const LARGE: u64 = 64 << 10;

pub fn clear(address: u64, size: u64) {
    let (start, end) = (shadow(address) as u64, shadow(address) as u64 + size * 4);
    let zero = |from: u64, to: u64| unsafe {
        sys::memset(from as *mut c_void, 0, (to - from) as usize);
    };
    if size < LARGE {
        return zero(start, end);
    }
    let (first, last) = (start.next_multiple_of(4096), end & !4095);
    zero(start, first);
    zero(last, end);
    unsafe {
        let middle = (last - first) as usize;
        if sys::madvise(first as *mut c_void, middle, sys::MADV_DONTNEED) != 0 {
            zero(first, last);
        }
    }
}

/// Clears what has labels, and writes nothing where there are none.
pub fn clear_if_labelled(address: u64, size: u64) {
    let entries = unsafe { core::slice::from_raw_parts_mut(shadow(address), size as usize) };
    for entry in entries.iter_mut().filter(|entry| **entry != 0) {
        *entry = 0;
    }
}

/// A load of `size` bytes as `bits` bits; `looked_up` is the label of what was found through a
/// labelled address.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_load(address: u64, size: u32, bits: u32, looked_up: u32) -> u32 {
    if looked_up != 0 {
        return looked_up;
    }
    let label = label_of(address, size);
    if label == 0 || bits == size * 8 {
        return label;
    }
    state().node(Op::Trunc, 0, bits, label, 0)
}

/// A store of `label`, of `bits` bits, to `size` bytes, unless it is `done` already.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_store(address: u64, size: u32, label: u32, bits: u32, done: u32) {
    if done != 0 {
        return;
    }
    let label = if label != 0 && bits != size * 8 {
        state().node(Op::ZExt, 0, size * 8, label, 0)
    } else {
        label
    };
    set_label(address, size, label);
}

/// What is at `address` goes into an operation that is not handled: each label is made concrete.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_concrete_memory(site: u32, address: u64, size: u64) {
    let mut at = 0;
    while at < size {
        let part = if size - at >= 8 { 8 } else { 1 };
        if let label @ 1.. = label_of(address + at, part) {
            let mut value = 0u64;
            for index in (0..u64::from(part)).rev() {
                let byte = unsafe { *((address + at + index) as *const u8) };
                value = value << 8 | u64::from(byte);
            }
            state().made_concrete(site, label, value, Reason::Operation);
        }
        at += u64::from(part);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn __elw_clear(address: u64, size: u64) {
    clear(address, size);
}

/// The shadow moves as the bytes do. The pass calls this before the bytes move.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_copy(
    site: u32,
    to: u64,
    from: u64,
    size: u64,
    lto: u32,
    lfrom: u32,
    lsize: u32,
) {
    let state = state();
    state.made_concrete(site, lto, to, Reason::Address);
    state.made_concrete(site, lfrom, from, Reason::Address);
    state.made_concrete(site, lsize, size, Reason::Size);
    unsafe { sys::memmove(shadow(to).cast(), shadow(from).cast(), size as usize * 4) };
}

/// `memset`: every byte gets the lowest byte of `label`.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_fill(site: u32, to: u64, label: u32, size: u64, lto: u32, lsize: u32) {
    let state = state();
    state.made_concrete(site, lto, to, Reason::Address);
    state.made_concrete(site, lsize, size, Reason::Size);
    if label == 0 {
        return clear(to, size);
    }
    let byte = if state.get(label).bits == 8 {
        label
    } else {
        state.node(Op::Trunc, 0, 8, label, 0)
    };
    for index in 0..size {
        set_label(to + index, 1, byte);
    }
}

/// A parameter that is a copy of the caller's memory at `from` (0: the caller is not
/// instrumented).
#[unsafe(no_mangle)]
pub extern "C" fn __elw_by_value(to: u64, from: u64, size: u64) {
    if from == 0 {
        return clear(to, size);
    }
    unsafe { sys::memmove(shadow(to).cast(), shadow(from).cast(), size as usize * 4) };
}

/// Memory that inline assembly reads or writes: labels there are made concrete and forgotten.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_assembly(site: u32, address: u64, size: u64) {
    __elw_concrete_memory(site, address, size);
    clear(address, size);
}
