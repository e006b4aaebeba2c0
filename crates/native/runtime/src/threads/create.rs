//! The beginnings and ends of threads.

use super::cancelling::stop_if_cancelled;
use super::names::Real;
use super::reports;
use super::signals;
use super::spin;
use super::stacks::{SIGNAL_STACK, STACK, STACK_ROOM, STACKS, slot};
use super::{
    Life, MAX_THREADS, Move, Thread, buffers, choose, current, hand_to, point, sync_objects,
    threads,
};
use super::{locks, outside};
use super::{own, watched};
use crate::call;
use crate::dispatch;
use crate::ending;
use crate::first_input::first_input;
use crate::foreign;
use crate::frame::{ARGUMENTS, called, frame, taken_as_they_are};
use crate::memory::{clear, set_label};
use crate::shared::state;
use crate::subject_calls;
use crate::sys::{self, EAGAIN, EBUSY, EDEADLK, ESRCH, ETIMEDOUT, direct, number};
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use elsewise_wire::Reason;
use elsewise_wire::threads::{Note, SyncOp, thread_name};

static KEY: AtomicU32 = AtomicU32::new(0);

/// Before the first thread is started: it stops being alone.
fn begin() {
    let threads = threads();
    if threads.used > 0 {
        return;
    }
    threads.begin();
    spin::begin();
    own::is(0);
    threads.all[0].handle = sys::pthread_self();
    let mut key = 0;
    // SAFETY: there is room for a key; the function asks for no value.
    unsafe { sys::pthread_key_create(&mut key, Some(on_end)) };
    KEY.store(key, Relaxed);
    note_end();
    // SAFETY: there is room for the answer, and a set of so many bytes.
    unsafe {
        // Threads take turns: on one processor that costs least.
        let mut processor = 0u32;
        direct(number::GETCPU, &raw mut processor as i64, 0, 0, 0, 0, 0);
        let mut set = [0u64; 16];
        set[processor as usize / 64 % 16] = 1 << (processor % 64);
        direct(
            number::SCHED_SETAFFINITY,
            0,
            128,
            &raw const set as i64,
            0,
            0,
            0,
        );
    }
}

/// The C library tells of this thread's end.
fn note_end() {
    // SAFETY: a key that was made; the value is never followed.
    unsafe { sys::pthread_setspecific(KEY.load(Relaxed), core::ptr::dangling()) };
}

/// Starts a thread; the C library's error number.
///
/// # Safety
/// As of `pthread_create`.
pub unsafe fn start(
    to: *mut u64,
    attributes: *const c_void,
    function: u64,
    (argument, label): (u64, u32),
) -> c_int {
    first_input();
    begin();
    buffers::drain(current().site);
    spin::forget();
    signals::begin(threads().all[0].site);
    let threads = threads();
    let me = threads.current;
    let at = threads.used;
    let mine = &mut threads.all[me];
    let name = thread_name(mine.name, mine.started + 1).filter(|_| at < MAX_THREADS);
    let Some(name) = name else {
        super::too_much();
        return EAGAIN;
    };
    mine.started += 1;
    let mask = mine.mask;
    let mut detached = 0;
    if !attributes.is_null() {
        // SAFETY: attributes of the C library's.
        unsafe { sys::pthread_attr_getdetachstate(attributes, &mut detached) };
    }
    let room = STACKS + slot(name, at) * STACK_ROOM;
    // SAFETY: attributes of the C library's.
    let size = unsafe { stack_size(attributes) };
    let bottom = room + STACK_ROOM - size;
    let flags = sys::MAP_PRIVATE | sys::MAP_ANONYMOUS | sys::MAP_NORESERVE | sys::MAP_FIXED;
    let protection = sys::PROT_READ | sys::PROT_WRITE;
    // SAFETY: the place of this thread's stack, which is nobody else's.
    let got = unsafe {
        subject_calls::mmap(
            bottom as *mut c_void,
            size as usize,
            protection,
            flags,
            -1,
            0,
        )
    };
    if got as u64 != bottom {
        return EAGAIN;
    }
    let thread = &mut threads.all[at];
    thread.name = name;
    thread.function = function;
    thread.argument = argument;
    thread.label = label;
    thread.stack = (bottom, bottom + size);
    thread.starter = Some(me);
    thread.spurious = state().header().spurious;
    thread.mask = mask;
    let thread = &raw mut threads.all[at];
    let mut handle = 0u64;
    // SAFETY: settings of the C library's, which has room for them in eight words, a stack that was just made, and a
    // function that is given its thread.
    let error = unsafe {
        let mut settings = [0u64; 8];
        let settings = settings.as_mut_ptr().cast::<c_void>();
        sys::pthread_attr_init(settings);
        let stack = (bottom + SIGNAL_STACK) as *mut c_void;
        sys::pthread_attr_setstack(settings, stack, (size - SIGNAL_STACK) as usize);
        sys::pthread_attr_setdetachstate(settings, detached);
        static REAL: Real = Real::new(c"pthread_create");
        STARTS.store(true, Relaxed);
        let error = own::aside(|| {
            REAL.call([
                &raw mut handle as u64,
                settings as u64,
                run as *const () as u64,
                thread as u64,
            ])
        });
        STARTS.store(false, Relaxed);
        error as c_int
    };
    if error != 0 {
        return error;
    }
    // SAFETY: as the caller says; nobody else has the thread yet.
    unsafe {
        *to = handle;
        (*thread).handle = handle;
        (*thread).life = Life::Alive;
    }
    threads.used += 1;
    threads.count_unjoined(1);
    let number = threads.all[at].sync_number(SyncOp::Begin);
    let site = threads.all[me].site;
    reports::report(site, SyncOp::Begin, number, true, 0, 0);
    reports::note(site, Note::Starts, ending::from_start(function));
    threads.all[at].turn();
    threads.all[me].wait();
    threads.current = me;
    0
}

/// # Safety
/// Attributes of the C library's, or null.
unsafe fn stack_size(attributes: *const c_void) -> u64 {
    let mut size = 0usize;
    if !attributes.is_null() {
        // SAFETY: attributes of the C library's.
        unsafe { sys::pthread_attr_getstacksize(attributes, &mut size) };
    }
    // The C library's own size is far more than most need.
    let size = if size as u64 >= 8 << 20 {
        STACK
    } else {
        size as u64
    };
    size.clamp(STACK, STACK_ROOM - (1 << 20))
        .next_multiple_of(4096)
}

/// What every thread runs.
///
/// # Safety
/// The C library gives what [`start`] has given it.
unsafe extern "C" fn run(thread: *mut Thread) -> *mut c_void {
    // SAFETY: as the caller says; what it is said to run is a function of one argument.
    unsafe {
        (*thread).wait();
        threads().current = (*thread).index();
        own::is((*thread).index());
        (*thread).look_below = &raw const thread as u64;
        watched::is_named((*thread).name);
        let stack = sys::StackT {
            base: (*thread).stack.0 as *mut c_void,
            flags: 0,
            size: SIGNAL_STACK as usize,
        };
        sys::sigaltstack(&stack, core::ptr::null_mut());
        note_end();
        dispatch::watch_thread();
        let function: extern "C" fn(u64) -> *mut c_void =
            core::mem::transmute((*thread).function as usize);
        let frame = frame();
        frame.callee = (*thread).function;
        frame.arguments = [0; ARGUMENTS];
        frame.arguments[0] = (*thread).label;
        frame.result = 0;
        let result = function((*thread).argument);
        let frame = crate::frame::frame();
        // Of code that is not instrumented, nothing is known.
        let follows = frame.returned == (*thread).function;
        frame.callee = 0;
        (*thread).label = if follows { frame.result } else { 0 };
        call::looks_at_the_end_of_thread();
        result
    }
}

/// The C library has run a round of the destructors of a thread that ends. The last round is the
/// end: whatever the subject still does there comes before.
///
/// # Safety
/// Called by the C library.
unsafe extern "C" fn on_end(_: *mut c_void) {
    const ROUNDS: u32 = 4;
    let mine = current();
    // Those that call `pthread_exit` end without having returned.
    if mine.rounds == 0 {
        call::looks_at_the_end_of_thread();
    }
    mine.rounds += 1;
    if mine.rounds < ROUNDS {
        note_end();
        return;
    }
    ended();
}

/// The running thread has ended.
fn ended() {
    let threads = threads();
    if threads.over {
        return;
    }
    let me = threads.current;
    let owner = me as u32 + 1;
    let site = threads.all[me].site;
    // SAFETY: the thread that ends has locked it as a mutex.
    let is_robust = |mutex: &sync_objects::Object| unsafe { locks::is_robust(mutex.address()) };
    if locks::are_robust() && sync_objects::owned_by(owner).any(|one| is_robust(one)) {
        // That they are free is a move of its own: the last one may have been to lock one of them.
        point(site, Move::Outside(outside::NOTHING));
        if threads.over {
            return;
        }
    }
    buffers::drain(site);
    buffers::ends(me);
    let number = threads.all[me].sync_number(SyncOp::End);
    reports::report(site, SyncOp::End, number, true, 0, 0);
    signals::report_end(site, &threads.all[me]);
    let mutexes = locks::are_robust().then(|| sync_objects::owned_by(owner));
    for mutex in mutexes.into_iter().flatten() {
        if is_robust(mutex) {
            reports::report(site, SyncOp::Mutex, mutex.address(), true, 0, 0);
            mutex.owner = 0;
            mutex.count = 0;
            mutex.extra = sync_objects::ABANDONED;
        }
    }
    own::is_none();
    let mine = &mut threads.all[me];
    mine.life = Life::Ended;
    mine.pending = Move::None;
    match mine.starter.take() {
        Some(starter) => hand_to(starter),
        None => choose(),
    }
}

pub fn known(handle: u64) -> Option<usize> {
    let threads = threads();
    let all = threads.all[..threads.used].iter();
    let mut all = all.enumerate().skip(1);
    let found = all.find(|(_, thread)| thread.handle == handle && !thread.joined);
    found.map(|(at, _)| at)
}

/// # Safety
/// A thread of the C library's, and null or room for its result.
pub unsafe fn join(site: u32, handle: u64, result: u64, real: &Real) -> c_int {
    let Some(at) = known(handle) else {
        let first = &threads().all[0];
        if super::several() && handle == first.handle && threads().current != 0 {
            point(site, Move::Join(first.name));
            stop_if_cancelled();
        }
        // SAFETY: a thread of the C library's, and null or room for its result.
        return own::aside(|| unsafe { real.call([handle, result]) }) as c_int;
    };
    if at == threads().current {
        return EDEADLK;
    }
    let name = threads().all[at].name;
    point(site, Move::Join(name));
    stop_if_cancelled();
    // SAFETY: a thread of the C library's, and null or room for its result.
    unsafe { joined(at, handle, result, real) }
}

/// Joins a thread that has ended.
///
/// # Safety
/// A thread of the C library's, and null or room for its result.
unsafe fn joined(at: usize, handle: u64, result: u64, real: &Real) -> c_int {
    // SAFETY: a thread of the C library's, and null or room for its result.
    let error = own::aside(|| unsafe { real.call([handle, result]) }) as c_int;
    if error == 0 {
        label_result(at, result);
        threads().all[at].joined = true;
        threads().count_unjoined(-1);
    }
    error
}

/// What a thread has returned keeps its label.
fn label_result(at: usize, result: u64) {
    if result == 0 {
        return;
    }
    clear(result, 8);
    let label = threads().all[at].label;
    // A pointer, or of C's own threads a number.
    if label != 0
        && let bits @ (32 | 64) = state().get(label).bits
    {
        set_label(result, u32::from(bits) / 8, label);
    }
}

/// Joins a thread if it has ended; how that failed otherwise.
///
/// # Safety
/// A thread of the C library's, and null or room for its result.
unsafe fn try_join(site: u32, handle: u64, result: u64, failure: c_int) -> c_int {
    static REAL: Real = Real::new(c"pthread_join");
    let Some(at) = known(handle) else {
        return ESRCH;
    };
    let name = threads().all[at].name;
    point(site, Move::TryJoin(name));
    match threads().all[at].life {
        // SAFETY: a thread of the C library's, and null or room for its result.
        Life::Ended => unsafe { joined(at, handle, result, &REAL) },
        _ => failure,
    }
}

fn cancel(site: u32, handle: u64) -> c_int {
    let Some(at) = known(handle) else {
        return ESRCH;
    };
    let name = threads().all[at].name;
    point(site, Move::Cancel(name));
    threads().all[at].cancelled = true;
    0
}

/// A thread of ours is being started.
static STARTS: AtomicBool = AtomicBool::new(false);

pub fn starts_one() -> bool {
    STARTS.load(Relaxed)
}

/// Its argument keeps its label.
///
/// # Safety
/// As of the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn pthread_create(
    to: *mut u64,
    attributes: *const c_void,
    function: u64,
    argument: u64,
) -> c_int {
    static REAL: Real = Real::new(c"pthread_create");
    let (_, site, labels) = called::<4>(pthread_create as *const ());
    let values = [to as u64, attributes as u64, function, argument];
    if !state().traced() {
        // SAFETY: as `pthread_create` asks for it.
        return unsafe { REAL.call(values) } as c_int;
    }
    taken_as_they_are(site, &labels[..3], &values);
    if foreign::is_of_others(function) {
        // What it looks at, and when, nobody sees.
        state().opaque(site, Reason::Memory);
    }
    // SAFETY: as `pthread_create` asks for it.
    unsafe { start(to, attributes, function, (argument, labels[3])) }
}

super::names::in_place_of! {
    pthread_join(handle: u64, result: *mut *mut c_void) -> c_int =
        |site, real| join(site, handle, result as u64, real);
    pthread_tryjoin_np(handle: u64, result: *mut *mut c_void) -> c_int =
        |site, real| try_join(site, handle, result as u64, EBUSY);
    pthread_timedjoin_np(handle: u64, result: *mut *mut c_void, _until: *const c_void) -> c_int =
        |site, real| try_join(site, handle, result as u64, ETIMEDOUT);
    pthread_clockjoin_np(
        handle: u64, result: *mut *mut c_void, _clock: c_int, _until: *const c_void
    ) -> c_int = |site, real| try_join(site, handle, result as u64, ETIMEDOUT);
    pthread_cancel(handle: u64) -> c_int = |site, real| cancel(site, handle);
    pthread_testcancel() -> c_int = |site, real| {
        point(site, Move::Yield);
        stop_if_cancelled();
        0
    };
    pthread_setcancelstate(new: c_int, old: *mut c_int) -> c_int = |_site, real| {
        let mine = current();
        if !old.is_null() {
            *old = mine.cancel_off.into();
        }
        mine.cancel_off = new != 0;
        0
    };
    pthread_setcanceltype(new: c_int, old: *mut c_int) -> c_int = |site, real| {
        const ASYNCHRONOUS: c_int = 1;
        if new == ASYNCHRONOUS {
            // Only cancellation points are looked at.
            state().opaque(site, Reason::Anywhere);
        }
        let mine = current();
        if !old.is_null() {
            *old = mine.cancel_type;
        }
        mine.cancel_type = new;
        0
    };
    sched_yield() -> c_int = |site, real| {
        super::give_way(site);
        0
    };
    pthread_yield() -> c_int = |site, real| {
        super::give_way(site);
        0
    };
    exit(code: c_int) -> c_int = |site, real| {
        super::exits(site);
        real.call([code as u64]) as c_int
    };
    _exit(code: c_int) -> c_int = |site, real| {
        super::end(site);
        real.call([code as u64]) as c_int
    };
    _Exit(code: c_int) -> c_int = |site, real| {
        super::end(site);
        real.call([code as u64]) as c_int
    };
    quick_exit(code: c_int) -> c_int = |site, real| {
        super::exits(site);
        real.call([code as u64]) as c_int
    };
}
