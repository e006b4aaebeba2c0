//! What is expected of the subjects of Prolog is true of the plain programs, and the examples of the paper have
//! its classes.

use anyhow::{Context, Result, ensure};
use elsewise_tests::checked::unless_checked;
use elsewise_tests::command::explore;
use elsewise_tests::compile::root;
use elsewise_tests::prolog::examples;
use elsewise_tests::subjects::{FOLDER, all};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// What the checks depend on.
const FILES: &[&str] = &[
    "tests/prolog",
    "tests/subjects/prolog",
    "tests/tests/whole/prolog.rs",
];

const TRUTH: &str = "tests/prolog/truth.pl";
const GROUP: &str = "prolog";

/// As many cases as there are classes, and nothing is left to explore.
#[test]
fn examples_of_the_paper_have_its_classes() -> Result<()> {
    let examples = examples()?;
    for (file, said) in &examples {
        let folder = tempfile::tempdir()?;
        let target = format!("{}::{}", file.display(), said.entry);
        let summary = explore(&[target.into()], &[], folder.path())?.summary;
        let classes = said.classes.len() as u64;
        ensure!(
            summary.complete && summary.findings.is_empty() && summary.paths == classes,
            "{}: {classes} were expected, {summary:?}",
            file.display()
        );
    }
    ensure!(examples.len() == 4);
    Ok(())
}

/// Runs the check of what is expected on these files.
fn truth(files: &[&Path]) -> Result<Output> {
    Command::new("swipl")
        .arg(root().join(TRUTH))
        .arg("--")
        .args(files)
        .output()
        .context("swipl cannot be run: run scripts/setup")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn expectations_are_true_of_the_plain_programs() -> Result<()> {
    unless_checked(
        "prolog::expectations_are_true_of_the_plain_programs",
        FILES,
        || {
            let output = truth(&[])?;
            let text = said(&output);
            ensure!(output.status.success(), "{text}");
            let expected = format!("{} subjects, 0 wrong", all(GROUP)?.len());
            ensure!(text.contains(&expected), "{text}");
            Ok(())
        },
    )
}

/// What checks them does not take anything for true: changed subjects are refused, each for its
/// reason.
#[test]
fn expectations_that_are_wrong_are_refused() -> Result<()> {
    unless_checked(
        "prolog::expectations_that_are_wrong_are_refused",
        FILES,
        || {
            let changes = [
                // The program or its twin, what is changed to what in it or in what is expected, and what is said.
                (
                    "taken_too_many",
                    "\"failed\"",
                    "\"error\"",
                    "'the witness gives'",
                ),
                ("taken_too_many", "[7]", "[7, 8]", "'the witness gives'"),
                (
                    "taken_too_many",
                    "'take(2",
                    "'tak(2",
                    "'the witness is of another'",
                ),
                ("taken_too_many", "%! take", "% take", "'says no mode'"),
                (
                    "base_not_set",
                    "instantiation_error",
                    "type_error(_, _)",
                    "'the witness gives'",
                ),
                ("base_not_set", " % fails here", "", "'the witness gives'"),
                (
                    "base_not_set",
                    "Cost is 2 * Weight.",
                    "Cost is 2 * Weigt.",
                    "'is loaded with'",
                ),
                // Only other inputs than the witness show these.
                (
                    "base_not_set",
                    "cost(gift, Weight, Cost) :- ",
                    "cost(gift, Weight, Cost) :- Weight < 50, ",
                    "'the bug as well'",
                ),
                (
                    "base_not_set.fixed",
                    "cost(gift, Weight, Cost) :- ",
                    "cost(gift, Weight, Cost) :- Weight < 50, ",
                    "'the twin as well'",
                ),
                ("base_not_set.fixed", "Base = 6", "true", "'the twin gives'"),
                (
                    "looked_up_twice",
                    "lookup([], _, none).",
                    "lookup([], _, none).\nlookup([], _, none).",
                    "'the plainest input fails'",
                ),
                (
                    "round_and_round.fixed",
                    "\\+ memberchk(Next, Visited)",
                    "true",
                    "'the twin gives'",
                ),
            ];
            for (file, from, to, reason) in changes {
                let folder = tempfile::tempdir()?;
                let name = file.trim_end_matches(".fixed");
                let own = root().join(FOLDER).join(GROUP).join(name);
                let changed = [format!("{file}.pl"), "expect.toml".into()];
                let mut found = false;
                for entry in [
                    format!("{name}.pl"),
                    format!("{name}.fixed.pl"),
                    "expect.toml".into(),
                ] {
                    let mut text = fs::read_to_string(own.join(&entry))?;
                    if changed.contains(&entry) {
                        found |= text.contains(from);
                        text = text.replacen(from, to, 1);
                    }
                    fs::write(folder.path().join(entry), text)?;
                }
                ensure!(found, "{file} has no {from}");
                let output = truth(&[&folder.path().join(format!("{name}.pl"))])?;
                let said = said(&output);
                ensure!(
                    !output.status.success() && said.contains(reason),
                    "{file}, {to}: {said}"
                );
            }
            Ok(())
        },
    )
}
