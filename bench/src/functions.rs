//! `cargo measure functions`: every function of libraries of the distribution, explored without a
//! harness written by hand, and what its findings were judged to be.

mod list;

use crate::compile::{prepare, succeed};
use crate::engine::{Engine, answer, function};
use crate::judgements::Judgements;
use crate::package::Package;
use crate::runner::{Session, Table, chosen, each, seconds};
use crate::source;
use anyhow::{Context, Result, ensure};
use elsewise_campaign::{Finding, Summary};
use list::Listed;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Seconds that a function may take beyond its time, for building and for the last run.
const MARGIN: u64 = 120;

/// What findings are judged to be: callers that keep to the contract can cause it; only callers that
/// break the contract can; only callers that write the members of the library's objects themselves, or a
/// caller within the library that does not exist; no caller at all, so that the harness is wrong.
const JUDGED: [&str; 4] = ["real", "misuse", "invalid", "harness"];

struct Library {
    /// Of the package.
    name: &'static str,
    /// What a shell does once in the source's folder, with clang as the compiler.
    prepare: &'static str,
    /// What builds it under `elsewise capture`; empty where the build system writes the
    /// compilation database itself.
    make: &'static [&'static str],
    /// Where the database is, below the package's root.
    database: &'static str,
}

const CMAKE: &str = "cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=On";

const LIBRARIES: [Library; 3] = [
    Library {
        name: "libcsv",
        prepare: "./configure",
        make: &["make", "libcsv.la"],
        database: "compile_commands.json",
    },
    Library {
        name: "cjson",
        prepare: CMAKE,
        make: &[],
        database: "build/compile_commands.json",
    },
    Library {
        name: "libyaml",
        prepare: CMAKE,
        make: &[],
        database: "build/compile_commands.json",
    },
];

#[derive(clap::Args)]
pub struct Options {
    /// For each function
    #[arg(long, value_parser = seconds, default_value = "20s")]
    time: u64,
    /// How many functions are explored at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Show what was explored before
    #[arg(long)]
    last: bool,
    /// LIBRARY or LIBRARY::FUNCTION
    names: Vec<String>,
}

/// What became of one function.
enum Outcome {
    /// No harness can be made, for a reason.
    Refused(String),
    /// A harness should have been made, and was not.
    Failed(String),
    Explored(Box<Summary>),
}

pub fn run(session: &Session, options: &Options) -> Result<()> {
    let (libraries, only) = wanted(&options.names)?;
    let engine = session.engine()?;
    let mut totals = Table::new(
        "library | functions | refused | not built | explored | completely | with findings | \
         findings | real | misuse | invalid object | harness | unjudged",
    );
    for library in libraries {
        let package = Package::named(library.name)?;
        let judgements = judgements(session, package)?;
        let folder = source::cache()?.join("functions").join(library.name);
        let source = source::fetch(package.name, package.version)?;
        let place = prepare(&folder, &source, library.prepare)?;
        let database = place.join(library.database);
        if !library.make.is_empty() && !database.is_file() {
            let mut capture = Command::new(&engine.elsewise);
            capture.args(["capture", "--"]).args(library.make);
            succeed(capture.current_dir(&place))?;
        }
        let files = package.files(&place)?;
        let mut listed = list::functions(&database, &place, &files, &folder)?;
        listed.retain(|listed| only.is_empty() || only.contains(&listed.function.as_str()));
        let campaigns = folder.join("campaigns");
        let outcomes = each(options.jobs, &listed, |at, one| {
            let outcome = explore(&engine, one, options, &campaigns)?;
            let (number, all) = (at + 1, listed.len());
            eprintln!("{number} of {all}: {} {}", one.function, words(&outcome));
            Ok(outcome)
        })?;
        let outcomes = outcomes.into_iter().collect::<Result<Vec<_>>>()?;
        table(&listed, &outcomes, &judgements).print("");
        let total = Total::of(&outcomes, &listed, &judgements);
        totals.row(format_args!("{} | {}", package.title(), total.row()));
    }
    totals.print("");
    Ok(())
}

/// The libraries, and those of their functions that are named: all if none is.
fn wanted(names: &[String]) -> Result<(Vec<&'static Library>, Vec<&str>)> {
    let split = |name: &'_ String| {
        name.split_once("::")
            .map_or(name.clone(), |(l, _)| l.into())
    };
    let mut libraries: Vec<String> = names.iter().map(split).collect();
    libraries.dedup();
    let functions = names
        .iter()
        .filter_map(|name| Some(name.split_once("::")?.1));
    let libraries = chosen("library", &LIBRARIES, |library| library.name, &libraries)?;
    Ok((libraries, functions.collect()))
}

/// Those of a library, which are of one version of it.
fn judgements(session: &Session, package: &Package) -> Result<Judgements> {
    let judgements = Judgements::read(&session.root, package.name, &JUDGED)?;
    ensure!(
        judgements.version.as_deref() == Some(package.version),
        "the judgements on {} are not about {}: judge its findings again",
        package.name,
        package.version
    );
    Ok(judgements)
}

fn explore(engine: &Engine, one: &Listed, options: &Options, campaigns: &Path) -> Result<Outcome> {
    // Files may have static functions of the same name.
    let stem = one.file.file_stem().context("a source without a name")?;
    let campaign = campaigns.join(stem).join(&one.function);
    let again = options.last && campaign.exists();
    let asked = if again {
        let mut command = Command::new(&engine.elsewise);
        let words = ["status", "--format=json", "--campaign"];
        command.args(words).arg(&campaign);
        command
    } else {
        fs::create_dir_all(campaigns.join(stem))?;
        let mut command = engine.explore_in(&campaign, function(&one.file, &one.function));
        let budget = format!("--budget={}s", options.time);
        command.args(&one.others).args(["--jobs=1", &budget]);
        command
    };
    let mut command = Command::new("timeout");
    let most = (options.time + MARGIN).to_string();
    command.args(["--kill-after=5", &most]);
    command.arg(asked.get_program()).args(asked.get_args());
    Ok(match answer(&mut command)? {
        Ok(summary) => Outcome::Explored(Box::new(summary)),
        Err(errors) => refusal(&errors),
    })
}

/// Why there is no summary, by what is on standard error.
fn refusal(errors: &str) -> Outcome {
    match errors.split_once("cannot be called from a harness: ") {
        Some((_, reason)) => Outcome::Refused(reason.lines().next().unwrap_or("").into()),
        None => Outcome::Failed(errors.into()),
    }
}

fn words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Refused(why) => format!("refused: {why}"),
        Outcome::Failed(why) => format!("not built: {why}"),
        Outcome::Explored(summary) => {
            let found: Vec<String> = summary.findings.iter().map(place).collect();
            format!("{} runs {}", summary.runs, found.join(", "))
        }
    }
}

fn place(finding: &Finding) -> String {
    let Finding {
        kind,
        function,
        line,
        ..
    } = finding;
    format!("{kind} in {function}:{line}")
}

/// A line for every function, with every finding and what it was judged to be.
fn table(listed: &[Listed], outcomes: &[Outcome], judgements: &Judgements) -> Table {
    let mut table = Table::new("function | runs | sides | result");
    for (one, outcome) in listed.iter().zip(outcomes) {
        let name = &one.function;
        let Outcome::Explored(summary) = outcome else {
            let words = words(outcome);
            let first = words.lines().next().unwrap_or_default();
            table.row(format_args!("`{name}` | | | {first}"));
            continue;
        };
        let mut result = vec![match summary.complete {
            true => "explored completely".to_string(),
            false => "explored".to_string(),
        }];
        for finding in &summary.findings {
            let judged = match judgements.of(name, finding) {
                Some(judgement) => format!("**{}**, {}", judgement.judged, judgement.why),
                None => "**unjudged**".into(),
            };
            result.push(format!("{}: {judged}", place(finding)));
        }
        let sides = summary.branch_sides;
        table.row(format_args!(
            "`{name}` | {} | {} of {} | {}",
            summary.runs,
            sides.reached,
            sides.total,
            result.join("; ")
        ));
    }
    table
}

#[derive(Debug, Default, PartialEq)]
struct Total {
    functions: usize,
    refused: usize,
    failed: usize,
    complete: usize,
    with_findings: usize,
    findings: usize,
    /// As in [`JUDGED`].
    judged: [usize; JUDGED.len()],
}

impl Total {
    fn of(outcomes: &[Outcome], listed: &[Listed], judgements: &Judgements) -> Total {
        let mut total = Total {
            functions: outcomes.len(),
            ..Total::default()
        };
        for (one, outcome) in listed.iter().zip(outcomes) {
            match outcome {
                Outcome::Refused(_) => total.refused += 1,
                Outcome::Failed(_) => total.failed += 1,
                Outcome::Explored(explored) => {
                    total.complete += usize::from(explored.complete);
                    total.with_findings += usize::from(!explored.findings.is_empty());
                    total.findings += explored.findings.len();
                    for finding in &explored.findings {
                        let judgement = judgements.of(&one.function, finding);
                        for (count, word) in total.judged.iter_mut().zip(JUDGED) {
                            *count += usize::from(judgement.is_some_and(|j| j.judged == word));
                        }
                    }
                }
            }
        }
        total
    }

    fn row(&self) -> String {
        let [real, misuse, invalid, harness] = self.judged;
        let unjudged = self.findings - self.judged.iter().sum::<usize>();
        let share = match self.findings {
            0 => String::new(),
            all => format!(" ({:.1} %)", 100.0 * harness as f64 / all as f64),
        };
        format!(
            "{} | {} | {} | {} | {} | {} | {} | {real} | {misuse} | {invalid} | {harness}{share} | {unjudged}",
            self.functions,
            self.refused,
            self.failed,
            self.functions - self.refused - self.failed,
            self.complete,
            self.with_findings,
            self.findings,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::samples;
    use serde_json::json;

    #[test]
    fn libraries_and_functions() {
        let names = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
        let one = names(&["libcsv::csv_init", "libcsv::csv_free"]);
        let (libraries, only) = wanted(&one).unwrap();
        assert_eq!((libraries.len(), only), (1, vec!["csv_init", "csv_free"]));
        assert_eq!(wanted(&[]).unwrap().0.len(), LIBRARIES.len());
        assert!(wanted(&names(&["nonsense"])).is_err());
        assert!(wanted(&names(&["nonsense::f"])).is_err());
    }

    #[test]
    fn every_library_has_judgements_of_its_version() {
        let session = Session::new(true).unwrap();
        for library in &LIBRARIES {
            judgements(&session, Package::named(library.name).unwrap()).unwrap();
        }
    }

    #[test]
    fn refusals() {
        let refused = refusal("elsewise: `f` cannot be called from a harness: it is odd\n");
        assert_eq!(words(&refused), "refused: it is odd");
        assert_eq!(words(&refusal("no")), "not built: no");
    }

    #[test]
    fn findings_are_counted_by_what_they_were_judged() {
        let judgements = Judgements::parse(
            "[[finding]]\nsubject = \"f\"\nkind = \"segv\"\nfunction = \"g\"\nlines = [12]\n\
             judged = \"misuse\"\nwhy = \"g wants no null\"\n",
            &JUDGED,
        )
        .unwrap();
        let listed = [Listed {
            file: "a.c".into(),
            function: "f".into(),
            others: Vec::new(),
        }];
        let findings = [12, 13].map(|line| samples::finding("segv", "a.c", "g", line));
        let summary = samples::summary(json!({ "findings": findings }));
        let outcomes = [Outcome::Explored(Box::new(summary))];
        let total = Total::of(&outcomes, &listed, &judgements);
        assert_eq!((total.findings, total.judged), (2, [0, 1, 0, 0]));
        assert!(total.row().ends_with("| 2 | 0 | 1 | 0 | 0 (0.0 %) | 1"));
        let table = table(&listed, &outcomes, &judgements);
        let row = "segv in g:12: **misuse**, g wants no null; segv in g:13: **unjudged**";
        assert!(table.text().contains(row));
    }
}
