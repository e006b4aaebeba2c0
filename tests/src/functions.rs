//! The functions in `tests/functions/`, each a bug and, with `-DREPAIRED`, its repaired twin. Lines
//! that begin with `//:` say in TOML which function of the file follows and what is expected of it;
//! its statements that fail are marked `// fails here`, or `// fails here: KIND`.

use crate::compile::root;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::path::PathBuf;

/// What the head of a function says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    pub function: String,
    /// Options of `elsewise explore`.
    #[serde(default)]
    pub options: Vec<String>,
    /// Runs that it takes at most to find everything that fails.
    pub runs: Option<u64>,
    /// Whether all paths of both twins are explored, without any approximation.
    #[serde(default)]
    pub complete: bool,
}

#[derive(Clone, Debug)]
pub struct FunctionSubject {
    pub file: PathBuf,
    pub head: Head,
    /// What fails: kinds as the summary spells them, and lines.
    pub failures: Vec<(String, u32)>,
}

impl FunctionSubject {
    /// As `elsewise explore` is given it.
    pub fn name(&self) -> PathBuf {
        let mut name = self.file.clone().into_os_string();
        name.push("::");
        name.push(&self.head.function);
        name.into()
    }
}

/// The functions of one file, in their order.
pub fn of(file: &str) -> Result<Vec<FunctionSubject>> {
    let path = root().join("tests/functions").join(file);
    let text = std::fs::read_to_string(&path)?;
    let mut functions = Vec::new();
    let mut head = String::new();
    for (line, number) in text.lines().zip(1..) {
        if let Some(more) = line.strip_prefix("//:") {
            head.push_str(more);
            head.push('\n');
            continue;
        }
        if !head.is_empty() {
            functions.push(FunctionSubject {
                file: path.clone(),
                head: toml::from_str(&head).with_context(|| format!("{file}: {head}"))?,
                failures: Vec::new(),
            });
            head.clear();
        }
        let Some((_, kind)) = line.split_once("// fails here") else {
            continue;
        };
        let kind = kind.strip_prefix(": ").unwrap_or("abort");
        let function = functions.last_mut().context("a failure before any head")?;
        function.failures.push((kind.into(), number));
    }
    for function in &functions {
        let name = &function.head.function;
        ensure!(!function.failures.is_empty(), "{file}: {name} never fails");
    }
    Ok(functions)
}
