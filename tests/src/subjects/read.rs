//! Subjects as they stand in their folders.

use super::expectation::Expectation;
use crate::compile::root;
use crate::heads::{Mark, marks};
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Where they are, from the root.
pub const FOLDER: &str = "tests/subjects";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C and C++.
    Native,
    Erlang,
    Elixir,
    Prolog,
    Chart,
}

const ENDINGS: [(&str, Language); 8] = [
    ("c", Language::Native),
    ("cc", Language::Native),
    ("erl", Language::Erlang),
    ("ex", Language::Elixir),
    ("pl", Language::Prolog),
    ("qm", Language::Chart),
    ("uml", Language::Chart),
    ("scxml", Language::Chart),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twin {
    Bug,
    Fixed,
}

#[derive(Clone, Debug)]
pub struct Subject {
    pub group: String,
    /// As its folder; with the ending where it is written in several languages, and of one function among others
    /// the function's.
    pub name: String,
    pub language: Language,
    /// The file of the bug.
    pub source: PathBuf,
    pub expect: Expectation,
    /// Lines of which one is where it fails.
    pub marks: Vec<Mark>,
}

/// A file of functions: each is a subject.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Functions {
    function: Vec<Expectation>,
}

/// The names of all groups.
pub fn groups() -> Result<Vec<String>> {
    folders(&root().join(FOLDER))
}

/// All subjects of a group, by name.
pub fn all(group: &str) -> Result<Vec<Subject>> {
    let folder = root().join(FOLDER).join(group);
    let mut subjects = Vec::new();
    for name in folders(&folder)? {
        let of_folder = read(group, &folder.join(&name), &name);
        subjects.extend(of_folder.with_context(|| format!("{FOLDER}/{group}/{name}"))?);
    }
    Ok(subjects)
}

fn folders(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in folder.read_dir()? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

fn read(group: &str, folder: &Path, name: &str) -> Result<Vec<Subject>> {
    let expected = fs::read_to_string(folder.join("expect.toml")).context("no expect.toml")?;
    let sources = sources(folder, name);
    ensure!(!sources.is_empty(), "no {name}.ENDING");
    let mut subjects = Vec::new();
    for (source, ending, language) in &sources {
        let text = fs::read_to_string(source)?;
        let subject = |name: String, expect, marks| Subject {
            group: group.to_owned(),
            name,
            language: *language,
            source: source.clone(),
            expect,
            marks,
        };
        if expected.contains("[[function]]") {
            let Functions { function } = toml::from_str(&expected)?;
            for (expect, marks) in with_marks(function, &text)? {
                let name = expect.entry.clone().context("a function has no `entry`")?;
                subjects.push(subject(name, expect, marks));
            }
            continue;
        }
        let name = match sources.len() {
            1 => name.to_owned(),
            _ => format!("{name}.{ending}"),
        };
        subjects.push(subject(name, toml::from_str(&expected)?, marks(&text)));
    }
    for Subject {
        name,
        language,
        marks,
        ..
    } in &subjects
    {
        let fails = !marks.is_empty() || *language != Language::Native;
        ensure!(fails, "{name}: no statement is marked as failing");
    }
    Ok(subjects)
}

/// The program in all languages that it is written in. One whose other files would be in the way of another
/// language's stands in a folder that is called like its ending.
fn sources(folder: &Path, name: &str) -> Vec<(PathBuf, &'static str, Language)> {
    let mut sources = Vec::new();
    for (ending, language) in ENDINGS {
        let file = format!("{name}.{ending}");
        for source in [folder.join(&file), folder.join(ending).join(&file)] {
            if source.is_file() {
                sources.push((source, ending, language));
            }
        }
    }
    sources
}

/// Functions in the order of the file, each with the marks between its first line and the next one's.
fn with_marks(functions: Vec<Expectation>, text: &str) -> Result<Vec<(Expectation, Vec<Mark>)>> {
    let mut starts = Vec::new();
    let mut lines = text.lines().zip(1..);
    for function in &functions {
        let entry = function.entry.as_deref().unwrap_or_default();
        let Some((_, start)) = lines.find(|(line, _)| defines(line, entry)) else {
            bail!("{entry} is not defined behind the functions that are named before it");
        };
        starts.push(start);
    }
    let marks = marks(text);
    let ends = starts.iter().copied().skip(1).chain([u32::MAX]);
    let ranges: Vec<_> = starts.iter().copied().zip(ends).collect();
    let of_range = |(start, end)| {
        let inside = |mark: &&Mark| mark.line >= start && mark.line < end;
        marks.iter().filter(inside).cloned().collect()
    };
    Ok(functions
        .into_iter()
        .zip(ranges.into_iter().map(of_range))
        .collect())
}

/// Is the first line of a definition of this function of C?
fn defines(line: &str, function: &str) -> bool {
    let Some((before, _)) = line.split_once(&format!("{function}(")) else {
        return false;
    };
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let begins = before.starts_with(is_name) || before.is_empty();
    begins && !before.ends_with(is_name) && !line.ends_with(';')
}

impl Subject {
    /// The file's name.
    pub fn file_name(&self) -> String {
        let name = self.source.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// The file of a twin, if it has one of its own.
    pub fn fixed(&self) -> Option<PathBuf> {
        let ending = self.source.extension()?.to_string_lossy();
        let file = self.source.with_extension(format!("fixed.{ending}"));
        file.is_file().then_some(file)
    }

    /// The files of a twin, the one with `main` first.
    pub fn sources(&self, twin: Twin) -> Vec<PathBuf> {
        let fixed = self.fixed().filter(|_| twin == Twin::Fixed);
        let first = fixed.unwrap_or_else(|| self.source.clone());
        let units = self.expect.units.iter();
        let units = units.map(|file| self.source.with_file_name(file));
        std::iter::once(first).chain(units).collect()
    }

    /// The values of an option, such as `--env`.
    pub fn values(&self, option: &str) -> impl Iterator<Item = &str> {
        let values = self.expect.options.iter();
        values.filter_map(move |text| text.strip_prefix(option)?.strip_prefix('='))
    }
}
