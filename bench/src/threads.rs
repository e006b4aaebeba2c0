//! `cargo measure threads`: subjects with threads whose number of executions is known, jCUTE's case
//! studies, and what a run costs beside one under ThreadSanitizer.

use crate::compile::succeed;
use crate::engine::{Engine, summary};
use crate::runner::{Clock, Session, Table, in_turns, seconds};
use anyhow::{Result, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What is found, and in at most how many runs.
type Wanted = Option<(&'static str, u64)>;

/// Subject, flags, executions, and what is to be found.
const COUNTED: [(&str, &str, u64, Wanted); 9] = [
    ("readers", "-DN=13", 8192, None),
    ("lastzero", "-DN=8", 704, None),
    ("indexer", "-DN=12", 8, None),
    ("indexer", "-DN=13", 64, None),
    ("philosophers", "-DN=3", 7, Some(("deadlock", 10))),
    ("philosophers", "-DN=5", 31, Some(("deadlock", 10))),
    ("philosophers", "-DN=3 -DFIX", 6, None),
    ("philosophers", "-DN=5 -DFIX", 30, None),
    ("buffer", "-DX", 80, Some(("lost wake-up", 40))),
];

/// jCUTE's case studies, with the runs and seconds that it took, where they are published.
const STUDIES: [(&str, &str, &str); 10] = [
    ("bounded_buffer", "43", "11.4"),
    ("deos_scheduler", "111", "35"),
    ("distributed_sort", "", ""),
    ("needham_schroeder", "406", "95"),
    ("nested_monitor", "2", "0.46"),
    ("pipeline", "3", "0.70"),
    ("reader_writer", "8", "2.2"),
    ("remote_agent", "2", "0.45"),
    ("replicated_workers", "1", "0.34"),
    ("tmn", "522", "127"),
];

/// Rounds of which the least counts.
const ROUNDS: usize = 5;

#[derive(clap::Args)]
pub struct Options {
    /// For each case study
    #[arg(long, value_parser = seconds, default_value = "60s")]
    time: u64,
}

pub fn run(session: &Session, options: &Options) -> Result<()> {
    let engine = session.engine()?;
    counted(&session.root, &engine)?;
    println!();
    studies(&session.root, &engine, options.time)?;
    accesses(&session.harness("accesses.c"), &engine)
}

fn counted(root: &Path, engine: &Engine) -> Result<()> {
    let mut table = Table::live("subject | executions | CPU ms each | found in run");
    for (name, flags, count, finding) in COUNTED {
        let source = root.join(format!("tests/schedules/{name}.c"));
        let summary = summary(engine.explore(source).args(["--cflags", flags]))?;
        let found = summary.findings.first();
        let case = found.map(|found| found.case + 1);
        table.row(format_args!(
            "`{name}` {flags} | {} | {:.2} | {}",
            summary.runs,
            summary.cpu_seconds * 1000.0 / summary.runs.max(1) as f64,
            case.map_or("-".into(), |case| case.to_string()),
        ));
        let whole = summary.complete && summary.runs == count;
        ensure!(whole, "{name} {flags}: {count} wanted");
        match finding {
            None => ensure!(case.is_none(), "{name} {flags}: there is nothing to find"),
            Some((kind, most)) => ensure!(
                found.is_some_and(|found| found.kind == kind && found.case < most),
                "{name} {flags}: {kind} within {most} runs is wanted"
            ),
        }
    }
    Ok(())
}

fn studies(root: &Path, engine: &Engine, seconds: u64) -> Result<()> {
    let mut table = Table::live("study | finding | runs | CPU s | jCUTE: runs | s");
    for (name, runs, time) in STUDIES {
        let source = root.join(format!("tests/subjects/threads_studies/{name}/{name}.c"));
        let expected = fs::read_to_string(source.with_file_name("expect.toml"))?;
        let options: Vec<&str> = expected
            .lines()
            .filter_map(|line| line.strip_prefix("options = "))
            .flat_map(|list| list.split('"').skip(1).step_by(2))
            .filter(|option| !option.starts_with("--budget"))
            .collect();
        let explore = |budget: String| summary(engine.explore(&source).args(&options).arg(budget));
        // Until the run that found it, which is the same one again.
        let all = explore(format!("--budget={seconds}s"))?;
        let Some(found) = all.findings.first() else {
            table.row(format_args!("`{name}` | not found | {} | | |", all.runs));
            continue;
        };
        let again = explore(format!("--budget={}runs", found.case + 1))?;
        table.row(format_args!(
            "`{name}` | {} | {} | {:.2} | {runs} | {time}",
            found.kind,
            found.case + 1,
            again.cpu_seconds,
        ));
    }
    Ok(())
}

/// One run with 2 threads and 10,000 accesses to memory that both could see.
fn accesses(source: &Path, engine: &Engine) -> Result<()> {
    let plain = engine.scratch.path().join("accesses");
    let mut compile = Command::new("clang-22");
    compile.args(["-fsanitize=thread", "-g", "-O1", "-pthread", "-o"]);
    succeed(compile.arg(&plain).arg(source))?;
    let [ours, sanitized] = in_turns(ROUNDS, |way| match way {
        0 => {
            let summary = summary(&mut engine.explore(source))?;
            ensure!(summary.runs == 1, "{} executions, not one", summary.runs);
            Ok(summary.subject_cpu_seconds)
        }
        _ => Ok(Clock::Processor
            .time(|| succeed(&mut Command::new(&plain)))?
            .0),
    })?;
    println!(
        "\nA run with 10,000 accesses: {:.1} ms, under ThreadSanitizer {:.1} ms ({:.2}x).",
        ours * 1000.0,
        sanitized * 1000.0,
        ours / sanitized
    );
    Ok(())
}
