//! Traces, the tree they merge into, its frontier, and the strategies that pick from it.
//!
//! This crate names no language, no process and no file: a front end says what a run was given
//! and which choices it made ([`Subject`], [`Trace`]); everything here works on those.

mod alike;
mod coverage;
mod deadline;
mod distance;
mod path;
pub mod program;
mod random;
pub mod schedule;
pub mod strategy;
mod subject;
mod trace;
mod tree;

pub use alike::{Alike, Group};
pub use coverage::Coverage;
pub use deadline::Deadline;
pub use distance::{Distances, FAR};
pub use path::{Path, mix_key};
pub use random::Random;
pub use subject::{Blueprint, BlueprintBlock, BlueprintFunction, RunError, SiteInfo, Subject};
pub use trace::{
    ALTERNATIVE_OTHER, Approximation, Case, Choice, Location, Outcome, Shape, SideId, SiteId,
    StoryKind, StoryLine, Trace,
};
pub use tree::{
    Attach, Bounds, Inserted, Item, Kind, LeafEnd, PositionId, Reason, State, Step, Tree, TreeError,
};
