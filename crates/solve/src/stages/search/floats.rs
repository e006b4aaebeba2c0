//! Floats in the search: how far a comparison is from turning, and how to undo arithmetic.

use super::program::{Instruction, Program};
use elsewise_term::Op;
use elsewise_term::float::Format;

/// Which value an operand of a comparison should have that is to hold, or not: `left` says which
/// operand moves, `far` whether it goes farther than it must.
pub(super) fn compared(step: &Instruction, other: u64, left: bool, want: bool, far: bool) -> u64 {
    let format = Format::of(step.inner);
    if format.is_nan(other) {
        // Only another move can make this one hold, and any value makes it not hold.
        return 0;
    }
    let number = format.number(other);
    let next = |up: bool| match (format.width, up) {
        (32, true) => (number as f32).next_up().to_bits().into(),
        (32, false) => (number as f32).next_down().to_bits().into(),
        (_, true) => number.next_up().to_bits(),
        (_, false) => number.next_down().to_bits(),
    };
    if step.op == Op::FEq {
        return match want {
            true => other,
            false => next(!far),
        };
    }
    let down = left == want;
    let touch = (step.op == Op::FLe) == want;
    if far {
        let by = number.abs() + 1.0;
        return format.bits(if down { number - by } else { number + by });
    }
    match touch {
        true => other,
        false => next(!down),
    }
}

impl Program {
    /// Values of operands that give the result of an operator on floats this value, or nearly.
    pub(super) fn undo_float(
        &self,
        step: &Instruction,
        value: u64,
        first: bool,
        work: &mut Vec<(u32, u64)>,
    ) {
        let [a, b, _] = step.operands;
        let at = |register: u32| self.registers[register as usize];
        if let Op::FToSI = step.op {
            let shift = 64 - step.width;
            let integer = ((value << shift) as i64 >> shift) as f64;
            work.push((a, Format::of(step.inner).bits(integer)));
            return;
        }
        let format = Format::of(step.width);
        let (wanted, present) = (format.number(value), format.number(at(step.dest)));
        if wanted.is_nan() {
            return;
        }
        match step.op {
            Op::SIToF | Op::UIToF => {
                // Far enough in the direction of the move.
                let whole = match wanted > present {
                    true => wanted.ceil(),
                    false => wanted.floor(),
                };
                let integer = match step.op {
                    Op::SIToF => whole as i64 as u64,
                    _ => whole as u64,
                };
                work.push((a, integer));
            }
            Op::FToF => {
                let to = Format::of(step.inner);
                let near = wanted as f32;
                let near = match f64::from(near) {
                    there if wanted > present && there < wanted => near.next_up(),
                    there if wanted < present && there > wanted => near.next_down(),
                    _ => near,
                };
                work.push((
                    a,
                    match to.width {
                        32 => near.to_bits().into(),
                        _ => wanted.to_bits(),
                    },
                ));
            }
            Op::FSqrt => work.push((a, format.bits(wanted * wanted))),
            Op::FFloor | Op::FCeil | Op::FTrunc | Op::FRint | Op::FRound => work.push((a, value)),
            _ => {
                let (x, y) = (format.number(at(a)), format.number(at(b)));
                let moved = match (step.op, first) {
                    (Op::FAdd, true) => wanted - y,
                    (Op::FAdd, false) => wanted - x,
                    (Op::FSub, true) => wanted + y,
                    (Op::FSub, false) => x - wanted,
                    (Op::FMul, true) => wanted / y,
                    (Op::FMul, false) => wanted / x,
                    (Op::FDiv, true) => wanted * y,
                    (Op::FDiv, false) => x / wanted,
                    (Op::FRem, true) => x - present + wanted,
                    _ => return,
                };
                if !moved.is_nan() {
                    work.push((if first { a } else { b }, format.bits(moved)));
                }
            }
        }
    }
}
