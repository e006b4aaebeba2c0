//! The state of instrumenting one function: labels of its values, and the group in the making.

use crate::atomics::Atomics;
use crate::globals::Globals;
use crate::groups::Group;
use crate::ir::{Block, Ir, Value};
use crate::sites::Sites;
use crate::threads::Touches;
use elsewise_wire::Reason;
use elsewise_wire::map::SiteKind;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

pub struct Emitter<'a> {
    pub ir: &'a Ir,
    pub globals: &'a Globals,
    /// The thread's call frame.
    pub frame: Value,
    pub sites: &'a mut Sites,
    /// Values that may have a label.
    pub may: HashSet<Value>,
    /// By value and part.
    pub labels: RefCell<HashMap<(Value, usize), Label>>,
    pub group: Group,
    /// Phis of the program, the part, and the phi of its labels.
    pub phis: Vec<(Value, usize, Value)>,
    /// Whether the caller followed the calling protocol; none when all callers do.
    pub ours: Option<Value>,
    /// Where a variadic function keeps the labels of its arguments.
    pub variadic: Option<Value>,
    /// Blocks that only runs on labelled data enter.
    pub slow_paths: Vec<Block>,
    pub atomics: Atomics,
    /// Where the module's code may be run by several threads.
    pub touches: Option<&'a mut Touches>,
}

/// In place of a part of a load or store: what its labelled address led to.
pub const LOOKED_UP: usize = usize::MAX;

/// Label of a value, as an `i32`.
#[derive(Clone, Copy)]
pub enum Label {
    Ready(Value),
    /// Made on the slow path of a group, zero on the other; joined when somebody asks for it,
    /// as most labels are only used inside their group.
    Parted {
        at: Block,
        quick: Block,
        slow: Block,
        label: Value,
    },
}

impl Emitter<'_> {
    /// How many labels a value has.
    pub fn parts(&self, value: Value) -> usize {
        self.ir.parts_of(value).map_or(0, |parts| parts.len())
    }

    /// Label of a value of one part; zero for what cannot have one.
    pub fn label(&self, value: Value) -> Value {
        self.label_of_part(value, 0)
    }

    pub fn label_of_part(&self, value: Value, part: usize) -> Value {
        let known = self.labels.borrow().get(&(value, part)).copied();
        match known {
            Some(Label::Ready(label)) => label,
            Some(Label::Parted {
                at,
                quick,
                slow,
                label,
            }) => {
                let joined = self
                    .ir
                    .phi_at(at, &[(self.ir.const32(0), quick), (label, slow)]);
                self.set_part(value, part, Label::Ready(joined));
                joined
            }
            // Not reached: a definition in a block that no path leads to.
            None => self.ir.const32(0),
        }
    }

    pub fn set_label(&self, value: Value, label: Label) {
        self.set_part(value, 0, label);
    }

    pub fn set_part(&self, value: Value, part: usize, label: Label) {
        self.labels.borrow_mut().insert((value, part), label);
    }

    /// Number of a site at run time.
    pub fn site_number(&self, site: u32) -> Value {
        let first = self.ir.load_settled(self.ir.i32, self.globals.first_site);
        self.ir.add(first, self.ir.const32(site))
    }

    /// Side of a two-way choice: 0 when the condition is true.
    pub fn side_of(&self, condition: Value) -> Value {
        self.ir
            .select(condition, self.ir.const32(0), self.ir.const32(1))
    }

    pub fn concrete(&self, site: Value, label: Value, value: Value, reason: Reason) {
        if label.is_constant() {
            return;
        }
        let arguments = [site, label, value, self.ir.const32(reason as u32)];
        self.ir.call("__elw_concrete", None, &arguments);
    }

    pub fn value_site(&mut self, instruction: Value) -> u32 {
        self.sites.add(SiteKind::Value, instruction, Vec::new())
    }
}
