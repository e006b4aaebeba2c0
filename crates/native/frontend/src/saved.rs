//! What a campaign has saved of a native subject: a program, or a function that a harness was made for.

use crate::program_error::{ProgramError, problem};
use crate::record::NativeRecord;
use crate::saved_function::SavedFunction;
use crate::{chosen_tests, debug, export, plain_run, schedules, test_comp};
use elsewise_campaign::{Finding, Store, Survey};
use elsewise_explore::Case;
use elsewise_export::regression::PlainRun;
use elsewise_frontend::record::SavedRecord;
use elsewise_frontend::{
    Debugger, ExploreRequest, ExportRequest, FindingPicture, Never, Observations, Problem, Rerun,
    SavedSubject, notices,
};
use elsewise_graph::{Behaviour, Graph};
use elsewise_native::thread_title;
use elsewise_report::replay_command;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub fn reopen(saved: SavedRecord) -> Result<Box<dyn SavedSubject>, Problem> {
    let record: NativeRecord = saved.subject()?;
    let program = SavedProgram::open(&saved, record)?;
    let function = SavedFunction::open(&saved, program.record.clone())?;
    Ok(match function {
        Some(function) => Box::new(SavedHarness { function, program }),
        None => Box::new(program),
    })
}

/// A program whose campaign is looked at.
pub struct SavedProgram {
    pub record: NativeRecord,
    campaign: PathBuf,
    observations: Observations,
    command: Vec<String>,
}

impl SavedProgram {
    pub fn open(saved: &SavedRecord, record: NativeRecord) -> Result<SavedProgram, Problem> {
        Ok(SavedProgram {
            record: record.checked(saved)?,
            campaign: saved.campaign.clone(),
            observations: Observations::of(&saved.campaign),
            command: saved.command.clone(),
        })
    }
}

impl SavedSubject for SavedProgram {
    fn observe_tests(&self, store: &Store, end: Instant) -> Result<(), Problem> {
        test_comp::observe(store, &self.record, &self.observations, end)
    }

    fn save_observations(&self) -> Result<(), Problem> {
        self.observations.save()
    }

    fn export(&self, _: &Store, _: &ExportRequest) -> Result<(), Problem> {
        let campaign = self.campaign.clone();
        Err(ProgramError::NotOfFunction { campaign }.into())
    }

    fn plain_run(
        &self,
        explore: &ExploreRequest,
        finding: &Finding,
        case: &Case,
    ) -> Result<Option<PlainRun>, Problem> {
        plain_run::plain_run(&self.record, &self.campaign, explore, finding, case)
    }

    fn test_suite(&self, store: &Store, folder: &Path) -> Result<Option<usize>, Problem> {
        test_comp::write(store, &self.campaign, folder).map(Some)
    }

    fn mover(&self, number: u32) -> String {
        thread_title(number)
    }

    fn debug_command(&self, finding: &Finding) -> String {
        replay_command(&finding.path.to_string_lossy(), "--gdb")
    }

    fn rerun(&self, case: &Case) -> Result<Rerun, Problem> {
        let program = self.record.program_in(&self.campaign)?;
        if !self.record.containment.on {
            notices::warning(
                "this campaign's subject is not contained: it can do whatever you may do",
            );
        }
        let (outcome, stdout, stderr) = match case.schedule.is_empty() {
            true => {
                let plain = self.record.plain(&program)?;
                let run = plain.run(case).map_err(problem)?;
                (run.outcome, run.stdout, run.stderr)
            }
            false => {
                let outcome = schedules::replay(&self.campaign, &self.record, case)?;
                (outcome, Vec::new(), Vec::new())
            }
        };
        Ok(Rerun {
            outcome,
            call: None,
            returned: None,
            stdout,
            stderr,
        })
    }

    fn debug(&self, with: Debugger, case: &Case) -> Result<Never, Problem> {
        if with == Debugger::Shell {
            return Err(ProgramError::NoShell.into());
        }
        let program = self.record.program_in(&self.campaign)?;
        debug::debug(&self.campaign, &self.record, &program, case)
    }

    fn main_key(&self) -> Result<String, Problem> {
        Ok(self.record.main_key()?.to_string())
    }

    fn command(&self) -> &[String] {
        &self.command
    }
}

/// A function whose campaign is looked at, with its harness.
struct SavedHarness {
    function: SavedFunction,
    program: SavedProgram,
}

impl SavedSubject for SavedHarness {
    fn picture(
        &self,
        finding: &Finding,
        case: Option<&Case>,
        survey: Option<&Survey>,
    ) -> FindingPicture {
        let function = &self.function;
        let graph = case.map(|case| function.graph(case));
        let sequence = case.filter(|_| function.is_sequence());
        let calls = sequence.map(|case| function.failing(case, finding));
        FindingPicture::new(finding, case, survey, &thread_title).with_graph(graph, calls)
    }

    fn graph(&self, case: &Case) -> Option<Graph> {
        Some(self.function.graph(case))
    }

    fn tests_folder(&self) -> Option<&'static str> {
        Some("tests")
    }

    fn behaviour(
        &self,
        run: u64,
        case: &Case,
        finding: Option<&Finding>,
        reached: Vec<String>,
    ) -> Result<Option<Behaviour>, Problem> {
        self.function.behaviour(run, case, finding, reached)
    }

    fn observe(&self, case: &Case, finding: Option<&Finding>) -> Result<(), Problem> {
        match finding {
            Some(_) => Ok(()),
            None => self.function.observe(case).map(|_| ()),
        }
    }

    fn observe_tests(&self, store: &Store, end: Instant) -> Result<(), Problem> {
        chosen_tests::tests(&self.function, store, end)?;
        let observations = self.function.observations();
        test_comp::observe(store, &self.program.record, observations, end)
    }

    fn save_observations(&self) -> Result<(), Problem> {
        self.function.observations().save()
    }

    fn export(&self, store: &Store, request: &ExportRequest) -> Result<(), Problem> {
        export::export(&self.function, store, request)
    }

    fn test_suite(&self, store: &Store, folder: &Path) -> Result<Option<usize>, Problem> {
        self.program.test_suite(store, folder)
    }

    fn mover(&self, number: u32) -> String {
        self.program.mover(number)
    }

    fn debug_command(&self, finding: &Finding) -> String {
        self.program.debug_command(finding)
    }

    fn rerun(&self, case: &Case) -> Result<Rerun, Problem> {
        self.program.rerun(case)
    }

    fn debug(&self, with: Debugger, case: &Case) -> Result<Never, Problem> {
        debug::show_graph(&self.function, case);
        self.program.debug(with, case)
    }

    fn main_key(&self) -> Result<String, Problem> {
        self.program.main_key()
    }

    fn command(&self) -> &[String] {
        self.program.command()
    }
}
