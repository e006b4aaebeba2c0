//! Who explores portions for a member, and by which time: the engine, by the system's. Where a fleet is simulated, something
//! else takes as long as recorded runs took, in a time of its own; what members do is the same.

use crate::ClusterError;
use crate::pack::{self, About};
use crate::place::Lease;
use elsewise_campaign::{Ended, Finding, Options, Others, Progress, explore_portion};
use elsewise_explore::Subject;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How often it is looked whether something has to be said of a task.
const LOOK: Duration = Duration::from_millis(20);
/// Who was not heard so often has lost the task.
const UNHEARD: u32 = 3;

/// What a member has around itself, besides the place where it meets others.
pub trait World: Send + Sync {
    fn now(&self) -> Instant;

    /// A portion's campaign as it travels.
    fn pack(&self, about: About, database: &Path, dir: &Path) -> Result<Vec<u8>, ClusterError>;
}

/// The machine.
pub struct Machine;

impl World for Machine {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn pack(&self, about: About, database: &Path, dir: &Path) -> Result<Vec<u8>, ClusterError> {
        pack::pack(about, database, dir)
    }
}

/// What came of an exploration.
#[derive(Clone, Debug)]
pub struct Explored {
    pub ended: Ended,
    pub runs: u64,
    pub paths: u64,
    pub findings: Vec<Finding>,
}

/// Explores portions.
pub trait Explorer {
    /// Until nothing is left, there is no more time, or `duty` says so; `duty` is asked every now and then meanwhile.
    fn explore(
        &mut self,
        options: &Options,
        watch: &mut dyn FnMut(&Progress),
        duty: &Duty<'_>,
        others: &dyn Others,
    ) -> Result<Explored, ClusterError>;
}

/// The engine, with a worker for each subject.
pub struct Engine<'a>(pub &'a mut [Box<dyn Subject>]);

impl Explorer for Engine<'_> {
    fn explore(
        &mut self,
        options: &Options,
        watch: &mut dyn FnMut(&Progress),
        duty: &Duty<'_>,
        others: &dyn Others,
    ) -> Result<Explored, ClusterError> {
        let over = AtomicBool::new(false);
        let summary = std::thread::scope(|scope| {
            let attending = scope.spawn(|| {
                while !over.load(Relaxed) {
                    std::thread::park_timeout(LOOK);
                    duty.attend();
                }
            });
            let summary = explore_portion(options, self.0, watch, duty.stop(), others);
            over.store(true, Relaxed);
            attending.thread().unpark();
            summary
        })?;
        Ok(Explored {
            ended: summary.ended,
            runs: summary.runs,
            paths: summary.paths,
            findings: summary.findings,
        })
    }
}

/// What a member owes to others while it explores: to say that it is at its task, and to stop where that is not so any more.
pub struct Duty<'a> {
    lease: &'a dyn Lease,
    world: &'a dyn World,
    /// The member is to end.
    end: &'a AtomicBool,
    /// The exploration is to end.
    stop: AtomicBool,
    /// Somebody else may be at it by now.
    lost: AtomicBool,
    times: Mutex<Times>,
}

struct Times {
    /// When it was last said, and when somebody heard it.
    said: Instant,
    heard: Instant,
}

impl<'a> Duty<'a> {
    pub(crate) fn new(lease: &'a dyn Lease, world: &'a dyn World, end: &'a AtomicBool) -> Duty<'a> {
        let now = world.now();
        Duty {
            lease,
            world,
            end,
            stop: AtomicBool::new(false),
            lost: AtomicBool::new(false),
            times: Mutex::new(Times {
                said: now,
                heard: now,
            }),
        }
    }

    /// Is set when the exploration is to end.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.lost.load(Relaxed)
    }

    /// Says that we are at the task if it is time to.
    pub fn attend(&self) {
        if self.end.load(Relaxed) {
            self.stop.store(true, Relaxed);
        }
        let Ok(mut times) = self.times.lock() else {
            return;
        };
        let now = self.world.now();
        let due = |often: &Duration| now.duration_since(times.said) >= *often;
        let Some(often) = self.lease.renew_after().filter(due) else {
            return;
        };
        times.said = now;
        let ours = match self.lease.renew() {
            Ok(ours) => {
                times.heard = now;
                ours
            }
            Err(_) => self.world.now().duration_since(times.heard) <= often * UNHEARD,
        };
        if !ours {
            self.lost.store(true, Relaxed);
            self.stop.store(true, Relaxed);
        }
    }
}
