//! Counts what no instrumented code has done itself.

use crate::frame::frame;
use crate::shared::state;
use elsewise_wire::Reason;

/// Input has gone where it is not followed.
pub fn unfollowed() {
    count(Reason::Input);
}

/// Was it counted before that input has gone there?
pub fn is_told() -> bool {
    let (state, reason) = (state(), Reason::Input as usize);
    state.counted[reason].is_some() || state.header().before[reason] != 0
}

/// Counts what the last call out of instrumented code has led to, in this run or, before runs begin, in all.
pub fn count(reason: Reason) {
    let state = state();
    let site = frame().site;
    if state.running {
        let last = &mut state.counted[reason as usize];
        if last.replace(site) != Some(site) {
            state.opaque(site, reason);
        }
    } else if state.traced() {
        let shown = state.shown(site).saturating_add(1);
        let before = &mut state.header().before[reason as usize];
        if *before == 0 {
            *before = shown;
        }
    }
}
