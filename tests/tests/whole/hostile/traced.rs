//! Runs a command that may start nothing: a process that it would start, or a program that it would become, kills
//! it with `SIGSYS`. And sees who opens files that are nobody's business.

use anyhow::{Context, Result};
use std::ffi::{CString, OsStr};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub signal: Option<i32>,
    /// Ended by us.
    pub late: bool,
    /// At most, in kilobytes.
    pub memory: u64,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

/// With this as its sixth argument, which the system does not look at, the first `execveat` is ours.
const OURS: u32 = 0x656c_7365;

fn statement(code: u32, k: u32) -> libc::sock_filter {
    jump(code, k, 0, 0)
}

fn jump(code: u32, k: u32, jt: u8, jf: u8) -> libc::sock_filter {
    let code = code as u16;
    libc::sock_filter { code, jt, jf, k }
}

/// Threads can be made, by a call that shows what is made.
fn filter() -> Vec<libc::sock_filter> {
    const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    const EQUAL: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    const HAS: u32 = libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K;
    const GIVE: u32 = libc::BPF_RET | libc::BPF_K;
    let kill = statement(GIVE, libc::SECCOMP_RET_KILL_PROCESS);
    let mut program = vec![statement(LOAD, 0)];
    for number in [
        libc::SYS_execve,
        libc::SYS_fork,
        libc::SYS_vfork,
        libc::SYS_ptrace,
    ] {
        program.push(jump(EQUAL, number as u32, 0, 1));
        program.push(kill);
    }
    program.extend([
        jump(EQUAL, libc::SYS_execveat as u32, 0, 3),
        statement(LOAD, 16 + 8 * 5),
        jump(EQUAL, OURS, 7, 0),
        kill,
        jump(EQUAL, libc::SYS_clone as u32, 0, 3),
        statement(LOAD, 16),
        jump(HAS, libc::CLONE_THREAD as u32, 3, 0),
        kill,
        jump(EQUAL, libc::SYS_clone3 as u32, 0, 1),
        statement(GIVE, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
        statement(GIVE, libc::SECCOMP_RET_ALLOW),
    ]);
    program
}

/// Runs it in `folder`; its output is kept in `out` for as long as it takes to read it.
pub fn run(
    program: &Path,
    words: &[&OsStr],
    folder: &Path,
    out: &Path,
    limit: Duration,
) -> Result<Ended> {
    let (stdout, stderr) = (out.join("%stdout"), out.join("%stderr"));
    let text = |text: &OsStr| CString::new(text.as_bytes());
    let path = text(program.as_os_str())?;
    let mut texts = vec![path.clone()];
    for word in words {
        texts.push(text(word)?);
    }
    let arguments: Vec<usize> = pointers(&texts);
    let environment: Result<Vec<CString>, _> = ["HOME", "PATH", "TMPDIR"]
        .iter()
        .filter_map(|name| Some((name, std::env::var(name).ok()?)))
        .map(|(name, value)| CString::new(format!("{name}={value}")))
        .collect();
    let environment = environment?;
    let variables: Vec<usize> = pointers(&environment);
    let filter = filter();
    let mut command = Command::new(program);
    command
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(File::create(&stdout)?)
        .stderr(File::create(&stderr)?);
    let become_it = move || {
        // SAFETY: system calls on what was made before.
        unsafe {
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
            let program = libc::sock_fprog {
                len: filter.len() as u16,
                filter: filter.as_ptr().cast_mut(),
            };
            let mode = libc::c_ulong::from(libc::SECCOMP_SET_MODE_FILTER);
            if libc::syscall(libc::SYS_seccomp, mode, 0, &raw const program) == 0 {
                libc::syscall(
                    libc::SYS_execveat,
                    libc::AT_FDCWD,
                    path.as_ptr(),
                    arguments.as_ptr(),
                    variables.as_ptr(),
                    0,
                    libc::c_ulong::from(OURS),
                );
            }
        }
        Err(io::Error::last_os_error())
    };
    // SAFETY: the closure makes system calls only.
    unsafe { command.pre_exec(become_it) };
    let child = command.spawn().context("it cannot be started")?;
    drop((texts, environment));
    let begun = Instant::now();
    let pid = child.id() as libc::pid_t;
    let (mut status, mut late) = (0, false);
    // SAFETY: numbers that are filled in; the child is waited for here and nowhere else.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        let mut pause = Duration::from_micros(200);
        while libc::wait4(pid, &mut status, libc::WNOHANG, &mut usage) == 0 {
            if !late && begun.elapsed() > limit {
                late = true;
                libc::kill(pid, libc::SIGKILL);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
        usage
    };
    Ok(Ended {
        code: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
        signal: libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
        late,
        memory: usage.ru_maxrss as u64,
        stdout: fs::read(stdout)?,
        stderr: String::from_utf8_lossy(&fs::read(stderr)?).into_owned(),
    })
}

/// As numbers, which may go to another thread; with a null behind them.
fn pointers(texts: &[CString]) -> Vec<usize> {
    let all = texts.iter().map(|text| text.as_ptr() as usize);
    all.chain([0]).collect()
}

/// Hears of everything that is done to files in a folder.
pub struct Watch(OwnedFd);

impl Watch {
    pub fn new(folders: &[&Path]) -> Result<Watch> {
        // SAFETY: plain system calls; the descriptor is nobody else's.
        let watch = unsafe {
            let fd = libc::inotify_init1(libc::IN_NONBLOCK | libc::IN_CLOEXEC);
            anyhow::ensure!(fd >= 0, "{}", io::Error::last_os_error());
            Watch(OwnedFd::from_raw_fd(fd))
        };
        for folder in folders {
            let path = CString::new(folder.as_os_str().as_bytes())?;
            let what = libc::IN_ALL_EVENTS & !(libc::IN_CLOSE_NOWRITE | libc::IN_CLOSE_WRITE);
            // SAFETY: a text with its NUL.
            let added =
                unsafe { libc::inotify_add_watch(watch.0.as_raw_fd(), path.as_ptr(), what) };
            anyhow::ensure!(added >= 0, "{}", io::Error::last_os_error());
        }
        Ok(watch)
    }

    /// What was done since the last time: masks and names.
    pub fn seen(&self) -> Vec<String> {
        let mut seen = Vec::new();
        let mut buffer = [0u8; 8192];
        loop {
            // SAFETY: reads into a buffer of ours.
            let got =
                unsafe { libc::read(self.0.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len()) };
            let Ok(got @ 1..) = usize::try_from(got) else {
                return seen;
            };
            // wd, mask, cookie, length, name
            let mut at = 0;
            while at + 16 <= got {
                let word = |from: usize| {
                    let bytes = [
                        buffer[from],
                        buffer[from + 1],
                        buffer[from + 2],
                        buffer[from + 3],
                    ];
                    u32::from_le_bytes(bytes)
                };
                let (mask, length) = (word(at + 4), word(at + 12) as usize);
                let name = String::from_utf8_lossy(&buffer[at + 16..at + 16 + length]);
                let name = name.trim_end_matches('\0').to_owned();
                // Looking for a folder's entries is not looking at its files.
                if mask & libc::IN_ISDIR == 0 {
                    seen.push(format!("{mask:x} {name}"));
                }
                at += 16 + length;
            }
        }
    }
}
