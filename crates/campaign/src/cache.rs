//! Traces of recent runs, so that most queries need no run to be repeated.

use elsewise_explore::{Case, Trace};
use elsewise_solve::Path;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A run with its conditions.
pub(crate) struct Seen {
    pub case: Case,
    /// The case as the store packs it, and how long a chain of differences it has there.
    pub packed: Vec<u8>,
    pub chain: u8,
    pub trace: Trace,
    /// Conditions of the taken alternatives; made when first asked for.
    pub path: Option<Path>,
}

impl Seen {
    /// What is paid for keeping it, in units of some 64 bytes: choices with the path that may be
    /// made of them, and inputs.
    fn weight(&self) -> usize {
        64 + 4 * self.trace.choices.len() + self.trace.present.len() + self.packed.len() / 32
    }
}

/// The least recently used goes first when there is too much. The heaviest run is kept as long
/// as it is in use, however heavy.
pub(crate) struct Cache {
    limit: usize,
    weight: usize,
    clock: u64,
    runs: FxHashMap<u32, (u64, usize, Seen)>,
    by_use: BTreeMap<u64, u32>,
}

impl Cache {
    pub fn new(limit: usize) -> Cache {
        Cache {
            limit,
            weight: 0,
            clock: 0,
            runs: FxHashMap::default(),
            by_use: BTreeMap::new(),
        }
    }

    pub fn put(&mut self, run: u32, seen: Seen) {
        self.remove(run);
        let weight = seen.weight();
        while self.weight + weight > self.limit {
            let Some((_, oldest)) = self.by_use.pop_first() else {
                break;
            };
            self.remove(oldest);
        }
        self.clock += 1;
        self.weight += weight;
        self.by_use.insert(self.clock, run);
        self.runs.insert(run, (self.clock, weight, seen));
    }

    pub fn get(&mut self, run: u32) -> Option<&mut Seen> {
        let (used, _, seen) = self.runs.get_mut(&run)?;
        self.clock += 1;
        self.by_use.remove(used);
        self.by_use.insert(self.clock, run);
        *used = self.clock;
        Some(seen)
    }

    fn remove(&mut self, run: u32) {
        if let Some((used, weight, _)) = self.runs.remove(&run) {
            self.by_use.remove(&used);
            self.weight -= weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_explore::Outcome;
    use elsewise_term::Model;

    fn seen() -> Seen {
        Seen {
            case: Case::default(),
            packed: Vec::new(),
            chain: 0,
            trace: Trace {
                choices: Vec::new(),
                bounds: Vec::new(),
                preferences: Vec::new(),
                moves: Default::default(),
                present: Model::default(),
                covered: Vec::new(),
                outcome: Outcome::Exit(0),
                flaws: Vec::new(),
                approximations: Vec::new(),
                cpu_micros: 0,
                watch_micros: 0,
            },
            path: None,
        }
    }

    #[test]
    fn what_was_used_least_recently_goes_first() {
        let mut cache = Cache::new(3 * 64);
        for run in 0..3 {
            cache.put(run, seen());
        }
        assert!(cache.get(0).is_some());
        cache.put(3, seen());
        let kept: Vec<bool> = (0..4).map(|run| cache.get(run).is_some()).collect();
        assert_eq!(kept, [true, false, true, true]);
    }
}
