//! What `explore` can be told of any subject, flag by flag.

use super::ResultFormat;
use crate::budget::Budget;
use crate::quota::Quota;
use crate::shard::ShardWord;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use elsewise_cluster::{BucketAddress, Place};
use elsewise_explore::schedule::Schedules;
use elsewise_explore::strategy::STRATEGIES;
use elsewise_frontend::contain::AllowFlags;
use std::path::PathBuf;

/// What `explore` can be told of any subject.
#[derive(Clone, Debug, Default, Args)]
pub struct Settings {
    /// End after a time, a number of runs, or whichever comes first: 60s, 5m, 1000runs,
    /// 60s,1000runs [default: until all is explored].
    #[arg(long)]
    pub budget: Option<Budget>,

    /// How the next alternative is picked [default: mix].
    #[arg(long, value_parser = strategies())]
    pub strategy: Option<String>,

    /// Fail where there are no findings but not everything was explored.
    #[arg(long)]
    pub require_complete: bool,

    /// Negate only the first N choices of a run.
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,

    /// Seed of everything that is picked at random [default: 0].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Milliseconds that one run may take; longer is a hang [default: 2000].
    #[arg(long, value_name = "MS")]
    pub timeout: Option<u64>,

    /// Megabytes of memory that one run may use [default: 2048].
    #[arg(long, value_name = "MB")]
    pub memory: Option<u64>,

    /// Workers that explore at the same time; with one, the order of runs repeats exactly unless
    /// queries take long [default: one for each core, of which all but the first begin after 1,000 runs
    /// or 2 seconds; 1 with --seed, with a budget of runs, and beside a fuzzer].
    #[arg(long, value_name = "N")]
    pub jobs: Option<u16>,

    /// Directory of the campaign [default: SUBJECT.elsewise].
    #[arg(long, value_name = "DIR")]
    pub campaign: Option<PathBuf>,

    /// Explore only a share of the campaign, 2/4 being the second of four; the others are for other machines
    /// or jobs. It is a campaign of its own [default directory: SUBJECT.2-of-4.elsewise].
    #[arg(long, value_name = "K/N", conflicts_with = "merge")]
    pub shard: Option<ShardWord>,

    /// Begin a new campaign with all that these shards have explored, and explore what is left.
    #[arg(long, value_name = "DIR", num_args = 1..)]
    pub merge: Vec<PathBuf>,

    /// Explore together with all who name the same place: a folder that they share, or a NATS server and a name for
    /// the campaign, nats://HOST/NAME. In the end, all that they have explored is put together here.
    #[arg(long, value_name = "PLACE", conflicts_with_all = ["shard", "merge"])]
    pub fleet: Option<Place>,

    /// What the campaign may have on the server, where --fleet begins it there: 500MiB, 2GiB [default: as
    /// much as the server has].
    #[arg(long, value_name = "SIZE", requires = "fleet")]
    pub fleet_quota: Option<Quota>,

    /// Where a campaign on a server keeps what is large: s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX
    /// or a folder. All members are to name the same [default: $ELSEWISE_FLEET_BUCKET, otherwise the server].
    #[arg(long, value_name = "BUCKET", requires = "fleet")]
    pub bucket: Option<BucketAddress>,

    /// Move an existing campaign out of the way and begin a new one.
    #[arg(long)]
    pub fresh: bool,

    /// Let Prometheus read how far the exploration is, at this address: 127.0.0.1:9464.
    #[arg(long, value_name = "ADDRESS")]
    pub metrics: Option<String>,

    /// Form of the result: text, one JSON object, or lines as compilers write them, all on standard
    /// output [default: text].
    #[arg(long, value_enum)]
    pub format: Option<ResultFormat>,

    /// No progress, only the result.
    #[arg(long, short)]
    pub quiet: bool,

    /// Milliseconds that one query to the solver may take [default: 5000].
    #[arg(long, value_name = "MS")]
    pub query_timeout: Option<u64>,

    /// Solver stages to leave out, separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = stages())]
    pub stages_off: Vec<String>,

    /// Values to try where a run had to make a value concrete [default: 256].
    #[arg(long, value_name = "N")]
    pub max_values: Option<u32>,

    /// Which schedules of threads are run: all; bounded:N, those with at most N preemptions; or samples
    /// by chance, random, pct:D (priorities of threads, bugs of depth D) or pos (priorities of moves).
    /// auto is all, and samples after half of the time if all are too many for it [default: auto].
    #[arg(long, value_name = "WHICH")]
    pub schedules: Option<Schedules>,

    #[command(flatten)]
    pub allowed: AllowFlags,
}

fn strategies() -> PossibleValuesParser {
    let all = STRATEGIES.iter();
    let all = all.map(|listed| PossibleValue::new(listed.name).help(listed.about));
    PossibleValuesParser::new(all.collect::<Vec<_>>())
}

fn stages() -> PossibleValuesParser {
    PossibleValuesParser::new(elsewise_solve::stage_names())
}
