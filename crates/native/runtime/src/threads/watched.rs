//! What a debugger stops at where a run follows its schedule without an engine: the moves of threads,
//! and the end of a run in which nobody moves any more.

use super::{current, threads};
use crate::shared::state;
use crate::sys;
use core::hint::black_box;
use elsewise_wire::Ending;
use elsewise_wire::threads::MAX_STARTED;

/// The running thread makes a move, the how-manieth of all.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn __elw_moves(number: u64, thread: u32) {
    black_box((number, thread));
}

/// The run ends here: an [`Ending`].
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn __elw_stops(ending: u32) {
    black_box(ending);
}

pub fn moves() {
    if state().alone {
        __elw_moves(threads().moves, current().name);
    }
}

pub fn stops(ending: Ending) {
    if state().alone {
        __elw_stops(ending as u32);
    }
}

/// The system's name of a thread says which one it is: `thread 2.1`.
pub fn is_named(name: u32) {
    if !state().alone {
        return;
    }
    const BEGIN: &[u8] = b"thread ";
    /// With the zero at its end, the system keeps no more.
    const ROOM: usize = 16;
    let mut text = [0u8; ROOM];
    let mut at = ROOM - 1;
    let mut put = |byte: u8| {
        if at > BEGIN.len() {
            at -= 1;
            text[at] = byte;
        }
    };
    let mut rest = name;
    while rest > 0 {
        let mut number = rest % (MAX_STARTED + 1);
        while number > 0 {
            put(b'0' + (number % 10) as u8);
            number /= 10;
        }
        rest /= MAX_STARTED + 1;
        if rest > 0 {
            put(b'.');
        }
    }
    let digits = at;
    text.copy_within(digits..ROOM, BEGIN.len());
    text[..BEGIN.len()].copy_from_slice(BEGIN);
    // SAFETY: the name ends by a NUL.
    unsafe { sys::prctl(sys::PR_SET_NAME, text.as_ptr() as u64, 0, 0, 0) };
}
