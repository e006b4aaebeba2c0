//! The door by which a language, or another kind of subject, comes in.
//!
//! A front end is a crate with one value that implements [`FrontEnd`]: its name, the forms of its targets, its flags,
//! the tools that it needs, how a target is built ([`Target`] to [`BuiltSubject`]) and how what a campaign has saved of
//! it is opened again ([`SavedSubject`]). The command knows front ends by these traits alone: all of its verbs
//! work with whatever its list has. What front ends have in common is here as well: the record that a campaign has of
//! its subject, what runs of its cases have shown, who is allowed what.
//!
//! Absent on purpose: every language, and the terminal. What is to be said to the user goes to [`notices`].

mod built;
mod bytes;
pub mod calls;
pub mod campaigns;
pub mod contain;
mod error;
pub mod export;
pub mod flags;
mod language;
mod limits;
pub mod made_here;
pub mod notices;
mod observations;
pub mod outline;
mod pictures;
mod problem;
pub mod record;
mod request;
pub mod saved;
pub mod sources;
mod subject_folder;
pub mod tools;
pub mod verbs;

pub use built::{BuiltSubject, Hint};
pub use bytes::BytesOnly;
pub use error::FrontEndError;
pub use language::{
    Form, FrontEnd, Target, TestFramework, Verb, file_of, must_be_file, with_ending,
};
pub use limits::{MEMORY_MB, TIMEOUT_MS};
pub use observations::{End, Observations, run_nothing, runs_nothing};
pub use pictures::{FindingPicture, needs_survey};
pub use problem::{Advice, CommandError, Exit, Problem};
pub use request::{ExploreRequest, ExportRequest};
pub use saved::{Debugger, Never, Rerun, SavedSubject, ends};
