//! Inputs that were kept, and how many branches they had reached by when.

use super::race::Raced;
use crate::compile::empty;
use crate::realworld::Coverage;
use anyhow::Result;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Points of a curve.
const STEPS: usize = 12;

/// Seconds of processor time, and branches reached by then.
pub type Curve = Vec<(f64, u64)>;

/// See the module's comment.
#[derive(Default)]
pub struct Inputs {
    found: Vec<(SystemTime, PathBuf)>,
}

impl Inputs {
    /// The cases of a campaign that reached something new, and those of its findings.
    pub fn of_campaign(&mut self, campaign: &Path) -> Result<()> {
        for kind in ["cases", "findings"] {
            for entry in fs::read_dir(campaign.join(kind))? {
                self.add(entry?.path().join("stdin"))?;
            }
        }
        Ok(())
    }

    /// What an instance of AFL++ has kept.
    pub fn of_fuzzer(&mut self, folder: &Path) -> Result<()> {
        for kind in ["queue", "crashes"] {
            for entry in fs::read_dir(folder.join(kind))? {
                self.add(entry?.path())?;
            }
        }
        Ok(())
    }

    fn add(&mut self, file: PathBuf) -> Result<()> {
        if file.is_file() {
            self.found.push((fs::metadata(&file)?.modified()?, file));
        }
        Ok(())
    }

    /// Branches that had been reached by when, and all branches there are.
    pub fn curve(mut self, counted: &Path, raced: &Raced, folder: &Path) -> Result<(Curve, u64)> {
        self.found.sort();
        let end: f64 = raced.used.iter().sum();
        let scratch = folder.join("coverage");
        empty(&scratch)?;
        let mut coverage = Coverage::new(counted, &scratch);
        let mut curve = vec![(0.0, 0)];
        let mut total = 0;
        let mut left = self.found.into_iter().enumerate().peekable();
        for step in 1..=STEPS {
            let until = end * step as f64 / STEPS as f64;
            let of_step = scratch.join(format!("step-{step}"));
            fs::create_dir(&of_step)?;
            let is_of_step = |(_, (moment, _)): &(usize, (SystemTime, PathBuf))| {
                step == STEPS || raced.used_by(*moment) <= until
            };
            while let Some((number, (_, file))) = left.next_if(is_of_step) {
                fs::copy(file, of_step.join(number.to_string()))?;
            }
            coverage.add(&[of_step])?;
            let (reached, all) = coverage.branches()?;
            total = all;
            curve.push((until, reached));
        }
        Ok((curve, total))
    }
}
