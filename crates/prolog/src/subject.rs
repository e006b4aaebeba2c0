//! The front end: runs cases on SWI-Prolog, and tells their choices.

use crate::derivation::Deriving;
use crate::events::Events;
use crate::inputs::Inputs;
use crate::machine::{Lost, Machine};
use crate::project::Project;
use crate::term::Term;
use crate::types::Mode;
use crate::vm::{Vm, VmError};
use elsewise_explore::schedule::Moves;
use elsewise_explore::{
    Approximation, ApproximationKind, Blueprint, Case, FailureKind, Outcome, RunError, SiteId,
    Subject, Trace,
};
use elsewise_graph::Derivation;
use elsewise_term::{Model, Terms};

pub struct PrologSubject {
    project: Project,
    vm: Option<Vm>,
}

impl Project {
    pub fn subject(&self) -> Result<PrologSubject, RunError> {
        let vm = self.inner.taken()?;
        Ok(PrologSubject::new(self.clone(), vm))
    }

    /// What called what in the run of a case.
    pub fn derivation(&self, case: &Case) -> Result<Derivation, RunError> {
        let damaged = |error: VmError| RunError::Damaged(error.to_string());
        let mut vm = self.inner.taken()?;
        let derivation = derivation(self, &mut vm, case).map_err(damaged)?;
        self.inner.give_back(vm);
        Ok(derivation)
    }
}

impl PrologSubject {
    pub(crate) fn new(project: Project, vm: Vm) -> PrologSubject {
        PrologSubject {
            project,
            vm: Some(vm),
        }
    }

    fn outcome(&self, arguments: &[Term], plain: &crate::outcome::Plain) -> Outcome {
        let inner = &self.project.inner;
        if !inner.takes(arguments) {
            return Outcome::Assumed;
        }
        plain.outcome(inner.determinism, inner.options.inferences, &inner.home())
    }

    fn hang(&self, error: &VmError) -> Outcome {
        Outcome::Failure {
            kind: FailureKind::Hang,
            message: format!("does not end in time ({error})"),
            place: vec![self.project.inner.home()],
        }
    }
}

/// What called what in the run of a case.
pub(crate) fn derivation(
    project: &Project,
    vm: &mut Vm,
    case: &Case,
) -> Result<Derivation, VmError> {
    let inner = &project.inner;
    let arguments = project.values(case);
    let ran = inner.run(vm, &arguments)?;
    let mut terms = Terms::new();
    let inputs = Inputs::new(&inner.program.signature, &inner.limits);
    let events = Events::new(&ran.events);
    let mut machine = Machine::new(&inner.program, &mut terms, inputs, events);
    machine.derivation = Some(Deriving::default());
    let roots = machine.roots(&inner.parameters, &arguments);
    // As far as it could be followed.
    let _ = machine.follow(roots, inner.options.solutions as usize);
    let steps = machine.derivation.take().unwrap_or_default().steps;
    Ok(Derivation { steps })
}

impl Subject for PrologSubject {
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
                "the case has {} arguments, the predicate {}",
                arguments.len(),
                inner.parameters.len()
            )));
        }
        let mut vm = match self.vm.take() {
            Some(vm) => vm,
            None => inner.start()?,
        };
        // A server that does not answer is not used again.
        let ran = match inner.run(&mut vm, &arguments) {
            Ok(ran) => ran,
            Err(error @ VmError::Silent(_)) => {
                return Ok(Trace {
                    choices: Vec::new(),
                    bounds: Vec::new(),
                    preferences: Vec::new(),
                    moves: Moves::default(),
                    present: Model::default(),
                    covered: Vec::new(),
                    outcome: self.hang(&error),
                    flaws: Vec::new(),
                    approximations: vec![Approximation::nowhere(ApproximationKind::RunLimit)],
                    cpu_micros: inner.options.timeout.as_micros() as u64,
                    watch_micros: 0,
                });
            }
            Err(error) => return Err(RunError::Damaged(error.to_string())),
        };
        // Each begins as the first did.
        self.vm = (!ran.plain.left).then_some(vm);
        let inputs = Inputs::new(&inner.program.signature, &inner.limits);
        let events = Events::new(&ran.events);
        let mut machine = Machine::new(&inner.program, terms, inputs, events);
        let roots = machine.roots(&inner.parameters, &arguments);
        let followed = machine.follow(roots, inner.options.solutions as usize);
        let mut approximations = std::mem::take(&mut machine.path.approximations);
        let site = machine.path.choices.last().map(|choice| choice.site);
        let whole = ran.ends.last();
        let limited = whole.is_some_and(|end| matches!(end.parts(), Some(("limit", _))));
        if let Err(Lost(kind)) = followed {
            let kind = if limited {
                ApproximationKind::RunLimit
            } else {
                kind
            };
            approximations.push(Approximation { kind, site });
        } else if !ran.plain.agrees(&ran.ends) && !limited {
            // Instrumented, the program did something else: what was followed is not what it does.
            approximations.push(Approximation {
                kind: ApproximationKind::LabelMismatch,
                site,
            });
        }
        for (kind, holds) in [
            (
                ApproximationKind::Refused,
                ran.plain.refused || ran.left.unseen,
            ),
            (ApproximationKind::LeftProcesses, ran.left.processes > 0),
            // The copy runs in the same machine, and may have seen it.
            (ApproximationKind::LeftState, ran.plain.left),
        ] {
            if holds {
                approximations.push(Approximation::nowhere(kind));
            }
        }
        let covered =
            machine.sides(|site, alternative| inner.blueprint.side(SiteId(site), alternative));
        let outcome = self.outcome(&arguments, &ran.plain);
        let path = std::mem::take(&mut machine.path);
        let inputs = machine.into_inputs();
        Ok(Trace {
            choices: path.choices,
            bounds: inputs.bounds,
            preferences: inputs.preferences,
            moves: Moves::default(),
            present: inputs.present,
            covered,
            outcome,
            flaws: Vec::new(),
            approximations,
            cpu_micros: ran.plain.micros,
            watch_micros: 0,
        })
    }

    fn apply_model(&self, case: &Case, terms: &Terms, model: &Model) -> Case {
        self.project.amended(case, terms, model)
    }

    fn confirm(&mut self, case: &Case) -> Result<Outcome, RunError> {
        let project = self.project.clone();
        let arguments = project.values(case);
        let mut vm = match self.vm.take() {
            Some(vm) => vm,
            None => project.inner.start()?,
        };
        match project.inner.plain_on(&mut vm, &arguments) {
            Ok(plain) => {
                self.vm = Some(vm);
                Ok(self.outcome(&arguments, &plain))
            }
            Err(error) => Ok(self.hang(&VmError::Silent(error.to_string()))),
        }
    }
}

impl<'a> Machine<'a> {
    /// Arguments as the modes say: ground ones are unknown, unbound ones are variables.
    fn roots(
        &mut self,
        parameters: &[(Mode, std::sync::Arc<crate::types::Type>)],
        arguments: &[Term],
    ) -> Vec<Term> {
        let mut roots = Vec::new();
        for (at, ((mode, of), value)) in parameters.iter().zip(arguments).enumerate() {
            let now = matches!(value, Term::Var(_));
            let unbound = match mode {
                Mode::Either => {
                    let unbound = self.inputs.unbound(self.terms, at, now);
                    self.branch(unbound)
                }
                _ => now,
            };
            roots.push(match unbound {
                true => self.fresh_var(),
                false => self.inputs.root(at, of, value.clone()),
            });
        }
        roots
    }

    fn into_inputs(self) -> Inputs<'a> {
        self.inputs
    }
}
