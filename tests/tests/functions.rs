//! Functions as subjects: what is wrong in those of `tests/functions/` is found where it is, nothing
//! is found in their repaired twins, and the cases of the twins, as tests, pass.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::{Exploration, explore, program};
use elsewise_tests::compile::Compiler;
use elsewise_tests::functions::{FunctionSubject, of};
use std::path::Path;
use std::process::Command;

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

fn failures_are_found(file: &str) -> Result<()> {
    let mut wrong = Vec::new();
    for function in of(file)? {
        let folder = tempfile::tempdir()?;
        let Exploration {
            exit_code, summary, ..
        } = explored(&function, false, folder.path())?;
        let mut found: Vec<(String, u32)> = Vec::new();
        for finding in &summary.findings {
            let placed = finding.confirmed && finding.file.ends_with(file);
            found.push((finding.kind.clone(), if placed { finding.line } else { 0 }));
        }
        found.sort_by_key(|(_, line)| *line);
        let runs = summary
            .findings
            .iter()
            .map(|finding| finding.case + 1)
            .max();
        let good = found == function.failures
            && exit_code == 2
            && (summary.complete || !function.head.complete)
            && function.head.runs.is_none_or(|most| runs <= Some(most));
        if !good {
            let name = &function.head.function;
            wrong.push(format!("{name}: {exit_code}, {summary:?}"));
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

fn twins_are_clean(file: &str) -> Result<()> {
    let mut wrong = Vec::new();
    for function in of(file)? {
        let folder = tempfile::tempdir()?;
        let Exploration { summary, .. } = explored(&function, true, folder.path())?;
        let name = &function.head.function;
        let complete = summary.complete || !function.head.complete;
        if !summary.findings.is_empty() || !complete {
            wrong.push(format!("{name}: {summary:?}"));
        }
        if let Err(error) = exported_tests_pass(&function, folder.path()) {
            wrong.push(format!("{name}, exported: {error:#}"));
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
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

#[test]
fn failures_of_the_examples_of_the_paper_are_found() -> Result<()> {
    failures_are_found("paper.c")
}

#[test]
fn twins_of_the_examples_of_the_paper_are_clean() -> Result<()> {
    twins_are_clean("paper.c")
}

#[test]
fn failures_that_need_numbers_are_found() -> Result<()> {
    failures_are_found("numbers.c")
}

#[test]
fn twins_with_numbers_are_clean() -> Result<()> {
    twins_are_clean("numbers.c")
}

#[test]
fn failures_that_need_structs_are_found() -> Result<()> {
    failures_are_found("structs.c")
}

#[test]
fn twins_with_structs_are_clean() -> Result<()> {
    twins_are_clean("structs.c")
}

#[test]
fn failures_that_need_pointers_are_found() -> Result<()> {
    failures_are_found("pointers.c")
}

#[test]
fn twins_with_pointers_are_clean() -> Result<()> {
    twins_are_clean("pointers.c")
}

#[test]
fn failures_that_need_arrays_are_found() -> Result<()> {
    failures_are_found("arrays.c")
}

#[test]
fn twins_with_arrays_are_clean() -> Result<()> {
    twins_are_clean("arrays.c")
}

#[test]
fn failures_that_need_the_right_surroundings_are_found() -> Result<()> {
    failures_are_found("surroundings.c")
}

#[test]
fn twins_with_surroundings_are_clean() -> Result<()> {
    twins_are_clean("surroundings.c")
}

/// A function that fails in one that it calls.
const NESTED: &str = "#include <stdlib.h>
static void deep(int *p)
{
    if (p && *p == 7)
        abort();
}
void outer(int *p)
{
    deep(p);
}
";

/// A sequence that breaks an invariant.
const COUNTER: &str = "\
struct counter { int value; };
int valid(const struct counter *c)
{
    return c->value < 2;
}
void bump(struct counter *c)
{
    c->value++;
}
void init(struct counter *c)
{
    c->value = 0;
}
";

/// The places in the stack of the campaign's only finding, innermost first.
fn stack(text: &str, name: &str, options: &[&str]) -> Result<Vec<String>> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("file.c"), text)?;
    let options: Vec<String> = options.iter().map(|option| option.to_string()).collect();
    let found = explore(&[name.into()], &options, folder.path())?;
    ensure!(found.exit_code == 2, "{found:?}");
    let report = Command::new(program()?)
        .args(["report", "campaign", "--json"])
        .current_dir(folder.path())
        .output()?;
    let report: serde_json::Value = serde_json::from_slice(&report.stdout)?;
    let findings = report["findings"].as_array().context("findings")?;
    let [finding] = &findings[..] else {
        anyhow::bail!("{findings:?}");
    };
    let frames = finding["stack"].as_array().context("stack")?;
    let place = |frame: &serde_json::Value| {
        let word = |key: &str| frame[key].as_str().unwrap_or_default().to_string();
        format!("{}:{} {}", word("file"), frame["line"], word("function"))
    };
    Ok(frames.iter().map(place).collect())
}

#[test]
fn a_stack_ends_with_the_function_that_was_explored() -> Result<()> {
    let expected = ["file.c:5 deep", "file.c:9 outer"];
    assert_eq!(stack(NESTED, "file.c::outer", &[])?, expected);
    // Eight elements are the most that an array has.
    let text = NESTED.replace("abort()", "p[8] = 0");
    let sanitized = stack(&text, "file.c::outer", &["--sanitize=address"])?;
    assert_eq!(sanitized, expected);
    Ok(())
}

#[test]
fn a_broken_invariant_is_placed_at_the_function_that_says_it() -> Result<()> {
    let options = ["--sequence=init,bump", "--valid=counter:valid"];
    assert_eq!(stack(COUNTER, "file.c", &options)?, ["file.c:2 "]);
    Ok(())
}
