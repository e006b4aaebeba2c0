//! `cargo measure erlang`: CutEr's examples told again beside what it needed for them, what instrumentation
//! costs Erlang code, and test suites of rebar3 projects on instrumented modules.

use crate::compile::output;
use crate::engine::{function, summary};
use crate::runner::{Clock, Missed, Session, Table, cheapest};
use crate::source;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::process::Command;

/// How many times as fast the examples must be.
const FASTER: f64 = 20.0;
/// How many times as long instrumented code may take.
const WANTED: f64 = 8.0;

/// An application and the source package that it is in.
type Application = (&'static str, &'static str, &'static str);

/// Projects of rebar3, each with what it depends on.
const PROJECTS: [&[Application]; 4] = [
    &[("base64url", "erlang-base64url", "1.0.1-6")],
    &[
        ("erlware_commons", "erlang-erlware-commons", "1.6.0+dfsg-1"),
        ("cf", "erlang-cf", "0.3.1-1"),
    ],
    &[("getopt", "erlang-getopt", "1.0.2-1")],
    &[("goldrush", "erlang-goldrush", "0.2.0-8")],
];

#[derive(clap::Args)]
pub struct Options {
    /// All of them if none is named
    #[arg(value_enum)]
    parts: Vec<Part>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Part {
    /// CutEr's examples
    Cuter,
    /// What instrumentation costs
    Overhead,
    /// Test suites of rebar3 projects
    Projects,
}

pub fn run(session: &Session, options: &Options) -> Result<()> {
    let parts = match options.parts.as_slice() {
        [] => &[Part::Cuter, Part::Overhead, Part::Projects],
        some => some,
    };
    for part in parts {
        match part {
            Part::Cuter => cuter(session)?,
            Part::Overhead => overhead(session)?,
            Part::Projects => projects(session)?,
        }
    }
    Ok(())
}

/// What is said of an example.
#[derive(Deserialize)]
struct Expectation {
    entry: String,
    cuter_executions: Option<u64>,
    cuter_seconds: Option<f64>,
    cuter_crashing: Option<u64>,
}

/// Campaigns of each example, of which the fastest counts: the clock on the wall also sees what else the
/// machine does.
const CAMPAIGNS: usize = 3;

/// Each example within as many runs as CutEr had, if that is known; time is that on the wall, from the
/// command to its end.
fn cuter(session: &Session) -> Result<()> {
    let engine = session.engine()?;
    let mut folders: Vec<_> = session
        .root
        .join("tests/subjects/erlang_cuter")
        .read_dir()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    folders.sort();
    let mut table = Table::new(
        "example | runs | time | failing runs | CutEr: runs | time | failing | times as fast",
    );
    let mut missed = Missed::default();
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let file = folder.join(format!("{name}.erl"));
        let text = std::fs::read_to_string(folder.join("expect.toml"))?;
        let expected: Expectation = toml::from_str(&text)?;
        let budget = format!("--budget={}runs", expected.cuter_executions.unwrap_or(40));
        let campaign = || {
            let mut command = engine.explore(function(&file, &expected.entry));
            Clock::Wall.time(|| summary(command.arg(&budget)))
        };
        let (seconds, summary) = cheapest(CAMPAIGNS, |(seconds, _)| *seconds, campaign)?;
        let failing: u64 = summary.findings.iter().map(|one| one.runs).sum();
        ensure!(failing > 0, "{name}: nothing was found");
        let said = |value: Option<String>| value.unwrap_or_else(|| "–".into());
        let faster = expected.cuter_seconds.map(|theirs| theirs / seconds);
        let kept = faster.is_none_or(|times| times >= FASTER)
            && expected
                .cuter_crashing
                .is_none_or(|theirs| failing >= theirs);
        missed.unless(kept, &name);
        table.row(format_args!(
            "{name} | {} | {seconds:.2} s | {failing} | {} | {} | {} | {}",
            summary.runs,
            said(expected.cuter_executions.map(|runs| runs.to_string())),
            said(expected.cuter_seconds.map(|seconds| format!("{seconds} s"))),
            said(expected.cuter_crashing.map(|count| count.to_string())),
            said(faster.map(|times| format!("{times:.0}"))),
        ));
    }
    table.print("");
    missed.none(&format!(
        "fewer failing runs than CutEr, or not {FASTER} times as fast"
    ))
}

/// Runs a script of the helper's tests; what it says.
fn script(session: &Session, name: &str, arguments: &[String]) -> Result<String> {
    let file = session.root.join("crates/erlang/beam/test").join(name);
    output(Command::new("escript").arg(file).args(arguments)).context("run scripts/setup first")
}

fn overhead(session: &Session) -> Result<()> {
    let text = script(session, "overhead.escript", &[])?;
    print!("{text}");
    let ratios = text.split_whitespace().filter_map(|word| {
        let ratio = word.strip_suffix('x')?;
        ratio.parse::<f64>().ok()
    });
    let worst = ratios.fold(0.0, f64::max);
    ensure!(worst > 0.0, "the script told of no ratio");
    ensure!(
        worst <= WANTED,
        "{worst:.2} times as long, {WANTED} were wanted"
    );
    Ok(())
}

/// Their EUnit suites, on modules as they are and instrumented: every test must end the same way.
fn projects(session: &Session) -> Result<()> {
    let work = tempfile::tempdir()?;
    let mut words = vec![work.path().display().to_string()];
    for project in PROJECTS {
        let mut parts = Vec::new();
        for (application, package, version) in project {
            let folder = source::fetch_original(package, version)?;
            parts.push(format!("{application}={}", folder.display()));
        }
        words.push(parts.join(","));
    }
    print!("{}", script(session, "projects.escript", &words)?);
    Ok(())
}
