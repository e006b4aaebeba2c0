//! Towards what is not covered (CREST): the open alternative whose side is nearest, over the
//! static control-flow graph, to a side that no run has taken. That none of a site's sides fits is no
//! side of it, but as good as one: it is tried once wherever it can be.

use super::{Gain, News, Pick, Strategy, pick};
use crate::{Blueprint, Coverage, Distances, FAR, Item, Kind, PositionId, Random, SideId, Tree};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Picks between two computations of the distances, at least: they cost a walk over the whole
/// program.
const PATIENCE: u32 = 16;

pub struct Cfg {
    random: Random,
    distances: Distances,
    /// Where a site's sides begin, and how many there are.
    sites: Vec<(u32, u32)>,
    sides: u32,
    /// Positions with an alternative on each side; then one bucket for alternatives that are no side of
    /// anything, and one for each site where no side of it may fit.
    buckets: Vec<Vec<u32>>,
    /// Times that a side was picked and brought nothing new: what looks near but is out of reach
    /// must not be tried forever before anything else.
    futile: Vec<u32>,
    /// By site: whether it was tried that no side of it fits.
    tried: Vec<bool>,
    /// Non-empty buckets by urgency.
    order: BTreeSet<(u32, u32)>,
    ranks: Vec<u32>,
    entries: u64,
    stale: bool,
    since_update: u32,
}

impl Cfg {
    pub fn new(seed: u64, blueprint: &Blueprint) -> Cfg {
        let buckets = blueprint.sides as usize + 1 + blueprint.sites.len();
        Cfg {
            random: Random::new(seed ^ 0x5c4e_3a2b),
            distances: Distances::new(blueprint),
            sites: blueprint
                .sites
                .iter()
                .map(|site| (site.first_side, site.sides))
                .collect(),
            sides: blueprint.sides,
            buckets: vec![Vec::new(); buckets],
            futile: vec![0; buckets],
            tried: vec![false; blueprint.sites.len()],
            order: BTreeSet::new(),
            ranks: vec![0; buckets],
            entries: 0,
            stale: true,
            since_update: PATIENCE,
        }
    }

    fn bucket(&self, tree: &Tree, item: Item) -> usize {
        let site = self.sites.get(tree.site(item.position).0 as usize);
        match site {
            Some((first, count)) if item.alternative < u64::from(*count) => {
                (u64::from(*first) + item.alternative).min(u64::from(self.sides)) as usize
            }
            Some(_) if tree.kind(item.position) == Kind::Switch => {
                self.sides as usize + 1 + tree.site(item.position).0 as usize
            }
            _ => self.sides as usize,
        }
    }

    fn rank(&self, bucket: usize, coverage: &Coverage) -> u32 {
        let sides = self.sides as usize;
        let distance = match bucket.cmp(&sides) {
            Ordering::Less => self.distances.of(SideId(bucket as u32), coverage),
            Ordering::Greater if !self.tried[bucket - sides - 1] => 0,
            _ => FAR,
        };
        // Beyond this everything is equally far, so that futility still tells things apart.
        distance
            .min(1 << 16)
            .saturating_add(self.futile[bucket].saturating_mul(2))
    }

    fn place(&mut self, bucket: usize, coverage: &Coverage) {
        self.order.remove(&(self.ranks[bucket], bucket as u32));
        self.ranks[bucket] = self.rank(bucket, coverage);
        if !self.buckets[bucket].is_empty() {
            self.order.insert((self.ranks[bucket], bucket as u32));
        }
    }

    fn add(&mut self, tree: &Tree, coverage: &Coverage, position: u32) {
        let mut from = 0;
        while let Some(alternative) = tree.next_open(PositionId(position), from) {
            let item = pick(position, alternative).item;
            let bucket = self.bucket(tree, item);
            self.buckets[bucket].push(position);
            self.entries += 1;
            if self.buckets[bucket].len() == 1 {
                self.place(bucket, coverage);
            }
            let Some(next) = alternative.checked_add(1) else {
                break;
            };
            from = next;
        }
    }

    /// The open alternative of a position that belongs to a bucket.
    fn open_in(&self, tree: &Tree, bucket: usize, position: u32) -> Option<u64> {
        let mut from = 0;
        if bucket < self.sides as usize {
            let site = tree.site(PositionId(position)).0 as usize;
            let (first, _) = self.sites.get(site)?;
            from = (bucket as u64).checked_sub(u64::from(*first))?;
        }
        while let Some(alternative) = tree.next_open(PositionId(position), from) {
            if self.bucket(tree, pick(position, alternative).item) == bucket {
                return Some(alternative);
            }
            if bucket < self.sides as usize {
                return None;
            }
            from = alternative.checked_add(1)?;
        }
        None
    }

    fn update(&mut self, coverage: &Coverage) {
        self.distances.update(coverage);
        self.stale = false;
        self.since_update = 0;
        let filled: Vec<u32> = self.order.iter().map(|(_, bucket)| *bucket).collect();
        for bucket in filled {
            self.place(bucket as usize, coverage);
        }
    }
}

impl Strategy for Cfg {
    fn name(&self) -> &'static str {
        "cfg"
    }

    fn note(&mut self, tree: &Tree, coverage: &Coverage, news: &News) {
        self.stale |= news.new_sides > 0;
        if let Some(PositionId(position)) = news.reopened {
            self.add(tree, coverage, position);
        }
        for position in news.positions.clone() {
            self.add(tree, coverage, position);
        }
        if self.entries > 2 * tree.frontier() + 4096 {
            self.entries = 0;
            for bucket in 0..self.buckets.len() {
                let mut positions = std::mem::take(&mut self.buckets[bucket]);
                positions.sort_unstable();
                positions.dedup();
                // Claimed ones may go: whoever gives one back says so.
                positions.retain(|p| self.open_in(tree, bucket, *p).is_some());
                self.entries += positions.len() as u64;
                self.buckets[bucket] = positions;
                self.place(bucket, coverage);
            }
        }
    }

    fn next(&mut self, tree: &Tree, coverage: &Coverage) -> Option<Pick> {
        self.since_update = self.since_update.saturating_add(1);
        if self.stale && self.since_update > PATIENCE {
            self.update(coverage);
        }
        loop {
            let (_, bucket) = *self.order.first()?;
            let bucket = bucket as usize;
            while !self.buckets[bucket].is_empty() {
                let drawn = self.random.below(self.buckets[bucket].len());
                let position = self.buckets[bucket][drawn];
                if let Some(alternative) = self.open_in(tree, bucket, position) {
                    self.futile[bucket] = self.futile[bucket].saturating_add(1);
                    if let Some(site) = bucket.checked_sub(self.sides as usize + 1) {
                        self.tried[site] = true;
                    }
                    self.place(bucket, coverage);
                    return Some(pick(position, alternative));
                }
                self.buckets[bucket].swap_remove(drawn);
                self.entries = self.entries.saturating_sub(1);
            }
            self.order.pop_first();
        }
    }

    fn paid(&mut self, _pick: &Pick, gain: &Gain) {
        if gain.new_sides > 0 {
            // Something moved: what was futile may not be any longer.
            self.futile.fill(0);
            self.stale = true;
        }
    }
}
