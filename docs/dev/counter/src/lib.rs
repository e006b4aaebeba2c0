//! A worked example of a front end: counter machines, from a file to all verbs of the command.
//!
//! `machine.rs` is the language, `subject.rs` how the engine runs it, and this file the door: what users say and see.
//! `docs/dev/front-end.md` goes through it.

mod machine;
mod subject;

use clap::Args;
use elsewise_campaign::Store;
use elsewise_child::Starter;
use elsewise_explore::{Case, Subject};
use elsewise_frontend::calls::{self, BuiltCalls, CallProject, CallRecord, SavedCalls};
use elsewise_frontend::contain::Contained;
use elsewise_frontend::flags::{FlagGroup, Flags};
use elsewise_frontend::record::SavedRecord;
use elsewise_frontend::{
    Advice, BuiltSubject, CommandError, Exit, ExploreRequest, ExportRequest, Form, FrontEnd, Never,
    Problem, SavedSubject, Target, TestFramework, export, file_of, must_be_file, with_ending,
};
use elsewise_report::html::{PLAIN, Syntax};
use machine::{End, Machine};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;
use subject::{CounterSubject, registers};

pub struct Counter;

pub static FRONT_END: Counter = Counter;

const ENDINGS: [&str; 1] = ["counter"];
/// No register begins with more, where nothing is said.
const LARGEST: u8 = 15;

#[derive(Args)]
struct CounterFlags {
    /// Registers of a counter machine begin with at most so much [default: 15].
    #[arg(long, value_name = "N")]
    largest: Option<u8>,
}

static FLAGS: FlagGroup = FlagGroup {
    name: "counter",
    about: "counter machines",
    heading: "For counter machines",
    augment: CounterFlags::augment_args,
};

static SYNTAXES: [Syntax; 1] = [Syntax {
    endings: &ENDINGS,
    line: "#",
    words: &["given", "inc", "dec", "go", "halt", "fail"],
    ..PLAIN
}];

impl FrontEnd for Counter {
    fn name(&self) -> &'static str {
        "counter"
    }

    fn forms(&self) -> &'static [Form] {
        &[Form {
            text: "FILE.counter",
            means: "a counter machine",
        }]
    }

    fn examples(&self) -> &'static [&'static str] {
        &["sum.counter --largest 7"]
    }

    fn flags(&self) -> Vec<&'static FlagGroup> {
        vec![&FLAGS]
    }

    fn frameworks(&self) -> &'static [TestFramework] {
        &[TestFramework {
            name: "lines",
            about: "One line for each case of a counter machine",
        }]
    }

    fn syntaxes(&self) -> &'static [Syntax] {
        &SYNTAXES
    }

    fn target(&self, words: &[String], _: &Flags) -> Result<Option<Box<dyn Target>>, Problem> {
        let Some(word) = with_ending(words, &ENDINGS) else {
            return Ok(None);
        };
        must_be_file(file_of(word))?;
        Ok(Some(Box::new(CounterTarget { file: word.into() })))
    }

    fn reopen(&self, saved: SavedRecord) -> Result<Box<dyn SavedSubject>, Problem> {
        Ok(Box::new(SavedCalls::<CounterRecord>::open(&saved)?))
    }
}

struct CounterTarget {
    file: PathBuf,
}

impl Target for CounterTarget {
    fn describe(&self) -> &'static str {
        "a counter machine"
    }

    fn stem(&self) -> OsString {
        self.file.file_stem().unwrap_or_default().into()
    }

    fn flags(&self) -> Vec<&'static FlagGroup> {
        vec![&FLAGS]
    }

    fn build(&self, request: &ExploreRequest) -> Result<Box<dyn BuiltSubject>, Problem> {
        let flags: CounterFlags = request.flags.read()?;
        let file = calls::absolute(&self.file)?;
        Ok(Box::new(BuiltCalls::new(CounterRecord {
            hash: calls::hash(&file),
            file,
            largest: flags.largest.unwrap_or(LARGEST),
            containment: request.contained.clone(),
        })?))
    }
}

/// What can be wrong. There is nothing to advise: the sentences say it.
#[derive(Debug, thiserror::Error)]
enum CounterError {
    #[error("cannot read {}: {source}", file.display())]
    Unreadable { file: PathBuf, source: io::Error },
    #[error("{}: {why}", file.display())]
    NoMachine { file: PathBuf, why: String },
    #[error("counter machines have no shell")]
    NoShell,
}

impl CommandError for CounterError {
    fn exit(&self) -> Exit {
        match self {
            CounterError::NoMachine { .. } => Exit::Subject,
            _ => Exit::Usage,
        }
    }

    fn advice(&self) -> Option<Advice> {
        None
    }
}

/// What a campaign saves of a machine.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CounterRecord {
    file: PathBuf,
    hash: String,
    largest: u8,
    containment: Contained,
}

impl CallRecord for CounterRecord {
    type Project = CounterProject;

    const MOVER: &'static str = "machine";
    const SHELL: &'static str = "nothing: counter machines have no shell";

    fn name(&self) -> &str {
        let stem = self.file.file_stem().unwrap_or_default();
        stem.to_str().unwrap_or("machine")
    }

    fn file(&self) -> (&Path, &str) {
        (&self.file, &self.hash)
    }

    fn contained(&self) -> &Contained {
        &self.containment
    }

    /// It is interpreted in this process: no machine has to be started.
    fn open(&self, _: Starter, _: u32) -> Result<CounterProject, Problem> {
        let file = || self.file.clone();
        let text = fs::read_to_string(&self.file).map_err(|source| CounterError::Unreadable {
            file: file(),
            source,
        })?;
        let machine =
            Machine::parse(&text).map_err(|why| CounterError::NoMachine { file: file(), why })?;
        Ok(CounterProject {
            machine,
            record: self.clone(),
        })
    }

    fn written(&self, project: &CounterProject, case: &Case) -> String {
        format!("{}({})", self.name(), project.arguments(case).join(", "))
    }

    fn become_shell(_: &SavedCalls<CounterRecord>, _: &Case) -> Result<Never, Problem> {
        Err(CounterError::NoShell.into())
    }

    fn observe_tests(
        saved: &SavedCalls<CounterRecord>,
        store: &Store,
        _: Instant,
    ) -> Result<(), Problem> {
        lines(saved, store).map(|_| ())
    }

    fn export(
        saved: &SavedCalls<CounterRecord>,
        store: &Store,
        request: &ExportRequest,
    ) -> Result<(), Problem> {
        let file = export::File {
            name: format!("{}.lines", saved.record.name()),
            text: lines(saved, store)?.concat(),
        };
        export::write(&[file], &request.folder)
    }
}

/// A line for each case that becomes a test.
fn lines(saved: &SavedCalls<CounterRecord>, store: &Store) -> Result<Vec<String>, Problem> {
    saved.observations().tests(|| {
        let project = saved.project()?;
        let cases = export::cases(saved, store)?.into_iter();
        let line = |case| {
            let call = saved.record.written(project, &case);
            format!("{call}: {}\n", project.end(&case))
        };
        Ok(cases.map(|(case, _)| line(case)).collect())
    })
}

/// A machine that was read.
#[derive(Clone)]
struct CounterProject {
    machine: Machine,
    record: CounterRecord,
}

impl CounterProject {
    /// How a case ends, in words.
    fn end(&self, case: &Case) -> String {
        let mut registers = registers(&self.machine, case);
        match self.machine.run(&mut registers, &mut ()) {
            End::Halted => {
                let names = self.machine.registers.iter().zip(registers);
                let words: Vec<String> = names.map(|(n, value)| format!("{n} = {value}")).collect();
                words.join(", ")
            }
            End::Failed(_, text) => format!("fails: {text}"),
            End::Endless(_) => "does not halt".into(),
        }
    }
}

impl CallProject for CounterProject {
    fn bounds(&self) -> Vec<String> {
        vec![format!("registers of at most {}", self.record.largest)]
    }

    fn subject(&self) -> Result<Box<dyn Subject>, Problem> {
        let file = self.record.file.display().to_string();
        Ok(Box::new(CounterSubject::new(
            self.machine.clone(),
            self.record.largest,
            &file,
            &self.record.hash,
        )))
    }

    fn arguments(&self, case: &Case) -> Vec<String> {
        let given = registers(&self.machine, case).into_iter();
        given
            .take(self.machine.given)
            .map(|value| value.to_string())
            .collect()
    }

    fn result(&self, case: &Case) -> Result<String, Problem> {
        Ok(self.end(case))
    }
}
