//! Programs with more paths than anybody runs, and campaigns that go on where others ended.

use super::{RUNS, always, build, explored, explored_once, failures, options};
use elsewise_campaign::{Ended, Subsume, SubsumeBy};
use elsewise_tests::drivers::{BUGS, Driver, RUNNING_EXAMPLE, conditionals};
use std::time::{Duration, Instant};

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

/// Thirteen inputs and a loop after each, which is long to follow and leaves nothing to be closed.
const LOOPS: &str = r#"#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    int high = 0;
    unsigned sum = 0;
    for (int i = 0; i < 13; i++) {
        if (__VERIFIER_nondet_uchar() > 100) {
            high++;
            sum = sum * 3 + i;
        }
        volatile int k;
        for (k = 0; k < 150; k++)
            ;
    }
    assert(high != 13);
    return sum != 0;
}
"#;

/// What takes minutes ends with the budget, even where subsumption goes on whether or not it pays.
#[test]
fn a_budget_ends_what_takes_long() {
    let folder = tempfile::tempdir().unwrap();
    let program = build(folder.path(), LOOPS);
    let mut bounded = options(
        folder.path(),
        "dfs",
        always(SubsumeBy::Looks, false),
        100_000,
    );
    bounded.budget.time = Some(Duration::from_secs(2));
    let began = Instant::now();
    let summary = explored(&program, "", &bounded);
    let took = began.elapsed();
    assert_eq!(summary.ended, Ended::Budget);
    assert!(took < Duration::from_secs(20), "{took:?}");
    let told = summary.subsumption.expect("it was begun");
    assert!(told.seconds > 0.5, "it took long: {} s", told.seconds);
}

#[test]
fn what_does_not_pay_ends_soon() {
    let folder = tempfile::tempdir().unwrap();
    let program = build(folder.path(), LOOPS);
    let may_end = Subsume {
        always: false,
        ..always(SubsumeBy::Looks, true)
    };
    let summary = explored(&program, "", &options(folder.path(), "dfs", may_end, 300));
    assert_eq!(summary.runs, 300);
    let told = summary.subsumption.expect("it was begun");
    let off = told.off.expect("it was turned off");
    assert!(off.starts_with("it did not pay"), "{off}");
    assert!(told.seconds < 10.0, "{} s", told.seconds);
}
