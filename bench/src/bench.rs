//! `cargo measure bench`: the yardstick's figures, measured in one run.
//!
//! All times are processor time of the engine and the subject together.

use crate::compile::succeed;
use crate::engine::{Engine, summary};
use crate::runner::{Clock, Missed, Session, Table, cheapest, in_turns};
use anyhow::{Result, ensure};
use elsewise_campaign::Summary;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Measurements of which the least counts.
const ROUNDS: usize = 5;

#[derive(clap::Args)]
pub struct Options {
    /// Where the yardstick's subjects are, if not beside the checkout
    #[arg(long, value_name = "DIR")]
    yardstick: Option<PathBuf>,
}

pub fn run(session: &Session, options: &Options) -> Result<()> {
    let yardstick = session.yardstick(options.yardstick.as_deref())?;
    let engine = session.engine()?;
    let mut rows = explorations(&engine, &yardstick)?;
    rows.extend(loops(&engine, &yardstick.join("loop.c"))?);
    let mut table = Table::live("subject | measured | wanted | ");
    let mut missed = Missed::default();
    for (what, figure, wanted, kept) in rows {
        let verdict = missed.unless(kept, what);
        table.row(format_args!("{what} | {figure} | {wanted} | {verdict}"));
    }
    missed.none("missed")
}

/// What is measured, its figure, the one that is wanted, and whether it is kept.
type Row = (&'static str, String, &'static str, bool);

/// Explores a subject; the summary of the quickest of several campaigns.
fn explore(engine: &Engine, file: &Path, options: &[&str]) -> Result<Summary> {
    let once = || summary(engine.explore(file).args(options));
    cheapest(ROUNDS, |summary| summary.cpu_seconds, once)
}

fn explorations(engine: &Engine, yardstick: &Path) -> Result<Vec<Row>> {
    let explore = |file: &str, options: &[&str]| explore(engine, &yardstick.join(file), options);
    let bst = explore("bst.c", &["--cflags", "-DN=3", "--input-size", "20"])?;
    let free = explore("bst.c", &["--cflags", "-DN=3"])?;
    let parser = explore("parser.c", &["--input-size", "32"])?;
    let counts = |it: &Summary| {
        let word = if it.complete {
            "complete"
        } else {
            "not complete"
        };
        format!("{} paths in {} runs, {word}", it.paths, it.runs)
    };
    let cpu = |it: &Summary| format!("{:.2} CPU s", it.cpu_seconds);
    let sides = parser.branch_sides;
    Ok(vec![
        (
            "`bst.c -DN=3`, 20 bytes: paths",
            counts(&bst),
            "391, complete",
            bst.paths == 391 && bst.complete,
        ),
        (
            "the same: time",
            cpu(&bst),
            "at most 1.2 CPU s",
            bst.cpu_seconds <= 1.2,
        ),
        (
            "`bst.c -DN=3`, free length: paths",
            counts(&free),
            "392, complete",
            free.paths == 392 && free.complete,
        ),
        (
            "`parser.c`, 32 bytes: paths",
            counts(&parser),
            "complete",
            parser.complete,
        ),
        (
            "the same: branch sides",
            format!("{} of {}", sides.reached, sides.total),
            "all but the short read",
            sides.reached + 1 == sides.total,
        ),
        (
            "the same: time",
            cpu(&parser),
            "at most 1.0 CPU s",
            parser.cpu_seconds <= 1.0,
        ),
    ])
}

/// Cost of a round of `loop.c` against the plain program of the same compiler.
fn loops(engine: &Engine, source: &Path) -> Result<Vec<Row>> {
    let programs = ["plain", "concrete"].map(|name| engine.scratch.path().join(name));
    for (compiler, program) in [Path::new("clang-22"), &engine.cc]
        .into_iter()
        .zip(&programs)
    {
        let mut command = Command::new(compiler);
        command.args(["-O2", "-DCONCRETE", "-o"]);
        succeed(command.arg(program).arg(source))?;
    }
    // Both programs, with few rounds and with many.
    let rounds = [400_000, 4_000_000, 100_000, 1_000_000];
    let cost = in_turns::<4>(ROUNDS, |way| {
        let mut command = Command::new(&programs[way / 2]);
        command.arg(rounds[way].to_string()).stdin(Stdio::null());
        // What the program ends with depends on what it counts.
        let (seconds, status) = Clock::Processor.time(|| Ok(command.status()?))?;
        ensure!(status.code().is_some(), "{command:?} was killed");
        Ok(seconds)
    })?;
    let a_round = |few: usize| {
        let more = f64::from(rounds[few + 1] - rounds[few]);
        (cost[few + 1] - cost[few]).max(1e-12) / more
    };
    let native = a_round(0);
    let instrumented = a_round(2) / native;
    let short = symbolic(engine, source, 1_000)? / native;
    let long = symbolic(engine, source, 100_000)? / native;
    Ok(vec![
        (
            "`loop.c -DCONCRETE`, a round against native -O2",
            format!("{instrumented:.1}x of {:.1} ns", native * 1e9),
            "at most 15x",
            instrumented <= 15.0,
        ),
        (
            "`loop.c`, symbolic, 1,000 rounds",
            format!("{short:.0}x"),
            "at most 1,000x",
            short <= 1_000.0,
        ),
        (
            "`loop.c`, symbolic, 100,000 rounds",
            format!("{long:.0}x"),
            "at most 1,000x",
            long <= 1_000.0,
        ),
    ])
}

/// Seconds that a run takes for each round, beyond what a run of one round takes.
fn symbolic(engine: &Engine, source: &Path, rounds: u32) -> Result<f64> {
    let run = |rounds: u32| -> Result<f64> {
        let count = rounds.to_string();
        let summary = explore(engine, source, &["--input-size", "64", "--", &count])?;
        Ok(summary.subject_cpu_seconds / summary.runs.max(1) as f64)
    };
    Ok((run(rounds)? - run(1)?).max(0.0) / f64::from(rounds - 1))
}
