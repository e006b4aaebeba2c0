//! The lock of a stream: functions of the C library take it for as long as they run, and `flockfile` until
//! `funlockfile`. Where no code of the program calls that, nobody ever waits for such a lock, and it is no object.

use super::sync_objects::{look, me, object};
use super::{Move, locks, names, point};
use crate::sys;
use crate::turns::Turns;
use core::ffi::c_int;
use elsewise_wire::threads::SyncOp;

// Objects whose code names `flockfile` have the first symbol, those whose code names `freopen` the second.
core::arch::global_asm!(
    ".weak __elw_keeps_streams",
    ".weak __elw_moves_streams",
    ".pushsection .data.rel.ro.elsewise_known, \"aw\"",
    ".balign 8",
    ".globl __elw_keeps_streams_at",
    ".hidden __elw_keeps_streams_at",
    ".globl __elw_moves_streams_at",
    ".hidden __elw_moves_streams_at",
    "__elw_keeps_streams_at:",
    ".quad __elw_keeps_streams",
    "__elw_moves_streams_at:",
    ".quad __elw_moves_streams",
    ".popsection",
);

unsafe extern "C" {
    safe static __elw_keeps_streams_at: u64;
    safe static __elw_moves_streams_at: u64;
}

/// May a stream lead elsewhere than it did at first?
pub fn may_move() -> bool {
    __elw_moves_streams_at != 0
}

/// Streams that `flockfile` has been called for.
struct Kept {
    streams: [u64; MOST],
    used: usize,
}

const MOST: usize = 64;

static KEPT: Turns<Kept> = Turns::new(Kept {
    streams: [0; MOST],
    used: 0,
});

fn kept() -> &'static mut Kept {
    // SAFETY: its users take turns, as `Turns` says.
    unsafe { &mut *KEPT.get() }
}

fn keep(stream: u64) {
    let kept = kept();
    if kept.used == MOST {
        super::too_much();
        sys::_exit(70)
    }
    if !kept.streams[..kept.used].contains(&stream) {
        kept.streams[kept.used] = stream;
        kept.used += 1;
    }
}

/// The streams that somebody else than this thread has.
fn of_others(thread: u32) -> impl Iterator<Item = u64> {
    let kept = kept();
    let streams = kept.streams[..kept.used].iter().copied();
    streams.filter(move |stream| ![0, thread].contains(&look(*stream).owner))
}

/// Is there a stream that somebody else than this thread has, who may be gone?
pub fn others_have(thread: u32) -> bool {
    of_others(thread).next().is_some()
}

fn lock(site: u32, stream: u64) {
    let lock = Move::Lock {
        sync: SyncOp::Stream,
        address: stream,
        again: true,
    };
    point(site, lock);
    take(stream);
}

fn take(stream: u64) {
    let it = object(stream);
    it.owner = me();
    it.count += 1;
}

fn unlock(site: u32, stream: u64) {
    // Of what somebody else has nothing is said.
    if object(stream).owner != me() {
        return;
    }
    let unlock = Move::Unlock {
        sync: SyncOp::Stream,
        address: stream,
    };
    point(site, unlock);
    locks::give_back(stream);
}

/// In a stream's flags: who uses it locks it, if need be (`__fsetlocking`).
const LOCKED_BY_USER: u32 = 0x8000;

/// A function on a stream does what it does while it has the stream's lock.
pub fn within(site: u32, stream: u64, does: impl FnOnce()) {
    let mut flags = [0u64];
    let own = |flags: &mut [u64]| {
        sys::read_own(flags, stream as i64) && flags[0] as u32 & LOCKED_BY_USER != 0
    };
    if stream == 0 || __elw_keeps_streams_at == 0 || own(&mut flags) {
        return does();
    }
    lock(site, stream);
    does();
    unlock(site, stream);
}

/// A function on all streams waits for each of them: for those that somebody has kept, and those that are there from
/// the beginning.
pub fn within_all(site: u32) {
    // SAFETY: the C library's, which nobody changes meanwhile.
    let first = unsafe { [sys::stdin, sys::stdout, sys::stderr] };
    for stream in first {
        within(site, stream as u64, || ());
    }
    for at in 0..MOST {
        let stream = kept().streams[at];
        if stream != 0 && !first.iter().any(|one| *one as u64 == stream) {
            within(site, stream, || ());
        }
    }
}

names::in_calls_of! {
    __elw_m_flockfile, c"flockfile": (stream: u64) -> c_int = |site, real| {
        keep(stream);
        lock(site, stream);
        0
    };
    __elw_m_ftrylockfile, c"ftrylockfile": (stream: u64) -> c_int = |site, real| {
        let (sync, address) = (SyncOp::Stream, stream);
        point(site, Move::TryLock { sync, address });
        let owner = object(stream).owner;
        let free = owner == 0 || owner == me();
        if free {
            keep(stream);
            take(stream);
        }
        c_int::from(!free)
    };
    __elw_m_funlockfile, c"funlockfile": (stream: u64) -> c_int = |site, real| {
        unlock(site, stream);
        0
    };
}
