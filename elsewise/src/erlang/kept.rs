//! What a campaign keeps of a function of Erlang or Elixir: how it is compiled and called.

use crate::erlang::ready::{open, problem};
use crate::erlang::shell;
use crate::exit::Problem;
use crate::kept::{Debugger, Kept, Never, Rerun};
use crate::pictures::Shown;
use crate::{calls, campaigns, record};
use elsewise_campaign::{Finding, Store, Survey};
use elsewise_erlang::{Options, Project};
use elsewise_explore::{Case, Outcome, Subject};
use elsewise_graph::{Behaviour, Ending};
use elsewise_report::replay_command;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
}

/// Keeps how a function is compiled and called.
pub fn keep(options: &Options, campaign: &Path, command: &[String]) -> Result<(), Problem> {
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
    };
    record::keep(campaign, RECORD, &record)
}

/// What a campaign keeps, if its subject is a function of Erlang or Elixir.
pub fn of(campaign: &Path) -> Result<Option<KeptCall>, Problem> {
    let record: Option<Record> = record::kept(campaign, RECORD, SCHEMA)?;
    Ok(record.map(|record| KeptCall {
        record,
        project: OnceCell::new(),
    }))
}

/// A function of Erlang or Elixir whose campaign is looked at.
pub struct KeptCall {
    record: Record,
    /// Compiled when it is asked for first.
    project: OnceCell<Project>,
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
        }
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

    /// The arguments of a case in the subject's language.
    pub fn arguments(&self, case: &Case) -> Result<Vec<String>, Problem> {
        let project = self.project()?;
        Ok(match project.is_elixir() {
            true => project.elixir_arguments(case),
            false => project.arguments(case),
        })
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
        let function = &self.record.function;
        Ok(calls::behaviour(run, function, arguments, returned, ending))
    }
}

impl Kept for KeptCall {
    fn case_of(&self, store: &Store, finding: &Finding) -> Result<Case, Problem> {
        campaigns::case_of(store, finding, false)
    }

    fn shown(&self, finding: &Finding, case: Option<&Case>, survey: Option<&Survey>) -> Shown {
        let ending = Ending::Failed(finding.kind.clone());
        let call = case.and_then(|case| self.call(finding.case, case, None, ending).ok());
        let mover = |number| self.mover(number);
        Shown::new(None, finding, case, survey, &mover).with_call(call)
    }

    fn call_text(&self, case: &Case) -> Option<String> {
        let arguments = self.arguments(case).ok()?;
        Some(shell::call(self, &arguments))
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
        let ending = match finding {
            Some(finding) => Ending::Failed(campaigns::failure(finding)),
            None => Ending::Returned,
        };
        let returned = match finding {
            Some(_) => None,
            None => Some(self.project()?.result_text(case).map_err(problem)?),
        };
        let mut behaviour = self.call(run, case, returned, ending)?;
        behaviour.reached = reached;
        Ok(Some(behaviour))
    }

    fn mover(&self, number: u32) -> String {
        format!("process {number}")
    }

    fn debug_command(&self, finding: &Finding) -> String {
        replay_command(&finding.path.to_string_lossy(), "--shell")
    }

    fn rerun(&self, case: &Case) -> Result<Rerun, Problem> {
        let project = self.project()?;
        let mut subject = project.subject().map_err(problem)?;
        let outcome = subject.confirm(case).map_err(problem)?;
        let returned = match outcome {
            Outcome::Exit(_) => Some(project.result_text(case).map_err(problem)?),
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
            Debugger::Shell => shell::become_shell(self, case),
            Debugger::Gdb => Err(Problem::usage(
                "gdb is for C: `elsewise replay --shell` starts a shell of Erlang or Elixir that \
                 has made the call",
            )),
        }
    }

    fn main_key(&self) -> Result<String, Problem> {
        Ok(calls::ARGUMENTS.into())
    }

    fn command(&self) -> Result<Vec<String>, Problem> {
        Ok(self.record.command.clone())
    }
}
