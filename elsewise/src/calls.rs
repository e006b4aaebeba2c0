//! What subjects have in common whose cases are calls with arguments that can be written down: functions
//! of Erlang and Elixir, predicates of Prolog.

mod kept;
mod ready;

pub use kept::KeptCalls;
pub use ready::{Callable, ReadyCalls};

use crate::args::Settings;
use crate::exit::Problem;
use crate::export::cannot_write;
use crate::kept::Kept;
use crate::{campaigns, output, told};
use elsewise_campaign::{Finding, RunEnd, Store, read_regular};
use elsewise_explore::Case;
use elsewise_graph::{Behaviour, Call, Ending, Field, Graph, Value};
use elsewise_report::export::File;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// The input that cases keep the arguments in.
pub const ARGUMENTS: &str = "args";
/// Cases that become tests.
const MOST: usize = 500;

/// Refuses flags that say nothing about such subjects.
pub fn refuse(settings: &Settings, subject: &str) -> Result<(), Problem> {
    let given = [
        ("--cflags", settings.cflags.is_some()),
        ("--sanitize", !settings.sanitize.is_empty()),
        ("--input-size", settings.input_size.is_some()),
        ("--max-input", settings.max_input.is_some()),
        ("--env", !settings.env.is_empty()),
        ("--seeds", settings.seeds.is_some()),
        ("--disk", settings.disk.is_some()),
        ("--workdir", settings.workdir.is_some()),
        ("--fork", settings.fork),
        ("--no-checks", settings.no_checks),
        ("--spurious", settings.spurious.is_some()),
        ("--memory-model", settings.memory_model.is_some()),
        ("--linearizable", !settings.linearizable.is_empty()),
        ("--moves", settings.moves.is_some()),
        ("--array", !settings.array.is_empty()),
        ("--globals", settings.globals),
        ("--sequence", !settings.sequence.is_empty()),
        ("--steps", settings.steps.is_some()),
        ("--valid", !settings.valid.is_empty()),
        ("--real", !settings.real.is_empty()),
        ("--max-objects", settings.max_objects.is_some()),
        ("--max-array", settings.max_array.is_some()),
        ("--max-string", settings.max_string.is_some()),
        ("--compile-commands", settings.compile_commands.is_some()),
        ("--subsume", settings.subsume.is_some()),
        ("--cover", settings.cover),
    ];
    none_of(&given, |flag| {
        format!("{flag} is about C, and the subject is {subject}: leave it out")
    })
}

/// Refuses flags of such subjects for another one.
pub fn only_for_calls(settings: &Settings) -> Result<(), Problem> {
    let given = [
        ("--term-depth", settings.term_depth.is_some()),
        ("--integer-bits", settings.integer_bits.is_some()),
    ];
    none_of(&given, |flag| {
        format!(
            "{flag} is about functions of Erlang and Elixir and predicates of Prolog: give \
             FILE.erl::FUNCTION/ARITY or FILE.pl::PREDICATE/ARITY, or leave it out"
        )
    })
}

/// Refuses the first flag that was given, in these words.
pub fn none_of(given: &[(&str, bool)], words: impl FnOnce(&str) -> String) -> Result<(), Problem> {
    match given.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(Problem::usage(words(flag))),
        None => Ok(()),
    }
}

/// How deep terms are nested, if that is said.
pub fn depth(settings: &Settings, usual: u32) -> Result<u32, Problem> {
    match settings.term_depth.unwrap_or(usual) {
        0 => Err(Problem::usage(
            "--term-depth 0 leaves nothing to explore: give at least 1",
        )),
        depth => Ok(depth),
    }
}

/// Independent of the working directory, so that a replay elsewhere does the same.
pub fn absolute(file: &Path) -> Result<PathBuf, Problem> {
    fs::canonicalize(file).map_err(|error| {
        Problem::usage(format!(
            "cannot read the subject `{}`: {error}; check the path",
            file.display()
        ))
    })
}

/// The file as it is.
pub fn hash(file: &Path) -> String {
    let bytes = read_regular(file).unwrap_or_default();
    let hash = Sha256::digest(&bytes);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Says so if a file is not as it was.
pub fn warn_if_changed(file: &Path, was: &str) {
    // Who only looks is shown what it did, and the file may be any of the reader's.
    if !told::is_looking() && hash(file) != was {
        output::warning(&format!(
            "{} has changed since it was explored: what is shown is what it does now",
            file.display()
        ));
    }
}

/// What a case does, as far as its call tells.
pub fn behaviour(
    run: u64,
    function: &str,
    arguments: Vec<String>,
    returned: Option<String>,
    ending: Ending,
) -> Behaviour {
    let field = |text: String| Field {
        name: String::new(),
        ty: "term()".into(),
        value: Value::Named(text),
    };
    Behaviour {
        case: run,
        before: Graph::default(),
        calls: vec![Call {
            function: function.into(),
            arguments: arguments.into_iter().map(field).collect(),
            result: returned.map(field),
            returns: None,
        }],
        stubs: Vec::new(),
        after: None,
        ending,
        reached: Vec::new(),
    }
}

/// The cases that become tests: those that reached something new, and those of the findings.
pub fn cases(kept: &dyn Kept, store: &Store) -> Result<Vec<(Case, Option<Finding>)>, Problem> {
    let findings = store.findings().map_err(campaigns::problem)?;
    let mut cases = Vec::new();
    for info in campaigns::runs(store) {
        let info = info?;
        if cases.len() == MOST {
            break;
        }
        let passes = matches!(info.outcome, RunEnd::Exit(_));
        if passes && (info.run == 0 || !info.new.is_empty()) {
            cases.push((store.case(info.run).map_err(campaigns::problem)?, None));
        }
    }
    for finding in findings {
        cases.push((kept.case_of(store, &finding)?, Some(finding)));
    }
    Ok(cases)
}

/// Writes tests, and says where.
pub fn write(files: &[File], folder: &Path) -> Result<(), Problem> {
    fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    for file in files {
        let path = folder.join(&file.name);
        fs::write(&path, &file.text).map_err(|error| cannot_write(&path, &error))?;
        output::text(&format!("{}\n", path.display()));
    }
    Ok(())
}
