//! What is linked into an instrumented subject: it makes labels, keeps their shadow, appends to
//! the trace, and serves forks. It never solves anything and never allocates.
//!
//! The pass calls the `__elw_` functions only on the slow path, that is when a label may be
//! non-zero; functions of the C library that matter for data flow are replaced by the `__elw_m_`
//! models, which follow the calling protocol of instrumented functions (`frame`). Where shared
//! libraries must be heard too, a function of the runtime has the C library's own name; such names
//! are weak, so that a subject may still have functions of its own by them.
//!
//! Built by `crates/native/driver/build.rs` into one object whose only global symbols are those of
//! `build/exports.rs` there, so that it cannot clash with the subject.
//!
//! Most processes have many runs. At the end of a run, a process that has made no system call but harmless
//! ones puts memory and registers back and goes on from where its first run began; it then reads the next
//! command itself, while the server waits for its end (the runtime's `runner.rs` and `snapshot.rs`). A
//! system call outside of the list makes it an ordinary forked run for the rest of its life, at no loss:
//! so nothing has to be decided beforehand, and a crash, a hang or a limit is what it is for a forked run.
//! The proof that no run sees another has two halves: what the system holds for a process changes by
//! system calls only, and all of these are seen (syscall user dispatch, with no selector, so that no byte
//! of memory can turn it off); what the process holds itself is writable memory and registers, and of
//! these there is a copy, which is read-only while the subject runs. Whatever prepares a run works on a
//! stack of its own, so that even what lies below the stack pointer is the same in both kinds of run.
//! What the system holds for all of them, the positions and lengths of files that were open before, each run begins with
//! anew (`positions.rs`); memory that processes share, made before runs, counts. The allocator's random number, which it
//! leaves in what is freed, is always the same (`kernel.rs`). `server.rs` repeats one of 256 in a process of its own, and
//! compares all that both have written.
//!
//! The handler also sees what containment and limits refuse (the runtime's `refused.rs`): it counts, and a failure
//! of such a run is not confirmed, as the plain build was refused the same.
//!
//! The same watch tells what no list of names could: any system call that takes bytes of an input, or asks
//! how long it is, and that no model of ours has made (ours are made by code which is not dispatched) counts
//! `unfollowed-input` at the last call out of instrumented code (the runtime's `kernel.rs`). It begins
//! before the program's own constructors and lasts to the end of the run, in all of its threads. A call that
//! may wait, or come back twice, is not made by the handler: it has the interrupted code go on in a few
//! instructions that make it and go back.
//!
//! Library functions through which data flows are replaced in the instrumented program by *models*:
//! those whose result is one term stand in the runtime, those that are loops with decisions are C in
//! `crates/native/driver/support/models`, compiled with the pass into an archive from which each program and
//! library takes what it uses. The pass puts them in place by name (`names.rs`); their sites are
//! hidden, and what they make concrete is shown where they were called. Models are weak symbols, and a
//! program that defines a function by such a name defines the model's symbol with it (`module.rs`): so the
//! linker decides whose function is called, as it does in the plain program.
//!
//! When a call turns out to have gone to code that is not instrumented, labelled arguments are made concrete,
//! and labels are looked for in the memory that it can reach: the objects that its pointers point to, and those
//! that are pointed to from there (the runtime's `reach.rs`). Code that is neither the system's nor instrumented (a
//! library of others, assembly) may have kept a pointer, and knows variables by their names: its own variables are looked
//! at as if they were given, and once more when the run ends (`foreign.rs`). Functions that read nothing of it are known by
//! name (`names.rs`), and so is output (`wire/src/output.rs`), as long as nothing becomes of its result; where
//! something does, a model takes its place. What the run writes to a file, a pipe or a socket may come back:
//! these are remembered, and what is read from them counts, as does asking how long they are or where in them one is
//! (`written.rs`). Writing is told of before the call, whether or not what is written has labels: that nothing is written
//! may depend on an input, too. Assembly that says it touches memory,
//! and instructions of which nothing is known, are treated as such calls.
//!
//! Its own tests (`tests/`, beside `src` so that a change of them builds no runtime anew) are linked with
//! everything but the names of the C library's: those and the list of what runs before `main` are
//! left out under `cfg(test)`, since a test program is no subject.
#![cfg_attr(not(test), no_std)]
#![cfg_attr(
    test,
    allow(
        dead_code,
        non_snake_case,
        reason = "what only C calls has no name there that C could call it by"
    )
)]

mod address;
mod attach;
mod call;
mod callbacks;
mod check;
mod child;
mod clock;
mod counted;
mod crash;
mod dispatch;
mod ending;
mod files;
mod first_input;
mod foreign;
mod formula;
mod frame;
mod given;
mod graph;
mod harness;
mod imports;
mod input;
mod input_calls;
mod interpret;
mod interrupted;
mod kernel;
mod label;
mod loaded;
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
mod several;
mod shared;
mod snapshot;
mod streams;
mod subject_calls;
mod surroundings;
mod sys;
mod threads;
mod turns;
mod varargs;
mod written;

#[cfg(test)]
#[path = "../tests/trace.rs"]
mod trace;

#[cfg(elsewise_object)]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // A fault of the runtime itself: end the run in a way that nobody takes for the subject's.
    sys::_exit(70)
}

/// Parts of `core` were compiled to unwind and name this; nothing here ever does.
#[cfg(elsewise_object)]
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
