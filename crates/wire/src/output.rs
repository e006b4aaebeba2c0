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
    "fputwc putwc putwchar fwrite fwrite_unlocked pwrite pwrite64",
];

/// Does its result tell of what was written?
pub fn tells(name: &str) -> bool {
    TELLING
        .iter()
        .any(|line| line.split(' ').any(|one| one == name))
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

/// Does a format say `%n`?
pub fn asks_for_count(format: &[u8]) -> bool {
    let mut rest = format;
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        rest = &rest[at + 1..];
        let between = |byte: &u8| b"#0- +'I123456789.*$hlLqjzt".contains(byte);
        let end = rest.iter().position(|byte| !between(byte));
        let Some(end) = end else {
            return false;
        };
        if rest[end] == b'n' {
            return true;
        }
        rest = &rest[end + 1..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::asks_for_count;

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
