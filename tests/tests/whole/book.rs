//! The book's reference is what `--help` says, and its tutorial's program the one that is tried.

use anyhow::{Result, ensure};
use elsewise_tests::command::program;
use elsewise_tests::compile::root;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

const REFERENCE: &str = "docs/src/reference.md";
const VERBS: [&str; 15] = [
    "",
    "explore",
    "replay",
    "show",
    "status",
    "worker",
    "report",
    "check",
    "export",
    "capture",
    "doctor",
    "cache",
    "stdlib",
    "completions",
    "man",
];

fn help(verb: &str) -> Result<String> {
    let mut command = Command::new(program()?);
    if !verb.is_empty() {
        command.arg(verb);
    }
    let output = command
        .arg("--help")
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .output()?;
    ensure!(
        output.status.success(),
        "elsewise {verb} --help: {}",
        output.status
    );
    let text = String::from_utf8(output.stdout)?;
    Ok(text
        .lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n"))
}

#[test]
fn the_reference_is_what_help_says() -> Result<()> {
    let mut page = "# Reference\n\nWhat `--help` says, word for word.\n".to_owned();
    for verb in VERBS {
        let name = format!("elsewise {verb}");
        write!(
            page,
            "\n## {}\n\n```text\n{}\n```\n",
            name.trim_end(),
            help(verb)?
        )?;
    }
    let path = root().join(REFERENCE);
    if std::env::var_os("ELSEWISE_BLESS").is_some() {
        fs::write(&path, &page)?;
    }
    let written = fs::read_to_string(&path)?;
    ensure!(
        written == page,
        "{REFERENCE} is not what --help says; write it anew with\n    \
         ELSEWISE_BLESS=1 cargo test -p elsewise-tests --test whole book"
    );
    Ok(())
}

#[test]
fn the_program_of_the_tutorial_is_the_one_that_is_tried() -> Result<()> {
    let page = fs::read_to_string(root().join("docs/src/tutorial.md"))?;
    let program = fs::read_to_string(root().join("tests/book/tutorial/duration.c"))?;
    ensure!(page.contains(&format!("```c\n{program}```")), "they differ");
    Ok(())
}
