//! The subjects in `tests/erlang/`: each one file of Erlang that is a bug and, with the macro `FIX`, its
//! repaired twin, or two files of Elixir, `NAME.ex` and `NAME.fixed.ex`. Lines that begin with `%% :`
//! (`# :` in Elixir) say in TOML what is expected; where it fails is marked as in other programs.
//!
//! That the heads are true is checked without Elsewise, by `tests/erlang/truth.escript`.

use crate::command::{Exploration, explore};
use crate::compile::root;
use crate::heads::{head, marked, placed};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::PathBuf;

/// Runs of a subject; the bugs are small.
const BUDGET: &str = "--budget=300runs";
const TWIN_BUDGET: &str = "--budget=60runs";

/// What the head of a subject says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// As the summary spells it.
    pub kind: String,
    /// Kinds of what the same bug shows as well, in marked lines.
    #[serde(default)]
    pub also: Vec<String>,
    /// The function, as the command line names it behind `::`.
    pub entry: String,
    /// A call that fails.
    pub witness: String,
    /// Options of `elsewise explore`.
    #[serde(default)]
    pub options: Vec<String>,
    /// Whether all paths of both twins are explored, without any approximation.
    #[serde(default)]
    pub complete: bool,
    /// Orders of messages that differ; the head says why they are so many.
    pub executions: Option<u64>,
    /// What CutEr needed for the function that this one is told after.
    pub cuter_executions: Option<u64>,
    pub cuter_seconds: Option<f64>,
    pub cuter_crashing: Option<u64>,
}

#[derive(Clone, Debug)]
pub struct Subject {
    pub name: String,
    pub source: PathBuf,
    pub head: Head,
    /// Lines of which one is where it fails; none where that is in no single line.
    pub lines: Vec<u32>,
}

/// All subjects of a folder, by name.
pub fn all(folder: &str) -> Result<Vec<Subject>> {
    let mut subjects = Vec::new();
    for entry in root().join(folder).read_dir()? {
        let source = entry?.path();
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        let comment = match source.extension().and_then(|ending| ending.to_str()) {
            Some("erl") => "%% :",
            Some("ex") if !name.ends_with(".fixed.ex") => "# :",
            _ => continue,
        };
        let text = std::fs::read_to_string(&source)?;
        subjects.push(Subject {
            head: head(&text, comment).with_context(|| format!("the head of {name}"))?,
            lines: marked(&text),
            name: name.into_owned(),
            source,
        });
    }
    subjects.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(subjects)
}

impl Subject {
    fn is_elixir(&self) -> bool {
        self.name.ends_with(".ex")
    }

    /// Explores the bug or its repaired twin with options beside its own.
    pub fn explored(&self, repaired: bool, options: &[String]) -> Result<Exploration> {
        let folder = tempfile::tempdir()?;
        let source = match repaired && self.is_elixir() {
            true => self.source.with_extension("fixed.ex"),
            false => self.source.clone(),
        };
        let target = format!("{}::{}", source.display(), self.head.entry);
        let mut all = self.head.options.clone();
        if options.iter().any(|option| is_budget(option)) {
            all.retain(|option| !is_budget(option));
        }
        all.extend_from_slice(options);
        if repaired && !self.is_elixir() {
            all.push("--macro=FIX".into());
        }
        explore(&[target.into()], &all, folder.path())
            .with_context(|| format!("{}, repaired: {repaired}", self.name))
    }

    fn limited(&self, budget: &str) -> Vec<String> {
        match (self.head.complete, self.head.kind.as_str()) {
            (true, _) => Vec::new(),
            // Each run that does not end takes its time.
            (false, "hang") if budget == BUDGET => {
                let own = self.head.options.iter().find(|option| is_budget(option));
                vec![own.cloned().unwrap_or("--budget=12runs".into())]
            }
            (false, _) => vec![budget.into()],
        }
    }

    /// Why what was found is not the bug, if it is not.
    fn wrong(&self, explored: &Exploration) -> Option<String> {
        let Exploration {
            exit_code, summary, ..
        } = explored;
        let Head { kind, also, .. } = &self.head;
        let findings = summary.findings.as_slice();
        let expected = findings.iter().all(|found| {
            found.confirmed
                && placed(&self.source, &self.lines, found)
                && (found.kind == *kind || also.contains(&found.kind))
        });
        let good = expected && !findings.is_empty() && *exit_code == 2;
        (!good || self.head.complete && !summary.complete)
            .then(|| format!("{}: {exit_code}, {summary:?}", self.name))
    }
}

fn is_budget(option: &str) -> bool {
    option.starts_with("--budget")
}

/// The bug is found where it is, and nothing else.
pub fn bug_is_found(subject: &Subject) -> Result<()> {
    let explored = subject.explored(false, &subject.limited(BUDGET))?;
    match subject.wrong(&explored) {
        None => Ok(()),
        Some(wrong) => anyhow::bail!(wrong),
    }
}

/// Nothing is found in the repaired twin.
pub fn twin_is_clean(subject: &Subject) -> Result<()> {
    let explored = subject.explored(true, &subject.limited(TWIN_BUDGET))?;
    explored.is_clean(subject.head.complete)
}
