//! Starting a subject so that all of its processes are known and end together.
//!
//! Between the engine and the subject's first process stands a *keeper*: a copy of the engine that makes
//! system calls only. Where the system lets it, it is the first process of namespaces of its own (of
//! processes, mounts for a `/proc` that shows these only, and System V objects), so that nobody else can
//! even be named from inside, and its end is the end of all. Where namespaces are denied, it is whom
//! orphans are given to. It ends with the engine, whatever happens to that.
//!
//! A keeper is no part of what the subject may look at or trace: it is not in the subject's Landlock domain,
//! and its memory cannot be dumped.

use super::namespaces::{self, SIGCHLD};
use super::{Family, Jail, message};
use crate::process::{self, Limits};
use std::ffi::{CString, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::time::Duration;

/// What is started: how `command` says it, but for its streams.
pub struct Launch<'a> {
    pub command: &'a Command,
    pub stdio: [OwnedFd; 3],
    /// Descriptors that the program finds open; all others are closed.
    pub inherit: Vec<RawFd>,
    /// Bytes.
    pub address_space: Option<u64>,
    pub jail: Jail,
}

/// A subject's first process, under a keeper. All that came of it ends when this is dropped.
pub struct SupervisedProcess {
    /// A child of ours that was not waited for, so nobody else has its number.
    keeper: Option<i32>,
    reports: UnixStream,
    family: Family,
    first: i32,
    namespace: bool,
}

/// What a keeper reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
enum Report {
    /// The subject's first process has this number; with it comes the `/proc` that shows it.
    Begun = 1,
    /// That process has ended with this status.
    Ended = 2,
    /// It cannot begin, for this error.
    Failed = 3,
}

/// Everything that is needed between fork and exec: nothing allocates there.
struct Prepared {
    program: CString,
    args: Vec<*const libc::c_char>,
    env: Vec<*const libc::c_char>,
    folder: Option<CString>,
    stdio: [OwnedFd; 3],
    inherit: Vec<RawFd>,
    limits: Limits,
    jail: Jail,
    namespaces: Option<namespaces::Prepared>,
    /// Where the engine's command line and environment are.
    own_words: [Range<usize>; 2],
    /// Closed when the program begins; has an error when it does not.
    start: OwnedFd,
    reports: OwnedFd,
    /// What `args` and `env` point to.
    _texts: Vec<CString>,
}

impl SupervisedProcess {
    pub fn start(launch: Launch<'_>) -> io::Result<SupervisedProcess> {
        let (start, start_write) = process::pipe()?;
        let (reports, reports_write) = UnixStream::pair()?;
        let reports_write = process::raise(reports_write.into());
        let writable = launch.jail.writable.clone();
        let namespaces =
            namespaces::available().map(|found| namespaces::Prepared::new(found, writable));
        let flags = namespaces.as_ref().map_or(0, |it| it.flags);
        let prepared = Prepared::new(launch, namespaces, start_write, reports_write)?;
        let mut family = Family::below(0)?;
        // SAFETY: as a fork; the child makes system calls only, and never returns from here.
        let keeper = unsafe { libc::syscall(libc::SYS_clone, flags | SIGCHLD, 0, 0, 0, 0) } as i32;
        match keeper {
            0 => prepared.keep(),
            pid if pid < 0 => return Err(io::Error::last_os_error()),
            _ => {}
        }
        drop(prepared);
        family.root = keeper;
        // Whatever fails from here on, the keeper is killed and waited for.
        let mut kept = SupervisedProcess {
            keeper: Some(keeper),
            reports,
            family,
            first: 0,
            namespace: flags != 0,
        };
        let (first, proc) = kept.expect(Report::Begun)?;
        kept.first = first;
        if kept.namespace {
            let proc = proc.ok_or_else(|| io::Error::other("its keeper shows no processes"))?;
            kept.family = Family::of_namespace(proc);
        }
        let mut error = [0; 4];
        match File::from(start).read(&mut error)? {
            0 => Ok(kept),
            _ => Err(io::Error::from_raw_os_error(i32::from_le_bytes(error))),
        }
    }

    fn expect(&self, wanted: Report) -> io::Result<(i32, Option<OwnedFd>)> {
        match message::receive(&self.reports)? {
            (kind, value, with) if kind == wanted as u32 => Ok((value, with)),
            (kind, value, _) if kind == Report::Failed as u32 => {
                Err(io::Error::from_raw_os_error(value))
            }
            (kind, ..) => Err(io::Error::other(format!("its keeper reports {kind}"))),
        }
    }

    /// How the first process has ended, if it has.
    pub fn try_wait(&mut self) -> io::Result<Option<i32>> {
        match process::wait_readable(&[self.reports.as_raw_fd()], Duration::ZERO)? {
            true => self.expect(Report::Ended).map(|(status, _)| Some(status)),
            false => Ok(None),
        }
    }

    /// Can be read when there is something to wait for.
    pub fn descriptor(&self) -> RawFd {
        self.reports.as_raw_fd()
    }

    pub fn family(&self) -> &Family {
        &self.family
    }

    /// The number by which [`Family`] knows the first process.
    pub fn first(&self) -> i32 {
        self.first
    }

    /// Ends all that came of it, and waits until they have.
    pub fn end(&mut self) {
        let Some(keeper) = self.keeper.take() else {
            return;
        };
        if !self.namespace {
            // What does not end is said to be weaker without namespaces.
            let _ = self.family.end(&[]);
        }
        // SAFETY: plain system calls on a child of ours, whose number nobody else has before it is waited for.
        unsafe {
            libc::kill(keeper, libc::SIGKILL);
            let mut status = 0;
            while libc::waitpid(keeper, &mut status, 0) < 0
                && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
            {}
        }
    }
}

impl Drop for SupervisedProcess {
    fn drop(&mut self) {
        self.end();
    }
}

impl Prepared {
    fn new(
        launch: Launch<'_>,
        namespaces: Option<namespaces::Prepared>,
        start: OwnedFd,
        reports: OwnedFd,
    ) -> io::Result<Prepared> {
        let command = launch.command;
        let text = |text: OsString| CString::new(text.into_vec()).map_err(io::Error::other);
        let program = text(command.get_program().into())?;
        let folder = command.get_current_dir().map(|folder| text(folder.into()));
        let mut args = vec![program.clone()];
        for argument in command.get_args() {
            args.push(text(argument.into())?);
        }
        let mut env = Vec::new();
        for (name, value) in environment(command) {
            env.push(text([name, value].join("=".as_ref()))?);
        }
        let pointers = |texts: &[CString]| {
            let texts = texts.iter().map(|text| text.as_ptr());
            texts.chain([std::ptr::null()]).collect()
        };
        Ok(Prepared {
            program,
            args: pointers(&args),
            env: pointers(&env),
            folder: folder.transpose()?,
            // Above the numbers that they are to have.
            stdio: launch.stdio.map(process::raise),
            inherit: launch.inherit,
            limits: Limits {
                address_space: launch.address_space,
            },
            jail: launch.jail,
            namespaces,
            own_words: process::own_words(),
            start,
            reports,
            _texts: args.into_iter().chain(env).collect(),
        })
    }

    /// What the keeper does.
    fn keep(&self) -> ! {
        // SAFETY: system calls only, in a process that nothing else runs in, and that reads its own words no more.
        unsafe {
            // Whoever sees this process may read its command line, of which an address may have a password.
            for words in &self.own_words {
                std::ptr::write_bytes(words.start as *mut u8, 0, words.len());
            }
            let mut all: libc::sigset_t = std::mem::zeroed();
            libc::sigfillset(&mut all);
            libc::sigprocmask(libc::SIG_SETMASK, &all, std::ptr::null_mut());
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if let Err(error) = self.set_up() {
                self.fail(error.raw_os_error().unwrap_or(libc::EIO));
            }
            libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0);
            let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC;
            let proc = libc::open(c"/proc".as_ptr(), flags);
            let first = libc::syscall(libc::SYS_clone, SIGCHLD, 0, 0, 0, 0) as i32;
            if first == 0 {
                let error = self.become_subject();
                let error = error.raw_os_error().unwrap_or(libc::EIO).to_le_bytes();
                libc::write(self.start.as_raw_fd(), error.as_ptr().cast(), 4);
                libc::_exit(127);
            }
            if first < 0 {
                self.fail(*libc::__errno_location());
            }
            // Nobody listens where the engine was gone before this could be bound to its end.
            if !message::send(self.reports.as_raw_fd(), Report::Begun as u32, first, proc) {
                libc::_exit(1);
            }
            let reports = self.reports.as_raw_fd();
            process::close_all_but(reports);
            super::capabilities::drop_all();
            namespaces::forget_memory();
            watch(first, reports)
        }
    }

    fn set_up(&self) -> io::Result<()> {
        // A session of its own has no terminal.
        // SAFETY: plain system calls.
        unsafe {
            if libc::setsid() < 0 || libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 {
                return Err(io::Error::last_os_error());
            }
        }
        match &self.namespaces {
            Some(namespaces) => namespaces.enter(),
            None => Ok(()),
        }
    }

    fn fail(&self, error: i32) -> ! {
        let reports = self.reports.as_raw_fd();
        message::send(reports, Report::Failed as u32, error, -1);
        // SAFETY: a plain system call.
        unsafe { libc::_exit(1) }
    }

    /// Returns where that fails.
    fn become_subject(&self) -> io::Error {
        // SAFETY: system calls only, on what was prepared.
        unsafe {
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut none);
            libc::signal(libc::SIGPIPE, libc::SIG_DFL);
            libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
            libc::setpgid(0, 0);
            // Without namespaces, it would outlive the keeper.
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            for (number, fd) in self.stdio.iter().enumerate() {
                if libc::dup2(fd.as_raw_fd(), number as i32) < 0 {
                    return io::Error::last_os_error();
                }
                if self.namespaces.is_some()
                    && let Err(error) = open_null_here(number as i32)
                {
                    return error;
                }
            }
            if let Some(folder) = &self.folder
                && libc::chdir(folder.as_ptr()) != 0
            {
                return io::Error::last_os_error();
            }
            process::close_on_exec();
            let ready = process::keep_open(&self.inherit)
                .and_then(|()| self.limits.set())
                .and_then(|()| self.jail.enter());
            if let Err(error) = ready {
                return error;
            }
            libc::execve(self.program.as_ptr(), self.args.as_ptr(), self.env.as_ptr());
            io::Error::last_os_error()
        }
    }
}

/// Where a descriptor is `/dev/null`, opens that anew: a file that was opened outside of the namespace of mounts can be
/// given another mode and owner through its descriptor, however its file system is mounted inside. Only system calls.
fn open_null_here(fd: RawFd) -> io::Result<()> {
    // SAFETY: system calls on a descriptor of ours, and a structure that is theirs to fill.
    unsafe {
        let mut about: libc::stat = std::mem::zeroed();
        if libc::fstat(fd, &mut about) != 0 {
            return Err(io::Error::last_os_error());
        }
        let is_device = about.st_mode & libc::S_IFMT == libc::S_IFCHR;
        if !is_device || about.st_rdev != libc::makedev(1, 3) {
            return Ok(());
        }
        let flags = libc::fcntl(fd, libc::F_GETFL) & libc::O_ACCMODE;
        let null = libc::open(c"/dev/null".as_ptr(), flags);
        if null < 0 || libc::dup2(null, fd) < 0 {
            return Err(io::Error::last_os_error());
        }
        libc::close(null);
        Ok(())
    }
}

/// The engine's environment, and what the command says beyond it.
fn environment(command: &Command) -> Vec<(OsString, OsString)> {
    let mut all: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    for (name, value) in command.get_envs() {
        all.retain(|(known, _)| known != name);
        if let Some(value) = value {
            all.push((name.into(), value.into()));
        }
    }
    all
}

/// Waits for whoever ends, and reports the first. After [`namespaces::forget_memory`].
fn watch(first: i32, reports: RawFd) -> ! {
    loop {
        let mut status = 0;
        // SAFETY: plain system calls.
        unsafe {
            let to = &raw mut status;
            match libc::syscall(libc::SYS_wait4, -1, to, libc::__WALL, 0) as i32 {
                pid if pid == first => {
                    message::send(reports, Report::Ended as u32, status, -1);
                }
                pid if pid > 0 => {}
                // Nobody is left.
                _ => {
                    libc::syscall(libc::SYS_exit_group, 0);
                }
            }
        }
    }
}
