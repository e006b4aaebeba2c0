//! The shadow of memory: one 32-bit entry per byte, `label << 3 | index of the byte in the label`,
//! and one *flag* per eight bytes, zero where none of their entries has a label.
//!
//! Instrumented code looks at flags only. Nearly all memory has no labels: there, the shadow is
//! neither read nor written, and a store has nothing to clear.

use crate::counted;
use crate::objects;
use crate::shared::{State, state};
use crate::sys;
use core::ffi::c_void;
use elsewise_wire::{ADDRESSES, FLAGS_BASE, FLAGS_SIZE, Op, Reason};
use elsewise_wire::{SHADOW_BASE, SHADOW_MASK, SHADOW_SIZE};

/// Entry of the byte at `address`; the following bytes' entries follow it.
fn shadow(address: u64) -> *mut u32 {
    (((address & SHADOW_MASK) << 2) + SHADOW_BASE) as *mut u32
}

/// Entry of a byte, be there memory or not.
pub fn entry(address: u64) -> u32 {
    // SAFETY: the shadow is reserved for all addresses.
    unsafe { *shadow(address) }
}

/// Entries of bytes, until any of them is set.
pub fn entries_of(address: u64, size: u64) -> &'static [u32] {
    // SAFETY: as above.
    unsafe { core::slice::from_raw_parts(shadow(address), size as usize) }
}

/// Labelled memory goes where it is not followed.
pub fn memory_is_lost(site: u32, address: u64, size: u64) {
    if address == 0 || size == 0 {
        return;
    }
    if entries_of(address, size).iter().any(|entry| *entry != 0) {
        state().opaque(site, Reason::Memory);
    }
}

/// Bytes that share a flag.
const GRANULE: u64 = 8;

/// Flag of the granule that `address` is in; the following granules' flags follow it.
fn flag(address: u64) -> *mut u8 {
    ((address & (ADDRESSES - 1)) / GRANULE + FLAGS_BASE) as *mut u8
}

/// The granules that some of the `size` bytes at `address` are in, as addresses.
fn granules(address: u64, size: u64) -> impl Iterator<Item = u64> {
    let first = address & !(GRANULE - 1);
    let count = match size {
        0 => 0,
        size => (address + size - 1 - first) / GRANULE + 1,
    };
    (0..count).map(move |index| first + index * GRANULE)
}

/// Calls `act` with each granule of a range that has its flag set. Flags are read eight at a time,
/// since most are not.
fn for_flagged(address: u64, size: u64, mut act: impl FnMut(u64)) {
    let mut all = granules(address, size);
    while let Some(granule) = all.next() {
        let at = flag(granule);
        // SAFETY: all flags are reserved, and so is the shadow behind them.
        if (at as u64).is_multiple_of(8) && unsafe { *at.cast::<u64>() } == 0 {
            // A range that ends earlier ends here.
            all.nth(6);
            continue;
        }
        // SAFETY: as above.
        if unsafe { *at } != 0 {
            act(granule);
        }
    }
}

/// May any of the bytes have a label?
pub fn is_flagged(address: u64, size: u64) -> bool {
    let mut found = false;
    for_flagged(address, size, |_| found = true);
    found
}

/// Sets the flags of bytes as their entries are.
fn settle_flags(address: u64, size: u64) {
    for granule in granules(address, size) {
        let entries = entries_of(granule, GRANULE);
        // SAFETY: all flags are reserved.
        unsafe { *flag(granule) = entries.iter().any(|entry| *entry != 0).into() };
    }
}

/// Entries of the bytes at `address`, as many as there is room for.
pub fn entries(address: u64, to: &mut [u32]) {
    to.fill(0);
    if is_flagged(address, to.len() as u64) {
        to.copy_from_slice(entries_of(address, to.len() as u64));
    }
}

/// Puts them back.
pub fn set_entries(address: u64, entries: &[u32]) {
    let size = entries.len() as u64;
    if is_flagged(address, size) || entries.iter().any(|entry| *entry != 0) {
        // SAFETY: the shadow is reserved for all addresses.
        let there = unsafe { core::slice::from_raw_parts_mut(shadow(address), entries.len()) };
        there.copy_from_slice(entries);
        settle_flags(address, size);
    }
}

/// Reserves the shadow. Instrumented code writes it, so it must exist even without an engine.
pub fn reserve() {
    if state().reserved {
        return;
    }
    state().reserved = true;
    let size = FLAGS_SIZE + SHADOW_SIZE;
    if !sys::reserve(FLAGS_BASE, size, sys::MAP_PRIVATE) || !objects::reserve() {
        let text = b"elsewise: cannot reserve the shadow memory of an instrumented program \
            (84 TiB of address space); raise `ulimit -v` and set vm.overcommit_memory to 0 or 1\n";
        // SAFETY: so many bytes are there.
        unsafe { sys::write(2, text.as_ptr().cast(), text.len()) };
        sys::_exit(70);
    }
}

/// Label of one byte, from its shadow entry.
pub fn byte_label(state: &mut State, entry: u32) -> u32 {
    if entry == 0 {
        return 0;
    }
    let (label, index) = (entry >> 3, entry & 7);
    let node = state.get(label);
    if node.bits == 8 && index == 0 {
        return label;
    }
    state.node(Op::Extract, 0, 8, label, u64::from(index) * 8)
}

/// The number that `size` (at most 8) bytes in memory are.
///
/// # Safety
/// They can be read.
pub unsafe fn value_at(address: u64, size: u32) -> u64 {
    let mut value = 0;
    for byte in (0..u64::from(size)).rev() {
        // SAFETY: the bytes can be read.
        value = value << 8 | u64::from(unsafe { *((address + byte) as *const u8) });
    }
    value
}

/// Label of the byte at `address`; where it has none, of its value as a constant.
///
/// # Safety
/// It can be read.
pub unsafe fn label_of_byte(state: &mut State, address: u64) -> u32 {
    match byte_label(state, entry(address)) {
        0 => {
            // SAFETY: the bytes can be read.
            let value = unsafe { *(address as *const u8) };
            state.node(Op::Const, 0, 8, 0, value.into())
        }
        label => label,
    }
}

/// Makes concrete what is at `address`, byte by byte.
///
/// # Safety
/// The bytes can be read.
pub unsafe fn settle(state: &mut State, site: u32, address: u64, size: u64) {
    for at in address..address + size {
        if let entry @ 1.. = entry(at) {
            // SAFETY: the bytes can be read.
            let value = unsafe { *(at as *const u8) };
            let label = byte_label(state, entry);
            state.made_concrete(site, label, value.into(), Reason::Operation);
        }
    }
}

/// Label of the `size` (at most 8) bytes at `address`, which are in memory now.
///
/// # Safety
/// The bytes can be read.
pub unsafe fn label_of(address: u64, size: u32) -> u32 {
    let entries = entries_of(address, size.into());
    let first = entries[0];
    let state = state();
    // The usual cases: nothing labelled, or exactly the bytes of one label.
    if entries.iter().all(|entry| *entry == 0) {
        return 0;
    }
    if state.beside != 0 && entries.iter().any(|entry| *entry >> 3 == state.beside) {
        // What nobody gave is as it is.
        counted::count(Reason::Beside);
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
            // SAFETY: some of the bytes that the caller says are there.
            let value = unsafe { value_at(address + at as u64, run as u32) };
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
    if label == 0 {
        return clear(address, size.into());
    }
    let entries = shadow(address);
    for index in 0..size {
        // SAFETY: the shadow is reserved for all addresses.
        unsafe { entries.add(index as usize).write(label << 3 | index) };
    }
    for granule in granules(address, size.into()) {
        // SAFETY: so are the flags.
        unsafe { *flag(granule) = 1 };
    }
}

/// From this size on, shadow and flags are given back to the system instead of being written.
const LARGE: u64 = 1 << 20;

/// Bytes whose flags are a page.
const FLAGS_PAGE: u64 = 4096 * GRANULE;

/// Nobody has so much memory: whoever says so fails at once.
const ABSURD: u64 = 1 << 40;

/// Forgets the labels of bytes; writes nothing where there are none.
pub fn clear(address: u64, size: u64) {
    if size < LARGE {
        return clear_flagged(address, size);
    }
    if size > ABSURD {
        return;
    }
    let end = address + size;
    let (first, last) = (
        address.next_multiple_of(FLAGS_PAGE),
        end & !(FLAGS_PAGE - 1),
    );
    clear_flagged(address, first - address);
    clear_flagged(last, end - last);
    let middle = last - first;
    // SAFETY: pages of the shadow, which are zeros afterwards.
    let give_back = |from: *mut c_void, size: u64| unsafe {
        sys::madvise(from, size as usize, sys::MADV_DONTNEED) == 0
    };
    // Flags last: without them nobody looks at the entries.
    if !give_back(shadow(first).cast(), middle * 4)
        || !give_back(flag(first).cast(), middle / GRANULE)
    {
        clear_flagged(first, middle);
    }
}

fn clear_flagged(address: u64, size: u64) {
    let end = address + size;
    for_flagged(address, size, |granule| {
        let (from, to) = (granule.max(address), (granule + GRANULE).min(end));
        for at in from..to {
            // SAFETY: the shadow is reserved for all addresses.
            unsafe { *shadow(at) = 0 };
        }
        settle_flags(granule, GRANULE);
    });
}

/// Labels move as the `size` bytes from `from` to `to` do.
pub fn copy(to: u64, from: u64, size: u64) {
    if size > ABSURD {
        return;
    }
    if !is_flagged(from, size) {
        return clear(to, size);
    }
    // SAFETY: the shadow is reserved for all addresses, of which so many bytes are in use.
    unsafe { sys::memmove(shadow(to).cast(), shadow(from).cast(), size as usize * 4) };
    settle_flags(to, size);
}

/// A load of `size` bytes as `bits` bits; `looked_up` is the label of what was found through a
/// labelled address.
///
/// # Safety
/// Instrumented code loads these bytes next.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_load(address: u64, size: u32, bits: u32, looked_up: u32) -> u32 {
    if looked_up != 0 {
        return looked_up;
    }
    // SAFETY: the bytes can be read.
    let label = unsafe { label_of(address, size) };
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
///
/// # Safety
/// The bytes can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_concrete_memory(site: u32, address: u64, size: u64) {
    let mut at = 0;
    while at < size {
        let part = if size - at >= 8 { 8 } else { 1 };
        // SAFETY: some of the bytes that the caller says are there.
        let label = unsafe { label_of(address + at, part) };
        if label != 0 {
            // SAFETY: the same.
            let value = unsafe { value_at(address + at, part) };
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
    copy(to, from, size);
}

/// `memset`: every byte gets the lowest byte of `label`.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_fill(site: u32, to: u64, label: u32, size: u64, lto: u32, lsize: u32) {
    let state = state();
    state.made_concrete(site, lto, to, Reason::Address);
    state.made_concrete(site, lsize, size, Reason::Size);
    if label == 0 || size > ABSURD {
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
    copy(to, from, size);
}

/// Memory that inline assembly reads or writes: labels there are made concrete and forgotten.
///
/// # Safety
/// The bytes can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_assembly(site: u32, address: u64, size: u64) {
    // SAFETY: the bytes can be read.
    unsafe { __elw_concrete_memory(site, address, size) };
    clear(address, size);
}

#[cfg(test)]
#[path = "../tests/memory.rs"]
mod tests;
