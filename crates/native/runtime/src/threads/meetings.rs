//! The objects by which threads wait for each other: what state each is in.

use super::{MAX_THREADS, threads};
use crate::sys;

/// Most objects that a run may have.
const MOST: usize = 4096;

/// A mutex, a lock, a semaphore, a barrier or what is done once.
#[derive(Clone, Copy)]
pub struct Object {
    address: u64,
    /// Mutex, spin lock, lock for writing: the thread that has it, plus one. For what is done once:
    /// the one that does it, or [`DONE`].
    pub owner: u32,
    /// Recursion, readers, what a semaphore counts, who has come to a barrier.
    pub count: u32,
    /// How many a barrier waits for; robust mutexes: an [`Abandoned`].
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

struct Table(core::cell::UnsafeCell<[Object; MOST]>);
// One thread runs at a time.
unsafe impl Sync for Table {}

static TABLE: Table = Table(core::cell::UnsafeCell::new([NONE; MOST]));

fn table() -> &'static mut [Object; MOST] {
    unsafe { &mut *TABLE.0.get() }
}

fn place(address: u64) -> &'static mut Object {
    let table = table();
    let mut at = (address >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52;
    for _ in 0..MOST {
        let found = table[at as usize].address;
        if found == address || found == 0 {
            return &mut table[at as usize];
        }
        at = (at + 1) % MOST as u64;
    }
    super::too_much();
    unsafe { sys::_exit(70) }
}

/// The object at an address; a new one where there was none, in which it is as nobody has it.
pub fn object(address: u64) -> &'static mut Object {
    let found = place(address);
    found.address = address;
    found
}

/// What is known of the object at an address; nothing is made.
pub fn look(address: u64) -> Object {
    *place(address)
}

/// A new object is at the address.
pub fn renew(address: u64) -> &'static mut Object {
    let found = place(address);
    *found = NONE;
    found.address = address;
    found
}

/// All objects that a thread has.
pub fn owned_by(owner: u32) -> impl Iterator<Item = &'static mut Object> {
    let all = table().iter_mut();
    all.filter(move |object| object.address != 0 && object.owner == owner)
}

impl Object {
    pub fn address(&self) -> u64 {
        self.address
    }
}

/// As an owner: the thread that runs.
pub fn me() -> u32 {
    threads().current as u32 + 1
}

const _: () = assert!(MAX_THREADS < u32::MAX as usize);
