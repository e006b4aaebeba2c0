//! The case's bytes for inputs.

use crate::shared::State;
use elsewise_wire::{NAME_BYTES, Op, StreamRecord};

/// The case's bytes for a stream; empty if the case has none.
pub fn stream(state: &State, name: &[u8; NAME_BYTES], occurrence: u32) -> &'static [u8] {
    let mut at = state.input;
    loop {
        // SAFETY: the engine has put records there, one behind the other, and one that says that it is the last.
        let record = unsafe { &*at.cast::<StreamRecord>() };
        if record.occurrence == u32::MAX {
            return &[];
        }
        // SAFETY: a record's bytes follow it.
        let bytes = unsafe { at.add(core::mem::size_of::<StreamRecord>()) };
        if record.occurrence == occurrence && record.name == *name {
            // SAFETY: so many; nobody writes the case while it runs.
            return unsafe { core::slice::from_raw_parts(bytes, record.size as usize) };
        }
        // SAFETY: the next record is behind them.
        at = unsafe { bytes.add((record.size as usize).next_multiple_of(8)) };
    }
}

/// The case's bytes for the main input.
pub fn main_bytes(state: &mut State) -> &'static [u8] {
    let name = state.header().streams[0].name;
    stream(state, &name, 0)
}

/// The label of the main input's length, which must be free.
pub fn length_label(state: &mut State) -> u32 {
    if state.main.length_label == 0 {
        state.main.length_label = state.node(Op::Length, 0, 64, 0, 0);
    }
    state.main.length_label
}
