//! What a campaign or a source of somebody else says does nothing to whoever looks at it.

use crate::support::{BUGGY, Place, Ran};
use std::fs;

fn run(place: &Place, words: &str) -> Ran {
    let words: Vec<&str> = words.split(' ').collect();
    let mut command = place.command(&words);
    command.current_dir(place.path("project"));
    Ran::new(command, place.folder.path())
}

const EXPLORE: &str = "explore a.c --input-size 4 --quiet";

#[test]
fn files_that_are_not_the_projects_are_not_quoted() {
    let place = Place::new();
    let secret = place.write("elsewhere/secret", "s3cr3t\n".repeat(30));
    let named = format!("int main(void) {{\n#line 7 \"{}\"", secret.display());
    place.write("project/a.c", BUGGY.replace("int main(void) {", &named));
    assert_eq!(run(&place, EXPLORE).code, 2);
    let shown = run(&place, "show 1");
    assert_eq!(shown.code, 0);
    assert!(
        shown.stdout.contains("elsewhere/secret:"),
        "{}",
        shown.seen()
    );
    assert!(!shown.stdout.contains("s3cr3t"), "{}", shown.seen());
    assert!(shown.stderr.contains("is not quoted"), "{}", shown.seen());
    assert_eq!(run(&place, "report --html --out page.html").code, 0);
    let page = fs::read_to_string(place.path("project/page.html")).unwrap();
    assert!(!page.contains("s3cr3t"));
    assert!(page.contains("not in the project's folder") || page.contains("project&#39;s folder"));
    let copies = fs::read_to_string(place.path("project/a.elsewise/subject/sources.json"));
    assert!(!copies.unwrap().contains("s3cr3t"));
}

#[test]
fn sources_are_quoted_from_the_campaigns_copy() {
    let place = Place::new();
    place.write("project/a.c", BUGGY);
    assert_eq!(run(&place, EXPLORE).code, 2);
    let before = run(&place, "show 1").seen();
    assert!(before.contains("assert(b[2] + b[3] != 300)"), "{before}");
    fs::remove_file(place.path("project/a.c")).unwrap();
    assert_eq!(run(&place, "show 1").seen(), before);
}

/// Writes a file where its first argument says.
const WRITER: &str = r#"#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char b;
    if (argc != 2 || read(0, &b, 1) != 1 || b != 'x')
        return 0;
    FILE *f = fopen(argv[1], "w");
    if (f)
        fclose(f);
    return 7;
}
"#;

/// Does what the campaign says lead to a file?
fn writes(place: &Place, words: &str) -> (bool, Ran) {
    let canary = place.path("canary/written");
    let _ = fs::remove_file(&canary);
    let ran = run(place, words);
    (canary.exists(), ran)
}

#[test]
fn a_campaign_does_not_say_what_its_subject_may_do() {
    let place = Place::new();
    place.write("project/a.c", WRITER);
    place.write("canary/there", "");
    let canary = place.path("canary");
    let written = canary.join("written");
    let explore = format!(
        "explore a.c --input-size 1 --quiet -- {}",
        written.display()
    );
    run(&place, &explore);
    assert!(!written.exists());
    let record = place.path("project/a.elsewise/subject/subject.json");
    let text = fs::read_to_string(&record).unwrap();
    let allow = format!("--allow-write {}", canary.display());
    for (from, to, flag) in [
        (
            "\"on\": true",
            "\"on\": false".to_owned(),
            "--no-containment",
        ),
        (
            "\"write\": []",
            format!("\"write\": [\"{}\"]", canary.display()),
            &*allow,
        ),
    ] {
        assert!(text.contains(from), "{text}");
        fs::write(&record, text.replace(from, &to)).unwrap();
        let (wrote, ran) = writes(&place, "replay run:1 --trust");
        assert!(!wrote, "{flag}: {}", ran.seen());
        assert!(
            ran.stderr.contains(flag) && ran.stderr.contains("not obeyed"),
            "{}",
            ran.seen()
        );
        let (wrote, ran) = writes(&place, &format!("replay run:1 --trust {flag}"));
        assert!(wrote, "{flag}: {}", ran.seen());
        assert!(!ran.stderr.contains("not obeyed"), "{}", ran.seen());
    }
    fs::write(&record, &text).unwrap();
    let stored = "\"explore\",";
    assert!(text.contains(stored), "{text}");
    for words in [
        "\"--no-containment\",".to_owned(),
        "\"--allow-network\",".to_owned(),
        format!("\"--allow-write={}\",", canary.display()),
        "\"--cflags=-fplugin=evil.so\",".to_owned(),
        "\"--config=evil.toml\",".to_owned(),
    ] {
        let changed = text.replace(stored, &format!("{stored} {words}"));
        fs::write(&record, changed).unwrap();
        let (wrote, ran) = writes(&place, "check a.elsewise --trust");
        assert!(!wrote && ran.code == 1, "{words}: {}", ran.seen());
        assert!(ran.stderr.contains("give that here, too"), "{}", ran.seen());
    }
    let changed = text.replace(stored, &format!("{stored} \"--no-containment\","));
    fs::write(&record, changed).unwrap();
    let (wrote, ran) = writes(&place, "check a.elsewise --trust --no-containment");
    assert!(wrote, "{}", ran.seen());
}

/// Runs with no program to be found but itself.
fn alone(place: &Place, words: &str) -> Ran {
    let words: Vec<&str> = words.split(' ').collect();
    let mut command = place.command(&words);
    command
        .current_dir(place.path("project"))
        .env("PATH", place.path("nothing"));
    Ran::new(command, place.folder.path())
}

const LOOKS: [&str; 4] = [
    "show 1",
    "show 1 --format json",
    "report --sarif",
    "report --markdown",
];

#[test]
fn who_looks_at_a_predicate_does_not_load_it() {
    let place = Place::new();
    let program = "%! f(+X:integer) is det.\nf(7) :- !, throw(seven).\nf(8) :- !.\nf(_).\n";
    let file = place.write("project/y.pl", program);
    assert_eq!(run(&place, "explore y.pl::f/1 --quiet").code, 2);
    let canary = place.path("written");
    let directive = format!(
        ":- open('{}', write, S), close(S).\n{program}",
        canary.display()
    );
    fs::write(&file, directive).unwrap();
    let others = ["report --html --out page.html", "export --out tests"];
    for words in LOOKS.into_iter().chain(others) {
        for ran in [run(&place, words), alone(&place, words)] {
            assert_eq!(ran.code, 0, "{}", ran.seen());
            assert!(!canary.exists(), "{words}");
        }
    }
    let shown = alone(&place, "show 1").stdout;
    assert!(shown.contains("f(7)"), "{shown}");
    let page = fs::read_to_string(place.path("project/page.html")).unwrap();
    assert!(page.contains("f(7)") && page.contains("true"), "{page}");
    let tests = fs::read_to_string(place.path("project/tests/y_f_elsewise.plt")).unwrap();
    assert!(tests.contains("f(8)"), "{tests}");
}

#[test]
fn who_looks_at_a_function_does_not_run_it() {
    let place = Place::new();
    let source = "#include <stdlib.h>\n\nint f(int a) {\n    if (a == 77)\n        return 4711;\n    \
                  if (a == 5)\n        abort();\n    return 0;\n}\n";
    place.write("project/f.c", source);
    assert_eq!(run(&place, "explore f.c::f --quiet").code, 2);
    let before = LOOKS.map(|words| run(&place, words).seen());
    let page = |place: &Place| {
        let ran = run(place, "report --html --out page.html");
        assert_eq!(ran.code, 0, "{}", ran.seen());
        fs::read_to_string(place.path("project/page.html")).unwrap()
    };
    assert!(page(&place).contains("4711"));
    for name in ["harness", "explored"] {
        let program = place.path("project/f.elsewise/subject").join(name);
        assert!(program.is_file(), "{}", program.display());
        fs::write(program, "#!/bin/sh\nexit 0\n").unwrap();
    }
    // That it was changed is said.
    let as_before = LOOKS.map(|words| {
        let mut ran = alone(&place, words);
        assert!(ran.stderr.contains("changed since"), "{}", ran.seen());
        ran.stderr.clear();
        ran.seen()
    });
    assert_eq!(as_before, before);
    assert!(page(&place).contains("4711"));
    let ran = alone(&place, "export --as tap --out tests");
    assert_eq!(ran.code, 0, "{}", ran.seen());
    let tests = fs::read_to_string(place.path("project/tests/test_f.c")).unwrap();
    assert!(tests.contains("4711"), "{tests}");
}

#[test]
fn who_exports_tests_of_erlang_does_not_compile_it() {
    let place = Place::new();
    let program =
        "-module(b).\n-export([f/1]).\nf(7) -> error(seven);\nf(8) -> {eight, 8};\nf(_) -> ok.\n";
    let file = place.write("project/b.erl", program);
    run(&place, "explore b.erl::f/1 --quiet");
    fs::remove_file(file).unwrap();
    for words in LOOKS.into_iter().chain(["export --out tests"]) {
        let ran = alone(&place, words);
        assert_eq!(ran.code, 0, "{words}: {}", ran.seen());
    }
    let folder = fs::read_dir(place.path("project/tests")).unwrap();
    let texts = folder.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let tests: String = texts.collect();
    assert!(
        tests.contains("{eight,8}") || tests.contains("{eight, 8}"),
        "{tests}"
    );
}

#[test]
fn a_suite_of_test_comp_is_written_without_a_run() {
    let place = Place::new();
    let source = "int __VERIFIER_nondet_int(void);\nunsigned char __VERIFIER_nondet_uchar(void);\n\n\
                  int main(void) {\n    unsigned char c = __VERIFIER_nondet_uchar();\n    \
                  if (__VERIFIER_nondet_int() == 4711 && c == 'x')\n        return 3;\n    return 0;\n}\n";
    place.write("project/v.c", source);
    assert_eq!(run(&place, "explore v.c --quiet").code, 0);
    fs::write(place.path("project/v.elsewise/subject/v"), "#!/bin/sh\n").unwrap();
    let ran = alone(&place, "report --test-comp --out suite");
    assert_eq!(ran.code, 0, "{}", ran.seen());
    let folder = fs::read_dir(place.path("project/suite")).unwrap();
    let texts = folder.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let cases: String = texts.collect();
    assert!(
        cases.contains(">4711<") && cases.contains(">120<"),
        "{cases}"
    );
    // What nobody has written down is said to be missing.
    fs::remove_file(place.path("project/v.elsewise/subject/told.json")).unwrap();
    let ran = alone(&place, "report --test-comp --out other");
    assert_eq!(ran.code, 1, "{}", ran.seen());
}

#[test]
fn what_threads_did_is_not_told_with_lines_of_other_files() {
    let place = Place::new();
    let secret = place.write("elsewhere/secret", "s3cr3t\n".repeat(200));
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/subjects/threads/lock_order/lock_order.c"
    );
    place.write("project/a.c", fs::read(source).unwrap());
    assert_eq!(run(&place, "explore a.c --quiet").code, 2);
    let before = run(&place, "show 1").stdout;
    let story = place.path("project/a.elsewise/findings/1/%story");
    let text = fs::read_to_string(&story).unwrap();
    let changed = text.replace("a.c\t", &format!("{}\t", secret.display()));
    assert_ne!(text, changed);
    fs::write(&story, changed).unwrap();
    let shown = run(&place, "show 1");
    assert_eq!(shown.code, 0, "{}", shown.seen());
    assert!(
        shown.stdout.contains("secret:"),
        "{before}\n{}",
        shown.seen()
    );
    assert!(!shown.stdout.contains("s3cr3t"), "{}", shown.seen());
    assert_eq!(run(&place, "report --html --out page.html").code, 0);
    let page = fs::read_to_string(place.path("project/page.html")).unwrap();
    assert!(!page.contains("s3cr3t"));
}

#[test]
fn links_in_a_campaign_lead_nowhere() {
    let place = Place::new();
    let secret = place.write("elsewhere/stdin", "s3cr");
    place.write("project/a.c", BUGGY);
    assert_eq!(run(&place, EXPLORE).code, 2);
    let campaign = place.path("project/a.elsewise");
    // A case as a link: what the campaign's database has is shown.
    let case = campaign.join("findings/1/stdin");
    let shown = run(&place, "show 1").stdout;
    fs::remove_file(&case).unwrap();
    std::os::unix::fs::symlink(&secret, &case).unwrap();
    assert_eq!(run(&place, "show 1").stdout, shown);
    for name in ["cases", "findings", "subject", "campaign.db"] {
        let (part, aside) = (campaign.join(name), campaign.join("aside"));
        fs::rename(&part, &aside).unwrap();
        std::os::unix::fs::symlink("aside", &part).unwrap();
        let ran = run(&place, "show 1");
        assert_eq!(ran.code, 1, "{name}: {}", ran.seen());
        assert!(ran.stderr.contains("it is a link"), "{}", ran.seen());
        fs::remove_file(&part).unwrap();
        fs::rename(&aside, &part).unwrap();
    }
    assert_eq!(run(&place, "show 1").stdout, shown);
}

#[test]
fn a_model_that_is_a_link_is_not_read() {
    let place = Place::new();
    let model = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/subjects/charts/collision/collision.scxml"
    );
    let model = fs::read_to_string(model).unwrap();
    place.write("project/a.scxml", &model);
    let elsewhere = place.write("elsewhere/a.scxml", &model);
    let ran = run(&place, "explore a.scxml --budget 20s,5runs --quiet");
    assert!([0, 2, 3].contains(&ran.code), "{}", ran.seen());
    assert_eq!(run(&place, "report --html --out page.html").code, 0);
    let copy = place.path("project/a.elsewise/subject/a.scxml");
    fs::remove_file(&copy).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &copy).unwrap();
    let ran = run(&place, "report --html --out page.html");
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert!(ran.stderr.contains("not a regular file"), "{}", ran.seen());
}
