//! Operations on floats. What the terms have no operator for is made of others: signs are bits,
//! predicates are three comparisons and what is a NaN, integers of other widths are parts of those
//! that the machine converts to.

use super::{Damaged, damaged};
use elsewise_term::float::Format;
use elsewise_term::{Op as TermOp, TermId, Terms};
use elsewise_wire::{FCMP, Op};

/// Operations with two operands of one width.
pub(super) fn is_binary(op: Op) -> bool {
    matches!(op as u8, 70..=77 | 101..=114)
}

/// Operations with one operand.
pub(super) fn is_unary(op: Op) -> bool {
    matches!(op as u8, 80..=87 | 90..=94)
}

fn format(terms: &Terms, term: TermId) -> Result<Format, Damaged> {
    match terms.width(term) {
        width @ (32 | 64) => Ok(Format::of(width)),
        width => damaged(format!("a float of {width} bits")),
    }
}

pub(super) fn binary(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Result<TermId, Damaged> {
    let format = format(terms, a)?;
    let arithmetic = match op {
        Op::FAdd => TermOp::FAdd,
        Op::FSub => TermOp::FSub,
        Op::FMul => TermOp::FMul,
        Op::FDiv => TermOp::FDiv,
        Op::FRem => TermOp::FRem,
        Op::FMin | Op::FMax => return Ok(extreme(terms, op, a, b)),
        Op::FCopySign => {
            let top = format.width - 1;
            let sign = terms.extract(b, top, 1);
            let rest = terms.extract(a, 0, top);
            return Ok(terms.concat(sign, rest));
        }
        _ => return Ok(predicate(terms, op as u8 - FCMP, a, b)),
    };
    Ok(terms.float(arithmetic, &[a, b], format.width))
}

/// The lesser or the greater, or the one that is no NaN.
fn extreme(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> TermId {
    let other_wins = match op {
        Op::FMin => terms.float(TermOp::FLt, &[b, a], 1),
        _ => terms.float(TermOp::FLt, &[a, b], 1),
    };
    let nan = terms.is_nan(a);
    let other = terms.or(nan, other_wins);
    terms.ite(other, b, a)
}

/// LLVM's `fcmp`: bits of the number say for which relations it holds.
fn predicate(terms: &mut Terms, number: u8, a: TermId, b: TermId) -> TermId {
    let nans = |terms: &mut Terms| {
        let (x, y) = (terms.is_nan(a), terms.is_nan(b));
        terms.or(x, y)
    };
    let ordered = match number & 7 {
        0 => terms.bool(false),
        1 => terms.float(TermOp::FEq, &[a, b], 1),
        2 => terms.float(TermOp::FLt, &[b, a], 1),
        3 => terms.float(TermOp::FLe, &[b, a], 1),
        4 => terms.float(TermOp::FLt, &[a, b], 1),
        5 => terms.float(TermOp::FLe, &[a, b], 1),
        6 if number == 14 => {
            // Not equal, or no numbers: no equal numbers.
            let same = terms.float(TermOp::FEq, &[a, b], 1);
            return terms.not(same);
        }
        6 => {
            let (less, more) = (
                terms.float(TermOp::FLt, &[a, b], 1),
                terms.float(TermOp::FLt, &[b, a], 1),
            );
            terms.or(less, more)
        }
        _ => {
            let none = nans(terms);
            terms.not(none)
        }
    };
    match number & 8 {
        0 => ordered,
        _ => {
            let none = nans(terms);
            terms.or(ordered, none)
        }
    }
}

pub(super) fn unary(terms: &mut Terms, op: Op, a: TermId, width: u32) -> Result<TermId, Damaged> {
    if matches!(op, Op::SIToF | Op::UIToF) {
        if terms.width(a) > 64 || !matches!(width, 32 | 64) {
            return damaged("a float made from what is no integer of at most 64 bits");
        }
        let op = match op {
            Op::SIToF => TermOp::SIToF,
            _ => TermOp::UIToF,
        };
        return Ok(terms.float(op, &[a], width));
    }
    let format = format(terms, a)?;
    let op = match op {
        Op::FNeg => {
            let sign = terms.bits(format.width, format.sign());
            return Ok(terms.bv(TermOp::BvXor, &[a, sign]));
        }
        Op::FAbs => {
            let magnitude = terms.bits(format.width, format.magnitude());
            return Ok(terms.bv(TermOp::BvAnd, &[a, magnitude]));
        }
        Op::FToSI | Op::FToUI => {
            if width > 64 {
                return damaged("an integer of more than 64 bits made from a float");
            }
            return Ok(to_integer(terms, op, a, width));
        }
        Op::FToF => {
            if !matches!(width, 32 | 64) {
                return damaged(format!("a float of {width} bits"));
            }
            return Ok(terms.float(TermOp::FToF, &[a], width));
        }
        Op::FSqrt => TermOp::FSqrt,
        Op::FFloor => TermOp::FFloor,
        Op::FCeil => TermOp::FCeil,
        Op::FTrunc => TermOp::FTrunc,
        Op::FRint => TermOp::FRint,
        _ => TermOp::FRound,
    };
    Ok(terms.float(op, &[a], format.width))
}

/// As clang compiles it for x86-64, also where the value does not fit.
fn to_integer(terms: &mut Terms, op: Op, a: TermId, width: u32) -> TermId {
    let by_32 = match op {
        Op::FToSI => width <= 32,
        _ => width <= 16,
    };
    if by_32 {
        let whole = terms.float(TermOp::FToSI, &[a], 32);
        return terms.extract(whole, 0, width);
    }
    let whole = terms.float(TermOp::FToSI, &[a], 64);
    if op == Op::FToSI || width <= 32 {
        return terms.extract(whole, 0, width);
    }
    // What is too great for a signed integer is converted less 2^63, which is then put back.
    let format = Format::of(terms.width(a));
    let half = terms.bits(format.width, format.bits(9223372036854775808.0));
    let less = terms.float(TermOp::FSub, &[a, half], format.width);
    let rest = terms.float(TermOp::FToSI, &[less], 64);
    let by = terms.bits(64, 63);
    let great = terms.bv(TermOp::BvAShr, &[whole, by]);
    let upper = terms.bv(TermOp::BvAnd, &[great, rest]);
    let whole = terms.bv(TermOp::BvOr, &[whole, upper]);
    terms.extract(whole, 0, width)
}
