//! For random small programs, what Elsewise explores is what there is: the paths and outcomes that
//! running the plain program on every input shows, no more and no less.

use anyhow::{Context, Result, ensure};
use elsewise_test_random::number;
use elsewise_tests::brute::Truth;
use elsewise_tests::command::explore;
use elsewise_tests::compile::Compiler;
use elsewise_tests::generator::program;
use std::ops::Range;

/// Programs with more paths than this are left to the others: exploring them takes too long here.
const MOST_PATHS: usize = 600;

/// Compares the programs of these seeds with the truth; how many were compared.
fn compare(seeds: Range<u64>) -> Result<u64> {
    let mut compared = 0;
    let mut wrong = Vec::new();
    for seed in seeds {
        let folder = tempfile::tempdir()?;
        let program = program(seed);
        let truth = Truth::of(&program, Compiler::Gcc, &["-O0"], folder.path())?;
        if truth.paths().len() > MOST_PATHS {
            continue;
        }
        compared += 1;
        let source = folder.path().join(format!("program{seed}.c"));
        let options = [
            format!("--input-size={}", program.bytes),
            "--cflags=-w".to_owned(),
        ];
        let explored =
            explore(&[source], &options, folder.path()).with_context(|| format!("seed {seed}"))?;
        let cases: Vec<Vec<u8>> = explored
            .cases
            .iter()
            .map(|case| case.get("stdin").cloned().unwrap_or_default())
            .collect();
        let summary = &explored.summary;
        let aborted = summary
            .findings
            .iter()
            .any(|finding| finding.kind == "abort");
        let comparison = truth.compare(&cases, summary.paths, aborted)?;
        // Where something was given up, the summary must not say complete; here nothing has to be.
        if !comparison.is_equal() || !summary.complete {
            wrong.push(format!(
                "seed {seed}: {} paths, explored {}, complete: {}, approximations: {:?}, abort \
                 differs: {}, missed: {:?}",
                comparison.paths,
                comparison.claimed,
                summary.complete,
                summary.approximations,
                comparison.abort_differs,
                comparison.missed
            ));
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(compared)
}

/// `ELSEWISE_RANDOM_PATHS` programs, from seed `ELSEWISE_RANDOM_FIRST` on: one half of them.
fn half(which: u64) -> Result<()> {
    let count = number("ELSEWISE_RANDOM_PATHS").unwrap_or(24);
    let first = number("ELSEWISE_RANDOM_FIRST").unwrap_or(0) + which * (count / 2);
    let compared = compare(first..first + count / 2)?;
    let wanted = count / 2 * 5 / 6;
    ensure!(compared >= wanted, "only {compared} programs were compared");
    Ok(())
}

/// Two tests, so that they run side by side.
#[test]
fn the_first_half_of_random_programs() -> Result<()> {
    half(0)
}

#[test]
fn the_second_half_of_random_programs() -> Result<()> {
    half(1)
}
