//! Values of inputs, and the value of a term under them.

use crate::lookup::look_up;
use crate::meaning::{apply, apply_u64};
use crate::{Bits, Op, Sort, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

/// Values of inputs; an input that is not there is zero (false).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    values: FxHashMap<VarId, Bits>,
}

impl Model {
    /// A Bool is a value of width 1.
    pub fn set(&mut self, var: VarId, value: Bits) {
        self.values.insert(var, value);
    }

    pub fn get(&self, var: VarId) -> Option<&Bits> {
        self.values.get(&var)
    }

    pub fn iter(&self) -> impl Iterator<Item = (VarId, &Bits)> {
        self.values.iter().map(|(var, value)| (*var, value))
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// Evaluates terms under a model, each subterm once. Kept and used again, it costs only what the
/// terms asked for reach: entries are stamped, never cleared.
#[derive(Default)]
pub struct Evaluator {
    stamp: u32,
    stamps: Vec<u32>,
    values: Vec<u64>,
    /// Values of more than 64 bits.
    wide: FxHashMap<TermId, Bits>,
    stack: Vec<TermId>,
}

impl Evaluator {
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// Forgets all values: to be called before terms are evaluated under another model.
    pub fn restart(&mut self) {
        self.wide.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
    }

    /// Value of a Bool term. Values since the last [`Evaluator::restart`] are kept, so `model`
    /// must be the same as then.
    pub fn bool(&mut self, terms: &Terms, term: TermId, model: &Model) -> bool {
        assert_eq!(terms.sort(term), Sort::Bool, "a condition is a Bool");
        self.run(terms, term, model);
        self.values[term.index()] == 1
    }

    /// Value of a bit-vector term (of a Bool: a value of width 1). `model` as for
    /// [`Evaluator::bool`].
    pub fn bits(&mut self, terms: &Terms, term: TermId, model: &Model) -> Bits {
        self.run(terms, term, model);
        self.value(terms, term)
    }

    fn known(&self, term: TermId) -> bool {
        self.stamps[term.index()] == self.stamp
    }

    fn value(&self, terms: &Terms, term: TermId) -> Bits {
        match terms.value_width(term) {
            width @ 0..=64 => Bits::new(width, self.values[term.index()]),
            _ => self.wide[&term].clone(),
        }
    }

    fn run(&mut self, terms: &Terms, root: TermId, model: &Model) {
        if self.stamp == 0 {
            self.stamp = 1;
        }
        if self.stamps.len() < terms.len() {
            self.stamps.resize(terms.len(), 0);
            self.values.resize(terms.len(), 0);
        }
        self.stack.clear();
        self.stack.push(root);
        while let Some(term) = self.stack.last().copied() {
            if self.known(term) {
                self.stack.pop();
                continue;
            }
            let operands = terms.operands(term);
            let before = self.stack.len();
            for operand in operands.iter() {
                if !self.known(*operand) {
                    self.stack.push(*operand);
                }
            }
            if self.stack.len() > before {
                continue;
            }
            self.stack.pop();
            self.compute(terms, term, &operands, model);
            self.stamps[term.index()] = self.stamp;
        }
    }

    fn compute(&mut self, terms: &Terms, term: TermId, operands: &[TermId], model: &Model) {
        let width = terms.value_width(term);
        let Some(op) = terms.op(term) else {
            let value = match (terms.as_u64(term), terms.as_var(term)) {
                (Some(value), _) => {
                    self.values[term.index()] = value;
                    return;
                }
                (_, Some(var)) => match model.get(var) {
                    Some(value) if value.width() == width => value.clone(),
                    // Of another width than the input's: cut or extended, so that a model from
                    // elsewhere cannot make an ill-sorted value.
                    Some(value) => Bits::from_words(width, &value.words().collect::<Vec<_>>()),
                    None => Bits::zero(width),
                },
                _ => terms.as_bits(term).expect("neither input nor operator"),
            };
            return self.keep(term, value);
        };
        if let Op::Lookup { table } = op {
            let index = self.values[operands[0].index()];
            self.values[term.index()] = look_up(terms.table_of(table).entries(), index);
            return;
        }
        let inner = terms.value_width(operands[operands.len() - 1]);
        if width <= 64
            && operands
                .iter()
                .all(|operand| terms.value_width(*operand) <= 64)
        {
            let mut narrow = [0; 3];
            for (to, from) in narrow.iter_mut().zip(operands) {
                *to = self.values[from.index()];
            }
            self.values[term.index()] = apply_u64(op, width, inner, narrow);
        } else {
            let values: Vec<Bits> = operands
                .iter()
                .map(|operand| self.value(terms, *operand))
                .collect();
            self.keep(term, apply(op, width, &values));
        }
    }

    fn keep(&mut self, term: TermId, value: Bits) {
        if value.width() <= 64 {
            self.values[term.index()] = value.low_u64();
        } else {
            self.wide.insert(term, value);
        }
    }
}

impl Terms {
    /// Value of a Bool term. For many of them, keep an [`Evaluator`].
    pub fn eval_bool(&self, term: TermId, model: &Model) -> bool {
        Evaluator::new().bool(self, term, model)
    }

    /// Value of a bit-vector term. For many of them, keep an [`Evaluator`].
    pub fn eval_bits(&self, term: TermId, model: &Model) -> Bits {
        Evaluator::new().bits(self, term, model)
    }
}
