//! Rules for `Eq`.

use crate::{Bits, Op, TableId, TermId, Terms};

/// What `a == k` comes down to.
enum Step {
    Known(bool),
    /// All of these equalities.
    All(Vec<(TermId, Bits)>),
    /// This Bool.
    Term(TermId),
    /// Nothing simpler.
    Stays,
}

/// The inverse of an odd value modulo 2 to the power of its width.
fn inverse(odd: &Bits) -> Bits {
    let two = Bits::new(odd.width(), 2);
    // Each round doubles the number of right low bits; an odd value has three of its inverse's.
    let mut result = odd.clone();
    let mut right = 3;
    while right < odd.width() {
        result = result.mul(&two.sub(&odd.mul(&result)));
        right *= 2;
    }
    result
}

impl Terms {
    pub(super) fn simplify_eq(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            return Some(self.bool(true));
        }
        if self.is_bool(a) {
            let differ = self.xor(a, b);
            return Some(self.not(differ));
        }
        if let Some(k) = self.as_bits(b) {
            return Some(self.equal_constant(a, k));
        }
        for op in [Op::BvNot, Op::BvNeg] {
            if let (Some(x), Some(y)) = (self.as_unary(a, op), self.as_unary(b, op)) {
                return Some(self.eq(x, y));
            }
        }
        for op in [Op::ZeroExtend, Op::SignExtend] {
            if let (Some(x), Some(y)) = (self.as_unary(a, op), self.as_unary(b, op)) {
                let width = self.width(x).max(self.width(y));
                let (x, y) = match op {
                    Op::ZeroExtend => (self.zero_extend(x, width), self.zero_extend(y, width)),
                    _ => (self.sign_extend(x, width), self.sign_extend(y, width)),
                };
                return Some(self.eq(x, y));
            }
        }
        if let (Some((x, y)), Some((v, w))) =
            (self.as_binary(a, Op::Concat), self.as_binary(b, Op::Concat))
            && self.width(x) == self.width(v)
        {
            let high = self.eq(x, v);
            let low = self.eq(y, w);
            return Some(self.and(high, low));
        }
        for (whole, part) in [(a, b), (b, a)] {
            // A part added, taken away or flipped makes no difference: it is zero.
            for op in [Op::BvAdd, Op::BvXor, Op::BvSub] {
                if let Some((x, y)) = self.as_binary(whole, op) {
                    let rest = match (x == part, y == part) {
                        (true, _) => y,
                        (_, true) if op != Op::BvSub => x,
                        _ => continue,
                    };
                    return Some(self.equal_zero(rest));
                }
            }
            if let Some((c, x, y)) = self.as_ite(whole) {
                if x == part {
                    let other = self.eq(y, part);
                    return Some(self.or(c, other));
                }
                if y == part {
                    let other = self.eq(x, part);
                    let not = self.not(c);
                    return Some(self.or(not, other));
                }
            }
        }
        for op in [Op::BvAdd, Op::BvXor] {
            if let (Some((x, k)), Some((y, l))) =
                (self.as_with_constant(a, op), self.as_with_constant(b, op))
            {
                let between = match op {
                    Op::BvAdd => l.sub(&k),
                    _ => l.xor(&k),
                };
                let between = self.constant(between);
                let other = self.bv(op, &[y, between]);
                return Some(self.eq(x, other));
            }
        }
        None
    }

    fn equal_zero(&mut self, a: TermId) -> TermId {
        let zero = self.constant(Bits::zero(self.width(a)));
        self.eq(a, zero)
    }

    fn equal_constant(&mut self, a: TermId, k: Bits) -> TermId {
        let mut work = vec![(a, k)];
        let mut all = self.bool(true);
        while let Some((a, k)) = work.pop() {
            let part = match self.equal_step(a, &k) {
                Step::Known(true) => continue,
                Step::Known(false) => return self.bool(false),
                Step::All(parts) => {
                    work.extend(parts);
                    continue;
                }
                Step::Term(term) => term,
                Step::Stays if k.width() == 1 && k.is_zero() => {
                    let one = self.bits(1, 1);
                    let set = self.app(Op::Eq, &[a, one], 0);
                    self.not(set)
                }
                Step::Stays => {
                    let k = self.constant(k);
                    self.app(Op::Eq, &[a, k], 0)
                }
            };
            all = self.and(all, part);
        }
        all
    }

    fn equal_step(&mut self, a: TermId, k: &Bits) -> Step {
        if let Some(value) = self.as_bits(a) {
            return Step::Known(value == *k);
        }
        if self.active_bits(a) < k.bit_length() {
            return Step::Known(false);
        }
        let Some(op) = self.op(a) else {
            return Step::Stays;
        };
        let operands = self.operands(a);
        let x = operands[0];
        match op {
            Op::BvNot => Step::All(vec![(x, k.not())]),
            Op::BvNeg => Step::All(vec![(x, k.neg())]),
            Op::ZeroExtend => {
                // The bits above are zero, or `active_bits` had decided.
                Step::All(vec![(x, k.extract(0, self.width(x)))])
            }
            Op::SignExtend => {
                let low = k.extract(0, self.width(x));
                match low.sign_extend(k.width()) == *k {
                    true => Step::All(vec![(x, low)]),
                    false => Step::Known(false),
                }
            }
            Op::Concat => {
                let y = operands[1];
                let split = self.width(y);
                Step::All(vec![
                    (x, k.extract(split, k.width() - split)),
                    (y, k.extract(0, split)),
                ])
            }
            Op::Lookup { table } => self.equal_entry(table, x, k),
            Op::Ite => self.equal_choice(operands[0], operands[1], operands[2], k),
            Op::BvAdd | Op::BvSub | Op::BvXor | Op::BvMul | Op::BvAnd | Op::BvOr => {
                self.equal_binary(op, x, operands[1], k)
            }
            _ => Step::Stays,
        }
    }

    /// An entry of a table: its index is one of those that have it.
    fn equal_entry(&mut self, table: TableId, index: TermId, k: &Bits) -> Step {
        /// A larger table is not looked through.
        const ENTRIES: usize = 512;
        /// More places are no simpler than the look-up.
        const PLACES: usize = 2;
        let entries = self.table_of(table).entries().clone();
        if entries.len() > ENTRIES {
            return Step::Stays;
        }
        let wanted = k.low_u64();
        let places: Vec<usize> = (0..entries.len())
            .filter(|place| entries[*place] == wanted)
            .take(PLACES + 1)
            .collect();
        if places.len() > PLACES {
            return Step::Stays;
        }
        let width = self.width(index);
        let mut any = self.bool(false);
        for place in places {
            let at = Bits::new(64, place as u64);
            if at.bit_length() > width {
                continue; // no index is so great
            }
            let at = self.bits(width, place as u64);
            let is = match place + 1 == entries.len() {
                true => self.compare(Op::BvUle, at, index),
                false => self.eq(index, at),
            };
            any = self.or(any, is);
        }
        Step::Term(any)
    }

    fn equal_choice(&mut self, c: TermId, x: TermId, y: TermId, k: &Bits) -> Step {
        let same = |value: Option<Bits>| value.map(|value| value == *k);
        let constant = |terms: &mut Terms| terms.constant(k.clone());
        match (same(self.as_bits(x)), same(self.as_bits(y))) {
            (Some(a), Some(b)) if a == b => Step::Known(a),
            (Some(true), Some(_)) => Step::Term(c),
            (Some(_), Some(_)) => Step::Term(self.not(c)),
            (Some(first), None) => {
                let k = constant(self);
                let other = self.eq(y, k);
                Step::Term(if first {
                    self.or(c, other)
                } else {
                    let not = self.not(c);
                    self.and(not, other)
                })
            }
            (None, Some(second)) => {
                let k = constant(self);
                let other = self.eq(x, k);
                Step::Term(if second {
                    let not = self.not(c);
                    self.or(not, other)
                } else {
                    self.and(c, other)
                })
            }
            (None, None) => Step::Stays,
        }
    }

    fn equal_binary(&mut self, op: Op, x: TermId, y: TermId, k: &Bits) -> Step {
        let width = k.width();
        match (op, self.as_bits(x), self.as_bits(y)) {
            (Op::BvAdd, _, Some(l)) => Step::All(vec![(x, k.sub(&l))]),
            (Op::BvXor, _, Some(l)) => Step::All(vec![(x, k.xor(&l))]),
            (Op::BvSub, Some(l), _) => Step::All(vec![(y, l.sub(k))]),
            (Op::BvSub | Op::BvXor, ..) if k.is_zero() => Step::Term(self.eq(x, y)),
            (Op::BvMul, _, Some(l)) => {
                let zeros = l.trailing_zeros();
                if zeros >= width {
                    return Step::Stays;
                }
                if k.trailing_zeros() < zeros {
                    return Step::Known(false);
                }
                // l = odd * 2^zeros: only the low bits of x count, and they are determined.
                let odd = l.extract(zeros, width - zeros);
                let value = k.extract(zeros, width - zeros).mul(&inverse(&odd));
                let low = self.extract(x, 0, width - zeros);
                Step::All(vec![(low, value)])
            }
            (Op::BvAnd, _, Some(mask)) if !k.and(&mask.not()).is_zero() => Step::Known(false),
            (Op::BvOr, _, Some(mask)) if !mask.and(&k.not()).is_zero() => Step::Known(false),
            (Op::BvAnd, ..) if k.is_ones() => Step::All(vec![(x, k.clone()), (y, k.clone())]),
            (Op::BvOr, ..) if k.is_zero() => Step::All(vec![(x, k.clone()), (y, k.clone())]),
            // In one bit, a disjunction that is set and a conjunction that is not.
            (Op::BvOr, ..) if width == 1 => {
                let (p, q) = (self.bits_to_bool(x), self.bits_to_bool(y));
                Step::Term(self.or(p, q))
            }
            (Op::BvAnd, ..) if width == 1 => {
                let (p, q) = (self.bits_to_bool(x), self.bits_to_bool(y));
                let both = self.and(p, q);
                Step::Term(self.not(both))
            }
            (Op::BvXor, ..) if width == 1 => {
                let same = self.eq(x, y);
                Step::Term(self.not(same))
            }
            _ => Step::Stays,
        }
    }
}
