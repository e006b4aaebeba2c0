//! How a run ended, in the engine's words.

use crate::memory::SharedMemory;
use crate::server::RawRun;
use crate::symbols::Symbols;
use crate::threads::{ThreadedRun, livelock};
use elsewise_contain::{MAX_PROCESSES, Overrun};
use elsewise_driver::standard_source;
use elsewise_explore::{FailureKind, Location, Outcome};
use elsewise_wire::Ending;
use elsewise_wire::threads::misuse;

/// Outcome of a run of the instrumented program; `last` is where it was last seen, for a hang.
pub fn outcome(
    run: RawRun,
    memory: &SharedMemory,
    symbols: &mut Symbols,
    told: &ThreadedRun<'_>,
    last: Option<Location>,
) -> Outcome {
    let counters = memory.counters();
    let ending = [
        Ending::Assume,
        Ending::Assert,
        Ending::Signal,
        Ending::Abort,
        Ending::Deadlock,
        Ending::Moves,
        Ending::Misuse,
    ]
    .into_iter()
    .find(|ending| *ending as u32 == counters.ending);
    if let Some(overrun) = run.overrun {
        return overran(overrun, last.into_iter().collect());
    }
    if run.timed_out {
        return hang(last.into_iter().collect());
    }
    match ending {
        Some(Ending::Assume) => return Outcome::Assumed,
        Some(Ending::Deadlock) => return told.deadlock(),
        Some(Ending::Moves) => return livelock(told.threads.moves.moves.len(), last),
        _ => {}
    }
    if let Some(code) = exit_code(run.status) {
        return Outcome::Exit(code);
    }
    let signal = signal(run.status);
    // The signal of an abort is raised inside the C library: all that is known are calls.
    let exact = ending == Some(Ending::Signal) && signal != libc::SIGABRT;
    let frames = memory.frames();
    let mut place = symbols.stack(&frames, exact);
    match ending {
        Some(Ending::Assert) if signal == libc::SIGABRT => {
            let (file, line) = (memory.file_name(), counters.line);
            assertion(&memory.text(), file, line, place)
        }
        Some(Ending::Misuse) if signal == libc::SIGABRT => misused(memory.text(), place),
        _ => {
            let address =
                (exact && counters.signal == signal as u32).then_some(counters.fault_address);
            // Where the stack is full, there may be none left to look back on.
            if place.is_empty() && (frames.is_empty() || address.is_some_and(is_end_of_stack)) {
                place.extend(last);
            }
            signalled(signal, address, place)
        }
    }
}

/// What threads may not do to memory or to each other.
fn misused(text: String, place: Vec<Location>) -> Outcome {
    let is = |one: &std::ffi::CStr| text.as_bytes() == one.to_bytes();
    let kind = match () {
        () if is(misuse::USED) || is(misuse::STREAM) => "use-after-free",
        () if is(misuse::FREED) => "double-free",
        () => "misuse",
    };
    Outcome::Failure {
        kind: kind.into(),
        message: text,
        place,
    }
}

/// Exit code of a process that exited.
pub fn exit_code(status: i32) -> Option<i32> {
    libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status))
}

pub fn signal(status: i32) -> i32 {
    if libc::WIFSIGNALED(status) {
        libc::WTERMSIG(status)
    } else {
        0
    }
}

pub fn hang(place: Vec<Location>) -> Outcome {
    Outcome::Failure {
        kind: FailureKind::Hang,
        message: "the run did not end within its time limit".into(),
        place,
    }
}

/// A run that was ended because it took too much.
pub fn overran(overrun: Overrun, place: Vec<Location>) -> Outcome {
    let (kind, message) = match overrun {
        Overrun::Disk => ("disk", DISK.to_string()),
        Overrun::Memory => (
            "memory",
            "the run and the processes that it started took more memory than the limit allows"
                .to_string(),
        ),
        Overrun::Processes => (
            "processes",
            format!("the run started more than {MAX_PROCESSES} processes"),
        ),
    };
    Outcome::Failure {
        kind: kind.into(),
        message,
        place,
    }
}

const DISK: &str = "the run wrote more to files than its limit allows";

/// A failed assertion. `stack` is what is known of the calls around it.
pub fn assertion(text: &str, file: String, line: u32, stack: Vec<Location>) -> Outcome {
    // Not every failed assertion says where it stands.
    if file.is_empty() && line == 0 && !stack.is_empty() {
        return Outcome::Failure {
            kind: FailureKind::Assertion,
            message: format!("assertion failed: {text}"),
            place: stack,
        };
    }
    // The C library's own frames have no places, so the first is the assertion's, give or take
    // how the compiler spells the file.
    let same = |place: &Location| place.line == line && base_name(&place.file) == base_name(&file);
    let from = stack.iter().position(same);
    let mut place = match from {
        Some(from) => stack[from..].to_vec(),
        None => stack,
    };
    let innermost = Location {
        function: Location::of_stack(&place)
            .map(|place| place.function.clone())
            .unwrap_or_default(),
        column: 0,
        line,
        file: standard_source::named(&file, None).into_owned(),
    };
    match place.first_mut() {
        Some(first) if from.is_some() => *first = innermost,
        _ => place.insert(0, innermost),
    }
    Outcome::Failure {
        kind: FailureKind::Assertion,
        message: format!("assertion failed: {text}"),
        place,
    }
}

fn base_name(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// Ended by a signal.
pub fn signalled(signal: i32, address: Option<u64>, place: Vec<Location>) -> Outcome {
    let at = |what: &str| match address {
        Some(u64::MAX) => format!("{what} at an address that no memory can have"),
        Some(address) if address < 0x1_0000 => {
            format!("{what} at address {address:#x} (a null pointer)")
        }
        Some(address) if is_end_of_stack(address) => {
            format!("stack overflow: {what} at address {address:#x}")
        }
        Some(address) => format!("{what} at address {address:#x}"),
        None => what.to_string(),
    };
    let (kind, message) = match signal {
        libc::SIGABRT => ("abort", "abort was called".to_string()),
        libc::SIGSEGV => ("segv", at("invalid memory access")),
        libc::SIGBUS => ("bus", at("invalid memory access (bus error)")),
        libc::SIGFPE => (
            "fpe",
            "arithmetic error: division by zero, or a quotient too large".to_string(),
        ),
        libc::SIGILL => ("ill", "illegal instruction".to_string()),
        libc::SIGTRAP => ("trap", "trap".to_string()),
        libc::SIGSYS => ("sys", "forbidden system call".to_string()),
        libc::SIGKILL => (
            "memory",
            "killed from outside, most likely for want of memory".to_string(),
        ),
        libc::SIGXFSZ => ("disk", DISK.to_string()),
        libc::SIGXCPU => ("hang", "the run used up its processor time".to_string()),
        _ => ("signal", format!("ended by signal {signal}")),
    };
    Outcome::Failure {
        kind: kind.into(),
        message,
        place,
    }
}

/// Just below the lowest address that the stack may grow to. Runs have the same addresses always
/// (see [`elsewise_contain::process::contain`]), so this is known.
fn is_end_of_stack(address: u64) -> bool {
    const TOP: u64 = 0x7fff_ffff_f000;
    const NEAR: u64 = 1 << 20;
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: a valid structure to write to.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_STACK, &mut limit) } == 0;
    let end = TOP.checked_sub(limit.rlim_cur);
    known && end.is_some_and(|end| address.abs_diff(end) < NEAR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Threads;
    use crate::globals::Globals;
    use crate::memory::Capacities;

    fn memory() -> SharedMemory {
        let capacities = Capacities {
            nodes: 16,
            events: 16,
            coverage: 64,
            input: 4096,
        };
        SharedMemory::create(capacities, false, 0).unwrap()
    }

    fn ended(status: i32, memory: &SharedMemory, timed_out: bool) -> Outcome {
        let run = RawRun {
            status,
            timed_out,
            cpu_micros: 0,
            left: 0,
            overrun: None,
            again: false,
            unlike: false,
        };
        let mut symbols = Symbols::new("/nowhere".as_ref());
        let told = ThreadedRun {
            threads: &Threads::default(),
            sites: &[],
            globals: &Globals::new("/nowhere".as_ref(), &[], &[]),
        };
        outcome(run, memory, &mut symbols, &told, None)
    }

    fn kind(outcome: &Outcome) -> &str {
        match outcome {
            Outcome::Failure { kind, .. } => kind.word(),
            _ => "",
        }
    }

    #[test]
    fn statuses() {
        let memory = memory();
        assert_eq!(ended(0, &memory, false), Outcome::Exit(0));
        assert_eq!(ended(77 << 8, &memory, false), Outcome::Exit(77));
        for (status, expected) in [
            (libc::SIGABRT, "abort"),
            (libc::SIGSEGV | 0x80, "segv"),
            (libc::SIGFPE, "fpe"),
            (libc::SIGBUS, "bus"),
            (libc::SIGILL, "ill"),
            (libc::SIGTRAP, "trap"),
            (libc::SIGKILL, "memory"),
            (libc::SIGUSR1, "signal"),
        ] {
            assert_eq!(kind(&ended(status, &memory, false)), expected);
        }
        assert_eq!(kind(&ended(libc::SIGKILL, &memory, true)), "hang");
    }

    #[test]
    fn a_failed_assertion_is_told_from_an_abort() {
        let memory = memory();
        memory.put_ending(Ending::Assert, 0, "x < 3", "dir/a.c");
        let Outcome::Failure {
            kind,
            message,
            place,
        } = ended(libc::SIGABRT, &memory, false)
        else {
            panic!();
        };
        assert_eq!(kind, FailureKind::Assertion);
        assert_eq!(message, "assertion failed: x < 3");
        assert_eq!((place[0].file.as_str(), place[0].line), ("dir/a.c", 7));
        // One that was survived is none.
        assert_eq!(ended(0, &memory, false), Outcome::Exit(0));
    }

    #[test]
    fn an_assumption_that_does_not_hold() {
        let memory = memory();
        memory.put_ending(Ending::Assume, 0, "", "");
        assert_eq!(ended(77 << 8, &memory, false), Outcome::Assumed);
    }

    #[test]
    fn the_assertions_own_frame_is_the_innermost() {
        let at = |file: &str, line, function: &str| Location {
            file: file.into(),
            line,
            column: 3,
            function: function.into(),
        };
        let stack = vec![
            at("lib.c", 9, "helper"),
            at("/src/a.c", 7, "check"),
            at("/src/a.c", 20, "main"),
        ];
        let Outcome::Failure { place, .. } = assertion("x", "a.c".into(), 7, stack) else {
            panic!();
        };
        assert_eq!(place.len(), 2);
        assert_eq!(place[0].function, "check");
        assert_eq!(place[0].file, "a.c");
    }
}
