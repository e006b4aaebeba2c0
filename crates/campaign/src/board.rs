//! Where workers meet: what they share, who waits for what, and what each is doing.

use crate::job::Job;
use crate::state::Shared;
use crate::work::Next;
use crate::{CampaignError, Ended, Options, Others, Phase};
use elsewise_subsume::Subsumer;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// How often whoever watches hears of progress, and a wish to stop is heard.
pub(crate) const TICK: Duration = Duration::from_millis(100);

/// What closes parts of the tree, or why nothing can.
pub(crate) type Begun = Result<Mutex<Subsumer>, String>;

/// Where workers meet.
pub(crate) struct Board<'a> {
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
    /// Who explores other parts of the tree.
    others: Option<&'a dyn Others>,
    /// Set by whoever watches, for as long as nothing new is to be begun.
    pause: Option<&'a AtomicBool>,
}

/// What a worker does that has not joined.
const NOT_THERE: u8 = u8::MAX;

impl<'a> Board<'a> {
    /// With room for so many workers, of which none has joined.
    pub fn new(
        shared: Shared,
        workers: usize,
        others: Option<&'a dyn Others>,
        pause: Option<&'a AtomicBool>,
    ) -> Board<'a> {
        Board {
            pause,
            subsumer: OnceLock::new(),
            others,
            state: Mutex::new(shared),
            change: Condvar::new(),
            over: Condvar::new(),
            at_work: AtomicUsize::new(0),
            phases: (0..workers).map(|_| AtomicU8::new(NOT_THERE)).collect(),
            stop: Arc::default(),
        }
    }

    pub fn state(&self) -> MutexGuard<'_, Shared> {
        // A worker that panicked is told of by its own thread's end.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When no worker is left.
    pub fn into_state(self) -> Shared {
        self.state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker is about to begin.
    pub fn join(&self) {
        self.at_work.fetch_add(1, Ordering::Relaxed);
    }

    /// A worker has ended, or has not begun.
    pub fn leave(&self) {
        // Under the lock, so that nobody goes to sleep between looking and being woken.
        let state = self.state();
        self.at_work.fetch_sub(1, Ordering::Relaxed);
        self.changed();
        self.over.notify_all();
        drop(state);
    }

    /// Waits a moment, or less if a worker ends; `None` when none is left.
    pub fn watch(&self) -> Option<MutexGuard<'_, Shared>> {
        let state = self.state();
        if self.at_work.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let waited = self.over.wait_timeout(state, TICK);
        Some(waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    fn wait<'b>(&self, guard: MutexGuard<'b, Shared>) -> MutexGuard<'b, Shared> {
        let waited = self.change.wait_timeout(guard, TICK);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Wakes all who wait.
    pub fn changed(&self) {
        self.change.notify_all();
    }

    /// All work is to end.
    pub fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// What says that all work is to end.
    pub fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub fn phase(&self, worker: usize, phase: Phase) {
        self.phases[worker].store(phase as u8, Ordering::Relaxed);
    }

    /// What each worker is doing.
    pub fn phases(&self) -> Vec<Phase> {
        let phases = self
            .phases
            .iter()
            .map(|phase| phase.load(Ordering::Relaxed));
        let known = |code| {
            let all = [
                Phase::Waiting,
                Phase::Running,
                Phase::Solving,
                Phase::Confirming,
            ];
            all.into_iter().find(|phase| *phase as u8 == code)
        };
        phases.filter_map(known).collect()
    }

    /// Whether nothing new is to be begun.
    pub fn is_paused(&self) -> bool {
        self.pause
            .is_some_and(|pause| pause.load(Ordering::Relaxed))
    }

    /// Leaves something to others who have nothing to do.
    pub fn share(&self) -> Result<(), CampaignError> {
        let Some(others) = self.others.filter(|others| others.wait()) else {
            return Ok(());
        };
        let offer = self.state().offer()?;
        if let Some((offer, portion)) = offer {
            let taken = others.give(&portion);
            self.state().offered(&offer, taken)?;
            self.changed();
        }
        Ok(())
    }

    /// Is it for this campaign to make an input smaller that fails in this way?
    pub fn is_first(&self, cause: &str) -> bool {
        self.others.is_none_or(|others| others.is_first(cause))
    }

    /// Copies the campaign for others who may have to go on with it.
    pub fn copy(&self, options: &Options) -> Result<(), CampaignError> {
        let Some(others) = self.others else {
            return Ok(());
        };
        let mut state = self.state();
        if state.work.is_sought() {
            return Ok(());
        }
        if let Some(to) = others.copy_to() {
            state.write_summary(options, Ended::Stopped)?;
            state.ledger.copy(&to)?;
            drop(state);
            others.copied(&to);
        }
        Ok(())
    }

    /// Waits for a job for a worker; `None` when the campaign has ended.
    pub fn take(&self, options: &Options, worker: usize) -> Option<Job> {
        let mut state = self.state();
        loop {
            if self.stopped() {
                return None;
            }
            if self.is_paused() {
                self.phase(worker, Phase::Waiting);
                state = self.wait(state);
                continue;
            }
            match state.next(options, worker) {
                Next::Job(job) => {
                    self.phase(worker, Phase::Running);
                    return Some(job);
                }
                Next::End => {
                    drop(state);
                    self.changed();
                    return None;
                }
                Next::Wait => {
                    self.phase(worker, Phase::Waiting);
                    state = self.wait(state);
                }
            }
        }
    }
}

/// Tells of the end of a worker, whatever way it ends; the others stop when its thread panics.
pub(crate) struct EndGuard<'a>(pub &'a Board<'a>);

impl Drop for EndGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
        self.0.leave();
    }
}
