//! The programs in `tests/programs/` and `tests/threads/`: each one file that is a bug and, with
//! `-DREPAIRED`, its repaired twin. Lines that begin with `//:` say in TOML what is expected; the
//! statement that fails is marked `// fails here`, and where it may as well be another one, that is
//! marked `// or here`.

use crate::command::{Exploration, explore};
use crate::compile::root;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::path::PathBuf;

/// What the head of a program says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// As the summary spells it.
    pub kind: String,
    /// Kinds of what the same bug shows as well, in marked lines.
    #[serde(default)]
    pub also: Vec<String>,
    /// Options of `elsewise explore`.
    #[serde(default)]
    pub options: Vec<String>,
    /// The program's own arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Whether all paths of both twins are explored, without any approximation.
    #[serde(default)]
    pub complete: bool,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub name: String,
    pub source: PathBuf,
    pub head: Head,
    /// Lines of which one is where it fails.
    pub lines: Vec<u32>,
}

/// All programs of a folder, by name.
pub fn all(folder: &str) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for entry in root().join(folder).read_dir()? {
        let source = entry?.path();
        if source.is_dir() {
            continue;
        }
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(&source)?;
        let head: String = text
            .lines()
            .filter_map(|line| line.strip_prefix("//:"))
            .map(|line| format!("{line}\n"))
            .collect();
        let failing: Vec<u32> = text
            .lines()
            .zip(1..)
            .filter(|(line, _)| line.ends_with("// fails here") || line.ends_with("// or here"))
            .map(|(_, number)| number)
            .collect();
        ensure!(!failing.is_empty(), "{name}: no statement fails");
        programs.push(Program {
            head: toml::from_str(&head).with_context(|| format!("the head of {name}"))?,
            lines: failing,
            name: name.into_owned(),
            source,
        });
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}

impl Program {
    /// Is a place where it may fail: a marked line of its own, or, in C++, a line of the library's
    /// headers.
    fn fails_at(&self, file: &str, line: u32) -> bool {
        let of_library = self.name.ends_with(".cc") && file.starts_with("/usr/");
        of_library || file.ends_with(&self.name) && self.lines.contains(&line)
    }
}

/// Explores a program without threads, or its repaired twin.
pub fn explored(program: &Program, repaired: bool) -> Result<Exploration> {
    let mut options = program.head.options.clone();
    if !options.iter().any(|option| is_budget(option)) {
        options.push("--budget=120s".into());
    }
    explored_with(program, repaired, options)
}

/// The same of a program with threads: of most, all schedules are more than anyone waits for.
pub fn explored_schedules(program: &Program, repaired: bool) -> Result<Exploration> {
    let mut options = program.head.options.clone();
    if !program.head.complete && (repaired || !options.iter().any(|option| is_budget(option))) {
        options.retain(|option| !is_budget(option));
        options.push(format!(
            "--budget={}runs",
            if repaired { 300 } else { 2000 }
        ));
    }
    explored_with(program, repaired, options)
}

fn is_budget(option: &str) -> bool {
    option.starts_with("--budget")
}

fn explored_with(
    program: &Program,
    repaired: bool,
    mut options: Vec<String>,
) -> Result<Exploration> {
    let folder = tempfile::tempdir()?;
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
}

/// The bug was found where it is, and nothing else.
pub fn bug_is_found(program: &Program, explored: &Exploration) -> Result<()> {
    let Exploration {
        exit_code, summary, ..
    } = explored;
    let Head { kind, also, .. } = &program.head;
    let findings = summary.findings.as_slice();
    let of_kind = findings.iter().filter(|found| found.kind == *kind).count();
    let expected = findings.iter().all(|found| {
        let placed = program.fails_at(&found.file, found.line);
        placed && found.confirmed && (found.kind == *kind || also.contains(&found.kind))
    });
    // Where nothing is said to show as well, the bug is one finding.
    let good = expected && of_kind > 0 && (findings.len() == 1 || !also.is_empty());
    let complete = summary.complete || !program.head.complete;
    ensure!(
        good && *exit_code == 2 && complete,
        "{exit_code}, {summary:?}"
    );
    Ok(())
}
