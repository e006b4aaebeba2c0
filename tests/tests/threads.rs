//! The bug of every subject with threads in `tests/threads/` is found and seen again where it is, and
//! nothing is found in its repaired twin; where the space is small, all of it is explored.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::{Exploration, explore};
use elsewise_tests::programs::{self, Program, part};

const SUBJECTS: &str = "tests/threads";
const STUDIES: &str = "tests/threads/studies";
/// Bugs of real programs, told again in a few lines.
const PUBLISHED: &str = "tests/threads/published";
/// Runs of a subject that cannot be explored completely.
const BUDGET: &str = "--budget=2000runs";
const TWIN_BUDGET: &str = "--budget=300runs";

fn explored(program: &Program, repaired: bool) -> Result<Exploration> {
    let folder = tempfile::tempdir()?;
    let mut options = program.head.options.clone();
    let limited = |option: &String| option.starts_with("--budget");
    if !program.head.complete && (repaired || !options.iter().any(limited)) {
        options.retain(|option| !limited(option));
        options.push(if repaired { TWIN_BUDGET } else { BUDGET }.into());
    }
    if repaired {
        options.push("--cflags=-DREPAIRED".into());
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
fn there_are_enough_subjects() -> Result<()> {
    let count = programs::all(SUBJECTS)?.len();
    ensure!(count >= 70, "{count} subjects");
    ensure!(programs::all(STUDIES)?.len() == 10);
    ensure!(programs::all(PUBLISHED)?.len() >= 10);
    Ok(())
}

#[test]
fn bugs_of_the_first_third_are_found() -> Result<()> {
    bugs_are_found(&part(SUBJECTS, 0, 3)?)
}

#[test]
fn bugs_of_the_second_third_are_found() -> Result<()> {
    bugs_are_found(&part(SUBJECTS, 1, 3)?)
}

#[test]
fn bugs_of_the_last_third_are_found() -> Result<()> {
    bugs_are_found(&part(SUBJECTS, 2, 3)?)
}

#[test]
fn twins_of_the_first_third_are_clean() -> Result<()> {
    twins_are_clean(&part(SUBJECTS, 0, 3)?)
}

#[test]
fn twins_of_the_second_third_are_clean() -> Result<()> {
    twins_are_clean(&part(SUBJECTS, 1, 3)?)
}

#[test]
fn twins_of_the_last_third_are_clean() -> Result<()> {
    twins_are_clean(&part(SUBJECTS, 2, 3)?)
}

#[test]
fn bugs_of_the_case_studies_are_found() -> Result<()> {
    bugs_are_found(&part(STUDIES, 0, 1)?)
}

#[test]
fn twins_of_the_case_studies_are_clean() -> Result<()> {
    twins_are_clean(&part(STUDIES, 0, 1)?)
}

#[test]
fn published_bugs_are_found() -> Result<()> {
    bugs_are_found(&part(PUBLISHED, 0, 1)?)
}

#[test]
fn twins_of_published_bugs_are_clean() -> Result<()> {
    twins_are_clean(&part(PUBLISHED, 0, 1)?)
}
