//! Starting and ending processes of the subject: limits, repeatable addresses, descriptors, process groups.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

/// Descriptors of ours are moved up here, so that the subject's own get the numbers that they
/// get without us.
const HIGH_DESCRIPTOR: RawFd = 700;

/// Prepares a command whose process runs the subject without containment: a process group of its own, and
/// `inherit` open.
pub fn prepare(command: &mut Command, inherit: Vec<RawFd>, limits: Limits) {
    command.process_group(0);
    // SAFETY: between fork and exec only async-signal-safe calls are made, and nothing allocates.
    unsafe {
        command.pre_exec(move || {
            keep_open(&inherit)?;
            limits.set()
        });
    }
}

/// What every process of the subject is bound to.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Bytes.
    pub address_space: Option<u64>,
}

impl Limits {
    /// No core files, the same addresses in every run, and an end with whoever has started it. Only system
    /// calls: this stands between fork and exec.
    pub fn set(self) -> io::Result<()> {
        limit(libc::RLIMIT_CORE, 0)?;
        if let Some(bytes) = self.address_space {
            limit(libc::RLIMIT_AS, bytes)?;
        }
        // SAFETY: plain system calls.
        unsafe {
            // The engine's end, even by `kill -9`, is the subject's. The system takes the end of
            // the thread that started it for that, too: then the server is started again.
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            let now = libc::personality(0xffff_ffff);
            if now >= 0 {
                // Where this is not allowed, runs are merely less repeatable.
                libc::personality(now as libc::c_ulong | libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            }
        }
        Ok(())
    }
}

/// Where the system has put the command line and the environment that this process was started with; nowhere, if it does
/// not say so.
pub fn own_words() -> [Range<usize>; 2] {
    static WORDS: OnceLock<Option<[Range<usize>; 2]>> = OnceLock::new();
    let find = || {
        // After the program's name, which may have anything in it: the third field and those that follow.
        let stat = std::fs::read("/proc/self/stat").ok()?;
        let after = stat.iter().rposition(|byte| *byte == b')')? + 1;
        let rest = std::str::from_utf8(&stat[after..]).ok()?;
        let borders: Vec<usize> = rest
            .split_ascii_whitespace()
            .skip(45)
            .take(4)
            .map_while(|border| border.parse().ok())
            .collect();
        match *borders.as_slice() {
            [args, args_end, env, env_end] if 0 < args && args <= args_end && env <= env_end => {
                Some([args..args_end, env..env_end])
            }
            _ => None,
        }
    };
    WORDS.get_or_init(find).clone().unwrap_or_default()
}

/// Descriptors that the next program is to find. Only system calls.
pub fn keep_open(fds: &[RawFd]) -> io::Result<()> {
    for fd in fds {
        // SAFETY: changes a flag of a descriptor.
        if unsafe { libc::fcntl(*fd, libc::F_SETFD, 0) } < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Descriptors that are looked at one by one where the system cannot close a range.
const MOST_DESCRIPTORS: RawFd = 1 << 16;

/// All descriptors but the first three are closed when another program begins. Only system calls.
pub fn close_on_exec() {
    // SAFETY: changes flags of descriptors.
    unsafe {
        let flags = libc::CLOSE_RANGE_CLOEXEC;
        if libc::syscall(libc::SYS_close_range, 3, u32::MAX, flags) != 0 {
            for fd in 3..MOST_DESCRIPTORS {
                libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC);
            }
        }
    }
}

/// Closes every descriptor but one. Only system calls.
pub fn close_all_but(kept: RawFd) {
    // SAFETY: closes descriptors of a process that has no use for them.
    unsafe {
        let close = |from: RawFd, to: u32| {
            from as u32 > to || libc::syscall(libc::SYS_close_range, from, to, 0) == 0
        };
        let below = kept == 0 || close(0, kept as u32 - 1);
        if !(below && close(kept + 1, u32::MAX)) {
            for fd in (0..MOST_DESCRIPTORS).filter(|fd| *fd != kept) {
                libc::close(fd);
            }
        }
    }
}

/// Has a helper (a compiler) end with us instead of going on alone.
pub fn end_with_us(command: &mut Command) {
    // SAFETY: one async-signal-safe call between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
            Ok(())
        });
    }
}

/// Sets a limit; one that is lower already stays.
pub fn limit(resource: libc::__rlimit_resource_t, value: u64) -> io::Result<()> {
    lower(resource, value, value)
}

/// Sets a limit and how far it may be raised, both as far as they are not lower already.
pub fn lower(resource: libc::__rlimit_resource_t, now: u64, most: u64) -> io::Result<()> {
    let mut value = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: valid structures.
    unsafe {
        if libc::getrlimit(resource, &mut value) == 0 {
            value.rlim_cur = value.rlim_cur.min(now);
            value.rlim_max = value.rlim_max.min(most);
            if libc::setrlimit(resource, &value) == 0 {
                return Ok(());
            }
        }
    }
    Err(io::Error::last_os_error())
}

/// Kills a process and its group. Numbers that cannot be a process of the subject are left alone.
pub fn kill(pid: i32) {
    if pid > 1 && pid != std::process::id() as i32 {
        // SAFETY: plain system calls; a process that is gone already is no error.
        unsafe {
            libc::kill(-pid, libc::SIGKILL);
            libc::kill(pid, libc::SIGKILL);
        }
    }
}

/// Kills what is left of the group of a process that has ended.
pub fn sweep(pid: i32) {
    if pid > 1 && pid != std::process::id() as i32 {
        // SAFETY: as in `kill`.
        unsafe { libc::kill(-pid, libc::SIGKILL) };
    }
}

/// Takes everything, and has nothing.
pub fn null() -> io::Result<OwnedFd> {
    let null = File::options().read(true).write(true).open("/dev/null")?;
    Ok(null.into())
}

/// A pipe, read end first, both ends closed on exec and out of the subject's way.
pub fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: room for two descriptors, which then belong to nobody else.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((
            raise(OwnedFd::from_raw_fd(ends[0])),
            raise(OwnedFd::from_raw_fd(ends[1])),
        ))
    }
}

/// The same file under a high number; under its old one where there is no room.
pub fn raise(fd: OwnedFd) -> OwnedFd {
    // SAFETY: a new descriptor belongs to nobody else.
    unsafe {
        let high = libc::fcntl(fd.as_raw_fd(), libc::F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
        if high < 0 {
            return fd;
        }
        OwnedFd::from_raw_fd(high)
    }
}

/// Waits until one of the descriptors can be read, or is closed at the other end. False after
/// `limit`.
pub fn wait_readable(fds: &[RawFd], limit: Duration) -> io::Result<bool> {
    let mut polls: Vec<libc::pollfd> = fds
        .iter()
        .map(|fd| libc::pollfd {
            fd: *fd,
            events: libc::POLLIN,
            revents: 0,
        })
        .collect();
    // Rounded up, or the last millisecond would be spent spinning.
    let millis = limit.as_micros().div_ceil(1000).min(i32::MAX as u128) as i32;
    // SAFETY: as many entries as said.
    let ready = unsafe { libc::poll(polls.as_mut_ptr(), polls.len() as libc::nfds_t, millis) };
    if ready < 0 {
        let error = io::Error::last_os_error();
        return match error.kind() {
            io::ErrorKind::Interrupted => Ok(false),
            _ => Err(error),
        };
    }
    Ok(ready > 0)
}

/// What a limit of ours on the address space has to do with a failure, in words; nothing where there is none.
pub fn address_space() -> String {
    let mut limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: fills in the structure that it is given.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) };
    match limit.rlim_cur {
        libc::RLIM_INFINITY => String::new(),
        bytes => format!(
            "; the address space is limited to {} MB, which is too little for the memory that runs \
             are recorded in: lift that with `ulimit -v unlimited`",
            bytes >> 20
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_ends() {
        let (read, write) = pipe().unwrap();
        assert!(!wait_readable(&[read.as_raw_fd()], Duration::from_millis(5)).unwrap());
        drop(write);
        assert!(wait_readable(&[read.as_raw_fd()], Duration::from_secs(5)).unwrap());
    }
}
