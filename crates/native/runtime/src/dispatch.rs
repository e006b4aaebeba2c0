//! Has the system tell of each system call before it is made (its *user dispatch*).

use crate::shared::state;
use crate::sys::{self, direct, number};

/// Says whether the calls of this thread are told of. False where the system has no such thing.
pub fn dispatch(on: bool) -> bool {
    let (from, size) = if on { sys::direct_code() } else { (0, 0) };
    let option = sys::PR_SET_SYSCALL_USER_DISPATCH.into();
    // SAFETY: only addresses of code are named.
    unsafe { direct(number::PRCTL, option, on.into(), from, size, 0, 0) == 0 }
}

/// For a thread of a process that is watched.
pub fn watch_thread() {
    if state().header().watched != 0 && !dispatch(true) {
        state().header().watched = 0;
    }
}
