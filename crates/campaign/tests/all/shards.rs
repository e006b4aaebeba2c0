//! Shards of a campaign, put together, are the campaign.

use elsewise_campaign::toy::{Toy, options, random_program, run, wide_program};
use elsewise_campaign::{CampaignError, Ended, Options, Shard, Store, Summary};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn shard(folder: &Path, toy: &Toy, number: u32, of: u32) -> (PathBuf, Summary) {
    let dir = folder.join(format!("{number}-of-{of}"));
    let options = Options {
        shard: Some(Shard { number, of }),
        ..options(&dir)
    };
    let summary = run(&options, toy).unwrap();
    (dir, summary)
}

fn merged(folder: &Path, toy: &Toy, shards: &[PathBuf]) -> Result<Summary, CampaignError> {
    let options = Options {
        merge: shards.to_vec(),
        ..options(&folder.join("merged"))
    };
    run(&options, toy)
}

/// Two sides of each of `n` choices: 2^n paths, all of them as deep.
fn wide() -> Toy {
    wide_program(9)
}

#[test]
fn shards_of_random_programs_are_the_whole() {
    for seed in 0..8 {
        let toy = random_program(seed);
        let (paths, failures) = toy.brute_force();
        let folder = crate::folder();
        let of = 2 + seed as u32 % 4;
        let shards: Vec<PathBuf> = (1..=of)
            .map(|number| shard(folder.path(), &toy, number, of).0)
            .collect();
        let summary = merged(folder.path(), &toy, &shards).unwrap();
        assert_eq!(summary.paths, paths, "program {seed}");
        let mut found: Vec<u32> = summary.findings.iter().map(|f| f.line).collect();
        found.sort_unstable();
        assert!(found.iter().all(|line| failures.contains(line)), "{seed}");
        assert_eq!(found.len(), failures.len(), "program {seed}");
        assert!(
            summary.complete,
            "program {seed}: {:?}",
            summary.approximations
        );
    }
}

#[test]
fn no_shard_does_the_work_of_another() {
    let toy = wide();
    let folder = crate::folder();
    let mut shards = Vec::new();
    let mut runs = 0;
    for number in 1..=3 {
        let (dir, summary) = shard(folder.path(), &toy, number, 3);
        assert_eq!(summary.ended, Ended::Exhausted);
        assert!(!summary.complete && summary.approximations["other-shard"] > 0);
        runs += summary.runs;
        shards.push(dir);
    }
    // Of 512 paths, the crown of 128 prefixes is explored by each.
    assert!((512..1100).contains(&runs), "{runs}");
    let summary = merged(folder.path(), &toy, &shards).unwrap();
    assert_eq!((summary.paths, summary.complete), (512, true));
    // All of them were there: nothing was left to be run.
    let store = Store::open_read(&folder.path().join("merged")).unwrap();
    assert_eq!(store.run_count().unwrap(), summary.runs);
    let asked = shards.iter().map(|dir| {
        let summary = Store::open_read(dir).unwrap().summary().unwrap();
        summary.unwrap().queries.asked
    });
    assert_eq!(summary.queries.asked, asked.sum::<u64>());
    // A merged campaign can be gone on with, as any other.
    let again = run(&options(&folder.path().join("merged")), &toy).unwrap();
    assert!(again.resumed && again.complete && again.runs == summary.runs);
    for run in 0..summary.runs {
        store.case(run).unwrap();
    }
}

#[test]
fn what_a_lost_shard_had_is_explored_in_the_end() {
    let toy = wide();
    let folder = crate::folder();
    let shards: Vec<PathBuf> = [1, 3]
        .map(|number| shard(folder.path(), &toy, number, 3).0)
        .into();
    let summary = merged(folder.path(), &toy, &shards).unwrap();
    assert_eq!((summary.paths, summary.complete), (512, true));
}

/// Parts of which one was explored after the other have taken longer than each of them.
#[test]
fn whoever_knows_how_long_parts_have_taken_says_so() {
    let toy = wide();
    let folder = crate::folder();
    let shards: Vec<PathBuf> = (1..=2)
        .map(|number| shard(folder.path(), &toy, number, 2).0)
        .collect();
    let seconds = |took: Option<u64>| {
        let options = Options {
            merge: shards.clone(),
            merged_took: took.map(Duration::from_secs),
            ..options(&folder.path().join("whole"))
        };
        run(&options, &toy).unwrap().wall_seconds
    };
    assert!(seconds(None) < 500.0);
    assert!((1000.0..1500.0).contains(&seconds(Some(1000))));
}

#[test]
fn a_shard_that_was_stopped_goes_on_where_it_was() {
    let toy = wide();
    let folder = crate::folder();
    let dir = folder.path().join("1");
    for budget in [Some(40), Some(150), None] {
        let mut options = Options {
            shard: Some(Shard { number: 1, of: 2 }),
            ..options(&dir)
        };
        options.budget.runs = budget;
        run(&options, &toy).unwrap();
    }
    let (whole, summary) = shard(folder.path(), &toy, 1, 2);
    let stopped = Store::open_read(&dir).unwrap().summary().unwrap().unwrap();
    assert_eq!(stopped.paths, summary.paths);
    let other = shard(folder.path(), &toy, 2, 2).0;
    let summary = merged(folder.path(), &toy, &[dir, other]).unwrap();
    assert_eq!((summary.paths, summary.complete), (512, true));
    drop(whole);
}

#[test]
fn shards_of_something_else_are_refused() {
    let folder = crate::folder();
    let (dir, _) = shard(folder.path(), &wide(), 1, 2);
    let other = merged(
        folder.path(),
        &random_program(3),
        std::slice::from_ref(&dir),
    );
    assert!(matches!(other, Err(CampaignError::OtherCampaign { .. })));
    let bounded = Options {
        merge: vec![dir],
        max_values: 7,
        ..options(&folder.path().join("merged"))
    };
    let other = run(&bounded, &wide());
    assert!(matches!(other, Err(CampaignError::OtherCampaign { .. })));
    let none = merged(folder.path(), &wide(), &[folder.path().join("none")]);
    assert!(matches!(none, Err(CampaignError::Missing { .. })));
    let (dir, _) = shard(folder.path(), &wide(), 2, 2);
    let into_itself = Options {
        merge: vec![dir.clone()],
        ..options(&dir)
    };
    let itself = run(&into_itself, &wide());
    assert!(matches!(itself, Err(CampaignError::IntoItself { .. })));
    assert!(Store::open_read(&dir).is_ok(), "it stays where it is");
}
