//! Campaigns that stop and go on, and folders that are in use or set aside.

use elsewise_campaign::toy::{Toy, options, random_program, run, wide_program, with_runs};
use elsewise_campaign::{CampaignError, Ended, Options, Store, explore};
use elsewise_explore::Subject;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// What must not depend on interruptions.
fn essence(summary: &elsewise_campaign::Summary) -> (u64, u64, bool, Vec<(String, u32)>, u32) {
    let mut findings: Vec<_> = summary
        .findings
        .iter()
        .map(|finding| (finding.kind.clone(), finding.line))
        .collect();
    findings.sort();
    let reached = summary.branch_sides.reached;
    (
        summary.paths,
        summary.frontier,
        summary.complete,
        findings,
        reached,
    )
}

/// Many runs are read by a thread of their own.
#[test]
fn a_large_campaign_goes_on_where_it_was() {
    let folder = crate::folder();
    let toy = wide_program(13);
    let large = options(&folder.path().join("large"));
    let first = run(&with_runs(&large, 6000), &toy).unwrap();
    assert_eq!((first.runs, first.complete), (6000, false));
    let looked = run(&with_runs(&large, 0), &toy).unwrap();
    assert_eq!((looked.resumed, essence(&looked)), (true, essence(&first)));
    let all = run(&large, &toy).unwrap();
    assert_eq!((all.paths, all.runs, all.complete), (8192, 8192, true));
    // What is read late is looked at as closely.
    let database = rusqlite::Connection::open(large.dir.join("campaign.db")).unwrap();
    let change = "UPDATE runs SET cpu = 77 WHERE id = 8000";
    assert_eq!(database.execute(change, []).unwrap(), 1);
    drop(database);
    let error = run(&large, &toy).unwrap_err().to_string();
    assert!(error.contains("run 8000 was changed"), "{error}");
}

#[test]
fn interrupted_campaigns_end_like_uninterrupted_ones() {
    for seed in 0..8 {
        let toy = random_program(seed);
        for strategy in elsewise_explore::strategy::names() {
            let folder = crate::folder();
            let whole = Options {
                strategy: strategy.to_owned(),
                ..options(&folder.path().join("whole"))
            };
            let parts = Options {
                dir: folder.path().join("parts"),
                ..whole.clone()
            };
            let expected = run(&whole, &toy).unwrap();
            let mut made = 0;
            for step in 1.. {
                let part = run(&with_runs(&parts, 1 + step % 3), &toy).unwrap();
                assert_eq!(part.resumed, step > 1);
                assert!(part.runs >= made);
                made = part.runs;
                if part.ended != Ended::Budget {
                    assert_eq!(essence(&part), essence(&expected), "{strategy} {seed}");
                    let hits = |s: &elsewise_campaign::Summary| -> u64 {
                        s.findings.iter().map(|finding| finding.runs).sum()
                    };
                    assert_eq!(hits(&part), hits(&expected), "{strategy} {seed}");
                    break;
                }
                assert_eq!(
                    part.runs,
                    Store::open_read(&parts.dir).unwrap().run_count().unwrap()
                );
            }
        }
    }
}

#[test]
fn a_budget_of_runs_is_kept_exactly() {
    let folder = crate::folder();
    let options = with_runs(&options(&folder.path().join("c")), 7);
    for expected in [7, 14, 21] {
        let summary = run(&options, &wide_program(8)).unwrap();
        assert_eq!((summary.runs, summary.ended), (expected, Ended::Budget));
    }
}

#[test]
fn a_complete_campaign_stays_complete_without_another_run() {
    let folder = crate::folder();
    let options = options(&folder.path().join("c"));
    let toy = random_program(3);
    let first = run(&options, &toy).unwrap();
    let again = run(&options, &toy).unwrap();
    assert_eq!(essence(&first), essence(&again));
    assert_eq!(first.runs, again.runs);
    assert!(again.complete && again.resumed);
    assert_eq!(first.queries.asked, again.queries.asked);
    let shown = Store::open_read(&options.dir)
        .unwrap()
        .summary()
        .unwrap()
        .unwrap();
    assert_eq!(essence(&shown), essence(&again));
}

#[test]
fn stopping_is_heard() {
    let folder = crate::folder();
    let options = options(&folder.path().join("c"));
    let stop = AtomicBool::new(false);
    let subject = Box::new(wide_program(24)) as Box<dyn Subject>;
    let mut heard = 0;
    let mut watch = |progress: &elsewise_campaign::Progress| {
        heard += 1;
        if progress.runs > 10 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let summary = explore(&options, vec![subject], &mut watch, &stop).unwrap();
    assert_eq!(summary.ended, Ended::Stopped);
    assert!(heard > 0 && summary.runs > 10 && !summary.complete);
}

#[test]
fn a_folder_in_use_names_its_process() {
    let folder = crate::folder();
    let options = options(&folder.path().join("c"));
    run(&with_runs(&options, 2), &wide_program(6)).unwrap();
    let lock = fs::File::options()
        .write(true)
        .open(options.dir.join("lock"))
        .unwrap();
    lock.lock().unwrap();
    let error = run(&options, &wide_program(6)).unwrap_err();
    let CampaignError::Locked { pid, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(*pid, std::process::id().to_string());
    drop(lock);
    assert!(run(&options, &wide_program(6)).unwrap().complete);
}

fn rebuilt(toy: &Toy, build: &str) -> Toy {
    let mut toy = toy.clone();
    toy.blueprint.build = build.to_owned();
    toy
}

#[test]
fn another_build_begins_with_the_old_cases() {
    let folder = crate::folder();
    let options = options(&folder.path().join("c"));
    let toy = random_program(5);
    let old = run(&options, &toy).unwrap();
    let new = run(&options, &rebuilt(&toy, "other")).unwrap();
    assert!(!new.resumed);
    assert_eq!(new.rotated, Some(folder.path().join("c.1")));
    assert_eq!(new.paths, old.paths);
    // The old cases came first: the first runs reach all that was reached.
    let worthy = Store::open_read(&folder.path().join("c.1")).unwrap();
    let old_worthy = worthy.runs(0, 10_000).unwrap();
    let count = old_worthy.iter().filter(|run| !run.new.is_empty()).count();
    let store = Store::open_read(&options.dir).unwrap();
    let seeds = store.runs(0, 10_000).unwrap();
    let seeds = seeds.iter().filter(|run| run.parent.is_none()).count();
    assert!(seeds >= count, "{seeds} seeds, {count} cases");
    for build in ["3", "4", "5"] {
        run(&options, &rebuilt(&toy, build)).unwrap();
    }
    let exists = |name: &str| folder.path().join(name).exists();
    assert!(exists("c.1") && exists("c.2") && exists("c.3") && !exists("c.4"));
}

#[test]
fn other_options_or_a_wish_begin_anew() {
    let folder = crate::folder();
    let options = options(&folder.path().join("c"));
    let toy = wide_program(4);
    run(&options, &toy).unwrap();
    let deep = Options {
        depth: Some(2),
        ..options.clone()
    };
    let summary = run(&deep, &toy).unwrap();
    assert!(!summary.resumed && !summary.complete);
    assert_eq!(summary.ended, Ended::Exhausted);
    assert!(summary.approximations["depth-limit"] > 0);
    let fresh = Options {
        fresh: true,
        ..deep.clone()
    };
    let summary = run(&fresh, &toy).unwrap();
    assert!(!summary.resumed && summary.rotated.is_some());
    assert!(run(&deep, &toy).unwrap().resumed);
}

#[test]
fn other_limits_of_the_solver_ask_again() {
    let folder = crate::folder();
    let options = options(&folder.path().join("c"));
    let toy = wide_program(4);
    let mut weak = options.clone();
    weak.solver.off = [
        "syntactic",
        "cache",
        "search",
        "bitblast",
        "enumerate",
        "z3",
    ]
    .map(str::to_owned)
    .to_vec();
    let summary = run(&weak, &toy).unwrap();
    assert!(!summary.complete && summary.ended == Ended::Exhausted);
    let summary = run(&options, &toy).unwrap();
    assert!(
        summary.resumed && summary.complete,
        "{:?}",
        summary.approximations
    );
    assert_eq!(summary.paths, 16);
}

#[test]
fn a_folder_of_something_else_is_left_alone() {
    let folder = crate::folder();
    fs::write(folder.path().join("thesis.txt"), "years of work").unwrap();
    let error = run(&options(folder.path()), &wide_program(2)).unwrap_err();
    assert!(
        matches!(error, CampaignError::NotACampaign { .. }),
        "{error}"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let error = Store::open_read(folder.path()).err().unwrap();
    assert!(matches!(error, CampaignError::Missing { .. }), "{error}");
}

#[test]
fn what_a_beginning_that_was_killed_left_is_taken_up() {
    let folder = crate::folder();
    let toy = wide_program(2);
    let begun = folder.path().join("begun");
    for name in ["cases", "findings"] {
        fs::create_dir_all(begun.join(name)).unwrap();
    }
    fs::write(begun.join("README.txt"), "").unwrap();
    for end in ["", "-journal", "-wal", "-shm"] {
        fs::write(begun.join(format!("campaign.db.new{end}")), "half").unwrap();
    }
    assert!(run(&options(&begun), &toy).unwrap().complete);

    // A folder of that name in which something is was not left by a beginning.
    let other = folder.path().join("other");
    fs::create_dir_all(other.join("cases")).unwrap();
    fs::write(other.join("cases/thesis.txt"), "years of work").unwrap();
    let error = run(&options(&other), &toy).unwrap_err();
    assert!(
        matches!(error, CampaignError::NotACampaign { .. }),
        "{error}"
    );
}

/// Everything in a folder, copied.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

#[test]
fn a_copy_taken_at_any_moment_resumes() {
    // A process that is killed leaves the files as they are at that moment; a copy of them while
    // the campaign goes on is the same, except that it may be taken in the middle of a write.
    let folder = crate::folder();
    let options = options(&folder.path().join("c"));
    let toy = wide_program(10);
    let mut killed = 0;
    for runs in [3, 40, 200] {
        run(&with_runs(&options, runs), &toy).unwrap();
        let before = Store::open_read(&options.dir).unwrap().run_count().unwrap();
        let dir = folder.path().join(format!("killed{runs}"));
        copy(&options.dir, &dir);
        let resumed = Options {
            dir,
            ..options.clone()
        };
        let summary = run(&resumed, &toy).unwrap();
        assert!(summary.resumed && summary.complete);
        assert!(summary.runs >= before);
        assert_eq!(summary.paths, 1024);
        killed += 1;
    }
    assert_eq!(killed, 3);
}
