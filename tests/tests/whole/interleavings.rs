//! Random small programs with threads, built and explored, against trying every interleaving and
//! every input: the same ends, and as many runs as there are executions that differ.

use anyhow::{Result, ensure};
use elsewise_campaign::{RunEnd, Store};
use elsewise_tests::command::explore;
use elsewise_tests::interleavings::Program;
use elsewise_tests::random::{Random, number};
use std::collections::BTreeSet;

/// More interleavings than these are not tried.
const MOST: usize = 100_000;

fn agrees(program: &Program, seed: u64) -> Result<bool> {
    let Some(all) = program.everything(MOST) else {
        return Ok(false);
    };
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("random.c");
    std::fs::write(&source, program.to_string())?;
    let options = ["--input-size=2", "--no-checks"].map(String::from);
    let summary = explore(&[source], &options, folder.path())?.summary;
    let told = format!("seed {seed}\n{program}\n{summary:?}");
    ensure!(summary.complete, "{told}");

    let store = Store::open_read(&folder.path().join("campaign"))?;
    let runs = store.runs(0, summary.runs)?;
    let codes: BTreeSet<i32> = runs
        .iter()
        .filter_map(|run| match run.outcome {
            RunEnd::Exit(code) => Some(code),
            _ => None,
        })
        .collect();
    ensure!(codes == all.codes, "{codes:?}, not {:?}: {told}", all.codes);
    let lines_of = |kinds: &[&str]| -> BTreeSet<u32> {
        let found = summary.findings.iter();
        let found = found.filter(|one| kinds.contains(&one.kind.as_str()));
        found.map(|one| one.line).collect()
    };
    let failures = all.failures.iter();
    let failures: Option<BTreeSet<u32>> = failures
        .map(|(thread, at)| program.line(*thread, *at))
        .collect();
    ensure!(
        Some(lines_of(&["abort"])) == failures,
        "not {failures:?}: {told}"
    );
    let stuck = !lines_of(&["deadlock", "lost wake-up"]).is_empty();
    ensure!(stuck == all.stuck, "stuck {}: {told}", all.stuck);
    let executions = all.executions.len() as u64;
    ensure!(summary.runs == executions, "not {executions}: {told}");
    Ok(true)
}

/// `ELSEWISE_RANDOM_THREADS` programs, from seed `ELSEWISE_RANDOM_FIRST` on.
#[test]
fn random_programs_with_threads() -> Result<()> {
    let count = number("ELSEWISE_RANDOM_THREADS").unwrap_or(8);
    let first = number("ELSEWISE_RANDOM_FIRST").unwrap_or(0);
    let mut compared = 0;
    for seed in first..first + count {
        let program = Program::new(&mut Random::new(seed));
        compared += u64::from(agrees(&program, seed)?);
    }
    println!("{compared} of {count} programs agree; the others are too large to try everything");
    ensure!(compared > count / 2, "only {compared} were small enough");
    Ok(())
}
