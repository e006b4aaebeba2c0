//! How far a side is, over the static control-flow graph, from a side that no run has taken.

use crate::{Blueprint, Coverage, SideId};
use std::collections::VecDeque;

/// Distance of what leads nowhere new.
pub const FAR: u32 = u32::MAX;

/// The control-flow graph of a whole program, reversed, with calls and returns as edges.
pub struct Distances {
    /// Blocks that lead to a block: `sources[starts[b] .. starts[b + 1]]`.
    starts: Vec<u32>,
    sources: Vec<u32>,
    /// Sides of the site at the end of a block.
    block_sides: Vec<(u32, u32)>,
    /// Block that a side leads to.
    leads_to: Vec<Option<u32>>,
    by_block: Vec<u32>,
}

impl Distances {
    pub fn new(blueprint: &Blueprint) -> Distances {
        let mut first_block = Vec::with_capacity(blueprint.functions.len());
        let mut blocks = 0u32;
        for function in &blueprint.functions {
            first_block.push(blocks);
            blocks += function.blocks.len() as u32;
        }
        let mut edges = Vec::new();
        let mut block_sides = vec![(0, 0); blocks as usize];
        let mut leads_to = vec![None; blueprint.sides as usize];
        for (function, first) in blueprint.functions.iter().zip(&first_block) {
            for (index, block) in function.blocks.iter().enumerate() {
                let at = first + index as u32;
                let inside = |s: &&u32| (**s as usize) < function.blocks.len();
                for successor in block.successors.iter().filter(inside) {
                    edges.push((first + successor, at));
                }
                for call in &block.calls {
                    let callee = blueprint.functions.get(*call as usize);
                    let Some(callee) = callee.filter(|callee| !callee.blocks.is_empty()) else {
                        continue;
                    };
                    let entry = first_block[*call as usize];
                    edges.push((entry, at));
                    // What returns goes on in the caller: without this edge everything behind a
                    // call would look unreachable from inside the callee.
                    for (index, inner) in callee.blocks.iter().enumerate() {
                        if inner.successors.is_empty() {
                            edges.push((at, entry + index as u32));
                        }
                    }
                }
                let Some(site) = block.site.and_then(|s| blueprint.sites.get(s.0 as usize)) else {
                    continue;
                };
                block_sides[at as usize] = (site.first_side, site.sides);
                let sides = site.first_side..site.first_side.saturating_add(site.sides);
                for (side, successor) in sides.zip(&block.successors) {
                    if let Some(to) = leads_to.get_mut(side as usize) {
                        *to = ((*successor as usize) < function.blocks.len())
                            .then_some(first + successor);
                    }
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let mut starts = vec![0u32; blocks as usize + 1];
        for (to, _) in &edges {
            starts[*to as usize + 1] += 1;
        }
        for block in 0..blocks as usize {
            starts[block + 1] += starts[block];
        }
        Distances {
            starts,
            sources: edges.into_iter().map(|(_, from)| from).collect(),
            block_sides,
            leads_to,
            by_block: vec![FAR; blocks as usize],
        }
    }

    /// Computes all distances anew: one breadth-first search from the uncovered sides.
    pub fn update(&mut self, coverage: &Coverage) {
        let mut queue = VecDeque::new();
        for (block, (first, count)) in self.block_sides.iter().enumerate() {
            let mut sides = *first..first.saturating_add(*count);
            let target = sides.any(|side| coverage.is_wanted(SideId(side)));
            self.by_block[block] = if target { 0 } else { FAR };
            if target {
                queue.push_back(block);
            }
        }
        while let Some(block) = queue.pop_front() {
            let next = self.by_block[block] + 1;
            let range = self.starts[block] as usize..self.starts[block + 1] as usize;
            for source in &self.sources[range] {
                if self.by_block[*source as usize] == FAR {
                    self.by_block[*source as usize] = next;
                    queue.push_back(*source as usize);
                }
            }
        }
    }

    /// 0 for an uncovered side, else the number of edges to the nearest one, as of the last
    /// [`Distances::update`].
    pub fn of(&self, side: SideId, coverage: &Coverage) -> u32 {
        if coverage.is_wanted(side) {
            return 0;
        }
        let block = self.leads_to.get(side.0 as usize).copied().flatten();
        block.map_or(FAR, |block| self.by_block[block as usize].saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlueprintBlock, BlueprintFunction, SiteId, SiteInfo};

    fn block(successors: &[u32], calls: &[u32], site: Option<u32>) -> BlueprintBlock {
        BlueprintBlock {
            successors: successors.to_vec(),
            calls: calls.to_vec(),
            site: site.map(SiteId),
        }
    }

    /// `main` branches at site 0 to a block that calls `inner` or to its end; `inner` branches at
    /// site 1 and returns; after the call `main` branches at site 2.
    fn program() -> Blueprint {
        let main = vec![
            block(&[1, 3], &[], Some(0)),
            block(&[2], &[1], None),
            block(&[3, 3], &[], Some(2)),
            block(&[], &[], None),
        ];
        let inner = vec![
            block(&[1, 2], &[], Some(1)),
            block(&[], &[], None),
            block(&[], &[], None),
        ];
        let function = |blocks| BlueprintFunction {
            name: String::new(),
            blocks,
        };
        let site = |first_side| SiteInfo {
            first_side,
            sides: 2,
            ..SiteInfo::default()
        };
        Blueprint {
            sites: vec![site(0), site(2), site(4)],
            functions: vec![function(main), function(inner)],
            sides: 6,
            ..Blueprint::default()
        }
    }

    #[test]
    fn distances_lead_through_calls_and_returns() {
        let blueprint = program();
        let mut coverage = Coverage::new(&blueprint);
        let mut distances = Distances::new(&blueprint);
        for side in [0, 1, 2, 4, 5] {
            coverage.add(SideId(side));
        }
        distances.update(&coverage);
        // Only side 3, inside the callee, is left: one block to the call, one into it.
        assert_eq!(distances.of(SideId(3), &coverage), 0);
        assert_eq!(distances.of(SideId(0), &coverage), 2);
        assert_eq!(distances.of(SideId(1), &coverage), FAR);

        let mut coverage = Coverage::new(&blueprint);
        for side in [0, 1, 2, 3, 4] {
            coverage.add(SideId(side));
        }
        distances.update(&coverage);
        // Side 5 is behind the call: the callee's sides lead there by returning.
        assert_eq!(distances.of(SideId(0), &coverage), 2);
        assert_eq!(distances.of(SideId(2), &coverage), 3);
        assert_eq!(distances.of(SideId(4), &coverage), FAR);
    }
}
