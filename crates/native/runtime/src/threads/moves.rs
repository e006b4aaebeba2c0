//! What a thread is about to do.

use super::channels::{self, Watched, Way};
use core::ffi::c_int;
use elsewise_wire::threads::access::{ACQUIRES, RELEASES, WRITES};
use elsewise_wire::threads::moving::{ENDS, GIVES_WAY};
use elsewise_wire::threads::{SyncOp, exchange};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Move {
    None,
    Touch {
        address: u64,
        size: u64,
        flags: u8,
    },
    Exchange(Exchange),
    /// What a function of the library reads and writes at once.
    Copy {
        to: u64,
        from: u64,
        size: u64,
    },
    /// A mutex or spin lock; `again`: its owner may take it once more, or is told that it has it.
    Lock {
        sync: SyncOp,
        address: u64,
        again: bool,
    },
    /// Takes it if it is free; otherwise goes on without.
    TryLock {
        sync: SyncOp,
        address: u64,
    },
    Unlock {
        sync: SyncOp,
        address: u64,
    },
    LockShared(u64),
    LockWhole(u64),
    /// A writer comes to a lock where writers go first.
    Queue(u64),
    TryShared(u64),
    TryWhole(u64),
    UnlockShared(u64),
    UnlockWhole(u64),
    /// Gives the mutex back and waits for the condition.
    Wait {
        condition: u64,
        mutex: u64,
    },
    /// Goes on when it has been woken, or (`late`) when it has waited long enough, and takes the mutex then.
    Awake {
        condition: u64,
        late: bool,
    },
    Signal(u64),
    Down(u64),
    TryDown(u64),
    Up(u64),
    Arrive(u64),
    /// Looks at a word that others change before they wake those who wait for it.
    Look(u64),
    /// Goes on when it has been woken, or (`late`) when it has waited long enough.
    Leave {
        object: u64,
        late: bool,
    },
    /// Reads or writes what others write or read.
    Pass {
        fd: c_int,
        way: Way,
        waits: bool,
    },
    /// Looks whether one of several descriptors is ready; `late`: has waited long enough for them, or
    /// does not wait at all.
    Watch {
        watched: Watched,
        late: bool,
    },
    /// Closes an end of a channel.
    Shut(c_int),
    /// Touches what is not in memory.
    Outside(Outside),
    Join(u32),
    /// Looks whether a thread has ended.
    TryJoin(u32),
    Once(u64),
    Done(u64),
    Cancel(u32),
    /// A signal arrives.
    Arrival,
    /// Its handler returns to the thread.
    Return(u32),
    Send(u32),
    /// Takes a signal that has been sent, if there is one.
    Take,
    /// Blocks signals, or lets them in again.
    Mask(u64),
    /// The same, and waits for one.
    Pause(u64),
    Yield,
    /// The oldest store of a buffer goes to memory.
    Flush,
    /// Waits until others see the thread's stores up to one of them.
    Drain(u32),
    /// The run ends.
    End,
}

/// As objects that threads wait for.
pub const PAUSE: u64 = 2;
pub const WANT: u64 = 3;

/// What a call touches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Outside {
    pub reads: u32,
    pub writes: u32,
    /// One file by its number, if it touches one, and whether it changes that.
    pub file: Option<u32>,
    pub changes: bool,
    /// The descriptor that it uses, and whether another file may have its number from then on.
    pub number: Option<c_int>,
    pub closes: bool,
    /// A thread that was cancelled ends there.
    pub cancels: bool,
}

/// An atomic that may leave memory as it is: then it only reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    pub address: u64,
    pub size: u64,
    /// As code says them, see [`exchange`].
    pub flags: u32,
    /// What memory is compared with.
    pub value: u64,
}

impl Exchange {
    /// What it does when this is in memory.
    pub fn does(&self, there: u64) -> u8 {
        let all = u64::MAX >> (64 - 8 * self.size.clamp(1, 8));
        let equal = (there ^ self.value) & all == 0;
        let flags = self.flags as u8;
        if equal == (self.flags & exchange::IF_EQUAL != 0) {
            return flags;
        }
        let flags = flags & !WRITES;
        match self.flags & (exchange::IF_EQUAL | exchange::THEN_LOOSE) {
            // The same value once more is released as any other is.
            0 => flags,
            exchange::IF_EQUAL => flags & !RELEASES,
            _ => flags & !(RELEASES | ACQUIRES),
        }
    }
}

impl Move {
    /// It changes nothing that others can see, or finds out whether it does.
    pub fn only_reads(&self) -> bool {
        match self {
            Move::Touch { flags, .. } => flags & WRITES == 0,
            Move::Exchange(_) => true,
            _ => false,
        }
    }

    /// Somebody else should go on before it.
    pub fn yields(&self) -> bool {
        *self == Move::Yield
    }

    /// What the engine is told of it beside what it touches.
    pub fn bits(&self) -> u32 {
        match self {
            Move::End => ENDS,
            Move::Yield | Move::Awake { late: true, .. } | Move::Leave { late: true, .. } => {
                GIVES_WAY
            }
            _ => 0,
        }
    }

    /// The memory or the object by its address that it touches, and whether it changes it: enough to
    /// guess whose order with it matters.
    fn about(&self) -> Option<(u64, u64, bool)> {
        let object = |address: u64| Some((address, 1, true));
        match *self {
            Move::Touch {
                address,
                size,
                flags,
            } => Some((address, size, flags & WRITES != 0)),
            Move::Copy { to, size, .. } => Some((to, size, true)),
            Move::Lock { address, .. }
            | Move::TryLock { address, .. }
            | Move::Unlock { address, .. } => object(address),
            Move::LockShared(address) | Move::TryShared(address) | Move::UnlockShared(address) => {
                Some((address, 1, false))
            }
            Move::LockWhole(address)
            | Move::TryWhole(address)
            | Move::UnlockWhole(address)
            | Move::Signal(address)
            | Move::Down(address)
            | Move::TryDown(address)
            | Move::Up(address)
            | Move::Arrive(address)
            | Move::Look(address)
            | Move::Once(address)
            | Move::Done(address) => object(address),
            Move::Wait { condition, .. } => object(condition),
            Move::Awake { condition, .. } => object(condition),
            _ => None,
        }
    }

    /// Does the order of the two matter, as far as that is told by what both are about first of all?
    pub fn conflicts(&self, other: &Move) -> bool {
        let (Some((one, size, writes)), Some((other, other_size, other_writes))) =
            (self.about(), other.about())
        else {
            return false;
        };
        let ends = |from: u64, size: u64| from.saturating_add(size);
        let apart = ends(one, size) <= other || ends(other, other_size) <= one;
        !apart && (writes || other_writes)
    }

    /// Does a thread that somebody has cancelled end here?
    pub fn is_cancellation_point(&self) -> bool {
        matches!(
            self,
            Move::Wait { .. }
                | Move::Awake { .. }
                | Move::Down(_)
                | Move::Pass { .. }
                | Move::Watch { .. }
                | Move::Leave {
                    object: channels::WATCHING | PAUSE | WANT,
                    ..
                }
                | Move::Take
                | Move::Pause(_)
                | Move::Join(_)
                | Move::Yield
                | Move::Outside(Outside { cancels: true, .. })
        )
    }
}
