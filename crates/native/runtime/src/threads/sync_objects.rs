//! The objects by which threads wait for each other: what state each is in.

use super::{MAX_THREADS, current};
use crate::subject_calls;
use crate::sys;
use crate::turns::Turns;

/// Objects for which there is room without asking for it, and those for which there is more if they are
/// many.
const FEW: usize = 4096;
const MANY: usize = 1 << 20;

/// A mutex, a lock, a semaphore, a barrier or what is done once.
#[derive(Clone, Copy)]
pub struct Object {
    address: u64,
    /// Mutex, spin lock, lock for writing: the thread that has it, plus one. For what is done once:
    /// the one that does it, or [`DONE`].
    pub owner: u32,
    /// Recursion, readers, what a semaphore counts, who has come to a barrier.
    pub count: u32,
    /// How many a barrier waits for; robust mutexes: [`ABANDONED`] and the like; writers who wait.
    pub extra: u32,
}

pub const DONE: u32 = u32::MAX;

/// Of a robust mutex whose owner has ended.
pub const ABANDONED: u32 = 1;
pub const LOST: u32 = 2;

const NONE: Object = Object {
    address: 0,
    owner: 0,
    count: 0,
    extra: 0,
};

struct Table {
    few: [Object; FEW],
    used: usize,
    /// Where the larger table is, once there is one.
    many: u64,
}

static TABLE: Turns<Table> = Turns::new(Table {
    few: [NONE; FEW],
    used: 0,
    many: 0,
});

fn table() -> &'static mut Table {
    // SAFETY: its users take turns, as `Turns` says.
    unsafe { &mut *TABLE.get() }
}

/// Where the object is, or would be; `None` where there is no room.
fn find(all: &mut [Object], address: u64) -> Option<&mut Object> {
    let shift = 64 - all.len().trailing_zeros();
    let mut at = ((address >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize;
    for _ in 0..all.len() {
        let found = all[at].address;
        if found == address || found == 0 {
            return Some(&mut all[at]);
        }
        at = (at + 1) % all.len();
    }
    None
}

impl Table {
    fn many(&mut self) -> &'static mut [Object] {
        if self.many == 0 {
            let flags = sys::MAP_PRIVATE | sys::MAP_ANONYMOUS | sys::MAP_NORESERVE;
            let protection = sys::PROT_READ | sys::PROT_WRITE;
            let size = core::mem::size_of::<Object>() * MANY;
            // SAFETY: new memory, wherever there is room.
            let got = unsafe {
                subject_calls::mmap(core::ptr::null_mut(), size, protection, flags, -1, 0)
            };
            if got as isize == -1 {
                super::too_much();
                sys::_exit(70)
            }
            self.many = got as u64;
        }
        // SAFETY: so many are there, and zeros are objects that nobody has; its users take turns, as `Turns` says.
        unsafe { core::slice::from_raw_parts_mut(self.many as *mut Object, MANY) }
    }
}

fn place(address: u64) -> &'static mut Object {
    let table = table();
    // Some are left free, so that what is not there is soon known.
    let full = table.used >= FEW / 4 * 3;
    let there = find(&mut table.few, address).is_some_and(|it| it.address == address || !full);
    let found = match there {
        true => find(&mut table.few, address),
        false => find(table.many(), address),
    };
    match found {
        Some(found) => found,
        None => {
            super::too_much();
            sys::_exit(70)
        }
    }
}

/// The object at an address; a new one where there was none, in which it is as nobody has it.
pub fn object(address: u64) -> &'static mut Object {
    let found = place(address);
    if found.address == 0 {
        table().used += 1;
    }
    found.address = address;
    found
}

/// What is known of the object at an address; nothing is made.
pub fn look(address: u64) -> Object {
    *place(address)
}

/// A new object is at the address.
pub fn renew(address: u64) -> &'static mut Object {
    let found = object(address);
    *found = NONE;
    found.address = address;
    found
}

/// All objects that a thread has.
pub fn owned_by(owner: u32) -> impl Iterator<Item = &'static mut Object> {
    let table = table();
    let many: &mut [Object] = if table.many == 0 {
        &mut []
    } else {
        table.many()
    };
    let all = table.few.iter_mut().chain(many);
    all.filter(move |object| object.address != 0 && object.owner == owner)
}

impl Object {
    pub fn address(&self) -> u64 {
        self.address
    }
}

/// As an owner: the thread that runs.
pub fn me() -> u32 {
    current().owner()
}

const _: () = assert!(MAX_THREADS < u32::MAX as usize);
