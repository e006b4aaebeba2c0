//! State-machine models as subjects: what the user named, and what can be said of it.

#[cfg(feature = "statechart")]
pub mod export;
#[cfg(feature = "statechart")]
pub mod kept;
#[cfg(feature = "statechart")]
pub mod ready;

use crate::args::Settings;
use crate::calls;
use crate::exit::Problem;
use crate::subject::{is_source, must_be_file};
#[cfg(feature = "statechart")]
use elsewise_statechart::Project;
#[cfg(feature = "statechart")]
use elsewise_statechart::generate::Options;
use std::path::{Path, PathBuf};

/// Endings of files that are models.
const ENDINGS: [&str; 3] = ["qm", "uml", "scxml"];
/// Messages of a sequence when nothing is said.
const STEPS: u32 = 10;

/// A model as named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    pub file: PathBuf,
    /// None for the only one, or for the whole system.
    pub capsule: Option<String>,
    /// C files that its action code calls.
    pub others: Vec<PathBuf>,
}

impl Chart {
    /// `FILE.qm::CAPSULE`, and other files, if that is what the names are.
    pub fn named(names: &[String]) -> Result<Option<Chart>, Problem> {
        let file_of = |name: &str| name.split("::").next().unwrap_or_default().to_string();
        let is_ours = |name: &&String| {
            let file = file_of(name);
            let ending = Path::new(&file).extension().and_then(|e| e.to_str());
            ending.is_some_and(|ending| ENDINGS.contains(&ending))
        };
        let Some(name) = names.iter().find(is_ours) else {
            return Ok(None);
        };
        let file = file_of(name);
        must_be_file(&file)?;
        let capsule = match name.split_once("::") {
            Some((_, "")) => {
                return Err(Problem::usage(format!(
                    "`{name}` names no capsule: give {file}::CAPSULE, or {file} for all of the model"
                )));
            }
            named => named.map(|(_, capsule)| capsule.to_owned()),
        };
        let mut others = Vec::new();
        for other in names.iter().filter(|other| *other != name) {
            must_be_file(other)?;
            if !is_source(other) {
                return Err(Problem::usage(format!(
                    "`{other}` is not a C or C++ source file: beside a model there can be files that \
                     its action code calls, and nothing else"
                )));
            }
            others.push(PathBuf::from(other));
        }
        Ok(Some(Chart {
            file: file.into(),
            capsule,
            others,
        }))
    }
}

/// Refuses flags that say nothing about models.
pub fn refuse(settings: &Settings) -> Result<(), Problem> {
    let given = [
        ("--input-size", settings.input_size.is_some()),
        ("--max-input", settings.max_input.is_some()),
        ("--seeds", settings.seeds.is_some()),
        ("--linearizable", !settings.linearizable.is_empty()),
        ("--array", !settings.array.is_empty()),
        ("--globals", settings.globals),
        ("--sequence", !settings.sequence.is_empty()),
        ("--valid", !settings.valid.is_empty()),
        ("--real", !settings.real.is_empty()),
        ("--max-objects", settings.max_objects.is_some()),
        ("--max-array", settings.max_array.is_some()),
        ("--max-string", settings.max_string.is_some()),
        ("--compile-commands", settings.compile_commands.is_some()),
        ("--any-arguments", settings.any_arguments),
        ("--code-path", !settings.code_path.is_empty()),
        ("--macro", !settings.macros.is_empty()),
    ];
    calls::none_of(&given, |flag| {
        format!("{flag} says nothing about a state-machine model: leave it out")
    })
}

/// Refuses flags of models for another subject.
pub fn only_for_charts(settings: &Settings) -> Result<(), Problem> {
    let given = [
        ("--loops", settings.loops.is_some()),
        ("--unhandled", settings.unhandled),
        ("--overtake", settings.overtake.is_some()),
    ];
    calls::none_of(&given, |flag| {
        format!("{flag} is about state-machine models: give FILE.qm::CAPSULE, or leave it out")
    })
}

/// What the front end is told.
#[cfg(feature = "statechart")]
pub fn options(chart: &Chart, settings: &Settings) -> Options {
    Options {
        capsule: chart.capsule.clone(),
        steps: settings.steps.unwrap_or(STEPS),
        loops: settings.loops,
        unhandled: settings.unhandled,
        overtake: settings.overtake.unwrap_or(1),
    }
}

#[cfg(feature = "statechart")]
pub fn open(file: &Path, options: &Options) -> Result<Project, Problem> {
    Project::open(file, options).map_err(|error| Problem::subject(error.to_string()))
}
