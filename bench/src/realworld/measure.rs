//! One library measured: Elsewise, AFL++, the one after the other, and the branches that each reached.

use super::build::{LibraryFolder, Variant};
use crate::compile::{empty, output, succeed};
use crate::engine::{Engine, summary};
use anyhow::{Context, Result, ensure};
use elsewise_campaign::Summary;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// So many inputs of AFL++ are handed on to Elsewise, none longer than this.
const HANDED_ON: usize = 200;
const LONGEST: u64 = 4096;

/// What to do where AFL++ is not there.
pub const NO_FUZZER: &str = "afl-fuzz cannot be run: apt-get install afl++";

/// The file with the figures of a library, among its runs.
const KEPT: &str = "measured.json";

#[derive(Serialize, Deserialize)]
pub struct Measured {
    /// Seconds for which each of the three went on.
    time: u64,
    pub elsewise: Explored,
    pub afl: Fuzzed,
    pub both: Explored,
    /// All branches of the library.
    pub total: u64,
}

#[derive(Serialize, Deserialize)]
pub struct Explored {
    pub summary: Summary,
    pub branches: u64,
}

#[derive(Serialize, Deserialize)]
pub struct Fuzzed {
    pub runs_per_second: f64,
    pub crashes: usize,
    pub branches: u64,
}

/// What was measured before for so long, if it was.
pub fn before(place: &LibraryFolder, time: u64) -> Option<Measured> {
    let text = fs::read(place.folder.join("runs").join(KEPT)).ok()?;
    let measured: Measured = serde_json::from_slice(&text).ok()?;
    (measured.time == time).then_some(measured)
}

pub fn measure(engine: &Engine, place: &LibraryFolder, time: u64) -> Result<Measured> {
    let subject = place.build(engine, Variant::Elsewise)?;
    let fuzzed = place.build(engine, Variant::Afl)?;
    let comparisons = place.build(engine, Variant::AflComparisons)?;
    let counted = place.build(engine, Variant::Coverage)?;
    let runs = place.folder.join("runs");
    empty(&runs)?;
    let seeds = runs.join("seeds");
    fs::create_dir_all(&seeds)?;
    fs::write(seeds.join("seed"), place.seed)?;

    let campaign = runs.join("elsewise");
    let summary = explore(engine, &subject, &seeds, time, &campaign)?;
    let (branches, total) = coverage(&counted, &inputs(&campaign, &runs.join("inputs"))?, &runs)?;
    let elsewise = Explored { summary, branches };

    let whole = runs.join("afl");
    let mut afl = fuzz(&fuzzed, &comparisons, &seeds, time, &whole)?;
    (afl.branches, _) = coverage(&counted, &queue(&whole), &runs)?;

    // What AFL++ had after half the time, as the names in its queue say.
    let half = runs.join("afl-half");
    first_half(&whole, &half, Duration::from_secs(time) / 2)?;
    let handed = runs.join("handed-on");
    hand_on(&half, &handed)?;
    let campaign = runs.join("both");
    let summary = explore(engine, &subject, &handed, time / 2, &campaign)?;
    let mut all = inputs(&campaign, &runs.join("inputs-both"))?;
    all.extend(queue(&half));
    let (branches, _) = coverage(&counted, &all, &runs)?;
    let measured = Measured {
        time,
        elsewise,
        afl,
        both: Explored { summary, branches },
        total,
    };
    fs::write(runs.join(KEPT), serde_json::to_vec_pretty(&measured)?)?;
    Ok(measured)
}

fn explore(
    engine: &Engine,
    subject: &Path,
    seeds: &Path,
    time: u64,
    campaign: &Path,
) -> Result<Summary> {
    let mut command = engine.explore_in(campaign, subject);
    command.arg("--seeds").arg(seeds);
    summary(command.args(["--jobs=1", &format!("--budget={time}s")]))
}

/// The cases of a campaign that reached something new, and those of its findings, as plain files.
fn inputs(campaign: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(folder)?;
    for kind in ["cases", "findings"] {
        for entry in fs::read_dir(campaign.join(kind))? {
            let entry = entry?;
            let case = entry.path().join("stdin");
            if case.is_file() {
                let name = format!("{kind}-{}", entry.file_name().display());
                fs::copy(case, folder.join(name))?;
            }
        }
    }
    Ok(vec![folder.to_path_buf()])
}

/// An instance of AFL++ that writes below a folder.
pub fn fuzzer(
    program: &Path,
    comparisons: &Path,
    seeds: &Path,
    folder: &Path,
    options: &[&str],
) -> Command {
    let mut command = Command::new("afl-fuzz");
    command.arg("-i").arg(seeds).arg("-o").arg(folder);
    command.arg("-c").arg(comparisons);
    command.args(options).arg("--").arg(program);
    for name in [
        "AFL_SKIP_CPUFREQ",
        "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES",
        "AFL_NO_UI",
        "AFL_NO_AFFINITY",
    ] {
        command.env(name, "1");
    }
    command
}

fn fuzz(
    program: &Path,
    comparisons: &Path,
    seeds: &Path,
    time: u64,
    folder: &Path,
) -> Result<Fuzzed> {
    let log = folder.with_extension("log");
    let file = fs::File::create(&log)?;
    let time = time.to_string();
    let status = fuzzer(program, comparisons, seeds, folder, &["-V", &time])
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file)
        .status()
        .context(NO_FUZZER)?;
    end_all(program)?;
    end_all(comparisons)?;
    ensure!(status.success(), "afl-fuzz failed: see {}", log.display());
    let text = fs::read_to_string(folder.join("default/fuzzer_stats"))?;
    Ok(Fuzzed {
        runs_per_second: stat(&text, "execs_per_sec").context("afl-fuzz says no speed")?,
        crashes: stat(&text, "saved_crashes").unwrap_or(0.0) as usize,
        branches: 0,
    })
}

/// Ends the processes of a program that afl-fuzz has left behind, in sessions of their own.
pub fn end_all(program: &Path) -> Result<()> {
    for entry in fs::read_dir("/proc")? {
        let entry = entry?;
        let id = entry.file_name().to_string_lossy().parse::<i32>();
        if let (Ok(id), Ok(file)) = (id, fs::read_link(entry.path().join("exe")))
            && file == program
        {
            // SAFETY: a signal to a process that runs an executable of this measurement.
            unsafe { libc::kill(id, libc::SIGKILL) };
        }
    }
    Ok(())
}

/// A figure of `fuzzer_stats`, whose lines are `name   : value`.
pub fn stat(text: &str, name: &str) -> Option<f64> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().parse().ok())?
    })
}

fn queue(folder: &Path) -> Vec<PathBuf> {
    ["queue", "crashes"]
        .map(|name| folder.join("default").join(name))
        .into()
}

/// The inputs that AFL++ had found by a time: its files are named `id:…,time:MILLISECONDS,…`.
fn first_half(fuzzed: &Path, folder: &Path, until: Duration) -> Result<()> {
    for (from, to) in queue(fuzzed).iter().zip(queue(folder)) {
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let found = name.split(',').find_map(|part| part.strip_prefix("time:"));
            let Some(found) = found.and_then(|time| time.parse().ok()) else {
                continue;
            };
            if Duration::from_millis(found) <= until {
                fs::copy(entry.path(), to.join(name))?;
            }
        }
    }
    Ok(())
}

/// Inputs for Elsewise out of the queue of AFL++: those that brought new coverage first.
fn hand_on(fuzzed: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let mut found = Vec::new();
    for entry in fs::read_dir(fuzzed.join("default/queue"))? {
        let entry = entry?;
        let about = entry.metadata()?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if about.is_file() && about.len() <= LONGEST {
            found.push((!name.ends_with(",+cov"), name, entry.path()));
        }
    }
    found.sort();
    for (number, (_, _, path)) in found.iter().take(HANDED_ON).enumerate() {
        fs::copy(path, folder.join(format!("{number:03}")))?;
    }
    Ok(())
}

/// Branches of the library that the inputs in these folders reach, and all of them.
fn coverage(program: &Path, folders: &[PathBuf], scratch: &Path) -> Result<(u64, u64)> {
    let mut coverage = Coverage::new(program, scratch);
    coverage.add(folders)?;
    coverage.branches()
}

/// What inputs reach in the plain library, counted by llvm-cov.
pub struct Coverage<'a> {
    program: &'a Path,
    scratch: &'a Path,
    /// What was counted, one file for each time that inputs were added.
    raw: Vec<PathBuf>,
}

impl<'a> Coverage<'a> {
    /// `program` is that of [`Variant::Coverage`]; files of its own are left in `scratch`.
    pub fn new(program: &'a Path, scratch: &'a Path) -> Coverage<'a> {
        Coverage {
            program,
            scratch,
            raw: Vec::new(),
        }
    }

    /// Runs the inputs in these folders.
    pub fn add(&mut self, folders: &[PathBuf]) -> Result<()> {
        let raw = format!("coverage-{}.profraw", self.raw.len());
        let raw = self.scratch.join(raw);
        if raw.exists() {
            fs::remove_file(&raw)?;
        }
        // %c: counters are mapped, so that all the processes of a replay add to them.
        let pattern = format!("{}%c", raw.display());
        let mut replay = Command::new(self.program);
        succeed(replay.args(folders).env("LLVM_PROFILE_FILE", pattern))?;
        self.raw.push(raw);
        Ok(())
    }

    /// Branches that all of them reach, and all that there are.
    pub fn branches(&self) -> Result<(u64, u64)> {
        let merged = self.scratch.join("coverage.profdata");
        let mut merge = Command::new("llvm-profdata-22");
        merge.args(["merge", "-sparse", "-o"]).arg(&merged);
        succeed(merge.args(&self.raw))?;
        let mut export = Command::new("llvm-cov-22");
        export.args(["export", "-summary-only", "-instr-profile"]);
        let said: Value = serde_json::from_str(&output(export.arg(&merged).arg(self.program))?)?;
        let branches = &said["data"][0]["totals"]["branches"];
        let figure = |name: &str| branches[name].as_u64().context("no branches counted");
        Ok((figure("covered")?, figure("count")?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_afl() {
        let text = "execs_done        : 120\nexecs_per_sec     : 60.50\n";
        assert_eq!(stat(text, "execs_per_sec"), Some(60.5));
        assert_eq!(stat(text, "execs"), None);
    }

    #[test]
    fn the_first_half_of_a_queue() {
        let folder = tempfile::tempdir().unwrap();
        let (whole, half) = (folder.path().join("whole"), folder.path().join("half"));
        for (of, name) in [
            ("queue", "id:000000,time:0,execs:0,orig:seed"),
            ("queue", "id:000001,src:000000,time:999,op:havoc,+cov"),
            ("queue", "id:000002,src:000000,time:1001,op:havoc,+cov"),
            ("queue", "README"),
            ("crashes", "id:000000,sig:06,src:000001,time:1000,op:havoc"),
        ] {
            let at = whole.join("default").join(of);
            fs::create_dir_all(&at).unwrap();
            fs::write(at.join(name), name).unwrap();
        }
        first_half(&whole, &half, Duration::from_secs(1)).unwrap();
        let count = |of: &PathBuf| fs::read_dir(of).unwrap().count();
        assert_eq!(queue(&half).iter().map(count).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn what_brought_coverage_is_handed_on_first() {
        let folder = tempfile::tempdir().unwrap();
        let queue = folder.path().join("default/queue");
        fs::create_dir_all(&queue).unwrap();
        fs::write(queue.join("id:000000,time:0"), "old").unwrap();
        fs::write(queue.join("id:000001,time:1,+cov"), "new").unwrap();
        fs::write(queue.join("id:000002,time:2,+cov"), vec![0; 5000]).unwrap();
        let handed = folder.path().join("handed");
        hand_on(folder.path(), &handed).unwrap();
        assert_eq!(fs::read(handed.join("000")).unwrap(), b"new");
        assert_eq!(fs::read(handed.join("001")).unwrap(), b"old");
        assert!(!handed.join("002").exists());
    }
}
