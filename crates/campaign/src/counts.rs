//! What is counted beside the rows of the store, over the life of a campaign and in the present session.

use crate::findings::cause_of;
use crate::summary::{Totals, add_stages};
use crate::{Queries, Subsumption, cpu};
use elsewise_explore::{FailureKind, Outcome, Trace};
use elsewise_solve::StageCount;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Over the life of the campaign, and what workers have counted so far.
#[derive(Default)]
pub(crate) struct Counts {
    pub totals: Totals,
    /// Runs of cases that are not known to belong to a path.
    pub optimistic: u64,
    /// What subsumption has done so far, if there is any.
    pub subsumption: Option<Subsumption>,
    /// Stage counts of each worker's present solver.
    pub stages: Vec<Vec<StageCount>>,
}

impl Counts {
    /// A run was repeated, which is none of the campaign's.
    pub fn repeated(&mut self, trace: &Trace) {
        self.totals.repeated_runs += 1;
        self.ran(trace);
    }

    /// The time that a run took.
    pub fn ran(&mut self, trace: &Trace) {
        self.totals.subject_cpu_seconds += trace.cpu_micros as f64 / 1e6;
        self.totals.sanitizer_seconds += trace.watch_micros as f64 / 1e6;
    }

    /// A worker begins with a new solver.
    pub fn renew(&mut self, worker: usize, counts: &[StageCount]) {
        add_stages(&mut self.totals.queries.stages, counts);
        self.stages[worker].clear();
    }

    pub fn queries(&self) -> Queries {
        let mut queries = self.totals.queries.clone();
        for stages in &self.stages {
            add_stages(&mut queries.stages, stages);
        }
        queries
    }

    /// Totals as they stand, the present session included.
    pub fn with_session(&self, session: &Session) -> Totals {
        Totals {
            queries: self.queries(),
            wall_seconds: self.life(session),
            engine_cpu_seconds: self.totals.engine_cpu_seconds
                + (cpu::process_seconds() - session.cpu_at_start).max(0.0),
            ..self.totals.clone()
        }
    }

    /// Seconds that the campaign has been explored, the present session included.
    pub fn life(&self, session: &Session) -> f64 {
        self.totals.wall_seconds + session.elapsed().as_secs_f64()
    }

    /// Counts the executions that have each data race, and those that fail.
    pub fn count_races(&mut self, trace: &Trace, shown: Option<u32>) {
        let fails = matches!(trace.outcome, Outcome::Failure { .. });
        let is_race = |outcome: &&Outcome| {
            matches!(
                outcome,
                Outcome::Failure {
                    kind: FailureKind::DataRace,
                    ..
                }
            )
        };
        for cause in trace.flaws.iter().filter(is_race).filter_map(cause_of) {
            let seen = self.totals.races.entry(cause).or_default();
            seen.executions += 1;
            if fails {
                seen.failed += 1;
                seen.failure = seen.failure.or(shown);
            }
        }
    }
}

/// The present session: when it began, and with what.
pub(crate) struct Session {
    pub started: Instant,
    /// When all that was there had been read.
    pub opened: Instant,
    cpu_at_start: f64,
    /// Runs of earlier sessions.
    pub earlier_runs: u32,
    /// Workers that have begun.
    pub workers: usize,
    pub resumed: bool,
    /// Where an older campaign in the same folder went.
    pub rotated: Option<PathBuf>,
}

impl Session {
    pub fn new(resumed: bool, rotated: Option<PathBuf>) -> Session {
        Session {
            started: Instant::now(),
            opened: Instant::now(),
            cpu_at_start: cpu::process_seconds(),
            earlier_runs: 0,
            workers: 0,
            resumed,
            rotated,
        }
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
