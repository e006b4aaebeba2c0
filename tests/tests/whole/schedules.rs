//! Executions that differ by causality are each run once, and no other: subjects on which other tools
//! were measured, of which the numbers are known.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::{Exploration, Summary, explore, program};
use elsewise_tests::compile::root;
use std::process::Command;

fn explored(name: &str, flags: &str, options: &[&str]) -> Result<Exploration> {
    let folder = tempfile::tempdir()?;
    let mut all = vec![format!("--cflags={flags}")];
    all.extend(options.iter().map(ToString::to_string));
    let source = root().join("tests/schedules").join(name);
    explore(&[source], &all, folder.path())
}

/// A subject with nothing to find, and the number of its executions.
fn has_executions(name: &str, flags: &str, count: u64) -> Result<()> {
    let summary = explored(name, flags, &[])?.summary;
    ensure!(summary.complete, "{name} {flags}: {summary:?}");
    ensure!(summary.findings.is_empty(), "{name} {flags}: {summary:?}");
    let both = (summary.runs, summary.paths);
    ensure!(both == (count, count), "{name} {flags}: {both:?}");
    Ok(())
}

/// The one finding of a subject, within so many runs.
fn is_found(name: &str, flags: &str, kind: &str, within: u64) -> Result<String> {
    let summary = explored(name, flags, &[])?.summary;
    ensure!(summary.complete, "{name} {flags}: {summary:?}");
    let [finding] = summary.findings.as_slice() else {
        anyhow::bail!("{name} {flags}: {summary:?}");
    };
    ensure!(finding.kind == kind && finding.confirmed, "{finding:?}");
    ensure!(finding.case < within, "{name} {flags}: {finding:?}");
    Ok(finding.message.clone())
}

/// Each reader sees the writer's value or not: 2^N.
#[test]
fn one_writer_and_many_readers() -> Result<()> {
    for n in [1, 4, 10] {
        has_executions("readers.c", &format!("-DN={n}"), 1 << n)?;
    }
    Ok(())
}

/// As optimal reduction has it in the literature and in other tools.
#[test]
fn the_last_zero() -> Result<()> {
    has_executions("lastzero.c", "-DN=8", 704)
}

/// Threads collide only from the twelfth on, each pair in three places: 2^3, 2^6.
#[test]
fn an_indexer() -> Result<()> {
    has_executions("indexer.c", "-DN=11", 1)?;
    has_executions("indexer.c", "-DN=12", 8)?;
    has_executions("indexer.c", "-DN=13", 64)
}

#[test]
fn philosophers_wait_for_each_other() -> Result<()> {
    let message = is_found("philosophers.c", "-DN=3", "deadlock", 10)?;
    let told = "thread 1 waits for the mutex `fork_[1]`, which thread 2 has";
    ensure!(message.contains(told), "{message}");
    is_found("philosophers.c", "-DN=5", "deadlock", 10)?;
    Ok(())
}

/// Each order of each pair of neighbours, but for the circle: 2^N - 2.
#[test]
fn philosophers_in_order_do_not() -> Result<()> {
    has_executions("philosophers.c", "-DN=3 -DFIX", 6)?;
    has_executions("philosophers.c", "-DN=5 -DFIX", 30)
}

#[test]
fn a_wake_up_is_lost() -> Result<()> {
    let message = is_found("buffer.c", "-DX", "lost wake-up", 40)?;
    let told = "waits for a signal of the condition `changed`, which nobody will send";
    ensure!(message.contains(told), "{message}");
    Ok(())
}

#[test]
fn and_not_if_all_are_woken() -> Result<()> {
    let summary = explored("buffer.c", "-DWAKE=pthread_cond_broadcast", &[])?.summary;
    ensure!(
        summary.complete && summary.findings.is_empty(),
        "{summary:?}"
    );
    Ok(())
}

/// It takes the input and one of three orders; the race is told, too.
#[test]
fn an_input_and_a_schedule() -> Result<()> {
    let summary = explored("fig2.c", "-DX", &["--input-size=4"])?.summary;
    ensure!(summary.complete, "{summary:?}");
    let failure = summary.findings.iter().find(|one| one.kind == "assertion");
    ensure!(
        failure.is_some_and(|one| one.case < 8 && one.line == 18),
        "{summary:?}"
    );
    ensure!(
        summary.findings.iter().any(|one| one.kind == "data race"),
        "{summary:?}"
    );
    Ok(())
}

/// A campaign that is stopped again and again has the executions and findings of one that was never stopped.
#[test]
fn stopped_and_gone_on_with() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let source = root().join("tests/schedules/orders_of_inputs.c");
    for runs in [7, 20] {
        let mut ended = None;
        for _ in 0..=48 / runs {
            let output = Command::new(program()?)
                .arg("explore")
                .arg(&source)
                .args(["--input-size=3", "--jobs=1", "--quiet", "--format=json"])
                .arg(format!("--campaign=by{runs}"))
                .arg(format!("--budget={runs}runs"))
                .current_dir(folder.path())
                .output()?;
            let told = String::from_utf8_lossy(&output.stderr);
            let summary: Summary =
                serde_json::from_slice(&output.stdout).with_context(|| told.into_owned())?;
            let complete = summary.complete;
            ended = Some(summary);
            if complete {
                break;
            }
        }
        let summary = ended.context("no session")?;
        let all = (summary.runs, summary.paths, summary.findings.len());
        ensure!(all == (48, 48, 8), "{runs}: {summary:?}");
        ensure!(summary.complete, "{runs}: {summary:?}");
    }
    Ok(())
}

/// What neither inputs nor schedule decide is noticed, and nothing is called complete.
#[test]
fn a_run_that_is_not_the_same_once_more() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("chance.c");
    std::fs::write(
        &source,
        r#"
        #include <pthread.h>
        #include <stdatomic.h>
        #include <stdio.h>
        static atomic_int cell;
        static void *work(void *unused)
        {
            unsigned char chance[8] = {0};
            FILE *file = fopen("/dev/urandom", "r");
            if (!file || fread(chance, 1, 8, file) != 8)
                return unused;
            for (int bit = 0; bit < 64; bit++)
                if (chance[bit / 8] >> bit % 8 & 1)
                    atomic_fetch_add(&cell, 1);
            return unused;
        }
        int main(void)
        {
            pthread_t t;
            pthread_create(&t, NULL, work, NULL);
            pthread_join(t, NULL);
            return 0;
        }
        "#,
    )?;
    let summary = explore(&[source], &["--budget=20runs".into()], folder.path())?.summary;
    ensure!(
        summary.approximations.contains_key("unlike-again"),
        "{summary:?}"
    );
    ensure!(!summary.complete, "{summary:?}");
    Ok(())
}

/// More threads than there are names for: the program is not told from one that cannot start them, so
/// nothing is called complete.
#[test]
fn more_threads_than_there_is_room_for() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("many.c");
    std::fs::write(
        &source,
        r#"
        #include <pthread.h>
        #include <stddef.h>
        static void *nothing(void *unused) { return unused; }
        int main(void)
        {
            for (int i = 0; i < COUNT; i++) {
                pthread_t t;
                if (pthread_create(&t, NULL, nothing, NULL) == 0)
                    pthread_join(t, NULL);
            }
            return 0;
        }
        "#,
    )?;
    let complete = |count: u32| -> Result<bool> {
        let folder = tempfile::tempdir()?;
        let flags = format!("--cflags=-DCOUNT={count}");
        let source = std::slice::from_ref(&source);
        Ok(explore(source, &[flags], folder.path())?.summary.complete)
    };
    ensure!(complete(63)?);
    ensure!(!complete(64)?);
    Ok(())
}

/// A function that is no operation of the program is told: nothing would be found of it.
#[test]
fn an_operation_that_is_none() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let output = Command::new(program()?)
        .arg("explore")
        .arg(root().join("tests/subjects/threads/calls_stack/calls_stack.c"))
        .args(["--linearizable=psh,pop", "--campaign=c"])
        .current_dir(folder.path())
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(said.contains("the program has no function `psh`"), "{said}");
    ensure!(!said.contains("`pop`, so"), "{said}");
    Ok(())
}
