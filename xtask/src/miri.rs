//! `cargo xtask miri`: unit tests on Miri, which call no C library and start no process. Tests of random
//! values try a few only, since each takes a thousand times as long there.

use crate::repository::Repository;
use anyhow::{Context, Result, ensure};
use std::process::Command;

/// Of `elsewise-solve`, what is said to the process that asks Z3; tests that call a solver are no unit tests.
const CRATES: &[&str] = &[
    "elsewise-operators",
    "elsewise-term",
    "elsewise-wire",
    "elsewise-solve",
];

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
        .env("PROPTEST_CASES", "4")
        .env("ELSEWISE_MUTATIONS", "20")
        .status()
        .context("cargo +nightly miri: install it with `rustup +nightly component add miri`")?;
    ensure!(status.success(), "Miri has found something");
    Ok(())
}
