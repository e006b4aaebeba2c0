//! The moment and the process number that every run has.

use crate::shared::state;
use crate::subject_calls;
use crate::sys::TimeSpec;
use core::ffi::{c_int, c_long};
use core::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};

/// The moment at which every run begins: the first second of 2026, in seconds since 1970.
const BEGIN: u64 = 1_767_225_600;

/// What the machine's clock without a date shows then, in seconds.
pub const UPTIME: u64 = 1000;

pub const SECOND: u64 = 1_000_000_000;

/// What every look at a clock takes, so that a loop that waits for a moment ends.
const LOOK: u64 = 1_000_000;

/// Number of the run's process. No system gives such a number, so nobody else can be meant.
pub const PROCESS: c_int = 4_194_999;

pub const PARENT: c_int = 4_194_998;

/// Nanoseconds since the beginning.
pub static ELAPSED: AtomicU64 = AtomicU64::new(0);

/// The process that is the run, as the system numbers it.
pub static REAL_PROCESS: AtomicI32 = AtomicI32::new(0);

/// This process is the run, or the server that becomes it.
pub fn this_is_the_run() {
    REAL_PROCESS.store(subject_calls::getpid(), Relaxed);
}

pub fn fixed() -> bool {
    state().traced()
}

/// The system's number of the run's process, or of its group, of which the program knows ours.
pub fn real(number: c_int) -> Option<c_int> {
    let real = REAL_PROCESS.load(Relaxed);
    match number {
        PROCESS if fixed() => Some(real),
        number if fixed() && number == -PROCESS => Some(-real),
        _ => None,
    }
}

/// Is what follows `/proc/` the folder of the run's process, by our number?
pub fn is_own_folder(path: &[u8]) -> bool {
    let number = path.split(|byte| *byte == b'/').next().unwrap_or_default();
    let digits = core::str::from_utf8(number).ok();
    fixed() && digits.and_then(|digits| digits.parse().ok()) == Some(PROCESS)
}

/// Passes the time that a look at the clock takes; the time then.
pub fn look() -> u64 {
    ELAPSED.fetch_add(LOOK, Relaxed) + LOOK
}

/// What `clock` shows.
pub fn moment(clock: c_int) -> Option<TimeSpec> {
    let from = match clock {
        0 | 5 | 11 => BEGIN,
        1 | 4 | 6 | 7 => UPTIME,
        2 | 3 => 0,
        _ => return None,
    };
    let now = look();
    Some(TimeSpec {
        seconds: (from + now / SECOND) as c_long,
        nanos: (now % SECOND) as c_long,
    })
}

/// Somebody has waited for so long.
pub fn pass_millis(millis: u64) {
    ELAPSED.fetch_add(millis.saturating_mul(SECOND / 1000), Relaxed);
}

/// It is not earlier than this any more.
pub fn let_pass(until: &TimeSpec) {
    let (base, until) = match until.seconds as u64 {
        late if late >= BEGIN => (BEGIN, nanos(until)),
        _ => (UPTIME, nanos(until)),
    };
    ELAPSED.fetch_max(until.saturating_sub(base * SECOND), Relaxed);
}

pub fn nanos(time: &TimeSpec) -> u64 {
    (time.seconds as u64)
        .saturating_mul(SECOND)
        .saturating_add(time.nanos as u64)
}
