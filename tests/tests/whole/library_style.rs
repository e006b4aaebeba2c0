//! Functions in the manner of libraries, explored without a harness written by hand: nothing is found
//! but the bug.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::{Exploration, explore};
use elsewise_tests::compile::root;

/// Explores a function of `tests/library_style/text.c`, whose every access to memory is checked.
fn explored(function: &str) -> Result<Exploration> {
    let folder = tempfile::tempdir()?;
    let file = root().join("tests/library_style/text.c");
    let subject = format!("{}::{function}", file.display()).into();
    let options = ["--sanitize=address", "--budget=150runs", "--jobs=1"];
    let options: Vec<String> = options.map(str::to_string).into();
    explore(&[subject], &options, folder.path()).with_context(|| function.to_string())
}

fn nothing_in(functions: &[&str]) -> Result<()> {
    for function in functions {
        let summary = explored(function)?.summary;
        ensure!(
            summary.findings.is_empty(),
            "{function}: {:?}",
            summary.findings
        );
        ensure!(summary.runs > 2, "{function}: {} runs", summary.runs);
    }
    Ok(())
}

#[test]
fn buffers_are_as_long_as_their_structs_say() -> Result<()> {
    nothing_in(&["text_sum", "words", "checksum"])
}

#[test]
fn hooks_and_streams_are_real_ones() -> Result<()> {
    nothing_in(&["text_append", "text_drop", "text_write"])
}

#[test]
fn callbacks_return_what_makes_a_difference_and_get_what_they_expect() -> Result<()> {
    nothing_in(&["text_each", "count_letter"])?;
    let sides = explored("text_each")?.summary.branch_sides;
    ensure!(sides.reached == sides.total, "{sides:?}");
    Ok(())
}

#[test]
fn the_bug_is_found_at_its_line() -> Result<()> {
    let text = std::fs::read_to_string(root().join("tests/library_style/text.c"))?;
    let line = text.lines().position(|line| line.contains("/* bug */"));
    let summary = explored("text_find")?.summary;
    let places: Vec<(&str, usize)> = summary
        .findings
        .iter()
        .map(|finding| (finding.kind.as_str(), finding.line as usize))
        .collect();
    let line = line.context("no bug is marked")? + 1;
    ensure!(places == [("heap-buffer-overflow", line)], "{places:?}");
    Ok(())
}
