//! `cargo measure charts public`: reads all models below some folders, and says how many were read, how
//! many were refused, and why.

use anyhow::{Context, Result, ensure};
use elsewise_statechart::Refusal;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What was read and refused of one format.
#[derive(Default)]
struct Tally {
    read: usize,
    /// Files that are of another kind than the ending says: `.uml` files without a capsule.
    others: usize,
    capsules: usize,
    states: usize,
    transitions: usize,
    refused: BTreeMap<&'static str, Vec<PathBuf>>,
    warnings: BTreeMap<&'static str, usize>,
    slowest: Duration,
}

pub fn run(folders: &[PathBuf]) -> Result<()> {
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for folder in folders {
        for file in models(folder)? {
            let ending = file.extension().and_then(|ending| ending.to_str());
            let key = match ending {
                Some("qm") => "qm",
                Some("uml") => "uml",
                _ => "scxml",
            };
            look_at(&file, tallies.entry(key).or_default())?;
        }
    }
    ensure!(
        !tallies.is_empty(),
        "there is no .qm, .uml or .scxml file in {folders:?}"
    );
    for (format, tally) in &tallies {
        print(format, tally);
    }
    Ok(())
}

/// All files below a folder whose name says that they are models, in order.
fn models(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_owned()];
    while let Some(folder) = left.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let path = entry.path();
            let kind = entry.file_type()?;
            let ending = path.extension().and_then(|ending| ending.to_str());
            if kind.is_dir() {
                left.push(path);
            } else if kind.is_file() && matches!(ending, Some("qm" | "uml" | "scxml")) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn look_at(file: &Path, tally: &mut Tally) -> Result<()> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let begun = Instant::now();
    let read = elsewise_statechart::read_text(&file.to_string_lossy(), &text);
    tally.slowest = tally.slowest.max(begun.elapsed());
    match read {
        Ok(reading) => {
            tally.read += 1;
            tally.capsules += reading.model.capsules.len();
            for machine in reading
                .model
                .capsules
                .iter()
                .filter_map(|capsule| capsule.machine.as_ref())
            {
                tally.states += machine.vertices.iter().filter(|it| it.is_state()).count() - 1;
                tally.transitions += machine.transitions.len();
            }
            for warning in reading.warnings {
                *tally.warnings.entry(warning.reason).or_default() += 1;
            }
        }
        Err(refusal) => refused(file, &refusal, tally),
    }
    Ok(())
}

fn refused(file: &Path, refusal: &Refusal, tally: &mut Tally) {
    let Some(first) = refusal.errors().next() else {
        return;
    };
    if first.reason == "no state machine" {
        tally.others += 1;
        return;
    }
    println!("{refusal}");
    tally
        .refused
        .entry(first.reason)
        .or_default()
        .push(file.to_owned());
}

fn print(format: &str, tally: &Tally) {
    let refused: usize = tally.refused.values().map(Vec::len).sum();
    println!(
        "{format}: {} read ({} capsules, {} states, {} transitions; the slowest took {:.0?}), \
         {refused} refused, {} without any state machine",
        tally.read, tally.capsules, tally.states, tally.transitions, tally.slowest, tally.others
    );
    for (reason, files) in &tally.refused {
        println!("  refused: {:4}  {reason}", files.len());
    }
    for (reason, count) in &tally.warnings {
        println!("  warned:  {count:4}  {reason}");
    }
}
