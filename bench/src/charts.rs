//! `cargo measure charts`: state-machine models of others, read and run, and how fast they are covered.

mod conformance;
mod coverage;
mod public;

use crate::runner::Session;
use anyhow::Result;
use std::path::PathBuf;

#[derive(clap::Subcommand)]
pub enum Part {
    /// Run the W3C's tests of SCXML that are within what is read (they come with a package of npm)
    Conformance,
    /// Draw branch coverage over time, by each way to search and by random messages, in target/charts-*.svg
    Coverage(coverage::Options),
    /// Read the models below some folders, and print how many were read or refused, and why
    Public {
        #[arg(required = true)]
        folders: Vec<PathBuf>,
    },
}

pub fn run(session: &Session, part: &Part) -> Result<()> {
    match part {
        Part::Conformance => conformance::run(),
        Part::Coverage(options) => coverage::run(session, options),
        Part::Public { folders } => public::run(folders),
    }
}
