//! Flags of those who take part in what others have begun.

use crate::budget::Budget;
use clap::{Args, ValueEnum};
use elsewise_cluster::{BucketAddress, Place};
use elsewise_frontend::contain::AllowFlags;
use std::path::PathBuf;

/// Take part in a campaign that somebody explores with --fleet.
///
/// The subject is built from the sources in the working directory, as `explore` built it, and parts of its tree are
/// explored until there are none left. Nothing is kept here: who began the campaign has the results. Exit code 0 when
/// everything was explored, by whomever, 3 when the budget ended first.
#[derive(Debug, Args)]
#[command(after_help = WORKER_EXAMPLES)]
pub struct WorkerArgs {
    /// A folder, or nats://HOST/NAME, as it was given to --fleet.
    #[arg(long, value_name = "PLACE")]
    pub join: Place,

    /// Print what a user of the server must be allowed, and take no part.
    ///
    /// For a member, or for who begins the campaign, too.
    #[arg(long, value_name = "FOR", num_args = 0..=1, require_equals = true, default_missing_value = "member")]
    pub permissions: Option<PermissionsFor>,

    /// Where the campaign keeps what is large, if that is not its server, as it was given to --bucket of `explore`.
    /// No other bucket is used, whatever the campaign says [default: $ELSEWISE_FLEET_BUCKET].
    #[arg(long, value_name = "BUCKET")]
    pub bucket: Option<BucketAddress>,

    /// Take part for so long at most: 60s, 5m [default: until all is explored].
    #[arg(long)]
    pub budget: Option<Budget>,

    /// Workers that explore at the same time [default: one for each core].
    #[arg(long, value_name = "N")]
    pub jobs: Option<u16>,

    /// Obey the campaign's words, whatever files and options of the compiler they name.
    #[arg(long)]
    pub trust: bool,

    #[command(flatten)]
    pub flags: AllowFlags,

    /// Options for the compiler, where those of the campaign could make it load or write something.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub cflags: Option<String>,

    /// The file that the campaign was begun with instead of elsewise.toml.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Let Prometheus read how far the member is, at this address: 127.0.0.1:9464.
    #[arg(long, value_name = "ADDRESS")]
    pub metrics: Option<String>,

    /// No progress, only the result.
    #[arg(long, short)]
    pub quiet: bool,
}

/// For what somebody is given permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PermissionsFor {
    /// To take part
    Member,
    /// To begin the campaign as well
    Begin,
}

const WORKER_EXAMPLES: &str = "\
Examples:
  elsewise worker --join nats://queue.example.org/parser
  elsewise worker --join nats://queue.example.org/parser --bucket s3://campaigns/nightly
  elsewise worker --join /srv/fleet/parser --jobs 4
  elsewise worker --join nats://queue.example.org/parser --permissions >parser.conf";
