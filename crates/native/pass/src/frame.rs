//! The layout of the runtime's call frame (its `frame` module).

use crate::ir::{Ir, Value};
use crate::parts::MAX_PARTS;
use elsewise_wire::bytecode::{RESULTS, SLOTS};

/// As many arguments as the runtime's frame has room for.
pub const ARGUMENTS: usize = 16;

/// Offsets in the runtime's `Frame`.
const RESULT: u64 = 8;
pub const SITE: u64 = 12;
pub const LABELS: u64 = 16;
pub const VALUES: u64 = LABELS + 4 * ARGUMENTS as u64;
pub const RETURNED: u64 = VALUES + 8 * ARGUMENTS as u64;
const OUTLINED_AT: u64 = RETURNED + 8;
/// Labels of the result's parts but the first.
const MORE_RESULTS: u64 = OUTLINED_AT + 4 * OUTLINED as u64;
/// What the arguments are that a variadic callee takes from its list, four bits each, and how
/// many arguments there are.
pub const CLASSES: u64 = MORE_RESULTS + 4 * MAX_PARTS as u64;
pub const COUNT: u64 = CLASSES + 8;
const SLOTS_AT: u64 = COUNT + 8;
const REACHED_AT: u64 = SLOTS_AT + 8 * SLOTS as u64;
const IN_FLIGHT_AT: u64 = REACHED_AT + 8;
pub const FRAME_SIZE: u64 = IN_FLIGHT_AT + 8;

pub fn result_place(part: usize) -> u64 {
    match part {
        0 => RESULT,
        part => MORE_RESULTS + 4 * (part as u64 - 1),
    }
}

/// Labels that a slow path leaves in the frame.
const OUTLINED: usize = RESULTS - 1;

/// Where a slow path finds value `index`.
pub fn slot(ir: &Ir, frame: Value, index: usize) -> Value {
    ir.offset(frame, SLOTS_AT + 8 * index as u64)
}

/// Where a slow path leaves label `index`.
pub fn outlined_place(ir: &Ir, frame: Value, index: usize) -> Value {
    ir.offset(frame, OUTLINED_AT + 4 * index as u64)
}
