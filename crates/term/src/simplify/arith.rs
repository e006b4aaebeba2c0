//! Rules for sums, products and quotients.

use crate::{Bits, Op, TermId, Terms};

impl Terms {
    pub(super) fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv(Op::BvAdd, &[a, b])
    }

    pub(super) fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv(Op::BvSub, &[a, b])
    }

    pub(super) fn add_bits(&mut self, a: TermId, value: Bits) -> TermId {
        let value = self.constant(value);
        self.add(a, value)
    }

    fn bits_sub(&mut self, value: Bits, a: TermId) -> TermId {
        let value = self.constant(value);
        self.sub(value, a)
    }

    /// `k - x`, the form in which a negated operand plus a constant stands.
    fn as_constant_minus(&self, term: TermId) -> Option<(Bits, TermId)> {
        if let Some(x) = self.as_unary(term, Op::BvNeg) {
            return Some((Bits::zero(self.width(x)), x));
        }
        if let Some(x) = self.as_unary(term, Op::BvNot) {
            return Some((Bits::ones(self.width(x)), x));
        }
        let (k, x) = self.as_binary(term, Op::BvSub)?;
        Some((self.as_bits(k)?, x))
    }

    pub(super) fn simplify_arith(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        match op {
            Op::BvAdd => self.simplify_add(a, b),
            Op::BvSub => self.simplify_sub(a, b),
            _ => self.simplify_mul(a, b),
        }
    }

    fn simplify_add(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(k) = self.as_bits(b) {
            if k.is_zero() {
                return Some(a);
            }
            if let Some((x, k1)) = self.as_with_constant(a, Op::BvAdd) {
                return Some(self.add_bits(x, k.add(&k1)));
            }
            if let Some((k1, x)) = self.as_constant_minus(a) {
                return Some(self.bits_sub(k1.add(&k), x));
            }
            return self.join_disjoint(a, b);
        }
        if a == b {
            let one = self.bits(self.width(a), 1);
            return Some(self.bv(Op::BvShl, &[a, one]));
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(inner) = self.as_unary(y, Op::BvNeg) {
                return Some(self.sub(x, inner));
            }
            if let Some((whole, part)) = self.as_binary(y, Op::BvSub)
                && part == x
            {
                return Some(whole);
            }
            // Constants move outwards, where they meet.
            if let Some((inner, k)) = self.as_with_constant(x, Op::BvAdd) {
                let sum = self.add(inner, y);
                return Some(self.add_bits(sum, k));
            }
        }
        self.join_disjoint(a, b)
    }

    fn simplify_sub(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(k) = self.as_bits(b) {
            return Some(self.add_bits(a, k.neg()));
        }
        if a == b {
            return Some(self.constant(Bits::zero(self.width(a))));
        }
        if let Some(k) = self.as_bits(a) {
            if k.is_zero() {
                return Some(self.bv(Op::BvNeg, &[b]));
            }
            if k.is_ones() {
                return Some(self.bv(Op::BvNot, &[b]));
            }
            if let Some((x, k1)) = self.as_with_constant(b, Op::BvAdd) {
                return Some(self.bits_sub(k.sub(&k1), x));
            }
            if let Some((k1, x)) = self.as_constant_minus(b) {
                return Some(self.add_bits(x, k.sub(&k1)));
            }
            return None;
        }
        if let Some(y) = self.as_unary(b, Op::BvNeg) {
            return Some(self.add(a, y));
        }
        if let Some((x, y)) = self.as_binary(a, Op::BvAdd) {
            if x == b {
                return Some(y);
            }
            if y == b {
                return Some(x);
            }
            if let Some(k) = self.as_bits(y) {
                let rest = self.sub(x, b);
                return Some(self.add_bits(rest, k));
            }
        }
        if let Some((x, y)) = self.as_binary(b, Op::BvAdd) {
            if x == a {
                return Some(self.bv(Op::BvNeg, &[y]));
            }
            if y == a {
                return Some(self.bv(Op::BvNeg, &[x]));
            }
            if let Some(k) = self.as_bits(y) {
                let rest = self.sub(a, x);
                return Some(self.add_bits(rest, k.neg()));
            }
        }
        if let Some((x, y)) = self.as_binary(b, Op::BvSub)
            && x == a
        {
            return Some(y);
        }
        None
    }

    fn simplify_mul(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let k = self.as_bits(b)?;
        if k.is_zero() {
            return Some(b);
        }
        if k.is_one() {
            return Some(a);
        }
        if k.is_ones() {
            return Some(self.bv(Op::BvNeg, &[a]));
        }
        if let Some(power) = k.power_of_two() {
            return Some(self.shift_left(a, power));
        }
        if let Some((x, k1)) = self.as_with_constant(a, Op::BvMul) {
            let k = self.constant(k.mul(&k1));
            return Some(self.bv(Op::BvMul, &[x, k]));
        }
        if let Some(x) = self.as_unary(a, Op::BvNeg) {
            let k = self.constant(k.neg());
            return Some(self.bv(Op::BvMul, &[x, k]));
        }
        None
    }

    pub(super) fn simplify_division(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        // Not for a divisor that may be zero: `0 / 0` is not 0.
        if matches!(op, Op::BvURem | Op::BvSRem) && self.as_bits(a).is_some_and(|k| k.is_zero()) {
            return Some(a);
        }
        if a == b && matches!(op, Op::BvURem | Op::BvSRem) {
            return Some(self.constant(Bits::zero(width)));
        }
        let small = self.active_bits(a).max(self.active_bits(b)) < width;
        match op {
            Op::BvSDiv if small => return Some(self.bv(Op::BvUDiv, &[a, b])),
            Op::BvSRem if small => return Some(self.bv(Op::BvURem, &[a, b])),
            _ => {}
        }
        let k = self.as_bits(b)?;
        match op {
            Op::BvUDiv => {
                if k.is_zero() {
                    return Some(self.constant(Bits::ones(width)));
                }
                if let Some(power) = k.power_of_two() {
                    return Some(self.shift_right(a, power));
                }
                if self.active_bits(a) < k.bit_length() {
                    return Some(self.constant(Bits::zero(width)));
                }
                self.narrow_division(op, a, k)
            }
            Op::BvURem => {
                if k.is_zero() {
                    return Some(a);
                }
                if let Some(power) = k.power_of_two() {
                    if power == 0 {
                        return Some(self.constant(Bits::zero(width)));
                    }
                    let low = self.extract(a, 0, power);
                    return Some(self.zero_extend(low, width));
                }
                if self.active_bits(a) < k.bit_length() {
                    return Some(a);
                }
                self.narrow_division(op, a, k)
            }
            Op::BvSDiv => {
                // In one bit, 1 is -1, and -1 / -1 overflows to -1.
                if k.is_ones() {
                    return Some(self.bv(Op::BvNeg, &[a]));
                }
                (k.is_one()).then_some(a)
            }
            _ => {
                if k.is_zero() {
                    return Some(a);
                }
                (k.is_one() || k.is_ones()).then(|| self.constant(Bits::zero(width)))
            }
        }
    }

    /// Unsigned division of a zero-extended term by a constant that fits its width.
    fn narrow_division(&mut self, op: Op, a: TermId, k: Bits) -> Option<TermId> {
        let inner = self.as_unary(a, Op::ZeroExtend)?;
        let (width, narrow) = (self.width(a), self.width(inner));
        if k.bit_length() > narrow {
            return None;
        }
        let k = self.constant(k.extract(0, narrow));
        let result = self.bv(op, &[inner, k]);
        Some(self.zero_extend(result, width))
    }

    pub(super) fn simplify_neg(&mut self, a: TermId) -> Option<TermId> {
        if self.width(a) == 1 {
            return Some(a);
        }
        if let Some(x) = self.as_unary(a, Op::BvNeg) {
            return Some(x);
        }
        if let Some(x) = self.as_unary(a, Op::BvNot) {
            let one = Bits::new(self.width(x), 1);
            return Some(self.add_bits(x, one));
        }
        if let Some((x, y)) = self.as_binary(a, Op::BvSub) {
            return Some(self.sub(y, x));
        }
        if let Some((x, k)) = self.as_with_constant(a, Op::BvAdd) {
            return Some(self.bits_sub(k.neg(), x));
        }
        None
    }
}
