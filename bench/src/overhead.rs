//! `cargo measure overhead`: what instrumentation costs a program whose input is concrete.
//!
//! Three programs of the distribution do real work, built by clang and by Elsewise with the same
//! options, without the engine; what they write must be the same. Their times are user processor
//! time, the least of several rounds, in which both builds take turns.

mod compile;
mod work;

use crate::compile::{Build, Part};
use crate::engine::Engine;
use crate::package::Package;
use crate::runner::{Clock, Missed, Session, Table, chosen, in_turns};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use work::{Program, Step};

const ROUNDS: usize = 3;
const WANTED: f64 = 8.0;

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Options {
    #[command(subcommand)]
    other: Option<Other>,
    names: Vec<String>,
}

#[derive(clap::Subcommand)]
enum Other {
    /// Time the compilation of libraries and of generated sources, by clang and by elsewise-cc
    Compile {
        /// Libraries, `eca` or `models`
        names: Vec<String>,
    },
}

pub fn run(session: &Session, options: &Options) -> Result<()> {
    if let Some(Other::Compile { names }) = &options.other {
        return compile::run(session, names);
    }
    let chosen = chosen("program", work::ALL, |program| program.name, &options.names)?;
    let engine = session.engine()?;
    let mut table = Table::new("program | work | clang -O2 | instrumented | ratio");
    let mut missed = Missed::default();
    for program in chosen {
        println!("{} ...", program.name);
        let package = Package::named(program.name)?;
        let [native, instrumented] = measure(&engine, package, program)?;
        let ratio = instrumented / native.max(1e-9);
        missed.unless(ratio <= WANTED, program.name);
        table.row(format_args!(
            "{} | {} | {native:.2} s | {instrumented:.2} s | {ratio:.1}x",
            package.title(),
            program.what
        ));
    }
    table.print("");
    missed.none(&format!("more than {WANTED}x"))
}

/// Seconds of the plain program and of the instrumented one.
fn measure(engine: &Engine, package: &Package, program: &Program) -> Result<[f64; 2]> {
    let folder = package.place("overhead")?;
    let source = folder.join("source");
    let build = |compiler: &Path, folder: &Path| -> Result<PathBuf> {
        let mut files = package.files(&source)?;
        files.extend(program.more.iter().map(PathBuf::from));
        let options = ["-O2", "-w"].into_iter().chain(package.options());
        let part = Part {
            compiler,
            options: options.chain(program.options.iter().copied()).collect(),
            files,
        };
        let build = Build {
            source: &source,
            parts: vec![part],
            link: &["-lm", "-ldl", "-lpthread"],
            environment: &[],
        };
        build.program(folder, program.name)
    };
    let programs = [
        build(Path::new("clang-22"), &folder.join("plain"))?,
        build(&engine.cc, &folder.join("elsewise"))?,
    ];
    let inputs = folder.join("inputs");
    fs::create_dir_all(&inputs)?;
    let steps = (program.steps)(&inputs)?;
    let mut written = [Vec::new(), Vec::new()];
    in_turns(ROUNDS, |way| {
        let execute = |step| execute(&programs[way], step);
        let work = || steps.iter().map(execute).collect::<Result<Vec<_>>>();
        let (seconds, all) = Clock::User.time(work)?;
        written[way] = all;
        ensure!(
            way == 0 || written[0] == written[1],
            "{}: the two builds do not write the same",
            program.name
        );
        Ok(seconds)
    })
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
