//! Runs the uninstrumented program on a case: what a finding is confirmed and replayed with.

use crate::outcome;
use crate::reports;
use crate::said::{find_assertion, why_aborted};
use crate::started::Started;
use crate::streams::Stdin;
use crate::surroundings::Surroundings;
use elsewise_contain as contain;
use elsewise_contain::process::{self, Limits};
use elsewise_contain::{Area, Bounds, Containment, Jail, Launch, Overrun, SupervisedProcess};
use elsewise_driver::NativeError;
use elsewise_driver::Sanitizers;
use elsewise_driver::names::parse_key;
use elsewise_explore::{Case, Deadline, Outcome};
use elsewise_wire::{ENV_CASE, ENV_GIVEN};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Environment variable with the file that marks an assumption that did not hold.
const ENV_ASSUMED: &str = "ELSEWISE_ASSUMED";
/// So much of each of the program's output streams is kept: the end of it.
const MAX_OUTPUT: usize = 64 << 10;
/// A process that waits for a processor is given so many times its limit.
const STARVED: u32 = 10;

/// The uninstrumented program with its surroundings.
#[derive(Clone, Debug)]
pub struct Plain {
    pub program: PathBuf,
    /// Parts of them may be inputs; see [`Surroundings`].
    pub args: Vec<OsString>,
    pub env: Vec<(OsString, OsString)>,
    pub stdin: Stdin,
    pub time_limit: Duration,
    /// Bytes; 0 = no limit.
    pub memory_limit: u64,
    pub containment: Containment,
    /// What watches the program.
    pub sanitizers: Sanitizers,
    /// A run that has not ended then is given up.
    pub deadline: Deadline,
}

/// One run of the uninstrumented program.
#[derive(Clone, Debug)]
pub struct PlainRun {
    pub outcome: Outcome,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Processes that it left behind, and that were ended.
    pub left: usize,
}

/// A case laid out for a process: files in a folder, arguments and variables. What [`Plain`] runs
/// on, and what a debugger can be given.
#[derive(Clone, Debug)]
pub struct LaidOut {
    pub stdin: PathBuf,
    pub args: Vec<OsString>,
    pub env: Vec<(OsString, OsString)>,
}

impl Plain {
    /// Writes a case as files into `folder`, one per input under its key.
    pub fn lay_out(&self, case: &Case, folder: &Path) -> Result<LaidOut, NativeError> {
        let surroundings = Surroundings::new(&self.args, &self.env)?;
        let main = surroundings.main_key();
        let file = folder.join(main);
        let mut bytes = case.inputs.get(main).cloned().unwrap_or_default();
        bytes.resize(self.stdin.length(bytes.len()) as usize, 0);
        fs::write(&file, &bytes).map_err(NativeError::io("write", &file))?;
        for (key, bytes) in &case.inputs {
            // A key that is no input of a program is not made a file name either.
            if key != main && parse_key(key).is_some() && !key.contains('/') {
                let file = folder.join(key);
                fs::write(&file, bytes).map_err(NativeError::io("write", &file))?;
            }
        }
        let named = surroundings.names_file();
        let ready = surroundings.for_case(case, named.then_some(&file));
        let mut env = ready.env;
        env.push((ENV_CASE.into(), folder.into()));
        env.push((ENV_GIVEN.into(), surroundings.keys().into()));
        Ok(LaidOut {
            stdin: if named { "/dev/null".into() } else { file },
            args: ready.args,
            env,
        })
    }

    pub fn run(&self, case: &Case) -> Result<PlainRun, NativeError> {
        let start =
            |error: io::Error| NativeError::Start(format!("{}: {error}", self.program.display()));
        let place = self.containment.place.clone();
        let folder = tempfile::Builder::new()
            .prefix("elsewise-case.")
            .tempdir_in(place.unwrap_or_else(std::env::temp_dir))
            .map_err(start)?;
        let laid_out = self.lay_out(case, folder.path())?;
        // Apart from the case, which the program may not change.
        let mark_folder = folder.path().join("%marks");
        fs::create_dir(&mark_folder).map_err(start)?;
        let assumed = mark_folder.join("assumed");
        let (out, out_write) = process::pipe().map_err(start)?;
        let (err, err_write) = process::pipe().map_err(start)?;
        // Its directory is not the one that the path was given in.
        let program = std::path::absolute(&self.program).map_err(start)?;
        let mut command = Command::new(program);
        command
            .args(&laid_out.args)
            .envs(self.sanitizers.env(self.memory_limit))
            .envs(laid_out.env)
            .env(ENV_ASSUMED, &assumed);
        let stdin = OwnedFd::from(File::open(&laid_out.stdin).map_err(start)?);
        // A sanitizer that watches memory reserves terabytes, and keeps to the limit by itself.
        let address_space = (self.memory_limit != 0 && !self.sanitizers.memory)
            // The instrumented run's limit does not count what the program has from the start.
            .then(|| self.memory_limit.saturating_add(256 << 20));
        let containment = &self.containment;
        let mut cell = None;
        let process = if containment.on {
            let area = Area::new(containment.place.as_deref()).map_err(start)?;
            let jail = Jail::new(containment, &[area.path(), &mark_folder]).map_err(start)?;
            contain::place(&mut command, containment, area.path());
            // A sanitizer's own memory may be twice the program's.
            let base = if self.sanitizers.any() {
                2 * self.memory_limit
            } else {
                0
            };
            cell = Some(Cell {
                area,
                bounds: Bounds {
                    disk: containment.disk_limit,
                    memory: contain::memory_of_all(self.memory_limit, base),
                    ours: Vec::new(),
                    instrumented: false,
                },
            });
            let cpu = self.time_limit.as_secs() + 1;
            let launch = Launch {
                command: &command,
                stdio: [stdin, out_write, err_write],
                inherit: Vec::new(),
                address_space,
                jail: jail
                    .tracing(self.sanitizers.any())
                    .cpu_limit(cpu * u64::from(STARVED + 1)),
            };
            Started::SupervisedProcess(SupervisedProcess::start(launch).map_err(start)?)
        } else {
            contain::narrow(&mut command, containment);
            command.stdin(stdin).stdout(out_write).stderr(err_write);
            process::prepare(&mut command, Vec::new(), Limits { address_space });
            let child = command.spawn().map_err(start)?;
            // The command holds the write ends.
            drop(command);
            Started::free(child).map_err(start)?
        };
        let mut watched = Watched {
            process,
            outputs: [
                Output::new(out).map_err(start)?,
                Output::new(err).map_err(start)?,
            ],
            cell,
            overrun: None,
        };
        let (status, timed_out) = watched
            .wait(self.time_limit, &self.deadline)
            .map_err(start)?;
        if timed_out && self.deadline.is_over() {
            return Err(NativeError::Late);
        }
        let left = watched.end_others().map_err(start)?;
        let [stdout, stderr] = watched.outputs_now();
        let reported = (self.sanitizers.any() && status != 0 && !timed_out)
            .then(|| reports::report(&String::from_utf8_lossy(&stderr)))
            .flatten();
        let overran = watched
            .overrun
            .map(|overrun| outcome::overran(overrun, Vec::new()));
        let outcome = overran
            .or(reported)
            .unwrap_or_else(|| judge(status, timed_out, assumed.exists(), &stderr));
        Ok(PlainRun {
            outcome,
            stdout,
            stderr,
            left,
        })
    }
}

/// A running process; ended with all that came of it when no longer watched.
struct Watched {
    process: Started,
    outputs: [Output; 2],
    cell: Option<Cell>,
    overrun: Option<Overrun>,
}

/// Where the process is confined.
struct Cell {
    area: Area,
    bounds: Bounds,
}

impl Watched {
    /// Ends what the process has left behind, and says how many that were.
    fn end_others(&mut self) -> io::Result<usize> {
        let left = self.process.end_others()?;
        if let Some(cell) = &self.cell
            && self.overrun.is_none()
            && cell.area.is_over(cell.bounds.disk, 0)
        {
            self.overrun = Some(Overrun::Disk);
        }
        Ok(left)
    }

    fn look(&mut self) {
        if let Some(cell) = &self.cell {
            let family = self.process.family();
            self.overrun = contain::overrun(&cell.area, family, &[], &cell.bounds);
        }
    }

    /// Ends the process, and what it has started.
    fn kill(&mut self) -> io::Result<()> {
        match &mut self.process {
            // It is waited for as if it had ended by itself.
            Started::Free { child, .. } => process::kill(child.id() as i32),
            Started::SupervisedProcess(kept) => {
                kept.family().end(&[])?;
            }
        }
        Ok(())
    }

    fn wait(&mut self, limit: Duration, deadline: &Deadline) -> io::Result<(i32, bool)> {
        let begin = Instant::now();
        let mut allowed = limit;
        let mut timed_out = false;
        let mut next_look = begin + contain::look(Duration::ZERO);
        loop {
            if let Some(status) = self.process.try_wait()? {
                self.read();
                return Ok((status, timed_out));
            }
            if Instant::now() >= next_look && self.overrun.is_none() {
                self.look();
                next_look = Instant::now() + contain::look(begin.elapsed());
                if self.overrun.is_some() {
                    self.kill()?;
                }
            }
            if deadline.is_over() && !timed_out {
                timed_out = true;
                self.kill()?;
            }
            if begin.elapsed() >= allowed && !timed_out {
                let (running, cpu) = self.process.activity();
                let starved = running && cpu < limit * 4 / 5;
                if starved && allowed < limit * STARVED {
                    allowed += limit;
                } else {
                    timed_out = true;
                    self.kill()?;
                }
            }
            let outputs = self.outputs.iter().filter_map(Output::descriptor);
            let open: Vec<i32> = outputs.chain(self.process.descriptor()).collect();
            if open.is_empty() {
                std::thread::sleep(Duration::from_millis(1));
            } else {
                // The end of the process closes the pipes; the short limit is for one that has
                // closed them itself.
                process::wait_readable(&open, Duration::from_millis(10))?;
            }
            self.read();
        }
    }

    fn read(&mut self) {
        for output in &mut self.outputs {
            output.read();
        }
    }

    fn outputs_now(&mut self) -> [Vec<u8>; 2] {
        [0, 1].map(|index| std::mem::take(&mut self.outputs[index].bytes))
    }
}

/// The end of what a process writes.
struct Output {
    pipe: Option<File>,
    bytes: Vec<u8>,
}

impl Output {
    fn new(pipe: OwnedFd) -> io::Result<Output> {
        // SAFETY: changes a flag of a descriptor that is ours.
        if unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) } < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Output {
            pipe: Some(File::from(pipe)),
            bytes: Vec::new(),
        })
    }

    fn descriptor(&self) -> Option<i32> {
        self.pipe.as_ref().map(AsRawFd::as_raw_fd)
    }

    /// Takes what is there now.
    fn read(&mut self) {
        let Some(pipe) = &mut self.pipe else {
            return;
        };
        let mut buffer = [0; 16 << 10];
        // Bounded: a process that never stops writing must not keep us here.
        for _ in 0..64 {
            match pipe.read(&mut buffer) {
                Ok(0) => {
                    self.pipe = None;
                    break;
                }
                Ok(length) => {
                    self.bytes.extend(&buffer[..length]);
                    if self.bytes.len() > 2 * MAX_OUTPUT {
                        self.bytes.drain(..self.bytes.len() - MAX_OUTPUT);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    }
}

/// What the system and the program's own words say of the end.
fn judge(status: i32, timed_out: bool, assumed: bool, stderr: &[u8]) -> Outcome {
    if timed_out {
        return outcome::hang(Vec::new());
    }
    if let Some(code) = outcome::exit_code(status) {
        return if assumed && code == 77 {
            Outcome::Assumed
        } else {
            Outcome::Exit(code)
        };
    }
    let signal = outcome::signal(status);
    let said = String::from_utf8_lossy(stderr);
    if signal == libc::SIGABRT
        && let Some(failed) = find_assertion(&said)
    {
        return outcome::assertion(&failed.text, failed.file, failed.line, Vec::new());
    }
    let mut outcome = outcome::signalled(signal, None, Vec::new());
    if signal == libc::SIGABRT
        && let Outcome::Failure { message, .. } = &mut outcome
        && let Some(reason) = why_aborted(&said)
    {
        *message = reason;
    }
    outcome
}
