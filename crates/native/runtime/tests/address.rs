//! Reads and writes through labelled addresses.

use super::*;
use crate::memory::{clear, entry};
use crate::subject_calls;
use crate::trace::{Room, Trace, node};

/// The label of `base + x`, where `x` is a byte of the input.
fn index(trace: &Trace, base: u64, mask: u64) -> (u32, u32) {
    let wide = trace.input(64);
    let x = state().node(Op::And, CONST_RIGHT, 64, wide, mask);
    (state().node(Op::Add, CONST_RIGHT, 64, x, base), x)
}

#[test]
fn a_read_is_a_look_up_among_all_places() {
    let trace = Trace::new();
    let mut room = Room::new();
    room.bytes()[..4].copy_from_slice(&[10, 11, 12, 13]);
    let (address, x) = index(&trace, room.at(), 3);
    let found = __elw_read_at(1, address, room.at() + 2, 1, 8, 0, 0);
    let (op, _, bits, by, table) = node(found);
    assert_eq!((op, bits, by, table >> 32), (Op::Lookup, 8, x, 4));
    let entries: Vec<u64> = (0..4).map(|entry| node(table as u32 + entry).4).collect();
    assert_eq!(entries, [10, 11, 12, 13]);
}

#[test]
fn a_table_that_has_not_changed_is_written_once() {
    let trace = Trace::new();
    let mut room = Room::new();
    let (address, _) = index(&trace, room.at(), 7);
    let table = |found: u32| node(found).4 as u32;
    let first = table(__elw_read_at(1, address, room.at(), 1, 8, 0, 0));
    let again = table(__elw_read_at(1, address, room.at() + 5, 1, 8, 0, 0));
    assert_eq!(first, again);
    room.bytes()[3] = 1;
    let changed = table(__elw_read_at(1, address, room.at(), 1, 8, 0, 0));
    assert_ne!(first, changed);
    assert_eq!(node(changed + 3).4, 1);
    let label = trace.byte();
    set_label(room.at() + 6, 1, label);
    let labelled = table(__elw_read_at(1, address, room.at(), 1, 8, 0, 0));
    assert_eq!(node(labelled + 6).3, label);
}

#[test]
fn a_write_leaves_either_in_each_place() {
    let trace = Trace::new();
    let mut room = Room::new();
    room.bytes()[1] = 55;
    let (address, x) = index(&trace, room.at(), 1);
    assert_eq!(__elw_write_at(1, address, room.at(), 1, 0, 99, 0, 0), 1);
    let (op, _, _, meant, arms) = node(entry(room.at() + 1) >> 3);
    assert_eq!(op, Op::Ite);
    assert_eq!(node(meant), (Op::Eq, CONST_RIGHT, 1, x, 1));
    assert_eq!(node((arms >> 32) as u32).4, 55, "what was there");
    let (op, _, bits, whole, _) = node(arms as u32);
    assert_eq!((op, bits, node(whole).4), (Op::Extract, 8, 99));
    assert_eq!(entry(room.at() + 2), 0);
}

#[test]
fn to_stay_inside_of_an_object_is_a_choice() {
    let trace = Trace::new();
    let room = Room::new();
    let (address, _) = index(&trace, room.at(), 255);
    let inside = __elw_read_at(1, address, room.at() + 4, 1, 8, room.at(), 16);
    assert_ne!(inside, 0);
    let outside = __elw_read_at(1, address, room.at() + 20, 1, 8, room.at(), 16);
    assert_eq!(outside, 0);
    let sides: Vec<u32> = trace
        .events(EventKind::Branch)
        .iter()
        .map(|(_, _, side)| *side)
        .collect();
    assert_eq!(sides, [0, 1]);
    assert_eq!(
        trace.events(EventKind::Concrete).len(),
        1,
        "and then the address is what it is"
    );
}

#[test]
fn what_cannot_be_read_is_not() {
    let trace = Trace::new();
    // Two pages, of which the second may not be read.
    let flags = sys::MAP_PRIVATE | sys::MAP_ANONYMOUS;
    // SAFETY: new memory, which is given back below.
    let at = unsafe {
        subject_calls::mmap(
            core::ptr::null_mut(),
            8192,
            sys::PROT_READ | sys::PROT_WRITE,
            flags,
            -1,
            0,
        )
    } as u64;
    // SAFETY: the second page of it.
    let hidden = unsafe {
        subject_calls::mmap(
            (at + 4096) as *mut c_void,
            4096,
            0,
            flags | sys::MAP_FIXED,
            -1,
            0,
        )
    };
    assert_eq!(hidden as u64, at + 4096);
    assert!(readable(at, 4096) && !readable(at, 4097));
    let (address, _) = index(&trace, at + 4090, 15);
    assert_eq!(__elw_read_at(1, address, at + 4090, 1, 8, 0, 0), 0);
    assert_eq!(trace.events(EventKind::Concrete).len(), 1);
    clear(at, 8192);
    // SAFETY: nobody uses it any more.
    unsafe { subject_calls::munmap(at as *mut c_void, 8192) };
}
