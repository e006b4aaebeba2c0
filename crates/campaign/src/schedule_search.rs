//! Which orders of threads are to be tried, in whichever way schedules are searched.

use crate::job::{Job, Sample};
use crate::{Options, Searched};
use elsewise_explore::Random;
use elsewise_explore::schedule::{
    Bounded, Estimate, Oracle, Sampling, Schedules, Seen, Unfinished, Wakeup, Wakeups,
};
use std::time::Duration;

/// Samples that show nothing new, after which the rest is taken for unlikely.
const IDLE: u32 = 1000;
/// Part of the time that all orders have before samples are taken instead, as a divisor.
const SHARE: u32 = 2;
/// How samples are taken when nobody has said it.
const USUAL: Sampling = Sampling::Pos;

/// What a store says of other orders: [`ORDERS_DONE`] if none was left.
pub(crate) const ORDERS: &str = "orders";
pub(crate) const ORDERS_DONE: &str = "done";
pub(crate) const ORDERS_OPEN: &str = "open";

/// Other orders of threads.
pub(crate) struct ScheduleSearch {
    mode: Schedules,
    all: Wakeups,
    few: Bounded,
    /// Chance decides from now on.
    sampling: Option<Sampling>,
    seed: u64,
    /// Samples begun, and those since one showed something new.
    samples: u64,
    idle: u32,
    /// Runs on inputs of their own, whose threads samples are of.
    bases: Vec<u32>,
    estimate: Estimate,
    /// Runs were taken in without a look at their other orders, since chance decides.
    left_out: bool,
}

impl ScheduleSearch {
    pub fn new(options: &Options) -> ScheduleSearch {
        let mode = options.schedules;
        let most = match mode {
            Schedules::Bounded(most) => most,
            _ => 0,
        };
        ScheduleSearch {
            mode,
            all: Wakeups::new(),
            few: Bounded::new(most),
            sampling: mode.sampling(),
            seed: options.seed,
            samples: 0,
            idle: 0,
            bases: Vec::new(),
            estimate: Estimate::default(),
            left_out: false,
        }
    }

    /// Does chance decide?
    pub fn is_sampling(&self) -> bool {
        self.sampling.is_some()
    }

    /// Number of orders still to try, or to look for.
    pub fn open(&self) -> usize {
        self.all.open() + self.all.unfinished() + self.few.open()
    }

    /// Is there something to do, now?
    pub fn has_work(&self) -> bool {
        match self.sampling {
            Some(_) => self.may_sample(),
            None => self.open() > 0,
        }
    }

    fn may_sample(&self) -> bool {
        !self.bases.is_empty() && self.idle < IDLE
    }

    /// Has nothing been left out?
    pub fn is_done(&self) -> bool {
        let sampled = self.mode.sampling().is_some() && !self.bases.is_empty();
        !sampled && !self.left_out && self.all.is_done() && self.few.open() == 0
    }

    /// The next one to try, or to look for.
    pub fn next(&mut self) -> Option<Job> {
        if let Some(sampling) = self.sampling {
            if !self.may_sample() {
                return None;
            }
            // Each sample depends on the seed and on its number alone.
            let mut random =
                Random::new(self.seed ^ self.samples.wrapping_mul(0x2545_f491_4f6c_dd1d));
            let base = self.bases[random.below(self.bases.len())];
            self.samples += 1;
            self.idle += 1;
            return Some(Job::Sample(Sample {
                base,
                sampling,
                seed: random.number(),
            }));
        }
        if let Some(wakeup) = self.few.next_open().or_else(|| self.all.next_open()) {
            return Some(Job::Wake(wakeup));
        }
        self.all.next_unfinished().map(Job::GoOn)
    }

    /// Are all orders too many for the time? Then samples are taken from now on.
    pub fn consider(&mut self, elapsed: Duration, limit: Option<Duration>, done: u64) {
        let Some(limit) = limit.filter(|limit| elapsed >= *limit / SHARE) else {
            return;
        };
        if self.mode != Schedules::Auto || self.sampling.is_some() || self.open() == 0 {
            return;
        }
        let left = self.executions(done).saturating_sub(done) as f64;
        let each = elapsed.as_secs_f64() / done.max(1) as f64;
        if left * each > limit.saturating_sub(elapsed).as_secs_f64() {
            self.sampling = Some(USUAL);
        }
    }

    /// A sample of an earlier session.
    pub fn recall_sample(&mut self) {
        self.samples += 1;
    }

    /// A sample has taken a way that was not known.
    pub fn new_path(&mut self) {
        self.idle = 0;
    }

    /// Takes the order that a case was made from, with the inputs of the run `run`, if it is still open.
    pub fn take_tried(&mut self, run: u32, schedule: &[u32]) -> Option<Wakeup> {
        self.few.take_tried(run, schedule);
        self.all.take_tried(run, schedule)
    }

    /// Are other orders found by looking at the races of runs?
    pub fn is_by_races(&self) -> bool {
        self.mode.is_whole()
    }

    /// Takes what is left to be looked at of a run's races.
    pub fn take_unfinished(&mut self, run: u32) -> Option<Unfinished> {
        self.all.take_unfinished(run)
    }

    /// The same of any run.
    pub fn next_unfinished(&mut self) -> Option<Unfinished> {
        self.all.next_unfinished()
    }

    /// Takes a run in that was not left to chance, and how much of its schedule was decided before.
    pub fn note(&mut self, seen: &Seen<'_>, decided: u32, oracle: &mut dyn Oracle) {
        if seen.followed.is_none() {
            self.bases.push(seen.run);
        }
        match self.mode {
            Schedules::Bounded(_) => self.few.note(seen),
            _ if self.sampling.is_some() => self.left_out = true,
            _ => {
                self.all.note(seen, oracle);
                self.estimate.note(decided);
                self.found(decided);
            }
        }
    }

    /// Looks at further races of a run that has been taken in.
    pub fn go_on(
        &mut self,
        seen: &Seen<'_>,
        from: Unfinished,
        decided: u32,
        oracle: &mut dyn Oracle,
    ) {
        self.all.go_on(seen, from, oracle);
        self.found(decided);
    }

    fn found(&mut self, decided: u32) {
        for next in self.all.take_found() {
            self.estimate.found(decided, next);
        }
    }

    /// About how many executions there are, of which so many have been run.
    fn executions(&self, done: u64) -> u64 {
        let more = self.all.unfinished() as u64;
        self.estimate.executions(done, self.all.decided()) + more
    }

    /// What has been done, of so many runs.
    pub fn searched(&self, runs: u64) -> Searched {
        let done = runs.saturating_sub(self.samples);
        let whole = self.mode.is_whole();
        Searched {
            mode: self.mode.to_string(),
            estimate: whole.then(|| self.executions(done)),
            done,
            samples: self.samples,
            sampling: self.sampling.map(|sampling| sampling.to_string()),
        }
    }
}
