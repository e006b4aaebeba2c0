//! Threads at the border to the C library. Its functions touch memory of the program as the program itself does: what they
//! read and write for one thread while another touches it is a data race, and no more than that.

use anyhow::{Result, ensure};
use elsewise_tests::command::{Summary, explore};
use elsewise_tests::compile::root;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A data race shows itself in whichever run: other orders need not be tried.
const BUDGET: &str = "--budget=60s,3runs";

fn source(name: &str) -> PathBuf {
    root().join("tests/thread_borders").join(name)
}

fn explored(name: &str, options: &[&str]) -> Result<Summary> {
    let options: Vec<String> = options.iter().map(ToString::to_string).collect();
    let place = tempfile::tempdir()?;
    Ok(explore(&[source(name)], &options, place.path())?.summary)
}

/// Lines that are marked as parts of data races, and those that are told as such.
fn races(name: &str, summary: &Summary) -> Result<(BTreeSet<u32>, BTreeSet<u32>)> {
    let text = std::fs::read_to_string(source(name))?;
    let lines = text.lines().zip(1..);
    let marked: BTreeSet<u32> = lines
        .filter_map(|(line, number)| line.ends_with("// races").then_some(number))
        .collect();
    let file = format!("{name}:");
    let told = summary.findings.iter().flat_map(|finding| {
        let places = finding.message.split(&file).skip(1);
        let numbers = places.filter_map(|rest| rest.split(')').next()?.parse().ok());
        numbers.collect::<Vec<u32>>()
    });
    let told = told.filter(|line| marked.contains(line)).collect();
    Ok((marked, told))
}

fn each_is_found(name: &str) -> Result<()> {
    let summary = explored(name, &[BUDGET])?;
    let (marked, told) = races(name, &summary)?;
    ensure!(marked.len() >= 20, "{marked:?}");
    ensure!(marked == told, "not told: {:?}", &marked - &told);
    let others = summary.findings.iter().find(|one| one.kind != "data race");
    ensure!(others.is_none(), "{others:?}");
    let twin = explored(name, &["--cflags=-DREPAIRED", BUDGET])?;
    ensure!(twin.findings.is_empty() && twin.complete, "{twin:?}");
    Ok(())
}

#[test]
fn what_functions_write_while_others_read_it() -> Result<()> {
    each_is_found("writes.c")
}

#[test]
fn what_functions_read_while_others_write_it() -> Result<()> {
    each_is_found("reads.c")
}

#[test]
fn they_touch_no_more_than_they_do() -> Result<()> {
    let summary = explored("apart.c", &["--budget=60s"])?;
    ensure!(
        summary.findings.is_empty() && summary.complete,
        "{summary:?}"
    );
    Ok(())
}

/// How much some functions write is not known before: no data race is told, but both orders are run.
#[test]
fn both_orders_are_run_where_it_is_not_known_how_much_is_touched() -> Result<()> {
    let summary = explored("perhaps.c", &["--budget=60s"])?;
    let kinds: Vec<&str> = summary
        .findings
        .iter()
        .map(|one| one.kind.as_str())
        .collect();
    ensure!(kinds == ["assertion"] && summary.complete, "{summary:?}");
    Ok(())
}

#[test]
fn a_thread_that_can_be_cancelled_anywhere_is_counted() -> Result<()> {
    let summary = explored("cancelled.c", &["--budget=60s,200runs"])?;
    let counted = summary
        .approximations
        .contains_key("asynchronous-cancellation");
    ensure!(counted && !summary.complete, "{summary:?}");
    Ok(())
}
