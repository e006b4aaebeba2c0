//! Exported tests, from real campaigns: what they pass to the function, what they check, and that
//! somebody who changes the function is told.

use crate::support::Place;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Explores a function of `file.c` and writes its tests; the text of those that pass.
fn exported(place: &Place, function: &str, flags: &[&str], framework: &str) -> String {
    let subject = format!("file.c::{function}");
    let explored = place.run(&[&["explore", &subject, "-q", "--budget=60s"], flags].concat());
    assert!([0, 2].contains(&explored.code), "{}", explored.seen());
    let campaign = format!("{function}.elsewise");
    let written = place.run(&["export", &campaign, "--as", framework, "--out=tests"]);
    assert_eq!(written.code, 0, "{}", written.seen());
    let ending = if framework == "gtest" { "cc" } else { "c" };
    std::fs::read_to_string(place.path(&format!("tests/test_{function}.{ending}"))).unwrap()
}

/// Whether the exported tests, which include the function's file, pass.
fn pass(place: &Place, function: &str) -> bool {
    let built = place.path("tests/built");
    let compiled = Command::new("gcc")
        .args(["-w", "-o"])
        .arg(&built)
        .arg(place.path(&format!("tests/test_{function}.c")))
        .status()
        .unwrap();
    assert!(compiled.success());
    Command::new(&built).output().unwrap().status.success()
}

const MOVES: &str = "\
struct point { int x, y; long weight; char mark; };
struct move { struct point from, to; struct move *then; };
static struct move *then(struct move *m, struct move *next)
{
    if (m->from.x == 1000)
        return 0;
    m->to.x = m->from.y;
    m->to.weight = m->from.weight;
    m->to.mark = m->from.mark;
    m->then = next;
    return m;
}
";

#[test]
fn values_that_no_branch_looks_at_are_noticed() {
    let place = Place::new();
    place.write("file.c", MOVES);
    let text = exported(&place, "then", &[], "tap");
    assert!(pass(&place, "then"), "{text}");
    for (was, is) in [
        ("m->to.x = m->from.y", "m->to.x = m->from.x"),
        ("m->to.x = m->from.y", "m->to.y = m->from.y"),
        ("m->to.weight = m->from.weight", "m->to.weight = 0"),
        ("m->to.mark = m->from.mark", "m->to.mark = m->to.mark"),
        ("m->then = next", "m->then = 0"),
        ("== 1000", "== 1001"),
    ] {
        place.write("file.c", MOVES.replace(was, is));
        assert!(!pass(&place, "then"), "{is}: {text}");
    }
}

#[test]
fn what_a_failing_run_reached_first_is_tested_by_one_that_passes() {
    let place = Place::new();
    // The first run fails, and is the first to take every other side that it takes.
    let source = "\
static int share(int total, int people)
{
    int sign = 1;
    if (total >= 0)
        sign = 2;
    if (people < 10)
        sign *= 3;
    return sign * (total / people);
}
";
    place.write("file.c", source);
    let text = exported(&place, "share", &[], "tap");
    assert!(place.path("tests/test_share_failing.c").exists());
    for side in ["file.c:4 true", "file.c:6 true"] {
        assert!(text.contains(side), "{text}");
    }
    assert!(pass(&place, "share"), "{text}");
    for (was, is) in [("sign = 2", "sign = 5"), ("sign *= 3", "sign *= 7")] {
        place.write("file.c", source.replace(was, is));
        assert!(!pass(&place, "share"), "{is}: {text}");
    }
}

#[test]
fn results_inside_of_what_was_passed_have_an_expression() {
    let place = Place::new();
    let source = "\
struct row { int id; int cells[4]; };
static int *cell(struct row *row, int wanted)
{
    if (!row || wanted < 0)
        return 0;
    for (int i = 0; i < 4; i++)
        if (row->cells[i] == wanted)
            return &row->cells[i];
    return row->cells + 4;
}
static const char *after(const char *text, char mark)
{
    for (; text && *text; text++)
        if (*text == mark)
            return text + 1;
    return text;
}
static int *last(int *items, int count)
{
    return count > 0 && items ? items + count - 1 : 0;
}
";
    place.write("file.c", source);
    let cell = exported(&place, "cell", &[], "tap");
    assert!(cell.contains("== &row->cells["), "{cell}");
    assert!(cell.contains("== row->cells + 4"), "{cell}");
    assert!(pass(&place, "cell"), "{cell}");
    let after = exported(&place, "after", &["--max-string=3"], "tap");
    assert!(after.contains("== &text[1]"), "{after}");
    assert!(!after.contains("\\001"), "{after}");
    assert!(pass(&place, "after"), "{after}");
    let last = exported(&place, "last", &[], "tap");
    assert!(last.contains("== &items["), "{last}");
    assert!(pass(&place, "last"), "{last}");
    place.write("file.c", source.replace("count - 1 : 0", "count - 2 : 0"));
    assert!(!pass(&place, "last"), "{last}");
}

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/export.md")
}

/// The blocks of code of a page, in order, with the word that each begins with.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(word) = line.strip_prefix("```") {
            let inside = lines.by_ref().take_while(|line| *line != "```");
            let text: String = inside.flat_map(|line| [line, "\n"]).collect();
            blocks.push((word.to_string(), text));
        }
    }
    blocks
}

/// The file that the book shows in full is what its commands write.
#[test]
fn the_book_shows_what_is_exported() {
    let text = std::fs::read_to_string(page()).unwrap();
    let begin = text
        .find("<!-- exported -->")
        .expect("the mark before the example");
    let blocks = blocks(&text[begin..]);
    let [(_, header), (_, source), (sh, commands), (_, shown)] = &blocks[..4] else {
        panic!("the example has four parts");
    };
    assert_eq!(sh, "sh");
    let place = Place::new();
    place.write("src/list.h", header);
    place.write("src/list.c", source);
    for command in commands.lines() {
        let words: Vec<&str> = command.split_whitespace().skip(1).collect();
        let ran = place.run(&words);
        assert_eq!(ran.code, 0, "{command}: {}", ran.seen());
    }
    let written = std::fs::read_to_string(place.path("tests/test_list_remove.c")).unwrap();
    if std::env::var_os("ELSEWISE_BLESS").is_some() {
        std::fs::write(page(), text.replace(shown, &written)).unwrap();
        return;
    }
    assert_eq!(
        *shown, written,
        "write it anew with ELSEWISE_BLESS=1 and this test"
    );
}
