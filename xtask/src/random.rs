//! `cargo xtask random`: the test that compares random programs with their instrumented builds, on
//! many more of them.

use anyhow::{Result, ensure};
use std::path::Path;
use std::process::Command;

pub fn run(root: &Path, programs: u64, first: u64) -> Result<()> {
    let status = Command::new(env!("CARGO"))
        // The whole workspace, so that what the test suite has built serves here too.
        .args(["test", "--workspace", "--test", "random_programs"])
        .args(["--", "--nocapture"])
        .current_dir(root)
        .env("ELSEWISE_RANDOM_PROGRAMS", programs.to_string())
        .env("ELSEWISE_RANDOM_FIRST", first.to_string())
        .status()?;
    ensure!(status.success(), "not all programs agree");
    Ok(())
}
