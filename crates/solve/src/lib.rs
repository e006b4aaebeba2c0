//! Query in, model out: a pipeline of stages, cheapest first.
//!
//! | stage | decides |
//! |---|---|
//! | `slice` | nothing; leaves only the conditions that share inputs with the wanted one |
//! | `syntactic` | the wanted condition or its negation stands in the slice; ranges that conflict |
//! | `cache` | what was asked before, supersets of known conflicts, models found before |
//! | `search` | satisfiable queries a few moves away from the present model |
//! | `bitblast` | bit-vectors of any width, by CaDiCaL |
//! | `z3` | what the others gave up, if a libz3 can be loaded |
//!
//! No model leaves this crate before the evaluator has confirmed it. This crate names no
//! language, no process and no file of a subject.

mod bitblast;
mod cache;
mod enumerate;
mod path;
mod query;
mod search;
mod solver;
mod stage;
mod syntactic;
mod z3;

pub use path::Path;
pub use query::{Answer, GaveUp, Query, Settings, StageCount};
pub use solver::{Solver, stage_names};
pub use z3::{LoadError, SolverProgram, Z3, Z3Answer, serve as serve_z3, spent_outside};
