//! What functions of the C library read and write of the memory that they are given. Threads that touch the same
//! there are dependent. What models in C do, they say themselves.

/// How much is touched, from where an argument points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Bytes(u32),
    /// As many elements of so many bytes as another argument says.
    Elements(usize, u32),
    /// As many bytes as the product of two arguments.
    Product(usize, usize),
    /// Up to a NUL.
    Text,
    /// Parts that are listed there (`struct iovec`), as many as another argument says.
    Parts(usize),
    /// Parts that a message lists (`struct msghdr`).
    Message,
    /// At most up to the end of the object.
    Unknown,
}

/// What a function does with one of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    pub argument: usize,
    pub writes: bool,
    pub extent: Extent,
}

const fn reads(argument: usize, extent: Extent) -> Given {
    Given {
        argument,
        writes: false,
        extent,
    }
}

const fn writes(argument: usize, extent: Extent) -> Given {
    Given {
        argument,
        writes: true,
        extent,
    }
}

use Extent::{Bytes, Elements, Message, Parts, Product, Text, Unknown};

/// A function may stand in several rows.
const TABLE: &[(Given, &str)] = &[
    // Names of files and of other things.
    (
        reads(0, Text),
        "access open open64 creat creat64 fopen fopen64 freopen freopen64 mkdir mkfifo mknod unlink remove rmdir chdir \
         chroot stat stat64 lstat lstat64 statfs statvfs truncate truncate64 chmod chown lchown opendir readlink realpath \
         pathconf rename link symlink utime utimes shm_open shm_unlink sem_open sem_unlink dlopen system popen execv \
         execvp execve execl execlp getpwnam getgrnam gethostbyname getservbyname getprotobyname setenv unsetenv putenv \
         mkstemp mkostemp mkdtemp inet_addr inet_aton inet_network if_nametoindex iconv_open fnmatch glob wordexp \
         crypt",
    ),
    (
        reads(1, Text),
        "openat openat64 mkdirat unlinkat fstatat fstatat64 statx faccessat fchmodat renameat linkat utimensat \
         readlinkat rename link symlink setenv setlocale inet_pton iconv_open fnmatch fopen fopen64 fdopen popen \
         freopen freopen64 regcomp strptime dlsym",
    ),
    (reads(0, Unknown), "strptime"),
    // A flag says where the text of `regexec` ends.
    (
        reads(1, Unknown),
        "mbtowc mbrtowc mbstowcs wcstombs regexec",
    ),
    (reads(2, Text), "strftime symlinkat"),
    (reads(3, Text), "renameat linkat"),
    // Output.
    (reads(0, Text), "puts fputs fputs_unlocked perror"),
    (reads(0, Product(1, 2)), "fwrite fwrite_unlocked"),
    (reads(1, Elements(2, 1)), "pwrite pwrite64 sendto"),
    (reads(1, Parts(2)), "writev pwritev pwritev64"),
    (writes(1, Parts(2)), "readv preadv preadv64"),
    (reads(1, Message), "sendmsg"),
    // Times.
    (
        reads(0, Bytes(8)),
        "gmtime localtime ctime gmtime_r localtime_r ctime_r",
    ),
    (reads(0, Bytes(56)), "asctime asctime_r mktime timegm"),
    (reads(3, Bytes(56)), "strftime"),
    (writes(0, Bytes(8)), "time"),
    (writes(0, Bytes(32)), "times"),
    (writes(0, Bytes(16)), "gettimeofday timespec_get"),
    (writes(1, Bytes(16)), "clock_gettime clock_getres"),
    (reads(0, Bytes(16)), "nanosleep thrd_sleep"),
    (
        writes(1, Bytes(32)),
        "getitimer timer_gettime timerfd_gettime",
    ),
    (reads(1, Bytes(32)), "setitimer"),
    (writes(2, Bytes(32)), "setitimer"),
    // Files.
    (
        writes(1, Bytes(144)),
        "stat stat64 lstat lstat64 fstat fstat64",
    ),
    (writes(2, Bytes(144)), "fstatat fstatat64"),
    (writes(4, Bytes(256)), "statx"),
    (writes(1, Bytes(120)), "statfs fstatfs"),
    (writes(0, Bytes(8)), "pipe pipe2"),
    (writes(3, Bytes(8)), "socketpair"),
    (writes(0, Unknown), "poll ppoll"),
    (writes(1, Unknown), "select pselect"),
    (writes(2, Unknown), "select pselect"),
    (writes(3, Unknown), "select pselect"),
    (
        writes(1, Unknown),
        "epoll_wait epoll_pwait getsockname getpeername accept accept4",
    ),
    (
        writes(2, Bytes(4)),
        "getsockname getpeername accept accept4",
    ),
    (writes(4, Bytes(4)), "getsockopt"),
    (writes(3, Unknown), "getsockopt"),
    (writes(2, Unknown), "ioctl fcntl fcntl64"),
    (writes(0, Text), "mkstemp mkostemp mkdtemp"),
    // Memory and text.
    (
        writes(0, Elements(1, 1)),
        "getentropy getrandom arc4random_buf memfrob",
    ),
    (writes(0, Text), "strfry"),
    (writes(0, Bytes(8)), "posix_memalign"),
    (writes(0, Unknown), "swprintf vswprintf fgetws"),
    (
        writes(1, Unknown),
        "confstr wscanf pthread_getname_np getlogin_r",
    ),
    (
        writes(2, Unknown),
        "inet_ntop inet_pton fwscanf swscanf wscanf",
    ),
    (writes(3, Unknown), "fwscanf swscanf wscanf"),
    (writes(4, Unknown), "fwscanf swscanf ecvt_r fcvt_r"),
    (writes(2, Bytes(4)), "ecvt_r fcvt_r"),
    (writes(3, Bytes(4)), "ecvt_r fcvt_r"),
    (writes(1, Bytes(4)), "inet_aton"),
    (
        writes(1, Bytes(8)),
        "mbsrtowcs wcsrtombs mbsnrtowcs wcsnrtombs iconv",
    ),
    (writes(2, Bytes(8)), "iconv"),
    (writes(3, Bytes(8)), "iconv"),
    (writes(4, Bytes(8)), "iconv"),
    (writes(0, Bytes(64)), "regcomp"),
    (reads(0, Bytes(64)), "regexec"),
    (writes(3, Elements(2, 8)), "regexec"),
    // Numbers.
    (writes(0, Bytes(6)), "erand48 nrand48 jrand48"),
    (
        writes(0, Bytes(24)),
        "drand48_r lrand48_r mrand48_r srand48_r",
    ),
    (writes(1, Bytes(8)), "drand48_r lrand48_r mrand48_r sincos"),
    (writes(2, Bytes(8)), "sincos"),
    (writes(1, Bytes(4)), "sincosf lgamma_r lgammaf_r gamma_r"),
    (writes(2, Bytes(4)), "sincosf remquo remquof"),
    (writes(0, Elements(1, 8)), "getloadavg"),
    // Processes, threads, signals.
    (writes(0, Bytes(112)), "sysinfo"),
    (writes(1, Bytes(4)), "sem_getvalue sigwait"),
    (reads(1, Bytes(152)), "sigaction"),
    (writes(2, Bytes(152)), "sigaction"),
    (reads(1, Bytes(8)), "pthread_sigmask sigprocmask"),
    (writes(2, Bytes(8)), "pthread_sigmask sigprocmask"),
    (writes(0, Bytes(8)), "sigpending sigaddset sigdelset"),
    (reads(0, Bytes(8)), "sigismember sigsuspend sigwait"),
    (writes(1, Bytes(48)), "getpwnam_r getpwuid_r"),
    (writes(1, Bytes(32)), "getgrnam_r getgrgid_r"),
    (
        writes(2, Unknown),
        "getpwnam_r getpwuid_r getgrnam_r getgrgid_r",
    ),
    (
        writes(4, Bytes(8)),
        "getpwnam_r getpwuid_r getgrnam_r getgrgid_r",
    ),
];

/// The name without what a model or `_FORTIFY_SOURCE` makes of it.
fn plain(name: &str) -> &str {
    let name = name.strip_prefix("__elw_m_").unwrap_or(name);
    let checked = name.strip_prefix("__");
    checked
        .and_then(|rest| rest.strip_suffix("_chk"))
        .unwrap_or(name)
}

/// What a function does with what it is given.
pub fn of(name: &str) -> impl Iterator<Item = Given> {
    let name = plain(name);
    let named = move |names: &str| names.split_ascii_whitespace().any(|one| one == name);
    let rows = TABLE.iter().filter(move |(_, names)| named(names));
    rows.map(|(given, _)| *given)
}

/// Is a text all that is read of what this argument points to?
pub fn reads_text(name: &str, argument: usize) -> bool {
    let mut read = of(name).filter(|given| given.argument == argument && !given.writes);
    read.next().is_some_and(|given| given.extent == Text) && read.next().is_none()
}

/// Functions that print what a format asks for: which argument it is, and whether a `va_list` comes behind it.
const FORMATS: &[(usize, bool, &str)] = &[
    (0, false, "printf warn warnx"),
    (0, true, "vprintf vwarn vwarnx"),
    (1, false, "fprintf dprintf syslog err errx __printf_chk"),
    (
        1,
        true,
        "vfprintf vdprintf vsyslog verr verrx __vprintf_chk",
    ),
    (2, false, "error __fprintf_chk __dprintf_chk __syslog_chk"),
    (2, true, "__vfprintf_chk __vdprintf_chk __vsyslog_chk"),
    (4, false, "error_at_line"),
];

pub fn format_of(name: &str) -> Option<(usize, bool)> {
    let named = |names: &str| names.split(' ').any(|one| one == name);
    let row = FORMATS.iter().find(|(.., names)| named(names));
    row.map(|(format, list, _)| (*format, *list))
}

/// How code says a [`Given`].
pub mod how {
    pub const WRITES: u32 = 1;
    /// Else, so many bytes.
    pub const TEXT: u32 = 2;
    pub const PARTS: u32 = 4;
    pub const UNKNOWN: u32 = 8;
    pub const MESSAGE: u32 = 16;
}

impl Given {
    pub fn how(&self) -> u32 {
        let kind = match self.extent {
            Bytes(_) | Elements(..) | Product(..) => 0,
            Text => how::TEXT,
            Parts(_) => how::PARTS,
            Message => how::MESSAGE,
            Unknown => how::UNKNOWN,
        };
        kind | if self.writes { how::WRITES } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_does_several_things() {
        let all: Vec<Given> = of("stat").collect();
        assert_eq!(all, [reads(0, Text), writes(1, Bytes(144))]);
        let both = [reads(0, Text), reads(1, Text)];
        assert_eq!(of("rename").collect::<Vec<_>>(), both);
        assert_eq!(of("__fwrite_chk").next(), of("fwrite").next());
        assert_eq!(of("__elw_m_pipe").next(), Some(writes(0, Bytes(8))));
        assert_eq!(of("frobnicate").next(), None);
    }

    #[test]
    fn no_row_names_a_function_twice() {
        for (_, names) in TABLE {
            let mut names: Vec<&str> = names.split_ascii_whitespace().collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{names:?}");
        }
    }

    #[test]
    fn formats_stand_where_the_manual_has_them() {
        assert_eq!(format_of("printf"), Some((0, false)));
        assert_eq!(format_of("__fprintf_chk"), Some((2, false)));
        assert_eq!(format_of("vfprintf"), Some((1, true)));
        assert_eq!(format_of("puts"), None);
    }
}
