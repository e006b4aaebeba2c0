//! Every bug of our subjects is found and confirmed, and nothing is found in a repaired twin.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::{Exploration, explore};
use elsewise_tests::subjects::{self, TestSubject, Twin};

fn explored(subject: &TestSubject, twin: Twin) -> Result<Exploration> {
    let folder = tempfile::tempdir()?;
    let mut options = Vec::new();
    if let Some(size) = subject.expect.input_size {
        options.push(format!("--input-size={size}"));
    }
    if !subject.expect.cflags.is_empty() {
        options.push(format!("--cflags={}", subject.expect.cflags));
    }
    if let Some(size) = subject.expect.max_input {
        options.push(format!("--max-input={size}"));
    }
    for variable in &subject.expect.env {
        options.push(format!("--env={variable}"));
    }
    if !subject.expect.args.is_empty() {
        options.push("--".into());
        options.extend(subject.expect.args.iter().cloned());
    }
    explore(&subject.sources(twin), &options, folder.path())
        .with_context(|| format!("{}, {twin:?}", subject.name))
}

#[test]
fn every_bug_is_found_and_confirmed() -> Result<()> {
    let mut wrong = Vec::new();
    for subject in subjects::all()? {
        let Exploration {
            exit_code, summary, ..
        } = explored(&subject, Twin::Bug)?;
        let expect = &subject.expect;
        let good = match summary.findings.as_slice() {
            [finding] => {
                let placed = finding.line == expect.line && finding.file.ends_with("bug.c");
                finding.kind == expect.kind && finding.confirmed && placed
            }
            _ => false,
        };
        let good = good && exit_code == 2 && summary.complete == expect.complete.bug;
        if !good {
            wrong.push(format!(
                "{}: exit code {exit_code}, {summary:?}",
                subject.name
            ));
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

#[test]
fn nothing_is_found_in_a_repaired_twin() -> Result<()> {
    let mut wrong = Vec::new();
    for subject in subjects::all()? {
        let Exploration {
            exit_code, summary, ..
        } = explored(&subject, Twin::Fixed)?;
        let good = summary.findings.is_empty()
            && exit_code == 0
            && summary.complete == subject.expect.complete.fixed;
        if !good {
            wrong.push(format!(
                "{}: exit code {exit_code}, {summary:?}",
                subject.name
            ));
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
