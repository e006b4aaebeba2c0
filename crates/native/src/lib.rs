//! C and C++ subjects: the engine's side of programs that clang compiles.
//!
//! [`cc`] builds a program twice, instrumented and plain; [`Program`] is what was built;
//! [`NativeSubject`] runs it: the instrumented one through a fork server, whose shared memory is
//! decoded into traces, the plain one to confirm what was found.
//!
//! A run:
//!
//! ```text
//! FILE.c ── clang-22 + pass ──▶ instrumented program ──┐ linked with the runtime
//!    └───── clang-22 ─────────▶ plain twin             │
//!                                  ▲                   ▼
//!                                  │ confirm    fork server ── fork ──▶ run
//!                                  │                                     │ appends nodes, events,
//!                               finding ◀── trace ◀── decode ◀───────────┘ coverage to shared memory
//! ```
//!
//! Shared libraries are built the same way, but the runtime is in the program alone and exported from
//! it, so that there is one trace however many files the code comes from; a library names a shared
//! runtime that does nothing, for programs that have none. Where the plain twin has sanitizers, every
//! case runs on it too, and what they report is the run's outcome.
//!
//! The C++ standard library is built from its own source (`cc/standard.rs`) as any code is, without threads and
//! exceptions, into an archive that stands before the installed library when an instrumented program is linked.
//! Whatever both define is then the program's, for the installed library as well, since its calls go through the
//! dynamic symbols that the program exports. Its sites are hidden. Every function is known to its callers by its
//! address, so a constructor's two names are two functions (no aliases), and a body that is there only to be inlined
//! is not.

pub mod artefacts;
mod blueprint;
pub mod builds;
mod calls;
pub mod cc;
mod code;
pub mod commands;
mod decode;
mod error;
pub mod function;
mod globals;
mod import;
mod libraries;
mod main_input;
mod mapped;
mod memory;
mod objects;
mod options;
mod outcome;
mod plain;
mod program;
mod sanitizers;
mod scheduled;
mod server;
mod standard_source;
mod started;
mod streams;
mod subject;
mod surroundings;
mod symbols;
mod threads;
pub mod toolchain;
pub mod types;

pub use artefacts::Cache;
pub use cc::main_cc;
pub use elsewise_contain::Containment;
pub use elsewise_wire::PLAIN_SECTION;
pub use elsewise_wire::threads::MemoryModel;
pub use error::NativeError;
pub use libraries::{LIBRARY_PATH, before};
pub use memory::Capacities;
pub use options::NativeOptions;
pub use plain::{LaidOut, Plain, PlainRun};
pub use program::Program;
pub use sanitizers::Sanitizers;
pub use scheduled::lay_out_run;
pub use server::MOVES;
pub use streams::Stdin;
pub use subject::NativeSubject;
pub use surroundings::Surroundings;
pub use threads::thread_title;
pub use toolchain::{Check, Toolchain, checks};
