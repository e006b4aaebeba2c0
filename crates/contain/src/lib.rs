//! Containment of subjects: what a run may write, whom it may talk to, and what it leaves behind.
//!
//! A run has a directory of its own ([`Area`]), and a [`Jail`] that the process enters between fork
//! and exec: Landlock for writes, TCP, abstract sockets and signals, a seccomp filter for sockets
//! of any kind, fewer rights for root, limits for files and descriptors. All of it is inherited by
//! whatever the subject starts and cannot be taken off again, also where the subject runs as root.
//! Who belongs to a run is known by namespaces, or by descent ([`SupervisedProcess`], [`Family`]).
//!
//! Between the engine and a contained process stands a keeper (`keeper.rs`): a fork of the engine that
//! makes system calls only, the first process of a pid namespace, or, where there are none, whom orphans are given to. It
//! stays outside of the subject's Landlock domain and reports how the process ended. Which processes there are the engine
//! reads from that namespace's `/proc`, and it signals them by descriptors from there (`family.rs`). After a run that
//! has not put itself back, all but those that were there before the first input are ended, whatever the server says,
//! before the directory is touched. The server is the subject's own image: it cannot be traced or opened through
//! `/proc`, but what comes out of its pipe is still only a claim.
//!
//! Machines of other languages are started by whoever `child/src/machine.rs` is given: their crates know nothing of
//! containment, and `machine.rs` here has them in a keeper, a jail and a directory for as long as they
//! live. Between two runs the engine ends the processes and removes the files that the first has left.

mod area;
mod capabilities;
mod environment;
mod family;
mod filter;
mod holdings;
mod keeper;
mod machine;
mod message;
mod namespaces;
pub mod process;

pub use area::Area;
pub use environment::narrow;
pub use family::{Family, MAX_PROCESSES};
pub use holdings::{Bounds, look, memory_of_all, overrun};
pub use keeper::{Launch, SupervisedProcess};
pub use machine::ContainedMachines;
pub use namespaces::hide;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope,
};
use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Devices that every program may open, and those of them that it may write to.
const DEVICES: [&CStr; 5] = [
    c"/dev/null",
    c"/dev/zero",
    c"/dev/full",
    c"/dev/random",
    c"/dev/urandom",
];
const WRITTEN_DEVICES: usize = 3;
/// Open files: what most systems allow, and as far as a program may raise it.
const DESCRIPTORS: (u64, u64) = (1024, 4096);

/// What a subject is kept from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Containment {
    /// False: nothing of the following holds.
    pub on: bool,
    /// Sockets are allowed.
    pub network: bool,
    /// Files and directories that may be written, besides the run's own directory.
    pub write: Vec<PathBuf>,
    /// Runs in this directory instead of its own.
    pub workdir: Option<PathBuf>,
    /// Bytes that one run may write to files; 0 = no limit.
    pub disk_limit: u64,
    /// Where runs get their directories; otherwise where temporary files go.
    pub place: Option<PathBuf>,
    /// Of the engine's environment, it has what all members of a fleet have, also if it is not contained.
    pub common_environment: bool,
}

impl Default for Containment {
    fn default() -> Self {
        Containment {
            on: true,
            network: false,
            write: Vec::new(),
            workdir: None,
            disk_limit: 256 << 20,
            place: None,
            common_environment: false,
        }
    }
}

impl Containment {
    /// A subject that may do what its user may.
    pub fn off() -> Containment {
        Containment {
            on: false,
            disk_limit: 0,
            ..Containment::default()
        }
    }

    /// What is asked for and cannot be had on this system; `None` when all can.
    pub fn shortcoming(&self) -> Option<String> {
        if !self.on {
            return None;
        }
        match landlock_version() {
            None if has_read_only_mounts() => Some(
                "this kernel has no Landlock, so the subject can write to devices and pipes where \
                 you can: use Linux 5.13 or later with lsm=landlock, or do not explore as root"
                    .into(),
            ),
            None => Some(
                "this kernel has no Landlock, so the subject can write wherever you can: use \
                 Linux 5.13 or later with lsm=landlock, or run in a container"
                    .into(),
            ),
            Some(1 | 2) if !has_read_only_mounts() => Some(
                "this kernel's Landlock cannot keep the subject from truncating files of yours: \
                 use Linux 6.2 or later, or run in a container"
                    .into(),
            ),
            _ => None,
        }
    }

    /// What is weaker on this system than where it has all that can be had, in words.
    pub fn weaknesses(&self) -> Vec<String> {
        if !self.on {
            return Vec::new();
        }
        let (landlock, read_only) = (landlock_version(), has_read_only_mounts());
        let mut weaker = Vec::new();
        match landlock {
            None if read_only => weaker.push("no Landlock: devices and pipes can be written"),
            None => weaker.push("no Landlock: whatever you can write can be written"),
            Some(1 | 2) if !read_only => weaker.push("an early Landlock: files can be truncated"),
            Some(_) => {}
        }
        if !has_namespaces() {
            // Signals are ruled from its version 6 on.
            weaker.push(match landlock {
                Some(6..) => "no namespaces: other processes can be seen",
                _ => "no namespaces: other processes can be seen and signalled",
            });
        }
        if !read_only {
            weaker.push(
                "no read-only mounts: modes, owners and times of files can be changed, and devices \
                 be opened",
            );
        }
        let said = |words| format!("contained, but there is {words}");
        weaker.into_iter().map(said).collect()
    }
}

/// Switches it off, to test what is done without.
const ENV_WITHOUT_LANDLOCK: &str = "ELSEWISE_WITHOUT_LANDLOCK";

/// Whether runs have a namespace of their own: processes of others cannot be named from there, and all of a run's
/// end together.
pub fn has_namespaces() -> bool {
    namespaces::available().is_some()
}

/// Whether runs see everything but their own directory as read-only: modes, owners and times of files elsewhere
/// cannot be changed.
pub fn has_read_only_mounts() -> bool {
    namespaces::available().is_some_and(|available| available.read_only)
}

/// The version of Landlock that this system has; `None` without it.
pub fn landlock_version() -> Option<i32> {
    const VERSION: libc::c_uint = 1;
    if std::env::var_os(ENV_WITHOUT_LANDLOCK).is_some() {
        return None;
    }
    // SAFETY: with this flag nothing is read or made.
    let version = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<u8>(),
            0usize,
            VERSION,
        )
    };
    i32::try_from(version).ok().filter(|version| *version > 0)
}

/// What a run took more of than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overrun {
    Disk,
    Memory,
    Processes,
}

/// Everything that a process enters between fork and exec, prepared before.
pub struct Jail {
    ruleset: Option<OwnedFd>,
    /// What is not read-only in a namespace of mounts.
    writable: Vec<CString>,
    allowed: filter::Allowed,
    filter: filter::Filter,
    file_size: u64,
    /// Children of children that lose their parent become this process's.
    adopt: bool,
    /// Seconds of processor time; 0 = no limit.
    cpu_seconds: u64,
}

impl Jail {
    /// `own` are the run's own directories.
    pub fn new(containment: &Containment, own: &[&Path]) -> io::Result<Jail> {
        let allowed = filter::Allowed {
            network: containment.network,
            tracing: false,
            namespace: namespaces::available().is_some(),
        };
        Ok(Jail {
            ruleset: ruleset(containment, own).map_err(io::Error::other)?,
            writable: written(containment, own)
                .filter_map(|path| CString::new(path.as_os_str().as_bytes()).ok())
                .collect(),
            filter: filter::filter(allowed),
            allowed,
            file_size: containment.disk_limit,
            adopt: false,
            cpu_seconds: 0,
        })
    }

    /// For a fork server: it learns of every process that its runs leave behind.
    pub fn adopting(mut self) -> Jail {
        self.adopt = true;
        self
    }

    /// For a process that looks at its own memory from another, as sanitizers do; no server may be near it.
    pub fn tracing(mut self, tracing: bool) -> Jail {
        self.allowed.tracing = tracing;
        self.filter = filter::filter(self.allowed);
        self
    }

    /// For a process that is one run.
    pub fn cpu_limit(mut self, seconds: u64) -> Jail {
        self.cpu_seconds = seconds;
        self
    }

    /// Only system calls, and nothing allocates: this stands between fork and exec.
    pub fn enter(&self) -> io::Result<()> {
        if self.file_size != 0 {
            process::limit(libc::RLIMIT_FSIZE, self.file_size)?;
        }
        if self.cpu_seconds != 0 {
            process::limit(libc::RLIMIT_CPU, self.cpu_seconds)?;
        }
        process::lower(libc::RLIMIT_NOFILE, DESCRIPTORS.0, DESCRIPTORS.1)?;
        // SAFETY: plain system calls with constant arguments and a descriptor of ours.
        unsafe {
            if self.adopt && libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 {
                return Err(io::Error::last_os_error());
            }
            if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
                return Err(io::Error::last_os_error());
            }
            capabilities::lower(self.allowed.network)?;
            if let Some(ruleset) = &self.ruleset
                && libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) != 0
            {
                return Err(io::Error::last_os_error());
            }
        }
        self.filter.install()
    }
}

/// Files and directories that may be written.
fn written<'a>(
    containment: &'a Containment,
    own: &'a [&'a Path],
) -> impl Iterator<Item = &'a Path> {
    let allowed = containment.write.iter().map(PathBuf::as_path);
    own.iter().copied().chain(allowed)
}

/// Reading and executing stay free: only what changes something is ruled.
fn ruleset(
    containment: &Containment,
    own: &[&Path],
) -> Result<Option<OwnedFd>, landlock::RulesetError> {
    if landlock_version().is_none() {
        return Ok(None);
    }
    // Of version 3 whatever later kernels can rule; of version 5 that devices are told nothing, but for those that
    // every program may open.
    let all = AccessFs::from_write(ABI::V3);
    let told = BitFlags::from(AccessFs::IoctlDev);
    let file = BitFlags::from(AccessFs::WriteFile) | AccessFs::Truncate;
    // What the kernel does not know is left out, and `shortcoming` says so.
    let mut ruleset = Ruleset::default().handle_access(all | told)?;
    if !containment.network {
        ruleset = ruleset
            .handle_access(AccessNet::from_all(ABI::V4))?
            .scope(Scope::AbstractUnixSocket)?;
    }
    let mut created = ruleset.scope(Scope::Signal)?.create()?;
    let devices = DEVICES.iter().enumerate().map(|(index, device)| {
        let access = if index < WRITTEN_DEVICES {
            file | told
        } else {
            told
        };
        (Path::new(OsStr::from_bytes(device.to_bytes())), access)
    });
    let written = written(containment, own);
    let written = written.map(|path| {
        (
            path,
            if path.is_dir() {
                all | told
            } else {
                file | told
            },
        )
    });
    for (path, access) in written.chain(devices) {
        // What is not there needs no rule: it cannot be written, nor made.
        if let Ok(fd) = PathFd::new(path) {
            created = created.add_rule(PathBeneath::new(fd, access))?;
        }
    }
    Ok(created.into())
}

/// Puts the process of a command into its directory: its own, or the one that was asked for; and takes from its environment
/// what is not for it.
pub fn place(command: &mut Command, containment: &Containment, own: &Path) {
    narrow(command, containment);
    let folder = containment.workdir.as_deref().unwrap_or(own);
    command
        .current_dir(folder)
        .env("PWD", folder)
        .env("TMPDIR", own);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};
    use std::io::Read;

    fn shell(containment: &Containment, own: &Path, script: &str) -> (i32, String) {
        let jail = Jail::new(containment, &[own]).unwrap();
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(script);
        place(&mut command, containment, own);
        let (said, write) = process::pipe().unwrap();
        let null = || File::options().read(true).write(true).open("/dev/null");
        let launch = Launch {
            command: &command,
            stdio: [null().unwrap().into(), null().unwrap().into(), write],
            inherit: Vec::new(),
            address_space: None,
            jail,
        };
        let mut kept = SupervisedProcess::start(launch).unwrap();
        let mut text = String::new();
        File::from(said).read_to_string(&mut text).unwrap();
        let status = loop {
            if let Some(status) = kept.try_wait().unwrap() {
                break status;
            }
            std::thread::yield_now();
        };
        (libc::WEXITSTATUS(status), text)
    }

    #[test]
    fn writes_end_at_the_own_directory() {
        let own = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        let victim = other.path().join("victim");
        fs::write(&victim, "untouched").unwrap();
        let mut containment = Containment::default();
        let (code, text) = shell(&containment, own.path(), "echo x > mine && cat mine");
        assert_eq!(code, 0, "{text}");
        let script = format!("echo x > {}", victim.display());
        let new = format!("echo x > {}/new", other.path().display());
        let remove = format!("rm -f {}", victim.display());
        for script in [&script, &new, &remove] {
            let (code, _) = shell(&containment, own.path(), script);
            assert_ne!(code, 0, "{script}");
        }
        assert_eq!(fs::read_to_string(&victim).unwrap(), "untouched");
        assert!(!other.path().join("new").exists());
        containment.write.push(victim.clone());
        let (code, text) = shell(&containment, own.path(), &script);
        assert_eq!(code, 0, "{text}");
        assert_eq!(fs::read_to_string(&victim).unwrap(), "x\n");
    }

    #[test]
    fn a_work_directory_of_the_users_is_read_only() {
        let own = tempfile::tempdir().unwrap();
        let work = tempfile::tempdir().unwrap();
        fs::write(work.path().join("data"), "here").unwrap();
        let containment = Containment {
            workdir: Some(work.path().into()),
            ..Containment::default()
        };
        let (code, text) = shell(&containment, own.path(), "cat data && ! echo x > new");
        assert_eq!(code, 0, "{text}");
        assert!(!work.path().join("new").exists());
    }
}
