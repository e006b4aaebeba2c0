//! Tries every value of inputs that have few: what the bit-blaster cannot say (arithmetic on
//! floats) is then known for certain, and sooner than by Z3.

use crate::stage::{Request, Stage, Verdict};
use elsewise_term::{Bits, Evaluator, Model, Terms, VarId};
use std::time::Instant;

/// Bits that the inputs may have together.
const MAX_BITS: u32 = 16;
/// Evaluated subterms, over all values, beyond which Z3 may as well begin.
const MAX_WORK: usize = 1_000_000;
/// How many values are tried between two looks at the clock.
const UNWATCHED: u64 = 256;

#[derive(Default)]
pub(crate) struct Enumerate {
    evaluator: Evaluator,
}

impl Stage for Enumerate {
    fn name(&self) -> &'static str {
        "enumerate"
    }

    fn ask(&mut self, terms: &mut Terms, request: &Request<'_>) -> Verdict {
        let width = |var: &VarId| terms.value_width(terms.var_term(*var));
        let bits: u32 = request.inputs.iter().map(width).sum();
        if bits > MAX_BITS || request.size << bits > MAX_WORK {
            return Verdict::Open;
        }
        let mut model = Model::default();
        for number in 0..1u64 << bits {
            if number % UNWATCHED == 0 && Instant::now() > request.deadline {
                return Verdict::Limit;
            }
            let mut rest = number;
            for var in request.inputs {
                let width = width(var);
                model.set(*var, Bits::new(width, rest & ((1 << width) - 1)));
                rest >>= width;
            }
            self.evaluator.restart();
            let holds = request
                .slice
                .iter()
                .rev()
                .all(|condition| self.evaluator.bool(terms, *condition, &model));
            if holds {
                let values = model.iter().map(|(var, value)| (var, value.clone()));
                return Verdict::Sat(values.collect());
            }
        }
        Verdict::Unsat(request.slice.to_vec())
    }
}
