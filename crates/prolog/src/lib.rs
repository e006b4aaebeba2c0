//! Prolog subjects: a predicate of a file, run on SWI-Prolog.
//!
//! A server inside of SWI-Prolog loads the program as it is and adds instrumented copies of its
//! predicates; their runs tell which clauses they entered, and the engine rebuilds the symbolic
//! execution from that and from the program itself (`machine.rs`). Findings are confirmed on the
//! program as it is.
//!
//! ```text
//! FILE.pl ── server in SWI-Prolog ──▶ program as it is, with a copy beside each predicate ──┐
//!                                          ▲                                                ▼
//!                                          │ confirm                     query of the copy: run
//!                                          │                                                │ which clauses it
//!                                       finding ◀── trace ◀── machine.rs ◀──────────────────┘ entered, what others gave
//! ```
//!
//! The server (`crates/prolog/swi`) tells the engine the whole program when it is loaded: clauses with their
//! bodies taken apart, so that `machine.rs` is itself a machine for Prolog, with a trail, choice points and cuts,
//! on terms that are partly unknown. It predicts the next event at each step, and events are what it is held
//! against; only opaque built-ins tell more than that they succeeded. A copy has the heads of its predicate, and
//! one event is one character behind the head and behind each built-in that succeeded. Unification with a head is
//! a condition over the inputs (`unify.rs`), of which the negation is quantifier-free where the call is ground;
//! the clauses of a call that unify are one choice. Every part of an input has a variable for what it is made of,
//! as numbered in the signature of the program (`signature.rs`), and one for its integer (`inputs.rs`).

mod amended;
mod arithmetic;
mod backtrack;
mod builtins;
#[cfg(test)]
mod by_hand;
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
