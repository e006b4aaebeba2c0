//! What the cases of a function's campaign do, in the words of whoever wrote the function.

use crate::flags::variables;
use crate::program_error::{ProgramError, problem};
use crate::record::{FunctionRecord, NativeRecord};
use crate::schedules::{self, EXPLORED};
use crate::{build_folder, harness};
use elsewise_campaign::{Finding, read_unlinked};
use elsewise_contain::Containment;
use elsewise_driver::Program;
use elsewise_explore::{Case, Outcome, SideId, SiteId, Subject};
use elsewise_frontend::record::{SavedRecord, folder, put_copy};
use elsewise_frontend::{End, FrontEndError, Observations, Problem, campaigns};
use elsewise_functions::types::Types;
use elsewise_functions::{CaseValues, FunctionSubject, Observed, Plan};
use elsewise_graph::{Behaviour, Ending, Graph};
use elsewise_native::{NativeOptions, NativeSubject};
use elsewise_term::Terms;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// The types of the function's file.
const TYPES: &str = "types.o";
/// Variable with the file that a harness writes what it observed to.
const OBSERVED: &str = "ELSEWISE_OBSERVED";
/// Under which name that is saved.
pub const OBSERVED_CASE: &str = "observed";

/// Puts the files into a campaign's folder that are needed to understand the cases of a function later.
pub fn save_files(
    subject: &FunctionSubject,
    program: &Program,
    campaign: &Path,
) -> Result<(), Problem> {
    let folder = folder(campaign);
    let cannot = FrontEndError::not_saved("the function", &folder);
    put_copy(&folder, TYPES, &subject.object).map_err(cannot)?;
    schedules::save(&program.instrumented, campaign)
}

/// A function whose campaign is looked at.
pub struct SavedFunction {
    function: FunctionRecord,
    pub plan: Plan,
    pub types: Types,
    record: NativeRecord,
    campaign: PathBuf,
    observations: Observations,
}

impl SavedFunction {
    /// The function that a campaign explores; none if its subject is something else.
    pub fn of(campaign: &Path) -> Result<Option<SavedFunction>, Problem> {
        let Some(saved) = SavedRecord::read(campaign)? else {
            return Ok(None);
        };
        let record: NativeRecord = saved.subject()?;
        SavedFunction::open(&saved, record.checked(&saved)?)
    }

    /// None if the record is that of a program.
    pub fn open(
        saved: &SavedRecord,
        record: NativeRecord,
    ) -> Result<Option<SavedFunction>, Problem> {
        let Some(function) = record.function.clone() else {
            return Ok(None);
        };
        let object = read_unlinked(&folder(&saved.campaign).join(TYPES))
            .map_err(|error| saved.damaged(&format!("{TYPES}: {error}")))?;
        let (plan, types) =
            elsewise_functions::read(&object, &function.options).map_err(problem)?;
        Ok(Some(SavedFunction {
            function,
            plan,
            types,
            record,
            campaign: saved.campaign.clone(),
            observations: Observations::of(&saved.campaign),
        }))
    }

    /// Are its cases sequences of calls?
    pub fn is_sequence(&self) -> bool {
        self.plan.sequence.is_some()
    }

    /// What a case of a finding does, without running it.
    pub fn failing(&self, case: &Case, finding: &Finding) -> Behaviour {
        let given = CaseValues::new(&self.plan, &self.types, case);
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
        &self.function.file
    }

    pub fn others(&self) -> &[PathBuf] {
        &self.function.others
    }

    pub fn flags(&self) -> &[String] {
        &self.function.flags
    }

    /// What a case gives to the function.
    pub fn graph(&self, case: &Case) -> Graph {
        CaseValues::new(&self.plan, &self.types, case).whole()
    }

    /// The instrumented program, to run cases on again.
    pub fn explored(&self) -> Result<Explored, Problem> {
        let explored = folder(&self.campaign).join(EXPLORED);
        if !explored.is_file() {
            return Err(ProgramError::Missing { path: explored }.into());
        }
        let (folder, cache) = build_folder::folder()?;
        let program = Program::open_with(&explored, &cache).map_err(problem)?;
        let options = NativeOptions {
            args: self.record.args.iter().map(Into::into).collect(),
            env: variables(&self.record.env)?,
            stdin: self.record.stdin(),
            time_limit: Duration::from_millis(self.record.timeout_ms),
            memory_limit: self.record.memory_mb.saturating_mul(1 << 20),
            checks: false,
            counted: Some(self.plan.counted.clone()),
            reuse: false,
            capacities: harness::CAPACITIES,
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
        let given = CaseValues::new(&self.plan, &self.types, case);
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

    /// What runs of its cases have shown.
    pub fn observations(&self) -> &Observations {
        &self.observations
    }

    /// How a case ends, and what it leaves behind.
    pub fn observe(&self, case: &Case) -> Result<(End, Option<Observed>), Problem> {
        let (end, bytes) = self
            .observations
            .of_case(OBSERVED_CASE, case, || self.run(case))?;
        let observed = bytes.and_then(|bytes| Observed::read(&self.plan, &bytes));
        Ok((end, observed))
    }

    fn run(&self, case: &Case) -> Result<(End, Option<Vec<u8>>), Problem> {
        let cannot = FrontEndError::no_folder("to observe in");
        let folder = tempfile::tempdir().map_err(cannot)?;
        let file = folder.path().join("observed");
        let mut plain = self
            .record
            .plain(&self.record.program_in(&self.campaign)?)?;
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
