//! `cargo measure prolog`: libraries of SWI-Prolog explored predicate by predicate, with what their
//! findings were judged to be, and how fast it goes.

use crate::engine::{Engine, answer};
use crate::judgements::Judgements;
use crate::runner::{Clock, Missed, Session, Table, cheapest, seconds};
use anyhow::{Context, Result, ensure};
use std::process::{Command, Stdio};

/// Explored unless others are named.
const LIBRARIES: [&str; 3] = ["assoc", "rbtrees", "dcg/basics"];
/// Milliseconds for the paper's first example, SWI-Prolog's start included, and for ten thousand events.
const FIRST: f64 = 300.0;
const EVENTS: f64 = 100.0;
const ROUNDS: usize = 5;

#[derive(clap::Args)]
pub struct Options {
    /// For each predicate
    #[arg(long, value_parser = seconds, default_value = "5s")]
    time: u64,
    /// `speed`, or libraries
    parts: Vec<String>,
}

pub fn run(session: &Session, options: &Options) -> Result<()> {
    let mut parts: Vec<&str> = options.parts.iter().map(String::as_str).collect();
    if parts.is_empty() {
        parts.push("speed");
        parts.extend(LIBRARIES);
    }
    let engine = session.engine()?;
    let mut missed = Missed::default();
    for part in parts {
        match part {
            "speed" => speed(session, &engine, &mut missed)?,
            library => explored(session, &engine, library, options.time, &mut missed)?,
        }
    }
    missed.none("not judged, or too slow")
}

fn speed(session: &Session, engine: &Engine, missed: &mut Missed) -> Result<()> {
    let time = |subject: &str| {
        let file = session.root.join("tests/prolog").join(subject);
        let once = || {
            let mut command = engine.explore(&file);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            let (seconds, status) = Clock::Wall.time(|| Ok(command.status()?))?;
            ensure!(status.success(), "{subject} has findings, or cannot be run");
            Ok(seconds * 1000.0)
        };
        cheapest(ROUNDS, |milliseconds| *milliseconds, once)
    };
    let first = time("paper/example1.pl::p/1")?;
    let none = time("paper/events.pl::few/0")?;
    let events = (time("paper/events.pl::many/0")? - none).max(0.0);
    println!();
    let mut table = Table::live("what | wall time | wanted");
    for (what, took, wanted) in [
        ("Example 1, all of it", first, FIRST),
        ("10,000 events more", events, EVENTS),
    ] {
        table.row(format_args!("{what} | {took:.0} ms | {wanted} ms"));
        missed.unless(took <= wanted, format_args!("{what}: {took:.0} ms"));
    }
    Ok(())
}

fn judgements(session: &Session, library: &str) -> Result<Judgements> {
    if !LIBRARIES.contains(&library) {
        return Ok(Judgements::default());
    }
    let name = format!("swi-{}", library.replace('/', "-"));
    let words = ["misuse", "meant", "documentation"];
    Judgements::read(&session.root, &name, &words)
}

/// The file of a library and what it exports, marked with a star if it calls what it is given.
fn exports(library: &str) -> Result<(String, Vec<String>)> {
    let goal = format!(
        "use_module(library({library})), absolute_file_name(library({library}), F, \
         [file_type(prolog), access(read)]), writeln(F), \
         module_property(M, file(F)), module_property(M, exports(L)), sort(L, S), \
         forall(member(N/A, S), ( functor(H, N, A), \
         ( predicate_property(M:H, meta_predicate(_)) -> write('*') ; true ), writeq(N/A), nl ))"
    );
    let output = Command::new("swipl")
        .args(["-f", "none", "-q", "-g", &goal, "-t", "halt"])
        .output()
        .context("swipl cannot be started")?;
    let text = String::from_utf8(output.stdout)?;
    let mut lines = text.lines().map(String::from);
    let file = lines
        .next()
        .with_context(|| format!("there is no library({library})"))?;
    Ok((file, lines.collect()))
}

fn explored(
    session: &Session,
    engine: &Engine,
    library: &str,
    seconds: u64,
    missed: &mut Missed,
) -> Result<()> {
    let judgements = judgements(session, library)?;
    let (file, exports) = exports(library)?;
    let mut table =
        Table::new("predicate | sides reached | runs | all explored | approximated | findings");
    let (mut reached, mut total, mut whole) = (0, 0, 0);
    for predicate in &exports {
        // Whatever the library has could be called by it.
        let (calls, predicate) = match predicate.strip_prefix('*') {
            Some(predicate) => (true, predicate),
            None => (false, predicate.as_str()),
        };
        eprintln!("{library}: {predicate} ...");
        let mut command = engine.explore(format!("{file}::{predicate}"));
        let summary = match answer(command.arg(format!("--budget={seconds}s")))? {
            Ok(summary) => summary,
            Err(words) => {
                let words = words.lines().next().unwrap_or("no answer");
                table.row(format_args!(
                    "`{predicate}` | | | | | not explored: {words}"
                ));
                continue;
            }
        };
        let sides = summary.branch_sides;
        if !calls {
            reached += sides.reached;
            total += sides.total;
        }
        whole += u64::from(summary.complete);
        let given_up = summary.approximations.iter();
        let given_up: Vec<String> = given_up.map(|(kind, n)| format!("{n} {kind}")).collect();
        let mut told = Vec::new();
        for finding in &summary.findings {
            let said = format!("{}: {}", finding.kind, finding.message);
            let judgement = judgements.of(predicate, finding);
            let what = format_args!("{library}: {predicate}: {said}: not judged");
            missed.unless(judgement.is_some(), what);
            told.push(match judgement {
                Some(one) => format!("{said}: **{}**, {}", one.judged, one.why),
                None => format!("{said}: **unjudged**"),
            });
        }
        table.row(format_args!(
            "`{predicate}` | {} of {} | {} | {} | {} | {}",
            sides.reached,
            sides.total,
            summary.runs,
            if summary.complete { "yes" } else { "" },
            given_up.join(", "),
            told.join("; ")
        ));
    }
    table.print(&format!("\nlibrary({library}):\n"));
    println!(
        "\n{reached} of {total} sides of clauses and tests, counted for each predicate that does not call \
         what it is given; {whole} of {} predicates explored completely.",
        exports.len()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_library_has_judgements_that_can_be_read() {
        let session = Session::new(true).unwrap();
        for library in LIBRARIES {
            judgements(&session, library).unwrap();
        }
    }
}
