//! What called what in a run, for people.

use crate::program::PredId;
use crate::term::Term;
use elsewise_graph::{DerivationStep, Derived};

/// A derivation in the making.
#[derive(Debug, Default)]
pub struct Deriving {
    pub steps: Vec<DerivationStep>,
    /// The goal that a clause is being tried for.
    pub called: String,
    /// The call of each step, to be looked at again when it has succeeded.
    calls: Vec<Option<(PredId, Vec<Term>)>>,
}

/// More than anybody looks at.
const MOST: usize = 2000;

impl Deriving {
    /// A clause was entered; the step's number, if there is room for it.
    pub fn entered(
        &mut self,
        outer: Option<usize>,
        goal: String,
        line: u32,
        pred: PredId,
        args: Vec<Term>,
    ) -> Option<usize> {
        let step = DerivationStep {
            outer,
            goal,
            line: Some(line),
            ended: Derived::Open,
        };
        self.add(step, Some((pred, args)))
    }

    pub fn rejected(&mut self, outer: Option<usize>, goal: String) {
        let step = DerivationStep {
            outer,
            goal,
            line: None,
            ended: Derived::Rejected,
        };
        self.add(step, None);
    }

    fn add(&mut self, step: DerivationStep, call: Option<(PredId, Vec<Term>)>) -> Option<usize> {
        if self.steps.len() == MOST {
            return None;
        }
        self.steps.push(step);
        self.calls.push(call);
        Some(self.steps.len() - 1)
    }

    pub fn call_of(&self, step: usize) -> Option<(PredId, Vec<Term>)> {
        self.calls.get(step)?.clone()
    }

    pub fn ended(&mut self, step: usize, ended: Derived) {
        self.steps[step].ended = ended;
    }
}
