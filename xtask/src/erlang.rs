//! `cargo xtask erlang`: CutEr's examples told again beside what it needed for them, what instrumentation
//! costs Erlang code, and test suites of rebar3 projects on instrumented modules.

mod projects;

use crate::engine::{Engine, Profile};
use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// How many times as fast the examples must be.
const FASTER: f64 = 20.0;
/// How many times as long instrumented code may take.
const WANTED: f64 = 8.0;

pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    let mut profile = Profile::Release;
    let mut parts = Vec::new();
    for word in words {
        match *word {
            "--debug" => profile = Profile::Debug,
            "cuter" | "overhead" | "projects" => parts.push(*word),
            other => bail!("no part {other}; there are cuter, overhead and projects"),
        }
    }
    if parts.is_empty() {
        parts = vec!["cuter", "overhead", "projects"];
    }
    for part in parts {
        match part {
            "cuter" => cuter(root, profile)?,
            "overhead" => overhead(root)?,
            _ => projects::run(root)?,
        }
    }
    Ok(())
}

/// What the head of an example says.
#[derive(serde::Deserialize)]
struct Head {
    entry: String,
    cuter_executions: Option<u64>,
    cuter_seconds: Option<f64>,
    cuter_crashing: Option<u64>,
}

/// Campaigns of each example, of which the fastest counts: the clock on the wall also sees what else the
/// machine does.
const CAMPAIGNS: u32 = 3;

/// Each example within as many runs as CutEr had, if that is known; time is that on the wall, from the
/// command to its end.
fn cuter(root: &Path, profile: Profile) -> Result<()> {
    let engine = Engine::build(root, profile)?;
    let folder = root.join("tests/erlang/cuter");
    let mut files: Vec<_> = folder
        .read_dir()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "erl"))
        .collect();
    files.sort();
    let mut table = String::from(
        "\n| example | runs | time | failing runs | CutEr: runs | time | failing | times as fast |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    let mut missed = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file)?;
        let head: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("%% :"))
            .collect();
        let head: Head = toml::from_str(&head.join("\n"))?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let budget = format!("--budget={}runs", head.cuter_executions.unwrap_or(40));
        let mut seconds = f64::INFINITY;
        let mut summary = serde_json::Value::Null;
        for _ in 0..CAMPAIGNS {
            let campaign = tempfile::tempdir()?;
            let begin = Instant::now();
            let output = Command::new(&engine.elsewise)
                .arg("explore")
                .arg(format!("{}::{}", file.display(), head.entry))
                .args([&budget, "--format=json", "--campaign"])
                .arg(campaign.path().join("x"))
                .output()
                .with_context(|| format!("{} cannot be started", engine.elsewise.display()))?;
            seconds = seconds.min(begin.elapsed().as_secs_f64());
            summary = serde_json::from_slice(&output.stdout)
                .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
        }
        let runs = summary["runs"].as_u64().unwrap_or(0);
        let findings = summary["findings"].as_array();
        let failing: u64 = findings.map_or(0, |all| {
            all.iter()
                .map(|one| one["runs"].as_u64().unwrap_or(1))
                .sum()
        });
        ensure!(failing > 0, "{name}: nothing was found");
        let said = |value: Option<String>| value.unwrap_or_else(|| "–".into());
        let faster = head.cuter_seconds.map(|theirs| theirs / seconds);
        if faster.is_some_and(|times| times < FASTER)
            || head.cuter_crashing.is_some_and(|theirs| failing < theirs)
        {
            missed.push(name.to_string());
        }
        table += &format!(
            "| {name} | {runs} | {seconds:.2} s | {failing} | {} | {} | {} | {} |\n",
            said(head.cuter_executions.map(|runs| runs.to_string())),
            said(head.cuter_seconds.map(|seconds| format!("{seconds} s"))),
            said(head.cuter_crashing.map(|count| count.to_string())),
            said(faster.map(|times| format!("{times:.0}"))),
        );
    }
    print!("{table}");
    ensure!(
        missed.is_empty(),
        "fewer failing runs than CutEr, or not {FASTER} times as fast: {}",
        missed.join(", ")
    );
    Ok(())
}

/// Runs a script of the helper's tests; what it says.
fn script(root: &Path, name: &str, arguments: &[&str]) -> Result<String> {
    let output = Command::new("escript")
        .arg(root.join("crates/erlang/beam/test").join(name))
        .args(arguments)
        .output()
        .context("escript cannot be run: run scripts/setup")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(text)
}

fn overhead(root: &Path) -> Result<()> {
    let text = script(root, "overhead.escript", &[])?;
    print!("{text}");
    let ratios = text.split_whitespace().filter_map(|word| {
        let ratio = word.strip_suffix('x')?;
        ratio.parse::<f64>().ok()
    });
    let worst = ratios.fold(0.0, f64::max);
    ensure!(worst > 0.0, "the script told of no ratio");
    ensure!(
        worst <= WANTED,
        "{worst:.2} times as long, {WANTED} were wanted"
    );
    Ok(())
}
