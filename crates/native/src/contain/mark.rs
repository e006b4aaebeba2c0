//! Finding the processes of a run, whatever they did to get away.
//!
//! A process that forks twice and begins a session of its own has no parent, group or session that
//! would lead back to the run. What it cannot get rid of is the hard limit of a resource: every
//! subject gets a value of its own for one that Linux keeps and has no use for, the number of file
//! locks, and all that it starts inherits it. (A subject that runs as root could change it.)

use std::fs;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// More processes than this at once are an overrun.
pub const MAX_PROCESSES: usize = 256;
/// How long processes are looked for and killed that start new ones all the time.
const PERSISTENCE: Duration = Duration::from_secs(3);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(u64);

impl Mark {
    /// A mark that no other subject on this machine has.
    pub fn new() -> Mark {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        Mark(0x2e15 << 48 | u64::from(std::process::id()) << 24 | next & 0xff_ffff)
    }

    /// Marks this process. Only one system call; where it is refused, group and parent must do.
    pub fn wear(self) {
        let value = libc::rlimit {
            rlim_cur: self.0,
            rlim_max: self.0,
        };
        // SAFETY: a valid structure.
        unsafe { libc::setrlimit(libc::RLIMIT_LOCKS, &value) };
    }

    fn is_worn_by(self, pid: i32) -> bool {
        let mut value = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: reads the limits of another process into a structure of ours.
        let known =
            unsafe { libc::prlimit(pid, libc::RLIMIT_LOCKS, std::ptr::null(), &mut value) == 0 };
        known && value.rlim_max == self.0
    }

    /// The living processes that wear it.
    pub fn processes(self) -> Vec<i32> {
        let Ok(entries) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        entries
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(|pid| self.is_worn_by(*pid) && is_alive(*pid))
            .collect()
    }

    /// Kills all that wear it but for `spared`, and says how many there were.
    pub fn end(self, spared: &[i32]) -> usize {
        let deadline = Instant::now() + PERSISTENCE;
        let mut ended = Vec::new();
        loop {
            let mut found = self.processes();
            found.retain(|pid| !spared.contains(pid));
            if found.is_empty() || Instant::now() >= deadline {
                ended.sort_unstable();
                ended.dedup();
                return ended.len();
            }
            for pid in &found {
                // SAFETY: a plain system call; the mark says that it is the subject's.
                unsafe { libc::kill(*pid, libc::SIGKILL) };
            }
            ended.extend(found);
        }
    }
}

/// False for processes that have ended and were not waited for.
fn is_alive(pid: i32) -> bool {
    let stat: io::Result<String> = fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| {
        stat.rsplit_once(") ")
            .is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    #[test]
    fn a_process_that_got_away_is_found_and_ended() {
        let mark = Mark::new();
        assert_ne!(mark, Mark::new());
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg("setsid sleep 60 & exit 0");
        // SAFETY: one system call between fork and exec.
        unsafe {
            command.pre_exec(move || {
                mark.wear();
                Ok(())
            });
        }
        assert!(command.status().unwrap().success());
        let found = mark.processes();
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(mark.end(&found), 0);
        assert_eq!(mark.end(&[]), 1);
        assert!(mark.processes().is_empty());
    }
}
