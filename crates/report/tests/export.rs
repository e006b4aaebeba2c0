//! Exported tests compile without a warning and pass on the library that they come from, fail on
//! a changed one, and those of failing cases fail, whatever the framework.

#[path = "export/behaviours.rs"]
mod behaviours;

use elsewise_report::export::{File, Framework, Suite, export};
use std::path::Path;
use std::process::{Command, Output};

const HEADER: &str = include_str!("export/kit.h");
const LIBRARY: &str = include_str!("export/kit.c");

fn exported(framework: Framework) -> Vec<File> {
    let behaviours = behaviours::all();
    export(
        &Suite {
            function: "kit",
            includes: &["#include \"kit.h\"".to_owned()],
            prototype: None,
            sources: &["kit.c".to_owned()],
            flags: &[],
            failing_flags: &[],
            taken: &[],
            behaviours: &behaviours,
        },
        framework,
    )
}

/// A folder with the library and what is exported for it.
fn folder(framework: Framework) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("kit.h"), HEADER).unwrap();
    std::fs::write(folder.path().join("kit.c"), LIBRARY).unwrap();
    for file in exported(framework) {
        std::fs::write(folder.path().join(file.name), file.text).unwrap();
    }
    folder
}

fn done(folder: &Path, program: &str, arguments: &[&str]) {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("{program} is needed, run scripts/setup: {error}"));
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn compiled(folder: &Path, framework: Framework, name: &str) {
    let (compiler, extension, libraries): (_, _, &[&str]) = match framework {
        Framework::Tap => ("gcc", "c", &[]),
        Framework::Cmocka => ("gcc", "c", &["-lcmocka"]),
        Framework::Check => (
            "gcc",
            "c",
            &["-lcheck", "-lsubunit", "-lm", "-lrt", "-lpthread"],
        ),
        Framework::Criterion => ("gcc", "c", &["-lcriterion"]),
        Framework::Gtest => ("g++", "cc", &["-lgtest_main", "-lgtest", "-lpthread"]),
    };
    let source = format!("{name}.{extension}");
    let mut arguments = vec!["-Wall", "-Wextra", "-Werror", &source, "kit.o", "-o", name];
    arguments.extend(libraries);
    done(folder, compiler, &arguments);
}

fn run(folder: &Path, framework: Framework, name: &str) -> Output {
    let mut command = Command::new(folder.join(name));
    if framework == Framework::Gtest {
        command.arg("--gtest_also_run_disabled_tests");
    }
    command.current_dir(folder).output().unwrap()
}

fn told(output: &Output) -> String {
    format!(
        "{}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

fn library(folder: &Path, text: &str) {
    std::fs::write(folder.join("kit.c"), text).unwrap();
    done(
        folder,
        "gcc",
        &["-Wall", "-Wextra", "-Werror", "-c", "kit.c"],
    );
}

/// The library with one line changed.
fn mutated() -> String {
    let lines: Vec<String> = LIBRARY
        .lines()
        .map(|line| match line.split_once("// mutation: ") {
            Some((_, changed)) => format!("    {changed}"),
            None => line.to_owned(),
        })
        .collect();
    lines.join("\n") + "\n"
}

fn passes_and_notices(framework: Framework) {
    let folder = folder(framework);
    let folder = folder.path();
    library(folder, LIBRARY);
    compiled(folder, framework, "test_kit");
    let output = run(folder, framework, "test_kit");
    assert!(output.status.success(), "{}", told(&output));

    compiled(folder, framework, "test_kit_failing");
    let output = run(folder, framework, "test_kit_failing");
    assert!(!output.status.success(), "{}", told(&output));

    // Only the library is compiled again.
    library(folder, &mutated());
    compiled(folder, framework, "test_kit");
    let output = run(folder, framework, "test_kit");
    assert!(!output.status.success(), "{}", told(&output));
}

#[test]
fn tap() {
    passes_and_notices(Framework::Tap);
}

#[test]
fn cmocka() {
    passes_and_notices(Framework::Cmocka);
}

#[test]
fn check() {
    passes_and_notices(Framework::Check);
}

#[test]
fn criterion() {
    passes_and_notices(Framework::Criterion);
}

#[test]
fn gtest() {
    passes_and_notices(Framework::Gtest);
}
