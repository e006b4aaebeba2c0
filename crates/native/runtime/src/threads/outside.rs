//! What lies outside of the program's memory and threads may touch all the same: hidden variables of the C library,
//! files, descriptors, the environment. Functions that do so are moves.

use super::cancelling::stop_if_cancelled;
use super::moves::Outside;
use super::reports::report;
use super::{Life, Move, channels, conditions, current, own, point, several, threads};
use super::{closed_streams, stream_locks, sync_objects};
use crate::foreign;
use crate::shared::state;
use crate::sys::{self, direct, number, stat_of};
use core::ffi::{c_int, c_void};
use core::sync::atomic::Ordering::Relaxed;
use elsewise_wire::Reason;
use elsewise_wire::outside::{File, flags, object};
use elsewise_wire::threads::{SyncOp, sync_number};

pub(super) const NOTHING: Outside = Outside {
    reads: 0,
    writes: 0,
    file: None,
    changes: false,
    number: None,
    closes: false,
    cancels: false,
};

/// Numbers of files come after those of other objects.
const FIRST_NUMBER: u32 = 1 << 8;
const FIRST_FILE: u32 = 1 << 17;
const FILES: u32 = 1 << 30;

impl Outside {
    pub fn report(&self, site: u32) {
        let say = |number: u32, changes: bool| {
            let number = sync_number(SyncOp::Outside, number);
            report(site, SyncOp::Outside, number, changes, 0, 0);
        };
        for bit in 0..object::COUNT {
            let is = |set: u32| set >> bit & 1 != 0;
            if is(self.reads | self.writes) {
                say(bit, is(self.writes));
            }
        }
        if let Some(file) = self.file {
            say(file, self.changes);
        }
        if let Some(number) = self.number {
            say(FIRST_NUMBER + (number as u32 & 0xffff), self.closes);
        }
    }
}

fn moves(site: u32, outside: Outside) {
    point(site, Move::Outside(outside));
    if outside.cancels {
        stop_if_cancelled();
    }
}

/// Before a function is called of which it is known what it touches outside.
///
/// # Safety
/// The target is what `how` says: a stream is one of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_outside(site: u32, reads: u32, writes: u32, target: u64, how: u32) {
    if !several() || !own::moves() {
        return;
    }
    let stream = match File::from_u32(how >> flags::FILE_SHIFT) {
        _ if how & flags::LOCKS == 0 => 0,
        Some(File::Stream) => target,
        // SAFETY: the C library's, which nobody changes meanwhile.
        Some(File::Input) => unsafe { sys::stdin as u64 },
        // SAFETY: as above.
        Some(File::Output) => unsafe { sys::stdout as u64 },
        // SAFETY: as above.
        Some(File::Errors) => unsafe { sys::stderr as u64 },
        _ => 0,
    };
    if how & flags::LOCKS != 0 && stream == 0 {
        stream_locks::within_all(site);
    }
    // It says what is wrong with an option.
    if writes & object::OPTIONS != 0 {
        waits_unseen(site);
    }
    // SAFETY: as the caller says.
    let touches = || unsafe { touches(site, reads, writes, target, how) };
    stream_locks::within(site, stream, touches);
}

/// # Safety
/// As of [`__elw_outside`].
unsafe fn touches(site: u32, reads: u32, writes: u32, target: u64, how: u32) {
    let of = File::from_u32(how >> flags::FILE_SHIFT);
    let fd = match of {
        Some(File::Descriptor) => Some(target as c_int),
        // SAFETY: as the caller says, a stream, or what one was: the memory is there.
        Some(File::Stream) if target != 0 => Some(unsafe { sys::fileno(target as *mut c_void) }),
        Some(File::Stream) => return,
        Some(File::Input) => Some(0),
        _ => None,
    };
    // Those have moves of their own.
    if fd.is_some_and(|fd| channels::find(fd).is_some()) {
        return;
    }
    let file = fd.and_then(name_of);
    // What nobody reads back is no file.
    let reads = match fd.is_some() && file.is_none() {
        true => reads & !object::FILES,
        false => reads,
    };
    // A stream is known by its number to those who close it, but for those that are open from the beginning and stay
    // what they are.
    let number = match of {
        Some(File::Descriptor) => fd,
        _ if stream_locks::may_move() => fd.or_else(|| printed_to(of)),
        _ => fd.filter(|fd| *fd > 2),
    };
    let outside = Outside {
        reads,
        writes,
        file,
        changes: how & flags::CHANGES != 0,
        number,
        closes: writes & object::DESCRIPTORS != 0,
        cancels: how & flags::CANCELS != 0,
    };
    let nothing = Outside {
        changes: outside.changes,
        ..NOTHING
    };
    if outside != nothing {
        moves(site, outside);
        let ends = how & flags::ENDS != 0;
        super::__elw_within.store(ends.into(), Relaxed);
    }
    if of == Some(File::Stream) {
        closed_streams::check(site, target);
        if outside.closes {
            closed_streams::note(target);
        }
    }
}

/// The number of a stream that is named by no argument.
fn printed_to(of: Option<File>) -> Option<c_int> {
    match of {
        Some(File::Output) => Some(1),
        Some(File::Errors) => Some(2),
        _ => None,
    }
}

/// Before code runs that may wait for a stream without saying so. That somebody else has one is not seen there.
fn waits_unseen(site: u32) {
    if stream_locks::others_have(sync_objects::me()) {
        state().opaque(site, Reason::Memory);
    }
}

/// As an object that threads wait for: that a file is unlocked.
const UNLOCKED: u64 = 4;

/// `flock`: who does not get the lock waits until somebody unlocks any file.
pub fn lock_file(site: u32, fd: c_int, how: c_int, call: impl Fn(c_int) -> c_int) -> c_int {
    const DO_NOT_WAIT: c_int = 4;
    loop {
        let touched = Outside {
            reads: object::FILES,
            file: name_of(fd),
            changes: true,
            ..NOTHING
        };
        moves(site, touched);
        let result = call(how | DO_NOT_WAIT);
        let waits = result < 0 && sys::errno() == sys::EAGAIN;
        if !waits || how & DO_NOT_WAIT != 0 {
            // To have it shared lets others in that could not before.
            files_are_unlocked(site);
            return result;
        }
        let mine = current();
        mine.waits_for = UNLOCKED;
        mine.woken = false;
        let (object, late) = (UNLOCKED, false);
        point(site, Move::Leave { object, late });
        let mine = current();
        mine.waits_for = 0;
        mine.woken = false;
    }
}

/// Who waits for a file to be unlocked looks again.
pub fn files_are_unlocked(site: u32) {
    let threads = threads();
    for at in 0..threads.used {
        let thread = &threads.all[at];
        if thread.life == Life::Alive && thread.waits_for == UNLOCKED && !thread.woken {
            conditions::wake(site, at);
        }
    }
}

/// A thread ends here if it was cancelled.
pub fn may_be_cancelled(site: u32) {
    if several() && own::moves() {
        let only = Outside {
            cancels: true,
            ..NOTHING
        };
        moves(site, only);
    }
}

/// Before a function is called of which nothing is known.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_outside_unknown(site: u32, callee: u64) {
    if several() && own::moves() && foreign::may_do_anything(callee) {
        waits_unseen(site);
        if foreign::is_of_others(callee) {
            // What it touches beside what it is given is not known, nor what comes in between.
            state().opaque(site, Reason::Memory);
        }
        let outside = Outside {
            writes: object::ALL,
            ..NOTHING
        };
        moves(site, outside);
    }
}

/// The number of a file, the same in all runs: of its path. None has what the engine looks at alone, and what is
/// no file.
fn name_of(fd: c_int) -> Option<u32> {
    const OUTPUT: [c_int; 2] = [1, 2];
    stat_of(fd.into()).filter(|stat| stat.is_regular() && !OUTPUT.contains(&fd))?;
    let link = sys::path_of_descriptor(fd);
    let mut path = [0u8; 512];
    let (from, to, room) = (link.as_ptr(), path.as_mut_ptr(), path.len());
    // SAFETY: a path that ends by a NUL, and so much room.
    let length = unsafe {
        direct(
            number::READLINK,
            from as i64,
            to as i64,
            room as i64,
            0,
            0,
            0,
        )
    };
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in &path[..length.max(0) as usize] {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    }
    Some(FIRST_FILE + (hash % u64::from(FILES)) as u32)
}
