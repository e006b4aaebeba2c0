//! Where blocks begin and end.

use super::*;
use crate::trace::{Room, Trace};

#[test]
fn a_pointer_is_in_the_block_before_it() {
    let _trace = Trace::new();
    let room = Room::new();
    let at = room.at().next_multiple_of(16);
    born(at, 40);
    for offset in [0, 1, 39, 40] {
        assert_eq!(find(at + offset), Some((at, 40)), "{offset}");
    }
    assert_eq!(find(at + 41), None);
    born(at + 48, 8);
    assert_eq!(find(at + 50), Some((at + 48, 8)));
    died(at + 48);
    assert_eq!(find(at + 50), None, "the one before ends earlier");
    died(at);
    assert_eq!(find(at), None);
}

#[test]
fn what_was_freed_is_still_found() {
    let _trace = Trace::new();
    let room = Room::new();
    let at = room.at().next_multiple_of(16);
    born(at, 24);
    assert!(!is_freed(at));
    keep_freed(at);
    assert!(is_freed(at));
    assert_eq!(find(at + 8), Some((at, 24)));
    died(at);
    assert!(!is_freed(at));
}
