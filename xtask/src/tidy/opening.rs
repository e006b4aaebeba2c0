//! Every source file begins with a comment that says what it is.

use crate::repository::Repository;
use anyhow::Result;

/// Folders of small programs that say what they are in other ways.
const FOLDERS: [&str; 4] = [
    "tests/book/",
    "tests/border_programs/",
    "tests/subjects/",
    "tests/textbook/",
];

pub fn check(repository: &Repository) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for file in repository.files() {
        let is_excepted = FOLDERS.iter().any(|folder| file.starts_with(folder));
        if is_source(file) && !is_excepted && sentence(&repository.read(file)?).is_none() {
            problems.push(format!(
                "{file}: begins with no comment that says what it is; write one"
            ));
        }
    }
    Ok(problems)
}

fn is_source(file: &str) -> bool {
    [
        ".rs", ".c", ".cpp", ".h", ".erl", ".hrl", ".escript", ".ex", ".exs", ".pl",
    ]
    .iter()
    .any(|ending| file.ends_with(ending))
}

/// First sentence of the comment that a source file begins with.
fn sentence(text: &str) -> Option<String> {
    let mut text = text.trim_start();
    if text.starts_with("#!") {
        text = text.split_once('\n')?.1.trim_start();
    }
    let mut words = String::new();
    if let Some(rest) = text.strip_prefix("/*") {
        words.push_str(rest.split("*/").next()?.trim_start_matches('*'));
        words = words.replace("\n *", "\n");
    } else {
        // Of Rust and C, of Erlang, and of Elixir.
        let markers = ["//!", "//", "%%%", "%%", "%", "# "];
        let marker = markers.into_iter().find(|marker| text.starts_with(marker));
        let marker = marker?;
        for line in text.lines() {
            let Some(line) = line.strip_prefix(marker) else {
                break;
            };
            if line.trim().is_empty() && !words.is_empty() {
                break;
            }
            words.push_str(line);
            words.push('\n');
        }
    }
    let paragraph = words.trim().split("\n\n").next()?;
    let paragraph = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut end = paragraph.len();
    for (at, _) in paragraph.match_indices(". ") {
        // `e.g. this` goes on: a sentence begins with a capital or a code mark.
        if paragraph[at + 2..].starts_with(|c: char| c.is_uppercase() || c == '`' || c == '[') {
            end = at + 1;
            break;
        }
    }
    let sentence = paragraph[..end].replace("[`", "`").replace("`]", "`");
    (!sentence.is_empty()).then_some(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_where_the_next_begins() {
        let text = "//! Reads e.g. this\n//! and [`That`]. Then more.\n//!\n//! Second.\nuse x;\n";
        assert_eq!(
            sentence(text).as_deref(),
            Some("Reads e.g. this and `That`.")
        );
        assert_eq!(
            sentence("/* A tree.\n * More. */\nint x;").as_deref(),
            Some("A tree.")
        );
        assert_eq!(
            sentence("/* One line only */").as_deref(),
            Some("One line only")
        );
        assert_eq!(
            sentence("// Shim for X\n// and Y.\n\nint z;").as_deref(),
            Some("Shim for X and Y.")
        );
        assert_eq!(
            sentence("%% Calls of\n%% functions. More.\n-module(x).\n").as_deref(),
            Some("Calls of functions.")
        );
        assert_eq!(
            sentence("#!/usr/bin/env escript\n%% Measures.\nmain(_) -> ok.\n").as_deref(),
            Some("Measures.")
        );
        assert_eq!(
            sentence("# A task for mix.\ndefmodule X do\nend\n").as_deref(),
            Some("A task for mix.")
        );
        assert_eq!(sentence("#include <x.h>\n"), None);
        assert_eq!(sentence("use x;\n// later\n"), None);
        assert_eq!(sentence(""), None);
    }

    #[test]
    fn files_that_say_nothing_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ("crates/a/src/lib.rs", "//! Here.\n"),
            ("crates/a/src/silent.rs", "use x;\n"),
            ("tests/subjects/programs/x/x.c", "int main;"),
        ];
        let problems = check(&Repository::of(folder.path(), &files)).unwrap();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains("silent.rs: begins with no comment"));
    }
}
