//! Memory that functions of others touch for the running thread, as far as it is known by their names.

use super::outside::NOTHING;
use super::touches::{touch_at, touch_text_at, touch_wide_text_at};
use super::{__elw_within, Move, accesses, arena, channels, own, point, several};
use crate::shared::state;
use crate::varargs::VaList;
use crate::{foreign, frame, objects};
use core::ffi::{CStr, c_int};
use core::sync::atomic::Ordering::Relaxed;
use elsewise_wire::given::how;
use elsewise_wire::output::{Conversion, Precision, conversions};
use elsewise_wire::threads::access::{UNSURE, WRITES};

/// Before a function is called that touches what it is given.
///
/// # Safety
/// There is what the function would find: a text, or so many parts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_given(site: u32, address: u64, size: u64, given: u32) {
    if address == 0 || !several() || !own::moves() {
        return;
    }
    let flags = if given & how::WRITES != 0 { WRITES } else { 0 };
    if given & how::TEXT != 0 {
        // SAFETY: as the caller says.
        unsafe { touch_text_at(site, address, u64::MAX, flags) };
    } else if given & how::PARTS != 0 {
        // SAFETY: as the caller says.
        unsafe { parts(site, address, size, flags) };
    } else if given & how::MESSAGE != 0 {
        // SAFETY: as the caller says, a message, whose third and fourth words say where its parts are.
        let [list, count] = unsafe { *((address + 16) as *const [u64; 2]) };
        // SAFETY: its parts.
        unsafe { parts(site, list, count, flags) };
    } else if given & how::UNKNOWN != 0 {
        touch_at(site, address, rest_of(address, size), flags | UNSURE);
    } else {
        touch_at(site, address, size, flags);
    }
}

/// # Safety
/// So many parts, each with an address and a size.
unsafe fn parts(site: u32, list: u64, count: u64, flags: u8) {
    // How much is read into them is not known yet.
    let unsure = if flags & WRITES != 0 { UNSURE } else { 0 };
    for at in 0..count.min(1024) {
        // SAFETY: as the caller says.
        let [address, size] = unsafe { *((list + 16 * at) as *const [u64; 2]) };
        touch_at(site, address, size, flags | unsure);
    }
}

/// So many bytes have come into the parts of a message.
///
/// # Safety
/// A message.
pub unsafe fn received(site: u32, message: u64, mut bytes: u64) {
    // SAFETY: as the caller says: its third and fourth words say where its parts are.
    let [list, count] = unsafe { *((message + 16) as *const [u64; 2]) };
    for at in 0..count {
        // SAFETY: a part, with an address and a size.
        let [address, size] = unsafe { *((list + 16 * at) as *const [u64; 2]) };
        let here = size.min(bytes);
        if here > 0 {
            touched(site, address, here, WRITES);
        }
        bytes -= here;
    }
}

/// Before a function is called that is given a pointer, and of which nothing is known.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_given_unknown(site: u32, callee: u64, address: u64, size: u64) {
    if address != 0 && several() && own::moves() && foreign::may_do_anything(callee) {
        touch_at(site, address, rest_of(address, size), WRITES | UNSURE);
    }
}

/// What is left of an object behind an address, where the size that code knows is none.
fn rest_of(address: u64, size: u64) -> u64 {
    let block = || objects::find(address).map(|(begin, size)| begin + size - address);
    match size {
        0 => block().unwrap_or(0),
        _ => size,
    }
}

/// Before something is printed: the argument at `index` behind the format, and the one before it.
///
/// # Safety
/// A format, and an argument as it asks for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_printed(
    site: u32,
    format: u64,
    index: u32,
    value: u64,
    before: u64,
) {
    if value == 0 || format == 0 || !several() || !own::moves() {
        return;
    }
    // SAFETY: as the caller says, a format.
    let format = unsafe { CStr::from_ptr(format as *const _) };
    let index = index as usize;
    let mut wanted = conversions(format.to_bytes()).filter(|one| one.argument == index);
    if let Some(one) = wanted.next() {
        let limit = match one.precision {
            Precision::Argument(at) if at + 1 == index => before as i32,
            _ => -1,
        };
        // SAFETY: as the caller says, what the format asks for.
        unsafe { prints(site, one, value, limit) };
    }
}

/// The same of a list of arguments.
///
/// # Safety
/// A format, and a list of what it asks for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_printed_list(site: u32, format: u64, list: *const VaList) {
    if format == 0 || list.is_null() || !several() || !own::moves() {
        return;
    }
    // SAFETY: as the caller says, a format and a list.
    let (format, mut list) = unsafe { (CStr::from_ptr(format as *const _), (*list).copy()) };
    let (mut at, mut before) = (0, 0);
    for one in conversions(format.to_bytes()) {
        // By number, they come in another order than they are named in.
        if one.taken == at && one.kind != b'm' {
            return;
        }
        while at + 1 < one.taken {
            // SAFETY: the list has what the format asks for.
            before = unsafe { list.next_general() };
            at += 1;
        }
        if one.taken == at {
            continue;
        }
        at += 1;
        let float = b"aAeEfFgG".contains(&one.kind);
        match (float, one.long) {
            (true, b'L') => list.skip_long(),
            (true, _) => list.skip_vector(),
            (false, _) => {
                let limit = match one.precision {
                    Precision::Argument(_) => before as i32,
                    _ => -1,
                };
                // SAFETY: as before.
                unsafe { prints(site, one, list.next_general(), limit) };
            }
        }
    }
}

/// # Safety
/// The value is what the conversion asks for.
unsafe fn prints(site: u32, one: Conversion, value: u64, limit: i32) {
    let most = match one.precision {
        Precision::Fixed(most) => most,
        Precision::Argument(_) => u64::try_from(limit).unwrap_or(u64::MAX),
        Precision::None => u64::MAX,
    };
    let text = matches!(one.kind, b's' | b'S') && value != 0 && most > 0;
    let wide = one.kind == b'S' || one.long != 0;
    // SAFETY: as the caller says, a text, of which no more is looked at.
    unsafe {
        match (text, wide) {
            (true, false) => touch_text_at(site, value, most, 0),
            (true, true) => touch_wide_text_at(site, value, most),
            _ => {}
        }
    }
}

/// A call that reads from a file, or from where others wait, begins.
pub fn begin_call(fd: c_int) {
    // What others wait for has moves of its own.
    if several() && channels::find(fd).is_none() {
        __elw_begins();
    }
}

pub fn end_call() {
    __elw_ends();
}

/// The present move has touched memory, as a function of others that has ended says.
pub fn touched(site: u32, address: u64, size: u64, flags: u8) {
    if several() && own::moves() {
        accesses::touch(state().shown(site), address, size, flags);
        arena::check(site, address);
    }
}

/// What [`__elw_within`] is where a model has begun the move; more, where others did in it.
const BEGUN: u8 = 2;

/// A function of others begins that touches memory which is known only when it ends: all of that is one move.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_begins() {
    if !several() || !own::moves() {
        return;
    }
    match __elw_within.load(Relaxed) {
        0 => {
            let site = state().shown(frame::frame().site);
            point(site, Move::Outside(NOTHING));
            __elw_within.store(BEGUN, Relaxed);
        }
        depth if depth >= BEGUN => __elw_within.store(depth + 1, Relaxed),
        _ => {}
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn __elw_ends() {
    let depth = __elw_within.load(Relaxed);
    if depth > BEGUN {
        __elw_within.store(depth - 1, Relaxed);
    } else if depth == BEGUN {
        __elw_within.store(0, Relaxed);
    }
}
