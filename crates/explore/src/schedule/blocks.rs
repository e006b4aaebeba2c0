//! Blocks that the subject calls atomic: each is to be as if nobody came between.
//!
//! The accesses of one block are one *transaction*, every access outside of blocks is one by itself.
//! A transaction comes before another if its thread made it before, or if one of its accesses conflicts
//! with a later one of the other. Where that is a cycle, no order of whole transactions has the same
//! effects (Flanagan, Freund, Yi: Velodrome). Locks do not count: what they order is told by what is
//! touched under them.

use super::datarace::{Touch, granules};
use crate::SiteId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Transactions of one run that are looked at.
const MOST: usize = 1 << 20;
/// What threads meet by, apart from memory.
const MEETING: u64 = 1 << 62;

/// An access that a conflict is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    pub thread: u32,
    pub site: SiteId,
    pub writes: bool,
    /// Where the block begins that it is in.
    pub block: Option<SiteId>,
}

/// Two accesses to the same memory, one of which writes, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    pub before: End,
    pub after: End,
    /// The later access.
    pub address: u64,
    pub size: u32,
}

/// A block that others came into the midst of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Where it begins.
    pub block: SiteId,
    pub thread: u32,
    /// From the block to others and back.
    pub cycle: Vec<Conflict>,
}

#[derive(Clone, Copy)]
struct Remembered {
    bytes: u8,
    node: u32,
    end: End,
}

/// A thread's transactions.
#[derive(Default)]
struct Own {
    /// The latest one.
    last: Option<u32>,
    /// The block that it is in: where that begins, its transaction once it has one, and how many are
    /// within each other.
    block: Option<(SiteId, Option<u32>, u32)>,
}

/// Finds broken blocks of one run as it goes along. Nothing before the first block matters.
#[derive(Default)]
pub struct Blocks {
    any: bool,
    threads: FxHashMap<u32, Own>,
    /// The block of each transaction that is one.
    nodes: Vec<Option<(SiteId, u32)>>,
    edges: Vec<Vec<(u32, Option<Conflict>)>>,
    memory: FxHashMap<u64, Vec<Remembered>>,
}

impl Blocks {
    /// A thread begins a block.
    pub fn begin(&mut self, thread: u32, site: SiteId) {
        self.any = true;
        let own = self.threads.entry(thread).or_default();
        match &mut own.block {
            Some((_, _, within)) => *within += 1,
            None => own.block = Some((site, None, 1)),
        }
    }

    /// A thread ends the block that it has begun last.
    pub fn end(&mut self, thread: u32) {
        let own = self.threads.entry(thread).or_default();
        if let Some((_, _, within)) = &mut own.block {
            *within -= 1;
            if *within == 0 {
                own.block = None;
            }
        }
    }

    pub fn touch(&mut self, touch: &Touch) {
        if !self.any {
            return;
        }
        let Some((node, block)) = self.transaction(touch.thread) else {
            return;
        };
        let end = End {
            thread: touch.thread,
            site: touch.site,
            writes: touch.writes,
            block,
        };
        let about = Some((touch.address, touch.size));
        for (granule, bytes) in granules(touch.address, touch.size) {
            self.look(granule, bytes, node, end, about);
        }
    }

    /// A thread meets others by an object that is no lock: it begins, ends, wakes or is woken.
    pub fn meet(&mut self, thread: u32, object: u64, changes: bool) {
        if !self.any {
            return;
        }
        if let Some((node, block)) = self.transaction(thread) {
            let end = End {
                thread,
                site: SiteId(u32::MAX),
                writes: changes,
                block,
            };
            self.look(object | MEETING, u8::MAX, node, end, None);
        }
    }

    fn look(&mut self, object: u64, bytes: u8, node: u32, end: End, about: Option<(u64, u32)>) {
        let remembered = self.memory.entry(object).or_default();
        let edges = &mut self.edges;
        remembered.retain_mut(|one| {
            let shared = one.bytes & bytes != 0;
            if shared && one.node != node && (one.end.writes || end.writes) {
                let out = &mut edges[one.node as usize];
                if !out.iter().any(|(to, why)| *to == node && why.is_some()) {
                    let conflict = about.map(|(address, size)| Conflict {
                        before: one.end,
                        after: end,
                        address,
                        size,
                    });
                    out.push((node, conflict));
                }
            }
            // What conflicts with it later conflicts with this one, too.
            if shared && end.writes {
                one.bytes &= !bytes;
            }
            one.bytes != 0
        });
        let known = |one: &Remembered| {
            one.node == node && one.bytes & bytes == bytes && (one.end.writes || !end.writes)
        };
        if !remembered.iter().any(known) {
            remembered.push(Remembered { bytes, node, end });
        }
    }

    /// The transaction that an access of the thread is in.
    fn transaction(&mut self, thread: u32) -> Option<(u32, Option<SiteId>)> {
        let own = self.threads.entry(thread).or_default();
        if let Some((site, Some(node), _)) = own.block {
            return Some((node, Some(site)));
        }
        let node = u32::try_from(self.nodes.len()).ok()?;
        if node as usize >= MOST {
            return None;
        }
        self.nodes.push(own.block.map(|(site, ..)| (site, thread)));
        self.edges.push(Vec::new());
        if let Some(last) = own.last.replace(node) {
            self.edges[last as usize].push((node, None));
        }
        let block = own.block.as_mut().map(|(site, of, _)| {
            *of = Some(node);
            *site
        });
        Some((node, block))
    }

    /// The blocks that others came into the midst of, one for each that begins at the same place and
    /// for each place of the others' first access.
    pub fn broken(&self) -> Vec<Broken> {
        let mut found = Vec::new();
        if !self.any {
            return found;
        }
        let components = self.components();
        let mut seen = FxHashSet::default();
        for (node, block) in (0u32..).zip(&self.nodes) {
            let Some((block, thread)) = *block else {
                continue;
            };
            let Some(cycle) = self.cycle(node, &components) else {
                continue;
            };
            let other = cycle.first().map(|first| first.after.site);
            if seen.insert((block, other)) {
                found.push(Broken {
                    block,
                    thread,
                    cycle,
                });
            }
        }
        found
    }

    /// The shortest cycle through a transaction; its conflicts.
    fn cycle(&self, begin: u32, components: &[u32]) -> Option<Vec<Conflict>> {
        let mine = components[begin as usize];
        let mut came: FxHashMap<u32, (u32, Option<Conflict>)> = FxHashMap::default();
        let mut queue = VecDeque::from([begin]);
        while let Some(node) = queue.pop_front() {
            for (to, why) in &self.edges[node as usize] {
                if components[*to as usize] != mine || came.contains_key(to) {
                    continue;
                }
                came.insert(*to, (node, *why));
                queue.push_back(*to);
            }
            if came.contains_key(&begin) {
                break;
            }
        }
        let mut conflicts = Vec::new();
        let mut at = begin;
        loop {
            let (from, why) = came.get(&at)?;
            conflicts.extend(*why);
            at = *from;
            if at == begin {
                break;
            }
        }
        conflicts.reverse();
        Some(conflicts)
    }

    /// Which transactions are in cycles with each other: a number for each (Tarjan).
    fn components(&self) -> Vec<u32> {
        const NONE: u32 = u32::MAX;
        let count = self.nodes.len();
        let (mut index, mut low) = (vec![NONE; count], vec![0; count]);
        let mut component = vec![NONE; count];
        let mut stack: Vec<u32> = Vec::new();
        let mut next = 0;
        for root in 0..count as u32 {
            if index[root as usize] != NONE {
                continue;
            }
            let mut work: Vec<(u32, usize)> = vec![(root, 0)];
            while let Some((node, edge)) = work.pop() {
                let at = node as usize;
                if edge == 0 {
                    index[at] = next;
                    low[at] = next;
                    next += 1;
                    stack.push(node);
                }
                if let Some((to, _)) = self.edges[at].get(edge) {
                    work.push((node, edge + 1));
                    if index[*to as usize] == NONE {
                        work.push((*to, 0));
                    } else if component[*to as usize] == NONE {
                        low[at] = low[at].min(index[*to as usize]);
                    }
                    continue;
                }
                if low[at] == index[at] {
                    while let Some(member) = stack.pop() {
                        component[member as usize] = node;
                        if member == node {
                            break;
                        }
                    }
                }
                if let Some((above, _)) = work.last() {
                    let above = *above as usize;
                    low[above] = low[above].min(low[at]);
                }
            }
        }
        component
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: u64 = 0x100;
    const Y: u64 = 0x200;

    /// `b` and `e` begin and end a block, `r` and `w` read and write.
    fn run(steps: &[(u32, char, u64)]) -> Blocks {
        let mut blocks = Blocks::default();
        for (site, (thread, what, address)) in (0u32..).zip(steps) {
            let site = SiteId(site);
            match what {
                'b' => blocks.begin(*thread, site),
                'e' => blocks.end(*thread),
                'm' => blocks.meet(*thread, *address, true),
                _ => blocks.touch(&Touch {
                    thread: *thread,
                    site,
                    address: *address,
                    size: 4,
                    writes: *what == 'w',
                    atomic: false,
                    acquires: false,
                    releases: false,
                    reads: *what == 'r',
                }),
            }
        }
        blocks
    }

    fn sites(blocks: &Blocks) -> Vec<Vec<(u32, u32)>> {
        let cycles = blocks.broken().into_iter();
        cycles
            .map(|broken| {
                let conflicts = broken.cycle.iter();
                conflicts
                    .map(|one| (one.before.site.0, one.after.site.0))
                    .collect()
            })
            .collect()
    }

    #[test]
    fn a_write_between_check_and_use() {
        let blocks = run(&[
            (1, 'b', 0),
            (1, 'r', X),
            (2, 'w', X),
            (1, 'w', X),
            (1, 'e', 0),
        ]);
        assert_eq!(sites(&blocks), [[(1, 2), (2, 3)]]);
        assert_eq!(
            (blocks.broken()[0].block, blocks.broken()[0].thread),
            (SiteId(0), 1)
        );
    }

    #[test]
    fn two_reads_that_disagree() {
        let blocks = run(&[
            (1, 'b', 0),
            (1, 'r', X),
            (2, 'w', X),
            (2, 'w', Y),
            (1, 'r', Y),
            (1, 'e', 0),
        ]);
        assert_eq!(sites(&blocks), [[(1, 2), (3, 4)]]);
    }

    #[test]
    fn what_comes_between_may_be_of_no_consequence() {
        // Another variable; only reads; before or after all of the block's own accesses.
        for steps in [
            [
                (1, 'b', 0),
                (1, 'w', X),
                (2, 'w', Y),
                (1, 'w', X),
                (1, 'e', 0),
            ],
            [
                (1, 'b', 0),
                (1, 'r', X),
                (2, 'r', X),
                (1, 'r', X),
                (1, 'e', 0),
            ],
            [
                (1, 'b', 0),
                (2, 'w', X),
                (1, 'r', X),
                (1, 'w', X),
                (1, 'e', 0),
            ],
            [
                (1, 'b', 0),
                (1, 'r', X),
                (1, 'r', X),
                (2, 'w', X),
                (1, 'e', 0),
            ],
            [
                (1, 'b', 0),
                (1, 'r', X),
                (1, 'e', 0),
                (2, 'w', X),
                (1, 'w', X),
            ],
            // The other could as well have come first: nothing it does follows from the block.
            [
                (1, 'b', 0),
                (1, 'r', Y),
                (2, 'w', X),
                (1, 'r', X),
                (1, 'e', 0),
            ],
        ] {
            assert_eq!(sites(&run(&steps)), Vec::<Vec<_>>::new(), "{steps:?}");
        }
    }

    #[test]
    fn blocks_within_blocks_are_one() {
        let blocks = run(&[
            (1, 'b', 0),
            (1, 'b', 0),
            (1, 'r', X),
            (1, 'e', 0),
            (2, 'w', X),
            (1, 'w', X),
            (1, 'e', 0),
        ]);
        assert_eq!(sites(&blocks), [[(2, 4), (4, 5)]]);
    }

    #[test]
    fn two_blocks_of_which_neither_comes_first() {
        // Each by itself could be moved together, but not both.
        let blocks = run(&[
            (1, 'b', 0),
            (2, 'b', 0),
            (1, 'r', X),
            (2, 'r', Y),
            (1, 'w', Y),
            (2, 'w', X),
            (1, 'e', 0),
            (2, 'e', 0),
        ]);
        assert_eq!(sites(&blocks), [[(2, 5), (3, 4)], [(3, 4), (2, 5)]]);
        // Without the second block, the other thread's accesses are each by themselves.
        let blocks = run(&[
            (1, 'b', 0),
            (1, 'r', X),
            (2, 'r', Y),
            (1, 'w', Y),
            (2, 'w', X),
            (1, 'e', 0),
        ]);
        assert_eq!(sites(&blocks), Vec::<Vec<_>>::new());
    }

    #[test]
    fn who_is_woken_within_a_block_comes_between() {
        let blocks = run(&[
            (1, 'b', 0),
            (1, 'r', X),
            (1, 'm', 7),
            (2, 'm', 7),
            (2, 'w', Y),
            (1, 'r', Y),
            (1, 'e', 0),
        ]);
        // Only one of the two steps is an access.
        assert_eq!(sites(&blocks), [[(4, 5)]]);
    }

    #[test]
    fn a_long_way_round() {
        let mut steps = vec![(1, 'b', 0), (1, 'w', X)];
        let addresses = (0..10_000u64).map(|at| 0x1000 + 8 * at);
        steps.extend([(2, 'r', X)]);
        for (thread, address) in (0..).zip(addresses) {
            steps.push((2 + thread % 2, 'w', address));
            steps.push((2 + (thread + 1) % 2, 'r', address));
        }
        steps.push((3, 'w', Y));
        steps.push((1, 'r', Y));
        let found = run(&steps).broken();
        assert_eq!(found.len(), 1);
        let cycle = &found[0].cycle;
        assert_eq!(cycle.first().map(|one| one.before.site), Some(SiteId(1)));
        assert_eq!(
            cycle.last().map(|one| one.after.site.0),
            Some(steps.len() as u32 - 1)
        );
    }
}
