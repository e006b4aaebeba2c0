//! System calls: every one that a run makes comes here first, whoever makes it (the system's *user
//! dispatch* sees to it). What touches an input past the runtime, and so past everything that follows
//! it, is counted, at the place in the program that led there; the runtime's own calls are made by
//! [`direct`], which is not dispatched.
//!
//! A call is made by the handler where it changes nothing but what can be put back (`snapshot`), and
//! else where it would have been made: the handler has the interrupted code go on in a few
//! instructions of ours that make it and go back. So it may wait, be interrupted, start a thread or
//! return twice, as it always may.

use crate::call;
use crate::counted::{count, unfollowed};
use crate::crash;
use crate::dispatch::dispatch;
use crate::foreign;
use crate::input_calls::touches_input;
use crate::interrupted::{ARGUMENTS, Call, OURS, RIP};
use crate::positions;
use crate::refused;
use crate::runner;
use crate::shared::state;
use crate::snapshot;
use crate::surroundings;
use crate::sys::{self, direct, number, read_own};
use crate::threads;
use crate::written;
use core::ffi::c_int;
use elsewise_wire::Reason;

/// From now on, this thread's system calls come here. False where the system has no such thing.
pub fn watch() -> bool {
    let action = KernelAction {
        handler: on_call as *const () as usize,
        flags: (sys::SA_SIGINFO | sys::SA_ONSTACK | sys::SA_NODEFER | sys::SA_RESTORER) as u32
            as u64,
        restorer: sys::restore as *const () as usize,
        mask: 0,
    };
    let action = &raw const action as i64;
    let signal = sys::SIGSYS.into();
    // SAFETY: an action as the system has it, whose handler is one of the kind that is said.
    unsafe { direct(number::SIGACTION, signal, action, 0, 8, 0, 0) == 0 && dispatch(true) }
}

/// Nothing comes here any more.
pub fn leave() {
    dispatch(false);
    crash::watch_signal(sys::SIGSYS);
}

/// `struct sigaction` as the system has it.
#[repr(C)]
#[derive(Clone, Copy)]
struct KernelAction {
    handler: usize,
    flags: u64,
    restorer: usize,
    mask: u64,
}

// SAFETY: four numbers, with nothing between them.
unsafe impl sys::Plain for KernelAction {}

/// Places in `siginfo_t` and `ucontext_t` of x86-64 Linux.
const CODE: usize = 8;
const ARCHITECTURE: usize = 28;
const REGISTERS: usize = 40;
const MASK: usize = 296;
/// `si_code`: the system call was dispatched.
const DISPATCHED: i32 = 2;
const X86_64: u32 = 0xc000_003e;

/// # Safety
/// Called by the system, as a handler.
unsafe extern "C" fn on_call(signal: c_int, info: *const u8, context: *mut u8) {
    // SAFETY: as the system says, in this place.
    let (code, architecture) = unsafe {
        (
            *info.add(CODE).cast::<i32>(),
            *info.add(ARCHITECTURE).cast::<u32>(),
        )
    };
    if code != DISPATCHED {
        // Somebody has sent the signal, or a filter has: it is the subject's.
        runner::become_single();
        leave();
        // SAFETY: what the system has given.
        return unsafe { crash::on_signal(signal, info, context) };
    }
    // SAFETY: a context has both in these places.
    let mut call = unsafe {
        Call {
            registers: context.add(REGISTERS).cast(),
            mask: context.add(MASK).cast(),
            info: info as u64,
        }
    };
    let number = call.number();
    let arguments = call.arguments();
    if architecture != X86_64 {
        // Another table of numbers, of which nothing is known.
        unfollowed();
        runner::become_single();
        leave();
        *call.register(RIP) -= 2;
        return;
    }
    if marks_freed_memory(number, arguments) {
        // SAFETY: the C library's allocator has asked for so many bytes there.
        unsafe { core::ptr::write_bytes(arguments[0] as *mut u8, MARK, MARK_BYTES as usize) };
        return call.give(MARK_BYTES);
    }
    if number == number::EXIT_GROUP {
        call::looks_at_the_end();
        // Comes back only if there is no further run.
        // SAFETY: the context is there, as above.
        runner::end(arguments[0] as i32, unsafe { *call.mask });
    }
    let arguments = name_really(&mut call, number, arguments);
    if is_new_thread(number, arguments) && !threads::starts_one() {
        // Nobody sees what it reads.
        unfollowed();
    }
    if let Some(result) = closes_ours(number, arguments) {
        return call.give(result);
    }
    if touches_input(number, arguments) || takes_back(number, arguments) {
        unfollowed();
    }
    if starts_process(number, arguments) && foreign::others_run() {
        count(Reason::Fork);
    }
    if sets_timer(number, arguments) {
        count(Reason::Timer);
    }
    if number == number::FORK {
        // A child that goes on with the run's trace would spoil it; who calls `fork` gets one of its own.
        count(Reason::Fork);
        return call.give(-i64::from(sys::EAGAIN));
    }
    if snapshot::leaves_nothing(number, arguments) {
        let [a, b, c, d, e, f] = arguments;
        // SAFETY: the subject's own call, which is made for it.
        let result = unsafe { direct(number, a, b, c, d, e, f) };
        if refused::may_be(number, arguments) {
            refused::look(number, arguments, result);
        }
        return call.give(result);
    }
    runner::become_single();
    match number {
        number::SIGPROCMASK => change_mask(&mut call, arguments),
        number::SIGACTION => change_action(&mut call, arguments),
        _ if refused::may_be(number, arguments) => {
            let [a, b, c, d, e, f] = arguments;
            // SAFETY: the subject's own call, which is made for it.
            let result = unsafe { direct(number, a, b, c, d, e, f) };
            refused::look(number, arguments, result);
            call.give(result);
        }
        _ => call.go_on(number, arguments),
    }
}

/// Does a signal come by itself from now on?
fn sets_timer(number: i64, [a, b, c, ..]: [i64; 6]) -> bool {
    let mut setting = [0u64; 4];
    let given = match number {
        number::ALARM => return a != 0,
        number::TIMERFD_SETTIME => return true,
        number::TIMER_CREATE => return !state().running,
        number::SETITIMER => b,
        number::TIMER_SETTIME => c,
        _ => return false,
    };
    // When it comes first is told after how often.
    read_own(&mut setting, given) && setting[2..] != [0, 0]
}

const MARK_BYTES: i64 = 8;
/// Unlike anything that programs write there.
const MARK: u8 = 0xd7;

/// The C library's allocator marks what is freed by a number that it draws when it is first used. All runs have the
/// same, so that whoever reads freed memory reads the same bytes.
fn marks_freed_memory(number: i64, [to, size, flags, ..]: [i64; 6]) -> bool {
    const DO_NOT_WAIT: i64 = 1;
    let so_asked = number == number::GETRANDOM && size == MARK_BYTES && flags == DO_NOT_WAIT;
    so_asked && foreign::is_of_system(to as u64)
}

fn starts_process(number: i64, arguments: [i64; 6]) -> bool {
    let starts = matches!(number, number::CLONE | number::CLONE3 | number::VFORK);
    starts && !is_new_thread(number, arguments)
}

fn is_new_thread(number: i64, [first, size, ..]: [i64; 6]) -> bool {
    const CLONE_THREAD: u64 = 0x1_0000;
    let mut flags = [0u64];
    match number {
        number::CLONE => flags = [first as u64],
        // The first of its settings.
        number::CLONE3 if size >= 8 => {
            read_own(&mut flags, first);
        }
        _ => {}
    }
    flags[0] & CLONE_THREAD != 0
}

/// The run's process has a number of ours; the system is told its own.
fn name_really(call: &mut Call, number: i64, mut arguments: [i64; 6]) -> [i64; 6] {
    let named: &[usize] = match number {
        number::KILL
        | number::GETPGID
        | number::GETSID
        | number::SIGQUEUEINFO
        | number::SCHED_SETPARAM
        | number::SCHED_GETPARAM
        | number::SCHED_SETSCHEDULER
        | number::SCHED_GETSCHEDULER
        | number::SCHED_RR_GET_INTERVAL
        | number::TKILL
        | number::SCHED_SETAFFINITY
        | number::SCHED_GETAFFINITY
        | number::PRLIMIT
        | number::PROCESS_VM_READV
        | number::PROCESS_VM_WRITEV
        | number::SCHED_SETATTR
        | number::SCHED_GETATTR
        | number::PIDFD_OPEN => &[0],
        number::GETPRIORITY | number::SETPRIORITY => &[1],
        number::SETPGID | number::TGKILL | number::TGSIGQUEUEINFO => &[0, 1],
        _ => &[],
    };
    for index in named {
        if let Some(real) = surroundings::real(arguments[*index] as c_int) {
            arguments[*index] = real.into();
            *call.register(ARGUMENTS[*index]) = arguments[*index] as u64;
        }
    }
    arguments
}

/// Programs that close every descriptor there may be would close those of the runtime: what they asked
/// for is done but for these, which are not there for them. `None` if the call is about others.
fn closes_ours(number: i64, [first, last, flags, ..]: [i64; 6]) -> Option<i64> {
    let state = state();
    if state.running {
        // A run that is on its own has none, and one that is not becomes so.
        return None;
    }
    let mut ours = [state.control, state.status].map(i64::from);
    ours.sort_unstable();
    match number {
        number::CLOSE if ours.contains(&first) => Some(-i64::from(sys::EBADF)),
        number::CLOSE_RANGE => {
            let (first, last) = (first as u32, last as u32);
            let range = |from: i64, to: i64| match from <= to {
                // SAFETY: the subject's own call, but for ours.
                true => unsafe { direct(number, from, to, flags, 0, 0, 0) },
                false => 0,
            };
            let mut from = i64::from(first);
            for own in ours {
                if (from..=i64::from(last)).contains(&own) {
                    range(from, own - 1);
                    from = own + 1;
                }
            }
            Some(range(from, last.into()))
        }
        _ => None,
    }
}

/// `rt_sigprocmask`: the interrupted code's mask is in its context.
fn change_mask(call: &mut Call, [how, new, old, size, ..]: [i64; 6]) {
    const BLOCK: i64 = 0;
    const UNBLOCK: i64 = 1;
    if size != 8 {
        return call.give(-i64::from(sys::EINVAL));
    }
    // SAFETY: the context is there. The subject's own call is made for it, and where that succeeds the mask can be read.
    unsafe {
        let before = *call.mask;
        // The system checks the addresses.
        let nothing = direct(number::SIGPROCMASK, how, new, old, size, 0, 0);
        if nothing != 0 || new == 0 {
            return call.give(nothing);
        }
        let given = *(new as *const u64);
        let mask = match how {
            BLOCK => before | given,
            UNBLOCK => before & !given,
            _ => given,
        };
        *call.mask = mask & !OURS;
        let handler = before & !OURS;
        let handler = &raw const handler as i64;
        const SET: i64 = 2;
        direct(number::SIGPROCMASK, SET, handler, 0, 8, 0, 0);
    }
    call.give(0);
}

/// `rt_sigaction`: no handler blocks our signal, and nobody else handles it.
fn change_action(call: &mut Call, [signal, new, old, size, ..]: [i64; 6]) {
    if signal == i64::from(sys::SIGSYS) && new != 0 {
        // From here on, nobody watches.
        unfollowed();
        leave();
        *call.register(RIP) -= 2;
        return;
    }
    let mut action = [KernelAction {
        handler: 0,
        flags: 0,
        restorer: 0,
        mask: 0,
    }];
    let mut new = new;
    if new != 0 && size == 8 {
        // The system checks the address.
        if !read_own(&mut action, new) {
            return call.give(-i64::from(sys::EFAULT));
        }
        action[0].mask &= !OURS;
        if foreign::is_of_others(action[0].handler as u64) {
            // It may come at any time.
            count(Reason::Memory);
        }
        new = action.as_ptr() as i64;
    }
    // SAFETY: the subject's own call, which is made for it.
    call.give(unsafe { direct(number::SIGACTION, signal, new, old, size, 0, 0) });
}

/// Does this call read what the run has written? One that writes is remembered.
fn takes_back(number: i64, [a, b, c, d, e, ..]: [i64; 6]) -> bool {
    match number {
        number::WRITE
        | number::PWRITE
        | number::WRITEV
        | number::PWRITEV
        | number::PWRITEV2
        | number::SENDTO
        | number::SENDMSG
        | number::SENDMMSG
        | number::SENDFILE
        | number::VMSPLICE => written::by_others(a),
        number::TEE => written::by_others(b),
        number::SPLICE | number::COPY_FILE_RANGE => written::by_others(c),
        _ => {}
    }
    let of_file = i64::from(sys::MAP_ANONYMOUS) & d == 0;
    let shared = d & i64::from(sys::MAP_SHARED) != 0 && c & i64::from(sys::PROT_WRITE) != 0;
    match number {
        number::SPLICE | number::TEE | number::COPY_FILE_RANGE => written::comes_back(a),
        number::SENDFILE => written::comes_back(b),
        number::POLL
        | number::PPOLL
        | number::SELECT
        | number::PSELECT
        | number::EPOLL_WAIT
        | number::EPOLL_PWAIT
        | number::EPOLL_PWAIT2 => written::may_wake(),
        // Somebody is told of what becomes of files.
        number::INOTIFY_ADD_WATCH => true,
        number::FCNTL => tells_or_shares(a, b),
        // All runs have what is locked before them, or by one of them, and what is said of files.
        number::FLOCK | number::FCHMOD | number::FCHOWN => positions::is_shared(a),
        // Memory that a fork does not pass on.
        number::MADVISE => matches!(c, MADV_DONTFORK | MADV_WIPEONFORK),
        number::READ
        | number::PREAD
        | number::READV
        | number::PREADV
        | number::PREADV2
        | number::RECVFROM
        | number::RECVMSG
        | number::RECVMMSG => written::comes_back(a),
        // Before there are runs: all of them have the same.
        number::MMAP if shared && !state().running => true,
        number::MMAP if of_file => written::is_mapped(e, c, d),
        // A library asks how much there is. The program's own questions are seen before they come here.
        number::FSTAT | number::LSEEK => foreign::others_run() && written::tells_how_much(a),
        number::STAT | number::LSTAT | number::FSTATAT | number::STATX => {
            foreign::others_run() && written::some_tells_how_much()
        }
        // A library makes what holds something, before there are runs: all of them have the same.
        number::PIPE | number::PIPE2 | number::SOCKETPAIR | number::EVENTFD | number::EVENTFD2 => {
            !state().running && foreign::others_run()
        }
        number::SHMGET | number::SEMGET | number::MSGGET => true,
        // The same memory in two places.
        number::MREMAP => b == 0,
        number::SHMAT => true,
        _ => false,
    }
}

const MADV_DONTFORK: i64 = 10;
const MADV_WIPEONFORK: i64 = 18;

/// `fcntl`: signals that tell of what is written, and what a descriptor that was there before runs has for all of them.
fn tells_or_shares(fd: i64, command: i64) -> bool {
    match command {
        // F_SETOWN, F_SETSIG, F_SETOWN_EX, F_NOTIFY.
        8 | 10 | 15 | 1026 => true,
        // F_SETFL; F_SETLK, F_SETLKW, the same of open files; F_ADD_SEALS.
        4 | 6 | 7 | 37 | 38 | 1033 => positions::is_shared(fd),
        _ => false,
    }
}

/// Before runs begin: does the process have what a fork does not pass on?
pub fn look_at_process() {
    let mut pending = 0u64;
    let to = &raw mut pending as i64;
    // SAFETY: there is room for the answer.
    if unsafe { direct(number::SIGPENDING, to, 8, 0, 0, 0, 0) } == 0 && pending != 0 {
        unfollowed();
    }
    // P_ALL; WNOHANG, WEXITED, WNOWAIT.
    const ANY: i64 = 0;
    const LOOK: i64 = 1 | 4 | 0x0100_0000;
    let mut info = [0u64; 16];
    let to = info.as_mut_ptr() as i64;
    // SAFETY: there is room for the answer.
    if unsafe { direct(number::WAITID, ANY, 0, to, LOOK, 0, 0) } == 0 {
        count(Reason::Children);
    }
}
