//! The engine's end of the fork server.
//!
//! The instrumented program runs once up to its first input; from there it forks a process for a
//! case, which has the next one, too, if it can put itself back (the runtime's `runner.rs`). Every
//! so often a case is run again in a process of its own, and both traces must be the same. A server
//! that dies is started again; a process that takes too long is killed.

use crate::NativeError;
use crate::contain::{self, Area, Containment, Jail, Mark, Overrun};
use crate::decode::Stdin;
use crate::main_input::MainInput;
use crate::memory::{Capacities, SharedMemory};
use crate::process;
use crate::surroundings::Surroundings;
use elsewise_wire as wire;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What the server itself may take to answer, beyond the run.
const PATIENCE: Duration = Duration::from_secs(10);
/// A run that waits for a processor is given so many times its limit.
const STARVED: u32 = 10;
/// From so many nodes on, their memory is given back after the run.
const MANY_NODES: u64 = 1 << 22;
/// A run that takes longer than this is looked at again and again: does it fill the disk, or start
/// processes without end?
const LOOK: Duration = Duration::from_millis(50);

/// Of so many runs of processes that have several, one is compared with a run that has a process of
/// its own; of the first ones, more.
const COMPARED: u64 = 256;
/// Traces of more bytes are not compared.
const MOST_COMPARED: usize = 16 << 20;

#[derive(Clone, Debug)]
pub struct ServerSettings {
    pub program: PathBuf,
    pub surroundings: Surroundings,
    pub capacities: Capacities,
    /// Wall-clock time of one run.
    pub time_limit: Duration,
    /// Time up to the first input.
    pub start_limit: Duration,
    /// Bytes that a run may take; 0 = no limit.
    pub memory_limit: u64,
    /// Ask what input would make an operation go wrong.
    pub checks: bool,
    pub stdin: Stdin,
    /// A process that can put itself back has many runs.
    pub reuse: bool,
    pub containment: Containment,
}

impl ServerSettings {
    pub fn new(program: impl Into<PathBuf>) -> ServerSettings {
        ServerSettings {
            program: program.into(),
            surroundings: Surroundings::default(),
            capacities: Capacities::default(),
            time_limit: Duration::from_secs(2),
            start_limit: Duration::from_secs(20),
            memory_limit: 0,
            checks: true,
            stdin: Stdin::Fixed(0),
            reuse: true,
            containment: Containment::default(),
        }
    }
}

/// How a run ended, as the system saw it. The rest is in the shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawRun {
    /// As from `waitpid`.
    pub status: i32,
    pub timed_out: bool,
    pub cpu_micros: u64,
    /// Processes that it left behind, and that were ended.
    pub left: usize,
    pub overrun: Option<Overrun>,
    /// Its process has put itself back and waits for another run.
    pub again: bool,
    /// It was not what the same run is in a process of its own.
    pub unlike: bool,
}

/// An input of a case: its name, its occurrence and its bytes.
pub type Stream<'a> = (Vec<u8>, u32, &'a [u8]);

pub struct Server {
    settings: ServerSettings,
    input: MainInput,
    memory: SharedMemory,
    state: State,
    /// What was covered before the first input: part of every run.
    base_coverage: Vec<u8>,
    /// Files in the program's memory when it stood before its first input.
    mapped: Vec<Mapped>,
    /// Runs after which the process had put itself back.
    again: u64,
    /// Nobody can have changed the main input since it was written.
    input_is_safe: bool,
}

/// A file in a process's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    pub path: PathBuf,
    /// Address of the file's beginning, and of the end of what is mapped.
    pub low: u64,
    pub high: u64,
}

/// The executable files that a process has in its memory, from the lines of its `maps`.
fn parse_maps(text: &str) -> Vec<Mapped> {
    let mut out: Vec<Mapped> = Vec::new();
    for line in text.lines() {
        let mut words = line.splitn(6, ' ');
        let (Some(range), Some(path)) = (words.next(), words.nth(4)) else {
            continue;
        };
        let path = path.trim_start();
        let hex = |word| u64::from_str_radix(word, 16).ok();
        let bounds = range.split_once('-').and_then(|(a, b)| hex(a).zip(hex(b)));
        let Some((low, high)) = bounds.filter(|_| path.starts_with('/')) else {
            continue;
        };
        match out
            .iter_mut()
            .find(|mapped| mapped.path.as_os_str() == path)
        {
            Some(mapped) => mapped.high = mapped.high.max(high),
            None => out.push(Mapped {
                path: path.into(),
                low,
                high,
            }),
        }
    }
    out
}

enum State {
    Stopped,
    Running(Running),
    /// The program ended without asking for input: every run is this one.
    Finished(RawRun),
}

struct Running {
    child: Child,
    control: File,
    status: File,
    cell: Option<Cell>,
    /// The process that waits for another run.
    waiting: Option<Process>,
}

/// A process that the server has forked.
#[derive(Clone, Copy)]
struct Process {
    pid: i32,
    /// Processor time of its earlier runs.
    cpu_micros: u64,
}

impl Process {
    fn new(started: wire::Status) -> Process {
        Process {
            pid: started.value,
            cpu_micros: 0,
        }
    }
}

/// Where the server and its runs are confined.
struct Cell {
    area: Area,
    mark: Mark,
    disk_limit: u64,
    /// The server, and processes that it started before the first input.
    spared: Vec<i32>,
}

impl Cell {
    fn overrun(&self) -> Option<Overrun> {
        if self.mark.processes().len() > contain::MAX_PROCESSES + self.spared.len() {
            return Some(Overrun::Processes);
        }
        self.area.is_over(self.disk_limit).then_some(Overrun::Disk)
    }

    /// Makes the directory ready for the next run, and says whether this one wrote too much.
    fn tidy(&self) -> Result<Option<Overrun>, Lost> {
        if !self.area.may_have_changed() {
            return Ok(None);
        }
        let over = self.area.is_over(self.disk_limit);
        match self.area.restore() {
            Ok(()) => Ok(over.then_some(Overrun::Disk)),
            // The next run must not see what this one wrote: another server has a new directory.
            Err(error) => Err(Lost(format!("its directory cannot be emptied: {error}"))),
        }
    }
}

enum Heard {
    Status(wire::Status),
    Nothing,
    Closed,
}

/// The server is gone; a new one can be started.
struct Lost(String);

impl Server {
    /// Starts the program and waits until it stands before its first input, or has ended.
    pub fn start(settings: ServerSettings) -> Result<Server, NativeError> {
        let place = settings.containment.place.clone();
        let folder = place.unwrap_or_else(std::env::temp_dir);
        let input = match settings.surroundings.names_file() {
            true => MainInput::path(&folder),
            false => MainInput::stdin(),
        };
        let input = input.map_err(|error| {
            NativeError::Start(format!(
                "no file for its input in {}: {error}; set TMPDIR to a directory that can be \
                 written to",
                folder.display()
            ))
        })?;
        let memory = new_memory(&settings)?;
        let mut server = Server {
            settings,
            input,
            memory,
            state: State::Stopped,
            base_coverage: Vec::new(),
            mapped: Vec::new(),
            again: 0,
            input_is_safe: false,
        };
        server.launch()?;
        Ok(server)
    }

    pub fn memory(&self) -> &SharedMemory {
        &self.memory
    }

    /// Files in the program's memory when it stood before its first input.
    pub fn mapped(&self) -> &[Mapped] {
        &self.mapped
    }

    /// Runs after which their process was again what it had been before.
    pub fn runs_put_back(&self) -> u64 {
        self.again
    }

    pub fn settings(&self) -> &ServerSettings {
        &self.settings
    }

    /// How the program ended, if it did so without asking for input.
    pub fn finished(&self) -> Option<RawRun> {
        match self.state {
            State::Finished(run) => Some(run),
            _ => None,
        }
    }

    /// Runs a case, given as streams (name, occurrence, bytes) the main input first.
    pub fn run(&mut self, case: &[Stream<'_>]) -> Result<RawRun, NativeError> {
        let mut run = self.run_once(case, wire::COMMAND_RUN)?;
        if run.again {
            self.again += 1;
            let due = self.again.is_power_of_two() || self.again.is_multiple_of(COMPARED);
            let seen = due.then(|| self.memory.written(MOST_COMPARED)).flatten();
            if let Some(seen) = seen {
                let alone = self.run_once(case, wire::COMMAND_RUN_ALONE)?;
                let same = alone.status == run.status
                    && self.memory.written(MOST_COMPARED).as_ref() == Some(&seen);
                if !same {
                    self.settings.reuse = false;
                    self.memory.allow_reuse(false);
                }
                let cpu_micros = run.cpu_micros + alone.cpu_micros;
                run = RawRun {
                    cpu_micros,
                    unlike: !same,
                    ..alone
                };
            }
        }
        Ok(run)
    }

    fn run_once(&mut self, case: &[Stream<'_>], command: u8) -> Result<RawRun, NativeError> {
        let mut reasons = Vec::new();
        for _ in 0..2 {
            if matches!(self.state, State::Stopped) {
                self.memory = new_memory(&self.settings)?;
                self.launch()?;
            }
            if let State::Finished(run) = self.state {
                return Ok(run);
            }
            self.lay_down(case)?;
            let State::Running(running) = &mut self.state else {
                continue;
            };
            match running.run(command, self.settings.time_limit) {
                Ok(run) => {
                    self.input_is_safe = run.again;
                    return Ok(run);
                }
                Err(Lost(reason)) => {
                    self.stop();
                    reasons.push(reason);
                }
            }
        }
        Err(NativeError::Start(format!(
            "the fork server was lost twice on one case: {}",
            reasons.join("; ")
        )))
    }

    /// Makes the shared memory and the main input ready for a run.
    fn lay_down(&mut self, case: &[Stream<'_>]) -> Result<(), NativeError> {
        if self.memory.counters().nodes > MANY_NODES {
            self.memory.release_nodes();
        }
        self.memory.reset_counters();
        self.memory.set_coverage(&self.base_coverage);
        let streams = case
            .iter()
            .map(|(name, occurrence, bytes)| (name.as_slice(), *occurrence, *bytes));
        if !self.memory.set_input(streams) {
            return Err(NativeError::Start(format!(
                "the case does not fit the {} bytes that are set aside for it",
                self.settings.capacities.input
            )));
        }
        let main = case.first().map_or(&[][..], |(_, _, bytes)| *bytes);
        let written = self.input.write(main, self.input_is_safe);
        written
            .and_then(|()| self.input.identity())
            .map(|identity| self.memory.set_file(identity))
            .map_err(|error| NativeError::Start(format!("its input cannot be written: {error}")))
    }

    fn launch(&mut self) -> Result<(), NativeError> {
        let start = |error: io::Error| {
            NativeError::Start(format!("{}: {error}", self.settings.program.display()))
        };
        let (control_read, control_write) = process::pipe().map_err(start)?;
        let (status_read, status_write) = process::pipe().map_err(start)?;
        let shared: OwnedFd = {
            use std::os::fd::AsFd;
            process::raise(self.memory.as_fd().try_clone_to_owned().map_err(start)?)
        };
        self.memory.set_file(self.input.identity().map_err(start)?);
        let ready = self.settings.surroundings.for_server(self.input.named());
        // Its directory is not the one that the path was given in.
        let program = std::path::absolute(&self.settings.program).map_err(start)?;
        let mut command = Command::new(program);
        command
            .args(&ready.args)
            .envs(ready.env)
            .env(wire::ENV_SHM, shared.as_raw_fd().to_string())
            .env(
                wire::ENV_CTL,
                format!("{},{}", control_read.as_raw_fd(), status_write.as_raw_fd()),
            )
            .stdin(self.input.standard_input().map_err(start)?)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let inherit = vec![
            shared.as_raw_fd(),
            control_read.as_raw_fd(),
            status_write.as_raw_fd(),
        ];
        let containment = &self.settings.containment;
        let mut cell = None;
        let mut jail = None;
        if containment.on {
            let area = Area::new(containment.place.as_deref()).map_err(start)?;
            let prepared = Jail::new(containment, &[area.path()]).map_err(start)?;
            contain::place(&mut command, containment, area.path());
            cell = Some(Cell {
                area,
                mark: prepared.mark(),
                disk_limit: containment.disk_limit,
                spared: Vec::new(),
            });
            jail = Some(prepared.adopting());
        }
        process::contain(&mut command, inherit, None, jail);
        let child = command.spawn().map_err(start)?;
        drop((control_read, status_write, shared));
        let mut running = Running {
            child,
            control: File::from(control_write),
            status: File::from(status_read),
            cell,
            waiting: None,
        };
        match running.wait_ready(self.settings.start_limit)? {
            Ready::Yes => {
                if let Some(cell) = &mut running.cell {
                    cell.area.keep().map_err(start)?;
                    cell.spared = cell.mark.processes();
                }
                // Without it, places in shared libraries are not known; nothing else is lost.
                let maps = fs::read_to_string(format!("/proc/{}/maps", running.child.id()));
                self.mapped = parse_maps(&maps.unwrap_or_default());
                self.base_coverage = self.memory.coverage(self.memory.counters().sides);
                self.state = State::Running(running);
            }
            Ready::Ended(run) => self.state = State::Finished(run),
        }
        Ok(())
    }

    fn stop(&mut self) {
        self.input_is_safe = false;
        self.state = State::Stopped;
    }
}

fn new_memory(settings: &ServerSettings) -> Result<SharedMemory, NativeError> {
    let free = matches!(settings.stdin, Stdin::Free { .. });
    let memory = SharedMemory::create(settings.capacities, free, settings.memory_limit)
        .map_err(|error| NativeError::Start(format!("no shared memory for the trace: {error}")))?;
    let max = match settings.stdin {
        Stdin::Fixed(size) => size,
        Stdin::Free { max } => max,
    };
    memory.set_main(settings.surroundings.main_key(), max);
    memory.set_given(&settings.surroundings.given());
    memory.limit_cpu(settings.time_limit * (STARVED + 1));
    memory.ask_checks(settings.checks);
    memory.allow_reuse(settings.reuse);
    Ok(memory)
}

enum Ready {
    Yes,
    Ended(RawRun),
}

impl Running {
    fn wait_ready(&mut self, limit: Duration) -> Result<Ready, NativeError> {
        let deadline = Instant::now() + limit;
        let lost = |error: io::Error| NativeError::Start(error.to_string());
        loop {
            // Short waits: a process that the program left behind may hold the pipe open.
            let slice = Duration::from_millis(20);
            match self.hear(slice).map_err(lost)? {
                Heard::Status(status) if status.kind == wire::StatusKind::Ready as u32 => {
                    return Ok(Ready::Yes);
                }
                Heard::Status(status) if status.kind == wire::StatusKind::Failed as u32 => {
                    let error = io::Error::from_raw_os_error(status.value);
                    return Err(NativeError::Start(format!(
                        "its runtime cannot work here: {error}"
                    )));
                }
                Heard::Status(status) => {
                    return Err(NativeError::Start(format!(
                        "its runtime reports {} before it is ready; build the program again",
                        status.kind
                    )));
                }
                Heard::Nothing | Heard::Closed => {}
            }
            if let Some(status) = self.child.try_wait().map_err(lost)? {
                process::sweep(self.child.id() as i32);
                let cell = self.cell.as_ref();
                return Ok(Ready::Ended(RawRun {
                    status: status.into_raw(),
                    timed_out: false,
                    cpu_micros: 0,
                    left: cell.map_or(0, |cell| cell.mark.end(&[])),
                    overrun: cell.and_then(Cell::overrun),
                    again: false,
                    unlike: false,
                }));
            }
            if Instant::now() >= deadline {
                return Err(NativeError::Start(format!(
                    "it asked for no input and did not end within {limit:?}"
                )));
            }
            if matches!(self.hear(Duration::ZERO), Ok(Heard::Closed)) {
                // The pipe is closed but the program goes on: do not spin.
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    fn run(&mut self, command: u8, limit: Duration) -> Result<RawRun, Lost> {
        self.control
            .write_all(&[command])
            .map_err(|error| Lost(format!("it takes no commands: {error}")))?;
        let waiting = self.waiting.take();
        let mut process = match waiting.filter(|_| command == wire::COMMAND_RUN) {
            Some(process) => process,
            None => self
                .next_status(PATIENCE)?
                .filter(|status| status.kind == wire::StatusKind::Started as u32)
                .map(Process::new)
                .ok_or_else(|| Lost("it did not start a run".into()))?,
        };
        let result = self.follow(&mut process, limit);
        if result.is_err() {
            // Nobody else would end a run whose server is gone.
            process::kill(process.pid);
        }
        result
    }

    /// Waits for the end of a run, and sees to it.
    fn follow(&mut self, process: &mut Process, limit: Duration) -> Result<RawRun, Lost> {
        let begin = Instant::now();
        let mut timed_out = false;
        let mut overrun = None;
        let mut allowed = limit;
        let ended = loop {
            let left = (begin + allowed).saturating_duration_since(Instant::now());
            let watched = self.cell.is_some() && !timed_out;
            let wait = if watched { left.min(LOOK) } else { left };
            match self.next_status(wait)? {
                Some(status) if status.kind == wire::StatusKind::Ended as u32 => break status,
                // The process that waited was ended by somebody, and there is another.
                Some(status) if status.kind == wire::StatusKind::Started as u32 => {
                    *process = Process::new(status);
                    continue;
                }
                Some(status) => {
                    return Err(Lost(format!("it reports {} out of turn", status.kind)));
                }
                None => {}
            }
            if wait < left {
                overrun = self.cell.as_ref().and_then(Cell::overrun);
                if overrun.is_none() {
                    continue;
                }
            }
            if timed_out {
                return Err(Lost("it did not notice the end of a run".into()));
            }
            // A run that had no processor has not used up its time.
            let earlier = Duration::from_micros(process.cpu_micros);
            let starved = overrun.is_none()
                && process::activity(process.pid).is_some_and(|(running, cpu)| {
                    running && cpu.saturating_sub(earlier) < limit * 4 / 5
                });
            if starved && allowed < limit * STARVED {
                allowed += limit;
                continue;
            }
            timed_out = true;
            allowed = begin.elapsed() + PATIENCE;
            process::kill(process.pid);
        };
        let again = ended.again != 0 && !timed_out;
        let mut left = 0;
        if again {
            self.waiting = Some(Process {
                cpu_micros: ended.cpu_micros,
                ..*process
            });
        } else {
            process::sweep(process.pid);
            if let Some(cell) = &self.cell {
                if ended.left != 0 {
                    let found = cell.mark.end(&cell.spared);
                    // Those of the run's own group may be gone already.
                    let only_server = cell.spared.len() <= 1;
                    left = found.max(usize::from(only_server));
                }
                overrun = overrun.or(cell.tidy()?);
            }
        }
        Ok(RawRun {
            status: ended.value,
            timed_out: timed_out && overrun.is_none(),
            cpu_micros: ended.cpu_micros.saturating_sub(process.cpu_micros),
            left,
            overrun,
            again,
            unlike: false,
        })
    }

    /// The next status; `None` when the time is up.
    fn next_status(&mut self, limit: Duration) -> Result<Option<wire::Status>, Lost> {
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.hear(left) {
                Ok(Heard::Status(status)) => return Ok(Some(status)),
                Ok(Heard::Closed) => return Err(Lost("it ended".into())),
                Ok(Heard::Nothing) if left.is_zero() => return Ok(None),
                Ok(Heard::Nothing) => {}
                Err(error) => return Err(Lost(error.to_string())),
            }
        }
    }

    fn hear(&mut self, limit: Duration) -> io::Result<Heard> {
        if !process::wait_readable(&[self.status.as_raw_fd()], limit)? {
            return Ok(Heard::Nothing);
        }
        let mut bytes = [0u8; size_of::<wire::Status>()];
        // Whole statuses only: the server writes each at once.
        match self.status.read(&mut bytes)? {
            0 => Ok(Heard::Closed),
            length if length == bytes.len() => {
                let word = |at: usize| {
                    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
                };
                Ok(Heard::Status(wire::Status {
                    kind: word(0),
                    value: word(4) as i32,
                    cpu_micros: u64::from(word(8)) | u64::from(word(12)) << 32,
                    left: word(16),
                    again: word(20),
                }))
            }
            _ => Err(io::Error::other("half a status")),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The server ends itself on this command; what cannot hear it any more is killed. A
        // server that is gone already is no error.
        let _ = self.control.write_all(&[wire::COMMAND_QUIT]);
        process::kill(self.child.id() as i32);
        let _ = self.child.wait();
        if let Some(cell) = &self.cell {
            cell.mark.end(&[]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_memory() {
        let text = "5000-6000 r--p 00000000 fe:01 10 /bin/a b\n\
            6000-8000 r-xp 00001000 fe:01 10 /bin/a b\n\
            7ff0-7ff8 rw-p 00000000 00:00 0 \n\
            7ffd-7fff rw-p 00000000 00:00 0          [stack]\nnonsense\n";
        let found = parse_maps(text);
        assert_eq!(
            found,
            [Mapped {
                path: "/bin/a b".into(),
                low: 0x5000,
                high: 0x8000
            }]
        );
    }
}
