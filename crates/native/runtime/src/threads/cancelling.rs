//! Threads that somebody has cancelled.

use super::names::Real;
use super::{Thread, current};

impl Thread {
    /// Somebody has cancelled it, and it ends where it can.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled && !self.cancel_off
    }

    /// It ends here.
    pub fn is_stopped(&self) -> bool {
        self.is_cancelled() && self.pending.is_cancellation_point()
    }
}

/// Ends the running thread if somebody has cancelled it.
pub fn stop_if_cancelled() {
    let mine = current();
    if mine.is_cancelled() {
        mine.cancel_off = true;
        static REAL: Real = Real::new(c"pthread_exit");
        // SAFETY: the number stands for a thread that was cancelled.
        unsafe { REAL.call([u64::MAX]) };
    }
}
