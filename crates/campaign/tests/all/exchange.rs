//! Cases that others find while a campaign explores.

use crate::folder;
use elsewise_campaign::toy::{options, subjects, wide_program, with_runs};
use elsewise_campaign::{
    CampaignError, Company, Ended, Exchange, Found, Options, Progress, Summary, explore_together,
};
use elsewise_explore::{Case, Subject};
use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Finds some of its inputs at a time; whoever watches stops when there are no more.
struct Fuzzer<'a> {
    finds: VecDeque<u8>,
    given: BTreeSet<u8>,
    done: &'a AtomicBool,
}

impl Exchange for Fuzzer<'_> {
    fn take(&mut self) -> Vec<Found> {
        let found = self.finds.drain(..self.finds.len().min(40));
        // What is not new is run, too, as nothing else is left.
        let found: Vec<Found> = found
            .map(|byte| Found {
                case: case(vec![byte]),
                is_new: byte % 3 == 0,
            })
            .collect();
        self.done.store(found.is_empty(), Relaxed);
        found
    }

    fn give(&mut self, case: &Case) {
        self.given.insert(case.inputs["bytes"][0]);
    }
}

fn explore_beside(
    options: &Options,
    mut subjects: Vec<Box<dyn Subject>>,
    watch: &mut dyn FnMut(&Progress),
    stop: &AtomicBool,
    exchange: &mut dyn Exchange,
) -> Result<Summary, CampaignError> {
    let company = Company {
        exchange: Some(exchange),
        ..Company::default()
    };
    explore_together(options, &mut subjects, watch, stop, company)
}

fn case(bytes: Vec<u8>) -> Case {
    Case {
        inputs: [("bytes".to_owned(), bytes)].into(),
        ..Case::default()
    }
}

#[test]
fn what_others_find_is_run_and_waited_for() {
    for workers in [1, 2] {
        let folder = folder();
        let mut toy = wide_program(6);
        // No question has an answer: without others, there is one path.
        toy.stubborn = true;
        let (done, stop) = (AtomicBool::new(false), AtomicBool::new(false));
        let mut fuzzer = Fuzzer {
            finds: (0..=255).collect(),
            given: BTreeSet::new(),
            done: &done,
        };
        let options = options(folder.path());
        let subjects = subjects(&toy, workers);
        let mut watch = |progress: &elsewise_campaign::Progress| {
            // All that it found was run, and nothing is left to try.
            if done.load(Relaxed) && progress.runs == 256 {
                stop.store(true, Relaxed);
            }
        };
        let summary = explore_beside(&options, subjects, &mut watch, &stop, &mut fuzzer).unwrap();
        assert_eq!((summary.runs, summary.paths), (256, 64));
        assert_eq!(summary.ended, Ended::Stopped);
        assert!(!summary.complete);
        assert_eq!(summary.branch_sides.reached, summary.branch_sides.total);
        // One bit decides each branch: the first case takes one side of all, and of the others each needs one case.
        assert!(fuzzer.given.contains(&0), "{:?}", fuzzer.given);
        assert!((2..=7).contains(&fuzzer.given.len()), "{:?}", fuzzer.given);
    }
}

#[test]
fn nobody_is_waited_for_when_everything_is_explored_or_the_budget_is_used_up() {
    let stop = AtomicBool::new(false);
    let done = AtomicBool::new(false);
    let mut nobody = Fuzzer {
        finds: VecDeque::new(),
        given: BTreeSet::new(),
        done: &done,
    };
    let folder = folder();
    let options = options(folder.path());
    let toy = wide_program(5);
    let half = with_runs(&options, 10);
    let watch = &mut |_: &elsewise_campaign::Progress| {};
    let first = explore_beside(&half, subjects(&toy, 1), watch, &stop, &mut nobody).unwrap();
    assert_eq!((first.runs, first.ended), (10, Ended::Budget));
    let before = std::mem::take(&mut nobody.given);
    assert!(!before.is_empty());
    let whole = explore_beside(&options, subjects(&toy, 1), watch, &stop, &mut nobody).unwrap();
    assert_eq!((whole.paths, whole.ended), (32, Ended::Complete));
    // Who comes later is given what there is.
    assert!(before.is_subset(&nobody.given), "{before:?}");
}
