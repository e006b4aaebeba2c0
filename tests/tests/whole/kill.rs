//! A campaign that is killed at any moment loses nothing: what a run has finished is in the store,
//! findings stay, and the exploration that goes on ends where an undisturbed one does.
//! The machines that Erlang and Prolog run in end with it.

use anyhow::{Context, Result, ensure};
use elsewise_campaign::Store;
use elsewise_test_random::{Random, number};
use elsewise_tests::command::{Summary, program};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Inputs of runs in order; findings by kind and line.
type Stored = (Vec<Vec<u8>>, BTreeSet<(String, u32)>);

const KILLS: usize = 50;

/// Bytes of the input, of which each is above its limit or not: 13 are some 8,000 paths.
fn bytes() -> usize {
    number("ELSEWISE_KILLED_BITS").map_or(9, |bytes| bytes as usize)
}

/// Two of its paths fail. Each run that ends writes its input to the file named by the
/// first argument: the truth about which runs there were, kept outside of the engine.
const SOURCE: &str = r#"
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    unsigned char b[BYTES];
    int log = open(argv[1], O_WRONLY | O_APPEND | O_CREAT, 0644);
    if (argc < 2 || log < 0 || read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 99;
    int above = 0;
    for (int i = 0; i < (int)sizeof b; i++)
        if (b[i] > 100 + i)
            above++;
    write(log, b, sizeof b);
    assert(above != BYTES);
    if (above == BYTES - 1 && b[3] == 7)
        *(volatile int *)0 = 1;
    return above;
}
"#;

struct Campaign<'a> {
    folder: &'a Path,
    name: &'a str,
}

impl Campaign<'_> {
    fn command(&self) -> Result<Command> {
        let mut command = Command::new(program()?);
        command
            .args(["explore", "./subject", "--quiet", "--format", "json"])
            .arg(format!("--input-size={}", bytes()))
            .args(["--campaign", self.name, "--"])
            .arg(format!("{}.log", self.name))
            .current_dir(self.folder)
            .stdin(Stdio::null())
            .stderr(Stdio::piped());
        Ok(command)
    }

    fn finish(&self) -> Result<Summary> {
        let output = self.command()?.output()?;
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("no summary: {}", String::from_utf8_lossy(&output.stderr)))
    }

    /// Inputs of the runs that have ended, in order.
    fn logged(&self) -> Result<Vec<Vec<u8>>> {
        let path = self.folder.join(format!("{}.log", self.name));
        let log = if path.exists() {
            std::fs::read(path)?
        } else {
            Vec::new()
        };
        Ok(log.chunks_exact(bytes()).map(<[u8]>::to_vec).collect())
    }

    /// Inputs of the runs in the store, and its findings.
    fn stored(&self) -> Result<Stored> {
        let store = Store::open_read(&self.folder.join(self.name))?;
        let inputs = (0..store.run_count()?)
            .map(|run| Ok(store.case(run)?.inputs.remove("stdin").unwrap_or_default()))
            .collect::<Result<_>>()?;
        let findings = store
            .findings()?
            .into_iter()
            .map(|f| (f.kind, f.line))
            .collect();
        Ok((inputs, findings))
    }
}

#[test]
fn fifty_kills_lose_nothing() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    std::fs::write(folder.join("subject.c"), SOURCE)?;
    let status = Command::new(program()?.with_file_name("elsewise-cc"))
        .args(["-w", "subject.c", "-o", "subject"])
        .arg(format!("-DBYTES={}", bytes()))
        .current_dir(folder)
        .status()?;
    ensure!(status.success(), "the subject does not build");

    let undisturbed = Campaign {
        folder,
        name: "undisturbed",
    };
    let began = Instant::now();
    let expected = undisturbed.finish()?;
    // A slow machine gets as far between two kills as a quick one.
    let mut longest = began.elapsed() / 25 + Duration::from_millis(40);
    // A side for each byte, and one path more where the one byte that is not above is also 7.
    let paths = (1 << bytes()) + 1;
    ensure!(expected.complete && expected.paths == paths, "{expected:?}");

    let killed = Campaign {
        folder,
        name: "killed",
    };
    let mut random = Random::new(4);
    let mut before: Vec<Vec<u8>> = Vec::new();
    let mut found = BTreeSet::new();
    for kill in 0..KILLS {
        let mut child = killed
            .command()?
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        // From before the store is made to some hundred runs later.
        std::thread::sleep(longest.mul_f64(random.below(1_000) as f64 / 1_000.0));
        child.kill()?;
        child.wait()?;
        // A machine that has become slower since gets more time.
        if before.len() <= kill {
            longest = (longest * 5 / 4).min(Duration::from_secs(5));
        }
        // A run may go on for a moment after its engine has gone; it is in flight, not finished.
        std::thread::sleep(Duration::from_millis(5));
        if !folder.join("killed/campaign.db").exists() {
            continue;
        }
        let (runs, findings) = killed
            .stored()
            .with_context(|| format!("after kill {kill}"))?;
        ensure!(
            runs.starts_with(&before),
            "kill {kill}: finished runs are missing"
        );
        ensure!(
            findings.is_superset(&found),
            "kill {kill}: findings are missing"
        );
        (before, found) = (runs, findings);
    }
    let stored: BTreeSet<_> = before.iter().cloned().collect();
    let missing = killed
        .logged()?
        .into_iter()
        .filter(|input| !stored.contains(input));
    let missing: BTreeSet<_> = missing.collect();
    ensure!(
        missing.len() <= KILLS,
        "{} runs that ended are missing, more than can have been in flight",
        missing.len()
    );
    ensure!(
        before.len() > KILLS,
        "only {} runs between the kills",
        before.len()
    );

    let resumed = killed.finish()?;
    let (runs, findings) = killed.stored()?;
    ensure!(
        runs.starts_with(&before),
        "the resumed campaign forgot runs"
    );
    ensure!(findings == undisturbed.stored()?.1, "{findings:?}");
    ensure!(
        resumed.complete && resumed.paths == expected.paths,
        "{} paths, complete: {}; undisturbed: {}",
        resumed.paths,
        resumed.complete,
        expected.paths
    );
    Ok(())
}

/// Variable that has namespaces denied.
const WITHOUT: &str = "ELSEWISE_WITHOUT_NAMESPACES";

/// What stands in `/proc` of a process: its name, its state and its parent.
fn stat(process: &str) -> Option<(String, String, u32)> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (name, rest) = text.split_once('(')?.1.rsplit_once(')')?;
    let mut rest = rest.split_whitespace();
    Some((name.into(), rest.next()?.into(), rest.next()?.parse().ok()?))
}

/// A process that a process has started, or whoever keeps it.
fn machine_of(engine: u32, name: &str) -> Option<String> {
    let all = std::fs::read_dir("/proc").ok()?;
    let mut names = all.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let parent = |process: u32| stat(&process.to_string()).map(|found| found.2);
    names.find(|process| match stat(process) {
        Some((found, _, keeper)) if found == name => {
            keeper == engine || parent(keeper) == Some(engine)
        }
        _ => false,
    })
}

fn wait_for<T>(seconds: u64, mut what: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + Duration::from_secs(seconds);
    loop {
        match what() {
            None if Instant::now() < end => std::thread::sleep(Duration::from_millis(20)),
            found => return found,
        }
    }
}

/// The call does not end, so that whoever serves it does not see that nobody listens any more.
fn machine_ends_with_the_engine(
    target: &str,
    options: &[&str],
    source: &str,
    machine: &str,
) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let begun = folder.path().join("begun");
    let allow = format!("--allow-write={}", folder.path().display());
    for how in [
        &[allow.as_str()][..],
        &[allow.as_str(), WITHOUT],
        &["--no-containment"],
    ] {
        let _ = std::fs::remove_file(&begun);
        let (file, _) = target.split_once("::").context("a file is named")?;
        let source = source.replace("BEGUN", &begun.to_string_lossy());
        std::fs::write(folder.path().join(file), source)?;
        let (flags, without): (Vec<&str>, Vec<&str>) =
            how.iter().partition(|flag| **flag != WITHOUT);
        let mut command = Command::new(program()?);
        command
            .args([
                "explore",
                target,
                "--quiet",
                "--fresh",
                "--timeout",
                "600000",
            ])
            .args(options)
            .args(flags)
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if !without.is_empty() {
            command.env(WITHOUT, "1");
        }
        let mut engine = command.spawn()?;
        let begins = wait_for(40, || begun.exists().then_some(()));
        let child = machine_of(engine.id(), machine);
        engine.kill()?;
        engine.wait()?;
        begins.with_context(|| format!("{how:?}: the call is not made"))?;
        let child = child.with_context(|| format!("{how:?}: no {machine} is there"))?;
        let ended = wait_for(15, || match stat(&child) {
            Some((name, state, _)) if name == machine && state != "Z" => None,
            _ => Some(()),
        });
        if ended.is_none() {
            Command::new("kill").args(["-9", &child]).status()?;
        }
        ended.with_context(|| format!("{how:?}: {machine} stays"))?;
    }
    Ok(())
}

#[test]
fn the_erlang_machine_ends_with_the_engine() -> Result<()> {
    let source = "-module(spin).\n-export([spin/1]).\n-spec spin(integer()) -> integer().\n\
                  spin(7) -> file:write_file(\"BEGUN\", \"\"), forever();\nspin(_) -> 0.\n\
                  forever() -> forever().\n";
    machine_ends_with_the_engine("spin.erl::spin/1", &[], source, "beam.smp")
}

#[test]
fn the_prolog_machine_ends_with_the_engine() -> Result<()> {
    let source = "%! spin(+X:integer) is det.\n\
                  spin(7) :- !, open('BEGUN', write, S), close(S), repeat, fail.\nspin(_).\n";
    machine_ends_with_the_engine(
        "spin.pl::spin/1",
        &["--max-inferences=100000000000"],
        source,
        "swipl",
    )
}
