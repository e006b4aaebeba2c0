//! Memory that threads ask for while there are several: from an area of each thread's own, so that
//! an address says whose it is and the how-manieth, whatever the schedule. What has been freed is
//! not handed out again, and using it is noticed.

use super::large;
use super::names::Real;
use super::{Move, current, misused, own, point, several, threads};
use crate::frame::frame;
use crate::memory::clear;
use crate::objects;
use crate::snapshot;
use crate::subject_calls;
use crate::sys;
use core::ffi::{c_int, c_void};
use core::ptr;
use elsewise_wire::threads::access::WRITES;
use elsewise_wire::threads::misuse;

/// Behind the threads' stacks.
const BASE: u64 = super::stacks::STACKS_END;
/// Room for each thread's memory.
const ROOM: u64 = 128 << 20;
const END: u64 = BASE + super::stacks::SLOTS * ROOM;
const _: () = assert!(END < 0x5550_0000_0000 && BASE > snapshot::END);
/// Taken from the system at once.
const STEP: u64 = 1 << 20;

/// Before each block stands its size.
const HEAD: u64 = 16;

fn is_ours(block: u64) -> bool {
    (BASE..END).contains(&block)
}

/// # Safety
/// A block of a thread's memory.
unsafe fn size_of(block: u64) -> u64 {
    // SAFETY: a block that was got here or from the C library, as C asks for.
    unsafe { *((block - HEAD) as *const u64) }
}

/// Blocks from this size on are not touched as a whole when they are given back, which would be very
/// many pieces of memory: their head is, as it is by whoever touches a part of them.
const LARGE: u64 = 4096;

/// What stands for all of a large block.
pub fn head(block: u64) -> u64 {
    block - HEAD
}

pub use large::find as large_block;

fn get(size: u64, alignment: u64) -> *mut c_void {
    let slot = super::stacks::slot(current().name, threads().current);
    let mine = current();
    if mine.memory == 0 {
        mine.memory = BASE + slot * ROOM;
        mine.memory_end = mine.memory;
    }
    let block = (mine.memory + HEAD).next_multiple_of(alignment.max(16));
    let Some(end) = block.checked_add(size.max(1)) else {
        return ptr::null_mut();
    };
    let end = end.next_multiple_of(16);
    if end > BASE + (slot + 1) * ROOM {
        super::too_much();
        sys::set_errno(12);
        return ptr::null_mut();
    }
    if end > mine.memory_end {
        let to = end.next_multiple_of(STEP);
        let flags = sys::MAP_PRIVATE | sys::MAP_ANONYMOUS | sys::MAP_NORESERVE | sys::MAP_FIXED;
        let protection = sys::PROT_READ | sys::PROT_WRITE;
        let from = mine.memory_end as *mut c_void;
        let length = (to - mine.memory_end) as usize;
        // SAFETY: the thread's own area, behind what it has got of it.
        let got = unsafe { subject_calls::mmap(from, length, protection, flags, -1, 0) };
        if got as isize == -1 {
            return ptr::null_mut();
        }
        mine.memory_end = to;
    }
    mine.memory = end;
    // SAFETY: there is room for it before the block.
    unsafe { *((block - HEAD) as *mut u64) = size };
    objects::born(block, size);
    if size >= LARGE {
        large::add(block, size);
    }
    block as *mut c_void
}

/// Gives a block back while there are several threads. Those that are not a thread's are kept, too:
/// what the C library does with them would depend on the schedule.
///
/// # Safety
/// A block, of whomever it was got.
unsafe fn give_back(block: u64) {
    let site = frame().site;
    // SAFETY: a block that was got here or from the C library, as C asks for.
    let size = unsafe { malloc_usable_size(block as *mut c_void) } as u64;
    let flags = WRITES;
    let (address, touched) = match large::find(block) {
        Some(block) => (head(block), 8),
        None => (block, size),
    };
    point(
        site,
        Move::Touch {
            address,
            size: touched,
            flags,
        },
    );
    if objects::is_freed(block) {
        misused(site, misuse::FREED);
    }
    if !is_ours(block) && objects::find(block).is_none() {
        objects::born(block, size);
    }
    objects::keep_freed(block);
    clear(block, size);
}

/// Somebody is about to use memory: it must not have been freed.
pub fn check(site: u32, address: u64) {
    let small = || objects::find(address).map(|(block, _)| block);
    if let Some(block) = large::find(address).or_else(small)
        && objects::is_freed(block)
    {
        misused(site, misuse::USED);
    }
}

/// Does a thread ask that takes its turn?
fn ours() -> bool {
    several() && own::moves()
}

/// Is the block given back here, not by the C library?
pub fn has(block: u64) -> bool {
    is_ours(block) || ours()
}

unsafe extern "C" {
    safe fn __libc_malloc(size: usize) -> *mut c_void;
    safe fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    fn __libc_realloc(old: *mut c_void, size: usize) -> *mut c_void;
    safe fn __libc_memalign(alignment: usize, size: usize) -> *mut c_void;
    fn __libc_free(block: *mut c_void);
}

#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn malloc(size: usize) -> *mut c_void {
    match ours() {
        true => get(size as u64, 16),
        false => __libc_malloc(size),
    }
}

#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    if !ours() {
        return __libc_calloc(count, size);
    }
    // Nobody has had the memory before: it is zero.
    match count.checked_mul(size) {
        Some(size) => get(size as u64, 16),
        None => ptr::null_mut(),
    }
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn realloc(old: *mut c_void, size: usize) -> *mut c_void {
    if !has(old as u64) {
        // SAFETY: a block that was got here or from the C library, as C asks for.
        return unsafe { __libc_realloc(old, size) };
    }
    let new = malloc(size);
    if !new.is_null() && !old.is_null() {
        // SAFETY: as the caller says; the new block has at least as many bytes.
        unsafe {
            let kept = malloc_usable_size(old);
            sys::memcpy(new, old, size.min(kept));
            free(old);
        }
    }
    new
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn reallocarray(old: *mut c_void, count: usize, size: usize) -> *mut c_void {
    match count.checked_mul(size) {
        // SAFETY: a block that was got here or from the C library, as C asks for.
        Some(size) => unsafe { realloc(old, size) },
        None => {
            sys::set_errno(12);
            ptr::null_mut()
        }
    }
}

#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn memalign(alignment: usize, size: usize) -> *mut c_void {
    match ours() {
        true => get(size as u64, alignment.next_power_of_two() as u64),
        false => __libc_memalign(alignment, size),
    }
}

#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    memalign(alignment, size)
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn posix_memalign(
    to: *mut *mut c_void,
    alignment: usize,
    size: usize,
) -> c_int {
    if !alignment.is_power_of_two() || !alignment.is_multiple_of(8) {
        return sys::EINVAL;
    }
    let block = memalign(alignment, size);
    if block.is_null() {
        return 12;
    }
    // SAFETY: there is room for a pointer, as C asks for.
    unsafe { *to = block };
    0
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn free(block: *mut c_void) {
    match block.is_null() {
        true => {}
        // SAFETY: a block that was got here or from the C library, as C asks for.
        false if ours() => unsafe { give_back(block as u64) },
        // A thread's memory stays where it is until the end of the run.
        false if is_ours(block as u64) => objects::keep_freed(block as u64),
        // SAFETY: a block that was got here or from the C library, as C asks for.
        false => unsafe { __libc_free(block) },
    }
}

/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn malloc_usable_size(block: *mut c_void) -> usize {
    if is_ours(block as u64) {
        // SAFETY: a block that was got here or from the C library, as C asks for.
        return unsafe { size_of(block as u64) } as usize;
    }
    static REAL: Real = Real::new(c"malloc_usable_size");
    // SAFETY: a block that was got here or from the C library, as C asks for.
    unsafe { REAL.call([block as u64]) as usize }
}
