//! The bug of every program in `tests/programs/` is found and confirmed where it is, and nothing
//! is found in its repaired twin.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::{Exploration, explore};
use elsewise_tests::programs::{self, Program, part};

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

fn bugs_are_found(programs: &[Program]) -> Result<()> {
    programs::bugs_are_found(programs, |program| explored(program, false))
}

fn twins_are_clean(programs: &[Program]) -> Result<()> {
    programs::twins_are_clean(programs, |program| explored(program, true))
}

#[test]
fn there_are_enough_programs() -> Result<()> {
    let count = programs::all(FOLDER)?.len();
    ensure!(count >= 30, "{count} programs");
    Ok(())
}

#[test]
fn bugs_of_the_first_half_are_found() -> Result<()> {
    bugs_are_found(&part(FOLDER, 0, 2)?)
}

#[test]
fn bugs_of_the_second_half_are_found() -> Result<()> {
    bugs_are_found(&part(FOLDER, 1, 2)?)
}

#[test]
fn twins_of_the_first_half_are_clean() -> Result<()> {
    twins_are_clean(&part(FOLDER, 0, 2)?)
}

#[test]
fn twins_of_the_second_half_are_clean() -> Result<()> {
    twins_are_clean(&part(FOLDER, 1, 2)?)
}
