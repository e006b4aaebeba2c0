//! Tests that a programmer keeps: cases of a campaign as files of a test framework.
//!
//! Data in, files out: nothing is read or written here, and nothing is known of campaigns. What is
//! known of a case when it becomes a test differs by language: behaviours of a C function are memory
//! before and after its calls (`c/`), calls of Erlang and Elixir are written down as they are (`calls.rs`),
//! and a query of Prolog has answers (`queries.rs`). Of a program there is a script for each finding (`regression.rs`),
//! which the project's build runs (`registration.rs`).

pub mod c;
mod calls;
mod eunit;
mod exunit;
mod names;
mod plunit;
mod queries;
pub mod registration;
pub mod regression;

pub use calls::{CallEnd, CallSuite, CallTest};
pub use eunit::eunit;
pub use exunit::exunit;
pub use plunit::plunit;
pub use queries::{Answer, QueryEnd, QueryFinding, QuerySuite, QueryTest, Wanted};

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub name: String,
    pub text: String,
}
