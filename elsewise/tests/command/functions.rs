//! Functions as subjects, from the outside: what is refused and why, what is shown, gdb.

use crate::support::{Place, Ran};
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

const LIST: &str = r#"#include <stdarg.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int find(const struct node *list, const char *name, const int *wanted, int count)
{
    for (int i = 0; i < count; i++)
        if (wanted && list && list->value == wanted[i] && name && *name == 'x')
            abort();
    return 0;
}

int sum(int count, ...)
{
    va_list rest;
    int sum = 0;
    va_start(rest, count);
    while (count-- > 0)
        sum += va_arg(rest, int);
    va_end(rest);
    return sum;
}

int sum_of(int count, va_list rest)
{
    return count > 0 ? va_arg(rest, int) : 0;
}

int positive(double number)
{
    return number > 0;
}

void look_at(const struct node *list)
{
    (void)list;
}

int same(const struct node *list, const struct node *other)
{
    return list == other;
}

int long_enough(const struct node *list)
{
    return list && list->next;
}

int trace(int n, const int m[n][n])
{
    return n > 0 && m ? m[n - 1][n - 1] : 0;
}
"#;

fn listed() -> Place {
    let place = Place::new();
    place.write("list.c", LIST);
    place
}

fn refused(args: &[&str]) -> String {
    let ran = listed().run(args);
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert_eq!(ran.stdout, "");
    ran.stderr
}

#[test]
fn what_cannot_be_called_is_refused_with_a_reason() {
    let words = refused(&["explore", "list.c::sum"]);
    assert!(words.contains("variable number of arguments"), "{words}");
    assert!(words.contains("write a function that calls it"), "{words}");
    let words = refused(&["explore", "list.c::sum_of"]);
    assert!(words.contains("`rest` is a `va_list`"), "{words}");
    let words = refused(&["explore", "list.c::trace"]);
    assert!(words.contains("how long the rows of `m` are"), "{words}");
}

#[test]
fn a_wrong_name_is_answered_with_those_that_there_are() {
    for (name, answer) in [
        ("fnid", "did you mean `find`?"),
        ("Postive", "did you mean `positive`?"),
        ("enough", "it has long_enough; where"),
        (
            "something",
            "it has find, sum, sum_of, positive, look_at, same, long_enough, trace; where a function is there only \
             with some macros, give them in --cflags",
        ),
    ] {
        let words = refused(&["explore", &format!("list.c::{name}")]);
        assert!(words.contains(answer), "{words}");
    }
    let words = refused(&["explore", "list.c", "--sequence=fnid"]);
    assert!(words.contains("did you mean `find`?"), "{words}");
}

#[test]
fn a_file_without_what_is_looked_for_says_so() {
    let place = Place::new();
    place.write("variable.c", "int x;\n");
    place.write("nothing.c", "/* nothing */\n");
    place.write("program.c", "int main(void) { return 0; }\n");
    for (args, answer) in [
        (&["variable.c::f"][..], "it defines none; where"),
        (&["nothing.c::f"], "check that it is the right one"),
        (
            &["variable.c"],
            "name a function to explore, as variable.c::FUNCTION",
        ),
        (&["program.c::main"], "give the file alone"),
    ] {
        let ran = place.run(&[&["explore"], args].concat());
        assert_eq!(ran.code, 1, "{}", ran.seen());
        assert!(ran.stderr.contains(answer), "{}", ran.seen());
    }
}

#[test]
fn flags_that_have_no_effect_are_refused() {
    let place = Place::new();
    place.write(
        "p.c",
        "int f(int x) { return x; } int main(void) { return f(0); }\n",
    );
    for (args, answer) in [
        (&["p.c", "--valid=node:f"][..], "--valid is about functions"),
        (&["p.c", "--array=a:n"], "--array is about functions"),
        (
            &["p.c", "--globals"],
            "give FILE.c::FUNCTION, or leave it out",
        ),
        (
            &["p.c::f", "--steps=3"],
            "name its functions, or leave it out",
        ),
        (
            &["p.c::f", "--", "x"],
            "its parameters and messages are the inputs",
        ),
        (&["p.c::f", "--max-array=0"], "give at least 1"),
        (
            &["p.c::f", "--compile-commands=no"],
            "elsewise capture -- make",
        ),
    ] {
        let ran = place.run(&[&["explore"], args].concat());
        assert_eq!(ran.code, 1, "{}", ran.seen());
        assert!(ran.stderr.contains(answer), "{}", ran.seen());
    }
    // What is said for all subjects is no mistake.
    place.write("elsewise.toml", "globals = true\nmax-array = 3\n");
    let ran = place.run(&["explore", "p.c", "-q"]);
    // Nothing depends on its input.
    assert_eq!(ran.code, 5, "{}", ran.seen());
}

#[test]
fn what_is_said_about_parameters_must_fit_them() {
    for (said, answer) in [
        (
            "--array=name:many",
            "`find` has no parameter `many`; it has list, name",
        ),
        (
            "--array=count:count",
            "the first must be a pointer and the second an integer",
        ),
        ("--array=name", "write --array P:N"),
        ("--valid=list", "write --valid TYPE:FUNCTION"),
        ("--valid=node:no_such", "there is no function `no_such`"),
        ("--valid=node:long_enuogh", "did you mean `long_enough`?"),
        ("--valid=tree:long_enough", "write --valid node:long_enough"),
        ("--valid=node:same", "must take one parameter"),
        ("--valid=node:look_at", "return whether it is valid"),
        (
            "--valid=double:positive",
            "no parameter of `find` is of the type",
        ),
        ("--max-objects=0", "give at least 1"),
    ] {
        let words = refused(&["explore", "list.c::find", said]);
        assert!(words.contains(answer), "{said}: {words}");
    }
}

#[test]
fn a_finding_is_shown_by_its_memory_and_not_by_bytes() {
    let place = listed();
    let ran = place.run(&["explore", "list.c::find", "-q"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    for wanted in [
        "at most 24 objects of a type",
        "arrays of at most 8 elements",
        "strings of at most 8 characters",
    ] {
        assert!(ran.stdout.contains(wanted), "{}", ran.seen());
    }
    assert!(!ran.stdout.contains("stdin"), "{}", ran.seen());
    // Which of the conditions of a line turned out true for the first time can be told.
    assert!(ran.stdout.contains("12:"), "{}", ran.seen());
    let shown = place.run(&["show", "1"]);
    assert!(shown.stdout.contains("memory"), "{}", shown.seen());
    assert!(shown.stdout.contains("count = "), "{}", shown.seen());
    assert!(!shown.stdout.contains("00000000"), "{}", shown.seen());
    let json = place.run(&["show", "1", "--format=json"]).json();
    let count = &json["inputs"]["count"];
    assert!(count.as_str().is_some_and(|hex| hex.len() == 8), "{count}");
    assert_eq!(json["graph"]["roots"][3]["name"], "count");
}

#[test]
fn gdb_stops_in_the_function_with_the_graph_printed() {
    let place = listed();
    assert_eq!(place.run(&["explore", "list.c::find", "-q"]).code, 2);
    let mut child = place
        .command(&["replay", "1", "--gdb"])
        .env("HOME", place.folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"backtrace\nkill\nquit\n").unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let graph = text.find("count = ").unwrap_or(usize::MAX);
    let stopped = text.find("SIGABRT").unwrap_or(0);
    assert!(graph < stopped, "{text}");
    assert!(text.contains("list.c:13"), "{text}");
}

#[test]
fn a_file_is_compiled_as_the_build_compiles_it() {
    let place = Place::new();
    place.write("include/limit.h", "#define LIMIT 41\n");
    let source = "#include <limit.h>\n#include <stdlib.h>\n\
        int f(int x)\n{\n    if (x == LIMIT + ONE)\n        abort();\n    return 0;\n}\n";
    place.write("src/f.c", source);
    let database = format!(
        r#"[{{"directory": {:?}, "file": "src/f.c", "arguments":
            ["cc", "-Iinclude", "-DONE=1", "-c", "src/f.c", "-o", "f.o"]}}]"#,
        place.folder.path()
    );
    place.write("compile_commands.json", database);
    let ran = place.run(&["explore", "src/f.c::f", "--format=json"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    assert!(
        ran.stderr.contains("compile_commands.json says"),
        "{}",
        ran.seen()
    );
    assert_eq!(ran.json()["findings"][0]["line"], 6);
    let shown = place.run(&["show", "1", "--format=json"]).json();
    assert_eq!(shown["graph"]["roots"][0]["value"]["value"], "42");
}

#[test]
fn options_of_a_build_that_are_left_out_are_told() {
    let place = Place::new();
    place.write("f.c", "int f(int x) { return x; }\n");
    let database = format!(
        r#"[{{"directory": {:?}, "file": "f.c", "arguments":
            ["gcc", "-fno-such-thing", "-DX", "-c", "f.c"]}}]"#,
        place.folder.path()
    );
    place.write("compile_commands.json", database);
    let ran = place.run(&["explore", "f.c::f", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    let warning = "compiled without them: -fno-such-thing; where one matters";
    assert!(ran.stderr.contains(warning), "{}", ran.seen());
}

#[test]
fn the_locale_says_what_pictures_are_drawn_with() {
    let place = listed();
    assert_eq!(place.run(&["explore", "list.c::find", "-q"]).code, 2);
    let shown = |locale: &str| {
        let mut command = place.command(&["show", "1"]);
        command.env("LC_ALL", locale);
        Ran::new(command, place.folder.path()).stdout
    };
    assert!(shown("C").is_ascii() && shown("C").contains("+ node 1"));
    assert!(shown("C.UTF-8").contains("┌ node 1"));
}

#[test]
fn the_calls_of_a_sequence_are_shown_as_calls() {
    let place = Place::new();
    place.write(
        "count.c",
        "#include <stdlib.h>\n\
         struct count { int n; };\n\
         struct count *count_new(void) { return calloc(1, sizeof(struct count)); }\n\
         void count_up(struct count *c) { if (c && ++c->n == 2) abort(); }\n",
    );
    let explored = place.run(&["explore", "count.c", "--sequence=count_new,count_up", "-q"]);
    assert_eq!(explored.code, 2, "{}", explored.seen());
    let shown = place.run(&["show", "1"]);
    assert!(shown.stdout.contains("     calls\n"), "{}", shown.seen());
    assert!(!shown.stdout.contains("memory\n"), "{}", shown.seen());
}

/// Every member of two structs, printed where all of them have values of their own.
const PRINTS: &str = r#"#include <stdio.h>
#include <stdlib.h>

enum colour { RED = -3, GREEN, BLUE = 40 };

struct part {
    signed char c;
    unsigned low : 3;
    int mid : 6;
    enum colour colour;
    _Bool yes;
    float f;
    double d;
    short row[2];
    struct part *next;
};

static void print(const struct part *p)
{
    const char *colour = p->colour == RED ? "RED" : p->colour == GREEN ? "GREEN" : "BLUE";
    const char *next = p->next == NULL ? "null" : p->next == p ? "itself" : "another";
    printf("c %d low %u mid %d colour %s ", p->c, p->low, p->mid, colour);
    printf("yes %d f %g d %g row %d,%d next %s\n", p->yes, p->f, p->d, p->row[0], p->row[1], next);
}

int prints(struct part part, struct part *p, const char *text, unsigned long long wide)
{
    if (part.c != -7 || part.low != 5 || part.mid != -20 || part.colour != BLUE || !part.yes)
        return 1;
    if (part.f != 2.5f || part.d != -0.125 || part.row[1] != 300 || part.next == NULL)
        return 2;
    if (!p || p->next != p || p->colour != GREEN || p->mid != 31 || p->row[0] != -2)
        return 3;
    if (!text || text[0] != 'h' || text[1] != 'i' || text[2] || wide != 0xfedcba9876543210)
        return 4;
    print(&part);
    print(p);
    printf("%s %llu\n", text, wide);
    fflush(stdout);
    abort();
}
"#;

/// A value as the function prints it; `object` is the one that it stands in.
/// `first.c` has what `second.c` needs, and the function that is explored does not.
fn two_files() -> Place {
    let place = Place::new();
    place.write(
        "first.c",
        "int half(int n);\nint limit = 7;\nint twice(int n) { return 2 * n; }\n\
         int unused(int n) { return n + 1; }\n\
         int f(int n) { return half(n) == 4 ? 1 : 0; }\n",
    );
    place.write(
        "second.c",
        "extern int limit;\nint twice(int n);\n\
         int half(int n) { return n > limit ? -1 : n / twice(1); }\n",
    );
    place
}

#[test]
fn files_of_a_program_have_what_they_need_of_each_other() {
    let place = two_files();
    let ran = place.run(&["explore", "first.c::f", "second.c", "--format=json"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    let summary = ran.json();
    assert_eq!(summary["complete"], true, "{summary}");
    // half(n) is never 4: n is at most 7.
    let sides = &summary["branch_sides"];
    assert_eq!(sides["reached"], 1, "{sides}");
}

#[test]
fn the_real_function_is_linked_from_the_build() {
    let place = two_files();
    let folder = place.folder.path();
    let entry = |file: &str| serde_json::json!({"directory": folder, "file": file, "arguments": ["cc", "-c", file]});
    let database = serde_json::json!([entry("first.c"), entry("second.c")]);
    place.write("compile_commands.json", database.to_string());
    // Without it, half() returns whatever makes a difference.
    let ran = place.run(&["explore", "first.c::f", "--format=json"]);
    let summary = ran.json();
    assert_eq!(summary["branch_sides"]["reached"], 2, "{summary}");
    let ran = place.run(&[
        "explore",
        "first.c::f",
        "--real=half",
        "--campaign=real",
        "--format=json",
    ]);
    let summary = ran.json();
    assert_eq!(summary["branch_sides"]["reached"], 1, "{}", ran.seen());
    let ran = place.run(&["explore", "first.c::f", "--real=quarter"]);
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert!(ran.stderr.contains("no file of"), "{}", ran.seen());
}

fn printed(value: &Value, object: Option<u64>) -> String {
    let text = value["value"].as_str().unwrap_or_default();
    match value["kind"].as_str().unwrap_or_default() {
        "float" => text.parse::<f64>().unwrap().to_string(),
        "text" => text.split('\0').next().unwrap_or_default().into(),
        "pointer" if value["object"].as_u64() == object => "itself".into(),
        "pointer" => "another".into(),
        "null" => "null".into(),
        "array" => {
            let elements = value["elements"].as_array().unwrap().iter();
            let elements: Vec<String> = elements.map(|e| printed(e, object)).collect();
            elements.join(",")
        }
        "struct" => {
            let members = value["members"].as_array().unwrap().iter();
            let members = members.map(|member| {
                let name = member["name"].as_str().unwrap();
                format!("{name} {}", printed(&member["value"], object))
            });
            members.collect::<Vec<_>>().join(" ")
        }
        _ => text.into(),
    }
}

#[test]
fn what_is_shown_is_what_the_function_is_given() {
    let place = Place::new();
    place.write("prints.c", PRINTS);
    let ran = place.run(&["explore", "prints.c::prints", "-q", "--budget=60s"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    let graph = &place.run(&["show", "1", "--format=json"]).json()["graph"];
    let roots = |index: usize| &graph["roots"][index]["value"];
    let behind = |index: usize| {
        let object = roots(index)["object"].as_u64().unwrap();
        printed(&graph["objects"][object as usize]["value"], Some(object))
    };
    let shown = format!(
        "{}\n{}\n{} {}\n",
        printed(roots(0), None),
        behind(1),
        behind(2),
        printed(roots(3), None)
    );
    let replayed = place.run(&["replay", "1", "--format=json"]).json();
    assert_eq!(replayed["stdout"], shown);
    // Nothing of that is zero by chance.
    assert!(shown.contains("c -7 low 5 mid -20 colour BLUE yes 1 f 2.5 d -0.125"));
}

#[test]
fn what_stubs_return_is_shown() {
    let place = Place::new();
    place.write(
        "asks.c",
        "#include <stdlib.h>\nint ask(int);\nint other(void);\n\
         int asks(int x)\n{\n    if (ask(x) == 42)\n        abort();\n    return 0;\n}\n\
         int unused(void) { return other(); }\n",
    );
    let ran = place.run(&["explore", "asks.c::asks", "--quiet"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    // Two cases that differ in nothing else, the finding, and what stubs there are.
    for words in [
        "x = 0, stub ask() = 0 ",
        "x = 0, stub ask() = 42 ",
        "x = 0, stub ask() = 42\n",
        "stubs, which change nothing, for ask\n",
    ] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.seen());
    }
    let ran = place.run(&["show", "1"]);
    assert!(ran.stdout.contains("stub ask() = 42"), "{}", ran.seen());
}

#[test]
fn a_function_that_frees_an_empty_array_does_not_fail() {
    let place = Place::new();
    place.write(
        "drop.c",
        "#include <stdlib.h>\nstruct list { int *data; size_t length, capacity; };\n\
         int drop(struct list *list)\n{\n    if (!list || !list->data)\n        return 0;\n    \
         free(list->data);\n    return 5;\n}\n",
    );
    let ran = place.run(&["explore", "drop.c::drop", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    assert!(ran.stdout.contains("3 cases, none fails"), "{}", ran.seen());
}
