//! Exported tests compile without a warning and pass on the library that they come from, fail on
//! a changed one, and those of failing cases fail, whatever the framework.

mod behaviours;
mod makers;

use elsewise_export::File;
use elsewise_export::c::{Framework, Suite, export};
use std::path::Path;
use std::process::{Command, Output};

const HEADER: &str = include_str!("export/kit.h");
const LIBRARY: &str = include_str!("export/kit.c");

const LIST_HEADER: &str = include_str!("export/list.h");
const LIST: &str = include_str!("export/list.c");

const SUITE: Suite = Suite {
    function: "kit",
    includes: &[],
    prototype: None,
    sources: &[],
    flags: &[],
    failing_flags: &[],
    taken: &[],
    behaviours: &[],
};

fn exported(framework: Framework) -> Vec<File> {
    export(
        &Suite {
            includes: &["#include \"kit.h\"".to_owned()],
            sources: &["kit.c".to_owned()],
            behaviours: &behaviours::all(),
            ..SUITE
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

/// As for the kit, for tests that include the C file since their function is static.
#[test]
fn a_static_function_is_tested_through_its_file() {
    let files = export(
        &Suite {
            function: "doubled",
            includes: &["#include \"kit.c\"".to_owned()],
            sources: &[],
            flags: &["-std=c11".to_owned()],
            behaviours: &behaviours::of_a_static_function(),
            ..SUITE
        },
        Framework::Tap,
    );
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("kit.h"), HEADER).unwrap();
    std::fs::write(folder.join("kit.c"), LIBRARY).unwrap();
    std::fs::write(folder.join(&files[0].name), &files[0].text).unwrap();
    let flags = ["-std=c11", "-Wall", "-Wextra", "-Werror"];
    let test = ["test_doubled.c", "-o", "test_doubled"];
    done(folder, "gcc", &[&flags[..], &test[..]].concat());
    let output = run(folder, Framework::Tap, "test_doubled");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "1..1\nok 1 - negative n\n",
        "{}",
        told(&output)
    );
}

#[test]
fn what_cannot_be_said_is_left_out_with_a_reason() {
    for framework in Framework::ALL {
        let files = export(
            &Suite {
                behaviours: &behaviours::unspeakable(),
                ..SUITE
            },
            framework,
        );
        let text = &files[0].text;
        for line in [
            "// Left out: case 1, since it begins with a pointer to memory that is not known.",
            "// Left out: case 2, since struct {...} has no name in C.",
        ] {
            assert!(text.lines().any(|l| l == line), "{line}\n{text}");
        }
        assert!(text.contains("// Case 3:"), "{text}");
    }
}

/// The suite of the book's example: a project with a folder of sources and one of tests.
fn list_concat(framework: Framework) -> Vec<File> {
    export(
        &Suite {
            function: "list_concat",
            includes: &["#include \"list.h\"".to_owned()],
            sources: &["../src/list.c".to_owned()],
            flags: &["-I../src".to_owned(), "-DNAME=\"a b\"".to_owned()],
            behaviours: &behaviours::of_list_concat(),
            ..SUITE
        },
        framework,
    )
}

fn project(framework: Framework) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("list.h", LIST_HEADER), ("list.c", LIST)] {
        std::fs::create_dir_all(folder.path().join("src")).unwrap();
        std::fs::write(folder.path().join("src").join(name), text).unwrap();
    }
    std::fs::create_dir(folder.path().join("tests")).unwrap();
    for file in list_concat(framework) {
        std::fs::write(folder.path().join("tests").join(file.name), file.text).unwrap();
    }
    folder
}

#[test]
fn ctest_runs_what_was_exported() {
    let folder = project(Framework::Cmocka);
    let build = folder.path().join("build");
    let tests = folder.path().join("tests");
    let paths = [tests.to_str().unwrap(), build.to_str().unwrap()];
    done(
        folder.path(),
        "cmake",
        &["-G", "Ninja", "-S", paths[0], "-B", paths[1]],
    );
    done(folder.path(), "cmake", &["--build", paths[1]]);
    done(&build, "ctest", &["--output-on-failure"]);
}

#[test]
fn meson_runs_what_was_exported() {
    let folder = project(Framework::Tap);
    let tests = folder.path().join("tests");
    done(&tests, "meson", &["setup", "build"]);
    done(&tests, "meson", &["test", "-C", "build"]);
}

#[test]
fn names_of_the_subject_stay_its_own() {
    let taken = ["make_node", "node2", "list"].map(str::to_owned);
    let exported = export(
        &Suite {
            function: "list_concat",
            taken: &taken,
            behaviours: &behaviours::of_list_concat(),
            ..SUITE
        },
        Framework::Tap,
    );
    let text = &exported[0].text;
    for name in taken {
        for use_of_it in [
            format!("*{name} ="),
            format!(" {name}("),
            format!("*{name}("),
        ] {
            assert!(!text.contains(&use_of_it), "{use_of_it}\n{text}");
        }
    }
}

#[test]
fn a_file_without_tests_is_not_built() {
    let unspeakable = &behaviours::unspeakable()[..2];
    for framework in Framework::ALL {
        let files = export(
            &Suite {
                behaviours: unspeakable,
                ..SUITE
            },
            framework,
        );
        let [tests, cmake, meson] = files.as_slice() else {
            panic!("{files:?}");
        };
        assert!(
            tests.text.lines().all(|line| line.starts_with("//")),
            "{}",
            tests.text
        );
        assert!(!cmake.text.contains("add_executable"), "{}", cmake.text);
        assert!(!meson.text.contains("executable"), "{}", meson.text);
    }
}

#[test]
fn few_tests_keep_all_branches() {
    let exported = &list_concat(Framework::Check)[0].text;
    assert!(exported.contains("// Case 1:"), "{exported}");
    assert!(exported.contains("// Case 2:"), "{exported}");
    // Case 3 reaches no more than case 2, but it changes the first node.
    assert!(exported.contains("// Case 3:"), "{exported}");
    assert!(!exported.contains("// Case 4:"), "{exported}");
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
