//! The programs that are measured, built from this checkout, and what they say of a subject.

use anyhow::{Context, Result, bail, ensure};
use elsewise_campaign::Summary;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub struct Engine {
    pub elsewise: PathBuf,
    pub cc: PathBuf,
    pub cxx: PathBuf,
    /// For campaigns that nobody looks at later, and whatever else is not kept.
    pub scratch: tempfile::TempDir,
}

impl Engine {
    /// Those of this checkout, or those that ELSEWISE_BIN names, which are not built.
    pub fn build(root: &Path, debug: bool) -> Result<Engine> {
        if let Some(elsewise) = std::env::var_os("ELSEWISE_BIN") {
            return Engine::of(Path::new(&elsewise));
        }
        let mut command = Command::new(env!("CARGO"));
        command.args(["build", "--workspace", "--quiet"]);
        command.args((!debug).then_some("--release"));
        let status = command.current_dir(root).status();
        let status = status.context("cargo cannot be run")?;
        ensure!(status.success(), "elsewise does not build");
        let profile = if debug { "debug" } else { "release" };
        Engine::of(&target(root).join(profile).join("elsewise"))
    }

    /// One that is built already, with its compilers beside it.
    pub fn of(elsewise: &Path) -> Result<Engine> {
        Ok(Engine {
            elsewise: elsewise.to_path_buf(),
            cc: elsewise.with_file_name("elsewise-cc"),
            cxx: elsewise.with_file_name("elsewise-cxx"),
            scratch: tempfile::tempdir()?,
        })
    }

    /// Explores a subject for its [`summary`] alone; options are to be added.
    pub fn explore(&self, subject: impl AsRef<OsStr>) -> Command {
        self.explore_in(&self.scratch.path().join("campaign"), subject)
    }

    /// The same with a campaign that is kept.
    pub fn explore_in(&self, campaign: &Path, subject: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(&self.elsewise);
        command
            .arg("explore")
            .arg(subject)
            .args(["--fresh", "--quiet", "--format=json", "--campaign"])
            .arg(campaign);
        command
    }
}

/// Cargo's.
pub fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// `FILE::FUNCTION`.
pub fn function(file: &Path, function: &str) -> String {
    format!("{}::{function}", file.display())
}

/// The summary that a command prints.
pub fn summary(command: &mut Command) -> Result<Summary> {
    match answer(command)? {
        Ok(summary) => Ok(summary),
        Err(said) => bail!("no summary from {command:?}: {said}"),
    }
}

/// The summary that a command prints, or what it says instead.
pub fn answer(command: &mut Command) -> Result<Result<Summary, String>> {
    let output = command.stdin(Stdio::null()).output();
    let output =
        output.with_context(|| format!("{} cannot be run", command.get_program().display()))?;
    Ok(match serde_json::from_slice(&output.stdout) {
        Ok(summary) => Ok(summary),
        Err(_) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    })
}

/// For tests: a summary with what matters there.
#[cfg(test)]
pub mod samples {
    use elsewise_campaign::Summary;
    use serde_json::{Value, json};

    pub fn summary(what: Value) -> Summary {
        let mut all = json!({
            "schema": 1, "subject": "", "ended": "exhausted", "runs": 1, "optimistic_runs": 0,
            "repeated_runs": 0, "paths": 1, "frontier": 0, "complete": false, "findings": [],
            "unconfirmed": [], "branch_sides": {"reached": 0, "total": 0}, "cpu_seconds": 0.0,
            "wall_seconds": 0.0, "engine_cpu_seconds": 0.0, "subject_cpu_seconds": 0.0,
            "queries": {"asked": 0, "sat": 0, "unsat": 0, "unknown": 0, "stages": []},
            "approximations": {}, "approximation_places": [], "bounds": [], "strategy": "mix",
            "seed": 0, "resumed": false, "campaign": "", "rotated": null,
        });
        for (key, value) in what.as_object().unwrap() {
            all[key] = value.clone();
        }
        serde_json::from_value(all).unwrap()
    }

    pub fn finding(kind: &str, file: &str, function: &str, line: u32) -> Value {
        json!({
            "id": 1, "kind": kind, "message": "", "file": file, "line": line,
            "function": function, "confirmed": true, "note": "", "case": 0, "runs": 1, "path": "",
            "stack": [],
        })
    }
}
