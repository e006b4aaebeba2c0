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
