//! `cargo measure fleet`: what several workers of one process and several processes gain, on a subject whose runs take
//! about a millisecond.

use crate::engine::{Engine, summary};
use crate::runner::{Missed, Session, Table, in_turns};
use anyhow::{Context, Result, ensure};
use clap::Args;
use elsewise_cluster::server::Server;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Paths per second of two workers, of one's.
const TWO: f64 = 1.9;
/// Time of members that meet at a server, of that of as many workers in one process.
const SERVER: f64 = 1.1;
const MANY: usize = 8;

#[derive(Args)]
pub struct Options {
    /// Bytes that the subject looks at: each doubles its paths
    #[arg(long, default_value_t = 15)]
    bytes: u32,
    /// Each is measured so often, and the least time counts
    #[arg(long, default_value_t = 2)]
    rounds: usize,
}

/// The ways in which it is explored.
const WAYS: [&str; 4] = [
    "one worker",
    "two workers",
    "eight workers",
    "eight members at a server",
];

pub fn run(session: &Session, options: &Options) -> Result<()> {
    let engine = session.engine()?;
    let subject = session.harness("fleet.c");
    let paths = 1_u64 << options.bytes;
    let server = Server::start();
    let mut campaigns = 0;
    let explore = |jobs: usize, fleet: Option<&str>| {
        let mut command = engine.explore(&subject);
        let size = format!("--input-size={}", options.bytes);
        let flags = format!("--cflags=-DBYTES={}", options.bytes);
        let jobs = format!("--jobs={jobs}");
        command.args([size, flags, "--no-checks".into(), jobs]);
        if let Some(place) = fleet {
            command.args(["--fleet", place]);
        }
        command.current_dir(engine.scratch.path());
        let begun = Instant::now();
        let summary = summary(&mut command)?;
        ensure!(summary.complete, "{:?}", summary.approximations);
        ensure!(summary.paths == paths, "{} of {paths} paths", summary.paths);
        Ok(begun.elapsed().as_secs_f64())
    };
    // What is compiled is kept.
    explore(2, None)?;
    let least: [f64; WAYS.len()] = in_turns(options.rounds, |way| match way {
        0 => explore(1, None),
        1 => explore(2, None),
        2 => explore(MANY, None),
        _ => {
            campaigns += 1;
            let place = format!("{}/c{campaigns}", server.address());
            let workers: Result<Vec<_>> = (1..MANY).map(|_| worker(&engine, &place)).collect();
            let seconds = explore(1, Some(&place));
            for mut worker in workers? {
                ensure!(worker.wait()?.success(), "a worker failed");
            }
            seconds
        }
    })?;
    let mut table = Table::new("who | s | paths per s | ");
    let mut missed = Missed::default();
    let [one, two, many, members] = least;
    let verdicts = [
        "",
        missed.unless(one / two >= TWO, "two workers"),
        "",
        missed.unless(members / many <= SERVER, "eight members"),
    ];
    for ((way, seconds), verdict) in WAYS.iter().zip(least).zip(verdicts) {
        let rate = paths as f64 / seconds;
        table.row(format_args!("{way} | {seconds:.1} | {rate:.0} | {verdict}"));
    }
    table.print("");
    println!(
        "two workers have {:.2} times the paths per second of one (wanted: {TWO}); eight members need \
         {:.2} times the time of eight workers (wanted: at most {SERVER})",
        one / two,
        members / many
    );
    missed.none("slower than wanted")
}

fn worker(engine: &Engine, place: &str) -> Result<std::process::Child> {
    Command::new(&engine.elsewise)
        .args(["worker", "--join", place, "--quiet", "--trust", "--jobs=1"])
        .current_dir(engine.scratch.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .context("a worker cannot be started")
}
