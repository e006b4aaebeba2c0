//! A fork server at work: commands to it, what it says of its runs, and what is seen to when one ends.

use super::{PATIENCE, RawRun, STARVED};
use crate::started::Started;
use elsewise_contain as contain;
use elsewise_contain::process;
use elsewise_contain::{Area, Bounds, Overrun};
use elsewise_driver::NativeError;
use elsewise_explore::Deadline;
use elsewise_wire as wire;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

/// A server at work.
pub(super) struct Running {
    pub server: Started,
    pub control: File,
    pub status: File,
    pub cell: Option<Cell>,
    /// The server, and processes that it started before the first input: all others are a run's.
    pub spared: Vec<i32>,
    /// There is a process that waits for another run; the processor time, in microseconds, of those that
    /// it had.
    pub waiting: Option<u64>,
}

/// Where the server and its runs are confined.
pub(super) struct Cell {
    pub area: Area,
    pub bounds: Bounds,
}

impl Cell {
    /// Makes the directory ready for the next run, and says whether this one wrote too much.
    fn tidy(&mut self) -> Result<Option<Overrun>, Lost> {
        if !self.area.may_have_changed() {
            return Ok(None);
        }
        let over = self.area.is_over(self.bounds.disk, 0);
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
pub(super) struct Lost(pub String);

pub(super) enum Ready {
    Yes,
    Ended(RawRun),
}

impl Running {
    /// Waits until the program stands before its first input, or has ended.
    pub fn wait_ready(&mut self, limit: Duration) -> Result<Ready, NativeError> {
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
            if let Some(status) = self.server.try_wait().map_err(lost)? {
                let left = self.server.end_others().map_err(lost)?;
                return Ok(Ready::Ended(RawRun {
                    status,
                    timed_out: false,
                    cpu_micros: 0,
                    left,
                    overrun: self.overrun(),
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

    /// Has the server do a run.
    pub fn run(
        &mut self,
        command: u8,
        limit: Duration,
        deadline: &Deadline,
    ) -> Result<RawRun, Lost> {
        self.control
            .write_all(&[command])
            .map_err(|error| Lost(format!("it takes no commands: {error}")))?;
        let waiting = self.waiting.take();
        // Processor time of earlier runs of the process.
        let mut earlier = match waiting.filter(|_| command == wire::COMMAND_RUN) {
            Some(cpu_micros) => cpu_micros,
            None => match self.next_status(PATIENCE.min(deadline.left()))? {
                Some(status) if status.kind == wire::StatusKind::Started as u32 => 0,
                _ => return Err(Lost("it did not start a run".into())),
            },
        };
        let begin = Instant::now();
        let mut timed_out = false;
        let mut overrun = None;
        let mut allowed = limit;
        let ended = loop {
            let left = (begin + allowed).saturating_duration_since(Instant::now());
            let wait = match timed_out {
                true => left,
                false => left
                    .min(contain::look(begin.elapsed()))
                    .min(deadline.left()),
            };
            match self.next_status(wait)? {
                Some(status) if status.kind == wire::StatusKind::Ended as u32 => break status,
                // The process that waited was ended by somebody, and there is another.
                Some(status) if status.kind == wire::StatusKind::Started as u32 => {
                    earlier = 0;
                    // Whatever is said, and how often: time passes.
                    if Instant::now() < begin + allowed && !deadline.is_over() {
                        continue;
                    }
                }
                Some(status) => {
                    return Err(Lost(format!("it reports {} out of turn", status.kind)));
                }
                None => {}
            }
            if !timed_out && deadline.is_over() {
                return Err(Lost("it had no more time".into()));
            }
            if wait < left {
                overrun = self.overrun();
                if overrun.is_none() {
                    continue;
                }
            }
            if timed_out {
                return Err(Lost("it did not notice the end of a run".into()));
            }
            // A run that had no processor has not used up its time.
            let starved = overrun.is_none() && {
                let (running, cpu) = self.server.family().activity(&self.spared);
                let cpu = cpu.saturating_sub(Duration::from_micros(earlier));
                running && cpu < limit * 4 / 5
            };
            if starved && allowed < limit * STARVED {
                allowed += limit;
                continue;
            }
            timed_out = true;
            // A server that was stopped by its run does not answer at all.
            let moment = Duration::from_secs(1);
            allowed = begin.elapsed() + PATIENCE.min(deadline.left().max(moment));
            self.end_run()?;
        };
        let again = ended.again != 0 && !timed_out;
        let mut left = 0;
        if again {
            self.waiting = Some(ended.cpu_micros);
        } else if self.cell.is_some() {
            // Whatever the server says: nobody may be at work in the directory any more.
            left = self.end_run()?;
            // Those of the run's own group may be gone already.
            if ended.left != 0 && self.spared.len() <= 1 {
                left = left.max(1);
            }
        }
        if !again && let Some(cell) = &mut self.cell {
            overrun = overrun.or(cell.tidy()?);
        }
        Ok(RawRun {
            status: ended.value,
            timed_out: timed_out && overrun.is_none(),
            cpu_micros: ended.cpu_micros.saturating_sub(earlier),
            left,
            overrun,
            again,
            unlike: false,
        })
    }

    fn overrun(&self) -> Option<Overrun> {
        let cell = self.cell.as_ref()?;
        contain::overrun(&cell.area, self.server.family(), &self.spared, &cell.bounds)
    }

    /// Ends all that is not the server's, and says how many processes that were.
    fn end_run(&self) -> Result<usize, Lost> {
        let ended = self.server.family().end(&self.spared);
        ended.map_err(|error| Lost(format!("its runs cannot be ended: {error}")))
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
