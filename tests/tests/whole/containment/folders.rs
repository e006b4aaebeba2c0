//! Subjects that have the engine work in places, or wait for files, that are none of theirs.

use super::{Way, explored, explored_with, kinds};
use anyhow::{Context, Result, ensure};
use elsewise_tests::command::program;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

#[test]
fn a_folder_that_becomes_a_link_is_not_emptied_elsewhere() -> Result<()> {
    // Who is left behind waits for the engine to begin, and puts a link in the place of what it removes.
    let attempt = r#"
        mkdir("d", 0700);
        for (int i = 0; i < 400; i++) {
            char name[32];
            sprintf(name, "d/n%03d", i);
            close(open(name, O_CREAT | O_WRONLY, 0600));
        }
        int ready[2];
        char byte;
        if (pipe(ready) != 0) _exit(3);
        if (fork() == 0) {
            setsid();
            struct rlimit five = {5, 5};
            setrlimit(RLIMIT_LOCKS, &five);
            if (fork() == 0) {
                prctl(PR_SET_PDEATHSIG, 0);
                int here = open(".", O_PATH);
                int told = syscall(SYS_inotify_init1, 0);
                syscall(SYS_inotify_add_watch, told, "d", 0x200);
                symlinkat(argv[1], here, "l");
                syscall(SYS_write, ready[1], "r", 1);
                char event[4096];
                syscall(SYS_read, told, event, sizeof event);
                syscall(SYS_renameat2, here, "d", here, "l", 2);
            }
            _exit(0);
        }
        syscall(SYS_read, ready[0], &byte, 1);
    "#;
    let folder = tempfile::tempdir()?;
    let precious = tempfile::tempdir()?;
    for index in 0..400 {
        fs::write(
            precious.path().join(format!("n{index:03}")),
            "years of work",
        )?;
    }
    fs::set_permissions(precious.path(), Permissions::from_mode(0o777))?;
    let path = precious.path().display().to_string();
    for way in Way::all()? {
        let summary = explored_with(way, folder.path(), attempt, &[], &[&path])?;
        ensure!(summary.findings.is_empty(), "{summary:?}");
        ensure!(
            summary.approximations.contains_key("left-processes"),
            "{summary:?}"
        );
        let left = fs::read_dir(precious.path())?.count();
        ensure!(left == 400, "{left} of 400 files are left");
    }
    Ok(())
}

#[test]
fn a_file_that_becomes_a_pipe_is_not_waited_for() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("subject.c");
    // Every path must find the file as it was before the first input.
    let text = r#"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void)
{
    char c, text[8] = "";
    int log = open("log", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    if (write(log, "hello", 5) != 5 || close(log) != 0 || read(0, &c, 1) != 1)
        return 9;
    log = open("log", O_RDONLY | O_NONBLOCK);
    if (read(log, text, 8) != 5)
        abort();
    unlink("log");
    if (c == 'x')
        mkfifo("log", 0600);
    else if (c == 'y')
        mkdir("log", 0700);
    else if (c == 'z')
        symlink("/dev/zero", "log");
    return 0;
}
"#;
    fs::write(&source, text)?;
    let begin = Instant::now();
    let options = ["--input-size=1".to_owned(), "--budget=20s".to_owned()];
    let summary = elsewise_tests::command::explore(&[source], &options, folder.path())?.summary;
    ensure!(summary.findings.is_empty(), "{summary:?}");
    ensure!(summary.paths == 4, "{summary:?}");
    ensure!(begin.elapsed() < Duration::from_secs(60));
    Ok(())
}

/// Runs Elsewise, and kills it when it takes too long.
fn soon(folder: &Path, arguments: &[&str]) -> Result<Output> {
    let mut child = Command::new(program()?)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let deadline = Instant::now() + Duration::from_secs(60);
    while child.try_wait()?.is_none() {
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            anyhow::bail!("{arguments:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(child.wait_with_output()?)
}

fn pipe(path: &Path) -> Result<()> {
    let status = Command::new("mkfifo").arg(path).status()?;
    ensure!(status.success());
    Ok(())
}

/// A campaign with one finding, in the folder `campaign`.
fn campaign(folder: &Path) -> Result<()> {
    let summary = explored(folder, "abort();", &[], &[])?;
    ensure!(kinds(&summary) == ["abort"], "{summary:?}");
    Ok(())
}

#[test]
fn pipes_and_devices_are_not_read() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    campaign(folder.path())?;
    // As seeds.
    for (name, device) in [("pipes", None), ("devices", Some("/dev/zero"))] {
        fs::create_dir(at(name))?;
        match device {
            None => pipe(&at(name).join("seed"))?,
            Some(device) => symlink(device, at(name).join("seed"))?,
        }
        let seeds = format!("--seeds={name}");
        let explore = [
            "explore",
            "subject.c",
            "--campaign=new",
            "--budget=5s",
            &seeds,
        ];
        let output = soon(folder.path(), &explore)?;
        let words = String::from_utf8_lossy(&output.stderr);
        ensure!(words.contains("not a regular file"), "{words}");
    }
    // As the source of a finding.
    fs::rename(at("subject.c"), at("subject.kept"))?;
    for device in [None, Some("/dev/zero")] {
        match device {
            None => pipe(&at("subject.c"))?,
            Some(device) => symlink(device, at("subject.c"))?,
        }
        let output = soon(folder.path(), &["show", "1", "--campaign=campaign"])?;
        ensure!(output.status.code().is_some());
        fs::remove_file(at("subject.c"))?;
    }
    fs::rename(at("subject.kept"), at("subject.c"))?;
    // As a record.
    let record = at("campaign/subject/subject.json");
    fs::remove_file(&record).context("the record")?;
    pipe(&record)?;
    let output = soon(
        folder.path(),
        &["replay", "1", "--trust", "--campaign=campaign"],
    )?;
    let words = String::from_utf8_lossy(&output.stderr);
    ensure!(words.contains("not a regular file"), "{words}");
    Ok(())
}

#[test]
fn a_lock_that_is_a_link_is_not_written() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    campaign(folder.path())?;
    fs::write(at("precious"), "work")?;
    fs::remove_file(at("campaign/lock"))?;
    symlink(at("precious"), at("campaign/lock"))?;
    let explore = [
        "explore",
        "subject.c",
        "--input-size=1",
        "--campaign=campaign",
    ];
    let output = soon(folder.path(), &explore)?;
    ensure!(!output.status.success());
    ensure!(fs::read_to_string(at("precious"))? == "work");
    Ok(())
}

#[test]
fn modes_owners_and_times_elsewhere_are_not_changed() -> Result<()> {
    let elsewhere = tempfile::tempdir()?;
    let victim = elsewhere.path().join("victim");
    let path = victim.display().to_string();
    let folder = tempfile::tempdir()?;
    for way in Way::all()? {
        // Without them, this can be done, and is said to be.
        if way == Way::WithoutNamespaces || !elsewise_contain::has_read_only_mounts() {
            continue;
        }
        for attempt in [
            "if (chmod(argv[1], 0777) == 0) abort();",
            "int fd = open(argv[1], O_RDONLY); if (fd >= 0 && fchmod(fd, 0777) == 0) abort();",
            "if (chown(argv[1], getuid(), getgid()) == 0) abort();",
            "unlink(\"mine\"); close(creat(\"mine\", 0600)); if (chmod(\"mine\", 0640) != 0) _exit(9);
             if (utimensat(AT_FDCWD, argv[1], NULL, 0) == 0) abort();",
        ] {
            fs::write(&victim, "untouched")?;
            if way == Way::Ordinary {
                std::os::unix::fs::chown(&victim, Some(65534), Some(65534))?;
                let all = fs::Permissions::from_mode(0o755);
                fs::set_permissions(elsewhere.path(), all)?;
            }
            let before = fs::metadata(&victim)?;
            let summary = explored_with(way, folder.path(), attempt, &[], &[&path])?;
            ensure!(
                summary.findings.is_empty(),
                "{way:?}: {attempt}: {summary:?}"
            );
            let refused = summary.approximations.contains_key("refused");
            ensure!(refused, "{way:?}: {attempt}: {summary:?}");
            let after = fs::metadata(&victim)?;
            let of = |it: &fs::Metadata| (it.mode(), it.uid(), it.ctime(), it.ctime_nsec());
            ensure!(of(&before) == of(&after), "{way:?}: {attempt}");
            let free = ["--no-containment"];
            let summary = explored_with(way, folder.path(), attempt, &free, &[&path])?;
            ensure!(kinds(&summary) == ["abort"], "{attempt}: {summary:?}");
            fs::remove_file(&victim)?;
        }
    }
    Ok(())
}

#[test]
fn without_landlock_files_elsewhere_are_read_only() -> Result<()> {
    if !elsewise_contain::has_read_only_mounts() {
        return Ok(());
    }
    let elsewhere = tempfile::tempdir()?;
    let victim = elsewhere.path().join("victim");
    let path = victim.display().to_string();
    fs::write(&victim, "untouched")?;
    for attempt in [
        "if (open(argv[1], O_WRONLY) >= 0 || truncate(argv[1], 1) == 0) abort();",
        "if (unlink(argv[1]) == 0) abort();",
        "char new[4096]; snprintf(new, sizeof new, \"%s.new\", argv[1]);
         if (mkdir(new, 0700) == 0 || rename(argv[1], new) == 0) abort();",
    ] {
        let folder = tempfile::tempdir()?;
        let without = Way::WithoutLandlock;
        let summary = explored_with(without, folder.path(), attempt, &[], &[&path])?;
        ensure!(summary.findings.is_empty(), "{attempt}: {summary:?}");
        let refused = summary.approximations.contains_key("refused");
        ensure!(refused, "{attempt}: {summary:?}");
        ensure!(fs::read_to_string(&victim)? == "untouched", "{attempt}");
        // It is not kept from writing what it may.
        let allow = format!("--allow-write={}", elsewhere.path().display());
        let summary = explored_with(without, folder.path(), attempt, &[&allow], &[&path])?;
        ensure!(
            !summary.approximations.contains_key("refused"),
            "{summary:?}"
        );
        fs::write(&victim, "untouched")?;
        let _ = fs::remove_dir(elsewhere.path().join("victim.new"));
    }
    Ok(())
}

/// Its standard streams were opened outside of the namespace of mounts, in which everything is read-only.
#[test]
fn the_null_device_is_not_changed_through_a_descriptor() -> Result<()> {
    if !elsewise_contain::has_read_only_mounts() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    fs::write(
        folder.path().join("subject.c"),
        "#include <stdio.h>\n#include <sys/stat.h>\n\
         int main(void) { for (int i = 0; i < 3; i++) fchmod(i, 0604); return getchar() == 'x'; }\n",
    )?;
    let device = std::path::Path::new("/dev/null");
    let before = fs::metadata(device)?.permissions();
    let explore = [
        "explore",
        "subject.c",
        "--input-size=1",
        "--campaign=campaign",
    ];
    let output = soon(folder.path(), &explore)?;
    let after = fs::metadata(device)?.permissions();
    if before != after {
        // Nothing else would work here.
        fs::set_permissions(device, before)?;
        anyhow::bail!("the mode of /dev/null was changed to {after:?}");
    }
    ensure!(output.status.success(), "{output:?}");
    Ok(())
}
