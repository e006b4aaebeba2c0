//! How a function of Erlang or Elixir is built, called, shown and exported.

use crate::error::FunctionError;
use crate::record::ErlangRecord;
use crate::{export, shell};
use elsewise_campaign::Store;
use elsewise_child::Starter;
use elsewise_erlang::{Options, Project};
use elsewise_explore::{Case, Subject};
use elsewise_frontend::calls::{CallProject, CallRecord, SavedCalls};
use elsewise_frontend::contain::Contained;
use elsewise_frontend::{ExportRequest, Never, Problem};
use std::path::Path;
use std::time::{Duration, Instant};

impl CallRecord for ErlangRecord {
    type Project = ErlangProject;

    const MOVER: &'static str = "process";
    const SHELL: &'static str = "a shell of Erlang or Elixir that has made the call";

    fn name(&self) -> &str {
        &self.function
    }

    fn file(&self) -> (&Path, &str) {
        (&self.file, &self.hash)
    }

    fn contained(&self) -> &Contained {
        &self.containment
    }

    fn open(&self, starter: Starter, patience: u32) -> Result<ErlangProject, Problem> {
        let timeout = self.timeout_ms.saturating_mul(patience.into());
        let options = Options {
            file: self.file.clone(),
            module: self.module.clone(),
            function: self.function.clone(),
            arity: self.arity,
            depth: self.term_depth,
            timeout: Duration::from_millis(timeout),
            memory: self.memory_mb.saturating_mul(1 << 20),
            include: self.include.clone(),
            paths: self.code_path.clone(),
            macros: self.macros.clone(),
            any: self.any_arguments,
            integer_bits: self.integer_bits,
            starter,
        };
        let project = Project::open(&options).map_err(FunctionError::Build)?;
        Ok(ErlangProject(project))
    }

    fn written(&self, project: &ErlangProject, case: &Case) -> String {
        shell::call(self, &project.arguments(case))
    }

    fn become_shell(saved: &SavedCalls<ErlangRecord>, case: &Case) -> Result<Never, Problem> {
        shell::become_shell(saved, case)
    }

    fn observe_tests(
        saved: &SavedCalls<ErlangRecord>,
        store: &Store,
        end: Instant,
    ) -> Result<(), Problem> {
        export::tests(saved, store, end).map(|_| ())
    }

    fn export(
        saved: &SavedCalls<ErlangRecord>,
        store: &Store,
        request: &ExportRequest,
    ) -> Result<(), Problem> {
        export::export(saved, store, request)
    }
}

/// A function that is compiled.
#[derive(Clone)]
pub struct ErlangProject(pub Project);

impl CallProject for ErlangProject {
    fn bounds(&self) -> Vec<String> {
        self.0.bounds()
    }

    fn subject(&self) -> Result<Box<dyn Subject>, Problem> {
        Ok(Box::new(self.0.subject()?))
    }

    fn arguments(&self, case: &Case) -> Vec<String> {
        match self.0.is_elixir() {
            true => self.0.elixir_arguments(case),
            false => self.0.arguments(case),
        }
    }

    fn result(&self, case: &Case) -> Result<String, Problem> {
        Ok(self.0.result_text(case)?)
    }
}
