//! The engine's end of the fork server.
//!
//! The instrumented program runs once up to its first input; from there it forks a process for a
//! case, which has the next one, too, if it can put itself back (the runtime's `runner.rs`). Every
//! so often a case is run again in a process of its own, and both traces must be the same. A server
//! that dies is started again; a process that takes too long is killed.

mod running;

use crate::main_input::MainInput;
use crate::mapped::{Mapped, parse_maps};
use crate::memory::{Capacities, SharedMemory};
use crate::started::Started;
use crate::streams::Stdin;
use crate::surroundings::Surroundings;
use elsewise_contain as contain;
use elsewise_contain::process::{self, Limits};
use elsewise_contain::{Area, Bounds, Containment, Jail, Launch, Overrun, SupervisedProcess};
use elsewise_driver::NativeError;
use elsewise_explore::Deadline;
use elsewise_wire as wire;
use elsewise_wire::threads::MemoryModel;
use running::{Cell, Lost, Ready, Running};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What the server itself may take to answer, beyond the run.
const PATIENCE: Duration = Duration::from_secs(10);
/// A run that waits for a processor is given so many times its limit.
const STARVED: u32 = 10;
/// From so many nodes on, their memory is given back after the run.
const MANY_NODES: u64 = 1 << 22;
/// Of so many runs of processes that have several, one is compared with a run that has a process of
/// its own; of the first ones, more.
const COMPARED: u64 = 256;
/// Traces of more bytes are not compared.
const MOST_COMPARED: usize = 16 << 20;

/// Moves that the threads of a run may make, unless told otherwise.
pub const MOVES: u64 = 100_000;

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
    /// Sanitizers tell objects apart that lie side by side.
    pub objects: bool,
    pub stdin: Stdin,
    /// Moves that the threads of a run may make.
    pub move_limit: u64,
    /// Waits of each thread for a condition that may end without a signal.
    pub spurious: u64,
    /// When others see what a thread stores.
    pub memory_model: MemoryModel,
    /// Calls of operations are told.
    pub operations: bool,
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
            objects: false,
            stdin: Stdin::Fixed(0),
            move_limit: MOVES,
            spurious: 0,
            memory_model: MemoryModel::default(),
            operations: false,
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
    deadline: Deadline,
}

enum State {
    Stopped,
    Running(Running),
    /// The program ended without asking for input: every run is this one.
    Finished(RawRun),
}

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
            deadline: Deadline::default(),
        };
        server.launch()?;
        let begun = server.memory.counters().modules_used > 0;
        if matches!(server.state, State::Finished(_)) && !begun {
            return Err(NativeError::Start(server.loader_says()?));
        }
        Ok(server)
    }

    pub fn memory(&self) -> &SharedMemory {
        &self.memory
    }

    /// Runs that are still at work then are lost.
    pub fn keep_to(&mut self, deadline: Deadline) {
        self.deadline = deadline;
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

    /// Runs a case in a process of its own.
    pub fn run_alone(&mut self, case: &[Stream<'_>]) -> Result<RawRun, NativeError> {
        self.run_once(case, wire::COMMAND_RUN_ALONE)
    }

    /// Runs a case in a process of its own, its operations one after the other.
    pub fn run_serial(&mut self, case: &[Stream<'_>]) -> Result<RawRun, NativeError> {
        self.memory
            .tell_operations(wire::threads::operations::SERIAL);
        let run = self.run_once(case, wire::COMMAND_RUN_ALONE);
        self.memory.tell_operations(wire::threads::operations::TOLD);
        run
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
            match running.run(command, self.settings.time_limit, &self.deadline) {
                Ok(run) => {
                    self.input_is_safe = run.again;
                    return Ok(run);
                }
                Err(Lost(reason)) => {
                    self.stop();
                    if self.deadline.is_over() {
                        return Err(NativeError::Late);
                    }
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

    /// What the loader says of a program in which nothing ran.
    fn loader_says(&mut self) -> Result<String, NativeError> {
        let failed = self.start_error();
        let (said, stderr) = process::pipe().map_err(&failed)?;
        self.spawn(stderr)?.wait_ready(self.settings.start_limit)?;
        let mut text = [0; 4096];
        let mut length = 0;
        if process::wait_readable(&[said.as_raw_fd()], Duration::ZERO).map_err(&failed)? {
            length = File::from(said).read(&mut text).map_err(&failed)?;
        }
        Ok(match String::from_utf8_lossy(&text[..length]).trim() {
            "" => "it ended before anything in it ran".into(),
            said => said.into(),
        })
    }

    fn launch(&mut self) -> Result<(), NativeError> {
        let null = process::null().map_err(self.start_error())?;
        let mut running = self.spawn(null)?;
        match running.wait_ready(self.settings.start_limit)? {
            Ready::Yes => {
                let family = running.server.family();
                running.spared = family.numbers().map_err(self.start_error())?;
                // Without it, places in shared libraries are not known; nothing else is lost.
                let maps = family.read_of(running.server.first(), "maps");
                if let Some(cell) = &mut running.cell {
                    cell.area.keep().map_err(self.start_error())?;
                    // What the server has, its runs have from the start.
                    let server = family.memory_of(running.server.first());
                    cell.bounds.memory = contain::memory_of_all(self.settings.memory_limit, server);
                }
                self.mapped = parse_maps(&maps.unwrap_or_default());
                self.base_coverage = self.memory.coverage(self.memory.counters().sides);
                self.state = State::Running(running);
            }
            Ready::Ended(run) => self.state = State::Finished(run),
        }
        Ok(())
    }

    fn start_error(&self) -> impl Fn(io::Error) -> NativeError + use<> {
        let program = self.settings.program.clone();
        move |error| NativeError::Start(format!("{}: {error}", program.display()))
    }

    fn spawn(&mut self, stderr: OwnedFd) -> Result<Running, NativeError> {
        let start = self.start_error();
        let (control_read, control_write) = process::pipe().map_err(&start)?;
        let (status_read, status_write) = process::pipe().map_err(&start)?;
        let shared: OwnedFd = {
            use std::os::fd::AsFd;
            process::raise(self.memory.as_fd().try_clone_to_owned().map_err(&start)?)
        };
        self.memory.set_file(self.input.identity().map_err(&start)?);
        let ready = self.settings.surroundings.for_server(self.input.named());
        // Its directory is not the one that the path was given in.
        let program = std::path::absolute(&self.settings.program).map_err(&start)?;
        let mut command = Command::new(program);
        command
            .args(&ready.args)
            .envs(ready.env)
            .env(wire::ENV_SHM, shared.as_raw_fd().to_string())
            .env(
                wire::ENV_CTL,
                format!("{},{}", control_read.as_raw_fd(), status_write.as_raw_fd()),
            );
        let stdin = OwnedFd::from(self.input.standard_input().map_err(&start)?);
        let inherit = vec![
            shared.as_raw_fd(),
            control_read.as_raw_fd(),
            status_write.as_raw_fd(),
        ];
        let containment = &self.settings.containment;
        let mut cell = None;
        let server = if containment.on {
            let area = Area::new(containment.place.as_deref()).map_err(&start)?;
            let jail = Jail::new(containment, &[area.path()]).map_err(&start)?;
            contain::place(&mut command, containment, area.path());
            let ours = [self.input.identity(), self.memory.identity()];
            let ours: Result<Vec<u64>, _> = ours.into_iter().map(|it| Ok(it?.1)).collect();
            cell = Some(Cell {
                area,
                bounds: Bounds {
                    disk: containment.disk_limit,
                    memory: contain::memory_of_all(self.settings.memory_limit, 0),
                    ours: ours.map_err(&start)?,
                    instrumented: true,
                },
            });
            let launch = Launch {
                command: &command,
                stdio: [stdin, process::null().map_err(&start)?, stderr],
                inherit,
                address_space: None,
                jail: jail.adopting(),
            };
            Started::SupervisedProcess(SupervisedProcess::start(launch).map_err(&start)?)
        } else {
            contain::narrow(&mut command, containment);
            command.stdin(stdin).stdout(Stdio::null()).stderr(stderr);
            let address_space = None;
            process::prepare(&mut command, inherit, Limits { address_space });
            let child = command.spawn().map_err(&start)?;
            Started::free(child).map_err(&start)?
        };
        drop((control_read, status_write, shared));
        Ok(Running {
            server,
            control: File::from(control_write),
            status: File::from(status_read),
            cell,
            spared: Vec::new(),
            waiting: None,
        })
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
    settle(&memory, settings);
    Ok(memory)
}

/// Says what the runtime has to know before the program begins.
pub(crate) fn settle(memory: &SharedMemory, settings: &ServerSettings) {
    let max = match settings.stdin {
        Stdin::Fixed(size) => size,
        Stdin::Free { max } => max,
    };
    memory.set_main(settings.surroundings.main_key(), max);
    memory.set_given(&settings.surroundings.given());
    memory.limit_cpu(settings.time_limit * (STARVED + 1));
    memory.ask_checks(settings.checks);
    memory.tell_objects_apart(settings.objects);
    memory.limit_moves(settings.move_limit);
    memory.limit_spurious(settings.spurious);
    memory.set_memory_model(settings.memory_model);
    memory.allow_reuse(settings.reuse);
    memory.tell_operations(match settings.operations {
        true => wire::threads::operations::TOLD,
        false => 0,
    });
}
