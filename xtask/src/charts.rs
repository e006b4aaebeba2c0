//! `cargo xtask charts`: state-machine models of others, read and run, and how fast they are covered.

mod conformance;
mod coverage;
mod public;

use anyhow::{Result, bail};

pub fn run(words: &[&str]) -> Result<()> {
    match words {
        ["public", folders @ ..] if !folders.is_empty() => public::run(folders),
        ["conformance"] => conformance::run(),
        ["coverage", words @ ..] => coverage::run(words),
        _ => bail!(
            "`cargo xtask charts` takes: conformance, coverage [BRANCHES|FILE...], public FOLDER..."
        ),
    }
}
