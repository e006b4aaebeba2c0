//! What labels stand for: nodes, their operations, and what the pass asks the runtime to make of them.

/// Entries that a table of [`Op::Lookup`] may have.
pub const MAX_ENTRIES: u32 = 1 << 16;

/// What a node computes. Operand order is that of SMT-LIB; `a` and `b` are labels unless said
/// otherwise. A *constant operand* stands in `b` as a value when [`CONST_RIGHT`] or [`CONST_LEFT`]
/// is set: then `a` is the label of the other operand.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Never valid: label 0 means concrete.
    None = 0,
    /// `a` = index into [`crate::Header::streams`], `b` = offset of the byte; 8 bits.
    Input = 1,
    /// `a` = index into [`crate::Header::streams`]: the stream's length in bytes; 64 bits.
    Length = 2,
    /// `b` = the value; at most 64 bits.
    Const = 3,
    /// An entry of a table, which is no value by itself: `b` = its value, or `a` = its label
    /// where it has one.
    Data = 4,

    Add = 10,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,

    /// Comparisons have 1 bit; the operands' width is that of operand `a`.
    Eq = 30,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,

    /// `a` to `bits` bits.
    ZExt = 50,
    SExt,
    /// Lowest `bits` bits of `a`.
    Trunc,
    /// `bits` bits of `a` from bit `b` up.
    Extract,
    /// `a` above, `b` (label) below; `bits` is the sum.
    Concat,
    /// `a` = label of the condition (1 bit); `b` = label if true in the low half, label if false
    /// in the high half.
    Ite,
    Not,
    Neg,
    /// The entry of a table: `a` = label of the index (unsigned, at most 64 bits), `b` = label of
    /// the first of consecutive [`Op::Data`] nodes, in the order of their indices, in the low
    /// half, their number (at most [`MAX_ENTRIES`]) in the high half; at most 64 bits, like the
    /// entries. An index beyond the end has the last entry; that there is none is said by an
    /// earlier choice.
    Lookup,

    /// Floats are their encodings of 32 or 64 bits; round to nearest even. The remainder is C's
    /// `fmod`, least and greatest are LLVM's `minnum` and `maxnum`.
    FAdd = 70,
    FSub,
    FMul,
    FDiv,
    FRem,
    FMin,
    FMax,
    /// The magnitude of `a` with the sign of `b`.
    FCopySign,

    FNeg = 80,
    FAbs,
    FSqrt,
    FFloor,
    FCeil,
    /// To the integer next towards zero.
    FTrunc,
    /// To the nearest integer, the even one of two.
    FRint,
    /// To the nearest integer, the one farther from zero of two.
    FRound,

    /// `a` to `bits` bits: a float to the other width, to an integer of at most 64 bits, from an
    /// integer of at most 64 bits. What does not fit an integer is what clang's code for x86-64
    /// makes of it.
    FToF = 90,
    FToSI,
    FToUI,
    SIToF,
    UIToF,

    /// Comparisons of floats, 1 bit: [`FCMP`] plus LLVM's number of the predicate.
    FOeq = 101,
    FOgt,
    FOge,
    FOlt,
    FOle,
    FOne,
    FOrd,
    FUno,
    FUeq,
    FUgt,
    FUge,
    FUlt,
    FUle,
    FUne,
}

/// What LLVM's number of an `fcmp` predicate is added to.
pub const FCMP: u8 = 100;

impl Op {
    /// All operations, for decoding.
    pub const ALL: [Op; 72] = [
        Op::Input,
        Op::Length,
        Op::Const,
        Op::Data,
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::UDiv,
        Op::SDiv,
        Op::URem,
        Op::SRem,
        Op::Shl,
        Op::LShr,
        Op::AShr,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Eq,
        Op::Ne,
        Op::Ult,
        Op::Ule,
        Op::Ugt,
        Op::Uge,
        Op::Slt,
        Op::Sle,
        Op::Sgt,
        Op::Sge,
        Op::ZExt,
        Op::SExt,
        Op::Trunc,
        Op::Extract,
        Op::Concat,
        Op::Ite,
        Op::Not,
        Op::Neg,
        Op::Lookup,
        Op::FAdd,
        Op::FSub,
        Op::FMul,
        Op::FDiv,
        Op::FRem,
        Op::FMin,
        Op::FMax,
        Op::FCopySign,
        Op::FNeg,
        Op::FAbs,
        Op::FSqrt,
        Op::FFloor,
        Op::FCeil,
        Op::FTrunc,
        Op::FRint,
        Op::FRound,
        Op::FToF,
        Op::FToSI,
        Op::FToUI,
        Op::SIToF,
        Op::UIToF,
        Op::FOeq,
        Op::FOgt,
        Op::FOge,
        Op::FOlt,
        Op::FOle,
        Op::FOne,
        Op::FOrd,
        Op::FUno,
        Op::FUeq,
        Op::FUgt,
        Op::FUge,
        Op::FUlt,
        Op::FUle,
        Op::FUne,
        Op::None,
    ];

    pub fn from_u8(code: u8) -> Option<Op> {
        const BY_CODE: [Option<Op>; 256] = {
            let mut by_code = [None; 256];
            let mut index = 0;
            while index < Op::ALL.len() {
                if !matches!(Op::ALL[index], Op::None) {
                    by_code[Op::ALL[index] as usize] = Some(Op::ALL[index]);
                }
                index += 1;
            }
            by_code
        };
        BY_CODE[usize::from(code)]
    }
}

/// What the pass asks the runtime to compute where one node is not enough.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    ByteSwap,
    BitReverse,
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    Abs,
    SMin,
    SMax,
    UMin,
    UMax,
    /// Upper half of the first operand above the second, both moved left by the third.
    FunnelLeft,
    /// Lower half of the first operand above the second, both moved right by the third.
    FunnelRight,
    /// The label is that of the overflow; the sum, difference or product is a node of its own.
    SAddOverflow,
    UAddOverflow,
    SSubOverflow,
    USubOverflow,
    SMulOverflow,
    UMulOverflow,
}

impl Formula {
    pub const ALL: [Formula; 18] = [
        Formula::ByteSwap,
        Formula::BitReverse,
        Formula::CountOnes,
        Formula::LeadingZeros,
        Formula::TrailingZeros,
        Formula::Abs,
        Formula::SMin,
        Formula::SMax,
        Formula::UMin,
        Formula::UMax,
        Formula::FunnelLeft,
        Formula::FunnelRight,
        Formula::SAddOverflow,
        Formula::UAddOverflow,
        Formula::SSubOverflow,
        Formula::USubOverflow,
        Formula::SMulOverflow,
        Formula::UMulOverflow,
    ];

    pub fn from_u8(code: u8) -> Option<Formula> {
        Self::ALL.into_iter().find(|f| *f as u8 == code)
    }

    /// The operation whose overflow it is.
    pub fn arithmetic(self) -> Option<Op> {
        Some(match self {
            Formula::SAddOverflow | Formula::UAddOverflow => Op::Add,
            Formula::SSubOverflow | Formula::USubOverflow => Op::Sub,
            Formula::SMulOverflow | Formula::UMulOverflow => Op::Mul,
            _ => return None,
        })
    }
}

/// What a check asks of its operands.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The second operand is at least the first one's width.
    Shift,
    /// The first operand, unsigned, is at least the second.
    Index,
    SAdd,
    SSub,
    SMul,
}

impl Check {
    pub fn from_u8(code: u8) -> Option<Check> {
        use Check::*;
        [Shift, Index, SAdd, SSub, SMul]
            .into_iter()
            .find(|check| *check as u8 == code)
    }
}

/// `b` holds the right operand's value.
pub const CONST_RIGHT: u8 = 1;
/// `b` holds the left operand's value; `a` is the right operand's label.
pub const CONST_LEFT: u8 = 2;

/// One symbolic operation. Label `n` is entry `n` of the node area; entry 0 is unused. Operands
/// always have smaller labels than the node.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub op: u8,
    pub flags: u8,
    /// Width of the result.
    pub bits: u16,
    pub a: u32,
    pub b: u64,
}

const _: () = assert!(core::mem::size_of::<Node>() == 16);
