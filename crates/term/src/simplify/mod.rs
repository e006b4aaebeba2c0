//! The constructors, which simplify as they build.
//!
//! Every rule is exact: the result has the value of the plain term under every model, at every
//! width. Canonical forms that the rest of the project may count on to be usual, not certain (a
//! rule is skipped when simplifying went too deep):
//!
//! - the constant operand of a commutative operator stands right, other operands in id order;
//! - a subtraction of a constant is an addition;
//! - `Not` never stands over a comparison other than `Eq`; `<=` with a constant is `<`;
//! - shifts by constants, products with powers of two and contiguous masks are made of `Concat`,
//!   `Extract` and extensions; a `Concat` with zero above is a `ZeroExtend`;
//! - `Eq` of Bools is `Not` of `Xor`.
//!
//! Constructors call each other, so how deep they are is counted in [`Terms::depth`] and beyond
//! [`MAX_DEPTH`] a term is made as it is: terms can be millions deep, the stack cannot.

mod arith;
mod bitwise;
mod equal;
mod float;
mod logic;
mod order;
mod shape;

use crate::float::is_float;
use crate::lookup::look_up;
use crate::meaning::apply;
use crate::{Bits, Op, Sort, TableId, TermId, Terms};

const MAX_DEPTH: u32 = 10;

impl Terms {
    pub fn not(&mut self, a: TermId) -> TermId {
        self.expect_bool(&[a]);
        self.simplified(Op::Not, &[a], 0, |terms| terms.simplify_not(a))
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_bool(&[a, b]);
        let (a, b) = self.ordered(a, b);
        self.simplified(Op::And, &[a, b], 0, |terms| terms.simplify_and(a, b))
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_bool(&[a, b]);
        let (a, b) = self.ordered(a, b);
        self.simplified(Op::Or, &[a, b], 0, |terms| terms.simplify_or(a, b))
    }

    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_bool(&[a, b]);
        let (a, b) = self.ordered(a, b);
        self.simplified(Op::Xor, &[a, b], 0, |terms| terms.simplify_xor(a, b))
    }

    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        assert_eq!(self.sort(a), self.sort(b), "operands of one sort");
        let (a, b) = self.ordered(a, b);
        self.simplified(Op::Eq, &[a, b], 0, |terms| terms.simplify_eq(a, b))
    }

    pub fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        self.expect_bool(&[condition]);
        assert_eq!(self.sort(a), self.sort(b), "operands of one sort");
        let width = self.raw_width(a);
        let operands = [condition, a, b];
        self.simplified(Op::Ite, &operands, width, |terms| {
            terms.simplify_ite(condition, a, b)
        })
    }

    /// A unary or binary bit-vector operation on operands of one width (`BvNot` … `BvAShr`).
    pub fn bv(&mut self, op: Op, operands: &[TermId]) -> TermId {
        let width = self.width(operands[0]);
        match *operands {
            [a] => {
                assert!(matches!(op, Op::BvNot | Op::BvNeg), "{op:?} is not unary");
                self.simplified(op, operands, width, |terms| terms.simplify_unary(op, a))
            }
            [a, b] => {
                assert_eq!(width, self.width(b), "operands of one width");
                let (a, b) = match op {
                    Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul => self.ordered(a, b),
                    _ => (a, b),
                };
                self.simplified(op, &[a, b], width, |terms| match op {
                    Op::BvAnd | Op::BvOr | Op::BvXor => terms.simplify_bitwise(op, a, b),
                    Op::BvAdd | Op::BvSub | Op::BvMul => terms.simplify_arith(op, a, b),
                    Op::BvUDiv | Op::BvURem | Op::BvSDiv | Op::BvSRem => {
                        terms.simplify_division(op, a, b)
                    }
                    Op::BvShl | Op::BvLShr | Op::BvAShr => terms.simplify_shift(op, a, b),
                    _ => panic!("{op:?} is no binary operation on bit-vectors"),
                })
            }
            _ => panic!("{op:?} of {} operands", operands.len()),
        }
    }

    /// `BvUlt`, `BvUle`, `BvSlt` or `BvSle`.
    pub fn compare(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        assert_eq!(self.width(a), self.width(b), "operands of one width");
        assert!(
            matches!(op, Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle),
            "{op:?} is no comparison"
        );
        self.simplified(op, &[a, b], 0, |terms| terms.simplify_order(op, a, b))
    }

    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let width = self.width(high).checked_add(self.width(low));
        let width = width.expect("a width of at most 32 bits");
        self.simplified(Op::Concat, &[high, low], width, |terms| {
            terms.simplify_concat(high, low)
        })
    }

    pub fn extract(&mut self, a: TermId, low: u32, width: u32) -> TermId {
        let whole = self.width(a);
        let end = low.checked_add(width);
        assert!(
            width > 0 && end.is_some_and(|end| end <= whole),
            "bits that are there"
        );
        if width == whole {
            return a;
        }
        self.simplified(Op::Extract { low }, &[a], width, |terms| {
            terms.simplify_extract(a, low, width)
        })
    }

    /// To `width`, which is not smaller.
    pub fn zero_extend(&mut self, a: TermId, width: u32) -> TermId {
        let inner = self.width(a);
        assert!(width >= inner, "an extension is not narrower");
        if width == inner {
            return a;
        }
        self.simplified(Op::ZeroExtend, &[a], width, |terms| {
            terms.simplify_zero_extend(a, width)
        })
    }

    /// To `width`, which is not smaller.
    pub fn sign_extend(&mut self, a: TermId, width: u32) -> TermId {
        let inner = self.width(a);
        assert!(width >= inner, "an extension is not narrower");
        if width == inner {
            return a;
        }
        self.simplified(Op::SignExtend, &[a], width, |terms| {
            terms.simplify_sign_extend(a, width)
        })
    }

    /// A Bool as a bit-vector of width 1.
    pub fn bool_to_bits(&mut self, a: TermId) -> TermId {
        let one = self.bits(1, 1);
        let zero = self.bits(1, 0);
        self.ite(a, one, zero)
    }

    /// A bit-vector of width 1 as a Bool.
    pub fn bits_to_bool(&mut self, a: TermId) -> TermId {
        let one = self.bits(1, 1);
        self.eq(a, one)
    }

    /// Any operator on operands of the sorts that it takes, for callers that have it as data;
    /// `width` is the result's, of interest only for `Extract`, extensions and conversions.
    pub fn apply(&mut self, op: Op, operands: &[TermId], width: u32) -> TermId {
        assert_eq!(operands.len(), op.arity(), "operands of {op:?}");
        match (op, operands) {
            (Op::Not, &[a]) => self.not(a),
            (Op::And, &[a, b]) => self.and(a, b),
            (Op::Or, &[a, b]) => self.or(a, b),
            (Op::Xor, &[a, b]) => self.xor(a, b),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::Ite, &[condition, a, b]) => self.ite(condition, a, b),
            (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, &[a, b]) => self.compare(op, a, b),
            (Op::Concat, &[high, low]) => self.concat(high, low),
            (Op::Extract { low }, &[a]) => self.extract(a, low, width),
            (Op::ZeroExtend, &[a]) => self.zero_extend(a, width),
            (Op::SignExtend, &[a]) => self.sign_extend(a, width),
            (Op::Lookup { table }, &[index]) => self.lookup(table, index),
            _ if is_float(op) => self.float(op, operands, width),
            _ => self.bv(op, operands),
        }
    }

    fn expect_bool(&self, operands: &[TermId]) {
        for operand in operands {
            assert_eq!(self.sort(*operand), Sort::Bool, "an operand that is a Bool");
        }
    }

    /// 0 for Bool.
    fn raw_width(&self, term: TermId) -> u32 {
        match self.sort(term) {
            Sort::Bool => 0,
            Sort::BitVec(width) => width,
        }
    }

    /// Constant to the right, otherwise in id order.
    fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        match (self.is_const(a), self.is_const(b)) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ if b < a => (b, a),
            _ => (a, b),
        }
    }

    /// The entry of an index of at most 64 bits.
    pub fn lookup(&mut self, table: TableId, index: TermId) -> TermId {
        assert!(self.width(index) <= 64, "an index has at most 64 bits");
        let width = self.table_of(table).width();
        // Beyond the end is the last entry at any width.
        let index = match self.op(index) {
            Some(Op::ZeroExtend) => self.operands(index)[0],
            _ => index,
        };
        if self.tables.is_uniform(table) {
            let entry = self.table_of(table).entries()[0];
            return self.bits(width, entry);
        }
        self.simplified(Op::Lookup { table }, &[index], width, |_| None)
    }

    /// The result of `rules`, unless constants decide or simplifying is too deep already.
    pub(crate) fn simplified(
        &mut self,
        op: Op,
        operands: &[TermId],
        width: u32,
        rules: impl FnOnce(&mut Terms) -> Option<TermId>,
    ) -> TermId {
        if let Some(value) = self.fold(op, operands, width) {
            return value;
        }
        if self.depth >= MAX_DEPTH {
            return self.app(op, operands, width);
        }
        self.depth += 1;
        let result = match self.fold_choice(op, operands, width) {
            Some(result) => Some(result),
            None => rules(self),
        };
        self.depth -= 1;
        result.unwrap_or_else(|| self.app(op, operands, width))
    }

    /// The constant that `value`, of the given width (0 for Bool), is.
    fn constant_of(&mut self, width: u32, value: Bits) -> TermId {
        match width {
            0 => self.bool(value.is_one()),
            _ => self.constant(value),
        }
    }

    /// Value of a constant; a Bool is a value of width 1.
    fn constant_value(&self, term: TermId) -> Option<Bits> {
        match self.as_bool(term) {
            Some(value) => Some(Bits::new(1, value.into())),
            None => self.as_bits(term),
        }
    }

    /// All operands are constants: so is the result.
    fn fold(&mut self, op: Op, operands: &[TermId], width: u32) -> Option<TermId> {
        if !operands.iter().all(|operand| self.is_const(*operand)) {
            return None;
        }
        let values: Option<Vec<Bits>> = operands
            .iter()
            .map(|operand| self.constant_value(*operand))
            .collect();
        let values = values?;
        let value = match op {
            Op::Lookup { table } => {
                let entry = look_up(self.table_of(table).entries(), values[0].low_u64());
                Bits::new(width, entry)
            }
            _ => apply(op, width.max(1), &values),
        };
        Some(self.constant_of(width, value))
    }

    /// `ite(c, k1, k2)` with constants for `k1` and `k2`.
    fn constant_choice(&self, term: TermId) -> Option<(TermId, TermId, TermId)> {
        let (c, a, b) = self.as_ite(term)?;
        (self.is_const(a) && self.is_const(b)).then_some((c, a, b))
    }

    /// All operands are constants but one, which chooses between two: so does the result.
    fn fold_choice(&mut self, op: Op, operands: &[TermId], width: u32) -> Option<TermId> {
        if matches!(op, Op::Ite | Op::Not | Op::And | Op::Or | Op::Xor) {
            return None;
        }
        let mut which = None;
        for (index, operand) in operands.iter().enumerate() {
            if self.is_const(*operand) {
                continue;
            }
            let choice = self.constant_choice(*operand)?;
            if which.replace((index, choice)).is_some() {
                return None;
            }
        }
        let (index, (condition, a, b)) = which?;
        let mut with = [a, a];
        with[..operands.len()].copy_from_slice(operands);
        with[index] = a;
        let yes = self.fold(op, &with[..operands.len()], width)?;
        with[index] = b;
        let no = self.fold(op, &with[..operands.len()], width)?;
        Some(self.ite(condition, yes, no))
    }

    // How terms are made, for rules.

    fn as_unary(&self, term: TermId, op: Op) -> Option<TermId> {
        (self.op(term) == Some(op)).then(|| self.operands(term)[0])
    }

    fn as_binary(&self, term: TermId, op: Op) -> Option<(TermId, TermId)> {
        (self.op(term) == Some(op)).then(|| {
            let operands = self.operands(term);
            (operands[0], operands[1])
        })
    }

    fn as_ite(&self, term: TermId) -> Option<(TermId, TermId, TermId)> {
        (self.op(term) == Some(Op::Ite)).then(|| {
            let operands = self.operands(term);
            (operands[0], operands[1], operands[2])
        })
    }

    /// A binary term with a constant on the right.
    fn as_with_constant(&self, term: TermId, op: Op) -> Option<(TermId, Bits)> {
        let (a, b) = self.as_binary(term, op)?;
        Some((a, self.as_bits(b)?))
    }

    /// A number of low bits outside which the term is certainly zero.
    fn active_bits(&self, term: TermId) -> u32 {
        let operands = self.operands(term);
        match self.op(term) {
            Some(Op::ZeroExtend) => self.width(operands[0]),
            Some(Op::Lookup { table }) => self.tables.active_bits(table),
            Some(Op::BvAnd) => match self.as_bits(operands[1]) {
                Some(mask) => mask.bit_length(),
                None => self.width(term),
            },
            Some(Op::BvURem) => match self.as_bits(operands[1]) {
                Some(by) if !by.is_zero() => by.bit_length(),
                _ => self.width(term),
            },
            Some(Op::Ite) => match (self.as_bits(operands[1]), self.as_bits(operands[2])) {
                (Some(a), Some(b)) => a.bit_length().max(b.bit_length()),
                _ => self.width(term),
            },
            Some(_) => self.width(term),
            None => match self.as_bits(term) {
                Some(value) => value.bit_length(),
                None => self.width(term),
            },
        }
    }
}
