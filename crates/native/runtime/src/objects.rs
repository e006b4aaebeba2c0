//! Where heap blocks begin and how large they are, to find the block that a pointer is in.
//!
//! One 32-bit entry per 16 bytes of address space, in memory that exists only where it was
//! written: the size of the block that begins there. A pointer's block is the nearest one before
//! it.

use crate::sys;
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
use elsewise_wire::{SHADOW_BASE, SHADOW_MASK, SHADOW_SIZE};

pub const BASE: u64 = SHADOW_BASE + SHADOW_SIZE;
pub const SIZE: u64 = (SHADOW_MASK + 1) >> 2;

/// A block that begins further before a pointer is not found.
const REACH: u64 = 1 << 16;

/// Behind the table, a byte for each 64 KiB of address space (for several of them, as there are more) in which a block
/// began at some time: most words that could be a pointer lead to where none ever did.
const REGIONS: u64 = BASE + SIZE;
const REGIONS_SIZE: u64 = 1 << 16;

fn region(address: u64) -> &'static AtomicU8 {
    let at = REGIONS + (address / REACH) % REGIONS_SIZE;
    // SAFETY: reserved with the table, and used in no other way.
    unsafe { &*(at as *const AtomicU8) }
}

/// Where the entry of an address is.
pub fn place(address: u64) -> u64 {
    BASE + ((address & SHADOW_MASK) >> 4 << 2)
}

fn entry(address: u64) -> &'static mut u32 {
    // SAFETY: the table is reserved for all addresses, and who asks for an entry does no more than read or write it.
    unsafe { &mut *(place(address) as *mut u32) }
}

/// Reserves the table; false when there is no room for it.
pub fn reserve() -> bool {
    sys::reserve(BASE, SIZE + REGIONS_SIZE, sys::MAP_PRIVATE)
}

/// Set in an entry: the block has been freed, but its memory is not used again.
const FREED: u32 = 1 << 31;

/// A block was allocated.
pub fn born(address: u64, size: u64) {
    *entry(address) = size.min(u64::from(FREED - 1)) as u32;
    region(address).store(1, Relaxed);
}

/// A block was freed whose memory is not used again.
pub fn keep_freed(address: u64) {
    *entry(address) |= FREED;
}

/// Is this the beginning of a block that has been freed?
pub fn is_freed(address: u64) -> bool {
    *entry(address) & FREED != 0
}

/// A block was freed.
pub fn died(address: u64) {
    if address != 0 {
        *entry(address) = 0;
    }
}

/// Beginning and size of the block that `address` points into, or just behind.
pub fn find(address: u64) -> Option<(u64, u64)> {
    let mut start = address & !15;
    let end = start.saturating_sub(REACH);
    if region(start).load(Relaxed) == 0 && region(end).load(Relaxed) == 0 {
        return None;
    }
    while start > end {
        let size = u64::from(*entry(start) & !FREED);
        if size != 0 {
            return (address - start <= size).then_some((start, size));
        }
        start -= 16;
    }
    None
}

#[cfg(test)]
#[path = "../tests/objects.rs"]
mod tests;
