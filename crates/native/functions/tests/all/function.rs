//! What a harness gives to a function: what its pointers can be, and how much is behind them.

use elsewise_driver::Toolchain;
use elsewise_functions::{Build, Cell, FunctionOptions, FunctionSubject, Pool, Ways};
use std::fs;

/// The harness of `f` in a file of this text.
fn subject(source: &str) -> FunctionSubject {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("source.c");
    fs::write(&file, source).unwrap();
    let options = FunctionOptions {
        function: "f".into(),
        max_objects: 4,
        max_elements: 8,
        max_string: 8,
        ..FunctionOptions::default()
    };
    let build = Build {
        flags: &[],
        for_all: &[],
        database: None,
    };
    let clang = Toolchain::find().unwrap().clang;
    elsewise_functions::harness(
        &clang,
        folder.path(),
        &file,
        &[],
        build,
        &options,
        folder.path(),
    )
    .unwrap()
}

/// The values of the pointers in the first parameter, in order.
fn values(subject: &FunctionSubject) -> Vec<Vec<String>> {
    let ways = |cell: &Cell| &subject.plan.ways[cell.ways];
    subject.plan.roots[0]
        .cells
        .iter()
        .map(|cell| match ways(cell) {
            Ways::Values(values) => values.clone(),
            Ways::Objects { .. } => vec!["object".into()],
        })
        .collect()
}

fn pool<'a>(subject: &'a FunctionSubject, name: &str) -> &'a Pool {
    let mut pools = subject.plan.pools.iter();
    let names: Vec<&str> = subject.plan.pools.iter().map(|p| p.name.as_str()).collect();
    let found = pools.find(|pool| pool.name == name);
    found.unwrap_or_else(|| panic!("{name} is not among {names:?}"))
}

#[test]
fn hooks_for_memory_are_those_of_the_library() {
    let subject = subject(
        "#include <stddef.h>\n\
         struct hooks { void *(*allocate)(size_t); void (*deallocate)(void *);\n\
         void *(*reallocate)(void *, size_t); void *(*zeroed)(size_t, size_t);\n\
         void (*notify)(void *); };\n\
         int f(struct hooks h) { return h.allocate != 0; }\n",
    );
    let expected: [&[&str]; 5] = [
        &["malloc", "0"],
        &["free", "0"],
        &["realloc", "0"],
        &["calloc", "0"],
        &["elw_notify", "0"],
    ];
    assert_eq!(values(&subject), expected);
}

#[test]
fn callbacks_are_functions_of_the_file_and_one_that_returns_inputs() {
    let subject = subject(
        "static int up(int a) { return a + 1; }\n\
         static int by_data(int a, void *data) { return a + *(int *)data; }\n\
         struct calls { int (*step)(int); int (*with)(int, void *); };\n\
         int f(struct calls c) { return c.step(up(1)) + by_data(1, &c); }\n",
    );
    let expected: [&[&str]; 2] = [&["up", "elw_step", "0"], &["elw_with", "0"]];
    assert_eq!(values(&subject), expected);
    let returned: Vec<&str> = subject.plan.roots[1..]
        .iter()
        .map(|r| r.name.as_str())
        .collect();
    assert_eq!(returned, ["step()", "with()"]);
}

#[test]
fn streams_are_streams() {
    let subject = subject("#include <stdio.h>\nint f(FILE *from) { return getc(from); }\n");
    assert_eq!(values(&subject), [["stdin", "stdout", "0"]]);
    assert!(subject.plan.pools.is_empty());
    let subject =
        self::subject("#include <stdio.h>\nint f(FILE *out) { return putc('a', out); }\n");
    assert_eq!(values(&subject), [["stdout", "stdin", "0"]]);
}

#[test]
fn text_of_any_character_ends() {
    let subject =
        subject("int f(const unsigned char *text, char *other) { return *text + *other; }\n");
    for name in ["unsigned char", "char"] {
        let pool = pool(&subject, name);
        assert!(pool.ends && pool.elements == 9, "{pool:?}");
    }
}

#[test]
fn what_void_is_taken_for_is_behind_it() {
    let subject = subject(
        "struct state { long parts[40]; };\n\
         int f(void *data, int a) { struct state *state = data; return state->parts[a] > 0; }\n",
    );
    assert_eq!(pool(&subject, "struct state").size, 320);
}

#[test]
fn members_count_what_other_members_point_to() {
    let subject = subject(
        "#include <stddef.h>\n\
         struct buffer { unsigned char *content; size_t length; size_t offset; };\n\
         struct grown { int used; int *numbers; int len; int capacity; };\n\
         struct list { struct list *next; int count; };\n\
         int f(struct buffer *b, struct grown *g, struct list *l) { return b && g && l; }\n",
    );
    let content = pool(&subject, "struct buffer.content[]");
    assert!(content.counted && content.size == 1 && content.elements == 8);
    let length = pool(&subject, "struct buffer").cells[0].length.unwrap();
    assert_eq!((length.offset, length.size), (8, 8));
    assert!(pool(&subject, "struct grown.numbers[]").counted);
    let capacity = pool(&subject, "struct grown").cells[0].length.unwrap();
    assert_eq!((capacity.offset, capacity.size), (20, 4));
    // How many there are in a chain says nothing about the next of them.
    assert_eq!(pool(&subject, "struct list").cells[0].length, None);
}
