//! What differs of functions of C: all that fails in them is found, and their cases are tests.

use super::read::{Language, Subject};
use crate::command::{Finding, program};
use crate::compile::Compiler;
use anyhow::{Result, ensure};
use std::path::Path;
use std::process::Command;

pub fn is_function(subject: &Subject) -> bool {
    subject.language == Language::Native && subject.expect.entry.is_some()
}

/// Every marked statement fails, as said and within the runs that are said; and nothing else does.
pub fn all_is_found(function: &Subject, findings: &[Finding]) -> bool {
    let name = function.file_name();
    let place = |one: &Finding| match one.confirmed && one.file.ends_with(&name) {
        true => one.line,
        false => 0,
    };
    let mut found: Vec<(u32, &str)> = findings
        .iter()
        .map(|one| (place(one), &*one.kind))
        .collect();
    found.sort_by_key(|(line, _)| *line);
    let kind = &function.expect.kind;
    let marks = function.marks.iter();
    let marked = marks.map(|mark| (mark.line, mark.kind.as_ref().unwrap_or(kind).as_str()));
    let runs = findings.iter().map(|finding| finding.case + 1).max();
    found.into_iter().eq(marked) && function.expect.runs.is_none_or(|most| runs <= Some(most))
}

/// What a case gives to a function and what is observed of it afterwards is what another compiler's
/// build of the function sees and does.
pub fn exported_tests_pass(function: &Subject, folder: &Path) -> Result<()> {
    let exported = Command::new(program()?)
        .args(["export", "campaign", "--as=tap", "--out=tests"])
        .current_dir(folder)
        .output()?;
    let words = String::from_utf8_lossy(&exported.stderr);
    ensure!(exported.status.success(), "{words}");
    let mut sources = vec![folder.join(format!("tests/test_{}.c", function.name))];
    // Types that only the file itself has make the tests include it.
    let included = format!("{}\"\n", function.file_name());
    if !std::fs::read_to_string(&sources[0])?.contains(&included) {
        sources.push(function.source.clone());
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
