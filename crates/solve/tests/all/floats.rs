//! Floats: Z3 and the bit-blaster agree with the evaluator, and the search finds what they compare.

use crate::common::{RandomBits, only};
use elsewise_solve::{Answer, GaveUp, Query, Solver, Z3};
use elsewise_term::float::{Format, compares};
use elsewise_term::{Bits, Model, Op, Sort, TermId, Terms};
use elsewise_test_random::Random;
use std::time::Duration;

/// Encodings with a liking for what is special.
fn float(dice: &mut Random, width: u32) -> Bits {
    let format = Format::of(width);
    let any = dice.word();
    let number = match dice.word_below(8) {
        0 => (any % 9) as f64 - 4.0,
        1 => [f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0][any as usize % 4],
        2 => any as i64 as f64 / 3.0,
        3 => (any % 1000) as f64 + 0.5,
        4 => 2f64.powi((any % 300) as i32 - 150),
        5 => return Bits::new(width, format.infinity() | (any & format.sign()) | (any % 3)),
        6 => return Bits::new(width, format.default_nan() ^ (any % 1000)),
        _ => return Bits::new(width, any),
    };
    Bits::new(width, format.bits(number))
}

/// Every operator on fresh inputs, with the width of its result and operands.
fn operators() -> Vec<(Op, u32, Vec<u32>)> {
    let mut all = Vec::new();
    for width in [32, 64] {
        for op in [Op::FAdd, Op::FSub, Op::FMul, Op::FDiv] {
            all.push((op, width, vec![width, width]));
        }
        let unary = [Op::FFloor, Op::FCeil, Op::FTrunc, Op::FRint, Op::FRound];
        for op in unary.into_iter().chain([Op::FSqrt]) {
            all.push((op, width, vec![width]));
        }
        for op in [Op::FEq, Op::FLt, Op::FLe] {
            all.push((op, 1, vec![width, width]));
        }
        all.push((Op::FToF, 96 - width, vec![width]));
        for integer in [32, 64] {
            all.push((Op::FToSI, integer, vec![width]));
        }
        for integer in [1, 8, 32, 64] {
            all.push((Op::SIToF, width, vec![integer]));
            all.push((Op::UIToF, width, vec![integer]));
        }
    }
    all
}

fn equals(terms: &mut Terms, term: TermId, value: &Bits) -> TermId {
    let value = match terms.sort(term) {
        Sort::Bool => terms.bool(value.is_one()),
        Sort::BitVec(_) => terms.constant(value.clone()),
    };
    terms.eq(term, value)
}

/// Conditions that fix the inputs, and one on the result that holds or does not.
fn each(rounds: u32, mut decide: impl FnMut(Op, &mut Terms, &[TermId], bool, &str)) {
    let mut dice = Random::new(21);
    for (op, width, operands) in operators() {
        for _ in 0..rounds {
            let mut terms = Terms::new();
            let mut model = Model::default();
            let mut conditions = Vec::new();
            let mut inputs = Vec::new();
            for (key, width) in operands.iter().enumerate() {
                let input = terms.variable(key as u64, Sort::BitVec(*width));
                let value = match op {
                    Op::SIToF | Op::UIToF => dice.bits(*width),
                    _ => float(&mut dice, *width),
                };
                conditions.push(equals(&mut terms, input, &value));
                model.set(terms.as_var(input).unwrap(), value);
                inputs.push(input);
            }
            let term = terms.float(op, &inputs, width);
            let value = terms.eval_bits(term, &model);
            let right = equals(&mut terms, term, &value);
            let wrong = terms.not(right);
            let what = format!("{op:?} to {width} under {model:?} is {value:?}");
            for (wanted, holds) in [(right, true), (wrong, false)] {
                conditions.push(wanted);
                decide(op, &mut terms, &conditions, holds, &what);
                conditions.pop();
            }
        }
    }
}

#[test]
fn z3_agrees_with_the_evaluator() {
    let z3 = Z3::load().expect("libz3 is needed to test against");
    each(4, |_, terms, conditions, holds, what| {
        let answer = z3.satisfiable(terms, conditions, Duration::from_secs(60));
        assert_eq!(answer, Some(holds), "{what}");
    });
}

#[test]
fn bit_blasting_compares_and_leaves_the_rest() {
    each(40, |op, terms, conditions, holds, what| {
        let mut solver = Solver::new(only(&["bitblast"]));
        let query = Query {
            prefix: &conditions[..conditions.len() - 1],
            wanted: conditions[conditions.len() - 1],
            present: &Model::default(),
        };
        match (compares(op), solver.solve(terms, &query)) {
            (true, Answer::Sat(_)) => assert!(holds, "{what}"),
            (true, Answer::Unsat(_)) => assert!(!holds, "{what}"),
            (false, Answer::Unknown(GaveUp::Unsupported)) => {}
            (_, answer) => panic!("{answer:?}: {what}"),
        }
        assert!(solver.counts().iter().all(|count| count.wrong == 0));
    });
}

/// Two floats of `width` bits made of bytes, as a program reads them.
fn pair(terms: &mut Terms, width: u32) -> [TermId; 2] {
    [0, 1].map(|which| {
        let mut whole = None;
        for byte in 0..u64::from(width / 8) {
            let byte = terms.variable(which * 100 + byte, Sort::BitVec(8));
            whole = Some(match whole {
                Some(below) => terms.concat(byte, below),
                None => byte,
            });
        }
        whole.unwrap()
    })
}

#[test]
fn the_search_finds_what_floats_are_compared_with() {
    let mut dice = Random::new(4);
    for round in 0..400 {
        let width = [32, 64][round % 2];
        let format = Format::of(width);
        let mut terms = Terms::new();
        let [x, y] = pair(&mut terms, width);
        let number = |dice: &mut Random| dice.word_below(20_000) as f64 / 8.0 - 1000.0;
        let k = number(&mut dice);
        let constant = terms.bits(width, format.bits(k));
        let scale = terms.bits(width, format.bits(number(&mut dice) + 0.3));
        let operand = match round % 5 {
            0 => x,
            1 => terms.float(Op::FAdd, &[x, scale], width),
            2 => terms.float(Op::FMul, &[scale, x], width),
            3 => terms.float(Op::FSub, &[x, y], width),
            _ => terms.float(Op::FDiv, &[x, scale], width),
        };
        let op = [Op::FLt, Op::FLe, Op::FEq][round / 5 % 3];
        // What is rounded may miss a value.
        if op == Op::FEq && round % 5 > 0 {
            continue;
        }
        let wanted = match round / 15 % 2 {
            0 => terms.float(op, &[operand, constant], 1),
            _ => terms.float(op, &[constant, operand], 1),
        };
        let query = Query {
            prefix: &[],
            wanted,
            present: &Model::default(),
        };
        let mut solver = Solver::new(only(&["search"]));
        match solver.solve(&mut terms, &query) {
            Answer::Sat(model) => assert!(terms.eval_bool(wanted, &model)),
            answer => panic!("{answer:?}: {}", terms.smtlib(wanted)),
        }
    }
}

#[test]
fn the_search_looks_up_indices() {
    let mut terms = Terms::new();
    let entries: Vec<u64> = (0..256u64).map(|i| i * i * 7919 % 65521).collect();
    let table = terms.table(16, &entries);
    let x = terms.variable(0, Sort::BitVec(8));
    let entry = terms.lookup(table, x);
    for index in [3, 77, 255] {
        let value = terms.bits(16, entries[index]);
        let wanted = terms.eq(entry, value);
        let query = Query {
            prefix: &[],
            wanted,
            present: &Model::default(),
        };
        let answer = Solver::new(only(&["search"])).solve(&mut terms, &query);
        assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
    }
}

/// What only Z3 decides, and what nobody does.
#[test]
fn sums_are_decided_and_remainders_left_open() {
    let mut terms = Terms::new();
    let [x, y] = pair(&mut terms, 32);
    let [one, three] = [1f32, 3.0].map(|k| terms.bits(32, k.to_bits().into()));
    let sum = terms.float(Op::FAdd, &[x, y], 32);
    let below = [x, y].map(|term| terms.float(Op::FLt, &[term, one], 1));
    let great = terms.float(Op::FLt, &[three, sum], 1);
    let mut settings = only(&["bitblast", "z3"]);
    settings.query_millis = 60_000;
    let mut solver = Solver::new(settings);
    let present = Model::default();
    let mut ask = |prefix: &[TermId], wanted: TermId, terms: &mut Terms| {
        let query = Query {
            prefix,
            wanted,
            present: &present,
        };
        solver.solve(terms, &query)
    };
    let answer = ask(&below[..1], great, &mut terms);
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
    let answer = ask(&below, great, &mut terms);
    assert!(matches!(answer, Answer::Unsat(_)), "{answer:?}");
    let rest = terms.float(Op::FRem, &[x, y], 32);
    let wanted = terms.float(Op::FLt, &[one, rest], 1);
    let answer = ask(&[], wanted, &mut terms);
    assert_eq!(answer, Answer::Unknown(GaveUp::Unsupported));
}

/// A number of three digits, read as text is, is a tenth of another.
#[test]
fn inputs_that_can_have_few_values_are_all_tried() {
    // 57.5 is written with these digits, 57.25 is not.
    for (value, expected) in [(57.5f64, Some(575)), (57.25, None)] {
        let mut terms = Terms::new();
        let mut number = terms.bits(32, 0);
        let mut conditions = Vec::new();
        let (zero, nine, ten) = (terms.bits(8, 48), terms.bits(8, 57), terms.bits(32, 10));
        let bytes: Vec<_> = (0..3)
            .map(|key| terms.variable(key, Sort::BitVec(8)))
            .collect();
        for byte in &bytes {
            conditions.push(terms.compare(Op::BvUle, zero, *byte));
            conditions.push(terms.compare(Op::BvUle, *byte, nine));
            let digit = terms.bv(Op::BvSub, &[*byte, zero]);
            let digit = terms.zero_extend(digit, 32);
            let tens = terms.bv(Op::BvMul, &[number, ten]);
            number = terms.bv(Op::BvAdd, &[tens, digit]);
        }
        let float = terms.float(Op::UIToF, &[number], 64);
        let tenth = terms.bits(64, 10f64.to_bits());
        let quotient = terms.float(Op::FDiv, &[float, tenth], 64);
        let value = terms.bits(64, value.to_bits());
        let wanted = terms.eq(quotient, value);
        let mut present = Model::default();
        for byte in &bytes {
            present.set(terms.as_var(*byte).unwrap(), Bits::new(8, 48));
        }
        let query = Query {
            prefix: &conditions,
            wanted,
            present: &present,
        };
        let mut solver = Solver::new(only(&["enumerate"]));
        match (solver.solve(&mut terms, &query), expected) {
            (Answer::Sat(model), Some(number)) => {
                let digit = |byte| model.get(terms.as_var(byte)?)?.to_u64();
                let found = bytes.iter().map(|byte| digit(*byte).unwrap() - 48);
                assert_eq!(found.fold(0, |number, digit| number * 10 + digit), number);
            }
            (Answer::Unsat(_), None) => {}
            (answer, _) => panic!("{answer:?}"),
        }
    }
}

#[test]
fn few_values_are_all_tried() {
    // x + 0.5 == 7.5 has one answer among all bytes, x + 0.5 == 7.25 none.
    for (sum, expected) in [(7.5f32, Some(7)), (7.25, None)] {
        let mut terms = Terms::new();
        let byte = terms.variable(0, Sort::BitVec(8));
        let x = terms.float(Op::UIToF, &[byte], 32);
        let half = terms.bits(32, 0.5f32.to_bits().into());
        let total = terms.float(Op::FAdd, &[x, half], 32);
        let sum = terms.bits(32, sum.to_bits().into());
        let wanted = terms.eq(total, sum);
        let mut solver = Solver::new(only(&["enumerate"]));
        let present = Model::default();
        let query = Query {
            prefix: &[],
            wanted,
            present: &present,
        };
        match (solver.solve(&mut terms, &query), expected) {
            (Answer::Sat(model), Some(value)) => {
                let var = terms.as_var(byte).unwrap();
                assert_eq!(model.get(var).and_then(Bits::to_u64), Some(value));
            }
            (Answer::Unsat(_), None) => {}
            (answer, _) => panic!("{answer:?}"),
        }
    }
}
