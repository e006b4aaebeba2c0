//! `cargo xtask bench`: the yardstick's figures, measured in one run.
//!
//! The subjects are those on which other tools were measured; they lie beside the checkout, in
//! `../shared/yardstick`, or where `--yardstick` says. All times are processor time of the
//! engine and the subject together. The machine is noisy, so each figure is the least of several
//! rounds and ratios are taken between measurements of the same run.

use crate::cpu::children_seconds;
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Measurements of which the least counts.
const ROUNDS: usize = 5;

pub struct Row {
    what: &'static str,
    figure: String,
    wanted: &'static str,
    kept: bool,
}

pub fn run(root: &Path, yardstick: Option<&str>) -> Result<()> {
    let yardstick = yardstick.map_or_else(|| root.join("../shared/yardstick"), PathBuf::from);
    ensure!(
        yardstick.join("bst.c").exists(),
        "no yardstick at {}: say where it is with `cargo xtask bench --yardstick DIR`",
        yardstick.display()
    );
    let bench = Bench::new(root, yardstick)?;
    let mut rows = bench.explorations()?;
    rows.extend(bench.loops()?);
    println!("| subject | measured | wanted | |");
    println!("|---|---|---|---|");
    for row in &rows {
        let verdict = if row.kept { "kept" } else { "missed" };
        println!(
            "| {} | {} | {} | {verdict} |",
            row.what, row.figure, row.wanted
        );
    }
    let missed = rows.iter().filter(|row| !row.kept).count();
    if missed > 0 {
        bail!("{missed} of {} figures missed", rows.len());
    }
    Ok(())
}

struct Bench {
    elsewise: PathBuf,
    compiler: PathBuf,
    yardstick: PathBuf,
    folder: tempfile::TempDir,
}

impl Bench {
    fn new(root: &Path, yardstick: PathBuf) -> Result<Bench> {
        let status = Command::new(env!("CARGO"))
            .args(["build", "--release", "--quiet", "--package", "elsewise"])
            .current_dir(root)
            .status()?;
        ensure!(status.success(), "the release build failed");
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        Ok(Bench {
            elsewise: target.join("release/elsewise"),
            compiler: target.join("release/elsewise-cc"),
            yardstick,
            folder: tempfile::tempdir()?,
        })
    }

    /// Explores a yardstick subject; the summary of the quickest of several campaigns.
    fn explore(&self, file: &str, options: &[&str], arguments: &[&str]) -> Result<Value> {
        let mut best: Option<Value> = None;
        for _ in 0..ROUNDS {
            let output = Command::new(&self.elsewise)
                .arg("explore")
                .arg(self.yardstick.join(file))
                .args(["--fresh", "--quiet", "--format", "json", "--campaign"])
                .arg(self.folder.path().join("campaign"))
                .args(options)
                .arg("--")
                .args(arguments)
                .stdin(Stdio::null())
                .output()?;
            let summary: Value = serde_json::from_slice(&output.stdout).with_context(|| {
                format!(
                    "no summary of {file}: {}",
                    String::from_utf8_lossy(&output.stderr)
                )
            })?;
            let better = best.as_ref().is_none_or(|b| seconds(&summary) < seconds(b));
            if better {
                best = Some(summary);
            }
        }
        best.context("no round was measured")
    }

    fn explorations(&self) -> Result<Vec<Row>> {
        let bst = self.explore("bst.c", &["--cflags", "-DN=3", "--input-size", "20"], &[])?;
        let free = self.explore("bst.c", &["--cflags", "-DN=3"], &[])?;
        let parser = self.explore("parser.c", &["--input-size", "32"], &[])?;
        let paths = |summary: &Value| summary["paths"].as_u64().unwrap_or(0);
        let complete = |summary: &Value| summary["complete"] == true;
        let counts = |summary: &Value| {
            let word = if complete(summary) {
                "complete"
            } else {
                "not complete"
            };
            format!(
                "{} paths in {} runs, {word}",
                paths(summary),
                summary["runs"]
            )
        };
        let sides = |summary: &Value| {
            format!(
                "{} of {}",
                summary["branch_sides"]["reached"], summary["branch_sides"]["total"]
            )
        };
        let cpu = |summary: &Value| format!("{:.2} CPU s", seconds(summary));
        Ok(vec![
            Row {
                what: "`bst.c -DN=3`, 20 bytes: paths",
                figure: counts(&bst),
                wanted: "391, complete",
                kept: paths(&bst) == 391 && complete(&bst),
            },
            Row {
                what: "the same: time",
                figure: cpu(&bst),
                wanted: "at most 1.2 CPU s",
                kept: seconds(&bst) <= 1.2,
            },
            Row {
                what: "`bst.c -DN=3`, free length: paths",
                figure: counts(&free),
                wanted: "392, complete",
                kept: paths(&free) == 392 && complete(&free),
            },
            Row {
                what: "`parser.c`, 32 bytes: paths",
                figure: counts(&parser),
                wanted: "complete",
                kept: complete(&parser),
            },
            Row {
                what: "the same: branch sides",
                figure: sides(&parser),
                wanted: "all but the short read",
                kept: parser["branch_sides"]["reached"].as_u64().map(|n| n + 1)
                    == parser["branch_sides"]["total"].as_u64(),
            },
            Row {
                what: "the same: time",
                figure: cpu(&parser),
                wanted: "at most 1.0 CPU s",
                kept: seconds(&parser) <= 1.0,
            },
        ])
    }

    /// Cost of a round of `loop.c` against the plain program of the same compiler.
    fn loops(&self) -> Result<Vec<Row>> {
        let source = self.yardstick.join("loop.c");
        let plain = self.folder.path().join("plain");
        build(
            Command::new("clang-22")
                .args(["-O2", "-DCONCRETE", "-o"])
                .arg(&plain)
                .arg(&source),
        )?;
        let concrete = self.folder.path().join("concrete");
        let mut compile = Command::new(&self.compiler);
        build(
            compile
                .args(["-O2", "-DCONCRETE", "-o"])
                .arg(&concrete)
                .arg(&source),
        )?;
        let native = per_round(&plain, 4_000_000)?;
        let instrumented = per_round(&concrete, 1_000_000)? / native;
        let short = self.symbolic(1_000)? / native;
        let long = self.symbolic(100_000)? / native;
        Ok(vec![
            Row {
                what: "`loop.c -DCONCRETE`, a round against native -O2",
                figure: format!("{instrumented:.1}x of {:.1} ns", native * 1e9),
                wanted: "at most 15x",
                kept: instrumented <= 15.0,
            },
            Row {
                what: "`loop.c`, symbolic, 1,000 rounds",
                figure: format!("{short:.0}x"),
                wanted: "at most 1,000x",
                kept: short <= 1_000.0,
            },
            Row {
                what: "`loop.c`, symbolic, 100,000 rounds",
                figure: format!("{long:.0}x"),
                wanted: "at most 1,000x",
                kept: long <= 1_000.0,
            },
        ])
    }

    /// Seconds that a run takes for each round, beyond what a run of one round takes.
    fn symbolic(&self, rounds: u64) -> Result<f64> {
        let run = |rounds: u64| -> Result<f64> {
            let count = rounds.to_string();
            let summary = self.explore("loop.c", &["--input-size", "64"], &[&count])?;
            let runs = summary["runs"].as_f64().context("no number of runs")?;
            let seconds = summary["subject_cpu_seconds"]
                .as_f64()
                .context("no subject time")?;
            Ok(seconds / runs.max(1.0))
        };
        Ok((run(rounds)? - run(1)?).max(0.0) / (rounds - 1) as f64)
    }
}

fn seconds(summary: &Value) -> f64 {
    summary["cpu_seconds"].as_f64().unwrap_or(f64::INFINITY)
}

fn build(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    ensure!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

/// Seconds of a round of a program that takes the number of rounds as its argument.
fn per_round(program: &Path, rounds: u64) -> Result<f64> {
    let few = cpu_of(program, rounds / 10)?;
    let many = cpu_of(program, rounds)?;
    Ok((many - few).max(1e-12) / (rounds - rounds / 10) as f64)
}

/// Least processor time of several runs.
fn cpu_of(program: &Path, rounds: u64) -> Result<f64> {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let before = children_seconds();
        Command::new(program)
            .arg(rounds.to_string())
            .stdin(Stdio::null())
            .status()?;
        least = least.min(children_seconds() - before);
    }
    Ok(least)
}
