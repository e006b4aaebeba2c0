//! The pipeline.

use crate::path::Path;
use crate::query::{Answer, GaveUp, Query, Settings, StageCount};
use crate::stage::{Request, Stage, Verdict};
use crate::stages::pipeline;
use crate::stages::z3::Z3Stage;
use elsewise_term::{Bits, Evaluator, Model, Op, TermId, Terms, VarId, Walker};
use std::time::{Duration, Instant};

/// Name of what goes before the stages.
const SLICE: &str = "slice";

/// The names of all stages: each can be switched off.
pub fn stage_names() -> Vec<&'static str> {
    let mut names = vec![SLICE];
    for stage in pipeline() {
        if !names.contains(&stage.name()) {
            names.push(stage.name());
        }
    }
    names.push(Z3Stage::NAME);
    names
}

/// The pipeline with its caches and its incremental back end. One per worker and per [`Terms`]
/// table: it remembers [`TermId`]s.
pub struct Solver {
    settings: Settings,
    limit: Duration,
    spare_last: bool,
    slicing: bool,
    slice_count: StageCount,
    stages: Vec<(Box<dyn Stage + Send>, StageCount)>,
    missing: Vec<String>,
    walker: Walker,
    evaluator: Evaluator,
}

impl Solver {
    pub fn new(settings: Settings) -> Solver {
        let mut missing = Vec::new();
        let on = |name: &str| !settings.off.iter().any(|off| off == name);
        let mut stages = pipeline();
        stages.retain(|stage| on(stage.name()));
        if on(Z3Stage::NAME) {
            match Z3Stage::new(settings.z3_program.clone()) {
                Ok(z3) => stages.push(Box::new(z3)),
                Err(error) => missing.push(format!(
                    "{error}; without it, queries that bit-blasting gives up stay open"
                )),
            }
        }
        let count = |name| StageCount {
            name,
            ..StageCount::default()
        };
        Solver {
            limit: Duration::from_millis(settings.query_millis),
            spare_last: false,
            slicing: on(SLICE),
            slice_count: count(SLICE),
            stages: stages
                .into_iter()
                .map(|stage| {
                    let name = stage.name();
                    (stage, count(name))
                })
                .collect(),
            missing,
            walker: Walker::new(),
            evaluator: Evaluator::new(),
            settings,
        }
    }

    /// What is not there of what could be, and what it would be good for; a sentence each.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// How long the next queries may take, at most as long as the settings say.
    pub fn limit(&mut self, limit: Duration) {
        self.limit = limit.min(Duration::from_millis(self.settings.query_millis));
    }

    /// Whether the next queries do without the last resort.
    pub fn spare_last(&mut self, spare: bool) {
        self.spare_last = spare;
    }

    /// Time that the last resort has taken so far.
    pub fn spent_on_last(&self) -> Duration {
        let last = self
            .stages
            .iter()
            .find(|(stage, _)| stage.name() == Z3Stage::NAME);
        Duration::from_nanos(last.map_or(0, |(_, count)| count.nanos))
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let mut path = Path::new(query.prefix.to_vec());
        let index = query.prefix.len();
        self.solve_on(terms, &mut path, index, query.wanted, query.present)
    }

    /// The query for `wanted` after the first `index` conditions of a path, which hold under
    /// `present`. Cheaper than [`Solver::solve`] when many are asked on one path.
    pub fn solve_on(
        &mut self,
        terms: &mut Terms,
        path: &mut Path,
        index: usize,
        wanted: TermId,
        present: &Model,
    ) -> Answer {
        let start = Instant::now();
        let slice = if self.slicing {
            path.slice(terms, index, wanted)
        } else {
            let mut all = path.conditions()[..index.min(path.len())].to_vec();
            all.retain(|condition| *condition != wanted && terms.as_bool(*condition) != Some(true));
            all.push(wanted);
            all
        };
        self.slice_count.asked += 1;
        self.slice_count.nanos += start.elapsed().as_nanos() as u64;
        self.decide(terms, &slice, wanted, present, start)
    }

    /// Counts of the stages in pipeline order.
    pub fn counts(&self) -> Vec<StageCount> {
        let mut counts = vec![self.slice_count.clone()];
        for (_, count) in &self.stages {
            // A stage that has two places counts as one.
            match counts.iter_mut().find(|other| other.name == count.name) {
                Some(other) => other.add(count),
                None => counts.push(count.clone()),
            }
        }
        counts
    }

    /// Forgets everything that was remembered about terms, so that another table can be used.
    pub fn forget(&mut self) {
        for (stage, _) in &mut self.stages {
            stage.forget();
        }
    }

    fn decide(
        &mut self,
        terms: &mut Terms,
        slice: &[TermId],
        wanted: TermId,
        present: &Model,
        start: Instant,
    ) -> Answer {
        if slice
            .iter()
            .all(|condition| terms.as_bool(*condition) == Some(true))
        {
            return Answer::Sat(present.clone());
        }
        let mut inputs: Vec<VarId> = Vec::new();
        let mut size = 0;
        let mut hard = false;
        self.walker.restart();
        let small = self
            .walker
            .walk(terms, slice, self.settings.max_terms, |term| {
                size += 1;
                hard |= is_hard(terms, term);
                inputs.extend(terms.as_var(term));
            });
        if !small {
            return Answer::Unknown(GaveUp::Size);
        }
        inputs.sort_unstable();
        let limit = self.limit;
        let mut request = Request {
            slice,
            wanted,
            present,
            inputs: &inputs,
            size,
            hard,
            deadline: start + limit,
            max_conflicts: self.settings.max_conflicts,
        };
        let mut gave_up = false;
        let spared = |stage: &dyn Stage| self.spare_last && stage.name() == Z3Stage::NAME;
        let asked: Vec<usize> = (0..self.stages.len())
            .filter(|index| !spared(self.stages[*index].0.as_ref()))
            .collect();
        if asked.len() < self.stages.len() {
            gave_up = true;
        }
        for &index in &asked {
            let (stage, count) = &mut self.stages[index];
            // The last stage is there for what the others give up: some time is left to it.
            request.deadline = match asked.last() {
                Some(last) if *last != index => start + limit.mul_f32(0.6),
                _ => start + limit,
            };
            let begin = Instant::now();
            let verdict = stage.ask(terms, &request);
            count.asked += 1;
            let answer = match &verdict {
                Verdict::Open => None,
                Verdict::Limit => {
                    gave_up = true;
                    None
                }
                Verdict::Unsat(core) => {
                    count.unsat += 1;
                    Some(Answer::Unsat(core.clone()))
                }
                Verdict::Sat(values) => {
                    let mut model = changed(&request, terms, values);
                    if self.evaluator_agrees(terms, slice, &model) {
                        self.stages[index].1.sat += 1;
                        self.bring_nearer(terms, &request, &mut model);
                        Some(Answer::Sat(model))
                    } else {
                        self.stages[index].1.wrong += 1;
                        None
                    }
                }
            };
            self.stages[index].1.nanos += begin.elapsed().as_nanos() as u64;
            if let Some(answer) = answer {
                for (other, (stage, _)) in self.stages.iter_mut().enumerate() {
                    if other != index {
                        stage.learn(terms, &request, &verdict);
                    }
                }
                return answer;
            }
        }
        Answer::Unknown(match gave_up {
            true => GaveUp::Limit,
            false => GaveUp::Unsupported,
        })
    }

    /// Moves inputs that are words of their own (the length of an input, say) back towards their
    /// present values as far as halving the distance finds the conditions still holding: a model
    /// is as good with four bytes as with four thousand, but not for whoever looks at the case.
    fn bring_nearer(&mut self, terms: &Terms, request: &Request<'_>, model: &mut Model) {
        for var in request.inputs {
            let present = request.present_value(terms, *var);
            let width = present.width();
            let value = model.get(*var).and_then(Bits::to_u64);
            let (9..=64, Some(near), Some(mut far)) = (width, present.to_u64(), value) else {
                continue;
            };
            let mut refused = near;
            let mut attempt = near;
            while attempt != far {
                model.set(*var, Bits::new(width, attempt));
                if self.evaluator_agrees(terms, request.slice, model) {
                    far = attempt;
                } else {
                    refused = attempt;
                }
                // Between what is refused and what holds, and never the former again.
                attempt = match refused < far {
                    true => refused + (far - refused).div_ceil(2),
                    false => refused - (refused - far).div_ceil(2),
                };
            }
            model.set(*var, Bits::new(width, far));
        }
    }

    fn evaluator_agrees(&mut self, terms: &Terms, slice: &[TermId], model: &Model) -> bool {
        self.evaluator.restart();
        slice
            .iter()
            .all(|condition| self.evaluator.bool(terms, *condition, model))
    }
}

fn is_hard(terms: &Terms, term: TermId) -> bool {
    match terms.op(term) {
        Some(Op::BvUDiv | Op::BvURem | Op::BvSDiv | Op::BvSRem) => true,
        Some(Op::BvMul) => {
            let operands = terms.operands(term);
            operands.iter().all(|one| terms.as_bits(*one).is_none())
        }
        _ => false,
    }
}

/// The present model with these values in place of its own.
fn changed(request: &Request<'_>, terms: &Terms, values: &[(VarId, Bits)]) -> Model {
    let mut model = request.present.clone();
    for (var, value) in values {
        if request.present_value(terms, *var) != *value {
            model.set(*var, value.clone());
        }
    }
    model
}
