//! The rules of the house that a script can check.

mod dependencies;
mod text;

use crate::repository::Repository;
use crate::{calls, map};
use anyhow::Result;

/// Everything that is not as it should be, one line each.
pub fn check(repository: &Repository) -> Result<Vec<String>> {
    let mut problems = dependencies::check(repository)?;
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

fn check_map(repository: &Repository) -> Result<Vec<String>> {
    let wanted = map::make(repository)?;
    let mut problems: Vec<String> = wanted
        .silent
        .iter()
        .map(|file| format!("{file}: begins with no comment that says what it is; write one"))
        .collect();
    let written = map::written(repository)?;
    let differs = |line: &&str, other: &str| !line.is_empty() && !other.lines().any(|l| l == *line);
    for line in written.lines().filter(|line| differs(line, &wanted.text)) {
        problems.push(format!("{}: not true any more: {line}", map::FILE));
    }
    for line in wanted.text.lines().filter(|line| differs(line, &written)) {
        problems.push(format!(
            "{}: missing: {line}; run `cargo xtask map`",
            map::FILE
        ));
    }
    if problems.is_empty() && written != wanted.text {
        problems.push(format!(
            "{}: the map's order changed; run `cargo xtask map`",
            map::FILE
        ));
    }
    Ok(problems)
}

/// `1 problem`, `2 problems`.
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_that_lags_behind_is_told_line_by_line() {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository::of(
            folder.path(),
            &[
                (
                    "ARCHITECTURE.md",
                    "<!-- map: written by `cargo xtask map` -->\n\n### crates/a\n\n\
                     - `src/gone.rs`: Gone.\n\n<!-- end of map -->\n",
                ),
                ("crates/a/Cargo.toml", ""),
                ("crates/a/src/lib.rs", "//! Here.\n"),
                ("crates/a/src/silent.rs", "use x;\n"),
            ],
        );
        let problems = check_map(&repository).unwrap();
        assert_eq!(problems.len(), 3, "{problems:#?}");
        assert!(problems[0].contains("silent.rs: begins with no comment"));
        assert!(problems[1].contains("not true any more: - `src/gone.rs`"));
        assert!(problems[2].contains("missing: - `src/lib.rs`: Here."));
        map::write(&repository).unwrap_err();
        std::fs::write(repository.path("crates/a/src/silent.rs"), "//! Speaks.\n").unwrap();
        map::write(&repository).unwrap();
        assert_eq!(check_map(&repository).unwrap(), Vec::<String>::new());
    }
}
