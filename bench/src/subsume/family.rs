//! Runs and seconds with and without subsumption, on programs of any size of the same make.
//!
//! How paths are counted: where exploration without subsumption ends, its runs are the paths, and
//! exploration with it stands for all of them when it ends. Where the former does not end within the time
//! that it is given, exploration with subsumption that ends has covered all of what it ran and more, so that
//! the ratio of seconds is what is gained at least.

use super::campaigns::{Campaigns, STRATEGIES, failures, lost};
use crate::picture::{Axis, Line, draw};
use crate::runner::{Missed, Table};
use anyhow::Result;
use elsewise_campaign::Summary;
use elsewise_tests::drivers::{BUGS, Driver, RUNNING_EXAMPLE, conditionals as program};
use std::path::{Path, PathBuf};

/// Handlers and steps of the members of the family that are correct.
const SIZES: [(usize, usize); 7] = [
    (4, 5),
    (4, 8),
    (5, 10),
    (6, 12),
    (8, 14),
    (10, 18),
    (12, 24),
];
/// Of the ones with a bug.
const BUGGY: (usize, usize) = (5, 8);
/// Conditionals, of which the last has so many paths as nobody will ever run.
const NUMBERS: [usize; 6] = [10, 20, 40, 80, 120, 200];

/// Times less that exploration has to take with subsumption, by strategy and at all to its end.
const WANTED: [(&str, f64); 3] = [("dfs", 20.0), ("random", 5.0), ("cfg", 5.0)];
const WANTED_TO_THE_END: f64 = 25.0;

/// The paper's example and conditionals that have nothing to do with each other.
pub fn conditionals(campaigns: &Campaigns, missed: &mut Missed) -> Result<()> {
    let mut table = Table::live("program | strategy | by | runs | CPU s | ");
    let mut row = |name: &str, text: &str, strategy: &str, by: &str, most: u64| -> Result<()> {
        let file = campaigns.write("conditionals.c", text)?;
        let seen = campaigns.explore(&file, strategy, by)?;
        let kept = seen.complete && seen.runs <= most;
        let verdict = missed.unless(kept, format_args!("{name} by {strategy}, {by}"));
        table.row(format_args!(
            "{name} | {strategy} | {by} | {} | {:.2} | {verdict}",
            ended(&seen),
            seen.cpu_seconds,
        ));
        Ok(())
    };
    row("the paper's example", RUNNING_EXAMPLE, "dfs", "always", 1)?;
    row("the paper's example", RUNNING_EXAMPLE, "dfs", "explored", 4)?;
    for number in NUMBERS {
        let (name, text) = (format!("{number} conditionals"), program(number));
        for strategy in STRATEGIES {
            row(&name, &text, strategy, "on", number as u64 + 1)?;
        }
        row(&name, &text, "dfs", "explored", number as u64 + 1)?;
    }
    Ok(())
}

/// A member or a file, and the two ways to explore it.
const COMPARED: &str =
    "driver | lines | strategy | runs without | CPU s | runs with | CPU s | less";

/// Members of the family, growing; pictures are left in `target/subsume`.
pub fn drivers(campaigns: &Campaigns, root: &Path, missed: &mut Missed) -> Result<()> {
    let mut table = Table::live(COMPARED);
    let mut times: Vec<Line> = Vec::new();
    let mut shares: Vec<Line> = Vec::new();
    let mut best = [0f64; STRATEGIES.len()];
    let mut to_the_end = 0f64;
    for (requests, steps) in SIZES {
        let driver = Driver {
            requests,
            steps,
            bug: None,
            seed: 1,
        };
        let mut seen = Vec::new();
        for (index, strategy) in STRATEGIES.into_iter().enumerate() {
            let name = format!("{requests} requests, {steps} steps");
            let (plain, with, less) = compared(campaigns, &mut table, &driver, &name, strategy)?;
            if with.complete {
                best[index] = best[index].max(less);
                if plain.complete {
                    to_the_end = to_the_end.max(less);
                }
            }
            let alike = failures(&plain) == failures(&with);
            missed.unless(alike, format_args!("{name} by {strategy}: other failures"));
            seen.push((strategy, plain, with));
        }
        // Where none of them ends, nobody knows how many paths there are.
        let ended = seen.iter().find(|(_, plain, _)| plain.complete);
        let Some(paths) = ended.map(|(_, plain, _)| plain.runs as f64) else {
            continue;
        };
        for (strategy, plain, with) in seen {
            if plain.complete {
                let name = format!("{strategy}, without");
                push(&mut times, &name, (paths, plain.cpu_seconds));
            }
            if with.complete {
                push(&mut times, strategy, (paths, with.cpu_seconds));
                let share = 100.0 * (1.0 - with.runs as f64 / paths);
                push(&mut shares, strategy, (paths, share));
            }
        }
    }
    for (index, bug) in BUGS.into_iter().enumerate() {
        let (requests, steps) = BUGGY;
        let driver = Driver {
            requests,
            steps,
            bug: Some(bug),
            seed: 2 + index as u64,
        };
        for strategy in STRATEGIES {
            let name = format!("{bug:?}");
            let (plain, with, _) = compared(campaigns, &mut table, &driver, &name, strategy)?;
            let (before, after) = (failures(&plain), failures(&with));
            let kept = !after.is_empty() && (after == before || !plain.complete);
            missed.unless(kept, format_args!("{bug:?} by {strategy}: {after:?}"));
        }
    }
    let folder = root.join("target/subsume");
    std::fs::create_dir_all(&folder)?;
    let paths = Axis {
        title: "paths",
        logarithmic: true,
    };
    let seconds = Axis {
        title: "CPU seconds",
        logarithmic: true,
    };
    let percent = Axis {
        title: "percent of paths that were not run",
        logarithmic: false,
    };
    // One line without subsumption is enough: the strategy does not matter then.
    times.retain(|line| !line.name.ends_with("without") || line.name.starts_with("dfs"));
    let picture = draw("Time until all paths are covered", &paths, &seconds, &times);
    std::fs::write(folder.join("time.svg"), picture)?;
    let picture = draw("Paths that need not be run", &paths, &percent, &shares);
    std::fs::write(folder.join("subsumed.svg"), picture)?;
    println!("Pictures are in {}.", folder.display());
    for (strategy, wanted) in WANTED {
        let at = STRATEGIES.iter().position(|name| *name == strategy);
        let reached = at.map_or(0.0, |at| best[at]);
        verdict(missed, strategy, reached, wanted);
    }
    verdict(missed, "to the end", to_the_end, WANTED_TO_THE_END);
    Ok(())
}

fn verdict(missed: &mut Missed, what: &str, reached: f64, wanted: f64) {
    println!(
        "{what}: {reached:.0} times less time for the member that gains most (wanted: {wanted:.0})"
    );
    let said = format!("{what}: {reached:.1} times instead of {wanted:.0}");
    missed.unless(reached >= wanted, said);
}

/// Explores a member both ways, for a row; the last is how many times less time it took with subsumption, at
/// least.
fn compared(
    campaigns: &Campaigns,
    table: &mut Table,
    driver: &Driver,
    name: &str,
    strategy: &str,
) -> Result<(Summary, Summary, f64)> {
    let file = campaigns.write("driver.c", &driver.source())?;
    both(campaigns, table, &file, name, strategy)
}

fn both(
    campaigns: &Campaigns,
    table: &mut Table,
    file: &Path,
    name: &str,
    strategy: &str,
) -> Result<(Summary, Summary, f64)> {
    let lines = std::fs::read_to_string(file)?.lines().count();
    let plain = campaigns.explore(file, strategy, "off")?;
    let with = campaigns.explore(file, strategy, "on")?;
    let less = plain.cpu_seconds / with.cpu_seconds.max(1e-3);
    let more = if plain.complete { "" } else { "more than " };
    let less_said = match with.complete {
        true => format!("{more}{less:.1}x"),
        false => "did not end".to_owned(),
    };
    table.row(format_args!(
        "{name} | {lines} | {strategy} | {} | {:.2} | {} | {:.2} | {less_said}{}",
        ended(&plain),
        plain.cpu_seconds,
        ended(&with),
        with.cpu_seconds,
        match lost(&with) {
            (Some(why), _) => format!(", turned off: {why}"),
            (None, 0) => String::new(),
            (None, lost) => format!(", {lost} runs not followed"),
        }
    ));
    Ok((plain, with, less))
}

fn ended(seen: &Summary) -> String {
    let failures = match failures(seen).len() {
        0 => String::new(),
        number => format!(", {number} failures"),
    };
    let more = if seen.complete { "" } else { " and more" };
    format!("{}{more}{failures}", seen.runs)
}

fn push(lines: &mut Vec<Line>, name: &str, point: (f64, f64)) {
    match lines.iter_mut().find(|line| line.name == name) {
        Some(line) => line.points.push(point),
        None => lines.push(Line {
            name: name.to_owned(),
            points: vec![point],
        }),
    }
}

/// Files of the user's, both ways.
pub fn files(campaigns: &Campaigns, files: &[PathBuf]) -> Result<()> {
    let mut table = Table::live(&COMPARED.replace("driver", "file"));
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        for strategy in STRATEGIES {
            both(campaigns, &mut table, file, &name, strategy)?;
        }
    }
    Ok(())
}
