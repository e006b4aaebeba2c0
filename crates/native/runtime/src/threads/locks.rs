//! Mutexes of every kind, spin locks, and locks for readers and a writer.

use super::sync_objects::{self, ABANDONED, LOST, me, object};
use super::{Move, misused, point};
use crate::sys::{EBUSY, EDEADLK, EPERM, ETIMEDOUT};
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use elsewise_wire::threads::{SyncOp, misuse};

const EOWNERDEAD: c_int = 130;
const ENOTRECOVERABLE: c_int = 131;

/// What a mutex of the C library says of its kind, in the lowest two bits; -1 when destroyed.
///
/// # Safety
/// A mutex of the C library's.
unsafe fn kind(mutex: u64) -> c_int {
    // SAFETY: as the caller says; this is where the C library keeps it.
    unsafe { *((mutex + 16) as *const c_int) }
}

const RECURSIVE: c_int = 1;
const CHECKING: c_int = 2;
const ROBUST: c_int = 16;

/// A robust mutex has been locked.
static ROBUST_SEEN: AtomicBool = AtomicBool::new(false);

/// May there be robust mutexes that somebody has?
pub fn are_robust() -> bool {
    ROBUST_SEEN.load(Relaxed)
}

/// # Safety
/// A mutex of the C library's.
pub unsafe fn is_robust(mutex: u64) -> bool {
    // Only what has been locked as a mutex is asked.
    // SAFETY: the mutex is one of the C library's.
    let kind = unsafe { kind(mutex) };
    kind >= 0 && kind & ROBUST != 0
}

/// # Safety
/// A mutex of the C library's.
unsafe fn check(site: u32, mutex: u64) {
    // SAFETY: the mutex is one of the C library's.
    if unsafe { kind(mutex) } == -1 {
        misused(site, misuse::MUTEX);
    }
}

/// The running thread has the mutex now.
///
/// # Safety
/// A mutex of the C library's.
unsafe fn take(mutex: u64) -> c_int {
    // SAFETY: the mutex is one of the C library's.
    if unsafe { is_robust(mutex) } {
        ROBUST_SEEN.store(true, Relaxed);
    }
    let it = object(mutex);
    if it.extra == LOST {
        return ENOTRECOVERABLE;
    }
    it.owner = me();
    it.count += 1;
    match it.extra {
        ABANDONED => EOWNERDEAD,
        _ => 0,
    }
}

/// # Safety
/// A mutex of the C library's.
pub unsafe fn lock(site: u32, mutex: u64) -> c_int {
    // SAFETY: the mutex is one of the C library's.
    unsafe { check(site, mutex) };
    // SAFETY: the mutex is one of the C library's.
    let kind = unsafe { kind(mutex) } & 3;
    let again = kind == RECURSIVE || kind == CHECKING;
    point(
        site,
        Move::Lock {
            sync: SyncOp::Mutex,
            address: mutex,
            again,
        },
    );
    // It may have been destroyed meanwhile.
    // SAFETY: the mutex is one of the C library's.
    unsafe { check(site, mutex) };
    let mine = object(mutex).owner == me();
    match kind {
        CHECKING if mine => EDEADLK,
        // SAFETY: the mutex is one of the C library's.
        _ => unsafe { take(mutex) },
    }
}

/// # Safety
/// A mutex of the C library's.
pub unsafe fn try_lock(site: u32, mutex: u64) -> c_int {
    // SAFETY: the mutex is one of the C library's.
    unsafe { check(site, mutex) };
    point(
        site,
        Move::TryLock {
            sync: SyncOp::Mutex,
            address: mutex,
        },
    );
    let owner = object(mutex).owner;
    // SAFETY: the mutex is one of the C library's.
    let again = owner == me() && unsafe { kind(mutex) } & 3 == RECURSIVE;
    if owner == 0 || again {
        // SAFETY: the mutex is one of the C library's.
        return unsafe { take(mutex) };
    }
    EBUSY
}

/// # Safety
/// A mutex of the C library's.
pub unsafe fn timed_lock(site: u32, mutex: u64) -> c_int {
    // SAFETY: the mutex is one of the C library's.
    match unsafe { try_lock(site, mutex) } {
        EBUSY => ETIMEDOUT,
        result => result,
    }
}

/// # Safety
/// A mutex of the C library's.
pub unsafe fn unlock(site: u32, mutex: u64) -> c_int {
    // SAFETY: the mutex is one of the C library's.
    unsafe { check(site, mutex) };
    let owner = object(mutex).owner;
    // SAFETY: the mutex is one of the C library's.
    let kind = unsafe { kind(mutex) };
    if owner != me() && kind & (RECURSIVE | CHECKING | ROBUST) != 0 {
        return EPERM;
    }
    point(
        site,
        Move::Unlock {
            sync: SyncOp::Mutex,
            address: mutex,
        },
    );
    give_back(mutex);
    0
}

/// Once less, or no more.
pub fn give_back(mutex: u64) {
    let it = object(mutex);
    it.count = it.count.saturating_sub(1);
    if it.count == 0 {
        it.owner = 0;
        if it.extra == ABANDONED {
            it.extra = LOST;
        }
    }
}

fn spin(address: u64) -> Move {
    Move::Lock {
        sync: SyncOp::Spin,
        address,
        again: false,
    }
}

fn take_whole(lock: u64) -> c_int {
    object(lock).owner = me();
    0
}

fn take_shared(lock: u64) -> c_int {
    object(lock).count += 1;
    0
}

/// Does a reader not get in while a writer waits? What the C library's lock says of its kind.
///
/// # Safety
/// A read-write lock of the C library's.
pub unsafe fn writers_first(lock: u64) -> bool {
    const KIND: u64 = 48;
    const WRITERS_FIRST: u32 = 2;
    // SAFETY: as the caller says; this is where the C library keeps it.
    unsafe { *((lock + KIND) as *const u32) == WRITERS_FIRST }
}

/// # Safety
/// A read-write lock of the C library's.
unsafe fn lock_whole(site: u32, lock: u64) -> c_int {
    // SAFETY: the lock is one of the C library's.
    if !unsafe { writers_first(lock) } {
        point(site, Move::LockWhole(lock));
        return take_whole(lock);
    }
    point(site, Move::Queue(lock));
    let it = object(lock);
    if it.owner != 0 || it.count != 0 {
        it.extra += 1;
        point(site, Move::LockWhole(lock));
        object(lock).extra -= 1;
    }
    take_whole(lock)
}

/// # Safety
/// A read-write lock of the C library's.
unsafe fn try_shared(site: u32, lock: u64, failure: c_int) -> c_int {
    point(site, Move::TryShared(lock));
    let it = object(lock);
    // SAFETY: the lock is one of the C library's.
    let waits = it.extra > 0 && unsafe { writers_first(lock) };
    match it.owner == 0 && !waits {
        true => take_shared(lock),
        false => failure,
    }
}

fn try_whole(site: u32, lock: u64, failure: c_int) -> c_int {
    point(site, Move::TryWhole(lock));
    let it = object(lock);
    match it.owner == 0 && it.count == 0 {
        true => take_whole(lock),
        false => failure,
    }
}

super::names::in_place_of! {
    pthread_mutex_init(mutex: u64, attributes: *const c_void) -> c_int = |_site, real| {
        sync_objects::renew(mutex);
        real.call([mutex, attributes as u64]) as c_int
    };
    pthread_mutex_destroy(mutex: u64) -> c_int = |site, real| {
        check(site, mutex);
        point(site, Move::TryLock { sync: SyncOp::Mutex, address: mutex });
        if object(mutex).owner != 0 {
            return EBUSY;
        }
        real.call([mutex]) as c_int
    };
    pthread_mutex_lock(mutex: u64) -> c_int = |site, real| lock(site, mutex);
    pthread_mutex_trylock(mutex: u64) -> c_int = |site, real| try_lock(site, mutex);
    pthread_mutex_timedlock(mutex: u64, _until: *const c_void) -> c_int =
        |site, real| timed_lock(site, mutex);
    pthread_mutex_clocklock(mutex: u64, _clock: c_int, _until: *const c_void) -> c_int =
        |site, real| timed_lock(site, mutex);
    pthread_mutex_unlock(mutex: u64) -> c_int = |site, real| unlock(site, mutex);
    pthread_mutex_consistent(mutex: u64) -> c_int = |_site, real| {
        object(mutex).extra = 0;
        0
    };

    pthread_spin_init(lock: u64, shared: c_int) -> c_int = |_site, real| {
        sync_objects::renew(lock);
        real.call([lock, shared as u64]) as c_int
    };
    pthread_spin_lock(lock: u64) -> c_int = |site, real| {
        point(site, spin(lock));
        take_whole(lock)
    };
    pthread_spin_trylock(lock: u64) -> c_int = |site, real| {
        point(site, Move::TryLock { sync: SyncOp::Spin, address: lock });
        match object(lock).owner {
            0 => take_whole(lock),
            _ => EBUSY,
        }
    };
    pthread_spin_unlock(lock: u64) -> c_int = |site, real| {
        point(site, Move::Unlock { sync: SyncOp::Spin, address: lock });
        object(lock).owner = 0;
        0
    };

    pthread_rwlock_init(lock: u64, attributes: *const c_void) -> c_int = |_site, real| {
        sync_objects::renew(lock);
        real.call([lock, attributes as u64]) as c_int
    };
    pthread_rwlock_destroy(lock: u64) -> c_int = |_site, real| {
        sync_objects::renew(lock);
        real.call([lock]) as c_int
    };
    pthread_rwlock_rdlock(lock: u64) -> c_int = |site, real| {
        if object(lock).owner == me() {
            return EDEADLK;
        }
        point(site, Move::LockShared(lock));
        take_shared(lock)
    };
    pthread_rwlock_wrlock(lock: u64) -> c_int = |site, real| {
        if object(lock).owner == me() {
            return EDEADLK;
        }
        lock_whole(site, lock)
    };
    pthread_rwlock_tryrdlock(lock: u64) -> c_int = |site, real| try_shared(site, lock, EBUSY);
    pthread_rwlock_trywrlock(lock: u64) -> c_int = |site, real| try_whole(site, lock, EBUSY);
    pthread_rwlock_timedrdlock(lock: u64, _until: *const c_void) -> c_int =
        |site, real| try_shared(site, lock, ETIMEDOUT);
    pthread_rwlock_timedwrlock(lock: u64, _until: *const c_void) -> c_int =
        |site, real| try_whole(site, lock, ETIMEDOUT);
    pthread_rwlock_clockrdlock(lock: u64, _clock: c_int, _until: *const c_void) -> c_int =
        |site, real| try_shared(site, lock, ETIMEDOUT);
    pthread_rwlock_clockwrlock(lock: u64, _clock: c_int, _until: *const c_void) -> c_int =
        |site, real| try_whole(site, lock, ETIMEDOUT);
    pthread_rwlock_unlock(lock: u64) -> c_int = |site, real| {
        match object(lock).owner {
            0 => {
                point(site, Move::UnlockShared(lock));
                let it = object(lock);
                it.count = it.count.saturating_sub(1);
            }
            _ => {
                point(site, Move::UnlockWhole(lock));
                object(lock).owner = 0;
            }
        }
        0
    };
}
