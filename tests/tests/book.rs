//! What the book and the README tell people to type works, and the book's reference is what
//! `--help` says.

use anyhow::{Result, ensure};
use elsewise_tests::command::program;
use elsewise_tests::compile::root;
use std::fmt::Write as _;
use std::process::Command;

const REFERENCE: &str = "docs/src/reference.md";
const VERBS: [&str; 7] = [
    "", "explore", "replay", "show", "status", "capture", "doctor",
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
        std::fs::write(&path, &page)?;
    }
    let written = std::fs::read_to_string(&path)?;
    ensure!(
        written == page,
        "{REFERENCE} is not what --help says; write it anew with\n    \
         ELSEWISE_BLESS=1 cargo test -p elsewise-tests --test book"
    );
    Ok(())
}

/// Lines in code blocks that explore one of our subjects.
fn commands(page: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            inside = !inside;
        } else if inside && line.starts_with("elsewise explore tests/subjects/") {
            found.push(line.split('#').next().unwrap_or(line).trim().to_owned());
        }
    }
    found
}

#[test]
fn what_the_pages_explore_ends_as_they_say() -> Result<()> {
    let mut number = 0;
    for page in ["README.md", "docs/src/first-steps.md"] {
        for command in commands(&std::fs::read_to_string(root().join(page))?) {
            number += 1;
            // Campaigns are made in the working directory, which must not be the repository.
            let folder = tempfile::tempdir()?;
            std::os::unix::fs::symlink(root().join("tests"), folder.path().join("tests"))?;
            let output = Command::new(program()?)
                .args(command.split_whitespace().skip(1))
                .current_dir(folder.path())
                .env("NO_COLOR", "1")
                .output()?;
            let wanted = if command.contains("/bug.c") { 2 } else { 0 };
            ensure!(
                output.status.code() == Some(wanted),
                "{page}: `{command}` ended with {}\n{}{}",
                output.status,
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    ensure!(number >= 2, "the pages show {number} commands");
    Ok(())
}
