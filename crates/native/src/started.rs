//! A process of the subject that the engine has started, contained or not.

use elsewise_contain::process;
use elsewise_contain::{Family, SupervisedProcess};
use std::io;
use std::os::fd::RawFd;
use std::os::unix::process::ExitStatusExt;
use std::process::Child;
use std::time::Duration;

/// Ended, with all that is known of it, when dropped.
pub enum Started {
    /// Nothing holds it: what it starts may get away.
    Free {
        child: Child,
        family: Family,
    },
    SupervisedProcess(SupervisedProcess),
}

impl Started {
    pub fn free(child: Child) -> io::Result<Started> {
        let family = Family::below(child.id() as i32)?;
        Ok(Started::Free { child, family })
    }

    /// Its wait status, if it has ended.
    pub fn try_wait(&mut self) -> io::Result<Option<i32>> {
        match self {
            Started::Free { child, .. } => Ok(child.try_wait()?.map(ExitStatusExt::into_raw)),
            Started::SupervisedProcess(kept) => kept.try_wait(),
        }
    }

    /// Can be read when it has ended, where there is such a thing.
    pub fn descriptor(&self) -> Option<RawFd> {
        match self {
            Started::Free { .. } => None,
            Started::SupervisedProcess(kept) => Some(kept.descriptor()),
        }
    }

    /// It and all that came of it, if it is kept; else only what descends from it.
    pub fn family(&self) -> &Family {
        match self {
            Started::Free { family, .. } => family,
            Started::SupervisedProcess(kept) => kept.family(),
        }
    }

    /// The number by which [`Started::family`] knows it.
    pub fn first(&self) -> i32 {
        match self {
            Started::Free { child, .. } => child.id() as i32,
            Started::SupervisedProcess(kept) => kept.first(),
        }
    }

    /// Whether any thread of it is ready to run, and the processor time that all have taken.
    pub fn activity(&self) -> (bool, Duration) {
        let (running, cpu) = self.family().activity(&[]);
        match self {
            Started::SupervisedProcess(_) => (running, cpu),
            Started::Free { family, .. } => {
                let own = family.activity_of(self.first());
                (running || own.0, cpu + own.1)
            }
        }
    }

    /// What is left when it has ended: ends it, and says how many that were.
    pub fn end_others(&mut self) -> io::Result<usize> {
        match self {
            Started::Free { child, .. } => {
                process::sweep(child.id() as i32);
                Ok(0)
            }
            Started::SupervisedProcess(kept) => kept.family().end(&[]),
        }
    }

    pub fn end(&mut self) {
        match self {
            Started::Free { child, family } => {
                // A process that was waited for is not signalled any more.
                if let Ok(None) = child.try_wait() {
                    // What does not end is what containment is for.
                    let _ = family.end(&[]);
                    process::kill(child.id() as i32);
                }
                let _ = child.wait();
            }
            Started::SupervisedProcess(kept) => kept.end(),
        }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        self.end();
    }
}
