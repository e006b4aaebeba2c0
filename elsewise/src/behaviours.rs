//! What the cases of a function's campaign do, in the words of whoever wrote the function.

use crate::exit::Problem;
use crate::native::{self, problem};
use crate::record::{self, Record};
use crate::threads::{self, EXPLORED};
use crate::told::{End, Told};
use crate::{campaigns, functions, subject};
use elsewise_campaign::{Finding, Store, read_unlinked};
use elsewise_explore::{Case, Outcome, SideId, SiteId, Subject};
use elsewise_graph::{Behaviour, Ending, Graph};
use elsewise_native::function::{self, FunctionOptions, FunctionSubject, Given, Observed, Plan};
use elsewise_native::types::Types;
use elsewise_native::{Containment, NativeOptions, NativeSubject, Program};
use elsewise_term::Terms;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

const RECORD: &str = "function.json";
const TYPES: &str = "types.o";
const SCHEMA: u32 = 2;
/// Variable with the file that a harness writes what it observed to.
const OBSERVED: &str = "ELSEWISE_OBSERVED";
/// As what that is told.
pub const OBSERVED_CASE: &str = "observed";

/// What a campaign keeps of a function, beside the program.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    schema: u32,
    /// The file that has the function.
    file: PathBuf,
    /// Files that are linked with it.
    others: Vec<PathBuf>,
    /// Options to compile them with.
    flags: Vec<String>,
    options: FunctionOptions,
}

/// A function whose campaign is looked at.
pub struct Function {
    kept: Kept,
    pub plan: Plan,
    pub types: Types,
    record: Record,
    program: PathBuf,
    explored: PathBuf,
    told: Told,
}

/// Keeps what is needed to understand the cases of a function later.
pub fn keep(subject: &FunctionSubject, program: &Program, campaign: &Path) -> Result<(), Problem> {
    let kept = Kept {
        schema: SCHEMA,
        file: subject.file.clone(),
        others: subject.files[1..].to_vec(),
        flags: subject
            .flags
            .iter()
            .map(|flag| flag.to_string_lossy().into_owned())
            .collect(),
        options: subject.options.clone(),
    };
    let folder = record::folder(campaign);
    let write = || -> std::io::Result<()> {
        record::put_copy(&folder, TYPES, &subject.object)?;
        let text = serde_json::to_string_pretty(&kept).map_err(std::io::Error::other)?;
        record::put(&folder, RECORD, |new| fs::write(new, text))
    };
    write().map_err(|error| {
        Problem::usage(format!(
            "cannot keep the function in {}: {error}; is the disk full?",
            folder.display()
        ))
    })?;
    threads::keep(&program.instrumented, campaign)
}

impl Function {
    /// The function that a campaign explores; none if its subject is something else.
    pub fn of(campaign: &Path) -> Result<Option<Function>, Problem> {
        let folder = record::folder(campaign);
        let Some(kept) = record::kept::<Kept>(campaign, RECORD, SCHEMA)? else {
            return Ok(None);
        };
        let bad = |why: String| record::damaged(&folder.join(RECORD), &why);
        let object = read_unlinked(&folder.join(TYPES)).map_err(|error| bad(error.to_string()))?;
        let (plan, types) = function::read(&object, &kept.options).map_err(problem)?;
        let (record, program) = Record::read(campaign)?;
        Ok(Some(Function {
            kept,
            plan,
            types,
            record,
            program,
            explored: folder.join(EXPLORED),
            told: Told::of(campaign),
        }))
    }

    /// Are its cases sequences of calls?
    pub fn is_sequence(&self) -> bool {
        self.plan.sequence.is_some()
    }

    /// The case of a finding.
    pub fn case_of(&self, store: &Store, finding: &Finding) -> Result<Case, Problem> {
        campaigns::case_of(store, finding, self.is_sequence())
    }

    /// What a case of a finding does, without running it.
    pub fn failing(&self, case: &Case, finding: &Finding) -> Behaviour {
        let given = Given::new(&self.plan, &self.types, case);
        Behaviour {
            case: finding.case,
            before: given.graph,
            calls: given.calls,
            stubs: given.stubs,
            after: None,
            ending: Ending::Failed(campaigns::failure(finding)),
            reached: Vec::new(),
        }
    }

    pub fn file(&self) -> &Path {
        &self.kept.file
    }

    pub fn others(&self) -> &[PathBuf] {
        &self.kept.others
    }

    pub fn flags(&self) -> &[String] {
        &self.kept.flags
    }

    /// What a case gives to the function.
    pub fn graph(&self, case: &Case) -> Graph {
        Given::new(&self.plan, &self.types, case).whole()
    }

    /// The instrumented program, to run cases on again.
    pub fn explored(&self) -> Result<Explored, Problem> {
        if !self.explored.is_file() {
            return Err(Problem::usage(format!(
                "{} is missing; run the same `elsewise explore` again to restore it",
                self.explored.display()
            )));
        }
        let (folder, cache) = native::folder()?;
        let program = Program::open_with(&self.explored, &cache).map_err(problem)?;
        let options = NativeOptions {
            args: self.record.args.iter().map(Into::into).collect(),
            env: subject::variables(&self.record.env)?,
            stdin: self.record.stdin(),
            time_limit: Duration::from_millis(self.record.timeout_ms),
            memory_limit: self.record.memory_mb.saturating_mul(1 << 20),
            checks: false,
            counted: Some(self.plan.counted.clone()),
            reuse: false,
            capacities: functions::CAPACITIES,
            containment: Containment {
                place: Some(folder.path().to_path_buf()),
                ..self.record.containment.containment()
            },
            ..NativeOptions::default()
        };
        let subject = NativeSubject::new(&program, &options).map_err(problem)?;
        Ok(Explored {
            subject,
            _folder: folder,
        })
    }

    /// Runs a case on the uninstrumented harness and looks at what it left behind; none if its
    /// assumptions do not hold.
    pub fn behaviour(
        &self,
        number: u64,
        case: &Case,
        finding: Option<&Finding>,
        reached: Vec<String>,
    ) -> Result<Option<Behaviour>, Problem> {
        if let Some(finding) = finding {
            return Ok(Some(Behaviour {
                reached,
                ..self.failing(case, finding)
            }));
        }
        let given = Given::new(&self.plan, &self.types, case);
        let mut behaviour = Behaviour {
            case: number,
            before: given.graph.clone(),
            calls: given.calls.clone(),
            stubs: given.stubs.clone(),
            after: None,
            ending: Ending::Returned,
            reached,
        };
        let (outcome, observed) = self.observe(case)?;
        match (outcome, observed) {
            (End::Exit(code), observed) => {
                behaviour.ending = Ending::Exited(code);
                if let Some(observed) = &observed {
                    let (after, calls) = given.after(&self.plan, &self.types, observed);
                    behaviour.calls = calls;
                    if observed.ended {
                        behaviour.after = Some(after);
                        behaviour.ending = Ending::Returned;
                    }
                }
            }
            (End::Failed(kind), _) => behaviour.ending = Ending::Failed(kind),
            (End::Assumed, _) => return Ok(None),
        }
        Ok(Some(behaviour))
    }

    /// What was told of its cases.
    pub fn told(&self) -> &Told {
        &self.told
    }

    /// How a case ends, and what it leaves behind.
    pub fn observe(&self, case: &Case) -> Result<(End, Option<Observed>), Problem> {
        let (end, bytes) = self.told.ask(OBSERVED_CASE, case, || self.run(case))?;
        let observed = bytes.and_then(|bytes| Observed::read(&self.plan, &bytes));
        Ok((end, observed))
    }

    fn run(&self, case: &Case) -> Result<(End, Option<Vec<u8>>), Problem> {
        let cannot = |error| {
            Problem::usage(format!(
                "cannot make a folder to observe in: {error}; set TMPDIR"
            ))
        };
        let folder = tempfile::tempdir().map_err(cannot)?;
        let file = folder.path().join("observed");
        let mut plain = self.record.plain(&self.program)?;
        plain.containment.write.push(folder.path().to_path_buf());
        plain.env.push((OBSERVED.into(), file.clone().into()));
        let run = plain.run(case).map_err(problem)?;
        Ok((run.outcome.into(), read_unlinked(&file).ok()))
    }
}

/// The instrumented program of a function.
pub struct Explored {
    subject: NativeSubject,
    /// Where it runs; removed with it.
    _folder: TempDir,
}

/// The way that a run took.
#[derive(PartialEq, Eq)]
pub struct Way {
    choices: Vec<(SiteId, u64)>,
    pub covered: Vec<SideId>,
    outcome: Outcome,
}

impl Explored {
    /// None if the program cannot be run.
    pub fn run(&mut self, case: &Case) -> Option<Way> {
        let trace = self.subject.run(case, &mut Terms::new()).ok()?;
        let choices = trace.choices.iter();
        Some(Way {
            choices: choices.map(|choice| (choice.site, choice.taken)).collect(),
            covered: trace.covered,
            outcome: trace.outcome,
        })
    }
}
