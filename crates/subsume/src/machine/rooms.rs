//! Accesses by addresses that depend on inputs: look-ups and conditional writes among the places of one
//! object.

use super::{Lost, Machine, lost};
use crate::entry::{At, Room, What, block};
use crate::memory::{RegionKind, parts};
use elsewise_explore::program::{Operand, Program, Register, Step};
use elsewise_term::{Model, Node, Op, TermId, Terms};

/// Places among which one access may go.
const MAX_PLACES: usize = 300;

impl Machine {
    /// The places that an access at this point may go to, where its address depends on inputs and it has
    /// not been asked yet whether it stays inside.
    pub(super) fn room(&mut self, program: &Program, at: At) -> Result<Option<Room>, Lost> {
        let (address, size) = match block(program, at).steps.get(at.step as usize) {
            Some(Step::Load { address, size, .. } | Step::Store { address, size, .. }) => {
                (address, u64::from(*size))
            }
            _ => return Ok(None),
        };
        match self.value(address) {
            Some(value) if self.stage == 0 && !self.terms.is_const(value) => {
                self.places(value, size).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn places(&mut self, address: TermId, size: u64) -> Result<Room, Lost> {
        // With nothing given, it is where the object is, if it is one object's.
        let base = self.terms.eval_bits(address, &Model::default()).low_u64();
        let region = self.memory.region(base, 0);
        let Some(region) = region.filter(|region| size <= region.size) else {
            return lost("an address that depends on inputs, of no object");
        };
        let stride = 1u64 << low_zeros(&self.terms, address).min(16);
        let first = region.address + (base - region.address) % stride;
        let room = Room {
            region,
            size,
            first,
            stride,
        };
        // Where places overlap, which bytes are meant is not said by the place alone.
        if stride < size || room.places().take(MAX_PLACES + 1).count() > MAX_PLACES {
            return lost("an address that may be many");
        }
        Ok(room)
    }

    fn room_of(&mut self, address: &Operand, size: u64) -> Result<(TermId, Room), Lost> {
        match self.value(address) {
            Some(value) => Ok((value, self.places(value, size)?)),
            None => lost("an address of which nothing is known"),
        }
    }

    pub(super) fn load_any(
        &mut self,
        at: At,
        to: Register,
        address: &Operand,
        size: u64,
        width: u32,
    ) -> Result<(), Lost> {
        let (address, room) = self.room_of(address, size)?;
        let mut values = Vec::new();
        for place in room.places() {
            let value = self
                .memory
                .read(&mut self.terms, &room.region, place, size as u32);
            match value {
                Some(value) => values.push(value),
                None => return lost("a look-up among what nobody has written"),
            }
        }
        let value = room.pick(&mut self.terms, address, &values);
        let value = value.map(|value| self.terms.extract(value, 0, width));
        self.note(at, What::LoadAny { room });
        self.set(to, value);
        Ok(())
    }

    pub(super) fn store_any(
        &mut self,
        at: At,
        address: &Operand,
        value: &Operand,
        size: u64,
    ) -> Result<(), Lost> {
        let (address, room) = self.room_of(address, size)?;
        if matches!(room.region.kind, RegionKind::Static { constant: true, .. }) {
            return lost("a write to what is constant");
        }
        let Some(value) = self.value(value) else {
            return lost("a value of which nothing is known");
        };
        let value = self.terms.zero_extend(value, size as u32 * 8);
        let mut changed = Vec::new();
        for place in room.places() {
            let old = self
                .memory
                .read(&mut self.terms, &room.region, place, size as u32);
            let Some(old) = old else {
                return lost("a write among what nobody has written");
            };
            let here = self.terms.bits(64, place);
            let meant = self.terms.eq(address, here);
            changed.push((place, self.terms.ite(meant, value, old)));
        }
        self.note(at, What::StoreAny { room });
        for (place, value) in changed {
            for (byte, address) in parts(Some(value), size as u32).zip(place..) {
                self.put(address, byte);
            }
        }
        Ok(())
    }
}

/// So many low bits are the same whatever is given.
fn low_zeros(terms: &Terms, term: TermId) -> u32 {
    match terms.node(term) {
        // What is added is part of where it begins.
        Node::App(Op::BvAdd, operands) if terms.is_const(operands[1]) => {
            low_zeros(terms, operands[0])
        }
        Node::App(Op::BvAdd | Op::BvSub, operands) => {
            low_zeros(terms, operands[0]).min(low_zeros(terms, operands[1]))
        }
        Node::App(Op::BvMul, operands) => match terms.as_u64(operands[1]) {
            Some(factor) => low_zeros(terms, operands[0]) + factor.trailing_zeros(),
            None => 0,
        },
        Node::App(Op::ZeroExtend | Op::SignExtend, operands) => low_zeros(terms, operands[0]),
        Node::App(Op::Concat, operands) => {
            let low = low_zeros(terms, operands[1]);
            match low == terms.width(operands[1]) {
                true => low + low_zeros(terms, operands[0]),
                false => low,
            }
        }
        Node::Const(bits) => bits.width(),
        _ => 0,
    }
}
