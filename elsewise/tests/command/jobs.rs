//! How many workers explore, where nobody says it.

use crate::support::{Place, Ran};
use std::thread::available_parallelism;

/// As many branches as there are bytes.
const BRANCHES: &str = r#"#include <unistd.h>
int main(void) {
    unsigned char bytes[16];
    int length = read(0, bytes, sizeof bytes), large = 0;
    for (int i = 0; i < length; i++)
        if (bytes[i] > 100)
            large++;
    return large;
}
"#;

fn explore(place: &Place, words: &[&str], jobs: Option<&str>) -> Ran {
    let mut command = place.command(&["explore", "a.c", "--fresh", "--no-checks", "--quiet"]);
    command.args(words).env_remove("ELSEWISE_JOBS");
    command.envs(jobs.map(|jobs| ("ELSEWISE_JOBS", jobs)));
    Ran::new(command, place.folder.path())
}

#[test]
fn what_takes_long_is_explored_on_all_cores() {
    let place = Place::new();
    place.write("a.c", BRANCHES);
    // About 2,000 runs: more than one worker explores alone.
    let ran = explore(&place, &["--input-size=11", "--format=json"], None);
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).expect(&ran.stderr);
    assert_eq!(summary["complete"], true);
    let cores = available_parallelism().map_or(1, |cores| cores.get());
    let workers = summary["workers"].as_u64().expect("a number");
    assert_eq!(workers > 1, cores > 1, "{workers} workers, {cores} cores");
}

#[test]
fn the_environment_says_how_many() {
    let place = Place::new();
    place.write("a.c", BRANCHES);
    let seen = |words: &[&str], jobs| explore(&place, words, Some(jobs)).stdout;
    let words = ["--input-size=2"];
    let line = "workers    3; the order of their runs differs each time";
    assert!(seen(&words, "3").contains(line));
    assert!(!seen(&words, "1").contains("workers"));
    // The command line wins.
    assert!(!seen(&["--input-size=2", "--jobs=1"], "3").contains("workers"));
    let bad = explore(&place, &words, Some("many"));
    assert_eq!(bad.code, 1);
    let wanted = "error: ELSEWISE_JOBS is `many`: it is to be a number of workers, such as 2";
    assert!(bad.stderr.contains(wanted), "{}", bad.stderr);
}
