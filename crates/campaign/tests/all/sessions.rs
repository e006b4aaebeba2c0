//! Campaigns of programs with threads that are stopped and gone on with, alone and in portions: they have the executions
//! and findings of one that was never stopped, and no others.

use crate::threads::machine::Program;
use crate::threads::{Ran, Threads, campaign, compare, kinds, programs, search};
use elsewise_campaign::toy::{options, with_runs};
use elsewise_campaign::{
    Ended, Options, Others, Portion, Store, Summary, explore, explore_portion,
};
use elsewise_explore::{Random, Subject};
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// Random programs of which runs on different inputs have the same schedules.
fn each_branching(count: u64, least: usize, mut test: impl FnMut(&Path, &Program, &search::Found)) {
    let mut tried = 0;
    for seed in 0..count {
        let program = programs::branching(&mut Random::new(seed));
        let Some(all) = search::everything(&program, 3_000) else {
            continue;
        };
        if all.classes.len() < least {
            continue;
        }
        let folder = crate::folder();
        test(folder.path(), &program, &all);
        tried += 1;
    }
    assert!(tried > count / 5, "only {tried} programs were small enough");
}

/// Cases and ends of a campaign's runs.
fn runs(options: &Options) -> BTreeSet<String> {
    let store = Store::open_read(&options.dir).unwrap();
    let infos = store.runs(0, 10_000).unwrap();
    let told = infos.iter().map(|info| {
        let case = store.case(info.run).unwrap();
        format!("{case:?}")
    });
    let told: BTreeSet<String> = told.collect();
    assert_eq!(told.len(), infos.len(), "a case was run twice");
    told
}

#[test]
fn stopped_after_so_many_runs_each() {
    each_branching(40, 12, |folder, program, all| {
        let told = format!("{program:?}");
        let count = all.classes.len() as u64;
        for each in BTreeSet::from([1, 2, 3, 7, count / 2, count - 1]) {
            let ran = Ran::default();
            let options = options(&folder.join(each.to_string()));
            let told = format!("{each} runs, {told}");
            let last = (0..).find_map(|_| {
                let summary = campaign(&with_runs(&options, each), program, &ran, 1);
                (summary.ended != Ended::Budget).then_some(summary)
            });
            let last = last.unwrap();
            compare(&last, &ran, all, &told);
            assert_eq!((last.runs, last.paths), (count, count), "{told}");
            runs(&options);
        }
    });
}

/// Several workers are at different orders when they are stopped.
#[test]
fn workers_are_stopped() {
    each_branching(30, 12, |folder, program, all| {
        let (ran, options) = (Ran::default(), options(&folder.join("c")));
        for step in 0.. {
            let summary = campaign(&with_runs(&options, 2 + step % 9), program, &ran, 3);
            if summary.ended != Ended::Budget {
                compare(&summary, &ran, all, &format!("{program:?}"));
                // Who is stopped while others are at work may leave an order that another has run by then.
                let (all, paths) = (all.classes.len() as u64, summary.paths);
                assert!(paths >= all, "{paths} of {all}: {program:?}");
                break;
            }
        }
    });
}

/// Two have begun with the same, in an order of their own: of some runs it is not known then what they were to try. What
/// was left to other runs because of that is explored.
#[test]
fn what_was_tried_is_not_known() {
    each_branching(40, 12, |folder, program, all| {
        let half = all.classes.len() as u64 / 2;
        let shard = Options {
            portion: Some(Portion::whole()),
            ..options(&folder.join("c"))
        };
        let parts = ["a", "b"].map(|name| {
            let part = Options {
                dir: folder.join(name),
                ..shard.clone()
            };
            let seed = if name == "a" { 1 } else { 7 };
            let part = Options { seed, ..part };
            explore_as(
                &with_runs(&part, half / 2 + seed),
                program,
                &Ran::default(),
                &Alone,
            );
            part.dir
        });
        let merged = Options {
            dir: folder.join("merged"),
            merge: parts.to_vec(),
            ..options(&folder.join("c"))
        };
        let summary = campaign(&merged, program, &Ran::default(), 1);
        assert_eq!(summary.ended, Ended::Complete, "{program:?}");
        assert_eq!(summary.paths, all.classes.len() as u64, "{program:?}");
    });
}

struct Alone;

impl Others for Alone {
    fn wait(&self) -> bool {
        false
    }

    fn give(&self, _: &Portion) -> bool {
        false
    }

    fn copy_to(&self) -> Option<PathBuf> {
        None
    }

    fn is_first(&self, _: &str) -> bool {
        true
    }

    fn copied(&self, _: &Path) {}
}

/// Somebody who takes whatever there is, every now and then.
#[derive(Default)]
struct Taking {
    asked: AtomicU32,
    given: Mutex<VecDeque<Portion>>,
}

impl Others for Taking {
    fn wait(&self) -> bool {
        self.asked.fetch_add(1, Relaxed) % 3 == 2
    }

    fn give(&self, portion: &Portion) -> bool {
        self.given.lock().unwrap().push_back(portion.clone());
        true
    }

    fn copy_to(&self) -> Option<PathBuf> {
        None
    }

    fn is_first(&self, _: &str) -> bool {
        true
    }

    fn copied(&self, _: &Path) {}
}

fn explore_as(options: &Options, program: &Program, ran: &Ran, others: &dyn Others) -> Summary {
    let mut subjects = [Box::new(Threads::new(program, ran)) as Box<dyn Subject>];
    let stop = AtomicBool::new(false);
    explore_portion(options, &mut subjects, &mut |_| {}, &stop, others).unwrap()
}

/// Who explores the whole is killed after it has given parts of it away, and somebody goes on from a copy of an earlier
/// moment. Those parts are explored in many short sessions.
#[test]
fn a_member_is_killed() {
    let mut parts_given = 0;
    each_branching(40, 12, |folder, program, all| {
        let told = format!("{program:?}");
        for copied_after in [1, 4] {
            let folder = folder.join(copied_after.to_string());
            let whole = Options {
                portion: Some(Portion::whole()),
                ..options(&folder.join("whole"))
            };
            explore_as(
                &with_runs(&whole, copied_after),
                program,
                &Ran::default(),
                &Alone,
            );
            let copy = Options {
                dir: folder.join("copy"),
                ..whole.clone()
            };
            std::fs::create_dir(&copy.dir).unwrap();
            std::fs::copy(whole.dir.join("campaign.db"), copy.dir.join("campaign.db")).unwrap();
            let taking = Taking::default();
            explore_as(&with_runs(&whole, 12), program, &Ran::default(), &taking);
            let mut waiting = taking.given.into_inner().unwrap();
            parts_given += waiting.len();

            let ran = Ran::default();
            let again = Options {
                given: waiting.iter().cloned().collect(),
                ..copy.clone()
            };
            explore_as(&again, program, &ran, &Alone);
            let mut parts = vec![copy.dir];
            while let Some(portion) = waiting.pop_front() {
                let part = Options {
                    portion: Some(portion),
                    ..options(&folder.join(parts.len().to_string()))
                };
                for step in 0.. {
                    let part = with_runs(&part, 1 + step % 3);
                    if explore_as(&part, program, &ran, &Alone).ended != Ended::Budget {
                        break;
                    }
                }
                parts.push(part.dir);
            }
            let merge = Options {
                merge: parts,
                ..options(&folder.join("merged"))
            };
            let stop = AtomicBool::new(false);
            let looking = Ran::default();
            let subject = Box::new(Threads::new(program, &looking)) as Box<dyn Subject>;
            let summary = explore(&merge, vec![subject], &mut |_| {}, &stop).unwrap();
            let count = all.classes.len() as u64;
            assert_eq!((summary.paths, summary.complete), (count, true), "{told}");
            assert_eq!(looking.count(), 0, "all was explored: {told}");
            let alone = campaign(&options(&folder.join("alone")), program, &ran, 1);
            assert_eq!(kinds(&summary), kinds(&alone), "{told}");
        }
    });
    assert!(parts_given > 20, "only {parts_given}");
}
