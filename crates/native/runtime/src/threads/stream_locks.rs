//! The lock of a stream: functions of the C library take it for as long as they run, and `flockfile` until
//! `funlockfile`. Where no code of the program calls that, nobody ever waits for such a lock, and it is no object.

use super::sync_objects::{me, object};
use super::{Move, locks, names, point};
use core::ffi::c_int;
use elsewise_wire::threads::SyncOp;

// Objects whose code names `flockfile` have this symbol.
core::arch::global_asm!(
    ".weak __elw_keeps_streams",
    ".pushsection .data.rel.ro.elsewise_known, \"aw\"",
    ".balign 8",
    ".globl __elw_keeps_streams_at",
    ".hidden __elw_keeps_streams_at",
    "__elw_keeps_streams_at:",
    ".quad __elw_keeps_streams",
    ".popsection",
);

unsafe extern "C" {
    safe static __elw_keeps_streams_at: u64;
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

/// A function on a stream does what it does while it has the stream's lock.
pub fn within(site: u32, stream: u64, does: impl FnOnce()) {
    if stream == 0 || __elw_keeps_streams_at == 0 {
        return does();
    }
    lock(site, stream);
    does();
    unlock(site, stream);
}

names::in_calls_of! {
    __elw_m_flockfile, c"flockfile": (stream: u64) -> c_int = |site, real| {
        lock(site, stream);
        0
    };
    __elw_m_ftrylockfile, c"ftrylockfile": (stream: u64) -> c_int = |site, real| {
        let (sync, address) = (SyncOp::Stream, stream);
        point(site, Move::TryLock { sync, address });
        let owner = object(stream).owner;
        let free = owner == 0 || owner == me();
        if free {
            take(stream);
        }
        c_int::from(!free)
    };
    __elw_m_funlockfile, c"funlockfile": (stream: u64) -> c_int = |site, real| {
        unlock(site, stream);
        0
    };
}
