//! The rules of the house that a script can check.

mod circles;
mod dependencies;
mod examples;
mod opening;
mod text;

use crate::calls;
use crate::repository::Repository;
use anyhow::Result;

/// The words, the rooms and the invariants.
const MAP: &str = "ARCHITECTURE.md";

/// Everything that is not as it should be, one line each.
pub fn check(repository: &Repository) -> Result<Vec<String>> {
    let mut problems = dependencies::check(repository)?;
    problems.extend(circles::check(repository)?);
    problems.extend(opening::check(repository)?);
    problems.extend(examples::check(repository)?);
    problems.extend(check_map(repository)?);
    if repository.read(calls::FILE)? != calls::page()? {
        problems.push(format!(
            "{}: is not what the table says; run `cargo xtask calls`",
            calls::FILE
        ));
    }
    problems.extend(text::check(repository)?);
    Ok(problems)
}

/// Longer, nobody reads it.
const LONGEST_MAP: usize = 300;

fn check_map(repository: &Repository) -> Result<Vec<String>> {
    let lines = repository.read(MAP)?.lines().count();
    let too_long = (lines > LONGEST_MAP).then(|| {
        format!("{MAP}: {lines} lines, more than {LONGEST_MAP}; what a crate is about stands in its lib.rs")
    });
    Ok(too_long.into_iter().collect())
}

/// `1 problem`, `2 problems`.
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_that_nobody_reads_is_a_problem() {
        let problems = |lines: usize| {
            let folder = tempfile::tempdir().unwrap();
            let text = "line\n".repeat(lines);
            check_map(&Repository::of(folder.path(), &[(MAP, &text)])).unwrap()
        };
        assert_eq!(problems(LONGEST_MAP), Vec::<String>::new());
        assert_eq!(problems(LONGEST_MAP + 1).len(), 1);
    }
}
