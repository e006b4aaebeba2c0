//! Where runs begin: just before the subject's first input.

use crate::shared::state;
use crate::turns::Turns;

/// Who stops the process there and forks a run for each command.
static SERVER: Turns<Option<fn()>> = Turns::new(None);

/// Said when the program starts, before anybody asks for an input.
pub fn is_served_by(serve: fn()) {
    // SAFETY: its users take turns, as `Turns` says.
    unsafe { *SERVER.get() = Some(serve) };
}

/// The subject asks for its first input: from here on, runs are forked.
pub fn first_input() {
    if state().alone {
        state().running = true;
        return;
    }
    if state().running {
        return;
    }
    // SAFETY: as above.
    if let Some(serve) = unsafe { *SERVER.get() } {
        serve();
    }
}
