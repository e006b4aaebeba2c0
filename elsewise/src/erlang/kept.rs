//! What a campaign keeps of a function of Erlang or Elixir: how it is compiled and called.

use crate::calls::KeptCalls;
use crate::erlang::ready::open;
use crate::erlang::{export, shell};
use crate::exit::Problem;
use crate::kept::Never;
use crate::record::Contained;
use crate::told::Told;
use crate::{calls, contain, record};
use elsewise_campaign::Store;
use elsewise_erlang::{Options, Project};
use elsewise_explore::{Case, Subject};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const RECORD: &str = "erlang.json";
const SCHEMA: u32 = 1;

/// `erlang.json` in the campaign's `subject` folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    schema: u32,
    file: PathBuf,
    /// The file as it was.
    hash: String,
    module: Option<String>,
    function: String,
    arity: Option<u32>,
    term_depth: u32,
    integer_bits: u32,
    any_arguments: bool,
    timeout_ms: u64,
    memory_mb: u64,
    include: Vec<PathBuf>,
    code_path: Vec<PathBuf>,
    macros: Vec<(String, String)>,
    /// The words of the `explore` that made the campaign, for `check`.
    command: Vec<String>,
    #[serde(default)]
    containment: Contained,
}

/// Keeps how a function is compiled and called.
pub fn keep(
    options: &Options,
    contained: &Contained,
    campaign: &Path,
    command: &[String],
) -> Result<(), Problem> {
    let record = Record {
        schema: SCHEMA,
        file: options.file.clone(),
        hash: calls::hash(&options.file),
        module: options.module.clone(),
        function: options.function.clone(),
        arity: options.arity,
        term_depth: options.depth,
        integer_bits: options.integer_bits,
        any_arguments: options.any,
        timeout_ms: options.timeout.as_millis() as u64,
        memory_mb: options.memory >> 20,
        include: options.include.clone(),
        code_path: options.paths.clone(),
        macros: options.macros.clone(),
        command: command.to_vec(),
        containment: contained.clone(),
    };
    record::keep(campaign, RECORD, &record)
}

/// What a campaign keeps, if its subject is a function of Erlang or Elixir.
pub fn of(campaign: &Path) -> Result<Option<KeptCall>, Problem> {
    let record: Option<Record> = record::kept(campaign, RECORD, SCHEMA)?;
    Ok(record.map(|record| KeptCall {
        record,
        project: OnceCell::new(),
        told: Told::of(campaign),
    }))
}

/// A function of Erlang or Elixir whose campaign is looked at.
pub struct KeptCall {
    record: Record,
    /// Compiled when it is asked for first.
    project: OnceCell<Project>,
    told: Told,
}

impl KeptCall {
    pub fn options(&self) -> Options {
        let record = &self.record;
        Options {
            file: record.file.clone(),
            module: record.module.clone(),
            function: record.function.clone(),
            arity: record.arity,
            depth: record.term_depth,
            // As findings are confirmed: a slow machine must not look like a hang.
            timeout: Duration::from_millis(record.timeout_ms.saturating_mul(3)),
            memory: record.memory_mb.saturating_mul(1 << 20),
            include: record.include.clone(),
            paths: record.code_path.clone(),
            macros: record.macros.clone(),
            any: record.any_arguments,
            integer_bits: record.integer_bits,
            starter: contain::starter(&self.contained()),
        }
    }

    /// By whoever runs it.
    pub fn contained(&self) -> Contained {
        contain::by_reader(self.record.containment.clone())
    }

    /// With the function compiled already.
    pub fn compiled(self, project: Project) -> KeptCall {
        KeptCall {
            project: OnceCell::from(project),
            ..self
        }
    }

    /// The function, compiled as it is now.
    pub fn project(&self) -> Result<&Project, Problem> {
        if let Some(project) = self.project.get() {
            return Ok(project);
        }
        calls::warn_if_changed(&self.record.file, &self.record.hash);
        let project = open(&self.options())?;
        Ok(self.project.get_or_init(|| project))
    }

    pub fn is_elixir(&self) -> bool {
        let stem = self.record.file.file_stem().unwrap_or_default();
        self.record.module.is_some() || stem.to_string_lossy().starts_with("Elixir.")
    }

    /// The module's name, as its people write it.
    pub fn module(&self) -> String {
        let stem = self.record.file.file_stem().unwrap_or_default();
        let stem = stem.to_string_lossy();
        match &self.record.module {
            Some(module) => module.clone(),
            None => stem.strip_prefix("Elixir.").unwrap_or(&stem).to_string(),
        }
    }

    pub fn function(&self) -> &str {
        &self.record.function
    }
}

impl KeptCalls for KeptCall {
    fn name(&self) -> &str {
        &self.record.function
    }

    fn arguments(&self, case: &Case) -> Result<Vec<String>, Problem> {
        let project = self.project()?;
        Ok(match project.is_elixir() {
            true => project.elixir_arguments(case),
            false => project.arguments(case),
        })
    }

    fn written(&self, case: &Case) -> Result<String, Problem> {
        let arguments = self.arguments(case)?;
        Ok(shell::call(self, &arguments))
    }

    fn result(&self, case: &Case) -> Result<String, Problem> {
        self.project()?.result_text(case).map_err(Problem::subject)
    }

    fn subject(&self) -> Result<Box<dyn Subject>, Problem> {
        let subject = self.project()?.subject().map_err(Problem::subject)?;
        Ok(Box::new(subject))
    }

    fn become_shell(&self, case: &Case) -> Result<Never, Problem> {
        shell::become_shell(self, case)
    }

    fn shell(&self) -> &'static str {
        "a shell of Erlang or Elixir that has made the call"
    }

    fn mover(&self) -> &'static str {
        "process"
    }

    fn make_tests(&self, store: &Store, end: Instant) -> Result<(), Problem> {
        export::tests(self, || export::make(self, store, end)).map(|_| ())
    }

    fn told(&self) -> &Told {
        &self.told
    }

    fn explored_by(&self) -> &[String] {
        &self.record.command
    }
}
