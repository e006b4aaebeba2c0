//! Prolog subjects: a predicate of a file, run on SWI-Prolog.
//!
//! A server inside of SWI-Prolog loads the program as it is and adds instrumented copies of its
//! predicates; their runs tell which clauses they entered, and the engine rebuilds the symbolic
//! execution from that and from the program itself (`machine.rs`). Findings are confirmed on the
//! program as it is.

mod amended;
mod arithmetic;
mod backtrack;
mod builtins;
mod clauses;
mod constraints;
mod database;
mod derivation;
mod events;
mod inputs;
mod machine;
mod order;
mod outcome;
mod program;
mod project;
mod query;
mod signature;
mod subject;
mod term;
mod text;
mod told;
mod types;
mod unify;
mod vm;

pub use project::{BuildError, Options, Project};
pub use query::{End, Ends, Query};
pub use subject::PrologSubject;
