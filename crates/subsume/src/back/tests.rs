//! Weakest preconditions of few steps against running these on every value that matters.

use super::*;
use crate::by_hand::{
    DATA, TABLE, assign, block, branch, function, holds, input, joined, jump, load, machine, n,
    program, r, run, store, straight,
};
use crate::machine::{Ending, Pause};
use elsewise_explore::program::{FunctionId, Operator, Register, Source};
use elsewise_term::{Op, Terms};

/// Pushes a condition on the bytes at the end back to the beginning.
fn before(
    machine: &mut Machine,
    condition: impl FnOnce(&mut Terms) -> TermId,
) -> Result<Vec<TermId>, Stop> {
    assert_eq!(run(machine), Pause::End(Ending::Exit));
    let condition = condition(&mut machine.terms);
    let last = machine.log.len();
    Back::default().push(machine, 0, last, &[condition], &Limit::default())
}

/// That a byte of the data is this.
fn is(offset: u64, value: u64) -> impl FnOnce(&mut Terms) -> TermId {
    move |terms| {
        let byte = Cell::Byte(DATA + offset).term(terms);
        let value = terms.bits(8, value);
        terms.eq(byte, value)
    }
}

fn data(offset: u64, value: u64) -> (Cell, u64) {
    (Cell::Byte(DATA + offset), value)
}

#[test]
fn what_a_sum_has_to_be_is_said_of_its_summand() {
    let mut machine = straight(
        &[8, 8],
        vec![
            load(0, n(64, DATA), 1),
            assign(1, Operator::Add, &[r(0), n(8, 3)]),
            store(n(64, DATA + 1), r(1), 1),
        ],
    );
    let pushed = before(&mut machine, |terms| {
        let byte = Cell::Byte(DATA + 1).term(terms);
        let five = terms.bits(8, 5);
        terms.compare(Op::BvUlt, byte, five)
    });
    let pushed = pushed.expect("a condition");
    for value in 0..=255u64 {
        let expected = (value + 3) % 256 < 5;
        assert_eq!(holds(&machine.terms, &pushed, &[data(0, value)]), expected);
    }
}

/// Which way a branch went is part of the condition; what it guards is not, where it is not needed.
#[test]
fn a_decision_has_to_go_the_way_it_went() {
    let blocks = vec![
        block(
            vec![
                load(0, n(64, DATA), 1),
                assign(1, Operator::Ult, &[r(0), n(8, 9)]),
            ],
            branch(r(1), 0, 1, 2),
        ),
        block(vec![store(n(64, DATA + 1), n(8, 1), 1)], jump(2)),
        block(Vec::new(), End::Exit),
    ];
    let mut machine = machine(&[8, 1], blocks);
    let pushed = before(&mut machine, is(2, 0)).expect("a condition");
    for value in 0..=255 {
        for other in [0, 1] {
            let cells = [data(0, value), data(2, other)];
            let expected = value < 9 && other == 0;
            assert_eq!(holds(&machine.terms, &pushed, &cells), expected);
        }
    }
}

#[test]
fn what_is_overwritten_does_not_matter() {
    let mut machine = straight(&[], vec![store(n(64, DATA), n(8, 4), 1)]);
    let pushed = before(&mut machine, is(0, 4)).expect("a condition");
    assert!(holds(&machine.terms, &pushed, &[data(0, 99)]));
    let mut machine = straight(&[], vec![store(n(64, DATA), n(8, 4), 1)]);
    let pushed = before(&mut machine, is(0, 5)).expect("a condition");
    assert!(!holds(&machine.terms, &pushed, &[data(0, 5)]));
}

/// A write that goes elsewhere in another state may overwrite what matters.
#[test]
fn a_write_near_what_matters_has_to_go_where_it_went() {
    let mut machine = straight(
        &[64],
        vec![
            store(n(64, DATA + 8), n(64, DATA + 1), 8),
            load(0, n(64, DATA + 8), 8),
            store(r(0), n(8, 4), 1),
        ],
    );
    assert_eq!(run(&mut machine), Pause::End(Ending::Exit));
    let condition = is(0, 0)(&mut machine.terms);
    // From after the first step on, so that the address is a cell.
    let last = machine.log.len();
    let pushed = Back::default()
        .push(&mut machine, 1, last, &[condition], &Limit::default())
        .expect("a condition");
    let at = |address: u64| -> Vec<(Cell, u64)> {
        let bytes = (0..8).map(|index| data(8 + index, address >> (8 * index) & 0xff));
        bytes.collect()
    };
    assert!(holds(&machine.terms, &pushed, &at(DATA + 1)));
    assert!(!holds(&machine.terms, &pushed, &at(DATA)));
}

/// Only that it stays inside is asked of a write that cannot touch what matters.
#[test]
fn a_write_far_from_what_matters_has_to_stay_inside() {
    let steps = vec![
        Step::Local {
            to: Register(0),
            size: 4,
            align: 4,
        },
        assign(1, Operator::Add, &[r(0), n(64, 1)]),
        store(r(1), n(8, 4), 1),
    ];
    let mut machine = straight(&[64, 64], steps);
    assert_eq!(run(&mut machine), Pause::End(Ending::Exit));
    let address = machine.cell(Cell::register(0, Register(0), 64));
    let address = address.and_then(|address| machine.terms.as_u64(address));
    let address = address.expect("an address");
    let condition = is(0, 0)(&mut machine.terms);
    let last = machine.log.len();
    // The write alone: where it goes is in a register.
    let pushed = Back::default()
        .push(&mut machine, 2, last, &[condition], &Limit::default())
        .expect("a condition");
    let target = Cell::register(0, Register(1), 64);
    for (offset, inside) in [(0, true), (3, true), (4, false), (u64::MAX, false)] {
        let cells = [(target, address.wrapping_add(offset))];
        assert_eq!(holds(&machine.terms, &pushed, &cells), inside, "{offset}");
    }
}

#[test]
fn moved_and_filled_bytes_are_told_of_where_they_came_from() {
    let moved = Step::Move {
        to: n(64, DATA + 1),
        from: n(64, DATA),
        size: n(64, 3),
    };
    let mut machine = straight(&[], vec![moved]);
    let pushed = before(&mut machine, is(3, 6)).expect("a condition");
    assert!(holds(&machine.terms, &pushed, &[data(2, 6), data(3, 0)]));
    assert!(!holds(&machine.terms, &pushed, &[data(2, 0), data(3, 6)]));
    let filled = Step::Fill {
        to: n(64, DATA),
        value: r(0),
        size: n(64, 3),
    };
    let mut machine = straight(&[8], vec![load(0, n(64, DATA + 9), 1), filled]);
    let pushed = before(&mut machine, is(2, 6)).expect("a condition");
    assert!(holds(&machine.terms, &pushed, &[data(9, 6)]));
    assert!(!holds(&machine.terms, &pushed, &[data(9, 5), data(2, 6)]));
}

/// No byte was moved, filled or given; in a state where the size is another, some would be.
#[test]
fn that_nothing_was_written_depends_on_the_size() {
    let size = || r(0);
    let steps = [
        Step::Move {
            to: n(64, DATA),
            from: n(64, TABLE),
            size: size(),
        },
        Step::Fill {
            to: n(64, DATA),
            value: n(8, 1),
            size: size(),
        },
        Step::Input {
            to: InputPlace::Memory {
                address: n(64, DATA),
                size: size(),
            },
            source: Source::Next("x".into()),
        },
    ];
    for step in steps {
        let mut machine = straight(&[64], vec![load(0, n(64, DATA + 8), 8), step.clone()]);
        let pushed = before(&mut machine, is(0, 0)).expect("a condition");
        assert!(holds(&machine.terms, &pushed, &[]), "{step:?}");
        assert!(!holds(&machine.terms, &pushed, &[data(8, 1)]), "{step:?}");
    }
}

/// Nothing was given back; in a state where the address is another, something would be.
#[test]
fn that_nothing_was_given_back_depends_on_the_address() {
    let release = Step::Release { address: r(0) };
    let mut machine = straight(&[64], vec![load(0, n(64, DATA + 8), 8), release]);
    let pushed = before(&mut machine, is(0, 0)).expect("a condition");
    assert!(holds(&machine.terms, &pushed, &[]));
    assert!(!holds(&machine.terms, &pushed, &[data(8, 16)]));
}

/// What is given later may be anything: the condition speaks of it as a bound input.
#[test]
fn what_is_given_later_is_bound() {
    let mut machine = straight(
        &[8, 8],
        vec![
            input(0),
            assign(1, Operator::And, &[r(0), n(8, 3)]),
            store(n(64, DATA), r(1), 1),
        ],
    );
    let pushed = before(&mut machine, |terms| {
        let byte = Cell::Byte(DATA).term(terms);
        let limit = Cell::Byte(DATA + 1).term(terms);
        terms.compare(Op::BvUle, byte, limit)
    });
    let pushed = pushed.expect("a condition");
    let bound = Cell::Bound {
        number: 1,
        width: 8,
    };
    for limit in 0..6 {
        let always = (0..=255).all(|given| {
            let cells = [data(1, limit), (bound, given)];
            holds(&machine.terms, &pushed, &cells)
        });
        assert_eq!(always, limit >= 3, "{limit}");
    }
}

#[test]
fn calls_are_gone_back_through() {
    let call = Step::Call {
        to: Some(Register(1)),
        callee: Callee::Function(FunctionId(1)),
        arguments: vec![n(8, 100), r(0)],
    };
    let steps = vec![
        load(0, n(64, DATA), 1),
        call,
        store(n(64, DATA + 1), r(1), 1),
    ];
    let difference = assign(2, Operator::Sub, &[r(0), r(1)]);
    let body = vec![block(vec![difference], End::Return(Some(r(2))))];
    let mut machine = Machine::new(program(vec![
        function(0, &[8, 8], vec![block(steps, End::Exit)]),
        function(2, &[8, 8, 8], body),
    ]));
    let pushed = before(&mut machine, is(1, 60)).expect("a condition");
    for value in 0..=255 {
        let expected = value == 40;
        assert_eq!(holds(&machine.terms, &pushed, &[data(0, value)]), expected);
    }
}

/// Each way into a block has its own value.
#[test]
fn a_phi_is_what_came_from_where_the_path_came_from() {
    let blocks = |taken: u64| {
        vec![
            block(
                vec![
                    load(0, n(64, DATA), 1),
                    load(1, n(64, DATA + 1), 1),
                    assign(2, Operator::Copy, &[n(1, taken)]),
                ],
                branch(r(2), 0, 1, 2),
            ),
            block(Vec::new(), jump(3)),
            block(Vec::new(), jump(3)),
            joined(
                3,
                &[(1, r(0)), (2, r(1))],
                vec![store(n(64, DATA + 2), r(3), 1)],
                End::Exit,
            ),
        ]
    };
    for (taken, first) in [(1, true), (0, false)] {
        let mut machine = machine(&[8, 8, 1, 8], blocks(taken));
        let pushed = before(&mut machine, is(2, 6)).expect("a condition");
        let cells = [data(0, 6), data(1, 5)];
        assert_eq!(holds(&machine.terms, &pushed, &cells), first);
        let cells = [data(0, 5), data(1, 6)];
        assert_eq!(holds(&machine.terms, &pushed, &cells), !first);
    }
}

/// A value of which nothing is known cannot be told of the state before.
#[test]
fn memory_that_nobody_wrote_says_nothing() {
    let steps = vec![
        Step::Local {
            to: Register(0),
            size: 1,
            align: 1,
        },
        load(1, r(0), 1),
        store(n(64, DATA), r(1), 1),
    ];
    let mut machine = straight(&[64, 8], steps);
    assert!(before(&mut machine, is(0, 0)).is_err());
}
