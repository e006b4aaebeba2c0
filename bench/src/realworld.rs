//! `cargo measure realworld`: what exploration reaches in real libraries, beside AFL++ and after it.
//!
//! Each library is compiled with a harness of ours and given one trivial input. Elsewise has a
//! core for the time that is said, AFL++ (with its record of comparisons) the same, and the third
//! column is what AFL++ had after half the time and then Elsewise for the other half, beginning
//! with that. Branches are those that llvm-cov counts in the plain library over all inputs that
//! were kept.

mod build;
mod measure;

use crate::engine::Engine;
use crate::package::Package;
use crate::runner::{Missed, Session, Table, chosen, each, seconds};
use anyhow::{Context, Result, ensure};
use elsewise_campaign::Summary;
use measure::Measured;
use std::path::{Path, PathBuf};

pub use build::{LibraryFolder, Variant};
pub use measure::{Coverage, NO_FUZZER, end_all, fuzzer, stat};

/// Packages, and the one input to begin with.
const LIBRARIES: [(&str, &str); 10] = [
    ("cjson", "{}"),
    ("expat", "<a/>"),
    ("libyaml", "a"),
    ("zlib", "x"),
    ("tinyxml2", "<a/>"),
    ("yajl", "{}"),
    ("json-c", "{}"),
    ("jansson", "{}"),
    ("cmark", "a"),
    ("libcsv", "a"),
];

#[derive(clap::Args)]
pub struct Options {
    /// For each library and each of the three
    #[arg(long, value_parser = seconds, default_value = "10m")]
    time: u64,
    /// How many libraries are measured at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Keep figures of earlier measurements that took the same time
    #[arg(long)]
    resume: bool,
    names: Vec<String>,
}

/// A library with its harness, built for exploration.
pub struct Built {
    pub program: PathBuf,
    /// Where the names of its source files lead to them.
    pub source: PathBuf,
    pub seed: &'static str,
}

/// The folder of one library.
pub fn place(session: &Session, name: &str) -> Result<LibraryFolder> {
    let library = LIBRARIES.iter().find(|(known, _)| *known == name);
    let library = library.with_context(|| format!("no library {name}"))?;
    LibraryFolder::new(session, library)
}

/// Builds one library.
pub fn subject(session: &Session, engine: &Engine, name: &str) -> Result<Built> {
    let place = place(session, name)?;
    Ok(Built {
        program: place.build(engine, Variant::Elsewise)?,
        source: place.folder.join("source"),
        seed: place.seed,
    })
}

pub fn run(session: &Session, options: &Options) -> Result<()> {
    let time = options.time;
    ensure!(time > 1, "the time is halved: at least 2s");
    let chosen = chosen("library", &LIBRARIES, |(name, _)| name, &options.names)?;
    let engine = session.engine()?;
    let places = chosen
        .iter()
        .map(|library| LibraryFolder::new(session, library));
    let places = places.collect::<Result<Vec<_>>>()?;
    let results = each(options.jobs, &places, |_, place| {
        let before = options.resume.then(|| measure::before(place, time));
        before.flatten().map_or_else(
            || {
                println!("{} ...", place.package.name);
                measure::measure(&engine, place, time)
            },
            Ok,
        )
    })?;
    let mut missed = Missed::default();
    let mut measured = Vec::new();
    for (place, result) in places.iter().zip(results) {
        let name = place.package.name;
        match result {
            Ok(of) => measured.push((place.package, of)),
            Err(error) => {
                println!("{name}: {error:#}");
                missed.unless(false, name);
            }
        }
    }
    reached(&measured, time);
    how(&measured);
    missed.none("not measured")
}

/// Branches that each of the three reached.
fn reached(measured: &[(&Package, Measured)], time: u64) {
    let mut table =
        Table::new("library | branches | Elsewise | AFL++ | AFL++, then Elsewise | AFL++ runs/s");
    let with = |count: usize, what: &str| match count {
        0 => String::new(),
        some => format!(", {some} {what}"),
    };
    for (package, of) in measured {
        table.row(format_args!(
            "{} | {} | {}{} | {}{} | {}{} | {:.0}",
            package.title(),
            of.total,
            of.elsewise.branches,
            with(of.elsewise.summary.findings.len(), "findings"),
            of.afl.branches,
            with(of.afl.crashes, "crashes"),
            of.both.branches,
            with(of.both.summary.findings.len(), "findings"),
            of.afl.runs_per_second,
        ));
    }
    table.print(&format!(
        "\nBranches reached in {time} s, of all branches of the library:\n"
    ));
}

/// How Elsewise spent its time, and what it gave up.
fn how(measured: &[(&Package, Measured)]) {
    let mut table =
        Table::new("library | runs/s | queries/s | decided by | diverged | approximated most");
    for (package, of) in measured {
        let summary = &of.elsewise.summary;
        let seconds = summary.wall_seconds.max(1e-9);
        let runs = summary.runs as f64;
        let diverged = summary.approximations.get("divergence");
        table.row(format_args!(
            "{} | {:.0} | {:.0} | {} | {} | {}",
            package.name,
            runs / seconds,
            summary.queries.asked as f64 / seconds,
            stages(summary),
            share(diverged.copied().unwrap_or(0) as f64, runs),
            given_up(summary),
        ));
    }
    table.print("\nElsewise alone:\n");
}

fn share(part: f64, whole: f64) -> String {
    if whole == 0.0 {
        return "none".into();
    }
    let percent = 100.0 * part / whole;
    if percent == 0.0 || percent >= 9.95 {
        format!("{percent:.0} %")
    } else {
        format!("{percent:.1} %")
    }
}

/// The share of all queries that each stage decided, where it decided any.
fn stages(summary: &Summary) -> String {
    let queries = &summary.queries;
    let stages = queries.stages.iter();
    let mut counts: Vec<(&str, u64)> = stages.map(|s| (&*s.name, s.sat + s.unsat)).collect();
    counts.push(("none", queries.unknown));
    let words = counts.iter().filter(|(_, count)| *count > 0);
    let words =
        words.map(|(n, count)| format!("{n} {}", share(*count as f64, queries.asked as f64)));
    words.collect::<Vec<_>>().join(", ")
}

/// The places with most approximations.
fn given_up(summary: &Summary) -> String {
    let mut words = Vec::new();
    for place in summary.approximation_places.iter().take(3) {
        words.push(format!(
            "{} in `{}` ({}:{}) {}×",
            place.kind,
            place.function,
            Path::new(&place.file)
                .file_name()
                .unwrap_or_default()
                .display(),
            place.line,
            place.count
        ));
    }
    if words.is_empty() {
        words.push("nothing".into());
    }
    words.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::samples;
    use serde_json::json;

    #[test]
    fn every_library_has_a_harness() {
        let session = Session::new(true).unwrap();
        for (name, _) in LIBRARIES {
            let harness = build::harness(&session, Package::named(name).unwrap());
            assert!(harness.is_file(), "{}", harness.display());
        }
    }

    #[test]
    fn a_summary_in_words() {
        let summary = samples::summary(json!({
            "queries": {"asked": 200, "sat": 119, "unsat": 80, "unknown": 1, "stages": [
                {"name": "slice", "sat": 0, "unsat": 0, "asked": 200, "seconds": 0.1},
                {"name": "cache", "sat": 100, "unsat": 80, "asked": 200, "seconds": 0.1},
                {"name": "search", "sat": 19, "unsat": 0, "asked": 200, "seconds": 0.1},
            ]},
            "approximation_places": [
                {"kind": "opaque-call", "file": "a/b.c", "line": 3, "function": "f", "count": 9},
            ],
        }));
        assert_eq!(stages(&summary), "cache 90 %, search 9.5 %, none 0.5 %");
        assert_eq!(given_up(&summary), "opaque-call in `f` (b.c:3) 9×");
        assert_eq!(share(0.0, 10.0), "0 %");
    }
}
