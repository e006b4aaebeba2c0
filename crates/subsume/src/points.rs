//! Points of a program at which states can be compared: the same code, the same calls under way, and
//! the same objects in memory.

use crate::entry::At;
use elsewise_explore::program::{End, Program};
use rustc_hash::FxHashMap;

/// Where a machine stands. At one point, all states have the same cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The calls under way, each with the objects that it had when it made the next.
    pub(crate) context: u32,
    /// Objects of the innermost call.
    pub(crate) layout: u32,
    /// Objects that were handed out and given back.
    pub(crate) heap: u32,
    pub(crate) block: u32,
    pub(crate) step: u32,
}

pub(crate) struct Points {
    /// Blocks of each function that are reached from several.
    joins: Vec<Vec<bool>>,
    contexts: FxHashMap<(u32, u32, At, u32), u32>,
    layouts: FxHashMap<(u32, u64, u64), u32>,
}

impl Points {
    pub fn new(program: &Program) -> Points {
        let joins = program.functions.iter().map(|function| {
            let mut ways = vec![0u32; function.blocks.len()];
            for block in &function.blocks {
                let mut count = |block: &elsewise_explore::program::BlockId| {
                    if let Some(ways) = ways.get_mut(block.0 as usize) {
                        *ways += 1;
                    }
                };
                match &block.end {
                    End::Jump(to) => count(to),
                    End::Branch { holds, fails, .. } => {
                        count(holds);
                        count(fails);
                    }
                    End::Switch { cases, default, .. } => {
                        cases.iter().for_each(|(_, to)| count(to));
                        count(default);
                    }
                    End::Return(_) | End::Exit | End::Fail | End::Unreachable => {}
                }
            }
            ways.into_iter().map(|ways| ways > 1).collect()
        });
        Points {
            joins: joins.collect(),
            contexts: FxHashMap::default(),
            layouts: FxHashMap::default(),
        }
    }

    pub fn is_join(&self, function: u32, block: u32) -> bool {
        self.joins[function as usize][block as usize]
    }

    /// The context of a call that is made in another.
    pub fn deeper(&mut self, context: u32, layout: u32, at: At, callee: u32) -> u32 {
        let next = self.contexts.len() as u32 + 1;
        *self
            .contexts
            .entry((context, layout, at, callee))
            .or_insert(next)
    }

    /// A layout with one more object.
    pub fn longer(&mut self, layout: u32, address: u64, size: u64) -> u32 {
        let next = self.layouts.len() as u32 + 1;
        *self.layouts.entry((layout, address, size)).or_insert(next)
    }
}
