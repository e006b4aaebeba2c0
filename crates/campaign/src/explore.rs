//! A whole exploration: workers, what they share, and whoever watches them.

use crate::state::Shared;
use crate::subsume::Begun;
use crate::worker::Worker;
use crate::{CampaignError, Ended, Options, Phase, Progress, Summary, open};
use elsewise_explore::{Deadline, Subject};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How often whoever watches hears of progress, and a wish to stop is heard.
const TICK: Duration = Duration::from_millis(100);
/// How often the state of things is written down for those who look at the folder.
const NOTE: Duration = Duration::from_secs(1);

/// Where workers meet.
pub(crate) struct Board {
    state: Mutex<Shared>,
    /// There may be something to do, or nothing any more.
    change: Condvar,
    /// A worker has ended. Whoever watches waits for this one only: to be woken by every run
    /// would cost a good part of the run's time.
    over: Condvar,
    /// Workers that have not ended.
    at_work: AtomicUsize,
    phases: Vec<AtomicU8>,
    stop: Arc<AtomicBool>,
    /// Closes what need not be run.
    pub subsumer: OnceLock<Begun>,
}

impl Board {
    pub fn state(&self) -> MutexGuard<'_, Shared> {
        // A worker that panicked is told of by its own thread's end.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn wait<'a>(&self, guard: MutexGuard<'a, Shared>) -> MutexGuard<'a, Shared> {
        let waited = self.change.wait_timeout(guard, TICK);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Wakes all who wait.
    pub fn changed(&self) {
        self.change.notify_all();
    }

    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub fn phase(&self, worker: usize, phase: Phase) {
        self.phases[worker].store(phase as u8, Ordering::Relaxed);
    }

    fn busiest(&self) -> Phase {
        let phases = self
            .phases
            .iter()
            .map(|phase| phase.load(Ordering::Relaxed));
        match phases.max() {
            Some(2) => Phase::Confirming,
            Some(1) => Phase::Solving,
            _ => Phase::Running,
        }
    }
}

/// Explores until nothing is left to try, the budget ends, or `stop` is set. One worker thread per
/// subject; all subjects are of the same build. With one subject, and as long as no query runs
/// into its time limit and subsumption is not found to cost more than it saves, the same options make
/// the same runs in the same order.
pub fn explore(
    options: &Options,
    subjects: Vec<Box<dyn Subject>>,
    watch: &mut dyn FnMut(&Progress),
    stop: &AtomicBool,
) -> Result<Summary, CampaignError> {
    let first = subjects.first().ok_or(CampaignError::NoSubject)?;
    let (mut shared, _lock) = open::open(options, first.blueprint(), first.first_case())?;
    shared.stages = vec![Vec::new(); subjects.len()];
    let board = Board {
        subsumer: OnceLock::new(),
        state: Mutex::new(shared),
        change: Condvar::new(),
        over: Condvar::new(),
        at_work: AtomicUsize::new(subjects.len()),
        phases: subjects.iter().map(|_| AtomicU8::new(0)).collect(),
        stop: Arc::default(),
    };
    let end = options.budget.time.map(|time| board.state().started + time);
    let deadline = Deadline::new(end, Arc::clone(&board.stop));
    std::thread::scope(|scope| {
        let board = &board;
        let workers: Vec<_> = subjects
            .into_iter()
            .enumerate()
            .map(|(number, mut subject)| {
                subject.keep_to(deadline.clone());
                scope.spawn(move || {
                    // Whatever way a worker ends, the others must not wait for it.
                    let _end = EndGuard(board);
                    let mut worker = Worker::new(number, options, board, subject);
                    if let Err(error) = worker.work() {
                        board.state().failed.get_or_insert(error);
                        board.stop.store(true, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        let mut noted = Instant::now();
        let mut told = Instant::now();
        loop {
            if stop.load(Ordering::Relaxed) {
                board.stop.store(true, Ordering::Relaxed);
            }
            let state = board.state();
            if board.at_work.load(Ordering::Relaxed) == 0 {
                break;
            }
            let waited = board.over.wait_timeout(state, TICK);
            let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if told.elapsed() < TICK {
                continue;
            }
            told = Instant::now();
            let written = match noted.elapsed() >= NOTE {
                true => {
                    noted = Instant::now();
                    state.write_summary(options, Ended::Stopped)
                }
                false => state.flush(true),
            };
            if let Err(error) = written {
                state.failed.get_or_insert(error);
                board.stop.store(true, Ordering::Relaxed);
            }
            let progress = progress(&state, board.busiest());
            drop(state);
            watch(&progress);
        }
        for worker in workers {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    let phase = board.busiest();
    let mut shared = board
        .state
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = shared.failed.take() {
        return Err(error);
    }
    watch(&progress(&shared, phase));
    let ended = shared.ended.unwrap_or(Ended::Stopped);
    shared.write_summary(options, ended)?;
    Ok(shared.summary(options, ended))
}

/// Stops the others when its thread panics.
struct EndGuard<'a>(&'a Board);

impl Drop for EndGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop.store(true, Ordering::Relaxed);
        }
        // Under the lock, so that nobody goes to sleep between looking and being woken.
        let state = self.0.state();
        self.0.at_work.fetch_sub(1, Ordering::Relaxed);
        self.0.changed();
        self.0.over.notify_all();
        drop(state);
    }
}

fn progress(shared: &Shared, phase: Phase) -> Progress {
    let queries = shared.queries();
    Progress {
        runs: u64::from(shared.runs),
        paths: shared.tree.paths(),
        frontier: shared.tree.frontier(),
        sides_reached: shared.coverage.reached(),
        sides_total: shared.coverage.total(),
        findings: shared
            .findings
            .public(shared.store.dir(), true, &shared.totals.races),
        elapsed: shared.started.elapsed(),
        phase,
        solver: shared.stages.iter().flatten().cloned().collect(),
        queries,
        resumed: shared.resumed,
        approximations: shared.approximation_count(),
    }
}
