//! Random terms and paths from a seed.

use elsewise_solve::Settings;
use elsewise_term::{Bits, Evaluator, Model, Op, Sort, TermId, Terms};
use elsewise_test_random::Random;

/// Random values of a width.
pub trait RandomBits {
    /// A value with a liking for the ends of the range and powers of two.
    fn bits(&mut self, width: u32) -> Bits;
}

impl RandomBits for Random {
    fn bits(&mut self, width: u32) -> Bits {
        let by = self.word_below(width.into()) as u32;
        match self.word_below(6) {
            0 => Bits::zero(width),
            1 => Bits::ones(width),
            2 => Bits::new(width, self.word_below(10)),
            3 => Bits::new(width, 1).shl_by(by),
            _ => {
                let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.word()).collect();
                Bits::from_words(width, &words)
            }
        }
    }
}

pub const BINARY: [Op; 13] = [
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvAdd,
    Op::BvSub,
    Op::BvShl,
    Op::BvLShr,
    Op::BvAShr,
    Op::BvMul,
    Op::BvUDiv,
    Op::BvURem,
    Op::BvSDiv,
    Op::BvSRem,
];
/// How many of [`BINARY`] are easy at any width.
pub const EASY: usize = 8;
pub const ORDER: [Op; 4] = [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle];

/// Terms over byte inputs, and conditions on them that all hold under one model.
pub struct Sample {
    pub terms: Terms,
    pub present: Model,
    pub conditions: Vec<TermId>,
}

impl Sample {
    /// `width` is that of the words computed with; only easy operators beyond 8 bits.
    pub fn new(dice: &mut Random, inputs: u64, width: u32, count: usize) -> Sample {
        let mut terms = Terms::new();
        let mut present = Model::default();
        let bytes: Vec<TermId> = (0..inputs)
            .map(|key| {
                let byte = terms.variable(key, Sort::BitVec(8));
                present.set(terms.as_var(byte).unwrap(), dice.bits(8));
                byte
            })
            .collect();
        let mut conditions = Vec::new();
        let mut evaluator = Evaluator::new();
        evaluator.restart();
        while conditions.len() < count {
            let near = dice.word_below(inputs) as usize;
            let a = word(dice, &mut terms, &bytes, near, width);
            let b = match dice.word_below(2) {
                0 => terms.constant(dice.bits(width)),
                _ => word(dice, &mut terms, &bytes, near, width),
            };
            let op = *dice.pick(&[Op::BvUlt, Op::BvSlt, Op::BvUle, Op::Eq, Op::Eq]);
            let mut condition = terms.apply(op, &[a, b], 1);
            if dice.word_below(6) == 0 && !conditions.is_empty() {
                let other = *dice.pick(&conditions);
                condition = match dice.word_below(2) {
                    0 => terms.or(condition, other),
                    _ => terms.xor(condition, other),
                };
            }
            if terms.is_const(condition) {
                continue;
            }
            if !evaluator.bool(&terms, condition, &present) {
                condition = terms.not(condition);
            }
            conditions.push(condition);
        }
        Sample {
            terms,
            present,
            conditions,
        }
    }
}

/// A word made of inputs near `near`.
fn word(dice: &mut Random, terms: &mut Terms, bytes: &[TermId], near: usize, width: u32) -> TermId {
    let leaf = |dice: &mut Random, terms: &mut Terms| {
        let mut term = bytes[(near + dice.word_below(2) as usize) % bytes.len()];
        while terms.width(term) < width {
            term = match dice.word_below(3) {
                0 => terms.zero_extend(term, width),
                1 => terms.sign_extend(term, width),
                _ => {
                    let above = bytes[(near + dice.word_below(3) as usize) % bytes.len()];
                    terms.concat(above, term)
                }
            };
        }
        let spare = terms.width(term) - width;
        terms.extract(term, dice.word_below(u64::from(spare) + 1) as u32, width)
    };
    let mut term = leaf(dice, terms);
    for _ in 0..dice.word_below(4) {
        let other = match dice.word_below(3) {
            0 => terms.constant(dice.bits(width)),
            _ => leaf(dice, terms),
        };
        let ops = if width <= 8 {
            &BINARY[..]
        } else {
            &BINARY[..EASY]
        };
        term = match dice.word_below(6) {
            0 => {
                let k = terms.constant(dice.bits(width));
                let condition = terms.compare(*dice.pick(&ORDER), term, k);
                terms.ite(condition, term, other)
            }
            _ => terms.bv(*dice.pick(ops), &[term, other]),
        };
    }
    term
}

/// Settings without these stages.
pub fn without(stages: &[&str]) -> Settings {
    Settings {
        off: stages.iter().map(|name| name.to_string()).collect(),
        ..Settings::default()
    }
}

/// Settings with only these stages on.
pub fn only(stages: &[&str]) -> Settings {
    let mut off = elsewise_solve::stage_names();
    off.retain(|name| !stages.contains(name));
    without(&off)
}
