//! How campaigns and findings are named behind the verbs that look at them.

use crate::support::{BUGGY, Place};
use std::fs::File;
use std::time::{Duration, SystemTime};

/// Nothing depends on its input: one run.
const CLEAN: &str = "int main(void) { return 0; }\n";

/// Two campaigns, of which that of `src/parser.c` is the newer.
fn two() -> Place {
    let place = Place::new();
    place.write("src/parser.c", BUGGY);
    place.write("other.c", CLEAN);
    assert_eq!(place.run(&["explore", "other.c", "-q"]).code, 5);
    let ran = place.run(&["explore", "src/parser.c", "--input-size", "4", "-q"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    // Clocks of file systems are coarse.
    let past = SystemTime::now() - Duration::from_secs(60);
    for name in ["campaign.db", "campaign.db-wal"] {
        let file = place.path("other.elsewise").join(name);
        if let Ok(file) = File::options().append(true).open(file) {
            file.set_modified(past).unwrap();
        }
    }
    place
}

#[test]
fn campaigns_and_findings_by_their_names() {
    let place = two();
    let newest = "note: parser.elsewise, the newest of 2 campaigns here; name another to see it\n";
    let subject_of = |args: &[&str]| {
        let ran = place.run(&[args, &["--format", "json"]].concat());
        (
            ran.json()["subject"].as_str().unwrap().to_string(),
            ran.stderr,
        )
    };
    // Without a name it is the newest, and that is said.
    let (subject, said) = subject_of(&["status"]);
    assert_eq!((subject.as_str(), said.as_str()), ("src/parser.c", newest));
    for word in [
        "other.elsewise",
        "./other.elsewise",
        "other.c",
        "./other.c",
        "other",
    ] {
        let (subject, said) = subject_of(&["status", word]);
        assert_eq!((subject.as_str(), said.as_str()), ("other.c", ""), "{word}");
    }
    for word in [
        "parser.c",
        "src/parser.c",
        "parser.elsewise/findings/1",
        "parser",
    ] {
        let (subject, said) = subject_of(&["status", word]);
        assert_eq!(
            (subject.as_str(), said.as_str()),
            ("src/parser.c", ""),
            "{word}"
        );
    }
    // All of these are finding 1.
    for words in [
        &["parser.c", "1"][..],
        &["parser.elsewise", "1"],
        &["parser.elsewise/findings/1"],
        &["1", "--campaign", "parser.elsewise"],
        &["1"],
    ] {
        let shown = place.run(&[&["show"], words, &["--format", "json"]].concat());
        assert_eq!(shown.json()["id"], 1, "{words:?} {}", shown.seen());
        let replayed = place.run(&[&["replay"], words, &["--format", "json"]].concat());
        assert_eq!(replayed.code, 2, "{words:?} {}", replayed.seen());
        let checked = words.len() == 1 && words != ["1"];
        if checked {
            let checked = place.run(&["check", words[0], "--format", "json"]);
            let campaign = &checked.json()["campaigns"][0];
            assert_eq!(campaign["cases"], 1, "{}", checked.seen());
            assert_eq!(campaign["remaining"][0], 1, "{}", checked.seen());
        }
    }
    // A campaign alone is all of its findings to `show`, and the first to `replay`.
    let listed = place.run(&["show", "parser.c", "--format", "json"]);
    assert_eq!(listed.json()["findings"][0]["id"], 1, "{}", listed.seen());
    assert_eq!(place.run(&["replay", "parser.c"]).code, 2);
    let none = place.run(&["replay", "other.c"]);
    assert_eq!(none.code, 1);
    insta::assert_snapshot!(none.stderr, @"error: other.elsewise has no findings: give run:N for the case of a run
    ");
    let report = place.run(&["report", "--json", "parser.elsewise/findings/1"]);
    assert_eq!(
        report.json()["summary"]["subject"],
        "src/parser.c",
        "{}",
        report.seen()
    );
    // A file that is no subject is an input.
    place.write("input", "GO\u{96}\u{96}");
    assert_eq!(place.run(&["replay", "input"]).code, 0);
}

#[test]
fn subjects_of_the_same_name_do_not_displace_each_other() {
    let place = Place::new();
    for folder in ["p", "q", "r/q"] {
        place.write(&format!("{folder}/main.c"), CLEAN);
    }
    let explore = |file: &str| {
        let ran = place.run(&["explore", file, "--format", "json"]);
        assert_eq!(ran.code, 5, "{}", ran.seen());
        let said: Vec<&str> = ran
            .stderr
            .lines()
            .filter(|line| line.contains("note"))
            .collect();
        let campaign = ran.json()["campaign"].as_str().unwrap().to_string();
        (campaign, ran.json()["resumed"] == true, said.join("\n"))
    };
    let fresh = |name: &str, said: &str| (name.to_string(), false, said.to_string());
    assert_eq!(explore("p/main.c"), fresh("main.elsewise", ""));
    let other = |name| format!("note: the campaign is {name}: main.elsewise is of another subject");
    let q = "q-main.elsewise";
    assert_eq!(explore("q/main.c"), fresh(q, &other(q)));
    let r = "r-q-main.elsewise";
    assert_eq!(explore("r/q/main.c"), fresh(r, &other(r)));
    // Each goes on with its own, even when the first name is free again.
    std::fs::remove_dir_all(place.path("main.elsewise")).unwrap();
    let again = |name: &str| (name.to_string(), true, String::new());
    assert_eq!(explore("q/main.c"), again(q));
    assert_eq!(explore("r/q/main.c"), again(r));
    // Other words for it are another campaign, in the same place.
    assert_eq!(explore("./r/../q/main.c"), fresh(q, ""));
    assert_eq!(explore("p/main.c"), fresh("main.elsewise", ""));
    assert!(
        place
            .run(&["status", "q/main.c"])
            .stdout
            .contains("q/main.c")
    );
    // What has moved makes room as an older campaign of the same subject does.
    std::fs::rename(place.path("p"), place.path("s")).unwrap();
    let (campaign, ..) = explore("s/main.c");
    assert_eq!(campaign, "main.elsewise");
    assert!(place.path("main.elsewise.1").is_dir());
}
