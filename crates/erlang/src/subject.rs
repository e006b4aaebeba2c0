//! The front end: runs cases on the instrumented machine, and tells their choices.

use crate::inputs::Inputs;
use crate::kinds::Atoms;
use crate::machine::{Lost, Machine};
use crate::outcome::{self, End};
use crate::processes::ProcessReport;
use crate::project::{Inner, Project};
use crate::run::Run;
use crate::text;
use crate::value::Value;
use crate::vm::Vm;
use crate::{events, kinds};
use elsewise_explore::schedule::Moves;
use elsewise_explore::{
    Approximation, ApproximationKind, Blueprint, Case, Deadline, Location, Outcome, RunError,
    SideId, StoryKind, StoryLine, Subject, Trace,
};
use elsewise_term::{Model, Terms};

pub struct ErlangSubject {
    project: Project,
    vm: Option<Vm>,
    atoms: Atoms,
    /// Keys of maps that runs have asked for.
    keys: kinds::Keys,
    story: Vec<StoryLine>,
    deadline: Deadline,
}

impl Project {
    /// A worker of its own: a machine with the instrumented module.
    pub fn subject(&self) -> Result<ErlangSubject, RunError> {
        Ok(ErlangSubject::new(self.clone(), self.inner.machine()?))
    }
}

impl ErlangSubject {
    pub(crate) fn new(project: Project, vm: Vm) -> ErlangSubject {
        ErlangSubject {
            atoms: project.inner.atoms.clone(),
            project,
            vm: Some(vm),
            keys: kinds::Keys::default(),
            story: Vec::new(),
            deadline: Deadline::default(),
        }
    }

    /// How a run ended, with what the specification says of it.
    fn outcome(&self, arguments: &[Value], end: &End, told: Option<&ProcessReport>) -> Outcome {
        let inner = &self.project.inner;
        if !inner.takes(arguments) {
            return Outcome::Assumed;
        }
        let (name, arity) = &inner.function;
        if inner.signatures.is_empty()
            && !inner.options.any
            && end.refuses(&inner.module, name, *arity)
        {
            return Outcome::Assumed;
        }
        let files = |module: &str| inner.file_of(module);
        if let Some(told) = told
            && matches!(end, End::Value(_) | End::Stuck(_))
            && let Some(outcome) = outcome::of_processes(told, end, inner.elixir, &files)
        {
            return outcome;
        }
        if let End::Value(value) = end
            && let Some(signature) = inner.signature_of(arguments)
            && !inner.types.contains(signature.result, value)
        {
            let show = if inner.elixir {
                text::elixir
            } else {
                text::erlang
            };
            let function = &inner.program.functions[inner.entry];
            return Outcome::Failure {
                kind: "spec".into(),
                message: format!(
                    "the result {} is not of the type that the specification says",
                    show(value)
                ),
                place: vec![Location {
                    file: inner.file_of(&inner.module).unwrap_or_default(),
                    line: function.line,
                    column: 0,
                    function: format!("{name}/{arity}"),
                }],
            };
        }
        end.outcome(inner.elixir, &files)
    }
}

/// What the processes of a run did, for people.
fn story(inner: &Inner, told: &ProcessReport, sites: &[u32]) -> Vec<StoryLine> {
    let show = if inner.elixir {
        text::elixir
    } else {
        text::erlang
    };
    let moves = told.moves.iter().zip(sites);
    moves
        .map(|((thread, operation), site)| StoryLine {
            kind: StoryKind::Move,
            thread: *thread,
            place: match inner.blueprint.sites.get(*site as usize) {
                Some(site) => site.location.clone(),
                None => Location::default(),
            },
            note: operation.note(show),
        })
        .collect()
}

impl Subject for ErlangSubject {
    fn blueprint(&self) -> &Blueprint {
        &self.project.inner.blueprint
    }

    fn first_case(&self) -> Case {
        self.project.first_case()
    }

    fn run(&mut self, case: &Case, terms: &mut Terms) -> Result<Trace, RunError> {
        let project = self.project.clone();
        let inner = &project.inner;
        let arguments = project.values(case);
        if arguments.len() != inner.parameters.len() {
            return Err(RunError::Start(format!(
                "the case has {} arguments, the function takes {}",
                arguments.len(),
                inner.parameters.len()
            )));
        }
        let mut vm = match self.vm.take() {
            Some(vm) => vm,
            None => inner.start()?,
        };
        // A machine that does not answer is not used again.
        let ran = inner.run(&mut vm, &arguments, Some(&case.schedule), &self.deadline)?;
        let (mut end, micros, mut told) = (ran.end, ran.micros, ran.told);
        // Each begins as the first did.
        self.vm = (!ran.changed).then_some(vm);
        let cut_short = matches!(end, End::Timeout(_) | End::Memory(_));
        if cut_short && told.is_none() {
            // Instrumentation takes time and memory, too: the module as it is has the word.
            end = inner.plain_run(&arguments, &self.deadline)?;
        }
        let (events, whole) = events::read(&ran.events);
        let inputs = Inputs::new(&inner.types, &inner.limits, &mut self.atoms, &mut self.keys);
        let mut machine = Machine::new(&inner.program, events, Run::new(terms, inputs));
        let roots = arguments
            .iter()
            .enumerate()
            .map(|(at, value)| {
                let of = inner.parameters[at];
                let run = &mut machine.run;
                run.inputs.root(run.terms, at, of, value.clone())
            })
            .collect();
        let (moves, followed) = match &mut told {
            Some(told) => {
                let (moves, sites, followed) =
                    machine.follow_all(inner.entry, roots, told, inner.home());
                self.story = story(inner, told, &sites);
                (moves, followed)
            }
            None => (Moves::default(), machine.follow(inner.entry, roots)),
        };
        machine.rest();
        // Would other inputs on this path give what the specification does not say?
        if let (Ok(Some(result)), Some(signature)) = (&followed, inner.signature_of(&arguments)) {
            let run = &mut machine.run;
            let is = run.of_type(&inner.types, signature.result, result);
            let not = run.terms.not(is);
            run.question(inner.home(), not);
        }
        let mut run_approximations = std::mem::take(&mut machine.run.path.approximations);
        if let Err(lost) = followed {
            let kind = match lost {
                Lost::Ended => ApproximationKind::TraceCut,
                Lost::Because(kind) => kind,
            };
            let site = machine.run.path.choices.last().map(|choice| choice.site);
            run_approximations.push(Approximation { kind, site });
        }
        if told.as_ref().is_some_and(|told| told.end == "stopped") {
            run_approximations.push(Approximation::nowhere(ApproximationKind::RunLimit));
        }
        if !inner.takes(&arguments) {
            // Types whose parts depend on each other in ways that the bounds do not say.
            run_approximations.push(Approximation::nowhere(ApproximationKind::OutsideOfSpec));
        }
        for (kind, holds) in [
            (ApproximationKind::Refused, ran.refused),
            (ApproximationKind::LeftProcesses, ran.left.processes > 0),
        ] {
            if holds {
                run_approximations.push(Approximation::nowhere(kind));
            }
        }
        if !whole {
            run_approximations.push(Approximation::nowhere(ApproximationKind::DamagedTrace));
        }
        let mut covered: Vec<SideId> = machine
            .taken
            .iter()
            .filter_map(|clause| {
                let (site, index) = inner.program.clauses.get(clause)?;
                inner
                    .blueprint
                    .side(elsewise_explore::SiteId(*site), u64::from(*index))
            })
            .collect();
        covered.sort_unstable();
        covered.dedup();
        let run = machine.run;
        Ok(Trace {
            choices: run.path.choices,
            bounds: run.inputs.bounds,
            preferences: run.inputs.preferences,
            moves,
            present: run.inputs.present,
            covered,
            outcome: self.outcome(&arguments, &end, told.as_ref()),
            flaws: Vec::new(),
            approximations: run_approximations,
            cpu_micros: micros,
            watch_micros: 0,
        })
    }

    fn apply_model(&self, case: &Case, terms: &Terms, model: &Model) -> Case {
        let inner = &self.project.inner;
        let amended = inner
            .amended(&self.atoms, terms, model)
            .with_keys(&self.keys);
        let arguments = self.project.values(case);
        let arguments = arguments
            .iter()
            .enumerate()
            .map(|(at, value)| amended.argument(at, inner.parameters[at], Some(value)))
            .collect();
        self.project.case(arguments)
    }

    fn confirm(&mut self, case: &Case) -> Result<Outcome, RunError> {
        if !case.schedule.is_empty() {
            // The module as it is cannot be told whose turn it is: the schedule, once more.
            return Ok(self.run(case, &mut Terms::new())?.outcome);
        }
        let arguments = self.project.values(case);
        let end = self.project.inner.plain_run(&arguments, &self.deadline)?;
        Ok(self.outcome(&arguments, &end, None))
    }

    fn keep_to(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }

    fn story(&mut self) -> Vec<StoryLine> {
        std::mem::take(&mut self.story)
    }
}
