//! `elsewise replay --gdb` with a schedule: a real gdb goes along it, move by move.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::program;
use elsewise_tests::compile::root;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Explores a subject, and has gdb do these commands on its first finding of this kind.
fn debugged(source: &str, kind: &str, commands: &str) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let campaign = folder.path().join("campaign");
    Command::new(program()?)
        .arg("explore")
        .arg(root().join(source))
        .args(["--budget=200runs", "--campaign"])
        .arg(&campaign)
        .output()?;
    let finding = finding(&campaign, kind)?;
    let mut gdb = Command::new(program()?)
        .args(["replay", "--gdb"])
        .arg(&finding)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut stdin = gdb.stdin.take().context("no standard input")?;
    stdin.write_all(commands.as_bytes())?;
    drop(stdin);
    let output = gdb.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(
        !errors.contains("Traceback") && !errors.contains("Undefined command"),
        "{said}{errors}"
    );
    // The prompts are of no interest.
    Ok(said.replace("(gdb) ", ""))
}

fn finding(campaign: &Path, kind: &str) -> Result<std::path::PathBuf> {
    for entry in campaign.join("findings").read_dir()? {
        let path = entry?.path();
        let text = std::fs::read_to_string(path.join("finding.json"))?;
        if text.contains(&format!("\"kind\": \"{kind}\"")) {
            return Ok(path);
        }
    }
    anyhow::bail!("no {kind} in {}", campaign.display())
}

#[test]
fn a_deadlock_ends_with_everybody_waiting() -> Result<()> {
    let source = "tests/schedules/philosophers.c";
    let said = debugged(source, "deadlock", "elw-next\nelw-next 2\nelw-next\nbt 1\n")?;
    let line = |text: &str, number: u32| format!("philosophers.c:{number} in {text}");
    let lock = "pthread_mutex_lock(&fork_";
    // Each philosopher takes one fork, the last one first of the others, as it has to wait by itself;
    // then each waits for the next.
    for wanted in [
        format!("move 1: main thread, {}", line("main", 32)),
        format!("move 2: thread 1, {}  {lock}[first]);", line("dine", 17)),
        format!("move 4: thread 2, {}  {lock}[first]);", line("dine", 17)),
        "After 4 moves no thread can go on:".to_string(),
        format!("  thread 1     {}  {lock}[second]);", line("dine", 18)),
        format!("* thread 2     {}  {lock}[second]);", line("dine", 18)),
        format!("  thread 3     {}  {lock}[second]);", line("dine", 18)),
        // Backtraces begin in the subject.
        "in dine (".to_string(),
    ] {
        ensure!(said.contains(&wanted), "no {wanted}\n{said}");
    }
    Ok(())
}

#[test]
fn a_failed_assertion_stops_where_it_fails() -> Result<()> {
    let source = "tests/subjects/threads/check_then_act/check_then_act.c";
    let text = std::fs::read_to_string(root().join(source))?;
    let failing = text
        .lines()
        .position(|line| line.ends_with("// fails here"));
    let failing = failing.context("no line fails")? + 1;
    let said = debugged(source, "assertion", "continue\nbt 1\nprint balance\n")?;
    for wanted in [
        "move 1: ".to_string(),
        "SIGABRT".to_string(),
        format!("check_then_act.c:{failing}"),
        "$1 = -10".to_string(),
    ] {
        ensure!(said.contains(&wanted), "no {wanted}\n{said}");
    }
    Ok(())
}

#[test]
fn a_run_can_begin_again_and_go_to_a_move() -> Result<()> {
    let source = "tests/subjects/threads/unprotected/unprotected.c";
    let commands = "elw-goto 3\nelw-goto 2\nrun\nelw-next\nelw-back\ncontinue\nelw-next\n";
    let said = debugged(source, "data race", commands)?;
    for (wanted, times) in [
        ("move 1: ", 2),
        ("move 3: ", 1),
        ("Move 2 is over", 1),
        ("move 2: ", 1),
        ("The run has ended; `run` begins it again.", 1),
    ] {
        let found = said.matches(wanted).count();
        ensure!(found == times, "{found} times {wanted}\n{said}");
    }
    Ok(())
}
