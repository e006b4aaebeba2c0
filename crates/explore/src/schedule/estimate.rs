//! How many executions there are, from those that have been seen.
//!
//! Each order that is tried begins with a part of the schedule that was decided before. The longer that
//! is, the less is left that could come in another order: runs with as much of it decided are taken
//! for alike, and what those that have been seen have led to, on average, for what all of them will
//! (Knuth: Estimating the efficiency of backtrack programs; Chen: Heuristic sampling). When nothing is
//! left to try the number is exact.

use std::collections::BTreeMap;

/// Runs with as much decided before.
#[derive(Clone, Debug, Default)]
struct Alike {
    seen: u64,
    /// How many orders they have led to, by how much of each was decided.
    found: BTreeMap<u32, u64>,
}

/// See the module's comment.
#[derive(Clone, Debug, Default)]
pub struct Estimate {
    runs: BTreeMap<u32, Alike>,
}

impl Estimate {
    /// Takes a run in: how much of its schedule was decided before.
    pub fn note(&mut self, decided: u32) {
        self.runs.entry(decided).or_default().seen += 1;
    }

    /// Such a run has led to an order of which so much is decided.
    pub fn found(&mut self, decided: u32, next: u32) {
        let alike = self.runs.entry(decided).or_default();
        *alike.found.entry(next).or_default() += 1;
    }

    /// About how many executions there are, if so many have been run and these orders are left.
    pub fn executions(&self, done: u64, open: impl Iterator<Item = u32>) -> u64 {
        // From the longest on, what one leads to with all that comes of that.
        let mut sizes: BTreeMap<u32, f64> = BTreeMap::new();
        for (decided, alike) in self.runs.iter().rev() {
            let below = alike.found.iter().map(|(next, count)| {
                // Nothing is known of those that decide less than what led to them.
                let size = match next > decided {
                    true => nearest(&sizes, *next),
                    false => 1.0,
                };
                size * *count as f64
            });
            let size = 1.0 + below.sum::<f64>() / alike.seen.max(1) as f64;
            sizes.insert(*decided, size);
        }
        let left: f64 = open.map(|decided| nearest(&sizes, decided)).sum();
        done.saturating_add(left as u64)
    }
}

/// The size that is known of what is most alike.
fn nearest(sizes: &BTreeMap<u32, f64>, decided: u32) -> f64 {
    let after = sizes.range(decided..).next();
    let before = sizes.range(..decided).next_back();
    match (before, after) {
        (Some((b, less)), Some((a, more))) => match decided - b < a - decided {
            true => *less,
            false => *more,
        },
        (Some((_, size)), None) | (None, Some((_, size))) => *size,
        (None, None) => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn all_seen_is_exact() {
        let mut estimate = Estimate::default();
        assert_eq!(estimate.executions(0, [].into_iter()), 0);
        estimate.note(0);
        estimate.found(0, 3);
        estimate.found(0, 5);
        // Nothing is known yet but that one leads to two.
        assert_eq!(estimate.executions(1, [3, 5].into_iter()), 1 + 2 * 3);
        estimate.note(3);
        assert_eq!(estimate.executions(2, [5].into_iter()), 3);
        estimate.note(5);
        assert_eq!(estimate.executions(3, [].into_iter()), 3);
    }

    /// Runs that differ in N places, each found from one that differs in one place less, in a later
    /// place: 2^N. Whatever the order in which they are seen, some are enough to tell how many there are.
    #[test]
    fn few_of_many() {
        const N: u32 = 14;
        for (name, seed) in [("last", 0), ("first", 0), ("any", 1), ("any", 2)] {
            let mut random = Random::new(seed);
            let mut estimate = Estimate::default();
            let mut open: Vec<u32> = vec![0];
            for _ in 0..160 {
                let index = match name {
                    "last" => open.len() - 1,
                    "first" => 0,
                    _ => random.below(open.len()),
                };
                let decided = open.remove(index);
                estimate.note(decided);
                for next in decided + 1..=N {
                    estimate.found(decided, next);
                    open.push(next);
                }
            }
            let told = estimate.executions(160, open.into_iter());
            let expected = 1 << (N - 3)..1 << (N + 2);
            assert!(expected.contains(&told), "{name}, seed {seed}: {told}");
        }
    }
}
