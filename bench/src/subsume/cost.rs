//! What subsumption costs where it cannot help: the yardstick's parser and two libraries.

use super::campaigns::{Campaigns, lost};
use crate::realworld;
use crate::runner::{Missed, Session, Table, in_turns};
use anyhow::Result;
use std::path::Path;

/// Of so many rounds, each way, the least counts: others may be at work on the machine.
const ROUNDS: usize = 3;
/// Times as much as without it that exploration may take.
const WANTED: f64 = 1.15;
const LIBRARIES: [&str; 2] = ["cjson", "libcsv"];
/// Runs of a library, the same number both ways.
const RUNS: &str = "--budget=1500runs";
/// With input of any length its runs cannot be followed, and nothing would be measured.
const SIZE: &str = "--input-size=16";

pub fn run(
    campaigns: &Campaigns,
    session: &Session,
    yardstick: &Path,
    missed: &mut Missed,
) -> Result<()> {
    let time = format!("--budget={}s", campaigns.seconds);
    let columns = "subject | CPU s without | CPU s with | times | runs without and with | ";
    let mut table = Table::live(columns);
    let mut row = |name: &str, subject: &Path, options: &[&str]| -> Result<()> {
        let mut runs = [0; 2];
        let mut off = String::new();
        let [without, with] = in_turns(ROUNDS, |way| {
            let summary = campaigns.explore_with(subject, "mix", ["off", "on"][way], options)?;
            runs[way] = summary.runs;
            off = lost(&summary).0.unwrap_or_default().to_owned();
            Ok(summary.cpu_seconds)
        })?;
        let times = with / without;
        let [few, many] = runs;
        table.row(format_args!(
            "{name} | {without:.2} | {with:.2} | {times:.2} | {few} and {many} | {off}"
        ));
        missed.unless(
            times <= WANTED,
            format_args!("{name} takes {times:.2} times as long"),
        );
        Ok(())
    };
    let parser = yardstick.join("parser.c");
    row("parser.c", &parser, &["--input-size=32", &time])?;
    for name in LIBRARIES {
        let built = realworld::subject(session, &campaigns.engine, name)?;
        row(name, &built.program, &[RUNS, SIZE])?;
    }
    Ok(())
}
