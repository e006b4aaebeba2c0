//! The input that a failure is told with is made small when it is found, within a bound.
//!
//! Nothing is chosen by the clock unless runs are slow, so that the same campaign shows the same input.

use super::Worker;
use crate::findings::cause_of;
use crate::smaller::{Effort, smaller};
use elsewise_explore::{Case, Outcome};
use std::time::{Duration, Instant};

/// Runs that are made for one failure, and how long.
const TRIES: u64 = 300;
const LIMIT: Duration = Duration::from_secs(2);
/// Beyond as much, this part of the time that has passed is spent on it.
const SHARE: u32 = 5;

impl Worker<'_> {
    /// A smaller case that fails in the same way, and how it ends; none if this one is as small as can be found.
    pub(super) fn smaller(&mut self, case: &Case, cause: &str) -> Option<(Case, Outcome)> {
        let begun = Instant::now();
        let passed = self.board.state().session.elapsed();
        let left = (LIMIT + passed / SHARE).saturating_sub(self.making_smaller);
        let effort = Effort {
            tries: TRIES,
            end: Some(begun + left.min(LIMIT)),
        };
        let texts = self.subject.texts(case);
        let found = smaller(case, &texts, effort, &mut |case| {
            self.fails_like(case, cause)
        });
        self.making_smaller += begun.elapsed();
        found.best
    }

    /// How a run of a case ends, if it fails in this way.
    fn fails_like(&mut self, case: &Case, cause: &str) -> Option<Outcome> {
        let trace = self.run(case).ok()?.ok()?;
        self.board.state().counts.repeated(&trace);
        let same = cause_of(&trace.outcome).as_deref() == Some(cause);
        (same && !trace.was_refused()).then_some(trace.outcome)
    }
}
