//! Portions of a tree that campaigns leave to each other while they run, put together, are the whole.

use elsewise_campaign::toy::{Toy, options, random_program, subjects, wide_program};
use elsewise_campaign::{Options, Others, Portion, Summary, explore, explore_portion};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// Questions after which a copy is made, if one is wanted.
const MIDDLE: u32 = 300;

/// Somebody who has nothing to do whenever a few more runs have been made.
#[derive(Default)]
struct Waiting {
    /// Out of so many questions, one is answered with yes.
    patience: u32,
    asked: AtomicU32,
    given: Mutex<VecDeque<Portion>>,
    /// Nothing can be given.
    away: bool,
    copy: Mutex<Option<PathBuf>>,
}

impl Others for Waiting {
    fn wait(&self) -> bool {
        let asked = self.asked.fetch_add(1, Relaxed);
        // However quick the runs are, the copy that is wanted is made between two of them.
        for _ in 0..1000 {
            if asked != MIDDLE || self.copy.lock().unwrap().is_none() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.patience != 0 && asked.is_multiple_of(self.patience)
    }

    fn give(&self, portion: &Portion) -> bool {
        // As it is when it has travelled.
        let text = serde_json::to_string(portion).unwrap();
        let portion = serde_json::from_str(&text).unwrap();
        self.given.lock().unwrap().push_back(portion);
        !self.away
    }

    fn copy_to(&self) -> Option<PathBuf> {
        self.copy.lock().unwrap().take()
    }

    fn is_first(&self, _: &str) -> bool {
        true
    }

    fn copied(&self, _: &Path) {}
}

fn portion_of(folder: &Path, number: usize, portion: Portion) -> Options {
    Options {
        portion: Some(portion),
        ..options(&folder.join(number.to_string()))
    }
}

fn run(options: &Options, toy: &Toy, jobs: usize, others: &dyn Others) -> Summary {
    let stop = AtomicBool::new(false);
    explore_portion(
        options,
        &mut subjects(toy, jobs),
        &mut |_| {},
        &stop,
        others,
    )
    .unwrap()
}

/// Explores everything in portions, and puts them together. The summary, the portions, and runs made in all of them.
fn together(folder: &Path, toy: &Toy, patience: u32, jobs: usize) -> (Summary, usize, u64) {
    let mut waiting = VecDeque::from([Portion::whole()]);
    let mut parts = Vec::new();
    let mut runs = 0;
    while let Some(portion) = waiting.pop_front() {
        let others = Waiting {
            patience,
            ..Waiting::default()
        };
        let options = portion_of(folder, parts.len(), portion);
        runs += run(&options, toy, jobs, &others).runs;
        parts.push(options.dir);
        waiting.extend(others.given.into_inner().unwrap());
    }
    let merge = Options {
        merge: parts.clone(),
        ..options(&folder.join("merged"))
    };
    let stop = AtomicBool::new(false);
    let summary = explore(&merge, subjects(toy, 1), &mut |_| {}, &stop).unwrap();
    (summary, parts.len(), runs)
}

#[test]
fn portions_of_random_programs_are_the_whole() {
    let mut portions = 0;
    for seed in 0..24 {
        let toy = random_program(seed);
        let (paths, failures) = toy.brute_force();
        let folder = crate::folder();
        let (summary, parts, _) = together(folder.path(), &toy, 3 + seed as u32 % 5, 1);
        portions += parts;
        assert_eq!(summary.paths, paths, "program {seed}");
        let mut found: Vec<u32> = summary.findings.iter().map(|f| f.line).collect();
        found.sort_unstable();
        assert!(found.iter().all(|line| failures.contains(line)), "{seed}");
        assert_eq!(found.len(), failures.len(), "program {seed}");
        assert!(summary.complete, "{seed}: {:?}", summary.approximations);
    }
    assert!(portions > 60, "hardly anything was shared: {portions}");
}

#[test]
fn nothing_is_left_to_be_run_when_they_are_together() {
    let toy = wide_program(9);
    let folder = crate::folder();
    let (summary, parts, runs) = together(folder.path(), &toy, 40, 1);
    assert_eq!((summary.paths, summary.complete), (512, true));
    assert!(parts > 4, "{parts}");
    // Cases that lead to a portion are run again by who takes it on, and nothing else is.
    assert!(runs < 512 + 40 * parts as u64, "{runs} in {parts}");
    assert_eq!(summary.runs, 512);
}

#[test]
fn workers_of_one_process_share_a_portion() {
    let toy = wide_program(9);
    let folder = crate::folder();
    let (summary, ..) = together(folder.path(), &toy, 25, 3);
    assert_eq!((summary.paths, summary.complete), (512, true));
}

#[test]
fn what_nobody_could_be_given_stays() {
    let toy = wide_program(7);
    let folder = crate::folder();
    let others = Waiting {
        patience: 5,
        away: true,
        ..Waiting::default()
    };
    let options = portion_of(folder.path(), 0, Portion::whole());
    let summary = run(&options, &toy, 1, &others);
    assert!(!others.given.into_inner().unwrap().is_empty());
    assert_eq!((summary.paths, summary.complete), (128, true));
}

/// What was explored after the copy is explored again; what was given away before is not.
#[test]
fn a_copy_is_gone_on_with() {
    let toy = wide_program(12);
    let folder = crate::folder();
    let copy = folder.path().join("copy");
    std::fs::create_dir(&copy).unwrap();
    let first = Waiting {
        patience: u32::MAX,
        copy: Mutex::new(Some(copy.join("campaign.db"))),
        ..Waiting::default()
    };
    let whole = portion_of(folder.path(), 0, Portion::whole());
    let before = run(&whole, &toy, 1, &first).runs;
    let mut given = first.given.into_inner().unwrap();
    assert!(copy.join("campaign.db").exists(), "{before} runs");
    let again = Options {
        dir: copy.clone(),
        ..whole
    };
    let others = Waiting::default();
    let summary = run(&again, &toy, 1, &others);
    assert!(summary.resumed && !given.is_empty());
    let mut parts = vec![copy];
    while let Some(portion) = given.pop_front() {
        let options = portion_of(folder.path(), parts.len(), portion);
        run(&options, &toy, 1, &Waiting::default());
        parts.push(options.dir);
    }
    let merge = Options {
        merge: parts,
        ..options(&folder.path().join("merged"))
    };
    let stop = AtomicBool::new(false);
    let summary = explore(&merge, subjects(&toy, 1), &mut |_| {}, &stop).unwrap();
    assert_eq!((summary.paths, summary.complete), (4096, true));
}
