//! Input pointers of a run, and the objects that they may lead to.

use super::{Damaged, Walk, as_bits, damaged};
use elsewise_explore::Group;
use elsewise_term::Op as TermOp;
use elsewise_wire as wire;
use std::sync::Arc;

impl Walk<'_> {
    /// What cases that follow should make of an input pointer.
    pub(super) fn pointer(&mut self, event: wire::Event) -> Result<(), Damaged> {
        let lookup = (u64::from(event.label) < self.memory.counters().nodes)
            .then(|| self.memory.node(event.label))
            .flatten()
            .filter(|node| node.op == wire::Op::Lookup as u8 && node.a < event.label);
        let Some(lookup) = lookup else {
            return damaged("an input pointer that is looked up nowhere");
        };
        self.importer.pointer(event.label);
        let selector = self.import(lookup.a)?.term;
        let terms = &mut *self.terms;
        let selector = as_bits(terms, selector);
        let width = terms.width(selector);
        // Selectors beyond the table are other names for its last entry.
        let last = (lookup.b >> 32).wrapping_sub(1);
        let bound = terms.bits(width, last);
        if terms.as_bits(bound).is_some_and(|b| b.low_u64() == last) {
            let below = terms.compare(TermOp::BvUle, selector, bound);
            self.decoded.bounds.push(below);
        }
        let Some(input) = terms.as_var(selector) else {
            return Ok(());
        };
        let zero = terms.bits(width, 0);
        let mut liked = terms.eq(selector, zero);
        for fresh in 0..u64::from(event.detail) {
            let fresh = terms.bits(width, u64::from(event.value) + fresh);
            let fresh = terms.eq(selector, fresh);
            liked = terms.or(liked, fresh);
        }
        self.decoded.preferences.push((input, liked));
        Ok(())
    }

    /// Objects of which each could as well be any other.
    pub(super) fn pool(&mut self, event: wire::Event) -> Result<(), Damaged> {
        if event.value == 0 || event.value > wire::MAX_ENTRIES {
            return damaged(format!("a pool of {} entries", event.value));
        }
        let size = self.entry(event.label)?;
        let mut firsts = Vec::with_capacity(event.value as usize - 1);
        for entry in 1..event.value {
            firsts.push(self.entry(event.label.wrapping_add(entry))?);
        }
        let group = Group::new(firsts.into(), size);
        Arc::make_mut(self.alike.get_or_insert_default()).add(group);
        Ok(())
    }

    /// An entry of a table that is a number.
    pub(super) fn entry(&self, label: u32) -> Result<u64, Damaged> {
        let entry = (u64::from(label) < self.memory.counters().nodes)
            .then(|| self.memory.node(label))
            .flatten()
            .filter(|node| node.op == wire::Op::Data as u8 && node.a == 0);
        match entry {
            Some(entry) => Ok(entry.b),
            None => damaged(format!("label {label} is no number in a table")),
        }
    }

    /// The object at an address is told apart from now on.
    pub(super) fn take(&mut self, address: u64) {
        if let Some(alike) = &mut self.alike
            && alike.is_like_others(address)
        {
            Arc::make_mut(alike).take(address);
        }
    }
}
