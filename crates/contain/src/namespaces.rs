//! Namespaces of a subject: of processes, of mounts, of System V objects; and of users where making the others
//! needs one. They are asked for once, since systems deny them in many ways.
//!
//! In the namespace of mounts, `/proc` shows the processes of the other, and everything is read-only but what a run
//! may write: that rules modes, owners and times of files, too, which Landlock does not. Of devices, only those that
//! every program may open are there: others do what they are told also where they are opened to be read.

use crate::DEVICES;
use std::ffi::{CStr, CString};
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

pub(super) const SIGCHLD: libc::c_ulong = libc::SIGCHLD as libc::c_ulong;

/// Switch them off, or read-only mounts alone, to test what is done without.
const ENV_WITHOUT: &str = "ELSEWISE_WITHOUT_NAMESPACES";
const ENV_WITHOUT_READ_ONLY: &str = "ELSEWISE_WITHOUT_READ_ONLY";

const WANTED: libc::c_ulong =
    (libc::CLONE_NEWPID | libc::CLONE_NEWNS | libc::CLONE_NEWIPC) as libc::c_ulong;
const USER: libc::c_ulong = libc::CLONE_NEWUSER as libc::c_ulong;

/// What can be had.
#[derive(Clone, Copy)]
pub struct Available {
    flags: libc::c_ulong,
    /// What is mounted can be made read-only.
    pub read_only: bool,
}

/// What the first process of the namespaces needs.
pub struct Prepared {
    pub flags: libc::c_ulong,
    /// Everybody keeps the numbers that they have.
    users: String,
    groups: String,
    /// Everything is read-only but these.
    writable: Option<Vec<CString>>,
    /// Files and folders in whose place there is nothing.
    hidden: Vec<Hidden>,
}

#[derive(Clone)]
struct Hidden {
    path: CString,
    is_folder: bool,
}

static HIDDEN: Mutex<Vec<Hidden>> = Mutex::new(Vec::new());

fn hidden() -> MutexGuard<'static, Vec<Hidden>> {
    HIDDEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// No subject that is started from now on can read this file, or what is in this folder, where there are namespaces.
pub fn hide(file: &Path) -> io::Result<()> {
    let is_folder = file.is_dir();
    let path = CString::new(std::path::absolute(file)?.into_os_string().into_vec())?;
    hidden().push(Hidden { path, is_folder });
    Ok(())
}

/// `None` where there are none.
pub fn available() -> Option<Available> {
    static FOUND: OnceLock<Option<Available>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        if std::env::var_os(ENV_WITHOUT).is_some() {
            return None;
        }
        [true, false]
            .into_iter()
            .filter(|read_only| !read_only || std::env::var_os(ENV_WITHOUT_READ_ONLY).is_none())
            .flat_map(|read_only| {
                [WANTED, WANTED | USER].map(|flags| Available { flags, read_only })
            })
            .find(|available| works(*available))
    })
}

/// Tries it, in a process that does nothing else.
fn works(available: Available) -> bool {
    let place = CString::new(std::env::temp_dir().into_os_string().into_vec());
    let prepared = Prepared::new(available, place.into_iter().collect());
    let flags = prepared.flags;
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
    /// `writable` are files and directories; what is not there is left out.
    pub fn new(available: Available, writable: Vec<CString>) -> Prepared {
        // SAFETY: plain queries.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        Prepared {
            flags: available.flags,
            writable: available.read_only.then_some(writable),
            hidden: hidden().clone(),
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
        let plain = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_RDONLY;
        let nothing = std::ptr::null();
        // SAFETY: constant texts with their NULs. What is mounted is seen in this namespace only.
        unsafe {
            if libc::mount(nothing, root, nothing, private, nothing.cast()) != 0 {
                return Err(io::Error::last_os_error());
            }
            for file in &self.hidden {
                let (path, empty) = (file.path.as_ptr(), c"tmpfs".as_ptr());
                let mounted = match file.is_folder {
                    true => libc::mount(empty, path, empty, plain, nothing.cast()),
                    false => {
                        let null = c"/dev/null".as_ptr();
                        libc::mount(null, path, nothing, libc::MS_BIND, nothing.cast())
                    }
                };
                if mounted != 0 {
                    return Err(io::Error::last_os_error());
                }
            }
            if let Some(writable) = &self.writable {
                let devices = DEVICES.map(|path| (path, device(path)));
                read_only_but(writable)?;
                for (path, tree) in devices {
                    if let Ok(tree) = tree {
                        put(tree, path)?;
                    }
                }
            }
            match libc::mount(proc, c"/proc".as_ptr(), proc, plain, nothing.cast()) {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        }
    }
}

/// `struct mount_attr`.
#[repr(C)]
struct Attributes {
    set: u64,
    clear: u64,
    propagation: u64,
    users: u64,
}

const RECURSIVE: i32 = 0x8000;
const READ_ONLY: u64 = 1;
const NO_DEVICES: u64 = 4;

fn done(result: libc::c_long) -> io::Result<i32> {
    match result {
        0.. => Ok(result as i32),
        _ => Err(io::Error::last_os_error()),
    }
}

/// What is mounted at a path, and below it, by itself.
fn tree(path: &CStr) -> io::Result<i32> {
    const CLONE: i32 = 1;
    let flags = CLONE | RECURSIVE | libc::O_CLOEXEC;
    // SAFETY: a text with its NUL.
    done(unsafe { libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, path.as_ptr(), flags) })
}

fn set(at: i32, path: &CStr, flags: i32, set: u64) -> io::Result<()> {
    let attributes = Attributes {
        set,
        clear: 0,
        propagation: 0,
        users: 0,
    };
    let (attributes, size) = (&raw const attributes, size_of::<Attributes>());
    let path = path.as_ptr();
    // SAFETY: a text with its NUL, and a structure of the size that is said.
    let set = unsafe { libc::syscall(libc::SYS_mount_setattr, at, path, flags, attributes, size) };
    done(set).map(drop)
}

/// Mounts a tree at a path.
fn put(tree: i32, path: &CStr) -> io::Result<()> {
    const EMPTY_PATH: i32 = 4;
    let (nothing, path, here) = (c"".as_ptr(), path.as_ptr(), libc::AT_FDCWD);
    // SAFETY: texts with their NULs, and a descriptor of ours.
    unsafe {
        let moved = libc::syscall(libc::SYS_move_mount, tree, nothing, here, path, EMPTY_PATH);
        let moved = done(moved).map(drop);
        libc::close(tree);
        moved
    }
}

/// A device that can be opened where others cannot, and not changed.
fn device(path: &CStr) -> io::Result<i32> {
    let tree = tree(path)?;
    let result = set(tree, c"", libc::AT_EMPTY_PATH, READ_ONLY);
    if result.is_err() {
        // SAFETY: a descriptor of ours, which nobody else has.
        unsafe { libc::close(tree) };
    }
    result.map(|()| tree)
}

/// Makes everything read-only, with devices that cannot be opened, and puts what was mounted at these paths
/// back over it, as it was before.
fn read_only_but(writable: &[CString]) -> io::Result<()> {
    let Some((path, others)) = writable.split_first() else {
        return set(libc::AT_FDCWD, c"/", RECURSIVE, READ_ONLY | NO_DEVICES);
    };
    let tree = tree(path);
    read_only_but(others)?;
    let tree = match tree {
        Ok(tree) => tree,
        Err(error) => {
            return match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => Ok(()),
                _ => Err(error),
            };
        }
    };
    put(tree, path)
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
