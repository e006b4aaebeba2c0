//! Programs are compiled as their project compiles them, and what to do where that is not known or not enough.

use crate::support::Place;
use std::process::Command;

/// Two files that a project compiles with flags of their own, and a header that only one of these finds.
fn project() -> Place {
    let place = Place::new();
    place.write("include/limit.h", "#define LIMIT 'k'\n");
    place.write(
        "src/main.c",
        "#include <limit.h>\n#include <unistd.h>\nint over(char c);\nint main(void) {\n    char c = 0;\n    \
         return read(0, &c, 1) == 1 && c == LIMIT ? over(c) : 0;\n}\n",
    );
    place.write(
        "src/over.c",
        "#include <stdlib.h>\n#ifndef STRICT\n#define STRICT 0\n#endif\nint over(char c) {\n    if (STRICT && c == 'k')\n        \
         abort();\n    return 1;\n}\n",
    );
    place
}

fn with_database(place: &Place, file: &str) {
    let folder = place.folder.path();
    let entry = |file: &str, flag: &str| {
        serde_json::json!({
            "directory": folder, "file": file, "arguments": ["cc", flag, "-c", file],
        })
    };
    let database = serde_json::json!([
        entry("src/main.c", "-Iinclude"),
        entry("src/over.c", "-DSTRICT=1")
    ]);
    place.write(file, database.to_string());
}

#[test]
fn a_program_is_compiled_as_its_project_does() {
    let place = project();
    let words = ["explore", "src/main.c", "src/over.c", "--max-input=1"];
    let explore = |more: &[&str]| place.run(&[&words[..], more].concat());
    // Without its flags it is not compiled at all, and that is what to do about it.
    let ran = explore(&["-q"]);
    assert_eq!(ran.code, 4, "{}", ran.seen());
    insta::with_settings!({filters => vec![(r"\[folder\]/", "")]}, {
        insta::assert_snapshot!("missing_header", ran.seen());
    });
    // In another place, it is used if it is named.
    with_database(&place, "elsewhere/compile_commands.json");
    let ran = explore(&["-q", "--compile-commands=elsewhere", "--campaign=named"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    // Each file has its own.
    with_database(&place, "build/compile_commands.json");
    let ran = explore(&[]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    for file in ["main.c", "over.c"] {
        let said = format!("src/{file} is compiled as ");
        assert!(ran.stderr.contains(&said), "{}", ran.seen());
    }
    // What the user says wins.
    let ran = explore(&["-q", "--cflags=-USTRICT -DSTRICT=0", "--campaign=own"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    // `check` builds it in the same way.
    assert_eq!(place.run(&["check", "main.elsewise"]).code, 0);
}

#[test]
fn a_library_that_is_not_followed_is_named_with_the_cure() {
    let place = Place::new();
    place.write(
        "sum.c",
        "int sum(const char *text) { int n = 0; while (*text) n = n * 31 + *text++; return n; }\n",
    );
    let library = place.path("libsum.so.1");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-Wl,-soname,libsum.so.1", "-o"])
        .arg(&library)
        .arg(place.path("sum.c"))
        .status();
    assert!(built.unwrap().success());
    place.write(
        "main.c",
        "#include <unistd.h>\nint sum(const char *);\nint main(void) {\n    char text[3] = \"\";\n    \
         return read(0, text, 2) == 2 && sum(text) == 3333 ? 7 : 0;\n}\n",
    );
    let folder = place.folder.path().display();
    let flags = format!("--cflags={} -Wl,-rpath,{folder}", library.display());
    let ran = place.run(&["explore", "main.c", "--max-input=2", &flags, "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    let cure = "try        CC=elsewise-cc  sum of libsum: build that library with it, or name its sources beside the \
                subject's\n";
    assert!(ran.stdout.contains(cure), "{}", ran.seen());
    // It is one.
    let followed = place.run(&["explore", "main.c", "sum.c", "--max-input=2", "-q"]);
    assert!(
        followed.stdout.contains("explored completely"),
        "{}",
        followed.seen()
    );
}
