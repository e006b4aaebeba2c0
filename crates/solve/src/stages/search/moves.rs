//! Moves that aim at a condition: which value an operand should have, and which values of inputs
//! give it that, by undoing operators one after the other.

use super::floats;
use super::program::{LEAF, Program};
use elsewise_term::Op;
use elsewise_term::float::{compares, is_float};

/// Ways to undo one condition; each bit of the number is one decision.
pub(super) const VARIANTS: u32 = 8;
/// The other operand of a comparison is moved.
const OTHER_SIDE: u32 = 1;
/// Not just far enough, but to the end of the range.
const FAR_END: u32 = 2;
/// The other operand of an operator is moved.
const OTHER_OPERAND: u32 = 4;

/// Steps of one move.
const MAX_STEPS: usize = 64;

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The inverse of an odd number modulo 2^64.
fn inverse(odd: u64) -> u64 {
    let mut result = odd;
    for _ in 0..5 {
        result = result.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(result)));
    }
    result
}

/// The index of the entry nearest to a value: of several the one nearest to the present index, or
/// farthest in the other variants.
fn index_of(entries: &[u64], value: u64, present: u64, variant: u32) -> Option<u64> {
    let cost = |(index, entry): &(usize, &u64)| {
        let moved = (*index as u64).abs_diff(present);
        let moved = match variant & OTHER_OPERAND == 0 {
            true => moved,
            false => u64::MAX - moved,
        };
        (entry.abs_diff(value), moved)
    };
    let best = entries.iter().enumerate().min_by_key(cost)?;
    Some(best.0 as u64)
}

/// Values of inputs that a move sets.
pub(super) type Move = Vec<(usize, u64)>;

impl Program {
    /// A move that would make a condition hold if its inputs were free, into `found`. Empty if
    /// there is none of this variant.
    pub fn aim(&self, root: u32, variant: u32, found: &mut Move) {
        found.clear();
        let mut logic = vec![(root, true)];
        let mut values = Vec::new();
        let mut steps = 0;
        while let Some((register, want)) = logic.pop() {
            steps += 1;
            if steps > MAX_STEPS || self.registers[register as usize] == u64::from(want) {
                continue;
            }
            let made = self.made_by[register as usize];
            if made == LEAF {
                values.push((register, u64::from(want)));
                continue;
            }
            let step = &self.code[made as usize];
            let [a, b, c] = step.operands;
            match (step.op, want) {
                (Op::Not, _) => logic.push((a, !want)),
                (Op::And, true) | (Op::Or, false) => logic.extend([(a, want), (b, want)]),
                (Op::And | Op::Or, _) => {
                    let far = |register: u32| self.distances[register as usize][want as usize];
                    let first = (far(a) <= far(b)) == (variant & OTHER_OPERAND == 0);
                    logic.push((if first { a } else { b }, want));
                }
                (Op::Xor, _) => {
                    let side = if variant & OTHER_SIDE == 0 { a } else { b };
                    logic.push((side, self.registers[side as usize] == 0));
                }
                (Op::Ite, _) => {
                    let chosen = if self.registers[a as usize] == 1 {
                        b
                    } else {
                        c
                    };
                    match variant & OTHER_OPERAND == 0 {
                        true => logic.push((chosen, want)),
                        false => logic.push((a, self.registers[a as usize] == 0)),
                    }
                }
                _ => values.extend(self.compared(made, want, variant)),
            }
        }
        self.undo(values, variant, found);
    }

    /// Which value an operand of a comparison should have.
    fn compared(&self, made: u32, want: bool, variant: u32) -> Option<(u32, u64)> {
        let step = &self.code[made as usize];
        let [a, b, _] = step.operands;
        let (x, y) = (self.registers[a as usize], self.registers[b as usize]);
        let left = match variant & OTHER_SIDE == 0 {
            _ if self.is_constant(b) => true,
            _ if self.is_constant(a) => false,
            first => first,
        };
        let top = mask(step.inner);
        let (moved, other) = if left { (a, y) } else { (b, x) };
        if compares(step.op) {
            let far = variant & FAR_END != 0;
            return Some((moved, floats::compared(step, other, left, want, far)));
        }
        if step.op == Op::Eq {
            let value = match (want, variant & FAR_END == 0) {
                (true, _) => other,
                (false, true) => other.wrapping_add(1) & top,
                (false, false) => other.wrapping_sub(1) & top,
            };
            return Some((moved, value));
        }
        // The least and the greatest value in the order of the comparison.
        let (least, greatest) = match step.op {
            Op::BvUlt | Op::BvUle => (0, top),
            Op::BvSlt | Op::BvSle => (top ^ top >> 1, top >> 1),
            _ => return None,
        };
        let strict = matches!(step.op, Op::BvUlt | Op::BvSlt);
        // `a < b`, or its opposite `b <= a`: whether the moved operand goes down, and whether it
        // may stop at the other's value.
        let (down, touch) = (left == want, strict != want);
        let near = match (touch, down) {
            (true, _) => other,
            (false, true) if other != least => other.wrapping_sub(1) & top,
            (false, false) if other != greatest => other.wrapping_add(1) & top,
            _ => return None,
        };
        Some((
            moved,
            match (variant & FAR_END == 0, down) {
                (true, _) => near,
                (false, true) => least,
                (false, false) => greatest,
            },
        ))
    }

    /// Values of inputs that give these registers these values, operands on the way kept as they
    /// are where only one has to move.
    fn undo(&self, mut work: Vec<(u32, u64)>, variant: u32, found: &mut Move) {
        let mut steps = 0;
        while let Some((register, value)) = work.pop() {
            steps += 1;
            if steps > MAX_STEPS {
                return;
            }
            let value = value & mask(self.widths[register as usize]);
            if self.registers[register as usize] == value {
                continue;
            }
            let input = self.input_of[register as usize];
            if input != LEAF {
                found.retain(|(other, _)| *other != input as usize);
                found.push((input as usize, value));
                continue;
            }
            let made = self.made_by[register as usize];
            if made == LEAF {
                continue;
            }
            self.undo_step(made, value, variant, &mut work);
        }
    }

    fn undo_step(&self, made: u32, value: u64, variant: u32, work: &mut Vec<(u32, u64)>) {
        let step = &self.code[made as usize];
        let [a, b, c] = step.operands;
        let at = |register: u32| self.registers[register as usize];
        let width = |register: u32| self.widths[register as usize];
        // Which of two operands moves.
        let first = match variant & OTHER_OPERAND == 0 {
            _ if self.is_constant(b) => true,
            _ if self.is_constant(a) => false,
            first => first,
        };
        let (moved, kept) = if first { (a, at(b)) } else { (b, at(a)) };
        match step.op {
            Op::BvNot => work.push((a, !value)),
            Op::BvNeg => work.push((a, value.wrapping_neg())),
            Op::BvAdd => work.push((moved, value.wrapping_sub(kept))),
            Op::BvSub if first => work.push((a, value.wrapping_add(kept))),
            Op::BvSub => work.push((b, kept.wrapping_sub(value))),
            Op::BvXor => work.push((moved, value ^ kept)),
            // Bits that the kept operand decides stay as they are.
            Op::BvAnd => work.push((moved, at(moved) & !kept | value & kept)),
            Op::BvOr => work.push((moved, at(moved) & kept | value & !kept)),
            Op::BvMul if kept % 2 == 1 => {
                work.push((moved, value.wrapping_mul(inverse(kept))));
            }
            Op::BvMul => {
                if let Some(quotient) = value.checked_div(kept) {
                    work.push((moved, quotient));
                }
            }
            Op::BvUDiv | Op::BvSDiv if first => {
                let rest = at(a).checked_rem(at(b)).unwrap_or(0);
                let exact = value.wrapping_mul(at(b));
                work.push((a, exact.wrapping_add(rest)));
            }
            Op::BvURem | Op::BvSRem if first => {
                let rest = at(a).checked_rem(at(b)).unwrap_or(0);
                work.push((a, at(a).wrapping_sub(rest).wrapping_add(value)));
            }
            Op::BvShl if first && at(b) < 64 => work.push((a, value >> at(b))),
            Op::BvLShr | Op::BvAShr if first && at(b) < 64 => work.push((a, value << at(b))),
            Op::Concat => {
                let low = width(b);
                work.push((a, value >> low));
                work.push((b, value));
            }
            Op::Extract { low } => {
                let part = mask(step.width) << low;
                work.push((a, at(a) & !part | value << low));
            }
            Op::ZeroExtend | Op::SignExtend => work.push((a, value)),
            Op::Lookup { .. } => {
                let entries = step.entries.as_deref().unwrap_or_default();
                let within = mask(width(a)).saturating_add(1) as usize;
                let entries = &entries[..entries.len().min(within)];
                work.extend(index_of(entries, value, at(a), variant).map(|index| (a, index)));
            }
            Op::Ite => {
                let (chosen, other) = if at(a) == 1 { (b, c) } else { (c, b) };
                if self.is_constant(chosen) || variant & OTHER_OPERAND != 0 {
                    // The condition has to change; what it is made of is found next time round.
                    if at(other) == value && self.input_of[a as usize] != LEAF {
                        work.push((a, at(a) ^ 1));
                    } else if let Some((operand, value)) = self.flipped(a) {
                        work.push((operand, value));
                    }
                } else {
                    work.push((chosen, value));
                }
            }
            op if is_float(op) => self.undo_float(step, value, first, work),
            _ => {}
        }
    }

    /// A value of an operand that turns a comparison round.
    fn flipped(&self, mut register: u32) -> Option<(u32, u64)> {
        loop {
            let made = self.made_by[register as usize];
            if made == LEAF {
                return None;
            }
            let step = &self.code[made as usize];
            if step.op != Op::Not {
                let want = self.registers[register as usize] == 0;
                return self.compared(made, want, 0);
            }
            register = step.operands[0];
        }
    }
}
