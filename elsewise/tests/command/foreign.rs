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
        let (wrote, ran) = writes(&place, "replay run:1");
        assert!(!wrote, "{flag}: {}", ran.seen());
        assert!(
            ran.stderr.contains(flag) && ran.stderr.contains("not obeyed"),
            "{}",
            ran.seen()
        );
        let (wrote, ran) = writes(&place, &format!("replay run:1 {flag}"));
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
        let (wrote, ran) = writes(&place, "check a.elsewise");
        assert!(!wrote && ran.code == 1, "{words}: {}", ran.seen());
        assert!(ran.stderr.contains("give that here, too"), "{}", ran.seen());
    }
    let changed = text.replace(stored, &format!("{stored} \"--no-containment\","));
    fs::write(&record, changed).unwrap();
    let (wrote, ran) = writes(&place, "check a.elsewise --no-containment");
    assert!(wrote, "{}", ran.seen());
}
