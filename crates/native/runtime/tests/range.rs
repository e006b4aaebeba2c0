//! Least and greatest values of labels.

use super::*;
use crate::shared::state;
use crate::trace::Trace;

fn with(op: Op, bits: u32, a: u32, b: u64) -> u32 {
    state().node(op, CONST_RIGHT, bits, a, b)
}

fn of(label: u32) -> Option<(i64, i64)> {
    range(state(), label)
}

#[test]
fn an_input_is_any_of_its_bits() {
    let trace = Trace::new();
    assert_eq!(of(trace.byte()), Some((0, 255)));
    assert_eq!(of(trace.input(64)), Some((0, 255)));
    let free = state().node(Op::Length, 0, 64, 0, 0);
    assert_eq!(of(free), None);
}

#[test]
fn arithmetic_moves_both_ends() {
    let trace = Trace::new();
    let x = trace.input(64);
    assert_eq!(of(with(Op::Add, 64, x, 10)), Some((10, 265)));
    assert_eq!(of(with(Op::Sub, 64, x, 10)), Some((-10, 245)));
    assert_eq!(of(with(Op::Add, 64, x, -10i64 as u64)), Some((-10, 245)));
    assert_eq!(of(with(Op::Mul, 64, x, 4)), Some((0, 1020)));
    assert_eq!(of(with(Op::Shl, 64, x, 3)), Some((0, 2040)));
    assert_eq!(of(with(Op::UDiv, 64, x, 10)), Some((0, 25)));
    assert_eq!(of(with(Op::LShr, 64, x, 4)), Some((0, 15)));
}

#[test]
fn what_wraps_around_is_not_believed() {
    let trace = Trace::new();
    let byte = trace.byte();
    assert_eq!(of(with(Op::Add, 8, byte, 1)), Some((0, 255)));
    assert_eq!(of(with(Op::Sub, 8, byte, 1)), Some((0, 255)));
    assert_eq!(of(with(Op::Shl, 8, byte, 1)), Some((0, 255)));
    let free = state().node(Op::Length, 0, 64, 0, 0);
    assert_eq!(of(with(Op::Add, 64, free, 1)), None);
    assert_eq!(of(with(Op::Mul, 64, free, 2)), None);
}

#[test]
fn masks_and_remainders_bound_anything() {
    let trace = Trace::new();
    let free = state().node(Op::Length, 0, 64, 0, 0);
    assert_eq!(of(with(Op::And, 64, free, 7)), Some((0, 7)));
    assert_eq!(of(with(Op::URem, 64, free, 10)), Some((0, 9)));
    assert_eq!(of(with(Op::LShr, 64, free, 60)), Some((0, 15)));
    assert_eq!(of(with(Op::URem, 64, free, 0)), None);
    assert_eq!(
        of(with(Op::And, 64, trace.input(64), 0xfff)),
        Some((0, 255))
    );
}

#[test]
fn a_sign_is_extended_where_it_is_one() {
    let trace = Trace::new();
    let byte = trace.byte();
    let signed = state().node(Op::SExt, 0, 64, byte, 0);
    assert_eq!(of(signed), Some((-128, 127)));
    let small = with(Op::And, 8, byte, 0x7f);
    let small = state().node(Op::SExt, 0, 64, small, 0);
    assert_eq!(of(small), Some((0, 127)));
}

#[test]
fn a_narrower_number_keeps_what_fits() {
    let trace = Trace::new();
    let small = with(Op::And, 64, trace.input(64), 15);
    let cut = state().node(Op::Trunc, 0, 4, small, 0);
    assert_eq!(of(cut), Some((0, 15)));
    let more = with(Op::Add, 64, small, 16);
    let cut = state().node(Op::Trunc, 0, 4, more, 0);
    assert_eq!(of(cut), Some((0, 15)), "16 to 31 do not fit into four bits");
    let upper = state().node(Op::Extract, 0, 4, more, 4);
    assert_eq!(of(upper), Some((0, 15)), "the upper bits are others");
}

#[test]
fn one_of_two_is_either() {
    let trace = Trace::new();
    let (low, high) = (with(Op::And, 64, trace.input(64), 3), trace.input(64));
    let high = with(Op::Add, 64, high, 1000);
    let arms = u64::from(low) | u64::from(high) << 32;
    let truth = trace.input(1);
    let either = state().node(Op::Ite, 0, 64, truth, arms);
    assert_eq!(of(either), Some((0, 1255)));
}

#[test]
fn what_is_looked_up_is_among_the_entries() {
    let trace = Trace::new();
    let index = trace.byte();
    let first = state().node(Op::Data, 0, 32, 0, 40);
    for entry in [7, 90] {
        state().node(Op::Data, 0, 32, 0, entry);
    }
    let found = state().node(Op::Lookup, 0, 32, index, u64::from(first) | 3 << 32);
    assert_eq!(of(found), Some((7, 90)));
    let labelled = state().node(Op::Data, 0, 32, index, 0);
    let found = state().node(Op::Lookup, 0, 32, index, u64::from(labelled) | 1 << 32);
    assert_eq!(
        of(found),
        Some((0, u32::MAX.into())),
        "an entry may be anything"
    );
}
