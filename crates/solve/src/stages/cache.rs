//! What earlier queries said: the same query again, a superset of conditions known to conflict,
//! a model found before that happens to fit.

use crate::stage::{Request, Stage, Verdict};
use elsewise_term::{Bits, Evaluator, Model, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Models tried.
const MAX_MODELS: usize = 6;
/// Slices larger than this are not tried with old models: that costs more than searching.
const MAX_MODEL_SIZE: usize = 4_000;
/// Conditions in a conflict worth keeping.
const MAX_CORE: usize = 64;
/// Ids held in keys and conflicts together; beyond, everything is forgotten.
const MAX_IDS: usize = 8_000_000;

enum Known {
    Sat(Vec<(VarId, Bits)>),
    Unsat(Vec<TermId>),
}

#[derive(Default)]
pub(crate) struct Cache {
    exact: FxHashMap<Box<[TermId]>, Known>,
    cores: Vec<Box<[TermId]>>,
    /// Conflicts by each condition in them. A path's own conditions do not conflict, so a
    /// conflict that matters contains the wanted one.
    by_condition: FxHashMap<TermId, Vec<u32>>,
    /// Recent models, each of the inputs of its slice.
    models: VecDeque<Model>,
    ids: usize,
    evaluator: Evaluator,
}

fn key(slice: &[TermId]) -> Box<[TermId]> {
    let mut key = slice.to_vec();
    key.sort_unstable();
    key.dedup();
    key.into()
}

impl Cache {
    pub fn new() -> Cache {
        Cache::default()
    }

    fn core(&self, request: &Request<'_>) -> Option<Vec<TermId>> {
        let candidates = self.by_condition.get(&request.wanted)?;
        let slice: FxHashSet<TermId> = request.slice.iter().copied().collect();
        candidates
            .iter()
            .map(|core| &self.cores[*core as usize])
            .find(|core| core.iter().all(|condition| slice.contains(condition)))
            .map(|core| core.to_vec())
    }

    /// Values of a recent model under which the slice holds.
    fn model(&mut self, terms: &Terms, request: &Request<'_>) -> Option<Vec<(VarId, Bits)>> {
        for model in &self.models {
            if request.inputs.iter().any(|var| model.get(*var).is_none()) {
                continue;
            }
            self.evaluator.restart();
            // The wanted condition is the last, and the one most likely not to hold.
            let mut conditions = request.slice.iter().rev();
            if conditions.all(|condition| self.evaluator.bool(terms, *condition, model)) {
                let value = |var: &VarId| model.get(*var).map(|value| (*var, value.clone()));
                return Some(request.inputs.iter().filter_map(value).collect());
            }
        }
        None
    }
}

impl Stage for Cache {
    fn name(&self) -> &'static str {
        "cache"
    }

    fn ask(&mut self, terms: &mut Terms, request: &Request<'_>) -> Verdict {
        match self.exact.get(&key(request.slice)) {
            Some(Known::Sat(values)) => return Verdict::Sat(values.clone()),
            Some(Known::Unsat(core)) => return Verdict::Unsat(core.clone()),
            None => {}
        }
        if let Some(core) = self.core(request) {
            return Verdict::Unsat(core);
        }
        if request.size <= MAX_MODEL_SIZE
            && let Some(values) = self.model(terms, request)
        {
            return Verdict::Sat(values);
        }
        Verdict::Open
    }

    fn learn(&mut self, terms: &Terms, request: &Request<'_>, verdict: &Verdict) {
        if self.ids > MAX_IDS {
            self.forget();
        }
        let known = match verdict {
            Verdict::Sat(values) => {
                let mut model = Model::default();
                for var in request.inputs {
                    model.set(*var, request.present_value(terms, *var));
                }
                for (var, value) in values {
                    model.set(*var, value.clone());
                }
                self.models.push_front(model);
                self.models.truncate(MAX_MODELS);
                Known::Sat(values.clone())
            }
            Verdict::Unsat(core) => {
                if core.len() <= MAX_CORE {
                    let index = self.cores.len() as u32;
                    self.cores.push(core.as_slice().into());
                    for condition in core {
                        self.by_condition.entry(*condition).or_default().push(index);
                    }
                    self.ids += 2 * core.len();
                }
                Known::Unsat(core.clone())
            }
            Verdict::Open | Verdict::Limit => return,
        };
        let key = key(request.slice);
        self.ids += key.len();
        self.exact.insert(key, known);
    }

    fn forget(&mut self) {
        *self = Cache::new();
    }
}
