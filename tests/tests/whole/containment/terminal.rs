//! Subjects that type into the terminal of who explores them.

use super::{PRELUDE, Summary};
use anyhow::{Context, Result, ensure};
use elsewise_tests::command::program;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs a line of shell at a terminal of its own, whose name the line has as `$0`.
fn at_terminal(folder: &Path, line: &str) -> Result<()> {
    let script = folder.join("line.sh");
    fs::write(&script, line)?;
    let status = Command::new("script")
        .args(["--quiet", "--return", "--command"])
        .arg(format!("sh -c '. {}' \"$(tty)\"", script.display()))
        .arg("/dev/null")
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .current_dir(folder)
        .status()
        .context("util-linux's script")?;
    ensure!(status.code().is_some(), "{line}: {status}");
    Ok(())
}

fn explored(folder: &Path, attempt: &str, options: &str) -> Result<Summary> {
    let source = folder.join("subject.c");
    let text = format!(
        "#include <sys/ioctl.h>\n{PRELUDE}static void attempt(int argc, char **argv)\n{{\n{attempt}\n}}\n"
    );
    fs::write(&source, text)?;
    let line = format!(
        "{} explore subject.c --fresh --quiet --format json --campaign campaign --input-size=1 \
         {options} -- \"$0\" > summary.json 2> words.txt",
        program()?.display()
    );
    at_terminal(folder, &line)?;
    let words = fs::read_to_string(folder.join("words.txt"))?;
    serde_json::from_slice(&fs::read(folder.join("summary.json"))?).context(words)
}

/// Contained, nothing is found; else it is, also when it is replayed.
fn fails(attempt: &str) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let summary = explored(folder.path(), attempt, "")?;
    ensure!(
        summary.findings.is_empty() && summary.unconfirmed.is_empty(),
        "contained: {summary:?}"
    );
    let replay = format!(
        "{} replay run:1 --campaign campaign > replayed.txt 2>&1",
        program()?.display()
    );
    at_terminal(folder.path(), &replay)?;
    let replayed = fs::read_to_string(folder.path().join("replayed.txt"))?;
    ensure!(!replayed.contains("abort"), "contained: {replayed}");
    let summary = explored(folder.path(), attempt, "--no-containment")?;
    ensure!(super::kinds(&summary) == ["abort"], "{summary:?}");
    Ok(())
}

#[test]
fn a_run_has_no_terminal() -> Result<()> {
    fails("if (open(\"/dev/tty\", O_RDWR) >= 0) abort();")?;
    fails("if (open(\"/dev/tty\", O_RDONLY) >= 0) abort();")
}

#[test]
fn a_terminal_that_is_opened_by_its_name_is_not_changed() -> Result<()> {
    // A size needs no right but that of reading; a line is typed by those who have the terminal, and by root.
    fails(
        "struct winsize to = {50, 100, 0, 0};
         int fd = open(argv[1], O_RDONLY | O_NOCTTY);
         if (ioctl(fd, TIOCSWINSZ, &to) == 0) abort();",
    )?;
    // The system looks at the lower half of a command only.
    fails(
        "struct winsize to = {50, 100, 0, 0};
         int fd = open(argv[1], O_RDONLY | O_NOCTTY);
         if (syscall(SYS_ioctl, fd, 0x700000000L | TIOCSWINSZ, &to) == 0) abort();",
    )
}
