//! Signals that the subject sends itself. One that is on its way is a thread of its own to the
//! schedule, whose first move is to arrive: from there on it runs the handler, on the stack of the
//! thread that it interrupts, which cannot move until the handler has returned. So every order of what
//! a thread does and of what reaches it is an order of moves.

use super::reports::report;
use super::{
    Life, MAX_THREADS, Move, Thread, choose, conditions, current, own, point, several, threads,
};
use crate::frame::frame;
use crate::sys::{self, EAGAIN, EINVAL, direct, number};
use crate::turns::Turns;
use core::ffi::c_int;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use elsewise_wire::Reason;
use elsewise_wire::threads::{SyncOp, signal_name, sync_number};

const SIGNALS: usize = 65;
const SIGALRM: c_int = 14;
const DEFAULT: usize = 0;
const IGNORE: usize = 1;
/// Those that do nothing where there is no handler.
const HARMLESS: [c_int; 4] = [17, 18, 23, 28];

/// A signal on its way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Flight {
    pub signal: c_int,
    /// To this thread; to the process if to none.
    pub to: Option<usize>,
    /// It will arrive, unless it already has, or something has taken it away.
    pub flies: bool,
    /// The timer has sent it.
    timed: bool,
    /// Since it was sent, there was somebody who did not block it.
    could: bool,
}

#[derive(Clone, Copy)]
struct Action {
    handler: usize,
    flags: c_int,
}

static ACTIONS: Turns<[Action; SIGNALS]> = Turns::new(
    [Action {
        handler: DEFAULT,
        flags: 0,
    }; SIGNALS],
);

/// There is a handler: moves of threads are told apart from what may interrupt them.
static HANDLED: AtomicBool = AtomicBool::new(false);
/// The system's own timer is set.
static ARMED: AtomicBool = AtomicBool::new(false);

fn actions() -> &'static mut [Action; SIGNALS] {
    // SAFETY: its users take turns, as `Turns` says.
    unsafe { &mut *ACTIONS.get() }
}

/// Does what the thread does depend on signals?
pub fn matter() -> bool {
    HANDLED.load(Relaxed)
}

pub fn bit(signal: c_int) -> u64 {
    1 << ((signal - 1) & 63)
}

/// As objects: of a thread and a signal.
fn unblocked(thread: u32, signal: c_int) -> u64 {
    sync_number(SyncOp::Unblocked, thread) | (signal as u64) << 40
}

/// To whom signals go that are for no thread.
const PROCESS: u32 = u32::MAX;

/// Signals for a thread, or for the process, that have been sent.
fn queue(to: Option<usize>) -> u64 {
    let name = to.map_or(PROCESS, |at| threads().all[at].name);
    sync_number(SyncOp::Queue, name)
}

impl Thread {
    pub fn blocks(&self, signal: c_int) -> bool {
        self.mask & bit(signal) != 0
    }

    /// It is a thread of the subject, not a signal.
    pub fn is_real(&self) -> bool {
        self.flight.is_none() && self.buffer_of.is_none()
    }

    /// No handler runs in it.
    fn is_free(&self) -> bool {
        self.life == Life::Alive && self.handler.is_none()
    }

    /// A handler of a signal keeps it from moving.
    pub fn is_interrupted(&self) -> bool {
        self.handler.is_some()
    }

    /// As an owner of locks: the thread whose stack it runs on.
    pub fn owner(&self) -> u32 {
        self.acts_for.unwrap_or(self.index()) as u32 + 1
    }
}

impl Flight {
    /// Whom it interrupts if it arrives now: the first thread, if it does not block it, else the first
    /// that does not.
    fn target(&self) -> Option<usize> {
        let threads = threads();
        if self.to.is_some() {
            return self.to;
        }
        let able = |at: &usize| {
            let thread = &threads.all[*at];
            thread.life == Life::Alive && thread.is_real() && !thread.blocks(self.signal)
        };
        let all = (0..threads.used).filter(able);
        all.min_by_key(|at| threads.all[*at].name)
    }

    pub fn can_arrive(&self) -> bool {
        let target = self.target();
        let target = target.map(|at| &threads().all[at]);
        let able = |thread: &Thread| thread.is_free() && thread.is_drained();
        self.flies && target.is_some_and(|thread| able(thread) && !thread.blocks(self.signal))
    }

    /// What its arrival touches and waits for. Of several things that it waits for, that which it could
    /// have come before is told.
    pub fn report(&self, site: u32, own: u32) {
        let threads = threads();
        let target = self.target().unwrap_or(0);
        let thread = &threads.all[target];
        let open = !thread.blocks(self.signal);
        let number = unblocked(thread.name, self.signal);
        report(site, SyncOp::Unblocked, number, false, 1, open.into());
        if !open && self.could {
            return;
        }
        let flight = sync_number(SyncOp::Flight, own);
        report(site, SyncOp::Flight, flight, true, 1, self.flies.into());
        if !open || !self.flies {
            return;
        }
        report(site, SyncOp::Queue, queue(self.to), true, 0, 0);
        thread.report_drained(site);
        if self.to.is_none() && target != 0 {
            let first = &threads.all[0];
            let state = u32::from(!first.blocks(self.signal));
            let number = unblocked(first.name, self.signal);
            report(site, SyncOp::Unblocked, number, false, 0, state);
        }
        let number = sync_number(SyncOp::Interrupt, thread.name);
        let state = u32::from(thread.is_free());
        report(site, SyncOp::Interrupt, number, true, 1, state);
    }
}

/// A thread may have stopped to block signals that are on their way.
pub fn note_open() {
    let threads = threads();
    for at in 0..threads.used {
        let Some(flight) = threads.all[at].flight else {
            continue;
        };
        let target = flight.target().map(|at| &threads.all[at]);
        let open = target.is_some_and(|thread| !thread.blocks(flight.signal));
        if let Some(flight) = &mut threads.all[at].flight {
            flight.could |= open && flight.flies;
        }
    }
}

/// A thread says of each move that no handler runs in it.
pub fn report_own(site: u32, thread: &Thread) {
    if matter() && thread.is_real() {
        let number = sync_number(SyncOp::Interrupt, thread.name);
        report(
            site,
            SyncOp::Interrupt,
            number,
            false,
            1,
            thread.is_free().into(),
        );
    }
}

/// The running thread has ended: nothing can interrupt it any more.
pub fn report_end(site: u32, thread: &Thread) {
    if matter() && thread.is_real() {
        let number = sync_number(SyncOp::Interrupt, thread.name);
        report(site, SyncOp::Interrupt, number, true, 1, 1);
    }
}

/// The thread's mask is about to change.
pub fn report_mask(site: u32, thread: &Thread, changes: u64) {
    let changed = (1..SIGNALS as c_int).filter(|signal| changes & bit(*signal) != 0);
    for signal in changed {
        let state = u32::from(!thread.blocks(signal));
        let number = unblocked(thread.name, signal);
        report(site, SyncOp::Unblocked, number, true, 0, state);
    }
}

/// A signal sets out. False where there is no room.
fn set_out(site: u32, flight: Flight) -> bool {
    let threads = threads();
    let (me, at) = (threads.current, threads.used);
    let mine = &mut threads.all[me];
    let name = signal_name(mine.name, mine.sent + 1).filter(|_| at < MAX_THREADS);
    let Some(name) = name else {
        super::too_much();
        return false;
    };
    mine.sent += 1;
    let thread = &mut threads.all[at];
    thread.name = name;
    thread.flight = Some(flight);
    thread.pending = Move::Arrival;
    thread.site = site;
    thread.life = Life::Alive;
    threads.used += 1;
    threads.signals += 1;
    threads.count_unjoined(0);
    note_open();
    let number = sync_number(SyncOp::Begin, name);
    report(site, SyncOp::Begin, number, true, 0, 0);
    // Who waits for it takes it.
    let waits = |at: &usize| {
        let thread = &threads.all[*at];
        let wants = thread.wanted & bit(flight.signal) != 0 && !thread.woken;
        thread.life == Life::Alive && wants && flight.to.is_none_or(|to| to == *at)
    };
    let first = (0..threads.used).filter(waits);
    if let Some(at) = first.min_by_key(|at| threads.all[*at].name) {
        conditions::wake(site, at);
    }
    true
}

/// Sends a signal to a thread, or to the process.
pub fn send(site: u32, to: Option<usize>, signal: c_int, real: impl FnOnce() -> c_int) -> c_int {
    if signal == 0 {
        return 0;
    }
    if !(1..SIGNALS as c_int).contains(&signal) {
        return EINVAL;
    }
    let flight = Flight {
        signal,
        to,
        flies: true,
        timed: false,
        could: false,
    };
    point(site, Move::Send(to.map_or(PROCESS, |at| at as u32)));
    let target = flight.target();
    let blocked = target.is_none_or(|at| threads().all[at].blocks(signal));
    match effect(signal) {
        Effect::None => return 0,
        Effect::End if !blocked => {
            super::end(site);
            return real();
        }
        _ => {}
    }
    if target == Some(owner().index()) && !blocked {
        // To itself: it has come before the call returns.
        call_handler(site, signal);
        return 0;
    }
    if set_out(site, flight) { 0 } else { EAGAIN }
}

/// What a signal does when it arrives.
#[derive(PartialEq, Eq)]
enum Effect {
    None,
    End,
    Handler,
}

fn effect(signal: c_int) -> Effect {
    match actions()[signal as usize].handler {
        IGNORE => Effect::None,
        DEFAULT if HARMLESS.contains(&signal) => Effect::None,
        DEFAULT => Effect::End,
        _ => Effect::Handler,
    }
}

fn call_handler(site: u32, signal: c_int) {
    match effect(signal) {
        Effect::None => return,
        Effect::End => {
            super::end(site);
            // SAFETY: no memory is touched.
            unsafe {
                let process = sys::own_process();
                direct(number::KILL, process, signal.into(), 0, 0, 0, 0);
            }
            return;
        }
        Effect::Handler => {}
    }
    const WITH_INFO: c_int = sys::SA_SIGINFO;
    let action = actions()[signal as usize];
    if action.flags & sys::SA_RESETHAND != 0 {
        actions()[signal as usize].handler = DEFAULT;
    }
    let mut info = [0u32; 32];
    info[0] = signal as u32;
    let context = [0u64; 128];
    // SAFETY: the subject has said that a function of this kind handles the signal.
    unsafe {
        if action.flags & WITH_INFO != 0 {
            let handler: extern "C" fn(c_int, *const u32, *const u64) =
                core::mem::transmute(action.handler);
            handler(signal, info.as_ptr(), context.as_ptr());
        } else {
            let handler: extern "C" fn(c_int) = core::mem::transmute(action.handler);
            handler(signal);
        }
    }
}

/// It is the turn of a signal to arrive: who is to run its handler.
pub fn arrives(at: usize) -> Option<usize> {
    let threads = threads();
    let flight = threads.all[at].flight.filter(|flight| flight.flies)?;
    let target = flight.target()?;
    if let Some(flight) = &mut threads.all[at].flight {
        flight.flies = false;
    }
    let stack = threads.all[target].stack;
    threads.all[at].acts_for = Some(target);
    threads.all[at].stack = stack;
    threads.all[target].handler = Some(at);
    threads.all[target].to_handle = Some(at);
    Some(target)
}

/// Runs the handler of a signal in the thread that it has reached, which waits for its turn.
pub fn handle(target: usize, at: usize) {
    // SAFETY: the running thread's own; a frame is numbers, of which a copy may be kept.
    let saved = unsafe { core::ptr::read(frame()) };
    let threads = threads();
    threads.current = at;
    own::is(at);
    let site = threads.all[target].site;
    if let Some(flight) = threads.all[at].flight {
        call_handler(site, flight.signal);
    }
    point(site, Move::Return(target as u32));
    let thread = &mut threads.all[target];
    thread.handler = None;
    if thread.pauses {
        thread.pauses = false;
        conditions::wake(site, target);
    }
    own::is(target);
    // SAFETY: as above.
    unsafe { core::ptr::write(frame(), saved) };
    if threads.over {
        return;
    }
    threads.all[at].life = Life::Ended;
    threads.all[at].pending = Move::None;
    threads.signals -= 1;
    threads.count_unjoined(0);
    choose();
}

/// A signal will not arrive any more.
pub fn take_away(site: u32, at: usize) {
    let thread = &mut threads().all[at];
    let number = sync_number(SyncOp::Flight, thread.name);
    report(site, SyncOp::Flight, number, true, 0, 1);
    if let Some(flight) = &mut thread.flight {
        flight.flies = false;
    }
}

/// The system's timer has been set, or taken away.
pub fn armed(on: bool) {
    ARMED.store(on, Relaxed);
}

/// Threads block signals: that is a part of what they do.
pub fn mask_matters() {
    HANDLED.store(true, Relaxed);
}

/// Sets the timer, or takes it away. Was it set?
pub fn arm(site: u32, on: bool) -> bool {
    point(site, Move::Send(PROCESS));
    let threads = threads();
    let mut was = false;
    for at in 0..threads.used {
        let flight = threads.all[at].flight;
        if flight.is_some_and(|flight| flight.flies && flight.timed) {
            was = true;
            take_away(site, at);
        }
    }
    if on {
        timer_sets_out(site);
    }
    was
}

fn timer_sets_out(site: u32) {
    let flight = Flight {
        signal: SIGALRM,
        to: None,
        flies: true,
        timed: true,
        could: false,
    };
    match effect(SIGALRM) {
        Effect::None => {}
        // It would end the run.
        Effect::End => crate::shared::state().opaque(site, Reason::Timer),
        Effect::Handler => {
            set_out(site, flight);
        }
    }
}

/// The first thread is about to be started: a timer that is set goes on as one of ours.
pub fn begin(site: u32) {
    if ARMED.swap(false, Relaxed) {
        let none = [0u64; 4];
        static SET: super::names::Real = super::names::Real::new(c"setitimer");
        // SAFETY: a setting of zeros; nobody wants to know the one before.
        unsafe { SET.call([0, &raw const none as u64, 0]) };
        timer_sets_out(site);
    }
}

/// Notes what a signal does from now on.
pub fn set_action(signal: c_int, handler: usize, flags: c_int) {
    if !(1..SIGNALS as c_int).contains(&signal) {
        return;
    }
    actions()[signal as usize] = Action { handler, flags };
    if handler > IGNORE {
        HANDLED.store(true, Relaxed);
    }
    if several() {
        // What other threads did before may have been interrupted otherwise.
        super::too_much();
    }
}

/// The thread of the subject that runs.
pub fn owner() -> &'static mut Thread {
    let at = current().acts_for.unwrap_or(threads().current);
    &mut threads().all[at]
}

/// What `Move::Send` touches.
pub fn report_send(site: u32, to: u32) {
    let to = (to != PROCESS).then_some(to as usize);
    report(site, SyncOp::Queue, queue(to), true, 0, 0);
}

/// What a thread looks at that would take a signal: those for it, and those for the process.
pub fn report_take(site: u32, thread: &Thread) {
    report(site, SyncOp::Queue, queue(Some(thread.index())), true, 0, 0);
    report(site, SyncOp::Queue, queue(None), true, 0, 0);
}
