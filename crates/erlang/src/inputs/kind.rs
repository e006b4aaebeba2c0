//! Which kind a part of the inputs has, and which it can have.

use super::{Inputs, Node};
use crate::kinds::*;
use crate::value::NodeId;
use elsewise_term::{Bits, TermId, Terms};

impl Inputs<'_> {
    /// Kinds that a part may have by each of its types: those without parts where it is too deep.
    fn masks(&self, node: &Node) -> Vec<u16> {
        let members = node.members.iter();
        let masks: Vec<u16> = members
            .map(|(_, member)| mask_of(self.types.get(*member)))
            .collect();
        let deep = node.nesting >= self.limits.depth || node.place >= self.limits.depth;
        let keep = match deep && masks.iter().any(|mask| mask & LEAVES != 0) {
            true => LEAVES,
            false => u16::MAX,
        };
        masks.into_iter().map(|mask| mask & keep).collect()
    }

    pub fn kind(&mut self, terms: &mut Terms, id: NodeId) -> TermId {
        if let Some(kind) = self.nodes[id.0 as usize].kind {
            return kind;
        }
        let node = &self.nodes[id.0 as usize];
        let masks = self.masks(node);
        let now = kind_of(&node.present);
        let all = masks.iter().fold(1 << now as u16, |all, mask| all | mask);
        let term = if all.count_ones() == 1 {
            terms.bits(KIND_BITS, now as u64)
        } else {
            let key = Field::Kind.key(node.key);
            let now = Bits::new(KIND_BITS, now as u64);
            let kind = self.variable(terms, key, KIND_BITS, now);
            let mut masks = masks.into_iter();
            self.bound(terms, id, Field::Kind, |terms, _| {
                let mask = masks.next().unwrap_or(0);
                one_of(
                    terms,
                    kind,
                    KIND_BITS,
                    (0..16).filter(|bit| mask >> bit & 1 == 1),
                )
            });
            kind
        };
        let node = &mut self.nodes[id.0 as usize];
        (node.kind, node.mask) = (Some(term), all);
        term
    }

    /// The only kind that it can have.
    pub fn only_kind(&mut self, terms: &mut Terms, id: NodeId) -> Option<Kind> {
        let kind = self.kind(terms, id);
        terms.as_u64(kind).map(|kind| KINDS[kind as usize])
    }

    pub fn is(&mut self, terms: &mut Terms, id: NodeId, kind: Kind) -> TermId {
        let have = self.kind(terms, id);
        let want = terms.bits(KIND_BITS, kind as u64);
        terms.eq(have, want)
    }

    pub fn is_number(&mut self, terms: &mut Terms, id: NodeId) -> TermId {
        let is_int = self.is(terms, id, Kind::Int);
        let is_float = self.is(terms, id, Kind::Float);
        let numbers = 1 << Kind::Int as u16 | 1 << Kind::Float as u16;
        match self.nodes[id.0 as usize].mask {
            // Its types rule out all else, which need not be asked of anybody.
            mask if mask != 0 && mask & !numbers == 0 => terms.bool(true),
            _ => terms.or(is_int, is_float),
        }
    }
}
