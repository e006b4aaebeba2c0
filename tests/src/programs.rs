//! The programs in `tests/programs/`: each one file that is a bug and, with `-DREPAIRED`, its
//! repaired twin. Lines that begin with `//:` say in TOML what is expected; the statement that
//! fails is marked `// fails here`.

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
    /// Line of the failing statement.
    pub line: u32,
}

/// All programs, by name.
pub fn all() -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for entry in root().join("tests/programs").read_dir()? {
        let source = entry?.path();
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
            .filter(|(line, _)| line.ends_with("// fails here"))
            .map(|(_, number)| number)
            .collect();
        ensure!(failing.len() == 1, "{name}: one statement fails");
        programs.push(Program {
            head: toml::from_str(&head).with_context(|| format!("the head of {name}"))?,
            line: failing[0],
            name: name.into_owned(),
            source,
        });
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}
