//! Rules for bitwise operators and shifts.

use crate::{Bits, Op, TermId, Terms};

impl Terms {
    pub(super) fn simplify_unary(&mut self, op: Op, a: TermId) -> Option<TermId> {
        if op == Op::BvNeg {
            return self.simplify_neg(a);
        }
        if let Some(x) = self.as_unary(a, Op::BvNot) {
            return Some(x);
        }
        // ~(x + k) = -1 - k - x, and ~(k - x) = x - 1 - k.
        if let Some(x) = self.as_unary(a, Op::BvNeg) {
            let minus = Bits::ones(self.width(x));
            return Some(self.add_bits(x, minus));
        }
        if self.width(a) == 1
            && let Some((c, _, _)) = self.as_truth(a)
        {
            let not = self.not(c);
            return Some(self.bool_to_bits(not));
        }
        None
    }

    /// `ite(c, 1, 0)` of width 1.
    fn as_truth(&self, a: TermId) -> Option<(TermId, TermId, TermId)> {
        let (c, x, y) = self.as_ite(a)?;
        (self.as_u64(x) == Some(1) && self.as_u64(y) == Some(0)).then_some((c, x, y))
    }

    pub(super) fn simplify_bitwise(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if let Some(k) = self.as_bits(b) {
            match op {
                Op::BvAnd if k.is_zero() => return Some(b),
                Op::BvAnd if k.is_ones() => return Some(a),
                Op::BvOr | Op::BvXor if k.is_zero() => return Some(a),
                Op::BvOr if k.is_ones() => return Some(b),
                Op::BvXor if k.is_ones() => return Some(self.bv(Op::BvNot, &[a])),
                _ => {}
            }
            if let Some((x, k1)) = self.as_with_constant(a, op) {
                let k = self.constant(match op {
                    Op::BvAnd => k.and(&k1),
                    Op::BvOr => k.or(&k1),
                    _ => k.xor(&k1),
                });
                return Some(self.bv(op, &[x, k]));
            }
            return self.bitwise_constant(op, a, k);
        }
        if a == b {
            return Some(match op {
                Op::BvXor => self.constant(Bits::zero(width)),
                _ => a,
            });
        }
        let opposite =
            self.as_unary(a, Op::BvNot) == Some(b) || self.as_unary(b, Op::BvNot) == Some(a);
        if opposite {
            return Some(self.constant(match op {
                Op::BvAnd => Bits::zero(width),
                _ => Bits::ones(width),
            }));
        }
        if width == 1
            && let (Some((x, ..)), Some((y, ..))) = (self.as_truth(a), self.as_truth(b))
        {
            let both = match op {
                Op::BvAnd => self.and(x, y),
                Op::BvOr => self.or(x, y),
                _ => self.xor(x, y),
            };
            return Some(self.bool_to_bits(both));
        }
        if op == Op::BvXor {
            // x ^ (x ^ y) = y
            for (whole, part) in [(a, b), (b, a)] {
                if let Some((x, y)) = self.as_binary(whole, Op::BvXor) {
                    if x == part {
                        return Some(y);
                    }
                    if y == part {
                        return Some(x);
                    }
                }
            }
        }
        if let (Some(x), Some(y)) = (
            self.as_unary(a, Op::ZeroExtend),
            self.as_unary(b, Op::ZeroExtend),
        ) && self.width(x) == self.width(y)
        {
            let narrow = self.bv(op, &[x, y]);
            return Some(self.zero_extend(narrow, width));
        }
        match op {
            Op::BvAnd => None,
            _ => self.join_disjoint(a, b),
        }
    }

    /// A bitwise operator with a constant that is neither zero nor all ones.
    fn bitwise_constant(&mut self, op: Op, a: TermId, k: Bits) -> Option<TermId> {
        let width = self.width(a);
        if width == 1 {
            return None;
        }
        if op == Op::BvAnd {
            let low = k.trailing_zeros();
            let high = k.bit_length();
            if k.lshr_by(low).trailing_ones() == high - low {
                // One run of ones: those bits, zeros around them.
                let middle = self.extract(a, low, high - low);
                let shifted = match low {
                    0 => middle,
                    _ => {
                        let zeros = self.constant(Bits::zero(low));
                        self.concat(middle, zeros)
                    }
                };
                return Some(self.zero_extend(shifted, width));
            }
        }
        if let Some(x) = self.as_unary(a, Op::ZeroExtend) {
            let narrow = self.width(x);
            if op == Op::BvAnd || k.bit_length() <= narrow {
                let k = self.constant(k.extract(0, narrow));
                let inner = self.bv(op, &[x, k]);
                return Some(self.zero_extend(inner, width));
            }
        }
        match op {
            Op::BvAnd => None,
            _ => {
                let k = self.constant(k);
                self.join_disjoint(a, k)
            }
        }
    }

    /// `a << by`, made of parts.
    pub(super) fn shift_left(&mut self, a: TermId, by: u32) -> TermId {
        let width = self.width(a);
        if by == 0 {
            return a;
        }
        if by >= width {
            return self.constant(Bits::zero(width));
        }
        let kept = self.extract(a, 0, width - by);
        let zeros = self.constant(Bits::zero(by));
        self.concat(kept, zeros)
    }

    /// `a >> by`, zeros coming in.
    pub(super) fn shift_right(&mut self, a: TermId, by: u32) -> TermId {
        let width = self.width(a);
        if by >= width {
            return self.constant(Bits::zero(width));
        }
        let kept = self.extract(a, by, width - by);
        self.zero_extend(kept, width)
    }

    pub(super) fn simplify_shift(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if let Some(k) = self.as_bits(a)
            && (k.is_zero() || op == Op::BvAShr && k.is_ones())
        {
            return Some(a);
        }
        let by = self.as_bits(b)?;
        let by = by.to_u64().map_or(width, |by| by.min(width.into()) as u32);
        Some(match op {
            Op::BvShl => self.shift_left(a, by),
            Op::BvLShr => self.shift_right(a, by),
            _ => {
                let by = by.min(width - 1);
                let kept = self.extract(a, by, width - by);
                self.sign_extend(kept, width)
            }
        })
    }
}
