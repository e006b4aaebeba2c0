//! What each operator computes. The constructors fold constants with it, the evaluator and
//! compiled queries run it, so that there is one definition of every operator. `Lookup` alone is
//! not here but in [`crate::lookup`]: it needs its table.

use crate::bits::{mask, signed};
use crate::float::apply_float;
use crate::{Bits, Op};

const NEEDS_TABLE: &str = "a look-up is evaluated with its table";

/// The value of `op`, which is not `Lookup`, where the result and all operands have at most 64 bits.
///
/// `width` is the result's (1 for Bool), `inner` that of the last operand. A Bool is 0 or 1.
#[inline]
pub fn apply_u64(op: Op, width: u32, inner: u32, [a, b, c]: [u64; 3]) -> u64 {
    match op {
        Op::Not => a ^ 1,
        Op::And | Op::BvAnd => a & b,
        Op::Or | Op::BvOr => a | b,
        Op::Xor | Op::BvXor => a ^ b,
        Op::Ite => {
            if a == 1 {
                b
            } else {
                c
            }
        }
        Op::Eq => u64::from(a == b),
        Op::BvNot => !a & mask(width),
        Op::BvNeg => a.wrapping_neg() & mask(width),
        Op::BvAdd => a.wrapping_add(b) & mask(width),
        Op::BvSub => a.wrapping_sub(b) & mask(width),
        Op::BvMul => a.wrapping_mul(b) & mask(width),
        Op::BvUDiv => a.checked_div(b).unwrap_or(mask(width)),
        Op::BvURem => a.checked_rem(b).unwrap_or(a),
        Op::BvSDiv => {
            let (x, y) = (signed(width, a), signed(width, b));
            let quotient = match y {
                0 if x < 0 => 1,
                0 => -1,
                _ => x.wrapping_div(y),
            };
            quotient as u64 & mask(width)
        }
        Op::BvSRem => {
            let (x, y) = (signed(width, a), signed(width, b));
            let rest = if y == 0 { x } else { x.wrapping_rem(y) };
            rest as u64 & mask(width)
        }
        Op::BvShl => {
            if b >= u64::from(width) {
                0
            } else {
                a << b & mask(width)
            }
        }
        Op::BvLShr => {
            if b >= u64::from(width) {
                0
            } else {
                a >> b
            }
        }
        Op::BvAShr => (signed(width, a) >> b.min(63)) as u64 & mask(width),
        Op::Concat => a << inner | b,
        Op::Extract { low } => a >> low & mask(width),
        Op::ZeroExtend => a,
        Op::SignExtend => signed(inner, a) as u64 & mask(width),
        Op::Lookup { .. } => unreachable!("{NEEDS_TABLE}"),
        Op::BvUlt => u64::from(a < b),
        Op::BvUle => u64::from(a <= b),
        Op::BvSlt => u64::from(signed(inner, a) < signed(inner, b)),
        Op::BvSle => u64::from(signed(inner, a) <= signed(inner, b)),
        _ => apply_float(op, width, inner, a, b),
    }
}

/// The value of `op`, which is not `Lookup`, at any width; `width` is the result's (1 for Bool). A Bool is a value of
/// width 1.
pub fn apply(op: Op, width: u32, operands: &[Bits]) -> Bits {
    let a = &operands[0];
    let b = || &operands[1];
    let truth = |value: bool| Bits::new(1, value.into());
    if width <= 64 && operands.iter().all(|operand| operand.width() <= 64) {
        let mut narrow = [0; 3];
        for (to, from) in narrow.iter_mut().zip(operands) {
            *to = from.low_u64();
        }
        let inner = operands[operands.len() - 1].width();
        return Bits::new(width, apply_u64(op, width, inner, narrow));
    }
    match op {
        Op::Not | Op::BvNot => a.not(),
        Op::And | Op::BvAnd => a.and(b()),
        Op::Or | Op::BvOr => a.or(b()),
        Op::Xor | Op::BvXor => a.xor(b()),
        Op::Ite => {
            if a.is_one() {
                b().clone()
            } else {
                operands[2].clone()
            }
        }
        Op::Eq => truth(a == b()),
        Op::BvNeg => a.neg(),
        Op::BvAdd => a.add(b()),
        Op::BvSub => a.sub(b()),
        Op::BvMul => a.mul(b()),
        Op::BvUDiv => a.udiv(b()),
        Op::BvURem => a.urem(b()),
        Op::BvSDiv => a.sdiv(b()),
        Op::BvSRem => a.srem(b()),
        Op::BvShl => a.shl(b()),
        Op::BvLShr => a.lshr(b()),
        Op::BvAShr => a.ashr(b()),
        Op::Concat => a.concat(b()),
        Op::Extract { low } => a.extract(low, width),
        Op::ZeroExtend => a.zero_extend(width),
        Op::SignExtend => a.sign_extend(width),
        Op::Lookup { .. } => unreachable!("{NEEDS_TABLE}"),
        Op::BvUlt => truth(a.ult(b())),
        Op::BvUle => truth(a.ule(b())),
        Op::BvSlt => truth(a.slt(b())),
        Op::BvSle => truth(a.sle(b())),
        _ => unreachable!("{op:?} takes and gives at most 64 bits"),
    }
}
