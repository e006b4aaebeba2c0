//! What a thread is about to do, whether it can, and what it touches thereby.

use super::channels::{self, Watched, Way};
use super::locks;
use super::outside::Outside;
use super::signal_calls::{PAUSE, WANT};
use super::signals;
use super::sync_objects::{self, look};
use super::{Can, Life, Thread, arena, buffers, spin, threads};
use crate::shared::state;
use core::ffi::c_int;
use elsewise_wire::EventKind;
use elsewise_wire::threads::access::{ACQUIRES, ATOMIC, FLUSHED, RELEASES, WRITES};
use elsewise_wire::threads::moving::{ENDS, GIVES_WAY};
use elsewise_wire::threads::{Note, SyncOp, exchange, sync_number};

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
    fn does(&self, there: u64) -> u8 {
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

    /// Says what it does now, in the thread whose turn it is.
    ///
    /// # Safety
    /// The running thread does it next.
    pub unsafe fn now(&self, site: u32) {
        let at = self.address;
        // SAFETY: as the caller says; the pass tells sizes of numbers only.
        let there = unsafe {
            match self.size {
                1 => (at as *const u8).read_volatile().into(),
                2 => (at as *const u16).read_volatile().into(),
                4 => (at as *const u32).read_volatile().into(),
                _ => (at as *const u64).read_volatile(),
            }
        };
        let does = self.does(there);
        if does & WRITES != 0 {
            spin::forget();
        }
        touch(site, at, self.size, does);
    }
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

/// May readers come in, as far as writers are concerned who wait?
fn gate(address: u64) -> u32 {
    // SAFETY: some thread is about to lock it, and has given its address.
    let waits = look(address).extra > 0 && unsafe { locks::writers_first(address) };
    u32::from(!waits)
}

fn open(address: u64) -> u32 {
    let once = look(address);
    u32::from(once.owner == 0 || once.owner == sync_objects::DONE)
}

fn ended(name: u32) -> u32 {
    is_any(name, |thread| thread.life == Life::Ended)
}

fn cancelled(name: u32) -> u32 {
    is_any(name, |thread| thread.cancelled)
}

fn is_any(name: u32, way: impl Fn(&Thread) -> bool) -> u32 {
    let threads = threads();
    let mut all = threads.all[..threads.used].iter();
    u32::from(all.any(|thread| thread.name == name && way(thread)))
}

fn if_true(can: bool) -> Can {
    if can { Can::Now } else { Can::Not }
}

impl Thread {
    /// Somebody has cancelled it, and it ends where it can.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled && !self.cancel_off
    }

    /// It ends here.
    pub fn is_stopped(&self) -> bool {
        self.is_cancelled() && self.pending.is_cancellation_point()
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

    pub fn can(&self, thread: &Thread) -> Can {
        if thread.is_interrupted() || !thread.is_seen() {
            return Can::Not;
        }
        if thread.is_stopped() {
            return Can::Now;
        }
        self.can_unless_cancelled(thread)
    }

    fn can_unless_cancelled(&self, thread: &Thread) -> Can {
        match *self {
            Move::Lock { address, again, .. } => {
                let mine = look(address).owner == thread.owner();
                if_true(free(address) == 1 || again && mine)
            }
            Move::LockShared(address) => if_true(sharing(address) >= 1 && gate(address) == 1),
            Move::LockWhole(address) => if_true(sharing(address) == 2),
            Move::Touch { .. } | Move::Exchange(_) => if_true(!thread.looks_in_vain()),
            Move::Down(address) => if_true(look(address).count > 0),
            Move::Pass { fd, way, waits } => if_true(!waits || channels::can(fd, way)),
            Move::Watch {
                watched,
                late: true,
            } if !channels::ready(watched.polls()) => Can::Late,
            Move::Awake { .. } | Move::Leave { .. } if thread.woken => Can::Now,
            Move::Awake { late: true, .. } | Move::Leave { late: true, .. } => Can::Late,
            Move::Awake { .. } | Move::Leave { .. } => Can::Not,
            Move::Join(name) => if_true(ended(name) == 1),
            Move::Once(address) => if_true(open(address) == 1),
            Move::Arrival => if_true(thread.flight.is_some_and(|flight| flight.can_arrive())),
            Move::None => Can::Not,
            _ => Can::Now,
        }
    }

    /// Says what it touches.
    pub fn report(&self, site: u32, thread: &Thread) {
        let name = thread.name;
        let stopped = thread.is_stopped();
        let cancellable = self.is_cancellation_point() && !thread.cancel_off;
        let say = |sync, number, changes, needs, before| {
            report(site, sync, number, changes, needs, before);
        };
        // Who has been cancelled no longer waits.
        let unless_stopped = |needs: u32| if stopped { 0 } else { needs };
        if let Some(of) = thread.buffer_of {
            return buffers::report_flush(of);
        }
        thread.report_awaited(site);
        if !thread.moved && name != 0 {
            // Whatever it does comes after it was started.
            let number = sync_number(SyncOp::Begin, name);
            say(SyncOp::Begin, number, false, 1, 1);
        }
        signals::report_own(site, thread);
        let whole = |sync, address, needs| say(sync, address, true, needs, free(address));
        if thread.look.waits {
            let number = sync_number(SyncOp::Change, name);
            say(SyncOp::Change, number, true, 1, thread.sees_change());
        }
        let at_gate = |lock: u64, changes, needs| {
            // SAFETY: the thread is about to lock or unlock it, and has given its address.
            if unsafe { locks::writers_first(lock) } {
                say(SyncOp::Gate, lock + 1, changes, needs, gate(lock));
            }
        };
        match *self {
            // The thread says it itself; one that does not move any more cannot.
            Move::Exchange(it) if threads().over => {
                let does = spin::peek(it.address, it.size).map(|there| it.does(there));
                touch(site, it.address, it.size, does.unwrap_or(it.flags as u8));
            }
            Move::Exchange(_) => {}
            Move::Touch {
                address,
                size,
                flags,
            } => touch(site, address, size, flags),
            Move::Copy { to, from, size } => {
                touch(site, to, size, WRITES);
                touch(site, from, size, 0);
            }
            Move::Lock {
                sync,
                address,
                again,
            } => {
                let mine = look(address).owner;
                let again = again && mine == thread.owner();
                whole(sync, address, u32::from(!again));
            }
            Move::TryLock { sync, address } | Move::Unlock { sync, address } => {
                whole(sync, address, 0);
            }
            Move::LockShared(lock) => {
                at_gate(lock, false, 1);
                say(SyncOp::RwLock, lock, false, 1, sharing(lock));
            }
            Move::LockWhole(lock) => {
                at_gate(lock, true, 0);
                say(SyncOp::RwLock, lock, true, 2, sharing(lock));
            }
            Move::Queue(lock) => {
                // It takes the lock if nobody has it.
                let state = sharing(lock);
                at_gate(lock, true, 0);
                say(SyncOp::RwLock, lock, state == 2, 0, state);
            }
            Move::TryShared(lock) => {
                at_gate(lock, false, 0);
                say(SyncOp::RwLock, lock, false, 0, sharing(lock));
            }
            Move::UnlockShared(lock) => {
                at_gate(lock, false, 0);
                say(SyncOp::RwLock, lock, false, 0, sharing(lock));
            }
            Move::TryWhole(lock) | Move::UnlockWhole(lock) => {
                say(SyncOp::RwLock, lock, true, 0, sharing(lock));
            }
            Move::Wait { condition, mutex } => {
                say(SyncOp::Condition, condition, true, 0, 0);
                whole(SyncOp::Mutex, mutex, 0);
            }
            Move::Awake { condition, late } => {
                if late || stopped {
                    // Who goes on without having been woken no longer waits for it.
                    say(SyncOp::Condition, condition, true, 0, 0);
                }
                let number = sync_number(SyncOp::Wake, name);
                let needs = unless_stopped((!late).into());
                say(SyncOp::Wake, number, true, needs, thread.woken.into());
            }
            Move::Signal(condition) => say(SyncOp::Condition, condition, true, 0, 0),
            Move::Down(address) => {
                let needs = unless_stopped(1);
                say(SyncOp::Semaphore, address, true, needs, look(address).count);
            }
            Move::TryDown(address) | Move::Up(address) => {
                say(SyncOp::Semaphore, address, true, 0, look(address).count);
            }
            Move::Arrive(barrier) => say(SyncOp::Barrier, barrier, true, 0, 0),
            Move::Look(word) => {
                say(SyncOp::Condition, word, true, 0, 0);
                touch(site, word, 4, ATOMIC | ACQUIRES);
            }
            Move::Leave { object, late } => {
                if late {
                    say(SyncOp::Condition, object, true, 0, 0);
                }
                let number = sync_number(SyncOp::Wake, name);
                let needs = unless_stopped((!late).into());
                say(SyncOp::Wake, number, true, needs, thread.woken.into());
            }
            Move::Pass { fd, way, waits } => {
                let waited_for = match way {
                    Way::In => SyncOp::Data,
                    Way::Out => SyncOp::Room,
                };
                channels::touched(fd, Some(way), |sync, number, before| {
                    let waits = waits && sync == waited_for;
                    let needs = unless_stopped(waits.into());
                    say(sync, number, true, needs, before);
                });
            }
            Move::Watch { watched, late } => {
                let look = |sync, number, before| say(sync, number, !late, 0, before);
                match watched.all {
                    true => channels::touch_all(look),
                    false => {
                        for one in watched.polls() {
                            channels::touched(one.fd, None, look);
                        }
                    }
                }
            }
            Move::Shut(fd) => channels::touched(fd, None, |sync, number, before| {
                say(sync, number, true, 0, before);
            }),
            Move::Outside(_) if stopped => {}
            Move::Outside(outside) => outside.report(site),
            Move::Join(other) => {
                let number = sync_number(SyncOp::End, other);
                say(SyncOp::End, number, false, unless_stopped(1), ended(other));
            }
            Move::TryJoin(other) => {
                let number = sync_number(SyncOp::End, other);
                say(SyncOp::End, number, false, 0, ended(other));
            }
            Move::Once(address) => say(SyncOp::Once, address, true, 1, open(address)),
            Move::Done(address) => say(SyncOp::Once, address, true, 0, open(address)),
            Move::Cancel(other) => {
                let number = sync_number(SyncOp::Cancel, other);
                say(SyncOp::Cancel, number, true, 0, cancelled(other));
            }
            Move::Arrival => {
                if let Some(flight) = &thread.flight {
                    flight.report(site, name);
                }
            }
            Move::Return(to) => {
                let number = threads().all[to as usize].sync_number(SyncOp::Interrupt);
                say(SyncOp::Interrupt, number, true, 0, 0);
            }
            Move::Send(to) => signals::report_send(site, to),
            Move::Take => signals::report_take(site, thread),
            Move::Mask(changes) => signals::report_mask(site, thread, changes),
            Move::Pause(changes) => {
                signals::report_take(site, thread);
                signals::report_mask(site, thread, changes);
            }
            Move::None | Move::Yield | Move::Flush | Move::Drain(_) | Move::End => {}
        }
        if cancellable {
            // It may be that it goes on only because somebody has cancelled it.
            let needs = stopped && self.can_unless_cancelled(thread) == Can::Not;
            let number = sync_number(SyncOp::Cancel, name);
            let before = cancelled(name);
            say(SyncOp::Cancel, number, false, needs.into(), before);
        }
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

/// Says that the present move touches an object.
pub fn report(site: u32, sync: SyncOp, number: u64, changes: bool, needs: u32, before: u32) {
    let detail = (sync as u8) << 1 | u8::from(changes);
    let pad = (before.min(255) << 8 | needs) as u16;
    let (low, high) = (number as u32, (number >> 32) as u32);
    state().event_with(EventKind::SyncOp, detail, pad, site, low, high);
}

/// Says what no schedule depends on.
pub fn note(site: u32, note: Note, number: u64) {
    let (low, high) = (number as u32, (number >> 32) as u32);
    state().event(EventKind::Note, note as u8, site, low, high);
}

/// More than this at once is said in parts.
const PART: u64 = 1 << 15;

/// Says that the present move has a fence.
pub fn fence(site: u32, flags: u8) {
    state().event_with(EventKind::Access, flags, 0, site, 0, 0);
}

pub fn touch(site: u32, mut address: u64, mut size: u64, flags: u8) {
    // What leaves a buffer its thread has seen before.
    if flags & WRITES != 0 && flags & FLUSHED == 0 {
        spin::written(site, address, size, None);
    }
    let large = arena::large_block(address);
    while size > 0 {
        let part = size.min(PART);
        let (low, high) = (address as u32, (address >> 32) as u32);
        state().event_with(EventKind::Access, flags, part as u16, site, low, high);
        address += part;
        size -= part;
    }
    if let Some(block) = large {
        let head = arena::head(block);
        let (low, high) = (head as u32, (head >> 32) as u32);
        state().event_with(EventKind::Access, flags & FLUSHED, 8, site, low, high);
    }
}
