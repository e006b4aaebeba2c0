//! Sanitizers: what they find is how a run ended, with its kind and place; a program without the
//! error has none.

use elsewise_driver::{Cache, Program};
use elsewise_explore::{Case, Outcome, Subject};
use elsewise_native::{NativeOptions, NativeSubject, Stdin};
use elsewise_term::Terms;
use std::fs;

/// Builds `body` as the inside of a function of four input bytes `b`, runs it on `input`.
fn run(sanitize: &str, body: &str, input: &[u8; 4]) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("subject.c");
    let source = format!(
        "#include <limits.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
         __attribute__((noinline)) int f(unsigned char *b) {{\n{body}\n}}\n\
         int main(void) {{ unsigned char b[4]; if (read(0, b, 4) != 4) return 9;\n\
         if (b[0] != 'x') return 1; return f(b) & 1; }}\n"
    );
    fs::write(&file, source).unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let flags = [format!("-fsanitize={sanitize}").into()];
    let out = folder.path().join("out");
    let program = Program::from_source_with(&[file], &flags, &out, &cache)
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(program.sanitizers.any(), "{sanitize}");
    let options = NativeOptions {
        stdin: Stdin::Fixed(4),
        memory_limit: 1 << 30,
        ..NativeOptions::default()
    };
    let mut subject = NativeSubject::new(&program, &options).unwrap();
    let mut case = Case::default();
    case.inputs.insert("stdin".into(), input.to_vec());
    let trace = subject.run(&case, &mut Terms::new()).unwrap();
    let plain = subject.confirm(&case).unwrap();
    if let (Outcome::Failure { kind: seen, .. }, Outcome::Failure { kind, .. }) =
        (&trace.outcome, &plain)
    {
        assert_eq!(seen, kind);
    }
    assert!(!trace.choices.is_empty());
    trace.outcome
}

/// The error is found at line `line` of the body; the repaired body is clean.
fn found(sanitize: &str, kind: &str, line: u32, bug: &str, fixed: &str) {
    let input = b"x\x06\x07\x3f";
    match run(sanitize, bug, input) {
        Outcome::Failure {
            kind: seen, place, ..
        } => {
            assert_eq!(seen.word(), kind);
            let place = &place[0];
            assert_eq!((place.line, place.function.as_str()), (line + 4, "f"));
            assert!(place.file.ends_with("subject.c"), "{place:?}");
        }
        other => panic!("{kind}: {other:?}"),
    }
    assert!(matches!(run(sanitize, fixed, input), Outcome::Exit(0 | 1)));
    // The same program on another path.
    assert_eq!(run(sanitize, bug, b"yyyy"), Outcome::Exit(1));
}

#[test]
fn a_read_behind_a_block_that_does_not_crash() {
    found(
        "address",
        "heap-buffer-overflow",
        2,
        "char *p = calloc(1, b[1]);\nint r = p[b[2]];\nfree(p); return r;",
        "char *p = calloc(1, b[1]);\nint r = b[2] < b[1] ? p[b[2]] : 0;\nfree(p); return r;",
    );
}

#[test]
fn use_after_free() {
    found(
        "address,undefined",
        "use-after-free",
        3,
        "char *p = calloc(1, 8);\nfree(p);\nreturn p[b[2] & 7];",
        "char *p = calloc(1, 8);\nint r = p[b[2] & 7];\nfree(p);\nreturn r;",
    );
}

#[test]
fn a_signed_overflow() {
    found(
        "undefined",
        "undefined",
        2,
        "int x = INT_MAX - 5;\nx += b[1];\nreturn x;",
        "int x = INT_MAX - 5;\nx -= b[1];\nreturn x;",
    );
}

#[test]
fn a_shift_that_is_too_wide() {
    found(
        "undefined,address",
        "undefined",
        1,
        "return 1 << b[3];",
        "return 1 << (b[3] & 15);",
    );
}

#[test]
fn a_leak_is_told_of_where_it_is_asked_for() {
    let bug = "char *volatile p = malloc(4);\np[0] = b[1]; int r = p[0]; p = 0;\nreturn r;";
    let fixed = "char *volatile p = malloc(4);\np[0] = b[1]; int r = p[0]; free(p);\nreturn r;";
    found("leak", "leak", 1, bug, fixed);
    found("address,leak", "leak", 1, bug, fixed);
    assert!(matches!(run("address", bug, b"xabc"), Outcome::Exit(_)));
}
