//! Exploring a portion, in time that is counted: runs take as long as recorded ones, and lead to as many others. What is left to
//! others, and when, is decided by the same code as in the engine.

use super::clock::{Clock, Nanos, SECOND, seconds};
use super::place::{RENEW, Seat};
use super::shape::{Run, Shape};
use elsewise_campaign::{
    Ended, Free, Options, Others, Portion, PortionCase, Progress, WayOut, halve,
};
use elsewise_cluster::{About, ClusterError, Duty, Explored, Explorer, World};
use elsewise_test_random::Random;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How often it is looked whether a copy is due, and at least so many times in a portion's life.
const LOOK: Nanos = SECOND / 2;
const LOOKS: u64 = 20;

/// The world of members whose time is counted.
pub struct Counted {
    pub clock: Arc<Clock>,
    pub begun: Instant,
}

impl World for Counted {
    fn now(&self) -> Instant {
        self.begun + Duration::from_nanos(self.clock.now())
    }

    fn pack(&self, about: About, _: &Path, _: &Path) -> Result<Vec<u8>, ClusterError> {
        Ok(serde_json::to_vec(&about).unwrap_or_default())
    }
}

/// What all members have done.
#[derive(Default)]
pub struct Tally {
    /// Runs, by the second in which they ended.
    pub runs: Vec<u64>,
    pub twice: u64,
    pub portions: u64,
}

/// What a portion's database is, by its runs.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub empty: f64,
    pub run: f64,
}

pub struct Simulated {
    pub seat: Seat,
    pub shape: Arc<Shape>,
    pub sizes: Sizes,
    pub tally: Arc<Mutex<Tally>>,
    pub random: Random,
}

impl Simulated {
    fn case(&self, run: Run) -> PortionCase {
        let mut bytes = run.0.to_le_bytes().to_vec();
        bytes.resize(self.shape.input().max(bytes.len()), b'0');
        PortionCase {
            inputs: vec![("stdin".to_owned(), bytes)],
            schedule: Vec::new(),
        }
    }

    /// About half of what is open, which is taken out.
    fn offer(&self, open: &mut Vec<Free<Run, Ahead>>) -> Option<Portion> {
        let half = halve(std::mem::take(open));
        *open = half.kept;
        let mut portion = Portion::default();
        let mut cases: HashMap<Run, u32> = HashMap::new();
        for free in half.given {
            let case = *cases.entry(free.run).or_insert_with(|| {
                portion.cases.push(self.case(free.run));
                portion.cases.len() as u32 - 1
            });
            portion.open.push(WayOut {
                case,
                choice: free.depth,
                alternative: free.item.run.0,
            });
        }
        (!portion.open.is_empty()).then_some(portion)
    }

    fn has_run(&self, at: Nanos, runs: u64) {
        if let Ok(mut tally) = self.tally.lock() {
            let second = seconds(at) as usize;
            if tally.runs.len() <= second {
                tally.runs.resize(second + 1, 0);
            }
            tally.runs[second] += runs;
        }
    }
}

/// A run that is still to be made.
#[derive(Clone, Copy)]
struct Ahead {
    run: Run,
    time: Nanos,
}

impl Ahead {
    fn new(shape: &Shape, run: Run) -> Ahead {
        let time = shape.time(run);
        Ahead { run, time }
    }
}

/// What is open of a portion, from the shallowest on.
fn open(shape: &Shape, portion: &Portion) -> Vec<Free<Run, Ahead>> {
    let run = |case: &PortionCase| {
        let bytes = case
            .inputs
            .first()
            .and_then(|(_, bytes)| bytes.first_chunk());
        Run(bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes)))
    };
    let runs: Vec<Run> = portion.cases.iter().map(run).collect();
    let free = |way: &WayOut| Free {
        run: runs[way.case as usize],
        depth: way.choice,
        item: Ahead::new(shape, Run(way.alternative)),
    };
    let mut open: Vec<_> = portion.open.iter().map(free).collect();
    open.sort_by_key(|free| free.depth);
    open
}

impl Explorer for Simulated {
    fn explore(
        &mut self,
        options: &Options,
        _: &mut dyn FnMut(&Progress),
        duty: &Duty<'_>,
        others: &dyn Others,
    ) -> Result<Explored, ClusterError> {
        let (seat, shape) = (self.seat.clone(), self.shape.clone());
        let shape = shape.as_ref();
        let (clock, who) = (&seat.clock, seat.who);
        let portion = options.portion.clone().unwrap_or_default();
        let begun = clock.now();
        let mut open = open(shape, &portion);
        // By these it finds its place.
        let again = portion.cases.len() as u64;
        let from = begun + again * shape.mean();
        let first = match open.pop() {
            Some(free) => free.item,
            None => Ahead::new(shape, shape.root()),
        };
        let mut at = Some((first.run, from + first.time));
        let mut runs = 0;
        others.wait();
        let mut looked = begun;
        loop {
            let now = clock.now();
            while let Some((run, end)) = at.filter(|(_, end)| *end <= now) {
                runs += shape.grain;
                self.has_run(end, shape.grain);
                let below = shape.below(run);
                open.extend(below.map(|(depth, next)| Free {
                    run,
                    depth,
                    item: Ahead::new(shape, next),
                }));
                let next = open.pop().map(|free| free.item);
                at = next.map(|next| (next.run, end + next.time));
            }
            let Some((run, end)) = at else {
                break;
            };
            duty.attend();
            let size = self.sizes.empty + self.sizes.run * (runs + again) as f64;
            seat.database.store(size as u64, Relaxed);
            let life = now - begun;
            if now >= looked + LOOK.max(life / LOOKS) {
                looked = now;
                if let Some(to) = others.copy_to() {
                    // What is explored meanwhile is made up for below; whoever asks for work has to wait.
                    others.copied(&to);
                    continue;
                }
            }
            let told = seat.told.load(Relaxed);
            if told && others.wait() {
                // Whoever is at work looks after each run.
                let rest = self.random.word_below(shape.mean().max(1));
                clock.wait(who, now + rest);
                let given = match now >= from {
                    true => self.offer(&mut open),
                    false => None,
                };
                let asked = clock.now();
                if let Some(portion) = given {
                    others.give(&portion);
                }
                at = Some((run, end + (clock.now() - asked)));
                continue;
            }
            let look = looked + LOOK.max(life / LOOKS);
            let soon = if told { now + shape.mean() } else { Nanos::MAX };
            // It takes as long as what is known of it, at least.
            let known = open.iter().map(|free| free.item.time).sum::<Nanos>();
            let next = (end + known)
                .min(look.max(now + 1))
                .min(now + RENEW)
                .min(soon);
            clock.doze(who, next);
        }
        if let Ok(mut tally) = self.tally.lock() {
            tally.twice += again;
            tally.portions += 1;
        }
        Ok(Explored {
            ended: Ended::Exhausted,
            runs: runs + again,
            paths: runs,
            findings: Vec::new(),
        })
    }
}
