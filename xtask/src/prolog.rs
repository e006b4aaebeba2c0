//! `cargo xtask prolog`: libraries of SWI-Prolog explored predicate by predicate, with what their
//! findings were judged to be, and how fast it goes.

use crate::engine::{Engine, Profile};
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Explored unless others are named.
const LIBRARIES: [&str; 3] = ["assoc", "rbtrees", "dcg/basics"];
/// Of the paper's first example, SWI-Prolog's start included.
const FIRST: Duration = Duration::from_millis(300);
/// Of ten thousand events.
const EVENTS: Duration = Duration::from_millis(100);

pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    let mut profile = Profile::Release;
    let mut seconds = 5;
    let mut parts = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--debug" => profile = Profile::Debug,
            "--time" => {
                let time = words.next().and_then(|text| text.strip_suffix('s'));
                seconds = time
                    .and_then(|number| number.parse().ok())
                    .context("--time takes seconds such as 5s")?;
            }
            part => parts.push(part),
        }
    }
    if parts.is_empty() {
        parts.push("speed");
        parts.extend(LIBRARIES);
    }
    let engine = Engine::build(root, profile)?;
    let mut missed = Vec::new();
    for part in parts {
        match part {
            "speed" => missed.extend(speed(root, &engine)?),
            library => missed.extend(explored(root, &engine, library, seconds)?),
        }
    }
    match missed.is_empty() {
        true => Ok(()),
        false => bail!("{}", missed.join("\n")),
    }
}

/// The shortest of several times that a command takes.
fn shortest(mut once: impl FnMut() -> Result<Duration>) -> Result<Duration> {
    let mut best = once()?;
    for _ in 0..4 {
        best = best.min(once()?);
    }
    Ok(best)
}

fn speed(root: &Path, engine: &Engine) -> Result<Vec<String>> {
    let folder = tempfile::tempdir()?;
    let time = |subject: &str| {
        shortest(|| {
            let begun = Instant::now();
            let status = Command::new(&engine.elsewise)
                .arg("explore")
                .arg(root.join("tests/prolog").join(subject))
                .args(["--fresh", "--campaign"])
                .arg(folder.path().join("campaign"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()?;
            ensure!(status.success(), "{subject} has findings, or cannot be run");
            Ok(begun.elapsed())
        })
    };
    let first = time("paper/example1.pl::p/1")?;
    let none = time("paper/events.pl::few/0")?;
    let many = time("paper/events.pl::many/0")?;
    let events = many.saturating_sub(none);
    println!("\n| what | wall time | wanted |\n|---|---|---|");
    let mut missed = Vec::new();
    for (what, took, wanted) in [
        ("Example 1, all of it", first, FIRST),
        ("10,000 events more", events, EVENTS),
    ] {
        let took = took.as_secs_f64() * 1000.0;
        println!("| {what} | {took:.0} ms | {} ms |", wanted.as_millis());
        if took > wanted.as_secs_f64() * 1000.0 {
            missed.push(format!("{what}: {took:.0} ms"));
        }
    }
    Ok(missed)
}

/// What findings in a library were judged to be.
#[derive(Deserialize)]
struct Judgements {
    #[serde(default)]
    finding: Vec<Judgement>,
}

#[derive(Deserialize)]
struct Judgement {
    /// Or `*` for all of them.
    predicate: String,
    /// A part of its message.
    says: String,
    judged: String,
    why: String,
}

impl Judgement {
    fn is_about(&self, predicate: &str) -> bool {
        self.predicate == "*" || self.predicate == predicate
    }
}

fn judgements(root: &Path, library: &str) -> Result<Vec<Judgement>> {
    let name = format!("swi-{}.toml", library.replace('/', "-"));
    let path = root.join("xtask/judgements").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        return Ok(Vec::new());
    };
    let read: Judgements =
        toml::from_str(&text).with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(read.finding)
}

/// The file of a library and what it exports, marked with a star if it calls what it is given.
fn exports(library: &str) -> Result<(String, Vec<String>)> {
    let goal = format!(
        "use_module(library({library})), absolute_file_name(library({library}), F, \
         [file_type(prolog), access(read)]), writeln(F), \
         module_property(M, file(F)), module_property(M, exports(L)), sort(L, S), \
         forall(member(N/A, S), ( functor(H, N, A), \
         ( predicate_property(M:H, meta_predicate(_)) -> write('*') ; true ), writeq(N/A), nl ))"
    );
    let output = Command::new("swipl")
        .args(["-f", "none", "-q", "-g", &goal, "-t", "halt"])
        .output()
        .context("swipl cannot be started")?;
    let text = String::from_utf8(output.stdout)?;
    let mut lines = text.lines().map(String::from);
    let file = lines
        .next()
        .with_context(|| format!("there is no library({library})"))?;
    Ok((file, lines.collect()))
}

fn explored(root: &Path, engine: &Engine, library: &str, seconds: u32) -> Result<Vec<String>> {
    let judgements = judgements(root, library)?;
    let (file, exports) = exports(library)?;
    let folder = tempfile::tempdir()?;
    let mut table = format!(
        "\nlibrary({library}):\n\n| predicate | sides reached | runs | all explored | given up | findings |\n|---|---|---|---|---|---|\n"
    );
    let mut missed = Vec::new();
    let (mut reached, mut total, mut whole) = (0, 0, 0);
    for predicate in &exports {
        // Whatever the library has could be called by it.
        let (calls, predicate) = match predicate.strip_prefix('*') {
            Some(predicate) => (true, predicate),
            None => (false, predicate.as_str()),
        };
        eprintln!("{library}: {predicate} ...");
        let output = Command::new(&engine.elsewise)
            .arg("explore")
            .arg(format!("{file}::{predicate}"))
            .args(["--format", "json", "--fresh", "--budget"])
            .arg(format!("{seconds}s"))
            .arg("--campaign")
            .arg(folder.path().join("campaign"))
            .stderr(Stdio::piped())
            .output()?;
        let Ok(summary) = serde_json::from_slice::<Value>(&output.stdout) else {
            let words = String::from_utf8_lossy(&output.stderr);
            let words = words.lines().next().unwrap_or("no answer");
            writeln!(table, "| `{predicate}` | | | | | not explored: {words} |")?;
            continue;
        };
        let number = |path: &str| summary.pointer(path).and_then(Value::as_u64).unwrap_or(0);
        if !calls {
            reached += number("/branch_sides/reached");
            total += number("/branch_sides/total");
        }
        let complete = summary.pointer("/complete") == Some(&Value::Bool(true));
        whole += u64::from(complete);
        let given_up: Vec<String> = summary
            .pointer("/approximations")
            .and_then(Value::as_object)
            .map(|all| {
                all.iter()
                    .map(|(kind, count)| format!("{count} {kind}"))
                    .collect()
            })
            .unwrap_or_default();
        let mut told = Vec::new();
        let findings = summary.pointer("/findings").and_then(Value::as_array);
        for finding in findings.into_iter().flatten() {
            let text = |name: &str| finding.get(name).and_then(Value::as_str).unwrap_or("");
            let (kind, message) = (text("kind"), text("message"));
            let judgement = judgements
                .iter()
                .find(|one| one.is_about(predicate) && message.contains(&one.says));
            told.push(match judgement {
                Some(one) => format!("{kind}: {message}: **{}**, {}", one.judged, one.why),
                None => {
                    missed.push(format!(
                        "{library}: {predicate}: {kind}: {message}: not judged"
                    ));
                    format!("{kind}: {message}: **unjudged**")
                }
            });
        }
        writeln!(
            table,
            "| `{predicate}` | {} of {} | {} | {} | {} | {} |",
            number("/branch_sides/reached"),
            number("/branch_sides/total"),
            number("/runs"),
            if complete { "yes" } else { "" },
            given_up.join(", "),
            told.join("; ")
        )?;
    }
    print!("{table}");
    println!(
        "\n{reached} of {total} sides of clauses and tests, counted for each predicate that does not call \
         what it is given; {whole} of {} predicates explored completely.",
        exports.len()
    );
    Ok(missed)
}
