//! Total store order: what a thread stores waits in a buffer of its own, in the order of its stores, until others
//! see it. The buffer is a thread of its own to the schedule, whose moves are that the oldest store goes to memory.
//!
//! While nobody runs, memory is as all threads see it. Before a thread goes on, what is in its buffer is put in its
//! place, so that it reads what it has stored, whatever code it runs; at its next point memory is put back. So a
//! store is no point: only its way to memory is.

use super::accesses::touch;
use super::reports::report;
use super::{Life, MAX_THREADS, Move, Thread, Threads, current, point, several, spin, threads};
use crate::memory;
use crate::shared::state;
use crate::turns::Turns;
use elsewise_wire::EventKind;
use elsewise_wire::threads::access::{BUFFERED, FLUSHED, REPLACES, WRITES};
use elsewise_wire::threads::{BUFFER, MAX_STORES, MemoryModel, SyncOp, exchange, store_number};

/// Stores that a buffer holds: as many as those of processors.
const ROOM: usize = 64;
/// Bytes that are stored at once; more are not buffered.
const MOST: usize = 32;

/// Some bytes of memory, and their labels.
#[derive(Clone, Copy)]
struct Bytes {
    bytes: [u8; MOST],
    labels: [u32; MOST],
}

impl Bytes {
    const NONE: Bytes = Bytes {
        bytes: [0; MOST],
        labels: [0; MOST],
    };

    /// # Safety
    /// So many bytes, at most [`MOST`], can be read.
    unsafe fn at(address: u64, size: usize) -> Bytes {
        let mut found = Bytes::NONE;
        // SAFETY: so many bytes, for which there is room in both.
        unsafe {
            core::ptr::copy_nonoverlapping(address as *const u8, found.bytes.as_mut_ptr(), size);
        }
        memory::entries(address, &mut found.labels[..size]);
        found
    }

    /// # Safety
    /// So many bytes, at most [`MOST`], can be written.
    unsafe fn put(&self, address: u64, size: usize) {
        // SAFETY: so many bytes, for which there is room in both.
        unsafe {
            core::ptr::copy_nonoverlapping(self.bytes.as_ptr(), address as *mut u8, size);
        }
        memory::set_entries(address, &self.labels[..size]);
    }
}

#[derive(Clone, Copy)]
struct Store {
    address: u64,
    size: usize,
    site: u32,
    flags: u8,
    /// What was stored.
    value: Bytes,
    /// What the thread has left there, which is the same unless code has written there without saying so.
    view: Bytes,
    /// What is in memory, while that is hidden.
    hidden: Bytes,
}

impl Store {
    const NONE: Store = Store {
        address: 0,
        size: 0,
        site: 0,
        flags: 0,
        value: Bytes::NONE,
        view: Bytes::NONE,
        hidden: Bytes::NONE,
    };

    fn overlaps(&self, address: u64, size: u64) -> bool {
        self.address < address.saturating_add(size) && address < self.address + self.size as u64
    }

    fn covers(&self, address: u64, size: u64) -> bool {
        self.address <= address && address + size <= self.address + self.size as u64
    }
}

pub struct Buffer {
    /// The oldest first.
    stores: [Store; ROOM],
    count: usize,
    /// Stores that the thread has made.
    made: u32,
    /// Up to which of them it is known to have waited.
    awaited: u32,
    /// The last has just been made: what it has stored will be seen at the next point.
    open: bool,
}

impl Buffer {
    const NONE: Buffer = Buffer {
        stores: [Store::NONE; ROOM],
        count: 0,
        made: 0,
        awaited: 0,
        open: false,
    };

    fn all(&mut self) -> &mut [Store] {
        &mut self.stores[..self.count]
    }

    /// How many of the thread's stores all see.
    fn seen(&self) -> u32 {
        self.made - self.count as u32
    }

    fn settle(&mut self) {
        if core::mem::take(&mut self.open)
            && let Some(last) = self.all().last_mut()
        {
            // SAFETY: the thread has stored there.
            last.value = unsafe { Bytes::at(last.address, last.size) };
        }
    }
}

static BUFFERS: Turns<[Buffer; MAX_THREADS]> = Turns::new([const { Buffer::NONE }; MAX_THREADS]);

fn of(thread: usize) -> &'static mut Buffer {
    // SAFETY: its users take turns, as `Turns` says.
    unsafe { &mut (*BUFFERS.get())[thread] }
}

fn are_used() -> bool {
    state().header().memory_model == MemoryModel::TotalStoreOrder as u64
}

/// The running thread is about to store, which others see later. False where they see it at once: then it waits
/// until they have seen what it has stored before.
///
/// # Safety
/// The running thread is about to store there.
pub unsafe fn store(site: u32, address: u64, size: u64, flags: u32) -> bool {
    let at_once = u32::from(REPLACES) | exchange::SEQUENTIAL | exchange::LIBRARY;
    let buffered = flags & u32::from(WRITES) != 0 && flags & at_once == 0;
    if !are_used() || !buffered || size > MOST as u64 || !current().is_real() {
        return false;
    }
    let me = threads().current;
    let buffer = of(me);
    buffer.settle();
    let oldest = match buffer.count {
        ROOM => buffer.seen() + 1,
        _ => 0,
    };
    // Whatever a thread does before its first point is told as a part of what its starter does.
    if oldest != 0 || current().starter.is_some() {
        point(site, Move::Drain(oldest));
    }
    if buffer.made >= MAX_STORES || !has_buffer(me) {
        super::too_much();
        return false;
    }
    spin::forget();
    let (name, number) = (current().name, buffer.made + 1);
    // SAFETY: so many bytes, for which there is room in both.
    let hidden = unsafe { Bytes::at(address, size as usize) };
    buffer.stores[buffer.count] = Store {
        address,
        size: size as usize,
        site,
        flags: flags as u8,
        hidden,
        ..Store::NONE
    };
    buffer.count += 1;
    buffer.made = number;
    buffer.open = true;
    let at = store_number(name, number);
    report(site, SyncOp::Buffer, at, true, 0, 0);
    let (low, high) = (address as u32, (address >> 32) as u32);
    let flags = flags as u8 | BUFFERED;
    state().event_with(EventKind::Access, flags, size as u16, site, low, high);
    true
}

/// The thread that is the buffer of another begins, unless it has. False where there is no room.
fn has_buffer(me: usize) -> bool {
    let threads = threads();
    if let Some(at) = threads.all[me].buffer {
        threads.all[at].pending = Move::Flush;
        return true;
    }
    let at = threads.used;
    if at == MAX_THREADS {
        return false;
    }
    threads.used += 1;
    let name = threads.all[me].name | BUFFER;
    let thread = &mut threads.all[at];
    thread.name = name;
    thread.buffer_of = Some(me);
    thread.pending = Move::Flush;
    thread.life = Life::Alive;
    threads.all[me].buffer = Some(at);
    true
}

/// The running thread stops: memory becomes as all see it.
pub fn leave(me: usize) {
    let buffer = of(me);
    buffer.settle();
    for store in buffer.all().iter_mut().rev() {
        // SAFETY: the thread has stored there.
        unsafe {
            store.view = Bytes::at(store.address, store.size);
            store.hidden.put(store.address, store.size);
        }
    }
}

/// A thread goes on: memory becomes as it sees it.
pub fn enter(me: usize) {
    for store in of(me).all() {
        // SAFETY: the thread has stored there.
        unsafe {
            store.hidden = Bytes::at(store.address, store.size);
            store.view.put(store.address, store.size);
        }
    }
    let waited = threads().all[me].waits_until;
    let buffer = of(me);
    buffer.awaited = buffer.awaited.max(waited);
}

/// The oldest store of a thread goes to memory.
pub fn flush(of_thread: usize) {
    let buffer = of(of_thread);
    let Some((oldest, later)) = buffer.all().split_first_mut() else {
        return;
    };
    let hidden = later
        .iter()
        .any(|store| store.overlaps(oldest.address, oldest.size as u64));
    let bytes = match hidden {
        true => &oldest.value,
        false => &oldest.view,
    };
    // SAFETY: the thread has stored there.
    unsafe { bytes.put(oldest.address, oldest.size) };
    buffer.stores.copy_within(1..buffer.count, 0);
    buffer.count -= 1;
    let empty = buffer.count == 0;
    let threads = threads();
    if empty && let Some(at) = threads.all[of_thread].buffer {
        threads.all[at].pending = Move::None;
    }
}

/// There is nobody else any more: what the running thread sees is what there is.
pub fn commit(threads: &mut Threads) {
    let me = threads.current;
    let buffer = of(me);
    if buffer.count > 0 {
        buffer.count = 0;
        buffer.open = false;
        buffer.awaited = buffer.made;
        if let Some(at) = threads.all[me].buffer {
            threads.all[at].pending = Move::None;
        }
    }
}

/// Up to which of its stores others must see before the thread can do this; 0 if it need not wait.
pub fn needed(me: usize, pending: &Move) -> u32 {
    let buffer = of(me);
    let all = match buffer.made > buffer.awaited {
        true => buffer.made,
        false => return 0,
    };
    match *pending {
        Move::Drain(number) => number,
        Move::Yield | Move::None => 0,
        Move::Touch {
            address,
            size,
            flags,
        } if flags & WRITES == 0 => {
            // It reads the last of its stores; what that has only a part of is read from memory.
            let mut stores = buffer.all().iter().rev();
            let last = stores.find(|store| store.overlaps(address, size));
            match last.is_some_and(|store| !store.covers(address, size)) {
                true => all,
                false => 0,
            }
        }
        _ => all,
    }
}

/// The running thread waits until all see what it has stored.
pub fn drain(site: u32) {
    if !several() || !current().is_real() {
        return;
    }
    let buffer = of(threads().current);
    if buffer.made > buffer.awaited {
        point(site, Move::Drain(buffer.made));
    }
}

/// The running thread has ended, and its buffer with it.
pub fn ends(me: usize) {
    let threads = threads();
    if let Some(at) = threads.all[me].buffer {
        threads.all[at].life = Life::Ended;
    }
}

impl Thread {
    /// Do others see what it has to wait for?
    pub fn is_seen(&self) -> bool {
        self.waits_until == 0 || of(self.index()).seen() >= self.waits_until
    }

    /// What it waits for before it goes on.
    pub fn report_awaited(&self, site: u32) {
        if self.waits_until != 0 {
            let number = store_number(self.name, self.waits_until);
            let state = 1 + u32::from(self.is_seen());
            report(site, SyncOp::Buffer, number, false, 2, state);
        }
    }

    /// A signal interrupts it only when all see what it has stored.
    pub fn is_drained(&self) -> bool {
        of(self.index()).count == 0
    }

    /// The same as what an arrival touches.
    pub fn report_drained(&self, site: u32) {
        let buffer = of(self.index());
        if buffer.made > 0 {
            let number = store_number(self.name, buffer.made);
            let state = 1 + u32::from(self.is_drained());
            report(site, SyncOp::Buffer, number, false, 2, state);
        }
    }
}

/// What a buffer is about to do.
pub fn report_flush(of_thread: usize) {
    let buffer = of(of_thread);
    let number = store_number(threads().all[of_thread].name, buffer.seen() + 1);
    let Some(oldest) = buffer.all().first() else {
        return;
    };
    report(oldest.site, SyncOp::Buffer, number, true, 1, 1);
    let (site, address, size) = (oldest.site, oldest.address, oldest.size as u64);
    spin::written(site, address, size, Some(of_thread));
    touch(site, address, size, oldest.flags | FLUSHED);
}

#[cfg(test)]
#[path = "../../tests/buffers.rs"]
mod tests;
