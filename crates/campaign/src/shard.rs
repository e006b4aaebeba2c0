//! A share of a campaign, explored apart from the others, which no shard hears of.
//!
//! Which shard has what must follow from the subject alone: each machine has to come to the same answer without
//! asking. So all shards explore the *crown* of the tree, its first choices, whole; they differ in their cases, but not in
//! the prefixes that there are. The crown ends at the first depth at which there are enough prefixes for every shard to have
//! some, and whose something is follows from the prefix before it. What is another's is closed as given up. A crown that
//! two shards see differently (a query that took too long for one) leaves something open when they are merged, never too
//! little.

use crate::job::Pursuit;
use elsewise_explore::strategy::Pick;
use elsewise_explore::{Choice, PositionId, State, Tree};

/// Prefixes for each shard, at least: they differ in how much lies behind them.
const PREFIXES: usize = 24;

/// One of so many, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    pub number: u32,
    pub of: u32,
}

impl Shard {
    fn owns(self, prefix: u64) -> bool {
        prefix % u64::from(self.of.max(1)) == u64::from(self.number.saturating_sub(1))
    }
}

/// A prefix that goes on with one more choice.
fn longer(prefix: u64, site: u32, taken: u64) -> u64 {
    let mut mixed = prefix ^ u64::from(site).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for word in [taken, u64::from(site)] {
        mixed = (mixed ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^= mixed >> 33;
    }
    mixed
}

/// The first choices of the tree, and what a shard makes of what lies behind them.
pub(crate) struct Crown {
    shard: Shard,
    /// How many choices the crown has so far.
    depth: u32,
    /// It is as deep as it gets: what is behind it belongs to somebody.
    whole: bool,
    /// Claimed alternatives behind the crown, until it is known whose they are.
    waiting: Vec<Pick>,
}

/// What comes of a crown that has been explored.
pub(crate) enum Grown {
    /// There is more of it to explore: these are in it now.
    Deeper(Vec<Pick>),
    /// It is whole: these are not for this shard, with all that is behind them; and these have waited.
    Whole(Vec<PositionId>, Vec<Pick>),
    /// Nothing waits.
    Nothing,
}

impl Crown {
    pub fn new(shard: Shard) -> Crown {
        Crown {
            shard,
            depth: 1,
            whole: false,
            waiting: Vec::new(),
        }
    }

    /// Gives a claimed alternative back if it is to be explored now; otherwise it waits.
    pub fn sift(&mut self, depth: u32, pursuit: Pursuit) -> Option<Pursuit> {
        if self.whole || depth < self.depth {
            return Some(pursuit);
        }
        self.waiting.push(pursuit.pick);
        None
    }

    /// Everything in the crown has been explored.
    pub fn grow(&mut self, tree: &Tree) -> Grown {
        if self.whole || self.waiting.is_empty() {
            return Grown::Nothing;
        }
        let mut deep = vec![0usize];
        for position in (0..tree.positions()).map(PositionId) {
            let depth = tree.depth(position) as usize;
            if deep.len() <= depth {
                deep.resize(depth + 1, 0);
            }
            deep[depth] += 1;
        }
        let enough = PREFIXES * self.shard.of as usize;
        loop {
            let prefixes = deep.get(self.depth as usize).copied().unwrap_or(0);
            if prefixes >= enough {
                self.whole = true;
                let foreign = self.foreign(tree);
                return Grown::Whole(foreign, std::mem::take(&mut self.waiting));
            }
            // Not one by one, where a loop makes the tree deep and narrow.
            self.depth += (self.depth / 4).max(1);
            let inside = |pick: &mut Pick| tree.depth(pick.item.position) < self.depth;
            let now: Vec<Pick> = self.waiting.extract_if(.., inside).collect();
            if !now.is_empty() {
                return Grown::Deeper(now);
            }
        }
    }

    /// Positions behind the crown that are others'.
    fn foreign(&self, tree: &Tree) -> Vec<PositionId> {
        let mut foreign = Vec::new();
        let State::Position(root) = tree.root() else {
            return foreign;
        };
        let mut open = vec![(root, 0)];
        while let Some((position, prefix)) = open.pop() {
            if tree.depth(position) >= self.depth {
                if !self.shard.owns(prefix) {
                    foreign.push(position);
                }
                continue;
            }
            let site = tree.site(position).0;
            for (taken, state) in tree.ways(position) {
                if let State::Position(below) = state {
                    open.push((below, longer(prefix, site, taken)));
                }
            }
        }
        foreign
    }

    /// Does a run lie where another shard explores?
    pub fn is_foreign(&self, choices: &[Choice]) -> bool {
        let Some(crown) = choices.get(..self.depth as usize).filter(|_| self.whole) else {
            return false;
        };
        let prefix = crown
            .iter()
            .fold(0, |prefix, it| longer(prefix, it.site.0, it.taken));
        choices.len() > crown.len() && !self.shard.owns(prefix)
    }

    /// Where the crown ends.
    pub fn depth(&self) -> u32 {
        self.depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prefix_belongs_to_one_shard() {
        let mut owned = [0; 5];
        for taken in 0..1000 {
            let prefix = longer(longer(0, 3, taken % 7), 4, taken);
            let owners: Vec<u32> = (1..=5)
                .filter(|number| {
                    Shard {
                        number: *number,
                        of: 5,
                    }
                    .owns(prefix)
                })
                .collect();
            assert_eq!(owners.len(), 1);
            owned[owners[0] as usize - 1] += 1;
        }
        assert!(owned.iter().all(|count| *count > 150), "{owned:?}");
    }

    #[test]
    fn prefixes_differ_by_site_and_order() {
        let of = |steps: &[(u32, u64)]| steps.iter().fold(0, |p, (s, t)| longer(p, *s, *t));
        assert_ne!(of(&[(1, 0), (2, 1)]), of(&[(2, 1), (1, 0)]));
        assert_ne!(of(&[(1, 0)]), of(&[(2, 0)]));
        assert_ne!(of(&[(1, 0)]), of(&[(1, 1)]));
    }
}
