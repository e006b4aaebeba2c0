//! `cargo xtask subsume`: what closing parts of the tree that need not be run gains and costs, on programs
//! made as device drivers are, on programs with very many paths, and where it cannot help.
//!
//! Seconds are processor time of the engine and the subject together, as a campaign counts it, and ratios
//! are between campaigns of the same run of this task.

mod cost;
#[path = "../../tests/src/drivers.rs"]
mod drivers;
mod family;
#[path = "../../tests/src/random.rs"]
#[expect(dead_code, reason = "tests use the rest")]
mod random;

use crate::engine::{Engine, Wishes};
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Strategies under which everything is measured.
const STRATEGIES: [&str; 4] = ["dfs", "random", "generational", "cfg"];

/// The longest that one campaign may take.
const SECONDS: u32 = 60;

pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    if let ["source", requests, steps, seed] = words {
        let driver = drivers::Driver {
            requests: requests.parse()?,
            steps: steps.parse()?,
            bug: None,
            seed: seed.parse()?,
        };
        print!("{}", driver.source());
        return Ok(());
    }
    let (yardstick, words) = match words {
        ["--yardstick", folder, rest @ ..] => (Some(*folder), rest),
        _ => (None, words),
    };
    let wishes = Wishes::new(words, SECONDS)?;
    let engine = Engine::build(root, wishes.profile)?;
    let folder = tempfile::tempdir()?;
    let bench = Bench {
        engine,
        folder: folder.path().to_owned(),
        seconds: wishes.seconds,
    };
    match wishes.names.as_slice() {
        [] => {
            let mut missed = family::conditionals(&bench)?;
            missed.extend(family::drivers(&bench, root)?);
            missed.extend(cost::run(&bench, root, yardstick)?);
            ensure!(missed.is_empty(), "missed: {}", missed.join("; "));
            Ok(())
        }
        ["conditionals"] => kept(&family::conditionals(&bench)?),
        ["drivers"] => kept(&family::drivers(&bench, root)?),
        ["cost"] => kept(&cost::run(&bench, root, yardstick)?),
        ["files", files @ ..] => family::files(&bench, files),
        _ => bail!("`cargo xtask subsume` takes conditionals, drivers, cost or files FILE.c..."),
    }
}

fn kept(missed: &[String]) -> Result<()> {
    ensure!(missed.is_empty(), "missed: {}", missed.join("; "));
    Ok(())
}

/// What campaigns are made with.
struct Bench {
    engine: Engine,
    folder: PathBuf,
    seconds: u32,
}

/// What a campaign came to.
struct Measured {
    runs: u64,
    seconds: f64,
    complete: bool,
    /// Kind and line of what failed.
    failures: BTreeSet<(String, u64)>,
    /// Why subsumption was turned off, if it was.
    off: Option<String>,
    lost: u64,
}

impl Bench {
    fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let file = self.folder.join(name);
        std::fs::write(&file, text)?;
        Ok(file)
    }

    /// Explores a subject; `subsume` as the option takes it.
    fn explore(
        &self,
        subject: &Path,
        strategy: &str,
        subsume: &str,
        options: &[&str],
    ) -> Result<Measured> {
        let limited = options.iter().any(|option| option.starts_with("--budget"));
        let limit = (!limited).then(|| format!("--budget={}s", self.seconds));
        let output = Command::new(&self.engine.elsewise)
            .arg("explore")
            .arg(subject)
            .args(["--fresh", "--quiet", "--format", "json", "--strategy"])
            .arg(strategy)
            .arg(format!("--subsume={subsume}"))
            .arg("--campaign")
            .arg(self.folder.join("campaign"))
            .args(options)
            .args(limit)
            .stdin(Stdio::null())
            .output()?;
        let summary: Value = serde_json::from_slice(&output.stdout).with_context(|| {
            let words = String::from_utf8_lossy(&output.stderr);
            format!("no summary of {}: {words}", subject.display())
        })?;
        let failures = summary["findings"].as_array().map(|all| {
            let one = |finding: &Value| {
                let kind = finding["kind"].as_str().unwrap_or_default().to_owned();
                (kind, finding["line"].as_u64().unwrap_or_default())
            };
            all.iter().map(one).collect()
        });
        let subsumption = &summary["subsumption"];
        Ok(Measured {
            runs: summary["runs"].as_u64().context("no number of runs")?,
            seconds: summary["cpu_seconds"].as_f64().context("no time")?,
            complete: summary["complete"] == true,
            failures: failures.unwrap_or_default(),
            off: subsumption["off"].as_str().map(str::to_owned),
            lost: subsumption["lost"].as_u64().unwrap_or_default(),
        })
    }
}
