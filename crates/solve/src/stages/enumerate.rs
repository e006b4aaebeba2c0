//! Tries every value of inputs that have few: what the bit-blaster cannot say (arithmetic on
//! floats), or says late (division), is then known for certain, and sooner than by Z3.
//!
//! The conditions about one input alone say which values it can have (a digit has ten). What is left
//! is tried input by input, and each condition as soon as all of its inputs have a value.

use crate::stage::{Request, Stage, Verdict};
use elsewise_term::{Bits, Evaluator, Model, TermId, Terms, VarId, Walker};
use rustc_hash::FxHashSet;
use std::time::Instant;

/// Bits that one input may have.
const MAX_BITS: u32 = 16;
const MAX_INPUTS: usize = 10;
/// Evaluated subterms, over all values, beyond which others may as well begin.
const MAX_WORK: usize = 4_000_000;
/// How many values are tried between two looks at the clock.
const UNWATCHED: u64 = 256;

#[derive(Default)]
pub(crate) struct Enumerate {
    /// Takes only what is hard for the bit-blaster, which comes after it.
    only_hard: bool,
    evaluator: Evaluator,
    walker: Walker,
    /// Conditions that did not hold for some value.
    refused: FxHashSet<TermId>,
}

/// An input, the values that it can have alone, and the conditions that can be told when it has one after
/// those before it.
struct Level {
    var: VarId,
    width: u32,
    values: Vec<u64>,
    conditions: Vec<TermId>,
}

impl Enumerate {
    pub fn before_bitblast() -> Enumerate {
        Enumerate {
            only_hard: true,
            ..Enumerate::default()
        }
    }

    /// The wanted condition, which is the last, is looked at first.
    fn all_hold(&mut self, terms: &Terms, conditions: &[TermId], model: &Model) -> bool {
        self.evaluator.restart();
        for condition in conditions.iter().rev() {
            if !self.evaluator.bool(terms, *condition, model) {
                self.refused.insert(*condition);
                return false;
            }
        }
        true
    }

    /// The inputs, with the conditions about one of them alone used up; `None` if there are too many values, or
    /// if it takes too long to tell.
    fn levels(&mut self, terms: &Terms, request: &Request<'_>) -> Option<Vec<Level>> {
        let mut levels = Vec::new();
        for var in request.inputs {
            let width = terms.value_width(terms.var_term(*var));
            if width > MAX_BITS {
                return None;
            }
            levels.push(Level {
                var: *var,
                width,
                values: (0..1 << width).collect(),
                conditions: Vec::new(),
            });
        }
        let mut alone: Vec<Vec<TermId>> = levels.iter().map(|_| Vec::new()).collect();
        let mut seen = 0;
        for condition in request.slice {
            let (mut first, mut last) = (usize::MAX, 0);
            self.walker.restart();
            let small = self
                .walker
                .walk(terms, &[*condition], request.size, |term| {
                    seen += 1;
                    if let Some(var) = terms.as_var(term)
                        && let Ok(at) = request.inputs.binary_search(&var)
                    {
                        (first, last) = (first.min(at), last.max(at));
                    }
                });
            if !small || seen > MAX_WORK {
                return None;
            }
            match first == last {
                true => alone[last].push(*condition),
                // One without any input is told with the first.
                false => levels[last].conditions.push(*condition),
            }
        }
        let mut model = Model::default();
        let mut number = request.size;
        self.refused.clear();
        for (level, conditions) in levels.iter_mut().zip(alone) {
            let work = request.size.saturating_mul(level.values.len());
            if !conditions.is_empty() {
                if work > MAX_WORK {
                    return None;
                }
                level.values.retain(|value| {
                    model.set(level.var, Bits::new(level.width, *value));
                    self.all_hold(terms, &conditions, &model)
                });
            }
            number = number.saturating_mul(level.values.len());
        }
        (number <= MAX_WORK).then_some(levels)
    }
}

impl Stage for Enumerate {
    fn name(&self) -> &'static str {
        "enumerate"
    }

    fn ask(&mut self, terms: &mut Terms, request: &Request<'_>) -> Verdict {
        let few = (1..=MAX_INPUTS).contains(&request.inputs.len());
        if !few || self.only_hard && !request.hard {
            return Verdict::Open;
        }
        let Some(levels) = self.levels(terms, request) else {
            return Verdict::Open;
        };
        let mut model = Model::default();
        // Of each input that has a value, which one comes next.
        let mut next = vec![0];
        let mut tried = 0u64;
        while !next.is_empty() {
            let Some(level) = levels.get(next.len() - 1) else {
                let values = model.iter().map(|(var, value)| (var, value.clone()));
                return Verdict::Sat(values.collect());
            };
            let at = next.last_mut().expect("it is not empty");
            let Some(value) = level.values.get(*at) else {
                next.pop();
                continue;
            };
            *at += 1;
            tried += 1;
            if tried.is_multiple_of(UNWATCHED) && Instant::now() > request.deadline {
                return Verdict::Limit;
            }
            model.set(level.var, Bits::new(level.width, *value));
            if self.all_hold(terms, &level.conditions, &model) {
                next.push(0);
            }
        }
        // Each value was refused by one of these, so they conflict without the others.
        let core = request.slice.iter().copied();
        let core = core.filter(|condition| self.refused.contains(condition));
        Verdict::Unsat(core.collect())
    }
}
