//! `cargo xtask optional`: the features that are off by default, linted, built and tried: buckets of S3 against a server of that
//! kind, spans for OpenTelemetry against a collector of the tests' own.
//!
//! They bring clients of HTTP along, so `.ci/run` is without them.

use crate::dist::must;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// A folder that speaks as S3 does, by people who have nothing to do with `object_store`.
const SERVER: &str = "s3s-fs";
const VERSION: &str = "0.14.1";
const FEATURES: &str = "--features=elsewise/buckets,elsewise/telemetry";

pub fn run(root: &Path) -> Result<()> {
    let target = root.join("target");
    let tools = target.join("optional");
    let cargo = || {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(root);
        cargo
    };
    must(
        cargo()
            .args([
                "install",
                "--quiet",
                "--locked",
                "--features=binary",
                SERVER,
            ])
            .args(["--version", VERSION, "--profile=dev", "--root"])
            .arg(&tools),
    )?;
    must(cargo().args(["build", "--locked", "--workspace", "--bins", FEATURES]))?;
    must(
        cargo()
            .args(["nextest", "run", "--locked", "--workspace", FEATURES])
            .args(["--run-ignored=only", "-E"])
            .arg("package(elsewise-tests) & test(/^optional::/)")
            .env("ELSEWISE_BIN", target.join("debug/elsewise"))
            .env("ELSEWISE_S3S_FS", tools.join("bin").join(SERVER)),
    )?;
    must(cargo().args([
        "clippy",
        "--locked",
        "--workspace",
        FEATURES,
        "--",
        "-Dwarnings",
    ]))
}
