//! Until when one piece of work may go on. Whoever works looks at it wherever much can follow; what is given up
//! then closes nothing.

use crate::look::Stop;
use elsewise_explore::Deadline;
use std::time::Instant;

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
