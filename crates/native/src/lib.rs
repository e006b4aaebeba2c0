//! C and C++ subjects at work: programs that `elsewise-driver` has built are run, and what they write is decoded.
//!
//! [`NativeSubject`] runs a program: the instrumented one through a fork server, whose shared memory is
//! decoded into traces, the plain one to confirm what was found.
//!
//! A run:
//!
//! ```text
//! instrumented program ──▶ fork server ── fork ──▶ run
//!                                                   │ appends nodes, events,
//! plain twin ◀── finding ◀── trace ◀── decode ◀─────┘ coverage to shared memory
//!      └─ confirm ──▶
//! ```
//!
//! Where the plain twin has sanitizers, every case runs on it too, and what they report is the run's outcome.
//! A function is run as any program is: `elsewise-functions` writes one around it.

mod blueprint;
mod calls;
mod code;
mod decode;
mod globals;
mod import;
mod main_input;
mod mapped;
mod memory;
mod options;
mod outcome;
mod plain;
mod reports;
mod said;
mod scheduled;
mod server;
mod started;
mod streams;
mod subject;
mod surroundings;
mod symbols;
mod threads;

pub use elsewise_wire::threads::MemoryModel;
pub use memory::Capacities;
pub use options::NativeOptions;
pub use plain::{LaidOut, Plain, PlainRun};
pub use scheduled::lay_out_run;
pub use server::MOVES;
pub use streams::Stdin;
pub use subject::NativeSubject;
pub use surroundings::Surroundings;
pub use threads::thread_title;
