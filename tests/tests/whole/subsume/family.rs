//! Programs with more paths than anybody runs, and campaigns that go on where others ended.

use super::{RUNS, always, build, explored, explored_once, failures, options};
use elsewise_campaign::{Ended, Subsume, SubsumeBy};
use elsewise_tests::drivers::{BUGS, Driver, RUNNING_EXAMPLE, conditionals};

const STRATEGIES: [&str; 4] = ["dfs", "random", "generational", "cfg"];

#[test]
fn the_example_of_the_paper_needs_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let program = build(folder.path(), RUNNING_EXAMPLE);
    for strategy in STRATEGIES {
        for (by, most) in [(SubsumeBy::Looks, 1), (SubsumeBy::Explored, 4)] {
            let summary = explored_once(&program, "", strategy, always(by, false));
            assert!(summary.complete, "{strategy} {by:?}");
            assert!(summary.runs <= most, "{strategy} {by:?}: {}", summary.runs);
            assert!(summary.findings.is_empty());
        }
    }
}

#[test]
fn two_hundred_conditionals_need_as_many_runs_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let program = build(folder.path(), &conditionals(200));
    for (by, most) in [(SubsumeBy::Looks, 1), (SubsumeBy::Explored, 201)] {
        let summary = explored_once(&program, "", "dfs", always(by, false));
        assert!(summary.complete, "{by:?}: {:?}", summary.ended);
        assert!(summary.runs <= most, "{by:?}: {} runs", summary.runs);
    }
}

#[test]
fn a_driver_fails_alike_under_every_strategy() {
    let folder = tempfile::tempdir().unwrap();
    let mut saved = 0;
    for bug in [None].into_iter().chain(BUGS.map(Some)) {
        let driver = Driver {
            requests: 3,
            steps: 4,
            bug,
            seed: 5,
        };
        let program = build(folder.path(), &driver.source());
        let plain = explored_once(&program, "", "dfs", Subsume::default());
        assert!(plain.complete, "{bug:?}: {} runs", plain.runs);
        assert_eq!(plain.findings.is_empty(), bug.is_none(), "{bug:?}");
        for strategy in STRATEGIES {
            let with = explored_once(&program, "", strategy, always(SubsumeBy::Looks, false));
            assert!(with.complete, "{bug:?} by {strategy}");
            assert_eq!(failures(&with), failures(&plain), "{bug:?} by {strategy}");
            saved += plain.runs.saturating_sub(with.runs);
        }
    }
    assert!(saved > 200, "{saved} runs saved");
}

#[test]
fn what_was_closed_stays_closed_when_a_campaign_goes_on() {
    let driver = Driver {
        requests: 3,
        steps: 5,
        bug: Some(BUGS[1]),
        seed: 6,
    };
    let folder = tempfile::tempdir().unwrap();
    let program = build(folder.path(), &driver.source());
    let plain = explored_once(&program, "", "dfs", Subsume::default());
    assert!(plain.complete && !plain.findings.is_empty());
    let begin = options(folder.path(), "dfs", always(SubsumeBy::Explored, false), 12);
    let first = explored(&program, "", &begin);
    assert_eq!(first.ended, Ended::Budget);
    assert!(first.subsumption.is_some_and(|told| told.closed > 0));
    let more = options(folder.path(), "dfs", always(SubsumeBy::Looks, false), RUNS);
    let second = explored(&program, "", &more);
    assert!(second.resumed && second.complete);
    assert_eq!(failures(&second), failures(&plain));
    assert!(second.runs < plain.runs, "{} runs", second.runs);
    let third = explored(&program, "", &more);
    assert!(third.resumed && third.complete && third.runs == second.runs);
    // Who wants every path run is not given a tree of which parts were closed otherwise.
    let every = options(folder.path(), "dfs", Subsume::default(), RUNS);
    let fourth = explored(&program, "", &every);
    assert!(!fourth.resumed && fourth.complete && fourth.runs == plain.runs);
}
