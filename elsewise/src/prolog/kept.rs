//! What a campaign keeps of a predicate of Prolog: how it is loaded and called.

use crate::calls::KeptCalls;
use crate::exit::Problem;
use crate::kept::Never;
use crate::prolog::ready::open;
use crate::prolog::{export, shell};
use crate::record::Contained;
use crate::told::Told;
use crate::{calls, contain, record};
use elsewise_campaign::Store;
use elsewise_explore::{Case, Subject};
use elsewise_graph::Derivation;
use elsewise_prolog::{Options, Project};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

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
    #[serde(default)]
    containment: Contained,
}

/// Keeps how a predicate is loaded and called.
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
        predicate: options.predicate.clone(),
        arity: options.arity,
        mode: options.mode.clone(),
        solutions: options.solutions,
        term_depth: options.depth,
        integer_bits: options.integer_bits,
        max_inferences: options.inferences,
        timeout_ms: options.timeout.as_millis() as u64,
        command: command.to_vec(),
        containment: contained.clone(),
    };
    record::keep(campaign, RECORD, &record)
}

/// What a campaign keeps, if its subject is a predicate.
pub fn of(campaign: &Path) -> Result<Option<KeptPredicate>, Problem> {
    let record: Option<Record> = record::kept(campaign, RECORD, SCHEMA)?;
    Ok(record.map(|record| KeptPredicate {
        record,
        project: OnceCell::new(),
        told: Told::of(campaign),
    }))
}

/// A predicate whose campaign is looked at.
pub struct KeptPredicate {
    record: Record,
    /// Loaded when it is asked for first.
    project: OnceCell<Project>,
    told: Told,
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
            starter: contain::starter(&contain::by_reader(record.containment.clone())),
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
}

impl KeptCalls for KeptPredicate {
    fn name(&self) -> &str {
        &self.record.predicate
    }

    fn arguments(&self, case: &Case) -> Result<Vec<String>, Problem> {
        Ok(self.project()?.arguments(case))
    }

    fn written(&self, case: &Case) -> Result<String, Problem> {
        Ok(self.project()?.query(case).goal)
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
        "SWI-Prolog with the program loaded and the query made"
    }

    fn mover(&self) -> &'static str {
        "thread"
    }

    fn derivation(&self, case: &Case) -> Option<Derivation> {
        self.project().ok()?.derivation(case).ok()
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
