//! Which thread a call comes from. Threads that have ended go on a little in the C library, as do calls
//! that it makes on behalf of others: those are nobody's moves.

use super::threads;
use crate::local::thread_variable;
use core::mem::replace;

thread_variable! {
    /// The thread's number among all, plus one; 0 while it is not controlled.
    own, "__elw_own", u64
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
