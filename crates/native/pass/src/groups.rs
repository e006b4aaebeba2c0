//! Groups: consecutive instructions that share one test "is any label here non-zero?".
//!
//! The test reads the flags of all memory that the group loads or stores, and the labels that come
//! from outside the group. When all are zero, all labels of the group are zero, and nothing is to
//! be done. Otherwise the slow path calls the runtime for each instruction in turn; the runtime
//! itself returns at once where the operands have no label.

use crate::ir::Value;
use std::collections::HashSet;

/// One instruction of a group.
pub struct Step {
    pub instruction: Value,
    /// Site for what the step may report.
    pub site: Option<u32>,
    pub action: Action,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Gives the instruction its label.
    Label,
    /// A store: sets the shadow.
    Store,
    /// A variable that begins to live: labels of what was in its place are forgotten.
    Clear,
    /// A branch or select: reports the side taken.
    Choose,
    /// A load or store: an address with a label is made concrete.
    Address,
    /// A division: that it does not fail is a choice.
    Divide,
    /// An operation that may go wrong unseen: the question whether it can.
    Check,
    /// Not handled: labelled operands are made concrete.
    Concrete,
    /// A load of a type that has no labels: what is there is made concrete.
    ConcreteMemory,
}

#[derive(Default)]
pub struct Group {
    pub steps: Vec<Step>,
    /// Values or-ed for the test.
    pub leaves: Vec<Value>,
    seen: HashSet<Value>,
    /// Instructions whose label the group itself computes.
    pub own: HashSet<Value>,
    pub stores: bool,
    /// Some step reports something: it must have, before an instruction that may be the last.
    pub reports: bool,
}

/// Beyond this a group is cut: a label anywhere in it sends all of it down the slow path.
const MAX_STEPS: usize = 48;

impl Group {
    pub fn is_full(&self) -> bool {
        self.steps.len() >= MAX_STEPS
    }

    pub fn leaf(&mut self, value: Value) {
        if self.seen.insert(value) {
            self.leaves.push(value);
        }
    }
}
