//! Subjects that try to get out. Each aborts where it succeeds: contained, nothing is found, and
//! without containment it is, so that the test can tell one from the other.

mod devices;
mod folders;
mod limits;
mod machines;
mod processes;
mod syscalls;
mod terminal;

use anyhow::{Result, ensure};
use elsewise_tests::command::{Summary, explore, explore_with, program};
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What every subject begins with. An attempt is made for one input only, in a forked run.
const PRELUDE: &str = r#"
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void attempt(int argc, char **argv);

int main(int argc, char **argv)
{
    char c;
    if (read(0, &c, 1) == 1 && c == 'x')
        attempt(argc, argv);
    return 0;
}
"#;

/// Explores a subject whose `attempt` is given, with `arguments` of its own.
fn explored(folder: &Path, attempt: &str, options: &[&str], arguments: &[&str]) -> Result<Summary> {
    explored_with(Way::Usual, folder, attempt, options, arguments)
}

/// How Elsewise is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Usual,
    /// As where namespaces are denied.
    WithoutNamespaces,
    /// By somebody who is not root.
    Ordinary,
    /// As where the system has no Landlock.
    WithoutLandlock,
}

impl Way {
    /// All that are another here.
    fn all() -> Result<Vec<Way>> {
        let mut all = vec![Way::Usual, Way::WithoutNamespaces];
        // Who is not root is ordinary already. Not everybody may see the program.
        let mut version = Command::new(program()?);
        version.arg("--version").stdout(Stdio::null());
        Way::Ordinary.prepare(&mut version, Path::new("/"));
        if version.status().is_ok_and(|status| status.success()) {
            all.push(Way::Ordinary);
        }
        Ok(all)
    }

    fn prepare(self, command: &mut Command, folder: &Path) {
        const NOBODY: u32 = 65534;
        match self {
            Way::Usual => {}
            Way::WithoutNamespaces => {
                command.env("ELSEWISE_WITHOUT_NAMESPACES", "1");
            }
            Way::WithoutLandlock => {
                command.env("ELSEWISE_WITHOUT_LANDLOCK", "1");
            }
            Way::Ordinary => {
                command
                    .uid(NOBODY)
                    .gid(NOBODY)
                    .env("HOME", folder)
                    .env_remove("XDG_STATE_HOME")
                    .env("TMPDIR", folder);
            }
        }
    }
}

/// The same in another way.
fn explored_with(
    way: Way,
    folder: &Path,
    attempt: &str,
    options: &[&str],
    arguments: &[&str],
) -> Result<Summary> {
    let source = folder.join("subject.c");
    fs::write(
        &source,
        format!("{PRELUDE}static void attempt(int argc, char **argv)\n{{\n{attempt}\n}}\n"),
    )?;
    let mut all = vec!["--input-size=1".to_owned()];
    all.extend(options.iter().map(|option| option.to_string()));
    all.push("--".into());
    all.extend(arguments.iter().map(|argument| argument.to_string()));
    if way == Way::Ordinary {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o777))?;
    }
    let prepare = |command: &mut Command| way.prepare(command, folder);
    Ok(explore_with(&[source], &all, folder, prepare)?.summary)
}

fn kinds(summary: &Summary) -> Vec<&str> {
    summary
        .findings
        .iter()
        .filter(|finding| finding.confirmed)
        .map(|finding| finding.kind.as_str())
        .collect()
}

/// Contained, the attempt fails; with `freely`, it succeeds.
fn fails_unless(attempt: &str, freely: &[&str], argument: &str) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let summary = explored(folder.path(), attempt, &[], &[argument])?;
    // What was refused is counted, and nothing else is.
    let mut given_up = summary.approximations.keys();
    ensure!(
        summary.findings.is_empty() && given_up.all(|kind| kind == "refused"),
        "contained: {summary:?}"
    );
    let summary = explored(folder.path(), attempt, freely, &[argument])?;
    ensure!(kinds(&summary) == ["abort"], "{freely:?}: {summary:?}");
    Ok(())
}

#[test]
fn files_elsewhere_are_not_written() -> Result<()> {
    let elsewhere = tempfile::tempdir()?;
    let victim = elsewhere.path().join("victim");
    let path = victim.display().to_string();
    for attempt in [
        "int fd = open(argv[1], O_WRONLY); if (fd >= 0) abort();",
        "int fd = open(argv[1], O_RDWR | O_APPEND); if (fd >= 0) abort();",
        "if (truncate(argv[1], 1) == 0) abort();",
        "if (unlink(argv[1]) == 0) { close(creat(argv[1], 0600)); abort(); }",
        "char other[4096]; snprintf(other, sizeof other, \"%s.new\", argv[1]);
         if (rename(argv[1], other) == 0) { rename(other, argv[1]); abort(); }",
        "char new[4096]; snprintf(new, sizeof new, \"%s.new\", argv[1]);
         if (open(new, O_CREAT | O_WRONLY, 0600) >= 0) abort();",
        "char new[4096]; snprintf(new, sizeof new, \"%s.dir\", argv[1]);
         if (mkdir(new, 0700) == 0) { rmdir(new); abort(); }",
    ] {
        fs::write(&victim, "untouched")?;
        let folder = tempfile::tempdir()?;
        let summary = explored(folder.path(), attempt, &[], &[&path])?;
        ensure!(summary.findings.is_empty(), "{attempt}: {summary:?}");
        ensure!(fs::read_to_string(&victim)? == "untouched", "{attempt}");
        ensure!(fs::read_dir(elsewhere.path())?.count() == 1, "{attempt}");
        let allow = format!("--allow-write={}", elsewhere.path().display());
        for freely in ["--no-containment", allow.as_str()] {
            fs::write(&victim, "untouched")?;
            let summary = explored(folder.path(), attempt, &[freely], &[&path])?;
            ensure!(kinds(&summary) == ["abort"], "{attempt}: {summary:?}");
            let _ = fs::remove_file(victim.with_extension("new"));
        }
    }
    fs::write(&victim, "untouched")?;
    let link = "unlink(\"mine\"); if (link(argv[1], \"mine\") == 0) abort();";
    fails_unless(link, &["--no-containment"], &path)
}

#[test]
fn home_and_the_temporary_directory_are_not_written() -> Result<()> {
    for (from, path) in [("getenv(\"HOME\")", "home"), ("\"/tmp\"", "tmp")] {
        let attempt = format!(
            "char path[4096];
             snprintf(path, sizeof path, \"%s/elsewise-{path}-XXXXXX\", {from});
             int fd = mkstemp(path);
             if (fd >= 0) {{ unlink(path); abort(); }}"
        );
        fails_unless(&attempt, &["--no-containment"], "")?;
    }
    Ok(())
}

#[test]
fn nobody_is_connected_to() -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port().to_string();
    let tcp = "struct sockaddr_in to = {AF_INET, htons(atoi(argv[1])), {htonl(INADDR_LOOPBACK)}};
         int fd = socket(AF_INET, SOCK_STREAM, 0);
         if (fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0) abort();";
    fails_unless(tcp, &["--no-containment"], &port)?;
    fails_unless(tcp, &["--allow-network"], &port)?;

    let receiver = UdpSocket::bind("127.0.0.1:0")?;
    receiver.set_nonblocking(true)?;
    let port = receiver.local_addr()?.port().to_string();
    let udp = "struct sockaddr_in to = {AF_INET, htons(atoi(argv[1])), {htonl(INADDR_LOOPBACK)}};
         int fd = socket(AF_INET, SOCK_DGRAM, 0);
         if (sendto(fd, \"x\", 1, 0, (struct sockaddr *)&to, sizeof to) == 1) abort();";
    let folder = tempfile::tempdir()?;
    let summary = explored(folder.path(), udp, &[], &[&port])?;
    ensure!(summary.findings.is_empty(), "{summary:?}");
    ensure!(receiver.recv(&mut [0; 8]).is_err(), "something arrived");
    let summary = explored(folder.path(), udp, &["--allow-network"], &[&port])?;
    ensure!(kinds(&summary) == ["abort"], "{summary:?}");
    ensure!(receiver.recv(&mut [0; 8]).is_ok(), "nothing arrived");
    Ok(())
}

#[test]
fn sockets_of_this_machine_are_not_connected_to() -> Result<()> {
    let connect = |abstracted: bool| {
        let at = usize::from(abstracted);
        format!(
            "struct sockaddr_un to = {{.sun_family = AF_UNIX}};
             strcpy(to.sun_path + {at}, argv[1]);
             int fd = socket(AF_UNIX, SOCK_STREAM, 0);
             socklen_t size = offsetof(struct sockaddr_un, sun_path) + {at} + strlen(argv[1]);
             if (fd >= 0 && connect(fd, (struct sockaddr *)&to, size) == 0) abort();"
        )
    };
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("socket");
    let _listener = UnixListener::bind(&path)?;
    let name = path.display().to_string();
    fails_unless(&connect(false), &["--no-containment"], &name)?;
    let name = format!("elsewise-{}", std::process::id());
    let _listener = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name)?)?;
    fails_unless(&connect(true), &["--no-containment"], &name)
}

#[test]
fn other_processes_are_not_signalled() -> Result<()> {
    let mut sleeper = std::process::Command::new("sleep").arg("60").spawn()?;
    let pid = sleeper.id().to_string();
    let result = fails_unless(
        "if (kill(atoi(argv[1]), SIGTERM) == 0) abort();",
        &["--no-containment"],
        &pid,
    );
    sleeper.kill()?;
    sleeper.wait()?;
    result
}

#[test]
fn the_system_is_not_changed() -> Result<()> {
    let folder = tempfile::tempdir()?;
    // Where the subject is not root, this would fail in any case; it changes nothing if it succeeds.
    let attempt = "char name[256];
        if (gethostname(name, sizeof name) == 0 && sethostname(name, strlen(name)) == 0) abort();";
    let summary = explored(folder.path(), attempt, &[], &[])?;
    ensure!(summary.findings.is_empty(), "{summary:?}");
    Ok(())
}

/// Has neither the parent, nor the group, nor the session of the run.
const DAEMON: &str = r#"
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            signal(SIGTERM, SIG_IGN);
            signal(SIGHUP, SIG_IGN);
            for (int fd = 0; fd < 1024; fd++)
                close(fd);
            // Sleeping does not take time in a run; the system call does.
            struct timespec while_ = {0, 700 * 1000 * 1000};
            syscall(SYS_nanosleep, &while_, NULL);
            close(creat(argv[1], 0600));
        }
        _exit(0);
    }
    wait(NULL);
"#;

#[test]
fn a_daemon_is_ended_and_reported() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let written = folder.path().join("written");
    let path = written.display().to_string();
    let allow = format!("--allow-write={}", folder.path().display());
    let summary = explored(folder.path(), DAEMON, &[&allow], &[&path])?;
    ensure!(summary.findings.is_empty(), "{summary:?}");
    ensure!(
        summary.approximations.contains_key("left-processes") && !summary.complete,
        "{summary:?}"
    );
    std::thread::sleep(Duration::from_millis(1500));
    ensure!(!written.exists(), "the daemon went on");
    explored(folder.path(), DAEMON, &["--no-containment"], &[&path])?;
    let deadline = Instant::now() + Duration::from_secs(20);
    while !written.exists() {
        ensure!(Instant::now() < deadline, "it would not have written");
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

#[test]
fn a_run_that_ignores_signals_is_ended() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let attempt = "for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
        setsid(); for (;;) pause();";
    let summary = explored(folder.path(), attempt, &["--timeout=300"], &[])?;
    ensure!(kinds(&summary) == ["hang"], "{summary:?}");
    Ok(())
}

/// Living processes of this machine that have given themselves this name.
fn named(name: &str) -> Result<usize> {
    let mut number = 0;
    for entry in fs::read_dir("/proc")? {
        // PID (name) state ...
        let stat = fs::read_to_string(entry?.path().join("stat")).unwrap_or_default();
        let of_name = stat.split_once(&format!("({name}) "));
        number += usize::from(of_name.is_some_and(|(_, rest)| !rest.starts_with('Z')));
    }
    Ok(number)
}

#[test]
fn processes_without_end_are_ended_and_reported() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let name = format!("els{}", std::process::id());
    // Not without end, if it comes to the worst.
    let attempt = "prctl(PR_SET_NAME, argv[1]);
        for (int i = 0; i < 500; i++)
            if (fork() == 0) { setsid(); pause(); _exit(0); }
        pause();";
    let options = ["--timeout=15000"];
    let summary = explored(folder.path(), attempt, &options, &[&name])?;
    ensure!(kinds(&summary) == ["processes"], "{summary:?}");
    ensure!(named(&name)? == 0, "{} are left", named(&name)?);
    Ok(())
}

#[test]
fn a_full_disk_is_prevented_and_reported() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let huge = "int fd = creat(\"huge\", 0600); static char block[1 << 20];
        for (int i = 0; i < 24; i++) if (write(fd, block, sizeof block) < 0) _exit(9);";
    let many = "static char block[1 << 20];
        for (int i = 0; i < 24; i++) {
            char name[32]; sprintf(name, \"file%d\", i);
            if (write(creat(name, 0600), block, sizeof block) < 0) _exit(9);
        }";
    for attempt in [huge, many] {
        let summary = explored(folder.path(), attempt, &["--disk=8"], &[])?;
        ensure!(kinds(&summary) == ["disk"], "{attempt}: {summary:?}");
        let summary = explored(folder.path(), attempt, &["--disk=64"], &[])?;
        ensure!(summary.findings.is_empty(), "{attempt}: {summary:?}");
        ensure!(!folder.path().join("huge").exists());
    }
    Ok(())
}

#[test]
fn a_run_does_not_see_what_another_wrote() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("subject.c");
    // Every run of three paths makes the file; one was made before the first input.
    let text = r#"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    char c, before = 0;
    int log = open("log", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (write(log, "a", 1) != 1 || read(0, &c, 1) != 1)
        return 9;
    if (pread(log, &before, 1, 0) != 1 || before != 'a' || lseek(log, 0, SEEK_END) != 1)
        abort();
    if (open("made", O_CREAT | O_EXCL, 0600) < 0)
        abort();
    if (pwrite(log, "bc", 2, 0) != 2)
        return 9;
    return c == 'x' ? 1 : c == 'y' ? 2 : 0;
}
"#;
    fs::write(&source, text)?;
    let options = ["--input-size=1".to_owned()];
    let explored = explore(std::slice::from_ref(&source), &options, folder.path())?.summary;
    ensure!(explored.findings.is_empty(), "{explored:?}");
    ensure!(explored.paths == 3, "{explored:?}");
    ensure!(!folder.path().join("made").exists());
    let options = [options[0].clone(), "--no-containment".to_owned()];
    let explored = explore(&[source], &options, folder.path())?.summary;
    // Both the log and the file are as the run before left them.
    ensure!(kinds(&explored) == ["abort", "abort"], "{explored:?}");
    Ok(())
}

#[test]
fn files_that_arguments_name_are_found() -> Result<()> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("data.txt"), "here")?;
    let open = "if (open(argv[1], O_RDONLY) < 0) abort();";
    let summary = explored(folder.path(), open, &[], &["data.txt"])?;
    ensure!(summary.findings.is_empty(), "{summary:?}");
    let summary = explored(folder.path(), open, &[], &["absent.txt"])?;
    ensure!(kinds(&summary) == ["abort"], "{summary:?}");
    let fixed = "if (open(\"data.txt\", O_RDONLY) < 0) abort();";
    let summary = explored(folder.path(), fixed, &[], &[])?;
    ensure!(kinds(&summary) == ["abort"], "{summary:?}");
    let summary = explored(folder.path(), fixed, &["--workdir=."], &[])?;
    ensure!(summary.findings.is_empty(), "{summary:?}");
    Ok(())
}

#[test]
fn a_child_does_not_write_into_the_trace_of_its_parent() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("subject.c");
    // The child makes choices, and crashes, on input; the parent makes one choice.
    let text = r#"
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    unsigned char c[2];
    int status;
    if (read(0, c, 2) != 2)
        return 9;
    if (fork() == 0) {
        for (int i = 0; i < 100; i++)
            if (c[1] == i)
                abort();
        _exit(0);
    }
    wait(&status);
    if (c[0] == 'x')
        return 3;
    return 0;
}
"#;
    fs::write(&source, text)?;
    let options = ["--input-size=2".to_owned()];
    let summary = explore(&[source], &options, folder.path())?.summary;
    ensure!(summary.findings.is_empty(), "{summary:?}");
    ensure!(summary.paths == 2 && !summary.complete, "{summary:?}");
    ensure!(summary.approximations.contains_key("forked"), "{summary:?}");
    Ok(())
}
