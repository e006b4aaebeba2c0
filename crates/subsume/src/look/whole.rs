//! Looks at whole small programs of which it is plain what there is to be seen.

use super::*;
use crate::by_hand::{
    DATA, TABLE, assign, block, branch, holds, input, joined, jump, load, looker, n, r, store,
};
use elsewise_explore::SiteId;
use elsewise_explore::program::{Block, BlockId, End, Operator, Register, Step};

/// All that the program can do, and the look that has seen it.
fn look(registers: &[u32], blocks: Vec<Block>) -> (Result<Condition, Stop>, Looker) {
    let mut looker = looker(registers, blocks);
    let seen = looker.below(0, None);
    (seen, looker)
}

fn exit() -> Block {
    block(Vec::new(), End::Exit)
}

fn fail() -> Block {
    block(Vec::new(), End::Fail)
}

/// Fails for one input out of 256.
#[test]
fn a_failure_behind_a_branch_is_seen() {
    let test = assign(1, Operator::Eq, &[r(0), n(8, 77)]);
    let blocks = |then| {
        vec![
            block(vec![input(0), test.clone()], branch(r(1), 0, 1, 2)),
            then,
            exit(),
        ]
    };
    assert_eq!(look(&[8, 1], blocks(fail())).0, Err(Stop::Failure));
    assert_eq!(look(&[8, 1], blocks(exit())).0, Ok(Condition::default()));
}

/// What the path says already rules the failure out.
#[test]
fn a_failure_that_nobody_can_reach_is_none() {
    let blocks = vec![
        block(
            vec![input(0), assign(1, Operator::Ult, &[r(0), n(8, 5)])],
            branch(r(1), 0, 1, 3),
        ),
        block(
            vec![assign(2, Operator::Ult, &[n(8, 9), r(0)])],
            branch(r(2), 1, 2, 3),
        ),
        fail(),
        exit(),
    ];
    let (seen, looker) = look(&[8, 1, 1], blocks);
    assert!(seen.is_ok());
    assert!(looker.queries > 0);
}

/// On the first way to where paths meet the failure is impossible, on the second it is not: that nobody can
/// reach it is part of what is kept there.
#[test]
fn a_failure_that_one_path_rules_out_is_not_ruled_out_for_another() {
    let blocks = |least| {
        vec![
            block(
                vec![input(0), assign(1, Operator::Ult, &[r(0), n(8, 5)])],
                branch(r(1), 0, 1, 2),
            ),
            block(Vec::new(), jump(3)),
            block(
                vec![assign(2, Operator::Ult, &[r(0), n(8, least)])],
                branch(r(2), 1, 3, 5),
            ),
            block(
                vec![assign(3, Operator::Ult, &[n(8, 9), r(0)])],
                branch(r(3), 2, 4, 5),
            ),
            fail(),
            exit(),
        ]
    };
    let registers = [8, 1, 1, 1];
    // The second way comes with 5 to 9, or with 5 to 10.
    assert!(look(&registers, blocks(10)).0.is_ok());
    assert_eq!(look(&registers, blocks(11)).0, Err(Stop::Much));
}

/// Paths meet with other values in a byte that the failure below depends on: only those that cannot fail
/// are subsumed; the others are more than one look sees.
#[test]
fn an_arrival_with_another_state_is_looked_at_for_itself() {
    let blocks = |value| {
        vec![
            block(
                vec![input(0), assign(1, Operator::Eq, &[r(0), n(8, 1)])],
                branch(r(1), 0, 1, 2),
            ),
            block(Vec::new(), jump(3)),
            block(vec![store(n(64, DATA), n(8, value), 1)], jump(3)),
            block(
                vec![
                    load(2, n(64, DATA), 1),
                    assign(3, Operator::Eq, &[r(2), n(8, 4)]),
                ],
                branch(r(3), 1, 4, 5),
            ),
            fail(),
            exit(),
        ]
    };
    let registers = [8, 1, 8, 1];
    assert_eq!(look(&registers, blocks(4)).0, Err(Stop::Much));
    let (seen, looker) = look(&registers, blocks(3));
    assert!(seen.is_ok());
    // The first arrival has left the condition that the byte is unlike 4, and the second is subsumed by it.
    assert_eq!(looker.kept.count, 1);
}

/// The same where nothing is moved on the first way, and what fails is moved on the second.
#[test]
fn a_move_of_nothing_does_not_subsume_one_of_something() {
    let moved = Step::Move {
        to: n(64, DATA),
        from: n(64, TABLE),
        size: r(2),
    };
    let blocks = vec![
        block(
            vec![input(0), assign(1, Operator::Eq, &[r(0), n(8, 1)])],
            branch(r(1), 0, 1, 2),
        ),
        block(Vec::new(), jump(3)),
        block(Vec::new(), jump(3)),
        joined(
            2,
            &[(1, n(64, 0)), (2, n(64, 1))],
            vec![
                moved,
                load(3, n(64, DATA), 1),
                assign(4, Operator::Eq, &[r(3), n(8, 7)]),
            ],
            branch(r(4), 1, 4, 5),
        ),
        fail(),
        exit(),
    ];
    assert_eq!(look(&[8, 1, 64, 8, 1], blocks).0, Err(Stop::Much));
}

/// The first way gives nothing back, the second what is used afterwards.
#[test]
fn giving_nothing_back_does_not_subsume_giving_something_back() {
    let allocate = Step::Allocate {
        to: Register(2),
        size: n(64, 4),
        zeroed: true,
    };
    let blocks = vec![
        block(
            vec![
                allocate,
                input(0),
                assign(1, Operator::Eq, &[r(0), n(8, 1)]),
            ],
            branch(r(1), 0, 1, 2),
        ),
        block(Vec::new(), jump(3)),
        block(Vec::new(), jump(3)),
        joined(
            3,
            &[(1, n(64, 0)), (2, r(2))],
            vec![Step::Release { address: r(3) }, load(4, r(2), 4)],
            End::Exit,
        ),
    ];
    assert_eq!(look(&[8, 1, 64, 64, 32], blocks).0, Err(Stop::Much));
}

/// `for (i = 0; i < 3; i++) if (input()) count++;`, and a failure if the count is above `most`.
fn counting(most: u64) -> Vec<Block> {
    let one = |to, from| assign(to, Operator::Add, &[r(from), n(8, 1)]);
    let mut head = joined(
        0,
        &[(0, n(8, 0)), (4, r(6))],
        vec![assign(2, Operator::Ult, &[r(0), n(8, 3)])],
        branch(r(2), 0, 2, 5),
    );
    head.phis.extend(
        joined(1, &[(0, n(8, 0)), (4, r(7))], Vec::new(), End::Exit)
            .phis
            .clone(),
    );
    vec![
        block(Vec::new(), jump(1)),
        head,
        block(
            vec![input(3), assign(4, Operator::Ne, &[r(3), n(8, 0)])],
            branch(r(4), 1, 3, 4),
        ),
        block(vec![one(5, 1)], jump(4)),
        joined(7, &[(2, r(1)), (3, r(5))], vec![one(6, 0)], jump(1)),
        block(
            vec![assign(8, Operator::Ult, &[n(8, most), r(1)])],
            branch(r(8), 2, 6, 7),
        ),
        fail(),
        exit(),
    ]
}

const COUNTING: [u32; 9] = [8, 8, 1, 8, 1, 8, 8, 8, 1];

/// Eight paths; at the cut point of the loop, fewer rounds to go and a smaller count imply that none fails.
#[test]
fn a_loop_is_cut_at_its_head() {
    let (seen, looker) = look(&COUNTING, counting(3));
    assert_eq!(seen, Ok(Condition::default()));
    assert!(looker.kept.count > 0);
    for most in 0..3 {
        let (seen, _) = look(&COUNTING, counting(most));
        assert_eq!(seen, Err(Stop::Failure), "{most}");
    }
}

/// Every condition that was kept at the head of the loop, in every state that could be there: where it
/// holds, the rounds that are left cannot bring the count above 3.
#[test]
fn what_is_kept_at_a_loop_holds_only_where_nothing_fails() {
    let (_, looker) = look(&COUNTING, counting(3));
    let mut machine = crate::by_hand::machine(&COUNTING, counting(3));
    let Pause::Checkpoint(head) = machine.run() else {
        panic!("the loop has a cut point");
    };
    let kept = looker.kept.at(head);
    assert!(!kept.is_empty());
    let mut covered = 0;
    for condition in kept {
        for round in 0..=3u64 {
            for count in 0..=5u64 {
                let cells = [
                    (Cell::register(0, Register(0), 8), round),
                    (Cell::register(0, Register(1), 8), count),
                ];
                if holds(&looker.machine.terms, &condition.atoms, &cells) {
                    covered += 1;
                    assert!(count + (3 - round) <= 3, "{round} {count}");
                }
            }
        }
    }
    assert!(covered > 0);
}

/// Ends only when it is given a zero: there is always more.
#[test]
fn a_loop_without_an_end_is_too_much() {
    let blocks = vec![
        block(Vec::new(), jump(1)),
        block(
            vec![
                input(0),
                load(2, n(64, DATA), 1),
                assign(3, Operator::Add, &[r(2), n(8, 1)]),
                store(n(64, DATA), r(3), 1),
                assign(4, Operator::Eq, &[r(3), n(8, 200)]),
            ],
            branch(r(4), 0, 2, 3),
        ),
        fail(),
        block(
            vec![assign(1, Operator::Eq, &[r(0), n(8, 0)])],
            branch(r(1), 1, 4, 1),
        ),
        exit(),
    ];
    let (seen, _) = look(&[8, 1, 8, 8, 1], blocks);
    assert_eq!(seen, Err(Stop::Much));
}

#[test]
fn what_cannot_be_followed_closes_nothing() {
    let opaque = Step::Opaque {
        to: None,
        what: "floats".into(),
    };
    let blocks = vec![
        block(
            vec![input(0), assign(1, Operator::Eq, &[r(0), n(8, 1)])],
            branch(r(1), 0, 1, 2),
        ),
        block(vec![opaque], End::Exit),
        exit(),
    ];
    assert_eq!(look(&[8, 1], blocks).0, Err(Stop::Lost("floats".into())));
}

/// A side that no run has taken is not closed over, as long as sides are to be reached.
#[test]
fn a_side_that_is_still_to_be_taken_stops_a_look() {
    let blocks = || {
        vec![
            block(
                vec![input(0), assign(1, Operator::Eq, &[r(0), n(8, 1)])],
                branch(r(1), 0, 1, 1),
            ),
            exit(),
        ]
    };
    let sides = [(SiteId(0), 0), (SiteId(0), 1)];
    for covered in [1, 2] {
        let mut looker = looker(&[8, 1], blocks());
        looker.machine.covered = Some(sides[..covered].iter().copied().collect());
        let seen = looker.below(0, None);
        match covered {
            2 => assert!(seen.is_ok()),
            _ => assert_eq!(seen, Err(Stop::Uncovered)),
        }
    }
}

/// The last way of a switch is for all values that have no case.
#[test]
fn the_ways_of_a_switch_are_looked_at_each() {
    let switch = |default| End::Switch {
        value: r(0),
        cases: vec![
            (elsewise_term::Bits::new(8, 1), BlockId(1)),
            (elsewise_term::Bits::new(8, 2), BlockId(1)),
        ],
        default: BlockId(default),
        site: Some(SiteId(0)),
    };
    for (default, expected) in [(1, Ok(Condition::default())), (2, Err(Stop::Failure))] {
        let blocks = vec![block(vec![input(0)], switch(default)), exit(), fail()];
        assert_eq!(look(&[8], blocks).0, expected);
    }
}
