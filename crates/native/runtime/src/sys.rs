//! The few C library functions that the runtime uses, declared by hand: the runtime depends on
//! nothing that could clash with the subject.

use core::ffi::{c_char, c_int, c_long, c_void};

pub const PROT_READ: c_int = 1;
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
pub const MADV_DONTNEED: c_int = 4;
pub const EINTR: c_int = 4;
pub const EFAULT: c_int = 14;
pub const WNOHANG: c_int = 1;

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
    pub fn mmap(
        address: *mut c_void,
        length: usize,
        protection: c_int,
        flags: c_int,
        fd: c_int,
        offset: c_long,
    ) -> *mut c_void;
    pub fn munmap(address: *mut c_void, length: usize) -> c_int;
    /// What `pthread_atfork` calls; that is not in the shared library.
    pub fn __register_atfork(
        prepare: Option<extern "C" fn()>,
        parent: Option<extern "C" fn()>,
        child: Option<extern "C" fn()>,
        object: *mut c_void,
    ) -> c_int;
    pub fn getenv(name: *const c_char) -> *const c_char;
    pub fn unsetenv(name: *const c_char) -> c_int;
    pub fn open(path: *const c_char, flags: c_int, ...) -> c_int;
    pub fn read(fd: c_int, buffer: *mut c_void, count: usize) -> isize;
    pub fn write(fd: c_int, buffer: *const c_void, count: usize) -> isize;
    pub fn close(fd: c_int) -> c_int;
    pub fn fork() -> c_int;
    pub fn wait4(pid: c_int, status: *mut c_int, options: c_int, usage: *mut Rusage) -> c_int;
    pub fn setpgid(pid: c_int, group: c_int) -> c_int;
    pub fn prctl(option: c_int, a: u64, b: u64, c: u64, d: u64) -> c_int;
    pub fn kill(pid: c_int, signal: c_int) -> c_int;
    pub fn setrlimit(resource: c_int, limit: *const Rlimit) -> c_int;
    pub fn sigaction(signal: c_int, action: *const SigAction, old: *mut SigAction) -> c_int;
    pub fn sigaltstack(stack: *const StackT, old: *mut StackT) -> c_int;
    pub fn raise(signal: c_int) -> c_int;
    pub fn abort() -> !;
    pub fn syscall(number: c_long, ...) -> c_long;
    pub fn _exit(code: c_int) -> !;
    pub fn malloc(size: usize) -> *mut c_void;
    pub fn calloc(count: usize, size: usize) -> *mut c_void;
    pub fn realloc(old: *mut c_void, size: usize) -> *mut c_void;
    pub fn reallocarray(old: *mut c_void, count: usize, size: usize) -> *mut c_void;
    pub fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void;
    pub fn memalign(alignment: usize, size: usize) -> *mut c_void;
    pub fn posix_memalign(to: *mut *mut c_void, alignment: usize, size: usize) -> c_int;
    pub fn free(block: *mut c_void);
    pub fn malloc_usable_size(block: *mut c_void) -> usize;
    pub fn memcpy(to: *mut c_void, from: *const c_void, count: usize) -> *mut c_void;
    pub fn memmove(to: *mut c_void, from: *const c_void, count: usize) -> *mut c_void;
    pub fn madvise(address: *mut c_void, size: usize, advice: c_int) -> c_int;
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
    pub static __ehdr_start: u8;
    pub static _end: u8;
    pub static __libc_stack_end: *const c_void;
}
