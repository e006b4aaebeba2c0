//! Operators on floats, and rules for their comparisons: those of converted values with constants
//! are comparisons of what was converted, which other stages decide without floats.

use crate::bits::mask;
use crate::float::{Format, compares, is_float, takes_floats};
use crate::meaning::apply_u64;
use crate::{Bits, Op, TermId, Terms};

impl Terms {
    /// An operator on floats. `width` is the result's, of interest only for conversions: 32 or 64,
    /// also for `FToSI`.
    pub fn float(&mut self, op: Op, operands: &[TermId], width: u32) -> TermId {
        assert!(is_float(op), "{op:?} is no operator on floats");
        assert_eq!(operands.len(), op.arity(), "operands of {op:?}");
        let first = self.width(operands[0]);
        if takes_floats(op) {
            Format::of(first);
        }
        assert!(first <= 64, "an integer of at most 64 bits");
        let width = match op {
            Op::FToF | Op::FToSI | Op::SIToF | Op::UIToF => Format::of(width).width,
            _ if compares(op) => 0,
            _ => first,
        };
        match *operands {
            [a] if op == Op::FToF && first == width => a,
            [a] => self.simplified(op, operands, width, |terms| {
                terms.simplify_conversion(op, a, width)
            }),
            [a, b] => {
                assert_eq!(first, self.width(b), "operands of one width");
                let (a, b) = match op {
                    Op::FEq => self.ordered(a, b),
                    _ => (a, b),
                };
                self.simplified(op, &[a, b], width, |terms| match compares(op) {
                    true => terms.simplify_float_order(op, a, b),
                    false => None,
                })
            }
            _ => unreachable!("operators on floats have one or two operands"),
        }
    }

    /// Whether a float is a NaN.
    pub fn is_nan(&mut self, mut a: TermId) -> TermId {
        while self.op(a) == Some(Op::FToF) {
            a = self.operands(a)[0];
        }
        if let Some(Op::SIToF | Op::UIToF) = self.op(a) {
            return self.bool(false);
        }
        let format = Format::of(self.width(a));
        let magnitude = self.extract(a, 0, format.width - 1);
        let infinity = self.bits(format.width - 1, format.infinity());
        self.compare(Op::BvUlt, infinity, magnitude)
    }

    fn simplify_conversion(&mut self, op: Op, a: TermId, width: u32) -> Option<TermId> {
        let below = self.op(a)?;
        let inner = self.operands(a)[0];
        match (op, below) {
            // Bits that only extend an integer make no difference.
            (Op::SIToF, Op::SignExtend) => Some(self.float(Op::SIToF, &[inner], width)),
            (Op::SIToF | Op::UIToF, Op::ZeroExtend) => Some(self.float(Op::UIToF, &[inner], width)),
            // There and back again, where every integer on the way is a float.
            (Op::FToSI, Op::SIToF | Op::UIToF) => {
                let (from, exact) = (self.width(inner), Format::of(self.width(a)).fraction + 1);
                match below {
                    Op::SIToF if from <= exact && from <= width => {
                        Some(self.sign_extend(inner, width))
                    }
                    Op::UIToF if from <= exact && from < width => {
                        Some(self.zero_extend(inner, width))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn simplify_float_order(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let format = Format::of(self.width(a));
        if a == b {
            return Some(match op {
                Op::FLt => self.bool(false),
                _ => {
                    let nan = self.is_nan(a);
                    self.not(nan)
                }
            });
        }
        for constant in [a, b] {
            if self
                .as_u64(constant)
                .is_some_and(|value| format.is_nan(value))
            {
                return Some(self.bool(false));
            }
        }
        if let (Some(Op::FToF), Some(Op::FToF)) = (self.op(a), self.op(b))
            && format.width == 64
        {
            let (x, y) = (self.operands(a)[0], self.operands(b)[0]);
            return Some(self.float(op, &[x, y], 0));
        }
        if let Some(k) = self.as_u64(b) {
            return self.converted_with_constant(op, a, k, true);
        }
        if let Some(k) = self.as_u64(a) {
            return self.converted_with_constant(op, b, k, false);
        }
        None
    }

    /// A comparison of a converted value with a constant, the value on the left or the right.
    fn converted_with_constant(
        &mut self,
        op: Op,
        value: TermId,
        k: u64,
        left: bool,
    ) -> Option<TermId> {
        let conversion = self.op(value)?;
        let inner = *self.operands(value).first()?;
        match conversion {
            Op::FToF if self.width(value) == 64 => Some(self.widened(op, inner, k, left)),
            Op::SIToF | Op::UIToF => {
                Some(self.converted_integer(op, conversion, value, inner, k, left))
            }
            _ => None,
        }
    }

    /// A float of 32 bits against a constant of 64: there is a constant of 32 bits to compare with.
    fn widened(&mut self, op: Op, inner: TermId, k: u64, left: bool) -> TermId {
        let k = f64::from_bits(k);
        let near = k as f32;
        let exact = f64::from(near) == k;
        if op == Op::FEq && !exact {
            return self.bool(false);
        }
        // The greatest float that is not above, or the least that is not below.
        let near = match left {
            true if f64::from(near) > k => near.next_down(),
            false if f64::from(near) < k => near.next_up(),
            _ => near,
        };
        let op = if exact { op } else { Op::FLe };
        let near = self.bits(32, near.to_bits().into());
        match left {
            true => self.float(op, &[inner, near], 0),
            false => self.float(op, &[near, inner], 0),
        }
    }

    /// An integer made a float against a constant. Conversion keeps the order, so the integers for
    /// which the comparison holds are those of a range that has an end of the whole range, or for
    /// `FEq` lies between two such.
    fn converted_integer(
        &mut self,
        op: Op,
        conversion: Op,
        value: TermId,
        inner: TermId,
        k: u64,
        left: bool,
    ) -> TermId {
        let (float, width) = (self.width(value), self.width(inner));
        let is_signed = conversion == Op::SIToF;
        // Integers in their order are `first + n`.
        let first = if is_signed { 1u64 << (width - 1) } else { 0 };
        let at = |n: u64| first.wrapping_add(n) & mask(width);
        let holds = |op: Op, n: u64| {
            let x = apply_u64(conversion, float, width, [at(n), 0, 0]);
            apply_u64(op, 1, float, [x, k, 0]) == 1
        };
        // The number of integers, from the first on, for which the comparison holds; one less
        // than all of them where it holds for all but perhaps the last, which is looked at alone.
        let holding = |op: Op| {
            let (mut low, mut high) = (0, mask(width));
            while low < high {
                let middle = low + (high - low) / 2;
                match holds(op, middle) {
                    true => low = middle + 1,
                    false => high = middle,
                }
            }
            (low, low == mask(width) && holds(op, low))
        };
        // `x < k` and `x <= k` as `inner < c`.
        let below = |terms: &mut Terms, op: Op| match holding(op) {
            (_, true) => terms.bool(true),
            (n, false) => {
                let end = terms.constant(Bits::new(width, at(n)));
                let less = if is_signed { Op::BvSlt } else { Op::BvUlt };
                terms.compare(less, inner, end)
            }
        };
        match (op, left) {
            (Op::FEq, _) => {
                let up_to = below(self, Op::FLe);
                let under = below(self, Op::FLt);
                let from = self.not(under);
                self.and(up_to, from)
            }
            (_, true) => below(self, op),
            // `k < x` is no `x <= k`: neither is a NaN.
            (Op::FLt, false) => {
                let up_to = below(self, Op::FLe);
                self.not(up_to)
            }
            (_, false) => {
                let under = below(self, Op::FLt);
                self.not(under)
            }
        }
    }
}
