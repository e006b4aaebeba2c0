//! What functions of the C library do to what lies outside of a program's memory: to hidden variables of the library
//! and to what the system holds for the process. Threads that touch the same there are dependent, as those are that
//! touch the same memory.

/// Objects outside, one bit each.
pub mod object {
    /// Of `rand` and `random`.
    pub const RANDOM: u32 = 1;
    /// Of `drand48` and its like.
    pub const RANDOM_48: u32 = 1 << 1;
    /// Of `strtok`.
    pub const TOKENS: u32 = 1 << 2;
    pub const ENVIRONMENT: u32 = 1 << 3;
    /// The working directory.
    pub const FOLDER: u32 = 1 << 4;
    /// Rights that new files do not get.
    pub const RIGHTS: u32 = 1 << 5;
    /// Which files there are.
    pub const NAMES: u32 = 1 << 6;
    /// Which descriptors there are.
    pub const DESCRIPTORS: u32 = 1 << 7;
    /// Users, groups, limits, priorities of the process.
    pub const PROCESS: u32 = 1 << 8;
    /// Tables of users, groups, hosts and services, one entry of which is handed out at a time.
    pub const TABLES: u32 = 1 << 9;
    /// A time in parts, which is handed out, and the time zone.
    pub const TIME: u32 = 1 << 10;
    pub const LOCALE: u32 = 1 << 11;
    /// Of `getopt`.
    pub const OPTIONS: u32 = 1 << 12;
    /// Other buffers that the library hands out.
    pub const BUFFERS: u32 = 1 << 13;
    /// What is in files: read by who touches one of them, written by who may touch any.
    pub const FILES: u32 = 1 << 14;
    /// How many there are.
    pub const COUNT: u32 = 15;
    pub const ALL: u32 = (1 << COUNT) - 1;
}

/// By which of its arguments a function names one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum File {
    None = 0,
    Descriptor = 1,
    Stream = 2,
    /// Standard input, by no argument.
    Input = 3,
    /// Standard output or error, by no argument.
    Output = 4,
    Errors = 5,
    /// Whatever streams there are.
    All = 6,
}

impl File {
    pub fn from_u32(code: u32) -> Option<File> {
        use File::*;
        [None, Descriptor, Stream, Input, Output, Errors, All]
            .into_iter()
            .find(|one| *one as u32 == code)
    }
}

/// What a call touches outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    pub reads: u32,
    pub writes: u32,
    /// One file, by an argument.
    pub file: File,
    pub argument: usize,
    /// It is not only read, or is left standing elsewhere.
    pub changes: bool,
    /// It has the stream's lock meanwhile.
    pub locks: bool,
}

const fn hidden(reads: u32, writes: u32) -> Use {
    Use {
        reads,
        writes,
        file: File::None,
        argument: 0,
        changes: false,
        locks: false,
    }
}

const fn file(kind: File, argument: usize, changes: bool) -> Use {
    Use {
        reads: object::FILES,
        writes: 0,
        file: kind,
        argument,
        changes,
        locks: !matches!(kind, Descriptor),
    }
}

/// What is written to where nobody reads it back.
const fn printed(file: File) -> Use {
    Use {
        file,
        locks: true,
        ..hidden(0, 0)
    }
}

use File::{All, Descriptor, Errors, Input, Output, Stream};
use object::*;

const TABLE: &[(Use, &str)] = &[
    (
        hidden(0, RANDOM),
        "rand srand random srandom initstate setstate",
    ),
    (
        hidden(0, RANDOM_48),
        "drand48 lrand48 mrand48 srand48 seed48 lcong48",
    ),
    (hidden(0, TOKENS), "strtok"),
    (hidden(ENVIRONMENT, 0), "getenv secure_getenv"),
    (hidden(0, ENVIRONMENT), "setenv unsetenv putenv clearenv"),
    (hidden(FOLDER, 0), "getcwd getwd get_current_dir_name"),
    (hidden(NAMES, FOLDER), "chdir"),
    (hidden(0, FOLDER), "fchdir"),
    (hidden(0, RIGHTS), "umask"),
    (hidden(FOLDER | NAMES, DESCRIPTORS), "opendir fdopendir"),
    (
        hidden(FOLDER | RIGHTS, NAMES | DESCRIPTORS),
        "open open64 openat openat64 creat creat64 fopen fopen64 mkstemp mkostemp tmpfile",
    ),
    (hidden(FOLDER | RIGHTS, NAMES), "mkdir mkdirat mkfifo mknod"),
    (
        hidden(FOLDER, NAMES),
        "symlink link linkat unlink unlinkat remove rename renameat rmdir",
    ),
    (
        hidden(FOLDER, NAMES | FILES),
        "truncate truncate64 chmod fchmodat chown lchown utime utimes utimensat mkdtemp",
    ),
    (
        hidden(FOLDER | NAMES | FILES, 0),
        "access faccessat stat stat64 lstat lstat64 fstatat fstatat64 statx readlink realpath",
    ),
    (hidden(FILES, DESCRIPTORS), "dup dup2 dup3 fdopen closedir"),
    // What waits in the stream's buffer goes to the file.
    (
        Use {
            writes: DESCRIPTORS,
            ..file(Stream, 0, true)
        },
        "fclose",
    ),
    (
        Use {
            reads: FOLDER | RIGHTS | FILES,
            writes: NAMES | DESCRIPTORS,
            ..file(Stream, 2, true)
        },
        "freopen freopen64",
    ),
    (
        Use {
            writes: DESCRIPTORS,
            ..file(Descriptor, 0, false)
        },
        "close",
    ),
    (
        hidden(0, PROCESS),
        "setuid setgid seteuid setegid setreuid setregid setgroups setpgid setsid setrlimit nice setpriority",
    ),
    (
        hidden(PROCESS, 0),
        "getuid geteuid getgid getegid getgroups getpgid getpgrp getsid getrlimit getpriority",
    ),
    (
        hidden(0, TABLES),
        "getpwnam getpwuid getgrnam getgrgid getpwent setpwent endpwent getgrent setgrent endgrent \
         gethostbyname gethostbyaddr getservbyname getservbyport getprotobyname",
    ),
    (
        hidden(ENVIRONMENT, TIME),
        "gmtime localtime ctime asctime tzset",
    ),
    (hidden(0, LOCALE), "setlocale localeconv nl_langinfo"),
    (hidden(0, OPTIONS), "getopt getopt_long getopt_long_only"),
    (
        hidden(0, BUFFERS),
        "readdir readdir64 readdir_r rewinddir seekdir telldir tmpnam ttyname ptsname inet_ntoa ecvt fcvt gcvt l64a crypt hsearch hcreate hdestroy mblen mbtowc wctomb \
         ctermid cuserid getlogin",
    ),
    (
        file(Descriptor, 0, true),
        "read write readv writev lseek lseek64 pwrite pwrite64 pwritev ftruncate ftruncate64 fallocate \
         posix_fallocate fsync fdatasync dprintf vdprintf",
    ),
    (
        file(Descriptor, 0, false),
        "pread pread64 preadv fstat fstat64",
    ),
    (
        file(Stream, 0, true),
        "fprintf vfprintf fscanf vfscanf fgetc getc fgetc_unlocked getc_unlocked getw fseek fseeko fseeko64 ftell ftello \
         ftello64 rewind fgetpos fsetpos fflush fflush_unlocked feof feof_unlocked ferror ferror_unlocked clearerr \
         clearerr_unlocked setvbuf setbuf setlinebuf fwprintf vfwprintf fwscanf vfwscanf fgetwc getwc",
    ),
    (
        file(Stream, 1, true),
        "fputs fputs_unlocked fputc fputc_unlocked putc putc_unlocked putw ungetc malloc_info fputwc putwc ungetwc fputws",
    ),
    (file(Stream, 2, true), "fgets fgets_unlocked getline fgetws"),
    (
        file(Stream, 3, true),
        "fwrite fwrite_unlocked fread fread_unlocked getdelim",
    ),
    (
        file(Input, 0, true),
        "getchar getchar_unlocked getwchar gets scanf vscanf wscanf vwscanf",
    ),
    (
        printed(Output),
        "printf vprintf wprintf vwprintf puts putchar putwchar",
    ),
    (
        printed(Errors),
        "perror psignal warn warnx vwarn vwarnx err errx verr verrx malloc_stats",
    ),
    // Standard output is flushed first.
    (printed(All), "error error_at_line"),
];

/// What a function touches outside, if it is in the table. What `_FORTIFY_SOURCE` makes of it touches the same.
pub fn of(name: &str) -> Option<Use> {
    let checked = name.strip_prefix("__").and_then(|rest| {
        let ends = ["_chk", "_2"];
        ends.iter().find_map(|end| rest.strip_suffix(end))
    });
    let name = checked.unwrap_or(name);
    let listed = |names: &str| names.split_ascii_whitespace().any(|one| one == name);
    let line = TABLE.iter().find(|(_, names)| listed(names));
    line.map(|(found, _)| Use {
        locks: found.locks && !name.ends_with("_unlocked"),
        ..*found
    })
}

/// Functions that touch nothing outside, or what no order matters for.
const NOTHING: &[&str] = &[
    "abs labs llabs div ldiv lldiv atoi atol atoll atof qsort qsort_r bsearch lfind lsearch tsearch tfind tdelete",
    "twalk twalk_r tdestroy insque remque a64l ffs ffsl ffsll rand_r drand48_r lrand48_r random_r",
    "getpid getppid gettid sysconf pathconf fpathconf confstr getpagesize getauxval get_nprocs uname gethostname",
    "time clock times gettimeofday clock_gettime clock_getres getrusage sched_getcpu sched_getaffinity",
    "sched_get_priority_min sched_get_priority_max difftime mktime timegm gmtime_r localtime_r asctime_r ctime_r",
    "htonl htons ntohl ntohs inet_addr inet_aton inet_pton inet_ntop inet_network if_nametoindex",
    "iconv iconv_open iconv_close regcomp regexec regfree regerror fnmatch wordfree globfree mbrlen mbrtowc wcrtomb",
    "mbsrtowcs wcsrtombs mbsinit setjmp _setjmp sigsetjmp __sigsetjmp longjmp _longjmp siglongjmp",
    "malloc_usable_size malloc_trim mallopt mallinfo mallinfo2 backtrace backtrace_symbols backtrace_symbols_fd",
    "sigaddset sigdelset sigismember sigemptyset sigfillset dl_iterate_phdr dladdr dlerror dlsym dlopen dlclose",
    "getentropy getrandom arc4random arc4random_uniform arc4random_buf isatty fileno fileno_unlocked",
    "madvise mlock munlock mprotect msync mincore",
];

/// Text and memory that are given, characters, and what C++ is made of.
const NOTHING_BEGINS: &[&str] = &[
    "str",
    "mem",
    "wcs",
    "wmem",
    "is",
    "tow",
    "_Z",
    "__cxa_",
    "__gxx_",
    "_Unwind_",
    "__asan_",
    "__ubsan_",
    "__elw_",
    "elsewise_",
    "klee_",
    "__VERIFIER_",
    "llvm.",
];

/// Does a function that is not in the table touch nothing outside?
pub fn touches_nothing(name: &str) -> bool {
    NOTHING_BEGINS.iter().any(|begin| name.starts_with(begin))
        || NOTHING
            .iter()
            .any(|line| line.split(' ').any(|one| one == name))
}

/// Of the functions in the table, those at which a thread ends that was cancelled.
pub fn is_cancellation_point(name: &str) -> bool {
    const NAMES: &str = "open open64 openat openat64 creat creat64 close read write readv writev pread pread64 preadv \
         pwrite pwrite64 pwritev fsync fdatasync";
    NAMES.split_ascii_whitespace().any(|one| one == name)
}

/// What [`Use`] says, and whether it is a cancellation point, as code says it.
pub mod flags {
    pub const CHANGES: u32 = 1;
    pub const CANCELS: u32 = 2;
    /// Its end is told.
    pub const ENDS: u32 = 4;
    /// It has the stream's lock meanwhile.
    pub const LOCKS: u32 = 8;
    /// From here on, how the file is named.
    pub const FILE_SHIFT: u32 = 8;
}

impl Use {
    pub fn flags(&self, cancels: bool, ends: bool) -> u32 {
        let bit = |is: bool, bit: u32| if is { bit } else { 0 };
        bit(self.changes, flags::CHANGES)
            | bit(cancels, flags::CANCELS)
            | bit(ends, flags::ENDS)
            | bit(self.locks, flags::LOCKS)
            | (self.file as u32) << flags::FILE_SHIFT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_function_is_listed_twice() {
        let mut names: Vec<&str> = TABLE
            .iter()
            .flat_map(|(_, names)| names.split_ascii_whitespace())
            .collect();
        names.sort_unstable();
        for pair in names.windows(2) {
            assert_ne!(pair[0], pair[1]);
        }
    }

    #[test]
    fn what_is_asked_for_is_dependent_on_what_changes_it() {
        for (asks, changes) in [
            ("getenv", "setenv"),
            ("getcwd", "chdir"),
            ("access", "unlink"),
            ("open", "umask"),
            ("open", "close"),
        ] {
            let (asks, changes) = (of(asks).expect(asks), of(changes).expect(changes));
            let touched = asks.reads | asks.writes;
            assert!(touched & changes.writes != 0, "{asks:?} {changes:?}");
        }
    }
}
