//! Start-up, and the fork server: the process stops just before the subject's first input and
//! forks a run for each command.

use crate::child;
use crate::clock;
use crate::crash;
use crate::memory;
use crate::shared::{self, state};
use crate::sys;
use core::ffi::c_int;
use elsewise_wire::{COMMAND_RUN, LATE_SITES, MAX_MODULES, ModuleEntry, Status, StatusKind};

/// Before anything instrumented runs. The C library has no environment yet, so the trace is
/// attached later, when the first object registers.
#[used]
#[unsafe(link_section = ".preinit_array")]
static START: extern "C" fn() = memory::reserve;

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

#[unsafe(no_mangle)]
pub extern "C" fn __elw_register(module: *const Module) {
    let state = state();
    // For a shared library in a program that is not instrumented, this is the beginning.
    memory::reserve();
    if !state.attached {
        state.attached = true;
        shared::attach();
        clock::this_is_the_run();
    }
    if !state.traced() {
        return;
    }
    let module = unsafe { &*module };
    if state.running {
        // A library that a run loads has no place in the tables that were laid out before; the
        // engine tells its choices by their number.
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

/// The subject asks for its first input: from here on, runs are forked.
pub fn first_input() {
    let state = state();
    if state.running {
        return;
    }
    let base_memory = memory_pages() * 4096;
    send(StatusKind::Ready, 0, 0, false);
    loop {
        let mut command = 0u8;
        let got = unsafe { sys::read(state.control, (&raw mut command).cast(), 1) };
        if got < 0 && unsafe { *sys::__errno_location() } == sys::EINTR {
            continue;
        }
        if got != 1 || command != COMMAND_RUN {
            unsafe { sys::_exit(0) }
        }
        match unsafe { sys::fork() } {
            0 => {
                become_run(base_memory);
                return;
            }
            pid if pid < 0 => {
                send(
                    StatusKind::Failed,
                    unsafe { *sys::__errno_location() },
                    0,
                    false,
                );
                unsafe { sys::_exit(70) }
            }
            pid => serve(pid),
        }
    }
}

fn become_run(base_memory: u64) {
    let state = state();
    state.running = true;
    clock::this_is_the_run();
    unsafe {
        sys::setpgid(0, 0);
        // A run that hangs must not outlive a server that was killed.
        sys::prctl(sys::PR_SET_PDEATHSIG, sys::SIGKILL as u64, 0, 0, 0);
        sys::close(state.control);
        sys::close(state.status);
        let none = sys::Rlimit {
            current: 0,
            maximum: 0,
        };
        sys::setrlimit(sys::RLIMIT_CORE, &none);
        let limit = state.header().memory_limit;
        if limit != 0 {
            let limit = base_memory + limit;
            let limit = sys::Rlimit {
                current: limit,
                maximum: limit,
            };
            sys::setrlimit(sys::RLIMIT_AS, &limit);
        }
        let limit = state.header().cpu_limit;
        if limit != 0 {
            let limit = sys::Rlimit {
                current: limit,
                maximum: limit + 1,
            };
            sys::setrlimit(sys::RLIMIT_CPU, &limit);
        }
    }
    crash::watch();
    child::watch();
}

/// Waits for one run to end and reports it.
fn serve(pid: c_int) {
    send(StatusKind::Started, pid, 0, false);
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
    while unsafe { sys::wait4(pid, &mut status, 0, &mut usage) } < 0 {
        if unsafe { *sys::__errno_location() } != sys::EINTR {
            unsafe { sys::_exit(70) }
        }
    }
    let left = others_left();
    // What the run has left behind in its process group ends with it; the engine sees to the rest.
    unsafe { sys::kill(-pid, sys::SIGKILL) };
    let micros = |time: sys::TimeVal| time.seconds as u64 * 1_000_000 + time.micros as u64;
    send(
        StatusKind::Ended,
        status,
        micros(usage.user) + micros(usage.system),
        left,
    );
}

/// Whether there are still processes that have become the server's because their parents ended. Those
/// that have ended themselves are waited for.
fn others_left() -> bool {
    let mut status = 0;
    loop {
        match unsafe { sys::wait4(-1, &mut status, sys::WNOHANG, core::ptr::null_mut()) } {
            0 => return true,
            pid if pid > 0 => {}
            _ if unsafe { *sys::__errno_location() } == sys::EINTR => {}
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
        reserved: 0,
    };
    let size = core::mem::size_of::<Status>();
    unsafe {
        if sys::write(state().status, (&raw const status).cast(), size) != size as isize {
            sys::_exit(70);
        }
    }
}

/// Size of the address space in pages, the shadow included.
fn memory_pages() -> u64 {
    let mut text = [0u8; 64];
    let got = unsafe {
        let fd = sys::open(c"/proc/self/statm".as_ptr(), 0);
        let got = sys::read(fd, text.as_mut_ptr().cast(), text.len());
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
