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
//!
//! Inputs and schedules are one search. A run with threads is a sequence of moves, each with the bytes of
//! memory and the objects to wait by that it touches (`native/src/decode/threads.rs`). What functions touch outside of
//! memory, hidden variables of the C library and what the system holds, are objects, too: `wire/src/outside.rs` has what
//! each function touches, and one that is not instrumented and not there touches all of it. Such an object makes moves
//! dependent, but whoever touches it second does not know by that what the first has done, so it hides no data race. Which
//! pairs of moves could have come in the other order follows from vector clocks (`explore/src/schedule/causality.rs`), and
//! which orders are still to be tried from wake-up trees at positions of the tree (`wakeup.rs`), so that
//! each execution is run once; both agree with brute force on random programs, alone
//! (`explore/tests/schedules`) and in campaigns (`campaign/tests/threads.rs`). A run of very many moves has
//! its races looked at in portions. The order of threads in the log is not what tells a data race: that is
//! what nothing but chance orders (`datarace.rs`), whatever the schedule was. What is kept of a choice that
//! an earlier one has settled must not depend on the order either: only choices of the same thread, and
//! those before there were threads, settle anything. A resumed campaign looks at its runs again, in order,
//! since wake-up trees are not stored: what each run was to try follows from its schedule and the run whose inputs it has,
//! and it is written down when further races of a run are looked at (`campaign/src/again.rs`). Where there are too many orders, `campaign/src/schedule_search.rs` has other
//! ways: all with few preemptions (`bounded.rs`, by brute force over places that differ in causality, as
//! races do not tell what a bound leaves out), and samples, for which the engine gives a rule and a seed, the
//! runtime follows it (`wire/src/sampler.rs`), and what came of it is a schedule as any other. A failing
//! schedule is reduced by runs that are none of the campaign's (`campaign/src/worker/minimize_schedule.rs`).
//!
//! With `--memory-model tso` the buffer of a thread's stores is a thread of its own to the search, named after its owner: a
//! store is part of a move that only its thread knows of, and that it reaches memory is a move of the buffer
//! (`native/runtime/src/threads/buffers.rs`). While nobody runs, memory is as all see it; what a thread has in its buffer is put there
//! when it goes on, so code needs no other loads. By memory, moves of a thread and of its own buffer do not conflict, since a
//! thread reads what it has stored either way. Against all interleavings: `tests/src/interleavings`.
//!
//! What else a run with threads can show is read from the same events:
//! blocks that are no whole (`schedule/blocks.rs`), and results of calls that no order of them gives
//! (`schedule/history.rs`), for which the front end runs the subject with its operations one after the
//! other, as it runs a sanitized build beside the instrumented one: to judge a run, not to explore. Calls and
//! returns of operations are points then, which touch memory that is nowhere, so that who came first is
//! reversed like any race. A debugger needs no engine: `native/src/scheduled.rs` writes the shared memory
//! with its case as a file, the runtime maps it for itself, and stops for gdb at each move
//! (`runtime/src/threads/watched.rs`).

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
