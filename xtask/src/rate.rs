//! `cargo xtask rate`: how many runs a second there are on small functions, with a process for each
//! run and with a process for many.
//!
//! Beginning costs the same in all campaigns of a function, so each is explored twice, with few runs
//! and with many, and the difference counts. Processor time is what the campaign counted of the engine
//! and the runs together: what one core can do, whatever else the machine has to do. That of all
//! processes would have the compiler's in it, which changes by more than all the runs take. The fork
//! server's own is left out; runs per second of a core that has nothing else to do have it.

use crate::engine::{Engine, Profile};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

/// Functions of `harness/rate.c`, and whether a process can have several of their runs.
const FUNCTIONS: [(&str, bool); 5] = [
    ("testme", true),
    ("insert", true),
    ("keep", true),
    ("tell", true),
    ("read_one", false),
];
const FEW: u64 = 20;
const MANY: u64 = 1500;
/// What is wanted of functions of this size, in runs per second of one core.
const WANTED: f64 = 1500.0;
/// Of so many rounds the best counts: others may be at work on the machine.
const ROUNDS: usize = 3;

struct Measured {
    runs: f64,
    cpu: f64,
    wall: f64,
}

pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    let profile = match words {
        [] => Profile::Release,
        ["--debug"] => Profile::Debug,
        _ => bail!("rate takes no argument but --debug"),
    };
    let engine = Engine::build(root, profile)?;
    let folder = tempfile::tempdir()?;
    println!("| function | | runs per CPU s | runs per s | |");
    println!("|---|---|---|---|---|");
    let mut missed = 0;
    for (function, reusable) in FUNCTIONS {
        for fork in [true, false] {
            let mut best: Option<(f64, f64)> = None;
            for _ in 0..ROUNDS {
                let few = explore(&engine, root, function, fork, FEW, folder.path())?;
                let many = explore(&engine, root, function, fork, MANY, folder.path())?;
                let runs = many.runs - few.runs;
                let per_cpu = runs / (many.cpu - few.cpu).max(1e-3);
                let per_wall = runs / (many.wall - few.wall).max(1e-3);
                if best.is_none_or(|(known, _)| per_cpu > known) {
                    best = Some((per_cpu, per_wall));
                }
            }
            let (per_cpu, per_wall) = best.context("no round was measured")?;
            let way = if fork {
                "a process each"
            } else {
                "one for many"
            };
            let verdict = match !fork && reusable {
                true if per_cpu >= WANTED => "kept",
                true => {
                    missed += 1;
                    "missed"
                }
                false => "",
            };
            println!("| `{function}` | {way} | {per_cpu:.0} | {per_wall:.0} | {verdict} |");
        }
    }
    if missed > 0 {
        bail!("{missed} functions have fewer than {WANTED} runs per second of processor time");
    }
    Ok(())
}

fn explore(
    engine: &Engine,
    root: &Path,
    function: &str,
    fork: bool,
    runs: u64,
    folder: &Path,
) -> Result<Measured> {
    let file = root.join("xtask/harness/rate.c");
    let output = Command::new(&engine.elsewise)
        .arg("explore")
        .arg(format!("{}::{function}", file.display()))
        .args(["--fresh", "--quiet", "--format", "json", "--budget"])
        .arg(format!("{runs}runs"))
        .args(fork.then_some("--fork"))
        .arg("--campaign")
        .arg(folder.join(function))
        .stdin(Stdio::null())
        .output()?;
    let summary: Value = serde_json::from_slice(&output.stdout).with_context(|| {
        let words = String::from_utf8_lossy(&output.stderr);
        format!("no summary of {function}: {words}")
    })?;
    let number = |name: &str| {
        summary[name]
            .as_f64()
            .with_context(|| format!("the summary of {function} has no {name}"))
    };
    Ok(Measured {
        runs: number("runs")?,
        cpu: number("cpu_seconds")?,
        wall: number("wall_seconds")?,
    })
}
