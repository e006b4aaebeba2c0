//! Numbers as terms, and values of terms.

use crate::kinds::big_bits;
use crate::run::Run;
use crate::value::{Symbol, Value, whole_part};
use elsewise_explore::ApproximationKind;
use elsewise_term::{Op, TermId};
use num_bigint::BigInt;

/// A number whose kind is known.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    Int(TermId),
    Float(TermId),
}

impl Run<'_> {
    pub fn number(&mut self, value: &Value) -> Option<Number> {
        match value {
            Value::Symbol(Symbol::Int(term)) => Some(Number::Int(*term)),
            Value::Symbol(Symbol::Float(term)) => Some(Number::Float(*term)),
            Value::Float(value) => Some(Number::Float(self.terms.bits(64, value.to_bits()))),
            other => {
                let value = other.as_big()?;
                Some(Number::Int(self.int_constant(&value)))
            }
        }
    }

    pub fn int_constant(&mut self, value: &BigInt) -> TermId {
        let width = value.bits() as u32 + 1;
        self.terms.constant(big_bits(value, width))
    }

    /// Both at the width of the wider one.
    pub fn widened(&mut self, x: TermId, y: TermId, more: u32) -> (TermId, TermId) {
        let width = self.terms.width(x).max(self.terms.width(y)) + more;
        (
            self.terms.sign_extend(x, width),
            self.terms.sign_extend(y, width),
        )
    }

    pub fn ints(&mut self, op: Op, x: TermId, y: TermId) -> TermId {
        let (x, y) = self.widened(x, y, 0);
        match op {
            Op::Eq => self.terms.eq(x, y),
            _ => self.terms.compare(op, x, y),
        }
    }

    /// A number as a float.
    pub fn as_float(&mut self, number: Number) -> TermId {
        match number {
            Number::Float(term) => term,
            Number::Int(term) if self.terms.width(term) <= 64 => {
                let term = self.terms.sign_extend(term, 64);
                self.terms.float(Op::SIToF, &[term], 64)
            }
            Number::Int(term) => {
                // Those that need more than 64 bits are another case.
                let width = self.terms.width(term);
                let low = self.terms.extract(term, 0, 64);
                let same = self.terms.sign_extend(low, width);
                let fits = self.terms.eq(same, term);
                if self.branch(self.here, fits) {
                    return self.terms.float(Op::SIToF, &[low], 64);
                }
                self.approximate(ApproximationKind::WideValue, self.here);
                let float: f64 = self.int_now(term).to_string().parse().unwrap_or(0.0);
                self.terms.bits(64, float.to_bits())
            }
        }
    }

    /// Could it be beyond all floats?
    pub fn is_far(&self, number: Number) -> bool {
        matches!(number, Number::Int(term) if self.terms.width(term) > 1024)
    }

    /// Two numbers to be compared. Beside a float so large that not every integer has one, integers are
    /// compared as such; one that is known is an integer itself.
    pub fn comparable(&mut self, x: Number, y: Number) -> (Number, Number) {
        match (x, y) {
            (Number::Int(_), Number::Float(float)) => (x, self.large_integer(float).unwrap_or(y)),
            (Number::Float(float), Number::Int(_)) => (self.large_integer(float).unwrap_or(x), y),
            _ => (x, y),
        }
    }

    fn large_integer(&mut self, float: TermId) -> Option<Number> {
        let float = f64::from_bits(self.terms.as_u64(float)?);
        let large = float.is_finite() && float.abs() >= (1u64 << f64::MANTISSA_DIGITS) as f64;
        large.then(|| Number::Int(self.int_constant(&whole_part(float))))
    }

    pub fn finite(&mut self, float: TermId) -> TermId {
        let exponent = self.terms.extract(float, 52, 11);
        let all = self.terms.bits(11, 0x7ff);
        let same = self.terms.eq(exponent, all);
        self.terms.not(same)
    }

    pub fn int_value(&mut self, term: TermId) -> Value {
        match self.terms.as_bits(term) {
            Some(bits) => Value::integer(crate::kinds::bits_big(&bits)),
            None => Value::Symbol(Symbol::Int(term)),
        }
    }

    pub fn float_value(&mut self, term: TermId) -> Value {
        match self.terms.as_u64(term) {
            Some(bits) => Value::Float(f64::from_bits(bits)),
            None => Value::Symbol(Symbol::Float(term)),
        }
    }

    pub fn truth_value(&mut self, term: TermId) -> Value {
        match self.terms.as_bool(term) {
            Some(value) => Value::truth(value),
            None => Value::Symbol(Symbol::Truth(term)),
        }
    }
}
