//! Stores that others see later.

use super::*;
use crate::memory::{entry, is_flagged, set_label};
use crate::threads::{__elw_threads, own};
use crate::trace::{Room, Trace};
use core::sync::atomic::Ordering;
use elsewise_wire::threads::access::ATOMIC;

/// A run with two threads, of which the first has the turn.
struct Threaded {
    trace: Trace,
}

impl Threaded {
    fn new() -> Threaded {
        let trace = Trace::new();
        trace.header().memory_model = MemoryModel::TotalStoreOrder as u64;
        let run = Threaded { trace };
        run.reset();
        let threads = threads();
        threads.used = 2;
        threads.current = 0;
        for (at, thread) in threads.all[..2].iter_mut().enumerate() {
            thread.life = Life::Alive;
            thread.name = at as u32;
        }
        own::is(0);
        __elw_threads.store(1, Ordering::Relaxed);
        run
    }

    fn reset(&self) {
        __elw_threads.store(0, Ordering::Relaxed);
        let threads = threads();
        for thread in &mut threads.all[..4] {
            *thread = Thread::new();
        }
        threads.used = 0;
        own::is_none();
        *of(0) = Buffer::NONE;
        *of(1) = Buffer::NONE;
    }

    /// The first thread stores a byte, as instrumented code does: it says so, and then does it.
    fn store(&self, room: &mut Room, offset: usize, value: u8) {
        assert!(stores(room.at() + offset as u64, 1, WRITES.into()));
        room.bytes()[offset] = value;
    }
}

impl Drop for Threaded {
    fn drop(&mut self) {
        self.reset();
    }
}

fn stores(address: u64, size: u64, flags: u32) -> bool {
    // SAFETY: tests store to memory of their own.
    unsafe { store(1, address, size, flags) }
}

fn reads(address: u64, size: u64) -> Move {
    Move::Touch {
        address,
        size,
        flags: 0,
    }
}

#[test]
fn others_see_a_store_when_it_leaves_the_buffer() {
    let run = Threaded::new();
    let mut room = Room::new();
    run.store(&mut room, 0, 7);
    assert_eq!(room.bytes()[0], 7, "who stores sees it");
    leave(0);
    assert_eq!(room.bytes()[0], 0, "others do not yet");
    enter(0);
    assert_eq!(room.bytes()[0], 7);
    leave(0);
    flush(0);
    assert_eq!(room.bytes()[0], 7, "now they do");
    enter(0);
    assert_eq!(room.bytes()[0], 7);
    assert!(threads().all[0].is_drained());
}

#[test]
fn stores_leave_in_their_order() {
    let run = Threaded::new();
    let mut room = Room::new();
    run.store(&mut room, 0, 1);
    run.store(&mut room, 1, 2);
    run.store(&mut room, 0, 3);
    leave(0);
    let mut seen = vec![room.bytes()[..2].to_vec()];
    for _ in 0..3 {
        flush(0);
        seen.push(room.bytes()[..2].to_vec());
    }
    assert_eq!(seen, [[0, 0], [1, 0], [1, 2], [3, 2]]);
}

#[test]
fn labels_wait_with_their_bytes() {
    let run = Threaded::new();
    let mut room = Room::new();
    let (old, new) = (run.trace.byte(), run.trace.byte());
    set_label(room.at(), 1, old);
    run.store(&mut room, 0, 5);
    set_label(room.at(), 1, new);
    leave(0);
    assert_eq!(entry(room.at()), old << 3);
    flush(0);
    assert_eq!(entry(room.at()), new << 3);
    run.store(&mut room, 0, 6);
    crate::memory::clear(room.at(), 1);
    leave(0);
    flush(0);
    assert!(!is_flagged(room.at(), 1));
}

#[test]
fn what_another_has_stored_meanwhile_is_under_the_own_store() {
    let run = Threaded::new();
    let mut room = Room::new();
    run.store(&mut room, 0, 1);
    leave(0);
    room.bytes()[0] = 9;
    enter(0);
    assert_eq!(room.bytes()[0], 1);
    leave(0);
    assert_eq!(room.bytes()[0], 9);
    flush(0);
    assert_eq!(room.bytes()[0], 1, "the later one in memory");
}

#[test]
fn some_stores_do_not_wait() {
    let run = Threaded::new();
    let room = Room::new();
    let sequential = u32::from(WRITES | ATOMIC) | exchange::SEQUENTIAL;
    assert!(!stores(room.at(), 4, sequential));
    assert!(!stores(room.at(), 4, (WRITES | REPLACES).into()));
    assert!(!stores(room.at(), MOST as u64 + 1, WRITES.into()));
    assert!(!stores(room.at(), 4, 0), "a load is none");
    assert!(stores(room.at(), 4, WRITES.into()));
    run.trace.header().memory_model = 0;
    assert!(!stores(room.at(), 4, WRITES.into()));
}

#[test]
fn a_thread_reads_its_own_stores() {
    let run = Threaded::new();
    let mut room = Room::new();
    let at = room.at();
    assert_eq!(needed(0, &Move::Signal(1)), 0, "it has stored nothing");
    run.store(&mut room, 4, 1);
    run.store(&mut room, 5, 1);
    assert_eq!(needed(0, &reads(at, 4)), 0, "something else");
    assert_eq!(needed(0, &reads(at + 5, 1)), 0, "all of what it has stored");
    assert_eq!(needed(0, &reads(at + 4, 4)), 2, "a part of it");
    assert_eq!(needed(0, &Move::Signal(1)), 2, "others must see all before");
    assert_eq!(needed(0, &Move::Drain(1)), 1);
    assert_eq!(needed(0, &Move::Yield), 0);
}

#[test]
fn who_waits_goes_on_when_others_have_seen_enough() {
    let run = Threaded::new();
    let mut room = Room::new();
    run.store(&mut room, 0, 1);
    run.store(&mut room, 1, 2);
    let first = &mut threads().all[0];
    first.waits_until = 2;
    leave(0);
    assert!(!first.is_seen());
    flush(0);
    assert!(!first.is_seen());
    flush(0);
    assert!(first.is_seen());
    enter(0);
    assert_eq!(needed(0, &Move::Signal(1)), 0, "it has waited for them");
}

#[test]
fn the_last_thread_sees_what_there_is() {
    let run = Threaded::new();
    let mut room = Room::new();
    run.store(&mut room, 0, 1);
    commit(threads());
    assert!(threads().all[0].is_drained());
    leave(0);
    assert_eq!(room.bytes()[0], 1);
}

#[test]
fn stores_overlap_and_cover() {
    let one = Store {
        address: 100,
        size: 4,
        ..Store::NONE
    };
    assert!(one.overlaps(103, 1) && one.overlaps(96, 5) && one.overlaps(0, u64::MAX));
    assert!(!one.overlaps(104, 4) && !one.overlaps(96, 4));
    assert!(one.covers(100, 4) && one.covers(103, 1));
    assert!(!one.covers(99, 2) && !one.covers(103, 2));
}
