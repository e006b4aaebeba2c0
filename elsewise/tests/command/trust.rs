//! Whose a campaign is: only what was made here is run without a word.

use crate::support::{BUGGY, Place, Ran};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

const EXPLORE: &str = "explore a.c --input-size 4 --quiet";

/// As somebody who has never explored anything.
fn stranger(place: &Place, words: &str) -> Ran {
    let words: Vec<&str> = words.split(' ').collect();
    let mut command = place.command(&words);
    command.env("XDG_STATE_HOME", place.path(".other"));
    Ran::new(command, place.folder.path())
}

fn owner(place: &Place, words: &str) -> Ran {
    place.run(&words.split(' ').collect::<Vec<_>>())
}

fn explored() -> Place {
    let place = Place::new();
    place.write("a.c", BUGGY);
    assert_eq!(owner(&place, EXPLORE).code, 2);
    place
}

const RUNS: [(&str, i32); 3] = [("replay 1", 2), ("check", 0), (EXPLORE, 2)];
const LOOKS: [&str; 5] = [
    "status",
    "show",
    "show 1",
    "report --markdown",
    "report --html --out page.html",
];

#[test]
fn ones_own_campaign_is_run_wherever_it_lies() {
    let place = explored();
    for (words, code) in RUNS {
        let ran = owner(&place, words);
        assert_eq!(ran.code, code, "{words}: {}", ran.seen());
    }
    fs::create_dir(place.path("moved")).unwrap();
    fs::rename(place.path("a.elsewise"), place.path("moved/b.elsewise")).unwrap();
    for words in ["replay 1", "show 1", "status"] {
        let ran = owner(&place, &format!("{words} --campaign moved/b.elsewise"));
        assert!(
            ran.code != 1 && !ran.stderr.contains("not made here"),
            "{}",
            ran.seen()
        );
    }
}

#[test]
fn somebody_elses_is_announced_and_run_when_trusted() {
    let place = explored();
    for words in LOOKS {
        let ran = stranger(&place, words);
        assert_eq!(ran.code, 0, "{words}: {}", ran.seen());
        assert!(
            ran.stderr.contains("not made here"),
            "{words}: {}",
            ran.seen()
        );
    }
    for (words, _) in RUNS {
        let ran = stranger(&place, words);
        assert_eq!(ran.code, 1, "{words}: {}", ran.seen());
        assert!(ran.stderr.contains("--trust"), "{words}: {}", ran.seen());
    }
    for (words, code) in RUNS {
        let ran = stranger(&place, &format!("{words} --trust"));
        assert_eq!(ran.code, code, "{words}: {}", ran.seen());
    }
    // Who has gone on with it has made what it runs.
    for (words, code) in RUNS {
        let ran = stranger(&place, words);
        assert_eq!(ran.code, code, "{words}: {}", ran.seen());
    }
}

#[test]
fn a_file_that_was_changed_or_added_is_somebody_elses() {
    let place = explored();
    let subject = place.path("a.elsewise/subject");
    let is_refused = |what: &str| {
        let ran = owner(&place, "replay 1");
        assert_eq!(ran.code, 1, "{what}: {}", ran.seen());
        assert!(ran.stderr.contains("--trust"), "{what}: {}", ran.seen());
    };
    let is_own = || assert_eq!(owner(&place, "replay 1").code, 2);
    for name in ["a", "subject.json"] {
        let was = fs::read(subject.join(name)).unwrap();
        let mut changed = was.clone();
        changed.push(b'\n');
        fs::write(subject.join(name), changed).unwrap();
        is_refused(name);
        fs::write(subject.join(name), was).unwrap();
        is_own();
    }
    for added in ["other", "lib/evil.so", "erlang.json"] {
        let path = subject.join(added);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "{}").unwrap();
        is_refused(added);
        fs::remove_file(&path).unwrap();
        is_own();
    }
    // One's own file in the place of another.
    let (program, record) = (subject.join("a"), subject.join("subject.json"));
    let was = fs::read(&program).unwrap();
    fs::write(&program, fs::read(&record).unwrap()).unwrap();
    is_refused("swapped");
    fs::write(&program, was).unwrap();
    is_own();
    let elsewhere = place.path("elsewhere");
    fs::rename(&subject, &elsewhere).unwrap();
    symlink(&elsewhere, &subject).unwrap();
    is_refused("link");
}

#[test]
fn who_goes_on_with_it_leaves_nothing_of_it_that_runs() {
    let place = explored();
    let subject = place.path("a.elsewise/subject");
    let precious = place.write("precious", "years of work");
    fs::create_dir(subject.join("lib")).unwrap();
    fs::write(subject.join("lib/evil.so"), "evil").unwrap();
    symlink(&precious, subject.join(".new")).unwrap();
    assert_eq!(owner(&place, EXPLORE).code, 1);
    assert_eq!(owner(&place, &format!("{EXPLORE} --trust")).code, 2);
    assert!(!subject.join("lib").exists());
    assert_eq!(fs::read_to_string(precious).unwrap(), "years of work");
    assert_eq!(owner(&place, "replay 1").code, 2);
    let record = fs::read_to_string(subject.join("subject.json")).unwrap();
    assert!(!record.contains("--trust"), "{record}");
}

#[test]
fn where_nothing_can_be_written_down_it_is_said() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    place.write("file", "");
    let words: Vec<&str> = EXPLORE.split(' ').collect();
    let mut command = place.command(&words);
    command.env("XDG_STATE_HOME", place.path("file"));
    let ran = Ran::new(command, place.folder.path());
    assert_eq!(ran.code, 2, "{}", ran.seen());
    assert!(ran.stderr.contains("XDG_STATE_HOME"), "{}", ran.seen());
    assert_eq!(owner(&place, "replay 1").code, 1);
    assert_eq!(owner(&place, "replay 1 --trust").code, 2);
}

#[test]
fn a_settings_file_does_not_open_the_cage_unnoticed() {
    let place = Place::new();
    place.write("project/a.c", BUGGY);
    place.write("project/out/there", "");
    let told = |settings: &str, more: &str| {
        place.write("project/elsewise.toml", settings);
        let words = format!("{EXPLORE}{more}");
        let words: Vec<&str> = words.split(' ').collect();
        let mut command = place.command(&words);
        command.current_dir(place.path("project"));
        let ran = Ran::new(command, place.folder.path());
        assert_eq!(ran.code, 2, "{}", ran.seen());
        ran.stderr
    };
    assert!(told("no-containment = true\n", "").contains("switches containment off"));
    assert!(!told("no-containment = true\n", " --no-containment").contains("switches"));
    assert!(told("allow-write = [\"/\"]\n", "").contains("lets the subject write to /"));
    assert!(told("allow-write = [\"..\"]\n", "").contains("write to .."));
    assert!(told("allow-network = true\n", "").contains("use the network"));
    assert!(!told("allow-write = [\"out\"]\n", "").contains("lets the subject"));
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// What a terminal would act on.
fn steers(text: &str) -> bool {
    text.chars()
        .any(|c| c.is_control() && !matches!(c, '\n' | '\t'))
}

/// Puts something else into all that a record says.
fn replaced(value: &Value, by: &Value) -> Value {
    match value {
        Value::Object(all) => {
            let all = all
                .iter()
                .map(|(key, value)| (key.clone(), replaced(value, by)));
            Value::Object(all.collect())
        }
        Value::Array(all) => Value::Array(all.iter().map(|value| replaced(value, by)).collect()),
        _ => by.clone(),
    }
}

#[test]
fn what_a_record_says_does_nothing_to_who_reads_it() {
    let place = Place::new();
    let source = "#include <stdlib.h>\n\nint f(int a) {\n    if (a == 77)\n        return 4711;\n    \
                  if (a == 5)\n        abort();\n    return 0;\n}\n";
    place.write("f.c", source);
    assert_eq!(owner(&place, "explore f.c::f --quiet").code, 2);
    let program = "%! g(+X:integer) is det.\ng(7) :- !, throw(seven).\ng(8) :- !.\ng(_).\n";
    place.write("g.pl", program);
    assert_eq!(owner(&place, "explore g.pl::g/1 --quiet").code, 2);
    let secret = place.write("secret", "s3cr3t");
    let evil = json!("\u{1b}]0;evil\u{7}\u{1b}[31m\r\u{9b}31m\u{202e}");
    for campaign in ["f.elsewise", "g.elsewise"] {
        for name in ["told.json", "sources.json"] {
            let file = place.path(campaign).join("subject").join(name);
            let was = fs::read_to_string(&file).unwrap();
            let told: Value = serde_json::from_str(&was).unwrap();
            let mut texts: Vec<String> = Vec::new();
            for by in [
                &evil,
                &json!(-1),
                &json!(1e300),
                &json!([]),
                &json!({"a": null}),
            ] {
                let mut changed = replaced(&told, by);
                texts.push(changed.to_string());
                changed["schema"] = told["schema"].clone();
                texts.push(changed.to_string());
            }
            texts.push("[".repeat(1 << 20));
            texts.push(was.replace("}", ""));
            texts.push(String::new());
            let looks = || {
                for words in ["show 1", "report --markdown", "export --out tests"] {
                    let ran = owner(
                        &place,
                        &format!(
                            "{words} {}",
                            match words {
                                "show 1" => format!("--campaign {campaign}"),
                                _ => campaign.to_owned(),
                            }
                        ),
                    );
                    assert!([0, 1].contains(&ran.code), "{words}: {}", ran.seen());
                    assert!(
                        !steers(&ran.stdout) && !steers(&ran.stderr),
                        "{words}: {}",
                        ran.seen()
                    );
                    assert!(!ran.stdout.contains("s3cr3t") && !ran.stderr.contains("s3cr3t"));
                }
            };
            for text in texts {
                fs::write(&file, text).unwrap();
                looks();
            }
            fs::remove_file(&file).unwrap();
            fifo(&file);
            looks();
            fs::remove_file(&file).unwrap();
            symlink("/dev/zero", &file).unwrap();
            looks();
            fs::remove_file(&file).unwrap();
            symlink(&secret, &file).unwrap();
            looks();
            fs::remove_file(&file).unwrap();
            // A terabyte with nothing in it.
            fs::File::create(&file).unwrap().set_len(1 << 40).unwrap();
            looks();
            fs::write(&file, was).unwrap();
        }
    }
}
