//! Threads of the subject: real ones, of which one runs at a time.
//!
//! A thread stops at its *points*: before it touches memory that others may see, and where it
//! would lock, wait, join and so on. There it says what it is about to do ([`Move`]); the schedule
//! of the case, or where that has ended a simple rule, decides whose turn it is, and that thread goes
//! on to its next point. What threads wait for is kept here ([`sync_objects`]), not in the C library's
//! objects, so it is always known who can go on; when nobody can, that is a deadlock.
//!
//! A thread that is started runs to its first point at once, as a part of what its starter does.

mod accesses;
pub mod arena;
mod buffers;
mod calls;
mod cancelling;
pub mod channels;
mod children;
mod closed_streams;
mod conditions;
mod create;
mod effects;
mod given;
mod large;
mod locks;
mod marks;
mod moves;
mod names;
mod once;
mod outside;
mod own;
mod reports;
mod schedule;
mod semaphores;
pub mod signal_calls;
mod signals;
mod spin;
mod stacks;
mod standard;
mod stream_locks;
mod sync_objects;
mod touches;
mod watched;

use crate::ending;
use crate::first_input::first_input;
use crate::frame::frame;
use crate::several::{__elw_threads, several};
use crate::shared::state;
use crate::streams;
use crate::sys::{self, direct, number};
use crate::turns::Turns;
use core::ffi::{CStr, c_void};
use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use elsewise_wire::sampler::Sampler;
use elsewise_wire::threads::{SCHEDULE_STREAM, SyncOp, operations, sync_number};
use elsewise_wire::{Ending, EventKind, NAME_BYTES};

pub use calls::pass;
pub use channels::Way;
pub use create::starts_one;
pub use given::{begin_call, end_call, touched};
pub use moves::{Exchange, Move};
pub use names::Real;
pub use outside::may_be_cancelled;
use spin::Look;
pub use stacks::stack_top;
pub use touches::{touch_copy, touch_range, touch_text};

/// Threads that a run may have, those that have ended included.
pub const MAX_THREADS: usize = 256;

/// 1 while a function of the library does what its caller's last move says: memory that it touches for that is a part of
/// the same move. Instrumented code says when it has returned.
#[unsafe(no_mangle)]
pub static __elw_within: AtomicU8 = AtomicU8::new(0);

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
    /// Label of the argument, and of the result when it has ended.
    label: u32,
    /// Where its stack ends and begins.
    stack: (u64, u64),
    /// What it has got of its memory, and up to where that is there.
    memory: u64,
    memory_end: u64,
    /// It waits for a condition or at a barrier: the object, 0 if for none.
    pub waits_for: u64,
    /// It may go on from there.
    pub woken: bool,
    /// Where it is a descriptor that it waits for.
    watched: Option<channels::Watched>,
    /// Channels that it has made.
    channels: u32,
    /// Waits that may yet end without a signal.
    pub spurious: u64,
    /// It is a signal that somebody has sent.
    flight: Option<signals::Flight>,
    /// Signals that it has sent.
    sent: u32,
    /// A signal: the thread whose stack its handler runs on.
    acts_for: Option<usize>,
    /// The signal whose handler runs on its stack; and that it has yet to run.
    handler: Option<usize>,
    to_handle: Option<usize>,
    /// Signals that it blocks, and that it waits for.
    mask: u64,
    wanted: u64,
    /// It waits for any that has a handler.
    pauses: bool,
    pub cancelled: bool,
    pub cancel_off: bool,
    /// What `pthread_setcanceltype` was told.
    pub cancel_type: i32,
    /// It is about to call an operation.
    pub calling: bool,
    /// Operations that it is in, one within the other.
    pub operations: u32,
    /// Rounds of destructors that it has seen.
    rounds: u32,
    /// What it has read last.
    pub look: Look,
    /// Where the part of its stack begins that is the subject's; 0 for the first thread.
    look_below: u64,
    /// Somebody else should go on before it.
    gives_way: bool,
    /// Fences on the way to its first point, as an access.
    fences: u8,
    /// Where stores are buffered: the buffer's place among all, and whose buffer it is itself.
    buffer: Option<usize>,
    buffer_of: Option<usize>,
    /// Others must see its stores up to this one before it does what it is about to do; 0: it does not wait.
    waits_until: u32,
}

pub struct Threads {
    pub all: [Thread; MAX_THREADS],
    pub used: usize,
    /// The one that runs.
    pub current: usize,
    /// Started and not joined.
    unjoined: u32,
    /// Signals that have been sent and whose handlers have not returned.
    signals: u32,
    moves: u64,
    /// What is left of the schedule.
    schedule: &'static [u8],
    /// Who moves when it has ended.
    sampler: Sampler,
    last_site: u32,
    /// Moves that the same thread has made, one after the other.
    in_a_row: u64,
    /// The run ends: nobody else moves any more.
    pub over: bool,
    /// Where the program has said that it ends.
    ends_at: u32,
}

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
            label: 0,
            stack: (0, 0),
            memory: 0,
            memory_end: 0,
            waits_for: 0,
            woken: false,
            watched: None,
            channels: 0,
            spurious: 0,
            flight: None,
            sent: 0,
            acts_for: None,
            handler: None,
            to_handle: None,
            mask: 0,
            wanted: 0,
            pauses: false,
            cancelled: false,
            cancel_off: false,
            cancel_type: 0,
            calling: false,
            operations: 0,
            rounds: 0,
            look: Look::NONE,
            look_below: 0,
            gives_way: false,
            fences: 0,
            buffer: None,
            buffer_of: None,
            waits_until: 0,
        }
    }
}

static THREADS: Turns<Threads> = Turns::new(Threads {
    all: [const { Thread::new() }; MAX_THREADS],
    used: 0,
    current: 0,
    unjoined: 0,
    signals: 0,
    moves: 0,
    schedule: &[],
    sampler: Sampler::none(),
    last_site: 0,
    in_a_row: 0,
    over: false,
    ends_at: 0,
});

/// As of [`state`]: references must not be kept across a point.
pub fn threads() -> &'static mut Threads {
    // SAFETY: its users take turns, as `Turns` says.
    unsafe { &mut *THREADS.get() }
}

/// The thread that runs.
pub fn current() -> &'static mut Thread {
    let threads = threads();
    &mut threads.all[threads.current]
}

impl Threads {
    fn count_unjoined(&mut self, change: i32) {
        self.unjoined = self.unjoined.wrapping_add_signed(change);
        // Who has left a stream locked may be waited for still.
        let left = || stream_locks::others_have(self.current as u32 + 1);
        let several = (self.unjoined > 0 || self.signals > 0 || left()) && !self.over;
        if !several && !self.over {
            buffers::commit(self);
        }
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
        self.schedule = streams::stream(state(), &name, 0);
        self.sampler = Sampler::new(state().header().rule);
        self.used = 1;
        self.all[0].life = Life::Alive;
        self.all[0].spurious = state().header().spurious;
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
    __elw_within.store(0, Ordering::Relaxed);
    let threads = threads();
    let me = threads.current;
    let mine = &mut threads.all[me];
    mine.pending = pending;
    mine.site = site;
    if !pending.only_reads() {
        mine.look = Look::NONE;
    }
    if !several() {
        if !threads.over && mine.can_move() == Can::Not {
            wait_alone();
        }
        return;
    }
    mine.waits_until = buffers::needed(me, &pending);
    buffers::leave(me);
    // Others may call models, too.
    let place = state().place;
    match mine.starter.take() {
        Some(starter) => hand_to(starter),
        None => choose(),
    }
    threads.all[me].wait();
    threads.current = me;
    buffers::enter(me);
    threads.all[me].gives_way = false;
    threads.all[me].look.waits = false;
    watched::moves();
    state().place = place;
    if pending == Move::End {
        over();
    }
}

/// The run ends with what the running thread does next, whatever the others were about to do.
pub fn end(site: u32) {
    point(site, Move::End);
}

/// The program ends at the end of what it wants done then: handlers and destructors run while other threads run on.
pub fn exits(site: u32) {
    threads().ends_at = site;
}

/// Before anything else is registered to be done at the end, so that this is done last.
pub fn ends_last() {
    let of_none = core::ptr::null_mut();
    // SAFETY: a function of the runtime, which is there until the end, and asks for no argument.
    unsafe {
        sys::__cxa_atexit(at_the_end, of_none, of_none);
        sys::__cxa_at_quick_exit(at_the_end, of_none);
    }
}

extern "C" fn at_the_end(_: *mut c_void) {
    if state().traced() {
        end(threads().ends_at);
    }
}

/// Decides whose move is next, and lets that thread go on.
fn choose() {
    let threads = threads();
    while let Some(next) = threads.next() {
        announce(next);
        match threads.all[next].buffer_of {
            Some(thread) => buffers::flush(thread),
            None => return hand_to(next),
        }
    }
    if threads.alive().any(|thread| thread.is_real()) {
        stop(Ending::Deadlock);
    }
    // The last thread has ended; what the C library still does is nobody's move.
    threads.over = true;
    threads.count_unjoined(0);
}

/// Says what a thread is about to do, and that it does it.
fn announce(next: usize) {
    let threads = threads();
    let me = &threads.all[threads.current];
    if me.life == Life::Alive {
        threads.last_site = me.site;
    }
    let (name, pending, site) = {
        let thread = &threads.all[next];
        (thread.name, thread.pending, thread.site)
    };
    if threads.sampler.is_on() {
        let (all, used) = (&threads.all, threads.used);
        let conflicts =
            |at: usize| all[at].life == Life::Alive && pending.conflicts(&all[at].pending);
        threads.sampler.moved(next, used, conflicts);
    }
    let bits = pending.bits();
    threads.moves += 1;
    threads.in_a_row = match next == threads.current {
        true => threads.in_a_row + 1,
        false => 0,
    };
    let state = state();
    if threads.moves > state.header().move_limit {
        stop(Ending::Moves);
    }
    state.event(EventKind::Thread, 0, threads.last_site, name, bits);
    let fences = core::mem::take(&mut threads.all[next].fences);
    pending.report(site, &threads.all[next]);
    if fences != 0 {
        reports::fence(site, fences);
    }
    threads.all[next].moved = true;
}

fn hand_to(next: usize) {
    threads().all[next].turn();
}

/// One of several ways, as the schedule decides.
pub fn pick(site: u32, ways: u32) -> u32 {
    if ways <= 1 {
        return 0;
    }
    let serial = state().header().operations == operations::SERIAL;
    let threads = threads();
    let chosen = match serial {
        true => Some(0),
        false => threads.decided().filter(|way| *way < ways),
    };
    let way = chosen.unwrap_or_else(|| match threads.sampler.is_on() {
        true => threads.sampler.below(ways.into()) as u32,
        false => 0,
    });
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
        let idle = thread.buffer_of.is_some() && thread.pending == Move::None;
        if at == me && thread.pending == Move::End || thread.life != Life::Alive || idle {
            continue;
        }
        let bits = thread.pending.bits();
        state().event(EventKind::Pending, 0, thread.site, thread.name, bits);
        thread.pending.report(thread.site, thread);
    }
}

/// Ends the run here.
fn stop(ending: Ending) -> ! {
    over();
    state().header().ending = ending as u32;
    watched::stops(ending);
    sys::end_process(0)
}

/// The only thread that there is waits for what nobody can do.
fn wait_alone() -> ! {
    first_input();
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
pub fn misused(site: u32, text: &CStr) -> ! {
    end(site);
    note_misuse(text);
    sys::abort()
}

/// What threads may not do to memory or to each other.
fn note_misuse(text: &CStr) {
    if state().traced() {
        end(frame().site);
        ending::note(Ending::Misuse, stack_top());
    }
    // SAFETY: a text.
    unsafe { ending::copy_text(&mut state().header().text, text.as_ptr()) };
}

const FUTEX_WAIT: i64 = 128;
const FUTEX_WAKE: i64 = 129;

impl Thread {
    fn turn(&self) {
        let arrives = self.pending == Move::Arrival;
        let target = if arrives {
            signals::arrives(self.index())
        } else {
            None
        };
        if let Some(target) = target {
            return threads().all[target].go_on();
        }
        self.go_on();
    }

    fn go_on(&self) {
        self.turn.store(1, Ordering::Release);
        // Nobody sleeps where the thread goes on by itself.
        if threads().current != self.index() {
            let word = &raw const self.turn as i64;
            // SAFETY: the word is this thread's own, and stays where it is.
            unsafe { direct(number::FUTEX, word, FUTEX_WAKE, 1, 0, 0, 0) };
        }
    }

    /// Waits for the thread's turn, and for that of signals that reach it.
    fn wait(&self) {
        let word = &raw const self.turn as i64;
        loop {
            while self.turn.swap(0, Ordering::Acquire) == 0 {
                // SAFETY: as above.
                unsafe { direct(number::FUTEX, word, FUTEX_WAIT, 0, 0, 0, 0) };
            }
            let me = self.index();
            match threads().all[me].to_handle.take() {
                Some(signal) => signals::handle(me, signal),
                None => return,
            }
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
    pub fn sync_number(&self, sync: SyncOp) -> u64 {
        sync_number(sync, self.name)
    }
}

/// The running thread has time: another one may go on before its next move.
pub fn give_way(site: u32) {
    if !several() || !own::moves() {
        return;
    }
    // Who does nothing else lets others go on here.
    if core::mem::replace(&mut current().gives_way, true) {
        point(site, Move::Yield);
    }
}
