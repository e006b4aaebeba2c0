//! Files that were opened before runs began: their positions and lengths are the system's, and the same for all
//! runs. Each run begins with those that its first one had.

use crate::counted;
use crate::shared::state;
use crate::sys::{FileControl, Stat, direct, file_control, number, stat_of};
use crate::turns::Turns;

/// Descriptors that are looked at.
const MOST: usize = 256;
const SEEK_SET: i64 = 0;
const SEEK_CUR: i64 = 1;
/// The standard streams are the engine's.
const FIRST: usize = 3;

#[derive(Clone, Copy)]
struct Open {
    /// Negative: it has none.
    position: i64,
    /// Negative: it cannot be written, or is no file.
    size: i64,
    /// When it was written last.
    changed: [u64; 2],
}

static OPEN: Turns<[Open; MOST]> = Turns::new(
    [Open {
        position: -1,
        size: -1,
        changed: [0; 2],
    }; MOST],
);

fn all() -> &'static mut [Open; MOST] {
    // SAFETY: its users take turns, as `Turns` says; it is written before there are runs, and at the beginning of one.
    unsafe { &mut *OPEN.get() }
}

fn seek(fd: usize, to: i64, from: i64) -> i64 {
    // SAFETY: it touches no memory.
    unsafe { direct(number::LSEEK, fd as i64, to, from, 0, 0, 0) }
}

/// A file that can be written, and whether only at its end.
fn writable(fd: usize) -> Option<(Stat, bool)> {
    const ACCESS: i64 = 3;
    const APPEND: i64 = 0o2000;
    let flags = file_control(fd as i64, FileControl::Flags);
    let stat = stat_of(fd as i64).filter(|stat| flags & ACCESS != 0 && stat.is_regular())?;
    Some((stat, flags & APPEND != 0))
}

/// Do all runs have this descriptor's file? Before they begin, they have whatever is open.
pub fn is_shared(fd: i64) -> bool {
    let all = all();
    let open = usize::try_from(fd).ok().and_then(|fd| all.get(fd));
    !state().running || open.is_some_and(|open| open.position >= 0)
}

/// Runs begin from here on.
pub fn note() {
    let all = all();
    for (fd, open) in all.iter_mut().enumerate().skip(FIRST) {
        open.position = seek(fd, 0, SEEK_CUR);
        if open.position >= 0
            && let Some((stat, _)) = writable(fd)
        {
            open.size = stat.size;
            open.changed = stat.changed();
        }
    }
}

/// A run begins.
pub fn put_back() {
    let all = all();
    for (fd, open) in all.iter().enumerate() {
        if open.position >= 0 {
            seek(fd, open.position, SEEK_SET);
        }
        if open.size >= 0
            && let Some((stat, at_its_end)) = writable(fd)
            && (stat.size, stat.changed()) != (open.size, open.changed)
        {
            if open.size > 0 && (!at_its_end || stat.size < open.size) {
                // What was in it at first may be no more.
                counted::unfollowed();
            }
            // SAFETY: it touches no memory.
            unsafe { direct(number::FTRUNCATE, fd as i64, open.size, 0, 0, 0, 0) };
        }
    }
}
