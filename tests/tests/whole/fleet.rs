//! What several members explore together over a NATS server is what one explores: the same paths, findings
//! and verdict, for random programs of all kinds.

use anyhow::{Context, Result, ensure};
use elsewise_cluster::server::Server;
use elsewise_test_random::{Random, number};
use elsewise_tests::brute::Truth;
use elsewise_tests::command::{Exploration, explore, explore_with, program};
use elsewise_tests::compile::Compiler;
use elsewise_tests::decisions::Decision;
use elsewise_tests::generator;
use elsewise_tests::interleavings::{Kind, Program};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Programs with fewer paths are over before a second member has begun; those with more take too long here.
const PATHS: std::ops::RangeInclusive<u64> = 40..=1500;

/// Milliseconds that a query may take: the verdict must not depend on how busy the machine is.
pub const QUERY: u64 = 120_000;

/// What must not depend on who explored it.
#[derive(Debug, PartialEq)]
pub struct Tree {
    pub paths: u64,
    pub complete: bool,
    pub findings: BTreeSet<(String, String, u32)>,
    sides: (u64, u64),
    approximations: BTreeSet<String>,
}

impl Tree {
    pub fn of(explored: &Exploration) -> Tree {
        let summary = &explored.summary;
        Tree {
            paths: summary.paths,
            complete: summary.complete,
            findings: summary
                .findings
                .iter()
                .map(|one| (one.kind.clone(), one.file.clone(), one.line))
                .collect(),
            sides: (summary.branch_sides.reached, summary.branch_sides.total),
            approximations: summary.approximations.keys().cloned().collect(),
        }
    }
}

/// Everything that was compared.
#[derive(Debug, Default)]
struct Compared {
    /// Campaigns that were begun: each has a name of its own.
    begun: u64,
    programs: u64,
    members: usize,
    portions: u64,
    complete: u64,
    findings: usize,
}

impl Compared {
    /// Explores alone, and with others; what came of it.
    fn explore(
        &mut self,
        server: &Server,
        sources: &[PathBuf],
        options: &[&str],
        members: usize,
    ) -> Result<Tree> {
        let folder = tempfile::tempdir()?;
        let mut options: Vec<String> = options.iter().map(ToString::to_string).collect();
        options.push(format!("--query-timeout={QUERY}"));
        let alone = Tree::of(&explore(sources, &options, folder.path())?);
        self.begun += 1;
        let place = format!("{}/c{}", server.address(), self.begun);
        let in_fleet = [options, vec![format!("--fleet={place}")]].concat();
        let folder = folder.path();
        let (together, portions) = std::thread::scope(|scope| {
            let workers: Vec<_> = (1..members)
                .map(|_| scope.spawn(|| worker(&place, folder, |_| ())))
                .collect();
            // In the same folder as the others: what is built there must be the same.
            let own = folder.join("fleet");
            let together = fs::create_dir(&own).map_err(Into::into).and_then(|()| {
                explore_with(sources, &in_fleet, &own, |command| {
                    command.current_dir(folder);
                })
            });
            let portions = workers.into_iter().map(|worker| match worker.join() {
                Ok(portions) => portions,
                Err(_) => anyhow::bail!("a worker panicked"),
            });
            (together, portions.sum::<Result<u64>>())
        });
        let together = Tree::of(&together?);
        ensure!(
            together == alone,
            "{members} members: {together:?}\nalone: {alone:?}"
        );
        self.programs += 1;
        self.members += members;
        self.portions += portions?;
        self.complete += u64::from(alone.complete);
        self.findings += alone.findings.len();
        Ok(together)
    }
}

/// Portions that a worker has explored, that was started with something changed.
pub fn worker(place: &str, folder: &Path, prepare: impl FnOnce(&mut Command)) -> Result<u64> {
    let mut command = Command::new(program()?);
    command
        .args([
            "worker", "--join", place, "--budget", "300s", "--quiet", "--trust",
        ])
        .current_dir(folder)
        .stdin(Stdio::null());
    prepare(&mut command);
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let wrong = || format!("{said}{}", String::from_utf8_lossy(&output.stderr));
    ensure!(output.status.success(), wrong());
    let portions = said
        .split(' ')
        .next()
        .and_then(|number| number.replace(',', "").parse().ok());
    portions.with_context(wrong)
}

fn soaks() -> bool {
    number("ELSEWISE_RANDOM_FLEET").is_some()
}

/// `ELSEWISE_RANDOM_FLEET` programs of a kind, from seed `ELSEWISE_RANDOM_FIRST` on, with two to eight members; a
/// program that is too large or too small is none.
fn compare(one: impl Fn(&mut Compared, &Server, u64, &Path, usize) -> Result<()>) -> Result<()> {
    let wanted = number("ELSEWISE_RANDOM_FLEET");
    let (count, most) = wanted.map_or((1, 3), |count| (count, 8));
    let first = number("ELSEWISE_RANDOM_FIRST").unwrap_or(0);
    let server = Server::start();
    let mut compared = Compared::default();
    let mut wrong = Vec::new();
    for seed in first..first + 40 * count {
        if compared.programs + wrong.len() as u64 == count {
            break;
        }
        let folder = tempfile::tempdir()?;
        let members = 2 + (seed % (most - 1)) as usize;
        let before = compared.programs;
        match one(&mut compared, &server, seed, folder.path(), members) {
            Ok(()) if compared.programs == before => {}
            Ok(()) => println!("seed {seed}: {members} members"),
            Err(error) => {
                println!("seed {seed}: {error:#}");
                wrong.push(format!("seed {seed}: {error:#}"));
            }
        }
    }
    println!("{compared:?}");
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    ensure!(compared.programs == count, "{compared:?} of {count}");
    Ok(())
}

#[test]
fn random_programs() -> Result<()> {
    compare(|compared, server, seed, folder, members| {
        let program = generator::program(seed);
        let truth = Truth::of(&program, Compiler::Gcc, &["-O0"], folder)?;
        let paths = truth.paths().len() as u64;
        if !PATHS.contains(&paths) {
            return Ok(());
        }
        let source = folder.join(format!("program{seed}.c"));
        let size = format!("--input-size={}", program.bytes);
        let tree = compared.explore(server, &[source], &[&size, "--cflags=-w"], members)?;
        ensure!(
            tree.complete && tree.paths == paths,
            "{tree:?}, {paths} paths"
        );
        Ok(())
    })
}

/// Bytes that a program with threads looks at besides its own: what members divide is inputs.
const MORE: u32 = 4;

fn with_more_inputs(program: &str) -> Result<String> {
    let reads = "    if (read(0, in, 2) != 2)";
    ensure!(program.matches(reads).count() == 1, "{program}");
    let more = format!(
        "    unsigned char more[{MORE}];\n    volatile int many = 0;\n    \
         if (read(0, more, {MORE}) != {MORE})\n        return 64;\n    \
         for (int i = 0; i < {MORE}; i++)\n        if (more[i] > 'm')\n            many++;\n"
    );
    Ok(program.replace(reads, &(more + reads)))
}

#[test]
fn random_programs_with_threads() -> Result<()> {
    compare(|compared, server, seed, folder, members| {
        let (program, kind) = Program::new(&mut Random::new(seed));
        let all = program.everything(20_000);
        let counted = all.filter(|all| kind == Kind::Memory && !all.forks);
        let Some(executions) = counted.map(|all| all.executions.len() as u64) else {
            return Ok(());
        };
        if !PATHS.contains(&(executions << MORE)) {
            return Ok(());
        }
        let source = folder.join("random.c");
        fs::write(&source, with_more_inputs(&program.to_string())?)?;
        let size = format!("--input-size={}", 2 + MORE);
        let tree = compared.explore(server, &[source], &[&size, "--no-checks"], members)?;
        let enough = tree.paths >= executions << MORE;
        ensure!(tree.complete && enough, "{tree:?}, {executions} executions");
        Ok(())
    })
}

/// Decisions as functions of a language.
fn decisions(name: &str, entry: &str, text: impl Fn(&Decision) -> String) -> Result<()> {
    compare(|compared, server, seed, folder, members| {
        // Where there is time, so much to do that all members have some of it.
        let depth = if soaks() { 9 } else { 7 };
        let decision = Decision::new(&mut Random::new(seed), depth);
        let paths = decision.paths();
        if !PATHS.contains(&paths) {
            return Ok(());
        }
        let source = folder.join(name);
        fs::write(&source, text(&decision))?;
        let target = PathBuf::from(format!("{}::{entry}", source.display()));
        let tree = compared.explore(server, &[target], &[], members)?;
        ensure!(
            tree.complete && tree.paths == paths,
            "{tree:?}, {paths} paths"
        );
        Ok(())
    })
}

#[test]
fn random_functions_of_erlang() -> Result<()> {
    decisions("decision.erl", "f/6", Decision::erlang)
}

#[test]
fn random_predicates_of_prolog() -> Result<()> {
    decisions("decision.pl", "f/7", Decision::prolog)
}
