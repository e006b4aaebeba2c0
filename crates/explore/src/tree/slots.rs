//! Where the tree keeps what it knows of alternatives: one word each, and the counts that depend on them.

use super::{Attach, Item, Kind, PositionId, Reason, State, Step, Tree};
use crate::{ALTERNATIVE_OTHER, SiteId};
use std::ops::Range;

impl Tree {
    pub(super) fn slot_range(&self, position: PositionId) -> Range<usize> {
        let index = position.0 as usize;
        let end = self.first_slots.get(index + 1);
        self.first_slots[index] as usize..end.map_or(self.slots.len(), |end| *end as usize)
    }

    pub(super) fn alternatives(&self, position: PositionId) -> u32 {
        match self.kind(position) {
            kind if kind.is_table() => 0,
            _ => self.slot_range(position).len() as u32,
        }
    }

    pub(super) fn has(&self, position: PositionId, taken: u64) -> bool {
        let alternatives = u64::from(self.alternatives(position));
        self.kind(position).is_table() || taken < alternatives
    }

    pub(super) fn value_table(&self, position: PositionId) -> &[(u64, u32)] {
        let slot = self.first_slots[position.0 as usize] as usize + 1;
        &self.values[self.slots[slot] as usize]
    }

    /// Index of the slot with the state of a frontier alternative.
    pub(super) fn frontier_slot(&self, item: Item) -> Option<usize> {
        let range = self.slot_range(item.position);
        match self.kind(item.position) {
            kind if kind.is_table() => {
                (item.alternative == ALTERNATIVE_OTHER).then_some(range.start)
            }
            _ => {
                let offset = usize::try_from(item.alternative).ok()?;
                (offset < range.len()).then(|| range.start + offset)
            }
        }
    }

    /// What is below a taken alternative; `None` for a value that nobody took.
    pub(super) fn below(&self, attach: Attach) -> Option<State> {
        let Some(position) = attach.position else {
            return Some(State::unpack(self.root));
        };
        if self.kind(position).is_table() {
            let table = self.value_table(position);
            let found = table.iter().find(|(value, _)| *value == attach.taken);
            return found.map(|(_, word)| State::unpack(*word));
        }
        self.state(Item {
            position,
            alternative: attach.taken,
        })
    }

    pub(super) fn push(&mut self, run: u32, depth: u32, step: &Step) -> PositionId {
        let position = PositionId(self.positions());
        let untaken = match self.bounds.depth {
            _ if step.asleep || step.kind == Kind::Thread => State::Unwanted,
            Some(bound) if depth >= bound => State::GaveUp(Reason::Depth),
            _ => State::Open,
        };
        grow(&mut self.sites, step.site);
        grow(&mut self.kinds, step.kind);
        self.threads |= step.kind == Kind::Thread;
        grow(&mut self.depths, depth);
        grow(&mut self.witnesses, run);
        let first = self.slots.len();
        grow(&mut self.first_slots, first as u32);
        if step.kind.is_table() {
            self.add_slot(step.site, untaken);
            grow(&mut self.slots, self.values.len() as u32);
            grow(&mut self.values, Vec::with_capacity(1));
            return position;
        }
        for alternative in 0..step.alternatives {
            let unwanted = alternative == 1
                && match step.kind {
                    Kind::Assume => true,
                    Kind::Question => !self.may_ask(step.site),
                    _ => false,
                };
            let state = if unwanted { State::Unwanted } else { untaken };
            self.add_slot(step.site, state);
        }
        position
    }

    /// Is one more question of the site worth asking?
    fn may_ask(&mut self, site: SiteId) -> bool {
        let asked = self.asked.entry(site).or_default();
        *asked += 1;
        *asked <= self.bounds.questions
    }

    fn add_slot(&mut self, site: SiteId, state: State) {
        // Unwanted is the one state that is not counted, so changing from it counts once.
        grow(&mut self.slots, State::Unwanted.pack());
        self.put(self.slots.len() - 1, site, state);
    }

    /// Sets what is below a taken alternative; the position if it is a value choice's new value.
    pub(super) fn link(&mut self, attach: Attach, state: State) -> Option<PositionId> {
        let Some(position) = attach.position else {
            self.root = state.pack();
            return None;
        };
        let site = self.site(position);
        let range = self.slot_range(position);
        if !self.kind(position).is_table() {
            self.put(range.start + attach.taken as usize, site, state);
            return None;
        }
        let table = &mut self.values[self.slots[range.start + 1] as usize];
        if let Some(entry) = table.iter_mut().find(|(value, _)| *value == attach.taken) {
            entry.1 = state.pack();
            return None;
        }
        table.push((attach.taken, state.pack()));
        Some(position)
    }

    /// Changes a slot and the counts that depend on it.
    pub(super) fn put(&mut self, slot: usize, site: SiteId, state: State) {
        match State::unpack(self.slots[slot]) {
            State::Open => self.open -= 1,
            State::Claimed => self.claimed -= 1,
            State::Subsumed => self.subsumed -= 1,
            State::GaveUp(reason) => {
                if let Some(count) = self.given_up.get_mut(&(reason, site)) {
                    *count -= 1;
                    if *count == 0 {
                        self.given_up.remove(&(reason, site));
                    }
                }
            }
            _ => {}
        }
        match state {
            State::Open => self.open += 1,
            State::Claimed => self.claimed += 1,
            State::Subsumed => self.subsumed += 1,
            State::GaveUp(reason) => *self.given_up.entry((reason, site)).or_default() += 1,
            _ => {}
        }
        self.slots[slot] = state.pack();
    }
}

/// Pushes; grows by a quarter instead of doubling, since these arrays are most of the memory of a
/// long campaign.
pub(super) fn grow<T>(array: &mut Vec<T>, value: T) {
    if array.len() == array.capacity() {
        array.reserve_exact(array.len() / 4 + 64);
    }
    array.push(value);
}
