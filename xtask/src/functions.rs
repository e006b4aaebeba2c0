//! `cargo xtask functions`: every function of libraries of the distribution, explored without a
//! harness written by hand, and what its findings were judged to be.

mod judgements;
mod libraries;
mod list;

use crate::engine::{Engine, Profile};
use crate::packages::{compile, source};
use anyhow::{Context, Result, bail};
use judgements::{Judgements, Verdict};
use libraries::Library;
use list::Listed;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Seconds that a function may take beyond its time, for building and for the last run.
const MARGIN: u64 = 120;

pub struct Options {
    seconds: u64,
    jobs: usize,
    profile: Profile,
    /// What was explored before is shown, not explored again.
    last: bool,
    libraries: Vec<&'static Library>,
    /// Only these functions; all where it is empty.
    only: Vec<String>,
}

impl Options {
    pub fn new(words: &[&str]) -> Result<Options> {
        let mut options = Options {
            seconds: 20,
            jobs: 1,
            profile: Profile::Release,
            last: false,
            libraries: Vec::new(),
            only: Vec::new(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--time" => {
                    let text = words.next().and_then(|text| text.strip_suffix('s'));
                    options.seconds = text
                        .and_then(|text| text.parse().ok())
                        .filter(|seconds| *seconds > 0)
                        .context("--time takes seconds for each function, such as 20s")?;
                }
                "--jobs" => {
                    options.jobs = words
                        .next()
                        .and_then(|text| text.parse().ok())
                        .context("--jobs takes how many functions are explored at a time")?;
                }
                "--debug" => options.profile = Profile::Debug,
                "--last" => options.last = true,
                name => match libraries::ALL.iter().find(|library| library.name == name) {
                    Some(library) => options.libraries.push(library),
                    None => match name.split_once("::") {
                        Some((name, function)) => {
                            let library = libraries::ALL.iter().find(|l| l.name == name);
                            let library = library.with_context(|| unknown(name))?;
                            if !options.libraries.iter().any(|l| l.name == name) {
                                options.libraries.push(library);
                            }
                            options.only.push(function.to_string());
                        }
                        None => bail!(unknown(name)),
                    },
                },
            }
        }
        if options.libraries.is_empty() {
            options.libraries = libraries::ALL.iter().collect();
        }
        Ok(options)
    }
}

fn unknown(name: &str) -> String {
    let all: Vec<&str> = libraries::ALL.iter().map(|library| library.name).collect();
    format!("no library {name}; there are {}", all.join(", "))
}

/// What became of one function.
#[derive(Debug, PartialEq)]
enum Outcome {
    /// No harness can be made, for a reason.
    Refused(String),
    /// A harness should have been made, and was not.
    Failed(String),
    Explored(Explored),
}

#[derive(Debug, Default, PartialEq)]
struct Explored {
    runs: u64,
    complete: bool,
    sides: (u64, u64),
    findings: Vec<Finding>,
}

#[derive(Clone, Debug, PartialEq)]
struct Finding {
    kind: String,
    /// Where it happened.
    function: String,
    line: u64,
}

pub fn run(root: &Path, options: &Options) -> Result<()> {
    let engine = Engine::build(root, options.profile)?;
    let cache = source::cache()?;
    source::fetch_lists(&cache)?;
    let mut totals = String::from(
        "| library | functions | refused | not built | explored | completely | with findings | \
         findings | real | misuse | invalid object | harness | unjudged |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for library in &options.libraries {
        let folder = cache.join("functions").join(library.name);
        let source = source::fetch(&cache, library.name, library.version)?;
        let place = compile::prepare(&folder, &source, library.prepare)?;
        library.describe(&engine, &place)?;
        let mut listed = list::functions(library, &place, &folder)?;
        if !options.only.is_empty() {
            listed.retain(|listed| options.only.contains(&listed.function));
        }
        let judgements = Judgements::read(root, library)?;
        let outcomes = explore_all(&engine, options, &listed, &folder.join("campaigns"))?;
        print!("{}", table(&listed, &outcomes, &judgements)?);
        let total = Total::of(&outcomes, &listed, &judgements);
        writeln!(
            totals,
            "| {} {} {}",
            library.name,
            source::upstream(library.version),
            total.row()
        )?;
    }
    println!("\n{totals}");
    Ok(())
}

fn explore_all(
    engine: &Engine,
    options: &Options,
    listed: &[Listed],
    campaigns: &Path,
) -> Result<Vec<Outcome>> {
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<Option<Result<Outcome>>>> =
        Mutex::new(listed.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, listed.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(one) = listed.get(at) else { break };
                    let outcome = explore(engine, one, options, campaigns);
                    if let Ok(outcome) = &outcome {
                        eprintln!(
                            "{} of {}: {} {}",
                            at + 1,
                            listed.len(),
                            one.function,
                            words(outcome)
                        );
                    }
                    if let Ok(mut outcomes) = outcomes.lock() {
                        outcomes[at] = Some(outcome);
                    }
                }
            });
        }
    });
    let outcomes = outcomes.into_inner().ok().context("a thread panicked")?;
    outcomes
        .into_iter()
        .map(|outcome| outcome.context("not explored")?)
        .collect()
}

fn explore(engine: &Engine, one: &Listed, options: &Options, campaigns: &Path) -> Result<Outcome> {
    // Files may have static functions of the same name.
    let stem = one.file.file_stem().context("a source without a name")?;
    let campaign = campaigns.join(stem).join(&one.function);
    let mut command = Command::new("timeout");
    let seconds = options.seconds;
    command
        .args(["--kill-after=5", &(seconds + MARGIN).to_string()])
        .arg(&engine.elsewise);
    if options.last && campaign.exists() {
        command.arg("status");
    } else {
        if campaign.exists() {
            fs::remove_dir_all(&campaign)?;
        }
        fs::create_dir_all(campaigns.join(stem))?;
        command
            .arg("explore")
            .arg(format!("{}::{}", one.file.display(), one.function))
            .args(&one.others)
            .args(["--budget", &format!("{seconds}s")])
            .args(["--jobs", "1", "--quiet"]);
    }
    let output = command
        .arg("--campaign")
        .arg(&campaign)
        .args(["--format", "json"])
        .stdin(Stdio::null())
        .output()?;
    Ok(outcome(
        &output.stdout,
        &String::from_utf8_lossy(&output.stderr),
    ))
}

/// What a summary, or else the words on standard error, say.
fn outcome(summary: &[u8], errors: &str) -> Outcome {
    let Ok(summary) = serde_json::from_slice::<Value>(summary) else {
        let text = errors.trim();
        let reason = text.split_once("cannot be called from a harness: ");
        return match reason {
            Some((_, reason)) => Outcome::Refused(reason.lines().next().unwrap_or("").into()),
            None => Outcome::Failed(text.into()),
        };
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let findings = summary["findings"].as_array().cloned().unwrap_or_default();
    Outcome::Explored(Explored {
        runs: number(&summary["runs"]),
        complete: summary["complete"].as_bool().unwrap_or(false),
        sides: (
            number(&summary["branch_sides"]["reached"]),
            number(&summary["branch_sides"]["total"]),
        ),
        findings: findings
            .iter()
            .map(|finding| Finding {
                kind: text(&finding["kind"]),
                function: text(&finding["function"]),
                line: number(&finding["line"]),
            })
            .collect(),
    })
}

fn words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Refused(why) => format!("refused: {why}"),
        Outcome::Failed(why) => format!("not built: {why}"),
        Outcome::Explored(explored) => {
            let found: Vec<String> = explored.findings.iter().map(Finding::words).collect();
            format!("{} runs {}", explored.runs, found.join(", "))
        }
    }
}

impl Finding {
    fn words(&self) -> String {
        format!("{} in {}:{}", self.kind, self.function, self.line)
    }
}

/// A line for every function, and one for every finding with what it was judged to be.
fn table(listed: &[Listed], outcomes: &[Outcome], judgements: &Judgements) -> Result<String> {
    let mut table = String::from("\n| function | runs | sides | result |\n|---|---|---|---|\n");
    for (one, outcome) in listed.iter().zip(outcomes) {
        let name = &one.function;
        match outcome {
            Outcome::Refused(why) => writeln!(table, "| `{name}` | | | refused: {why} |")?,
            Outcome::Failed(why) => {
                let first = why.lines().next().unwrap_or_default();
                writeln!(table, "| `{name}` | | | not built: {first} |")?;
            }
            Outcome::Explored(explored) => {
                let mut result = vec![match explored.complete {
                    true => "explored completely".to_string(),
                    false => "explored".to_string(),
                }];
                for finding in &explored.findings {
                    let judged = match judgements.of(name, finding) {
                        Some(judgement) => {
                            format!("**{}**, {}", judgement.judged.word(), judgement.why)
                        }
                        None => "**unjudged**".into(),
                    };
                    result.push(format!("{}: {judged}", finding.words()));
                }
                let (reached, all) = explored.sides;
                let result = result.join("; ");
                writeln!(
                    table,
                    "| `{name}` | {} | {reached} of {all} | {result} |",
                    explored.runs
                )?;
            }
        }
    }
    Ok(table)
}

#[derive(Debug, Default, PartialEq)]
struct Total {
    functions: usize,
    refused: usize,
    failed: usize,
    complete: usize,
    with_findings: usize,
    findings: usize,
    real: usize,
    misuse: usize,
    invalid: usize,
    harness: usize,
}

impl Total {
    fn of(outcomes: &[Outcome], listed: &[Listed], judgements: &Judgements) -> Total {
        let mut total = Total {
            functions: outcomes.len(),
            ..Total::default()
        };
        for (one, outcome) in listed.iter().zip(outcomes) {
            match outcome {
                Outcome::Refused(_) => total.refused += 1,
                Outcome::Failed(_) => total.failed += 1,
                Outcome::Explored(explored) => {
                    total.complete += usize::from(explored.complete);
                    total.with_findings += usize::from(!explored.findings.is_empty());
                    total.findings += explored.findings.len();
                    for finding in &explored.findings {
                        match judgements.of(&one.function, finding).map(|j| j.judged) {
                            Some(Verdict::Real) => total.real += 1,
                            Some(Verdict::Misuse) => total.misuse += 1,
                            Some(Verdict::Invalid) => total.invalid += 1,
                            Some(Verdict::Harness) => total.harness += 1,
                            None => {}
                        }
                    }
                }
            }
        }
        total
    }

    fn row(&self) -> String {
        let unjudged = self.findings - self.real - self.misuse - self.invalid - self.harness;
        let share = match self.findings {
            0 => String::new(),
            all => format!(" ({:.1} %)", 100.0 * self.harness as f64 / all as f64),
        };
        format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {}{share} | {unjudged} |",
            self.functions,
            self.refused,
            self.failed,
            self.functions - self.refused - self.failed,
            self.complete,
            self.with_findings,
            self.findings,
            self.real,
            self.misuse,
            self.invalid,
            self.harness,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options() {
        let options = Options::new(&["--time", "5s", "libcsv::csv_init"]).unwrap();
        assert_eq!((options.seconds, options.libraries.len()), (5, 1));
        assert_eq!(options.only, ["csv_init"]);
        assert_eq!(Options::new(&[]).unwrap().seconds, 20);
        assert!(Options::new(&["--last"]).unwrap().last);
        assert!(Options::new(&["--time", "0s"]).is_err());
        assert!(Options::new(&["nonsense"]).is_err());
        assert!(Options::new(&["nonsense::f"]).is_err());
    }

    #[test]
    fn outcomes() {
        let refused = "elsewise: `f` cannot be called from a harness: it is odd\n";
        assert_eq!(outcome(b"", refused), Outcome::Refused("it is odd".into()));
        assert_eq!(outcome(b"", "no\n"), Outcome::Failed("no".into()));
        let summary = br#"{"runs": 7, "complete": true,
            "branch_sides": {"reached": 3, "total": 4},
            "findings": [{"kind": "segv", "function": "g", "line": 12}]}"#;
        let explored = Explored {
            runs: 7,
            complete: true,
            sides: (3, 4),
            findings: vec![Finding {
                kind: "segv".into(),
                function: "g".into(),
                line: 12,
            }],
        };
        assert_eq!(outcome(summary, ""), Outcome::Explored(explored));
    }

    #[test]
    fn findings_are_counted_by_what_they_were_judged() {
        let judgements = Judgements::parse(
            "[[finding]]\nsubject = \"f\"\nkind = \"segv\"\nfunction = \"g\"\nline = 12\n\
             judged = \"misuse\"\nwhy = \"g wants no null\"\n",
        )
        .unwrap();
        let finding = |line| Finding {
            kind: "segv".into(),
            function: "g".into(),
            line,
        };
        let listed = [Listed {
            file: "a.c".into(),
            function: "f".into(),
            others: Vec::new(),
        }];
        let outcomes = [Outcome::Explored(Explored {
            findings: vec![finding(12), finding(13)],
            ..Explored::default()
        })];
        let total = Total::of(&outcomes, &listed, &judgements);
        assert_eq!((total.findings, total.misuse, total.harness), (2, 1, 0));
        assert!(total.row().ends_with("| 2 | 0 | 1 | 0 | 0 (0.0 %) | 1 |"));
        let table = table(&listed, &outcomes, &judgements).unwrap();
        assert!(
            table.contains("segv in g:12: **misuse**, g wants no null; segv in g:13: **unjudged**")
        );
    }
}
