//! A campaign explored in shares that know nothing of each other is one campaign.

use crate::support::{Place, Ran};
use std::fs;

/// 256 paths and more; a failure on some of them.
pub const COUNTS: &str = r#"#include <stdlib.h>
#include <unistd.h>

int main(void) {
    unsigned char b[8];
    int n = 0;
    if (read(0, b, 8) != 8)
        return 1;
    for (int i = 0; i < 8; i++)
        n += b[i] & 1 ? 1 : 0;
    if (n == 5 && b[3] == 'x')
        abort();
    return n;
}
"#;

/// Two threads, which is one too many.
pub const THREADS: &str = r#"#include <pthread.h>
#include <unistd.h>

static int n;

static void *add(void *unused) {
    __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t thread;
    char c = 0;
    read(0, &c, 1);
    pthread_create(&thread, NULL, add, NULL);
    if (c == 'x')
        __atomic_fetch_add(&n, 2, __ATOMIC_SEQ_CST);
    pthread_join(thread, NULL);
    return n;
}
"#;

const EXPLORE: &str = "explore a.c --input-size 8 --quiet --format json";

fn explore(place: &Place, more: &str) -> Ran {
    let words = format!("{EXPLORE} {more}");
    place.run(&words.split(' ').collect::<Vec<_>>())
}

#[test]
fn shards_put_together_say_what_one_campaign_says() {
    let place = Place::new();
    place.write("a.c", COUNTS);
    for shard in ["1/2", "2/2"] {
        let ran = explore(&place, &format!("--shard {shard}"));
        assert_eq!(ran.code, 2, "{}", ran.seen());
        let part = ran.json();
        assert_eq!(part["complete"], false);
        assert!(part["approximations"]["other-shard"].as_u64() > Some(0));
        assert_eq!(
            part["bounds"][0],
            format!("shard {}", shard.replace('/', " of "))
        );
    }
    let merged = explore(&place, "--merge a.1-of-2.elsewise a.2-of-2.elsewise");
    let whole = explore(&place, "--campaign whole");
    assert_eq!((merged.code, whole.code), (2, 2), "{}", merged.seen());
    let (merged, whole) = (merged.json(), whole.json());
    for same in [
        "complete",
        "paths",
        "frontier",
        "branch_sides",
        "approximations",
        "bounds",
    ] {
        assert_eq!(merged[same], whole[same], "{same}");
    }
    assert_eq!(merged["complete"], true);
    let of = |summary: &serde_json::Value| {
        let finding = &summary["findings"][0];
        ["kind", "line", "function", "runs"].map(|field| finding[field].clone())
    };
    assert_eq!(of(&merged), of(&whole));
    // Its finding has all that belongs to one.
    let ran = place.run(&["replay", "a.elsewise/findings/1"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    let ran = place.run(&["show", "1", "--campaign", "a.elsewise"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());

    // Who does not know who made a shard says that it is to be believed.
    let words: Vec<&str> = EXPLORE.split(' ').collect();
    let stranger = |more: &[&str]| {
        let mut command = place.command(&[&words[..], more].concat());
        command.env("XDG_STATE_HOME", place.path(".other"));
        Ran::new(command, place.folder.path())
    };
    let merge = ["--campaign", "b", "--merge", "a.1-of-2.elsewise"];
    let ran = stranger(&merge);
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert!(ran.stderr.contains("--trust"), "{}", ran.seen());
    // The other half is explored then.
    let ran = stranger(&[&merge[..], &["--trust"]].concat());
    assert_eq!(ran.json()["complete"], true, "{}", ran.seen());
}

#[test]
fn what_cannot_be_shared_is_refused() {
    let place = Place::new();
    place.write("a.c", THREADS);
    let ran = explore(&place, "--cflags=-pthread --shard 1/2");
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert!(ran.stderr.contains("leave --shard out"), "{}", ran.seen());
    let ran = explore(&place, "--shard 1/2 --merge b");
    assert_eq!(ran.code, 1, "{}", ran.seen());
    place.write("a.c", COUNTS);
    fs::remove_dir_all(place.path("a.1-of-2.elsewise")).unwrap();
    explore(&place, "--shard 1/2 --budget 30runs");
    let ran = explore(&place, "--max-values 9 --merge a.1-of-2.elsewise");
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert!(ran.stderr.contains("other options"), "{}", ran.seen());
}
