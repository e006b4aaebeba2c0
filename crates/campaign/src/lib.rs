//! The loop at work: pick an alternative, ask the solver, run the case, keep what came of it.
//!
//! [`explore`] drives one or more [`elsewise_explore::Subject`]s, all of the same build, until
//! nothing is left to try, the budget ends or it is told to stop. Everything it learns is in the
//! campaign's folder before it counts ([`Store`] describes the folder and reads it), so a campaign
//! can be killed at any moment and resumed.

mod again;
mod begin;
mod board;
mod cache;
mod check;
mod counts;
mod cpu;
mod error;
mod exchange;
mod explore;
mod finding_files;
mod findings;
mod holders;
mod job;
mod ledger;
mod merge;
mod open;
mod options;
mod portion;
mod preferences;
mod regular;
mod schedule_search;
mod shard;
mod smaller;
mod state;
mod store;
mod summarize;
mod summary;
#[cfg(feature = "toy")]
pub mod toy;
mod unproductive;
mod words;
mod work;
mod worker;

pub use elsewise_explore::{StoryKind, StoryLine};
pub use error::CampaignError;
pub use exchange::{Exchange, Found};
pub use explore::{
    Company, Reserve, STACK, explore, explore_on, explore_portion, explore_together,
};
pub use findings::same_failure;
pub use merge::can_merge;
pub use options::{Budget, Options, Subsume, SubsumeBy, difference};
pub use portion::{Free, Half, Others, Portion, PortionCase, WayOut, halve};
pub use regular::{
    is_link, open_unlinked, read_regular, read_regular_text, read_unlinked, read_unlinked_text,
    write_unlinked,
};
pub use shard::Shard;
pub use smaller::{Effort, Smaller, smaller};
pub use store::{
    FORMAT, Moment, RunEnd, RunInfo, SCHEDULE, STORY, Store, Survey, file_name, read_story,
};
pub use summary::{
    ApproximationPlace, Ended, Finding, Frame, Phase, Progress, Queries, RaceSeen, SCHEMA,
    Searched, Sides, Stage, Subsumption, Summary,
};
