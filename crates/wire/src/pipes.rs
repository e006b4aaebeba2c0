//! What the engine and the fork server say to each other.

/// What the engine writes to the control pipe, one byte each.
pub const COMMAND_RUN: u8 = b'r';
/// A run in a process of its own, whatever the one before has left.
pub const COMMAND_RUN_ALONE: u8 = b'a';
pub const COMMAND_QUIT: u8 = b'q';

/// What the fork server writes to the status pipe.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Status {
    /// A [`StatusKind`].
    pub kind: u32,
    /// `Ended`: the wait status. Nothing is done to a process because of a number that stands here.
    pub value: i32,
    /// `Ended`: user and system time of the process in microseconds, all of its runs together.
    pub cpu_micros: u64,
    /// `Ended`: 1 when processes that the run had started were still there.
    pub left: u32,
    /// `Ended`: 1 when the process has done nothing to the system, is again what it was before the
    /// run, and waits for the next command.
    pub again: u32,
}

#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusKind {
    /// The server stands just before the first input and waits for commands.
    Ready = 1,
    /// A run was forked. Not said of further runs of the same process.
    Started = 2,
    /// The run ended.
    Ended = 3,
    /// The server cannot go on; `value` is an errno.
    Failed = 4,
}

const _: () = assert!(core::mem::size_of::<Status>() == 24);
