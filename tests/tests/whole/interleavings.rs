//! Random small programs with threads, built and explored, against trying every interleaving and
//! every input: the same ends, and as many runs as there are executions that differ. What the plain
//! program does, now and then late, is among that, too.

use anyhow::{Context, Result, ensure};
use elsewise_campaign::{RunEnd, Store};
use elsewise_test_random::{Random, number};
use elsewise_tests::command::explore;
use elsewise_tests::compile::Compiler;
use elsewise_tests::interleavings::reference::Everything;
use elsewise_tests::interleavings::{Kind, Program};
use std::collections::BTreeSet;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// More interleavings than these are not tried.
const MOST: usize = 100_000;

/// What was compared.
#[derive(Debug, Default)]
struct Compared {
    programs: u64,
    complete: u64,
    /// Of those that are counted.
    runs: u64,
    executions: u64,
    /// Of the plain program.
    plain: u64,
}

impl Compared {
    fn program(&mut self, program: &Program, kind: Kind, random: &mut Random) -> Result<()> {
        let Some(all) = program.everything(MOST) else {
            return Ok(());
        };
        let folder = tempfile::tempdir()?;
        let source = folder.path().join("random.c");
        std::fs::write(&source, program.to_string())?;
        let mut options = vec!["--input-size=2".to_string(), "--no-checks".to_string()];
        if kind == Kind::Buffered {
            options.push("--memory-model=tso".to_string());
        }
        let sources = [source];
        let summary = explore(&sources, &options, folder.path())?.summary;
        let told = format!("{program}\n{kind:?} {summary:?}");
        self.programs += 1;
        self.complete += u64::from(summary.complete);
        // What other processes do is not followed. Who goes in circles over several places may wait at another of them
        // in another order.
        let mut reasons = summary.approximations.keys();
        let known = match kind {
            Kind::Spins => reasons.all(|word| word == "divergence" || word == "unconfirmed"),
            _ => summary.complete != all.forks,
        };
        ensure!(known, "complete or not: {told}");

        let store = Store::open_read(&folder.path().join("campaign"))?;
        let runs = store.runs(0, summary.runs)?;
        let codes: BTreeSet<i32> = runs
            .iter()
            .filter_map(|run| match run.outcome {
                RunEnd::Exit(code) => Some(code),
                _ => None,
            })
            .collect();
        let lines_of = |kinds: &[&str]| -> BTreeSet<u32> {
            let found = summary.findings.iter();
            let found = found.filter(|one| kinds.contains(&one.kind.as_str()));
            found.map(|one| one.line).collect()
        };
        let failures = all.failures.iter();
        let failures: Option<BTreeSet<u32>> = failures
            .map(|(thread, at)| program.line(*thread, *at))
            .collect();
        let failures = failures.context("a failure without a line")?;
        let found = lines_of(&["abort"]);
        let stuck = !lines_of(&["deadlock", "lost wake-up", "livelock"]).is_empty();
        ensure!(
            codes.is_subset(&all.codes),
            "{codes:?}, not {:?}: {told}",
            all.codes
        );
        ensure!(found.is_subset(&failures), "not {failures:?}: {told}");
        ensure!(all.stuck || !stuck, "not stuck: {told}");
        if summary.complete {
            ensure!(codes == all.codes, "{codes:?}, not {:?}: {told}", all.codes);
            ensure!(found == failures, "not {failures:?}: {told}");
            ensure!(stuck == all.stuck, "stuck: {told}");
        }
        let executions = all.executions.len() as u64;
        match kind {
            Kind::Buffered => ensure!(summary.runs == executions, "not {executions}: {told}"),
            // Rarely one is run twice where threads wait for ever; and a program may also end before accesses that are no
            // operations.
            Kind::Memory | Kind::Exits => {
                ensure!(summary.runs >= executions, "not {executions}: {told}")
            }
            _ => {}
        }
        if kind.is_counted() {
            if summary.runs > executions + executions / 20 + 1 {
                println!("{} runs for {executions} executions: {told}", summary.runs);
            }
            self.runs += summary.runs;
            self.executions += executions;
        }
        let program = folder.path().join("plain");
        let options = ["-O1", "-w", "-pthread", "-DDELAYS"];
        Compiler::Gcc.build(&sources, &options, &program)?;
        for _ in 0..number("ELSEWISE_PLAIN_RUNS").unwrap_or(6) {
            let input = [random.below(4) as u8, random.below(4) as u8];
            let Some(end) = plain(&program, input)? else {
                break;
            };
            ensure!(
                end.is_among(&all),
                "{end:?} of {input:?} is not among {:?}: {told}",
                all.codes
            );
            self.plain += 1;
        }
        Ok(())
    }
}

/// How a run of the plain program ended.
#[derive(Debug)]
enum End {
    Code(i32),
    Signal(i32),
}

impl End {
    fn is_among(&self, all: &Everything) -> bool {
        match self {
            End::Code(code) => all.codes.contains(code),
            End::Signal(signal) => *signal == 6 && !all.failures.is_empty(),
        }
    }
}

/// Runs the plain program, in a folder of its own; `None` if it does not end.
fn plain(program: &Path, input: [u8; 2]) -> Result<Option<End>> {
    const LONGEST: Duration = Duration::from_millis(500);
    let folder = tempfile::tempdir()?;
    let mut child = Command::new(program)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    child.stdin.take().context("no pipe")?.write_all(&input)?;
    let begun = Instant::now();
    while begun.elapsed() < LONGEST {
        if let Some(status) = child.try_wait()? {
            return Ok(match (status.code(), status.signal()) {
                (Some(code), _) => Some(End::Code(code)),
                (_, Some(signal)) => Some(End::Signal(signal)),
                _ => None,
            });
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

/// `ELSEWISE_RANDOM_THREADS` programs, from seed `ELSEWISE_RANDOM_FIRST` on.
#[test]
fn random_programs_with_threads() -> Result<()> {
    let count = number("ELSEWISE_RANDOM_THREADS").unwrap_or(10);
    compare(count, Program::new)
}

/// The same with buffered stores, `ELSEWISE_RANDOM_BUFFERS` programs.
#[test]
fn random_programs_with_buffers() -> Result<()> {
    let count = number("ELSEWISE_RANDOM_BUFFERS").unwrap_or(6);
    let kind = Kind::Buffered;
    compare(count, |random| (Program::of(random, kind), kind))
}

fn compare(count: u64, program: impl Fn(&mut Random) -> (Program, Kind)) -> Result<()> {
    let first = number("ELSEWISE_RANDOM_FIRST").unwrap_or(0);
    let mut compared = Compared::default();
    let mut wrong = 0;
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let (program, kind) = program(&mut random);
        if let Err(error) = compared.program(&program, kind, &mut random) {
            println!("seed {seed}: {error:#}");
            wrong += 1;
        }
    }
    println!("{compared:?} of {count}; the others are too large to try everything");
    ensure!(wrong == 0, "{wrong} programs do not agree");
    ensure!(
        compared.programs > count / 2,
        "only {compared:?} were small enough"
    );
    let Compared {
        runs, executions, ..
    } = compared;
    ensure!(
        runs.abs_diff(executions) * 20 <= executions,
        "{runs} runs for {executions} executions"
    );
    Ok(())
}
