//! Explorers that are killed in the middle of their work.

use elsewise_campaign::toy::{options, run, wide_program, with_runs};
use elsewise_campaign::{Store, explore};
use elsewise_explore::{Random, Subject};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const DIR: &str = "ELSEWISE_TEST_CAMPAIGN";

/// Not a test by itself: what the test below starts, in a process of its own, and kills.
#[test]
fn explorer_to_be_killed() {
    let Some(dir) = std::env::var_os(DIR) else {
        return;
    };
    let subject = Box::new(wide_program(24)) as Box<dyn Subject>;
    let mut watch = |progress: &elsewise_campaign::Progress| println!("\nruns {}", progress.runs);
    let stop = AtomicBool::new(false);
    explore(&options(dir.as_ref()), vec![subject], &mut watch, &stop).unwrap();
}

#[test]
fn what_had_finished_when_the_process_was_killed_is_there() {
    let folder = crate::folder();
    let dir = folder.path().join("c");
    let mut random = Random::new(17);
    let mut before = 0;
    for round in 0..6 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "killed::explorer_to_be_killed", "--nocapture"])
            .env(DIR, &dir)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut told = 0;
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let enough = 1 + random.below(3);
        let counts = lines
            .by_ref()
            .map_while(Result::ok)
            .filter_map(|line| line.strip_prefix("runs ")?.parse::<u64>().ok());
        for count in counts.take(enough) {
            told = count;
        }
        std::thread::sleep(Duration::from_micros(random.below(20_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let store = Store::open_read(&dir).unwrap();
        let kept = store.run_count().unwrap();
        assert!(
            kept >= told && kept >= before,
            "round {round}: {told} told, {kept} kept"
        );
        store.case(kept - 1).unwrap();
        drop(store);
        before = kept;
    }
    let summary = run(&with_runs(&options(&dir), 5), &wide_program(24)).unwrap();
    assert!(summary.resumed && summary.approximations.is_empty());
    assert_eq!((summary.runs, summary.paths), (before + 5, before + 5));
}
