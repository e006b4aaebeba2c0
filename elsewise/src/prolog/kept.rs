//! What a campaign keeps of a predicate of Prolog: how it is loaded and called.

use crate::exit::Problem;
use crate::kept::{Debugger, Kept, Never, Rerun};
use crate::pictures::Shown;
use crate::prolog::ready::{open, problem};
use crate::prolog::shell;
use crate::{calls, campaigns, record};
use elsewise_campaign::{Finding, Store, Survey};
use elsewise_explore::{Case, Outcome, Subject};
use elsewise_graph::{Behaviour, Ending};
use elsewise_prolog::{Options, Project};
use elsewise_report::replay_command;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

const RECORD: &str = "prolog.json";
const SCHEMA: u32 = 1;

/// `prolog.json` in the campaign's `subject` folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    schema: u32,
    file: PathBuf,
    /// The file as it was.
    hash: String,
    predicate: String,
    arity: Option<u32>,
    mode: Option<String>,
    solutions: u32,
    term_depth: u32,
    integer_bits: u32,
    max_inferences: u64,
    timeout_ms: u64,
    /// The words of the `explore` that made the campaign, for `check`.
    command: Vec<String>,
}

/// Keeps how a predicate is loaded and called.
pub fn keep(options: &Options, campaign: &Path, command: &[String]) -> Result<(), Problem> {
    let record = Record {
        schema: SCHEMA,
        file: options.file.clone(),
        hash: calls::hash(&options.file),
        predicate: options.predicate.clone(),
        arity: options.arity,
        mode: options.mode.clone(),
        solutions: options.solutions,
        term_depth: options.depth,
        integer_bits: options.integer_bits,
        max_inferences: options.inferences,
        timeout_ms: options.timeout.as_millis() as u64,
        command: command.to_vec(),
    };
    record::keep(campaign, RECORD, &record)
}

/// What a campaign keeps, if its subject is a predicate.
pub fn of(campaign: &Path) -> Result<Option<KeptPredicate>, Problem> {
    let record: Option<Record> = record::kept(campaign, RECORD, SCHEMA)?;
    Ok(record.map(|record| KeptPredicate {
        record,
        project: OnceCell::new(),
    }))
}

/// A predicate whose campaign is looked at.
pub struct KeptPredicate {
    record: Record,
    /// Loaded when it is asked for first.
    project: OnceCell<Project>,
}

impl KeptPredicate {
    fn options(&self) -> Options {
        let record = &self.record;
        Options {
            file: record.file.clone(),
            predicate: record.predicate.clone(),
            arity: record.arity,
            mode: record.mode.clone(),
            solutions: record.solutions,
            depth: record.term_depth,
            integer_bits: record.integer_bits,
            inferences: record.max_inferences,
            // As findings are confirmed: a slow machine must not look like a hang.
            timeout: Duration::from_millis(record.timeout_ms.saturating_mul(3)),
        }
    }

    /// With the program loaded already.
    pub fn loaded(self, project: Project) -> KeptPredicate {
        KeptPredicate {
            project: OnceCell::from(project),
            ..self
        }
    }

    /// The program, loaded as it is now.
    pub fn project(&self) -> Result<&Project, Problem> {
        if let Some(project) = self.project.get() {
            return Ok(project);
        }
        calls::warn_if_changed(&self.record.file, &self.record.hash);
        let project = open(&self.options())?;
        Ok(self.project.get_or_init(|| project))
    }

    pub fn file(&self) -> &Path {
        &self.record.file
    }

    pub fn all_solutions(&self) -> bool {
        self.record.solutions > 1
    }

    pub fn max_inferences(&self) -> u64 {
        self.record.max_inferences
    }

    /// What a case does, with its answers if they are known.
    fn call(
        &self,
        run: u64,
        case: &Case,
        answers: Option<String>,
        ending: Ending,
    ) -> Result<Behaviour, Problem> {
        let arguments = self.project()?.arguments(case);
        let name = &self.record.predicate;
        Ok(calls::behaviour(run, name, arguments, answers, ending))
    }
}

impl Kept for KeptPredicate {
    fn case_of(&self, store: &Store, finding: &Finding) -> Result<Case, Problem> {
        campaigns::case_of(store, finding, false)
    }

    fn shown(&self, finding: &Finding, case: Option<&Case>, survey: Option<&Survey>) -> Shown {
        let ending = Ending::Failed(finding.kind.clone());
        let call = case.and_then(|case| self.call(finding.case, case, None, ending).ok());
        let mover = |number| self.mover(number);
        // A list of findings has no room for it.
        let looked_at = case.filter(|_| survey.is_some());
        let derivation = looked_at.and_then(|case| self.project().ok()?.derivation(case).ok());
        Shown::new(None, finding, case, survey, &mover)
            .with_call(call)
            .with_derivation(derivation)
    }

    fn call_text(&self, case: &Case) -> Option<String> {
        Some(self.project().ok()?.query(case).goal)
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
        let answers = match finding {
            Some(_) => None,
            None => Some(self.project()?.result_text(case).map_err(problem)?),
        };
        let mut behaviour = self.call(run, case, answers, ending)?;
        behaviour.reached = reached;
        Ok(Some(behaviour))
    }

    fn mover(&self, number: u32) -> String {
        format!("thread {number}")
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
                "gdb is for C: `elsewise replay --shell` starts SWI-Prolog with the program loaded \
                 and the query made",
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
