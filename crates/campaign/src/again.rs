//! What an earlier session has looked at of its threads' moves, to be looked at again in the same order.
//!
//! Which orders of threads are still to be tried is not in the store. It follows from the runs, in the order of their
//! numbers, from which order each of them was to try, and from when more was looked at of runs with very many races: all
//! of that is. What would be tried twice, or never, if it were made anew in another way is told by [`Again::Tried`]
//! whose order is not found.

use crate::store::{LoadedRun, Origin, is_asleep};
use elsewise_explore::{Choice, PositionId, Step, Tree};
use std::collections::VecDeque;
use std::ops::Range;

/// One look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    /// At a run that was to try no other order.
    Free(u32),
    /// At one that was, and the run whose inputs it has, if that is known.
    Tried(u32, Option<u32>),
    /// At more races of a run.
    More(u32),
}

/// What is still to be looked at.
#[derive(Default)]
pub(crate) struct Unseen {
    queue: VecDeque<Again>,
    woken: bool,
}

impl Unseen {
    /// The next run of the store.
    pub fn push(&mut self, id: u32, run: &LoadedRun) {
        self.queue.push_back(match run.origin {
            Origin::Schedule => Again::Tried(id, run.parent.map(|(parent, ..)| parent)),
            _ => Again::Free(id),
        });
    }

    /// More was looked at of these runs, each when there were so many runs.
    pub fn weave(&mut self, more: &[(u32, u32)]) {
        let mut more = more.iter().peekable();
        let mut woven = VecDeque::with_capacity(self.queue.len() + more.len());
        for again in self.queue.drain(..) {
            let (Again::Free(run) | Again::Tried(run, _) | Again::More(run)) = again;
            while let Some((_, of)) = more.next_if(|(runs, _)| *runs <= run) {
                woven.push_back(Again::More(*of));
            }
            woven.push_back(again);
        }
        woven.extend(more.map(|(_, of)| Again::More(*of)));
        self.queue = woven;
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Nothing has to be looked at.
    pub fn clear(&mut self) {
        self.queue.clear();
    }

    /// Is it the first time that nothing may sleep of what there is? No run is made before all is looked at, so once is
    /// enough.
    pub fn wakes(&mut self) -> bool {
        !std::mem::replace(&mut self.woken, true)
    }

    pub fn pop(&mut self) -> Option<Again> {
        self.queue.pop_front()
    }
}

/// A run of an earlier session has been looked at again, and the other ways of choices that are `asleep` are explored
/// elsewhere. True where the store says so of more of them: then nothing is sure that follows from the order in which
/// others were tried.
pub(crate) fn sleeps_otherwise(
    tree: &Tree,
    run: u32,
    choices: &[Choice],
    asleep: &[Range<u32>],
) -> bool {
    let path = tree.path(choices.iter().map(Step::from));
    let other = |(index, position): (u32, PositionId)| {
        tree.witness(position) == run && !is_asleep(asleep, index) && tree.is_asleep(position)
    };
    (0..).zip(path).any(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_is_looked_at_when_it_was() {
        let mut unseen = Unseen {
            queue: [Again::Free(2), Again::Tried(3, Some(2)), Again::Free(5)].into(),
            woken: false,
        };
        unseen.weave(&[(3, 2), (3, 2), (5, 3), (6, 5), (6, 2)]);
        let all: Vec<Again> = std::iter::from_fn(|| unseen.pop()).collect();
        let expected = [
            Again::Free(2),
            Again::More(2),
            Again::More(2),
            Again::Tried(3, Some(2)),
            Again::More(3),
            Again::Free(5),
            Again::More(5),
            Again::More(2),
        ];
        assert_eq!(all, expected);
    }
}
