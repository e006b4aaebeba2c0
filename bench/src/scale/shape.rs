//! Trees of the shape of a recorded one: which runs are found from which, how deep, and how long each takes.

use super::clock::{Nanos, nanos};
use anyhow::{Context, Result, ensure};
use elsewise_campaign::Store;
use elsewise_explore::{PositionId, State};
use elsewise_test_random::Random;
use std::path::Path;
use std::sync::Arc;

/// A run of a tree: which of the recorded ones it is behind, and which of them it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Run(pub u64);

impl Run {
    fn of(outer: u32, inner: u32) -> Run {
        Run(u64::from(outer) << 32 | u64::from(inner))
    }

    fn outer(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn inner(self) -> u32 {
        self.0 as u32
    }
}

/// What a recorded campaign was.
pub struct Recording {
    /// Of each run, those that its open alternatives led to, from the shallowest on, with the choice.
    below: Vec<Vec<(u32, u32)>>,
    /// Of the processor, for each run: what the run itself took, and its share of the rest, which is queries and books.
    times: Vec<Nanos>,
    /// Of a case.
    pub input: usize,
    /// Of the whole campaign.
    pub bytes: u64,
    deepest: u32,
}

impl Recording {
    /// Of a campaign that one worker has made.
    pub fn read(campaign: &Path) -> Result<Recording> {
        let store = Store::open_read(campaign)?;
        let runs = store.run_count()?;
        ensure!(runs > 1, "{} has no runs", campaign.display());
        let infos = store.runs(0, runs)?;
        let tree = store.survey()?.tree;
        let mut below = vec![Vec::new(); runs as usize];
        for position in (0..tree.positions()).map(PositionId) {
            let (first, depth) = (tree.witness(position), tree.depth(position));
            for (_, state) in tree.ways(position) {
                let run = match state {
                    State::Position(next) => tree.witness(next),
                    State::Leaf(leaf) => tree.leaf_run(leaf),
                    _ => continue,
                };
                if run != first {
                    below[first as usize].push((depth, run));
                }
            }
        }
        below.iter_mut().for_each(|runs| runs.sort_unstable());
        let summary = store.summary()?.context("it has no summary")?;
        let own = infos.iter().map(|info| info.cpu_micros as f64 / 1e6);
        let rest = (summary.cpu_seconds - own.clone().sum::<f64>()).max(0.0) / runs as f64;
        let case = store.case(0)?;
        let deepest = below.iter().flatten().map(|(depth, _)| *depth + 1).max();
        Ok(Recording {
            times: own.map(|own| nanos(own + rest)).collect(),
            input: case.inputs.values().map(Vec::len).sum(),
            bytes: std::fs::metadata(campaign.join("campaign.db"))
                .context("it has no database")?
                .len(),
            deepest: deepest.unwrap_or(0),
            below,
        })
    }

    pub fn runs(&self) -> usize {
        self.below.len()
    }

    /// Of a run, on average.
    pub fn mean(&self) -> Nanos {
        self.times.iter().sum::<Nanos>() / self.times.len() as u64
    }

    /// Its first runs alone, which are a tree, too.
    fn first(&self, many: usize) -> Vec<Vec<(u32, u32)>> {
        let kept = |runs: &Vec<(u32, u32)>| {
            let kept = runs.iter().filter(|(_, run)| (*run as usize) < many);
            kept.copied().collect()
        };
        self.below.iter().take(many).map(kept).collect()
    }
}

/// The recorded tree, and behind each of its runs its beginning again, as in a program that reads one record after the other. A
/// run of it stands for some of the same place in the tree, which nobody divides, where there are to be very many.
pub struct Shape {
    recording: Arc<Recording>,
    inner: Vec<Vec<(u32, u32)>>,
    /// Of both, the runs that are part of a tree: some repeat another.
    all: [Vec<u32>; 2],
    pub grain: u64,
}

/// The first run, and those that another leads to.
fn all(below: &[Vec<(u32, u32)>]) -> Vec<u32> {
    let led_to = below.iter().flatten().map(|(_, run)| *run);
    std::iter::once(0).chain(led_to).collect()
}

impl Shape {
    /// With about so many runs, of which so many may stand for themselves.
    pub fn new(recording: &Arc<Recording>, runs: u64, most: u64) -> Shape {
        let grain = runs.div_ceil(most);
        let outer = recording.runs() as u64;
        let inner = (runs / grain).div_ceil(outer).clamp(1, outer);
        let inner = recording.first(inner as usize);
        Shape {
            recording: recording.clone(),
            all: [all(&recording.below), all(&inner)],
            inner,
            grain,
        }
    }

    /// Runs that it has.
    pub fn runs(&self) -> u64 {
        self.all.iter().map(|all| all.len() as u64).product::<u64>() * self.grain
    }

    pub fn input(&self) -> usize {
        self.recording.input
    }

    /// Of one recorded run, on average.
    pub fn mean(&self) -> Nanos {
        self.recording.mean()
    }

    /// How long all of it takes one worker.
    pub fn total(&self) -> Nanos {
        let [outer, inner] = &self.all;
        let pairs = outer
            .iter()
            .flat_map(|outer| inner.iter().map(|inner| Run::of(*outer, *inner)));
        pairs.map(|run| self.time(run)).sum()
    }

    pub fn root(&self) -> Run {
        Run::of(0, 0)
    }

    /// What is found from a run, from the shallowest on.
    pub fn below(&self, run: Run) -> impl Iterator<Item = (u32, Run)> {
        let (outer, inner) = (run.outer(), run.inner());
        let first = match inner {
            0 => self.recording.below[outer as usize].as_slice(),
            // Another one has been the first to come by there.
            _ => &[],
        };
        let deeper = self.inner[inner as usize].iter();
        let deeper =
            deeper.map(move |(depth, run)| (self.recording.deepest + depth, Run::of(outer, *run)));
        first
            .iter()
            .map(|(depth, run)| (*depth, Run::of(*run, 0)))
            .chain(deeper)
    }

    /// How long a run takes, or those that it stands for; always the same.
    pub fn time(&self, run: Run) -> Nanos {
        let times = &self.recording.times;
        let draws = self.grain.min(DRAWS);
        let mut random = Random::new(run.0);
        (0..draws)
            .map(|_| times[random.below(times.len())])
            .sum::<Nanos>()
            * self.grain
            / draws
    }
}

/// No more are drawn for a run that stands for many.
const DRAWS: u64 = 8;
