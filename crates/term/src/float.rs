//! What operators on floats compute: IEEE encodings of 32 or 64 bits in, the like out, rounded to
//! nearest even.
//!
//! Which NaN a result is follows the SSE unit, so that a program that looks at its bits sees what
//! the term says: the first operand that is a NaN, made quiet, or else the default NaN, whose sign
//! is set. A conversion to an integer that does not fit gives the least integer, as there.

use crate::Op;
use crate::bits::{mask, signed};

/// The constants of an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// 32 or 64.
    pub width: u32,
    pub exponent: u32,
    /// Stored bits of the significand.
    pub fraction: u32,
}

impl Format {
    /// The format of this width; panics on others than 32 and 64.
    pub fn of(width: u32) -> Format {
        match width {
            32 => Format {
                width,
                exponent: 8,
                fraction: 23,
            },
            64 => Format {
                width,
                exponent: 11,
                fraction: 52,
            },
            _ => panic!("a float has 32 or 64 bits, not {width}"),
        }
    }

    pub fn sign(self) -> u64 {
        1 << (self.width - 1)
    }

    /// All bits but the sign.
    pub fn magnitude(self) -> u64 {
        self.sign() - 1
    }

    pub fn infinity(self) -> u64 {
        mask(self.exponent) << self.fraction
    }

    /// What tells a quiet NaN from a signalling one.
    pub fn quiet(self) -> u64 {
        1 << (self.fraction - 1)
    }

    /// What invalid operations give.
    pub fn default_nan(self) -> u64 {
        self.sign() | self.infinity() | self.quiet()
    }

    pub fn is_nan(self, bits: u64) -> bool {
        bits & self.magnitude() > self.infinity()
    }

    /// The place of a value in the order of floats, as an unsigned number: neighbours are 1 apart
    /// (the two zeros, too), NaNs are beyond both ends.
    pub fn rank(self, bits: u64) -> u64 {
        match bits & self.sign() {
            0 => bits | self.sign(),
            _ => !bits & mask(self.width),
        }
    }

    /// The value as a number; exact.
    pub fn number(self, bits: u64) -> f64 {
        match self.width {
            32 => f32::from_bits(bits as u32).into(),
            _ => f64::from_bits(bits),
        }
    }

    /// A number in this format, rounded.
    pub fn bits(self, number: f64) -> u64 {
        match self.width {
            32 => (number as f32).to_bits().into(),
            _ => number.to_bits(),
        }
    }
}

/// Whether operands of this operator are floats (not so for `SIToF` and `UIToF`, whose result is).
pub fn takes_floats(op: Op) -> bool {
    is_float(op) && !matches!(op, Op::SIToF | Op::UIToF)
}

/// Whether this is an operator on floats.
pub fn is_float(op: Op) -> bool {
    compares(op)
        || matches!(
            op,
            Op::FAdd
                | Op::FSub
                | Op::FMul
                | Op::FDiv
                | Op::FRem
                | Op::FSqrt
                | Op::FFloor
                | Op::FCeil
                | Op::FTrunc
                | Op::FRint
                | Op::FRound
                | Op::FToF
                | Op::FToSI
                | Op::SIToF
                | Op::UIToF
        )
}

/// Whether this is a comparison of floats.
pub fn compares(op: Op) -> bool {
    matches!(op, Op::FEq | Op::FLt | Op::FLe)
}

/// The value of a float operator; `width` is the result's, `inner` that of the last operand.
pub(crate) fn apply_float(op: Op, width: u32, inner: u32, a: u64, b: u64) -> u64 {
    match op {
        Op::FEq | Op::FLt | Op::FLe => {
            let format = Format::of(inner);
            let (x, y) = (format.number(a), format.number(b));
            u64::from(match op {
                Op::FEq => x == y,
                Op::FLt => x < y,
                _ => x <= y,
            })
        }
        Op::SIToF if width == 32 => (signed(inner, a) as f32).to_bits().into(),
        Op::SIToF => (signed(inner, a) as f64).to_bits(),
        Op::UIToF if width == 32 => (a as f32).to_bits().into(),
        Op::UIToF => (a as f64).to_bits(),
        Op::FToSI => to_integer(width, Format::of(inner).number(a)),
        Op::FToF => resized(Format::of(inner), Format::of(width), a),
        _ => arithmetic(op, Format::of(width), a, b),
    }
}

fn arithmetic(op: Op, format: Format, a: u64, b: u64) -> u64 {
    let binary = op.arity() == 2;
    if format.is_nan(a) {
        return a | format.quiet();
    }
    if binary && format.is_nan(b) {
        return b | format.quiet();
    }
    let result = match format.width {
        32 => {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            u64::from(single(op, x, y).to_bits())
        }
        _ => double(op, f64::from_bits(a), f64::from_bits(b)).to_bits(),
    };
    match format.is_nan(result) {
        true => format.default_nan(),
        false => result,
    }
}

macro_rules! in_format {
    ($name:ident, $float:ty) => {
        fn $name(op: Op, x: $float, y: $float) -> $float {
            match op {
                Op::FAdd => x + y,
                Op::FSub => x - y,
                Op::FMul => x * y,
                Op::FDiv => x / y,
                Op::FRem => x % y,
                Op::FSqrt => x.sqrt(),
                Op::FFloor => x.floor(),
                Op::FCeil => x.ceil(),
                Op::FTrunc => x.trunc(),
                Op::FRint => x.round_ties_even(),
                Op::FRound => x.round(),
                _ => unreachable!("{op:?} is no arithmetic on floats"),
            }
        }
    };
}

in_format!(single, f32);
in_format!(double, f64);

/// Towards zero; what does not fit is the least integer.
fn to_integer(width: u32, number: f64) -> u64 {
    let bound = (1u64 << (width - 1)) as f64;
    match number >= -bound && number < bound {
        true => number as i64 as u64 & mask(width),
        false => 1 << (width - 1),
    }
}

/// Between formats; a NaN keeps its sign and the upper bits of its payload.
fn resized(from: Format, to: Format, a: u64) -> u64 {
    if !from.is_nan(a) {
        return to.bits(from.number(a));
    }
    let fraction = a & mask(from.fraction);
    let fraction = match to.fraction.checked_sub(from.fraction) {
        Some(more) => fraction << more,
        None => fraction >> (from.fraction - to.fraction),
    };
    let sign = if a & from.sign() == 0 { 0 } else { to.sign() };
    sign | to.infinity() | to.quiet() | fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nans_are_those_of_the_machine() {
        let f = Format::of(64);
        let signalling = f.infinity() | 5;
        let negative = f.sign() | f.infinity() | f.quiet() | 9;
        let one = 1f64.to_bits();
        assert_eq!(
            apply_float(Op::FAdd, 64, 64, signalling, negative),
            signalling | f.quiet()
        );
        assert_eq!(apply_float(Op::FAdd, 64, 64, one, negative), negative);
        assert_eq!(apply_float(Op::FDiv, 64, 64, 0, 0), f.default_nan());
        let minus = (-1f64).to_bits();
        assert_eq!(apply_float(Op::FSqrt, 64, 64, minus, 0), f.default_nan());
        let narrow = apply_float(Op::FToF, 32, 64, negative, 0);
        assert_eq!(narrow, 0xffc0_0000);
        assert_eq!(
            apply_float(Op::FToF, 64, 32, narrow | 1, 0),
            f.default_nan() | 1 << 29
        );
    }

    #[test]
    fn integers_that_do_not_fit_are_the_least() {
        let to = |width, x: f64| apply_float(Op::FToSI, width, 64, x.to_bits(), 0);
        assert_eq!(to(32, -2147483648.9), 0x8000_0000);
        assert_eq!(to(32, 2147483647.9), 0x7fff_ffff);
        assert_eq!(to(32, 2147483648.0), 0x8000_0000);
        assert_eq!(to(32, f64::NAN), 0x8000_0000);
        assert_eq!(to(32, -1.9), 0xffff_ffff);
        assert_eq!(to(64, 9223372036854775808.0), 1 << 63);
        assert_eq!(to(64, -9223372036854775808.0), 1 << 63);
        assert_eq!(to(64, f64::INFINITY), 1 << 63);
        assert_eq!(to(64, 1e18), 1_000_000_000_000_000_000);
    }

    #[test]
    fn ranks_are_in_the_order_of_floats() {
        let f = Format::of(32);
        let numbers = [f32::NEG_INFINITY, -1.5, -0.0, 0.0, 1e-45, 1.0, f32::MAX];
        let ranks: Vec<u64> = numbers.map(|x| f.rank(x.to_bits().into())).to_vec();
        assert!(ranks.is_sorted(), "{ranks:?}");
        assert_eq!(ranks[2] + 1, ranks[3]);
        assert_eq!(ranks[3] + 1, ranks[4]);
    }
}
