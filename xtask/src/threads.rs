//! `cargo xtask threads`: subjects with threads whose number of executions is known, jCUTE's case
//! studies, and what a run costs beside one under ThreadSanitizer.

use crate::cpu;
use crate::engine::{Engine, Wishes};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

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
const STUDIES: [(&str, Option<(u64, &str)>); 10] = [
    ("bounded_buffer", Some((43, "11.4"))),
    ("deos_scheduler", Some((111, "35"))),
    ("distributed_sort", None),
    ("needham_schroeder", Some((406, "95"))),
    ("nested_monitor", Some((2, "0.46"))),
    ("pipeline", Some((3, "0.70"))),
    ("reader_writer", Some((8, "2.2"))),
    ("remote_agent", Some((2, "0.45"))),
    ("replicated_workers", Some((1, "0.34"))),
    ("tmn", Some((522, "127"))),
];

/// Rounds of which the least counts.
const ROUNDS: usize = 5;

pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    let Wishes {
        profile, seconds, ..
    } = Wishes::new(words, 60)?;
    let engine = Engine::build(root, profile)?;
    let folder = tempfile::tempdir()?;
    counted(root, &engine, folder.path())?;
    studies(root, &engine, folder.path(), seconds)?;
    accesses(root, &engine, folder.path())
}

fn counted(root: &Path, engine: &Engine, folder: &Path) -> Result<()> {
    println!("| subject | executions | CPU ms each | found in run |\n|---|---|---|---|");
    for (name, flags, count, finding) in COUNTED {
        let source = root.join(format!("tests/schedules/{name}.c"));
        let summary = explore(engine, &source, &["--cflags", flags], folder)?;
        let runs = summary["runs"].as_u64().unwrap_or(0);
        let found = &summary["findings"][0];
        let case = found["case"].as_u64().map(|case| case + 1);
        println!(
            "| `{name}` {flags} | {runs} | {:.2} | {} |",
            number(&summary, "cpu_seconds") * 1000.0 / runs.max(1) as f64,
            case.map_or("-".into(), |case| case.to_string()),
        );
        let complete = summary["complete"] == Value::Bool(true);
        ensure!(complete && runs == count, "{name} {flags}: {count} wanted");
        match finding {
            None => ensure!(case.is_none(), "{name} {flags}: there is nothing to find"),
            Some((kind, most)) => ensure!(
                found["kind"] == kind && case.is_some_and(|case| case <= most),
                "{name} {flags}: {kind} within {most} runs is wanted"
            ),
        }
    }
    Ok(())
}

fn studies(root: &Path, engine: &Engine, folder: &Path, seconds: u32) -> Result<()> {
    println!("\n| study | finding | runs | CPU s | jCUTE: runs | s |\n|---|---|---|---|---|---|");
    for (name, published) in STUDIES {
        let source = root.join(format!("tests/threads/studies/{name}.c"));
        let head = fs::read_to_string(&source)?;
        let options: Vec<String> = head
            .lines()
            .filter_map(|line| line.strip_prefix("//: options = "))
            .flat_map(|list| list.split('"').skip(1).step_by(2))
            .filter(|option| !option.starts_with("--budget"))
            .map(str::to_string)
            .collect();
        let mut options: Vec<&str> = options.iter().map(String::as_str).collect();
        // Until the run that found it, which is the same one again.
        let budget = format!("--budget={seconds}s");
        let all = [options.as_slice(), &[&budget]].concat();
        let summary = explore(engine, &source, &all, folder)?;
        let Some(case) = summary["findings"][0]["case"].as_u64() else {
            println!("| `{name}` | not found | {} | | | |", summary["runs"]);
            continue;
        };
        let budget = format!("--budget={}runs", case + 1);
        options.push(&budget);
        let again = explore(engine, &source, &options, folder)?;
        let (runs, time) = published.map_or(("".into(), "".into()), |(runs, time)| {
            (runs.to_string(), time.to_string())
        });
        println!(
            "| `{name}` | {} | {} | {:.2} | {runs} | {time} |",
            summary["findings"][0]["kind"].as_str().unwrap_or("?"),
            case + 1,
            number(&again, "cpu_seconds"),
        );
    }
    Ok(())
}

/// One run with 2 threads and 10,000 accesses to memory that both could see.
fn accesses(root: &Path, engine: &Engine, folder: &Path) -> Result<()> {
    let source = root.join("xtask/harness/accesses.c");
    let plain = folder.join("accesses");
    let status = Command::new("clang-22")
        .args(["-fsanitize=thread", "-g", "-O1", "-pthread", "-o"])
        .arg(&plain)
        .arg(&source)
        .status()
        .context("clang-22")?;
    ensure!(status.success(), "no build with ThreadSanitizer");
    let mut least = f64::MAX;
    for _ in 0..ROUNDS {
        let before = cpu::children_seconds();
        ensure!(Command::new(&plain).status()?.success());
        least = least.min(cpu::children_seconds() - before);
    }
    let mut ours = f64::MAX;
    for _ in 0..ROUNDS {
        let summary = explore(engine, &source, &[], folder)?;
        ensure!(summary["runs"] == 1, "one execution: {summary}");
        ours = ours.min(number(&summary, "subject_cpu_seconds"));
    }
    println!(
        "\nA run with 10,000 accesses: {:.1} ms, under ThreadSanitizer {:.1} ms ({:.2}x).",
        ours * 1000.0,
        least * 1000.0,
        ours / least
    );
    Ok(())
}

fn number(summary: &Value, key: &str) -> f64 {
    summary[key].as_f64().unwrap_or(0.0)
}

fn explore(engine: &Engine, source: &Path, options: &[&str], folder: &Path) -> Result<Value> {
    let output = Command::new(&engine.elsewise)
        .arg("explore")
        .arg(source)
        .args(options)
        .arg("--campaign")
        .arg(folder.join("campaign"))
        .args(["--fresh", "--quiet", "--format", "json"])
        .stdin(Stdio::null())
        .output()?;
    serde_json::from_slice(&output.stdout).with_context(|| {
        let why = String::from_utf8_lossy(&output.stderr);
        format!("no summary of {}: {why}", source.display())
    })
}
