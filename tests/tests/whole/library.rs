//! The C library's functions and their models: the same results on thousands of arguments, and the
//! same outcomes on every input of a small program.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::{explore, program};
use elsewise_tests::compile::{Compiler, root};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn folder() -> PathBuf {
    root().join("tests/library")
}

fn output_of(program: &Path) -> Result<Vec<u8>> {
    let output = Command::new(program).stdin(Stdio::null()).output()?;
    ensure!(
        output.status.success(),
        "{} ended with {}",
        program.display(),
        output.status
    );
    Ok(output.stdout)
}

/// Runs `name` with the real functions and with the models; both must print the same.
fn same_results(name: &str) -> Result<()> {
    let place = tempfile::tempdir()?;
    let source = folder().join(name).with_extension("c");
    let (real, models) = (place.path().join("real"), place.path().join("models"));
    Compiler::Clang.build(std::slice::from_ref(&source), &["-O1", "-w"], &real)?;
    let driver = program()?.with_file_name("elsewise-cc");
    let built = Command::new(driver)
        .args(["-O1", "-w", "-o"])
        .arg(&models)
        .arg(&source)
        .output()?;
    ensure!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let (real, models) = (output_of(&real)?, output_of(&models)?);
    ensure!(real.len() > 10_000, "{name} printed only {}", real.len());
    let lines = |bytes: &[u8]| -> Vec<String> {
        let lines = bytes.split(|byte| *byte == b'\n');
        lines.map(|line| line.escape_ascii().to_string()).collect()
    };
    for (expected, found) in lines(&real).iter().zip(lines(&models)) {
        ensure!(*expected == found, "real:   {expected}\nmodels: {found}");
    }
    ensure!(real.len() == models.len(), "one printed more");
    Ok(())
}

/// Explores `name` and compares with what the real functions do on every input of up to two bytes.
fn same_outcomes(name: &str) -> Result<()> {
    let place = tempfile::tempdir()?;
    let source = folder().join("explored").join(name).with_extension("c");
    let brute = place.path().join("brute");
    Compiler::Clang.build(
        std::slice::from_ref(&source),
        &["-O1", "-w", "-DBRUTE", "-lm"],
        &brute,
    )?;
    let mut truth: BTreeMap<Vec<u8>, u8> = BTreeMap::new();
    for record in output_of(&brute)?.chunks_exact(4) {
        truth.insert(record[1..1 + usize::from(record[0])].to_vec(), record[3]);
    }
    ensure!(truth.len() == 65_536 + 256 + 1, "{} inputs", truth.len());
    let all: BTreeSet<u8> = truth.values().copied().collect();

    let options = ["--max-input=2".to_owned(), "--cflags=-w -lm".to_owned()];
    let explored = explore(&[source], &options, place.path())?;
    let summary = &explored.summary;
    let mut found = BTreeSet::new();
    for case in &explored.cases {
        let input = case.get("stdin").cloned().unwrap_or_default();
        found.insert(*truth.get(&input).context("a case that is too long")?);
    }
    let missed: BTreeSet<u8> = all.difference(&found).copied().collect();
    ensure!(
        missed.is_empty() && summary.complete && summary.approximations.is_empty(),
        "missed {missed:?} of {} outcomes: {summary:?}",
        all.len()
    );
    ensure!(summary.findings.is_empty(), "{summary:?}");
    // The sides of the models are not the program's.
    ensure!(summary.branch_sides.total < 60, "{summary:?}");
    Ok(())
}

macro_rules! tests {
    ($check:ident: $($test:ident $name:literal;)*) => {
        $(
            #[test]
            fn $test() -> Result<()> {
                $check($name)
            }
        )*
    };
}

tests! {
    same_results:
    strings_have_the_same_results "strings";
    numbers_have_the_same_results "numbers";
    scanf_has_the_same_results "scanned";
    the_rest_has_the_same_results "others";
    wide_text_has_the_same_results "wide";
}

tests! {
    same_outcomes:
    searches_are_explored "search";
    comparisons_are_explored "compare";
    tokens_are_explored "tokens";
    whole_numbers_are_explored "whole";
    conversions_are_explored "scan";
    streams_are_explored "streams";
    lines_are_explored "lines";
    sorting_is_explored "order";
    printed_text_is_explored "print";
    callers_of_variadic_functions_keep_their_labels "locals";
    operations_of_several_nodes_are_explored "operations";
    floats_are_explored "floats";
}
