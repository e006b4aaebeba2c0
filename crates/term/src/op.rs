//! The operators of terms.

use crate::lookup::TableId;

/// Operators, with SMT-LIB's meaning (division by zero included).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    // Bool -> Bool
    Not,
    And,
    Or,
    Xor,
    /// Bool, T, T -> T
    Ite,
    /// T, T -> Bool
    Eq,
    // BitVec -> BitVec
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvSub,
    BvMul,
    BvUDiv,
    BvURem,
    BvSDiv,
    BvSRem,
    BvShl,
    BvLShr,
    BvAShr,
    /// First operand above, second below.
    Concat,
    /// Bits `low .. low + width` where `width` is the result's.
    Extract {
        low: u32,
    },
    ZeroExtend,
    SignExtend,
    /// The entry of a table whose index the operand is; see [`crate::lookup`].
    Lookup {
        table: TableId,
    },
    // BitVec, BitVec -> Bool
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    // Floats as their encodings of 32 or 64 bits; see [`crate::float`].
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// What is left of the first operand when the second is taken away a whole number of times,
    /// with the sign of the first (C's `fmod`).
    FRem,
    FSqrt,
    FFloor,
    FCeil,
    /// To the integer next towards zero.
    FTrunc,
    /// To the nearest integer, the even one of two.
    FRint,
    /// To the nearest integer, the one farther from zero of two.
    FRound,
    /// To the other width.
    FToF,
    /// To a signed integer of 32 or 64 bits, towards zero.
    FToSI,
    /// From a signed integer of at most 64 bits.
    SIToF,
    /// From an unsigned one.
    UIToF,
    // Floats -> Bool, false if one is a NaN
    FEq,
    FLt,
    FLe,
}

impl Op {
    /// Number of operands.
    pub fn arity(self) -> usize {
        match self {
            Op::Not
            | Op::BvNot
            | Op::BvNeg
            | Op::Extract { .. }
            | Op::ZeroExtend
            | Op::SignExtend
            | Op::Lookup { .. }
            | Op::FSqrt
            | Op::FFloor
            | Op::FCeil
            | Op::FTrunc
            | Op::FRint
            | Op::FRound
            | Op::FToF
            | Op::FToSI
            | Op::SIToF
            | Op::UIToF => 1,
            Op::Ite => 3,
            _ => 2,
        }
    }
}
