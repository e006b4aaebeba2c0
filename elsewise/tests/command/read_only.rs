//! A campaign that can be read and not written is looked at as any other.

use crate::support::{BUGGY, Place, Ran};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

/// Without the right to write what its modes do not let it, which root has otherwise.
fn run(place: &Place, words: &str) -> Ran {
    let words: Vec<&str> = words.split(' ').collect();
    let usual = place.command(&words);
    if fs::metadata(place.folder.path()).unwrap().uid() != 0 {
        return Ran::new(usual, place.folder.path());
    }
    let mut command = Command::new("setpriv");
    command
        .args(["--inh-caps=-all", "--bounding-set=-all"])
        .arg(usual.get_program())
        .args(usual.get_args())
        .current_dir(place.folder.path());
    for (name, value) in usual.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    Ran::new(command, place.folder.path())
}

fn may_be_written(path: &Path, yes: bool) {
    let kind = fs::symlink_metadata(path).unwrap();
    let mode = match yes {
        true => kind.mode() | 0o200,
        false => kind.mode() & !0o222,
    };
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    if kind.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            may_be_written(&entry.unwrap().path(), yes);
        }
    }
}

#[test]
fn it_is_looked_at_and_not_gone_on_with() {
    let place = Place::new();
    place.write("a.c", BUGGY);
    let explore = "explore a.c --input-size 4 --quiet";
    assert_eq!(run(&place, explore).code, 2);
    let looks = [
        "status",
        "show",
        "show 1",
        "show 1 --format json",
        "report --sarif",
        "report --markdown",
        "report --html --out page.html",
        "replay 1",
    ];
    let before = looks.map(|look| run(&place, look).seen());
    let campaign = place.path("a.elsewise");
    may_be_written(&campaign, false);
    let files = || fs::read_dir(&campaign).unwrap().count();
    let there = files();
    let after = looks.map(|look| run(&place, look).seen());
    let refused = run(&place, explore);
    let left = files();
    may_be_written(&campaign, true);
    assert_eq!(after, before);
    assert_eq!(left, there);
    assert_eq!(refused.code, 1, "{}", refused.seen());
    assert!(
        refused.stderr.contains("can only be looked at"),
        "{}",
        refused.stderr
    );
}
