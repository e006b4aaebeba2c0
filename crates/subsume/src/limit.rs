//! Why a piece of work is given up, and until when it may go on. Whoever works looks at that wherever much can follow; what
//! is given up closes nothing.

use crate::machine::Lost;
use elsewise_explore::Deadline;
use std::time::Instant;

/// Why a look did not see everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A failure may lie there.
    Failure,
    /// A side that no run has taken lies there, and is to be taken.
    Uncovered,
    /// There is more than a bounded look can see.
    Much,
    /// The solver did not know.
    Unknown,
    /// It took too long, or all work is to end.
    Late,
    Lost(Lost),
}

#[derive(Default)]
pub(crate) struct Limit {
    /// The end of the campaign.
    end: Option<Deadline>,
    /// The end of what this piece of work is granted.
    granted: Option<Instant>,
}

impl Limit {
    pub fn new(end: Option<Deadline>, granted: Option<Instant>) -> Limit {
        Limit { end, granted }
    }

    pub fn is_over(&self) -> bool {
        self.end.as_ref().is_some_and(Deadline::is_over)
            || self
                .granted
                .is_some_and(|granted| Instant::now() >= granted)
    }

    pub fn check(&self) -> Result<(), Stop> {
        match self.is_over() {
            true => Err(Stop::Late),
            false => Ok(()),
        }
    }
}
