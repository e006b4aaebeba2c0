//! Machines: programs that run subjects of a language for the engine, case after case.

use std::fmt::{self, Debug, Formatter};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// What is started.
pub struct Machine {
    /// But for its streams.
    pub command: Command,
    pub stdio: [OwnedFd; 3],
    /// Descriptors that it finds open under the numbers that they have here.
    pub inherit: Vec<OwnedFd>,
    /// Runs in an empty folder, if its starter has one for it.
    pub own_folder: bool,
}

/// Whoever starts machines.
pub trait Start: Send + Sync {
    fn start(&self, machine: Machine) -> io::Result<Box<dyn Running>>;
}

/// A machine that runs. It and all that came of it end when this is dropped.
pub trait Running: Send {
    /// Whether it has ended.
    fn has_ended(&mut self) -> io::Result<bool>;

    /// It is ready: the processes that it has now are its own.
    fn is_ready(&mut self) -> io::Result<()>;

    /// After a run that has taken so long: ends what that has left, so that the next finds what it found.
    fn clean(&mut self, took: Duration) -> io::Result<Left>;
}

/// What a run of a machine has left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// Processes, which were ended.
    pub processes: usize,
    /// Processes have come and gone, and what was refused to them is not known.
    pub unseen: bool,
}

/// How machines are started: by default, so that they may do what their user may.
#[derive(Clone)]
pub struct Starter(Arc<dyn Start>);

impl Starter {
    pub fn new(start: impl Start + 'static) -> Starter {
        Starter(Arc::new(start))
    }

    pub fn start(&self, machine: Machine) -> io::Result<Box<dyn Running>> {
        self.0.start(machine)
    }
}

impl Default for Starter {
    fn default() -> Starter {
        Starter::new(Freely)
    }
}

impl Debug for Starter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("Starter")
    }
}

struct Freely;

impl Start for Freely {
    fn start(&self, machine: Machine) -> io::Result<Box<dyn Running>> {
        let mut command = machine.command;
        let [input, output, errors] = machine.stdio;
        let inherit = machine.inherit;
        let numbers: Vec<i32> = inherit.iter().map(AsRawFd::as_raw_fd).collect();
        command
            // What the terminal sends to the engine is not for the machine.
            .process_group(0)
            .stdin(Stdio::from(input))
            .stdout(Stdio::from(output))
            .stderr(Stdio::from(errors));
        // SAFETY: plain system calls on descriptors that are open until the process has begun.
        unsafe {
            command.pre_exec(move || {
                for number in &numbers {
                    if libc::fcntl(*number, libc::F_SETFD, 0) < 0 {
                        return Err(io::Error::last_os_error());
                    }
                }
                Ok(())
            });
        }
        let child = crate::spawn(command)?;
        drop(inherit);
        Ok(Box::new(Free(child)))
    }
}

struct Free(Child);

impl Running for Free {
    fn has_ended(&mut self) -> io::Result<bool> {
        Ok(self.0.try_wait()?.is_some())
    }

    fn is_ready(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn clean(&mut self, _: Duration) -> io::Result<Left> {
        Ok(Left::default())
    }
}

impl Drop for Free {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `/dev/null`, for what nobody reads or writes.
pub fn null() -> io::Result<OwnedFd> {
    let mut options = std::fs::File::options();
    Ok(options.read(true).write(true).open("/dev/null")?.into())
}
