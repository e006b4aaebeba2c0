//! Threads: their names, what they touch, and what they wait for each other by.

/// Bits of an access ([`crate::EventKind::Access`]).
pub mod access {
    pub const WRITES: u8 = 1;
    /// It is atomic, and so no part of a data race with another that is.
    pub const ATOMIC: u8 = 2;
    pub const ACQUIRES: u8 = 4;
    pub const RELEASES: u8 = 8;
    /// What writes reads what was there before, too.
    pub const REPLACES: u8 = 16;
    /// It goes to the buffer of the thread that writes it: others do not see it yet.
    pub const BUFFERED: u8 = 32;
    /// It leaves that buffer. That it was written is known.
    pub const FLUSHED: u8 = 64;
    /// Code that nobody follows may touch it, or less: threads are dependent, but it is no part of a data race.
    pub const UNSURE: u8 = 128;
}

/// The function that operations call when they begin ([`operations`]).
pub const CALL: &str = "__elw_m_call";

/// Of what [`access`] says, for an atomic that may leave memory as it is: code says it, the log does not.
pub mod exchange {
    /// It writes only where memory has the value that is expected.
    pub const IF_EQUAL: u32 = 1 << 8;
    /// It writes only where memory has another value than the new one.
    pub const IF_OTHER: u32 = 1 << 9;
    /// It acquires nothing when it does not write.
    pub const THEN_LOOSE: u32 = 1 << 10;
    /// A store or a fence that is sequentially consistent: whatever comes before it is seen by all.
    pub const SEQUENTIAL: u32 = 1 << 11;
    /// A function of the library touches as much as this, or less.
    pub const LIBRARY: u32 = 1 << 12;
}

/// Bits of a move ([`crate::EventKind::Thread`], [`crate::EventKind::Pending`]).
pub mod moving {
    /// The run ends with it.
    pub const ENDS: u32 = 1;
    /// The thread would rather let others go on: it yields, or waits for a time.
    pub const GIVES_WAY: u32 = 2;
}

/// What threads wait for each other by. Where there is one in memory, its number is its address,
/// else [`sync_number`]. States: see each.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncOp {
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
    /// Of a channel (a pipe, one direction of a pair of sockets): 1: there is something to read, or the
    /// end.
    Data = 12,
    /// Of a channel: 1: there is room to write.
    Room = 13,
    /// Of a thread: 1: no handler of a signal runs in it.
    Interrupt = 14,
    /// Of a thread and a signal: 1: it does not block it.
    Unblocked = 15,
    /// Of a signal that was sent: 1: it has not arrived.
    Flight = 16,
    /// No state: signals that were sent to a thread or to the process.
    Queue = 17,
    /// Of a read-write lock (its address and one) where writers go first: 1: none waits.
    Gate = 18,
    /// Of a thread that looks again and again at memory that stays as it is: 1: somebody has written
    /// there.
    Change = 19,
    /// No state: something outside of the program's memory, by its number. Who touches it after another does not
    /// know by that what the other has done.
    Outside = 20,
    /// Of a store of a thread, the how-manieth: 1: it is in the thread's buffer; 2: all see it.
    Buffer = 21,
    /// The lock of a stream; 1: free.
    Stream = 22,
}

impl SyncOp {
    pub fn from_u8(code: u8) -> Option<SyncOp> {
        use SyncOp::*;
        [
            Mutex, RwLock, Condition, Semaphore, Barrier, Spin, Once, Begin, End, Wake, Cancel,
            Data, Room, Interrupt, Unblocked, Flight, Queue, Gate, Change, Outside, Buffer, Stream,
        ]
        .into_iter()
        .find(|one| *one as u8 == code)
    }
}

/// What an event of [`crate::EventKind::Note`] says.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The thread of the [`SyncOp::Begin`] before it starts with the function at an address (lower
    /// half in `label`, upper half in `value`), counted from the executable's beginning if it is there.
    Starts = 1,
    /// The thread named `label` begins a block that is to be as if nobody came between.
    BlockBegins = 2,
    /// It ends the block that it has begun last.
    BlockEnds = 3,
    /// The thread named `label` calls an operation; its name and arguments follow.
    Calls = 4,
    /// Eight bytes of the operation's name, in `label` and `value`; zeros end it.
    Name = 5,
    /// An argument, as an address is told.
    Argument = 6,
    /// The operation of the thread named `label` ends, without a result unless one follows.
    Returns = 7,
    Result = 8,
}

impl Note {
    pub fn from_u8(code: u8) -> Option<Note> {
        use Note::*;
        [
            Starts,
            BlockBegins,
            BlockEnds,
            Calls,
            Name,
            Argument,
            Returns,
            Result,
        ]
        .into_iter()
        .find(|one| *one as u8 == code)
    }
}

/// What [`crate::Header::operations`] says.
pub mod operations {
    /// Calls and returns are points, and told.
    pub const TOLD: u64 = 1;
    /// Also, each operation is performed without another one beginning: the schedule has the threads
    /// that perform the next ones, one after the other.
    pub const SERIAL: u64 = 2;
    /// Which came first, a call or a return of another thread, is as if the return wrote a byte of its
    /// thread's in 64 from this address on, and the call read all of them.
    pub const CLOCK: u64 = 1 << 60;
}

/// Number of an object that belongs to a thread and is nowhere in memory.
pub fn sync_number(sync: SyncOp, thread: u32) -> u64 {
    1 << 63 | (sync as u64) << 32 | u64::from(thread)
}

/// Channels that one thread may make.
pub const MAX_CHANNELS: u32 = 1 << 20;

/// Number of what threads meet by at a channel: the how-manieth (from 1) that the thread made.
pub fn channel_number(sync: SyncOp, thread: u32, made: u32) -> u64 {
    sync_number(sync, thread) | u64::from(made) << 40
}

/// The thread that made a channel, and as the how-manieth.
pub fn channel_of(number: u64) -> (u32, u32) {
    (
        number as u32,
        (number >> 40) as u32 & (2 * MAX_CHANNELS - 1),
    )
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
    let name = parent.checked_mul(MAX_STARTED + 1)?.checked_add(number)?;
    (name & (SIGNAL | BUFFER) == 0).then_some(name)
}

/// In the name of what is no thread, but the buffer of one, from which its stores go to memory.
pub const BUFFER: u32 = 1 << 30;

/// Stores that one thread may make where they are buffered.
pub const MAX_STORES: u32 = 1 << 20;

/// Number of a store by what threads meet by: the how-manieth, from 1, of a thread.
pub fn store_number(thread: u32, number: u32) -> u64 {
    sync_number(SyncOp::Buffer, thread) | u64::from(number) << 40
}

/// When others see what a thread stores ([`crate::Header::memory_model`]).
#[repr(u64)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryModel {
    /// At once.
    #[default]
    SequentiallyConsistent = 0,
    /// In the order in which it stores, but possibly after it has read other memory: as processors of x86 do.
    TotalStoreOrder = 1,
}

/// In the name of a thread that is no thread, but a signal that one has sent.
pub const SIGNAL: u32 = 1 << 31;

/// Name of the how-manieth signal, from 1, that a thread sends.
pub fn signal_name(sender: u32, number: u32) -> Option<u32> {
    thread_name(sender, number).map(|name| name | SIGNAL)
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
    pub const STREAM: &CStr = c"a stream is used that has been closed";
    pub const BARRIER: &CStr = c"a barrier is destroyed at which somebody waits";
}
