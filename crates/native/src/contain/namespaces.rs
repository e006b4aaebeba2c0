//! Namespaces of a subject: of processes, of mounts for the sake of `/proc`, of System V objects; and of users
//! where making the others needs one. They are asked for once, since systems deny them in many ways.

use super::keeper::SIGCHLD;
use std::io;
use std::sync::OnceLock;

/// Switches them off, to test what is done without.
const ENV_WITHOUT: &str = "ELSEWISE_WITHOUT_NAMESPACES";

const WANTED: libc::c_ulong =
    (libc::CLONE_NEWPID | libc::CLONE_NEWNS | libc::CLONE_NEWIPC) as libc::c_ulong;
const USER: libc::c_ulong = libc::CLONE_NEWUSER as libc::c_ulong;

/// What the first process of the namespaces needs.
pub struct Prepared {
    pub flags: libc::c_ulong,
    /// Everybody keeps the numbers that they have.
    users: String,
    groups: String,
}

/// The flags that make them; `None` where they cannot be had.
pub fn available() -> Option<libc::c_ulong> {
    static FLAGS: OnceLock<Option<libc::c_ulong>> = OnceLock::new();
    *FLAGS.get_or_init(|| {
        if std::env::var_os(ENV_WITHOUT).is_some() {
            return None;
        }
        [WANTED, WANTED | USER]
            .into_iter()
            .find(|flags| works(*flags))
    })
}

/// Tries it, in a process that does nothing else.
fn works(flags: libc::c_ulong) -> bool {
    let prepared = Prepared::new(flags);
    // SAFETY: as a fork; the child makes system calls only, and ends.
    unsafe {
        let pid = libc::syscall(libc::SYS_clone, flags | SIGCHLD, 0, 0, 0, 0) as i32;
        if pid == 0 {
            libc::_exit(i32::from(prepared.enter().is_err()));
        }
        let mut status = 0;
        while pid > 0 && libc::waitpid(pid, &mut status, 0) < 0 {
            if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                return false;
            }
        }
        pid > 0 && status == 0
    }
}

impl Prepared {
    pub fn new(flags: libc::c_ulong) -> Prepared {
        // SAFETY: plain queries.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        Prepared {
            flags,
            users: format!("{user} {user} 1"),
            groups: format!("{group} {group} 1"),
        }
    }

    /// In the first process. Only system calls: this stands between fork and exec.
    pub fn enter(&self) -> io::Result<()> {
        if self.flags & USER != 0 {
            write(c"/proc/self/setgroups", "deny")?;
            write(c"/proc/self/uid_map", &self.users)?;
            write(c"/proc/self/gid_map", &self.groups)?;
        }
        let root = c"/".as_ptr();
        let proc = c"proc".as_ptr();
        let private = libc::MS_REC | libc::MS_PRIVATE;
        let plain = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
        let nothing = std::ptr::null();
        // SAFETY: constant texts with their NULs. What is mounted is seen in this namespace only.
        let failed = unsafe {
            libc::mount(nothing, root, nothing, private, nothing.cast()) != 0
                || libc::mount(proc, c"/proc".as_ptr(), proc, plain, nothing.cast()) != 0
        };
        match failed {
            true => Err(io::Error::last_os_error()),
            false => Ok(()),
        }
    }
}

fn write(path: &std::ffi::CStr, text: &str) -> io::Result<()> {
    // SAFETY: a text with its NUL, and a buffer of the length that is said.
    unsafe {
        let fd = libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        let written = libc::write(fd, text.as_ptr().cast(), text.len());
        let error = io::Error::last_os_error();
        libc::close(fd);
        match written == text.len() as isize {
            true => Ok(()),
            false => Err(error),
        }
    }
}

/// Gives back memory that this process has from the engine and will not use, or the engine would have to copy
/// each page of it that it writes to. Nothing but the stack is used after this: functions of the C library that know
/// of threads, as those that may wait do, would miss theirs.
pub fn forget_memory() {
    let mut text = [0u8; 4096];
    let (mut used, mut range, mut field) = (0, [0u64; 2], 0);
    let (mut writable, mut private, mut of_file) = (false, false, false);
    let stack = text.as_ptr() as u64;
    // SAFETY: reads into a buffer of ours, and gives back pages that nothing below uses.
    unsafe {
        let fd = libc::syscall(libc::SYS_open, c"/proc/self/maps".as_ptr(), libc::O_RDONLY);
        loop {
            let got = libc::syscall(libc::SYS_read, fd, text.as_mut_ptr(), text.len());
            if got <= 0 {
                break;
            }
            // `from-to rwxp offset device inode path`
            for byte in &text[..got as usize] {
                let digit = (*byte as char).to_digit(16).map(u64::from);
                match (field, *byte) {
                    (_, b'\n') => {
                        let [from, to] = range;
                        if writable && private && !of_file && !(from..to).contains(&stack) {
                            let size = (to - from) as usize;
                            libc::syscall(libc::SYS_madvise, from, size, libc::MADV_DONTNEED);
                        }
                        (used, range, field) = (0, [0; 2], 0);
                        (writable, private, of_file) = (false, false, false);
                    }
                    (_, b' ') => field += 1,
                    (0, b'-') => used = 1,
                    (0, _) => range[used] = range[used] << 4 | digit.unwrap_or(0),
                    (1, b'w') => writable = true,
                    (1, b'p') => private = true,
                    (4, byte) => of_file |= byte != b'0',
                    _ => {}
                }
            }
        }
        libc::syscall(libc::SYS_close, fd);
    }
}
