//! What is expected of the subjects of Erlang and Elixir is true of the plain modules, and their numbers of runs
//! and of orders are those that they tell of.

use anyhow::{Context, Result, ensure};
use elsewise_tests::checked::unless_checked;
use elsewise_tests::command::explore;
use elsewise_tests::compile::root;
use elsewise_tests::subjects::{FOLDER, Twin, all};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// What the checks depend on.
const FILES: &[&str] = &[
    "tests/erlang",
    "tests/subjects/erlang",
    "tests/subjects/erlang_cuter",
    "tests/subjects/erlang_processes",
    "tests/tests/whole/erlang.rs",
];

const TRUTH: &str = "tests/erlang/truth.escript";
/// CutEr's examples, told again.
const CUTER: &str = "erlang_cuter";
const PROCESSES: &str = "erlang_processes";

/// The paper's `app/2`, at term depth 3: lists of none to three elements, and nothing else.
#[test]
fn append_has_four_cases_at_depth_three() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("fig5.erl");
    fs::write(
        &file,
        "-module(fig5).\n-export([main/1]).\n-spec main(list()) -> list().\n\
         main(X) -> app(X, X).\n\
         app([], Y) -> Y;\napp([H | T], Y) -> [H | app(T, Y)].\n",
    )?;
    let target = format!("{}::main/1", file.display());
    let options = ["--term-depth=3".to_string()];
    let summary = explore(&[target.into()], &options, folder.path())?.summary;
    ensure!(summary.complete && summary.findings.is_empty());
    ensure!(summary.runs == 4 && summary.paths == 4, "{summary:?}");
    Ok(())
}

/// A call that does not end is broken off when the budget ends.
#[test]
fn a_call_that_hangs_keeps_to_the_budget() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("hang.erl");
    fs::write(
        &file,
        "-module(hang).\n-export([f/1]).\n-spec f(integer()) -> integer().\n\
         f(7) -> f(7);\nf(_) -> 0.\n",
    )?;
    let target = format!("{}::f/1", file.display());
    let options = ["--budget=3s", "--timeout=120000"].map(String::from);
    let began = Instant::now();
    let summary = explore(&[target.into()], &options, folder.path())?.summary;
    let took = began.elapsed();
    ensure!(
        summary.findings.is_empty() && !summary.complete,
        "{summary:?}"
    );
    ensure!(took < Duration::from_secs(20), "{took:?}");
    Ok(())
}

/// Each order of messages that differs is run once.
#[test]
fn executions_are_the_orders_of_messages() -> Result<()> {
    let mut compared = 0;
    for subject in all(PROCESSES)? {
        let Some(executions) = subject.expect.executions else {
            continue;
        };
        compared += 1;
        let summary = subject.explored(Twin::Bug, None)?.summary;
        ensure!(
            summary.complete && summary.runs == executions && summary.paths == executions,
            "{}: {executions} were expected, {summary:?}",
            subject.name
        );
    }
    ensure!(compared >= 6);
    Ok(())
}

/// The bug is found within as many runs as CutEr had for the function that it is told after.
#[test]
fn cuters_examples_need_no_more_runs_than_it_had() -> Result<()> {
    let mut compared = 0;
    for subject in all(CUTER)? {
        let Some(runs) = subject.expect.cuter_executions else {
            continue;
        };
        compared += 1;
        let summary = subject
            .explored(Twin::Bug, Some(&format!("{runs}runs")))?
            .summary;
        let found = summary
            .findings
            .iter()
            .any(|one| one.kind == subject.expect.kind);
        ensure!(
            found && summary.runs <= runs,
            "{}: {summary:?}",
            subject.name
        );
    }
    ensure!(compared >= 3);
    Ok(())
}

/// Runs the check of what is expected on these files.
fn truth(files: &[&Path]) -> Result<Output> {
    Command::new("escript")
        .arg(root().join(TRUTH))
        .args(files)
        .output()
        .context("escript cannot be run: run scripts/setup")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn expectations_are_true_of_the_plain_modules() -> Result<()> {
    unless_checked(
        "erlang::expectations_are_true_of_the_plain_modules",
        FILES,
        || {
            let output = truth(&[])?;
            ensure!(output.status.success(), "{}", said(&output));
            Ok(())
        },
    )
}

/// What checks them does not take anything for true: changed subjects are refused, each for its reason.
#[test]
fn expectations_that_are_wrong_are_refused() -> Result<()> {
    unless_checked(
        "erlang::expectations_that_are_wrong_are_refused",
        FILES,
        || {
            let folder = tempfile::tempdir()?;
            let changes = [
                (
                    "erlang/second_place",
                    "\"function_clause\"",
                    "\"badmatch\"",
                    "the witness gives",
                ),
                (
                    "erlang/second_place",
                    "[7, 7]",
                    "[7, 8]",
                    "the witness gives",
                ),
                (
                    "erlang/second_place",
                    "-ifdef(REPAIRED)",
                    "-ifdef(OTHER)",
                    "the twin gives",
                ),
                (
                    "erlang/limit_infinity",
                    "left(5, infinity)",
                    "left(5, 9)",
                    "the witness gives",
                ),
                (
                    "erlang/limit_infinity",
                    "left(_, infinity) -> infinity",
                    "left(_, infinity) -> none",
                    "the twin gives",
                ),
                // Only other inputs than the witness show these.
                (
                    "erlang/filled_exactly",
                    "Much -> {spilled",
                    "Much when Much < 50 -> {spilled",
                    "the twin:",
                ),
                (
                    "erlang/thirty_degrees",
                    "% fails here",
                    "",
                    "the witness gives",
                ),
                (
                    "erlang/alias_of_nobody",
                    "{_, Number} -> Number",
                    "{_, Number} when Number < 9 -> Number",
                    "the bug as well",
                ),
                (
                    "erlang_processes/two_to_one",
                    "executions = 2",
                    "executions = 3",
                    "2 executions",
                ),
                (
                    "erlang_processes/two_to_one",
                    "[First, Second].\n-else",
                    "[a, b] = [First, Second].\n-else",
                    "the twin gives",
                ),
            ];
            let mut files = Vec::new();
            for (index, (subject, from, to, _)) in changes.iter().enumerate() {
                let (group, name) = subject.split_once('/').context("no group")?;
                let own = root().join(FOLDER).join(subject);
                // The group tells which kind of subject it is.
                let changed = folder.path().join(group).join(format!("changed{index}"));
                fs::create_dir_all(&changed)?;
                let mut found = false;
                for (file, copy) in [
                    (format!("{name}.erl"), format!("changed{index}.erl")),
                    ("expect.toml".into(), "expect.toml".into()),
                ] {
                    let text = fs::read_to_string(own.join(file))?;
                    found |= text.contains(from);
                    fs::write(changed.join(copy), text.replacen(from, to, 1))?;
                }
                ensure!(found, "{subject} has no {from}");
                files.push(changed.join(format!("changed{index}.erl")));
            }
            let files: Vec<&Path> = files.iter().map(|file| file.as_path()).collect();
            let output = truth(&files)?;
            let said = said(&output);
            ensure!(!output.status.success(), "{said}");
            for (index, (file, _, to, reason)) in changes.iter().enumerate() {
                let expected = format!("changed{index}.erl: {reason}");
                ensure!(said.contains(&expected), "{file}, {to}: {said}");
            }
            Ok(())
        },
    )
}
