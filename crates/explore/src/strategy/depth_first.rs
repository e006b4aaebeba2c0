//! The deepest open alternative of the latest run, then of the run before it, and so on.

use super::{News, Pick, Strategy, pick};
use crate::{Coverage, PositionId, Tree};
use std::ops::Range;

#[derive(Default)]
pub struct DepthFirst {
    /// A run's new positions lie deeper the later they come, and a run made from one of them lies
    /// below it; so the top of this stack is always the deepest.
    stack: Vec<Range<u32>>,
}

impl Strategy for DepthFirst {
    fn name(&self) -> &'static str {
        "dfs"
    }

    fn note(&mut self, _tree: &Tree, _coverage: &Coverage, news: &News) {
        if let Some(PositionId(position)) = news.reopened {
            self.stack.push(position..position + 1);
        }
        if !news.positions.is_empty() {
            self.stack.push(news.positions.clone());
        }
    }

    fn next(&mut self, tree: &Tree, _coverage: &Coverage) -> Option<Pick> {
        while let Some(range) = self.stack.last_mut() {
            while range.start < range.end {
                let position = range.end - 1;
                if let Some(alternative) = tree.next_open(PositionId(position), 0) {
                    return Some(pick(position, alternative));
                }
                range.end = position;
            }
            self.stack.pop();
        }
        None
    }
}
