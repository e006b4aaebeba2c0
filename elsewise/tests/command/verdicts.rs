//! What an exploration may call itself: success only where something was tested, complete only where nothing
//! was refused or given up, over when its budget is.

use crate::support::Place;
use std::time::{Duration, Instant};

const USAGE: &str = r#"#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE\n", "reader");
        return 2;
    }
    FILE *file = fopen(argv[1], "r");
    if (file && fgetc(file) == 'x')
        abort();
    return 0;
}
"#;

#[test]
fn a_program_that_does_the_same_with_any_input_is_no_success() {
    let place = Place::new();
    place.write("reader.c", USAGE);
    let ran = place.run(&["explore", "reader.c", "-q"]);
    assert_eq!(ran.code, 5, "{}", ran.seen());
    insta::with_settings!({filters => vec![
        (r"\d+(\.\d+)? (ms|s)\b", "[time]"),
    ]}, {
        insta::assert_snapshot!("nothing_depends_on_the_input", ran.seen());
    });
    // What it says to try helps.
    let ran = place.run(&["explore", "reader.c", "-q", "--fresh", "--", "@@"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
}

#[test]
fn what_was_given_up_is_a_failure_where_that_is_wanted() {
    let place = Place::new();
    place.write(
        "opaque.c",
        "#include <math.h>\n#include <unistd.h>\n\
         int main(void) { float x; if (read(0, &x, 4) != 4) return 1; return lgammaf(x) > 3.0f; }\n",
    );
    let explore = ["explore", "opaque.c", "-q", "--cflags=-lm"];
    let ran = place.run(&explore);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    let ran = place.run(&[&explore[..], &["--fresh", "--require-complete"]].concat());
    assert_eq!(ran.code, 6, "{}", ran.seen());
}

#[test]
fn what_is_refused_is_counted_and_confirms_nothing() {
    let place = Place::new();
    let programs = [
        // A file outside of the run's own directory.
        (
            "file",
            "FILE *f = fopen(\"/var/tmp/elsewise-refused\", \"w\"); if (!f) abort();",
        ),
        (
            "socket",
            "if (socket(AF_INET, SOCK_STREAM, 0) < 0) abort();",
        ),
        (
            "memory",
            "char *p = malloc(3ul << 30); if (!p) abort(); free(p);",
        ),
    ];
    for (name, text) in programs {
        let source = format!("{name}.c");
        place.write(
            &source,
            format!(
                "#include <stdio.h>\n#include <stdlib.h>\n#include <sys/socket.h>\n#include <unistd.h>\n\
                 int main(void) {{ char c; if (read(0, &c, 1) != 1) return 1;\n\
                 if (c == 'q') return 2;\n{text}\nreturn 0; }}\n"
            ),
        );
        let ran = place.run(&["explore", &source, "--input-size=1", "-q", "--format=json"]);
        let summary = ran.json();
        assert_eq!(
            summary["findings"].as_array().map(Vec::len),
            Some(0),
            "{name}: {summary:#}"
        );
        assert_eq!(summary["complete"], false, "{name}");
        assert!(
            summary["approximations"]["refused"].is_u64(),
            "{name}: {summary:#}"
        );
        let note = summary["unconfirmed"][0]["note"]
            .as_str()
            .unwrap_or_default();
        assert!(note.contains("refused"), "{name}: {summary:#}");
    }
    // What nobody may write is refused by nobody of ours, and a file of one's own directory is not.
    place.write(
        "own.c",
        "#include <stdio.h>\n#include <unistd.h>\n\
         int main(void) { char c; FILE *f = fopen(\"notes\", \"w\"); FILE *g = fopen(\"/no/such/file\", \"w\");\n\
         if (!f || g || read(0, &c, 1) != 1) return 1; return c == 'q'; }\n",
    );
    let ran = place.run(&["explore", "own.c", "--input-size=1", "-q", "--format=json"]);
    assert_eq!(ran.json()["complete"], true, "{}", ran.seen());
}

/// Runs that do not end, a confirmation that does not, a trace without end, queries that take long: the
/// budget is kept, to a twentieth and a second, beside what building takes.
#[test]
fn a_budget_is_kept() {
    let place = Place::new();
    let programs = [
        (
            "loops",
            8,
            "#include <unistd.h>\nint main(void) { unsigned char b[8]; unsigned long n = 0;\n\
             if (read(0, b, 8) != 8) return 1; for (;;) { n += b[n & 7]; if (b[n & 7] == 1) n ^= b[3]; } }\n",
        ),
        (
            "waits",
            2,
            "#include <unistd.h>\nint main(void) { unsigned char c[2]; if (read(0, c, 2) != 2) return 1;\n\
             for (int i = 0; i < 8; i++) if (c[0] >> i & 1) for (;;) pause(); return 0; }\n",
        ),
        (
            "queries",
            32,
            "#include <stdint.h>\n#include <unistd.h>\nint main(void) { uint64_t v[4]; int r = 0;\n\
             if (read(0, v, 32) != 32) return 1; for (int i = 0; i < 4; i++) for (int j = 0; j < i; j++)\n\
             if (v[i] * v[j] * (v[i] ^ v[j]) % 1000000007u == 123456789u + i) r++; return r; }\n",
        ),
    ];
    for (name, size, text) in programs {
        let source = format!("{name}.c");
        place.write(&source, text);
        let size = format!("--input-size={size}");
        // Built, so that only exploring takes time.
        let explore = ["explore", &source, &size, "-q", "--format=json", "--fresh"];
        place.run(&[&explore[..], &["--budget=1runs", "--timeout=100"]].concat());
        let budget = 3;
        let begin = Instant::now();
        let ran = place.run(&[&explore[..], &["--budget=3s"]].concat());
        let took = begin.elapsed();
        assert_eq!(ran.json()["ended"], "budget", "{name}: {}", ran.seen());
        // What is started and read beside it takes a moment more on a busy machine.
        let most = Duration::from_secs(budget).mul_f32(1.05) + Duration::from_secs(1);
        let spare = Duration::from_secs(1);
        assert!(took < most + spare, "{name}: {took:?}");
    }
}

/// A campaign is gone on with only if its runs would be the same: not with another constant in a source, nor with
/// other settings.
#[test]
fn what_runs_depend_on_makes_another_campaign() {
    let place = Place::new();
    // Whether it was gone on with, and how many findings it has.
    let again = |command: &str| {
        let words: Vec<&str> = command
            .split(' ')
            .chain(["--quiet", "--format", "json"])
            .collect();
        let summary = place.run(&words).json();
        let found = summary["findings"].as_array().unwrap().len();
        (summary["resumed"] == true, found)
    };
    for (file, command, text) in [
        (
            "a.erl",
            "explore a.erl::f/1",
            "-module(a).\n-export([f/1]).\n-spec f(integer()) -> integer().\n\
             f(X) when X > 5, X < 3 -> error(boom);\nf(_) -> 0.\n",
        ),
        (
            "b.pl",
            "explore b.pl::q/1",
            "%! q(+X:integer) is semidet.\nq(X) :- X > 5, X < 3, atom_length(X, foo).\nq(_).\n",
        ),
    ] {
        place.write(file, text);
        assert_eq!(again(command), (false, 0), "{file}");
        assert_eq!(again(command), (true, 0), "{file}");
        place.write(file, text.replace("X < 3", "X < 9"));
        assert_eq!(again(command), (false, 1), "{file}");
    }
    place.write(
        "c.c",
        "#include <stdlib.h>\nint main(void) { char *mode = getenv(\"MODE\"); if (mode) abort(); }\n",
    );
    assert_eq!(again("explore c.c"), (false, 0));
    assert_eq!(again("explore c.c --env MODE=hard"), (false, 1));
    assert_eq!(
        again("explore c.c --env MODE=hard --budget 9s --jobs 2"),
        (true, 1)
    );
}
