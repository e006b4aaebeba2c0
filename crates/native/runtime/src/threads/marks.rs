//! What a subject says about its threads itself: blocks that are to be as if nobody came between, and
//! calls of operations.

use super::{Move, current, own, point, reports, several};
use crate::frame::enter;
use crate::shared::state;
use core::ffi::c_char;
use elsewise_wire::threads::access::{ATOMIC, WRITES};
use elsewise_wire::threads::{Note, operations};

fn mark(site: u32, note: Note) {
    // Before the first input nobody else is there.
    if state().traced() && state().running {
        reports::note(site, note, current().name.into());
    }
}

/// `elsewise_atomic_begin` of `elsewise.h`.
#[unsafe(no_mangle)]
pub extern "C" fn elsewise_atomic_begin() {
    let (site, []) = enter::<0>();
    mark(site, Note::BlockBegins);
}

/// `elsewise_atomic_end` of `elsewise.h`.
#[unsafe(no_mangle)]
pub extern "C" fn elsewise_atomic_end() {
    let (site, []) = enter::<0>();
    mark(site, Note::BlockEnds);
}

/// Are operations told, and is this a thread that takes its turn?
fn told() -> bool {
    let state = state();
    state.traced()
        && state.running
        && state.header().operations != 0
        && (!several() || own::moves())
}

/// A point at which it is told what came first: a call or a return.
fn at_clock(site: u32, address: u64, size: u64, flags: u8) {
    if several() {
        point(
            site,
            Move::Touch {
                address,
                size,
                flags,
            },
        );
    }
}

/// An operation begins: its name, and how many of the numbers are its arguments. Operations that it
/// calls itself are a part of it.
///
/// # Safety
/// The name ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_call(
    name: *const c_char,
    count: u32,
    a: u64,
    b: u64,
    c: u64,
    d: u64,
) {
    let (site, []) = enter::<0>();
    if !told() {
        return;
    }
    if current().operations == 0 {
        current().calling = true;
        at_clock(site, operations::CLOCK, 64, ATOMIC);
        current().calling = false;
        reports::note(site, Note::Calls, current().name.into());
        // SAFETY: as the caller says.
        unsafe { tell_name(site, name) };
        for argument in [a, b, c, d].iter().take(count as usize) {
            reports::note(site, Note::Argument, *argument);
        }
    }
    current().operations += 1;
}

/// # Safety
/// The name ends with a zero.
unsafe fn tell_name(site: u32, mut name: *const c_char) {
    loop {
        let mut bytes = [0u8; 8];
        for byte in &mut bytes {
            // SAFETY: as the caller says, and its end was not there yet.
            *byte = unsafe { *name } as u8;
            if *byte == 0 {
                break;
            }
            // SAFETY: as above.
            name = unsafe { name.add(1) };
        }
        reports::note(site, Note::Name, u64::from_le_bytes(bytes));
        if bytes[7] == 0 {
            return;
        }
    }
}

/// The operation ends, with a result if it has one.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_m_return(has_result: u32, result: u64) {
    let (site, []) = enter::<0>();
    if !told() || current().operations == 0 {
        return;
    }
    current().operations -= 1;
    if current().operations > 0 {
        return;
    }
    let name = current().name;
    // It has not ended before the others can know it.
    current().operations = 1;
    at_clock(
        site,
        operations::CLOCK + u64::from(name % 64),
        1,
        ATOMIC | WRITES,
    );
    current().operations = 0;
    reports::note(site, Note::Returns, name.into());
    if has_result != 0 {
        reports::note(site, Note::Result, result);
    }
}
