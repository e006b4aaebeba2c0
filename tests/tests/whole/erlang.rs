//! What the heads of the Erlang and Elixir subjects in `tests/erlang/` say is true of the plain modules, and
//! their numbers of runs and of orders are those that they tell of.

use anyhow::{Context, Result, ensure};
use elsewise_tests::checked::unless_checked;
use elsewise_tests::command::explore;
use elsewise_tests::compile::root;
use elsewise_tests::erlang::all;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// What the checks depend on.
const FILES: &[&str] = &["tests/erlang", "tests/tests/whole/erlang.rs"];

const SUBJECTS: &str = "tests/erlang";
/// CutEr's examples, told again.
const CUTER: &str = "tests/erlang/cuter";
const PROCESSES: &str = "tests/erlang/processes";

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
        let Some(executions) = subject.head.executions else {
            continue;
        };
        compared += 1;
        let summary = subject.explored(false, &[])?.summary;
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
        let Some(runs) = subject.head.cuter_executions else {
            continue;
        };
        compared += 1;
        let summary = subject
            .explored(false, &[format!("--budget={runs}runs")])?
            .summary;
        let found = summary
            .findings
            .iter()
            .any(|one| one.kind == subject.head.kind);
        ensure!(
            found && summary.runs <= runs,
            "{}: {summary:?}",
            subject.name
        );
    }
    ensure!(compared >= 3);
    Ok(())
}

/// Runs the check of heads on these files.
fn truth(files: &[&Path]) -> Result<Output> {
    Command::new("escript")
        .arg(root().join(SUBJECTS).join("truth.escript"))
        .args(files)
        .output()
        .context("escript cannot be run: run scripts/setup")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn heads_are_true_of_the_plain_modules() -> Result<()> {
    unless_checked("erlang::heads_are_true_of_the_plain_modules", FILES, || {
        let output = truth(&[])?;
        ensure!(output.status.success(), "{}", said(&output));
        Ok(())
    })
}

/// What checks the heads does not take anything for true: changed subjects are refused, each for its reason.
#[test]
fn heads_that_are_wrong_are_refused() -> Result<()> {
    unless_checked("erlang::heads_that_are_wrong_are_refused", FILES, || {
        let folder = tempfile::tempdir()?;
        let changes = [
            (
                "second_place.erl",
                "\"function_clause\"",
                "\"badmatch\"",
                "the witness gives",
            ),
            ("second_place.erl", "[7, 7]", "[7, 8]", "the witness gives"),
            (
                "second_place.erl",
                "-ifdef(FIX)",
                "-ifdef(OTHER)",
                "the twin gives",
            ),
            (
                "limit_infinity.erl",
                "left(5, infinity)",
                "left(5, 9)",
                "the witness gives",
            ),
            (
                "limit_infinity.erl",
                "left(_, infinity) -> infinity",
                "left(_, infinity) -> none",
                "the twin gives",
            ),
            // Only other inputs than the witness show these.
            (
                "filled_exactly.erl",
                "Much -> {spilled",
                "Much when Much < 50 -> {spilled",
                "the twin:",
            ),
            (
                "thirty_degrees.erl",
                "% fails here",
                "",
                "the witness gives",
            ),
            (
                "alias_of_nobody.erl",
                "{_, Number} -> Number",
                "{_, Number} when Number < 9 -> Number",
                "the bug as well",
            ),
            (
                "processes/two_to_one.erl",
                "executions = 2",
                "executions = 3",
                "2 executions",
            ),
            (
                "processes/two_to_one.erl",
                "[First, Second].\n-else",
                "[a, b] = [First, Second].\n-else",
                "the twin gives",
            ),
        ];
        let mut files = Vec::new();
        for (index, (file, from, to, _)) in changes.iter().enumerate() {
            let text = fs::read_to_string(root().join(SUBJECTS).join(file))?;
            ensure!(text.contains(from), "{file} has no {from}");
            // The folder tells which kind of subject it is.
            let named = Path::new(file).with_file_name(format!("changed{index}.erl"));
            let changed = folder.path().join(named);
            fs::create_dir_all(changed.parent().context("no folder")?)?;
            fs::write(&changed, text.replacen(from, to, 1))?;
            files.push(changed);
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
    })
}
