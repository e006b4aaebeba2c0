//! What is closed without being run holds no failure that was not seen: random programs, explored with and
//! without, and programs that have more paths than anybody runs.
//!
//! `cargo xtask soak subsume N [FIRST]` tries so many more.

mod family;

use elsewise_campaign::{Budget, Options, Subsume, SubsumeBy, Summary, explore};
use elsewise_driver::{Cache, Program};
use elsewise_explore::Subject;
use elsewise_native::{NativeOptions, NativeSubject, Stdin};
use elsewise_tests::alike;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Programs that the test suite tries.
const PROGRAMS: u64 = 24;
/// Runs after which a program counts as too large.
const RUNS: u64 = 1_500;

/// How a program is explored with subsumption: strategy, by what, and whether sides are kept reachable.
const WAYS: [(&str, SubsumeBy, bool); 6] = [
    ("dfs", SubsumeBy::Looks, false),
    ("random", SubsumeBy::Looks, false),
    ("generational", SubsumeBy::Looks, false),
    ("cfg", SubsumeBy::Looks, false),
    ("dfs", SubsumeBy::Explored, false),
    ("mix", SubsumeBy::Looks, true),
];

#[derive(Default)]
struct Counts {
    programs: u64,
    /// Not complete without subsumption.
    skipped: u64,
    /// Campaigns in which the solver did not answer in time.
    limited: u64,
    buggy: u64,
    failures: u64,
    plain_runs: u64,
    /// By way.
    runs: [u64; WAYS.len()],
    closed: [u64; WAYS.len()],
    /// Programs of which something was closed, and those that ended in fewer runs.
    helped: [u64; WAYS.len()],
    fewer: [u64; WAYS.len()],
    followed: u64,
    lost: u64,
    /// Programs most of whose runs could not be followed.
    unfollowed: u64,
    /// How often, and the first seed of which one was.
    lost_for: BTreeMap<String, (u64, u64)>,
}

/// What exploration said of a program: what fails where.
fn failures(summary: &Summary) -> BTreeSet<(String, u32)> {
    let all = summary.findings.iter().chain(&summary.unconfirmed);
    all.map(|finding| (finding.kind.clone(), finding.line))
        .collect()
}

/// How a program is explored here, in a folder, within so many runs.
fn options(folder: &Path, strategy: &str, subsume: Subsume, runs: u64) -> Options {
    Options {
        dir: folder.join("campaign"),
        title: "program".to_owned(),
        strategy: strategy.to_owned(),
        budget: Budget {
            runs: Some(runs),
            time: Some(Duration::from_secs(60)),
        },
        subsume,
        ..Options::default()
    }
}

fn always(by: SubsumeBy, cover: bool) -> Subsume {
    Subsume {
        by,
        cover,
        always: true,
        after: 0,
    }
}

fn build(folder: &Path, text: &str) -> Program {
    let source = folder.join("program.c");
    fs::write(&source, text).unwrap();
    let cache = Cache::at(folder.join("cache"));
    Program::from_source_with(&[source], &["-w".into()], &folder.join("out"), &cache)
        .unwrap_or_else(|error| panic!("{error}"))
}

fn explored(program: &Program, argument: &str, options: &Options) -> Summary {
    let native = NativeOptions {
        args: vec![argument.into()],
        stdin: Stdin::Fixed(0),
        // A busy machine must not look like a program that hangs.
        time_limit: Duration::from_secs(30),
        ..NativeOptions::default()
    };
    let subject = NativeSubject::new(program, &native).unwrap_or_else(|error| panic!("{error}"));
    let subjects: Vec<Box<dyn Subject>> = vec![Box::new(subject)];
    explore(options, subjects, &mut |_| {}, &AtomicBool::new(false))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Explores in a folder that nobody looks at.
fn explored_once(program: &Program, argument: &str, strategy: &str, subsume: Subsume) -> Summary {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path(), strategy, subsume, RUNS);
    explored(program, argument, &options)
}

/// Explores the programs of a file; what is wrong with them.
fn compare(folder: &Path, first: u64, count: usize, counts: &mut Counts) -> Vec<String> {
    let program = build(folder, &alike::file(first, count));
    let mut wrong = Vec::new();
    for index in 0..count {
        let seed = first + index as u64;
        let argument = alike::argument(index);
        let plain = explored_once(&program, &argument, "dfs", Subsume::default());
        counts.programs += 1;
        if !plain.complete {
            counts.skipped += 1;
            continue;
        }
        let expected = failures(&plain);
        counts.plain_runs += plain.runs;
        counts.buggy += u64::from(!expected.is_empty());
        counts.failures += expected.len() as u64;
        let before = (counts.followed, counts.lost);
        for (way, (strategy, by, cover)) in WAYS.into_iter().enumerate() {
            let with = explored_once(&program, &argument, strategy, always(by, cover));
            let told = format!(
                "seed {seed} (number {index} of the file from {first}) by {strategy}, {by:?}{}",
                if cover { ", sides kept" } else { "" }
            );
            let seen = failures(&with);
            let limited = with.approximations.contains_key("query-limit");
            if seen != expected && !(limited && seen.is_subset(&expected)) {
                wrong.push(format!(
                    "{told}: {seen:?} instead of {expected:?}, {} runs instead of {}",
                    with.runs, plain.runs
                ));
            }
            if limited {
                // The machine was busy: nothing follows from it.
                counts.limited += 1;
                continue;
            }
            if !with.complete {
                wrong.push(format!("{told}: not complete: {:?}", with.approximations));
            }
            if cover && with.branch_sides != plain.branch_sides {
                wrong.push(format!(
                    "{told}: reaches {:?} instead of {:?}",
                    with.branch_sides, plain.branch_sides
                ));
            }
            counts.runs[way] += with.runs;
            counts.fewer[way] += u64::from(with.runs < plain.runs);
            if let Some(subsumption) = with.subsumption {
                counts.closed[way] += subsumption.closed;
                counts.helped[way] += u64::from(subsumption.closed > 0);
                counts.followed += subsumption.followed;
                counts.lost += subsumption.lost;
                for (why, times) in subsumption.lost_for {
                    counts.lost_for.entry(why).or_insert((0, seed)).0 += times;
                }
            }
        }
        let followed = counts.followed - before.0;
        counts.unfollowed += u64::from(counts.lost - before.1 > followed);
    }
    wrong
}

#[test]
fn random_programs_fail_alike_with_and_without() {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse().unwrap());
    let many = number("ELSEWISE_SUBSUME_PROGRAMS").unwrap_or(PROGRAMS);
    let first: u64 = number("ELSEWISE_SUBSUME_FIRST").unwrap_or(1);
    let seconds = number("ELSEWISE_SUBSUME_SECONDS").unwrap_or(u64::MAX);
    let begun = std::time::Instant::now();
    let mut counts = Counts::default();
    let mut wrong = Vec::new();
    let mut from = first;
    while from < first + many && begun.elapsed().as_secs() < seconds {
        let count = (first + many - from).min(alike::PER_FILE as u64) as usize;
        let folder = tempfile::tempdir().unwrap();
        let found = compare(folder.path(), from, count, &mut counts);
        for one in &found {
            eprintln!("{one}");
        }
        wrong.extend(found);
        from += count as u64;
    }
    print(&counts, wrong.len());
    println!("  the next seed is {from}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let compared = counts.programs - counts.skipped;
    assert!(compared * 2 > counts.programs, "most are usable");
    assert!(counts.buggy * 10 > compared, "some fail");
    assert!(counts.buggy * 10 < compared * 9, "some do not");
    assert!(
        counts.helped[0] * 4 > compared,
        "subsumption has something to do"
    );
    assert!(
        counts.unfollowed * 8 < compared,
        "most runs of most programs can be followed"
    );
}

fn print(counts: &Counts, wrong: usize) {
    println!(
        "{} programs, of which {} are not complete in {RUNS} runs and not compared; {} have {} failures; \
         {} runs without subsumption; {wrong} disagreements",
        counts.programs, counts.skipped, counts.buggy, counts.failures, counts.plain_runs
    );
    for (way, (strategy, by, cover)) in WAYS.into_iter().enumerate() {
        println!(
            "  {strategy:<12} {:<13} {:>9} runs, {:>8} alternatives closed in {:>6} programs, fewer runs in {:>6}",
            format!("{by:?}{}", if cover { ", cover" } else { "" }),
            counts.runs[way],
            counts.closed[way],
            counts.helped[way],
            counts.fewer[way],
        );
    }
    println!(
        "  {} runs followed, {} not; {} campaigns without an answer of the solver in time",
        counts.followed, counts.lost, counts.limited
    );
    for (why, (times, seed)) in &counts.lost_for {
        println!("    {times} for {why}, such as those of seed {seed}");
    }
}
