//! What the heads of the Prolog subjects in `tests/prolog/` say is true of the plain programs, and the
//! examples of the paper have its classes.

use anyhow::{Context, Result, ensure};
use elsewise_tests::checked::unless_checked;
use elsewise_tests::command::explore;
use elsewise_tests::compile::root;
use elsewise_tests::heads::head;
use elsewise_tests::prolog::{PaperHead, all, files};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// What the checks depend on.
const FILES: &[&str] = &["tests/prolog", "tests/tests/whole/prolog.rs"];

const SUBJECTS: &str = "tests/prolog";
/// The examples of "Concolic Testing in CLP".
const PAPER: &str = "tests/prolog/paper";

/// As many cases as there are classes, and nothing is left to explore.
#[test]
fn examples_of_the_paper_have_its_classes() -> Result<()> {
    let mut examples = 0;
    for (file, text) in files(PAPER)? {
        // What time is measured with is no example.
        if !text.contains("% : classes") {
            continue;
        }
        let said: PaperHead = head(&text, "% :")?;
        let folder = tempfile::tempdir()?;
        let target = format!("{}::{}", file.display(), said.entry);
        let summary = explore(&[target.into()], &[], folder.path())?.summary;
        let classes = said.classes.len() as u64;
        ensure!(
            summary.complete && summary.findings.is_empty() && summary.paths == classes,
            "{}: {classes} were expected, {summary:?}",
            file.display()
        );
        examples += 1;
    }
    ensure!(examples == 4);
    Ok(())
}

/// Runs the check of heads on these files.
fn truth(files: &[&Path]) -> Result<Output> {
    Command::new("swipl")
        .arg(root().join(SUBJECTS).join("truth.pl"))
        .arg("--")
        .args(files)
        .output()
        .context("swipl cannot be run: run scripts/setup")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn heads_are_true_of_the_plain_programs() -> Result<()> {
    unless_checked(
        "prolog::heads_are_true_of_the_plain_programs",
        FILES,
        || {
            let output = truth(&[])?;
            let text = said(&output);
            ensure!(output.status.success(), "{text}");
            let expected = format!("{} subjects, 0 wrong", all(SUBJECTS)?.len());
            ensure!(text.contains(&expected), "{text}");
            Ok(())
        },
    )
}

/// What checks the heads does not take anything for true: changed subjects are refused, each for its
/// reason.
#[test]
fn heads_that_are_wrong_are_refused() -> Result<()> {
    unless_checked("prolog::heads_that_are_wrong_are_refused", FILES, || {
        let changes = [
            // The file, what is changed to what in it, and what is said.
            (
                "taken_too_many.pl",
                "\"failed\"",
                "\"error\"",
                "'the witness gives'",
            ),
            ("taken_too_many.pl", "[7]", "[7, 8]", "'the witness gives'"),
            (
                "taken_too_many.pl",
                "'take(2",
                "'tak(2",
                "'the witness is of another'",
            ),
            ("taken_too_many.pl", "%! take", "% take", "'says no mode'"),
            (
                "base_not_set.pl",
                "instantiation_error",
                "type_error(_, _)",
                "'the witness gives'",
            ),
            (
                "base_not_set.pl",
                " % fails here",
                "",
                "'the witness gives'",
            ),
            (
                "base_not_set.pl",
                "Cost is 2 * Weight.",
                "Cost is 2 * Weigt.",
                "'is loaded with'",
            ),
            // Only other inputs than the witness show these.
            (
                "base_not_set.pl",
                "cost(gift, Weight, Cost) :- ",
                "cost(gift, Weight, Cost) :- Weight < 50, ",
                "'the bug as well'",
            ),
            (
                "base_not_set.fixed.pl",
                "cost(gift, Weight, Cost) :- ",
                "cost(gift, Weight, Cost) :- Weight < 50, ",
                "'the twin as well'",
            ),
            (
                "base_not_set.fixed.pl",
                "Base = 6",
                "true",
                "'the twin gives'",
            ),
            (
                "looked_up_twice.pl",
                "lookup([], _, none).",
                "lookup([], _, none).\nlookup([], _, none).",
                "'the plainest input fails'",
            ),
            (
                "round_and_round.fixed.pl",
                "\\+ memberchk(Next, Visited)",
                "true",
                "'the twin gives'",
            ),
        ];
        for (file, from, to, reason) in changes {
            let folder = tempfile::tempdir()?;
            let bug = format!("{}.pl", file.split('.').next().unwrap_or_default());
            let twin = bug.replace(".pl", ".fixed.pl");
            for name in [&bug, &twin] {
                let text = fs::read_to_string(root().join(SUBJECTS).join(name))?;
                let text = match name == file {
                    true => {
                        ensure!(text.contains(from), "{file} has no {from}");
                        text.replacen(from, to, 1)
                    }
                    false => text,
                };
                fs::write(folder.path().join(name), text)?;
            }
            let output = truth(&[&folder.path().join(&bug)])?;
            let said = said(&output);
            ensure!(
                !output.status.success() && said.contains(reason),
                "{file}, {to}: {said}"
            );
        }
        Ok(())
    })
}
