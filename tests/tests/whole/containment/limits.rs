//! Subjects that take more than they may, in ways that are not seen at once; descriptors and rights that are not
//! theirs.

use super::{Way, explored, explored_with, fails_unless, kinds};
use anyhow::{Context, Result, ensure};
use elsewise_tests::command::program;
use std::fs;
use std::process::Command;

/// Long enough to be seen: the system call takes time, in a run as well.
const STAY: &str =
    "struct timespec while_ = {0, 300 * 1000 * 1000}; syscall(SYS_nanosleep, &while_, NULL);";

#[test]
fn files_without_names_count() -> Result<()> {
    let open = "static char block[1 << 20];
        for (int i = 0; i < 4; i++) {
            int fd = open(\"file\", O_CREAT | O_RDWR, 0600);
            unlink(\"file\");
            for (int k = 0; k < 6; k++) if (write(fd, block, sizeof block) < 0) _exit(9);
        }";
    let unnamed = "static char block[1 << 20];
        for (int i = 0; i < 4; i++) {
            int fd = open(\".\", O_TMPFILE | O_RDWR, 0600);
            for (int k = 0; k < 6; k++) if (write(fd, block, sizeof block) < 0) _exit(9);
        }";
    let mapped = "for (int i = 0; i < 4; i++) {
            int fd = open(\"file\", O_CREAT | O_RDWR, 0600);
            unlink(\"file\");
            if (ftruncate(fd, 6 << 20) != 0) _exit(9);
            char *at = mmap(NULL, 6 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
            for (int k = 0; k < 6 << 20; k += 4096) at[k] = 1;
            close(fd);
        }";
    let folder = tempfile::tempdir()?;
    for attempt in [open, unnamed, mapped] {
        let attempt = format!("{attempt}{STAY}");
        for way in Way::all()? {
            let options = ["--disk=8"];
            let summary = explored_with(way, folder.path(), &attempt, &options, &[])?;
            ensure!(kinds(&summary) == ["disk"], "{attempt}: {summary:?}");
        }
        let summary = explored(folder.path(), &attempt, &["--disk=64"], &[])?;
        ensure!(summary.findings.is_empty(), "{attempt}: {summary:?}");
    }
    Ok(())
}

#[test]
fn memory_of_files_children_and_what_is_shared_counts() -> Result<()> {
    let files = "static char block[1 << 20];
        for (int i = 0; i < 5; i++) {
            int fd = memfd_create(\"file\", 0);
            for (int k = 0; k < 100; k++) if (write(fd, block, sizeof block) < 0) _exit(9);
        }";
    // Each stays below what it may have.
    let children = "for (int i = 0; i < 10; i++)
            if (fork() == 0) {
                char *at = malloc(50 << 20);
                if (at == NULL) _exit(1);
                memset(at, 1, 50 << 20);
                struct timespec long_ = {1, 0};
                syscall(SYS_nanosleep, &long_, NULL);
                _exit(0);
            }
        while (wait(NULL) > 0) ;";
    let shared = "for (int i = 0; i < 10; i++)
            if (fork() == 0) {
                char *at = mmap(NULL, 50 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
                if (at == MAP_FAILED) _exit(1);
                memset(at, 1, 50 << 20);
                struct timespec long_ = {1, 0};
                syscall(SYS_nanosleep, &long_, NULL);
                _exit(0);
            }
        while (wait(NULL) > 0) ;";
    let folder = tempfile::tempdir()?;
    for attempt in [files, children, shared] {
        let attempt = format!("{attempt}{STAY}");
        for (way, megabytes, expected) in [
            (Way::Usual, "--memory=64", &["memory"][..]),
            (Way::WithoutNamespaces, "--memory=64", &["memory"]),
            (Way::Usual, "--memory=1024", &[]),
        ] {
            let options = [megabytes, "--timeout=20000"];
            let summary = explored_with(way, folder.path(), &attempt, &options, &[])?;
            ensure!(kinds(&summary) == expected, "{attempt}: {summary:?}");
        }
    }
    Ok(())
}

#[test]
fn pages_that_processes_have_in_common_count_once() -> Result<()> {
    // Nobody but the first has written them.
    let attempt = format!(
        "char *at = malloc(50 << 20);
         if (at == NULL) _exit(9);
         memset(at, 1, 50 << 20);
         for (int i = 0; i < 20; i++)
            if (fork() == 0) {{ {STAY} _exit(0); }}
         while (wait(NULL) > 0) ;"
    );
    let folder = tempfile::tempdir()?;
    let options = ["--memory=64", "--timeout=20000"];
    let summary = explored(folder.path(), &attempt, &options, &[])?;
    ensure!(
        summary.findings.is_empty() && summary.unconfirmed.is_empty(),
        "{summary:?}"
    );
    Ok(())
}

#[test]
fn descriptors_of_others_are_closed() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (log, said) = (folder.path().join("log"), folder.path().join("said"));
    for (options, expected) in [("", 0), ("--no-containment", 1)] {
        let attempt = "if (write(9, \"x\", 1) == 1) abort();";
        let source = folder.path().join("subject.c");
        let text = format!(
            "{}static void attempt(int argc, char **argv)\n{{\n{attempt}\n}}\n",
            super::PRELUDE
        );
        fs::write(&source, text)?;
        // A pipe: of files, those who come later put back what was there.
        let line = format!(
            "{} explore subject.c --fresh --quiet --format json --campaign campaign \
             --input-size=1 {options} 9>&1 >said | cat >log",
            program()?.display()
        );
        let output = Command::new("sh")
            .args(["-c", &line])
            .current_dir(folder.path())
            .output()?;
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        let summary: super::Summary = serde_json::from_slice(&fs::read(&said)?).context(words)?;
        ensure!(summary.findings.len() == expected, "{summary:?}");
        ensure!(fs::read(&log)?.is_empty() == (expected == 0), "{options}");
    }
    Ok(())
}

/// Whether whoever runs this has a right of root's.
fn has(capability: u32) -> Result<bool> {
    let status = fs::read_to_string("/proc/self/status")?;
    let mut lines = status.lines();
    let rights = lines.find_map(|line| line.strip_prefix("CapEff:\t"));
    let rights = u64::from_str_radix(rights.context("no rights are listed")?, 16)?;
    Ok(rights >> capability & 1 != 0)
}

#[test]
fn root_makes_no_devices_and_does_not_change_the_clock() -> Result<()> {
    const SYS_TIME: u32 = 25;
    const MKNOD: u32 = 27;
    let clock = |call: &str| {
        format!(
            "struct timex now = {{0}};
             if (adjtimex(&now) < 0) _exit(9);
             // Says again what is.
             struct timex set = {{.modes = ADJ_TICK, .tick = now.tick}};
             if ({call} >= 0) abort();"
        )
    };
    // One takes everything, as /dev/null; of the other kind there is none with this number.
    for (right, attempt) in [
        (
            MKNOD,
            "unlink(\"d\"); if (mknod(\"d\", S_IFCHR | 0600, gnu_dev_makedev(1, 3)) == 0) abort();"
                .to_owned(),
        ),
        (
            MKNOD,
            "unlink(\"d\"); if (mknodat(AT_FDCWD, \"d\", S_IFBLK | 0600, 0) == 0) abort();"
                .to_owned(),
        ),
        (SYS_TIME, clock("adjtimex(&set)")),
        (SYS_TIME, clock("clock_adjtime(CLOCK_REALTIME, &set)")),
    ] {
        let folder = tempfile::tempdir()?;
        let summary = explored(folder.path(), &attempt, &[], &[])?;
        ensure!(
            summary.findings.is_empty() && summary.unconfirmed.is_empty(),
            "{attempt}: {summary:?}"
        );
        if has(right)? {
            ensure!(
                summary.approximations.contains_key("refused"),
                "{summary:?}"
            );
            let summary = explored(folder.path(), &attempt, &["--no-containment"], &[])?;
            ensure!(kinds(&summary) == ["abort"], "{attempt}: {summary:?}");
        }
    }
    Ok(())
}

#[test]
fn limits_are_not_raised() -> Result<()> {
    let raise = "struct rlimit now; getrlimit(RLIMIT_NOFILE, &now);
        now.rlim_cur = now.rlim_max = 8192;
        if (setrlimit(RLIMIT_NOFILE, &now) == 0) abort();";
    fails_unless(raise, &["--no-containment"], "")
}
