//! Ways to search schedules when there are too many: few preemptions, and chance; what a failing
//! schedule is reduced to; and which data races matter.

use anyhow::{Context, Result, ensure};
use elsewise_campaign::StoryKind;
use elsewise_tests::command::{Exploration, explore};
use elsewise_tests::compile::root;
use std::path::Path;
use std::process::Command;

fn explored(name: &str, options: &[&str], folder: &Path) -> Result<Exploration> {
    let options: Vec<String> = options.iter().map(ToString::to_string).collect();
    let source = root().join("tests/schedules").join(name);
    explore(&[source], &options, folder)
}

/// A subject of its own.
fn explored_text(text: &str, options: &[&str], folder: &Path) -> Result<Exploration> {
    let source = folder.join("subject.c");
    std::fs::write(&source, text)?;
    let options: Vec<String> = options.iter().map(ToString::to_string).collect();
    explore(&[source], &options, folder)
}

fn kinds(exploration: &Exploration) -> Vec<&str> {
    let findings = exploration.summary.findings.iter();
    findings.map(|finding| finding.kind.as_str()).collect()
}

/// Who moved in a finding's run, move by move.
fn moves(folder: &Path, finding: u32) -> Result<Vec<u32>> {
    let path = folder.join(format!("campaign/findings/{finding}"));
    let story = elsewise_campaign::read_story(&path);
    ensure!(!story.is_empty(), "no story in {}", path.display());
    let moves = story.iter().filter(|one| one.kind == StoryKind::Move);
    Ok(moves.map(|one| one.thread).collect())
}

fn switches(moves: &[u32]) -> usize {
    let pairs = moves.windows(2);
    pairs.filter(|two| two[0] != two[1]).count()
}

/// The first must be kept from taking the second fork; all others, from the last on, are by their
/// neighbour.
#[test]
fn a_deadlock_takes_so_many_preemptions() -> Result<()> {
    for (schedules, expected) in [
        ("--schedules=bounded:0", &[][..]),
        ("--schedules=bounded:1", &["deadlock"]),
    ] {
        let folder = tempfile::tempdir()?;
        let found = explored(
            "philosophers.c",
            &["--cflags=-DN=3", schedules],
            folder.path(),
        )?;
        ensure!(found.summary.complete, "{schedules}: {:?}", found.summary);
        ensure!(
            kinds(&found) == expected,
            "{schedules}: {:?}",
            found.summary
        );
    }
    Ok(())
}

#[test]
fn chance_finds_a_deadlock_and_a_lost_wake_up() -> Result<()> {
    for schedules in ["random", "pct:3", "pos"] {
        let schedules = format!("--schedules={schedules}");
        for (name, kind) in [("philosophers.c", "deadlock"), ("buffer.c", "lost wake-up")] {
            let folder = tempfile::tempdir()?;
            let options = [schedules.as_str(), "--budget=300runs", "--seed=1"];
            let found = explored(name, &options, folder.path())?;
            ensure!(kinds(&found) == [kind], "{schedules}: {:?}", found.summary);
            ensure!(!found.summary.complete, "{:?}", found.summary);
        }
    }
    Ok(())
}

/// All schedules of a campaign's runs.
fn schedules(folder: &Path) -> Result<Vec<Vec<u32>>> {
    let store = elsewise_campaign::Store::open_read(&folder.join("campaign"))?;
    let runs = 0..store.run_count()?;
    runs.map(|run| Ok(store.case(run)?.schedule)).collect()
}

#[test]
fn the_seed_alone_decides() -> Result<()> {
    let of = |seed: &str, schedules_by: &str| -> Result<Vec<Vec<u32>>> {
        let folder = tempfile::tempdir()?;
        let options = [seed, schedules_by, "--budget=40runs"];
        explored("buffer.c", &options, folder.path())?;
        schedules(folder.path())
    };
    for by in ["--schedules=random", "--schedules=pct:2", "--schedules=pos"] {
        let first = of("--seed=5", by)?;
        ensure!(first.len() == 40, "{} runs", first.len());
        ensure!(first == of("--seed=5", by)?, "{by}");
        ensure!(first != of("--seed=6", by)?, "{by}");
    }
    Ok(())
}

/// What is kept of a deadlock that a random walk has found has a switch only where it must: to each
/// philosopher once.
#[test]
fn a_random_schedule_is_reduced() -> Result<()> {
    for seed in ["--seed=1", "--seed=2", "--seed=3"] {
        let folder = tempfile::tempdir()?;
        let options = [
            "--schedules=random",
            "--budget=300runs",
            "--cflags=-DN=4",
            seed,
        ];
        let found = explored("philosophers.c", &options, folder.path())?;
        ensure!(kinds(&found) == ["deadlock"], "{:?}", found.summary);
        let kept = moves(folder.path(), 1)?;
        ensure!(switches(&kept) <= 5, "{seed}: {kept:?}");
        // Where it ends, everybody waits: four philosophers, and who waits for them.
        let story = elsewise_campaign::read_story(&folder.path().join("campaign/findings/1"));
        let waits = story
            .iter()
            .filter(|one| matches!(one.kind, StoryKind::Wait(Some(_))));
        let forks = waits.clone().filter(|one| one.note.contains("`fork_["));
        ensure!((waits.count(), forks.count()) == (5, 4), "{story:?}");
        let replayed = Command::new(elsewise_tests::command::program()?)
            .args(["replay", "campaign/findings/1"])
            .current_dir(folder.path())
            .output()?;
        let text = String::from_utf8_lossy(&replayed.stdout).into_owned();
        ensure!(text.contains("deadlock"), "{text}");
    }
    Ok(())
}

#[test]
fn a_lost_wake_up_is_reduced() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let options = ["--schedules=random", "--budget=300runs", "--seed=4"];
    let found = explored("buffer.c", &options, folder.path())?;
    ensure!(kinds(&found) == ["lost wake-up"], "{:?}", found.summary);
    // By default it is found without a preemption, in the first run: all five threads in turn, each of
    // which is woken at most once.
    let kept = moves(folder.path(), 1)?;
    ensure!(switches(&kept) <= 10, "{kept:?}");
    Ok(())
}

/// One writer and ten readers have 1,024 executions; a fifth of them tells it to a factor of four.
#[test]
fn about_how_many_there_are() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let options = ["--cflags=-DN=10", "--budget=200runs"];
    let summary = explored("readers.c", &options, folder.path())?.summary;
    let searched = summary.schedules.context("no schedules")?;
    ensure!(
        searched.mode == "auto" && searched.samples == 0,
        "{searched:?}"
    );
    let estimate = searched.estimate.context("no estimate")?;
    ensure!((256..=4096).contains(&estimate), "{searched:?}");
    Ok(())
}

#[test]
fn samples_after_half_of_the_time() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let options = ["--cflags=-DN=14", "--budget=4s"];
    let summary = explored("lastzero.c", &options, folder.path())?.summary;
    let searched = summary.schedules.context("no schedules")?;
    ensure!(searched.samples > 0 && searched.done > 0, "{searched:?}");
    ensure!(searched.estimate > Some(searched.done), "{searched:?}");
    Ok(())
}

/// Of a race by which the program fails it is told that it is fatal; of one that does no harm, in how
/// many executions nothing failed.
#[test]
fn which_races_are_fatal() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let found = explored("fig2.c", &["--input-size=4"], folder.path())?;
    let races = found.summary.findings.iter().filter_map(|one| one.race);
    let races: Vec<_> = races.collect();
    ensure!(!races.is_empty(), "{:?}", found.summary);
    ensure!(
        races
            .iter()
            .any(|race| race.failed > 0 && race.failed < race.executions),
        "{races:?}"
    );
    // The last that a failing thread does is where it fails.
    let failing = found.summary.findings.iter();
    let failing = failing.zip(1..).find(|(one, _)| one.kind == "assertion");
    let (failing, number) = failing.context("no assertion fails")?;
    let path = folder.path().join(format!("campaign/findings/{number}"));
    let last = elsewise_campaign::read_story(&path).pop();
    ensure!(
        last.as_ref()
            .is_some_and(|last| last.place.line == failing.line),
        "{last:?}"
    );
    let harmless = r#"
        #include <pthread.h>
        #include <stddef.h>
        static int one, two;
        static void *work(void *unused)
        {
            one = 1;
            two = 2;
            return unused;
        }
        int main(void)
        {
            pthread_t t;
            pthread_create(&t, NULL, work, NULL);
            int seen = one + two;
            pthread_join(t, NULL);
            return seen > 3;
        }
    "#;
    // Both races are told of the first run.
    let first = explored_text(harmless, &["--budget=1runs"], folder.path())?.summary;
    ensure!(first.findings.len() == 2, "{first:?}");
    ensure!(first.findings.iter().all(|one| one.confirmed), "{first:?}");
    let all = explored_text(harmless, &[], folder.path())?.summary;
    ensure!(all.complete && all.findings.len() == 2, "{all:?}");
    for race in all.findings.iter().map(|finding| finding.race) {
        let race = race.context("no race")?;
        ensure!((race.executions, race.failed) == (all.runs, 0), "{race:?}");
    }
    Ok(())
}
