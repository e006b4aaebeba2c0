//! Memory that moves touch.

use super::{arena, spin};
use crate::shared::state;
use elsewise_wire::EventKind;
use elsewise_wire::threads::access::{FLUSHED, WRITES};

/// More than this at once is said in parts.
const PART: u64 = 1 << 15;

/// Says that the present move touches memory.
pub fn touch(site: u32, mut address: u64, mut size: u64, flags: u8) {
    // What leaves a buffer its thread has seen before.
    if flags & WRITES != 0 && flags & FLUSHED == 0 {
        spin::written(site, address, size, None);
    }
    let large = arena::large_block(address);
    while size > 0 {
        let part = size.min(PART);
        let (low, high) = (address as u32, (address >> 32) as u32);
        state().event_with(EventKind::Access, flags, part as u16, site, low, high);
        address += part;
        size -= part;
    }
    if let Some(block) = large {
        let head = arena::head(block);
        let (low, high) = (head as u32, (head >> 32) as u32);
        state().event_with(EventKind::Access, flags & FLUSHED, 8, site, low, high);
    }
}
