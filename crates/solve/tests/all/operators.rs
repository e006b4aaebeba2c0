//! Every operator at every width: the evaluator, the bit-blaster and Z3 agree.

use crate::common::{BINARY, ORDER, RandomBits, only};
use elsewise_solve::{Answer, Query, Solver, Z3};
use elsewise_term::{Bits, Model, Op, Sort, TermId, Terms};
use elsewise_test_random::Random;
use std::time::Duration;

struct Applied {
    terms: Terms,
    /// The operator on fresh inputs.
    term: TermId,
    inputs: Vec<TermId>,
}

fn apply(op: Op, sorts: &[Sort], width: u32) -> Applied {
    let mut terms = Terms::new();
    let inputs: Vec<TermId> = sorts
        .iter()
        .enumerate()
        .map(|(key, sort)| terms.variable(key as u64, *sort))
        .collect();
    let term = terms.apply(op, &inputs, width);
    Applied {
        terms,
        term,
        inputs,
    }
}

/// All operators with operands of this width (and some more for what changes the width).
fn operators(dice: &mut Random, width: u32) -> Vec<(Op, Applied)> {
    let vector = Sort::BitVec(width);
    let mut all = Vec::new();
    let mut push = |op: Op, sorts: &[Sort], result: u32| all.push((op, apply(op, sorts, result)));
    for op in BINARY {
        push(op, &[vector, vector], width);
    }
    for op in ORDER.into_iter().chain([Op::Eq]) {
        push(op, &[vector, vector], 1);
    }
    push(Op::BvNot, &[vector], width);
    push(Op::BvNeg, &[vector], width);
    push(Op::Ite, &[Sort::Bool, vector, vector], width);
    let other = 1 + dice.word_below(70) as u32;
    push(Op::Concat, &[vector, Sort::BitVec(other)], width + other);
    push(Op::ZeroExtend, &[vector], width + other);
    push(Op::SignExtend, &[vector], width + other);
    let low = dice.word_below(width.into()) as u32;
    let part = 1 + dice.word_below(u64::from(width - low)) as u32;
    push(Op::Extract { low }, &[vector], part);
    if width == 1 {
        for op in [Op::And, Op::Or, Op::Xor] {
            push(op, &[Sort::Bool, Sort::Bool], 1);
        }
        push(Op::Not, &[Sort::Bool], 1);
    }
    if width <= 64 {
        all.extend(look_ups(dice, width));
    }
    all
}

/// Look-ups by an index of this width, in tables shorter and longer than it reaches.
fn look_ups(dice: &mut Random, width: u32) -> Vec<(Op, Applied)> {
    let mut all = Vec::new();
    for count in [2, 3, 5, 8, 13] {
        let mut terms = Terms::new();
        let bits = 1 + dice.word_below(64) as u32;
        let entries: Vec<u64> = (0..count).map(|_| dice.bits(bits).low_u64()).collect();
        let table = terms.table(bits, &entries);
        let index = terms.variable(0, Sort::BitVec(width));
        let term = terms.lookup(table, index);
        let inputs = vec![index];
        all.push((
            Op::Lookup { table },
            Applied {
                terms,
                term,
                inputs,
            },
        ));
    }
    all
}

/// `term == value`, also for Bools.
fn equals(terms: &mut Terms, term: TermId, value: &Bits) -> TermId {
    let value = match terms.sort(term) {
        Sort::Bool => terms.bool(value.is_one()),
        Sort::BitVec(_) => terms.constant(value.clone()),
    };
    terms.eq(term, value)
}

/// Calls `decide` with conditions that fix the inputs and one on the result, which can hold or
/// not.
fn each_width(
    widths: impl Iterator<Item = u32>,
    mut decide: impl FnMut(&mut Terms, &[TermId], bool, &str),
) {
    let mut dice = Random::new(11);
    for width in widths {
        for (op, mut applied) in operators(&mut dice, width) {
            let terms = &mut applied.terms;
            let mut model = Model::default();
            let mut conditions = Vec::new();
            for input in &applied.inputs {
                let value = dice.bits(terms.value_width(*input));
                conditions.push(equals(terms, *input, &value));
                model.set(terms.as_var(*input).unwrap(), value);
            }
            let value = terms.eval_bits(applied.term, &model);
            let right = equals(terms, applied.term, &value);
            let wrong = terms.not(right);
            let what = format!("{op:?} at {width} under {model:?}");
            for (wanted, holds) in [(right, true), (wrong, false)] {
                conditions.push(wanted);
                decide(terms, &conditions, holds, &what);
                conditions.pop();
            }
        }
    }
}

#[test]
fn z3_agrees_with_the_evaluator() {
    let z3 = Z3::load().expect("libz3 is needed to test against");
    let widths = (1..=9).chain([16, 31, 64, 65, 130]);
    each_width(widths, |terms, conditions, holds, what| {
        let answer = z3.satisfiable(terms, conditions, Duration::from_secs(60));
        assert_eq!(answer, Some(holds), "{what}");
    });
}

#[test]
fn bit_blasting_agrees_with_the_evaluator() {
    let widths = (1..=18).chain([31, 32, 33, 63, 64, 65, 130]);
    each_width(widths, |terms, conditions, holds, what| {
        let mut solver = Solver::new(only(&["bitblast"]));
        let query = Query {
            prefix: &conditions[..conditions.len() - 1],
            wanted: conditions[conditions.len() - 1],
            present: &Model::default(),
        };
        match solver.solve(terms, &query) {
            Answer::Sat(model) => {
                assert!(holds, "{what}");
                for condition in conditions {
                    assert!(terms.eval_bool(*condition, &model), "{what}");
                }
            }
            Answer::Unsat(_) => assert!(!holds, "{what}"),
            Answer::Unknown(why) => panic!("{why:?}: {what}"),
        }
        assert!(
            solver.counts().iter().all(|count| count.wrong == 0),
            "{what}"
        );
    });
}

/// Inputs are found, not only checked: all of them left open but the result.
#[test]
fn bit_blasting_finds_operands() {
    let mut dice = Random::new(5);
    for width in (1..=10).chain([16, 32]) {
        for (op, mut applied) in operators(&mut dice, width) {
            let hard = matches!(
                op,
                Op::BvMul | Op::BvUDiv | Op::BvURem | Op::BvSDiv | Op::BvSRem
            );
            if hard && width > 10 {
                continue;
            }
            let terms = &mut applied.terms;
            let mut model = Model::default();
            for input in &applied.inputs {
                let value = dice.bits(terms.value_width(*input));
                model.set(terms.as_var(*input).unwrap(), value);
            }
            let value = terms.eval_bits(applied.term, &model);
            let wanted = equals(terms, applied.term, &value);
            let mut solver = Solver::new(only(&["bitblast"]));
            let query = Query {
                prefix: &[],
                wanted,
                present: &Model::default(),
            };
            let answer = solver.solve(terms, &query);
            assert!(
                matches!(answer, Answer::Sat(_)),
                "{op:?} at {width}: {answer:?}"
            );
        }
    }
}
