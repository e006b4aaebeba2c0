//! `cargo xtask headers`: the operations of real headers, each explored through a wrapper of ours.
//!
//! The wrappers in `tests/headers/` say in comments how they are explored, and what each finding
//! is: a bug of the header, or misuse that its documentation rules out. A finding that nobody has
//! explained, or an explanation of a finding that was not found, is an error.

mod wrappers;

use crate::engine::{Engine, Wishes};
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use wrappers::Wrapper;

pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    let Wishes {
        profile,
        seconds,
        names,
    } = Wishes::new(words, 15)?;
    let mut files: Vec<_> = fs::read_dir(root.join("tests/headers"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "c"));
    files.sort();
    let mut all = Vec::new();
    for file in &files {
        all.extend(wrappers::read(file)?);
    }
    for name in &names {
        ensure!(
            all.iter().any(|wrapper| wrapper.is(name)),
            "no wrapper {name} in tests/headers: name a file without its ending, or a function"
        );
    }
    all.retain(|wrapper| names.is_empty() || names.iter().any(|name| wrapper.is(name)));
    let engine = Engine::build(root, profile)?;
    let folder = tempfile::tempdir()?;
    let mut table = String::new();
    let mut problems = Vec::new();
    let mut file = String::new();
    for wrapper in &all {
        eprintln!("{} ...", wrapper.function);
        let summary = explore(&engine, wrapper, seconds, folder.path())?;
        if file != wrapper.file() {
            file = wrapper.file();
            writeln!(
                table,
                "\n`{file}.c`:\n\n\
                 | operation | sides | runs | seconds | all explored | findings |\n\
                 |---|---|---|---|---|---|"
            )?;
        }
        table.push_str(&row(wrapper, &summary));
        problems.extend(wrapper.problems(&summary));
    }
    print!("{table}");
    if !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    Ok(())
}

fn explore(engine: &Engine, wrapper: &Wrapper, seconds: u32, folder: &Path) -> Result<Value> {
    let mut subject = wrapper.path.clone().into_os_string();
    subject.push(format!("::{}", wrapper.function));
    let output = Command::new(&engine.elsewise)
        .arg("explore")
        .arg(subject)
        .args(&wrapper.flags)
        .arg("--campaign")
        .arg(folder.join(&wrapper.function))
        .args(["--budget", &format!("{seconds}s")])
        .args(["--quiet", "--format", "json"])
        .stdin(Stdio::null())
        .output()?;
    serde_json::from_slice(&output.stdout).with_context(|| {
        format!(
            "no summary of {}: {}",
            wrapper.function,
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

fn row(wrapper: &Wrapper, summary: &Value) -> String {
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let sides = &summary["branch_sides"];
    let unreached = number(&sides["total"]) - number(&sides["reached"]);
    let mut notes = wrapper.notes(summary);
    let complete = summary["complete"] == Value::Bool(true);
    if unreached > 0 {
        notes.push(match &wrapper.unreached {
            Some((known, why)) if *known == unreached => format!("not reached: {why}"),
            _ if complete => "no case within the bounds reaches the other sides".into(),
            _ if summary["ended"] == "budget" => {
                "time ended before the other sides were reached".into()
            }
            _ => "what was given up may have led to the other sides".into(),
        });
    }
    format!(
        "| `{}` | {} of {} | {} | {:.1} | {} | {} |\n",
        wrapper.function,
        sides["reached"],
        sides["total"],
        summary["runs"],
        summary["wall_seconds"].as_f64().unwrap_or(0.0),
        if complete { "yes" } else { "no" },
        notes.join("; "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_row_says_why_sides_were_not_reached() {
        let wrapper = Wrapper {
            path: "a.c".into(),
            function: "f".into(),
            flags: Vec::new(),
            explained: Vec::new(),
            unreached: None,
        };
        let why = |complete: bool, ended: &str| {
            let summary = json!({
                "complete": complete, "ended": ended, "runs": 1, "findings": [],
                "branch_sides": {"reached": 1, "total": 2},
            });
            row(&wrapper, &summary)
        };
        assert!(why(true, "complete").contains("no case within the bounds"));
        assert!(why(false, "budget").contains("time ended"));
        assert!(why(false, "exhausted").contains("given up"));
    }
}
