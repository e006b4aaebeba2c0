//! A small random number generator (SplitMix64) for tests, generators of programs and measurements: the
//! same numbers for a seed on every machine and in every version, so that a seed in a failure message
//! stays good. That of the engine, which must not change either, is its own (`crates/explore/src/random.rs`).

#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    /// The same for numbers that count nothing.
    pub fn word_below(&mut self, bound: u64) -> u64 {
        self.word() % bound
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (self.word() % (high - low + 1) as u64) as i64
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.word() % 100 < percent
    }

    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    pub fn bytes(&mut self, number: usize) -> Vec<u8> {
        (0..number).map(|_| self.word() as u8).collect()
    }
}

/// What the environment says of how much is tried (`cargo xtask soak`).
pub fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
