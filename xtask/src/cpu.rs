//! Processor time of the processes that a task has started.

/// Of all children that have ended, in user mode and in the kernel.
pub fn children_seconds() -> f64 {
    let usage = children();
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Of all children that have ended, in user mode.
pub fn children_user_seconds() -> f64 {
    seconds(children().ru_utime)
}

fn children() -> libc::rusage {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: getrusage fills the structure that it is given; zeroes are a valid one too.
    unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    }
}

fn seconds(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}
