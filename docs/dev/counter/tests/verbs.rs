//! Every verb of the command on a counter machine.

use std::path::Path;
use std::process::Command;

const MACHINE: &str = "\
given a b            # fails where they are equal
loop: dec a first
      dec b more
      go loop
first: dec b same
more: halt
same: fail both have the same
";

/// What a command says, and its exit code.
fn elsewise(folder: &Path, words: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_elsewise-counter"))
        .args(words)
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder.join("state"))
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    (output.status.code().unwrap_or(-1), said)
}

#[test]
fn all_verbs_work() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("same.counter"), MACHINE).unwrap();
    let (code, said) = elsewise(folder, &["explore", "same.counter", "--largest", "3"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("both have the same"), "{said}");
    assert!(said.contains("registers of at most 3"), "{said}");
    // Four where they are equal, and for each way to differ three: the smaller of them decides.
    assert!(said.contains("10 paths"), "{said}");
    for (words, expected, exit) in [
        (&["replay", "1"][..], "both have the same", 2),
        (&["show", "1"], "same(0, 0)", 0),
        (&["show"], "failed", 0),
        (&["status"], "same.counter", 0),
        (&["check"], "", 0),
        (&["report", "--json"], "both have the same", 0),
        (&["report", "--sarif"], "same.counter", 0),
        (&["export", "--as", "lines"], "same.lines", 0),
        (&["doctor"], "libz3", 0),
        (&["explore", "--help"], "--largest", 0),
        (&["replay", "1", "--gdb"], "no shell", 1),
        (&["explore", "x.c"], "FILE.counter", 1),
    ] {
        let (code, said) = elsewise(folder, words);
        assert_eq!(code, exit, "{words:?}: {said}");
        assert!(said.contains(expected), "{words:?}: {said}");
    }
    let lines = std::fs::read_to_string(folder.join("tests/same.lines")).unwrap();
    assert!(
        lines.contains("same(0, 0): fails: both have the same"),
        "{lines}"
    );
    assert!(lines.contains("same(1, 0): a = 0, b = 0"), "{lines}");
    let (_, page) = elsewise(folder, &["report", "--html"]);
    assert!(page.contains("same.html"), "{page}");
    let page = std::fs::read_to_string(folder.join("same.html")).unwrap();
    assert!(
        page.contains("<i class=k>dec</i>"),
        "the source is coloured"
    );
}
