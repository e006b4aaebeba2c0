//! `cargo measure headers`: the operations of real headers, each explored through a wrapper of ours.
//!
//! The wrappers in `tests/headers/` say in comments how they are explored, and what each finding
//! is: a bug of the header, or misuse that its documentation rules out. A finding that nobody has
//! explained, or an explanation of a finding that was not found, is an error.

mod wrappers;

use crate::engine::{function, summary};
use crate::runner::{Missed, Session, Table, seconds, yes_or_no};
use anyhow::{Result, ensure};
use elsewise_campaign::{Ended, Summary};
use std::fs;
use wrappers::Wrapper;

#[derive(clap::Args)]
pub struct Options {
    /// For each operation
    #[arg(long, value_parser = seconds, default_value = "15s")]
    time: u64,
    /// Files without their ending, or functions
    names: Vec<String>,
}

pub fn run(session: &Session, options: &Options) -> Result<()> {
    let names = &options.names;
    let mut files: Vec<_> = fs::read_dir(session.root.join("tests/headers"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "c"));
    files.sort();
    let mut all = Vec::new();
    for file in &files {
        all.extend(wrappers::read(file)?);
    }
    for name in names {
        ensure!(
            all.iter().any(|wrapper| wrapper.is(name)),
            "no wrapper {name} in tests/headers: name a file without its ending, or a function"
        );
    }
    all.retain(|wrapper| names.is_empty() || names.iter().any(|name| wrapper.is(name)));
    let engine = session.engine()?;
    let mut tables: Vec<(String, Table)> = Vec::new();
    let mut missed = Missed::default();
    for wrapper in &all {
        eprintln!("{} ...", wrapper.function);
        let mut command = engine.explore(function(&wrapper.path, &wrapper.function));
        command.args(&wrapper.flags);
        let summary = summary(command.arg(format!("--budget={}s", options.time)))?;
        let file = format!("\n`{}.c`:\n", wrapper.file());
        if tables.last().is_none_or(|(last, _)| *last != file) {
            let columns = "operation | sides | runs | seconds | all explored | findings";
            tables.push((file, Table::new(columns)));
        }
        if let Some((_, table)) = tables.last_mut() {
            table.row(row(wrapper, &summary));
        }
        missed.0.extend(wrapper.problems(&summary));
    }
    for (file, table) in &tables {
        table.print(file);
    }
    missed.none("not as it is explained")
}

fn row(wrapper: &Wrapper, summary: &Summary) -> String {
    let sides = summary.branch_sides;
    let unreached = sides.total - sides.reached;
    let mut notes = wrapper.notes(summary);
    if unreached > 0 {
        notes.push(match &wrapper.unreached {
            Some((known, why)) if *known == unreached => format!("not reached: {why}"),
            _ if summary.complete => "no case within the bounds reaches the other sides".into(),
            _ if summary.ended == Ended::Budget => {
                "time ended before the other sides were reached".into()
            }
            _ => "what was approximated may have led to the other sides".into(),
        });
    }
    format!(
        "`{}` | {} of {} | {} | {:.1} | {} | {}",
        wrapper.function,
        sides.reached,
        sides.total,
        summary.runs,
        summary.wall_seconds,
        yes_or_no(summary.complete),
        notes.join("; "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::samples;
    use serde_json::json;

    #[test]
    fn a_row_says_why_sides_were_not_reached() {
        let wrapper = Wrapper {
            path: "a.c".into(),
            function: "f".into(),
            flags: Vec::new(),
            explained: Vec::new(),
            unreached: None,
        };
        let why = |complete: bool, ended: &str| {
            let summary = samples::summary(json!({
                "complete": complete, "ended": ended, "branch_sides": {"reached": 1, "total": 2},
            }));
            row(&wrapper, &summary)
        };
        assert!(why(true, "complete").contains("no case within the bounds"));
        assert!(why(false, "budget").contains("time ended"));
        assert!(why(false, "exhausted").contains("approximated"));
    }
}
