//! Comparisons of texts as terms.

use super::*;
use crate::memory::set_label;
use crate::trace::{Room, Trace, node};

fn compared(room: &Room, other: &'static core::ffi::CStr, kind: Kind, result: c_int) -> u32 {
    let other = other.as_ptr() as u64;
    // SAFETY: two texts.
    unsafe { compare(1, room.at(), other, u64::MAX, kind, result) }
}

#[test]
fn what_has_no_label_is_compared_as_ever() {
    let trace = Trace::new();
    let mut room = Room::new();
    room.bytes()[..3].copy_from_slice(b"abc");
    assert_eq!(compared(&room, c"abd", TEXT, -1), 0);
    assert_eq!(trace.len(), 1);
}

#[test]
fn the_first_byte_that_differs_decides() {
    let trace = Trace::new();
    let mut room = Room::new();
    room.bytes()[..2].copy_from_slice(b"xb");
    let label = trace.byte();
    set_label(room.at(), 1, label);
    // `x` is of the input: it differs from `a`, or it is decided by what follows, which differs anyway.
    let whole = compared(&room, c"ac", TEXT, c_int::from(b'x') - c_int::from(b'a'));
    let (op, _, bits, differs, arms) = node(whole);
    assert_eq!((op, bits), (Op::Ite, 32));
    assert_eq!(node(differs), (Op::Ne, CONST_RIGHT, 1, label, b'a'.into()));
    assert_eq!(node((arms >> 32) as u32).4 as i32, -1, "`b` is before `c`");
    let (op, flags, _, wide, value) = node(arms as u32);
    assert_eq!((op, flags, value), (Op::Sub, CONST_RIGHT, b'a'.into()));
    assert_eq!(node(wide), (Op::ZExt, 0, 32, label, 0));
}

#[test]
fn letters_of_either_case_are_the_same() {
    let trace = Trace::new();
    let mut room = Room::new();
    room.bytes()[0] = b'Q';
    let label = trace.byte();
    set_label(room.at(), 1, label);
    let (_, _, _, differs, _) = node(compared(&room, c"q", FOLDED, 0));
    let (op, _, _, folded, small) = node(differs);
    assert_eq!((op, small), (Op::Ne, b'q'.into()));
    let (op, _, _, capital, arms) = node(folded);
    assert_eq!((op, (arms >> 32) as u32), (Op::Ite, label));
    assert_eq!(node(capital).0, Op::Ult);
    assert_eq!(node(arms as u32), (Op::Add, CONST_RIGHT, 8, label, 32));
}

#[test]
fn another_librarys_result_is_not_followed() {
    let trace = Trace::new();
    let mut room = Room::new();
    room.bytes()[0] = b'x';
    set_label(room.at(), 1, trace.byte());
    assert_eq!(compared(&room, c"a", TEXT, 1), 0);
    assert_eq!(trace.events(EventKind::Opaque).len(), 1);
}
