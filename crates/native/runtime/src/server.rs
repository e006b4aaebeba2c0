//! Start-up, and the fork server: the process stops just before the subject's first input and
//! forks a process for each command, unless the one before can have another run.

use crate::attach;
use crate::child;
use crate::counted;
use crate::crash;
use crate::first_input;
use crate::foreign;
use crate::imports;
use crate::input_calls;
use crate::kernel;
use crate::memory;
use crate::positions;
use crate::runner;
use crate::shared::state;
use crate::snapshot;
use crate::subject_calls;
use crate::surroundings;
use crate::sys;
use crate::threads;
use core::ffi::c_int;
use elsewise_wire::{
    COMMAND_RUN, COMMAND_RUN_ALONE, LATE_SITES, MAX_MODULES, ModuleEntry, Status, StatusKind,
};

/// Before anything instrumented runs. The C library has no environment yet, so the trace is
/// attached later, when the first object registers.
#[used]
#[cfg_attr(not(test), unsafe(link_section = ".preinit_array"))]
static START: extern "C" fn() = start;

extern "C" fn start() {
    first_input::is_served_by(serve_runs);
    memory::reserve();
    threads::ends_last();
}

/// What the pass leaves in each object; its constructor hands it over.
#[repr(C)]
pub struct Module {
    key: u64,
    sites: u32,
    sides: u32,
    /// Where the object keeps the number of its first site.
    first_site: *mut u32,
    /// Where the object keeps the address of its coverage bytes.
    coverage: *mut *mut u8,
}

/// # Safety
/// What the pass has left in an object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_register(module: *const Module) {
    let state = state();
    first_input::is_served_by(serve_runs);
    // For a shared library in a program that is not instrumented, this is the beginning.
    memory::reserve();
    if !state.attached {
        state.attached = true;
        attach::attach();
        surroundings::this_is_the_run();
        if state.traced() && !state.alone {
            state.header().watched = kernel::watch().into();
        }
        if input_calls::is_begun() {
            // A constructor of a library that is not instrumented has read it.
            counted::unfollowed();
        }
    }
    if !state.traced() {
        return;
    }
    foreign::note_instrumented(module as u64);
    // SAFETY: as the caller says.
    let module = unsafe { &*module };
    if state.running {
        // A library that a run loads has no place in the tables that were laid out before; the
        // engine tells its choices by their number.
        // SAFETY: a variable of the object's.
        unsafe { *module.first_site = LATE_SITES };
        return;
    }
    let header = state.header();
    let index = header.modules_used as usize;
    let room = u64::from(header.sides) + u64::from(module.sides) <= header.coverage_size;
    if index >= MAX_MODULES || !room {
        // The engine compares the modules with the program maps and says what is missing.
        return;
    }
    // SAFETY: variables of the object's; of coverage bytes, there are as many as was just seen.
    unsafe {
        *module.first_site = header.sites;
        *module.coverage = state.coverage.add(header.sides as usize);
    }
    header.modules[index] = ModuleEntry {
        key: module.key,
        first_site: header.sites,
        sites: module.sites,
        first_side: header.sides,
        sides: module.sides,
    };
    header.modules_used = index as u32 + 1;
    header.sites += module.sites;
    header.sides += module.sides;
}

/// Runs are wanted from here on.
fn serve_runs() {
    kernel::leave();
    if !runner::aside(serve) {
        let error = sys::errno();
        send(StatusKind::Failed, error, 0, false);
        sys::_exit(70)
    }
}

/// Returns in runs.
extern "C" fn serve() {
    let base_memory = memory_pages() * 4096;
    let mut habit = Habit::default();
    positions::note();
    kernel::look_at_process();
    foreign::look_for_names();
    foreign::look_for_threads_variables();
    imports::look();
    send(StatusKind::Ready, 0, 0, false);
    let mut left = None;
    loop {
        let command = left.take().unwrap_or_else(next_command);
        let again = match command {
            COMMAND_RUN => state().header().reuse != 0 && habit.tries(),
            COMMAND_RUN_ALONE => false,
            _ => sys::_exit(0),
        };
        // The engine has looked at it by now; nobody else is to find its descriptors in `/proc`.
        sys::set_dumpable(false);
        runner::expect();
        // SAFETY: the server has one thread.
        match unsafe { sys::fork() } {
            0 => return become_run(base_memory, again),
            pid if pid < 0 => {
                let error = sys::errno();
                send(StatusKind::Failed, error, 0, false);
                sys::_exit(70)
            }
            pid => left = attend(pid),
        }
        if again {
            habit.learn();
        }
    }
}

fn next_command() -> u8 {
    let mut command = 0u8;
    loop {
        // SAFETY: there is room for one byte.
        let got = unsafe { subject_calls::read(state().control, (&raw mut command).cast(), 1) };
        if got == 1 {
            return command;
        }
        if got == 0 || sys::errno() != sys::EINTR {
            return 0;
        }
    }
}

/// Whether it is worth preparing a process for further runs: not where each of many had one only.
#[derive(Default)]
struct Habit {
    in_vain: u32,
    skip: u32,
    never: bool,
}

impl Habit {
    /// Processes with one run only that are no habit yet.
    const PATIENCE: u32 = 4;
    /// At most so many runs, as a power of two, are forked before it is tried again.
    const MOST: u32 = 8;

    fn tries(&mut self) -> bool {
        let skips = self.skip > 0;
        self.skip -= u32::from(skips);
        !skips && !self.never
    }

    /// From the process that has ended.
    fn learn(&mut self) {
        // SAFETY: reserved before there are runs, and whoever wrote it has ended.
        let shared = unsafe { runner::shared().read_volatile() };
        self.never |= shared.refused != 0;
        self.in_vain = match shared.runs {
            0 => self.in_vain + 1,
            _ => 0,
        };
        if let Some(power) = self.in_vain.checked_sub(Self::PATIENCE) {
            self.skip = 1 << power.min(Self::MOST);
        }
    }
}

fn become_run(base_memory: u64, again: bool) {
    let state = state();
    state.running = true;
    // As any program's: the server's is not.
    sys::set_dumpable(true);
    // Said by the run itself: it may be over, and have said so, before its server goes on.
    send(StatusKind::Started, 0, 0, false);
    surroundings::this_is_the_run();
    positions::put_back();
    sys::setpgid(0, 0);
    // A run that hangs must not outlive a server that was killed.
    sys::end_with_parent();
    let limit = |resource: c_int, current: u64, maximum: u64| {
        sys::setrlimit(resource, &sys::Rlimit { current, maximum });
    };
    limit(sys::RLIMIT_CORE, 0, 0);
    let memory = state.header().memory_limit;
    if memory != 0 {
        let all = base_memory + memory;
        limit(sys::RLIMIT_AS, all, all);
    }
    let seconds = state.header().cpu_limit;
    if seconds != 0 {
        // Beside what further runs of this process may have taken.
        let seconds = seconds + runner::MOST_SECONDS;
        limit(sys::RLIMIT_CPU, seconds, seconds + 1);
    }
    crash::watch();
    child::watch();
    snapshot::note_system();
    if !again || !runner::begin() {
        sys::close(state.control);
        sys::close(state.status);
    }
    state.header().watched = kernel::watch().into();
}

/// Waits for a process to end and reports its run, unless it has done that itself. The command that
/// it has left to be done, if any.
fn attend(pid: c_int) -> Option<u8> {
    let mut status = 0;
    let zero = sys::TimeVal {
        seconds: 0,
        micros: 0,
    };
    let mut usage = sys::Rusage {
        user: zero,
        system: zero,
        rest: [0; 14],
    };
    // SAFETY: there is room for what is told.
    while unsafe { sys::wait4(pid, &mut status, 0, &mut usage) } < 0 {
        if sys::errno() != sys::EINTR {
            sys::_exit(70)
        }
    }
    // SAFETY: reserved before there are runs, and whoever wrote it has ended.
    let shared = unsafe { runner::shared().read_volatile() };
    if shared.idle != 0 {
        return u8::try_from(shared.command)
            .ok()
            .filter(|command| *command != 0);
    }
    let left = others_left();
    // What the run has left behind in its process group ends with it; the engine sees to the rest.
    subject_calls::kill(-pid, sys::SIGKILL);
    let micros = |time: sys::TimeVal| time.seconds as u64 * 1_000_000 + time.micros as u64;
    send(
        StatusKind::Ended,
        status,
        micros(usage.user) + micros(usage.system),
        left,
    );
    None
}

/// Whether there are still processes that have become the server's because their parents ended. Those
/// that have ended themselves are waited for.
fn others_left() -> bool {
    let mut status = 0;
    loop {
        // SAFETY: there is room for what is told.
        match unsafe { sys::wait4(-1, &mut status, sys::WNOHANG, core::ptr::null_mut()) } {
            0 => return true,
            pid if pid > 0 => {}
            _ if sys::errno() == sys::EINTR => {}
            _ => return false,
        }
    }
}

fn send(kind: StatusKind, value: i32, cpu_micros: u64, left: bool) {
    let status = Status {
        kind: kind as u32,
        value,
        cpu_micros,
        left: left.into(),
        again: 0,
    };
    let size = core::mem::size_of::<Status>();
    // SAFETY: so many bytes are there.
    let sent = unsafe { sys::write(state().status, (&raw const status).cast(), size) };
    if sent != size as isize {
        sys::_exit(70);
    }
}

/// Size of the address space in pages, the shadow included.
fn memory_pages() -> u64 {
    let mut text = [0u8; 64];
    // SAFETY: a text, and room for so many bytes.
    let got = unsafe {
        let fd = subject_calls::open(c"/proc/self/statm".as_ptr(), 0, 0);
        let got = subject_calls::read(fd, text.as_mut_ptr().cast(), text.len());
        sys::close(fd);
        got
    };
    let mut pages = 0u64;
    for byte in &text[..got.max(0) as usize] {
        if !byte.is_ascii_digit() {
            break;
        }
        pages = pages * 10 + u64::from(byte - b'0');
    }
    pages
}
