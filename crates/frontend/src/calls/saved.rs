//! What a campaign has saved of a subject whose cases are calls.

use super::{ARGUMENTS, CallProject, CallRecord, behaviour, warn_if_changed};
use crate::campaigns;
use crate::contain::{self, Contained};
use crate::error::FrontEndError;
use crate::observations::Observations;
use crate::pictures::FindingPicture;
use crate::problem::Problem;
use crate::record::SavedRecord;
use crate::request::ExportRequest;
use crate::saved::{Debugger, Never, Rerun, SavedSubject, ends};
use elsewise_campaign::{Finding, Store, Survey};
use elsewise_explore::{Case, Outcome};
use elsewise_graph::{Behaviour, Derivation, Ending};
use elsewise_report::replay_command;
use std::cell::OnceCell;
use std::path::Path;
use std::time::Instant;

/// As findings are confirmed: a slow machine must not look like a hang.
const PATIENCE: u32 = 3;

/// A function or predicate whose campaign is looked at.
pub struct SavedCalls<R: CallRecord> {
    pub record: R,
    /// Compiled or loaded when it is asked for first.
    project: OnceCell<R::Project>,
    observations: Observations,
    command: Vec<String>,
}

impl<R: CallRecord> SavedCalls<R> {
    pub fn open(saved: &SavedRecord) -> Result<SavedCalls<R>, Problem> {
        Ok(SavedCalls {
            record: saved.subject()?,
            project: OnceCell::new(),
            observations: Observations::of(&saved.campaign),
            command: saved.command.clone(),
        })
    }

    /// With what is built already: to build it again could take longer than many an exploration.
    pub fn built(record: R, project: R::Project, campaign: &Path) -> SavedCalls<R> {
        SavedCalls {
            record,
            project: OnceCell::from(project),
            observations: Observations::of(campaign),
            command: Vec::new(),
        }
    }

    /// By whoever runs it.
    pub fn contained(&self) -> Contained {
        contain::by_reader(self.record.contained().clone())
    }

    /// The subject, built as it is now.
    pub fn project(&self) -> Result<&R::Project, Problem> {
        if let Some(project) = self.project.get() {
            return Ok(project);
        }
        let (file, hash) = self.record.file();
        warn_if_changed(file, hash);
        let starter = contain::starter(&self.contained());
        let project = self.record.open(starter, PATIENCE)?;
        Ok(self.project.get_or_init(|| project))
    }

    /// What runs of its cases have shown.
    pub fn observations(&self) -> &Observations {
        &self.observations
    }

    pub fn arguments(&self, case: &Case) -> Result<Vec<String>, Problem> {
        let ask = || Ok(self.project()?.arguments(case));
        self.observations.of_case("arguments", case, ask)
    }

    /// What a case does, with what it returned if that is known.
    fn call(
        &self,
        run: u64,
        case: &Case,
        returned: Option<String>,
        ending: Ending,
    ) -> Result<Behaviour, Problem> {
        let arguments = self.arguments(case)?;
        Ok(behaviour(
            run,
            self.record.name(),
            arguments,
            returned,
            ending,
        ))
    }

    fn result(&self, case: &Case) -> Result<String, Problem> {
        let run = || self.project()?.result(case);
        self.observations.of_case("result", case, run)
    }

    fn derivation(&self, case: &Case) -> Option<Derivation> {
        let run = || Ok(self.project().ok().and_then(|one| one.derivation(case)));
        let derivation = self.observations.of_case("derivation", case, run);
        derivation.ok().flatten()
    }
}

impl<R: CallRecord> SavedSubject for SavedCalls<R> {
    fn picture(
        &self,
        finding: &Finding,
        case: Option<&Case>,
        survey: Option<&Survey>,
    ) -> FindingPicture {
        let ending = Ending::Failed(finding.kind.clone());
        let call = case.and_then(|case| self.call(finding.case, case, None, ending).ok());
        // A list of findings has no room for it.
        let looked_at = case.filter(|_| survey.is_some());
        let derivation = looked_at.and_then(|case| self.derivation(case));
        FindingPicture::new(finding, case, survey, &|number| self.mover(number))
            .with_call(call)
            .with_derivation(derivation)
    }

    fn call_text(&self, case: &Case) -> Option<String> {
        let written = || Ok(self.record.written(self.project()?, case));
        self.observations.of_case("written", case, written).ok()
    }

    fn observe(&self, case: &Case, finding: Option<&Finding>) -> Result<(), Problem> {
        self.arguments(case)?;
        self.call_text(case);
        match finding {
            Some(_) if ends(finding) => {
                self.derivation(case);
            }
            Some(_) => {}
            None => {
                self.result(case)?;
            }
        }
        Ok(())
    }

    fn observe_tests(&self, store: &Store, end: Instant) -> Result<(), Problem> {
        R::observe_tests(self, store, end)
    }

    fn save_observations(&self) -> Result<(), Problem> {
        self.observations.save()
    }

    fn export(&self, store: &Store, request: &ExportRequest) -> Result<(), Problem> {
        R::export(self, store, request)
    }

    fn tests_folder(&self) -> Option<&'static str> {
        Some("test")
    }

    fn behaviour(
        &self,
        run: u64,
        case: &Case,
        finding: Option<&Finding>,
        reached: Vec<String>,
    ) -> Result<Option<Behaviour>, Problem> {
        let (ending, returned) = match finding {
            Some(finding) => (Ending::Failed(campaigns::failure(finding)), None),
            None => (Ending::Returned, Some(self.result(case)?)),
        };
        let mut behaviour = self.call(run, case, returned, ending)?;
        behaviour.reached = reached;
        Ok(Some(behaviour))
    }

    fn mover(&self, number: u32) -> String {
        format!("{} {number}", R::MOVER)
    }

    fn debug_command(&self, finding: &Finding) -> String {
        replay_command(&finding.path.to_string_lossy(), "--shell")
    }

    fn rerun(&self, case: &Case) -> Result<Rerun, Problem> {
        let mut subject = self.project()?.subject()?;
        let outcome = subject.confirm(case)?;
        let returned = match outcome {
            Outcome::Exit(_) => Some(self.project()?.result(case)?),
            _ => None,
        };
        Ok(Rerun {
            outcome,
            call: self.call_text(case),
            returned,
            stdout: Vec::new(),
            stderr: Vec::new(),
        })
    }

    fn debug(&self, with: Debugger, case: &Case) -> Result<Never, Problem> {
        match with {
            Debugger::Shell => R::become_shell(self, case),
            Debugger::Gdb => Err(FrontEndError::NoGdb { shell: R::SHELL }.into()),
        }
    }

    fn main_key(&self) -> Result<String, Problem> {
        Ok(ARGUMENTS.into())
    }

    fn command(&self) -> &[String] {
        &self.command
    }
}
