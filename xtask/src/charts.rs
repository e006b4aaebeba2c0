//! `cargo xtask charts`: state-machine models of others, read and run, and how fast they are covered.

mod conformance;
mod coverage;
mod public;

use anyhow::{Result, bail};
use std::path::Path;

pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    match words {
        ["public", folders @ ..] if !folders.is_empty() => public::run(folders),
        ["conformance"] => conformance::run(),
        ["coverage", words @ ..] => coverage::run(root, words),
        _ => bail!(
            "`cargo xtask charts` takes: conformance, coverage [BRANCHES|FILE...], public FOLDER..."
        ),
    }
}
