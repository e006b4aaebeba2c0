//! Builds that are watched: what they compile is written down, and they notice nothing.

use crate::support::{Place, Ran};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Two folders, a sub-make, a macro with quotes, a response file, and two sources in one command.
const MAKEFILE: &str = r#"all: main.o
	$(MAKE) -C lib
	$(CC) -DBOTH one.c two.c -o both
main.o: main.c
	$(CC) -I"$(CURDIR)/my headers" '-DNAME="a b"' -c main.c -o main.o
"#;
const SUB: &str = "part.o: part.c\n\t$(CC) @flags.rsp -c part.c -o part.o\n";

fn project() -> Place {
    let place = Place::new();
    place.write("my project/Makefile", MAKEFILE);
    place.write("my project/my headers/name.h", "#define LENGTH 3\n");
    place.write(
        "my project/main.c",
        "#include \"name.h\"\nchar name[] = NAME; int n = LENGTH;\n",
    );
    place.write(
        "my project/one.c",
        "int two(void); int main(void) { return two(); }\n",
    );
    place.write("my project/two.c", "int two(void) { return 0; }\n");
    place.write("my project/lib/Makefile", SUB);
    place.write("my project/lib/flags.rsp", "'-DWORD=\"c d\"' -std=gnu11");
    place.write("my project/lib/part.c", "char word[] = WORD;\n");
    place
}

fn capture_with(place: &Place, path: Option<&str>, args: &[&str]) -> Ran {
    let mut all = vec!["capture"];
    all.extend(args);
    let mut command = place.command(&all);
    let folder = place.path("my project");
    command
        .current_dir(&folder)
        .env("ELSEWISE_CACHE", place.path("cache"))
        .env("CCACHE_DIR", place.path("ccache"))
        .env_remove("CC")
        .env_remove("CXX")
        .env_remove("MAKEFLAGS");
    if let Some(path) = path {
        command.env("PATH", path);
    }
    Ran::new(command, &folder)
}

fn capture(place: &Place, args: &[&str]) -> Ran {
    capture_with(place, None, args)
}

fn database(place: &Place) -> Vec<serde_json::Value> {
    let text = fs::read(place.path("my project/compile_commands.json")).expect("a database");
    serde_json::from_slice(&text).expect("JSON")
}

/// The arguments for a file, in words, and the folder they are for.
fn command_of(entries: &[serde_json::Value], file: &str) -> Vec<String> {
    let mut found = entries.iter().filter(|entry| entry["file"] == file);
    let entry = found
        .next()
        .unwrap_or_else(|| panic!("{file}: {entries:?}"));
    assert!(found.next().is_none(), "{file} twice: {entries:?}");
    let words = entry["arguments"].as_array().expect("words");
    words
        .iter()
        .map(|word| word.as_str().expect("text").to_owned())
        .collect()
}

fn files(entries: &[serde_json::Value]) -> Vec<&str> {
    entries
        .iter()
        .filter_map(|entry| entry["file"].as_str())
        .collect()
}

#[test]
fn a_build_of_several_folders() {
    let place = project();
    let ran = capture(&place, &["--", "make", "-j3"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    assert!(
        ran.stderr
            .ends_with("4 compilations of 4 files in compile_commands.json, which has 4 in all\n"),
        "{}",
        ran.seen()
    );
    let entries = database(&place);
    assert_eq!(files(&entries), ["part.c", "main.c", "one.c", "two.c"]);
    let folder = place.path("my project").canonicalize().expect("the folder");
    let include = format!("-I{}/my headers", folder.display());
    assert_eq!(
        command_of(&entries, "main.c"),
        [
            "cc",
            &include,
            "-DNAME=\"a b\"",
            "-c",
            "-o",
            "main.o",
            "main.c"
        ]
    );
    // What stood in the response file, which is as likely as not gone after a build.
    assert_eq!(
        command_of(&entries, "part.c"),
        [
            "cc",
            "-DWORD=\"c d\"",
            "-std=gnu11",
            "-c",
            "-o",
            "part.o",
            "part.c"
        ]
    );
    assert_eq!(
        entries[0]["directory"],
        folder.join("lib").to_str().expect("text")
    );
    assert_eq!(
        command_of(&entries, "one.c"),
        ["cc", "-DBOTH", "-c", "one.c"]
    );
    assert_eq!(
        command_of(&entries, "two.c"),
        ["cc", "-DBOTH", "-c", "two.c"]
    );
    // The build did what it does without us.
    assert!(place.path("my project/both").is_file());
}

#[test]
fn what_was_captured_before_stays_unless_it_is_compiled_again() {
    let place = project();
    assert_eq!(capture(&place, &["--", "make"]).code, 0);
    let again = [
        "--",
        "cc",
        "-DAGAIN",
        "-c",
        "main.c",
        "-DNAME=\"\"",
        "-Imy headers",
    ];
    let ran = capture(&place, &again);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    let entries = database(&place);
    assert_eq!(files(&entries), ["part.c", "main.c", "one.c", "two.c"]);
    let words = command_of(&entries, "main.c");
    assert_eq!(words[1], "-DAGAIN", "{words:?}");
    // Nothing is compiled: what is known stays, and the reason is said.
    let ran = capture(&place, &["--", "make", "main.o"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    assert!(ran.stderr.contains("make clean"), "{}", ran.seen());
    assert_eq!(database(&place), entries);
}

#[test]
fn the_exit_code_is_that_of_the_build() {
    let place = project();
    for (build, code) in [
        (&["sh", "-c", "exit 7"][..], 7),
        (&["sh", "-c", "kill -9 $$"], 137),
        // make's own for a compilation that fails; what came before it is kept.
        (&["make", "-k", "main.o", "nothing"], 2),
    ] {
        let mut args = vec!["--"];
        args.extend(build);
        let ran = capture(&place, &args);
        assert_eq!(ran.code, code, "{}", ran.seen());
    }
    assert_eq!(files(&database(&place)), ["main.c"]);
    let ran = capture(&place, &["--", "no-such-build-tool"]);
    assert_eq!(ran.code, 4, "{}", ran.seen());
    assert!(ran.stderr.contains("no-such-build-tool"), "{}", ran.seen());
}

#[test]
fn a_broken_database_is_told_before_the_build() {
    let place = project();
    place.write("my project/compile_commands.json", "{ not json");
    let ran = capture(&place, &["--", "make"]);
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert!(
        ran.stderr.contains("compile_commands.json"),
        "{}",
        ran.seen()
    );
    assert!(!place.path("my project/main.o").exists());
}

#[test]
fn a_compiler_by_its_path_is_not_seen_and_that_is_said() {
    let place = project();
    let ran = capture(&place, &["--", "make", "CC=/usr/bin/gcc"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    assert!(ran.stderr.contains("give CC=gcc"), "{}", ran.seen());
    assert!(!place.path("my project/compile_commands.json").exists());
}

/// A stand-in for ccache as distributions install it: links by the compilers' names that come first
/// in the path, each of which looks for the next compiler of its name.
const MASQUERADE: &str = r#"#!/bin/sh
name=${0##*/}
own=$(dirname "$(readlink -f "$0")")
[ "$name" = ccache ] && { name=$1; shift; }
IFS=:
for folder in $PATH; do
    if [ "$folder" != "$own" ] && [ -x "$folder/$name" ]; then
        unset IFS
        exec "$folder/$name" "$@"
    fi
done
exit 127
"#;

#[test]
fn compilers_behind_a_cache() {
    let place = project();
    let script = place.write("fake cache/ccache", MASQUERADE);
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("a script");
    std::os::unix::fs::symlink("ccache", place.path("fake cache/gcc")).expect("a link");
    let path = std::env::var("PATH").expect("a path");
    let path = format!("{}:{path}", Path::new(&place.path("fake cache")).display());
    for compiler in ["CC=gcc", "CC=ccache gcc"] {
        let ran = capture_with(
            &place,
            Some(&path),
            &["--", "make", "-B", "main.o", compiler],
        );
        assert_eq!(ran.code, 0, "{compiler}: {}", ran.seen());
        let entries = database(&place);
        let words = command_of(&entries, "main.c");
        assert_eq!(words[0], "gcc", "{compiler}: {words:?}");
        fs::remove_file(place.path("my project/compile_commands.json")).expect("a database");
    }
}

#[test]
fn a_configure_script_and_what_it_remembers() {
    let place = project();
    // It probes, as configure scripts do, and remembers the compiler by its path.
    let configure = "echo 'int main(void) { return 0; }' > conftest.c && cc conftest.c -o conftest\n\
        echo 'int x;' > probe7.c && cc -c probe7.c && rm -f probe7.* conftest*\n\
        echo \"CC=$(command -v cc)\" > config.mk\n";
    place.write("my project/configure", configure);
    let build = "sh ./configure && . ./config.mk && make main.o CC=$CC";
    let ran = capture(&place, &["--out", "db.json", "--", "sh", "-c", build]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    let text = fs::read(place.path("my project/db.json")).expect("a database");
    let entries: Vec<serde_json::Value> = serde_json::from_slice(&text).expect("JSON");
    assert_eq!(files(&entries), ["main.c"]);
    assert_eq!(command_of(&entries, "main.c")[0], "cc");
    // The remembered compiler still compiles when nobody watches.
    let mut later = std::process::Command::new("sh");
    later
        .args(["-c", ". ./config.mk && make -B main.o CC=\"$CC\""])
        .current_dir(place.path("my project"));
    let ran = Ran::new(later, place.folder.path());
    assert_eq!(ran.code, 0, "{}", ran.seen());
}
