//! Z3 in processes of its own: several workers ask it, it is killed, and nothing is lost.

use crate::support::{Place, Ran};
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Two conditions on each of two floats, and a failure behind one value of each.
const FLOATS: &str = r#"#include <stdio.h>
#include <stdlib.h>

int main(void) {
    float x[2];
    int n = 0;
    if (fread(x, 4, 2, stdin) != 2)
        return 0;
    for (int i = 0; i < 2; i++) {
        if (x[i] > 1.5f)
            n++;
        if (x[i] < 40.0f)
            n += 4;
    }
    if (x[0] == 14.0f && x[1] + 1.0f == 2.5f)
        abort();
    return n;
}
"#;

const EXPLORE: &[&str] = &[
    "explore",
    "a.c",
    "--input-size=8",
    "--stages-off=cache,search,bitblast,enumerate",
    "--query-timeout=20000",
    "--format=json",
    "-q",
];

/// Paths and findings of a campaign that came to its end.
fn explored(ran: &Ran) -> (u64, usize) {
    let summary = ran.json();
    assert_eq!(summary["complete"], true, "{}", ran.seen());
    let findings = summary["findings"].as_array().expect("a list").len();
    (summary["paths"].as_u64().expect("a number"), findings)
}

/// Processes that solve for the engine `pid`.
fn solvers(pid: u32) -> Vec<u32> {
    let all = fs::read_dir("/proc").expect("the system's processes");
    let numbers = all.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let parent = |one: u32| {
        let stat = fs::read_to_string(format!("/proc/{one}/stat")).ok()?;
        let (_, rest) = stat.rsplit_once(')')?;
        rest.split_ascii_whitespace().nth(1)?.parse::<u32>().ok()
    };
    let solves = |one: u32| {
        let words = fs::read(format!("/proc/{one}/cmdline")).unwrap_or_default();
        words.ends_with(b"\0solver-process\0")
    };
    numbers
        .filter(|one| parent(*one) == Some(pid) && solves(*one))
        .collect()
}

#[test]
fn workers_that_ask_z3_at_once_find_the_same_tree() {
    let place = Place::new();
    place.write("a.c", FLOATS);
    let alone = explored(&place.run(EXPLORE));
    let many = [EXPLORE, &["--jobs=4", "--fresh"]].concat();
    assert_eq!(explored(&place.run(&many)), alone);
    assert_eq!(alone.1, 1);
}

#[test]
fn a_solver_that_is_killed_loses_nothing() {
    let place = Place::new();
    place.write("a.c", FLOATS);
    let alone = explored(&place.run(EXPLORE));
    let mut command = place.command(&[EXPLORE, &["--jobs=2", "--fresh"]].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut engine = command.spawn().expect("the command runs");
    let begin = Instant::now();
    let mut killed = 0;
    while killed < 10
        && begin.elapsed() < Duration::from_secs(20)
        && engine.try_wait().expect("its state").is_none()
    {
        for solver in solvers(engine.id()) {
            let done = Command::new("kill")
                .args(["-9", &solver.to_string()])
                .status();
            killed += u32::from(done.is_ok_and(|status| status.success()));
        }
        thread::sleep(Duration::from_millis(200));
    }
    let output = engine.wait_with_output().expect("its end");
    let text = String::from_utf8_lossy(&output.stdout);
    let summary: serde_json::Value = serde_json::from_str(&text).expect("a summary");
    assert!(killed >= 2, "{killed} solvers were killed");
    assert_eq!(summary["complete"], true, "{summary:#}");
    assert_eq!(summary["paths"], alone.0, "{summary:#}");
    assert_eq!(summary["findings"].as_array().map(Vec::len), Some(alone.1));
}
