//! Whether a thread can do what it is about to do, and what it touches thereby.

use super::accesses::touch;
use super::channels::{self, Way};
use super::locks;
use super::moves::{Exchange, Move};
use super::reports::report;
use super::signals;
use super::sync_objects::{self, look};
use super::{Can, Life, Thread, buffers, spin, threads};
use elsewise_wire::threads::access::{ACQUIRES, ATOMIC, WRITES};
use elsewise_wire::threads::{SyncOp, sync_number};

impl Exchange {
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

impl Move {
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
}
