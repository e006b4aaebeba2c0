//! The few C library functions that the runtime uses, declared by hand: the runtime depends on
//! nothing that could clash with the subject. Where the runtime takes the place of a function, the
//! real one is reached by another name of it, or by its system call.

use crate::refused;
use crate::runner;
use crate::snapshot;
use core::arch::{asm, naked_asm};
use core::ffi::{c_char, c_int, c_long, c_void};

pub const PROT_READ: c_int = 1;
pub const PROT_EXEC: c_int = 4;
pub const PROT_WRITE: c_int = 2;
pub const MAP_SHARED: c_int = 1;
pub const MAP_PRIVATE: c_int = 2;
pub const MAP_FIXED: c_int = 0x10;
pub const MAP_ANONYMOUS: c_int = 0x20;
pub const MAP_NORESERVE: c_int = 0x4000;
pub const MAP_FIXED_NOREPLACE: c_int = 0x10_0000;
pub const RLIMIT_CPU: c_int = 0;
pub const RLIMIT_CORE: c_int = 4;
pub const RLIMIT_AS: c_int = 9;
pub const SA_SIGINFO: c_int = 4;
pub const SA_ONSTACK: c_int = 0x0800_0000;
pub const SA_NODEFER: c_int = 0x4000_0000;
pub const SA_RESTORER: c_int = 0x0400_0000;
pub const SA_RESETHAND: c_int = 0x8000_0000_u32 as c_int;
pub const SIGILL: c_int = 4;
pub const SIGTRAP: c_int = 5;
pub const SIGABRT: c_int = 6;
pub const SIGBUS: c_int = 7;
pub const SIGFPE: c_int = 8;
pub const SIGKILL: c_int = 9;
pub const SIGSEGV: c_int = 11;
pub const SIGSYS: c_int = 31;
pub const PR_SET_PDEATHSIG: c_int = 1;
pub const PR_SET_DUMPABLE: c_int = 4;
pub const PR_SET_NAME: c_int = 15;
pub const PR_SET_SYSCALL_USER_DISPATCH: c_int = 59;
pub const CLOCK_PROCESS_CPUTIME_ID: c_int = 2;
pub const TCGETS: i64 = 0x5401;
pub const MADV_DONTNEED: c_int = 4;
pub const ENOENT: c_int = 2;
pub const EINTR: c_int = 4;
pub const EBADF: c_int = 9;
pub const ENOMEM: c_int = 12;
pub const EPERM: c_int = 1;
pub const ENOSYS: c_int = 38;
pub const EAGAIN: c_int = 11;
pub const EACCES: c_int = 13;
pub const EXDEV: c_int = 18;
pub const EROFS: c_int = 30;
pub const EFAULT: c_int = 14;
pub const WNOHANG: c_int = 1;
pub const EINVAL: c_int = 22;
pub const SEEK_SET: c_int = 0;
pub const SEEK_CUR: c_int = 1;
pub const AT_FDCWD: c_int = -100;
pub const AT_SYMLINK_NOFOLLOW: c_int = 0x100;
pub const RTLD_NEXT: *mut c_void = -1isize as *mut c_void;

/// `struct stat` of x86-64 Linux, as the system and the C library have it.
#[repr(C)]
#[derive(Default)]
pub struct Stat {
    pub device: u64,
    pub inode: u64,
    pub links: u64,
    pub mode: u32,
    pub owner: [u32; 3],
    pub special: u64,
    pub size: i64,
    pub rest: [u64; 11],
}

const _: () = assert!(core::mem::size_of::<Stat>() == 144);

/// Of what kind a file is, in its mode.
pub const KIND: u32 = 0o170000;

impl Stat {
    pub fn is_regular(&self) -> bool {
        const REGULAR: u32 = 0o100000;
        self.mode & KIND == REGULAR
    }

    /// When what is in it was changed last.
    pub fn changed(&self) -> [u64; 2] {
        [self.rest[4], self.rest[5]]
    }

    /// Is it `/dev/null`?
    pub fn is_null_device(&self) -> bool {
        self.is_device(0x103)
    }

    /// Is it `/dev/full`?
    pub fn is_full_device(&self) -> bool {
        self.is_device(0x107)
    }

    fn is_device(&self, number: u64) -> bool {
        const CHARACTERS: u32 = 0o020000;
        self.mode & KIND == CHARACTERS && self.special == number
    }
}

/// Where the system shows what a descriptor is open on: a path that ends by a NUL.
pub fn path_of_descriptor(fd: c_int) -> [u8; 25] {
    let mut path = *b"/proc/self/fd/\0\0\0\0\0\0\0\0\0\0\0";
    let mut digits = 1;
    while fd / 10i32.pow(digits) > 0 && digits < 9 {
        digits += 1;
    }
    for place in 0..digits {
        let digit = fd / 10i32.pow(digits - 1 - place) % 10;
        path[14 + place as usize] = b'0' + digit as u8;
    }
    path
}

/// Numbers of system calls.
pub mod number {
    pub const READ: i64 = 0;
    pub const WRITE: i64 = 1;
    pub const OPEN: i64 = 2;
    pub const CLOSE: i64 = 3;
    pub const STAT: i64 = 4;
    pub const FSTAT: i64 = 5;
    pub const LSTAT: i64 = 6;
    pub const POLL: i64 = 7;
    pub const LSEEK: i64 = 8;
    pub const MMAP: i64 = 9;
    pub const MPROTECT: i64 = 10;
    pub const MUNMAP: i64 = 11;
    pub const BRK: i64 = 12;
    pub const SIGACTION: i64 = 13;
    pub const SIGPROCMASK: i64 = 14;
    pub const SIGRETURN: i64 = 15;
    pub const IOCTL: i64 = 16;
    pub const PREAD: i64 = 17;
    pub const PWRITE: i64 = 18;
    pub const READV: i64 = 19;
    pub const WRITEV: i64 = 20;
    pub const ACCESS: i64 = 21;
    pub const SELECT: i64 = 23;
    pub const SCHED_YIELD: i64 = 24;
    pub const MREMAP: i64 = 25;
    pub const MINCORE: i64 = 27;
    pub const MADVISE: i64 = 28;
    pub const SHMGET: i64 = 29;
    pub const SHMAT: i64 = 30;
    pub const ALARM: i64 = 37;
    pub const SETITIMER: i64 = 38;
    pub const GETPID: i64 = 39;
    pub const SENDFILE: i64 = 40;
    pub const SENDTO: i64 = 44;
    pub const RECVFROM: i64 = 45;
    pub const SENDMSG: i64 = 46;
    pub const RECVMSG: i64 = 47;
    pub const CLONE: i64 = 56;
    pub const FORK: i64 = 57;
    pub const VFORK: i64 = 58;
    pub const EXECVE: i64 = 59;
    pub const KILL: i64 = 62;
    pub const UNAME: i64 = 63;
    pub const SEMGET: i64 = 64;
    pub const MSGGET: i64 = 68;
    pub const SEMOP: i64 = 65;
    pub const MSGSND: i64 = 69;
    pub const MSGRCV: i64 = 70;
    pub const FCNTL: i64 = 72;
    pub const FLOCK: i64 = 73;
    pub const TRUNCATE: i64 = 76;
    pub const FTRUNCATE: i64 = 77;
    pub const GETCWD: i64 = 79;
    pub const RENAME: i64 = 82;
    pub const MKDIR: i64 = 83;
    pub const RMDIR: i64 = 84;
    pub const CREAT: i64 = 85;
    pub const LINK: i64 = 86;
    pub const UNLINK: i64 = 87;
    pub const SYMLINK: i64 = 88;
    pub const READLINK: i64 = 89;
    pub const FCHMOD: i64 = 91;
    pub const FCHOWN: i64 = 93;
    pub const TIMES: i64 = 100;
    pub const GETUID: i64 = 102;
    pub const GETGID: i64 = 104;
    pub const GETEUID: i64 = 107;
    pub const GETEGID: i64 = 108;
    pub const SETPGID: i64 = 109;
    pub const GETPPID: i64 = 110;
    pub const GETPGID: i64 = 121;
    pub const GETSID: i64 = 124;
    pub const SIGPENDING: i64 = 127;
    pub const SIGQUEUEINFO: i64 = 129;
    pub const SIGSUSPEND: i64 = 130;
    pub const MKNOD: i64 = 133;
    pub const GETPRIORITY: i64 = 140;
    pub const SETPRIORITY: i64 = 141;
    pub const SCHED_SETPARAM: i64 = 142;
    pub const SCHED_GETPARAM: i64 = 143;
    pub const SCHED_SETSCHEDULER: i64 = 144;
    pub const SCHED_GETSCHEDULER: i64 = 145;
    pub const SCHED_RR_GET_INTERVAL: i64 = 148;
    pub const PRCTL: i64 = 157;
    pub const ADJTIMEX: i64 = 159;
    pub const SETRLIMIT: i64 = 160;
    pub const GETTID: i64 = 186;
    pub const TKILL: i64 = 200;
    pub const FUTEX: i64 = 202;
    pub const SCHED_SETAFFINITY: i64 = 203;
    pub const SCHED_GETAFFINITY: i64 = 204;
    pub const SEMTIMEDOP: i64 = 220;
    pub const TIMER_CREATE: i64 = 222;
    pub const TIMER_SETTIME: i64 = 223;
    pub const CLOCK_GETTIME: i64 = 228;
    pub const CLOCK_NANOSLEEP: i64 = 230;
    pub const EXIT_GROUP: i64 = 231;
    pub const EPOLL_WAIT: i64 = 232;
    pub const TGKILL: i64 = 234;
    pub const MQ_OPEN: i64 = 240;
    pub const MQ_TIMEDSEND: i64 = 242;
    pub const MQ_TIMEDRECEIVE: i64 = 243;
    pub const WAITID: i64 = 247;
    pub const INOTIFY_ADD_WATCH: i64 = 254;
    pub const OPENAT: i64 = 257;
    pub const MKDIRAT: i64 = 258;
    pub const MKNODAT: i64 = 259;
    pub const FSTATAT: i64 = 262;
    pub const UNLINKAT: i64 = 263;
    pub const RENAMEAT: i64 = 264;
    pub const LINKAT: i64 = 265;
    pub const SYMLINKAT: i64 = 266;
    pub const READLINKAT: i64 = 267;
    pub const FACCESSAT: i64 = 269;
    pub const PSELECT: i64 = 270;
    pub const PPOLL: i64 = 271;
    pub const SPLICE: i64 = 275;
    pub const TEE: i64 = 276;
    pub const VMSPLICE: i64 = 278;
    pub const EPOLL_PWAIT: i64 = 281;
    pub const TIMERFD_SETTIME: i64 = 286;
    pub const PREADV: i64 = 295;
    pub const PWRITEV: i64 = 296;
    pub const TGSIGQUEUEINFO: i64 = 297;
    pub const RECVMMSG: i64 = 299;
    pub const PRLIMIT: i64 = 302;
    pub const CLOCK_ADJTIME: i64 = 305;
    pub const SENDMMSG: i64 = 307;
    pub const GETCPU: i64 = 309;
    pub const PROCESS_VM_READV: i64 = 310;
    pub const PROCESS_VM_WRITEV: i64 = 311;
    pub const SCHED_SETATTR: i64 = 314;
    pub const SCHED_GETATTR: i64 = 315;
    pub const RENAMEAT2: i64 = 316;
    pub const GETRANDOM: i64 = 318;
    pub const EXECVEAT: i64 = 322;
    pub const COPY_FILE_RANGE: i64 = 326;
    pub const PREADV2: i64 = 327;
    pub const PWRITEV2: i64 = 328;
    pub const PKEY_MPROTECT: i64 = 329;
    pub const STATX: i64 = 332;
    pub const IO_URING_SETUP: i64 = 425;
    pub const IO_URING_ENTER: i64 = 426;
    pub const PIDFD_OPEN: i64 = 434;
    pub const CLONE3: i64 = 435;
    pub const CLOSE_RANGE: i64 = 436;
    pub const OPENAT2: i64 = 437;
    pub const EPOLL_PWAIT2: i64 = 441;
}

/// A system call that is made whoever wants to hear of others first. Returns what the system does:
/// a negative number for an error.
#[unsafe(naked)]
#[unsafe(link_section = ".text.elsewise_direct")]
pub unsafe extern "C" fn direct(
    number: i64,
    a: i64,
    b: i64,
    c: i64,
    d: i64,
    e: i64,
    f: i64,
) -> i64 {
    naked_asm!(
        "mov rax, rdi",
        "mov rdi, rsi",
        "mov rsi, rdx",
        "mov rdx, rcx",
        "mov r10, r8",
        "mov r8, r9",
        "mov r9, [rsp + 8]",
        "syscall",
        "ret",
        ".skip {reach}, 0xcc",
        reach = const DIRECT_REACH,
    )
}

/// Where a handler returns to.
#[unsafe(naked)]
#[unsafe(link_section = ".text.elsewise_direct")]
pub unsafe extern "C" fn restore() {
    naked_asm!(
        "mov rax, 15",
        "syscall",
        ".skip {reach}, 0xcc",
        reach = const DIRECT_REACH,
    )
}

/// Makes a system call with the registers as they are, and goes back to where the word at the stack
/// pointer says, with the stack pointer as it was before [`BESIDE`] bytes were set aside.
#[unsafe(naked)]
#[unsafe(link_section = ".text.elsewise_direct")]
pub unsafe extern "C" fn make_call() {
    naked_asm!(
        "syscall",
        "mov rcx, [rsp]",
        "lea rsp, [rsp + {beside}]",
        "jmp rcx",
        ".skip {reach}, 0xcc",
        beside = const BESIDE,
        reach = const DIRECT_REACH,
    )
}

/// As [`make_call`], for calls that come back on another stack, or twice: where to is in a register
/// that these calls do not use.
#[unsafe(naked)]
#[unsafe(link_section = ".text.elsewise_direct")]
pub unsafe extern "C" fn make_clone() {
    naked_asm!(
        "syscall",
        "jmp r9",
        ".skip {reach}, 0xcc",
        reach = const DIRECT_REACH,
    )
}

/// What is set aside for a call: the 128 bytes below the stack pointer that are the caller's, and four
/// words.
pub const BESIDE: u64 = 128 + 4 * 8;

/// From the beginning of each of these, there is nothing else for so long.
pub const DIRECT_REACH: i64 = 64;

/// Beginning and size of the code that makes system calls which are not dispatched; its functions stand
/// side by side.
pub fn direct_code() -> (i64, i64) {
    let all = [
        direct as *const () as i64,
        restore as *const () as i64,
        make_call as *const () as i64,
        make_clone as *const () as i64,
    ];
    let bounds = |(low, high): (i64, i64), at: i64| (low.min(at), high.max(at));
    let (low, high) = all.into_iter().fold((i64::MAX, 0), bounds);
    (low, high - low + DIRECT_REACH)
}

/// A call of the runtime's own for the subject, with an error told as the C library tells it.
fn call<const N: usize>(number: i64, arguments: [i64; N]) -> i64 {
    const ERRORS: core::ops::RangeInclusive<i64> = -4095..=-1;
    let mut all = [0; 6];
    all[..N].copy_from_slice(&arguments);
    if !snapshot::leaves_nothing(number, all) {
        runner::become_single();
    }
    let [a, b, c, d, e, f] = all;
    let result = unsafe { direct(number, a, b, c, d, e, f) };
    if refused::may_be(number, all) {
        refused::look(number, all, result);
    }
    if !ERRORS.contains(&result) {
        return result;
    }
    unsafe { *__errno_location() = -result as c_int };
    -1
}

/// Where the system notes things about the processor that the thread runs on, and how long that
/// is: 0 where it does not.
pub fn find_rseq_area() -> (u64, u64) {
    let named = |name: &core::ffi::CStr| unsafe { dlsym(core::ptr::null_mut(), name.as_ptr()) };
    let (offset, size) = (named(c"__rseq_offset"), named(c"__rseq_size"));
    if offset.is_null() || size.is_null() {
        return (0, 0);
    }
    let (offset, size) = unsafe { (*offset.cast::<i64>(), *size.cast::<u32>()) };
    let thread: u64;
    unsafe { asm!("mov {}, fs:0", out(reg) thread, options(nostack, readonly)) };
    // As much as was set aside for it when it was new.
    let size = if size == 0 {
        0
    } else {
        u64::from(size).max(32)
    };
    (thread.wrapping_add_signed(offset), size)
}

/// Ends the process; the runtime itself has taken the C library's name for it.
pub unsafe fn _exit(code: c_int) -> ! {
    loop {
        // Seen: the process may have another run.
        unsafe { syscall(number::EXIT_GROUP, code) };
    }
}

pub unsafe fn fstat(fd: c_int, stat: *mut Stat) -> c_int {
    call(number::FSTAT, [fd.into(), stat as i64]) as c_int
}

pub unsafe fn fstatat(folder: c_int, path: *const c_char, stat: *mut Stat, flags: c_int) -> c_int {
    call(
        number::FSTATAT,
        [folder.into(), path as i64, stat as i64, flags.into()],
    ) as c_int
}

pub unsafe fn readv(fd: c_int, parts: *const c_void, count: c_int) -> isize {
    call(number::READV, [fd.into(), parts as i64, count.into()]) as isize
}

pub unsafe fn openat(folder: c_int, path: *const c_char, flags: c_int, mode: c_int) -> c_int {
    call(
        number::OPENAT,
        [folder.into(), path as i64, flags.into(), mode.into()],
    ) as c_int
}

pub unsafe fn mmap(
    address: *mut c_void,
    length: usize,
    protection: c_int,
    flags: c_int,
    fd: c_int,
    offset: c_long,
) -> *mut c_void {
    call(
        number::MMAP,
        [
            address as i64,
            length as i64,
            protection.into(),
            flags.into(),
            fd.into(),
            offset,
        ],
    ) as *mut c_void
}

pub unsafe fn munmap(address: *mut c_void, length: usize) -> c_int {
    call(number::MUNMAP, [address as i64, length as i64]) as c_int
}

pub fn getpid() -> c_int {
    call(number::GETPID, []) as c_int
}

pub fn getppid() -> c_int {
    call(number::GETPPID, []) as c_int
}

pub fn gettid() -> c_int {
    call(number::GETTID, []) as c_int
}

pub unsafe fn kill(pid: c_int, signal: c_int) -> c_int {
    call(number::KILL, [pid.into(), signal.into()]) as c_int
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct TimeSpec {
    pub seconds: c_long,
    pub nanos: c_long,
}

pub unsafe fn clock_gettime(clock: c_int, time: *mut TimeSpec) -> c_int {
    call(number::CLOCK_GETTIME, [clock.into(), time as i64]) as c_int
}

pub unsafe fn clock_nanosleep(
    clock: c_int,
    flags: c_int,
    time: *const TimeSpec,
    left: *mut TimeSpec,
) -> c_int {
    call(
        number::CLOCK_NANOSLEEP,
        [clock.into(), flags.into(), time as i64, left as i64],
    ) as c_int
}

pub unsafe fn times(to: *mut [c_long; 4]) -> c_long {
    call(number::TIMES, [to as i64])
}

pub unsafe fn getrandom(buffer: *mut c_void, size: usize, flags: u32) -> isize {
    call(
        number::GETRANDOM,
        [buffer as i64, size as i64, flags.into()],
    ) as isize
}

#[repr(C)]
pub struct Rlimit {
    pub current: u64,
    pub maximum: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct TimeVal {
    pub seconds: c_long,
    pub micros: c_long,
}

#[repr(C)]
pub struct Rusage {
    pub user: TimeVal,
    pub system: TimeVal,
    pub rest: [c_long; 14],
}

#[repr(C)]
pub struct SigAction {
    pub handler: usize,
    pub mask: [u64; 16],
    pub flags: c_int,
    pub restorer: usize,
}

#[repr(C)]
pub struct StackT {
    pub base: *mut c_void,
    pub flags: c_int,
    pub size: usize,
}

pub unsafe fn read(fd: c_int, buffer: *mut c_void, count: usize) -> isize {
    call(number::READ, [fd.into(), buffer as i64, count as i64]) as isize
}

pub unsafe fn pread(fd: c_int, buffer: *mut c_void, count: usize, at: c_long) -> isize {
    call(number::PREAD, [fd.into(), buffer as i64, count as i64, at]) as isize
}

pub unsafe fn lseek(fd: c_int, offset: c_long, whence: c_int) -> c_long {
    call(number::LSEEK, [fd.into(), offset, whence.into()])
}

pub unsafe fn open(path: *const c_char, flags: c_int, mode: c_int) -> c_int {
    unsafe { openat(AT_FDCWD, path, flags, mode) }
}

unsafe extern "C" {
    pub fn madvise(address: *mut c_void, size: usize, advice: c_int) -> c_int;
    /// What `pthread_atfork` calls; that is not in the shared library.
    pub fn __register_atfork(
        prepare: Option<extern "C" fn()>,
        parent: Option<extern "C" fn()>,
        child: Option<extern "C" fn()>,
        object: *mut c_void,
    ) -> c_int;
    pub fn getenv(name: *const c_char) -> *const c_char;
    pub fn unsetenv(name: *const c_char) -> c_int;
    pub fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    #[link_name = "_IO_fopen"]
    pub fn fopen(path: *const c_char, mode: *const c_char) -> *mut c_void;
    pub fn write(fd: c_int, buffer: *const c_void, count: usize) -> isize;
    pub fn close(fd: c_int) -> c_int;
    pub fn fork() -> c_int;
    pub fn wait4(pid: c_int, status: *mut c_int, options: c_int, usage: *mut Rusage) -> c_int;
    pub fn setpgid(pid: c_int, group: c_int) -> c_int;
    pub fn dup2(old: c_int, new: c_int) -> c_int;
    #[link_name = "__nanosleep"]
    pub fn nanosleep(time: *const TimeSpec, left: *mut TimeSpec) -> c_int;
    pub fn free(block: *mut c_void);
    pub fn prctl(option: c_int, a: u64, b: u64, c: u64, d: u64) -> c_int;
    pub fn setrlimit(resource: c_int, limit: *const Rlimit) -> c_int;
    pub fn sigaction(signal: c_int, action: *const SigAction, old: *mut SigAction) -> c_int;
    pub fn sigaltstack(stack: *const StackT, old: *mut StackT) -> c_int;
    pub fn raise(signal: c_int) -> c_int;
    pub fn abort() -> !;
    pub fn syscall(number: c_long, ...) -> c_long;
    pub fn pthread_key_create(
        key: *mut u32,
        at_end: Option<unsafe extern "C" fn(*mut c_void)>,
    ) -> c_int;
    pub fn pthread_self() -> u64;
    pub fn pthread_setspecific(key: u32, value: *const c_void) -> c_int;
    pub fn pthread_attr_init(attributes: *mut c_void) -> c_int;
    pub fn pthread_attr_setstack(attributes: *mut c_void, stack: *mut c_void, size: usize)
    -> c_int;
    pub fn pthread_attr_setdetachstate(attributes: *mut c_void, state: c_int) -> c_int;
    pub fn pthread_attr_getdetachstate(attributes: *const c_void, state: *mut c_int) -> c_int;
    pub fn pthread_attr_getstacksize(attributes: *const c_void, size: *mut usize) -> c_int;
    pub fn malloc(size: usize) -> *mut c_void;
    pub fn asprintf(to: *mut *mut c_char, format: *const c_char, ...) -> c_int;
    pub fn __cxa_atexit(
        function: extern "C" fn(*mut c_void),
        argument: *mut c_void,
        object: *mut c_void,
    ) -> c_int;
    pub fn __cxa_at_quick_exit(function: extern "C" fn(*mut c_void), object: *mut c_void) -> c_int;
    pub fn fileno(stream: *mut c_void) -> c_int;
    pub fn calloc(count: usize, size: usize) -> *mut c_void;
    pub fn realloc(old: *mut c_void, size: usize) -> *mut c_void;
    pub fn reallocarray(old: *mut c_void, count: usize, size: usize) -> *mut c_void;
    pub fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void;
    pub fn memalign(alignment: usize, size: usize) -> *mut c_void;
    pub fn posix_memalign(to: *mut *mut c_void, alignment: usize, size: usize) -> c_int;
    pub fn malloc_usable_size(block: *mut c_void) -> usize;
    pub fn memcpy(to: *mut c_void, from: *const c_void, count: usize) -> *mut c_void;
    pub fn memmove(to: *mut c_void, from: *const c_void, count: usize) -> *mut c_void;
    pub fn memcmp(a: *const c_void, b: *const c_void, count: usize) -> c_int;
    pub fn strcmp(a: *const c_char, b: *const c_char) -> c_int;
    pub fn strncmp(a: *const c_char, b: *const c_char, count: usize) -> c_int;
    pub fn strcasecmp(a: *const c_char, b: *const c_char) -> c_int;
    pub fn strncasecmp(a: *const c_char, b: *const c_char, count: usize) -> c_int;
    pub fn memset(to: *mut c_void, byte: c_int, count: usize) -> *mut c_void;
    pub fn __assert_fail(
        text: *const c_char,
        file: *const c_char,
        line: u32,
        function: *const c_char,
    ) -> !;
    pub fn __cxa_allocate_exception(size: usize) -> *mut c_void;
    pub fn _Unwind_Backtrace(
        each: extern "C" fn(*const c_void, *mut c_void) -> c_int,
        data: *mut c_void,
    ) -> c_int;
    pub fn _Unwind_GetIP(context: *const c_void) -> usize;
    pub fn __errno_location() -> *mut c_int;
    pub static environ: *const *const c_char;
    pub static __ehdr_start: u8;
    pub static _end: u8;
    pub static __libc_stack_end: *const c_void;
}
