//! `cargo measure pair`: Elsewise beside AFL++ on two cores, against two instances of AFL++ and two workers of Elsewise.
//!
//! Each instance has a core's worth of processor time, and is stopped when it has used that: on a machine that has other
//! things to do nobody has more of it for that. Branches are those that llvm-cov counts in the plain library over all
//! inputs that were kept.

mod kept;
mod race;

use crate::compile::empty;
use crate::engine::{Engine, target};
use crate::picture::{Axis, Line, draw};
use crate::realworld::{self, LibraryFolder, NO_FUZZER, Variant, end_all, fuzzer, stat};
use crate::runner::{Missed, Session, Table, chosen, seconds};
use anyhow::{Context, Result};
use elsewise_campaign::Summary;
use kept::{Curve, Inputs};
use race::{Instance, Raced, race};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Of three kinds: a text with a grammar and keywords, of which most is refused; a binary format with sums and codes of its
/// own; and a text of which nothing is refused, so that all of it is gone through by every input.
const LIBRARIES: [&str; 3] = ["expat", "zlib", "cmark"];

/// So many times as long as the processor time that is given may pass on the clock.
const PATIENCE: u32 = 6;

/// Who uses the two cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Team {
    Pair,
    TwoFuzzers,
    TwoWorkers,
}

const TEAMS: [Team; 3] = [Team::Pair, Team::TwoFuzzers, Team::TwoWorkers];

impl Team {
    fn title(self) -> &'static str {
        match self {
            Team::Pair => "AFL++ and Elsewise",
            Team::TwoFuzzers => "two AFL++",
            Team::TwoWorkers => "two Elsewise",
        }
    }

    /// Its folder's name.
    fn name(self) -> &'static str {
        match self {
            Team::Pair => "pair",
            Team::TwoFuzzers => "fuzzers",
            Team::TwoWorkers => "workers",
        }
    }

    fn fuzzers(self) -> &'static [&'static str] {
        match self {
            Team::Pair => &["one"],
            Team::TwoFuzzers => &["one", "two"],
            Team::TwoWorkers => &[],
        }
    }

    fn workers(self) -> u32 {
        2 - self.fuzzers().len() as u32
    }
}

#[derive(clap::Args)]
pub struct Options {
    /// Processor time of each core, for each library and each of the three teams
    #[arg(long, value_parser = seconds, default_value = "15m")]
    time: u64,
    /// Keep figures of earlier measurements that took the same time
    #[arg(long)]
    resume: bool,
    names: Vec<String>,
}

/// What a team did with a library.
#[derive(Serialize, Deserialize)]
struct Measured {
    /// Seconds of each core that it had.
    time: u64,
    raced: Raced,
    /// Branches reached over the processor time of both cores.
    curve: Curve,
    /// All branches of the library.
    total: u64,
    /// Of Elsewise: its runs, and what it has given to AFL++.
    runs: u64,
    given: usize,
    /// Of AFL++: runs, and inputs of others that it has kept.
    executions: u64,
    imported: u64,
    failures: usize,
}

impl Measured {
    fn branches(&self) -> u64 {
        self.curve.last().map_or(0, |(_, branches)| *branches)
    }
}

pub fn run(session: &Session, options: &Options) -> Result<()> {
    let chosen = chosen("library", &LIBRARIES, |name| name, &options.names)?;
    let engine = session.engine()?;
    let mut table =
        Table::new("library | branches | AFL++ and Elsewise | two AFL++ | two Elsewise | ");
    let mut exchanged = Table::new(
        "library | team | runs of AFL++ | of Elsewise | given to AFL++ | kept by it | failures | CPU s of each | s",
    );
    let mut missed = Missed::default();
    for name in chosen {
        let place = realworld::place(session, name)?;
        let mut measured = Vec::new();
        for team in TEAMS {
            let folder = place.folder.join("pair").join(team.name());
            let before = options.resume.then(|| before(&folder, options.time));
            let of = match before.flatten() {
                Some(before) => before,
                None => {
                    println!("{name}: {} ...", team.title());
                    measure(&engine, &place, team, options.time, &folder)?
                }
            };
            exchanged.row(row(name, team, &of));
            measured.push(of);
        }
        let [pair, fuzzers, workers] = [0, 1, 2].map(|at| measured[at].branches());
        let verdict = missed.unless(pair > fuzzers.max(workers), name);
        table.row(format_args!(
            "{} | {} | {pair} | {fuzzers} | {workers} | {verdict}",
            place.package.title(),
            measured[0].total
        ));
        picture(session, name, &measured)?;
    }
    table.print(&format!(
        "\nBranches reached with {} s of two cores, of all branches of the library:\n",
        options.time
    ));
    exchanged.print("\nWhat each did:\n");
    missed.none("the pair does not reach more than either two")
}

fn row(name: &str, team: Team, of: &Measured) -> String {
    let figure = |is_there: bool, figure: u64| match is_there {
        true => figure.to_string(),
        false => String::new(),
    };
    let (fuzzers, workers) = (!team.fuzzers().is_empty(), team.workers() > 0);
    let used: Vec<String> = of.raced.used.iter().map(|it| format!("{it:.0}")).collect();
    format!(
        "{name} | {} | {} | {} | {} | {} | {} | {}{} | {:.0}",
        team.title(),
        figure(fuzzers, of.executions),
        figure(workers, of.runs),
        figure(team == Team::Pair, of.given as u64),
        figure(team == Team::Pair, of.imported),
        of.failures,
        used.join(", "),
        if of.raced.cut_short {
            " (cut short)"
        } else {
            ""
        },
        of.raced.seconds,
    )
}

/// Where the figures of a team are kept.
fn file(folder: &Path) -> PathBuf {
    folder.join("measured.json")
}

/// What was measured before with so much time, if it was.
fn before(folder: &Path, time: u64) -> Option<Measured> {
    let measured: Measured = serde_json::from_slice(&fs::read(file(folder)).ok()?).ok()?;
    (measured.time == time).then_some(measured)
}

fn measure(
    engine: &Engine,
    place: &LibraryFolder,
    team: Team,
    time: u64,
    folder: &Path,
) -> Result<Measured> {
    let subject = place.build(engine, Variant::Elsewise)?;
    let fuzzed = place.build(engine, Variant::Afl)?;
    let comparisons = place.build(engine, Variant::AflComparisons)?;
    let counted = place.build(engine, Variant::Coverage)?;
    empty(folder)?;
    let seeds = folder.join("seeds");
    fs::create_dir(&seeds)?;
    fs::write(seeds.join("seed"), place.seed)?;
    let (shared, campaign) = (folder.join("shared"), folder.join("campaign"));

    let mut instances = Vec::new();
    for name in team.fuzzers() {
        // By the words of its authors no -M in runs that are short: it goes through its queue in turn and trims nothing. Of
        // instances that are all -S, one takes its place.
        let mut command = fuzzer(&fuzzed, &comparisons, &seeds, &shared, &["-S", name]);
        // Minutes; the least that it accepts.
        command.env("AFL_SYNC_TIME", "1");
        instances.push(Instance::new(command, time as f64, &folder.join(name))?);
    }
    if team.workers() > 0 {
        let command = elsewise(engine, &subject, team, &seeds, [&campaign, &shared]);
        let share = time as f64 * f64::from(team.workers());
        instances.push(Instance::new(command, share, &folder.join("elsewise"))?);
    }
    let guard = Duration::from_secs(time) * PATIENCE;
    let raced = race(instances, guard);
    for program in [&fuzzed, &comparisons] {
        end_all(program)?;
    }
    let raced = raced.context(NO_FUZZER)?;

    let mut inputs = Inputs::default();
    let mut failures = 0;
    let (mut runs, mut given) = (0, 0);
    if team.workers() > 0 {
        let said = fs::read(folder.join("elsewise.out"))?;
        let summary: Summary = serde_json::from_slice(&said).with_context(|| {
            let said = folder.join("elsewise.err");
            format!("no summary: see {}", said.display())
        })?;
        runs = summary.runs;
        failures += summary.findings.len();
        inputs.of_campaign(&campaign)?;
        let queue = shared.join("elsewise-campaign/queue");
        given = fs::read_dir(queue).map_or(0, Iterator::count);
    }
    let (mut executions, mut imported) = (0.0, 0.0);
    for name in team.fuzzers() {
        let own = shared.join(name);
        let text = fs::read_to_string(own.join("fuzzer_stats"))?;
        let figure = |name: &str| stat(&text, name).unwrap_or(0.0);
        executions += figure("execs_done");
        imported += figure("corpus_imported");
        failures += figure("saved_crashes") as usize;
        inputs.of_fuzzer(&own)?;
    }
    let (curve, total) = inputs.curve(&counted, &raced, folder)?;
    let measured = Measured {
        time,
        raced,
        curve,
        total,
        runs,
        given,
        executions: executions as u64,
        imported: imported as u64,
        failures,
    };
    fs::write(file(folder), serde_json::to_vec_pretty(&measured)?)?;
    Ok(measured)
}

fn elsewise(
    engine: &Engine,
    subject: &Path,
    team: Team,
    seeds: &Path,
    [campaign, shared]: [&Path; 2],
) -> Command {
    let mut command = engine.explore_in(campaign, subject);
    command.arg("--seeds").arg(seeds);
    command.arg(format!("--jobs={}", team.workers()));
    if team == Team::Pair {
        command.arg("--afl").arg(shared);
    }
    command
}

/// Branches over time.
fn picture(session: &Session, name: &str, measured: &[Measured]) -> Result<()> {
    let lines: Vec<Line> = TEAMS
        .iter()
        .zip(measured)
        .map(|(team, of)| Line {
            name: team.title().to_owned(),
            points: of.curve.iter().map(|(at, it)| (*at, *it as f64)).collect(),
        })
        .collect();
    let x = Axis {
        title: "seconds of processor time, both cores",
        logarithmic: false,
    };
    let y = Axis {
        title: "branches",
        logarithmic: false,
    };
    let folder = target(&session.root).join("pair");
    fs::create_dir_all(&folder)?;
    let file = folder.join(name).with_extension("svg");
    fs::write(
        &file,
        draw(&format!("{name}: branches reached"), &x, &y, &lines),
    )?;
    println!("{name}: {}", file.display());
    Ok(())
}
