//! Reads and writes through labelled addresses.
//!
//! An address is taken apart into `base + scale * x`. Where all that `x` can be stays within a
//! few hundred places, what is read is a look-up among the present contents of all of them, and
//! what is written is in each of them "the new value if it was meant, else the old one". Where
//! the object is known (the pass saw it, or the base points into a heap block), staying inside is
//! a choice, so that the way out of it is an alternative. Where there are too many places, `x` is
//! cut into blocks, and which block it is is a value made concrete. In all cases what is said of
//! memory is what the program would find there.

use crate::graph;
use crate::memory::{entries_of, label_of, label_of_byte, set_label, value_at};
use crate::objects;
use crate::range::range;
use crate::shared::{State, state};
use crate::sys;
use crate::turns::Turns;
use core::ffi::c_void;
use elsewise_wire::{CONST_LEFT, CONST_RIGHT, EventKind, Op, Reason};

/// Places that one read may look among, and bytes that they may span.
const READ_PLACES: u64 = 1024;
const READ_BYTES: u64 = 8192;
/// The same for a write, which makes nodes for every byte.
const WRITE_PLACES: u64 = 128;
const WRITE_BYTES: u64 = 512;
/// Nodes of a run that all this may take; then addresses are made concrete.
const NODES: u64 = 1 << 22;

/// An access as the pass describes it.
#[derive(Clone, Copy)]
struct Access {
    site: u32,
    label: u32,
    address: u64,
    size: u64,
    /// The object, where the pass knows it.
    object: Option<(u64, u64)>,
}

/// Consecutive values of `x`, each of which may be meant, and what is there can be read.
struct Places {
    /// Label of the index among them.
    index: u32,
    /// Address of the first.
    first: u64,
    scale: u64,
    count: u64,
}

impl Places {
    fn addresses(&self) -> impl Iterator<Item = u64> {
        let (first, scale) = (self.first, self.scale);
        (0..self.count).map(move |place| first.wrapping_add(place.wrapping_mul(scale)))
    }
}

/// Before a load through a labelled address: the label of what is there, or 0 when the address
/// was made concrete.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_read_at(
    site: u32,
    label: u32,
    address: u64,
    size: u32,
    bits: u32,
    base: u64,
    extent: u64,
) -> u32 {
    let access = Access {
        site,
        label,
        address,
        size: size.into(),
        object: (base != 0).then_some((base, extent)),
    };
    let Some(places) = access.places(READ_PLACES, READ_BYTES) else {
        return 0;
    };
    let state = state();
    let first = match known_table(state, &places, size) {
        Some(first) => first,
        None => write_table(&places, size),
    };
    let found = state.node(
        Op::Lookup,
        0,
        size * 8,
        places.index,
        u64::from(first) | places.count << 32,
    );
    match bits == size * 8 {
        true => found,
        false => state.node(Op::Trunc, 0, bits, found, 0),
    }
}

/// Before a store through a labelled address; 1 when the shadow has been set, 0 when the address
/// was made concrete and the store is one like any other.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_write_at(
    site: u32,
    label: u32,
    address: u64,
    size: u32,
    value_label: u32,
    value: u64,
    base: u64,
    extent: u64,
) -> u32 {
    let access = Access {
        site,
        label,
        address,
        size: size.into(),
        object: (base != 0).then_some((base, extent)),
    };
    let Some(places) = access.places(WRITE_PLACES, WRITE_BYTES) else {
        return 0;
    };
    let state = state();
    let bits = size * 8;
    let whole = match value_label {
        0 => state.node(Op::Const, 0, bits, 0, value),
        label if u32::from(state.get(label).bits) == bits => label,
        label => state.node(Op::ZExt, 0, bits, label, 0),
    };
    for (place, at) in places.addresses().enumerate() {
        let meant = state.node(Op::Eq, CONST_RIGHT, 1, places.index, place as u64);
        for byte in 0..u64::from(size) {
            let new = state.node(Op::Extract, 0, 8, whole, byte * 8);
            // SAFETY: all places can be read, or there would be none.
            let old = unsafe { label_of_byte(state, at + byte) };
            let both = u64::from(new) | u64::from(old) << 32;
            let label = state.node(Op::Ite, 0, 8, meant, both);
            set_label(at + byte, 1, label);
        }
    }
    1
}

impl Access {
    /// Which places may be meant, at most `most` of them that span at most `bytes`; `None` when
    /// the address was made concrete.
    fn places(self, most: u64, bytes: u64) -> Option<Places> {
        if self.label == 0 {
            return None;
        }
        let state = state();
        if state.header().nodes > NODES {
            state.made_concrete(self.site, self.label, self.address, Reason::Address);
            return None;
        }
        let (x, scale, base) = self.take_apart(state)?;
        let now = self.address.wrapping_sub(base) as i64 / scale as i64;
        let (mut low, mut high) = range(state, x)
            .filter(|(low, high)| (*low..=*high).contains(&now))
            .unwrap_or((i64::MIN, i64::MAX));
        let at = |x: i64| base.wrapping_add(scale.wrapping_mul(x as u64));
        if let Some((start, extent)) = self.object.or_else(|| objects::find(base)) {
            // Values of x that stay inside.
            let last = start.wrapping_add(extent).wrapping_sub(self.size);
            let first = (start.wrapping_sub(base) as i64).div_euclid(scale as i64)
                + i64::from(!start.wrapping_sub(base).is_multiple_of(scale));
            let last = (last.wrapping_sub(base) as i64).div_euclid(scale as i64);
            if extent < self.size || first > last {
                self.make_concrete();
                return None;
            }
            if low < first || high > last {
                let inside = (first..=last).contains(&now);
                let moved = moved(state, x, first);
                let span = last.wrapping_sub(first) as u64;
                let fits = state.node(Op::Ule, CONST_RIGHT, 1, moved, span);
                state.choice(EventKind::Branch, self.site, fits, u32::from(!inside));
                if !inside {
                    self.make_concrete();
                    return None;
                }
                (low, high) = (low.max(first), high.min(last));
            }
        }
        let few = (bytes / scale).min(most);
        let count = |low: i64, high: i64| (high.wrapping_sub(low) as u64).saturating_add(1);
        if count(low, high) > few {
            // Which block of x it is, is made concrete.
            if few < 2 {
                self.make_concrete();
                return None;
            }
            let shift = few.ilog2();
            let block = state.node(Op::AShr, CONST_RIGHT, 64, x, shift.into());
            let number = now >> shift;
            state.made_concrete(self.site, block, number as u64, Reason::Address);
            low = low.max(number << shift);
            high = high.min((number << shift) + ((1 << shift) - 1));
        }
        if !readable(
            at(low),
            at(high).wrapping_add(self.size).wrapping_sub(at(low)),
        ) {
            self.make_concrete();
            return None;
        }
        Some(Places {
            index: moved(state, x, low),
            first: at(low),
            scale,
            count: count(low, high),
        })
    }

    /// The address as `base + scale * x`: label of x, scale, base. `None` when nothing in it can
    /// be another: which object an input pointer points to is made concrete here.
    fn take_apart(self, state: &mut State) -> Option<(u32, u64, u64)> {
        let mut base = 0u64;
        let mut at = self.label;
        loop {
            if let Some(value) = graph::reference(at) {
                state.made_concrete(self.site, at, value, Reason::Address);
                return None;
            }
            let node = state.get(at);
            if node.op == Op::Add as u8 && node.flags & (CONST_RIGHT | CONST_LEFT) != 0 {
                base = base.wrapping_add(node.b);
            } else if node.op == Op::Sub as u8 && node.flags & CONST_RIGHT != 0 {
                base = base.wrapping_sub(node.b);
            } else if node.op == Op::Add as u8
                && let [a, b] = [node.a, node.b as u32].map(graph::reference)
                && let Some(value) = a.or(b)
            {
                let (pointer, rest) = match a {
                    Some(_) => (node.a, node.b as u32),
                    None => (node.b as u32, node.a),
                };
                state.made_concrete(self.site, pointer, value, Reason::Address);
                base = base.wrapping_add(value);
                at = rest;
                continue;
            } else {
                let scaled = |scale: u64| {
                    if !(1..1 << 20).contains(&scale) {
                        return None;
                    }
                    // Places may lie before the base. A product that wrapped around is no place times
                    // its size.
                    let rest = self.address.wrapping_sub(base) as i64;
                    let place = rest / scale as i64;
                    let fits = rest % scale as i64 == 0 && place.unsigned_abs() < 1 << 40;
                    fits.then_some((node.a, scale, base))
                };
                let found = match node.flags & CONST_RIGHT != 0 {
                    true if node.op == Op::Mul as u8 => scaled(node.b),
                    true if node.op == Op::Shl as u8 && node.b < 20 => scaled(1 << node.b),
                    _ => None,
                };
                let rest = self.address.wrapping_sub(base);
                let pointer = state.header().objects != 0 && points(rest, base);
                if found.is_none() && (pointer || graph::reaches(rest)) {
                    // One of several input pointers, or of several objects of which somebody else
                    // knows where each ends.
                    state.made_concrete(self.site, at, rest, Reason::Address);
                    return None;
                }
                return Some(found.unwrap_or((at, 1, base)));
            }
            at = node.a;
        }
    }

    fn make_concrete(self) {
        state().made_concrete(self.site, self.label, self.address, Reason::Address);
    }
}

/// Is it the labelled part of an address that points, and what is added to it an offset?
fn points(labelled: u64, added: u64) -> bool {
    // Nothing is mapped below, in a program that may lie anywhere.
    const LOWEST: u64 = 1 << 32;
    labelled >= LOWEST && (added as i64).unsigned_abs() < LOWEST
}

/// `x - low`.
fn moved(state: &mut State, x: u32, low: i64) -> u32 {
    match low {
        0 => x,
        low => state.node(Op::Sub, CONST_RIGHT, 64, x, low as u64),
    }
}

/// Tables lately written: a loop that looks up bytes in one table writes it once.
static TABLES: Turns<[Table; 64]> = Turns::new(
    [Table {
        at: 0,
        scale: 0,
        count: 0,
        size: 0,
        first: 0,
    }; 64],
);

#[derive(Clone, Copy)]
struct Table {
    at: u64,
    scale: u64,
    count: u64,
    size: u32,
    /// Label of its first entry.
    first: u32,
}

fn slot(at: u64) -> &'static mut Table {
    let index = (at ^ at >> 6 ^ at >> 12) as usize % 64;
    // SAFETY: its users take turns, as `Turns` says.
    unsafe { &mut (*TABLES.get())[index] }
}

/// The table in the trace that says what these places hold now, if there is one.
fn known_table(state: &State, places: &Places, size: u32) -> Option<u32> {
    let table = *slot(places.first);
    let same = table.at == places.first
        && table.scale == places.scale
        && table.count == places.count
        && table.size == size;
    if !same {
        return None;
    }
    for (entry, at) in places.addresses().enumerate() {
        let node = state.get(table.first + entry as u32);
        let entries = entries_of(at, size.into());
        let unlabelled = entries.iter().all(|entry| *entry == 0);
        // SAFETY: all places can be read, or there would be none.
        if node.a != 0 || !unlabelled || node.b != unsafe { value_at(at, size) } {
            return None;
        }
    }
    Some(table.first)
}

fn write_table(places: &Places, size: u32) -> u32 {
    // Labels of the entries first: the table's own nodes must follow each other.
    let state = state();
    let labelled = places.addresses().any(|at| {
        let entries = entries_of(at, size.into());
        entries.iter().any(|entry| *entry != 0)
    });
    let mut labels = [0u32; READ_PLACES as usize];
    if labelled {
        for (label, at) in labels.iter_mut().zip(places.addresses()) {
            // SAFETY: all places can be read, or there would be none.
            *label = unsafe { label_of(at, size) };
        }
    }
    let first = state.header().nodes as u32;
    for (label, at) in labels.iter().zip(places.addresses()) {
        // SAFETY: as above.
        let value = unsafe { value_at(at, size) };
        state.node(Op::Data, 0, size * 8, *label, value);
    }
    if !labelled {
        let table = Table {
            at: places.first,
            scale: places.scale,
            count: places.count,
            size,
            first,
        };
        *slot(places.first) = table;
    }
    first
}

/// Can all these bytes be read?
fn readable(from: u64, bytes: u64) -> bool {
    const PAGE: u64 = 4096;
    let Some(end) = from.checked_add(bytes) else {
        return false;
    };
    let mut page = from & !(PAGE - 1);
    while page < end {
        if !page_is_readable(page) {
            return false;
        }
        page += PAGE;
    }
    true
}

/// Pages lately found readable.
static READABLE: Turns<[u64; 64]> = Turns::new([0; 64]);

fn page_is_readable(page: u64) -> bool {
    // SAFETY: its users take turns, as `Turns` says.
    let slot = unsafe { &mut (*READABLE.get())[(page >> 12) as usize % 64] };
    if *slot == page {
        return page != 0;
    }
    let kept = sys::errno();
    // The kernel reads the set before it looks at the command, which does not exist.
    const RT_SIGPROCMASK: i64 = 14;
    let how = -1i64;
    // SAFETY: nothing is changed, whatever is there.
    let failed = unsafe {
        sys::syscall(
            RT_SIGPROCMASK,
            how,
            page as *const c_void,
            core::ptr::null::<c_void>(),
            8i64,
        )
    };
    let readable = failed != 0 && sys::errno() != sys::EFAULT;
    sys::set_errno(kept);
    if readable {
        *slot = page;
    }
    readable
}

#[cfg(test)]
#[path = "../tests/address.rs"]
mod tests;
