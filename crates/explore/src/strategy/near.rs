//! Alternatives of runs that count first, then those of dismissed runs that were made from them, and
//! so on: the fewer steps away from a run that counts, the better; of equal ones, the shorter.
//!
//! Where a case must be valid (a data structure has an invariant), a change to a valid one mostly
//! gives one that is not: a new node must point back, and have the right colour. It takes some more
//! changes to the new case until it is valid again, and there is no use in changing much else of it.

use super::{News, Pick, Strategy, pick};
use crate::{Coverage, PositionId, Tree};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// A run with open alternatives: steps away from one that counts, depth, number, new positions.
type Entry = Reverse<(u32, u32, u32, (u32, u32))>;

#[derive(Default)]
pub struct Near {
    /// By run: steps away from one that counts.
    steps: Vec<u32>,
    open: BinaryHeap<Entry>,
}

impl Near {
    /// How far the run is from one that counts that first came to a position.
    fn of(&self, tree: &Tree, position: PositionId) -> u32 {
        let run = tree.witness(position) as usize;
        self.steps.get(run).copied().unwrap_or(0)
    }

    fn push(&mut self, tree: &Tree, steps: u32, run: u32, positions: Range<u32>) {
        if let Some(last) = positions.clone().next_back() {
            let depth = tree.depth(PositionId(last));
            let positions = (positions.start, positions.end);
            self.open.push(Reverse((steps, depth, run, positions)));
        }
    }
}

impl Strategy for Near {
    fn name(&self) -> &'static str {
        "near"
    }

    fn note(&mut self, tree: &Tree, _coverage: &Coverage, news: &News) {
        if let Some(PositionId(position)) = news.reopened {
            let run = tree.witness(PositionId(position));
            let steps = self.of(tree, PositionId(position));
            self.push(tree, steps, run, position..position + 1);
        }
        if news.positions.is_empty() {
            return;
        }
        let steps = match (news.dismissed, news.from) {
            (true, Some(from)) => 1 + self.of(tree, from),
            (true, None) => 1,
            (false, _) => 0,
        };
        self.steps.resize(news.run as usize + 1, 0);
        self.steps[news.run as usize] = steps;
        self.push(tree, steps, news.run, news.positions.clone());
    }

    fn next(&mut self, tree: &Tree, _coverage: &Coverage) -> Option<Pick> {
        while let Some(Reverse((steps, _, run, (start, end)))) = self.open.pop() {
            for position in (start..end).rev() {
                if let Some(alternative) = tree.next_open(PositionId(position), 0) {
                    self.push(tree, steps, run, start..position + 1);
                    return Some(pick(position, alternative));
                }
            }
        }
        None
    }
}
