//! The bug of every program in `tests/programs/` is found and confirmed where it is, and nothing
//! is found in its repaired twin.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::{Exploration, explore};
use elsewise_tests::programs::{self, Program};

const FOLDER: &str = "tests/programs";

fn explored(program: &Program, repaired: bool) -> Result<Exploration> {
    let folder = tempfile::tempdir()?;
    let mut options = program.head.options.clone();
    if !options.iter().any(|option| option.starts_with("--budget")) {
        options.push("--budget=120s".into());
    }
    if repaired {
        options.push("--cflags=-DREPAIRED".into());
    }
    if !program.head.args.is_empty() {
        options.push("--".into());
        options.extend(program.head.args.iter().cloned());
    }
    explore(
        std::slice::from_ref(&program.source),
        &options,
        folder.path(),
    )
    .with_context(|| format!("{}, repaired: {repaired}", program.name))
}

/// Programs are shared out among tests, which run at the same time.
fn part(number: usize, of: usize) -> Result<Vec<Program>> {
    let all = programs::all(FOLDER)?.into_iter().enumerate();
    let mine = all.filter(|(index, _)| index % of == number);
    Ok(mine.map(|(_, program)| program).collect())
}

fn bugs_are_found(programs: &[Program]) -> Result<()> {
    let mut wrong = Vec::new();
    for program in programs {
        let Exploration {
            exit_code, summary, ..
        } = explored(program, false)?;
        let good = match summary.findings.as_slice() {
            [finding] => {
                let placed =
                    program.lines == [finding.line] && finding.file.ends_with(&program.name);
                finding.kind == program.head.kind && finding.confirmed && placed
            }
            _ => false,
        };
        if !good || exit_code != 2 || (program.head.complete && !summary.complete) {
            wrong.push(format!("{}: {exit_code}, {summary:?}", program.name));
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

fn twins_are_clean(programs: &[Program]) -> Result<()> {
    let mut wrong = Vec::new();
    for program in programs {
        let Exploration { summary, .. } = explored(program, true)?;
        let good = summary.findings.is_empty() && (summary.complete || !program.head.complete);
        if !good {
            wrong.push(format!("{}: {summary:?}", program.name));
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

#[test]
fn there_are_enough_programs() -> Result<()> {
    let count = programs::all(FOLDER)?.len();
    ensure!(count >= 30, "{count} programs");
    Ok(())
}

#[test]
fn bugs_of_the_first_half_are_found() -> Result<()> {
    bugs_are_found(&part(0, 2)?)
}

#[test]
fn bugs_of_the_second_half_are_found() -> Result<()> {
    bugs_are_found(&part(1, 2)?)
}

#[test]
fn twins_of_the_first_half_are_clean() -> Result<()> {
    twins_are_clean(&part(0, 2)?)
}

#[test]
fn twins_of_the_second_half_are_clean() -> Result<()> {
    twins_are_clean(&part(1, 2)?)
}
