//! What is linked into an instrumented subject: it makes labels, keeps their shadow, appends to
//! the trace, and serves forks. It never solves anything and never allocates.
//!
//! The pass calls the `__elw_` functions only on the slow path, that is when a label may be
//! non-zero; functions of the C library that matter for data flow are replaced by the `__elw_m_`
//! models, which follow the calling protocol of instrumented functions (`call`). Where shared
//! libraries must be heard too, a function of the runtime has the C library's own name; such names
//! are weak, so that a subject may still have functions of its own by them.
//!
//! Built by `crates/native/build.rs` into one object whose only global symbols are those of
//! `EXPORTS` there, so that it cannot clash with the subject.
#![no_std]

mod address;
mod call;
mod check;
mod child;
mod clock;
mod crash;
mod files;
mod foreign;
mod formula;
mod given;
mod graph;
mod harness;
mod input;
mod interpret;
mod kernel;
mod label;
mod local;
mod maps;
mod memory;
mod models;
mod objects;
mod positions;
mod primary;
mod range;
mod reach;
mod refused;
mod runner;
mod server;
mod shared;
mod snapshot;
mod sys;
mod threads;
mod varargs;
mod written;

#[cfg(elsewise_object)]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // A fault of the runtime itself: end the run in a way that nobody takes for the subject's.
    unsafe { sys::_exit(70) }
}

/// Parts of `core` were compiled to unwind and name this; nothing here ever does.
#[cfg(elsewise_object)]
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
