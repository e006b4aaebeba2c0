//! All traces merged by common prefix.
//!
//! A *position* is a point of the tree where a choice is made. Positions live in flat arrays with
//! 32-bit ids, given in order of insertion, so a trace's new positions are one range and inserting
//! the same traces in the same order gives the same ids: that is how a store refers to them. A
//! two-way choice takes 25 bytes with both of its alternatives. No condition is kept: a position
//! knows its site and one run, its *witness*, that passes through it; running that run's case
//! again gives the conditions. Nothing here recurses.

mod asleep;
mod close;
mod slots;
mod state;
mod step;

pub use state::{Reason, State};
pub use step::{Kind, LeafEnd, Step};

use crate::{ALTERNATIVE_OTHER, SiteId, Trace};
use slots::grow;
use state::PAYLOAD;
use std::collections::BTreeMap;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionId(pub u32);

/// One way out of one position: what the frontier consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item {
    pub position: PositionId,
    pub alternative: u64,
}

/// Limits that the tree applies by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Alternatives of choices at this index and beyond are given up.
    pub depth: Option<u32>,
    /// Values of one choice beyond which further ones are given up.
    pub values: u32,
    /// How often a question of one site is asked.
    pub questions: u32,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            depth: None,
            values: 256,
            questions: 8,
        }
    }
}

/// Where a new part of the tree hangs: at an alternative, or at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attach {
    pub position: Option<PositionId>,
    pub taken: u64,
}

impl Attach {
    /// Where the tree begins.
    pub const ROOT: Attach = Attach {
        position: None,
        taken: 0,
    };
}

/// What inserting a trace did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inserted {
    /// No earlier trace made the same choices.
    pub new_path: bool,
    pub leaf: Option<u32>,
    /// Where the new part hangs, when there is one.
    pub attach: Option<Attach>,
    /// Index of the first choice at a new position; the number of choices if there is none.
    pub first_new_choice: u32,
    pub new_positions: Range<u32>,
    /// The position at which a value choice got one more value.
    pub new_value: Option<PositionId>,
    /// Index of the first choice that contradicts what the tree has at the same prefix, or that
    /// has an impossible alternative: the trace is not in the tree from there on.
    pub diverged: Option<u32>,
    /// The end of the new part, as the tree keeps it.
    pub end: LeafEnd,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TreeError {
    #[error("a trace hangs at a place that the tree does not have")]
    Attach,
}

#[derive(Clone, Copy)]
struct Leaf {
    run: u32,
    end: LeafEnd,
}

/// See the module's comment.
pub struct Tree {
    bounds: Bounds,
    root: u32,
    sites: Vec<SiteId>,
    kinds: Vec<Kind>,
    depths: Vec<u32>,
    witnesses: Vec<u32>,
    /// Where a position's slots begin; they end where the next position's begin.
    first_slots: Vec<u32>,
    /// One word per alternative. A value has two: the state of "any other value", and the index
    /// of its taken values in `values`.
    slots: Vec<u32>,
    values: Vec<Vec<(u64, u32)>>,
    leaves: Vec<Leaf>,
    paths: u64,
    apart: u64,
    open: u64,
    claimed: u64,
    subsumed: u64,
    given_up: BTreeMap<(Reason, SiteId), u64>,
    /// How often each site's question is in the tree to be asked.
    asked: BTreeMap<SiteId, u32>,
    threads: bool,
}

impl Tree {
    pub fn new(bounds: Bounds) -> Tree {
        Tree {
            bounds,
            root: State::Open.pack(),
            sites: Vec::new(),
            kinds: Vec::new(),
            depths: Vec::new(),
            witnesses: Vec::new(),
            first_slots: Vec::new(),
            slots: Vec::new(),
            values: Vec::new(),
            leaves: Vec::new(),
            paths: 0,
            apart: 0,
            open: 0,
            claimed: 0,
            subsumed: 0,
            given_up: BTreeMap::new(),
            asked: BTreeMap::new(),
            threads: false,
        }
    }

    /// The limits that it applies.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// What inserting a trace does that is there already.
    pub fn nothing_new(&self) -> Inserted {
        self.same(0, None)
    }

    /// Did any run have threads?
    pub fn has_threads(&self) -> bool {
        self.threads
    }

    /// Number of positions; their ids are below it.
    pub fn positions(&self) -> u32 {
        self.sites.len() as u32
    }

    /// Number of distinct traces in the tree whose run did not end at an assumption.
    pub fn paths(&self) -> u64 {
        self.paths
    }

    /// Number of inserted traces that contradicted the tree.
    pub fn apart(&self) -> u64 {
        self.apart
    }

    /// Number of alternatives in the frontier, claimed ones included.
    pub fn frontier(&self) -> u64 {
        self.open + self.claimed
    }

    /// Number of alternatives in the frontier that nobody is at work on.
    pub fn open(&self) -> u64 {
        self.open
    }

    /// Number of alternatives that are closed since nothing new lies there.
    pub fn subsumed(&self) -> u64 {
        self.subsumed
    }

    /// Alternatives that are given up now, by reason and site.
    pub fn given_up(&self) -> &BTreeMap<(Reason, SiteId), u64> {
        &self.given_up
    }

    /// Every alternative was taken, proved infeasible or is unwanted, and no trace contradicted
    /// another.
    pub fn is_complete(&self) -> bool {
        self.root != State::Open.pack()
            && self.frontier() == 0
            && self.given_up.is_empty()
            && self.apart == 0
    }

    pub fn site(&self, position: PositionId) -> SiteId {
        self.sites[position.0 as usize]
    }

    pub fn kind(&self, position: PositionId) -> Kind {
        self.kinds[position.0 as usize]
    }

    /// Index of the position's choice in the traces that pass through it.
    pub fn depth(&self, position: PositionId) -> u32 {
        self.depths[position.0 as usize]
    }

    /// A run that passes through the position.
    pub fn witness(&self, position: PositionId) -> u32 {
        self.witnesses[position.0 as usize]
    }

    /// The run that made a leaf.
    pub fn leaf_run(&self, leaf: u32) -> u32 {
        self.leaves[leaf as usize].run
    }

    /// Values that runs took at a value choice.
    pub fn taken_values(&self, position: PositionId) -> impl Iterator<Item = u64> + '_ {
        let values = match self.kind(position) {
            kind if kind.is_table() => self.value_table(position),
            _ => &[],
        };
        values.iter().map(|(value, _)| *value)
    }

    /// What the tree begins with.
    pub fn root(&self) -> State {
        State::unpack(self.root)
    }

    /// All ways out of a position with what is known of each: its alternatives, or the values that
    /// runs took and then [`ALTERNATIVE_OTHER`], or the threads that runs chose.
    pub fn ways(&self, position: PositionId) -> impl Iterator<Item = (u64, State)> + '_ {
        let range = self.slot_range(position);
        let kind = self.kind(position);
        let is_value = kind == Kind::Value;
        let values = match kind.is_table() {
            true => self.value_table(position),
            false => &[],
        };
        let last = match kind {
            Kind::Value => range.start + 1,
            Kind::Thread => range.start,
            _ => range.end,
        };
        let slots = self.slots[range.start..last].iter().zip(0..);
        values
            .iter()
            .copied()
            .chain(slots.map(move |(word, at)| {
                let alternative = if is_value { ALTERNATIVE_OTHER } else { at };
                (alternative, *word)
            }))
            .map(|(alternative, word)| (alternative, State::unpack(word)))
    }

    /// How the trace of a leaf ended.
    pub fn leaf_end(&self, leaf: u32) -> LeafEnd {
        self.leaves[leaf as usize].end
    }

    /// State of an alternative; for a value, [`ALTERNATIVE_OTHER`] is "any other value".
    pub fn state(&self, item: Item) -> Option<State> {
        if item.position.0 >= self.positions() {
            return None;
        }
        let slot = self.frontier_slot(item)?;
        Some(State::unpack(self.slots[slot]))
    }

    /// The first alternative at or after `from` that is open.
    pub fn next_open(&self, position: PositionId, from: u64) -> Option<u64> {
        let range = self.slot_range(position);
        if self.kind(position).is_table() {
            return (self.slots[range.start] == 0).then_some(ALTERNATIVE_OTHER);
        }
        let first = range.start;
        let from = first + usize::try_from(from).ok()?.min(range.len());
        (from..range.end)
            .find(|slot| self.slots[*slot] == 0)
            .map(|slot| (slot - first) as u64)
    }

    /// Takes an open alternative out of others' reach; false if it is not open.
    pub fn claim(&mut self, item: Item) -> bool {
        self.change(item, State::Open, State::Claimed)
    }

    /// Gives a claimed alternative back to the frontier.
    pub fn release(&mut self, item: Item) -> bool {
        self.change(item, State::Claimed, State::Open)
    }

    /// A choice of a value of which as many were taken as are wanted.
    pub fn is_full(&self, position: PositionId) -> bool {
        self.kind(position) == Kind::Value
            && self.value_table(position).len() >= self.bounds.values as usize
    }

    /// Closes an alternative of the frontier; false if it is not in the frontier any more.
    pub fn close(&mut self, item: Item, verdict: State) -> bool {
        debug_assert!(!verdict.is_taken());
        self.change(item, State::Claimed, verdict) || self.change(item, State::Open, verdict)
    }

    fn change(&mut self, item: Item, from: State, to: State) -> bool {
        if self.state(item) != Some(from) {
            return false;
        }
        if let Some(slot) = self.frontier_slot(item) {
            self.put(slot, self.site(item.position), to);
        }
        true
    }

    /// Merges a trace.
    pub fn insert(&mut self, run: u32, trace: &Trace) -> Inserted {
        let steps = trace.choices.iter().map(Step::from);
        self.insert_steps(run, steps, LeafEnd::of(trace))
    }

    /// Merges a trace given as the tree sees it.
    pub fn insert_steps(
        &mut self,
        run: u32,
        steps: impl Iterator<Item = Step>,
        end: LeafEnd,
    ) -> Inserted {
        self.insert_below(run, Attach::ROOT, steps, end)
    }

    /// Merges a trace of which only the steps behind an alternative that the tree has are given.
    pub fn insert_below(
        &mut self,
        run: u32,
        mut attach: Attach,
        mut steps: impl Iterator<Item = Step>,
        end: LeafEnd,
    ) -> Inserted {
        let mut index = attach
            .position
            .map_or(0, |position| self.depth(position) + 1);
        let mut pending = loop {
            let step = steps.next();
            let below = match self.below(attach) {
                Some(State::Position(below)) => below,
                Some(State::Leaf(leaf)) => match step {
                    None => return self.same(index, Some(leaf)),
                    Some(_) if self.leaves[leaf as usize].end.cut => break step,
                    Some(_) => return self.contradiction(index),
                },
                _ => break step,
            };
            let Some(step) = step else {
                return match end.cut {
                    true => self.same(index, None),
                    false => self.contradiction(index),
                };
            };
            if !self.agrees(below, &step) {
                return self.contradiction(index);
            }
            attach = Attach {
                position: Some(below),
                taken: step.taken,
            };
            index += 1;
        };
        let rest = std::iter::from_fn(|| pending.take().or_else(|| steps.next()));
        match self.attach(run, attach, rest, end) {
            Ok(inserted) => inserted,
            Err(TreeError::Attach) => self.contradiction(index),
        }
    }

    /// Hangs the new part of a trace where an earlier [`Tree::insert`] said it belongs. With
    /// the same calls in the same order, positions get the same ids.
    pub fn attach(
        &mut self,
        run: u32,
        attach: Attach,
        steps: impl Iterator<Item = Step>,
        end: LeafEnd,
    ) -> Result<Inserted, TreeError> {
        let mut depth = 0;
        if let Some(position) = attach.position {
            let known = position.0 < self.positions();
            if !known || !self.has(position, attach.taken) {
                return Err(TreeError::Attach);
            }
            depth = self.depth(position) + 1;
        }
        match self.below(attach) {
            Some(State::Position(_)) => return Err(TreeError::Attach),
            Some(State::Leaf(leaf)) => {
                let old = self.leaves[leaf as usize].end;
                if !old.cut {
                    return Err(TreeError::Attach);
                }
                self.paths -= u64::from(!old.assumed);
            }
            _ => {}
        }
        let first_new_choice = depth;
        let first_position = self.positions();
        let mut new_value = None;
        let mut at = attach;
        let mut diverged = None;
        for step in steps {
            let slots = self.slots.len() as u64 + u64::from(step.alternatives.max(2));
            let full = self.positions() >= PAYLOAD || slots > u64::from(u32::MAX);
            if full || !step.is_sound() {
                diverged = Some(depth);
                self.apart += 1;
                break;
            }
            let position = self.push(run, depth, &step);
            new_value = new_value.or(self.link(at, State::Position(position)));
            at = Attach {
                position: Some(position),
                taken: step.taken,
            };
            depth += 1;
        }
        let end = LeafEnd {
            cut: end.cut || diverged.is_some(),
            ..end
        };
        let leaf = self.leaves.len() as u32;
        if leaf < PAYLOAD {
            grow(&mut self.leaves, Leaf { run, end });
            self.paths += u64::from(!end.assumed);
            new_value = new_value.or(self.link(at, State::Leaf(leaf)));
        }
        Ok(Inserted {
            new_path: true,
            leaf: Some(leaf),
            attach: Some(attach),
            first_new_choice,
            new_positions: first_position..self.positions(),
            new_value: new_value.filter(|position| position.0 < first_position),
            diverged,
            end,
        })
    }

    /// Counts a run that contradicted the tree, for a tree that is made anew from a store.
    pub fn note_apart(&mut self) {
        self.apart += 1;
    }

    /// The position at which the choice `index` of these steps is made, if they follow the tree.
    pub fn find(&self, mut steps: impl Iterator<Item = Step>, index: u32) -> Option<PositionId> {
        let mut attach = Attach::ROOT;
        for _ in 0..=index {
            let State::Position(below) = self.below(attach)? else {
                return None;
            };
            let step = steps.next()?;
            if !self.agrees(below, &step) {
                return None;
            }
            attach = Attach {
                position: Some(below),
                taken: step.taken,
            };
        }
        attach.position
    }

    /// The positions at which these steps make their choices, as far as they follow the tree.
    pub fn path(&self, steps: impl Iterator<Item = Step>) -> Vec<PositionId> {
        self.path_below(Attach::ROOT, steps)
    }

    /// The same of steps behind an alternative that the tree has.
    pub fn path_below(
        &self,
        mut attach: Attach,
        steps: impl Iterator<Item = Step>,
    ) -> Vec<PositionId> {
        let mut path = Vec::new();
        for step in steps {
            match self.below(attach) {
                Some(State::Position(below)) if self.agrees(below, &step) => {
                    path.push(below);
                    attach = Attach {
                        position: Some(below),
                        taken: step.taken,
                    };
                }
                _ => break,
            }
        }
        path
    }

    /// Bytes that the tree holds.
    pub fn memory(&self) -> usize {
        let per_position = size_of::<SiteId>() + size_of::<Kind>() + 3 * size_of::<u32>();
        self.sites.capacity() * per_position
            + self.slots.capacity() * size_of::<u32>()
            + self.leaves.capacity() * size_of::<Leaf>()
            + self.values.capacity() * size_of::<Vec<(u64, u32)>>()
            + self
                .values
                .iter()
                .map(|values| values.capacity() * size_of::<(u64, u32)>())
                .sum::<usize>()
    }

    fn same(&self, index: u32, leaf: Option<u32>) -> Inserted {
        Inserted {
            new_path: false,
            leaf,
            attach: None,
            first_new_choice: index,
            new_positions: self.positions()..self.positions(),
            new_value: None,
            diverged: None,
            end: LeafEnd {
                assumed: false,
                cut: true,
            },
        }
    }

    fn contradiction(&mut self, index: u32) -> Inserted {
        self.apart += 1;
        Inserted {
            diverged: Some(index),
            ..self.same(index, None)
        }
    }

    /// Is it the same choice as the one at the position?
    fn agrees(&self, position: PositionId, step: &Step) -> bool {
        step.site == self.site(position)
            && step.kind == self.kind(position)
            && step.alternatives == self.alternatives(position)
            && step.is_sound()
    }
}
