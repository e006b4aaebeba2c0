//! Subsumption by interpolation: what need not be run is closed.
//!
//! A run is followed once more through the program as a transition relation
//! ([`elsewise_explore::program`]), with symbolic values in all cells, those included that do not depend
//! on inputs. Going back from its end, every decision is asked: is all that lies below it known? Where
//! the other way is impossible, was explored, or a bounded look (`look.rs`) sees all of it, the decision
//! is *full*, and the condition on the state under which nothing below is new, its full interpolant, is
//! pushed back further and kept at the points where paths meet. Another arrival there that implies it
//! is closed with all below it, under any strategy, before anything is solved or run.
//!
//! Whatever cannot be said exactly (an opaque call, a value made concrete, a query without answer, a
//! trace that the program does not explain) makes a run of no use here, and closes nothing.
//! This crate names no language, no process and no file.
//!
//! Parts of the tree are closed without being run (`crates/subsume`, with `--subsume`). A front end can tell its
//! program as a transition relation in words of no language (`explore/src/program.rs`); the native one has the
//! pass write it beside the program map, and joins it (`native/src/code.rs`). A machine follows each run
//! through that program with symbolic values in *all* registers and bytes, those included that no input reaches, and
//! is held against the trace: each choice must be a decision of the program's, with the same condition, or
//! nothing is concluded from the run. Everything the machine does is on a trail and in a log. So it goes back along
//! the run decision by decision, looks at other ways from there and undoes that (`look.rs`), and conditions are pushed
//! back through the log (`back.rs`): first backwards, to see which cells matter, then forwards through nothing but
//! that. A condition is a conjunction over cells (`condition.rs`), kept by *point*: code, calls under
//! way, objects in memory (`points.rs`), so that cells have one meaning there. What a program is given later is a bound
//! input of which nothing is known; as the negation is what a solver is asked, no quantifier is ever needed. A guard is
//! dropped from what it guards where the path implies that anyway, else kept as a disjunction. What a position
//! knows of each of its ways is kept by tree position (`subsumer.rs`): a position is full when all of its ways
//! are, whoever explored them, which is what makes it work under any strategy. A failure that was seen is no obstacle: what is
//! implied leads to a subset of what was seen.

mod back;
#[cfg(test)]
mod by_hand;
mod cells;
mod condition;
mod condition_store;
mod entry;
mod input_bytes;
mod limit;
mod look;
mod machine;
mod memory;
mod payoff;
mod points;
mod spine;
mod subsumer;
mod trace_replay;

pub use payoff::Payoff;
pub use subsumer::{Closed, Subsumer};
pub use trace_replay::{InputNames, Observed};
