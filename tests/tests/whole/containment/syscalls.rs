//! Random system calls with arguments that mean something, made inside of runs: nothing outside notices, and the
//! engine ends as it should.

use super::Way;
use anyhow::{Context, Result, bail, ensure};
use elsewise_tests::command::program;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SUBJECT: &str = include_str!("syscalls.c");
/// Not a fault of the engine's, and not a signal: what it may end with, whatever a subject does.
const HONEST: [i32; 5] = [0, 2, 3, 4, 5];
/// Of an exploration of 4 seconds, or a replay.
const LIMIT: Duration = Duration::from_secs(50);

/// What the subject is told of, and may not touch.
struct Canary {
    folder: PathBuf,
    process: Child,
    tcp: TcpListener,
    unix: UnixListener,
    /// Of files that it would make elsewhere, and of processes that came of it.
    mark: String,
}

impl Canary {
    fn new(way: Way, folder: PathBuf, mark: String) -> Result<Canary> {
        fs::create_dir(&folder)?;
        fs::write(folder.join("victim"), "untouched")?;
        let unix = UnixListener::bind(folder.join("socket"))?;
        if way == Way::Ordinary {
            // Theirs, so that nothing but containment is in the way.
            for path in [folder.clone(), folder.join("victim"), folder.join("socket")] {
                std::os::unix::fs::chown(path, Some(65534), Some(65534))?;
            }
        }
        let mut sleep = Command::new("sleep");
        way.prepare(sleep.arg("600"), &folder);
        let canary = Canary {
            process: sleep.spawn()?,
            tcp: TcpListener::bind("127.0.0.1:0")?,
            unix,
            folder,
            mark,
        };
        // It sleeps by now, and goes on to.
        let stat = format!("/proc/{}/stat", canary.process.id());
        while !fs::read_to_string(&stat)?.contains("(sleep) S ") {
            std::thread::sleep(Duration::from_millis(5));
        }
        canary.tcp.set_nonblocking(true)?;
        canary.unix.set_nonblocking(true)?;
        Ok(canary)
    }

    /// All that could be changed from outside, in a form to compare.
    fn state(&self, attributes: bool) -> Result<String> {
        let mut state = String::new();
        let mut paths = vec![self.folder.clone()];
        for entry in fs::read_dir(&self.folder)? {
            paths.push(entry?.path());
        }
        paths.sort();
        for path in paths {
            let it = fs::symlink_metadata(&path)?;
            state += &format!("{}: {} {}", path.display(), it.len(), it.ino());
            if attributes {
                let times = (it.mtime(), it.mtime_nsec(), it.ctime(), it.ctime_nsec());
                state += &format!(" {:o} {} {} {times:?}", it.mode(), it.uid(), it.gid());
            }
            state += "\n";
        }
        state += &fs::read_to_string(self.folder.join("victim"))?;
        let proc = PathBuf::from(format!("/proc/{}", self.process.id()));
        state += &fs::read_to_string(proc.join("limits"))?;
        state += &fs::read_to_string(proc.join("oom_score_adj"))?;
        // PID (name) state parent group session terminal ... priority nice
        let stat = fs::read_to_string(proc.join("stat"))?;
        let fields: Vec<&str> = stat.split(' ').collect();
        state += &format!("{:?} {:?}\n", &fields[..7], &fields[17..19]);
        let status = fs::read_to_string(proc.join("status"))?;
        let kept = [
            "Cpus_allowed:",
            "SigBlk:",
            "SigPnd:",
            "Threads:",
            "TracerPid:",
        ];
        let lines = status
            .lines()
            .filter(|line| kept.iter().any(|kept| line.starts_with(kept)));
        lines.for_each(|line| state += &format!("{line}\n"));
        Ok(state)
    }

    fn nobody_called(&self) -> bool {
        self.tcp.accept().is_err() && self.unix.accept().is_err()
    }

    fn nothing_was_made(&self) -> bool {
        ["/tmp", "/var/tmp", "/dev/shm"]
            .iter()
            .all(|folder| !Path::new(folder).join(&self.mark).exists())
    }

    /// Living processes that have inherited the mark.
    fn left(&self) -> Result<Vec<String>> {
        let mut left = Vec::new();
        for entry in fs::read_dir("/proc")? {
            let proc = entry?.path();
            let environment = fs::read(proc.join("environ")).unwrap_or_default();
            if environment
                .windows(self.mark.len())
                .any(|part| part == self.mark.as_bytes())
            {
                let name = fs::read_to_string(proc.join("comm")).unwrap_or_default();
                left.push(format!("{} {}", proc.display(), name.trim()));
            }
        }
        Ok(left)
    }
}

impl Drop for Canary {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Ends in time with a code that says something; what it prints.
fn run(mut command: Command, canary: &Canary) -> Result<String> {
    let said = tempfile::NamedTempFile::new()?;
    command
        .env("ELSEWISE_TEST_MARK", &canary.mark)
        .stdin(Stdio::null())
        .stdout(said.reopen()?)
        .stderr(said.reopen()?);
    let begun = Instant::now();
    let mut child = command.spawn()?;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if begun.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            bail!("{command:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let text = String::from_utf8_lossy(&fs::read(said.path())?).into_owned();
    let honest = status.code().is_some_and(|code| HONEST.contains(&code))
        // It may have been the first that took all of the time.
        || (status.code() == Some(1) && text.contains("error: no run 1 in this campaign"));
    ensure!(honest, "{command:?} ended with {status}: {text}");
    ensure!(!text.contains("not contained"), "{text}");
    Ok(text)
}

/// How many calls were made.
fn stays_inside(way: Way, seed: u64) -> Result<u64> {
    let folder = tempfile::tempdir()?;
    let place = folder.path().join("place");
    let source = folder.path().join("subject.c");
    fs::create_dir(&place)?;
    fs::write(&source, SUBJECT)?;
    if way == Way::Ordinary {
        for path in [folder.path(), &place] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o777))?;
        }
    }
    let mark = format!("elsewise-mark-{}-{seed}-{way:?}", std::process::id());
    let mut canary = Canary::new(way, folder.path().join("canary"), mark)?;
    // Without, they can be changed, and that is said.
    let attributes = way != Way::WithoutNamespaces && elsewise_contain::has_read_only_mounts();
    let before = canary.state(attributes)?;
    let elsewise = |verb: &str| -> Result<Command> {
        let mut command = Command::new(program()?);
        way.prepare(&mut command, folder.path());
        command
            .arg(verb)
            .current_dir(folder.path())
            .env("TMPDIR", &place);
        Ok(command)
    };
    let mut explore = elsewise("explore")?;
    explore
        .args(["subject.c", "--quiet", "--campaign=campaign", "--fresh"])
        .args(["--input-size=1", "--budget=4s", "--timeout=3000"])
        .args(["--memory=128", "--disk=16", "--"])
        .arg(seed.to_string())
        .arg(canary.process.id().to_string())
        .arg(canary.folder.join("victim"))
        .arg(&canary.folder)
        .arg(canary.tcp.local_addr()?.port().to_string())
        .arg(&canary.mark)
        .arg(if attributes { "yes" } else { "no" });
    let mut replay = elsewise("replay")?;
    replay.args(["run:1", "--campaign=campaign"]);
    let mut calls = 0;
    for (index, command) in [explore, replay].into_iter().enumerate() {
        let said = run(command, &canary)?;
        let made = said
            .split("made ")
            .nth(1)
            .and_then(|it| it.split(' ').next());
        calls += made.and_then(|made| made.parse::<u64>().ok()).unwrap_or(0);
        let context = || format!("{way:?}, seed {seed}, step {index}: {said}");
        let ended = canary.process.try_wait()?;
        ensure!(ended.is_none(), "{}: {ended:?}", context());
        let after = canary.state(attributes).with_context(context)?;
        ensure!(before == after, "{}\n{before}\nnow: {after}", context());
        ensure!(canary.nobody_called(), "somebody called: {}", context());
        ensure!(
            canary.nothing_was_made(),
            "something was made: {}",
            context()
        );
        let left = canary.left()?;
        ensure!(left.is_empty(), "{}: {left:?}", context());
        let files: Vec<_> = fs::read_dir(&place)?.collect();
        ensure!(files.is_empty(), "{}: {files:?}", context());
    }
    Ok(calls)
}

#[test]
fn random_system_calls_stay_inside() -> Result<()> {
    let number = |name: &str, usual: u64| -> Result<u64> {
        match std::env::var(name) {
            Ok(text) => Ok(text.parse()?),
            Err(_) => Ok(usual),
        }
    };
    let first = number("ELSEWISE_RANDOM_FIRST", 1)?;
    let count = number("ELSEWISE_RANDOM_SYSCALLS", 1)?;
    let mut calls = 0;
    for seed in first..first + count {
        for way in Way::all()? {
            calls += stays_inside(way, seed)?;
        }
    }
    println!("{calls} calls seen");
    Ok(())
}
