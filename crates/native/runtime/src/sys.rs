//! The few C library functions that the runtime uses, declared by hand: the runtime depends on
//! nothing that could clash with the subject. Where the runtime takes the place of a function, the
//! real one is reached by another name of it, or by its system call.

pub mod number;

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
pub const ESRCH: c_int = 3;
pub const EINTR: c_int = 4;
pub const EBADF: c_int = 9;
pub const ENOMEM: c_int = 12;
pub const EPERM: c_int = 1;
pub const EDEADLK: c_int = 35;
pub const ENOSYS: c_int = 38;
pub const ETIMEDOUT: c_int = 110;
pub const EAGAIN: c_int = 11;
pub const EACCES: c_int = 13;
pub const EBUSY: c_int = 16;
pub const EXDEV: c_int = 18;
pub const EROFS: c_int = 30;
pub const EFAULT: c_int = 14;
pub const WNOHANG: c_int = 1;
pub const EINVAL: c_int = 22;
pub const SEEK_SET: c_int = 0;
pub const SEEK_CUR: c_int = 1;
pub const AT_FDCWD: c_int = -100;
pub const AT_SYMLINK_NOFOLLOW: c_int = 0x100;
pub const RTLD_DEFAULT: *mut c_void = core::ptr::null_mut();
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

/// A system call that is made whoever wants to hear of others first. Returns what the system does:
/// a negative number for an error.
///
/// # Safety
/// What the call does to memory, it may do.
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
///
/// # Safety
/// Only the system goes there, at the end of a handler.
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
/// pointer says, with the stack pointer that the next one says.
///
/// # Safety
/// Nobody calls it: `kernel` has an interrupted thread go on here, with its stack laid out so.
#[unsafe(naked)]
#[unsafe(link_section = ".text.elsewise_direct")]
pub unsafe extern "C" fn make_call() {
    naked_asm!(
        "syscall",
        "mov rcx, [rsp]",
        "mov rsp, [rsp + 8]",
        "jmp rcx",
        ".skip {reach}, 0xcc",
        reach = const DIRECT_REACH,
    )
}

/// As [`make_call`], for calls that come back on another stack, or twice: where to is in a register
/// that these calls do not use.
///
/// # Safety
/// As of [`make_call`].
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

/// The C library's last error.
pub fn errno() -> c_int {
    // SAFETY: every thread has one.
    unsafe { *__errno_location() }
}

pub fn set_errno(error: c_int) {
    // SAFETY: as above.
    unsafe { *__errno_location() = error };
}

/// What is open under a number, by a call that nobody hears of.
pub fn stat_of(fd: i64) -> Option<Stat> {
    let mut stat = Stat::default();
    // SAFETY: there is room for the answer.
    let got = unsafe { direct(number::FSTAT, fd, &raw mut stat as i64, 0, 0, 0, 0) };
    (got == 0).then_some(stat)
}

/// `fcntl` with a number, by a call that nobody hears of.
pub fn file_control(fd: i64, command: FileControl) -> i64 {
    let (command, value) = match command {
        FileControl::IsClosedAtExec => (1, 0),
        FileControl::Flags => (3, 0),
        FileControl::SetFlags(flags) => (4, flags),
    };
    // SAFETY: none of these touches memory.
    unsafe { direct(number::FCNTL, fd, command, value, 0, 0, 0) }
}

#[derive(Clone, Copy)]
pub enum FileControl {
    IsClosedAtExec,
    Flags,
    SetFlags(i64),
}

/// Whether others may look into the process.
pub fn set_dumpable(on: bool) {
    // SAFETY: it touches no memory.
    unsafe { prctl(PR_SET_DUMPABLE, on.into(), 0, 0, 0) };
}

/// The process ends when its parent does.
pub fn end_with_parent() {
    // SAFETY: it touches no memory.
    unsafe { prctl(PR_SET_PDEATHSIG, SIGKILL as u64, 0, 0, 0) };
}

/// The process, as the system numbers it, by a call that nobody hears of.
pub fn own_process() -> i64 {
    // SAFETY: it touches no memory.
    unsafe { direct(number::GETPID, 0, 0, 0, 0, 0, 0) }
}

/// Ends the process at once: nobody hears of it.
pub fn end_process(code: i64) -> ! {
    loop {
        // SAFETY: it touches no memory.
        unsafe { direct(number::EXIT_GROUP, code, 0, 0, 0, 0, 0) };
    }
}

/// Reserves memory at an address, where there must be none, by a call that nobody hears of. False where there is
/// some, or no room; the C library's last error then says why.
pub fn reserve(from: u64, size: u64, flags: c_int) -> bool {
    let flags = flags | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    let (at, size) = (from as i64, size as i64);
    let protection = PROT_READ | PROT_WRITE;
    // SAFETY: nothing is replaced.
    let got = unsafe {
        direct(
            number::MMAP,
            at,
            size,
            protection.into(),
            flags.into(),
            -1,
            0,
        )
    };
    if (-4095..0).contains(&got) {
        set_errno(-got as c_int);
    }
    got as u64 == from
}

/// What may have any bytes.
///
/// # Safety
/// All patterns of bits are values of it, and none are left out.
pub unsafe trait Plain: Copy {}

// SAFETY: numbers.
unsafe impl Plain for u8 {}
// SAFETY: a number.
unsafe impl Plain for u64 {}

/// What the running thread's register points to.
pub fn thread() -> u64 {
    let at: u64;
    // SAFETY: the word there is its own address.
    unsafe {
        core::arch::asm!(
            "mov {at}, qword ptr fs:[0]",
            at = out(reg) at,
            options(nostack, preserves_flags, pure, readonly),
        );
    }
    at
}

/// Copies memory of this process that may not be there.
pub fn read_own<T: Plain>(to: &mut [T], from: i64) -> bool {
    let size = core::mem::size_of_val(to) as i64;
    let (to, from) = ([to.as_mut_ptr() as i64, size], [from, size]);
    let (to, from) = (to.as_ptr() as i64, from.as_ptr() as i64);
    // SAFETY: there is room for as much, and whatever comes there is a value. The system looks whether
    // there is something to be read.
    unsafe { direct(number::PROCESS_VM_READV, own_process(), to, 1, from, 1, 0) == size }
}

/// As much as there is, and has room, of a text that may not be there.
pub fn read_text(from: i64, room: &mut [u8]) -> &[u8] {
    let mut length = 0;
    while length < room.len() {
        let next = &mut room[length..length + 1];
        if !read_own(next, from + length as i64) || next[0] == 0 {
            break;
        }
        length += 1;
    }
    &room[..length]
}

/// Where the system notes things about the processor that the thread runs on, and how long that
/// is: 0 where it does not.
pub fn find_rseq_area() -> (u64, u64) {
    // SAFETY: a name that ends by a NUL.
    let named = |name: &core::ffi::CStr| unsafe { dlsym(core::ptr::null_mut(), name.as_ptr()) };
    let (offset, size) = (named(c"__rseq_offset"), named(c"__rseq_size"));
    if offset.is_null() || size.is_null() {
        return (0, 0);
    }
    // SAFETY: the C library's variables of these names are of these types.
    let (offset, size) = unsafe { (*offset.cast::<i64>(), *size.cast::<u32>()) };
    let thread: u64;
    // SAFETY: on this platform the first word of a thread's block is its own address.
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
pub fn _exit(code: c_int) -> ! {
    loop {
        // Seen: the process may have another run.
        // SAFETY: it touches no memory.
        unsafe { syscall(number::EXIT_GROUP, code) };
    }
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct TimeSpec {
    pub seconds: c_long,
    pub nanos: c_long,
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
    pub safe fn close(fd: c_int) -> c_int;
    pub fn fork() -> c_int;
    pub fn wait4(pid: c_int, status: *mut c_int, options: c_int, usage: *mut Rusage) -> c_int;
    pub safe fn setpgid(pid: c_int, group: c_int) -> c_int;
    pub safe fn dup2(old: c_int, new: c_int) -> c_int;
    #[link_name = "__nanosleep"]
    pub fn nanosleep(time: *const TimeSpec, left: *mut TimeSpec) -> c_int;
    pub fn free(block: *mut c_void);
    pub fn prctl(option: c_int, a: u64, b: u64, c: u64, d: u64) -> c_int;
    pub safe fn setrlimit(resource: c_int, limit: &Rlimit) -> c_int;
    pub fn sigaction(signal: c_int, action: *const SigAction, old: *mut SigAction) -> c_int;
    pub fn sigaltstack(stack: *const StackT, old: *mut StackT) -> c_int;
    pub safe fn raise(signal: c_int) -> c_int;
    pub safe fn abort() -> !;
    pub fn syscall(number: c_long, ...) -> c_long;
    pub fn pthread_key_create(
        key: *mut u32,
        at_end: Option<unsafe extern "C" fn(*mut c_void)>,
    ) -> c_int;
    pub safe fn pthread_self() -> u64;
    pub fn pthread_setspecific(key: u32, value: *const c_void) -> c_int;
    pub fn pthread_attr_init(attributes: *mut c_void) -> c_int;
    pub fn pthread_attr_setstack(attributes: *mut c_void, stack: *mut c_void, size: usize)
    -> c_int;
    pub fn pthread_attr_setdetachstate(attributes: *mut c_void, state: c_int) -> c_int;
    pub fn pthread_attr_getdetachstate(attributes: *const c_void, state: *mut c_int) -> c_int;
    pub fn pthread_attr_getstacksize(attributes: *const c_void, size: *mut usize) -> c_int;
    pub safe fn malloc(size: usize) -> *mut c_void;
    pub fn asprintf(to: *mut *mut c_char, format: *const c_char, ...) -> c_int;
    pub fn __cxa_atexit(
        function: extern "C" fn(*mut c_void),
        argument: *mut c_void,
        object: *mut c_void,
    ) -> c_int;
    pub fn __cxa_at_quick_exit(function: extern "C" fn(*mut c_void), object: *mut c_void) -> c_int;
    pub fn fileno(stream: *mut c_void) -> c_int;
    pub static stdin: *mut c_void;
    pub static stdout: *mut c_void;
    pub static stderr: *mut c_void;
    pub static program_invocation_name: *mut c_char;
    pub static program_invocation_short_name: *mut c_char;
    pub fn dlopen(name: *const c_char, mode: c_int) -> *mut c_void;
    pub safe fn calloc(count: usize, size: usize) -> *mut c_void;
    pub fn realloc(old: *mut c_void, size: usize) -> *mut c_void;
    pub fn reallocarray(old: *mut c_void, count: usize, size: usize) -> *mut c_void;
    pub safe fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void;
    pub safe fn memalign(alignment: usize, size: usize) -> *mut c_void;
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
        each: unsafe extern "C" fn(*const c_void, *mut c_void) -> c_int,
        data: *mut c_void,
    ) -> c_int;
    pub fn _Unwind_GetIP(context: *const c_void) -> usize;
    pub safe fn __errno_location() -> *mut c_int;
    pub static environ: *const *const c_char;
    pub static optarg: *const c_char;
    pub safe static __ehdr_start: u8;
    pub safe static _end: u8;
    pub safe static __libc_stack_end: usize;
}

/// Is this in the runtime's own code?
#[cfg(elsewise_object)]
pub fn is_own_code(address: u64) -> bool {
    unsafe extern "C" {
        // Its ends, which the linker's script names.
        safe static __elw_own_code: u8;
        safe static __elw_own_code_ends: u8;
    }
    let ends = [
        &raw const __elw_own_code as u64,
        &raw const __elw_own_code_ends as u64,
    ];
    (ends[0]..ends[1]).contains(&address)
}

/// Where the runtime's own variables are, the lower ones first.
#[cfg(elsewise_object)]
pub fn own_variables() -> [core::ops::Range<u64>; 2] {
    unsafe extern "C" {
        // Their ends, which the linker's script names.
        safe static __elw_own_data: u8;
        safe static __elw_own_data_ends: u8;
        safe static __elw_own_bss: u8;
        safe static __elw_own_bss_ends: u8;
    }
    let data = &raw const __elw_own_data as u64..&raw const __elw_own_data_ends as u64;
    let bss = &raw const __elw_own_bss as u64..&raw const __elw_own_bss_ends as u64;
    match data.start <= bss.start {
        true => [data, bss],
        false => [bss, data],
    }
}

/// A program of its own, for tests, has no such pieces.
#[cfg(not(elsewise_object))]
pub fn own_variables() -> [core::ops::Range<u64>; 2] {
    [u64::MAX..u64::MAX, u64::MAX..u64::MAX]
}

/// A program of its own, for tests, has no such piece.
#[cfg(not(elsewise_object))]
pub fn is_own_code(_: u64) -> bool {
    false
}
