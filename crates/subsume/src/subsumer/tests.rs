//! What is closed by hand-written runs of a program with one input.

use super::*;
use crate::by_hand::{assign, block, branch, function, input, n, program, r};
use crate::trace_replay::InputNames;
use elsewise_explore::program::{End, Operator};
use elsewise_explore::{Approximation, ApproximationKind, Choice, FailureKind, Trace};
use elsewise_term::{Sort, TermId, Terms};
use std::sync::atomic::{AtomicBool, Ordering};

/// The input `x` of one byte.
struct X(u8);

impl InputNames for X {
    fn byte(&self, _: &str, _: u32, _: u32) -> u8 {
        self.0
    }

    fn key(&self, _: &str, _: u32, offset: u32) -> Option<u64> {
        Some(offset.into())
    }
}

const POSITION: PositionId = PositionId(4);

fn item(alternative: u64) -> Item {
    Item {
        position: POSITION,
        alternative,
    }
}

/// `if (x == 1) …`, then what `then` says.
fn subsumer(then: End, greedy: bool) -> Subsumer {
    let test = assign(1, Operator::Eq, &[r(0), n(8, 1)]);
    let blocks = vec![
        block(vec![input(0), test], branch(r(1), 0, 1, 2)),
        block(Vec::new(), then),
        block(Vec::new(), End::Exit),
    ];
    let program = program(vec![function(0, &[8, 1], blocks)]);
    Subsumer::new(program, &Settings::default(), greedy)
}

/// The front end's table of terms with `x == number`.
fn recorded(number: u64) -> (Terms, TermId) {
    let mut terms = Terms::new();
    let x = terms.variable(0, Sort::BitVec(8));
    let number = terms.bits(8, number);
    let condition = terms.eq(x, number);
    (terms, condition)
}

/// A run on this value, which ends well; the trace says what `change` makes of it.
fn observe(subsumer: &mut Subsumer, value: u8, change: impl FnOnce(&mut Trace)) -> Vec<Closed> {
    let (terms, condition) = recorded(1);
    observe_told(subsumer, value, &terms, condition, change)
}

fn observe_told(
    subsumer: &mut Subsumer,
    value: u8,
    terms: &Terms,
    condition: TermId,
    change: impl FnOnce(&mut Trace),
) -> Vec<Closed> {
    let mut trace = Trace::new(Outcome::Exit(0));
    trace.choices.push(Choice {
        site: SiteId(0),
        taken: u64::from(value != 1),
        shape: Shape::Branch { condition },
    });
    change(&mut trace);
    let run = Observed {
        trace: &trace,
        terms,
        table: (0, 0),
        given: &X(value),
        positions: &[POSITION],
    };
    subsumer.observe(&run, None)
}

fn failed(trace: &mut Trace) {
    trace.outcome = Outcome::Failure {
        kind: FailureKind::Assertion,
        message: String::new(),
        place: Vec::new(),
    };
}

#[test]
fn a_way_on_which_nothing_can_fail_is_closed_by_a_look() {
    let mut subsumer = subsumer(End::Exit, true);
    let closed = observe(&mut subsumer, 0, |_| {});
    let expected = [Closed::Subsumed(item(0)), Closed::Below(POSITION)];
    assert_eq!(closed, expected);
    assert_eq!(subsumer.payoff.closed, 2);
}

#[test]
fn a_way_that_fails_stays_open() {
    let mut subsumer = subsumer(End::Fail, true);
    assert_eq!(observe(&mut subsumer, 0, |_| {}), []);
    // Once the failure was seen, nothing is left.
    let closed = observe(&mut subsumer, 1, failed);
    assert_eq!(closed, [Closed::Below(POSITION)]);
}

#[test]
fn without_looks_all_ways_have_to_be_run() {
    let mut subsumer = subsumer(End::Exit, false);
    assert_eq!(observe(&mut subsumer, 0, |_| {}), []);
    let closed = observe(&mut subsumer, 1, |_| {});
    assert_eq!(closed, [Closed::Below(POSITION)]);
}

#[test]
fn what_was_approximated_closes_nothing() {
    let mut subsumer = subsumer(End::Exit, true);
    let closed = observe(&mut subsumer, 0, |trace| {
        let kind = ApproximationKind::OpaqueCall;
        trace.approximations.push(Approximation::nowhere(kind));
    });
    assert_eq!(closed, []);
    assert_eq!(subsumer.payoff.lost, 1);
}

/// The program says `x == 1` where the trace says something else: another subject, or a mistake of ours.
#[test]
fn a_trace_that_the_program_does_not_explain_closes_nothing() {
    let (terms, condition) = recorded(2);
    let mut subsumer = subsumer(End::Exit, true);
    let closed = observe_told(&mut subsumer, 0, &terms, condition, |_| {});
    assert_eq!(closed, []);
    assert_eq!(subsumer.payoff.lost, 1);
}

#[test]
fn a_choice_at_another_site_closes_nothing() {
    let mut subsumer = subsumer(End::Exit, true);
    let closed = observe(&mut subsumer, 0, |trace| trace.choices[0].site = SiteId(7));
    assert_eq!(closed, []);
}

#[test]
fn a_choice_too_many_closes_nothing() {
    let mut subsumer = subsumer(End::Exit, true);
    let closed = observe(&mut subsumer, 0, |trace| {
        let again = trace.choices[0].clone();
        trace.choices.push(again);
    });
    assert_eq!(closed, []);
    assert_eq!(subsumer.payoff.lost, 1);
}

#[test]
fn a_run_that_ended_otherwise_closes_nothing() {
    let mut subsumer = subsumer(End::Exit, true);
    assert_eq!(observe(&mut subsumer, 0, failed), []);
    assert_eq!(subsumer.payoff.lost, 1);
}

/// `x == 1`, asked again where it is known: the other way has no case.
#[test]
fn a_way_without_a_case_is_closed_as_such() {
    let test = |to| assign(to, Operator::Ult, &[r(0), n(8, 1 + u64::from(to))]);
    // First whether x < 2, then whether x < 3.
    let blocks = vec![
        block(vec![input(0), test(1)], branch(r(1), 0, 1, 2)),
        block(vec![test(2)], branch(r(2), 1, 2, 3)),
        block(Vec::new(), End::Exit),
        block(Vec::new(), End::Fail),
    ];
    let program = program(vec![function(0, &[8, 1, 1], blocks)]);
    let mut subsumer = Subsumer::new(program, &Settings::default(), true);
    let mut terms = Terms::new();
    let x = terms.variable(0, Sort::BitVec(8));
    let mut trace = Trace::new(Outcome::Exit(0));
    for (site, limit) in [(0, 2), (1, 3)] {
        let limit = terms.bits(8, limit);
        let condition = terms.compare(elsewise_term::Op::BvUlt, x, limit);
        trace.choices.push(Choice {
            site: SiteId(site),
            taken: 0,
            shape: Shape::Branch { condition },
        });
    }
    let positions = [PositionId(1), PositionId(2)];
    let run = Observed {
        trace: &trace,
        terms: &terms,
        table: (0, 0),
        given: &X(0),
        positions: &positions,
    };
    let closed = subsumer.observe(&run, None);
    let impossible = Item {
        position: positions[1],
        alternative: 1,
    };
    assert!(
        closed.contains(&Closed::Infeasible(impossible)),
        "{closed:?}"
    );
    assert!(closed.contains(&Closed::Below(positions[0])), "{closed:?}");
    assert_eq!(subsumer.payoff.infeasible, 1);
}

#[test]
fn an_alternative_that_is_about_to_be_pursued_is_closed_if_nothing_is_there() {
    for (then, expected) in [
        (End::Exit, vec![Closed::Subsumed(item(0))]),
        (End::Fail, Vec::new()),
    ] {
        let mut subsumer = subsumer(then, true);
        let (terms, condition) = recorded(1);
        let mut trace = Trace::new(Outcome::Exit(0));
        trace.choices.push(Choice {
            site: SiteId(0),
            taken: 1,
            shape: Shape::Branch { condition },
        });
        let run = Observed {
            trace: &trace,
            terms: &terms,
            table: (0, 0),
            given: &X(0),
            positions: &[POSITION],
        };
        let mut closed = subsumer.consider(&run, (0, 0), None);
        closed.retain(|one| *one == Closed::Subsumed(item(0)));
        assert_eq!(closed, expected);
    }
}

/// The input `x`; whoever asks for it sees all work end.
struct Ending<'a>(u8, &'a AtomicBool);

impl InputNames for Ending<'_> {
    fn byte(&self, _: &str, _: u32, _: u32) -> u8 {
        self.1.store(true, Ordering::Relaxed);
        self.0
    }

    fn key(&self, _: &str, _: u32, offset: u32) -> Option<u64> {
        Some(offset.into())
    }
}

/// `for (i = 0; i < rounds; i++) if (x == i) …`, all of which ends well, and a run of it on 255.
fn rounds(rounds: u8) -> (Subsumer, Terms, Trace, Vec<PositionId>) {
    let mut blocks = vec![block(vec![input(0)], crate::by_hand::jump(1))];
    let mut terms = Terms::new();
    let x = terms.variable(0, Sort::BitVec(8));
    let mut trace = Trace::new(Outcome::Exit(0));
    for round in 0..rounds {
        let first = 1 + 2 * u32::from(round);
        let test = assign(1, Operator::Eq, &[r(0), n(8, round.into())]);
        blocks.push(block(
            vec![test],
            branch(r(1), round.into(), first + 1, first + 2),
        ));
        blocks.push(block(Vec::new(), crate::by_hand::jump(first + 2)));
        let number = terms.bits(8, round.into());
        trace.choices.push(Choice {
            site: SiteId(round.into()),
            taken: 1,
            shape: Shape::Branch {
                condition: terms.eq(x, number),
            },
        });
    }
    blocks.push(block(Vec::new(), End::Exit));
    let program = program(vec![function(0, &[8, 1], blocks)]);
    let subsumer = Subsumer::new(program, &Settings::default(), true);
    let positions = (0..rounds.into()).map(PositionId).collect();
    (subsumer, terms, trace, positions)
}

/// Wherever all work ends, or more time is needed than is granted, what is under way is given up. It closes nothing,
/// counts as no run that cannot be followed, and does not matter to what is seen later.
#[test]
fn what_is_given_up_closes_nothing_and_leaves_nothing_behind() {
    let run = |terms, trace, given, positions| Observed {
        trace,
        terms,
        table: (0, 0),
        given,
        positions,
    };
    let (mut plain, terms, trace, positions) = rounds(40);
    let expected = plain.observe(&run(&terms, &trace, &X(255), &positions), None);
    assert!(expected.contains(&Closed::Below(positions[0])));

    let (mut subsumer, terms, trace, positions) = rounds(40);
    let stop = Arc::new(AtomicBool::new(false));
    subsumer.keep_to(Deadline::new(None, stop.clone()));
    let ending = Ending(255, &stop);
    assert_eq!(
        subsumer.observe(&run(&terms, &trace, &ending, &positions), None),
        []
    );
    assert!(stop.swap(false, Ordering::Relaxed));
    let seen = run(&terms, &trace, &X(255), &positions);
    assert_eq!(subsumer.observe(&seen, Some(Duration::ZERO)), []);
    assert_eq!(subsumer.consider(&seen, (39, 0), Some(Duration::ZERO)), []);
    assert_eq!((subsumer.payoff.followed, subsumer.payoff.lost), (0, 0));
    assert_eq!(subsumer.counts(), (0, 0));
    assert_eq!(
        subsumer.observe(&seen, Some(Duration::from_secs(600))),
        expected
    );
}
