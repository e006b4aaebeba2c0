//! Ctrl-C: the first asks the exploration, or the build, to end, the second ends the process.

use elsewise_frontend::{FrontEndError, Problem};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Exit code when a second signal comes before the first was served, as shells have it.
const AT_ONCE: i32 = 130;

/// A flag that SIGINT, SIGTERM and SIGHUP set: what is temporary is removed on the way out.
pub fn stop_flag() -> Result<Arc<AtomicBool>, Problem> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // In this order: the first signal finds the flag unset, and sets it.
        flag::register_conditional_shutdown(signal, AT_ONCE, Arc::clone(&stop))
            .and_then(|_| flag::register(signal, Arc::clone(&stop)))
            .map_err(FrontEndError::Signals)?;
    }
    Ok(stop)
}
