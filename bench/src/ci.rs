//! `cargo measure ci`: what a pull request waits for besides exploring, when jobs of a matrix share a campaign.
//!
//! The steps of `ci/explore` and of the services around it are made with campaigns that have been explored to their end, so that
//! what they take is all overhead: packing and unpacking, building, reading the campaign, putting shards together, reports.

use crate::runner::{Clock, Missed, Session, Table};
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Seconds that a pull request may wait besides exploring.
const MOST: f64 = 120.0;

#[derive(Args)]
pub struct Options {
    /// Bytes that the subject looks at: each doubles its paths
    #[arg(long, default_value_t = 15)]
    bytes: u32,
    /// Jobs that share the campaign
    #[arg(long, default_value_t = 4)]
    shards: u32,
}

/// A folder with sources in which jobs are run one after the other.
struct Jobs {
    folder: PathBuf,
    script: PathBuf,
    path: OsString,
    bytes: u32,
}

/// What a job is told.
#[derive(Clone, Default)]
struct Told {
    budget: &'static str,
    state: String,
    shard: String,
    merge: &'static str,
    changed: bool,
}

impl Jobs {
    /// Seconds that `ci/explore` takes.
    fn run(&self, told: &Told) -> Result<f64> {
        let mut command = Command::new(&self.script);
        command
            .args(["a.c", "--no-checks"])
            .arg(format!("--input-size={}", self.bytes))
            .arg(format!(
                "--cflags=-DBYTES={} -DCHANGED={}",
                self.bytes,
                u8::from(told.changed)
            ))
            .current_dir(&self.folder)
            .env("PATH", &self.path)
            .env("ELSEWISE_BUDGET", told.budget)
            .env("ELSEWISE_STATE", &told.state)
            .env("ELSEWISE_SHARD", &told.shard)
            .env("ELSEWISE_MERGE", told.merge)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        let (seconds, status) = Clock::Wall.time(|| Ok(command.status()?))?;
        ensure!(status.success(), "{command:?} ended with {status}");
        Ok(seconds)
    }

    /// Seconds that a folder takes to pack and to unpack as services do it, and how large it is packed.
    fn pack(&self, name: &str) -> Result<(f64, f64, u64)> {
        let packed = self.folder.join("packed.tar.zst");
        let tar = |arguments: &[&str]| {
            let mut command = Command::new("tar");
            command.args(arguments).current_dir(&self.folder);
            let status = command.status().context("tar cannot be run")?;
            ensure!(status.success(), "{command:?} failed");
            Ok(())
        };
        let file = packed.to_str().context("a path")?;
        let pack = Clock::Wall.time(|| tar(&["--zstd", "-cf", file, name]))?.0;
        fs::create_dir_all(self.folder.join("unpacked"))?;
        let unpack = Clock::Wall
            .time(|| tar(&["--zstd", "-xf", file, "-C", "unpacked"]))?
            .0;
        Ok((pack, unpack, fs::metadata(&packed)?.len()))
    }
}

pub fn run(session: &Session, options: &Options) -> Result<()> {
    let engine = session.engine()?;
    let folder = engine.scratch.path().join("checkout");
    fs::create_dir_all(folder.join("bin"))?;
    fs::copy(session.harness("fleet.c"), folder.join("a.c"))?;
    let elsewise = fs::canonicalize(&engine.elsewise)?;
    std::os::unix::fs::symlink(elsewise, folder.join("bin/elsewise"))?;
    let jobs = Jobs {
        script: session.root.join("ci/explore"),
        path: path(&folder.join("bin"))?,
        bytes: options.bytes,
        folder,
    };
    // What the main branch has: a campaign of all shards, and each of them.
    let shard = |number: u32, budget| Told {
        budget,
        state: format!("shards/{number}"),
        shard: format!("{number}/{}", options.shards),
        ..Told::default()
    };
    for number in 1..=options.shards {
        jobs.run(&shard(number, "2h"))?;
    }
    let merge = |budget| Told {
        budget,
        state: "merged".to_owned(),
        merge: "shards",
        ..Told::default()
    };
    jobs.run(&merge("2h"))?;

    let (pack_shard, unpack_shard, of_shard) = jobs.pack("shards/1")?;
    let (pack, unpack, of_merged) = jobs.pack("merged")?;
    let explored = jobs.run(&shard(1, "1runs"))?;
    let merged = jobs.run(&merge("1runs"))?;
    // A change of the program: what was known is set aside, and its cases are a beginning.
    let changed = jobs.run(&Told {
        changed: true,
        ..shard(2, "1runs")
    })?;
    let alone = jobs.run(&Told {
        changed: true,
        budget: "1runs",
        state: "merged".to_owned(),
        ..Told::default()
    })?;
    let all = f64::from(options.shards);
    let mut table = Table::new("step | s");
    let mut row = |step: &str, seconds: f64| table.row(format_args!("{step} | {seconds:.1}"));
    row("a shard: unpacked from the cache", unpack_shard);
    row("a shard: built, read, gone on with", explored);
    row("the same of a changed program", changed);
    row(
        "a shard: packed for the cache and for the job that merges",
        2.0 * pack_shard,
    );
    row(
        "the job that merges: unpacks shards and cache",
        all * unpack_shard + unpack,
    );
    row("the job that merges: built, put together, reports", merged);
    row("the job that merges: packed for the cache", pack);
    let total = unpack_shard
        + explored.max(changed)
        + 2.0 * pack_shard
        + all * unpack_shard
        + unpack
        + merged
        + pack;
    row("all that a pull request waits for", total);
    let single = unpack + alone + pack;
    row("one job without shards, of a changed program", single);
    table.print("");
    println!(
        "{} paths in {} shards; packed, a shard has {:.1} MB and all of them together {:.1} MB",
        1_u64 << options.bytes,
        options.shards,
        of_shard as f64 / 1e6,
        of_merged as f64 / 1e6
    );
    let mut missed = Missed::default();
    missed.unless(
        total <= MOST,
        format_args!("{total:.0} s of at most {MOST:.0} s"),
    );
    missed.none("a pull request waits too long")
}

/// With a folder of programs before all others.
fn path(first: &Path) -> Result<OsString> {
    let others = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(first.to_owned()).chain(std::env::split_paths(&others));
    Ok(std::env::join_paths(all)?)
}
