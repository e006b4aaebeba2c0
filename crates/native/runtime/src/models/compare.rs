//! Comparisons of memory and of strings: the result is one term over the bytes, so that
//! `strcmp(word, "begin") == 0` is one choice and not one for each letter.

use super::{Caller, called};
use crate::counted;
use crate::memory::{byte_label, entry, settle};
use crate::shared::{State, state};
use crate::sys;
use crate::threads;
use core::ffi::{c_char, c_int, c_void};
use core::ops::Range;
use elsewise_wire::{CONST_LEFT, CONST_RIGHT, EventKind, Op, Reason};

/// At most so many bytes become part of one term. That the comparison is decided among them is a
/// choice where it is not certain.
const WINDOW: u64 = 4096;

/// What kind of comparison.
#[derive(Clone, Copy)]
struct Kind {
    /// A NUL in both ends it.
    text: bool,
    /// Letters of the C locale count as small ones.
    fold: bool,
}

const MEMORY: Kind = Kind {
    text: false,
    fold: false,
};
const TEXT: Kind = Kind {
    text: true,
    fold: false,
};
const FOLDED: Kind = Kind {
    text: true,
    fold: true,
};

/// One byte of one side.
#[derive(Clone, Copy)]
struct Byte {
    value: u8,
    label: u32,
}

impl Byte {
    /// # Safety
    /// It can be read.
    unsafe fn at(address: u64, fold: bool) -> Byte {
        // SAFETY: the byte can be read.
        let value = unsafe { *(address as *const u8) };
        let mut label = entry(address);
        let beside = state().beside;
        if beside != 0 && label >> 3 == beside {
            // What nobody gave is as it is.
            counted::count(Reason::Beside);
            label = 0;
        }
        Byte {
            value: if fold {
                value.to_ascii_lowercase()
            } else {
                value
            },
            label,
        }
    }

    /// As an 8-bit label, folded where that is asked for; 0 when it has none.
    fn label(self, state: &mut State, fold: bool) -> u32 {
        let label = byte_label(state, self.label);
        if label == 0 || !fold {
            return label;
        }
        let from = state.node(Op::Sub, CONST_RIGHT, 8, label, u64::from(b'A'));
        let capital = state.node(Op::Ult, CONST_RIGHT, 1, from, 26);
        let small = state.node(Op::Add, CONST_RIGHT, 8, label, 32);
        ite(state, 8, capital, small, label)
    }
}

/// # Safety
/// Both can be read.
unsafe fn both([a, b]: [u64; 2], index: u64, kind: Kind) -> (Byte, Byte) {
    // SAFETY: both can be read.
    unsafe {
        (
            Byte::at(a + index, kind.fold),
            Byte::at(b + index, kind.fold),
        )
    }
}

fn ite(state: &mut State, bits: u32, condition: u32, yes: u32, no: u32) -> u32 {
    let both = u64::from(yes) | u64::from(no) << 32;
    state.node(Op::Ite, 0, bits, condition, both)
}

/// A pair of bytes that only the input decides on.
struct Pair {
    differ: u32,
    /// 32 bits: the difference.
    difference: u32,
    /// Both are NUL, given that they do not differ; 0 when that cannot be.
    end: u32,
}

fn pair(state: &mut State, a: Byte, b: Byte, kind: Kind) -> Pair {
    let (la, lb) = (a.label(state, kind.fold), b.label(state, kind.fold));
    let wide = |state: &mut State, label: u32| match label {
        0 => 0,
        label => state.node(Op::ZExt, 0, 32, label, 0),
    };
    let (wa, wb) = (wide(state, la), wide(state, lb));
    let (va, vb) = (u64::from(a.value), u64::from(b.value));
    let (differ, difference) = match (la, lb) {
        (_, 0) => (
            state.node(Op::Ne, CONST_RIGHT, 1, la, vb),
            state.node(Op::Sub, CONST_RIGHT, 32, wa, vb),
        ),
        (0, _) => (
            state.node(Op::Ne, CONST_RIGHT, 1, lb, va),
            state.node(Op::Sub, CONST_LEFT, 32, wb, va),
        ),
        _ => (
            state.node(Op::Ne, 0, 1, la, u64::from(lb)),
            state.node(Op::Sub, 0, 32, wa, u64::from(wb)),
        ),
    };
    let end = if kind.text && la != 0 && lb != 0 {
        state.node(Op::Eq, CONST_RIGHT, 1, la, 0)
    } else {
        0
    };
    Pair {
        differ,
        difference,
        end,
    }
}

/// First byte of the next page.
fn page_end(address: u64) -> u64 {
    (address | 4095) + 1
}

/// Label of the comparison whose result is `result`; 0 when no label has a say.
///
/// # Safety
/// Both sides can be read, as far as the comparison goes.
unsafe fn compare(site: u32, a: u64, b: u64, limit: u64, kind: Kind, result: c_int) -> u32 {
    // How far the real one has read at least: to where the bytes decide.
    let (mut length, mut labelled, mut decided) = (0, false, None);
    while length < limit && decided.is_none() {
        // SAFETY: no side has ended before.
        let (x, y) = unsafe { both([a, b], length, kind) };
        labelled |= x.label != 0 || y.label != 0;
        if x.value != y.value || (kind.text && x.value == 0) {
            decided = Some(c_int::from(x.value) - c_int::from(y.value));
        }
        length += 1;
    }
    if !labelled {
        return 0;
    }
    let state = state();
    if decided.unwrap_or(0) != result {
        // Another C library, whose results have the same sign and no more.
        state.opaque(site, Reason::Memory);
        return 0;
    }
    let mut start = 0;
    loop {
        // As far as can be read whatever the real one has read: a page's end may be the end of all.
        let pages = (page_end(a + start) - a).min(page_end(b + start) - b);
        let stretch = start..pages.min(limit).min(WINDOW);
        // SAFETY: as far as was looked above, and to the end of its page.
        let part = unsafe { part(state, a, b, stretch, limit, kind) };
        let beyond = decided.is_none() || length > part.end;
        if part.open != 0 {
            state.event(EventKind::Branch, 0, site, part.open, u32::from(!beyond));
        }
        if part.certain || !beyond {
            return part.whole;
        }
        if part.end == WINDOW {
            // Decided behind the window: these bytes are made concrete.
            // SAFETY: as far as was looked above.
            unsafe {
                settle(state, site, a + part.end, length - part.end);
                settle(state, site, b + part.end, length - part.end);
            }
            return 0;
        }
        start = part.end;
    }
}

/// A stretch of the comparison, given that all before it is equal.
struct Part {
    end: u64,
    /// It is decided here, whatever the input is.
    certain: bool,
    /// The result, if it is decided here.
    whole: u32,
    /// That it is not decided here; 0 when the input has no say in that.
    open: u32,
}

/// # Safety
/// The stretch can be read on both sides.
unsafe fn part(state: &mut State, a: u64, b: u64, at: Range<u64>, limit: u64, kind: Kind) -> Part {
    // Where labels stop mattering: the end of the stretch, or bytes that decide whatever the input
    // is.
    let (mut end, mut tail) = (at.end, None);
    for index in at.clone() {
        // SAFETY: within the stretch.
        let (x, y) = unsafe { both([a, b], index, kind) };
        let nul = |byte: Byte| byte.label == 0 && byte.value == 0;
        if kind.text && (nul(x) || nul(y)) && (x.label != 0 || y.label != 0) {
            (end, tail) = (index + 1, Some(0));
            break;
        }
        if x.label | y.label == 0 && (x.value != y.value || (kind.text && x.value == 0)) {
            (end, tail) = (index, Some(c_int::from(x.value) - c_int::from(y.value)));
            break;
        }
    }
    let certain = tail.is_some() || end == limit;
    let mut whole = state.node(Op::Const, 0, 32, 0, tail.unwrap_or(0) as u32 as u64);
    let mut open = 0;
    for index in (at.start..end).rev() {
        // SAFETY: within the stretch.
        let (x, y) = unsafe { both([a, b], index, kind) };
        if x.label | y.label == 0 {
            continue;
        }
        let pair = pair(state, x, y, kind);
        if pair.end != 0 {
            let equal = state.node(Op::Const, 0, 32, 0, 0);
            whole = ite(state, 32, pair.end, equal, whole);
        }
        whole = ite(state, 32, pair.differ, pair.difference, whole);
        if !certain {
            let no = state.node(Op::Const, 0, 1, 0, 0);
            if open == 0 {
                open = state.node(Op::Const, 0, 1, 0, 1);
            }
            if pair.end != 0 {
                open = ite(state, 1, pair.end, no, open);
            }
            open = ite(state, 1, pair.differ, no, open);
        }
    }
    Part {
        end,
        certain,
        whole,
        open,
    }
}

/// Both addresses and the count are chosen before anything is read: what cannot be read ends the run.
/// Says what is about to be read; less of it may be enough.
///
/// # Safety
/// Both sides can be read, as far as the comparison goes.
unsafe fn begin(caller: &Caller, [a, b]: [u64; 2], labels: [u32; 3], count: usize, kind: Kind) {
    let (state, site) = (state(), caller.site);
    if state.traced() {
        let [la, lb, lcount] = labels;
        state.made_concrete(site, la, a, Reason::Address);
        state.made_concrete(site, lb, b, Reason::Address);
        state.made_concrete(site, lcount, count as u64, Reason::Size);
    }
    for address in [a, b] {
        match kind.text {
            // SAFETY: a side that is a text ends, or is as long.
            true => unsafe { threads::touch_text(address, count as u64) },
            false => threads::touch_range(address, count as u64, 0),
        }
    }
}

/// `memcmp` and `bcmp`.
///
/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_memcmp(a: *const c_void, b: *const c_void, count: usize) -> c_int {
    let (caller, _, labels) = called::<3>(__elw_m_memcmp as *const ());
    let both = [a as u64, b as u64];
    // SAFETY: both sides can be read, as C asks for.
    unsafe { begin(&caller, both, labels, count, MEMORY) };
    // SAFETY: both sides can be read, as C asks for.
    let result = unsafe { sys::memcmp(a, b, count) };
    // SAFETY: what has just been compared.
    unsafe { finish(&caller, both, count, MEMORY, result) }
}

/// `strcmp`, and `strcoll` in the C locale.
///
/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_strcmp(a: *const c_char, b: *const c_char) -> c_int {
    let (caller, _, [la, lb]) = called::<2>(__elw_m_strcmp as *const ());
    let both = [a as u64, b as u64];
    // SAFETY: both sides can be read, as C asks for.
    unsafe { begin(&caller, both, [la, lb, 0], usize::MAX, TEXT) };
    // SAFETY: both sides can be read, as C asks for.
    let result = unsafe { sys::strcmp(a, b) };
    // SAFETY: what has just been compared.
    unsafe { finish(&caller, both, usize::MAX, TEXT, result) }
}

/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_strncmp(
    a: *const c_char,
    b: *const c_char,
    count: usize,
) -> c_int {
    let (caller, _, labels) = called::<3>(__elw_m_strncmp as *const ());
    let both = [a as u64, b as u64];
    // SAFETY: both sides can be read, as C asks for.
    unsafe { begin(&caller, both, labels, count, TEXT) };
    // SAFETY: both sides can be read, as C asks for.
    let result = unsafe { sys::strncmp(a, b, count) };
    // SAFETY: what has just been compared.
    unsafe { finish(&caller, both, count, TEXT, result) }
}

/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_strcasecmp(a: *const c_char, b: *const c_char) -> c_int {
    let (caller, _, [la, lb]) = called::<2>(__elw_m_strcasecmp as *const ());
    let both = [a as u64, b as u64];
    // SAFETY: both sides can be read, as C asks for.
    unsafe { begin(&caller, both, [la, lb, 0], usize::MAX, FOLDED) };
    // SAFETY: both sides can be read, as C asks for.
    let result = unsafe { sys::strcasecmp(a, b) };
    // SAFETY: what has just been compared.
    unsafe { finish(&caller, both, usize::MAX, FOLDED, result) }
}

/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_m_strncasecmp(
    a: *const c_char,
    b: *const c_char,
    count: usize,
) -> c_int {
    let (caller, _, labels) = called::<3>(__elw_m_strncasecmp as *const ());
    let both = [a as u64, b as u64];
    // SAFETY: both sides can be read, as C asks for.
    unsafe { begin(&caller, both, labels, count, FOLDED) };
    // SAFETY: both sides can be read, as C asks for.
    let result = unsafe { sys::strncasecmp(a, b, count) };
    // SAFETY: what has just been compared.
    unsafe { finish(&caller, both, count, FOLDED, result) }
}

/// # Safety
/// Both sides can be read, as far as the comparison goes.
unsafe fn finish(
    caller: &Caller,
    [a, b]: [u64; 2],
    count: usize,
    kind: Kind,
    result: c_int,
) -> c_int {
    if state().traced() {
        // SAFETY: as far as has just been compared.
        let label = unsafe { compare(caller.site, a, b, count as u64, kind, result) };
        caller.give_back(label, result as u32 as u64);
    }
    result
}

#[cfg(test)]
#[path = "../../tests/compare.rs"]
mod tests;
