//! Files that were opened before runs began: their positions are the system's, and the same for all runs. Each
//! run begins with those that its first one had.

use crate::sys::{direct, number};
use core::cell::UnsafeCell;

/// Descriptors that are looked at.
const MOST: usize = 256;
const SEEK_SET: i64 = 0;
const SEEK_CUR: i64 = 1;
/// The standard streams are the engine's.
const FIRST: usize = 3;

struct Global(UnsafeCell<[i64; MOST]>);
// Written before there are runs.
unsafe impl Sync for Global {}

/// Negative: it has none.
static POSITIONS: Global = Global(UnsafeCell::new([-1; MOST]));

fn seek(fd: usize, to: i64, from: i64) -> i64 {
    unsafe { direct(number::LSEEK, fd as i64, to, from, 0, 0, 0) }
}

/// Runs begin from here on.
pub fn note() {
    let all = unsafe { &mut *POSITIONS.0.get() };
    for (fd, position) in all.iter_mut().enumerate().skip(FIRST) {
        *position = seek(fd, 0, SEEK_CUR);
    }
}

/// A run begins.
pub fn put_back() {
    let all = unsafe { &*POSITIONS.0.get() };
    for (fd, position) in all.iter().enumerate() {
        if *position >= 0 {
            seek(fd, *position, SEEK_SET);
        }
    }
}
