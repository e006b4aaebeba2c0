//! What the models in C (`support/models`) ask of the runtime.
//!
//! The pass treats all of these but [`__elw_m_here`] as functions that labels do not concern: their
//! results have none.

use crate::call::{enter, frame};
use crate::memory::{byte_label, shadow};
use crate::shared::state;
use elsewise_wire::Reason;

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
