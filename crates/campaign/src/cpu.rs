//! Processor time of this process, and of those that solve for it.

/// Seconds of processor time, user and system, of all threads and of processes that solve so far.
pub(crate) fn process_seconds() -> f64 {
    // SAFETY: rusage is plain data, for which zero bytes are a valid value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a live rusage; the call writes nothing else.
    let failed = unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) } != 0;
    let outside = elsewise_solve::spent_outside().as_secs_f64();
    if failed {
        return outside;
    }
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime) + outside
}
