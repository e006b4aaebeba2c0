//! Arithmetic: integers of any size exactly, floats where they are known.

use crate::machine::{Machine, Raised};
use crate::signature::INTEGER;
use crate::term::{CONS, NIL, NodeId, Term};
use elsewise_explore::ApproximationKind;
use elsewise_term::{Op, TermId};
use num_bigint::{BigInt, Sign};

/// Integers wider than this are taken for what they are now.
const WIDEST: u32 = 512;
/// Powers are multiplied out up to this one.
const POWER: u32 = 8;

#[derive(Clone, Debug)]
pub enum Num {
    Int(TermId),
    Float(f64),
}

impl Machine<'_> {
    pub(crate) fn eval(&mut self, term: &Term) -> Result<Num, Raised> {
        let term = self.value(term);
        match &term {
            Term::Int(value) => Ok(Num::Int(self.constant(value))),
            Term::Number(int) => Ok(Num::Int(*int)),
            Term::Float(value) => Ok(Num::Float(*value)),
            Term::Input(node) => {
                let is = self.inputs.is(self.terms, *node, INTEGER);
                if self.branch(is) {
                    return Ok(Num::Int(self.inputs.int(self.terms, *node)));
                }
                // What it is else makes a difference: an expression has a value, too.
                let con = self.inputs.con(self.terms, *node);
                let here = self.here;
                let first = self.inputs.signature.first_compound();
                let last = self.inputs.signature.len();
                let deeper = self.inputs.within(self.terms, *node, first, last);
                if !self.branch(deeper) {
                    return Err(Raised);
                }
                let con = self.path.fix(self.terms, &self.inputs.present, here, con);
                let number = self.terms.as_u64(con).unwrap_or(0) as u32;
                let term = self.as_constructor(*node, number);
                self.eval(&term)
            }
            Term::Atom(name) => match &**name {
                "pi" => Ok(Num::Float(std::f64::consts::PI)),
                "e" => Ok(Num::Float(std::f64::consts::E)),
                "inf" | "infinite" => Ok(Num::Float(f64::INFINITY)),
                "nan" => Ok(Num::Float(f64::NAN)),
                "epsilon" => Ok(Num::Float(f64::EPSILON)),
                "max_tagged_integer" => Ok(self.known_int((1i64 << 60) - 1)),
                "min_tagged_integer" => Ok(self.known_int(-(1i64 << 60))),
                "max_integer" => Ok(self.known_int(i64::MAX)),
                "min_integer" => Ok(self.known_int(i64::MIN)),
                // Random numbers and clocks are told by nobody.
                "random" | "random_float" | "cputime" | "realtime" => Err(Raised),
                _ => Err(Raised),
            },
            Term::Compound(compound) => {
                let args = compound.args.clone();
                match (&*compound.name, args.as_slice()) {
                    (CONS, [one, rest]) => {
                        let rest = self.value(rest);
                        let nil = self.unify(&rest, &Term::atom(NIL));
                        match self.branch(nil) {
                            true => self.character(one),
                            false => Err(Raised),
                        }
                    }
                    (name, [a]) => {
                        let a = self.eval(a)?;
                        self.unary(name, a)
                    }
                    (name, [a, b]) => {
                        let (a, b) = (self.eval(a)?, self.eval(b)?);
                        self.binary(name, a, b)
                    }
                    _ => Err(Raised),
                }
            }
            Term::Text(text) => self.code_of(text),
            _ => Err(Raised),
        }
    }

    /// `[X]` is the code of a character.
    fn character(&mut self, term: &Term) -> Result<Num, Raised> {
        let term = match self.value(term) {
            Term::Input(node) => {
                let is = self.inputs.is(self.terms, node, INTEGER);
                match self.branch(is) {
                    true => {
                        let int = self.inputs.int(self.terms, node);
                        self.number(int)
                    }
                    false => return self.character_of(node),
                }
            }
            other => other,
        };
        match &term {
            Term::Int(_) | Term::Number(_) => {
                let code = Num::Int(self.int_term(&term));
                let (none, last) = (self.known_int(0), self.known_int(0x10_ffff));
                let above = self.compare_numbers(">=", &code, &none);
                let below = self.compare_numbers("=<", &code, &last);
                let both = self.terms.and(above, below);
                match self.branch(both) {
                    true => Ok(code),
                    false => Err(Raised),
                }
            }
            Term::Atom(name) => self.code_of(name),
            _ => Err(Raised),
        }
    }

    /// The code of an unknown atom, if it is a character.
    fn character_of(&mut self, node: NodeId) -> Result<Num, Raised> {
        let signature = self.inputs.signature;
        let codes: Vec<u64> = (0..signature.len())
            .map(|number| {
                let constructor = signature.get(number);
                let mut chars = constructor.name.chars();
                match (number, constructor.arity, chars.next(), chars.next()) {
                    (INTEGER, ..) => 0,
                    (_, 0, Some(one), None) => u64::from(u32::from(one)),
                    _ => 0,
                }
            })
            .chain([0])
            .collect();
        let table = self.terms.table(32, &codes);
        let con = self.inputs.con(self.terms, node);
        let code = self.terms.lookup(table, con);
        let none = self.zero(code);
        match self.branch(none) {
            true => Err(Raised),
            false => Ok(Num::Int(code)),
        }
    }

    fn code_of(&mut self, text: &str) -> Result<Num, Raised> {
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(one), None) => Ok(self.known_int(u32::from(one).into())),
            _ => Err(Raised),
        }
    }

    fn known_int(&mut self, value: i64) -> Num {
        Num::Int(self.constant(&value.into()))
    }

    /// The number as a term.
    pub(crate) fn num_term(&mut self, num: &Num) -> Term {
        match num {
            Num::Int(int) => self.number(*int),
            Num::Float(value) => Term::Float(*value),
        }
    }

    fn limited(&mut self, int: TermId) -> Num {
        if self.terms.width(int) > WIDEST && !self.terms.is_const(int) {
            let here = self.here;
            self.path.approximate(ApproximationKind::WideValue, here);
            let bits = self.path.now(self.terms, &self.inputs.present, int);
            return Num::Int(self.terms.constant(bits));
        }
        // As narrow as the value is, so that numbers which go round do not become wider for ever.
        if let Some(bits) = self.terms.as_bits(int) {
            let value = crate::inputs::bits_big(&bits);
            return Num::Int(self.constant(&value));
        }
        Num::Int(int)
    }

    /// The float that a number is now; an unknown integer is counted as taken for what it is.
    fn float_now(&mut self, num: &Num) -> f64 {
        match num {
            Num::Float(value) => *value,
            Num::Int(int) => {
                if !self.terms.is_const(*int) {
                    let here = self.here;
                    self.path
                        .approximate(ApproximationKind::OpaqueOperation, here);
                }
                let bits = self.path.now(self.terms, &self.inputs.present, *int);
                big_float(&crate::inputs::bits_big(&bits))
            }
        }
    }

    fn zero(&mut self, int: TermId) -> TermId {
        let zero = self.terms.bits(self.terms.width(int), 0);
        self.terms.eq(int, zero)
    }

    fn negative(&mut self, int: TermId) -> TermId {
        let zero = self.terms.bits(self.terms.width(int), 0);
        self.terms.compare(Op::BvSlt, int, zero)
    }

    fn negated(&mut self, int: TermId) -> TermId {
        let wide = self.terms.sign_extend(int, self.terms.width(int) + 1);
        self.terms.bv(Op::BvNeg, &[wide])
    }

    fn unary(&mut self, name: &str, a: Num) -> Result<Num, Raised> {
        match (name, &a) {
            ("+", _) => Ok(a),
            ("-", Num::Int(int)) => {
                let negated = self.negated(*int);
                Ok(self.limited(negated))
            }
            ("abs", Num::Int(int)) => {
                let (negative, negated) = (self.negative(*int), self.negated(*int));
                let wide = self.terms.sign_extend(*int, self.terms.width(negated));
                let value = self.terms.ite(negative, negated, wide);
                Ok(self.limited(value))
            }
            ("sign", Num::Int(int)) => {
                let (negative, zero) = (self.negative(*int), self.zero(*int));
                let [minus, none, plus] = [3, 0, 1].map(|value| self.terms.bits(2, value));
                let not_negative = self.terms.ite(zero, none, plus);
                Ok(Num::Int(self.terms.ite(negative, minus, not_negative)))
            }
            ("\\", Num::Int(int)) => {
                let not = self.terms.bv(Op::BvNot, &[*int]);
                Ok(self.limited(not))
            }
            ("succ", Num::Int(_)) => {
                let one = self.known_int(1);
                self.binary("+", a, one)
            }
            ("truncate" | "integer" | "round" | "ceiling" | "floor", Num::Int(_)) => Ok(a),
            ("truncate" | "integer" | "round" | "ceiling" | "floor", Num::Float(value)) => {
                if !value.is_finite() {
                    return Err(Raised);
                }
                let whole = match name {
                    "truncate" => value.trunc(),
                    "ceiling" => value.ceil(),
                    "floor" => value.floor(),
                    _ => value.round(),
                };
                let digits = format!("{whole:.0}");
                let value = BigInt::parse_bytes(digits.as_bytes(), 10).unwrap_or_default();
                Ok(Num::Int(self.constant(&value)))
            }
            ("float_integer_part", Num::Int(_)) => Ok(a),
            ("float_fractional_part", Num::Int(_)) => Ok(self.known_int(0)),
            ("msb" | "gcd" | "random", Num::Int(_)) => self.opaque_number(name, &[a]),
            _ => {
                let x = self.float_now(&a);
                let value = match name {
                    "-" => -x,
                    "abs" => x.abs(),
                    "sign" if x == 0.0 => 0.0,
                    "sign" => x.signum(),
                    "float" => x,
                    "sqrt" if x < 0.0 => return Err(Raised),
                    "sqrt" => x.sqrt(),
                    "sin" => x.sin(),
                    "cos" => x.cos(),
                    "tan" => x.tan(),
                    "exp" => x.exp(),
                    "log" | "log2" if x <= 0.0 => return Err(Raised),
                    "log" => x.ln(),
                    "log2" => x.log2(),
                    "atan" => x.atan(),
                    "float_integer_part" => x.trunc(),
                    "float_fractional_part" => x.fract(),
                    _ => return Err(Raised),
                };
                Ok(Num::Float(value))
            }
        }
    }

    /// An operation on integers that is not modelled: on what they are now, if that is small.
    fn opaque_number(&mut self, name: &str, args: &[Num]) -> Result<Num, Raised> {
        let mut values = Vec::new();
        for arg in args {
            let Num::Int(int) = arg else {
                return Err(Raised);
            };
            if !self.terms.is_const(*int) {
                let here = self.here;
                self.path
                    .approximate(ApproximationKind::OpaqueOperation, here);
            }
            let bits = self.path.now(self.terms, &self.inputs.present, *int);
            values.push(crate::inputs::bits_big(&bits));
        }
        let value = match (name, values.as_slice()) {
            ("msb", [a]) if *a > BigInt::default() => BigInt::from(a.bits() - 1),
            ("gcd", [a, b]) => {
                let (mut a, mut b) = (a.clone(), b.clone());
                while b != BigInt::default() {
                    let rest = &a % &b;
                    a = std::mem::replace(&mut b, rest);
                }
                if a < BigInt::default() { -a } else { a }
            }
            ("^" | "**", [a, b]) => match u32::try_from(b) {
                Ok(power) if u64::from(power) * a.bits() < 1 << 16 => a.pow(power),
                _ if a.bits() == 1 => match b.bit(0) {
                    true => a.clone(),
                    false => BigInt::from(1),
                },
                Err(_) if b.sign() == Sign::Minus && a.bits() > 0 => {
                    let power = big_float(a).powf(big_float(b));
                    return Ok(Num::Float(power));
                }
                _ => return Err(Raised),
            },
            // By a negative number it is the other way.
            ("<<" | ">>", [a, b]) => {
                let left = (name == "<<") == (b.sign() != Sign::Minus);
                match u32::try_from(b.magnitude()) {
                    Ok(by) if left && by < 1 << 16 => a << by,
                    Ok(by) if !left => a >> by,
                    _ => return Err(Raised),
                }
            }
            _ => return Err(Raised),
        };
        Ok(Num::Int(self.constant(&value)))
    }

    fn binary(&mut self, name: &str, a: Num, b: Num) -> Result<Num, Raised> {
        if let (Num::Int(x), Num::Int(y)) = (&a, &b) {
            return self.of_integers(name, *x, *y);
        }
        if matches!(name, "min" | "max") {
            // The one that is smaller or larger stays what it is; of two that are equal, the float.
            let (x, y) = (self.float_now(&a), self.float_now(&b));
            let first = match (&a, &b) {
                (Num::Float(_), Num::Int(_)) if x == y => true,
                (Num::Int(_), Num::Float(_)) if x == y => false,
                _ => (x < y) == (name == "min"),
            };
            return Ok(if first { a } else { b });
        }
        let (x, y) = (self.float_now(&a), self.float_now(&b));
        let value = match name {
            "+" => x + y,
            "-" => x - y,
            "*" => x * y,
            "/" if y == 0.0 => return Err(Raised),
            "/" => x / y,
            "**" | "^" => x.powf(y),
            "atan2" | "atan" => x.atan2(y),
            "copysign" => x.copysign(y),
            "truncate" => x.trunc(),
            _ => return Err(Raised),
        };
        match value.is_finite() {
            true => Ok(Num::Float(value)),
            false => Err(Raised),
        }
    }

    fn of_integers(&mut self, name: &str, x: TermId, y: TermId) -> Result<Num, Raised> {
        let (wide_x, wide_y) = (self.terms.width(x), self.terms.width(y));
        let plain = |machine: &mut Self, op, width| {
            let a = machine.terms.sign_extend(x, width);
            let b = machine.terms.sign_extend(y, width);
            let value = machine.terms.bv(op, &[a, b]);
            Ok(machine.limited(value))
        };
        let width = wide_x.max(wide_y);
        match name {
            "+" => plain(self, Op::BvAdd, width + 1),
            "-" => plain(self, Op::BvSub, width + 1),
            "*" => plain(self, Op::BvMul, wide_x + wide_y),
            "/\\" => plain(self, Op::BvAnd, width),
            "\\/" => plain(self, Op::BvOr, width),
            "xor" => plain(self, Op::BvXor, width),
            "min" | "max" => {
                let (a, b) = self.widened(x, y, 0);
                let less = self.terms.compare(Op::BvSle, a, b);
                let value = match name {
                    "min" => self.terms.ite(less, a, b),
                    _ => self.terms.ite(less, b, a),
                };
                Ok(self.limited(value))
            }
            "//" | "rem" | "mod" | "div" => {
                let zero = self.zero(y);
                if self.branch(zero) {
                    return Err(Raised);
                }
                self.divided(name, x, y)
            }
            "/" => {
                let zero = self.zero(y);
                if self.branch(zero) {
                    return Err(Raised);
                }
                let (a, b) = self.widened(x, y, 1);
                let rest = self.terms.bv(Op::BvSRem, &[a, b]);
                let whole = self.zero(rest);
                if self.branch(whole) {
                    return self.divided("//", x, y);
                }
                let (x, y) = (self.float_now(&Num::Int(x)), self.float_now(&Num::Int(y)));
                Ok(Num::Float(x / y))
            }
            ">>" | "<<" => match self.terms.as_u64(y) {
                Some(by) if by <= 64 && !self.terms.is_const(x) && wide_y < 32 => {
                    let by = by as u32;
                    let value = if name == "<<" {
                        let wide = self.terms.sign_extend(x, wide_x + by);
                        let amount = self.terms.bits(wide_x + by, by.into());
                        self.terms.bv(Op::BvShl, &[wide, amount])
                    } else {
                        let amount = self.terms.bits(wide_x, by.min(wide_x - 1).into());
                        self.terms.bv(Op::BvAShr, &[x, amount])
                    };
                    Ok(self.limited(value))
                }
                _ => self.opaque_number(name, &[Num::Int(x), Num::Int(y)]),
            },
            "^" | "**" => self.power(name, x, y),
            "gcd" => self.opaque_number(name, &[Num::Int(x), Num::Int(y)]),
            _ => Err(Raised),
        }
    }

    fn power(&mut self, name: &str, x: TermId, y: TermId) -> Result<Num, Raised> {
        let power = self
            .terms
            .as_bits(y)
            .map(|bits| crate::inputs::bits_big(&bits));
        match power.as_ref().map(u32::try_from) {
            Some(Ok(power)) if power <= POWER && !self.terms.is_const(x) => {
                let mut value = self.known_int(1);
                for _ in 0..power {
                    value = self.binary("*", value, Num::Int(x))?;
                }
                Ok(value)
            }
            _ => self.opaque_number(name, &[Num::Int(x), Num::Int(y)]),
        }
    }

    /// Division of which it is known that it is not by zero.
    fn divided(&mut self, name: &str, x: TermId, y: TermId) -> Result<Num, Raised> {
        let (a, b) = self.widened(x, y, 1);
        let quotient = self.terms.bv(Op::BvSDiv, &[a, b]);
        let rest = self.terms.bv(Op::BvSRem, &[a, b]);
        // `mod` has the sign of the divisor, `div` rounds down.
        let none = self.zero(rest);
        let some = self.terms.not(none);
        let (low_rest, low_b) = (self.negative(rest), self.negative(b));
        let differ = self.terms.xor(low_rest, low_b);
        let adjust = self.terms.and(some, differ);
        let value = match name {
            "//" => quotient,
            "rem" => rest,
            "mod" => {
                let other = self.terms.bv(Op::BvAdd, &[rest, b]);
                self.terms.ite(adjust, other, rest)
            }
            _ => {
                let one = self.terms.bits(self.terms.width(a), 1);
                let less = self.terms.bv(Op::BvSub, &[quotient, one]);
                self.terms.ite(adjust, less, quotient)
            }
        };
        Ok(self.limited(value))
    }

    /// `<`, `=:=` and their like.
    pub(crate) fn compare_numbers(&mut self, name: &str, a: &Num, b: &Num) -> TermId {
        let name = name.trim_start_matches('#');
        if let (Num::Int(x), Num::Int(y)) = (a, b) {
            let (op, x, y, not) = match name {
                "<" => (Op::BvSlt, *x, *y, false),
                ">" => (Op::BvSlt, *y, *x, false),
                "=<" => (Op::BvSle, *x, *y, false),
                ">=" => (Op::BvSle, *y, *x, false),
                "=:=" | "=" => (Op::Eq, *x, *y, false),
                _ => (Op::Eq, *x, *y, true),
            };
            let holds = self.compare_ints(op, x, y);
            return match not {
                true => self.terms.not(holds),
                false => holds,
            };
        }
        let (x, y) = (self.float_now(a), self.float_now(b));
        let holds = match name {
            "<" => x < y,
            ">" => x > y,
            "=<" => x <= y,
            ">=" => x >= y,
            "=:=" | "=" => x == y,
            _ => x != y,
        };
        self.bool(holds)
    }
}

/// The float that is nearest to an integer.
fn big_float(value: &BigInt) -> f64 {
    value.to_string().parse().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests;
