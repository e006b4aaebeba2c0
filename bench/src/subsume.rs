//! `cargo measure subsume`: what closing parts of the tree that need not be run gains and costs, on programs
//! made as device drivers are, on programs with very many paths, and where it cannot help.
//!
//! Seconds are processor time of the engine and the subject together, as a campaign counts it, and ratios
//! are between campaigns of the same run of this task.

mod campaigns;
mod cost;
mod family;

use crate::runner::{Missed, Session, seconds};
use anyhow::Result;
use campaigns::Campaigns;
use elsewise_tests::drivers::Driver;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Options {
    /// Where the yardstick's subjects are, if not beside the checkout
    #[arg(long, global = true, value_name = "DIR")]
    yardstick: Option<PathBuf>,
    /// The longest that one campaign may take
    #[arg(long, global = true, value_parser = seconds, default_value = "60s")]
    time: u64,
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(clap::Subcommand)]
enum Part {
    /// Programs with more paths than anybody runs
    Conditionals,
    /// Programs that are made as device drivers are
    Drivers,
    /// What it costs where it cannot help
    Cost,
    /// C files of your own
    Files { files: Vec<PathBuf> },
    /// Print one of the drivers; those that are measured have the seed 1
    Source {
        requests: usize,
        steps: usize,
        seed: u64,
    },
}

pub fn run(session: &Session, options: &Options) -> Result<()> {
    if let Some(Part::Source {
        requests,
        steps,
        seed,
    }) = options.part
    {
        let driver = Driver {
            requests,
            steps,
            bug: None,
            seed,
        };
        print!("{}", driver.source());
        return Ok(());
    }
    let campaigns = Campaigns {
        engine: session.engine()?,
        seconds: options.time,
    };
    let all = options.part.is_none();
    let mut missed = Missed::default();
    if all || matches!(options.part, Some(Part::Conditionals)) {
        family::conditionals(&campaigns, &mut missed)?;
    }
    if all || matches!(options.part, Some(Part::Drivers)) {
        family::drivers(&campaigns, &session.root, &mut missed)?;
    }
    if all || matches!(options.part, Some(Part::Cost)) {
        let yardstick = session.yardstick(options.yardstick.as_deref())?;
        cost::run(&campaigns, session, &yardstick, &mut missed)?;
    }
    if let Some(Part::Files { files }) = &options.part {
        family::files(&campaigns, files)?;
    }
    missed.none("missed")
}
