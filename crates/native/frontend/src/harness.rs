//! Functions as subjects: from what the user said to a harness.

use crate::flags::FunctionFlags;
use crate::program_error::problem;
use crate::target_error::TargetError;
use elsewise_driver::{Cache, Toolchain, commands};
use elsewise_frontend::flags::at_least;
use elsewise_frontend::{Problem, notices};
use elsewise_functions::{Build, FunctionOptions, FunctionSubject, Pool};
use elsewise_native::Capacities;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Calls are short: one that goes on for ever should not take long to look at.
pub const CAPACITIES: Capacities = Capacities {
    nodes: 1 << 22,
    events: 1 << 17,
    coverage: 4 << 20,
    input: 16 << 20,
};

const MAX_OBJECTS: u32 = 24;
const MAX_ARRAY: u32 = 8;
const MAX_STRING: u32 = 8;
const STEPS: u32 = 6;
/// Stubs that are named.
const STUBS: usize = 6;

/// What a harness is wanted for.
pub struct Wanted<'a> {
    pub file: &'a Path,
    /// Empty for a sequence of calls.
    pub function: &'a str,
    /// Other files of the subject.
    pub others: &'a [PathBuf],
    /// The user's own, for the compiler.
    pub flags: Vec<OsString>,
    pub sequence: &'a [String],
    pub steps: Option<u32>,
    pub settings: &'a FunctionFlags,
    /// The compilation database that was given.
    pub database: Option<&'a Path>,
    pub quiet: bool,
}

/// The harness of a function, or of a sequence of calls.
pub fn harness(
    wanted: Wanted<'_>,
    folder: &tempfile::TempDir,
    cache: &Cache,
) -> Result<FunctionSubject, Problem> {
    let Wanted {
        file,
        others,
        flags,
        settings,
        ..
    } = wanted;
    let known = commands::flags_for(file, wanted.database).map_err(problem)?;
    if let Some(known) = &known {
        tell(known, file, wanted.quiet);
    }
    let mut all = known
        .as_ref()
        .map(|known| known.args.clone())
        .unwrap_or_default();
    all.extend_from_slice(&flags);
    let options = FunctionOptions {
        function: wanted.function.into(),
        sequence: wanted.sequence.to_vec(),
        steps: wanted.steps.unwrap_or(STEPS),
        arrays: pairs(
            "--array",
            "P:N, a parameter that is a pointer and the one that counts its elements",
            &settings.array,
        )?,
        nonnull: settings.nonnull.clone(),
        returned: Vec::new(),
        globals: settings.globals,
        valid: pairs(
            "--valid",
            "TYPE:FUNCTION, a struct's name and a function that says whether one is valid",
            &settings.valid,
        )?,
        real: settings.real.clone(),
        defined: Vec::new(),
        declared: Vec::new(),
        max_objects: at_least(
            "--max-objects",
            settings.max_objects.unwrap_or(MAX_OBJECTS),
            1,
        )?,
        max_elements: at_least("--max-array", settings.max_array.unwrap_or(MAX_ARRAY), 1)?,
        max_string: settings.max_string.unwrap_or(MAX_STRING),
    };
    let tools = Toolchain::find().map_err(problem)?;
    let build = Build {
        flags: &all,
        for_all: &flags,
        database: known.as_ref().map(|known| known.database.as_path()),
    };
    let include = cache.include().map_err(problem)?;
    let (clang, folder) = (&tools.clang, folder.path());
    elsewise_functions::harness(clang, &include, file, others, build, &options, folder)
        .map_err(problem)
}

/// Where the flags of a file come from, and which of them are not used.
pub fn tell(known: &commands::Flags, file: &Path, quiet: bool) {
    let database = known.database.display();
    if !quiet {
        notices::note(&format!(
            "{} is compiled as {database} says",
            file.display()
        ));
    }
    if !known.left_out.is_empty() {
        let left_out: Vec<_> = known.left_out.iter().map(|o| o.to_string_lossy()).collect();
        notices::warning(&format!(
            "clang does not know these options of {database}, and {} is compiled without them: \
             {}; where one matters, give what clang has for it in --cflags",
            file.display(),
            left_out.join(" ")
        ));
    }
}

/// What bounds the inputs of a function.
pub fn bounds(subject: &FunctionSubject) -> Vec<String> {
    let (options, pools) = (&subject.options, &subject.plan.pools);
    let mut bounds = Vec::new();
    if subject.plan.sequence.is_some() {
        bounds.push(format!("sequences of at most {} calls", options.steps));
    }
    if pools.iter().any(|pool| pool.most > 1) {
        let most = options.max_objects;
        bounds.push(format!("at most {most} objects of a type"));
    }
    if pools.iter().any(Pool::is_array) {
        let most = options.max_elements;
        bounds.push(format!("arrays of at most {most} elements"));
    }
    if pools.iter().any(Pool::is_text) {
        let most = options.max_string;
        bounds.push(format!("strings of at most {most} characters"));
    }
    let roots = subject.plan.roots.iter();
    let never_null: Vec<&str> = roots
        .filter(|root| root.never_null)
        .map(|root| root.name.as_str())
        .collect();
    if !never_null.is_empty() {
        bounds.push(format!("never null: {}", never_null.join(", ")));
    }
    let stubs = subject.plan.stubs.iter();
    let used = stubs.filter(|stub| stub.used && stub.function.is_some());
    let names: Vec<&str> = used.map(|stub| stub.name.as_str()).collect();
    if !names.is_empty() {
        let more = match names.len().saturating_sub(STUBS) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let shown = names[..names.len().min(STUBS)].join(", ");
        bounds.push(format!("stubs, which change nothing, for {shown}{more}"));
    }
    bounds
}

fn pairs(
    flag: &'static str,
    form: &'static str,
    given: &[String],
) -> Result<Vec<(String, String)>, Problem> {
    given
        .iter()
        .map(|text| match text.split_once(':') {
            Some((first, second)) if !first.is_empty() && !second.is_empty() => {
                Ok((first.to_string(), second.to_string()))
            }
            _ => {
                let text = text.clone();
                Err(TargetError::Pair { flag, text, form }.into())
            }
        })
        .collect()
}
