//! What no tracked file may be or mention.

use crate::repository::Repository;
use anyhow::Result;

/// A source file that needs more is two files.
const LINES: usize = 600;

/// Folders and hosts of one machine. Written in halves, so that this file does not name them.
fn forbidden() -> Vec<(String, &'static str)> {
    let path = "a path of one machine; write it relative to the repository";
    let host = "a host of a package registry; name the package, its manager knows the host";
    let mut all: Vec<(String, &'static str)> = [("/wo", "rk/"), ("/ro", "ot/"), ("/ho", "me/")]
        .map(|(a, b)| (format!("{a}{b}"), path))
        .into();
    all.extend(
        [
            ("deb.debi", "an.org"),
            ("security.debi", "an.org"),
            ("static.crat", "es.io"),
            ("index.crat", "es.io"),
            ("py", "pi.org"),
            ("files.python", "hosted.org"),
            ("registry.npm", "js.org"),
        ]
        .map(|(a, b)| (format!("{a}{b}"), host)),
    );
    all
}

/// Written by tools, not by people.
fn is_generated(file: &str) -> bool {
    file == "Cargo.lock" || file.ends_with(".snap")
}

pub fn check(repository: &Repository) -> Result<Vec<String>> {
    let forbidden = forbidden();
    let mut problems = Vec::new();
    for file in repository.files() {
        if is_generated(file) {
            continue;
        }
        let Some(text) = repository.read_text(file)? else {
            continue;
        };
        let source = [".rs", ".c", ".cpp", ".h"]
            .iter()
            .any(|ending| file.ends_with(ending));
        let lines = text.lines().count();
        if source && lines > LINES {
            problems.push(format!(
                "{file}: {lines} lines, more than {LINES}; part it by what it holds"
            ));
        }
        for (number, line) in text.lines().enumerate() {
            for (word, why) in &forbidden {
                if mentions(line, word) {
                    problems.push(format!("{file}:{}: {word} is {why}", number + 1));
                }
            }
            if line.trim_end() != line && !file.ends_with(".md") {
                problems.push(format!(
                    "{file}:{}: blanks at the end of the line",
                    number + 1
                ));
            }
        }
    }
    Ok(problems)
}

/// Whether `line` holds `word` as the beginning of a path or name, not inside a longer one.
fn mentions(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '}' | '~'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(file: &str, text: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        check(&Repository::of(folder.path(), &[(file, text)])).unwrap()
    }

    #[test]
    fn a_long_source_file_is_a_problem_and_a_long_text_is_none() {
        let text = "x\n".repeat(LINES + 1);
        assert_eq!(problems("a.rs", &text).len(), 1);
        assert!(problems("a.rs", &text[2..]).is_empty());
        assert!(problems("a.md", &text).is_empty());
    }

    #[test]
    fn machine_paths_and_registry_hosts_are_problems() {
        for (word, _) in forbidden() {
            assert_eq!(problems("a.md", &format!("see {word}x")).len(), 1, "{word}");
            assert_eq!(
                problems("a.md", &format!("see \"{word}\"")).len(),
                1,
                "{word}"
            );
        }
        assert!(problems("a.md", &format!("see target/wo{}", "rk/x")).is_empty());
        assert!(problems("a.md", "crates.io and Debian are fine").is_empty());
    }

    #[test]
    fn blanks_at_the_end_are_problems_outside_markdown() {
        assert_eq!(problems("a.c", "int x; \n").len(), 1);
        assert!(problems("a.md", "hard break  \n").is_empty());
    }
}
