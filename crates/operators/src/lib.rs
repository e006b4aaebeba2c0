//! The operators of programs that are told as transition relations: which there are, what they take and
//! give, and the numbers by which they are written. The pass tells a program in them and the engine
//! follows it, so they stand below both and depend on nothing, not even on `std`.
#![no_std]

/// The enum, and those of it that have a number, in one order.
macro_rules! operators {
    ($($(#[$meaning:meta])* $name:ident,)*) => {
        /// Operations of one width: operands and result, unless said otherwise.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Operator {
            $($(#[$meaning])* $name,)*
            /// The bits of the operand from here on, as many as the result has.
            Extract { low: u32 },
        }

        /// By their numbers, which do not change.
        const NUMBERED: &[Operator] = &[$(Operator::$name,)*];
    };
}

operators! {
    Add,
    Sub,
    Mul,
    /// Division by zero ends the run as a failure, as does the quotient of signed numbers that is too
    /// large.
    UDiv,
    SDiv,
    URem,
    SRem,
    /// Shifts by the width or more give what SMT-LIB says.
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    // Two operands of one width; the result has one bit.
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sle,
    // One operand; the result has a width of its own.
    ZeroExtend,
    SignExtend,
    Truncate,
    /// First operand above, second below.
    Concat,
    /// The operand.
    Copy,
}

impl Operator {
    /// Number of operands.
    pub fn arity(self) -> usize {
        use Operator::*;
        match self {
            ZeroExtend | SignExtend | Truncate | Extract { .. } | Copy => 1,
            _ => 2,
        }
    }

    /// Are these the widths of a result and of as many operands as the operator has?
    pub fn fits(self, result: u32, operands: &[u32]) -> bool {
        use Operator::*;
        match (self, operands) {
            (Eq | Ne | Ult | Ule | Slt | Sle, &[a, b]) => a == b && result == 1,
            (ZeroExtend | SignExtend, &[a]) => result > a,
            (Truncate, &[a]) => result < a,
            (Extract { low }, &[a]) => low.checked_add(result).is_some_and(|end| end <= a),
            (Concat, &[a, b]) => a.checked_add(b) == Some(result),
            (Copy, &[a]) => result == a,
            (_, &[a, b]) => self.arity() == 2 && result == a && a == b,
            _ => false,
        }
    }

    /// Of all but [`Operator::Extract`], which is more than a number.
    pub fn number(self) -> Option<u64> {
        let at = NUMBERED.iter().position(|one| *one == self);
        at.map(|at| at as u64)
    }

    pub fn from_number(number: u64) -> Option<Operator> {
        NUMBERED.get(usize::try_from(number).ok()?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Operator::{self, *};

    #[test]
    fn numbers_are_those_that_were_given() {
        let given = [
            Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor, Eq, Ne, Ult, Ule,
            Slt, Sle, ZeroExtend, SignExtend, Truncate, Concat, Copy,
        ];
        for (number, operator) in given.into_iter().enumerate() {
            assert_eq!(operator.number(), Some(number as u64));
            assert_eq!(Operator::from_number(number as u64), Some(operator));
        }
        assert_eq!(Operator::from_number(given.len() as u64), None);
        assert_eq!(Operator::from_number(u64::MAX), None);
        assert_eq!(Extract { low: 0 }.number(), None);
    }

    #[test]
    fn widths_are_those_that_operators_ask_for() {
        assert!(Add.fits(8, &[8, 8]) && !Add.fits(8, &[8, 16]) && !Add.fits(1, &[8, 8]));
        assert!(Ult.fits(1, &[8, 8]) && !Ult.fits(8, &[8, 8]) && !Ult.fits(1, &[8, 16]));
        assert!(ZeroExtend.fits(16, &[8]) && !SignExtend.fits(8, &[8]));
        assert!(Truncate.fits(8, &[16]) && !Truncate.fits(16, &[16]));
        let extract = Extract { low: 4 };
        assert!(extract.fits(4, &[8]) && !extract.fits(5, &[8]));
        assert!(!Extract { low: u32::MAX }.fits(1, &[8]));
        assert!(Concat.fits(24, &[8, 16]) && !Concat.fits(16, &[8, 16]));
        assert!(Copy.fits(8, &[8]) && !Copy.fits(8, &[16]));
    }

    #[test]
    fn operators_fit_as_many_operands_as_they_have() {
        let numbered = (0..).map_while(Operator::from_number);
        for operator in numbered.chain([Extract { low: 0 }]) {
            for count in 0..=3 {
                let fits = (1..=16).any(|result| operator.fits(result, &[8, 8, 8][..count]));
                assert_eq!(fits, count == operator.arity(), "{operator:?} of {count}");
            }
        }
    }
}
