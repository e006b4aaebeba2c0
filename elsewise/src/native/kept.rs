//! What a campaign keeps of a native subject: a program, or a function that a harness was made for.

use crate::behaviours::Function;
use crate::exit::Problem;
use crate::kept::{Debugger, Kept, Never, Rerun};
use crate::native::debug;
use crate::pictures::Shown;
use crate::record::Record;
use crate::report::suite;
use crate::told::Told;
use crate::{campaigns, native, output, threads};
use elsewise_campaign::{Finding, Store, Survey};
use elsewise_explore::Case;
use elsewise_graph::{Behaviour, Graph};
use elsewise_native::thread_title;
use elsewise_report::replay_command;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub fn of(campaign: &Path) -> Result<Box<dyn Kept>, Problem> {
    let program = KeptProgram::new(campaign);
    Ok(match Function::of(campaign)? {
        Some(function) => Box::new(KeptFunction { function, program }),
        None => Box::new(program),
    })
}

/// A subject of which nothing is known but the bytes of its cases.
pub fn bytes(campaign: &Path) -> Box<dyn Kept> {
    Box::new(KeptProgram::new(campaign))
}

struct KeptProgram {
    campaign: PathBuf,
    told: Told,
}

impl KeptProgram {
    fn new(campaign: &Path) -> KeptProgram {
        KeptProgram {
            campaign: campaign.to_path_buf(),
            told: Told::of(campaign),
        }
    }
}

impl Kept for KeptProgram {
    fn case_of(&self, store: &Store, finding: &Finding) -> Result<Case, Problem> {
        campaigns::case_of(store, finding, false)
    }

    fn shown(&self, finding: &Finding, case: Option<&Case>, survey: Option<&Survey>) -> Shown {
        Shown::new(None, finding, case, survey, &thread_title)
    }

    fn tests_folder(&self) -> Option<&'static str> {
        None
    }

    fn behaviour(
        &self,
        _: u64,
        _: &Case,
        _: Option<&Finding>,
        _: Vec<String>,
    ) -> Result<Option<Behaviour>, Problem> {
        Ok(None)
    }

    fn tell_tests(&self, store: &Store, end: Instant) -> Result<(), Problem> {
        suite::tell(store, &self.campaign, &self.told, end)
    }

    fn keep_told(&self) -> Result<(), Problem> {
        self.told.keep()
    }

    fn mover(&self, number: u32) -> String {
        thread_title(number)
    }

    fn debug_command(&self, finding: &Finding) -> String {
        replay_command(&finding.path.to_string_lossy(), "--gdb")
    }

    fn rerun(&self, case: &Case) -> Result<Rerun, Problem> {
        let (record, program) = Record::read(&self.campaign)?;
        if !record.containment.on {
            output::warning(
                "this campaign's subject is not contained: it can do whatever you may do",
            );
        }
        let (outcome, stdout, stderr) = match case.schedule.is_empty() {
            true => {
                let plain = record.plain(&program)?;
                let run = plain.run(case).map_err(native::problem)?;
                (run.outcome, run.stdout, run.stderr)
            }
            false => {
                let outcome = threads::replay(&self.campaign, &record, case)?;
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
            return Err(Problem::usage(
                "--shell is for functions of Erlang and Elixir: use --gdb",
            ));
        }
        let (record, program) = Record::read(&self.campaign)?;
        debug::debug(&self.campaign, &record, &program, case)
    }

    fn main_key(&self) -> Result<String, Problem> {
        let (record, _) = Record::read(&self.campaign)?;
        Ok(record.main_key()?.to_string())
    }

    fn command(&self) -> Result<Vec<String>, Problem> {
        Ok(Record::read(&self.campaign)?.0.command)
    }
}

struct KeptFunction {
    function: Function,
    /// The harness.
    program: KeptProgram,
}

impl Kept for KeptFunction {
    fn case_of(&self, store: &Store, finding: &Finding) -> Result<Case, Problem> {
        self.function.case_of(store, finding)
    }

    fn shown(&self, finding: &Finding, case: Option<&Case>, survey: Option<&Survey>) -> Shown {
        Shown::new(Some(&self.function), finding, case, survey, &thread_title)
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

    fn tell(&self, case: &Case, finding: Option<&Finding>) -> Result<(), Problem> {
        match finding {
            Some(_) => Ok(()),
            None => self.function.observe(case).map(|_| ()),
        }
    }

    fn tell_tests(&self, store: &Store, end: Instant) -> Result<(), Problem> {
        crate::suite::tests(&self.function, store, end)?;
        suite::tell(store, &self.program.campaign, self.function.told(), end)
    }

    fn keep_told(&self) -> Result<(), Problem> {
        self.function.told().keep()
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

    fn command(&self) -> Result<Vec<String>, Problem> {
        self.program.command()
    }
}
