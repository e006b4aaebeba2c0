//! The Erlang machine as a process beside the engine, spoken to over a pair of sockets: it may not make any itself.

use crate::etf;
use crate::value::Value;
use elsewise_child::{Left, Machine, Running, Starter, null};
use elsewise_explore::Deadline;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// How often whoever waits for an answer looks whether the time is over.
const LOOK: Duration = Duration::from_millis(50);

/// What runs inside of the machine, compiled there once.
const SOURCES: [(&str, &str); 13] = [
    (
        "elsewise_bifs.erl",
        include_str!("../beam/elsewise_bifs.erl"),
    ),
    (
        "elsewise_cell.erl",
        include_str!("../beam/elsewise_cell.erl"),
    ),
    (
        "elsewise_core.erl",
        include_str!("../beam/elsewise_core.erl"),
    ),
    (
        "elsewise_events.hrl",
        include_str!("../beam/elsewise_events.hrl"),
    ),
    (
        "elsewise_instrument.erl",
        include_str!("../beam/elsewise_instrument.erl"),
    ),
    (
        "elsewise_load.erl",
        include_str!("../beam/elsewise_load.erl"),
    ),
    (
        "elsewise_models.erl",
        include_str!("../beam/elsewise_models.erl"),
    ),
    (
        "elsewise_receive.erl",
        include_str!("../beam/elsewise_receive.erl"),
    ),
    ("elsewise_rt.erl", include_str!("../beam/elsewise_rt.erl")),
    (
        "elsewise_sched.erl",
        include_str!("../beam/elsewise_sched.erl"),
    ),
    (
        "elsewise_server.erl",
        include_str!("../beam/elsewise_server.erl"),
    ),
    (
        "elsewise_state.erl",
        include_str!("../beam/elsewise_state.erl"),
    ),
    (
        "elsewise_watch.erl",
        include_str!("../beam/elsewise_watch.erl"),
    ),
];

#[derive(Debug, thiserror::Error)]
pub enum VmError {
    #[error(
        "{program} cannot be started ({source}): install Erlang, on Debian `apt install erlang-base erlang-dev erlang-tools`"
    )]
    Missing {
        program: String,
        source: std::io::Error,
    },
    #[error("the helper could not be compiled by {program}:\n{output}")]
    Helper { program: String, output: String },
    #[error("the Erlang machine does not answer: {0}")]
    Silent(String),
    #[error("{0}")]
    Refused(String),
    #[error("the time was over before it answered")]
    Late,
}

/// Folder with the helper's compiled modules: kept for the user, since it takes seconds to make.
pub fn helper() -> Result<PathBuf, VmError> {
    let mut name = rustc_hash::FxHasher::default();
    use std::hash::{Hash, Hasher};
    SOURCES.hash(&mut name);
    installed().hash(&mut name);
    let name = format!("{:016x}", name.finish());
    let folder = cache().join("erlang").join(name);
    if folder.join("done").exists() {
        return Ok(folder);
    }
    let failed = |error: std::io::Error| VmError::Silent(format!("{}: {error}", folder.display()));
    let parent = folder.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).map_err(failed)?;
    // Made beside it and moved there: two that begin at once do not meet.
    let made = tempfile::Builder::new()
        .prefix("new-")
        .tempdir_in(parent)
        .map_err(failed)?;
    for (name, text) in SOURCES {
        std::fs::write(made.path().join(name), text).map_err(failed)?;
    }
    let names = SOURCES.iter().map(|(name, _)| name);
    let modules = names.filter(|name| name.ends_with(".erl"));
    let output = Command::new("erlc")
        .current_dir(made.path())
        .args(["+deterministic", "+debug_info"])
        .args(modules)
        .output()
        .map_err(|source| VmError::Missing {
            program: "erlc".into(),
            source,
        })?;
    if !output.status.success() {
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        return Err(VmError::Helper {
            program: "erlc".into(),
            output: text,
        });
    }
    std::fs::write(made.path().join("done"), "").map_err(failed)?;
    let made = made.keep();
    if std::fs::rename(&made, &folder).is_err() {
        // Another was faster.
        let _ = std::fs::remove_dir_all(&made);
    }
    Ok(folder)
}

fn cache() -> PathBuf {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(home)
        .unwrap_or_else(std::env::temp_dir)
        .join("elsewise")
}

/// Which Erlang there is, without starting it: where it lies, and since when.
fn installed() -> Option<(PathBuf, std::time::SystemTime)> {
    let paths = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&paths).map(|folder| folder.join("erl"));
    let program = found.filter_map(|path| path.canonicalize().ok()).next()?;
    let since = program.metadata().ok()?.modified().ok()?;
    Some((program, since))
}

/// A machine that has been started, and may not be there yet.
pub struct Starting(Vm);

impl Starting {
    /// Starts a machine whose helper has been compiled to `helper`, in a folder.
    pub fn new(
        starter: &Starter,
        helper: &Path,
        folder: &Path,
        paths: &[PathBuf],
    ) -> Result<Starting, VmError> {
        let silent = |error: std::io::Error| VmError::Silent(error.to_string());
        let (ours, theirs) = UnixStream::pair().map_err(silent)?;
        let input = OwnedFd::from(theirs.try_clone().map_err(silent)?);
        let output = OwnedFd::from(theirs);
        let mut command = Command::new("erl");
        command
            .args([
                "+S", "1:1", "+sbwt", "none", "+A", "1", "-noshell", "-noinput",
            ])
            .args(["-boot", "start_clean", "-kernel", "error_logger", "silent"])
            .arg("-pa")
            .arg(helper)
            .args(paths)
            .args(["-s", "elsewise_server", "start"])
            .args([input.as_raw_fd(), output.as_raw_fd()].map(|number| number.to_string()))
            .current_dir(folder)
            // A dump of a machine that was ended is of no use to anybody.
            .env("ERL_CRASH_DUMP_SECONDS", "0");
        let null = || null().map_err(silent);
        let machine = Machine {
            command,
            stdio: [null()?, null()?, null()?],
            inherit: vec![input, output],
            own_folder: true,
        };
        let process = starter.start(machine).map_err(|source| VmError::Missing {
            program: "erl".into(),
            source,
        })?;
        Ok(Starting(Vm {
            process,
            stream: ours,
        }))
    }

    /// What is asked of it is answered when it is there.
    pub fn vm(self) -> Vm {
        self.0
    }
}

pub struct Vm {
    process: Box<dyn Running>,
    stream: UnixStream,
}

impl Vm {
    /// Asks, and waits for the answer at most so long.
    pub fn ask(&mut self, request: &Value, limit: Duration) -> Result<Value, VmError> {
        self.tell(request)?;
        self.answer(limit)
    }

    /// The same, unless the time is over before.
    pub fn ask_until(
        &mut self,
        request: &Value,
        limit: Duration,
        deadline: &Deadline,
    ) -> Result<Value, VmError> {
        self.tell(request)?;
        self.answer_until(limit, deadline)
    }

    /// Asks; the answer to it is the next.
    pub fn tell(&mut self, request: &Value) -> Result<(), VmError> {
        let silent = |error: std::io::Error| VmError::Silent(error.to_string());
        let bytes = etf::encode(request);
        let size = (bytes.len() as u32).to_be_bytes();
        self.stream.write_all(&size).map_err(silent)?;
        self.stream.write_all(&bytes).map_err(silent)
    }

    pub fn answer(&mut self, limit: Duration) -> Result<Value, VmError> {
        self.answer_until(limit, &Deadline::default())
    }

    fn answer_until(&mut self, limit: Duration, deadline: &Deadline) -> Result<Value, VmError> {
        let end = Instant::now() + limit;
        let size = self.take(4, end, deadline)?;
        let size = size
            .iter()
            .fold(0, |size, byte| size << 8 | usize::from(*byte));
        let answer = self.take(size, end, deadline)?;
        let answer = etf::decode(&answer)
            .ok_or_else(|| VmError::Silent("its answer cannot be read".into()))?;
        match answer.as_tuple() {
            Some([kind, text]) if kind.is_atom("error") => {
                Err(VmError::Refused(crate::program::text(text)))
            }
            _ => Ok(answer),
        }
    }

    /// It is loaded.
    pub fn is_ready(&mut self) -> Result<(), VmError> {
        let silent = |error: std::io::Error| VmError::Silent(error.to_string());
        self.process.is_ready().map_err(silent)
    }

    /// Ends what a run has left.
    pub fn clean(&mut self, took: Duration) -> Result<Left, VmError> {
        let silent = |error: std::io::Error| VmError::Silent(error.to_string());
        self.process.clean(took).map_err(silent)
    }

    /// Waits for so many bytes. Room is made for what comes, not for what is announced: the subject may have
    /// written it.
    fn take(&mut self, size: usize, end: Instant, deadline: &Deadline) -> Result<Vec<u8>, VmError> {
        use std::io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
        let silent = |error: std::io::Error| VmError::Silent(error.to_string());
        self.stream.set_read_timeout(Some(LOOK)).map_err(silent)?;
        let mut taken = Vec::new();
        let mut piece = [0; 1 << 16];
        while taken.len() < size {
            let room = piece.len().min(size - taken.len());
            match self.stream.read(&mut piece[..room]) {
                Ok(0) => return Err(VmError::Silent("it has ended".into())),
                Ok(more) => taken.extend(&piece[..more]),
                Err(error) if [Interrupted, TimedOut, WouldBlock].contains(&error.kind()) => {}
                Err(error) => return Err(silent(error)),
            }
            if taken.len() < size && deadline.is_over() {
                return Err(VmError::Late);
            }
            if taken.len() < size && Instant::now() > end {
                return Err(VmError::Silent("it takes too long".into()));
            }
        }
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    struct Nothing;

    impl Running for Nothing {
        fn has_ended(&mut self) -> std::io::Result<bool> {
            Ok(false)
        }

        fn is_ready(&mut self) -> std::io::Result<()> {
            Ok(())
        }

        fn clean(&mut self, _took: Duration) -> std::io::Result<Left> {
            Ok(Left::default())
        }
    }

    /// A subject can write to the engine: a large answer is announced, and does not come.
    #[test]
    fn an_answer_that_does_not_end_is_waited_for_until_the_time_is_over() {
        let (stream, mut theirs) = UnixStream::pair().unwrap();
        let mut vm = Vm {
            process: Box::new(Nothing),
            stream,
        };
        theirs.write_all(&[0x7f, 255, 255, 255, 131]).unwrap();
        let began = Instant::now();
        let deadline = Deadline::new(Some(began + Duration::from_millis(200)), Arc::default());
        let answer = vm.answer_until(Duration::from_secs(60), &deadline);
        assert!(matches!(answer, Err(VmError::Late)), "{answer:?}");
        assert!(began.elapsed() < Duration::from_secs(20));

        theirs.write_all(&[0, 0, 0, 3, 131, 97, 7]).unwrap();
        let end = Instant::now() + Duration::from_millis(200);
        let never = Deadline::default();
        assert!(matches!(vm.take(4, end, &never), Ok(bytes) if bytes == [0, 0, 0, 3]));
        assert!(matches!(vm.take(9, end, &never), Err(VmError::Silent(_))));
    }
}
