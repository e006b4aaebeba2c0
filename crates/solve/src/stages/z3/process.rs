//! Z3 in a process of its own: a crash, a hang or a leak of it is a question given up.

use super::{Z3, Z3Answer, talk};
use elsewise_term::{TermId, Terms};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How a program that has [`serve`] is told to be the solver: its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverProgram {
    pub program: OsString,
    pub arguments: Vec<OsString>,
}

/// The solver's own clock is believed for so long after the time is over.
const GRACE: Duration = Duration::from_millis(300);
/// The solver has grown beyond what anybody expects: it starts anew.
const MOST_PAGES: u64 = (1 << 30) / 4096;

/// Processor time of all processes that were asked so far, in hundredths of a second.
static SPENT: AtomicU64 = AtomicU64::new(0);

/// Processor time that processes of [`SolverProgram`]s have taken so far.
pub fn spent_outside() -> Duration {
    Duration::from_millis(10 * SPENT.load(Ordering::Relaxed))
}

/// The process, and what it has said.
struct Running {
    child: Child,
    /// What of its processor time is in [`SPENT`].
    counted: u64,
    to: ChildStdin,
    said: Receiver<Vec<u8>>,
}

impl Running {
    /// What the system says of it, from the state of the process on.
    fn stat(&self) -> Option<Vec<u64>> {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let (_, rest) = text.rsplit_once(')')?;
        let fields = rest.split_ascii_whitespace();
        Some(fields.map(|field| field.parse().unwrap_or(0)).collect())
    }

    fn count_time(&mut self) {
        const USER: usize = 11;
        const SYSTEM: usize = 12;
        let Some(stat) = self.stat().filter(|stat| stat.len() > SYSTEM) else {
            return;
        };
        let spent = stat[USER] + stat[SYSTEM];
        SPENT.fetch_add(spent.saturating_sub(self.counted), Ordering::Relaxed);
        self.counted = spent;
    }

    /// Has it ended because somebody killed it?
    fn was_killed(&mut self) -> bool {
        const SIGKILL: i32 = 9;
        // That its pipe has ended is seen a moment before that it has.
        for _ in 0..100 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status.signal() == Some(SIGKILL);
            }
            thread::sleep(Duration::from_millis(1));
        }
        false
    }

    fn has_grown(&self) -> bool {
        const RESIDENT: usize = 21;
        let pages = self.stat().and_then(|stat| stat.get(RESIDENT).copied());
        pages.is_some_and(|pages| pages > MOST_PAGES)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What came of a question.
enum Heard {
    Answer(Vec<u8>),
    /// The process cannot be had, or did not answer in time.
    Nothing,
    /// The process has ended.
    End,
}

/// A question at which the process ends is asked so often.
const TRIES: u32 = 3;
/// One at which somebody kills it, so often: that is not the question's fault, but where memory is short the
/// system is who kills it.
const KILLED_TRIES: u32 = 10;

pub(super) struct Process {
    program: SolverProgram,
    running: Option<Running>,
}

impl Process {
    pub fn new(program: SolverProgram) -> Process {
        Process {
            program,
            running: None,
        }
    }

    pub fn check(&mut self, terms: &Terms, conditions: &[TermId], limit: Duration) -> Z3Answer {
        let mut start = Instant::now();
        let (mut broken, mut killed) = (0, 0);
        while broken < TRIES && killed < KILLED_TRIES {
            let left = limit.saturating_sub(start.elapsed());
            let question = talk::question(terms, conditions, left, true);
            let heard = self.ask(&question, left);
            if let Some(running) = &mut self.running {
                running.count_time();
            }
            let answer = match &heard {
                Heard::Answer(answer) => talk::answer(answer, terms, conditions),
                Heard::Nothing | Heard::End => None,
            };
            let ended = matches!(heard, Heard::End);
            let was_killed = ended && self.running.as_mut().is_some_and(Running::was_killed);
            if answer.is_none() || self.running.as_ref().is_some_and(Running::has_grown) {
                self.running = None;
            }
            match (answer, heard) {
                (Some(answer), _) => return answer,
                (None, Heard::End) if was_killed => {
                    killed += 1;
                    start = Instant::now();
                }
                // It may have broken at what came before.
                (None, Heard::End) => broken += 1,
                (None, _) => break,
            }
        }
        Z3Answer::Unknown
    }

    fn ask(&mut self, question: &[u8], limit: Duration) -> Heard {
        if self.running.is_none() {
            self.running = start(&self.program).ok();
        }
        let Some(running) = &mut self.running else {
            return Heard::Nothing;
        };
        if talk::send(&mut running.to, question).is_err() {
            return Heard::End;
        }
        match running.said.recv_timeout(limit + GRACE) {
            Ok(answer) => Heard::Answer(answer),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }
}

fn start(program: &SolverProgram) -> io::Result<Running> {
    let mut child = Command::new(&program.program)
        .args(&program.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        // What it says when it breaks is of no use to anybody.
        .stderr(Stdio::null())
        // An interrupt is for the engine, which ends it.
        .process_group(0)
        .spawn()?;
    let (Some(to), Some(mut from)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let (sender, said) = channel();
    // Ends with the process, or when nobody listens any more.
    thread::spawn(move || {
        while let Some(message) = talk::receive(&mut from) {
            if sender.send(message).is_err() {
                break;
            }
        }
    });
    Ok(Running {
        child,
        counted: 0,
        to,
        said,
    })
}

/// The other side: answers questions on standard input until there are none. Never returns.
pub fn serve() -> ! {
    let Ok(z3) = Z3::load() else {
        std::process::exit(1);
    };
    let (sender, questions) = channel();
    thread::spawn(move || {
        let mut from = io::stdin().lock();
        while let Some(message) = talk::receive(&mut from) {
            if sender.send(message).is_err() {
                break;
            }
        }
        // Whoever has asked is gone, and nobody waits for an answer.
        std::process::exit(0);
    });
    let mut to = io::stdout().lock();
    for message in questions {
        let Some(question) = talk::Question::read(&message) else {
            break;
        };
        let answer = z3.ask(
            &question.terms,
            &question.conditions,
            question.limit,
            question.small_core,
        );
        if talk::send(&mut to, &question.answered(&answer)).is_err() || to.flush().is_err() {
            break;
        }
    }
    std::process::exit(1)
}
