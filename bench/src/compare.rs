//! `cargo measure compare OTHER`: what whole campaigns on the yardstick take with this build and with another, by turns.
//!
//! The machine is never the same twice, so only ratios of figures from one sitting mean anything. Medians count: a
//! change of some per cent is smaller than what the best of several rounds moves by.

use crate::engine::{Engine, summary};
use crate::runner::{Session, Table};
use anyhow::{Result, ensure};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Options {
    /// The other `elsewise`, built before
    #[arg(value_name = "OTHER")]
    other: PathBuf,
    /// Campaigns of each subject with each of the two
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// Where the yardstick's subjects are, if not beside the checkout
    #[arg(long, value_name = "DIR")]
    yardstick: Option<PathBuf>,
}

/// Subjects of the yardstick, with the options they are explored with.
const SUBJECTS: [(&str, &[&str]); 4] = [
    ("parser.c", &["--input-size=32"]),
    ("bst.c", &["--cflags=-DN=3", "--input-size=20"]),
    ("threads/lastzero.c", &["--cflags=-DN=8 -pthread"]),
    ("threads/readers.c", &["--cflags=-DN=10 -pthread"]),
];

pub fn run(session: &Session, options: &Options) -> Result<()> {
    ensure!(options.rounds > 0, "no rounds: nothing would be measured");
    let yardstick = session.yardstick(options.yardstick.as_deref())?;
    let engines = [session.engine()?, Engine::of(&options.other)?];
    let mut table = Table::live("subject | CPU ms | other | ratio | wall ms | other | ratio");
    for (file, flags) in SUBJECTS {
        let mut cpu = [const { Vec::new() }; 2];
        let mut wall = [const { Vec::new() }; 2];
        for round in 0..options.rounds {
            // Who comes first has a colder machine.
            for turn in [round % 2, 1 - round % 2] {
                let mut command = engines[turn].explore(yardstick.join(file));
                let summary = summary(command.args(flags))?;
                cpu[turn].push(summary.cpu_seconds);
                wall[turn].push(summary.wall_seconds);
            }
        }
        let figures = |all: [Vec<f64>; 2]| {
            let [this, other] = all.map(median);
            let (a, b) = (this * 1e3, other * 1e3);
            format!("{a:.1} | {b:.1} | {:.3}", this / other)
        };
        table.row(format_args!(
            "`{file}` | {} | {}",
            figures(cpu),
            figures(wall)
        ));
    }
    Ok(())
}

/// Of at least one figure.
fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    let middle = all.len() / 2;
    match all.len() % 2 {
        0 => (all[middle - 1] + all[middle]) / 2.0,
        _ => all[middle],
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn a_median_is_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(vec![7.0]), 7.0);
    }
}
