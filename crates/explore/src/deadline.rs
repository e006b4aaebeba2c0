//! When a campaign is to be over, for those who work for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The end of a budget, or whenever somebody wants it to end.
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    at: Option<Instant>,
    stop: Arc<AtomicBool>,
}

impl Deadline {
    /// `stop`: set by whoever wants an end before that.
    pub fn new(at: Option<Instant>, stop: Arc<AtomicBool>) -> Deadline {
        Deadline { at, stop }
    }

    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.left().is_zero()
    }

    /// Time until then, if nobody wants an end before.
    pub fn left(&self) -> Duration {
        let left = |at: Instant| at.saturating_duration_since(Instant::now());
        self.at.map_or(Duration::MAX, left)
    }
}
