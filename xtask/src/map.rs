//! The one-line-per-file map in ARCHITECTURE.md.
//!
//! The map is written from the files themselves, each line being the first sentence of the file's
//! opening comment, and `tidy` compares: so it cannot name a file that is gone, leave out one that
//! is there, or say what a file used to be.

use crate::repository::Repository;
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;

pub const FILE: &str = "ARCHITECTURE.md";
const BEGIN: &str = "<!-- map: written by `cargo xtask map` -->";
const END: &str = "<!-- end of map -->";

/// Folders that hold many small files of one kind: one line for all.
const FOLDERS: [(&str, &str); 6] = [
    (
        "tests/book/",
        "What the pages of the book take for granted when their commands are run, a folder for each.",
    ),
    (
        "tests/border_programs/",
        "Small C and C++ programs at borders of what is followed, each with what must hold there; in `open/` what does not yet.",
    ),
    (
        "tests/erlang/",
        "Small subjects in Erlang and Elixir, each with a bug and its repaired twin.",
    ),
    (
        "tests/prolog/",
        "Small subjects in Prolog, each with a bug and its repaired twin, and a check of what they say.",
    ),
    (
        "tests/subjects/",
        "Small C subjects, each a folder with a bug, its repaired twin and what is expected.",
    ),
    (
        "tests/textbook/",
        "C++ programs as they are taught, most with a bug and its repaired twin, each with what must hold.",
    ),
];

/// What the map should be, and the files that do not say what they are.
pub struct Map {
    pub text: String,
    pub silent: Vec<String>,
}

fn is_source(file: &str) -> bool {
    [
        ".rs", ".c", ".cpp", ".h", ".erl", ".hrl", ".escript", ".ex", ".exs", ".pl",
    ]
    .iter()
    .any(|ending| file.ends_with(ending))
}

/// The room a file belongs to: the folder with the `Cargo.toml`.
fn room<'a>(repository: &Repository, file: &'a str) -> &'a str {
    let mut end = file.len();
    while let Some(slash) = file[..end].rfind('/') {
        end = slash;
        if repository.path(&file[..end]).join("Cargo.toml").is_file() {
            return &file[..end];
        }
    }
    ""
}

/// First sentence of the comment that a source file begins with.
pub fn sentence(text: &str) -> Option<String> {
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

pub fn make(repository: &Repository) -> Result<Map> {
    let mut map = Map {
        text: String::new(),
        silent: Vec::new(),
    };
    let mut rooms: Vec<(&str, Vec<&str>)> = Vec::new();
    for file in repository.files() {
        if !is_source(file) || FOLDERS.iter().any(|(folder, _)| file.starts_with(folder)) {
            continue;
        }
        let room = room(repository, file);
        match rooms.iter_mut().find(|(name, _)| *name == room) {
            Some((_, files)) => files.push(file),
            None => rooms.push((room, vec![file])),
        }
    }
    rooms.sort();
    for (room, files) in rooms {
        write!(
            map.text,
            "\n### {}\n\n",
            if room.is_empty() { "the root" } else { room }
        )?;
        for file in files {
            let short = file
                .strip_prefix(room)
                .unwrap_or(file)
                .trim_start_matches('/');
            match sentence(&repository.read(file)?) {
                Some(sentence) => writeln!(map.text, "- `{short}`: {sentence}")?,
                None => map.silent.push(file.to_owned()),
            }
        }
        for (folder, sentence) in FOLDERS {
            if let Some(short) = folder.strip_prefix(&format!("{room}/")) {
                writeln!(map.text, "- `{short}`: {sentence}")?;
            }
        }
    }
    map.text.push('\n');
    Ok(map)
}

fn bounds(text: &str) -> Result<(usize, usize)> {
    let begin = text.find(BEGIN).map(|at| at + BEGIN.len() + 1);
    let end = text.find(END);
    match (begin, end) {
        (Some(begin), Some(end)) if begin <= end => Ok((begin, end)),
        _ => bail!("{FILE} must hold the lines {BEGIN} and {END}"),
    }
}

/// The map as it stands in ARCHITECTURE.md.
pub fn written(repository: &Repository) -> Result<String> {
    let text = repository.read(FILE)?;
    let (begin, end) = bounds(&text)?;
    Ok(text[begin..end].to_owned())
}

/// Writes the map anew; whether that changed anything.
pub fn write(repository: &Repository) -> Result<bool> {
    let map = make(repository)?;
    if let Some(file) = map.silent.first() {
        bail!("{file} does not begin with a comment that says what it is: write one");
    }
    let text = repository.read(FILE)?;
    let (begin, end) = bounds(&text)?;
    if text[begin..end] == map.text {
        return Ok(false);
    }
    let renewed = format!("{}{}{}", &text[..begin], map.text, &text[end..]);
    std::fs::write(repository.path(FILE), renewed).context("cannot write ARCHITECTURE.md")?;
    Ok(true)
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

    fn sample(folder: &std::path::Path, architecture: &str) -> Repository {
        Repository::of(
            folder,
            &[
                (FILE, architecture),
                ("crates/a/Cargo.toml", ""),
                ("crates/a/src/lib.rs", "//! The a.\n"),
                ("crates/a/src/b.rs", "//! The b.\n"),
                ("tests/Cargo.toml", ""),
                ("tests/src/lib.rs", "//! Support.\n"),
                ("tests/subjects/x/bug.c", "int main;"),
            ],
        )
    }

    #[test]
    fn writing_makes_the_map_true_once() {
        let folder = tempfile::tempdir().unwrap();
        let repository = sample(
            folder.path(),
            &format!("before\n{BEGIN}\nold\n{END}\nafter\n"),
        );
        assert!(write(&repository).unwrap());
        assert!(!write(&repository).unwrap());
        let text = repository.read(FILE).unwrap();
        assert!(
            text.starts_with("before\n") && text.ends_with("after\n"),
            "{text}"
        );
        assert!(
            text.contains("### crates/a\n\n- `src/b.rs`: The b.\n- `src/lib.rs`: The a.\n"),
            "{text}"
        );
        assert!(text.contains("- `subjects/`: Small C"), "{text}");
        assert!(!text.contains("bug.c"));
    }

    #[test]
    fn a_map_without_its_marks_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let repository = sample(folder.path(), "nothing");
        assert!(write(&repository).is_err());
    }
}
