//! The data structures in `tests/structures/` are right and their verifiers exact: random operations
//! against simple models, all small graphs against their number, under sanitizers. With `BUGGY`
//! two of them have the bugs that CUTE found in SGLIB.

use anyhow::{Context, Result, ensure};
use elsewise_tests::checked::unless_checked;
use elsewise_tests::compile::{Compiler, root};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What the checks depend on.
const FILES: &[&str] = &["tests/structures", "tests/tests/whole/structures.rs"];

const STRUCTURES: [&str; 7] = [
    "quick_sort",
    "heap_sort",
    "list",
    "sorted_list",
    "dlist",
    "hash_table",
    "rb_tree",
];
const WARNINGS: [&str; 5] = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-g"];
const SANITIZERS: &str = "-fsanitize=address,undefined";

/// A structure and its tests, built with `options` into `folder`.
fn build(name: &str, options: &[&str], folder: &Path) -> Result<PathBuf> {
    let structures = root().join("tests/structures");
    let sources = [structures.join("tests"), structures].map(|f| f.join(format!("{name}.c")));
    let program = folder.join(name);
    let options: Vec<&str> = WARNINGS.iter().chain(options).copied().collect();
    Compiler::Clang.build(&sources, &options, &program)?;
    Ok(program)
}

fn succeeded(name: &str, output: &Output) -> Result<()> {
    let words = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "{name}: {}\n{words}",
        output.status
    );
    Ok(())
}

#[test]
fn they_do_what_their_models_do() -> Result<()> {
    unless_checked("structures::they_do_what_their_models_do", FILES, || {
        let folder = tempfile::tempdir()?;
        for name in STRUCTURES {
            let options = ["-O1", SANITIZERS, "-fno-sanitize-recover=all"];
            let program = build(name, &options, folder.path())?;
            succeeded(name, &Command::new(program).output()?)?;
        }
        Ok(())
    })
}

#[test]
fn every_branch_side_of_them_can_be_reached() -> Result<()> {
    unless_checked(
        "structures::every_branch_side_of_them_can_be_reached",
        FILES,
        || {
            let folder = tempfile::tempdir()?;
            for name in STRUCTURES {
                let options = ["-fprofile-instr-generate", "-fcoverage-mapping"];
                let program = build(name, &options, folder.path())?;
                let [raw, profile] =
                    ["raw", "profile"].map(|ending| program.with_extension(ending));
                let output = Command::new(&program)
                    .env("LLVM_PROFILE_FILE", &raw)
                    .output()?;
                succeeded(name, &output)?;
                let merged = Command::new("llvm-profdata-22")
                    .arg("merge")
                    .args([&raw, Path::new("-o"), &profile])
                    .output()
                    .context("llvm-profdata-22 is needed: run scripts/setup")?;
                succeeded(name, &merged)?;
                let exported = Command::new("llvm-cov-22")
                    .args(["export", "-summary-only", "-instr-profile"])
                    .args([&profile, &program])
                    .arg(root().join(format!("tests/structures/{name}.c")))
                    .output()?;
                succeeded(name, &exported)?;
                let summary: serde_json::Value = serde_json::from_slice(&exported.stdout)?;
                let branches = &summary["data"][0]["totals"]["branches"];
                ensure!(
                    branches["count"].as_u64() >= Some(10)
                        && branches["covered"] == branches["count"],
                    "{name}: {branches}"
                );
            }
            Ok(())
        },
    )
}

#[test]
fn appending_an_empty_list_crashes_where_the_bug_is() -> Result<()> {
    unless_checked(
        "structures::appending_an_empty_list_crashes_where_the_bug_is",
        FILES,
        || {
            let folder = tempfile::tempdir()?;
            let program = build("dlist", &["-DBUGGY"], folder.path())?;
            let output = Command::new(program).arg("bug").output()?;
            ensure!(output.status.signal() == Some(11), "{}", output.status);
            Ok(())
        },
    )
}

#[test]
fn an_entry_that_is_added_twice_makes_an_endless_loop_where_the_bug_is() -> Result<()> {
    unless_checked(
        "structures::an_entry_that_is_added_twice_makes_an_endless_loop_where_the_bug_is",
        FILES,
        || {
            let folder = tempfile::tempdir()?;
            let program = build("hash_table", &["-DBUGGY"], folder.path())?;
            // It counts the entries of a circle; a second of processor time is a million times enough for
            // what else it does.
            let output = Command::new("sh")
                .args(["-c", "ulimit -c 0; ulimit -t 1; exec \"$0\" bug"])
                .arg(program)
                .output()?;
            ensure!(
                matches!(output.status.signal(), Some(9 | 24)),
                "{}",
                output.status
            );
            Ok(())
        },
    )
}
