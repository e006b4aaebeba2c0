//! Which workers have a run's trace, and alternatives that wait for one of these.
//!
//! To ask about an alternative, a worker needs the trace of its witness in its own terms. Whoever has run the
//! witness has it; anybody else must run it again, and where runs are all that costs, a second worker
//! would spend a third of its time on that. So an alternative goes to who has the trace, as long as nobody else
//! waits for work.

use crate::job::Pursuit;
use std::collections::VecDeque;

/// Alternatives that wait for one worker, at most. More would be asked about long after the strategy has picked them.
const WAITING: usize = 8;

/// See the module's comment.
pub(crate) struct Holders {
    /// By run: a bit for each worker that has its trace. Workers beyond the number of bits share them, which costs
    /// a repeated run where it is wrong.
    runs: Vec<u16>,
    /// By worker: claimed alternatives that nobody is at.
    waiting: Vec<VecDeque<Pursuit>>,
}

fn bit(worker: usize) -> u16 {
    1 << (worker % u16::BITS as usize)
}

impl Holders {
    pub fn new(workers: usize) -> Holders {
        Holders {
            runs: Vec::new(),
            waiting: vec![VecDeque::new(); workers],
        }
    }

    /// A worker has a run's trace from now on.
    pub fn note(&mut self, worker: usize, run: u32) {
        if self.waiting.len() < 2 {
            return;
        }
        let run = run as usize;
        if self.runs.len() <= run {
            self.runs.resize(run + 1, 0);
        }
        self.runs[run] |= bit(worker);
    }

    /// A worker has no trace any more.
    pub fn forget(&mut self, worker: usize) {
        for holders in &mut self.runs {
            *holders &= !bit(worker);
        }
    }

    /// Gives an alternative back if it is for this worker; otherwise it waits for one that has its trace.
    pub fn sift(&mut self, worker: usize, pursuit: Pursuit) -> Option<Pursuit> {
        let holders = self.runs.get(pursuit.witness as usize).copied();
        let holders = holders.unwrap_or_default();
        if holders == 0 || holders & bit(worker) != 0 {
            return Some(pursuit);
        }
        let others = (0..).zip(&mut self.waiting);
        let others = others.filter(|(other, _)| holders & bit(*other) != 0);
        let shortest = others.map(|(_, waiting)| waiting).min_by_key(|it| it.len());
        match shortest.filter(|waiting| waiting.len() < WAITING) {
            Some(waiting) => {
                waiting.push_back(pursuit);
                None
            }
            None => Some(pursuit),
        }
    }

    /// The next one that waits for this worker.
    pub fn next(&mut self, worker: usize) -> Option<Pursuit> {
        self.waiting.get_mut(worker)?.pop_front()
    }

    /// One that waits for somebody else: the one that would wait longest.
    pub fn steal(&mut self) -> Option<Pursuit> {
        let longest = self.waiting.iter_mut().max_by_key(|waiting| waiting.len());
        longest?.pop_back()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_explore::strategy::Pick;
    use elsewise_explore::{Item, PositionId};

    fn pursuit(witness: u32) -> Pursuit {
        let item = Item {
            position: PositionId(witness),
            alternative: 1,
        };
        Pursuit {
            pick: Pick { item, by: 0 },
            witness,
            choice: 0,
            others: Vec::new(),
            patient: false,
        }
    }

    #[test]
    fn an_alternative_waits_for_who_has_its_trace() {
        let mut holders = Holders::new(3);
        holders.note(1, 7);
        assert!(holders.sift(0, pursuit(6)).is_some(), "nobody has it");
        assert!(
            holders.sift(1, pursuit(7)).is_some(),
            "it is the worker's own"
        );
        for _ in 0..WAITING {
            assert!(holders.sift(0, pursuit(7)).is_none());
        }
        assert!(holders.sift(0, pursuit(7)).is_some(), "too many wait");
        assert!(holders.next(0).is_none());
        assert!(holders.next(1).is_some() && holders.steal().is_some());
        holders.note(2, 7);
        assert!(holders.sift(0, pursuit(7)).is_none());
        assert!(holders.next(2).is_some(), "it has the shorter queue");
        holders.forget(1);
        holders.forget(2);
        assert!(holders.sift(0, pursuit(7)).is_some());
    }

    #[test]
    fn one_worker_has_all() {
        let mut holders = Holders::new(1);
        holders.note(0, 3);
        assert!(holders.runs.is_empty());
        assert!(holders.sift(0, pursuit(3)).is_some() && holders.steal().is_none());
    }
}
