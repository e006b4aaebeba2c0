//! `cargo measure threaded`: real programs and data structures with threads, explored as they are.
//!
//! Sources and headers come from the machine's own archive of packages, pinned by version; each program
//! is built by its own build system.

mod programs;

use crate::compile::{once, stamp, succeed};
use crate::engine::{Engine, summary};
use crate::judgements::Judgements;
use crate::runner::{Missed, Session, Table, chosen, seconds, yes_or_no};
use crate::source;
use anyhow::{Result, ensure};
use elsewise_campaign::Summary;
use programs::{Origin, Program};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A bug; as the standard has it, a bug, but one that does no harm; a fault of ours.
const JUDGED: &[&str] = &["real", "benign", "false"];

#[derive(clap::Args)]
pub struct Options {
    /// For each program
    #[arg(long, value_parser = seconds, default_value = "30s")]
    time: u64,
    names: Vec<String>,
}

pub fn run(session: &Session, options: &Options) -> Result<()> {
    let chosen = chosen("program", programs::ALL, |one| one.name, &options.names)?;
    let judgements = judgements(session)?;
    let engine = session.engine()?;
    let mut table =
        Table::new("program | threads | executions | a second | complete | findings | in the way");
    let mut missed = Missed::default();
    for program in chosen {
        println!("{} ...", program.name);
        let summary = explore(session, &engine, program, options.time)?;
        let (told, wrong) = told(&summary, &judgements, program.name);
        missed.0.extend(wrong);
        table.row(format_args!(
            "{} | {} | {} | {:.0} | {} | {told} | {}",
            program.title,
            program.threads,
            summary.runs,
            summary.runs as f64 / summary.wall_seconds.max(0.001),
            yes_or_no(summary.complete),
            program.in_the_way,
        ));
    }
    table.print("");
    missed.none("not judged, or judged to be our fault (bench/judgements/threaded.toml)")
}

fn judgements(session: &Session) -> Result<Judgements> {
    Judgements::read(&session.root, "threaded", JUDGED)
}

/// What the table says of findings, and those that must not be.
fn told(summary: &Summary, judgements: &Judgements, program: &str) -> (String, Vec<String>) {
    let mut counts: Vec<(String, u32)> = Vec::new();
    let mut wrong = Vec::new();
    for found in summary.findings.iter().chain(&summary.unconfirmed) {
        let judgement = judgements.of(program, found);
        let judged = judgement.map_or("not judged", |one| &one.judged);
        if matches!(judged, "not judged" | "false") {
            let why = judgement.map_or("", |one| &one.why);
            wrong.push(format!(
                "{program}: {} at {}:{}: {} {why}",
                found.kind, found.file, found.line, found.message
            ));
        }
        let word = format!("{} ({judged})", found.kind);
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    if counts.is_empty() {
        return ("none".into(), wrong);
    }
    let words = counts
        .iter()
        .map(|(word, count)| format!("{count}× {word}"));
    (words.collect::<Vec<_>>().join(", "), wrong)
}

/// Explores a program for so many seconds.
fn explore(session: &Session, engine: &Engine, program: &Program, time: u64) -> Result<Summary> {
    let folder = source::cache()?.join("threaded").join(program.name);
    fs::create_dir_all(&folder)?;
    let harness = session.harness(&format!("threaded/{}", program.harness));
    let campaign = folder.join("campaign");
    let mut command = match program.origin {
        Origin::Headers { package, version } => {
            let include = source::fetch_built(package, version)?.join("usr/include");
            let flags = format!("-O1 -I{} {}", include.display(), program.flags);
            let mut command = engine.explore_in(&campaign, &harness);
            command.args(["--cflags", &flags]);
            command
        }
        Origin::Source {
            package,
            version,
            build: line,
            built,
        } => {
            let sources = source::fetch(package, version)?;
            let line = line
                .replace("@HARNESS@", &harness.to_string_lossy())
                .replace("@FLAGS@", program.flags);
            let own = match program.harness {
                "" => String::new(),
                _ => fs::read_to_string(&harness)?,
            };
            let folder = folder.join("build");
            let program = build(engine, &sources, &folder, &line, &own)?.join(built);
            ensure!(program.is_file(), "`{line}` has made no {built}");
            engine.explore_in(&campaign, program)
        }
    };
    command.args(program.options);
    command.arg(format!("--budget={time}s"));
    summary(command.args(program.arguments).current_dir(&folder))
}

/// Lets a package build itself with our compilers, once; the folder of its source.
fn build(engine: &Engine, sources: &Path, folder: &Path, line: &str, own: &str) -> Result<PathBuf> {
    let copy = folder.join("source");
    let key = format!("{line} {} {own}", stamp(&engine.cxx)?);
    once(folder, &key, || {
        succeed(Command::new("cp").arg("-a").arg(sources).arg(&copy))?;
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(&copy);
        shell.env("CC", &engine.cc).env("CXX", &engine.cxx);
        succeed(shell.env_remove("MAKEFLAGS"))
    })?;
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::samples;
    use serde_json::json;

    #[test]
    fn judgements_are_of_programs_that_there_are() {
        let judgements = judgements(&Session::new(true).unwrap()).unwrap();
        for subject in judgements.subjects() {
            let known = programs::ALL.iter().any(|program| program.name == subject);
            assert!(known, "{subject}");
        }
    }

    #[test]
    fn a_finding_that_nobody_has_judged_is_wrong() {
        let judgements = Judgements::parse(
            "[[finding]]\nsubject = \"p\"\nkind = \"data race\"\nfile = \"a.h\"\nlines = [3]\n\
             judged = \"benign\"\nwhy = \"w\"\n",
            JUDGED,
        )
        .unwrap();
        let found = |lines: [u32; 2]| {
            let one = |line| samples::finding("data race", "/x/a.h", "f", line);
            samples::summary(json!({"findings": [one(lines[0])], "unconfirmed": [one(lines[1])]}))
        };
        let summary = found([3, 3]);
        let (words, wrong) = told(&summary, &judgements, "p");
        assert_eq!(words, "2× data race (benign)");
        assert!(wrong.is_empty());
        let summary = found([3, 4]);
        let (words, wrong) = told(&summary, &judgements, "p");
        assert_eq!(words, "1× data race (benign), 1× data race (not judged)");
        assert_eq!(wrong.len(), 1);
        assert_eq!(told(&summary, &judgements, "q").1.len(), 2);
    }
}
