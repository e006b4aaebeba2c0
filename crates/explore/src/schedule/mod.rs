//! Schedules: which executions of several threads differ, and how to have each of them once.
//!
//! A run of a subject with threads is a sequence of *moves*: a thread does one thing that others can
//! see, and whatever it then computes by itself. What a move touches are *objects* (a variable, a
//! lock, the end of a thread); two moves *conflict* when one of them writes what the other touches.
//! Executions in which conflicting moves have the same order are the same execution, whichever way
//! the rest is interleaved.
//!
//! [`Causality`] finds, in one run, which moves happened before which, and the *races*: conflicting
//! moves next to each other that could have come in the other order. [`Wakeups`] keeps, for each
//! position of the tree from which another order is to be tried, the sequences of moves that lead
//! there (wake-up trees; Abdulla, Aronsson, Jonsson, Sagonas: Optimal dynamic partial order
//! reduction), such that no execution is run twice and none is blocked half way.
//!
//! Inputs and schedules are one search. A move's choices on inputs are part of the move: a position
//! of the tree is reached by threads and by the ways that their branches took. Where a thread is
//! *asleep* (what it would do first is explored from an earlier sibling), other ways of branches
//! are not tried: they are explored below that sibling, and come here by a race if they matter.

pub mod blocks;
mod bounded;
mod causality;
pub mod datarace;
mod estimate;
pub mod history;
mod mode;
mod wakeup;

pub use bounded::{Bounded, preemptions};
pub use causality::{Causality, Race};
pub use estimate::Estimate;
pub use mode::{Rule, Sampling, Schedules};
pub use wakeup::{Oracle, Seen, Unfinished, Wakeup, Wakeups};

use std::ops::Range;

/// One object that a move touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The object's name: the same in every run in which it is the same object.
    pub object: u64,
    /// Which of its parts, as bits: memory is touched byte by byte.
    pub bytes: u8,
    pub writes: bool,
    /// The move waits until the object's state is at least this; 0 if it never waits.
    pub needs: u32,
    /// State of the object before the move, for others that wait for it.
    pub before: u32,
}

/// In the name of what is no thread, but the buffer of one, from which its stores go to memory.
pub const BUFFER: u32 = 1 << 30;

/// From here on, objects are what threads meet by; below is memory.
pub const MEETING: u64 = 1 << 62;

/// A thread reads what it has stored whether that has left its buffer or not: by memory, the moves of the two do not
/// conflict.
fn same_memory(one: u32, other: u32) -> bool {
    one & !BUFFER == other & !BUFFER
}

/// One move of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The thread's name: any number, the same in every run in which it is the same thread.
    pub thread: u32,
    /// Index in the trace of the choice of this thread; what follows it, up to that of the next
    /// move, are choices that the move made.
    pub choice: u32,
    /// Its part of [`Moves::accesses`].
    pub accesses: Range<u32>,
    /// The run ends with it, whatever the others were about to do.
    pub ends: bool,
    /// It would rather let others go on: it yields, or waits for a time.
    pub gives_way: bool,
}

/// What a thread was about to do when the run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    pub thread: u32,
    pub accesses: Range<u32>,
    pub ends: bool,
    pub gives_way: bool,
}

/// All moves of a run in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    pub moves: Vec<Move>,
    pub accesses: Vec<Access>,
    pub pending: Vec<Pending>,
}

impl Moves {
    pub fn accesses(&self, range: &Range<u32>) -> &[Access] {
        let range = range.start as usize..range.end as usize;
        self.accesses.get(range).unwrap_or_default()
    }

    /// Names of the threads, ascending.
    pub fn threads(&self) -> Vec<u32> {
        let moved = self.moves.iter().map(|one| one.thread);
        let mut names: Vec<u32> = Vec::new();
        for name in moved.chain(self.pending.iter().map(|one| one.thread)) {
            if let Err(at) = names.binary_search(&name) {
                names.insert(at, name);
            }
        }
        names
    }
}

/// Does one of the two write what the other touches, from the object `from` on? Both are sorted by object.
fn conflict(one: &[Access], other: &[Access], from: u64) -> bool {
    let after = |all: &[Access]| all.partition_point(|access| access.object < from);
    let (mut left, mut right) = (&one[after(one)..], &other[after(other)..]);
    while let (Some(a), Some(b)) = (left.first(), right.first()) {
        if a.object < b.object {
            left = &left[1..];
            continue;
        }
        let same = right.iter().take_while(|b| b.object == a.object);
        let mut overlapping = same.filter(|b| b.bytes & a.bytes != 0);
        if overlapping.any(|b| a.writes || b.writes) {
            return true;
        }
        match a.object == b.object {
            true => left = &left[1..],
            false => right = &right[1..],
        }
    }
    false
}
