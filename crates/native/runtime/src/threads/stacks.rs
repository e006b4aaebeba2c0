//! Where the stacks of threads are.

use super::{MAX_THREADS, current};
use crate::snapshot;

/// Stacks of threads: at places that follow from their names, with a gap before each.
pub const STACKS: u64 = (snapshot::END + (1 << 32)).next_multiple_of(1 << 32);
pub const STACK_ROOM: u64 = 16 << 20;
pub const STACK: u64 = 1 << 20;
/// The lowest part is for handlers of signals.
pub const SIGNAL_STACK: u64 = 32 << 10;
/// More names than this have their places in order of beginning.
const NAMED: u32 = 1 << 10;
pub const SLOTS: u64 = NAMED as u64 + MAX_THREADS as u64;
pub const STACKS_END: u64 = STACKS + SLOTS * STACK_ROOM;

/// The place of a thread's stack and memory among all.
pub fn slot(name: u32, index: usize) -> u64 {
    match name < NAMED {
        true => name.into(),
        false => u64::from(NAMED) + index as u64,
    }
}

/// Where the running thread's stack begins, if it is not the first one's.
pub fn stack_top() -> Option<u64> {
    let (_, top) = current().stack;
    (top != 0).then_some(top)
}
