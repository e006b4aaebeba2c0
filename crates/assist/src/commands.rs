//! Commands of this program as child processes, with bounds for what they print.

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Bytes of standard output and of standard error that are kept; a command that prints more is read to its end.
const OUTPUT: usize = 16 << 20;
const ERRORS: usize = 64 << 10;
/// How often is looked whether it has ended.
const LOOK: Duration = Duration::from_millis(20);
/// How long a command that was asked to end may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a command did.
pub struct Done {
    /// None if it was killed.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Done {
    /// What it says is wrong: its last words, without styles.
    pub fn complaint(&self) -> String {
        let text = self.stderr.trim();
        match text.is_empty() {
            true => format!("the command ended with {:?} and said nothing", self.code),
            false => text.to_string(),
        }
    }
}

/// A command at work.
pub struct Running {
    child: Child,
    stdout: Option<JoinHandle<Vec<u8>>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
    asked: Option<Instant>,
}

impl Running {
    /// Starts it in a folder. It ends with this process.
    pub fn start(program: &Path, words: &[String], folder: &Path) -> io::Result<Running> {
        let mut command = Command::new(program);
        command
            .args(words)
            .current_dir(folder)
            .env("NO_COLOR", "1")
            .env("COLUMNS", "100")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Signals for an editor's terminal are not for it, and those for it reach all that it has started.
            .process_group(0);
        let mut child = elsewise_child::spawn(command)?;
        let stdout = child.stdout.take().map(|pipe| reader(pipe, OUTPUT));
        let stderr = child.stderr.take().map(|pipe| reader(pipe, ERRORS));
        Ok(Running {
            child,
            stdout,
            stderr,
            asked: None,
        })
    }

    /// Asks it to end; what it has found until then is kept. It is killed if it does not.
    pub fn stop(&mut self) {
        let signal = match self.asked {
            None => Signal::SIGTERM,
            Some(asked) if asked.elapsed() > PATIENCE => Signal::SIGKILL,
            Some(_) => return,
        };
        self.asked.get_or_insert_with(Instant::now);
        if let Ok(id) = i32::try_from(self.child.id()) {
            // Not reaped yet, so the number is still its own.
            let _ = killpg(Pid::from_raw(id), signal);
        }
    }

    /// Waits for its end for so long.
    pub fn ended(&mut self, time: Duration) -> bool {
        let end = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < end => thread::sleep(LOOK),
                Ok(None) => return false,
                Ok(Some(_)) | Err(_) => return true,
            }
        }
    }

    /// What it did, once it has ended.
    pub fn done(mut self) -> io::Result<Done> {
        let status = self.child.wait()?;
        let text = |pipe: Option<JoinHandle<Vec<u8>>>| {
            let bytes = pipe.and_then(|pipe| pipe.join().ok()).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        Ok(Done {
            code: status.code(),
            stdout: text(self.stdout.take()),
            stderr: text(self.stderr.take()),
        })
    }
}

/// Reads a pipe to its end and keeps the first so many bytes.
fn reader(mut pipe: impl Read + Send + 'static, most: usize) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut kept = Vec::new();
        let mut buffer = [0; 1 << 14];
        while let Ok(read @ 1..) = pipe.read(&mut buffer) {
            let room = most - kept.len();
            kept.extend_from_slice(&buffer[..read.min(room)]);
        }
        kept
    })
}

/// Runs a command that takes no time worth stopping it for; longer than this, it is stopped.
pub fn run(program: &Path, words: &[String], folder: &Path, most: Duration) -> io::Result<Done> {
    let mut running = Running::start(program, words, folder)?;
    if !running.ended(most) {
        running.stop();
        while !running.ended(PATIENCE) {
            running.stop();
        }
    }
    running.done()
}

/// Words as a person would type them into a shell in that folder; for people to read and to copy.
pub fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> (Vec<String>, &'static Path) {
        (words(&["-c", script]), Path::new("/bin/sh"))
    }

    #[test]
    fn what_is_printed_is_kept_and_bounded() {
        let (words, program) = shell("echo out; head -c 100000 /dev/zero >&2; exit 3");
        let done = run(program, &words, Path::new("/"), PATIENCE).unwrap();
        assert_eq!((done.code, done.stdout.as_str()), (Some(3), "out\n"));
        assert_eq!(done.stderr.len(), ERRORS);
    }

    #[test]
    fn whoever_takes_too_long_is_stopped_with_all_that_it_started() {
        let (words, program) = shell("sleep 1000 & wait");
        let began = Instant::now();
        let done = run(program, &words, Path::new("/"), Duration::from_millis(50)).unwrap();
        assert_eq!(done.code, None);
        assert!(began.elapsed() < PATIENCE);
    }
}
