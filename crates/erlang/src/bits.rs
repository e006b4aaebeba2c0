//! Binaries as terms: their length, their bits, and those whose length is settled.

use crate::run::Run;
use crate::value::binary::{Binary, Byte, gather};
use elsewise_term::{Op, TermId};
use std::sync::Arc;

impl Run<'_> {
    /// Length of a binary in bits.
    pub fn length(&mut self, binary: &Binary) -> TermId {
        let width = self.inputs.length_bits();
        match binary {
            Binary::Rest { node, from } => {
                let length = self.inputs.length(self.terms, *node);
                let from = self.terms.bits(width, *from as u64);
                self.terms.bv(Op::BvSub, &[length, from])
            }
            known => {
                let len = known.len().unwrap_or(0) as u64;
                self.terms.bits(width, len.min(0xffff))
            }
        }
    }

    /// Bits of a binary as one term, whether they are there or not.
    pub fn bits_of(&mut self, binary: &Binary, at: usize, size: usize) -> Option<TermId> {
        let Binary::Rest { node, from } = binary else {
            return binary.bits(self.terms, at, size);
        };
        if size == 0 || from + at + size > 0xffff {
            return None;
        }
        let (node, from) = (*node, *from);
        let inputs = &mut self.inputs;
        gather(self.terms, from + at, size, |terms, index| {
            inputs.byte(terms, node, index as u32)
        })
    }

    /// A binary with its length settled.
    pub fn whole(&mut self, site: u32, binary: &Binary) -> Binary {
        let Binary::Rest { node, from } = binary else {
            return binary.clone();
        };
        let length = self.length(binary);
        let length = self.fix(site, length);
        let len = self.terms.as_u64(length).unwrap_or(0) as usize;
        let bytes = (from + len).div_ceil(8);
        let data: Vec<Byte> = (0..bytes)
            .map(|index| Byte::Term(self.inputs.byte(self.terms, *node, index as u32)))
            .collect();
        Binary::Mixed {
            data: Arc::from(data),
            from: *from,
            len,
        }
    }
}
