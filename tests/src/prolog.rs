//! The subjects in `tests/prolog/`: a bug, `NAME.pl`, and its repaired twin, `NAME.fixed.pl`. Lines of the
//! bug that begin with `% :` say in TOML what is expected; where it fails is marked as in other programs.
//!
//! That the heads are true is checked without Elsewise, by `tests/prolog/truth.pl`.

use crate::command::{Exploration, explore};
use crate::compile::root;
use crate::heads::{head, marked, placed};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::fs;
use std::path::PathBuf;

/// Runs of a subject; the bugs are small.
const BUDGET: &str = "--budget=120s,300runs";
const TWIN_BUDGET: &str = "--budget=60s,80runs";

/// What the head of a subject says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// As the summary spells it.
    pub kind: String,
    /// A pattern of what is thrown, for the check of heads.
    pub ball: Option<String>,
    /// Words of the message.
    #[serde(default)]
    pub message: String,
    /// The predicate, as the command line names it behind `::`.
    pub entry: String,
    /// A query that fails.
    pub witness: String,
    /// Options of `elsewise explore`.
    #[serde(default)]
    pub options: Vec<String>,
    /// Whether all paths of both twins are explored, without any approximation.
    #[serde(default)]
    pub complete: bool,
}

/// What the head of a program of the paper says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperHead {
    pub entry: String,
    /// One query of each class.
    pub classes: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Subject {
    pub name: String,
    pub source: PathBuf,
    pub head: Head,
    /// Lines of which one is where it fails; none where that is in no single line.
    pub lines: Vec<u32>,
}

/// Files of Prolog in a folder that are no twins, with their texts, by name.
pub fn files(folder: &str) -> Result<Vec<(PathBuf, String)>> {
    let mut files = Vec::new();
    for entry in root().join(folder).read_dir()? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let other = ["truth.pl"].contains(&&*name) || name.ends_with(".fixed.pl");
        if name.ends_with(".pl") && !other {
            let text = fs::read_to_string(&file)?;
            files.push((file, text));
        }
    }
    files.sort();
    Ok(files)
}

/// All subjects of a folder, by name.
pub fn all(folder: &str) -> Result<Vec<Subject>> {
    let subject = |(source, text): (PathBuf, String)| {
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        Ok(Subject {
            head: head(&text, "% :").with_context(|| format!("the head of {name}"))?,
            lines: marked(&text),
            name: name.into_owned(),
            source,
        })
    };
    files(folder)?.into_iter().map(subject).collect()
}

impl Subject {
    /// Explores the bug or its repaired twin.
    fn explored(&self, repaired: bool, budget: &str) -> Result<Exploration> {
        let folder = tempfile::tempdir()?;
        let source = match repaired {
            true => self.source.with_extension("fixed.pl"),
            false => self.source.clone(),
        };
        let target = format!("{}::{}", source.display(), self.head.entry);
        let mut options = self.head.options.clone();
        match (self.head.complete, self.head.kind.as_str()) {
            (true, _) => {}
            // Each run that does not end takes its time.
            (false, "hang") => options.push("--budget=90s,40runs".into()),
            (false, _) => options.push(budget.into()),
        }
        explore(&[target.into()], &options, folder.path())
            .with_context(|| format!("{}, repaired: {repaired}", self.name))
    }

    /// Why what was found is not the bug, if it is not.
    fn wrong(&self, explored: &Exploration) -> Option<String> {
        let Exploration {
            exit_code, summary, ..
        } = explored;
        let Head { kind, message, .. } = &self.head;
        let findings = summary.findings.as_slice();
        let expected = findings.iter().all(|found| {
            found.confirmed
                && placed(&self.source, &self.lines, found)
                && found.kind == *kind
                && found.message.contains(message)
        });
        let good = expected && !findings.is_empty() && *exit_code == 2;
        (!good || self.head.complete && !summary.complete)
            .then(|| format!("{}: {exit_code}, {summary:?}", self.name))
    }
}

/// The bug is found where it is, and nothing else.
pub fn bug_is_found(subject: &Subject) -> Result<()> {
    match subject.wrong(&subject.explored(false, BUDGET)?) {
        None => Ok(()),
        Some(wrong) => anyhow::bail!(wrong),
    }
}

/// Nothing is found in the repaired twin.
pub fn twin_is_clean(subject: &Subject) -> Result<()> {
    let explored = subject.explored(true, TWIN_BUDGET)?;
    explored.is_clean(subject.head.complete)
}
