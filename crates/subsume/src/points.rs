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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_hand::{block, branch, function, jump, n, program};
    use elsewise_explore::program::BlockId;
    use elsewise_term::Bits;

    fn joins(ends: Vec<End>) -> Vec<bool> {
        let blocks: Vec<_> = ends.into_iter().map(|end| block(Vec::new(), end)).collect();
        let count = blocks.len() as u32;
        let points = Points::new(&program(vec![function(0, &[], blocks)]));
        (0..count).map(|block| points.is_join(0, block)).collect()
    }

    #[test]
    fn paths_meet_behind_a_branch() {
        let ends = vec![branch(n(1, 1), 0, 1, 2), jump(3), jump(3), End::Exit];
        assert_eq!(joins(ends), [false, false, false, true]);
    }

    #[test]
    fn a_loop_has_its_cut_point_at_its_head() {
        // 0 -> 1, 1 -> 2 or 3, 2 -> 1.
        let ends = vec![jump(1), branch(n(1, 1), 0, 2, 3), jump(1), End::Exit];
        assert_eq!(joins(ends), [false, true, false, false]);
    }

    #[test]
    fn a_block_that_loops_to_itself_is_a_cut_point() {
        let ends = vec![jump(1), branch(n(1, 1), 0, 1, 2), End::Exit];
        assert_eq!(joins(ends), [false, true, false]);
    }

    #[test]
    fn two_cases_of_a_switch_meet_where_both_lead() {
        let switch = End::Switch {
            value: n(8, 0),
            cases: vec![
                (Bits::new(8, 0), BlockId(1)),
                (Bits::new(8, 1), BlockId(1)),
                (Bits::new(8, 2), BlockId(2)),
            ],
            default: BlockId(3),
            site: None,
        };
        let ends = vec![switch, End::Exit, End::Exit, End::Exit];
        assert_eq!(joins(ends), [false, true, false, false]);
    }

    /// The same calls and the same objects are the same numbers, whatever was asked between.
    #[test]
    fn points_tell_calls_and_objects_apart() {
        let mut points = Points::new(&program(Vec::new()));
        let at = |step| At {
            function: 0,
            block: 0,
            step,
        };
        let first = points.deeper(0, 0, at(1), 5);
        let others = [
            points.deeper(0, 0, at(2), 5),
            points.deeper(0, 0, at(1), 6),
            points.deeper(0, 1, at(1), 5),
            points.deeper(first, 0, at(1), 5),
        ];
        assert!(!others.contains(&first));
        assert_eq!(points.deeper(0, 0, at(1), 5), first);
        let object = points.longer(0, 64, 8);
        assert_ne!(points.longer(0, 64, 9), object);
        assert_ne!(points.longer(0, 80, 8), object);
        assert_ne!(points.longer(object, 64, 8), object);
        assert_eq!(points.longer(0, 64, 8), object);
    }
}
