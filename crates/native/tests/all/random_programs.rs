//! Random C programs, written by csmith, agree: the instrumented build prints what the plain one
//! prints, and where its globals are inputs, computes what the plain one computes, with every
//! choice of its trace true of the inputs it was given.
//!
//! `cargo xtask soak programs N` tries so many more.

use crate::csmith::{COMPILE, program};
use elsewise_driver::{Cache, Program};
use elsewise_explore::{Case, Outcome, Subject};
use elsewise_native::{Capacities, NativeOptions, NativeSubject, Stdin};
use elsewise_term::{Evaluator, Terms};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// Programs that the test suite tries.
const PROGRAMS: u64 = 4;
/// Seconds for a plain program, which has a tenth of what an instrumented one has.
const SECONDS: u64 = 2;
/// In place of the runtime: says what the inputs are before anything changes them.
const DUMP: &str = r#"
#include <stdio.h>
#include <stdlib.h>
void elsewise_input(void *p, size_t size, const char *name) {
    FILE *file = fopen(getenv("ELSEWISE_DUMP"), "ab");
    if (!file) abort();
    fprintf(file, "%s %zu\n", name, size);
    fwrite(p, 1, size, file);
    fclose(file);
}
"#;

#[derive(Default)]
struct Counts {
    agreed: AtomicUsize,
    unfit: AtomicUsize,
    cut: AtomicUsize,
    inputs: AtomicUsize,
    choices: AtomicUsize,
}

fn run_limited(seconds: u64, program: &Path, args: &[&str], dump: &Path) -> Option<Output> {
    let output = Command::new("timeout")
        .args(["--kill-after=1", &seconds.to_string()])
        .arg(program)
        .args(args)
        .env("ELSEWISE_DUMP", dump)
        .output()
        .expect("timeout runs");
    // 124: it ended the program, 137: with force.
    (!matches!(output.status.code(), Some(124 | 137) | None)).then_some(output)
}

/// The inputs that a plain run said, as a case.
fn case(dump: &[u8]) -> Case {
    let mut case = Case::default();
    let mut rest = dump;
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let line = String::from_utf8_lossy(&rest[..end]).into_owned();
        let (name, size) = line.split_once(' ').expect("a name and a size");
        let size: usize = size.parse().expect("a size is a number");
        rest = &rest[end + 1..];
        case.inputs.insert(name.to_string(), rest[..size].to_vec());
        rest = &rest[size..];
    }
    case
}

fn compile_plain(folder: &Path, source: &Path) -> std::path::PathBuf {
    let (dump, program) = (folder.join("dump.c"), folder.join("plain"));
    fs::write(&dump, DUMP).unwrap();
    let status = Command::new("clang-22")
        .args(["-O1", "-DEXPECTED=0"])
        // A float too great for an integer: csmith guards against all that is undefined but this.
        .args([
            "-fsanitize=float-cast-overflow",
            "-fsanitize-trap=float-cast-overflow",
        ])
        // A loop without effects may be taken out, and csmith writes some that never end: a program
        // that only ends because of that says nothing about one in which they are left in.
        .arg("-fno-finite-loops")
        .args(COMPILE)
        .arg("-o")
        .args([&program, source, &dump])
        .status()
        .expect("clang-22 runs");
    assert!(status.success(), "clang-22 does not compile it");
    program
}

/// What is wrong with the program of a seed, if anything is.
fn disagreement(seed: u64, counts: &Counts) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let (text, made_by) = program(seed, folder.path());
    let source = folder.path().join("program.c");
    fs::write(&source, text).unwrap();
    let level = ["-O0", "-O1", "-O2", "-O3"][seed as usize % 4];
    let wrong = |what: String| Some(format!("{made_by} (with {level}): {what}"));

    let plain = compile_plain(folder.path(), &source);
    let dump = folder.path().join("inputs");
    let words = run_limited(SECONDS, &plain, &["1"], &dump);
    let told = run_limited(SECONDS, &plain, &[], &dump);
    let (Some(words), Some(told)) = (words, told) else {
        counts.unfit.fetch_add(1, Ordering::Relaxed);
        return None;
    };
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    let checksum = told
        .trim()
        .strip_prefix("checksum = ")
        .and_then(|hex| u32::from_str_radix(hex, 16).ok());
    let Some(checksum) = checksum else {
        // It crashed: undefined behaviour of which nothing can be said.
        counts.unfit.fetch_add(1, Ordering::Relaxed);
        return None;
    };
    let case = case(&fs::read(&dump).unwrap_or_default());

    let expected = format!("-DEXPECTED={checksum}u");
    let flags: Vec<OsString> = COMPILE
        .into_iter()
        .chain([level, &expected])
        .map(OsString::from)
        .collect();
    let cache = Cache::at(folder.path().join("cache"));
    let built = Program::from_source_with(&[source], &flags, &folder.path().join("out"), &cache);
    let built = match built {
        Ok(built) => built,
        Err(error) => return wrong(format!("does not build: {error}")),
    };
    match run_limited(SECONDS * 10, &built.instrumented, &["1"], &dump) {
        None => return wrong("does not end".into()),
        Some(output) if output.stdout != words.stdout => {
            return wrong("prints something else than the plain program".into());
        }
        Some(output) if output.status.code() != Some(0) => {
            return wrong(format!("ends with {}", output.status));
        }
        Some(_) => {}
    }
    let options = NativeOptions {
        stdin: Stdin::Fixed(0),
        time_limit: Duration::from_secs(SECONDS * 10),
        capacities: Capacities {
            nodes: 1 << 22,
            events: 1 << 18,
            ..Capacities::default()
        },
        ..NativeOptions::default()
    };
    let mut terms = Terms::new();
    let trace = NativeSubject::new(&built, &options)
        .map_err(|error| error.to_string())
        .and_then(|mut subject| {
            let trace = subject.run(&case, &mut terms);
            trace.map_err(|error| error.to_string())
        });
    let trace = match trace {
        Ok(trace) => trace,
        Err(error) => return wrong(format!("does not run: {error}")),
    };
    if trace.outcome != Outcome::Exit(0) {
        return wrong(format!("with inputs: {:?}", trace.outcome));
    }
    if trace
        .approximations
        .iter()
        .any(|approximation| approximation.kind.word() == "label-mismatch")
    {
        return wrong("a choice that cannot have been made".into());
    }
    let mut evaluator = Evaluator::new();
    evaluator.restart();
    for (index, choice) in trace.choices.iter().enumerate() {
        let condition = choice.taken_condition(&mut terms);
        if !evaluator.bool(&terms, condition, &trace.present) {
            let count = trace.choices.len();
            return wrong(format!(
                "choice {index} of {count} was not that: {choice:?}"
            ));
        }
    }
    let cut = trace
        .approximations
        .iter()
        .any(|approximation| approximation.kind.word() == "trace-cut");
    counts.cut.fetch_add(cut.into(), Ordering::Relaxed);
    counts.agreed.fetch_add(1, Ordering::Relaxed);
    counts
        .inputs
        .fetch_add(case.inputs.len(), Ordering::Relaxed);
    counts
        .choices
        .fetch_add(trace.choices.len(), Ordering::Relaxed);
    None
}

#[test]
fn random_programs_agree() {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse().unwrap());
    let programs = number("ELSEWISE_RANDOM_PROGRAMS").unwrap_or(PROGRAMS);
    let first = number("ELSEWISE_RANDOM_FIRST").unwrap_or(1);
    let next = AtomicU64::new(first);
    let counts = Counts::default();
    let wrong = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + programs {
                        return;
                    }
                    if let Some(what) = disagreement(seed, &counts) {
                        eprintln!("{what}");
                        wrong.lock().unwrap().push(what);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    let get = |count: &AtomicUsize| count.load(Ordering::Relaxed);
    println!(
        "{programs} programs: {} agree, {} disagree, {} end too late or badly by themselves; \
         {} inputs, {} choices, {} traces cut",
        get(&counts.agreed),
        wrong.len(),
        get(&counts.unfit),
        get(&counts.inputs),
        get(&counts.choices),
        get(&counts.cut),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(get(&counts.agreed) as u64 * 2 > programs, "most are usable");
    // That the checksum is the expected one is a choice wherever anything is an input.
    assert!(
        get(&counts.choices) * 2 > get(&counts.agreed),
        "labels flow"
    );
}

/// What a program does must not be judged by a plain build that leaves some of it out.
#[test]
fn a_loop_that_never_ends_is_left_in_the_plain_program() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("program.c");
    // As csmith wrote it for seed 600: the unsigned number is never below zero.
    let text = "static int i; int main(void) {\
        for (i = 0; i >= -12; i = (unsigned short)(i - 1)) {}\
        return 0; }";
    fs::write(&source, text).unwrap();
    let plain = compile_plain(folder.path(), &source);
    let dump = folder.path().join("inputs");
    assert!(run_limited(1, &plain, &[], &dump).is_none());
}
