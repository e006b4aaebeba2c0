//! One process for many runs: at the end of a run, a process that has done nothing to the system
//! puts its memory back and goes on from where its first run began.
//!
//! That is no guess. Between the beginning of a run and its end, every system call is seen first
//! (`kernel`). Those of a short list leave nothing behind, or what is undone; at any other the
//! process becomes what a forked run always was, and ends with its run. So what is left to put back
//! is memory and registers, and `snapshot` has a copy of both.
//!
//! The server, and whatever prepares a run, work on a stack of their own: what lies below the
//! subject's stack pointer is the same in all runs, however they were made.

use crate::shared::state;
use crate::snapshot::{self, BASE, Context, END, SNAPSHOT};
use crate::sys::{self, direct, number};
use core::arch::naked_asm;
use core::ptr;
use elsewise_wire::{COMMAND_RUN, COMMAND_RUN_ALONE, Status, StatusKind};

const SERVER_STACK: u64 = BASE;
const STACK: u64 = 64 << 10;
/// For handlers of signals.
pub const SIGNAL_STACK: (u64, u64) = (SERVER_STACK + STACK, STACK);
/// Seen by the server, too.
const SHARED: u64 = BASE + 2 * STACK;

/// After so many runs, or so much processor time, a process has had enough: its limits count from
/// its beginning.
const MOST_RUNS: u32 = 10_000;
pub const MOST_SECONDS: u64 = 1;

/// What a process and its server both see.
#[repr(C)]
pub struct Shared {
    /// 1: it has reported the end of its run, and waits.
    pub idle: u32,
    /// The command that it has taken and leaves to the server; 0 if none.
    pub command: u32,
    /// Runs that it has put back.
    pub runs: u32,
    /// 1: no process of this program can have several runs.
    pub refused: u32,
}

pub fn shared() -> *mut Shared {
    SHARED as *mut Shared
}

/// A process is about to be forked.
pub fn expect() {
    let new = Shared {
        idle: 0,
        command: 0,
        runs: 0,
        refused: 0,
    };
    // SAFETY: reserved before there are runs, and nobody else is there to use it now.
    unsafe { shared().write_volatile(new) };
}

/// Makes room for all of this; false where there is none.
fn reserve() -> bool {
    sys::reserve(BASE, SHARED - BASE, sys::MAP_PRIVATE)
        && sys::reserve(SHARED, 4096, sys::MAP_SHARED)
        && sys::reserve(SNAPSHOT, END - SNAPSHOT, sys::MAP_PRIVATE)
}

/// Calls `serve` on a stack of its own. It returns in runs. False where there is no room.
pub fn aside(serve: extern "C" fn()) -> bool {
    let error = sys::errno();
    if !reserve() {
        return false;
    }
    snapshot::prepare();
    // SAFETY: the stack has just been reserved, and ends there.
    unsafe { switch(snapshot::context(), SERVER_STACK + STACK, serve) };
    sys::set_errno(error);
    true
}

/// Notes the registers in `context` and calls `serve` on another stack. Both its return and
/// [`resume`] come back to the caller.
///
/// # Safety
/// A stack ends there that nobody else uses, and `context` can be written.
#[unsafe(naked)]
unsafe extern "C" fn switch(context: *mut Context, stack: u64, serve: extern "C" fn()) {
    naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "pushfq",
        "mov [rdi], rsp",
        "lea rax, [rip + 2f]",
        "mov [rdi + 8], rax",
        "fxsave64 [rdi + 16]",
        "mov rbx, rdi",
        "mov rsp, rsi",
        "call rdx",
        "mov rdi, rbx",
        "2:",
        "fxrstor64 [rdi + 16]",
        "mov rsp, [rdi]",
        "popfq",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

/// Goes to where the context was noted.
///
/// # Safety
/// Memory is what it was then.
#[unsafe(naked)]
unsafe extern "C" fn resume(context: *const Context) -> ! {
    naked_asm!("jmp [rdi + 8]")
}

/// This process is to have further runs: notes what it is now. False where it cannot. After this,
/// nothing may change before the subject goes on.
pub fn begin() -> bool {
    if !snapshot::take() {
        // SAFETY: reserved before there are runs; the server looks at it when this process has ended.
        unsafe { (*shared()).refused = 1 };
        return false;
    }
    true
}

/// From here on, this process is a run like any other and ends with it.
pub fn become_single() {
    if !snapshot::is_taken() {
        return;
    }
    snapshot::release();
    let state = state();
    // SAFETY: no memory is touched.
    unsafe {
        direct(number::CLOSE, state.control.into(), 0, 0, 0, 0, 0);
        direct(number::CLOSE, state.status.into(), 0, 0, 0, 0, 0);
    }
}

/// Processor time of this process in microseconds.
fn cpu_micros() -> u64 {
    let mut time = sys::TimeSpec::default();
    let clock = sys::CLOCK_PROCESS_CPUTIME_ID.into();
    // SAFETY: there is room for the answer.
    unsafe {
        let to = &raw mut time as i64;
        direct(number::CLOCK_GETTIME, clock, to, 0, 0, 0, 0);
    }
    time.seconds as u64 * 1_000_000 + time.nanos as u64 / 1000
}

/// The run has ended, with those signals blocked: puts everything back, and begins the next one.
/// Returns where that cannot be done.
pub fn end(code: i32, mask: u64) {
    if !snapshot::is_taken() || mask != snapshot::mask() {
        return;
    }
    let shared = shared();
    let cpu_micros = cpu_micros();
    // SAFETY: reserved before there are runs; the server waits.
    unsafe {
        if (*shared).runs >= MOST_RUNS
            || cpu_micros > MOST_SECONDS * 1_000_000
            || !snapshot::put_back()
        {
            return;
        }
        (*shared).runs += 1;
        ptr::write_volatile(&raw mut (*shared).idle, 1);
    }
    let status = Status {
        kind: StatusKind::Ended as u32,
        value: (code & 0xff) << 8,
        cpu_micros,
        left: 0,
        again: 1,
    };
    let size = core::mem::size_of::<Status>() as i64;
    let state = state();
    let mut command = 0u8;
    // SAFETY: a status and a command, of their sizes; memory has been put back but for this stack, which is none of the
    // subject's.
    unsafe {
        let from = &raw const status as i64;
        if direct(number::WRITE, state.status.into(), from, size, 0, 0, 0) != size {
            sys::end_process(70);
        }
        let to = &raw mut command as i64;
        loop {
            match direct(number::READ, state.control.into(), to, 1, 0, 0, 0) {
                1 => break,
                got if got == -i64::from(sys::EINTR) => {}
                _ => sys::end_process(0),
            }
        }
        if command != COMMAND_RUN {
            let left = if command == COMMAND_RUN_ALONE {
                command
            } else {
                0
            };
            ptr::write_volatile(&raw mut (*shared).command, left.into());
            sys::end_process(0);
        }
        ptr::write_volatile(&raw mut (*shared).idle, 0);
        resume(snapshot::context())
    }
}
