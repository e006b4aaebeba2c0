//! The functions in `tests/functions/`, each a bug and, with `-DREPAIRED`, its repaired twin. Lines
//! that begin with `//:` say in TOML which function of the file follows and what is expected of it;
//! its statements that fail are marked `// fails here`, or `// fails here: KIND`.

use crate::command::{Exploration, explore, program};
use crate::compile::{Compiler, root};
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// All of them, by file and in their order.
pub fn all() -> Result<Vec<FunctionSubject>> {
    let mut functions = Vec::new();
    for entry in root().join("tests/functions").read_dir()? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".c") {
            functions.extend(of(&name)?);
        }
    }
    Ok(functions)
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

fn explored(function: &FunctionSubject, repaired: bool, folder: &Path) -> Result<Exploration> {
    let mut options = function.head.options.clone();
    options.push("--budget=120s".into());
    if repaired {
        options.push("--cflags=-DREPAIRED".into());
    }
    let name = function.name();
    explore(std::slice::from_ref(&name), &options, folder)
        .with_context(|| format!("{}, repaired: {repaired}", name.display()))
}

/// What is wrong is found where it is.
pub fn failures_are_found(function: &FunctionSubject) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let Exploration {
        exit_code, summary, ..
    } = explored(function, false, folder.path())?;
    let mut found: Vec<(String, u32)> = Vec::new();
    for finding in &summary.findings {
        let placed = finding.confirmed && finding.file.ends_with(&file_name(function));
        found.push((finding.kind.clone(), if placed { finding.line } else { 0 }));
    }
    found.sort_by_key(|(_, line)| *line);
    let cases = summary.findings.iter().map(|finding| finding.case + 1);
    let runs = cases.max();
    let good = found == function.failures
        && exit_code == 2
        && (summary.complete || !function.head.complete)
        && function.head.runs.is_none_or(|most| runs <= Some(most));
    ensure!(good, "{exit_code}, {summary:?}");
    Ok(())
}

/// Nothing is found in the repaired twin, and its cases, as tests, pass.
pub fn twin_is_clean(function: &FunctionSubject) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let Exploration { summary, .. } = explored(function, true, folder.path())?;
    let complete = summary.complete || !function.head.complete;
    ensure!(summary.findings.is_empty() && complete, "{summary:?}");
    exported_tests_pass(function, folder.path()).context("exported")
}

fn file_name(function: &FunctionSubject) -> String {
    let name = function.file.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// What a case gives to a function and what is observed of it afterwards is what another compiler's
/// build of the function sees and does.
fn exported_tests_pass(function: &FunctionSubject, folder: &Path) -> Result<()> {
    let exported = Command::new(program()?)
        .args(["export", "campaign", "--as=tap", "--out=tests"])
        .current_dir(folder)
        .output()?;
    let words = String::from_utf8_lossy(&exported.stderr);
    ensure!(exported.status.success(), "{words}");
    let name = &function.head.function;
    let mut sources = vec![folder.join(format!("tests/test_{name}.c"))];
    // Types that only the file itself has make the tests include it.
    if !std::fs::read_to_string(&sources[0])?.contains(&format!("{}\"\n", file_name(function))) {
        sources.push(function.file.clone());
    }
    let built = folder.join("tests/built");
    let options = ["-DREPAIRED", "-fsanitize=address,undefined", "-g", "-w"];
    Compiler::Gcc.build(&sources, &options, &built)?;
    let ran = Command::new(&built)
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .output()?;
    let words = String::from_utf8_lossy(&ran.stdout);
    let first = words.lines().next().unwrap_or_default();
    ensure!(ran.status.success() && first != "1..0", "{words}");
    Ok(())
}
