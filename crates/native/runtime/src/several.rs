//! Whether there are several threads.

use core::sync::atomic::{AtomicU8, Ordering};

/// 1 while there is more than one thread, or was and nobody has waited for its end: instrumented
/// code looks here before it says what it touches.
#[unsafe(no_mangle)]
pub static __elw_threads: AtomicU8 = AtomicU8::new(0);

/// Are points needed?
pub fn several() -> bool {
    __elw_threads.load(Ordering::Relaxed) != 0
}
