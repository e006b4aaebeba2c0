//! Long paths, deep terms and hard queries end within their limits; small ones are decided
//! without solving.

use crate::common::{only, without};
use elsewise_solve::{Answer, GaveUp, Path, Query, Settings, Solver, stage_names};
use elsewise_term::{Bits, Model, Op, Sort, TermId, Terms};
use std::time::{Duration, Instant};

fn decided_by(solver: &Solver) -> &'static str {
    let counts = solver.counts();
    let decided = counts.iter().find(|count| count.sat + count.unsat > 0);
    decided.map_or("none", |count| count.name)
}

#[test]
fn a_query_on_a_path_of_a_million_conditions_costs_its_slice() {
    let mut terms = Terms::new();
    let mut present = Model::default();
    let mut conditions = Vec::new();
    let limit = terms.bits(8, 200);
    // Components of five conditions each.
    for group in 0..200_000u64 {
        let x = terms.variable(2 * group, Sort::BitVec(8));
        let y = terms.variable(2 * group + 1, Sort::BitVec(8));
        present.set(terms.as_var(x).unwrap(), Bits::new(8, 7));
        present.set(terms.as_var(y).unwrap(), Bits::new(8, 9));
        let sum = terms.bv(Op::BvAdd, &[x, y]);
        let product = terms.bv(Op::BvMul, &[x, y]);
        for (a, b) in [(x, y), (x, limit), (y, limit), (x, sum), (sum, product)] {
            conditions.push(terms.compare(Op::BvUlt, a, b));
        }
    }
    let mut path = Path::new(conditions.clone());
    let last = conditions.len() - 1;
    let wanted = terms.not(conditions[last]);
    assert_eq!(path.slice(&terms, last, wanted).len(), 5);
    let mut solver = Solver::new(without(&[]));
    let start = Instant::now();
    let count = 2_000;
    for index in (0..last).rev().step_by(last / count) {
        let wanted = terms.not(conditions[index]);
        let slice = path.slice(&terms, index, wanted);
        assert!(slice.len() <= 5 && *slice.last().unwrap() == wanted);
    }
    // Two thousand times a million would be minutes.
    assert!(start.elapsed() < Duration::from_secs(10));
    match solver.solve_on(&mut terms, &mut path, last, wanted, &present) {
        Answer::Sat(model) => {
            for condition in &conditions[last - 4..last] {
                assert!(terms.eval_bool(*condition, &model));
            }
            assert!(terms.eval_bool(wanted, &model));
            let changed = model
                .iter()
                .filter(|(var, value)| present.get(*var) != Some(value));
            assert!(changed.count() <= 2);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn one_chain_through_the_whole_path_is_not_walked_again_and_again() {
    let mut terms = Terms::new();
    let mut sum = terms.bits(32, 0);
    let mut conditions = Vec::new();
    let limit = terms.bits(32, 1 << 31);
    for key in 0..100_000u64 {
        let byte = terms.variable(key, Sort::BitVec(8));
        let wide = terms.zero_extend(byte, 32);
        let three = terms.bits(32, 3);
        let scaled = terms.bv(Op::BvMul, &[wide, three]);
        sum = terms.bv(Op::BvAdd, &[sum, scaled]);
        conditions.push(terms.compare(Op::BvUlt, sum, limit));
    }
    let mut path = Path::new(conditions.clone());
    let start = Instant::now();
    for index in [99_999, 50_000, 10, 99_998, 500] {
        let wanted = terms.not(conditions[index]);
        assert_eq!(path.slice(&terms, index, wanted).len(), index + 1);
    }
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// A term of so many operators over two inputs.
fn deep(terms: &mut Terms, count: u64) -> TermId {
    let x = terms.variable(0, Sort::BitVec(16));
    let y = terms.variable(1, Sort::BitVec(16));
    let mut chain = x;
    for index in 0..count {
        let op = [Op::BvAdd, Op::BvXor][index as usize % 2];
        let k = terms.bits(16, 2 * index + 1);
        let mixed = terms.bv(Op::BvXor, &[y, k]);
        chain = terms.bv(op, &[chain, mixed]);
    }
    let k = terms.bits(16, 77);
    terms.eq(chain, k)
}

#[test]
fn terms_millions_deep_are_given_up_for_their_size() {
    let mut terms = Terms::new();
    let wanted = deep(&mut terms, 2_500_000);
    let mut solver = Solver::new(without(&[]));
    let start = Instant::now();
    let query = Query {
        prefix: &[],
        wanted,
        present: &Model::default(),
    };
    let answer = solver.solve(&mut terms, &query);
    assert_eq!(answer, Answer::Unknown(GaveUp::Size));
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn deep_terms_that_are_small_enough_overflow_no_stack() {
    for stage in ["bitblast", "enumerate", "z3"] {
        let mut terms = Terms::new();
        let wanted = deep(&mut terms, 10_000);
        let mut solver = Solver::new(Settings {
            query_millis: 300,
            ..only(&[stage])
        });
        let query = Query {
            prefix: &[],
            wanted,
            present: &Model::default(),
        };
        let answer = solver.solve(&mut terms, &query);
        assert!(!matches!(answer, Answer::Unsat(_)), "by {stage}");
    }
}

#[test]
fn a_hard_query_ends_at_its_limit() {
    let mut terms = Terms::new();
    let x = terms.variable(0, Sort::BitVec(31));
    let y = terms.variable(1, Sort::BitVec(31));
    let (wide_x, wide_y) = (terms.zero_extend(x, 62), terms.zero_extend(y, 62));
    let product = terms.bv(Op::BvMul, &[wide_x, wide_y]);
    // The product of two primes of 31 bits, neither near a power of two.
    let k = terms.bits(62, 1_402_946_669 * 1_610_612_741);
    let wanted = terms.eq(product, k);
    let order = terms.compare(Op::BvUlt, x, y);
    for stages in [&["bitblast"][..], &["bitblast", "z3"][..]] {
        let mut solver = Solver::new(Settings {
            query_millis: 200,
            ..only(stages)
        });
        let query = Query {
            prefix: &[order],
            wanted,
            present: &Model::default(),
        };
        let start = Instant::now();
        let answer = solver.solve(&mut terms, &query);
        assert!(
            matches!(answer, Answer::Unknown(GaveUp::Limit) | Answer::Sat(_)),
            "{answer:?}"
        );
        assert!(start.elapsed() < Duration::from_secs(8));
    }
}

#[test]
fn ranges_that_conflict_are_seen() {
    let mut terms = Terms::new();
    let x = terms.variable(0, Sort::BitVec(32));
    let k = |terms: &mut Terms, value: u64| terms.bits(32, value);
    let (seven, twenty, three) = (k(&mut terms, 7), k(&mut terms, 20), k(&mut terms, 3));
    let at_least = terms.compare(Op::BvUle, twenty, x);
    let at_most = terms.compare(Op::BvUle, x, seven);
    let unrelated = terms.compare(Op::BvSlt, x, twenty);
    let mut present = Model::default();
    present.set(terms.as_var(x).unwrap(), Bits::new(32, 0xffff_fff0));
    let mut solver = Solver::new(without(&[]));
    let query = Query {
        prefix: &[unrelated, at_least],
        wanted: at_most,
        present: &present,
    };
    let Answer::Unsat(mut core) = solver.solve(&mut terms, &query) else {
        panic!("20 <= x <= 7 has no model");
    };
    core.sort_unstable();
    let mut expected = vec![at_least, at_most];
    expected.sort_unstable();
    assert_eq!(core, expected);
    assert_eq!(decided_by(&solver), "syntactic");

    // All cases of a switch taken out of its range.
    let below = terms.compare(Op::BvUlt, x, three);
    let mut prefix = vec![below];
    for value in 0..2 {
        let case = k(&mut terms, value);
        let same = terms.eq(x, case);
        prefix.push(terms.not(same));
    }
    let two = k(&mut terms, 2);
    let same = terms.eq(x, two);
    let wanted = terms.not(same);
    present.set(terms.as_var(x).unwrap(), Bits::new(32, 2));
    let mut solver = Solver::new(without(&[]));
    let query = Query {
        prefix: &prefix,
        wanted,
        present: &present,
    };
    let answer = solver.solve(&mut terms, &query);
    assert!(matches!(answer, Answer::Unsat(core) if core.len() == 4));
    assert_eq!(decided_by(&solver), "syntactic");
}

#[test]
fn the_opposite_of_a_condition_and_the_same_query_again_need_no_solving() {
    let mut terms = Terms::new();
    let x = terms.variable(0, Sort::BitVec(8));
    let y = terms.variable(1, Sort::BitVec(8));
    let product = terms.bv(Op::BvMul, &[x, y]);
    let square = terms.bv(Op::BvMul, &[x, x]);
    let condition = terms.compare(Op::BvUlt, product, square);
    let wanted = terms.not(condition);
    let mut present = Model::default();
    present.set(terms.as_var(x).unwrap(), Bits::new(8, 2));
    let mut solver = Solver::new(without(&[]));
    let query = Query {
        prefix: &[condition],
        wanted,
        present: &present,
    };
    let answer = solver.solve(&mut terms, &query);
    assert_eq!(answer, Answer::Unsat(vec![condition, wanted]));
    assert_eq!(decided_by(&solver), "syntactic");

    // No square leaves 3 modulo 4.
    let low = terms.extract(square, 0, 2);
    let three = terms.bits(2, 3);
    let wanted = terms.eq(low, three);
    let query = Query {
        prefix: &[condition],
        wanted,
        present: &present,
    };
    let mut solver = Solver::new(without(&[]));
    let first = solver.solve(&mut terms, &query);
    let Answer::Unsat(core) = &first else {
        panic!("{first:?}");
    };
    assert_eq!(core, &[wanted]);
    assert_eq!(solver.solve(&mut terms, &query), first);
    // With another prefix: the conflict is contained in it.
    let other = terms.compare(Op::BvUlt, y, x);
    let query = Query {
        prefix: &[other],
        wanted,
        present: &present,
    };
    assert_eq!(solver.solve(&mut terms, &query), first);
    let cache = solver
        .counts()
        .into_iter()
        .find(|count| count.name == "cache");
    assert_eq!(cache.unwrap().unsat, 2);
}

#[test]
fn inputs_outside_the_slice_keep_their_values() {
    let mut terms = Terms::new();
    let bytes: Vec<TermId> = (0..4)
        .map(|key| terms.variable(key, Sort::BitVec(8)))
        .collect();
    let mut present = Model::default();
    for (index, byte) in bytes.iter().enumerate() {
        present.set(
            terms.as_var(*byte).unwrap(),
            Bits::new(8, 10 + index as u64),
        );
    }
    let k = terms.bits(8, 50);
    let prefix: Vec<TermId> = bytes
        .iter()
        .map(|byte| terms.compare(Op::BvUlt, *byte, k))
        .collect();
    let wanted = terms.eq(bytes[2], bytes[1]);
    for off in [&[][..], &["search", "cache"][..]] {
        let mut solver = Solver::new(without(off));
        let query = Query {
            prefix: &prefix,
            wanted,
            present: &present,
        };
        let Answer::Sat(model) = solver.solve(&mut terms, &query) else {
            panic!("the two can be equal");
        };
        for index in [0, 3] {
            let var = terms.as_var(bytes[index]).unwrap();
            assert_eq!(model.get(var), present.get(var));
        }
        assert!(
            prefix
                .iter()
                .all(|condition| terms.eval_bool(*condition, &model))
        );
    }
}

#[test]
fn stages_are_switched_off_by_name() {
    let names = |settings: Settings| -> Vec<&'static str> {
        let counts = Solver::new(settings).counts();
        counts.iter().map(|count| count.name).collect()
    };
    let all = names(without(&[]));
    assert_eq!(all, stage_names());
    // Slicing is counted also where it leaves everything.
    for name in &all[1..] {
        let left = names(without(&[name]));
        assert!(!left.contains(name) && left.len() == all.len() - 1);
    }
    let few = ["slice", "syntactic", "bitblast"];
    assert_eq!(names(only(&few)), few);
    let mut solver = Solver::new(only(&["slice", "syntactic"]));
    let mut terms = Terms::new();
    let wanted = terms.variable(0, Sort::Bool);
    let query = Query {
        prefix: &[],
        wanted,
        present: &Model::default(),
    };
    let answer = solver.solve(&mut terms, &query);
    assert_eq!(answer, Answer::Unknown(GaveUp::Unsupported));
}
