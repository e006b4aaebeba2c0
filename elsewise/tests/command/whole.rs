//! The command as people use it: explore, look, replay, go on.

use crate::support::{BUGGY, Place};
use serde_json::json;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

fn fixed() -> String {
    BUGGY.replace("!= 300", "!= 3000")
}

#[test]
fn a_bug_is_found_shown_and_replayed() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    let ran = place.run(&[
        "explore",
        "a.c",
        "--input-size",
        "4",
        "--format",
        "json",
        "-q",
    ]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    assert_eq!(ran.stderr, "", "quiet means quiet");
    assert_eq!(ran.stdout.lines().count(), 1);
    let summary = ran.json();
    assert_eq!(summary["schema"], 1);
    assert_eq!(summary["complete"], true, "{summary:#}");
    let findings = summary["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{summary:#}");
    assert_eq!(findings[0]["kind"], "assertion");
    assert_eq!(findings[0]["file"], "a.c");
    assert_eq!(findings[0]["line"], 9);
    assert_eq!(findings[0]["confirmed"], true);

    let shown = place.run(&["show", "1"]);
    assert_eq!(shown.code, 0, "{}", shown.seen());
    assert!(
        shown
            .stdout
            .contains("9 │         assert(b[2] + b[3] != 300);"),
        "{}",
        shown.stdout
    );
    assert!(shown.stdout.contains("47 4f"), "{}", shown.stdout);
    let json = place.run(&["show", "1", "--format", "json"]).json();
    let stdin = json["inputs"]["stdin"].as_str().unwrap();
    assert!(stdin.starts_with("474f") && stdin.len() == 8, "{stdin}");

    let listed = place.run(&["show"]);
    assert!(listed.stdout.contains("a.c:9"), "{}", listed.stdout);
    let status = place.run(&["status"]);
    assert_eq!(status.code, 0);
    assert!(
        status.stdout.contains("explored completely"),
        "{}",
        status.stdout
    );

    for target in ["1", "a.elsewise/findings/1"] {
        let replayed = place.run(&["replay", target]);
        assert_eq!(replayed.code, 2, "{}", replayed.seen());
        assert!(
            replayed.stdout.contains("fails: assertion"),
            "{}",
            replayed.stdout
        );
        assert!(replayed.stdout.contains("stderr |"), "{}", replayed.stdout);
    }
    let replayed = place.run(&["replay", "run:0", "--format", "json"]);
    assert_eq!(replayed.code, 0, "{}", replayed.seen());
    assert_eq!(
        replayed.json()["outcome"],
        json!({"kind": "exit", "code": 0})
    );
    // Too short an input of the user's own.
    place.write("mine", "GO");
    let replayed = place.run(&["replay", "mine"]);
    assert_eq!(replayed.code, 0, "{}", replayed.seen());
}

#[test]
fn the_end_of_an_exploration_can_be_copied() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    let ran = place.run(&["explore", "a.c", "--input-size", "4"]);
    let lines: Vec<&str> = ran.stdout.lines().map(str::trim).collect();
    assert_eq!(lines[0], "1 finding");
    let line = lines
        .iter()
        .find(|line| line.starts_with("reproduce "))
        .unwrap();
    let words: Vec<&str> = line.split_whitespace().skip(2).collect();
    assert_eq!(place.run(&words).code, 2, "{line}");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("explored completely: ")),
        "{lines:?}"
    );
}

#[test]
fn a_repaired_program_is_clean() {
    let place = Place::new();
    place.write("a.c", fixed());
    let ran = place.run(&["explore", "a.c"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    assert!(ran.stdout.starts_with("no findings\n"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("explored completely: "),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("stdin of at most 4096 bytes"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_budget_ends_it_and_the_same_command_goes_on() {
    let place = Place::new();
    place.write("a.c", fixed());
    let args = [
        "explore",
        "a.c",
        "--input-size",
        "4",
        "--format",
        "json",
        "--budget",
    ];
    let first = place.run(&[&args[..], &["1runs"]].concat());
    assert_eq!(first.code, 3, "{}", first.seen());
    assert_eq!(first.json()["ended"], "budget");
    assert_eq!(first.json()["runs"], 1);
    let second = place.run(&[&args[..], &["10m"]].concat());
    assert_eq!(second.code, 0, "{}", second.seen());
    assert_eq!(second.json()["resumed"], true);
    let fresh = Place::new();
    fresh.write("a.c", fixed());
    let whole = fresh.run(&["explore", "a.c", "--input-size", "4", "--format", "json"]);
    assert_eq!(second.json()["paths"], whole.json()["paths"]);
}

#[test]
fn settings_come_from_the_file_and_flags_win() {
    let place = Place::new();
    place.write("a.c", BUGGY.replace("300", "LIMIT"));
    place.write(
        "elsewise.toml",
        "cflags = '-DLIMIT=300'\ninput-size = 4\nformat = 'json'\n",
    );
    let ran = place.run(&["explore", "a.c"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    assert_eq!(ran.json()["bounds"], json!(["stdin of exactly 4 bytes"]));
    let ran = place.run(&["explore", "a.c", "--cflags", "-DLIMIT=3000"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
}

#[test]
fn seeds_are_run_first() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    place.write("corpus/one", b"GO\xc8d");
    let args = [
        "explore", "a.c", "--seeds", "corpus", "--budget", "1runs", "--format", "json",
    ];
    let ran = place.run(&args);
    assert_eq!(ran.code, 2, "{}", ran.seen());
}

#[test]
fn arguments_reach_the_subject_in_exploration_and_replay() {
    let place = Place::new();
    let source = r#"#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    unsigned char b = 0;
    if (read(0, &b, 1) == 1 && b == 77 && argc == 3 && !strcmp(argv[2], "it's"))
        abort();
    return 0;
}
"#;
    place.write("a.c", source);
    let ran = place.run(&["explore", "a.c", "-q", "--", "-n", "it's"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    assert_eq!(place.run(&["replay", "1"]).code, 2);
    let other = place.run(&["explore", "a.c", "-q"]);
    assert_eq!(
        other.code,
        0,
        "other arguments are another campaign: {}",
        other.seen()
    );
}

#[test]
fn several_source_files_make_one_program() {
    let place = Place::new();
    place.write(
        "main.c",
        "#include <unistd.h>\nint check(int);\nint main(void) { char c = 0; \
                           read(0, &c, 1); return check(c); }\n",
    );
    place.write(
        "check.c",
        "#include <stdlib.h>\nint check(int c) {\n    if (c == 42)\n        \
                            abort();\n    return 0;\n}\n",
    );
    let ran = place.run(&["explore", "main.c", "check.c", "--format", "json"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    let summary = ran.json();
    assert_eq!(summary["findings"][0]["kind"], "abort");
    assert_eq!(summary["findings"][0]["file"], "check.c");
    assert_eq!(summary["findings"][0]["line"], 4);
}

#[test]
fn a_program_built_with_the_compiler_driver_is_a_subject() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    let status = Command::new(env!("CARGO_BIN_EXE_elsewise-cc"))
        .args(["-O1", "a.c", "-o", "prog"])
        .env("ELSEWISE_CACHE", place.path("cache"))
        .current_dir(place.folder.path())
        .status()
        .unwrap();
    assert!(status.success());
    let ran = place.run(&["explore", "./prog", "--input-size", "4", "-q"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    assert_eq!(place.run(&["replay", "prog.elsewise/findings/1"]).code, 2);
}

#[test]
fn gdb_stops_where_it_fails() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    assert_eq!(
        place
            .run(&["explore", "a.c", "--input-size", "4", "-q"])
            .code,
        2
    );
    let mut child = place
        .command(&["replay", "1", "--gdb"])
        .env("HOME", place.folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"backtrace\nkill\nquit\n")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("SIGABRT"), "{text}");
    assert!(text.contains("main () at a.c:9"), "{text}");
}

#[test]
fn an_interrupt_ends_it_cleanly() {
    let place = Place::new();
    // More paths than anyone waits for.
    let source = r#"#include <unistd.h>
int main(void) {
    unsigned char b[64];
    int n = 0;
    if (read(0, b, 64) != 64)
        return 1;
    for (int i = 0; i < 64; i++)
        if (b[i] > 100 + i)
            n++;
    return n > 200;
}
"#;
    place.write("a.c", source);
    let mut command = place.command(&[
        "explore",
        "a.c",
        "--input-size=64",
        "--subsume=off",
        "--format=json",
    ]);
    // A group of its own, as a terminal would have it.
    command
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let child = command.spawn().unwrap();
    let database = place.path("a.elsewise/subject/subject.json");
    for _ in 0..600 {
        if database.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    std::thread::sleep(Duration::from_millis(300));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["ended"], "stopped");
    assert!(summary["runs"].as_u64().unwrap() > 0);
}

#[test]
fn colours_only_where_they_are_wanted() {
    let place = Place::new();
    let mut command = place.command(&["doctor"]);
    command.env("CLICOLOR_FORCE", "1");
    assert!(
        crate::support::Ran::new(command, place.folder.path())
            .stdout
            .contains("\x1b[")
    );
    let mut command = place.command(&["doctor"]);
    command.env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1");
    let both = crate::support::Ran::new(command, place.folder.path());
    assert!(!both.stdout.contains("\x1b["), "{}", both.stdout);
    assert!(!place.run(&["doctor"]).stdout.contains("\x1b["));
}

#[test]
fn a_hang_is_found_and_confirmed() {
    let place = Place::new();
    let source = "#include <unistd.h>\nint main(void) { char c = 0; read(0, &c, 1);\n    \
                  if (c == 'h')\n        for (;;)\n            pause();\n    return 0;\n}\n";
    place.write("a.c", source);
    let args = ["explore", "a.c", "--timeout", "200", "--format", "json"];
    let ran = place.run(&args);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    let summary = ran.json();
    assert_eq!(summary["findings"][0]["kind"], "hang", "{summary:#}");
    assert_eq!(summary["findings"][0]["confirmed"], true);
}

#[test]
fn two_workers_find_the_same_paths() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    let one = place.run(&["explore", "a.c", "--format", "json"]);
    let two = place.run(&[
        "explore", "a.c", "--format", "json", "--jobs", "2", "--fresh",
    ]);
    assert_eq!((one.code, two.code), (2, 2), "{}{}", one.seen(), two.seen());
    assert_eq!(one.json()["paths"], two.json()["paths"]);
    assert_eq!(two.json()["complete"], true, "{}", two.seen());
}

#[test]
fn what_is_weaker_about_containment_is_said() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    let said = |variables: &[&str]| {
        let run = |words: &[&str]| {
            let mut command = place.command(words);
            command.envs(variables.iter().map(|name| (name, "1")));
            crate::support::Ran::new(command, place.folder.path())
        };
        let doctor = run(&["doctor"]).stdout;
        let summary = run(&[
            "explore",
            "a.c",
            "--input-size=4",
            "--fresh",
            "--format=json",
        ]);
        let bounds = summary.json()["bounds"].to_string();
        (doctor, bounds)
    };
    const LANDLOCK: &str = "ELSEWISE_WITHOUT_LANDLOCK";
    const NAMESPACES: &str = "ELSEWISE_WITHOUT_NAMESPACES";
    const READ_ONLY: &str = "ELSEWISE_WITHOUT_READ_ONLY";
    let (doctor, bounds) = said(&[LANDLOCK, NAMESPACES]);
    assert!(
        doctor.contains("subjects can write wherever you can"),
        "{doctor}"
    );
    assert!(
        bounds.contains("no Landlock: whatever you can write"),
        "{bounds}"
    );
    assert!(bounds.contains("seen and signalled"), "{bounds}");
    let (doctor, bounds) = said(&[NAMESPACES]);
    assert!(doctor.contains("found by descent"), "{doctor}");
    assert!(bounds.contains("no namespaces"), "{bounds}");
    assert!(bounds.contains("modes, owners and times"), "{bounds}");
    let (doctor, bounds) = said(&[READ_ONLY]);
    assert!(doctor.contains("subjects can change modes"), "{doctor}");
    assert!(bounds.contains("no read-only mounts"), "{bounds}");
    let (_, bounds) = said(&[]);
    if elsewise_contain::has_read_only_mounts() && elsewise_contain::landlock_version() >= Some(3) {
        assert!(!bounds.contains("contained"), "{bounds}");
        let (doctor, bounds) = said(&[LANDLOCK]);
        assert!(doctor.contains("write to devices and pipes"), "{doctor}");
        assert!(
            bounds.contains("devices and pipes can be written"),
            "{bounds}"
        );
    }
}

#[test]
fn an_interrupted_build_leaves_nothing() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    let temporary = place.path("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let clang = place.write(
        "clang",
        "#!/bin/sh\ncase \"$*\" in *a.c*) sleep 2 ;; esac\nexec clang-22 \"$@\"\n",
    );
    let all = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&clang, all).unwrap();
    for signal in ["-HUP", "-TERM", "-INT"] {
        let mut command = place.command(&["explore", "a.c", "--input-size=4", "--fresh"]);
        command
            .env("ELSEWISE_CLANG", &clang)
            .env("TMPDIR", &temporary)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
        // Until it has begun to build.
        while std::fs::read_dir(&temporary).unwrap().count() == 0 {
            assert!(std::time::Instant::now() < deadline, "nothing is built");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let id = child.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &id])
                .status()
                .unwrap()
                .success()
        );
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(3), "{signal}");
        let left: Vec<_> = std::fs::read_dir(&temporary).unwrap().collect();
        assert!(left.is_empty(), "{signal}: {left:?}");
    }
}
