//! Functions of the C library that move data or end the run. They follow the calling protocol of
//! instrumented functions; the pass puts them in place of the originals. Models whose natural
//! form is a loop with decisions are written in C (`driver/support/models`) and instrumented like the
//! subject.

mod allocation;
mod compare;
mod help;

use crate::crash;
use crate::frame::{enter, frame};
use crate::memory::{__elw_copy, __elw_fill};
use crate::shared::state;
use crate::sys;
use crate::threads;
use core::ffi::{c_char, c_int, c_void};
use elsewise_wire::threads::access::WRITES;
use elsewise_wire::{Ending, Reason};

// Other names of the same functions, which a program may define each for itself.
#[cfg(elsewise_object)]
core::arch::global_asm!(
    ".globl __elw_m_memcpy",
    ".set __elw_m_memcpy, __elw_m_memmove",
    ".globl __elw_m_bcmp",
    ".set __elw_m_bcmp, __elw_m_memcmp",
    ".globl __elw_m_strcoll",
    ".set __elw_m_strcoll, __elw_m_strcmp",
);

/// Who called a model. A pointer to one may be called by code that is not instrumented, which
/// knows no labels and takes none.
struct Caller {
    follows: bool,
    site: u32,
}

impl Caller {
    /// Hands over the label of the result `value`.
    fn give_back(&self, label: u32, value: u64) {
        if self.follows {
            frame().result = label;
        } else {
            state().made_concrete(self.site, label, value, Reason::Argument);
        }
    }
}

/// Entry of the model `own`: its caller, the site of the call, and the arguments' labels.
fn called<const N: usize>(own: *const ()) -> (Caller, u32, [u32; N]) {
    let frame = frame();
    let site = frame.site;
    let follows = frame.callee == own as u64;
    let labels = if follows { enter::<N>().1 } else { [0; N] };
    (Caller { follows, site }, site, labels)
}

/// `memcpy` and `memmove`, where they are called as functions. The result has the label of the
/// first argument.
///
/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_memmove(
    to: *mut c_void,
    from: *const c_void,
    size: usize,
) -> *mut c_void {
    let (caller, site, [lto, lfrom, lsize]) = called::<3>(__elw_m_memmove as *const ());
    threads::touch_copy(to as u64, from as u64, size as u64);
    __elw_copy(site, to as u64, from as u64, size as u64, lto, lfrom, lsize);
    caller.give_back(lto, to as u64);
    // SAFETY: memory of so many bytes, as C asks for.
    unsafe { sys::memmove(to, from, size) }
}

/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_memset(to: *mut c_void, byte: c_int, size: usize) -> *mut c_void {
    let (caller, site, [lto, lbyte, lsize]) = called::<3>(__elw_m_memset as *const ());
    threads::touch_range(to as u64, size as u64, WRITES);
    __elw_fill(site, to as u64, lbyte, size as u64, lto, lsize);
    caller.give_back(lto, to as u64);
    // SAFETY: memory of so many bytes, as C asks for.
    unsafe { sys::memset(to, byte, size) }
}

/// What `assert` calls.
///
/// # Safety
/// Texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_assert_fail(
    text: *const c_char,
    file: *const c_char,
    line: u32,
    function: *const c_char,
) -> ! {
    enter::<0>();
    // SAFETY: texts, as C asks for.
    unsafe { crash::note_assert(text, file, line) };
    // SAFETY: texts, as C asks for.
    unsafe { sys::__assert_fail(text, file, line, function) }
}

/// What `elsewise_assert` of `elsewise.h` calls.
///
/// # Safety
/// Texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elsewise_fail(text: *const c_char, file: *const c_char, line: c_int) -> ! {
    enter::<0>();
    // SAFETY: texts, as C asks for.
    unsafe { crash::note_assert(text, file, line as u32) };
    sys::abort()
}

#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_abort() -> ! {
    enter::<0>();
    crash::note_here(Ending::Abort);
    sys::abort()
}
