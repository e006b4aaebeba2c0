//! Memory that is handed out has no labels, and memory that is given back loses them, so that
//! code which is not instrumented never gets any with it.

use super::called;
use crate::check;
use crate::memory::{self, clear};
use crate::objects;
use crate::shared::state;
use crate::sys;
use crate::threads::arena;
use core::ffi::{c_int, c_void};
use elsewise_wire::Reason;

#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_malloc(size: usize) -> *mut c_void {
    let (_, site, [label]) = called::<1>(__elw_m_malloc as *const ());
    check::allocation(site, label);
    state().made_concrete(site, label, size as u64, Reason::Size);
    // SAFETY: it has just been made.
    unsafe { fresh(sys::malloc(size), size) }
}

#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_calloc(count: usize, size: usize) -> *mut c_void {
    let (_, site, [lcount, lsize]) = called::<2>(__elw_m_calloc as *const ());
    state().made_concrete(site, lcount, count as u64, Reason::Size);
    state().made_concrete(site, lsize, size as u64, Reason::Size);
    // SAFETY: it has just been made.
    unsafe { fresh(sys::calloc(count, size), count.saturating_mul(size)) }
}

/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_realloc(old: *mut c_void, size: usize) -> *mut c_void {
    let (_, site, [lold, lsize]) = called::<2>(__elw_m_realloc as *const ());
    // SAFETY: null, or a block of the C library's, as C asks for.
    unsafe { reallocate(site, old, size, lold, lsize) }
}

/// # Safety
/// A block of the C library's, or null.
unsafe fn reallocate(
    site: u32,
    old: *mut c_void,
    size: usize,
    lold: u32,
    lsize: u32,
) -> *mut c_void {
    check::allocation(site, lsize);
    state().made_concrete(site, lold, old as u64, Reason::Address);
    state().made_concrete(site, lsize, size as u64, Reason::Size);
    if old.is_null() {
        // SAFETY: it has just been made.
        return unsafe { fresh(sys::malloc(size), size) };
    }
    // SAFETY: as the caller says, a block of the C library's.
    let kept = unsafe { sys::malloc_usable_size(old) };
    // SAFETY: null, or a block of the C library's, as C asks for.
    let new = unsafe { sys::realloc(old, size) };
    if !new.is_null() {
        // Among threads, others may still have a pointer to it: that it is freed is remembered.
        if !objects::is_freed(old as u64) {
            objects::died(old as u64);
        }
        objects::born(new as u64, size as u64);
        // SAFETY: it has just been made.
        let usable = unsafe { sys::malloc_usable_size(new) };
        if new != old {
            memory::copy(new as u64, old as u64, kept.min(usable) as u64);
        }
        if usable > kept {
            clear(new as u64 + kept as u64, (usable - kept) as u64);
        }
    }
    new
}

/// A block that `new` of C++ has made.
///
/// # Safety
/// A block of the C library's, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_fresh(block: *mut c_void, size: usize) {
    // SAFETY: null, or a block of the C library's, as C asks for.
    unsafe { fresh(block, size) };
}

/// Memory that was freed may have old labels.
///
/// # Safety
/// A block of the C library's, or null.
unsafe fn fresh(block: *mut c_void, size: usize) -> *mut c_void {
    if !block.is_null() {
        objects::born(block as u64, size as u64);
        // SAFETY: null, or a block of the C library's, as C asks for.
        let size = unsafe { sys::malloc_usable_size(block) };
        clear(block as u64, size as u64);
    }
    block
}

/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_reallocarray(
    old: *mut c_void,
    count: usize,
    size: usize,
) -> *mut c_void {
    let (_, site, [lold, lcount, lsize]) = called::<3>(__elw_m_reallocarray as *const ());
    state().made_concrete(site, lcount, count as u64, Reason::Size);
    state().made_concrete(site, lsize, size as u64, Reason::Size);
    match count.checked_mul(size) {
        // SAFETY: null, or a block of the C library's, as C asks for.
        Some(bytes) => unsafe { reallocate(site, old, bytes, lold, 0) },
        // The real one sets errno.
        // SAFETY: null, or a block of the C library's, as C asks for.
        None => unsafe { sys::reallocarray(old, count, size) },
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    let (_, site, [lalignment, lsize]) = called::<2>(__elw_m_aligned_alloc as *const ());
    state().made_concrete(site, lalignment, alignment as u64, Reason::Size);
    state().made_concrete(site, lsize, size as u64, Reason::Size);
    // SAFETY: it has just been made.
    unsafe { fresh(sys::aligned_alloc(alignment, size), size) }
}

#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_memalign(alignment: usize, size: usize) -> *mut c_void {
    let (_, site, [lalignment, lsize]) = called::<2>(__elw_m_memalign as *const ());
    state().made_concrete(site, lalignment, alignment as u64, Reason::Size);
    state().made_concrete(site, lsize, size as u64, Reason::Size);
    // SAFETY: it has just been made.
    unsafe { fresh(sys::memalign(alignment, size), size) }
}

/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_posix_memalign(
    to: *mut *mut c_void,
    alignment: usize,
    size: usize,
) -> c_int {
    let (_, site, [lto, lalignment, lsize]) = called::<3>(__elw_m_posix_memalign as *const ());
    state().made_concrete(site, lto, to as u64, Reason::Address);
    state().made_concrete(site, lalignment, alignment as u64, Reason::Size);
    state().made_concrete(site, lsize, size as u64, Reason::Size);
    // SAFETY: there is room for a pointer, as C asks for.
    let result = unsafe { sys::posix_memalign(to, alignment, size) };
    if result == 0 {
        clear(to as u64, 8);
        // SAFETY: it has just been made.
        unsafe { fresh(*to, size) };
    }
    result
}

/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_free(block: *mut c_void) {
    let (_, site, [label]) = called::<1>(__elw_m_free as *const ());
    state().made_concrete(site, label, block as u64, Reason::Address);
    // SAFETY: null, or a block of the C library's, as C asks for.
    unsafe { forget(block) };
    // SAFETY: null, or a block of the C library's, as C asks for.
    unsafe { sys::free(block) }
}

/// The labels of a block that is about to be given back.
///
/// # Safety
/// A block of the C library's, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_forget(block: *mut c_void) {
    // SAFETY: null, or a block of the C library's, as C asks for.
    unsafe { forget(block) };
}

/// The real function reads the word before the block too, so a pointer that is none fails here as
/// it would there; what cannot be a size is left to its complaints.
///
/// # Safety
/// A block of the C library's, or null. What is neither fails here as it would there.
unsafe fn forget(block: *mut c_void) {
    if block.is_null() || !state().traced() || !(block as u64).is_multiple_of(16) {
        return;
    }
    if arena::has(block as u64) {
        return; // others may still use it before it is freed
    }
    objects::died(block as u64);
    // SAFETY: as the caller says; the C library keeps a word before each block.
    let word = unsafe { *(block as *const u64).sub(1) };
    let mapped = word & 2 != 0;
    let size = (word & !7).saturating_sub(if mapped { 16 } else { 8 });
    clear(block as u64, size);
}

// Only C++ programs have it.
core::arch::global_asm!(".weak __cxa_allocate_exception");

/// Room for a C++ exception.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_cxa_allocate_exception(size: usize) -> *mut c_void {
    called::<1>(__elw_m_cxa_allocate_exception as *const ());
    // SAFETY: whoever calls this is linked with the library that has it.
    let block = unsafe { sys::__cxa_allocate_exception(size) };
    clear(block as u64, size as u64);
    block
}
