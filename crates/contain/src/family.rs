//! The processes of a subject, as the system knows them: all of a pid namespace, or, where there is none,
//! all that descend from a process of ours that orphans come back to. Nothing that a subject says,
//! does to its own limits or writes anywhere changes who is in it.
//!
//! A member is held by a descriptor of its folder in `/proc`, which is also what signals are sent by: a
//! number may be somebody else's by then.

use rustix::fs::{Dir, Mode, OFlags, openat};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, Instant};

/// More processes than this at once are an overrun.
pub const MAX_PROCESSES: usize = 256;
/// How long processes are looked for and killed that start new ones all the time.
const PERSISTENCE: Duration = Duration::from_secs(3);

pub struct Family {
    /// The `/proc` that tells of them.
    proc: OwnedFd,
    /// Who all others descend from, by its number there.
    pub(super) root: i32,
    /// Everybody in that `/proc` is one of them.
    namespace: bool,
}

/// One of a family, whoever has its number by now.
pub struct Member {
    folder: OwnedFd,
}

/// What a line of `stat` says.
struct Stat {
    state: char,
    parent: i32,
    /// Processor time in ticks.
    ticks: u64,
    threads: u64,
    faults_of_children: u64,
}

impl Family {
    /// All that descend from a process, for as long as it is not waited for.
    pub fn below(root: i32) -> io::Result<Family> {
        Ok(Family {
            proc: open_folder(Path::new("/proc"))?,
            root,
            namespace: false,
        })
    }

    /// All in the namespace that a `/proc` tells of.
    pub fn of_namespace(proc: OwnedFd) -> Family {
        Family {
            proc,
            root: 1,
            namespace: true,
        }
    }

    /// Numbers of all but the root, the dead that nobody has waited for among them.
    pub fn numbers(&self) -> io::Result<Vec<i32>> {
        match self.namespace {
            true => {
                let mut all = self.listed()?;
                all.retain(|pid| *pid != self.root);
                Ok(all)
            }
            false => self.descendants(),
        }
    }

    /// The numbers in `/proc`.
    fn listed(&self) -> io::Result<Vec<i32>> {
        let mut all = Vec::new();
        for entry in Dir::read_from(&self.proc)? {
            all.extend(entry?.file_name().to_str().ok().and_then(number));
        }
        Ok(all)
    }

    fn descendants(&self) -> io::Result<Vec<i32>> {
        let mut found = vec![self.root];
        let mut at = 0;
        while let Some(parent) = found.get(at).copied() {
            at += 1;
            let Some(children) = self.children(parent) else {
                return self.descendants_by_parents();
            };
            for child in children {
                if !found.contains(&child) {
                    found.push(child);
                }
            }
        }
        found.remove(0);
        Ok(found)
    }

    /// What the system lists as children of a process; `None` where it has no such lists.
    fn children(&self, parent: i32) -> Option<Vec<i32>> {
        let mut children = Vec::new();
        let Ok(threads) = self.open(&format!("{parent}/task"), OFlags::DIRECTORY) else {
            // Gone meanwhile: whoever it had comes back to the root.
            return Some(children);
        };
        for thread in Dir::read_from(&threads).ok()?.flatten() {
            let Some(thread) = thread.file_name().to_str().ok().and_then(number) else {
                continue;
            };
            match self.read(&format!("{parent}/task/{thread}/children")) {
                Ok(text) => children.extend(text.split_whitespace().filter_map(number)),
                Err(_) if thread == parent && self.exists(parent) => return None,
                Err(_) => {}
            }
        }
        Some(children)
    }

    /// The same by asking everybody who the parent is.
    fn descendants_by_parents(&self) -> io::Result<Vec<i32>> {
        let parents: Vec<(i32, i32)> = self
            .listed()?
            .into_iter()
            .filter_map(|pid| Some((pid, self.member(pid)?.stat()?.parent)))
            .collect();
        let mut found = vec![self.root];
        let mut at = 0;
        while let Some(parent) = found.get(at).copied() {
            at += 1;
            let children = parents.iter().filter(|(_, of)| *of == parent);
            found.extend(children.map(|(pid, _)| *pid));
        }
        found.remove(0);
        Ok(found)
    }

    /// Calls `visit` for all that live, but for those with the numbers that are `spared`.
    pub fn visit(&self, spared: &[i32], mut visit: impl FnMut(&Member)) -> io::Result<()> {
        let numbers = self.numbers()?;
        for pid in numbers.iter().filter(|pid| !spared.contains(pid)) {
            if let Some(member) = self.living(*pid, &numbers) {
                visit(&member);
            }
        }
        Ok(())
    }

    /// The member that had this number when `numbers` were listed, if it lives.
    fn living(&self, pid: i32, numbers: &[i32]) -> Option<Member> {
        let member = self.member(pid)?;
        let stat = member.stat().filter(Stat::is_alive)?;
        // Where there is no namespace, the number may be a stranger's by now.
        let known = stat.parent == self.root || numbers.contains(&stat.parent);
        (self.namespace || known).then_some(member)
    }

    /// Kills all but the spared, and says how many that were. An error if there may be some still.
    pub fn end(&self, spared: &[i32]) -> io::Result<usize> {
        let deadline = Instant::now() + PERSISTENCE;
        let mut killed = Vec::new();
        let mut dead: Vec<i32> = Vec::new();
        loop {
            let numbers = self.numbers()?;
            let is_new = |pid: &&i32| !spared.contains(pid) && !dead.contains(pid);
            let new: Vec<i32> = numbers.iter().filter(is_new).copied().collect();
            // Who was listed and is gone may have left a child in the meantime: only a list without
            // anybody new is the last.
            if new.is_empty() {
                return Ok(killed.len());
            }
            if Instant::now() >= deadline {
                return Err(io::Error::other(format!("{} do not end", new.len())));
            }
            // Children first: theirs would go to somebody else where nobody takes orphans in.
            for pid in new.into_iter().rev() {
                match self.living(pid, &numbers) {
                    Some(member) => {
                        member.kill();
                        if !killed.contains(&pid) {
                            killed.push(pid);
                        }
                    }
                    None => dead.push(pid),
                }
            }
            std::thread::yield_now();
        }
    }

    /// Whether any thread of theirs is ready to run, and the processor time that all have taken.
    pub fn activity(&self, spared: &[i32]) -> (bool, Duration) {
        let (mut running, mut cpu) = (false, Duration::ZERO);
        // Where they cannot be looked at, nobody waits for them.
        let _ = self.visit(spared, |member| {
            let (runs, took) = member.activity();
            running |= runs;
            cpu += took;
        });
        (running, cpu)
    }

    /// The same of one process, who need not be a member.
    pub fn activity_of(&self, pid: i32) -> (bool, Duration) {
        let member = self.member(pid);
        member.map_or((false, Duration::ZERO), |it| it.activity())
    }

    /// A file that the system has about the process with this number.
    pub fn read_of(&self, pid: i32, name: &str) -> io::Result<String> {
        self.read(&format!("{pid}/{name}"))
    }

    /// Bytes of memory that a process has, what it shares with others among them.
    pub fn memory_of(&self, pid: i32) -> u64 {
        let member = self.member(pid);
        member.map_or(0, |member| member.resident())
    }

    /// Faults of pages of a member's children that have ended and were waited for.
    pub fn faults_of_children(&self, pid: i32) -> u64 {
        let stat = self.member(pid).and_then(|member| member.stat());
        stat.map_or(0, |stat| stat.faults_of_children)
    }

    fn exists(&self, pid: i32) -> bool {
        self.member(pid).is_some()
    }

    fn member(&self, pid: i32) -> Option<Member> {
        let folder = self.open(&pid.to_string(), OFlags::DIRECTORY).ok()?;
        Some(Member { folder })
    }

    fn open(&self, path: &str, flags: OFlags) -> io::Result<OwnedFd> {
        let flags = flags | OFlags::RDONLY | OFlags::CLOEXEC;
        Ok(openat(&self.proc, path, flags, Mode::empty())?)
    }

    fn read(&self, path: &str) -> io::Result<String> {
        read_all(self.open(path, OFlags::empty())?)
    }
}

impl Member {
    fn kill(&self) {
        // SAFETY: a plain system call on a descriptor of ours; a process that is gone is no error.
        unsafe {
            libc::syscall(
                libc::SYS_pidfd_send_signal,
                self.folder.as_raw_fd(),
                libc::SIGKILL,
                std::ptr::null::<libc::siginfo_t>(),
                0,
            );
        }
    }

    /// What `name` in its folder says; an error when it is gone.
    pub fn read(&self, name: &str) -> io::Result<String> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        read_all(openat(&self.folder, name, flags, Mode::empty())?)
    }

    pub fn folder(&self) -> &OwnedFd {
        &self.folder
    }

    /// Bytes of memory that the process has, whoever shares them.
    pub fn resident(&self) -> u64 {
        let status = self.read("status").unwrap_or_default();
        let sizes = status.lines().filter_map(|line| {
            kilobytes(line, "RssAnon:").or_else(|| kilobytes(line, "RssShmem:"))
        });
        sizes.sum()
    }

    fn activity(&self) -> (bool, Duration) {
        let ticks = self.stat().map_or(0, |stat| stat.ticks);
        // SAFETY: a plain query.
        let per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as u64;
        let cpu = Duration::from_millis(ticks * 1000 / per_second);
        (self.is_running(), cpu)
    }

    fn stat(&self) -> Option<Stat> {
        Stat::parse(&self.read("stat").ok()?)
    }

    /// What stands in the process's own is the state of its first thread, which may wait for another.
    fn is_running(&self) -> bool {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let Ok(threads) = openat(&self.folder, "task", flags, Mode::empty()) else {
            return false;
        };
        let Ok(dir) = Dir::read_from(&threads) else {
            return false;
        };
        let mut names = dir.flatten().filter_map(|entry| {
            let name = entry.file_name().to_str().ok()?;
            number(name).map(|_| format!("task/{name}/stat"))
        });
        names.any(|name| {
            let stat = self.read(&name).ok().and_then(|text| Stat::parse(&text));
            stat.is_some_and(|stat| stat.state == 'R')
        })
    }
}

impl Stat {
    /// `pid (name) state parent ...`; the name may hold anything.
    fn parse(text: &str) -> Option<Stat> {
        let (_, rest) = text.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let field = |index: usize| fields.get(index)?.parse::<u64>().ok();
        Some(Stat {
            state: fields.first()?.chars().next()?,
            parent: fields.get(1)?.parse().ok()?,
            ticks: field(11)? + field(12)?,
            threads: field(17)?,
            faults_of_children: field(8)?,
        })
    }

    /// False for processes that have ended and were not waited for. The first thread may have ended before
    /// the others.
    fn is_alive(&self) -> bool {
        !matches!(self.state, 'Z' | 'X') || self.threads > 1
    }
}

fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?)
}

fn read_all(file: OwnedFd) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::from(file).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The size of `name:  436 kB`.
pub(crate) fn kilobytes(line: &str, name: &str) -> Option<u64> {
    let size = line.strip_prefix(name)?.trim().strip_suffix(" kB")?;
    Some(size.trim().parse::<u64>().ok()? * 1024)
}

fn number(name: &str) -> Option<i32> {
    name.parse().ok().filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn descendants_are_found_either_way_and_ended() {
        let mut child = Command::new("/bin/sh")
            .args(["-c", "sleep 60 & (sleep 60; true) & echo; wait"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdout.take().unwrap().read_exact(&mut [0]).unwrap();
        let family = Family::below(child.id() as i32).unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
        // A shell in between, and two that sleep.
        while family.numbers().unwrap().len() < 3 && Instant::now() < deadline {
            std::thread::yield_now();
        }
        let mut one = family.numbers().unwrap();
        let mut other = family.descendants_by_parents().unwrap();
        one.sort_unstable();
        other.sort_unstable();
        assert_eq!(one, other);
        assert_eq!(one.len(), 3, "{one:?}");
        let own = Family::below(std::process::id() as i32).unwrap();
        assert!(own.numbers().unwrap().contains(&(child.id() as i32)));
        assert_eq!(family.end(&one).unwrap(), 0);
        // The shell in between may end before its turn, since what it waits for has ended.
        assert!(matches!(family.end(&[]), Ok(2 | 3)));
        child.wait().unwrap();
        assert!(family.numbers().unwrap().is_empty());
    }

    #[test]
    fn a_process_whose_first_thread_has_ended_is_alive() {
        let line = |state: &str, threads: u32| {
            format!("7 (a) b) {state} 3 7 7 0 -1 0 0 0 0 0 5 6 0 0 20 0 {threads} 0 1")
        };
        let stat = Stat::parse(&line("Z", 2)).unwrap();
        assert!(stat.is_alive());
        assert_eq!((stat.parent, stat.ticks), (3, 11));
        assert!(!Stat::parse(&line("Z", 1)).unwrap().is_alive());
        assert!(Stat::parse(&line("S", 1)).unwrap().is_alive());
        assert!(Stat::parse("nonsense").is_none());
    }

    #[test]
    fn our_own_process_is_active() {
        // The first thread waits for this one, if it is not this one.
        let all = Family::below(1).unwrap();
        assert!(all.activity_of(std::process::id() as i32).0);
        assert!(all.member(i32::MAX).is_none());
    }
}
