//! Rules for operators that move bits: concatenation, extraction, extension.

use crate::{Bits, Op, TermId, Terms};

/// Concatenations of more parts than this are not taken apart.
const MAX_SEGMENTS: usize = 32;

/// Bits of a term from its lowest up: of another term, or zeros.
struct Segment {
    from: Option<(TermId, u32)>,
    width: u32,
}

impl Terms {
    /// One term that is `high` above `low`, if there is one without a `Concat` at its top.
    fn join(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        if let (Some(a), Some(b)) = (self.as_bits(high), self.as_bits(low)) {
            return Some(self.constant(a.concat(&b)));
        }
        let (Some(Op::Extract { low: upper }), Some(Op::Extract { low: lower })) =
            (self.op(high), self.op(low))
        else {
            return None;
        };
        let (x, y) = (self.operands(high)[0], self.operands(low)[0]);
        let (above, below) = (self.width(high), self.width(low));
        (x == y && upper == lower + below).then(|| self.extract(x, lower, above + below))
    }

    pub(super) fn simplify_concat(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        let width = self.width(high) + self.width(low);
        if self.as_bits(high).is_some_and(|k| k.is_zero()) {
            return Some(self.zero_extend(low, width));
        }
        if let Some(x) = self.as_unary(high, Op::ZeroExtend) {
            let inner = self.concat(x, low);
            return Some(self.zero_extend(inner, width));
        }
        if let Some(joined) = self.join(high, low) {
            return Some(joined);
        }
        if let Some((middle, rest)) = self.as_binary(low, Op::Concat)
            && let Some(joined) = self.join(high, middle)
        {
            return Some(self.concat(joined, rest));
        }
        if let Some((rest, middle)) = self.as_binary(high, Op::Concat)
            && let Some(joined) = self.join(middle, low)
        {
            return Some(self.concat(rest, joined));
        }
        None
    }

    pub(super) fn simplify_extract(
        &mut self,
        mut a: TermId,
        mut low: u32,
        width: u32,
    ) -> Option<TermId> {
        loop {
            if self.width(a) == width {
                return Some(a);
            }
            let operands = self.operands(a);
            match self.op(a) {
                Some(Op::Extract { low: below }) => {
                    a = operands[0];
                    low += below;
                }
                Some(op @ (Op::ZeroExtend | Op::SignExtend)) => {
                    let inner = operands[0];
                    let narrow = self.width(inner);
                    if low + width <= narrow {
                        a = inner;
                        continue;
                    }
                    if op == Op::ZeroExtend {
                        if low >= narrow {
                            return Some(self.constant(Bits::zero(width)));
                        }
                        let part = self.extract(inner, low, narrow - low);
                        return Some(self.zero_extend(part, width));
                    }
                    let from = low.min(narrow - 1);
                    let part = self.extract(inner, from, narrow - from);
                    return Some(self.sign_extend(part, width));
                }
                Some(Op::Concat) => {
                    let (above, below) = (operands[0], operands[1]);
                    let split = self.width(below);
                    if low + width <= split {
                        a = below;
                    } else if low >= split {
                        a = above;
                        low -= split;
                    } else {
                        let above = self.extract(above, 0, low + width - split);
                        let below = self.extract(below, low, split - low);
                        return Some(self.concat(above, below));
                    }
                }
                Some(op @ (Op::BvAnd | Op::BvOr | Op::BvXor)) => {
                    if !self.is_const(operands[1]) {
                        break;
                    }
                    let x = self.extract(operands[0], low, width);
                    let k = self.extract(operands[1], low, width);
                    return Some(self.bv(op, &[x, k]));
                }
                Some(Op::BvNot) => {
                    let x = self.extract(operands[0], low, width);
                    return Some(self.bv(Op::BvNot, &[x]));
                }
                Some(op @ (Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg)) if low == 0 => {
                    // The low bits of a sum are the sum of low bits. Only where the operands get
                    // simpler by it, else sums that are used at two widths would be built twice.
                    if !operands.iter().all(|operand| self.has_parts(*operand)) {
                        break;
                    }
                    let cut: Vec<TermId> = operands
                        .iter()
                        .map(|operand| self.extract(*operand, 0, width))
                        .collect();
                    return Some(self.bv(op, &cut));
                }
                Some(Op::Ite) if self.constant_choice(a).is_some() => {
                    return Some(self.extract(a, low, width));
                }
                _ => break,
            }
        }
        Some(match self.as_bits(a) {
            Some(value) => self.constant(value.extract(low, width)),
            None => self.app(Op::Extract { low }, &[a], width),
        })
    }

    fn has_parts(&self, term: TermId) -> bool {
        self.is_const(term)
            || matches!(
                self.op(term),
                Some(Op::ZeroExtend | Op::SignExtend | Op::Concat | Op::Extract { .. })
            )
    }

    pub(super) fn simplify_zero_extend(&mut self, a: TermId, width: u32) -> Option<TermId> {
        let inner = self.as_unary(a, Op::ZeroExtend)?;
        Some(self.zero_extend(inner, width))
    }

    pub(super) fn simplify_sign_extend(&mut self, a: TermId, width: u32) -> Option<TermId> {
        if let Some(inner) = self.as_unary(a, Op::SignExtend) {
            return Some(self.sign_extend(inner, width));
        }
        (self.active_bits(a) < self.width(a)).then(|| self.zero_extend(a, width))
    }

    /// The parts of a term, lowest first; none if there are too many of them.
    fn segments(&self, term: TermId) -> Option<Vec<Segment>> {
        let zeros = |width| Segment { from: None, width };
        let mut found = Vec::new();
        let mut work = vec![Err(term)];
        while let Some(next) = work.pop() {
            if found.len() + work.len() > MAX_SEGMENTS {
                return None;
            }
            let term = match next {
                Ok(segment) => {
                    found.push(segment);
                    continue;
                }
                Err(term) => term,
            };
            let width = self.width(term);
            let operands = self.operands(term);
            if let Some(value) = self.as_bits(term) {
                let (low, high) = (value.trailing_zeros(), value.bit_length());
                if high == 0 {
                    found.push(zeros(width));
                    continue;
                }
                if low > 0 {
                    found.push(zeros(low));
                }
                found.push(Segment {
                    from: Some((term, low)),
                    width: high - low,
                });
                if high < width {
                    found.push(zeros(width - high));
                }
                continue;
            }
            match self.op(term) {
                Some(Op::ZeroExtend) => {
                    work.push(Ok(zeros(width - self.width(operands[0]))));
                    work.push(Err(operands[0]));
                }
                Some(Op::Concat) => {
                    work.push(Err(operands[0]));
                    work.push(Err(operands[1]));
                }
                _ => found.push(Segment {
                    from: Some((term, 0)),
                    width,
                }),
            }
        }
        Some(found)
    }

    /// `a | b` (also `a + b` and `a ^ b`) where no bit can be set in both: a concatenation. This
    /// is how programs put words together from bytes.
    pub(super) fn join_disjoint(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let made_of_parts = |term: TermId| {
            self.is_const(term) || matches!(self.op(term), Some(Op::ZeroExtend | Op::Concat))
        };
        if !made_of_parts(a) || !made_of_parts(b) {
            return None;
        }
        let (mut left, mut right) = (self.segments(a)?, self.segments(b)?);
        let (mut i, mut j) = (0, 0);
        let mut pieces: Vec<Segment> = Vec::new();
        while i < left.len() && j < right.len() {
            let (x, y) = (&mut left[i], &mut right[j]);
            let width = x.width.min(y.width);
            let from = match (x.from, y.from) {
                (Some(_), Some(_)) => return None,
                (from, None) | (None, from) => from,
            };
            pieces.push(Segment { from, width });
            for (segment, at) in [(x, &mut i), (y, &mut j)] {
                segment.width -= width;
                if let Some((_, low)) = &mut segment.from {
                    *low += width;
                }
                if segment.width == 0 {
                    *at += 1;
                }
            }
        }
        let mut whole = None;
        for piece in pieces {
            let part = match piece.from {
                Some((term, low)) => self.extract(term, low, piece.width),
                None => self.constant(Bits::zero(piece.width)),
            };
            whole = Some(match whole {
                Some(below) => self.concat(part, below),
                None => part,
            });
        }
        whole
    }
}
