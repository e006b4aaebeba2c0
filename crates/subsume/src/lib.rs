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

mod back;
mod cells;
mod condition;
mod entry;
mod given;
mod kept;
mod look;
mod machine;
mod memory;
mod payoff;
mod points;
mod spine;
mod subsumer;
mod tale;

pub use payoff::Payoff;
pub use subsumer::{Closed, Subsumer};
pub use tale::{Given, Observed};
