//! The compiler driver of C and C++ subjects: from sources to programs that can be explored.
//!
//! [`cc`] builds a program twice, instrumented and plain; [`Program`] is what was built. Nothing here runs
//! a subject. What a build consists of:
//!
//! ```text
//! FILE.c ── clang + pass ──▶ instrumented program ◀── linked with the runtime
//!    └───── clang ─────────▶ plain twin, in a section of it
//! ```
//!
//! The pass, the runtime, the models of library functions and the support of plain programs are built by
//! `build.rs` and are part of this crate; [`Cache`] is where they are unpacked, and [`builds`] what has been
//! built before.
//!
//! Shared libraries are built the same way, but the runtime is in the program alone and exported from
//! it, so that there is one trace however many files the code comes from; a library names a shared
//! runtime that does nothing, for programs that have none.
//!
//! The C++ standard library is built from its own source (`cc/standard.rs`) as any code is, without threads and
//! exceptions, into an archive that stands before the installed library when an instrumented program is linked.
//! Whatever both define is then the program's, for the installed library as well, since its calls go through the
//! dynamic symbols that the program exports. Its sites are hidden. Every function is known to its callers by its
//! address, so a constructor's two names are two functions (no aliases), and a body that is there only to be inlined
//! is not.

mod artefacts;
pub mod builds;
pub mod cc;
pub mod commands;
mod error;
pub mod libraries;
pub mod names;
mod objects;
mod program;
mod sanitizers;
pub mod standard_source;
mod toolchain;

pub use artefacts::{Cache, Unpacked};
pub use error::NativeError;
pub use program::{Part, Program, is_cxx};
pub use sanitizers::{REPORTED, Sanitizers};
pub use toolchain::{Check, Toolchain, checks};
