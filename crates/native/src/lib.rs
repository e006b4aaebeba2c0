//! C and C++ subjects: the engine's side of programs that clang compiles.
//!
//! [`cc`] builds a program twice, instrumented and plain; [`Program`] is what was built;
//! [`NativeSubject`] runs it: the instrumented one through a fork server, whose shared memory is
//! decoded into traces, the plain one to confirm what was found.

pub mod artefacts;
mod blueprint;
pub mod builds;
pub mod cc;
mod code;
pub mod commands;
mod contain;
mod decode;
mod error;
pub mod function;
mod globals;
mod histories;
mod import;
mod libraries;
mod main_input;
mod memory;
mod objects;
mod outcome;
mod plain;
mod process;
mod program;
mod sanitizers;
mod scheduled;
mod server;
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
pub use contain::{
    ContainedMachines, Containment, has_namespaces, has_read_only_mounts, landlock_version,
};
pub use decode::Stdin;
pub use elsewise_wire::PLAIN_SECTION;
pub use elsewise_wire::threads::MemoryModel;
pub use error::NativeError;
pub use libraries::{LIBRARY_PATH, before};
pub use memory::Capacities;
pub use plain::{LaidOut, Plain, PlainRun};
pub use program::Program;
pub use sanitizers::Sanitizers;
pub use scheduled::lay_out_run;
pub use server::MOVES;
pub use subject::{NativeOptions, NativeSubject};
pub use surroundings::Surroundings;
pub use threads::thread_title;
pub use toolchain::{Check, Toolchain, checks};
