//! What instrumented code calls to make labels and to report choices.

use super::*;
use crate::trace::{Trace, node};

const ADD_32: u32 = Op::Add as u32 | 32 << 8;

#[test]
fn what_has_no_labels_makes_no_nodes() {
    let trace = Trace::new();
    assert_eq!(__elw_binary(ADD_32, 0, 0, 1, 2), 0);
    assert_eq!(__elw_unary(Op::Not as u32 | 32 << 8, 0), 0);
    assert_eq!(trace.len(), 1);
}

#[test]
fn a_constant_operand_stands_on_its_side() {
    let trace = Trace::new();
    let x = trace.input(32);
    let right = __elw_binary(ADD_32, x, 0, 9, 5);
    let left = __elw_binary(ADD_32, 0, x, 7, 9);
    let both = __elw_binary(ADD_32, left, right, 9, 9);
    assert_eq!(node(right), (Op::Add, CONST_RIGHT, 32, x, 5));
    assert_eq!(node(left), (Op::Add, CONST_LEFT, 32, x, 7));
    assert_eq!(node(both), (Op::Add, 0, 32, left, right.into()));
}

#[test]
fn to_the_same_width_is_the_same_label() {
    let trace = Trace::new();
    let x = trace.input(32);
    for op in [Op::ZExt, Op::SExt, Op::Trunc] {
        assert_eq!(__elw_unary(op as u32 | 32 << 8, x), x);
    }
    let not = __elw_unary(Op::Not as u32 | 32 << 8, x);
    assert_eq!(node(not), (Op::Not, 0, 32, x, 0));
    let wide = __elw_unary(Op::SExt as u32 | 64 << 8, x);
    assert_eq!(node(wide), (Op::SExt, 0, 64, x, 0));
}

#[test]
fn a_division_fails_by_its_divisor() {
    let trace = Trace::new();
    let y = trace.input(32);
    __elw_division(3, 32 << 8, 0, y, 8, 2);
    __elw_division(3, 32 << 8, 0, y, 8, 0);
    let [(_, first, 0), (_, second, 1)] = trace.events(EventKind::Branch)[..] else {
        panic!("{:?}", trace.events(EventKind::Branch));
    };
    assert_eq!(node(first), (Op::Ne, CONST_RIGHT, 1, y, 0));
    assert_eq!(node(second), (Op::Ne, CONST_RIGHT, 1, y, 0));
}

#[test]
fn a_signed_quotient_may_not_fit() {
    let trace = Trace::new();
    let (x, y) = (trace.input(32), trace.input(32));
    let signed = 32 << 8 | 1;
    // Only -2^31 / -1 does not; unsigned, or by another number, there is no question.
    __elw_division(3, 32 << 8, x, 0, 8, 0xffff_ffff);
    __elw_division(3, signed, x, 0, 8, 2);
    assert_eq!(trace.events(EventKind::Branch), []);
    __elw_division(3, signed, x, 0, 8, 0xffff_ffff);
    let [(_, fits, 0)] = trace.events(EventKind::Branch)[..] else {
        panic!("{:?}", trace.events(EventKind::Branch));
    };
    assert_eq!(node(fits), (Op::Ne, CONST_RIGHT, 1, x, 0x8000_0000));
    __elw_division(3, signed, x, y, 0x8000_0000, 0xffff_ffff);
    let (_, fits, fails) = *trace.events(EventKind::Branch).last().expect("a choice");
    let (op, _, _, left, right) = node(fits);
    assert_eq!((op, fails), (Op::Or, 1));
    assert_eq!(node(left), (Op::Ne, CONST_RIGHT, 1, x, 0x8000_0000));
    assert_eq!(node(right as u32), (Op::Ne, CONST_RIGHT, 1, y, 0xffff_ffff));
}

#[test]
fn a_value_is_made_concrete_once() {
    let trace = Trace::new();
    let (x, y) = (trace.input(32), trace.input(32));
    let reason = Reason::Size as u32;
    for label in [x, x, y, 0] {
        __elw_concrete(1, label, 5, reason);
    }
    let events = trace.events(EventKind::Concrete);
    let made: Vec<_> = events
        .iter()
        .map(|(why, label, _)| (*why, *label))
        .collect();
    assert_eq!(made, [(Reason::Size as u8, x), (Reason::Size as u8, y)]);
    assert_eq!(node(events[0].2), (Op::Const, 0, 32, 0, 5));
}

#[test]
fn a_choice_without_a_label_is_none() {
    let trace = Trace::new();
    __elw_branch(1, 0, 1);
    __elw_switch(1, 0, 1);
    assert_eq!(trace.header().events, 0);
    let x = trace.input(1);
    __elw_branch(1, x, 1);
    assert_eq!(trace.events(EventKind::Branch), [(0, x, 1)]);
}

#[test]
fn what_finds_no_room_is_counted() {
    let trace = Trace::new();
    let x = trace.input(32);
    trace.header().node_capacity = trace.len();
    assert_eq!(__elw_binary(ADD_32, x, x, 0, 0), 0);
    assert_eq!((trace.header().lost_nodes, trace.len()), (1, 3));
    trace.header().event_capacity = 0;
    __elw_branch(1, x, 0);
    assert_eq!((trace.header().lost_events, trace.header().events), (1, 0));
}
