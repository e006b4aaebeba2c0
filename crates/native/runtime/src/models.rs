//! Functions of the C library that move data or end the run. They follow the calling protocol of
//! instrumented functions; the pass puts them in place of the originals.

use crate::call::{enter, frame};
use crate::crash;
use crate::memory::{__elw_copy, __elw_fill, clear, shadow};
use crate::objects;
use crate::shared::state;
use crate::sys;
use core::ffi::{c_char, c_int, c_void};
use elsewise_wire::{Ending, Reason};

#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_malloc(size: usize) -> *mut c_void {
    let (site, [label]) = enter::<1>();
    state().made_concrete(site, label, size as u64, Reason::Size);
    fresh(unsafe { sys::malloc(size) }, size)
}

#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_calloc(count: usize, size: usize) -> *mut c_void {
    let (site, [lcount, lsize]) = enter::<2>();
    state().made_concrete(site, lcount, count as u64, Reason::Size);
    state().made_concrete(site, lsize, size as u64, Reason::Size);
    fresh(
        unsafe { sys::calloc(count, size) },
        count.saturating_mul(size),
    )
}

#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_realloc(old: *mut c_void, size: usize) -> *mut c_void {
    let (site, [lold, lsize]) = enter::<2>();
    state().made_concrete(site, lold, old as u64, Reason::Address);
    state().made_concrete(site, lsize, size as u64, Reason::Size);
    if old.is_null() {
        return fresh(unsafe { sys::malloc(size) }, size);
    }
    let kept = unsafe { sys::malloc_usable_size(old) };
    let new = unsafe { sys::realloc(old, size) };
    if !new.is_null() {
        objects::died(old as u64);
        objects::born(new as u64, size as u64);
        let usable = unsafe { sys::malloc_usable_size(new) };
        if new != old {
            let count = kept.min(usable);
            unsafe {
                sys::memcpy(
                    shadow(new as u64).cast(),
                    shadow(old as u64).cast(),
                    count * 4,
                );
            }
        }
        if usable > kept {
            clear(new as u64 + kept as u64, (usable - kept) as u64);
        }
    }
    new
}

// Only C++ programs have it.
core::arch::global_asm!(".weak __cxa_allocate_exception");

/// Room for a C++ exception.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_cxa_allocate_exception(size: usize) -> *mut c_void {
    enter::<1>();
    let block = unsafe { sys::__cxa_allocate_exception(size) };
    clear(block as u64, size as u64);
    block
}

/// Memory that was freed may have old labels.
fn fresh(block: *mut c_void, size: usize) -> *mut c_void {
    if !block.is_null() {
        objects::born(block as u64, size as u64);
        clear(block as u64, unsafe { sys::malloc_usable_size(block) }
            as u64);
    }
    block
}

/// `memcpy` and `memmove`, where they are called as functions. The result has the label of the
/// first argument.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_memmove(
    to: *mut c_void,
    from: *const c_void,
    size: usize,
) -> *mut c_void {
    let (site, [lto, lfrom, lsize]) = enter::<3>();
    __elw_copy(site, to as u64, from as u64, size as u64, lto, lfrom, lsize);
    frame().result = lto;
    unsafe { sys::memmove(to, from, size) }
}

#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_memset(to: *mut c_void, byte: c_int, size: usize) -> *mut c_void {
    let (site, [lto, lbyte, lsize]) = enter::<3>();
    __elw_fill(site, to as u64, lbyte, size as u64, lto, lsize);
    frame().result = lto;
    unsafe { sys::memset(to, byte, size) }
}

/// What `assert` calls.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_assert_fail(
    text: *const c_char,
    file: *const c_char,
    line: u32,
    function: *const c_char,
) -> ! {
    enter::<0>();
    crash::note_assert(text, file, line);
    unsafe { sys::__assert_fail(text, file, line, function) }
}

/// What `elsewise_assert` of `elsewise.h` calls.
#[unsafe(no_mangle)]
pub extern "C" fn elsewise_fail(text: *const c_char, file: *const c_char, line: c_int) -> ! {
    enter::<0>();
    crash::note_assert(text, file, line as u32);
    unsafe { sys::abort() }
}

#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_abort() -> ! {
    enter::<0>();
    crash::note_here(Ending::Abort);
    unsafe { sys::abort() }
}
