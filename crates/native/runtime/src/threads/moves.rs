//! What a thread is about to do, whether it can, and what it touches thereby.

use super::meetings::{self, look};
use super::{Can, Life, Thread, threads};
use crate::shared::state;
use elsewise_wire::EventKind;
use elsewise_wire::threads::access::{ACQUIRES, ATOMIC};
use elsewise_wire::threads::{Meeting, meeting_number};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Move {
    None,
    Touch {
        address: u64,
        size: u64,
        flags: u8,
    },
    /// A mutex or spin lock; `again`: its owner may take it once more, or is told that it has it.
    Lock {
        meeting: Meeting,
        address: u64,
        again: bool,
    },
    /// Takes it if it is free; otherwise goes on without.
    TryLock {
        meeting: Meeting,
        address: u64,
    },
    Unlock {
        meeting: Meeting,
        address: u64,
    },
    LockShared(u64),
    LockWhole(u64),
    TryShared(u64),
    TryWhole(u64),
    UnlockShared(u64),
    UnlockWhole(u64),
    /// Gives the mutex back and waits for the condition.
    Wait {
        condition: u64,
        mutex: u64,
    },
    /// Goes on with the mutex when it has been woken, or (`late`) when it has waited long enough.
    Awake {
        condition: u64,
        mutex: u64,
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
    Join(u32),
    /// Looks whether a thread has ended.
    TryJoin(u32),
    Once(u64),
    Done(u64),
    Cancel(u32),
    Yield,
    /// The run ends.
    End,
}

/// State of a mutex or spin lock.
fn free(address: u64) -> u32 {
    u32::from(look(address).owner == 0)
}

/// State of a lock with readers.
fn sharing(address: u64) -> u32 {
    let lock = look(address);
    match (lock.owner, lock.count) {
        (0, 0) => 2,
        (0, _) => 1,
        _ => 0,
    }
}

fn open(address: u64) -> u32 {
    let once = look(address);
    u32::from(once.owner == 0 || once.owner == meetings::DONE)
}

fn ended(name: u32) -> u32 {
    let threads = threads();
    let mut all = threads.all[..threads.used].iter();
    u32::from(all.any(|thread| thread.name == name && thread.life == Life::Ended))
}

fn if_true(can: bool) -> Can {
    if can { Can::Now } else { Can::Not }
}

impl Thread {
    /// Somebody has cancelled it, and here it ends.
    pub fn is_stopped(&self) -> bool {
        self.cancelled && !self.cancel_off && self.pending.is_cancellation_point()
    }
}

impl Move {
    /// Somebody else should go on before it.
    pub fn yields(&self) -> bool {
        *self == Move::Yield
    }

    pub fn can(&self, thread: &Thread) -> Can {
        if thread.is_stopped() {
            return match *self {
                Move::Awake { mutex, .. } => if_true(free(mutex) == 1),
                _ => Can::Now,
            };
        }
        match *self {
            Move::Lock { address, again, .. } => {
                let mine = look(address).owner == thread.index() as u32 + 1;
                if_true(free(address) == 1 || again && mine)
            }
            Move::LockShared(address) => if_true(sharing(address) >= 1),
            Move::LockWhole(address) => if_true(sharing(address) == 2),
            Move::Awake { mutex, late, .. } => match free(mutex) == 1 {
                true if thread.woken => Can::Now,
                true if late => Can::Late,
                _ => Can::Not,
            },
            Move::Down(address) => if_true(look(address).count > 0),
            Move::Leave { .. } if thread.woken => Can::Now,
            Move::Leave { late: true, .. } => Can::Late,
            Move::Leave { .. } => Can::Not,
            Move::Join(name) => if_true(ended(name) == 1),
            Move::Once(address) => if_true(open(address) == 1),
            Move::None => Can::Not,
            _ => Can::Now,
        }
    }

    /// Says what it touches.
    pub fn report(&self, site: u32, thread: &Thread) {
        let name = thread.name;
        let stopped = thread.is_stopped();
        let cancellable = self.is_cancellation_point() && !thread.cancel_off;
        let say = |meeting, number, changes, needs, before| {
            report(site, meeting, number, changes, needs, before);
        };
        // Who has been cancelled no longer waits.
        let unless_stopped = |needs: u32| if stopped { 0 } else { needs };
        if !thread.moved && name != 0 {
            // Whatever it does comes after it was started.
            let number = meeting_number(Meeting::Begin, name);
            say(Meeting::Begin, number, false, 1, 1);
        }
        let whole = |meeting, address, needs| say(meeting, address, true, needs, free(address));
        match *self {
            Move::Touch {
                address,
                size,
                flags,
            } => touch(site, address, size, flags),
            Move::Lock {
                meeting,
                address,
                again,
            } => {
                let mine = look(address).owner;
                let again = again && mine == thread.index() as u32 + 1;
                whole(meeting, address, u32::from(!again));
            }
            Move::TryLock { meeting, address } | Move::Unlock { meeting, address } => {
                whole(meeting, address, 0);
            }
            Move::LockShared(lock) => say(Meeting::RwLock, lock, false, 1, sharing(lock)),
            Move::LockWhole(lock) => say(Meeting::RwLock, lock, true, 2, sharing(lock)),
            Move::TryShared(lock) | Move::UnlockShared(lock) => {
                say(Meeting::RwLock, lock, false, 0, sharing(lock));
            }
            Move::TryWhole(lock) | Move::UnlockWhole(lock) => {
                say(Meeting::RwLock, lock, true, 0, sharing(lock));
            }
            Move::Wait { condition, mutex } => {
                say(Meeting::Condition, condition, true, 0, 0);
                whole(Meeting::Mutex, mutex, 0);
            }
            Move::Awake {
                condition,
                mutex,
                late,
            } => {
                if late {
                    // Who goes on without having been woken no longer waits for it.
                    say(Meeting::Condition, condition, true, 0, 0);
                }
                let woken = u32::from(thread.woken);
                let number = meeting_number(Meeting::Wake, name);
                say(
                    Meeting::Wake,
                    number,
                    true,
                    unless_stopped((!late).into()),
                    woken,
                );
                whole(Meeting::Mutex, mutex, 1);
            }
            Move::Signal(condition) => say(Meeting::Condition, condition, true, 0, 0),
            Move::Down(address) => {
                let needs = unless_stopped(1);
                say(
                    Meeting::Semaphore,
                    address,
                    true,
                    needs,
                    look(address).count,
                );
            }
            Move::TryDown(address) | Move::Up(address) => {
                say(Meeting::Semaphore, address, true, 0, look(address).count);
            }
            Move::Arrive(barrier) => say(Meeting::Barrier, barrier, true, 0, 0),
            Move::Look(word) => {
                say(Meeting::Condition, word, true, 0, 0);
                touch(site, word, 4, ATOMIC | ACQUIRES);
            }
            Move::Leave { object, late } => {
                if late {
                    say(Meeting::Condition, object, true, 0, 0);
                }
                let number = meeting_number(Meeting::Wake, name);
                let needs = u32::from(!late);
                say(Meeting::Wake, number, true, needs, thread.woken.into());
            }
            Move::Join(other) => {
                let number = meeting_number(Meeting::End, other);
                say(Meeting::End, number, false, unless_stopped(1), ended(other));
            }
            Move::TryJoin(other) => {
                let number = meeting_number(Meeting::End, other);
                say(Meeting::End, number, false, 0, ended(other));
            }
            Move::Once(address) => say(Meeting::Once, address, true, 1, open(address)),
            Move::Done(address) => say(Meeting::Once, address, true, 0, open(address)),
            Move::Cancel(other) => {
                let number = meeting_number(Meeting::Cancel, other);
                say(Meeting::Cancel, number, true, 0, 0);
            }
            Move::None | Move::Yield | Move::End => {}
        }
        if cancellable {
            let number = meeting_number(Meeting::Cancel, name);
            say(Meeting::Cancel, number, false, 0, 0);
        }
    }

    /// Does a thread that somebody has cancelled end here?
    pub fn is_cancellation_point(&self) -> bool {
        matches!(
            self,
            Move::Wait { .. } | Move::Awake { .. } | Move::Down(_) | Move::Join(_) | Move::Yield
        )
    }
}

/// Says that the present move touches an object.
pub fn report(site: u32, meeting: Meeting, number: u64, changes: bool, needs: u32, before: u32) {
    let detail = (meeting as u8) << 1 | u8::from(changes);
    let pad = (before.min(255) << 8 | needs) as u16;
    let (low, high) = (number as u32, (number >> 32) as u32);
    state().event_with(EventKind::Meeting, detail, pad, site, low, high);
}

/// More than this at once is said in parts.
const PART: u64 = 1 << 15;

pub fn touch(site: u32, mut address: u64, mut size: u64, flags: u8) {
    while size > 0 {
        let part = size.min(PART);
        let (low, high) = (address as u32, (address >> 32) as u32);
        state().event_with(EventKind::Access, flags, part as u16, site, low, high);
        address += part;
        size -= part;
    }
}
