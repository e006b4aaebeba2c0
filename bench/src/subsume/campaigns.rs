//! Campaigns with and without subsumption.

use crate::engine::{Engine, summary};
use anyhow::Result;
use elsewise_campaign::Summary;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Strategies under which everything is measured.
pub const STRATEGIES: [&str; 4] = ["dfs", "random", "generational", "cfg"];

/// What campaigns are made with.
pub struct Campaigns {
    pub engine: Engine,
    /// The longest that one may take.
    pub seconds: u64,
}

impl Campaigns {
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let file = self.engine.scratch.path().join(name);
        std::fs::write(&file, text)?;
        Ok(file)
    }

    /// Explores a subject; `subsume` as the option takes it.
    pub fn explore(&self, subject: &Path, strategy: &str, subsume: &str) -> Result<Summary> {
        let time = format!("--budget={}s", self.seconds);
        self.explore_with(subject, strategy, subsume, &[&time])
    }

    pub fn explore_with(
        &self,
        subject: &Path,
        strategy: &str,
        subsume: &str,
        options: &[&str],
    ) -> Result<Summary> {
        let mut command = self.engine.explore(subject);
        command.args(["--strategy", strategy, &format!("--subsume={subsume}")]);
        summary(command.args(options))
    }
}

/// Kind and line of what failed.
pub fn failures(summary: &Summary) -> BTreeSet<(&str, u32)> {
    let findings = summary.findings.iter();
    findings.map(|one| (one.kind.as_str(), one.line)).collect()
}

/// Why subsumption was turned off, if it was, and the runs that it could not follow.
pub fn lost(summary: &Summary) -> (Option<&str>, u64) {
    match &summary.subsumption {
        Some(it) => (it.off.as_deref(), it.lost),
        None => (None, 0),
    }
}
