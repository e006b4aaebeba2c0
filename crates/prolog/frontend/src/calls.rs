//! How a predicate is built, called, shown and exported.

use crate::error::PredicateError;
use crate::record::PrologRecord;
use crate::{export, shell};
use elsewise_campaign::Store;
use elsewise_child::Starter;
use elsewise_explore::{Case, Subject};
use elsewise_frontend::calls::{CallProject, CallRecord, SavedCalls};
use elsewise_frontend::contain::Contained;
use elsewise_frontend::{ExportRequest, Never, Problem};
use elsewise_graph::Derivation;
use elsewise_prolog::{Options, Project};
use std::path::Path;
use std::time::{Duration, Instant};

impl CallRecord for PrologRecord {
    type Project = PrologProject;

    const MOVER: &'static str = "thread";
    const SHELL: &'static str = "SWI-Prolog with the program loaded and the query made";

    fn name(&self) -> &str {
        &self.predicate
    }

    fn file(&self) -> (&Path, &str) {
        (&self.file, &self.hash)
    }

    fn contained(&self) -> &Contained {
        &self.containment
    }

    fn open(&self, starter: Starter, patience: u32) -> Result<PrologProject, Problem> {
        let timeout = self.timeout_ms.saturating_mul(patience.into());
        let options = Options {
            file: self.file.clone(),
            predicate: self.predicate.clone(),
            arity: self.arity,
            mode: self.mode.clone(),
            solutions: self.solutions,
            depth: self.term_depth,
            integer_bits: self.integer_bits,
            inferences: self.max_inferences,
            timeout: Duration::from_millis(timeout),
            starter,
        };
        let project = Project::open(&options).map_err(PredicateError::Build)?;
        Ok(PrologProject(project))
    }

    fn written(&self, project: &PrologProject, case: &Case) -> String {
        project.0.query(case).goal
    }

    fn become_shell(saved: &SavedCalls<PrologRecord>, case: &Case) -> Result<Never, Problem> {
        shell::become_shell(saved, case)
    }

    fn observe_tests(
        saved: &SavedCalls<PrologRecord>,
        store: &Store,
        end: Instant,
    ) -> Result<(), Problem> {
        export::tests(saved, store, end).map(|_| ())
    }

    fn export(
        saved: &SavedCalls<PrologRecord>,
        store: &Store,
        request: &ExportRequest,
    ) -> Result<(), Problem> {
        export::export(saved, store, request)
    }
}

/// A program that is loaded.
#[derive(Clone)]
pub struct PrologProject(pub Project);

impl CallProject for PrologProject {
    fn bounds(&self) -> Vec<String> {
        self.0.bounds()
    }

    fn subject(&self) -> Result<Box<dyn Subject>, Problem> {
        Ok(Box::new(self.0.subject()?))
    }

    fn arguments(&self, case: &Case) -> Vec<String> {
        self.0.arguments(case)
    }

    fn result(&self, case: &Case) -> Result<String, Problem> {
        Ok(self.0.result_text(case)?)
    }

    fn derivation(&self, case: &Case) -> Option<Derivation> {
        self.0.derivation(case).ok()
    }
}
