//! Threads: their names, what they touch, and what they wait for each other by.

/// Bits of an access ([`crate::EventKind::Access`]).
pub mod access {
    pub const WRITES: u8 = 1;
    /// It is atomic, and so no part of a data race with another that is.
    pub const ATOMIC: u8 = 2;
    pub const ACQUIRES: u8 = 4;
    pub const RELEASES: u8 = 8;
}

/// What threads wait for each other by. Where there is one in memory, its number is its address,
/// else [`meeting_number`]. States: see each.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// 1: free.
    Mutex = 1,
    /// 2: free; 1: readers have it; 0: a writer has.
    RwLock = 2,
    /// No state: who waits for it.
    Condition = 3,
    /// How many may pass, up to 255.
    Semaphore = 4,
    /// No state: who waits for it.
    Barrier = 5,
    /// 1: free.
    Spin = 6,
    /// 0: it is being done; 1: not begun, or done.
    Once = 7,
    /// Of a thread: 1: it has begun.
    Begin = 8,
    /// Of a thread: 1: it has ended.
    End = 9,
    /// Of a thread that waits for a condition or at a barrier: 1: it may go on.
    Wake = 10,
    /// Of a thread: 1: somebody has cancelled it.
    Cancel = 11,
}

impl Meeting {
    pub fn from_u8(code: u8) -> Option<Meeting> {
        use Meeting::*;
        [
            Mutex, RwLock, Condition, Semaphore, Barrier, Spin, Once, Begin, End, Wake, Cancel,
        ]
        .into_iter()
        .find(|one| *one as u8 == code)
    }
}

/// Number of an object that belongs to a thread and is nowhere in memory.
pub fn meeting_number(meeting: Meeting, thread: u32) -> u64 {
    1 << 63 | (meeting as u64) << 32 | u64::from(thread)
}

/// Threads that one thread may start.
pub const MAX_STARTED: u32 = 63;

/// Name of a thread: 0 is the first one; others are named by who started them and as the
/// how-manieth, from 1, so that a name means the same thread whatever the schedule. `None` where
/// there are no names left.
pub fn thread_name(parent: u32, number: u32) -> Option<u32> {
    if number == 0 || number > MAX_STARTED {
        return None;
    }
    parent.checked_mul(MAX_STARTED + 1)?.checked_add(number)
}

/// Name of the stream with the schedule: numbers of 32 bits, for each choice of a thread its name,
/// for each pick the way.
pub const SCHEDULE_STREAM: &str = "%schedule";

/// What [`crate::Ending::Misuse`] says.
pub mod misuse {
    use core::ffi::CStr;

    pub const USED: &CStr = c"memory is used that has been freed";
    pub const FREED: &CStr = c"memory is freed that has been freed before";
    pub const MUTEX: &CStr = c"a mutex is used that has been destroyed";
    pub const CONDITION: &CStr = c"a condition is destroyed for which somebody waits";
    pub const BARRIER: &CStr = c"a barrier is destroyed at which somebody waits";
}
