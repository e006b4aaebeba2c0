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
