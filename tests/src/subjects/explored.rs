//! Subjects explored as people do it, and whether what was found is what is expected.

use super::functions;
use super::read::{Language, Subject, Twin};
use crate::command::{Exploration, Finding, explore_once};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

fn is_budget(option: &str) -> bool {
    option.starts_with("--budget")
}

impl Subject {
    /// What a twin is given, unless its own options say it; the bugs are small.
    fn budget(&self, twin: Twin) -> Option<&'static str> {
        let own = self.expect.options.iter().any(|option| is_budget(option));
        let complete = self.expect.complete;
        let hangs = self.expect.kind == "hang";
        match (self.language, twin) {
            // Of most programs with threads, all schedules are more than anyone waits for.
            (Language::Native, _) if !self.group.starts_with("threads") => (!own).then_some("120s"),
            (Language::Chart, _) => (!own).then_some("60s,1500runs"),
            _ if complete => None,
            (Language::Native, Twin::Bug) => (!own).then_some("2000runs"),
            (Language::Native, Twin::Fixed) => Some("300runs"),
            // Each run that does not end takes its time.
            (Language::Erlang | Language::Elixir, Twin::Bug) if hangs => (!own).then_some("12runs"),
            (Language::Erlang | Language::Elixir, Twin::Bug) => Some("300runs"),
            (Language::Erlang | Language::Elixir, Twin::Fixed) => Some("60runs"),
            (Language::Prolog, _) if hangs => Some("90s,40runs"),
            (Language::Prolog, Twin::Bug) => Some("120s,300runs"),
            (Language::Prolog, Twin::Fixed) => Some("60s,80runs"),
        }
    }

    /// Explores a twin with this budget in the place of its own, if one is given.
    pub fn explored(&self, twin: Twin, budget: Option<&str>) -> Result<Exploration> {
        let folder = tempfile::tempdir()?;
        self.explored_in(folder.path(), twin, budget)
    }

    /// The same in a folder, for those who look at the campaign.
    fn explored_in(&self, folder: &Path, twin: Twin, budget: Option<&str>) -> Result<Exploration> {
        let mut options = self.expect.options.clone();
        if let Some(budget) = budget {
            options.retain(|option| !is_budget(option));
            options.push(format!("--budget={budget}"));
        }
        if twin == Twin::Fixed && self.fixed().is_none() {
            let repaired = match self.language {
                Language::Native => {
                    options.retain(|option| !option.starts_with("--cflags="));
                    let flags: Vec<&str> = self.values("--cflags").chain(["-DREPAIRED"]).collect();
                    format!("--cflags={}", flags.join(" "))
                }
                Language::Erlang => "--macro=REPAIRED".to_string(),
                _ => anyhow::bail!("{}: no twin", self.name),
            };
            options.push(repaired);
        }
        if !self.expect.args.is_empty() {
            options.push("--".into());
            options.extend(self.expect.args.iter().cloned());
        }
        explore_once(&self.target(twin), &options, folder)
            .with_context(|| format!("{}, {twin:?}", self.name))
    }

    /// As `elsewise explore` is given a twin.
    fn target(&self, twin: Twin) -> Vec<PathBuf> {
        let mut files = self.sources(twin);
        if let Some(entry) = &self.expect.entry {
            let mut name = files[0].clone().into_os_string();
            name.push("::");
            name.push(entry);
            files[0] = name.into();
        }
        files
    }

    /// Is a finding where the subject says?
    fn is_placed(&self, found: &Finding) -> bool {
        let file = Path::new(&found.file);
        let marked = self.marks.iter().any(|mark| mark.line == found.line);
        match self.language {
            Language::Native => {
                // The line may be one of the C++ library's headers.
                let of_library = self.file_name().ends_with(".cc") && found.file.starts_with('<');
                of_library || found.file.ends_with(&self.file_name()) && marked
            }
            // As far as that can be told: a call at the end of a function leaves no line of it in the stack.
            Language::Erlang | Language::Elixir | Language::Prolog => {
                let own = file.file_name() == self.source.file_name();
                self.marks.is_empty() || !own || found.line == 0 || marked
            }
            // In the model, or in its rules.
            Language::Chart => {
                file.with_extension("") == self.source.with_extension("") && found.line > 0
            }
        }
    }

    fn is_expected(&self, found: &Finding) -> bool {
        let expect = &self.expect;
        let of_kind = found.kind == expect.kind || expect.also.contains(&found.kind);
        of_kind
            && found.confirmed
            && found.message.contains(&expect.message)
            && self.is_placed(found)
    }

    /// How many findings the bug is.
    fn count(&self) -> RangeInclusive<usize> {
        let expect = &self.expect;
        match (expect.bugs.len(), self.language) {
            // Where nothing is said to show as well, the bug is one finding.
            (0, Language::Native) if expect.also.is_empty() => 1..=1,
            (0, _) => 1..=usize::MAX,
            (bugs, _) => bugs..=expect.most.unwrap_or(bugs),
        }
    }
}

/// The bug is found where it is, and nothing else.
pub fn bug_is_found(subject: &Subject) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let explored = subject.explored_in(folder.path(), Twin::Bug, subject.budget(Twin::Bug))?;
    let Exploration {
        exit_code, summary, ..
    } = &explored;
    let findings = &summary.findings;
    let good = match functions::is_function(subject) {
        true => functions::all_is_found(subject, findings),
        false => {
            let kind = &subject.expect.kind;
            // Erlang's may show itself as something else only, within a few runs.
            let shown = findings.iter().any(|found| found.kind == *kind)
                || subject.language != Language::Native;
            shown
                && findings.iter().all(|found| subject.is_expected(found))
                && subject.count().contains(&findings.len())
        }
    };
    let complete = summary.complete || !subject.expect.complete;
    ensure!(
        good && *exit_code == 2 && complete,
        "{}: exit code {exit_code}, {summary:?}",
        subject.name
    );
    if let Some(smallest) = subject.smallest()? {
        let findings = folder.path().join("campaign/findings");
        is_small(subject, &findings, &smallest)?;
    }
    Ok(())
}

/// The inputs that findings are shown with have at most twice as many bytes as the smallest that fail.
fn is_small(
    subject: &Subject,
    findings: &Path,
    smallest: &BTreeMap<String, Vec<u8>>,
) -> Result<()> {
    let least: usize = smallest.values().map(Vec::len).sum();
    for finding in fs::read_dir(findings)? {
        let finding = finding?.path();
        let sizes = smallest.keys().map(|name| {
            let file = finding.join(name);
            Ok(fs::metadata(&file)
                .with_context(|| format!("{}", file.display()))?
                .len())
        });
        let size: u64 = sizes.sum::<Result<u64>>()?;
        println!("{}: {size} bytes, {least} at least", subject.name);
        ensure!(
            size <= 2 * least as u64,
            "{}: {size} bytes where {least} are enough",
            subject.name
        );
    }
    Ok(())
}

/// Nothing is found in the repaired twin; of a function of C, its cases pass as tests.
pub fn twin_is_clean(subject: &Subject) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let budget = subject.budget(Twin::Fixed);
    let explored = subject.explored_in(folder.path(), Twin::Fixed, budget)?;
    let complete = subject.expect.complete;
    explored.is_clean(complete)?;
    let Exploration { exit_code, .. } = explored;
    ensure!(exit_code == 0 || !complete, "exit code {exit_code}");
    if functions::is_function(subject) {
        functions::exported_tests_pass(subject, folder.path()).context("exported")?;
    }
    Ok(())
}
