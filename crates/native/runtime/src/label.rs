//! Labels: what the pass calls to make them, and to report choices on them.

use crate::shared::{State, state};
use elsewise_wire::{CONST_LEFT, CONST_RIGHT, EventKind, Op, Reason};

/// A binary operation or comparison. `code` is the [`Op`] in the low byte and the width of the
/// result above it. Zero labels stand for the concrete operands `a` and `b`.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_binary(code: u32, la: u32, lb: u32, a: u64, b: u64) -> u32 {
    if la | lb == 0 {
        return 0;
    }
    let (op, bits, state) = (code as u8, code >> 8, state());
    match (la, lb) {
        (_, 0) => state.raw_node(op, CONST_RIGHT, bits, la, b),
        (0, _) => state.raw_node(op, CONST_LEFT, bits, lb, a),
        _ => state.raw_node(op, 0, bits, la, u64::from(lb)),
    }
}

/// `ZExt`, `SExt`, `Trunc`, `Not` or `Neg`; `code` as in [`__elw_binary`].
#[unsafe(no_mangle)]
pub extern "C" fn __elw_unary(code: u32, la: u32) -> u32 {
    if la == 0 {
        return 0;
    }
    let (op, bits, state) = (code as u8, code >> 8, state());
    let resizes = op == Op::ZExt as u8 || op == Op::SExt as u8 || op == Op::Trunc as u8;
    if resizes && u32::from(state.get(la).bits) == bits {
        return la;
    }
    state.raw_node(op, 0, bits, la, 0)
}

/// Before a division: that it does not fail is a choice of its own (side 0), on which only a
/// divisor of zero and the one quotient that does not fit have a say. `code` is the width with
/// bit 0 of the low byte set for signed division.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_division(site: u32, code: u32, la: u32, lb: u32, a: u64, b: u64) {
    let (signed, bits, state) = (code & 1 != 0, code >> 8, state());
    if lb != 0 {
        let divides = state.node(Op::Ne, CONST_RIGHT, 1, lb, 0);
        state.choice(EventKind::Branch, site, divides, u32::from(b == 0));
    }
    if !signed || b == 0 || la | lb == 0 {
        return;
    }
    let (least, minus_one) = (1u64 << (bits - 1), u64::MAX >> (64 - bits));
    let differs = |state: &mut State, label: u32, value: u64, from: u64| match label {
        0 if value != from => None,
        0 => Some(0),
        label => Some(state.node(Op::Ne, CONST_RIGHT, 1, label, from)),
    };
    let fits = match (
        differs(state, la, a, least),
        differs(state, lb, b, minus_one),
    ) {
        (None, _) | (_, None) => return,
        (Some(0), Some(fits)) | (Some(fits), Some(0)) => fits,
        (Some(left), Some(right)) => state.node(Op::Or, 0, 1, left, u64::from(right)),
    };
    let fails = a == least && b == minus_one;
    state.choice(EventKind::Branch, site, fits, u32::from(fails));
}

/// A two-way choice: `taken` is the side, 0 for true.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_branch(site: u32, label: u32, taken: u32) {
    state().choice(EventKind::Branch, site, label, taken);
}

#[unsafe(no_mangle)]
pub extern "C" fn __elw_switch(site: u32, label: u32, side: u32) {
    state().choice(EventKind::Switch, site, label, side);
}

/// The run goes on with `value` for `label`; `reason` is a [`Reason`].
#[unsafe(no_mangle)]
pub extern "C" fn __elw_concrete(site: u32, label: u32, value: u64, reason: u32) {
    let reason = Reason::from_u8(reason as u8).unwrap_or(Reason::Operation);
    state().made_concrete(site, label, value, reason);
}

/// Something that no label describes; `reason` is a [`Reason`].
#[unsafe(no_mangle)]
pub extern "C" fn __elw_opaque(site: u32, reason: u32) {
    let reason = Reason::from_u8(reason as u8).unwrap_or(Reason::Operation);
    state().opaque(site, reason);
}

#[cfg(test)]
#[path = "../tests/label.rs"]
mod tests;
