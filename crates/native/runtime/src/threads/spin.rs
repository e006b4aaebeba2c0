//! Threads that look again and again at memory until somebody changes it.
//!
//! A thread that comes back to a place at which it has read some memory, that has done nothing since but read
//! a few places, each once, and that is itself as it was (registers, stack, variables of its own), will do the same
//! once more, until somebody writes to one of them, or to its stack. So it waits: else there would be as
//! many executions as times that it may look. Who writes there then wakes it, as a signal would one
//! that waits for a condition; when nobody is left who could, that is a livelock.

use super::reports::report;
use super::{Life, Thread, current, threads};
use crate::loaded::{self, Loaded};
use crate::sys;
use core::ffi::c_void;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use elsewise_wire::threads::SyncOp;
use elsewise_wire::threads::access::ATOMIC;

/// Stacks with more than this are not compared.
const MOST_STACK: u64 = 64 << 10;

/// Loops that read at more places are not taken for waiting.
const MOST_PLACES: usize = 6;

/// A read of a loop: where in the code, and of which memory.
#[derive(Clone, Copy, PartialEq, Eq)]
struct LoopRead {
    site: u32,
    size: u32,
    address: u64,
}

impl LoopRead {
    const NONE: LoopRead = LoopRead {
        site: 0,
        size: 0,
        address: 0,
    };

    fn overlaps(&self, address: u64, size: u64) -> bool {
        let (from, to) = (self.address, self.address + u64::from(self.size));
        from < address.saturating_add(size) && address < to
    }
}

/// What a thread has read last, and how it was itself.
#[derive(Clone, Copy)]
pub struct Look {
    /// The first of them is where the thread has come back to, or may.
    places: [LoopRead; MOST_PLACES],
    count: usize,
    /// At which visit of the first place the thread has been at each.
    rounds: [u32; MOST_PLACES],
    /// How often the thread has been at the first place.
    visits: u32,
    /// Of the thread's own state when it was there last; 0: not known.
    state: u64,
    /// Where its stack ended then.
    stack: u64,
    /// Somebody has written to one of the places since.
    changed: bool,
    /// The thread waits for that.
    pub waits: bool,
}

impl Look {
    pub const NONE: Look = Look {
        places: [LoopRead::NONE; MOST_PLACES],
        count: 0,
        rounds: [0; MOST_PLACES],
        visits: 0,
        state: 0,
        stack: 0,
        changed: false,
        waits: false,
    };

    fn places(&self) -> &[LoopRead] {
        &self.places[..self.count]
    }

    /// It has been seen to go in a circle of several places: that it goes on may be due to any write to them, also to
    /// one that it has passed when it looks again at the first.
    fn circles(&self) -> bool {
        self.visits > 0 && self.count > 1
    }
}

impl Thread {
    /// It waits for a change, which has not come.
    pub fn looks_in_vain(&self) -> bool {
        self.look.waits && !self.look.changed
    }

    /// Where the part of its stack begins that is the subject's.
    fn top(&self) -> u64 {
        match self.look_below {
            0 => __libc_stack_end,
            top => top,
        }
    }

    /// Is it on its own stack, which ends here?
    pub fn has_on_stack(&self, address: u64, stack: u64) -> bool {
        (stack..self.top()).contains(&address)
    }

    /// Is it something that a thread goes by which looks in vain: what it looks at, or its stack?
    fn goes_by(&self, address: u64, size: u64) -> bool {
        let own = self.look.stack < address.saturating_add(size) && address < self.top();
        let mut places = self.look.places().iter();
        self.look.count > 0 && (own || places.any(|place| place.overlaps(address, size)))
    }

    /// State of [`SyncOp::Change`].
    pub fn sees_change(&self) -> u32 {
        self.look.changed.into()
    }
}

/// The running thread does something else than to read.
pub fn forget() {
    current().look = Look::NONE;
}

/// The running thread is about to read; `stack` and `registers` are those of the code that does.
///
/// # Safety
/// `stack` is the pointer of the running thread's stack.
pub unsafe fn look(site: u32, address: u64, size: u64, flags: u32, stack: u64, registers: u64) {
    let mine = current();
    // Its own stack is part of how it is itself.
    if mine.has_on_stack(address, stack) {
        return;
    }
    let look = &mut mine.look;
    look.stack = stack.min(look.stack);
    let place = LoopRead {
        site,
        size: size as u32,
        address,
    };
    let seen = look.places().iter().position(|one| *one == place);
    if seen.is_none() && !look.changed && (1..MOST_PLACES).contains(&look.count) {
        look.places[look.count] = place;
        look.rounds[look.count] = look.visits;
        look.count += 1;
        return;
    }
    if let Some(at @ 1..) = seen
        && !look.changed
        && look.rounds[at] != look.visits
    {
        look.rounds[at] = look.visits;
        return;
    }
    let again = seen == Some(0);
    if again && look.changed && look.circles() {
        // SAFETY: the pointer of the running thread's stack.
        let known = unsafe { state(stack, registers) };
        // Without the change it would wait now.
        if known != 0 && known == look.state {
            look.waits = true;
            return;
        }
    }
    // Who comes back to another place than the first in one round goes in a smaller circle.
    if !again || look.changed {
        *look = Look {
            count: 1,
            stack,
            ..Look::NONE
        };
        look.places[0] = place;
        if flags & u32::from(ATOMIC) != 0 {
            // SAFETY: the pointer of the running thread's stack.
            look.state = unsafe { state(stack, registers) };
        }
        return;
    }
    look.visits = look.visits.saturating_add(1);
    // Loops that do something by themselves are common: they are looked at ever more seldom.
    let due = |visits: u32| visits <= 4 || visits.is_power_of_two();
    let (now, next) = (due(look.visits), due(look.visits.saturating_add(1)));
    let known = match now || next {
        // SAFETY: the pointer of the running thread's stack.
        true => unsafe { state(stack, registers) },
        false => 0,
    };
    look.waits = known != 0 && known == look.state && (look.count == 1 || look.visits > 1);
    look.state = known;
}

/// Somebody writes: those who wait for that can go on, unless they have seen it already.
pub fn written(site: u32, address: u64, size: u64, seen_by: Option<usize>) {
    let threads = threads();
    if threads.over {
        return;
    }
    for (at, thread) in threads.all[..threads.used].iter_mut().enumerate() {
        if thread.life != Life::Alive || !thread.goes_by(address, size) || seen_by == Some(at) {
            continue;
        }
        let look = &mut thread.look;
        let before = core::mem::replace(&mut look.changed, true);
        // Also of those after the first: any of them would have been enough.
        if look.waits || look.circles() {
            let number = thread.sync_number(SyncOp::Change);
            report(site, SyncOp::Change, number, true, 0, before.into());
        }
    }
}

/// The memory in which threads have their own variables, those of the program: how much it is.
static OWN: AtomicU64 = AtomicU64::new(0);

/// # Safety
/// Called by the loader, with what it has loaded.
unsafe extern "C" fn measure(loaded: *const Loaded, _: usize, _: *mut c_void) -> i32 {
    // SAFETY: the loader's description of what is there.
    let segments = unsafe { (*loaded).segments() };
    if let Some(own) = segments.iter().find(|segment| segment.is_of_threads()) {
        let size = own.size.next_multiple_of(own.alignment.max(8));
        OWN.store(size, Relaxed);
    }
    // The program comes first; libraries are others' code.
    1
}

unsafe extern "C" {
    safe static __libc_stack_end: u64;
}

/// Before there are several threads.
pub fn begin() {
    // SAFETY: a function that asks for no data.
    unsafe { loaded::dl_iterate_phdr(measure, core::ptr::null_mut()) };
}

/// # Safety
/// What is between them can be read.
unsafe fn add(mut sum: u64, from: u64, to: u64) -> u64 {
    let mut at = from.next_multiple_of(8);
    while at + 8 <= to {
        // SAFETY: it is between the two.
        let word = unsafe { core::ptr::read_volatile(at as *const u64) };
        sum = (sum.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        at += 8;
    }
    sum
}

/// All that the running thread's next steps depend on, but memory that others may see; 0 if that is
/// too much.
///
/// # Safety
/// `stack` is the pointer of the running thread's stack.
unsafe fn state(stack: u64, registers: u64) -> u64 {
    let top = current().top();
    if top < stack || top - stack > MOST_STACK {
        return 0;
    }
    let own = sys::thread();
    // SAFETY: the running thread's stack from its pointer on, and its own variables, which lie before its block.
    unsafe {
        let sum = add(registers ^ stack, stack, top);
        add(sum, own - OWN.load(Relaxed), own) | 1
    }
}

/// What is in memory, where that can be read.
pub fn peek(address: u64, size: u64) -> Option<u64> {
    let mut bytes = [0u8; 8];
    let there = sys::read_own(bytes.get_mut(..size as usize)?, address as i64);
    there.then(|| u64::from_le_bytes(bytes))
}
