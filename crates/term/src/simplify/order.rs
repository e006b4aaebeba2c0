//! Rules for the four comparisons.

use crate::{Bits, Op, TermId, Terms};

impl Terms {
    pub(super) fn simplify_order(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let strict = matches!(op, Op::BvUlt | Op::BvSlt);
        let signed = matches!(op, Op::BvSlt | Op::BvSle);
        if a == b {
            return Some(self.bool(!strict));
        }
        let width = self.width(a);
        if signed && self.active_bits(a).max(self.active_bits(b)) < width {
            let op = if strict { Op::BvUlt } else { Op::BvUle };
            return Some(self.compare(op, a, b));
        }
        let (min, max) = match signed {
            false => (Bits::zero(width), Bits::ones(width)),
            true => {
                let min = Bits::new(width, 1).shl_by(width - 1);
                let max = min.not();
                (min, max)
            }
        };
        let less = if signed { Op::BvSlt } else { Op::BvUlt };
        let one = Bits::new(width, 1);
        if let Some(k) = self.as_bits(b) {
            if !strict {
                if k == max {
                    return Some(self.bool(true));
                }
                let k = self.constant(k.add(&one));
                return Some(self.compare(less, a, k));
            }
            if k == min {
                return Some(self.bool(false));
            }
            if k == max {
                let top = self.eq(a, b);
                return Some(self.not(top));
            }
            if k == min.add(&one) {
                let min = self.constant(min);
                return Some(self.eq(a, min));
            }
            return match signed {
                false => self.below_constant(a, k),
                true => self.signed_constant(a, k, true),
            };
        }
        if let Some(k) = self.as_bits(a) {
            if !strict {
                if k == min {
                    return Some(self.bool(true));
                }
                let k = self.constant(k.sub(&one));
                return Some(self.compare(less, k, b));
            }
            if k == max {
                return Some(self.bool(false));
            }
            if k == min {
                let bottom = self.eq(b, a);
                return Some(self.not(bottom));
            }
            if k == max.sub(&one) {
                let max = self.constant(max);
                return Some(self.eq(b, max));
            }
            return match signed {
                false => self.above_constant(k, b),
                true => self.signed_constant(b, k, false),
            };
        }
        if let (Some(x), Some(y)) = (
            self.as_unary(a, Op::ZeroExtend),
            self.as_unary(b, Op::ZeroExtend),
        ) {
            // Signed comparisons of these became unsigned above.
            let narrow = self.width(x).max(self.width(y));
            let (x, y) = (self.zero_extend(x, narrow), self.zero_extend(y, narrow));
            return Some(self.compare(op, x, y));
        }
        if let (Some(x), Some(y)) = (
            self.as_unary(a, Op::SignExtend),
            self.as_unary(b, Op::SignExtend),
        ) {
            // Sign extension keeps the unsigned order as well.
            let narrow = self.width(x).max(self.width(y));
            let (x, y) = (self.sign_extend(x, narrow), self.sign_extend(y, narrow));
            return Some(self.compare(op, x, y));
        }
        None
    }

    /// `a < k`, unsigned.
    fn below_constant(&mut self, a: TermId, k: Bits) -> Option<TermId> {
        if self.active_bits(a) < k.bit_length() {
            return Some(self.bool(true));
        }
        if let Some(x) = self.extended(a, &k) {
            let k = self.constant(k.extract(0, self.width(x)));
            return Some(self.compare(Op::BvUlt, x, k));
        }
        let (high, low) = self.as_binary(a, Op::Concat)?;
        let split = self.width(low);
        (k.trailing_zeros() >= split).then(|| {
            let k = self.constant(k.extract(split, k.width() - split));
            self.compare(Op::BvUlt, high, k)
        })
    }

    /// `k < b`, unsigned.
    fn above_constant(&mut self, k: Bits, b: TermId) -> Option<TermId> {
        if self.active_bits(b) < k.bit_length() {
            return Some(self.bool(false));
        }
        if let Some(x) = self.extended(b, &k) {
            let k = self.constant(k.extract(0, self.width(x)));
            return Some(self.compare(Op::BvUlt, k, x));
        }
        let (high, low) = self.as_binary(b, Op::Concat)?;
        let split = self.width(low);
        (k.trailing_ones() >= split).then(|| {
            let k = self.constant(k.extract(split, k.width() - split));
            self.compare(Op::BvUlt, k, high)
        })
    }

    /// What `a` extends, if `k` is the same extension of its low bits.
    fn extended(&self, a: TermId, k: &Bits) -> Option<TermId> {
        if let Some(x) = self.as_unary(a, Op::ZeroExtend) {
            return (k.bit_length() <= self.width(x)).then_some(x);
        }
        let x = self.as_unary(a, Op::SignExtend)?;
        let low = k.extract(0, self.width(x));
        (low.sign_extend(k.width()) == *k).then_some(x)
    }

    /// `a < k` (`left`) or `k < a`, signed.
    fn signed_constant(&mut self, a: TermId, k: Bits, left: bool) -> Option<TermId> {
        let width = self.width(a);
        if self.active_bits(a) < width {
            // `a` is not negative and `k` is: comparisons of two such became unsigned above.
            return Some(self.bool(!left));
        }
        let x = self.as_unary(a, Op::SignExtend)?;
        let low = k.extract(0, self.width(x));
        if low.sign_extend(width) != k {
            // Out of reach on the side of its sign.
            return Some(self.bool(left != k.sign()));
        }
        let low = self.constant(low);
        Some(match left {
            true => self.compare(Op::BvSlt, x, low),
            false => self.compare(Op::BvSlt, low, x),
        })
    }
}
