//! Rules for Bools and for `Ite`.

use crate::{Bits, Op, TermId, Terms};

impl Terms {
    /// Whether one is the negation of the other, as far as can be seen at once.
    fn opposite(&self, a: TermId, b: TermId) -> bool {
        if self.as_unary(a, Op::Not) == Some(b) || self.as_unary(b, Op::Not) == Some(a) {
            return true;
        }
        let mirrored = |op: Op| match op {
            Op::BvUlt => Some(Op::BvUle),
            Op::BvUle => Some(Op::BvUlt),
            Op::BvSlt => Some(Op::BvSle),
            Op::BvSle => Some(Op::BvSlt),
            _ => None,
        };
        let (Some(op), Some(other)) = (self.op(a), self.op(b)) else {
            return false;
        };
        let (x, y) = (self.operands(a), self.operands(b));
        if mirrored(op) == Some(other) {
            return x[0] == y[1] && x[1] == y[0];
        }
        // x < k and k - 1 < x, as comparisons with constants are written.
        let strict = op == other && matches!(op, Op::BvUlt | Op::BvSlt);
        strict && (self.adjoins(op, &x, &y) || self.adjoins(op, &y, &x))
    }

    /// Whether `below` is `x < k` and `above` is `k - 1 < x`.
    fn adjoins(&self, op: Op, below: &[TermId], above: &[TermId]) -> bool {
        if below[0] != above[1] {
            return false;
        }
        let (Some(k), Some(l)) = (self.as_bits(below[1]), self.as_bits(above[0])) else {
            return false;
        };
        // At the least value the two constants are the ends of the range, and both are false.
        let least = match op {
            Op::BvUlt => k.is_zero(),
            _ => k.sign() && k.power_of_two().is_some(),
        };
        !least && l.add(&Bits::new(l.width(), 1)) == k
    }

    pub(super) fn simplify_not(&mut self, a: TermId) -> Option<TermId> {
        let operands = self.operands(a);
        match self.op(a)? {
            Op::Not => Some(operands[0]),
            Op::BvUlt => Some(self.compare(Op::BvUle, operands[1], operands[0])),
            Op::BvUle => Some(self.compare(Op::BvUlt, operands[1], operands[0])),
            Op::BvSlt => Some(self.compare(Op::BvSle, operands[1], operands[0])),
            Op::BvSle => Some(self.compare(Op::BvSlt, operands[1], operands[0])),
            _ => None,
        }
    }

    pub(super) fn simplify_and(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match self.as_bool(b) {
            Some(true) => return Some(a),
            Some(false) => return Some(b),
            None => {}
        }
        if a == b {
            return Some(a);
        }
        if self.opposite(a, b) {
            return Some(self.bool(false));
        }
        for (whole, part) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.as_binary(whole, Op::And) {
                if x == part || y == part {
                    return Some(whole);
                }
                if self.opposite(x, part) || self.opposite(y, part) {
                    return Some(self.bool(false));
                }
            }
            if let Some((x, y)) = self.as_binary(whole, Op::Or) {
                if x == part || y == part {
                    return Some(part);
                }
                if self.opposite(x, part) {
                    return Some(self.and(part, y));
                }
                if self.opposite(y, part) {
                    return Some(self.and(part, x));
                }
            }
        }
        None
    }

    pub(super) fn simplify_or(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match self.as_bool(b) {
            Some(false) => return Some(a),
            Some(true) => return Some(b),
            None => {}
        }
        if a == b {
            return Some(a);
        }
        if self.opposite(a, b) {
            return Some(self.bool(true));
        }
        for (whole, part) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.as_binary(whole, Op::Or) {
                if x == part || y == part {
                    return Some(whole);
                }
                if self.opposite(x, part) || self.opposite(y, part) {
                    return Some(self.bool(true));
                }
            }
            if let Some((x, y)) = self.as_binary(whole, Op::And) {
                if x == part || y == part {
                    return Some(part);
                }
                if self.opposite(x, part) {
                    return Some(self.or(part, y));
                }
                if self.opposite(y, part) {
                    return Some(self.or(part, x));
                }
            }
        }
        None
    }

    pub(super) fn simplify_xor(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match self.as_bool(b) {
            Some(false) => return Some(a),
            Some(true) => return Some(self.not(a)),
            None => {}
        }
        if a == b {
            return Some(self.bool(false));
        }
        if self.opposite(a, b) {
            return Some(self.bool(true));
        }
        for (negated, other) in [(a, b), (b, a)] {
            if let Some(inner) = self.as_unary(negated, Op::Not) {
                let same = self.xor(inner, other);
                return Some(self.not(same));
            }
        }
        None
    }

    pub(super) fn simplify_ite(&mut self, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        match self.as_bool(c) {
            Some(true) => return Some(a),
            Some(false) => return Some(b),
            None => {}
        }
        if a == b {
            return Some(a);
        }
        if let Some(inner) = self.as_unary(c, Op::Not) {
            return Some(self.ite(inner, b, a));
        }
        if self.is_bool(a) {
            match (self.as_bool(a), self.as_bool(b)) {
                (Some(true), _) => return Some(self.or(c, b)),
                (_, Some(false)) => return Some(self.and(c, a)),
                (Some(false), _) => {
                    let not = self.not(c);
                    return Some(self.and(not, b));
                }
                (_, Some(true)) => {
                    let not = self.not(c);
                    return Some(self.or(not, a));
                }
                _ => {}
            }
            if a == c {
                return Some(self.or(c, b));
            }
            if b == c {
                return Some(self.and(c, a));
            }
        }
        // The same condition again below decides there.
        if let Some((inner, x, _)) = self.as_ite(a)
            && inner == c
        {
            return Some(self.ite(c, x, b));
        }
        if let Some((inner, _, y)) = self.as_ite(b)
            && inner == c
        {
            return Some(self.ite(c, a, y));
        }
        None
    }
}
