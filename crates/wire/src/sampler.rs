//! Who moves next where chance decides: uniformly, by priorities of threads, or by those of moves.
//!
//! The rules are those of the literature: a random walk; PCT, random priorities of threads and a few
//! points at which the first of them becomes the last (Burckhardt, Kothari, Musuvathi, Nagarakatte: A
//! randomized scheduler with probabilistic guarantees of finding bugs); POS, random priorities of moves,
//! drawn again for those that conflict with what has been done (Yuan, Yang, Gu: Partial order aware
//! concurrency sampling). Without an allocation, and the same for the same seed in every build.

/// Threads that a rule can tell apart.
pub const MOST: usize = 256;
/// Points at which priorities change, at most.
pub const MOST_CHANGES: u32 = 15;
/// Moves of one thread after which the others come first: who waits by looking again and again must
/// not keep away what it waits for.
const FAIR: u32 = 1000;

/// A rule as two words: which one (0: none) with its depth above it, and the seed; the third is the
/// number of moves that a run is thought to have.
pub type Words = [u64; 3];

/// Every thread that can move is as likely.
pub const UNIFORM: u64 = 1;
/// Priorities of threads.
pub const PCT: u64 = 2;
/// Priorities of moves.
pub const POS: u64 = 3;

/// The words of a rule.
pub fn words(kind: u64, depth: u32, seed: u64, length: u64) -> Words {
    [kind | u64::from(depth) << 8, seed, length]
}

pub struct Sampler {
    kind: u64,
    random: u64,
    /// Moves at which the priority of the first changes.
    changes: [u64; MOST_CHANGES as usize],
    count: u32,
    moves: u64,
    /// 0: not drawn yet.
    ranks: [u64; MOST],
    last: usize,
    in_a_row: u32,
}

impl Sampler {
    /// No rule at all.
    pub const fn none() -> Sampler {
        Sampler {
            kind: 0,
            random: 0,
            changes: [0; MOST_CHANGES as usize],
            count: 0,
            moves: 0,
            ranks: [0; MOST],
            last: 0,
            in_a_row: 0,
        }
    }

    pub fn new([rule, seed, length]: Words) -> Sampler {
        let mut this = Sampler {
            kind: rule & 0xff,
            random: seed,
            ..Sampler::none()
        };
        if this.kind == PCT {
            this.count = ((rule >> 8) as u32).saturating_sub(1).min(MOST_CHANGES);
            for change in 0..this.count as usize {
                this.changes[change] = this.below(length.max(1));
            }
        }
        this
    }

    pub fn is_on(&self) -> bool {
        self.kind != 0
    }

    fn number(&mut self) -> u64 {
        // SplitMix64.
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.number()) * u128::from(bound)) >> 64) as u64
    }

    /// Which of the first `threads` moves: one of those that are `able`, and not one that `yields`
    /// if there is another.
    pub fn choose(
        &mut self,
        threads: usize,
        able: impl Fn(usize) -> bool,
        yields: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let threads = threads.min(MOST);
        if self.kind == UNIFORM {
            let count = (0..threads).filter(|at| able(*at)).count() as u64;
            if count == 0 {
                return None;
            }
            let index = self.below(count) as usize;
            return (0..threads).filter(|at| able(*at)).nth(index);
        }
        for at in 0..threads {
            if self.ranks[at] == 0 {
                // Above those that a change or a wait gives.
                self.ranks[at] = self.number() | 1 << 63;
            }
        }
        let first = |ranks: &[u64; MOST]| {
            let able = (0..threads).filter(|at| able(*at));
            able.max_by_key(|at| (!yields(*at), ranks[*at]))
        };
        let mut found = first(&self.ranks)?;
        for change in 0..self.count {
            if self.changes[change as usize] == self.moves {
                // The earlier the change, the lower.
                self.ranks[found] = u64::from(change) + 1;
                found = first(&self.ranks)?;
            }
        }
        if found == self.last && self.in_a_row >= FAIR {
            self.in_a_row = 0;
            // Lower and lower, so that those who wait for each other take turns.
            self.ranks[found] = (1 << 62) - self.moves.min(1 << 61);
            found = first(&self.ranks)?;
        }
        Some(found)
    }

    /// A thread is about to move; the others that are about to do what `conflicts` with it.
    pub fn moved(&mut self, thread: usize, threads: usize, conflicts: impl Fn(usize) -> bool) {
        self.moves += 1;
        self.in_a_row = match thread == self.last {
            true => self.in_a_row + 1,
            false => 1,
        };
        self.last = thread;
        if self.kind == POS {
            for at in 0..threads.min(MOST) {
                if at == thread || conflicts(at) {
                    self.ranks[at] = 0;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::collections::BTreeMap;
    use std::vec::Vec;

    /// What each thread does: an object, and whether it writes it.
    type Program = &'static [&'static [(u8, bool)]];

    /// For each object, who has written it or read what was written, in order.
    type Class = Vec<Vec<(usize, usize)>>;

    fn run(program: Program, rule: Words) -> (Vec<usize>, Class) {
        let mut sampler = Sampler::new(rule);
        let mut next = std::vec![0; program.len()];
        let mut schedule = Vec::new();
        let mut class: Class = std::vec![Vec::new(); 4];
        loop {
            let able = |at: usize| next[at] < program[at].len();
            let Some(thread) = sampler.choose(program.len(), able, |_| false) else {
                // Reads next to each other have no order.
                for all in &mut class {
                    let mut at = 0;
                    while at < all.len() {
                        let writes = |(thread, step): (usize, usize)| program[thread][step].1;
                        let reads = all[at..].iter().take_while(|one| !writes(**one)).count();
                        all[at..at + reads].sort_unstable();
                        at += reads.max(1);
                    }
                }
                return (schedule, class);
            };
            let mine = program[thread][next[thread]];
            let conflicts = |at: usize| {
                let other = program[at].get(next[at]);
                other.is_some_and(|other| other.0 == mine.0 && (other.1 || mine.1))
            };
            sampler.moved(thread, program.len(), conflicts);
            class[usize::from(mine.0)].push((thread, next[thread]));
            next[thread] += 1;
            schedule.push(thread);
        }
    }

    fn classes(program: Program, kind: u64, depth: u32, count: u64) -> BTreeMap<Class, u64> {
        let mut found = BTreeMap::new();
        let length: usize = program.iter().map(|thread| thread.len()).sum();
        for seed in 0..count {
            let rule = words(kind, depth, seed * 77 + 5, length as u64);
            *found.entry(run(program, rule).1).or_default() += 1;
        }
        found
    }

    const WRITERS: Program = &[&[(0, true)], &[(0, true)], &[(0, true)]];
    /// One writer and two readers, each behind private work: 2^2 executions.
    const READERS: Program = &[
        &[(0, true)],
        &[(1, true), (1, true), (1, true), (0, false)],
        &[(2, true), (2, true), (2, true), (0, false)],
    ];

    #[test]
    fn the_seed_alone_decides() {
        for kind in [UNIFORM, PCT, POS] {
            let of = |seed| run(READERS, words(kind, 3, seed, 9)).0;
            assert_eq!(of(1), of(1));
            let mut all: Vec<_> = (0..40).map(of).collect();
            all.sort();
            all.dedup();
            assert!(all.len() > 3, "rule {kind}: {all:?}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "statistics: few values say nothing")]
    fn every_order_comes_up() {
        for (kind, depth) in [(UNIFORM, 0), (PCT, 2), (POS, 0)] {
            assert_eq!(classes(WRITERS, kind, depth, 200).len(), 6, "rule {kind}");
            assert_eq!(classes(READERS, kind, depth, 400).len(), 4, "rule {kind}");
        }
    }

    /// Orders of three writes are as likely as each other, whatever the rule.
    #[test]
    #[cfg_attr(miri, ignore = "statistics: few values say nothing")]
    fn none_is_preferred() {
        for kind in [UNIFORM, POS] {
            for count in classes(WRITERS, kind, 0, 6000).into_values() {
                assert!((800..1200).contains(&count), "rule {kind}: {count}");
            }
        }
    }

    /// That both readers come before the writer takes eight moves before one in a uniform walk. By
    /// priorities of moves it takes one draw above the highest of few, however much work there is.
    #[test]
    #[cfg_attr(miri, ignore = "statistics: few values say nothing")]
    fn private_work_does_not_hide_an_order() {
        let rarest = |kind| {
            let found = classes(READERS, kind, 0, 4000);
            found.into_values().min().unwrap_or(0)
        };
        let (uniform, by_moves) = (rarest(UNIFORM), rarest(POS));
        assert!(by_moves > 2 * uniform, "{by_moves} and {uniform}");
    }

    /// Without a change of priorities, each thread runs to its end.
    #[test]
    fn depth_one_has_no_preemption() {
        for seed in 0..50 {
            let (schedule, _) = run(READERS, words(PCT, 1, seed, 9));
            let switches = schedule.windows(2).filter(|two| two[0] != two[1]);
            assert_eq!(switches.count(), 2, "{schedule:?}");
        }
    }

    /// The bound of the paper: a bug of depth 2 among n threads and k moves is hit with a probability
    /// of at least 1/(n k). Here, that something of one thread comes between two moves of the other.
    #[test]
    #[cfg_attr(miri, ignore = "statistics: few values say nothing")]
    fn depth_two_is_found_as_often_as_promised() {
        const BETWEEN: Program = &[&[(0, true), (0, true)], &[(1, true), (0, true), (1, true)]];
        let (mut hits, runs) = (0, 4000);
        for seed in 0..runs {
            let (_, class) = run(BETWEEN, words(PCT, 2, seed, 5));
            hits += u64::from(class[0] == [(0, 0), (1, 1), (0, 1)]);
        }
        assert!(hits * 2 * 5 >= runs, "{hits} of {runs}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "statistics: few values say nothing")]
    fn who_looks_again_and_again_lets_others_in() {
        for kind in [PCT, POS] {
            for seed in 0..20 {
                let mut sampler = Sampler::new(words(kind, 1, seed, 10));
                let mut moves = [0u32; 3];
                for _ in 0..10_000 {
                    let thread = sampler.choose(3, |_| true, |_| false).unwrap();
                    sampler.moved(thread, 3, |_| false);
                    moves[thread] += 1;
                }
                assert!(moves.iter().all(|count| *count > 1000), "{moves:?}");
            }
        }
    }

    #[test]
    fn who_yields_comes_last() {
        let mut sampler = Sampler::new(words(PCT, 1, 7, 10));
        let yielding = sampler.choose(2, |_| true, |_| false).unwrap();
        let other = sampler.choose(2, |_| true, |at| at == yielding);
        assert_eq!(other, Some(1 - yielding));
        let alone = sampler.choose(2, |at| at == yielding, |at| at == yielding);
        assert_eq!(alone, Some(yielding));
    }
}
