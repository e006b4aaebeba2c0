//! Elsewise, run as people run it: the program, its exit code, its JSON summary, its campaign.

use crate::compile::root;
use anyhow::{Context, Result, bail, ensure};
use elsewise_campaign::Store;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What these tests look at of the summary; it has more.
#[derive(Clone, Debug, Deserialize)]
pub struct Summary {
    pub schema: u32,
    pub runs: u64,
    pub paths: u64,
    pub complete: bool,
    /// Why the exploration ended.
    pub ended: String,
    pub findings: Vec<Finding>,
    pub unconfirmed: Vec<Finding>,
    pub branch_sides: Sides,
    #[serde(default)]
    pub check_sides: Option<Sides>,
    pub bounds: Vec<String>,
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
    pub approximations: BTreeMap<String, u64>,
    #[serde(default)]
    pub schedules: Option<elsewise_campaign::Searched>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Finding {
    pub kind: String,
    pub message: String,
    pub file: String,
    pub line: u32,
    /// The first run that showed it.
    pub case: u64,
    pub confirmed: bool,
    #[serde(default)]
    pub race: Option<elsewise_campaign::RaceSeen>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub struct Sides {
    pub reached: u64,
    pub total: u64,
}

/// One `elsewise explore` that ended.
#[derive(Clone, Debug)]
pub struct Exploration {
    pub exit_code: i32,
    pub summary: Summary,
    /// Inputs by name, of every run in order.
    pub cases: Vec<BTreeMap<String, Vec<u8>>>,
}

impl Exploration {
    /// Nothing was found, and everything was explored where that is expected.
    pub fn is_clean(&self, complete: bool) -> Result<()> {
        let summary = &self.summary;
        let nothing = summary.findings.is_empty() && summary.unconfirmed.is_empty();
        ensure!(nothing && (summary.complete || !complete), "{summary:?}");
        Ok(())
    }
}

/// The program under test: the one that `ELSEWISE_BIN` names, or one built for the purpose with the
/// flags of this build.
pub fn program() -> Result<&'static Path> {
    static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| find().map_err(|error| format!("{error:#}")));
    match program {
        Ok(path) => Ok(path),
        Err(error) => bail!("{error}"),
    }
}

fn find() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("ELSEWISE_BIN") {
        let path = PathBuf::from(path);
        ensure!(
            path.is_file(),
            "ELSEWISE_BIN names no file: {}",
            path.display()
        );
        return Ok(path);
    }
    // The tests stand in <target>/<profile>/deps.
    let own = std::env::current_exe()?;
    let profile = own
        .parent()
        .and_then(Path::parent)
        .context("the test has no build folder")?;
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["build", "--quiet", "--package", "elsewise", "--bins"])
        .current_dir(root());
    cargo
        .arg("--target-dir")
        .arg(profile.parent().context("no target folder")?);
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    let output = cargo.output().context("cargo cannot be run")?;
    ensure!(
        output.status.success(),
        "elsewise does not build: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let path = profile.join("elsewise");
    ensure!(path.is_file(), "cargo built no {}", path.display());
    Ok(path)
}

/// Explores `sources` with a campaign of its own in `folder`, and reads what came of it.
pub fn explore(sources: &[PathBuf], options: &[String], folder: &Path) -> Result<Exploration> {
    explore_with(sources, options, folder, |_| ())
}

/// The same for what is explored once: to look for a kept build of it, and to keep the one that is made, would take
/// a fifth of the time.
pub fn explore_once(sources: &[PathBuf], options: &[String], folder: &Path) -> Result<Exploration> {
    explore_with(sources, options, folder, |command| {
        command.env("ELSEWISE_CACHE_SIZE", "0");
    })
}

/// The same with something changed in how Elsewise is started.
pub fn explore_with(
    sources: &[PathBuf],
    options: &[String],
    folder: &Path,
    prepare: impl FnOnce(&mut Command),
) -> Result<Exploration> {
    let campaign = folder.join("campaign");
    if campaign.exists() {
        std::fs::remove_dir_all(&campaign)?;
    }
    let mut command = Command::new(program()?);
    command
        .arg("explore")
        .args(sources)
        .args(["--format", "json", "--quiet", "--campaign"])
        .arg(&campaign)
        .args(options)
        .current_dir(folder);
    prepare(&mut command);
    let output = command.output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let exit_code = output
        .status
        .code()
        .with_context(|| format!("elsewise ended with {}: {stderr}", output.status))?;
    let summary = serde_json::from_slice(&output.stdout).with_context(|| {
        format!(
            "exit code {exit_code}, no summary: {}\n{stderr}",
            String::from_utf8_lossy(&output.stdout)
        )
    })?;
    let store = Store::open_read(&campaign)?;
    let cases = (0..store.run_count()?)
        .map(|run| Ok(store.case(run)?.inputs.into_iter().collect()))
        .collect::<Result<_>>()?;
    Ok(Exploration {
        exit_code,
        summary,
        cases,
    })
}
