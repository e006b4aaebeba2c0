//! Pieces of work that workers are given.

use crate::again::Again;
use elsewise_explore::Case;
use elsewise_explore::schedule::{Rule, Sampling, Unfinished, Wakeup};
use elsewise_explore::strategy::Pick;

/// A piece of work for one worker.
pub(crate) enum Job {
    Seed(Case),
    Pursue(Pursuit),
    /// Tries another order of threads.
    Wake(Wakeup),
    /// Lets chance decide who moves.
    Sample(Sample),
    /// Looks again at what an earlier session has looked at.
    See(Again),
    /// Looks at more of what a run's threads could have done.
    GoOn(Unfinished),
}

/// An alternative that a worker has claimed.
#[derive(Clone, Debug)]
pub(crate) struct Pursuit {
    pub pick: Pick,
    pub witness: u32,
    /// Index of the choice.
    pub choice: u32,
    /// Values already taken there.
    pub others: Vec<u64>,
    /// The query may take all the time that there is for one.
    pub patient: bool,
}

/// A run whose threads are to move by chance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// The run whose inputs it has.
    pub base: u32,
    pub sampling: Sampling,
    pub seed: u64,
}

impl Sample {
    /// How its threads move, if the base had so many moves.
    pub fn rule(&self, moves: usize) -> Rule {
        Rule {
            sampling: self.sampling,
            seed: self.seed,
            length: moves as u64,
        }
    }
}
