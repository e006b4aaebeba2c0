//! Processor time of this process.

/// Seconds of processor time, user and system, of all threads so far.
pub(crate) fn process_seconds() -> f64 {
    // SAFETY: rusage is plain data, for which zero bytes are a valid value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a live rusage; the call writes nothing else.
    let failed = unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) } != 0;
    if failed {
        return 0.0;
    }
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}
