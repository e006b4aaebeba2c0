//! Labels of operations that take more than one node.

use crate::shared::{State, state};
use elsewise_wire::{CONST_RIGHT, Formula, Op};

/// `code` is the [`Formula`] in the low byte and the operands' width above it; a label of zero
/// stands for the concrete operand beside it.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_formula(
    code: u32,
    la: u32,
    lb: u32,
    lc: u32,
    a: u64,
    b: u64,
    c: u64,
) -> u32 {
    let Some(formula) = Formula::from_u8(code as u8) else {
        return 0;
    };
    if la | lb | lc == 0 {
        return 0;
    }
    let mut make = Maker {
        state: state(),
        bits: code >> 8,
    };
    let x = make.operand(la, a);
    match formula {
        Formula::ByteSwap => make.reversed(x, 8),
        Formula::BitReverse => make.reversed(x, 1),
        Formula::CountOnes => make.ones(x),
        Formula::LeadingZeros => make.leading(x),
        Formula::TrailingZeros => make.trailing(x),
        Formula::Abs => {
            let negative = make.flag(Op::Slt, x, 0);
            let negated = make.node(Op::Neg, x, 0);
            make.ite(negative, negated, x)
        }
        Formula::SMin => make.pick(Op::Slt, x, lb, b),
        Formula::SMax => make.pick(Op::Sgt, x, lb, b),
        Formula::UMin => make.pick(Op::Ult, x, lb, b),
        Formula::UMax => make.pick(Op::Ugt, x, lb, b),
        Formula::FunnelLeft | Formula::FunnelRight => {
            let y = make.operand(lb, b);
            make.funnel(formula == Formula::FunnelLeft, x, y, lc, c)
        }
        _ => {
            let y = make.operand(lb, b);
            make.overflow(formula, x, y)
        }
    }
}

struct Maker {
    state: &'static mut State,
    bits: u32,
}

impl Maker {
    fn operand(&mut self, label: u32, value: u64) -> u32 {
        match label {
            0 => self.state.node(Op::Const, 0, self.bits, 0, value),
            label => label,
        }
    }

    fn node(&mut self, op: Op, a: u32, b: u32) -> u32 {
        self.state.node(op, 0, self.bits, a, b.into())
    }

    fn with(&mut self, op: Op, a: u32, value: u64) -> u32 {
        let mask = u64::MAX >> (64 - self.bits.min(64));
        self.state.node(op, CONST_RIGHT, self.bits, a, value & mask)
    }

    /// A comparison with a constant.
    fn flag(&mut self, op: Op, a: u32, value: u64) -> u32 {
        self.state.node(op, CONST_RIGHT, 1, a, value)
    }

    fn ite(&mut self, condition: u32, yes: u32, no: u32) -> u32 {
        let both = u64::from(yes) | u64::from(no) << 32;
        self.state.node(Op::Ite, 0, self.bits, condition, both)
    }

    fn pick(&mut self, op: Op, x: u32, lb: u32, b: u64) -> u32 {
        let y = self.operand(lb, b);
        let first = self.state.node(op, 0, 1, x, y.into());
        self.ite(first, x, y)
    }

    /// Groups of `size` bits in reverse order.
    fn reversed(&mut self, x: u32, size: u32) -> u32 {
        let mut whole = self.state.node(Op::Extract, 0, size, x, 0);
        for low in (size..self.bits).step_by(size as usize) {
            let part = self.state.node(Op::Extract, 0, size, x, low.into());
            whole = self
                .state
                .node(Op::Concat, 0, low + size, whole, part.into());
        }
        whole
    }

    /// Number of one bits, by adding neighbours of growing width.
    fn ones(&mut self, x: u32) -> u32 {
        let mut sum = x;
        let mut width = 1;
        while width < self.bits {
            let mut mask = 0u64;
            for bit in (0..64).filter(|bit| bit / width % 2 == 0) {
                mask |= 1 << bit;
            }
            let low = self.with(Op::And, sum, mask);
            let high = self.with(Op::LShr, sum, width.into());
            let high = self.with(Op::And, high, mask);
            sum = self.node(Op::Add, low, high);
            width *= 2;
        }
        sum
    }

    fn trailing(&mut self, x: u32) -> u32 {
        let below = self.with(Op::Sub, x, 1);
        let others = self.node(Op::Not, x, 0);
        let zeros = self.node(Op::And, below, others);
        self.ones(zeros)
    }

    fn leading(&mut self, x: u32) -> u32 {
        let mut smeared = x;
        let mut distance = 1;
        while distance < self.bits {
            let moved = self.with(Op::LShr, smeared, distance.into());
            smeared = self.node(Op::Or, smeared, moved);
            distance *= 2;
        }
        let zeros = self.node(Op::Not, smeared, 0);
        self.ones(zeros)
    }

    fn funnel(&mut self, left: bool, x: u32, y: u32, lc: u32, c: u64) -> u32 {
        let bits = u64::from(self.bits);
        if lc == 0 {
            return match (c % bits, left) {
                (0, true) => x,
                (0, false) => y,
                (by, _) => {
                    let up = if left { by } else { bits - by };
                    let high = self.with(Op::Shl, x, up);
                    let low = self.with(Op::LShr, y, bits - up);
                    self.node(Op::Or, high, low)
                }
            };
        }
        let by = self.with(Op::URem, lc, bits);
        let double = self.bits * 2;
        let both = self.state.node(Op::Concat, 0, double, x, y.into());
        let by = self.state.node(Op::ZExt, 0, double, by, 0);
        let (op, low) = if left { (Op::Shl, bits) } else { (Op::LShr, 0) };
        let moved = self.state.node(op, 0, double, both, by.into());
        self.state.node(Op::Extract, 0, self.bits, moved, low)
    }

    /// Whether the operation overflows.
    fn overflow(&mut self, formula: Formula, x: u32, y: u32) -> u32 {
        match formula {
            Formula::UAddOverflow => {
                let sum = self.node(Op::Add, x, y);
                self.state.node(Op::Ult, 0, 1, sum, x.into())
            }
            Formula::USubOverflow => self.state.node(Op::Ult, 0, 1, x, y.into()),
            Formula::SAddOverflow => {
                let sum = self.node(Op::Add, x, y);
                let (left, right) = (self.node(Op::Xor, sum, x), self.node(Op::Xor, sum, y));
                let both = self.node(Op::And, left, right);
                self.flag(Op::Slt, both, 0)
            }
            Formula::SSubOverflow => {
                let rest = self.node(Op::Sub, x, y);
                let (left, right) = (self.node(Op::Xor, x, y), self.node(Op::Xor, rest, x));
                let both = self.node(Op::And, left, right);
                self.flag(Op::Slt, both, 0)
            }
            _ => {
                let extend = if formula == Formula::SMulOverflow {
                    Op::SExt
                } else {
                    Op::ZExt
                };
                let double = self.bits * 2;
                let left = self.state.node(extend, 0, double, x, 0);
                let right = self.state.node(extend, 0, double, y, 0);
                let whole = self.state.node(Op::Mul, 0, double, left, right.into());
                let kept = self.state.node(Op::Extract, 0, self.bits, whole, 0);
                let again = self.state.node(extend, 0, double, kept, 0);
                self.state.node(Op::Ne, 0, 1, whole, again.into())
            }
        }
    }
}
