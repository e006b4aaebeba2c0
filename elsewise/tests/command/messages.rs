//! Every mistake a user can make is answered by a message that says what to do.

use crate::support::{BUGGY, Place, Ran};
use std::fs;
use std::fs::File;
use std::os::unix::fs::PermissionsExt;

/// Compares what is seen with the snapshot of that name.
fn check(name: &str, ran: &Ran) {
    insta::with_settings!({filters => vec![
        (r"elsewise-build-\d+-\w+", "[build]"),
        (r"/tmp/[-\w./]*\[build\]", "[build]"),
        (r"/tmp/[-\w]+-[0-9a-f]{6}\.[os]", "[object]"),
        (r"in use by process \d+", "in use by process [pid]"),
    ]}, {
        insta::assert_snapshot!(name, ran.seen());
    });
}

#[test]
fn words_on_the_command_line() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    check("no_verb", &place.run(&[]));
    check("unknown_verb", &place.run(&["explode", "a.c"]));
    check(
        "unknown_flag",
        &place.run(&["explore", "a.c", "--input-sise", "3"]),
    );
    check("no_subject", &place.run(&["explore"]));
    check(
        "bad_budget",
        &place.run(&["explore", "a.c", "--budget", "60"]),
    );
    check(
        "unknown_strategy",
        &place.run(&["explore", "a.c", "--strategy", "bfs"]),
    );
    check(
        "unknown_stage",
        &place.run(&["explore", "a.c", "--stages-off", "z4"]),
    );
    check("no_jobs", &place.run(&["explore", "a.c", "--jobs", "0"]));
    let sizes = ["explore", "a.c", "--input-size", "9", "--max-input", "8"];
    check("sizes_that_conflict", &place.run(&sizes));
    check(
        "cflags_that_do_not_split",
        &place.run(&["explore", "a.c", "--cflags", "-D'X"]),
    );
    check(
        "input_without_bytes",
        &place.run(&["explore", "a.c", "--", "@arg:0"]),
    );
    check(
        "variable_without_value",
        &place.run(&["explore", "a.c", "--env", "HOME"]),
    );
}

#[test]
fn subjects_that_are_none() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    place.write("a.rs", "int main() {}");
    place.write("notes", "some text");
    place.write("folder/b.c", "");
    check("missing_file", &place.run(&["explore", "missing.c"]));
    check("missing_executable", &place.run(&["explore", "./missing"]));
    check("directory", &place.run(&["explore", "folder"]));
    check("other_language", &place.run(&["explore", "a.rs"]));
    check(
        "neither_source_nor_executable",
        &place.run(&["explore", "notes"]),
    );
    check("mixed", &place.run(&["explore", "a.c", "notes"]));
    check("function", &place.run(&["explore", "a.c::parse"]));
    check(
        "function_of_another_language",
        &place.run(&["explore", "bank.py::route"]),
    );
    let script = place.write("script", "#!/bin/sh\n");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    check("not_instrumented", &place.run(&["explore", "./script"]));
    check(
        "flags_for_an_executable",
        &place.run(&["explore", "./script", "--cflags", "-g"]),
    );
}

#[test]
fn functions_of_erlang() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    place.write("bank.erl", "-module(bank).\n");
    place.write("bank.ex", "defmodule Bank do\nend\n");
    let run = |args: &[&str]| place.run(&[&["explore"], args].concat());
    check("erlang_without_function", &run(&["bank.erl"]));
    check("erlang_with_a_bad_arity", &run(&["bank.erl::f/x"]));
    check("elixir_without_module", &run(&["bank.ex::f/2"]));
    check("erlang_missing", &run(&["missing.erl::f/2"]));
    check("erlang_and_others", &run(&["bank.erl::f/2", "a.c"]));
    check("erlang_with_arguments", &run(&["bank.erl::f/2", "--", "x"]));
    for flag in ["--cflags=-g", "--seeds=x", "--sanitize=address"] {
        let ran = run(&["bank.erl::f/2", flag]);
        assert_eq!(ran.code, 1, "{}", ran.seen());
        assert!(
            ran.stderr
                .contains("C and C++, and the subject is a function"),
            "{}",
            ran.seen()
        );
    }
    check(
        "erlang_without_folder",
        &run(&["bank.erl::f/2", "--include", "nowhere"]),
    );
    check(
        "erlang_with_a_bad_macro",
        &run(&["bank.erl::f/2", "--macro", "=3"]),
    );
    check("erlang_flag_for_c", &run(&["a.c", "--term-depth", "3"]));
    check("macro_for_c", &run(&["a.c", "--macro", "N=3"]));
}

#[test]
fn predicates_that_do_not_fit() {
    let place = Place::new();
    place.write("rules.pl", "p(a).\n");
    place.write("a.c", "int main(void) { return 0; }\n");
    let run = |words: &[&str]| {
        let words: Vec<&str> = ["explore"].iter().chain(words).copied().collect();
        place.run(&words)
    };
    check("prolog_without_a_predicate", &run(&["rules.pl"]));
    check("prolog_with_a_bad_arity", &run(&["rules.pl::p/x"]));
    check("prolog_with_another_file", &run(&["rules.pl::p/1", "a.c"]));
    check("c_flag_for_prolog", &run(&["rules.pl::p/1", "--cflags=-g"]));
    check(
        "erlang_flag_for_prolog",
        &run(&["rules.pl::p/1", "--macro", "N=3"]),
    );
    check("prolog_flag_for_c", &run(&["a.c", "--mode", "p(+)"]));
    check(
        "prolog_without_steps",
        &run(&["rules.pl::p/1", "--max-inferences", "0"]),
    );
    check("prolog_with_arguments", &run(&["rules.pl::p/1", "--", "x"]));
}

#[test]
fn sources_that_do_not_build() {
    let place = Place::new();
    place.write("broken.c", "int main(void) { return x; }\n");
    check("compile_error", &place.run(&["explore", "broken.c"]));
    place.write("no_main.c", "int f(void) { return 0; }\n");
    let ran = place.run(&["explore", "no_main.c"]);
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert!(ran.stderr.contains("main"), "{}", ran.seen());
}

#[test]
fn settings_files() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    check(
        "no_such_settings_file",
        &place.run(&["explore", "a.c", "--config", "x.toml"]),
    );
    place.write("elsewise.toml", "input_size = 4\n");
    check("unknown_setting", &place.run(&["explore", "a.c"]));
    place.write("elsewise.toml", "jobs = \"two\"\n");
    check("setting_of_wrong_type", &place.run(&["explore", "a.c"]));
    place.write("elsewise.toml", "jobs = = 2\n");
    check("not_toml", &place.run(&["explore", "a.c"]));
}

#[test]
fn seeds() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    check(
        "no_seeds_folder",
        &place.run(&["explore", "a.c", "--seeds", "corpus"]),
    );
    fs::create_dir(place.path("corpus")).unwrap();
    check(
        "empty_seeds_folder",
        &place.run(&["explore", "a.c", "--seeds", "corpus"]),
    );
}

#[test]
fn fuzzers_that_nothing_is_exchanged_with() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    place.write("f.c", "int f(int n) { return n > 3; }\n");
    let shards = ["explore", "a.c", "--afl", "shared", "--shard", "1/2"];
    check("fuzzers_beside_a_shard", &place.run(&shards));
    let function = ["explore", "f.c::f", "--corpus", "shared"];
    check("fuzzers_beside_a_function", &place.run(&function));
    assert!(!place.path("shared").exists(), "nothing is made in vain");
}

#[test]
fn tools_that_are_missing() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    let mut command = place.command(&["explore", "a.c"]);
    command.env("ELSEWISE_CLANG", "/nowhere/clang");
    check("no_clang", &Ran::new(command, place.folder.path()));
    let mut command = place.command(&["doctor"]);
    command.env("ELSEWISE_CLANG", "/nowhere/clang");
    let ran = Ran::new(command, place.folder.path());
    assert_eq!(ran.code, 4, "{}", ran.seen());
    let missing: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|l| l.starts_with("missing"))
        .collect();
    insta::assert_snapshot!("doctor_without_clang", missing.join("\n"));
    let mut command = place.command(&["doctor", "--format", "json"]);
    command.env("ELSEWISE_CLANG", "/nowhere/clang");
    let json = Ran::new(command, place.folder.path()).json();
    assert_eq!(json["ready"], false);
    assert_eq!(json["checks"][0]["found"], serde_json::Value::Null);
}

#[test]
fn campaigns_that_cannot_be_used() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    check("no_campaign_here", &place.run(&["status"]));
    check(
        "no_campaign_there",
        &place.run(&["status", "--campaign", "x.elsewise"]),
    );
    check(
        "no_such_case",
        &place.run(&["replay", "x.elsewise/findings/1"]),
    );
    check("no_such_run_word", &place.run(&["replay", "run:first"]));

    let explored = place.run(&["explore", "a.c", "--input-size", "4", "--quiet"]);
    assert_eq!(explored.code, 2, "{}", explored.seen());
    check("no_such_finding", &place.run(&["show", "99"]));
    check("no_such_run", &place.run(&["replay", "run:999999"]));
    check("not_a_finding", &place.run(&["show", "run:0"]));

    // Held as an explorer holds it.
    let lock = File::options()
        .write(true)
        .open(place.path("a.elsewise/lock"))
        .unwrap();
    lock.lock().unwrap();
    check(
        "locked",
        &place.run(&["explore", "a.c", "--input-size", "4"]),
    );
    drop(lock);

    let mut command = place.command(&["replay", "1", "--gdb"]);
    command.env("PATH", "/nowhere");
    check("no_gdb", &Ran::new(command, place.folder.path()));

    fs::create_dir(place.path("b.elsewise")).unwrap();
    fs::copy(
        place.path("a.elsewise/campaign.db"),
        place.path("b.elsewise/campaign.db"),
    )
    .unwrap();
    let two = ["show", "a.c", "--campaign", "b.elsewise"];
    check("two_campaigns", &place.run(&two));
    check(
        "no_campaign_before_a_case",
        &place.run(&["show", "c.c", "1"]),
    );
    check(
        "no_subject_kept",
        &place.run(&["replay", "1", "--campaign", "b.elsewise"]),
    );

    place.write("a.elsewise/subject/subject.json", "{}");
    check(
        "damaged_record",
        &place.run(&["replay", "1", "--trust", "--campaign", "a.elsewise"]),
    );
    place.write("b.elsewise/campaign.db", "this is no database");
    check(
        "damaged_store",
        &place.run(&["status", "--campaign", "b.elsewise"]),
    );
    let again = ["explore", "a.c", "-q", "--campaign", "b.elsewise"];
    check("damaged_store_explored", &place.run(&again));
    let afresh = place.run(&[&again[..], &["--fresh"]].concat());
    assert_eq!(afresh.code, 2, "{}", afresh.seen());
    place.write("c.elsewise/notes", "mine");
    let ran = place.run(&["explore", "a.c", "--campaign", "c.elsewise"]);
    check("folder_of_something_else", &ran);
}

/// Whoever does not get the result is not told that all is well.
#[test]
fn results_that_cannot_be_written() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    let explore = ["explore", "a.c", "--input-size", "4", "--quiet"];
    assert_eq!(place.run(&explore).code, 2);
    for words in [
        "explore a.c --input-size 4 --quiet",
        "explore a.c --input-size 4 --quiet --format json",
        "status",
        "status --format json",
        "show",
        "show 1",
        "show 1 --format json",
        "report --json",
        "report --html --out /dev/full",
        "--help",
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let mut command = place.command(&words);
        let full = File::options().write(true).open("/dev/full");
        command.stdout(full.expect("there is /dev/full"));
        let ran = Ran::new(command, place.folder.path());
        assert_eq!(ran.code, 7, "{words:?}: {}", ran.stderr);
        let told = ["could not be written", "cannot write"];
        assert!(
            told.iter().any(|words| ran.stderr.contains(words)),
            "{words:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn a_limited_address_space_is_named() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    for kilobytes in ["1000000", "4000000"] {
        let script =
            format!("ulimit -v {kilobytes}; exec \"$0\" explore a.c --input-size 4 --quiet");
        let mut command = std::process::Command::new("sh");
        command
            .args(["-c", &script, env!("CARGO_BIN_EXE_elsewise")])
            .current_dir(place.folder.path());
        let ran = Ran::new(command, place.folder.path());
        assert_eq!(ran.code, 4, "{}", ran.seen());
        assert!(ran.stderr.contains("ulimit -v unlimited"), "{}", ran.seen());
    }
}

#[test]
fn states_that_are_nested_too_deep_are_refused_at_once() {
    let place = Place::new();
    let deep = |depth: usize| {
        let states: String = (0..depth).map(|i| format!("<state id=\"s{i}\">")).collect();
        let head =
            "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" initial=\"s0\">";
        format!("{head}{states}{}</scxml>", "</state>".repeat(depth))
    };
    place.write("deep.scxml", deep(2000));
    let ran = place.run(&["explore", "deep.scxml", "--budget=3s", "--quiet"]);
    assert_eq!(ran.code, 4, "{}", ran.seen());
    assert!(ran.stderr.contains("nested 2000 deep"), "{}", ran.seen());
    place.write("deep.scxml", deep(40));
    let ran = place.run(&["explore", "deep.scxml", "--budget=30s", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
}
