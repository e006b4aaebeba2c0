//! What the engine is told of moves.

use crate::shared::state;
use elsewise_wire::EventKind;
use elsewise_wire::threads::{Note, SyncOp};

/// Says that the present move touches an object.
pub fn report(site: u32, sync: SyncOp, number: u64, changes: bool, needs: u32, before: u32) {
    let detail = (sync as u8) << 1 | u8::from(changes);
    let pad = (before.min(255) << 8 | needs) as u16;
    let (low, high) = (number as u32, (number >> 32) as u32);
    state().event_with(EventKind::SyncOp, detail, pad, site, low, high);
}

/// Says what no schedule depends on.
pub fn note(site: u32, note: Note, number: u64) {
    let (low, high) = (number as u32, (number >> 32) as u32);
    state().event(EventKind::Note, note as u8, site, low, high);
}

/// Says that the present move has a fence.
pub fn fence(site: u32, flags: u8) {
    state().event_with(EventKind::Access, flags, 0, site, 0, 0);
}
