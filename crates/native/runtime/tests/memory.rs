//! The shadow: labels of bytes, and the flags of granules.

use super::*;
use crate::trace::{Room, Trace, node};

fn label_at(address: u64, size: u32) -> u32 {
    // SAFETY: tests ask for bytes of their own.
    unsafe { label_of(address, size) }
}

#[test]
fn what_was_stored_is_loaded() {
    let trace = Trace::new();
    let room = Room::new();
    for (size, offset) in [(1, 0), (2, 3), (4, 9), (8, 21)] {
        let label = trace.input(size * 8);
        let at = room.at() + offset;
        set_label(at, size, label);
        let before = trace.len();
        assert_eq!(label_at(at, size), label);
        assert_eq!(trace.len(), before, "nothing is made of it");
    }
}

#[test]
fn a_part_is_extracted() {
    let trace = Trace::new();
    let room = Room::new();
    let label = trace.input(64);
    set_label(room.at(), 8, label);
    let low = label_at(room.at(), 4);
    assert_eq!(node(low), (Op::Extract, 0, 32, label, 0));
    let middle = label_at(room.at() + 3, 2);
    assert_eq!(node(middle), (Op::Extract, 0, 16, label, 24));
}

#[test]
fn bytes_without_a_label_are_their_values() {
    let trace = Trace::new();
    let mut room = Room::new();
    let label = trace.input(8);
    room.bytes()[..4].copy_from_slice(&[0x11, 0x22, 0x33, 0x44]);
    set_label(room.at() + 1, 1, label);
    let (op, _, bits, above, below) = node(label_at(room.at(), 4));
    assert_eq!((op, bits), (Op::Concat, 32));
    assert_eq!(node(above), (Op::Const, 0, 16, 0, 0x4433));
    let (op, _, bits, above, below) = node(below as u32);
    assert_eq!((op, bits, above), (Op::Concat, 16, label));
    assert_eq!(node(below as u32), (Op::Const, 0, 8, 0, 0x11));
}

#[test]
fn a_store_of_bits_fills_its_bytes() {
    let trace = Trace::new();
    let room = Room::new();
    let truth = trace.input(1);
    __elw_store(room.at(), 1, truth, 1, 0);
    let byte = label_at(room.at(), 1);
    assert_eq!(node(byte), (Op::ZExt, 0, 8, truth, 0));
    // SAFETY: a byte of the test's own.
    let back = unsafe { __elw_load(room.at(), 1, 1, 0) };
    assert_eq!(node(back), (Op::Trunc, 0, 1, byte, 0));
    // SAFETY: as above.
    let known = unsafe { __elw_load(room.at(), 1, 1, 77) };
    assert_eq!(known, 77, "it was looked up");
    __elw_store(room.at(), 1, 0, 1, 1);
    assert_eq!(label_at(room.at(), 1), byte, "it is done already");
}

#[test]
fn flags_are_those_of_granules() {
    let trace = Trace::new();
    let room = Room::new();
    // The last byte of one granule, and the first of the next.
    set_label(room.at() + 7, 2, trace.input(16));
    assert!(is_flagged(room.at(), 1) && is_flagged(room.at() + 15, 1));
    assert!(!is_flagged(room.at() + 16, 64));
    assert!(!is_flagged(room.at() + 8, 0));
    clear(room.at() + 7, 1);
    assert!(!is_flagged(room.at(), 8), "its only label is gone");
    assert!(is_flagged(room.at() + 8, 1), "the other half stays");
    assert_eq!(entry(room.at() + 7), 0);
}

#[test]
fn many_flags_are_looked_at_at_once() {
    let trace = Trace::new();
    let far = vec![0u64; 1024];
    let from = far.as_ptr() as u64;
    clear(from, 8192);
    for offset in [0, 8 * 77 + 3, 8191] {
        set_label(from + offset, 1, trace.byte());
        assert!(is_flagged(from, 8192), "{offset}");
        let mut found = Vec::new();
        for_flagged(from, 8192, |granule| found.push(granule - from));
        assert_eq!(found, [offset & !7]);
        clear(from + offset, 1);
        assert!(!is_flagged(from, 8192), "{offset}");
    }
}

#[test]
fn a_range_ends_before_what_is_behind_it() {
    let trace = Trace::new();
    let room = Room::new();
    set_label(room.at() + 64, 1, trace.byte());
    assert!(!is_flagged(room.at(), 64));
    clear(room.at(), 64);
    assert!(is_flagged(room.at() + 64, 1));
    // All of a granule, but for the byte that is labelled.
    clear(room.at() + 65, 7);
    assert!(is_flagged(room.at() + 64, 1));
}

#[test]
fn labels_move_with_their_bytes() {
    let trace = Trace::new();
    let room = Room::new();
    let label = trace.input(32);
    set_label(room.at(), 4, label);
    copy(room.at() + 2, room.at(), 4);
    assert_eq!(label_at(room.at() + 2, 4), label, "they overlap");
    assert_eq!(entry(room.at() + 1), label << 3 | 1);
    copy(room.at() + 2, room.at() + 32, 4);
    assert_eq!(label_at(room.at() + 2, 4), 0, "so do those of none");
    assert_eq!(
        entry(room.at() + 1),
        label << 3 | 1,
        "what is before them stays"
    );
}

#[test]
fn what_is_filled_has_the_lowest_byte() {
    let trace = Trace::new();
    let room = Room::new();
    let number = trace.input(32);
    __elw_fill(1, room.at() + 1, number, 3, 0, 0);
    let byte = label_at(room.at() + 1, 1);
    assert_eq!(node(byte), (Op::Trunc, 0, 8, number, 0));
    let all: Vec<u32> = entries_of(room.at(), 5).to_vec();
    assert_eq!(all, [0, byte << 3, byte << 3, byte << 3, 0]);
    __elw_fill(1, room.at(), 0, 8, 0, 0);
    assert!(!is_flagged(room.at(), 8));
}

#[test]
fn much_memory_is_given_back() {
    let trace = Trace::new();
    let many = vec![0u8; 3 << 20];
    let (from, size) = (many.as_ptr() as u64, many.len() as u64);
    clear(from, size);
    let labelled = [0, 1 << 20, (2 << 20) + 5, size - 1];
    for offset in labelled {
        set_label(from + offset, 1, trace.byte());
    }
    let (inside, outside) = (labelled[1..3].to_vec(), [from, from + size - 1]);
    clear(from + 1, size - 2);
    for offset in inside {
        assert_eq!(entry(from + offset), 0, "{offset}");
        assert!(!is_flagged(from + offset, 1), "{offset}");
    }
    for at in outside {
        assert!(is_flagged(at, 1));
        clear(at, 1);
    }
}

#[test]
fn entries_are_put_back_as_they_were() {
    let trace = Trace::new();
    let room = Room::new();
    set_label(room.at() + 2, 4, trace.input(32));
    let mut kept = [9; 8];
    entries(room.at(), &mut kept);
    clear(room.at(), 8);
    set_entries(room.at(), &kept);
    assert_eq!(entries_of(room.at(), 8), kept);
    set_entries(room.at(), &[0; 8]);
    assert!(!is_flagged(room.at(), 8));
    entries(room.at(), &mut kept);
    assert_eq!(kept, [0; 8]);
}

#[test]
fn what_goes_where_nobody_follows_is_made_concrete() {
    let trace = Trace::new();
    let mut room = Room::new();
    let label = trace.input(16);
    room.bytes()[8..10].copy_from_slice(&[0x34, 0x12]);
    set_label(room.at() + 8, 2, label);
    // SAFETY: bytes of the test's own.
    unsafe { __elw_assembly(4, room.at(), 10) };
    let events = trace.events(elsewise_wire::EventKind::Concrete);
    let values: Vec<u64> = events.iter().map(|(_, _, value)| node(*value).4).collect();
    assert_eq!(values, [0x34, 0x12], "byte by byte at the end");
    assert!(!is_flagged(room.at(), 16));
}
