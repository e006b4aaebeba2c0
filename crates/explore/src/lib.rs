//! Traces, the tree they merge into, its frontier, and the strategies that pick from it.
//!
//! This crate names no language, no process and no file: a front end says what a run was given
//! and which choices it made ([`Subject`], [`Trace`]); everything here works on those.

mod approximation;
mod coverage;
mod deadline;
mod distance;
mod failure;
mod path;
pub mod program;
mod random;
pub mod schedule;
mod site;
pub mod strategy;
mod subject;
mod symmetry;
mod trace;
mod tree;

pub use approximation::{Approximation, ApproximationKind};
pub use coverage::Coverage;
pub use deadline::Deadline;
pub use distance::{Distances, FAR};
pub use failure::FailureKind;
pub use path::{Path, mix_key};
pub use random::Random;
pub use site::{SideId, SiteId};
pub use subject::{
    Blueprint, BlueprintBlock, BlueprintFunction, RunError, SiteInfo, Subject, Suspect, Text,
};
pub use symmetry::{Group, Symmetry};
pub use trace::{
    ALTERNATIVE_OTHER, Case, Choice, Location, Outcome, Shape, StoryKind, StoryLine, Trace,
};
pub use tree::{
    Attach, Bounds, Inserted, Item, Kind, LeafEnd, PositionId, Reason, State, Step, Tree, TreeError,
};
