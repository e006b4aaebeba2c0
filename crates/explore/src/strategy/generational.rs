//! Whole generations (SAGE): the run that brought most new sides has all of its own alternatives
//! tried, from the first choice on, before the next best run is taken up.

use super::{News, Pick, Strategy, pick};
use crate::{Coverage, PositionId, Tree};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

#[derive(Default)]
pub struct Generational {
    /// By new sides, then the earlier first. A run's new positions are what lies beyond the
    /// choice it was made from, so no alternative is tried by two generations.
    waiting: BinaryHeap<(u32, Reverse<(u32, u32)>)>,
    current: Range<u32>,
}

impl Strategy for Generational {
    fn name(&self) -> &'static str {
        "generational"
    }

    fn note(&mut self, _tree: &Tree, _coverage: &Coverage, news: &News) {
        if !news.positions.is_empty() {
            let Range { start, end } = news.positions;
            self.waiting.push((news.new_sides, Reverse((start, end))));
        }
        if let Some(PositionId(position)) = news.reopened {
            let range = Reverse((position, position + 1));
            self.waiting.push((news.new_sides, range));
        }
    }

    fn next(&mut self, tree: &Tree, _coverage: &Coverage) -> Option<Pick> {
        loop {
            while !self.current.is_empty() {
                let position = self.current.start;
                if let Some(alternative) = tree.next_open(PositionId(position), 0) {
                    return Some(pick(position, alternative));
                }
                self.current.start += 1;
            }
            let (_, Reverse((start, end))) = self.waiting.pop()?;
            self.current = start..end;
        }
    }
}
