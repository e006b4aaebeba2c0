//! What the models in C (`driver/support/models`) ask of the runtime.
//!
//! The pass treats all of these but [`__elw_m_here`] as functions that labels do not concern: their
//! results have none.

use crate::counted;
use crate::frame::{enter, frame};
use crate::memory::settle;
use crate::several;
use crate::shared::state;
use crate::sys;
use crate::threads::{self, Real};
use core::cell::UnsafeCell;
use core::ffi::{c_char, c_int};
use elsewise_wire::Reason;
use elsewise_wire::threads::access::WRITES;

/// What the models remember between calls (`models.h`). A shared library has models of its own, and
/// shares this with the program.
#[repr(C, align(16))]
pub struct Remembered(UnsafeCell<[u8; 1024]>);
// SAFETY: only models in C touch it, and their threads take turns.
unsafe impl Sync for Remembered {}

#[unsafe(no_mangle)]
pub static __elw_remembered: Remembered = Remembered(UnsafeCell::new([0; 1024]));

/// Called once by each object with models, before the program.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_here() {
    let (site, _) = enter::<0>();
    let state = state();
    if state.traced()
        && let Some(module) = state.module_of(site)
    {
        state.model_modules[module / 64] |= 1 << (module % 64);
    }
}

/// First thing in a model: what it makes concrete is shown at the place of the call.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_model() {
    let (state, site) = (state(), frame().site);
    if state.traced() && !state.is_model(site) {
        state.place = site;
    }
}

/// The value without its label, where a choice has already said all that the label does.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_value(value: u64) -> u64 {
    value
}

/// `asprintf` of a float.
///
/// # Safety
/// Only models call it: a format for a width, a precision and a float, and room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_h_print_float(
    to: *mut *mut c_char,
    format: *const c_char,
    width: c_int,
    precision: c_int,
    value: f64,
) -> c_int {
    // SAFETY: the model gives it a format for these arguments.
    unsafe { sys::asprintf(to, format, width, precision, value) }
}

/// Makes concrete what is at `address`, byte by byte.
///
/// # Safety
/// Only models call it: the bytes can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_settle(address: u64, size: u64) {
    let (state, site) = (state(), state().place);
    // SAFETY: as the caller says.
    unsafe { settle(state, site, address, size) };
}

/// Says that something was done that no label describes.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_unfollowed() {
    let state = state();
    state.opaque(state.place, Reason::Memory);
}

/// Says that input may go where nobody follows it, perhaps before there is any.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_loses_input() {
    counted::unfollowed();
}

/// A model reads or writes memory that other threads may see, or copies it.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_reads(address: u64, size: u64) {
    threads::touch_range(address, size, 0);
}

#[unsafe(no_mangle)]
pub extern "C" fn __elw_writes(address: u64, size: u64) {
    threads::touch_range(address, size, WRITES);
}

/// A model reads a text of at most `most` bytes.
///
/// # Safety
/// Only models call it: a text, or so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_reads_text(address: u64, most: u64) {
    // SAFETY: as the caller says.
    unsafe { threads::touch_text(address, most) };
}

/// A model reads a text up to a character in it.
///
/// # Safety
/// Only models call it: a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_reads_until(address: u64, c: c_int) {
    if several::several() {
        let end = (0..).find(|at| {
            // SAFETY: as the caller says, and its end was not there yet.
            let byte = unsafe { *((address + at) as *const u8) };
            byte == 0 || byte == c as u8
        });
        threads::touch_range(address, end.map_or(0, |at| at + 1), 0);
    }
}

/// A model writes what is to be printed; how much that is, the library says.
///
/// # Safety
/// Only models call it: a format, and a list of what it asks for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_prints(to: u64, room: u64, text: u64, list: *const [u64; 3]) {
    static REAL: Real = Real::new(c"vsnprintf");
    if several::several() && room > 0 {
        // SAFETY: the model's format and list, of which a copy is used up; nothing is written.
        let length = unsafe {
            let copy = *list;
            REAL.call([0, 0, text, &raw const copy as u64]) as c_int
        };
        if length >= 0 {
            threads::touch_range(to, (length as u64 + 1).min(room), WRITES);
        }
    }
}
