//! `cargo xtask overhead`: what instrumentation costs a program whose input is concrete.
//!
//! Three programs of the distribution do real work, built by clang and by Elsewise with the same
//! options, without the engine; what they write must be the same. Their times are user processor
//! time, the least of several rounds, in which both builds take turns.

mod compile;
mod work;

use crate::cpu::children_user_seconds;
use crate::engine::{Engine, Profile};
use crate::packages::compile::{self as packages, succeed};
use crate::packages::source;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use work::{Program, Step};

const ROUNDS: usize = 3;
const WANTED: f64 = 8.0;
const OPTIONS: &[&str] = &["-O2", "-w"];

pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    if let ["compile", words @ ..] = words {
        return self::compile::run(root, words);
    }
    let mut profile = Profile::Release;
    let mut chosen = Vec::new();
    for word in words {
        match work::ALL.iter().find(|program| program.name == *word) {
            _ if *word == "--debug" => profile = Profile::Debug,
            Some(program) => chosen.push(program),
            None => {
                let all: Vec<&str> = work::ALL.iter().map(|program| program.name).collect();
                bail!("no program {word}; there are {}", all.join(", "));
            }
        }
    }
    if chosen.is_empty() {
        chosen = work::ALL.iter().collect();
    }
    let engine = Engine::build(root, profile)?;
    let cache = source::cache()?;
    source::fetch_lists(&cache)?;
    let mut table = String::from(
        "\n| program | work | clang -O2 | instrumented | ratio |\n|---|---|---|---|---|\n",
    );
    let mut missed = Vec::new();
    for program in chosen {
        println!("{} ...", program.name);
        let (native, instrumented) = measure(&engine, &cache, program)?;
        let ratio = instrumented / native;
        if ratio > WANTED {
            missed.push(program.name);
        }
        table += &format!(
            "| {} {} | {} | {native:.2} s | {instrumented:.2} s | {ratio:.1}x |\n",
            program.name,
            source::upstream(program.version),
            program.what
        );
    }
    print!("{table}");
    ensure!(
        missed.is_empty(),
        "more than {WANTED}x: {}",
        missed.join(", ")
    );
    Ok(())
}

/// Seconds of the plain program and of the instrumented one.
fn measure(engine: &Engine, cache: &Path, program: &Program) -> Result<(f64, f64)> {
    let folder = cache.join("overhead").join(program.name);
    let source = source::fetch(cache, program.name, program.version)?;
    let source = packages::prepare(&folder, &source, program.prepare)?;
    let plain = build(
        program,
        &source,
        &folder.join("plain"),
        Path::new("clang-22"),
    )?;
    let ours = build(program, &source, &folder.join("elsewise"), &engine.cc)?;
    let inputs = folder.join("inputs");
    fs::create_dir_all(&inputs)?;
    let steps = (program.steps)(&inputs)?;
    let mut least = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        let mut written = Vec::new();
        for (at, executable) in [&plain, &ours].into_iter().enumerate() {
            let before = children_user_seconds();
            let mut all = Vec::new();
            for step in &steps {
                all.push(execute(executable, step)?);
            }
            least[at] = least[at].min(children_user_seconds() - before);
            written.push(all);
        }
        ensure!(
            written[0] == written[1],
            "{}: the two builds do not write the same",
            program.name
        );
    }
    Ok((least[0].max(1e-9), least[1]))
}

fn build(program: &Program, source: &Path, folder: &Path, compiler: &Path) -> Result<PathBuf> {
    let executable = folder.join(program.name);
    let stamp = match compiler.is_absolute() {
        true => packages::stamp(compiler)?,
        false => String::new(),
    };
    let key = format!(
        "{stamp} {OPTIONS:?} {:?} {:?}",
        program.options, program.sources
    );
    if packages::is_filled(folder, &key)? {
        return Ok(executable);
    }
    let command = || {
        let mut command = Command::new(compiler);
        command
            .args(OPTIONS)
            .args(program.options)
            .current_dir(source);
        command
    };
    let sources: Vec<PathBuf> = program.sources.iter().map(PathBuf::from).collect();
    let objects = packages::objects(command, &sources, folder)?;
    succeed(
        command()
            .args(objects)
            .arg("-o")
            .arg(&executable)
            .args(["-lm", "-ldl", "-lpthread"]),
    )?;
    packages::fill(folder, &key)?;
    Ok(executable)
}

/// What a step writes, into a file, since a later step may read it.
fn execute(executable: &Path, step: &Step) -> Result<Vec<u8>> {
    let mut written = step.input.clone().into_os_string();
    written.push(".out");
    let status = Command::new(executable)
        .args(step.arguments)
        .stdin(fs::File::open(&step.input)?)
        .stdout(fs::File::create(&written)?)
        .stderr(Stdio::inherit())
        .status()
        .with_context(|| format!("{} cannot be run", executable.display()))?;
    ensure!(
        status.success(),
        "{} {}: {status}",
        executable.display(),
        step.arguments.join(" ")
    );
    Ok(fs::read(written)?)
}
