//! The layout in which a native subject writes its trace, and in which the pass describes the
//! program. Shared by the engine, the pass and the runtime that is linked into the subject, so it
//! depends on nothing but the list of operators, not even on `std`.
//!
//! One shared-memory file serves one fork server. The engine lays it out ([`Header`] says where
//! each area is and how much it holds), the subject appends:
//!
//! | area | written by | content |
//! |---|---|---|
//! | header | both | sizes and limits from the engine; counters and the outcome from the subject |
//! | input | engine | the case: a sequence of streams, see [`StreamRecord`] |
//! | coverage | subject | one byte per branch side, 1 when taken |
//! | events | subject | [`Event`]s in order: the choices of the run |
//! | nodes | subject | [`Node`]s: what the labels of the run stand for |
//!
//! The counters live in the shared memory itself, so a subject that is killed loses nothing that
//! it had written. Everything the subject writes is bad input until checked.
#![cfg_attr(not(any(test, feature = "map")), no_std)]

pub mod bytecode;
pub mod calls;
#[cfg(any(test, feature = "map"))]
pub mod code;
mod event;
pub mod given;
#[cfg(any(test, feature = "map"))]
mod leb;
pub mod libc;
#[cfg(any(test, feature = "map"))]
pub mod map;
mod node;
pub mod output;
pub mod outside;
mod pipes;
pub mod sampler;
pub mod threads;

pub use event::*;
pub use node::*;
pub use pipes::*;

/// First word of [`Header`].
pub const MAGIC: u64 = 0x3145_5349_5745_534c;
/// Raised whenever a layout in this crate changes.
pub const VERSION: u32 = 14;

/// Environment variable with the number of the inherited shared-memory file descriptor.
pub const ENV_SHM: &str = "ELSEWISE_SHM";
/// Environment variable with `IN,OUT`: the control pipe's read end and the status pipe's write end.
pub const ENV_CTL: &str = "ELSEWISE_CTL";
/// Environment variable with the path of a file that is laid out as the shared memory is and holds a
/// case: the program then is its run, without an engine, and changes nothing in the file.
pub const ENV_RUN: &str = "ELSEWISE_RUN";
/// Environment variable with the directory of a case, for replay on the plain build.
pub const ENV_CASE: &str = "ELSEWISE_CASE";
/// Environment variable with the keys, separated by commas, of the inputs that a plain run has
/// from the start: others of these names come after them.
pub const ENV_GIVEN: &str = "ELSEWISE_GIVEN";

/// Section of an object file that holds its program map.
pub const MAP_SECTION: &str = "elsewise_map";
/// Section of an object file that holds its code as a transition relation.
pub const CODE_SECTION: &str = "elsewise_code";
/// Section of an instrumented object or executable that holds its uninstrumented twin.
pub const PLAIN_SECTION: &str = ".elsewise.plain";

pub const MAX_MODULES: usize = 4096;
pub const MAX_STREAMS: usize = 256;
/// Arguments and environment variables that can be inputs.
pub const MAX_GIVEN: usize = 64;
pub const MAX_FRAMES: usize = 32;
/// Sites from here on are of code that was loaded by a run and has no place in the map.
pub const LATE_SITES: u32 = 1 << 31;
pub const NAME_BYTES: usize = 48;
pub const TEXT_BYTES: usize = 512;

/// Labels have 29 bits: the shadow keeps a byte's label as `label << 3 | index of the byte`.
pub const MAX_LABELS: u32 = 1 << 29;

/// Flag of the eight bytes that `addr` is among: `(addr >> 3) + FLAGS_BASE`, a byte that is zero
/// only where none of them has a shadow entry that is not. There is one for every address that a
/// program can have, right before the shadow.
pub const FLAGS_BASE: u64 = SHADOW_BASE - FLAGS_SIZE;
pub const FLAGS_SIZE: u64 = ADDRESSES >> 3;
/// Addresses of programs are below this.
pub const ADDRESSES: u64 = 1 << 47;
/// Shadow of the byte at `addr`: `((addr & SHADOW_MASK) << 2) + SHADOW_BASE`, a 32-bit entry.
pub const SHADOW_MASK: u64 = 0x0fff_ffff_ffff;
pub const SHADOW_BASE: u64 = 0x1100_0000_0000;
pub const SHADOW_SIZE: u64 = (SHADOW_MASK + 1) << 2;
/// How the run ended, as far as the runtime saw it; the wait status says the rest.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing special was seen.
    Plain = 0,
    /// `elsewise_assume` did not hold: the run counts for nothing.
    Assume = 1,
    /// `assert` or `elsewise_assert` failed: `text` is the condition, `file` and `line` say where.
    Assert = 2,
    /// A fatal signal: `signal`, `fault_address`, `frames`.
    Signal = 3,
    /// `abort` was called: `frames`.
    Abort = 4,
    /// No thread can go on: what each waits for is pending.
    Deadlock = 5,
    /// The threads have made as many moves as a run may have.
    Moves = 6,
    /// Memory that was freed is used or freed again, or an object that is no more: `text` says
    /// which ([`threads::misuse`]), `frames`.
    Misuse = 7,
}

/// An instrumented object as registered at start-up.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ModuleEntry {
    /// [`map::ProgramMap::key`] of the object.
    pub key: u64,
    pub first_site: u32,
    pub sites: u32,
    pub first_side: u32,
    pub sides: u32,
}

/// An argument or environment variable that is an input: its last `size` bytes, which the subject
/// is started with placeholders for, and which a run replaces by the case's.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GivenEntry {
    /// Name of the stream: `arg1`, or `env-` and the variable's name; NUL-padded.
    pub name: [u8; NAME_BYTES],
    /// Index among the arguments, the program's name being 0; 0 for a variable.
    pub index: u32,
    /// Bytes of the argument or value that stand before the input.
    pub before: u32,
    pub size: u64,
}

/// Stream names of variables begin with this.
pub const ENVIRONMENT_PREFIX: &[u8] = b"env-";

/// An input that the run asked for. Stream 0 is always the main input: the file that is standard
/// input, or that the arguments name.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct StreamEntry {
    /// Name, NUL-padded.
    pub name: [u8; NAME_BYTES],
    /// The how-manieth input of that name, from 0.
    pub occurrence: u32,
    pub reserved: u32,
    /// Bytes asked for (for the main input: up to where it was read).
    pub size: u64,
}

/// Header of one stream in the input area; `size` bytes follow, padded to 8. A record with an
/// empty name and `occurrence == u32::MAX` ends the area.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct StreamRecord {
    pub name: [u8; NAME_BYTES],
    pub occurrence: u32,
    pub reserved: u32,
    pub size: u64,
}

/// The first page of the shared memory.
#[repr(C)]
pub struct Header {
    // Written by the engine before the subject starts.
    pub magic: u64,
    pub version: u32,
    /// 1: the length of the main input is an input too.
    pub free_length: u32,
    /// Whole size of the shared memory.
    pub size: u64,
    pub input_offset: u64,
    pub input_size: u64,
    pub coverage_offset: u64,
    pub coverage_size: u64,
    pub event_offset: u64,
    pub event_capacity: u64,
    pub node_offset: u64,
    pub node_capacity: u64,
    /// Bytes of memory that a run may take beyond the fork server's own; 0 = no limit.
    pub memory_limit: u64,
    /// 1: report what could go wrong ([`EventKind::Check`]).
    pub checks: u64,
    /// 1: something tells objects apart that lie side by side, so which one a pointer points into is a
    /// choice.
    pub objects: u64,
    /// Seconds of processor time that one process of a run may take; 0 = no limit. Only a backstop:
    /// the engine ends a run long before.
    pub cpu_limit: u64,
    /// The main input has at most so many bytes.
    pub max_input: u64,
    /// The file that holds the main input: any descriptor of it is the input.
    pub file_device: u64,
    pub file_inode: u64,
    /// Moves of threads that a run may have.
    pub move_limit: u64,
    /// Waits for a condition of each thread that may end without a signal.
    pub spurious: u64,
    /// When others see what a thread stores ([`threads::MemoryModel`]).
    pub memory_model: u64,
    /// Whether calls of operations are told ([`threads::operations`]).
    pub operations: u64,
    /// Who moves where the schedule has ended; written before every run.
    pub rule: sampler::Words,
    pub given_used: u32,
    /// 1: a process that is as it was before its run may have the next one, too.
    pub reuse: u32,
    pub given: [GivenEntry; MAX_GIVEN],

    // Written by the subject. The engine resets the counters between runs.
    /// Nodes written, the unused entry 0 included.
    pub nodes: u64,
    pub events: u64,
    /// Nodes or events that found no room.
    pub lost_nodes: u64,
    pub lost_events: u64,
    pub modules_used: u32,
    pub streams_used: u32,
    pub sites: u32,
    pub sides: u32,
    /// An [`Ending`].
    pub ending: u32,
    pub signal: u32,
    pub fault_address: u64,
    pub frames_used: u32,
    pub line: u32,
    /// Return addresses, innermost first, relative to the executable's load address.
    pub frames: [u64; MAX_FRAMES],
    pub text: [u8; TEXT_BYTES],
    pub file: [u8; TEXT_BYTES],
    pub streams: [StreamEntry; MAX_STREAMS],
    pub modules: [ModuleEntry; MAX_MODULES],
    /// Not reset between runs, by [`Reason`]: 1 + the site where something of that kind had happened before runs
    /// began; 0 if it had not.
    pub before: [u32; REASONS],
    /// 1: whatever touches an input is seen.
    pub watched: u32,
}
const _: () = assert!(core::mem::size_of::<StreamEntry>() == core::mem::size_of::<StreamRecord>());
