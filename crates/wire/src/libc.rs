//! Functions of the C library that have models, in one table: what the pass calls in their place,
//! what the runtime object has to export, and what the book says of them is made from it.

/// Functions that are followed alike.
#[cfg_attr(
    not(any(test, feature = "map")),
    expect(dead_code, reason = "the runtime needs names alone")
)]
struct Row {
    /// Names whose models are in C (`driver/support/models`), and in the runtime.
    c: &'static str,
    runtime: &'static str,
    /// Names of functions that need no model, or a formula, and are followed like these.
    others: &'static str,
    followed: &'static str,
    how: &'static str,
}

const EXACT: &str = "exact";

const OF_MEMORY: &str =
    "malloc calloc realloc reallocarray aligned_alloc memalign posix_memalign free";

#[rustfmt::skip]
const TABLE: &[Row] = &[
    Row {
        c: "",
        runtime: "strcmp strncmp strcasecmp strncasecmp memcmp bcmp strcoll",
        others: "",
        followed: EXACT,
        how: "one term over the bytes: `strcmp(word, \"begin\") == 0` is one choice. Of more than 4,096 bytes the rest is made concrete.",
    },
    Row {
        c: "isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit \
            toascii tolower toupper abs labs imaxabs ffs ffsl htonl htons div ldiv lldiv imaxdiv",
        runtime: "",
        others: "llabs ffsll ntohl ntohs",
        followed: EXACT,
        how: "one term",
    },
    Row {
        c: "strlen strnlen strchr strchrnul strrchr memchr rawmemchr memrchr strstr strcasestr memmem strverscmp",
        runtime: "",
        others: "index rindex",
        followed: EXACT,
        how: "a choice for each byte",
    },
    Row {
        c: "strspn strcspn strpbrk strtok strtok_r strsep",
        runtime: "",
        others: "",
        followed: EXACT,
        how: "a choice for each byte, however many delimiters there are",
    },
    Row {
        c: "strcpy stpcpy strncpy stpncpy strcat strncat strdup strndup strxfrm memccpy __strcpy_chk __stpcpy_chk \
            __strncpy_chk __stpncpy_chk __strcat_chk __strncat_chk __strcoll_l __strxfrm_l",
        runtime: "",
        others: "",
        followed: EXACT,
        how: "the length is decided by choices, the bytes are copied with their labels",
    },
    Row {
        c: "mempcpy bcopy bzero swab __memcpy_chk __mempcpy_chk __memset_chk",
        runtime: "memmove memset memcpy",
        others: "explicit_bzero",
        followed: EXACT,
        how: "addresses and sizes that depend on the input are made concrete",
    },
    Row {
        c: "strtol strtoul atoi atol",
        runtime: "",
        others: "strtoll strtoull strtoimax strtoumax atoll",
        followed: EXACT,
        how: "choices for the syntax, a term for the value",
    },
    Row {
        c: "strtod strtof atof __strtod_l __strtof_l",
        runtime: "",
        others: "",
        followed: "up to 15 (`float`: 7) digits and powers of ten up to 22 (10)",
        how: "choices for the syntax; hexadecimal digits without an exponent, infinities and NaNs are followed, too; other numbers are made concrete",
    },
    Row {
        c: "strtold",
        runtime: "",
        others: "",
        followed: "made concrete",
        how: "choices for the syntax",
    },
    Row {
        c: "sscanf vsscanf fscanf vfscanf scanf vscanf",
        runtime: "",
        others: "",
        followed: EXACT,
        how: "all conversions but those of wide characters and arguments by number, which are opaque",
    },
    Row {
        c: "snprintf vsnprintf sprintf vsprintf asprintf vasprintf __snprintf_chk __vsnprintf_chk __sprintf_chk \
            __vsprintf_chk __asprintf_chk __vasprintf_chk",
        runtime: "",
        others: "",
        followed: "text is followed",
        how: "numbers are followed only as far as the arguments of a variadic call are: today they are made concrete by the caller. Wide characters and arguments by number are opaque.",
    },
    Row {
        c: "wcslen wcsnlen wcscmp wcsncmp wmemcmp wcschr wcsrchr wmemchr wcsstr wmemcpy wmemset wcscpy wcsncpy wcscat \
            wcsdup wcstol wcstoul wcstod towupper towlower iswdigit iswupper iswlower iswalpha iswalnum iswspace \
            iswblank iswcntrl iswprint iswgraph iswxdigit iswpunct btowc wctob __wcscoll_l __towlower_l __towupper_l",
        runtime: "",
        others: "wcscoll wmemmove wcstoll wcstoull",
        followed: EXACT,
        how: "as their counterparts for bytes",
    },
    Row {
        c: "qsort qsort_r bsearch lfind lsearch",
        runtime: "",
        others: "",
        followed: EXACT,
        how: "the comparisons that glibc 2.36 makes, in its order (a merge sort)",
    },
    Row {
        c: "getopt getopt_long getopt_long_only",
        runtime: "",
        others: "",
        followed: EXACT,
        how: "but for the wording of the message about an ambiguous option",
    },
    Row {
        c: "fgetc getchar __underflow ungetc fgets fread getdelim getline __fgets_chk __fread_chk __read_chk \
            __pread_chk __pread64_chk __recv_chk fseek ftell rewind fgetpos fsetpos fclose freopen",
        runtime: "read",
        others: "getc",
        followed: EXACT,
        how: "and their unlocked forms; on a stream whose descriptor is an input: see below",
    },
    Row {
        c: "_Znwm _Znam _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm",
        runtime: OF_MEMORY,
        others: "new delete",
        followed: EXACT,
        how: "a size that depends on the input is made concrete",
    },
    Row {
        c: "getenv secure_getenv",
        runtime: "",
        others: "",
        followed: EXACT,
        how: "names of variables may be input, too",
    },
    Row {
        c: "fmod fmodf",
        runtime: "",
        others: "sqrt fabs floor ceil trunc rint nearbyint round roundeven fmin fmax copysign",
        followed: EXACT,
        how: "for `double` and `float`, as terms on floats; other functions of the mathematical library (`sin`, `pow`, …) get their arguments made concrete",
    },
    Row {
        c: "gmtime localtime asctime ctime getpwnam getpwuid getgrnam getgrgid ttyname readdir localtime_r gmtime_r mktime timegm strftime asctime_r ctime_r strptime getcwd gethostname uname readlink \
            realpath strerror_r __xpg_strerror_r ttyname_r getrusage getrlimit statvfs fstatvfs tcgetattr sigemptyset \
            sigfillset waitpid wait getgroups getsockname mbtowc mbrtowc mbstowcs wcstombs wctomb wcrtomb frexp frexpf \
            modf modff rand_r fesetround fetestexcept feenableexcept fegetenv fesetenv feholdexcept feupdateenv \
            fegetexceptflag fesetexceptflag hsearch hsearch_r __readlink_chk __getcwd_chk __realpath_chk __poll_chk \
            __fdelt_chk __fdelt_warn __open_2 __open64_2 __openat_2 __openat64_2 on_exit open_memstream \
            open_wmemstream fmemopen fopencookie",
        runtime: "",
        others: "",
        followed: "not followed",
        how: "arguments are made concrete; what is overwritten is not taken for input any more",
    },
    Row {
        c: "pthread_once call_once",
        runtime: "pipe pipe2 socketpair eventfd eventfd_read eventfd_write socket accept accept4 listen connect close \
            flock flockfile ftrylockfile funlockfile shutdown write writev send sendto sendmsg recv recvfrom recvmsg \
            poll ppoll select pselect epoll_wait sem_open sem_close sem_unlink syscall",
        others: "",
        followed: "as threads wait for each other",
        how: "moves of the schedule where there are several threads: see [Threads](threads.md)",
    },
    Row {
        c: "",
        runtime: "sigaction signal signalfd raise pthread_kill pthread_sigmask sigprocmask pause sigsuspend sigwait \
            sigwaitinfo sigtimedwait alarm setitimer abort",
        others: "",
        followed: "as signals come",
        how: "see [Threads](threads.md)",
    },
    Row {
        c: "",
        runtime: "fork _Fork vfork system popen posix_spawn posix_spawnp",
        others: "",
        followed: "not followed",
        how: "what other processes choose counts as `forked`",
    },
    Row {
        c: "",
        runtime: "",
        others: "printf fprintf puts fputs fputc fwrite syslog perror exit",
        followed: "nothing to follow",
        how: "and others that only write out: what is written has no influence on the program, unless it looks at the result or reads it back",
    },
];

/// Other names of what the table has: on this platform they are the same function, or differ in
/// what does not matter here (locking, the C locale's order). One that a program may define has a
/// symbol of its own.
#[cfg(any(test, feature = "map"))]
const ALIASES: &[(&str, &str)] = &[
    ("__memmove_chk", "__memcpy_chk"),
    ("explicit_bzero", "bzero"),
    ("__explicit_bzero_chk", "bzero"),
    ("strcoll_l", "__strcoll_l"),
    ("strxfrm_l", "__strxfrm_l"),
    ("strtod_l", "__strtod_l"),
    ("strtof_l", "__strtof_l"),
    ("wcscoll_l", "__wcscoll_l"),
    ("towlower_l", "__towlower_l"),
    ("towupper_l", "__towupper_l"),
    ("wcscoll", "wcscmp"),
    ("wmemmove", "wmemcpy"),
    ("wcstoll", "wcstol"),
    ("wcstoull", "wcstoul"),
    ("index", "strchr"),
    ("rindex", "strrchr"),
    ("__strdup", "strdup"),
    ("__strndup", "strndup"),
    ("__strtok_r", "strtok_r"),
    ("__rawmemchr", "rawmemchr"),
    ("__stpcpy", "stpcpy"),
    ("__mempcpy", "mempcpy"),
    ("llabs", "labs"),
    ("ffsll", "ffsl"),
    ("ntohl", "htonl"),
    ("ntohs", "htons"),
    ("strtoll", "strtol"),
    ("strtoimax", "strtol"),
    ("strtoq", "strtol"),
    ("strtoull", "strtoul"),
    ("strtoumax", "strtoul"),
    ("strtouq", "strtoul"),
    ("atoll", "atol"),
    ("__isoc99_sscanf", "sscanf"),
    ("__isoc99_vsscanf", "vsscanf"),
    ("__isoc99_fscanf", "fscanf"),
    ("__isoc99_vfscanf", "vfscanf"),
    ("__isoc99_scanf", "scanf"),
    ("__isoc99_vscanf", "vscanf"),
    ("__isoc23_sscanf", "sscanf"),
    ("__isoc23_vsscanf", "vsscanf"),
    ("__isoc23_fscanf", "fscanf"),
    ("__isoc23_vfscanf", "vfscanf"),
    ("__isoc23_scanf", "scanf"),
    ("__isoc23_vscanf", "vscanf"),
    ("getc", "fgetc"),
    ("_IO_getc", "fgetc"),
    ("fgetc_unlocked", "fgetc"),
    ("getc_unlocked", "fgetc"),
    ("__uflow", "fgetc"),
    ("getchar_unlocked", "getchar"),
    ("fgets_unlocked", "fgets"),
    ("__fgets_unlocked_chk", "__fgets_chk"),
    ("fread_unlocked", "fread"),
    ("__fread_unlocked_chk", "__fread_chk"),
    ("__getdelim", "getdelim"),
    ("fseeko", "fseek"),
    ("fseeko64", "fseek"),
    ("ftello", "ftell"),
    ("ftello64", "ftell"),
    ("fgetpos64", "fgetpos"),
    ("fsetpos64", "fsetpos"),
    ("freopen64", "freopen"),
    ("__assert_fail", "assert_fail"),
    ("__cxa_allocate_exception", "cxa_allocate_exception"),
];

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_ascii_whitespace()
}

#[cfg(any(test, feature = "map"))]
fn has_row(name: &str) -> bool {
    TABLE.iter().any(|row| {
        words(row.c)
            .chain(words(row.runtime))
            .any(|one| one == name)
    })
}

/// The symbol by which a function is called whose place a model takes: one of the runtime, or one in
/// C that is instrumented as the program is. Models are weak: who defines such a function defines
/// its symbol as well, and so the linker chooses.
#[cfg(any(test, feature = "map"))]
pub fn model(name: &str) -> Option<String> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    match alias {
        Some((_, model)) if name.starts_with('_') => Some(format!("__elw_m_{model}")),
        Some(_) => Some(format!("__elw_m_{name}")),
        None => has_row(name).then(|| format!("__elw_m_{name}")),
    }
}

/// Functions that have a model which does what the C library's does, not what another one of that name may do.
pub fn modelled() -> impl Iterator<Item = &'static str> {
    let rows = TABLE.iter().filter(|row| row.runtime != OF_MEMORY);
    rows.flat_map(|row| words(row.c).chain(words(row.runtime)))
}

/// Symbols of the models that are in the runtime.
#[cfg(any(test, feature = "map"))]
pub fn runtime_symbols() -> impl Iterator<Item = String> {
    let names = TABLE.iter().flat_map(|row| words(row.runtime));
    names.map(|name| format!("__elw_m_{name}"))
}

/// The table as the book has it, without names that nobody writes.
#[cfg(any(test, feature = "map"))]
pub fn book() -> String {
    let mut out = "| functions | followed | how |\n|---|---|---|\n".to_owned();
    for row in TABLE {
        let names = words(row.c)
            .chain(words(row.runtime))
            .chain(words(row.others));
        let names = names.filter(|name| !name.starts_with('_'));
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        out += &format!("| {} | {} | {} |\n", names.join(" "), row.followed, row.how);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{ALIASES, TABLE, book, has_row, model, runtime_symbols, words};
    use std::collections::BTreeSet;

    #[test]
    #[cfg_attr(miri, ignore = "a long table: slow there, and safe code")]
    fn each_function_stands_in_one_row() {
        let mut seen = BTreeSet::new();
        for row in TABLE {
            for name in words(row.c)
                .chain(words(row.runtime))
                .chain(words(row.others))
            {
                assert!(seen.insert(name), "{name}");
            }
        }
        for (alias, name) in ALIASES {
            assert!(!has_row(alias), "{alias}");
            // Two are models of what has no other name.
            assert!(has_row(name) || alias.ends_with(name), "{alias}");
        }
    }

    #[test]
    fn names_have_symbols() {
        assert_eq!(model("strlen").as_deref(), Some("__elw_m_strlen"));
        assert_eq!(model("index").as_deref(), Some("__elw_m_index"));
        assert_eq!(model("__isoc99_sscanf").as_deref(), Some("__elw_m_sscanf"));
        assert_eq!(model("frobnicate"), None);
        assert!(runtime_symbols().any(|one| one == "__elw_m_strcmp"));
        assert!(!runtime_symbols().any(|one| one == "__elw_m_strlen"));
        assert!(book().contains("| `qsort` `qsort_r` `bsearch` `lfind` `lsearch` | exact |"));
    }
}
