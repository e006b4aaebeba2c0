//! Functions by whose arguments nothing that a program does later is decided.

/// Functions that only write out what they are given, end the run, or tell what no input has a
/// say in: nothing that the program does later depends on their arguments, so these are not made
/// concrete.
const ONLY_OUTPUT: &[&str] = &[
    "printf fprintf dprintf vprintf vfprintf vdprintf puts putchar putchar_unlocked fputs",
    "fputs_unlocked fputc fputc_unlocked putc putc_unlocked fwrite fwrite_unlocked write pwrite",
    "pwrite64 writev fflush fflush_unlocked perror psignal syslog vsyslog openlog closelog",
    "__printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk __dprintf_chk __vdprintf_chk",
    "__syslog_chk __vsyslog_chk __overflow _IO_putc putw error error_at_line warn warnx vwarn",
    "vwarnx err errx verr verrx fputwc putwc putwchar fputws wprintf fwprintf fsync fdatasync",
    "exit _exit _Exit quick_exit __stack_chk_fail __chk_fail",
    "__elw_m_abort __elw_m_assert_fail",
    "__errno_location __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc",
];

/// So many bytes are looked at where there is a text: as many as it has.
pub const TEXT: u32 = u32::MAX;

/// Is it one of them?
pub fn only_writes(name: &str) -> bool {
    ONLY_OUTPUT
        .iter()
        .any(|line| line.split(' ').any(|one| one == name))
}

/// Those of them whose result depends on what they are given.
const TELLING: &[&str] = &[
    "printf fprintf dprintf vprintf vfprintf vdprintf wprintf fwprintf",
    "__printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk __dprintf_chk __vdprintf_chk",
    "putchar putchar_unlocked fputc fputc_unlocked putc putc_unlocked _IO_putc __overflow",
    "puts fputwc putwc putwchar fwrite fwrite_unlocked pwrite pwrite64",
];

/// Does its result tell of what was written?
pub fn tells(name: &str) -> bool {
    TELLING
        .iter()
        .any(|line| line.split(' ').any(|one| one == name))
}

/// What an argument of a function stands for by which files are written or asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Target {
    Descriptor = 0,
    Stream = 1,
    /// Any file, by its name.
    Path = 2,
    /// A stream that is given a buffer of the program's.
    Buffered = 3,
    /// Whatever is given comes back in a way that is not followed.
    Sent = 4,
}

impl Target {
    pub fn from_u32(code: u32) -> Option<Target> {
        use Target::*;
        [Descriptor, Stream, Path, Buffered, Sent]
            .into_iter()
            .find(|one| *one as u32 == code)
    }
}

fn found(table: &[(usize, Target, &str)], name: &str) -> Option<(usize, Target)> {
    let listed = |names: &str| names.split(' ').any(|one| one == name);
    let line = table.iter().find(|(_, _, names)| listed(names));
    line.map(|(argument, target, _)| (*argument, *target))
}

/// Which argument of an output function says where it writes. A model of `write` knows what it writes.
pub fn written_by(name: &str) -> Option<(usize, Target)> {
    use Target::*;
    found(
        &[
            (
                0,
                Stream,
                "fprintf vfprintf __fprintf_chk __vfprintf_chk fwprintf vfwprintf __overflow",
            ),
            (
                1,
                Stream,
                "fputs fputs_unlocked fputc fputc_unlocked putc putc_unlocked _IO_putc",
            ),
            (1, Stream, "fputwc putwc fputws putw"),
            (3, Stream, "fwrite fwrite_unlocked"),
            (
                0,
                Descriptor,
                "dprintf vdprintf __dprintf_chk __vdprintf_chk pwrite pwrite64 writev",
            ),
            (0, Descriptor, "pwritev pwritev64"),
        ],
        name,
    )
}

/// Does it write as many bytes whatever it is given, where those of its arguments that `constant` names are
/// constants?
pub fn amount_is_known(name: &str, constant: impl Fn(usize) -> bool) -> bool {
    match name {
        "fputc" | "fputc_unlocked" | "putc" | "putc_unlocked" | "_IO_putc" | "putw" => true,
        "fputs" | "fputs_unlocked" => constant(0),
        "fwrite" | "fwrite_unlocked" => constant(1) && constant(2),
        _ => false,
    }
}

/// Which argument says of what a function tells how much was written there; or, of what is [`Target::Sent`], gives it
/// back in another way.
pub fn told_by(name: &str) -> Option<(usize, Target)> {
    use Target::*;
    found(
        &[
            (0, Stream, "ftell ftello ftello64 fgetpos fgetpos64"),
            (0, Descriptor, "lseek lseek64 fstat fstat64"),
            (1, Descriptor, "__fxstat __fxstat64"),
            (
                0,
                Path,
                "stat stat64 lstat lstat64 wait waitpid wait3 wait4 waitid",
            ),
            (1, Path, "fstatat fstatat64 statx __xstat __lxstat"),
            (0, Buffered, "setvbuf setbuf setbuffer"),
            (0, Sent, "pclose __fpending"),
            (1, Sent, "sigqueue pthread_sigqueue"),
        ],
        name,
    )
}

/// Which argument of a function says how the others are printed: it may ask for how much that was,
/// in memory of the program.
pub fn format_of(name: &str) -> Option<usize> {
    match name {
        "printf" | "vprintf" => Some(0),
        "fprintf" | "vfprintf" | "dprintf" | "vdprintf" => Some(1),
        _ => None,
    }
}

/// How much of a text a conversion prints at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    None,
    Fixed(u64),
    /// As an argument says.
    Argument(usize),
}

/// One thing that a format asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// Its letter.
    pub kind: u8,
    /// `l` or `L` before it, in any form that is as long.
    pub long: u8,
    pub precision: Precision,
    /// Which of the arguments behind the format it is for.
    pub argument: usize,
    /// How many arguments are asked for up to here.
    pub taken: usize,
}

/// What a format asks for, in its order.
pub fn conversions(format: &[u8]) -> impl Iterator<Item = Conversion> {
    let (mut rest, mut taken) = (format, 0);
    core::iter::from_fn(move || {
        loop {
            let at = rest.iter().position(|byte| *byte == b'%')?;
            rest = &rest[at + 1..];
            match rest.first()? {
                b'%' => rest = &rest[1..],
                _ => return conversion(&mut rest, &mut taken),
            }
        }
    })
}

fn conversion(rest: &mut &[u8], taken: &mut usize) -> Option<Conversion> {
    let own = numbered(rest);
    while rest.first().is_some_and(|byte| b"#0- +'I".contains(byte)) {
        *rest = &rest[1..];
    }
    amount(rest, taken);
    let mut precision = Precision::None;
    if rest.first() == Some(&b'.') {
        *rest = &rest[1..];
        precision = match amount(rest, taken) {
            Precision::None => Precision::Fixed(0),
            given => given,
        };
    }
    let mut long = 0;
    loop {
        let (byte, behind) = rest.split_first()?;
        *rest = behind;
        match byte {
            b'h' => {}
            b'l' | b'q' | b'j' | b'z' | b't' | b'Z' => long = b'l',
            b'L' => long = b'L',
            kind => {
                let none = matches!(kind, b'm' | b'%');
                let argument = own.unwrap_or(*taken);
                *taken += usize::from(own.is_none() && !none);
                return Some(Conversion {
                    kind: *kind,
                    long,
                    precision,
                    argument,
                    taken: *taken,
                });
            }
        }
    }
}

/// A number, or where it is given.
fn amount(rest: &mut &[u8], taken: &mut usize) -> Precision {
    if let Some((b'*', behind)) = rest.split_first() {
        *rest = behind;
        let argument = numbered(rest).unwrap_or(*taken);
        *taken += usize::from(argument == *taken);
        return Precision::Argument(argument);
    }
    number(rest).map_or(Precision::None, Precision::Fixed)
}

fn number(rest: &mut &[u8]) -> Option<u64> {
    let is_digit = |byte: &&u8| byte.is_ascii_digit();
    let length = rest.iter().take_while(is_digit).count();
    let (digits, behind) = rest.split_at(length);
    *rest = behind;
    let add = |sum: u64, digit: &u8| sum.saturating_mul(10).saturating_add((digit - b'0').into());
    (length > 0).then(|| digits.iter().fold(0, add))
}

/// The argument that is named by `3$`.
fn numbered(rest: &mut &[u8]) -> Option<usize> {
    let mut behind = *rest;
    let number = number(&mut behind)?;
    *rest = behind.strip_prefix(b"$")?;
    usize::try_from(number).ok()?.checked_sub(1)
}

/// Does a format say `%n`?
pub fn asks_for_count(format: &[u8]) -> bool {
    conversions(format).any(|one| one.kind == b'n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_of_output() {
        assert_eq!(written_by("fwrite"), Some((3, Target::Stream)));
        assert_eq!(written_by("dprintf"), Some((0, Target::Descriptor)));
        assert_eq!(written_by("printf"), None);
        assert_eq!(told_by("ftell"), Some((0, Target::Stream)));
        assert_eq!(told_by("fputs"), None);
        assert_eq!(Target::from_u32(Target::Sent as u32), Some(Target::Sent));
    }

    #[test]
    fn formats_name_their_arguments() {
        let of = |format: &str| {
            let all = conversions(format.as_bytes());
            all.map(|one| (one.kind as char, one.argument, one.precision))
                .collect::<Vec<_>>()
        };
        use Precision::*;
        assert_eq!(of("%s %d"), [('s', 0, None), ('d', 1, None)]);
        assert_eq!(of("%%%-*.*s|"), [('s', 2, Argument(1))]);
        assert_eq!(of("%2$s%1$.3s"), [('s', 1, None), ('s', 0, Fixed(3))]);
        assert_eq!(of("%m%lld%."), [('m', 0, None), ('d', 0, None)]);
        assert_eq!(
            of("%08.2Lf%hhx%ls"),
            [('f', 0, Fixed(2)), ('x', 1, None), ('s', 2, None)]
        );
        assert_eq!(of("100%"), []);
    }

    #[test]
    fn formats_that_ask_for_the_count() {
        for (format, asks) in [
            ("%d%n", true),
            ("%%n", false),
            ("%5.*hhn", true),
            ("100%", false),
            ("%dn %s", false),
            ("%%%ln", true),
        ] {
            assert_eq!(asks_for_count(format.as_bytes()), asks, "{format}");
        }
    }
}
