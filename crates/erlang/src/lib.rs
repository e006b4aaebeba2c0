//! Erlang and Elixir subjects: a function of a module, run on the standard machine.
//!
//! The module is instrumented by a helper inside of the machine; its runs tell which clauses they
//! took, and the engine rebuilds the symbolic execution from that and from the program itself
//! (`machine.rs`). Findings are confirmed on the module as it is.
//!
//! ```text
//! FILE.erl ── helper in the machine ──▶ instrumented module, and its program ──┐
//!    └─────── erlc ───────────────────▶ module as it is                         │
//!                                          ▲                                    ▼
//!                                          │ confirm     erl ── process ──▶ run
//!                                          │                                 │ which clauses it took,
//!                                       finding ◀── trace ◀── machine.rs ◀───┘ what others gave
//! ```
//!
//! The modules are instrumented in Core Erlang by a helper that runs inside of the machine
//! (`crates/erlang/beam`); what comes back is a list of the clauses that were taken and the results of calls
//! that nobody follows. `machine.rs` goes through the program once more with those decisions and keeps
//! symbolic values beside; it never decides anything by itself, and where its conditions do not agree with
//! what the run did, that is counted (`condition`). Inputs are terms of unknown shape: every part has a
//! variable for its *kind* and one for each thing that could be known of it (`inputs.rs`, `kinds.rs`), named
//! by the way to the part, and parts appear as a run needs them, so that all is bit-vectors and no query
//! speaks of data structures. Integers grow by the bits that an operation can add, so that arithmetic is
//! exact. What types leave open, and which member of a union a part is, are bounds on the same variables.
//! Where library functions are loops over structure they are instrumented as copies, or told again in Erlang
//! (`elsewise_models.erl`), so that they need no model here.
//!
//! Processes of a run take turns (`elsewise_sched.erl`): what others can notice is asked for first and done
//! when it is granted. Subject processes have a high priority on a single scheduler thread, so whoever gives
//! turns runs when all of them are at rest, and the machine's own mailboxes, links and monitors are used.
//! `turns.rs` follows each process up to where it asks; `processes.rs` says what a turn touches, in the terms
//! of `explore/src/schedule`, so that orders of messages are explored like those of threads.

mod amended;
mod arithmetic;
mod bits;
mod blueprint;
#[cfg(test)]
mod by_hand;
mod calls;
mod compare;
mod construction;
mod containers;
mod elixir;
mod equality;
mod error;
mod etf;
mod events;
mod flat;
mod forms;
mod guards;
mod inputs;
mod kinds;
mod machine;
mod matching;
mod number;
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

pub use error::BuildError;
pub use project::{Options, Project, is_target};
pub use subject::ErlangSubject;
