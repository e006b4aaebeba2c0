//! A finding's case as a script can run it: the program alone, built and started as everybody would.

use crate::flags::{BuildFlags, variables};
use crate::names::{NativeTarget, is_source};
use crate::program_error::problem;
use crate::record::NativeRecord;
use elsewise_campaign::Finding;
use elsewise_driver::{REPORTED, Sanitizers, is_cxx};
use elsewise_explore::{Case, FailureKind};
use elsewise_export::regression::{PlainProgram, PlainRun, PlainSource, PlainWord};
use elsewise_frontend::flags::word;
use elsewise_frontend::{ExploreRequest, Problem};
use elsewise_native::Surroundings;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Words in a source that only builds of ours give a meaning to.
const OURS: [&str; 5] = [
    "elsewise.h",
    "LLVMFuzzerTestOneInput",
    "__VERIFIER_",
    "klee_",
    "__AFL_",
];
/// The same in a program.
const HARNESS: &[u8] = b"LLVMFuzzerTestOneInput";
/// A program on a busy machine ends within so many seconds if it ends at all.
const PATIENCE: u64 = 60;

/// None where the program alone does not show the failure, or is not given its input as other programs are.
pub fn plain_run(
    record: &NativeRecord,
    campaign: &Path,
    explore: &ExploreRequest,
    finding: &Finding,
    case: &Case,
) -> Result<Option<PlainRun>, Problem> {
    if !case.schedule.is_empty() || !shows_alone(&finding.kind) {
        return Ok(None);
    }
    let args: Vec<OsString> = record.args.iter().map(Into::into).collect();
    let surroundings = Surroundings::new(&args, &variables(&record.env)?).map_err(problem)?;
    let plain = record.program_in(campaign)?;
    let sanitizers = Sanitizers::of_file(&plain);
    let build: BuildFlags = explore.flags.read()?;
    let program = match NativeTarget::new(&explore.subject, &explore.flags)? {
        Some(NativeTarget::Sources(files)) if !files.iter().any(|file| is_ours(file)) => {
            sources(&files, &build)
        }
        Some(NativeTarget::Executable(path)) if !is_harness(&plain) => path
            .to_str()
            .map(|path| PlainProgram::Executable(plain_path(path))),
        _ => None,
    };
    let (Some(program), Some(inputs)) = (program, inputs(record, &surroundings, case)) else {
        return Ok(None);
    };
    let text = |bytes: &[u8], input: Option<&str>| {
        Some(PlainWord {
            text: std::str::from_utf8(bytes).ok()?.to_string(),
            input: input.map(str::to_string),
        })
    };
    let args = surroundings.arguments_in_parts();
    let args: Option<Vec<PlainWord>> = args.map(|(bytes, input)| text(bytes, input)).collect();
    let env = surroundings.variables_in_parts();
    let env: Option<Vec<(String, PlainWord)>> = env
        .map(|(name, bytes, input)| {
            let name = name.to_str().filter(|name| is_variable(name))?;
            Some((name.to_string(), text(bytes, input)?))
        })
        .collect();
    let (Some(args), Some(env)) = (args, env) else {
        return Ok(None);
    };
    let workdir = record.containment.workdir.as_ref();
    let seconds = record.timeout_ms.saturating_mul(3).div_ceil(1000);
    Ok(Some(PlainRun {
        program,
        args,
        env,
        main: surroundings.main_key().to_string(),
        inputs,
        seconds: match finding.kind == FailureKind::Hang.word() {
            true => seconds,
            false => seconds.max(PATIENCE),
        },
        workdir: workdir.map(|folder| folder.to_string_lossy().into_owned()),
        sanitizers: sanitizers.any().then(|| {
            format!(
                "abort_on_error=1:halt_on_error=1:exitcode={REPORTED}:detect_leaks={}",
                u8::from(sanitizers.leaks)
            )
        }),
        reported: REPORTED,
    }))
}

/// Whether a failure is one that a program has by itself, not against limits or by schedules.
fn shows_alone(kind: &str) -> bool {
    use FailureKind::{
        Atomicity, DataRace, Deadlock, Disk, Linearizability, Livelock, LostWakeUp, Memory,
        Processes,
    };
    !matches!(
        FailureKind::from(kind),
        Atomicity
            | DataRace
            | Deadlock
            | Disk
            | Linearizability
            | Livelock
            | LostWakeUp
            | Memory
            | Processes
    )
}

/// Whether a source cannot be built without us.
fn is_ours(file: &Path) -> bool {
    let text = fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    OURS.iter().any(|word| text.contains(word))
}

fn is_harness(program: &Path) -> bool {
    let bytes = fs::read(program).unwrap_or_default();
    let mut windows = bytes.windows(HARNESS.len());
    windows.any(|window| window == HARNESS)
}

fn sources(files: &[PathBuf], build: &BuildFlags) -> Option<PlainProgram> {
    let sources = files.iter().map(|file| {
        Some(PlainSource {
            name: file.to_str().filter(|name| is_source(name))?.to_string(),
            is_cxx: is_cxx(file),
        })
    });
    let mut flags = shlex::split(build.cflags.as_deref().unwrap_or_default())?;
    if !build.sanitize.is_empty() {
        let names: Vec<String> = build.sanitize.iter().map(|name| word(*name)).collect();
        flags.push(format!("-fsanitize={}", names.join(",")));
        // Without them, what was found is told and the program goes on.
        flags.push("-fno-sanitize-recover=all".into());
    }
    Some(PlainProgram::Sources {
        files: sources.collect::<Option<_>>()?,
        flags,
    })
}

/// The inputs as files; none if there are others than those that a program has from its start.
fn inputs(
    record: &NativeRecord,
    surroundings: &Surroundings,
    case: &Case,
) -> Option<BTreeMap<String, Vec<u8>>> {
    let main = surroundings.main_key();
    let sizes: BTreeMap<String, u64> = surroundings.inputs().into_iter().collect();
    let others = case.inputs.keys().filter(|key| key.as_str() != main);
    if others.into_iter().any(|key| !sizes.contains_key(key)) {
        return None;
    }
    let of = |key: &str| case.inputs.get(key).cloned().unwrap_or_default();
    let mut bytes = of(main);
    bytes.resize(record.stdin().length(bytes.len()) as usize, 0);
    let mut inputs = BTreeMap::from([(main.to_string(), bytes)]);
    for (key, size) in sizes {
        let mut bytes = of(&key);
        bytes.truncate(size as usize);
        // An argument ends there.
        if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
            bytes.truncate(end);
        }
        inputs.insert(key, bytes);
    }
    Some(inputs)
}

/// Without what leads nowhere.
fn plain_path(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    path.to_string()
}

/// Whether a shell can set a variable of this name.
fn is_variable(name: &str) -> bool {
    let mut chars = name.chars();
    let first = chars.next();
    first.is_some_and(|char| char.is_ascii_alphabetic() || char == '_')
        && chars.all(|char| char.is_ascii_alphanumeric() || char == '_')
}
