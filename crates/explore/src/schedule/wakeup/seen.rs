//! A run as wake-up trees see it: its moves, and what each of them chose.

use super::{Oracle, Wakeup};
use crate::schedule::{Access, MEETING, Moves, conflict, same_memory};
use crate::{Choice, PositionId};
use std::ops::Range;
use std::sync::Arc;

/// A move as the nodes know it.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) thread: u32,
    /// Sorted by object.
    pub(super) accesses: Arc<[Access]>,
    pub(super) ends: bool,
}

impl Event {
    /// The first object by which the two may conflict.
    pub(super) fn common(&self, other: &Event) -> u64 {
        match same_memory(self.thread, other.thread) {
            true => MEETING,
            false => 0,
        }
    }

    pub(super) fn conflicts(&self, other: &Event) -> bool {
        self.thread == other.thread
            || self.ends
            || other.ends
            || conflict(&self.accesses, &other.accesses, self.common(other))
    }
}

/// A move of a sequence that is to be tried.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) event: Event,
    /// What it chose; not known of the last one, which has never moved in this order.
    pub(super) way: Option<Arc<Way>>,
}

/// What a move chose.
#[derive(Debug)]
pub(super) struct Way {
    /// The run in which it did, and the choices there.
    pub(super) run: u32,
    pub(super) choices: Range<u32>,
    pub(super) taken: Box<[u64]>,
    /// Those that the schedule decides.
    pub(super) picks: Box<[u32]>,
}

#[derive(Clone, Debug)]
pub(super) enum Chosen {
    Known(Arc<Way>),
    /// What the inputs of this run choose there, which nobody has seen yet.
    By(u32),
}

impl Chosen {
    pub(super) fn is(&self, other: &Chosen, oracle: &mut dyn Oracle) -> bool {
        match (self, other) {
            (Chosen::Known(one), Chosen::Known(other)) => one.taken == other.taken,
            (Chosen::By(inputs), Chosen::Known(way)) | (Chosen::Known(way), Chosen::By(inputs)) => {
                oracle.same(*inputs, way.run, way.choices.clone())
            }
            (Chosen::By(one), Chosen::By(other)) => one == other,
        }
    }

    pub(super) fn picks(&self) -> &[u32] {
        match self {
            Chosen::Known(way) => &way.picks,
            Chosen::By(_) => &[],
        }
    }
}

/// A run as it is taken in.
pub struct Seen<'a> {
    pub run: u32,
    pub choices: &'a [Choice],
    pub moves: &'a Moves,
    /// The tree's positions of the run's choices.
    pub positions: &'a [PositionId],
    /// What the run was to try, if it was.
    pub followed: Option<&'a Wakeup>,
}

impl Seen<'_> {
    /// The position at which a move was chosen.
    pub(super) fn place(&self, index: u32) -> Option<PositionId> {
        let choice = self.moves.moves.get(index as usize)?.choice;
        self.positions.get(choice as usize).copied()
    }

    /// What a move chose.
    pub(super) fn way(&self, index: u32) -> Way {
        let begin = self.moves.moves[index as usize].choice + 1;
        let next = self.moves.moves.get(index as usize + 1);
        let end = next.map_or(self.choices.len() as u32, |next| next.choice);
        let choices = self.choices.get(begin as usize..end as usize);
        let choices = choices.unwrap_or_default();
        Way {
            run: self.run,
            choices: begin..end,
            taken: choices.iter().map(|choice| choice.taken).collect(),
            picks: choices.iter().filter_map(Choice::scheduled).collect(),
        }
    }
}

/// A run while its races are looked at: what is kept of a move is made once.
pub(super) struct Noted<'a> {
    pub(super) seen: &'a Seen<'a>,
    pub(super) events: Vec<Option<Event>>,
    pub(super) ways: Vec<Option<Arc<Way>>>,
    /// All that the schedule decided, and how much of it before each move.
    pub(super) scheduled: Vec<u32>,
    pub(super) before: Vec<u32>,
}

impl<'a> Noted<'a> {
    pub(super) fn new(seen: &'a Seen<'a>) -> Noted<'a> {
        let moves = &seen.moves.moves;
        let mut scheduled = Vec::new();
        let mut before = Vec::with_capacity(moves.len());
        let mut from = 0;
        for one in moves {
            let choices = seen.choices.get(from..one.choice as usize);
            let choices = choices.unwrap_or_default();
            scheduled.extend(choices.iter().filter_map(Choice::scheduled));
            before.push(scheduled.len() as u32);
            from = one.choice as usize;
        }
        Noted {
            seen,
            events: vec![None; moves.len() + seen.moves.pending.len()],
            ways: vec![None; moves.len()],
            scheduled,
            before,
        }
    }

    /// A move of the run, or what was pending at its end.
    pub(super) fn event(&mut self, index: u32) -> Event {
        let moves = self.seen.moves;
        let index = index as usize;
        let event = self.events[index].get_or_insert_with(|| {
            let (thread, accesses, ends) = match moves.moves.get(index) {
                Some(one) => (one.thread, &one.accesses, one.ends),
                None => {
                    let one = &moves.pending[index - moves.moves.len()];
                    (one.thread, &one.accesses, one.ends)
                }
            };
            let mut accesses = moves.accesses(accesses).to_vec();
            accesses.sort_by_key(|access| access.object);
            Event {
                thread,
                accesses: accesses.into(),
                ends,
            }
        });
        event.clone()
    }

    pub(super) fn wanted(&mut self, index: u32) -> Wanted {
        let seen = self.seen;
        let way = self.ways[index as usize].get_or_insert_with(|| Arc::new(seen.way(index)));
        let way = Some(way.clone());
        let event = self.event(index);
        Wanted { event, way }
    }

    /// What the schedule decided before a move.
    pub(super) fn schedule(&self, index: u32) -> Vec<u32> {
        let before = self.before[index as usize] as usize;
        self.scheduled[..before].to_vec()
    }
}

pub(super) enum Initial {
    /// It is the move with this index.
    At(usize),
    /// It does not occur, and conflicts with none.
    Apart,
}

/// Could this move come first of all, without a change to the order of conflicting moves?
pub(super) fn initial(event: &Event, wanted: &[Wanted]) -> Option<Initial> {
    let own = wanted
        .iter()
        .position(|one| one.event.thread == event.thread);
    let others = &wanted[..own.unwrap_or(wanted.len())];
    let free = !others.iter().any(|one| one.event.conflicts(event));
    free.then(|| own.map_or(Initial::Apart, Initial::At))
}
