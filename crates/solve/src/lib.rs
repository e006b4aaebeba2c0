//! Query in, model out: a pipeline of stages, cheapest first.
//!
//! Slicing leaves only the conditions that share inputs with the wanted one; the stages that decide what is
//! left are listed in `stages/mod.rs`.
//!
//! No model leaves this crate before the evaluator has confirmed it. This crate names no
//! language, no process and no file of a subject.

mod path;
mod query;
mod solver;
mod stage;
mod stages;

pub use path::Path;
pub use query::{Answer, GaveUp, Query, Settings, StageCount};
pub use solver::{Solver, stage_names};
pub use stages::z3::{LoadError, SolverProgram, Z3, Z3Answer, serve as serve_z3, spent_outside};
