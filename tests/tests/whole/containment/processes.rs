//! Subjects that want to stay, to reach other processes, or to have the engine do it for them. All of it
//! with namespaces, where there are any, and without, and as an ordinary user.

use super::{Summary, Way, explored, explored_with, kinds, named};
use anyhow::{Result, ensure};
use std::path::Path;
use std::process::{Child, Command};

/// A process of the user's that is none of the subject's.
struct Stranger(Child);

impl Stranger {
    /// Of the user that explores in this way.
    fn of(way: Way) -> Result<Stranger> {
        let mut sleep = Command::new("sleep");
        way.prepare(sleep.arg("600"), Path::new("/"));
        Ok(Stranger(sleep.spawn()?))
    }

    fn number(&self) -> String {
        self.0.id().to_string()
    }

    fn is_well(&mut self) -> Result<bool> {
        Ok(self.0.try_wait()?.is_none())
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn nothing_found(summary: &Summary) -> Result<()> {
    ensure!(
        summary.findings.is_empty() && summary.unconfirmed.is_empty(),
        "{summary:?}"
    );
    Ok(())
}

/// Fails contained, in every way, and succeeds else. The subject is given the number of a stranger.
fn fails(attempt: &str) -> Result<()> {
    let folder = tempfile::tempdir()?;
    for way in Way::all()? {
        let mut stranger = Stranger::of(way)?;
        let number = stranger.number();
        let summary = explored_with(way, folder.path(), attempt, &[], &[&number])?;
        nothing_found(&summary)?;
        ensure!(stranger.is_well()?, "{way:?}: {attempt}");
    }
    let stranger = Stranger::of(Way::Usual)?;
    let free = ["--no-containment"];
    let summary = explored(folder.path(), attempt, &free, &[&stranger.number()])?;
    ensure!(kinds(&summary) == ["abort"], "{attempt}: {summary:?}");
    Ok(())
}

#[test]
fn a_daemon_that_lowers_its_limits_is_ended() -> Result<()> {
    let attempt = "if (fork() == 0) {
            setsid();
            struct rlimit five = {5, 5};
            setrlimit(RLIMIT_LOCKS, &five);
            prctl(PR_SET_CHILD_SUBREAPER, 1);
            if (fork() == 0) {
                if (fork() == 0) {
                    prctl(PR_SET_NAME, argv[1]);
                    prctl(PR_SET_PDEATHSIG, 0);
                    for (int fd = 0; fd < 1024; fd++) syscall(SYS_close, fd);
                    // Sleeping does not take time in a run; the system call does.
                    struct timespec while_ = {600, 0};
                    syscall(SYS_nanosleep, &while_, NULL);
                }
                _exit(0);
            }
            _exit(0);
        }
        wait(NULL);
        struct timespec while_ = {0, 20 * 1000 * 1000};
        syscall(SYS_nanosleep, &while_, NULL);";
    let folder = tempfile::tempdir()?;
    let name = format!("elsd{}", std::process::id());
    for way in Way::all()? {
        let summary = explored_with(way, folder.path(), attempt, &[], &[&name])?;
        nothing_found(&summary)?;
        let left = summary.approximations.contains_key("left-processes");
        ensure!(left && !summary.complete, "{summary:?}");
        ensure!(named(&name)? == 0, "{way:?}: it stays");
    }
    Ok(())
}

#[test]
fn other_processes_are_not_changed() -> Result<()> {
    for attempt in [
        "struct rlimit old; prlimit(atoi(argv[1]), RLIMIT_NPROC, NULL, &old);
         if (prlimit(atoi(argv[1]), RLIMIT_NPROC, &old, NULL) == 0) abort();",
        "if (setpriority(PRIO_PROCESS, atoi(argv[1]), 19) == 0) abort();",
        "cpu_set_t one; CPU_ZERO(&one); CPU_SET(0, &one);
         if (sched_setaffinity(atoi(argv[1]), sizeof one, &one) == 0) abort();",
        "struct sched_param none = {0};
         if (sched_setscheduler(atoi(argv[1]), SCHED_BATCH, &none) == 0) abort();",
        "char path[64]; sprintf(path, \"/proc/%s\", argv[1]);
         int fd = open(path, O_RDONLY);
         if (fd >= 0 && syscall(SYS_pidfd_send_signal, fd, SIGCONT, 0, 0) == 0) abort();",
    ] {
        fails(attempt)?;
    }
    Ok(())
}

/// The number that the system has for the parent, past all that the runtime says.
const PARENT: &str = "long parent;
    __asm__ volatile(\"syscall\" : \"=a\"(parent) : \"a\"(SYS_getppid) : \"rcx\", \"r11\", \"memory\");
    char path[64];";

#[test]
fn the_server_is_not_reached() -> Result<()> {
    for attempt in [
        "for (int fd = 3; fd < 1024; fd++) {
            sprintf(path, \"/proc/%ld/fd/%d\", parent, fd);
            if (open(path, O_WRONLY | O_NONBLOCK) >= 0) abort();
         }",
        "sprintf(path, \"/proc/%ld/mem\", parent);
         if (open(path, O_RDONLY) >= 0) abort();",
    ] {
        fails(&format!("{PARENT}{attempt}"))?;
    }
    Ok(())
}

#[test]
fn who_is_said_to_be_the_run_is_not_killed() -> Result<()> {
    // In the place of the server: a run has started, which has this number. Then it hangs.
    let attempt =
        "struct { unsigned kind; int value; unsigned long cpu; unsigned left, again; } said = {
            2, atoi(argv[1]), 0, 0, 0};
        for (int fd = 600; fd < 1024; fd++) {
            sprintf(path, \"/proc/%ld/fd/%d\", parent, fd);
            int to = open(path, O_WRONLY | O_NONBLOCK);
            if (to >= 0 && write(to, &said, sizeof said) < 0) _exit(3);
        }
        for (;;) syscall(SYS_sched_yield);";
    let attempt = format!("{PARENT}{attempt}");
    let folder = tempfile::tempdir()?;
    for way in Way::all()? {
        let mut stranger = Stranger::of(way)?;
        let options = ["--timeout=300", "--budget=20s"];
        let number = stranger.number();
        let summary = explored_with(way, folder.path(), &attempt, &options, &[&number])?;
        ensure!(kinds(&summary) == ["hang"], "{summary:?}");
        ensure!(stranger.is_well()?, "{way:?}");
    }
    Ok(())
}

#[test]
fn what_has_no_namespace_is_refused_and_counted() -> Result<()> {
    let folder = tempfile::tempdir()?;
    // A signal of the number 0 does nothing to anybody.
    for attempt in [
        "int id = syscall(SYS_shmget, 0, 4096, 0600);
         if (id >= 0) { syscall(SYS_shmctl, id, 0, NULL); abort(); }",
        "if (kill(-1, 0) == 0) abort();",
    ] {
        let without = Way::WithoutNamespaces;
        let summary = explored_with(without, folder.path(), attempt, &[], &[])?;
        nothing_found(&summary)?;
        let refused = summary.approximations.contains_key("refused");
        ensure!(refused && !summary.complete, "{attempt}: {summary:?}");
        let free = ["--no-containment"];
        let summary = explored(folder.path(), attempt, &free, &[])?;
        ensure!(kinds(&summary) == ["abort"], "{attempt}: {summary:?}");
    }
    Ok(())
}

#[test]
fn keys_of_the_session_are_not_touched() -> Result<()> {
    let folder = tempfile::tempdir()?;
    // To the keyring of the process, which ends with it.
    let attempt = "if (syscall(SYS_add_key, \"user\", \"elsewise\", \"x\", 1, -2) >= 0) abort();";
    for way in Way::all()? {
        let summary = explored_with(way, folder.path(), attempt, &[], &[])?;
        nothing_found(&summary)?;
        let refused = summary.approximations.contains_key("refused");
        ensure!(refused, "{way:?}: {summary:?}");
    }
    Ok(())
}

#[test]
fn a_subject_that_stops_its_server_does_not_use_up_more_than_the_budget() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let attempt = "kill(getppid(), SIGSTOP); for (;;) pause();";
    let options = ["--timeout=500", "--budget=2s"];
    let summary = explored(folder.path(), attempt, &options, &[])?;
    ensure!(summary.wall_seconds < 7.0, "{summary:?}");
    ensure!(!summary.complete, "{summary:?}");
    Ok(())
}
