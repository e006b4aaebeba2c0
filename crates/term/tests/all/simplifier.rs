//! The constructors against plain evaluation: a random expression is evaluated step by step with
//! [`apply`], and the term that the constructors made of it must have the same value.

use elsewise_term::meaning::apply;
use elsewise_term::{Bits, Evaluator, Model, Op, Sort, TermId, Terms};
use elsewise_test_random::Random;
use proptest::prelude::*;

/// Random values of a width.
trait RandomBits {
    /// A value with a liking for the ends of the range, powers of two and runs of ones.
    fn bits(&mut self, width: u32) -> Bits;
}

impl RandomBits for Random {
    fn bits(&mut self, width: u32) -> Bits {
        let any = |dice: &mut Random| {
            let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| dice.word()).collect();
            Bits::from_words(width, &words)
        };
        let by = self.word_below(width.into()) as u32;
        match self.word_below(8) {
            0 => Bits::zero(width),
            1 => Bits::ones(width),
            2 => Bits::new(width, self.word_below(5)),
            3 => Bits::new(width, 1).shl_by(by),
            4 => Bits::ones(width).shl_by(by),
            5 => Bits::ones(width).lshr_by(by),
            6 => Bits::ones(width)
                .lshr_by(by)
                .shl_by(self.word_below(width.into()) as u32),
            _ => any(self),
        }
    }
}

const BINARY: [Op; 13] = [
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
    Op::BvUDiv,
    Op::BvURem,
    Op::BvSDiv,
    Op::BvSRem,
    Op::BvShl,
    Op::BvLShr,
    Op::BvAShr,
];
const ORDER: [Op; 4] = [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle];

/// A term and its value under each model, found without the term.
struct Known {
    term: TermId,
    sort: Sort,
    values: Vec<Bits>,
}

struct Pool {
    terms: Terms,
    models: Vec<Model>,
    known: Vec<Known>,
}

impl Pool {
    fn new(dice: &mut Random, widths: &[u32]) -> Pool {
        let mut pool = Pool {
            terms: Terms::new(),
            models: vec![Model::default(); 6],
            known: Vec::new(),
        };
        let mut key = 0;
        for width in widths {
            for _ in 0..2 {
                let term = pool.terms.variable(key, Sort::BitVec(*width));
                key += 1;
                pool.leaf(dice, term, Sort::BitVec(*width));
            }
        }
        let term = pool.terms.variable(key, Sort::Bool);
        pool.leaf(dice, term, Sort::Bool);
        pool
    }

    fn leaf(&mut self, dice: &mut Random, term: TermId, sort: Sort) {
        let var = self.terms.as_var(term).unwrap();
        let width = self.terms.value_width(term);
        let values: Vec<Bits> = self.models.iter().map(|_| dice.bits(width)).collect();
        for (model, value) in self.models.iter_mut().zip(&values) {
            model.set(var, value.clone());
        }
        self.known.push(Known { term, sort, values });
    }

    /// Index of something of this sort: often recent, sometimes a constant, extended or cut to
    /// fit if there is nothing.
    fn some(&mut self, dice: &mut Random, sort: Sort) -> usize {
        if dice.word_below(4) == 0 {
            let (term, value) = match sort {
                Sort::Bool => {
                    let value = dice.word_below(2) == 1;
                    (self.terms.bool(value), Bits::new(1, value.into()))
                }
                Sort::BitVec(width) => {
                    let value = dice.bits(width);
                    (self.terms.constant(value.clone()), value)
                }
            };
            let values = vec![value; self.models.len()];
            self.known.push(Known { term, sort, values });
            return self.known.len() - 1;
        }
        let fitting: Vec<usize> = (0..self.known.len())
            .filter(|index| self.known[*index].sort == sort)
            .collect();
        if !fitting.is_empty() {
            let recent = fitting.len().saturating_sub(6);
            return match dice.word_below(2) {
                0 => *dice.pick(&fitting[recent..]),
                _ => *dice.pick(&fitting),
            };
        }
        let Sort::BitVec(width) = sort else {
            panic!("there is always a Bool");
        };
        let any = self.some_vector(dice);
        let have = self.terms.width(self.known[any].term);
        let op = match () {
            _ if have > width => Op::Extract {
                low: dice.word_below(u64::from(have - width) + 1) as u32,
            },
            _ => *dice.pick(&[Op::ZeroExtend, Op::SignExtend]),
        };
        self.apply(op, &[any], width, sort)
    }

    fn some_vector(&mut self, dice: &mut Random) -> usize {
        let fitting: Vec<usize> = (0..self.known.len())
            .filter(|index| self.known[*index].sort != Sort::Bool)
            .collect();
        *dice.pick(&fitting)
    }

    fn apply(&mut self, op: Op, operands: &[usize], width: u32, sort: Sort) -> usize {
        let ids: Vec<TermId> = operands
            .iter()
            .map(|index| self.known[*index].term)
            .collect();
        let term = self.terms.apply(op, &ids, width);
        assert_eq!(self.terms.sort(term), sort, "sort of {op:?}");
        let values = (0..self.models.len())
            .map(|model| {
                let values: Vec<Bits> = operands
                    .iter()
                    .map(|index| self.known[*index].values[model].clone())
                    .collect();
                apply(op, width, &values)
            })
            .collect();
        self.known.push(Known { term, sort, values });
        self.known.len() - 1
    }

    fn grow(&mut self, dice: &mut Random, widths: &[u32]) {
        let width = *dice.pick(widths);
        let vector = Sort::BitVec(width);
        match dice.word_below(13) {
            11 => self.look_up(dice),
            0 => {
                let a = self.some(dice, vector);
                let op = *dice.pick(&[Op::BvNot, Op::BvNeg]);
                self.apply(op, &[a], width, vector);
            }
            1..=4 => {
                let (a, b) = (self.some(dice, vector), self.some(dice, vector));
                self.apply(*dice.pick(&BINARY), &[a, b], width, vector);
            }
            5 => {
                let (a, b) = (self.some(dice, vector), self.some(dice, vector));
                self.apply(*dice.pick(&ORDER), &[a, b], 1, Sort::Bool);
            }
            6 => {
                let (a, b) = (self.some(dice, vector), self.some(dice, vector));
                self.apply(Op::Eq, &[a, b], 1, Sort::Bool);
            }
            7 => {
                let (a, b) = (self.some(dice, Sort::Bool), self.some(dice, Sort::Bool));
                let op = *dice.pick(&[Op::And, Op::Or, Op::Xor, Op::Eq, Op::Not]);
                let operands = [a, b];
                self.apply(op, &operands[..op.arity()], 1, Sort::Bool);
            }
            8 => {
                let c = self.some(dice, Sort::Bool);
                let sort = *dice.pick(&[Sort::Bool, vector, vector]);
                let (a, b) = (self.some(dice, sort), self.some(dice, sort));
                let width = self.terms.value_width(self.known[a].term);
                self.apply(Op::Ite, &[c, a, b], width, sort);
            }
            9 => {
                let (a, b) = (self.some_vector(dice), self.some_vector(dice));
                let sum =
                    self.terms.width(self.known[a].term) + self.terms.width(self.known[b].term);
                if sum <= 300 {
                    self.apply(Op::Concat, &[a, b], sum, Sort::BitVec(sum));
                }
            }
            10 => {
                let a = self.some_vector(dice);
                let have = self.terms.width(self.known[a].term);
                let low = dice.word_below(have.into()) as u32;
                let width = 1 + dice.word_below(u64::from(have - low)) as u32;
                self.apply(Op::Extract { low }, &[a], width, Sort::BitVec(width));
            }
            _ => {
                let a = self.some_vector(dice);
                let have = self.terms.width(self.known[a].term);
                let width = have + dice.word_below(40) as u32;
                let op = *dice.pick(&[Op::ZeroExtend, Op::SignExtend]);
                self.apply(op, &[a], width, Sort::BitVec(width));
            }
        }
    }

    /// A look-up in a table of random entries, often few different ones.
    fn look_up(&mut self, dice: &mut Random) {
        let index = self.some_vector(dice);
        if self.terms.width(self.known[index].term) > 64 {
            return;
        }
        let width = 1 + dice.word_below(64) as u32;
        let few = dice.word_below(3);
        let entries: Vec<u64> = (0..1 + dice.word_below(20))
            .map(|_| match few {
                0 => dice.word_below(3),
                _ => dice.bits(width).low_u64(),
            })
            .collect();
        let table = self.terms.table(width, &entries);
        let term = self.terms.lookup(table, self.known[index].term);
        let entry = |index: &Bits| {
            let entry = entries.get(index.low_u64() as usize);
            Bits::new(width, *entry.unwrap_or(&entries[entries.len() - 1]))
        };
        let values = self.known[index].values.iter().map(entry).collect();
        self.known.push(Known {
            term,
            sort: Sort::BitVec(width),
            values,
        });
    }

    fn check(&self) {
        let mut evaluator = Evaluator::new();
        for (index, model) in self.models.iter().enumerate() {
            evaluator.restart();
            for known in &self.known {
                let value = evaluator.bits(&self.terms, known.term, model);
                assert_eq!(
                    value,
                    known.values[index],
                    "{} under {model:?}",
                    self.terms.smtlib(known.term)
                );
            }
        }
    }
}

fn try_seed(seed: u64, widths: &[u32], steps: u32) {
    let mut dice = Random::new(seed);
    let mut pool = Pool::new(&mut dice, widths);
    for _ in 0..steps {
        pool.grow(&mut dice, widths);
    }
    pool.check();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(2), ..ProptestConfig::default() })]

    #[test]
    fn small_widths(seed: u64, a in 1u32..=8, b in 1u32..=8) {
        try_seed(seed, &[a, b, 1], 60);
    }

    #[test]
    fn machine_widths(seed: u64) {
        try_seed(seed, &[8, 16, 32, 64], 80);
    }

    #[test]
    fn any_widths(seed: u64, a in 1u32..=130, b in 1u32..=130) {
        try_seed(seed, &[a, b], 50);
    }
}

/// All values of all operators with constants in every place, at widths 1 to 4.
#[test]
fn exhaustive_at_small_widths() {
    for width in 1..=4u32 {
        let count = 1u64 << width;
        let mut terms = Terms::new();
        let x = terms.variable(0, Sort::BitVec(width));
        let y = terms.variable(1, Sort::BitVec(width));
        let (xv, yv) = (terms.as_var(x).unwrap(), terms.as_var(y).unwrap());
        let mut evaluator = Evaluator::new();
        for op in BINARY.into_iter().chain(ORDER).chain([Op::Eq]) {
            let vector = BINARY.contains(&op);
            let result = if vector { width } else { 1 };
            let mut made = vec![(terms.apply(op, &[x, y], result), None, None)];
            for k in 0..count {
                let c = terms.bits(width, k);
                made.push((terms.apply(op, &[x, c], result), None, Some(k)));
                made.push((terms.apply(op, &[c, y], result), Some(k), None));
            }
            for a in 0..count {
                for b in 0..count {
                    let mut model = Model::default();
                    model.set(xv, Bits::new(width, a));
                    model.set(yv, Bits::new(width, b));
                    evaluator.restart();
                    for (term, left, right) in &made {
                        let operands = [
                            Bits::new(width, left.unwrap_or(a)),
                            Bits::new(width, right.unwrap_or(b)),
                        ];
                        let expected = apply(op, result, &operands);
                        let value = evaluator.bits(&terms, *term, &model);
                        assert_eq!(value, expected, "{op:?} {operands:?}");
                        if !vector {
                            let not = terms.not(*term);
                            let value = evaluator.bits(&terms, not, &model);
                            assert_eq!(value, expected.not(), "not {op:?} {operands:?}");
                        }
                    }
                }
            }
        }
    }
}
