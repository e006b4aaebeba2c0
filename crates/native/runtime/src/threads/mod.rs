//! Threads of the subject: real ones, of which one runs at a time.
//!
//! A thread stops at its *points*: before it touches memory that others may see, and where it
//! would lock, wait, join and so on. There it says what it is about to do ([`Move`]); the schedule
//! of the case, or where that has ended a simple rule, decides whose turn it is, and that thread goes
//! on to its next point. What threads wait for is kept here ([`meetings`]), not in the C library's
//! objects, so it is always known who can go on; when nobody can, that is a deadlock.
//!
//! A thread that is started runs to its first point at once, as a part of what its starter does.

pub mod arena;
mod conditions;
mod create;
mod locks;
mod meetings;
mod moves;
mod names;
mod once;
mod own;
mod semaphores;
mod standard;

use crate::crash;
use crate::input;
use crate::server;
use crate::shared::state;
use crate::sys::{self, direct, number};
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use elsewise_wire::threads::{Meeting, SCHEDULE_STREAM, meeting_number};
use elsewise_wire::{Ending, EventKind, NAME_BYTES};

pub use create::stack_top;
pub use moves::Move;

/// Threads that a run may have, those that have ended included.
pub const MAX_THREADS: usize = 256;

/// 1 while there is more than one thread, or was and nobody has waited for its end: instrumented
/// code looks here before it says what it touches.
#[unsafe(no_mangle)]
pub static __elw_threads: AtomicU8 = AtomicU8::new(0);

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Life {
    Unused,
    Alive,
    Ended,
}

pub struct Thread {
    pub life: Life,
    pub name: u32,
    /// 1: it is this thread's turn.
    turn: AtomicU32,
    pub pending: Move,
    /// Where it is about to do that.
    pub site: u32,
    /// Who started it, until it reaches its first point.
    starter: Option<usize>,
    /// It has moved.
    moved: bool,
    /// Threads that it has started.
    started: u32,
    pub joined: bool,
    /// The C library's name.
    handle: u64,
    function: u64,
    argument: u64,
    /// Where its stack ends and begins.
    stack: (u64, u64),
    /// What it has got of its memory, and up to where that is there.
    memory: u64,
    memory_end: u64,
    /// It waits for a condition or at a barrier: the object, 0 if for none.
    pub waits_for: u64,
    /// It may go on from there.
    pub woken: bool,
    /// Waits that may yet end without a signal.
    pub spurious: u64,
    pub cancelled: bool,
    pub cancel_off: bool,
    /// Rounds of destructors that it has seen.
    rounds: u32,
}

pub struct Threads {
    pub all: [Thread; MAX_THREADS],
    pub used: usize,
    /// The one that runs.
    pub current: usize,
    /// Started and not joined.
    unjoined: u32,
    moves: u64,
    /// What is left of the schedule.
    schedule: &'static [u8],
    last_site: u32,
    /// The run ends: nobody else moves any more.
    pub over: bool,
}

struct Global(UnsafeCell<Threads>);
// One thread runs at a time.
unsafe impl Sync for Global {}

impl Thread {
    const fn new() -> Thread {
        Thread {
            life: Life::Unused,
            name: 0,
            turn: AtomicU32::new(0),
            pending: Move::None,
            site: 0,
            starter: None,
            moved: false,
            started: 0,
            joined: false,
            handle: 0,
            function: 0,
            argument: 0,
            stack: (0, 0),
            memory: 0,
            memory_end: 0,
            waits_for: 0,
            woken: false,
            spurious: 0,
            cancelled: false,
            cancel_off: false,
            rounds: 0,
        }
    }
}

static THREADS: Global = Global(UnsafeCell::new(Threads {
    all: [const { Thread::new() }; MAX_THREADS],
    used: 0,
    current: 0,
    unjoined: 0,
    moves: 0,
    schedule: &[],
    last_site: 0,
    over: false,
}));

/// As of [`state`]: references must not be kept across a point.
pub fn threads() -> &'static mut Threads {
    unsafe { &mut *THREADS.0.get() }
}

/// Are points needed?
pub fn several() -> bool {
    __elw_threads.load(Ordering::Relaxed) != 0
}

/// The thread that runs.
pub fn current() -> &'static mut Thread {
    let threads = threads();
    &mut threads.all[threads.current]
}

impl Threads {
    fn count_unjoined(&mut self, change: i32) {
        self.unjoined = self.unjoined.wrapping_add_signed(change);
        let several = self.unjoined > 0 && !self.over;
        __elw_threads.store(several.into(), Ordering::Relaxed);
    }

    pub fn alive(&mut self) -> impl Iterator<Item = &mut Thread> {
        let used = self.used;
        let all = self.all[..used].iter_mut();
        all.filter(|thread| thread.life == Life::Alive)
    }

    /// The first thread is about to start another one.
    fn begin(&mut self) {
        let mut name = [0; NAME_BYTES];
        name[..SCHEDULE_STREAM.len()].copy_from_slice(SCHEDULE_STREAM.as_bytes());
        self.schedule = input::stream(state(), &name, 0);
        self.used = 1;
        self.all[0].life = Life::Alive;
        self.all[0].spurious = state().header().spurious;
    }

    /// The next number of the schedule, if there is one.
    fn decided(&mut self) -> Option<u32> {
        let (next, rest) = self.schedule.split_first_chunk()?;
        self.schedule = rest;
        Some(u32::from_le_bytes(*next))
    }

    /// Whose move it is next.
    fn next(&mut self) -> Option<usize> {
        if let Some(name) = self.decided() {
            let at = self.all[..self.used]
                .iter()
                .position(|thread| thread.life == Life::Alive && thread.name == name);
            // Otherwise the run is not the one that the schedule is of; the engine sees it.
            if let Some(at) = at.filter(|at| self.all[*at].can_move() != Can::Not) {
                return Some(at);
            }
        }
        let me = self.current;
        let mine = &self.all[me];
        let yields = mine.life != Life::Alive || mine.pending.yields();
        if !yields && mine.can_move() == Can::Now {
            return Some(me);
        }
        let others = || (me + 1..self.used).chain(0..self.used.min(me + 1));
        let able = |at: &usize| self.all[*at].life == Life::Alive;
        let found = |can: Can| {
            others()
                .filter(able)
                .find(|at| self.all[*at].can_move() == can)
        };
        found(Can::Now).or_else(|| found(Can::Late))
    }
}

/// Can a thread do what it is about to do?
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Can {
    Not,
    Now,
    /// Only by waiting no longer: when nothing else can be done.
    Late,
}

/// The running thread is about to do something that others can see. Returns when it is its turn to
/// do it, and only it may.
pub fn point(site: u32, pending: Move) {
    if several() && !own::moves() {
        return;
    }
    let threads = threads();
    let me = threads.current;
    let mine = &mut threads.all[me];
    mine.pending = pending;
    mine.site = site;
    if !several() {
        if !threads.over && mine.can_move() == Can::Not {
            wait_alone();
        }
        return;
    }
    match mine.starter.take() {
        Some(starter) => hand_to(starter),
        None => choose(),
    }
    threads.all[me].wait();
    threads.current = me;
    if pending == Move::End {
        over();
    }
}

/// The run ends with what the running thread does next, whatever the others were about to do.
pub fn end(site: u32) {
    point(site, Move::End);
}

/// Decides whose move is next, and lets that thread go on.
fn choose() {
    let threads = threads();
    let Some(next) = threads.next() else {
        if threads.alive().next().is_some() {
            stop(Ending::Deadlock);
        }
        // The last thread has ended; what the C library still does is nobody's move.
        threads.over = true;
        threads.count_unjoined(0);
        return;
    };
    let me = &threads.all[threads.current];
    if me.life == Life::Alive {
        threads.last_site = me.site;
    }
    let (name, pending, site) = {
        let thread = &threads.all[next];
        (thread.name, thread.pending, thread.site)
    };
    let ends = u32::from(pending == Move::End);
    threads.moves += 1;
    let state = state();
    if threads.moves > state.header().move_limit {
        stop(Ending::Moves);
    }
    state.event(EventKind::Thread, 0, threads.last_site, name, ends);
    pending.report(site, &threads.all[next]);
    threads.all[next].moved = true;
    hand_to(next);
}

fn hand_to(next: usize) {
    threads().all[next].turn();
}

/// One of several ways, as the schedule decides.
pub fn pick(site: u32, ways: u32) -> u32 {
    if ways <= 1 {
        return 0;
    }
    let way = threads().decided().filter(|way| *way < ways).unwrap_or(0);
    state().event(EventKind::Pick, 0, site, ways, way);
    way
}

/// The run is over: what the others were about to do is noted, and they stay where they are.
fn over() {
    let threads = threads();
    threads.over = true;
    threads.count_unjoined(0);
    let me = threads.current;
    for at in 0..threads.used {
        let thread = &threads.all[at];
        if at == me && thread.pending == Move::End || thread.life != Life::Alive {
            continue;
        }
        let ends = u32::from(thread.pending == Move::End);
        state().event(EventKind::Pending, 0, thread.site, thread.name, ends);
        thread.pending.report(thread.site, thread);
    }
}

/// Ends the run here.
fn stop(ending: Ending) -> ! {
    over();
    state().header().ending = ending as u32;
    unsafe {
        direct(number::EXIT_GROUP, 0, 0, 0, 0, 0, 0);
        sys::_exit(0)
    }
}

/// The only thread that there is waits for what nobody can do.
fn wait_alone() -> ! {
    server::first_input();
    let threads = threads();
    if threads.used == 0 {
        threads.begin();
    }
    stop(Ending::Deadlock)
}

/// There is more than there is room for: what the run does from here on is not what the program would,
/// and the engine is told that part of it is missing.
pub fn too_much() {
    state().header().lost_events += 1;
}

/// Something that the standard calls undefined, and that is a bug.
pub fn misused(site: u32, text: &core::ffi::CStr) -> ! {
    end(site);
    crash::note_misuse(text.as_ptr());
    unsafe { sys::abort() }
}

const FUTEX_WAIT: i64 = 128;
const FUTEX_WAKE: i64 = 129;

impl Thread {
    fn turn(&self) {
        self.turn.store(1, Ordering::Release);
        // Nobody sleeps where the thread goes on by itself.
        if threads().current != self.index() {
            let word = &raw const self.turn as i64;
            unsafe { direct(number::FUTEX, word, FUTEX_WAKE, 1, 0, 0, 0) };
        }
    }

    fn wait(&self) {
        let word = &raw const self.turn as i64;
        while self.turn.swap(0, Ordering::Acquire) == 0 {
            unsafe { direct(number::FUTEX, word, FUTEX_WAIT, 0, 0, 0, 0) };
        }
    }

    fn index(&self) -> usize {
        let first = threads().all.as_ptr();
        (&raw const *self as usize - first as usize) / core::mem::size_of::<Thread>()
    }

    fn can_move(&self) -> Can {
        self.pending.can(self)
    }

    /// Number of something that belongs to this thread.
    pub fn meeting(&self, meeting: Meeting) -> u64 {
        meeting_number(meeting, self.name)
    }
}

/// Instrumented code is about to touch memory that others may see.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_touch(site: u32, address: u64, size: u64, flags: u32) {
    if !several() || !own::moves() {
        return;
    }
    point(
        site,
        Move::Touch {
            address,
            size,
            flags: flags as u8,
        },
    );
    arena::check(site, address);
}

/// The running thread has time: another one may go on.
pub fn give_way(site: u32) {
    point(site, Move::Yield);
}
