//! The models in `tests/charts/`: each in three formats, with a repaired twin; `charts.toml` says what
//! is expected of them.

use crate::command::{Exploration, explore};
use crate::compile::root;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Formats by folder, with the ending of their files.
pub const FORMATS: [(&str, &str); 3] = [("qm", "qm"), ("umlrt", "uml"), ("scxml", "scxml")];
/// Enough for most of them; the time is for a machine that does other things as well.
const RUNS: u32 = 1500;

#[derive(Deserialize)]
struct Charts {
    chart: Vec<Chart>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Chart {
    pub name: String,
    pub bugs: Vec<String>,
    pub length: u32,
    /// Where a bug can show itself at several places, at most so many are found.
    pub most: Option<usize>,
    pub runs: Option<u32>,
    /// What makes the twin of one that has none as a file: a piece of the text, and what it should be.
    pub fix: Option<[String; 2]>,
    /// Of one that is not written in all of them; it has a test of its own.
    #[serde(default)]
    pub formats: Option<Vec<String>>,
}

pub fn all() -> Result<Vec<Chart>> {
    let file = root().join("tests/charts/charts.toml");
    let charts: Charts = toml::from_str(&fs::read_to_string(file)?)?;
    Ok(charts.chart)
}

pub fn file(folder: &str, name: &str, ending: &str) -> PathBuf {
    root().join(format!("tests/charts/{folder}/{name}.{ending}"))
}

pub fn explored(file: &Path, length: u32, folder: &Path) -> Result<Exploration> {
    explored_for(file, length, RUNS, folder)
}

fn explored_for(file: &Path, length: u32, runs: u32, folder: &Path) -> Result<Exploration> {
    let options = [
        format!("--budget=60s,{runs}runs"),
        format!("--steps={length}"),
    ];
    explore(&[file.to_path_buf()], &options, folder).with_context(|| format!("{}", file.display()))
}

/// The bugs of a chart are found in one of its formats, in places of the model.
pub fn bugs_are_found(chart: &Chart, (folder, ending): (&str, &str)) -> Result<()> {
    let place = tempfile::tempdir()?;
    let file = file(folder, &chart.name, ending);
    let runs = chart.runs.unwrap_or(RUNS);
    let summary = explored_for(&file, chart.length, runs, place.path())?.summary;
    let found: Vec<String> = summary
        .findings
        .iter()
        .map(|one| format!("{} {}: {}", one.file, one.line, one.message))
        .collect();
    let least = chart.bugs.len();
    ensure!(
        (least..=chart.most.unwrap_or(least)).contains(&found.len()),
        "{found:#?} are not {:#?}",
        chart.bugs
    );
    // Findings point into the model, or into its rules.
    let stem = file.with_extension("");
    for finding in &summary.findings {
        ensure!(finding.confirmed, "{found:?}");
        let at = Path::new(&finding.file).with_extension("");
        ensure!(at == stem && finding.line > 0, "{found:?}");
    }
    Ok(())
}

/// Nothing is found in the repaired twin.
pub fn twin_is_clean(chart: &Chart, (folder, ending): (&str, &str)) -> Result<()> {
    let place = tempfile::tempdir()?;
    let file = file(folder, &format!("{}_fixed", chart.name), ending);
    let runs = chart.runs.unwrap_or(RUNS);
    explored_for(&file, chart.length, runs, place.path())?.is_clean(false)
}
