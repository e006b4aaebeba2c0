//! What the models in C (`support/models`) ask of the runtime.
//!
//! The pass treats all of these but [`__elw_m_here`] as functions that labels do not concern: their
//! results have none.

use crate::call::{enter, frame};
use crate::kernel;
use crate::memory::{byte_label, shadow};
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
// Only models in C touch it.
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
#[unsafe(no_mangle)]
pub extern "C" fn __elw_h_print_float(
    to: *mut *mut c_char,
    format: *const c_char,
    width: c_int,
    precision: c_int,
    value: f64,
) -> c_int {
    unsafe { sys::asprintf(to, format, width, precision, value) }
}

/// Makes concrete what is at `address`, byte by byte.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_settle(address: u64, size: u64) {
    let state = state();
    for at in address..address + size {
        if let entry @ 1.. = unsafe { *shadow(at) } {
            let value = unsafe { u64::from(*(at as *const u8)) };
            let label = byte_label(entry);
            state.made_concrete(state.place, label, value, Reason::Operation);
        }
    }
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
    kernel::unfollowed();
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
#[unsafe(no_mangle)]
pub extern "C" fn __elw_reads_text(address: u64, most: u64) {
    threads::touch_text(address, most);
}

/// A model reads a text up to a character in it.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_reads_until(address: u64, c: c_int) {
    if threads::several() {
        let end = (0..).find(|at| {
            let byte = unsafe { *((address + at) as *const u8) };
            byte == 0 || byte == c as u8
        });
        threads::touch_range(address, end.map_or(0, |at| at + 1), 0);
    }
}

/// A model writes what is to be printed; how much that is, the library says.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_prints(to: u64, room: u64, text: u64, list: *const [u64; 3]) {
    static REAL: Real = Real::new(c"vsnprintf");
    if threads::several() && room > 0 {
        let copy = unsafe { *list };
        let length = REAL.call([0, 0, text, &raw const copy as u64]) as c_int;
        if length >= 0 {
            threads::touch_range(to, (length as u64 + 1).min(room), WRITES);
        }
    }
}
