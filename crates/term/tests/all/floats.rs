//! Comparisons of floats that the constructors turn into others, against plain evaluation.

use elsewise_term::float::Format;
use elsewise_term::meaning::apply;
use elsewise_term::{Bits, Model, Op, Sort, Terms};
use elsewise_test_random::Random;

/// Random values of a width.
trait RandomValues {
    fn integer(&mut self, width: u32) -> u64;
    /// Encodings with a liking for the ends of ranges, whole numbers and their neighbours.
    fn float(&mut self, width: u32) -> u64;
}

impl RandomValues for Random {
    fn integer(&mut self, width: u32) -> u64 {
        let any = self.word();
        let value = match self.word() % 5 {
            0 => any % 5,
            1 => (any % 5).wrapping_neg(),
            2 => (1 << (any % u64::from(width))) + any % 3 - 1,
            3 => 1 << (width - 1),
            _ => any >> (any % 60),
        };
        Bits::new(width, value).low_u64()
    }

    fn float(&mut self, width: u32) -> u64 {
        let format = Format::of(width);
        let any = self.word();
        let number = match self.word() % 7 {
            0 => (any % 7) as f64 - 3.0,
            1 => [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -0.0, 0.1][any as usize % 5],
            2 => (any as i64) as f64,
            3 => (self.integer(33) as i64 as f64) + 0.5,
            4 => 2f64.powi((any % 140) as i32 - 70),
            5 => f64::from(f32::MAX) * [1.0, 2.0, -1.5, -1.0][any as usize % 4],
            _ => return Bits::new(width, any).low_u64(),
        };
        let bits = format.bits(number);
        match self.word() % 4 {
            0 => bits.wrapping_add(1) & Bits::ones(width).low_u64(),
            1 => bits.wrapping_sub(1) & Bits::ones(width).low_u64(),
            _ => bits,
        }
    }
}

const COMPARE: [Op; 3] = [Op::FEq, Op::FLt, Op::FLe];

fn value(terms: &Terms, term: elsewise_term::TermId, model: &Model) -> bool {
    terms.eval_bool(term, model)
}

#[test]
fn integers_made_floats_compare_as_integers() {
    let mut dice = Random::new(1);
    let mut without_floats = 0;
    for round in 0..6000u32 {
        let (width, float) = (
            [1, 8, 16, 32, 63, 64][round as usize % 6],
            32 << (round / 6 % 2),
        );
        let conversion = [Op::SIToF, Op::UIToF][round as usize / 12 % 2];
        let mut terms = Terms::new();
        let x = terms.variable(0, Sort::BitVec(width));
        let var = terms.as_var(x).unwrap();
        let converted = terms.float(conversion, &[x], float);
        let k = Bits::new(float, dice.float(float));
        let constant = terms.constant(k.clone());
        for op in COMPARE {
            for left in [true, false] {
                let operands = match left {
                    true => [converted, constant],
                    false => [constant, converted],
                };
                let term = terms.float(op, &operands, 1);
                without_floats += u32::from(terms.op(term) != Some(op));
                for _ in 0..6 {
                    let mut inside = dice.integer(width);
                    if dice.word().is_multiple_of(2) {
                        // Near where the comparison turns.
                        let near = Format::of(float).number(k.low_u64()) as i64 as u64;
                        inside = near.wrapping_add(dice.word() % 3).wrapping_sub(1);
                    }
                    let input = Bits::new(width, inside);
                    let mut model = Model::default();
                    model.set(var, input.clone());
                    let plain = apply(conversion, float, std::slice::from_ref(&input));
                    let operands = match left {
                        true => [plain, k.clone()],
                        false => [k.clone(), plain],
                    };
                    let expected = apply(op, 1, &operands).is_one();
                    assert_eq!(
                        value(&terms, term, &model),
                        expected,
                        "{op:?} {conversion:?} {input:?} {k:?} {left}"
                    );
                }
            }
        }
    }
    assert_eq!(without_floats, 6000 * 6);
}

#[test]
fn floats_made_doubles_compare_as_floats() {
    let mut dice = Random::new(2);
    for _ in 0..3000 {
        let mut terms = Terms::new();
        let x = terms.variable(0, Sort::BitVec(32));
        let y = terms.variable(1, Sort::BitVec(32));
        let (a, b) = (
            terms.float(Op::FToF, &[x], 64),
            terms.float(Op::FToF, &[y], 64),
        );
        let k = dice.float(64);
        let constant = terms.bits(64, k);
        let (p, q) = (dice.float(32), dice.float(32));
        let mut model = Model::default();
        model.set(terms.as_var(x).unwrap(), Bits::new(32, p));
        model.set(terms.as_var(y).unwrap(), Bits::new(32, q));
        let wide = |bits: u64| apply(Op::FToF, 64, &[Bits::new(32, bits)]);
        for op in COMPARE {
            for (operands, values) in [
                ([a, b], [wide(p), wide(q)]),
                ([a, constant], [wide(p), Bits::new(64, k)]),
                ([constant, b], [Bits::new(64, k), wide(q)]),
                ([a, a], [wide(p), wide(p)]),
            ] {
                let term = terms.float(op, &operands, 1);
                let text = terms.smtlib(term);
                assert!(!text.contains("to_fp 11 53"), "{text}");
                let expected = apply(op, 1, &values).is_one();
                assert_eq!(value(&terms, term, &model), expected, "{op:?} {values:?}");
            }
        }
    }
}

#[test]
fn integers_survive_the_way_through_floats() {
    let mut terms = Terms::new();
    let x = terms.variable(0, Sort::BitVec(32));
    let double = terms.float(Op::SIToF, &[x], 64);
    assert_eq!(terms.float(Op::FToSI, &[double], 32), x);
    let long = terms.float(Op::FToSI, &[double], 64);
    assert_eq!(long, terms.sign_extend(x, 64));
    // Not every integer of 32 bits is a float of as many.
    let float = terms.float(Op::SIToF, &[x], 32);
    let back = terms.float(Op::FToSI, &[float], 32);
    assert_eq!(terms.op(back), Some(Op::FToSI));
    let wide = terms.sign_extend(x, 64);
    assert_eq!(terms.float(Op::SIToF, &[wide], 64), double);
}

#[test]
fn nans_are_seen_by_their_bits() {
    let mut dice = Random::new(3);
    for width in [32, 64] {
        let mut terms = Terms::new();
        let x = terms.variable(0, Sort::BitVec(width));
        let nan = terms.is_nan(x);
        let same = terms.float(Op::FEq, &[x, x], 1);
        assert_eq!(terms.not(same), nan);
        for _ in 0..500 {
            let bits = dice.float(width);
            let mut model = Model::default();
            model.set(terms.as_var(x).unwrap(), Bits::new(width, bits));
            let expected = Format::of(width).number(bits).is_nan();
            assert_eq!(value(&terms, nan, &model), expected, "{bits:x}");
        }
    }
}

#[test]
fn smtlib_says_floats_in_its_theory() {
    let mut terms = Terms::new();
    let x = terms.variable(0, Sort::BitVec(32));
    let y = terms.variable(1, Sort::BitVec(32));
    let sum = terms.float(Op::FAdd, &[x, y], 32);
    let less = terms.float(Op::FLt, &[sum, y], 1);
    assert_eq!(
        terms.smtlib(less),
        "(fp.lt ((_ to_fp 8 24) (fp.to_ieee_bv (fp.add RNE ((_ to_fp 8 24) x0) \
         ((_ to_fp 8 24) x1)))) ((_ to_fp 8 24) x1))"
    );
    let script = terms.smtlib_script(less);
    assert!(script.starts_with("(set-logic QF_FPBV)\n"), "{script}");
    let rest = terms.float(Op::FRem, &[x, y], 32);
    let less = terms.float(Op::FLt, &[rest, y], 1);
    assert!(terms.smtlib_script(less).contains("(declare-fun fmod32 "));
}
