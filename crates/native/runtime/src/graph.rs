//! Inputs that are graphs of objects, for generated harnesses (`driver/support/graph.c`): in the images of
//! a case a pointer is a small number, here it becomes an address whose label is a look-up among
//! all addresses that it could be.

use crate::first_input::first_input;
use crate::frame::enter;
use crate::input;
use crate::memory::{label_of, set_label, value_at};
use crate::objects;
use crate::shared::{State, state};
use crate::sys;
use crate::turns::Turns;
use core::ffi::c_char;
use elsewise_wire::{CONST_RIGHT, EventKind, Op, Reason};

/// Labels of input pointers with their values in this run, each at a place found by its number.
/// More pointers than fit are pointers like any others.
static REFERENCES: Turns<[(u32, u64); SLOTS]> = Turns::new([(0, 0); SLOTS]);
const SLOTS: usize = 1 << 13;
/// Places looked at before a reference is given up.
const PROBES: usize = 16;

fn slots(label: u32) -> impl Iterator<Item = &'static mut (u32, u64)> {
    let first = label.wrapping_mul(0x9e37_79b1) >> 19;
    // SAFETY: its users take turns, as `Turns` says, and look at one after the other.
    (0..PROBES)
        .map(move |probe| unsafe { &mut (*REFERENCES.get())[(first as usize + probe) % SLOTS] })
}

/// The address that an input pointer is, in this run; `None` if the label is of something else.
pub fn reference(label: u32) -> Option<u64> {
    for slot in slots(label) {
        let (known, value) = *slot;
        if known == label {
            return Some(value);
        }
        if known == 0 {
            return None;
        }
    }
    None
}

fn remember(label: u32, value: u64) {
    for slot in slots(label) {
        if slot.0 == 0 {
            *slot = (label, value);
            return;
        }
    }
}

/// Where all objects are that an input pointer may lead to: from, to.
fn place() -> &'static mut (u64, u64) {
    static PLACE: Turns<(u64, u64)> = Turns::new((u64::MAX, 0));
    // SAFETY: its users take turns, as `Turns` says.
    unsafe { &mut *PLACE.get() }
}

/// May an input pointer have led to this address?
pub fn reaches(address: u64) -> bool {
    let (from, to) = *place();
    (from..to).contains(&address)
}

/// Is there an engine? Then every object that there could be has its place before the first input,
/// so that addresses are the same in all runs.
#[unsafe(no_mangle)]
pub extern "C" fn elsewise_graph_traced() -> i32 {
    enter::<0>();
    i32::from(state().traced())
}

/// Fills memory from an input's bytes, `from` on.
///
/// # Safety
/// Only the harness calls it: the bytes can be written, and the name is a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elsewise_graph_take(
    address: *mut u8,
    size: usize,
    name: *const c_char,
    from: usize,
) {
    let (site, _) = enter::<0>();
    let state = state();
    if !state.traced() {
        // SAFETY: the harness has made room, and names the input.
        unsafe { sys::memset(address.cast(), 0, size) };
        return;
    }
    first_input();
    // SAFETY: the harness has made room, and names the input.
    unsafe { input::take(state, site, address, size, &input::name_of(name), from) };
}

/// Objects that there could be, each as good as any other, of `size` bytes.
///
/// # Safety
/// Only the harness calls it: there are so many addresses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elsewise_graph_pool(objects: *const *const u8, count: u32, size: usize) {
    enter::<0>();
    let state = state();
    if !state.traced() {
        return;
    }
    let first = state.node(Op::Data, 0, 64, 0, size as u64);
    for number in 0..count as usize {
        // SAFETY: there are so many.
        let at = unsafe { *objects.add(number) };
        state.node(Op::Data, 0, 64, 0, at as u64);
        let place = place();
        place.0 = place.0.min(at as u64);
        place.1 = place.1.max(at as u64 + size as u64);
    }
    state.event(EventKind::Pool, 0, 0, first, count + 1);
}

/// The subject knows this address without having it from an input.
#[unsafe(no_mangle)]
pub extern "C" fn elsewise_graph_known(at: *const u8) {
    enter::<0>();
    let state = state();
    if state.traced() {
        let entry = state.node(Op::Data, 0, 64, 0, at as u64);
        state.event(EventKind::Known, 0, 0, entry, 1);
    }
}

/// The selector of `width` bytes at `cell` is replaced by `value`, of `size` bytes, which is what
/// stands in the table at its place (at the last place, for a selector beyond it). For a pointer,
/// `fresh` selectors from `unused` on are objects that are not there yet; -1 for what is no pointer.
///
/// # Safety
/// Only the harness calls it: the cell can be written, and the table has so many entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elsewise_graph_set(
    cell: *mut u8,
    width: u32,
    size: u32,
    table: *const u64,
    entries: u32,
    value: u64,
    unused: u32,
    fresh: i32,
) {
    enter::<0>();
    let state = state();
    let selector = match state.traced() {
        // SAFETY: the harness has such a number there.
        true => unsafe { label_of(cell as u64, width) },
        false => 0,
    };
    // SAFETY: as the caller says; a value has at most eight bytes.
    unsafe { sys::memcpy(cell.cast(), (&raw const value).cast(), size as usize) };
    if selector == 0 {
        return;
    }
    // SAFETY: the harness has such a table.
    let first = unsafe { written(state, table, entries, size) };
    let both = u64::from(first) | u64::from(entries) << 32;
    let label = state.node(Op::Lookup, 0, size * 8, selector, both);
    set_label(cell as u64, size, label);
    if fresh >= 0 && label != 0 {
        state.event(EventKind::Pointer, fresh as u8, 0, label, unused);
        remember(label, value);
    }
}

/// The table's entries in the trace: their first label. Each table is written once.
///
/// # Safety
/// The table has so many entries.
unsafe fn written(state: &mut State, table: *const u64, entries: u32, size: u32) -> u32 {
    type Written = [(*const u64, u32); 512];
    static WRITTEN: Turns<Written> = Turns::new([(core::ptr::null(), 0); 512]);
    // SAFETY: its users take turns, as `Turns` says.
    let known: &mut Written = unsafe { &mut *WRITTEN.get() };
    if let Some((_, first)) = known.iter().find(|(known, _)| *known == table) {
        return *first;
    }
    let first = state.header().nodes as u32;
    for place in 0..entries as usize {
        // SAFETY: the harness has such a table.
        let value = unsafe { *table.add(place) };
        state.node(Op::Data, 0, size * 8, 0, value);
    }
    if let Some(free) = known.iter_mut().find(|(known, _)| known.is_null()) {
        *free = (table, first);
    }
    first
}

/// A number of `size` bytes in memory, and its label.
///
/// # Safety
/// At most eight bytes, which can be read.
unsafe fn number(state: &State, at: *const u8, size: u32) -> (u64, u32) {
    // SAFETY: the harness has such a number there.
    unsafe {
        let label = match state.traced() {
            true => label_of(at as u64, size),
            false => 0,
        };
        (value_at(at as u64, size), label)
    }
}

/// The length of an array, of `size` bytes: at most `most`, and concrete from here on; or, if it is signed, any that is
/// negative, which says nothing: there are as many elements as there can be.
///
/// # Safety
/// Only the harness calls it: at most eight bytes, which can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elsewise_graph_length(
    at: *const u8,
    size: u32,
    most: u64,
    is_signed: i32,
) -> u64 {
    let (site, _) = enter::<0>();
    let state = state();
    // SAFETY: the harness has such a number there.
    let (value, label) = unsafe { number(state, at, size) };
    let negative = is_signed != 0 && value >> (8 * size - 1) & 1 != 0;
    if label != 0 {
        let mut fits = state.node(Op::Ule, CONST_RIGHT, 1, label, most);
        let below = match is_signed {
            0 => 0,
            _ => state.node(Op::Slt, CONST_RIGHT, 1, label, 0),
        };
        if below != 0 {
            fits = state.node(Op::Or, 0, 1, fits, below.into());
        }
        let event = EventKind::Assume;
        let fails = value > most && !negative;
        state.event(event, 0, site, fits, u32::from(fails));
        if below != 0 && !fails {
            state.event(EventKind::Branch, 0, site, below, u32::from(!negative));
        }
    }
    if negative {
        return most;
    }
    if value > most {
        input::dismiss();
    }
    state.made_concrete(site, label, value, Reason::Size);
    value
}

/// Inputs are possible that no case can be.
#[unsafe(no_mangle)]
pub extern "C" fn elsewise_graph_left_out() {
    enter::<0>();
    let state = state();
    if state.traced() {
        first_input();
        // Of the whole function, not of a place in the harness.
        state.opaque(u32::MAX, Reason::LeftOut);
    }
}

/// Here is nothing that anybody gave: whoever reads it is noticed.
#[unsafe(no_mangle)]
pub extern "C" fn elsewise_graph_beside(at: *const u8, size: usize) {
    enter::<0>();
    let state = state();
    if !state.traced() || size == 0 {
        return;
    }
    first_input();
    if state.beside == 0 {
        state.beside = state.node(Op::Const, 0, 8, 0, 0);
    }
    for offset in 0..size as u64 {
        set_label(at as u64 + offset, 1, state.beside);
    }
}

/// The number of elements of an array that an object points to. Whether there is such an array is
/// found without a choice, so nothing is made concrete either: cases that follow keep it within
/// `most`, and each run's array is as long as its own case says.
///
/// # Safety
/// Only the harness calls it: at most eight bytes, which can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elsewise_graph_count(at: *const u8, size: u32, most: u64) -> u64 {
    enter::<0>();
    let state = state();
    // SAFETY: the harness has such a number there.
    let (value, label) = unsafe { number(state, at, size) };
    if label != 0 {
        let fits = state.node(Op::Ule, CONST_RIGHT, 1, label, most);
        state.event(EventKind::Bound, 0, 0, fits, 0);
    }
    if value > most {
        input::dismiss();
    }
    value
}

/// An object that the graph has, of so many bytes, begins here.
#[unsafe(no_mangle)]
pub extern "C" fn elsewise_graph_object(at: *const u8, size: usize) {
    enter::<0>();
    if state().traced() {
        objects::born(at as u64, size as u64);
    }
}
