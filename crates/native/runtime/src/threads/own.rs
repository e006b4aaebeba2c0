//! Which thread a call comes from. Threads that have ended go on a little in the C library, as do calls
//! that it makes on behalf of others: those are nobody's moves.

use super::threads;
use core::mem::replace;

// `#[thread_local]` is not stable, so the variable is made and found in assembly.
core::arch::global_asm!(
    ".section .tbss,\"awT\",@nobits",
    ".globl __elw_own",
    ".type __elw_own,@object",
    ".balign 8",
    "__elw_own:",
    ".zero 8",
    ".size __elw_own, 8",
    ".text",
);

/// The thread's number among all, plus one; 0 while it is not controlled.
fn own() -> &'static mut u64 {
    let at: *mut u64;
    unsafe {
        core::arch::asm!(
            "mov {at}, qword ptr fs:[0]",
            "add {at}, qword ptr [rip + __elw_own@GOTTPOFF]",
            at = out(reg) at,
            options(nostack, preserves_flags),
        );
        &mut *at
    }
}

/// From here on, this is the thread with this number.
pub fn is(number: usize) {
    *own() = number as u64 + 1;
}

/// This thread has ended.
pub fn is_none() {
    *own() = 0;
}

/// Is this the thread whose turn it is, at work for the subject?
pub fn moves() -> bool {
    *own() == threads().current as u64 + 1
}

/// What the C library does meanwhile is nobody's move.
pub fn aside<T>(call: impl FnOnce() -> T) -> T {
    let number = replace(own(), 0);
    let result = call();
    *own() = number;
    result
}
