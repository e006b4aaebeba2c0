//! What subsumption costs where it cannot help: the yardstick's parser and two libraries.

use super::Bench;
use crate::realworld;
use anyhow::{Result, ensure};
use std::path::{Path, PathBuf};

/// Of so many rounds, each way, the least counts: others may be at work on the machine.
const ROUNDS: usize = 3;
/// Times as much as without it that exploration may take.
const WANTED: f64 = 1.15;
const LIBRARIES: [&str; 2] = ["cjson", "libcsv"];
/// Runs of a library, the same number both ways.
const RUNS: &str = "--budget=1500runs";
/// With input of any length its runs cannot be followed, and nothing would be measured.
const SIZE: &str = "--input-size=16";

pub fn run(bench: &Bench, root: &Path, yardstick: Option<&str>) -> Result<Vec<String>> {
    let yardstick = yardstick.map_or_else(|| root.join("../shared/yardstick"), PathBuf::from);
    let parser = yardstick.join("parser.c");
    ensure!(
        parser.exists(),
        "no yardstick at {}: say where it is with --yardstick DIR",
        yardstick.display()
    );
    println!("| subject | CPU s without | CPU s with | times | runs without and with | |");
    println!("|---|---|---|---|---|---|");
    let mut missed = Vec::new();
    row(
        bench,
        "parser.c",
        &parser,
        &["--input-size", "32"],
        &mut missed,
    )?;
    for name in LIBRARIES {
        let built = realworld::subject(root, &bench.engine, name)?;
        row(bench, name, &built.program, &[RUNS, SIZE], &mut missed)?;
    }
    Ok(missed)
}

fn row(
    bench: &Bench,
    name: &str,
    subject: &Path,
    options: &[&str],
    missed: &mut Vec<String>,
) -> Result<()> {
    let (mut without, mut with) = (f64::INFINITY, f64::INFINITY);
    let mut told = String::new();
    let mut off = None;
    for _ in 0..ROUNDS {
        let plain = bench.explore(subject, "mix", "off", options)?;
        let subsumed = bench.explore(subject, "mix", "on", options)?;
        without = without.min(plain.seconds);
        with = with.min(subsumed.seconds);
        told = format!("{} and {}", plain.runs, subsumed.runs);
        off = subsumed.off;
    }
    let times = with / without;
    println!(
        "| {name} | {without:.2} | {with:.2} | {times:.2} | {told} | {} |",
        off.unwrap_or_default()
    );
    if times > WANTED {
        missed.push(format!("{name} takes {times:.2} times as long"));
    }
    Ok(())
}
