//! Of random functions, what Elsewise says is true: what it calls explored has no failure that the plain
//! function shows, and what it calls a failure is one for what the function may be given.

use anyhow::{Result, ensure};
use elsewise_test_random::number;
use elsewise_tests::command::explore;
use elsewise_tests::random_functions::generate::{FUNCTION, Program};
use elsewise_tests::random_functions::judge::{Verdict, judge};
use elsewise_tests::random_functions::truth::Truth;
use std::collections::BTreeMap;

/// Seconds for each.
const BUDGET: u64 = 10;

/// What was said of one, or everything about it if that is wrong.
fn compare(program: &Program) -> Result<Result<Verdict, String>> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("subject.c");
    std::fs::write(&source, &program.source)?;
    let truth = Truth::of(program, folder.path())?;
    let mut options = program.options.clone();
    options.push(format!("--budget={BUDGET}s"));
    let mut subject = source.into_os_string();
    subject.push(format!("::{FUNCTION}"));
    let explored = explore(&[subject.into()], &options, folder.path())?;
    Ok(judge(program, &truth, &explored).map_err(|wrong| {
        let begin = program.source.find("struct entry").unwrap_or(0);
        let text: String = (1..)
            .zip(program.source.lines())
            .skip(program.source[..begin].lines().count() + 4)
            .map(|(number, line)| format!("{number:4} {line}\n"))
            .collect();
        format!(
            "seed {}: {wrong}\n{text}explore subject.c::{FUNCTION} {}\n{truth:?}\n{:?}",
            program.seed,
            options.join(" "),
            explored.summary
        )
    }))
}

/// `ELSEWISE_RANDOM_FUNCTIONS` functions, from seed `ELSEWISE_RANDOM_FIRST` on: one half of them.
fn half(which: u64) -> Result<()> {
    let watched = number("ELSEWISE_RANDOM_FUNCTIONS");
    let count = watched.unwrap_or(6) / 2;
    let first = number("ELSEWISE_RANDOM_FIRST").unwrap_or(0) + which * count;
    let mut verdicts: BTreeMap<Verdict, u64> = BTreeMap::new();
    let mut wrong = Vec::new();
    for seed in first..first + count {
        match compare(&Program::new(seed)) {
            Ok(Ok(verdict)) => {
                if watched.is_some() {
                    println!("seed {seed}: {verdict:?}");
                }
                *verdicts.entry(verdict).or_default() += 1;
            }
            Ok(Err(said)) => wrong.push(said),
            Err(error) => wrong.push(format!("seed {seed}: {error:#}")),
        }
    }
    let complete = verdicts.get(&Verdict::Complete).copied().unwrap_or(0);
    println!("{complete} of {count} are complete: {verdicts:?}");
    ensure!(
        wrong.is_empty(),
        "{} of {count} are wrong\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    // What is mostly given up shows little.
    ensure!(
        complete * 2 >= count,
        "only {complete} of {count} are complete"
    );
    Ok(())
}

/// Two tests, so that they run side by side.
#[test]
fn the_first_half_of_random_functions() -> Result<()> {
    half(0)
}

#[test]
fn the_second_half_of_random_functions() -> Result<()> {
    half(1)
}
