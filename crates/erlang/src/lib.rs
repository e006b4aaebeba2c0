//! Erlang and Elixir subjects: a function of a module, run on the standard machine.
//!
//! The module is instrumented by a helper inside of the machine; its runs tell which clauses they
//! took, and the engine rebuilds the symbolic execution from that and from the program itself
//! (`machine.rs`). Findings are confirmed on the module as it is.

mod amended;
mod arithmetic;
mod binary;
mod calls;
mod compare;
mod construction;
mod containers;
mod elixir;
mod etf;
mod events;
mod flat;
mod forms;
mod inputs;
mod kinds;
mod machine;
mod matching;
mod outcome;
mod primitives;
mod processes;
mod program;
mod project;
mod reach;
mod reading;
mod run;
mod subject;
mod text;
mod turns;
mod types;
mod value;
mod vm;

pub use project::{BuildError, Options, Project, is_target};
pub use subject::ErlangSubject;
