//! A short directed search from the present model: most satisfiable queries of real programs are
//! a move or two away from it.
//!
//! A state is a value for each input of the slice; its cost is the sum of the conditions'
//! distances. Moves aim at a condition that does not hold ([`moves`]) or change one of its inputs
//! a little; the first that lowers the cost is taken. The budget is small because a query without
//! a model always uses it up.

mod floats;
mod moves;
mod program;

use crate::stage::{Request, Stage, Verdict};
use elsewise_term::{Bits, Terms};
use moves::{Move, VARIANTS};
use program::Program;

/// Evaluations for one query.
const MAX_RUNS: u32 = 80;
/// Instructions for one query: large slices are evaluated less often.
const MAX_STEPS: usize = 15_000;
/// Larger slices are left to the next stage.
const MAX_SIZE: usize = 3_000;
/// Inputs of one condition that are changed blindly.
const MAX_NUDGED: usize = 12;

#[derive(Default)]
pub(crate) struct Search {
    program: Program,
    runs: u32,
    budget: u32,
    candidate: Move,
    saved: Move,
    aimed: Vec<Move>,
}

impl Search {
    pub fn new() -> Search {
        Search::default()
    }

    /// Makes a move and gives the cost after it.
    fn make(&mut self) -> u64 {
        self.saved.clear();
        for (input, value) in &self.candidate {
            self.saved.push((*input, self.program.get(*input)));
            self.program.set(*input, *value);
        }
        self.runs += 1;
        self.program.run()
    }

    /// Takes the last move back. Registers are right again after the next run.
    fn take_back(&mut self) {
        for (input, value) in self.saved.iter().rev() {
            self.program.set(*input, *value);
        }
    }

    /// Goes down from the present state until the cost is 0 or no move lowers it.
    fn descend(&mut self, mut cost: u64) -> u64 {
        while cost > 0 && self.runs < self.budget {
            match self.better(cost) {
                Some(lower) => cost = lower,
                None => break,
            }
        }
        cost
    }

    /// Makes the first move found that lowers the cost. Registers are those of the present state.
    fn better(&mut self, cost: u64) -> Option<u64> {
        // The wanted condition is the last.
        for index in (0..self.program.roots.len()).rev() {
            let root = self.program.roots[index];
            if self.program.registers[root as usize] == 1 {
                continue;
            }
            self.aimed.clear();
            for variant in 0..VARIANTS {
                self.program.aim(root, variant, &mut self.candidate);
                if !self.candidate.is_empty() && !self.aimed.contains(&self.candidate) {
                    self.aimed.push(self.candidate.clone());
                }
            }
            for at in 0..self.aimed.len() {
                std::mem::swap(&mut self.candidate, &mut self.aimed[at]);
                if let Some(lower) = self.attempt(cost) {
                    return Some(lower);
                }
            }
            if let Some(lower) = self.nudge(root, cost) {
                return Some(lower);
            }
            if self.runs >= self.budget {
                return None;
            }
            // Aiming at the next condition looks at the registers.
            self.runs += 1;
            self.program.run();
        }
        None
    }

    /// Makes the candidate move; takes it back if it does not lower the cost.
    fn attempt(&mut self, cost: u64) -> Option<u64> {
        if self.runs >= self.budget {
            return None;
        }
        let lower = self.make();
        if lower < cost {
            return Some(lower);
        }
        self.take_back();
        None
    }

    /// Small changes to single inputs of a condition.
    fn nudge(&mut self, root: u32, cost: u64) -> Option<u64> {
        let inputs = self.inputs_of(root);
        for input in inputs {
            let width = self.program.inputs[input].width;
            let value = self.program.get(input);
            let top = u64::MAX >> (64 - width);
            let steps = [value.wrapping_add(1), value.wrapping_sub(1), 0, top];
            let flips = (0..width.min(16)).map(|bit| value ^ 1 << bit);
            for changed in steps.into_iter().chain(flips) {
                let changed = changed & top;
                if changed == value {
                    continue;
                }
                self.candidate.clear();
                self.candidate.push((input, changed));
                if let Some(lower) = self.attempt(cost) {
                    return Some(lower);
                }
            }
        }
        None
    }

    /// The first few inputs of a condition.
    fn inputs_of(&self, root: u32) -> Vec<usize> {
        let mut found = Vec::new();
        let mut seen = vec![false; self.program.registers.len()];
        let mut work = vec![root];
        while let Some(register) = work.pop() {
            if std::mem::replace(&mut seen[register as usize], true) {
                continue;
            }
            let input = self.program.input_of[register as usize];
            let made = self.program.made_by[register as usize];
            if input != program::LEAF {
                found.push(input as usize);
                if found.len() == MAX_NUDGED {
                    break;
                }
            } else if made != program::LEAF {
                let step = &self.program.code[made as usize];
                work.extend(&step.operands[..step.op.arity()]);
            }
        }
        found
    }

    fn start(&mut self, terms: &Terms, request: &Request<'_>) -> u64 {
        for input in 0..self.program.inputs.len() {
            let var = self.program.inputs[input].var;
            let value = request.present_value(terms, var).low_u64();
            self.program.set(input, value);
        }
        self.runs += 1;
        self.program.run()
    }

    fn search(&mut self, terms: &Terms, request: &Request<'_>) -> bool {
        let cost = self.start(terms, request);
        if self.descend(cost) == 0 {
            return true;
        }
        // Once more, from where the wanted condition holds at the cost of others.
        for variant in 0..VARIANTS {
            if self.runs >= self.budget {
                return false;
            }
            self.start(terms, request);
            let wanted = *self.program.roots.last().expect("a slice has a condition");
            self.program.aim(wanted, variant, &mut self.candidate);
            if self.candidate.is_empty() {
                continue;
            }
            let cost = self.make();
            if self.program.registers[wanted as usize] == 1 && self.descend(cost) == 0 {
                return true;
            }
        }
        false
    }
}

impl Stage for Search {
    fn name(&self) -> &'static str {
        "search"
    }

    fn ask(&mut self, terms: &mut Terms, request: &Request<'_>) -> Verdict {
        if request.size > MAX_SIZE || !self.program.compile(terms, request.slice, MAX_SIZE) {
            return Verdict::Open;
        }
        self.runs = 0;
        self.budget = MAX_RUNS.min((MAX_STEPS / request.size.max(1)) as u32);
        if !self.search(terms, request) {
            return Verdict::Open;
        }
        let values = self.program.inputs.iter().map(|input| {
            let value = self.program.registers[input.register as usize];
            (input.var, Bits::new(input.width, value))
        });
        Verdict::Sat(values.collect())
    }

    fn forget(&mut self) {
        *self = Search::new();
    }
}
