//! `cargo xtask miri`: unit tests on Miri, of crates that it can run. What calls into C libraries or starts
//! processes is left out there by `cfg(miri)`.

use crate::repository::Repository;
use anyhow::{Context, Result, ensure};
use std::process::Command;

/// Crates whose code is unsafe in places, or close to it, and needs no other process.
const CRATES: &[&str] = &["elsewise-term", "elsewise-wire", "elsewise-solve"];

/// `words` are more of the test harness: the names of tests, for example.
pub fn run(repository: &Repository, words: &[&str]) -> Result<()> {
    let mut command = Command::new("cargo");
    command.args(["+nightly", "miri", "test", "--locked", "--lib"]);
    for name in CRATES {
        command.args(["-p", name]);
    }
    let status = command
        .arg("--")
        .args(words)
        .current_dir(repository.root())
        // Its own: what is built for Miri is of no use elsewhere. The clock is for time limits.
        .env("CARGO_TARGET_DIR", repository.root().join("target/miri"))
        .env("MIRIFLAGS", "-Zmiri-disable-isolation")
        .status()
        .context("cargo +nightly miri: install it with `rustup +nightly component add miri`")?;
    ensure!(status.success(), "Miri has found something");
    Ok(())
}
