//! The search over inputs and schedules against trying everything: on random small programs, every
//! execution that differs by causality or by choices on inputs is run once, and no other.

mod machine;
mod programs;
mod search;

use elsewise_explore::Random;
use machine::{Op, Source};

#[test]
fn every_execution_once_and_no_other() {
    let count = std::env::var("ELSEWISE_RANDOM_SCHEDULES").ok();
    let count = count.and_then(|text| text.parse().ok()).unwrap_or(200);
    let mut compared = 0;
    for seed in 0..count {
        let mut random = Random::new(seed);
        let program = programs::program(&mut random);
        let Some(all) = search::everything(&program, 30_000) else {
            continue;
        };
        let found = search::search(&program, &mut random, 4 * all.classes.len() + 10);
        let told = format!("seed {seed}: {program:?}");
        assert_eq!(found.ends, all.ends, "{told}");
        assert_eq!(found.classes.len(), all.classes.len(), "{told}");
        assert_eq!(found.runs, all.classes.len(), "{told}");
        compared += 1;
    }
    assert!(
        compared > count / 2,
        "only {compared} programs were small enough"
    );
}

/// What is left to try follows from what was looked at, in its order.
#[test]
fn orders_that_were_forgotten_are_found_again() {
    let mut compared = 0;
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let program = programs::branching(&mut random);
        let Some(all) = search::everything(&program, 3_000) else {
            continue;
        };
        let most = 4 * all.classes.len() + 10;
        let found = search::search_in_sessions(&program, &mut random, most);
        let told = format!("seed {seed}: {program:?}");
        assert_eq!(found.classes.len(), all.classes.len(), "{told}");
        assert_eq!(found.runs, all.classes.len(), "{told}");
        compared += 1;
    }
    assert!(compared > 15, "only {compared} programs were small enough");
}

/// Three pairs of moves that could each come in either order: an order that is left out because its
/// beginning has been tried elsewhere, must not be left out there for the same reason.
#[test]
fn orders_that_do_not_touch_each_other() {
    let store = |variable| Op::Store {
        variable,
        from: Source::Number(1),
    };
    let load = |variable| Op::Load {
        register: 0,
        variable,
    };
    let program = vec![
        vec![store(1)],
        vec![load(0)],
        vec![store(0), store(2)],
        vec![store(2), load(1)],
    ];
    for seed in 0..50 {
        let found = search::search(&program, &mut Random::new(seed), 8);
        assert_eq!(found.classes.len(), 8, "seed {seed}");
    }
}

/// With a bound on preemptions, every end that can be reached within it is, and no other.
#[test]
fn every_end_within_a_bound() {
    let count = std::env::var("ELSEWISE_RANDOM_SCHEDULES").ok();
    let count = count.and_then(|text| text.parse().ok()).unwrap_or(150);
    let (mut compared, mut fewer) = (0, 0);
    for seed in 0..count {
        let mut random = Random::new(seed);
        let program = programs::program(&mut random);
        let Some(all) = search::everything(&program, 3_000) else {
            continue;
        };
        for bound in 0..4 {
            let Some(within) = search::everything_within(&program, 3_000, bound) else {
                continue;
            };
            let found = search::search_within(&program, &mut random, 2 * within.runs + 10, bound);
            let told = format!("seed {seed}, at most {bound}: {program:?}");
            assert_eq!(found.ends, within.ends, "{told}");
            assert!(found.classes.is_subset(&within.classes), "{told}");
            compared += 1;
            fewer += u64::from(within.ends.len() < all.ends.len());
        }
    }
    assert!(compared > count, "only {compared} were small enough");
    assert!(fewer >= 5, "the bound mattered {fewer} of {compared} times");
}

/// Threads that choose before anybody moves: runs that begin with other choices are not at the same
/// place, though only zeros may tell them apart.
#[test]
fn choices_before_the_first_move() {
    let fail = |input| Op::Fail {
        register: 0,
        equals: Source::Input(input),
    };
    let skip = Op::Skip {
        register: 0,
        less_than: Source::Input(1),
        count: 1,
    };
    let store = Op::Store {
        variable: 0,
        from: Source::Number(1),
    };
    let program = vec![
        vec![fail(0), store],
        vec![fail(1), skip, store],
        vec![store],
    ];
    for bound in 0..3 {
        let within = search::everything_within(&program, 3_000, bound).expect("few runs");
        for seed in 0..20 {
            let mut random = Random::new(seed);
            let found = search::search_within(&program, &mut random, 2 * within.runs, bound);
            assert_eq!(found.ends, within.ends, "at most {bound}, seed {seed}");
        }
    }
}
