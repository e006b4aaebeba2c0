//! Findings that a project keeps: the script of a case, what runs it in a project's build, and `check`.

use crate::support::{BUGGY, Place, Ran};
use std::process::{Command, Stdio};

fn run(place: &Place, program: &str, args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(program)
        .args(args)
        .current_dir(place.folder.path())
        .env("CC", "cc")
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

fn repaired() -> String {
    BUGGY.replace("!= 300", "!= 3000")
}

/// A project with a finding of `parser.c`.
fn explored(files: &[(&str, &str)]) -> Place {
    let place = Place::new();
    place.write("parser.c", BUGGY);
    for (name, text) in files {
        place.write(name, text);
    }
    let ran = place.run(&["explore", "parser.c", "--max-input", "4", "--quiet"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    place
}

fn keep(place: &Place, args: &[&str]) -> Ran {
    let ran = place.run(&[&["keep"], args].concat());
    assert_eq!(ran.code, 0, "{}", ran.seen());
    ran
}

#[test]
fn a_script_fails_while_the_bug_is_there() {
    let place = explored(&[]);
    let ran = keep(&place, &["1"]);
    insta::assert_snapshot!(ran.seen());
    let script = place.path("tests/elsewise/parser-1/run.sh");
    let script = script.to_str().unwrap();
    let (code, said) = run(&place, script, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("the program fails (exit status 134)"),
        "{said}"
    );
    // `check` runs it, contained, beside the campaign.
    let checked = place.run(&["check"]);
    assert_eq!(checked.code, 2, "{}", checked.seen());
    assert!(
        checked
            .stdout
            .contains("tests/elsewise/parser-1: fails: assertion"),
        "{}",
        checked.seen()
    );
    let json = place
        .run(&["check", "tests/elsewise", "--format", "json"])
        .json();
    assert_eq!(json["campaigns"], serde_json::json!([]));
    assert_eq!(json["kept"][0]["fails"], true);
    assert_eq!(json["kept"][0]["before"], "assertion");
    // Repaired: both pass, and from anywhere.
    place.write("parser.c", repaired());
    let (code, said) = run(&place, "/bin/sh", &["-c", &format!("cd / && {script}")]);
    assert_eq!(code, Some(0), "{said}");
    std::fs::remove_dir_all(place.path("parser.elsewise")).unwrap();
    let checked = place.run(&["check"]);
    insta::assert_snapshot!(checked.seen(), @r"
    exit code 0
    --- stdout
    tests/elsewise/parser-1: passes
    ");
    // What does not compile is neither.
    place.write("parser.c", "int main(void) { return nothing; }");
    assert_eq!(run(&place, script, &[]).0, Some(99));
}

#[test]
fn a_case_that_somebody_else_has_written_is_not_run() {
    let place = explored(&[]);
    keep(&place, &[]);
    std::fs::remove_dir_all(place.path(".state")).unwrap();
    std::fs::remove_dir_all(place.path("parser.elsewise")).unwrap();
    let refused = place.run(&["check"]);
    assert_eq!(refused.code, 1, "{}", refused.seen());
    assert!(refused.stderr.contains("--trust"), "{}", refused.seen());
    assert_eq!(place.run(&["check", "--trust"]).code, 2);
}

#[test]
fn keeping_again_writes_the_same_and_another_finding_another_case() {
    let place = explored(&[]);
    keep(&place, &[]);
    keep(&place, &["parser.c", "1"]);
    let cases = || {
        let folder = std::fs::read_dir(place.path("tests/elsewise")).unwrap();
        let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    assert_eq!(cases(), ["parser-1"]);
    place.write("tests/elsewise/parser-1/stdin", "something else");
    keep(&place, &[]);
    assert_eq!(cases(), ["parser-1", "parser-1-2"]);
    keep(&place, &["--name", "odd.300"]);
    assert_eq!(cases(), ["odd.300", "parser-1", "parser-1-2"]);
    let bad = place.run(&["keep", "--name", "../x"]);
    assert_eq!(bad.code, 1, "{}", bad.seen());
}

/// Arguments, variables and files that are inputs, of bytes that a shell has other plans with.
#[test]
fn inputs_of_all_kinds_reach_the_program() {
    let source = r#"#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    FILE *file = fopen(argv[3], "rb");
    char b[4] = "";
    size_t read = file ? fread(b, 1, 4, file) : 0;
    const char *level = getenv("LEVEL");
    if (argc != 4 || strncmp(argv[1], "--name=", 7))
        return 3;
    if (read == 3 && b[0] == 0 && b[1] == '\n' && b[2] == '$')
        if (argv[1][7] == '\'' && argv[1][8] == '\n' && argv[1][9] == 0 && !strcmp(argv[2], "a b"))
            assert(!level || level[0] != '"' || level[1] != '\n');
    return 0;
}
"#;
    let place = Place::new();
    place.write("src/tool.c", source);
    let ran = place.run(&[
        "explore",
        "src/tool.c",
        "--max-input=3",
        "--env=LEVEL=@arg:2",
        "--cflags=-Wall '-DNAME=\"a b\"'",
        "-q",
        "--",
        "--name=@arg:2",
        "a b",
        "@@",
    ]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    keep(&place, &["tool.c", "--out", "regression/found"]);
    let script = "regression/found/tool-1/run.sh";
    let text = std::fs::read_to_string(place.path(script)).unwrap();
    let (code, said) = run(&place, script, &[]);
    assert_eq!(code, Some(1), "{said}\n{text}");
    assert!(said.contains("level[1]"), "{said}");
    let (code, said) = run(&place, script, &["/bin/true"]);
    assert_eq!(code, Some(0), "{said}\n{text}");
    assert_eq!(place.run(&["check", "regression/found"]).code, 2);
}

#[test]
fn sanitizers_come_along() {
    let place = Place::new();
    place.write(
        "over.c",
        "#include <stdlib.h>\n#include <unistd.h>\nint main(void) {\n    char b = 0;\n    char *p = malloc(4);\n    \
         if (read(0, &b, 1) == 1 && b == 'x')\n        p[4] = 1;\n    free(p);\n    return 0;\n}\n",
    );
    let words = [
        "explore",
        "over.c",
        "--sanitize=address",
        "--max-input=1",
        "-q",
    ];
    let ran = place.run(&words);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    keep(&place, &[]);
    let (code, said) = run(&place, "tests/elsewise/over-1/run.sh", &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("heap-buffer-overflow"), "{said}");
    // The time of the runs that found it is told apart.
    let status = place.run(&["status", "--format", "json"]).json();
    assert!(
        status["sanitizer_seconds"].as_f64().unwrap() > 0.0,
        "{status}"
    );
    assert!(place.run(&["status"]).stdout.contains("\n  sanitizers "));
}

/// What a program does not show alone is asked of us.
#[test]
fn a_harness_is_run_by_elsewise() {
    let place = Place::new();
    place.write(
        "fuzz.c",
        "#include <stddef.h>\n#include <stdlib.h>\nint LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {\n    \
         if (size == 1 && data[0] == 'x')\n        abort();\n    return 0;\n}\n",
    );
    let ran = place.run(&["explore", "fuzz.c", "--max-input=1", "-q"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    let kept = keep(&place, &[]);
    assert!(
        kept.stdout.contains("asks `elsewise check`"),
        "{}",
        kept.seen()
    );
    let script = "tests/elsewise/fuzz-1/run.sh";
    let path = std::env::var("PATH").unwrap();
    let own = std::path::Path::new(env!("CARGO_BIN_EXE_elsewise"))
        .parent()
        .unwrap();
    let with = |path: &str| {
        let command = format!("PATH='{path}' exec {script}");
        run(&place, "/bin/sh", &["-c", &command])
    };
    let (code, said) = with(&format!("{}:{path}", own.display()));
    assert_eq!(code, Some(1), "{said}");
    // Where that is not there, it cannot be told.
    let (code, said) = with("/usr/bin:/bin");
    assert_eq!(code, Some(77), "{said}");
}

#[test]
fn cmake_runs_what_is_kept() {
    let lists = "cmake_minimum_required(VERSION 3.16)\nproject(parser C)\nadd_executable(parser parser.c)\n";
    let place = explored(&[("CMakeLists.txt", lists)]);
    let ran = keep(&place, &[]);
    insta::assert_snapshot!(ran.seen());
    let added = "enable_testing()\ninclude(tests/elsewise/elsewise.cmake)\n";
    assert!(
        ran.stdout.replace("    ", "").contains(added),
        "{}",
        ran.seen()
    );
    place.write("CMakeLists.txt", format!("{lists}{added}"));
    let build = |place: &Place| {
        let (code, said) = run(place, "cmake", &["-B", "build"]);
        assert_eq!(code, Some(0), "{said}");
        let (code, said) = run(place, "cmake", &["--build", "build"]);
        assert_eq!(code, Some(0), "{said}");
        run(place, "ctest", &["--test-dir", "build"])
    };
    let (code, said) = build(&place);
    assert_ne!(code, Some(0), "{said}");
    assert!(
        said.contains("elsewise-parser-1") && said.contains("Failed"),
        "{said}"
    );
    place.write("parser.c", repaired());
    let (code, said) = build(&place);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("100% tests passed"), "{said}");
    // It is said only once.
    let again = keep(&place, &[]);
    assert!(!again.stdout.contains("include("), "{}", again.seen());
}

#[test]
fn meson_runs_what_is_kept() {
    let own = "project('parser', 'c')\nparser = executable('parser', 'parser.c')\n";
    let place = explored(&[("meson.build", own)]);
    let ran = keep(&place, &[]);
    let added = "subdir('tests/elsewise')\n";
    assert!(ran.stdout.contains(added), "{}", ran.seen());
    place.write("meson.build", format!("{own}{added}"));
    let (code, said) = run(&place, "meson", &["setup", "build"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = run(&place, "meson", &["test", "-C", "build"]);
    assert_ne!(code, Some(0), "{said}");
    assert!(
        said.contains("elsewise-parser-1") && said.contains("FAIL"),
        "{said}"
    );
    place.write("parser.c", repaired());
    let (code, said) = run(&place, "meson", &["test", "-C", "build"]);
    assert_eq!(code, Some(0), "{said}");
}

/// The program is one that make has built: make builds it again before the cases are run.
#[test]
fn make_runs_what_is_kept() {
    let makefile = "CFLAGS = -g\nall: parser\nparser: parser.c\n\t$(CC) $(CFLAGS) -o $@ $<\n";
    let place = Place::new();
    place.write("parser.c", BUGGY);
    place.write("Makefile", makefile);
    let cc = format!("CC={}", env!("CARGO_BIN_EXE_elsewise-cc"));
    let (code, said) = run(&place, "make", &[&cc]);
    assert_eq!(code, Some(0), "{said}");
    let ran = place.run(&["explore", "./parser", "--max-input", "4", "-q"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    let ran = keep(&place, &[]);
    let added = "include tests/elsewise/elsewise.mk\ncheck: check-elsewise\n";
    assert!(
        ran.stdout.replace("    ", "").contains(added),
        "{}",
        ran.seen()
    );
    place.write("Makefile", format!("{makefile}{added}"));
    // The instrumented program is one as well, and so is the plain one.
    let (code, said) = run(&place, "make", &["check"]);
    assert_eq!(code, Some(2), "{said}");
    let (code, said) = run(&place, "make", &["-B", "check"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("the program fails"), "{said}");
    place.write("parser.c", repaired());
    let (code, said) = run(&place, "make", &["-B", "check"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn cargo_runs_what_is_kept() {
    let manifest = "[package]\nname = \"parser\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let place = explored(&[("Cargo.toml", manifest), ("src/lib.rs", "")]);
    let ran = keep(&place, &[]);
    assert!(ran.stdout.contains("tests/elsewise.rs"), "{}", ran.seen());
    let test = |place: &Place| run(place, "cargo", &["test", "--offline", "--test", "elsewise"]);
    let (code, said) = test(&place);
    assert_eq!(code, Some(101), "{said}");
    assert!(said.contains("parser-1"), "{said}");
    place.write("parser.c", repaired());
    let (code, said) = test(&place);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn findings_of_functions_become_tests() {
    let place = Place::new();
    place.write(
        "half.c",
        "#include <assert.h>\nint half(int x) {\n    assert(x != 77);\n    return x / 2;\n}\n",
    );
    let ran = place.run(&["explore", "half.c::half", "-q"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    let kept = keep(&place, &[]);
    assert!(kept.stdout.contains("tests/"), "{}", kept.seen());
    assert!(!place.path("tests/elsewise").exists());
}
