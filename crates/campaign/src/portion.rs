//! A part of a campaign's tree that somebody else explores, in a campaign of its own.
//!
//! A portion is named by what leads there: cases whose runs pass it, and which ways out of which of their choices it is.
//! Whoever takes it on runs these cases, closes everything else as another's, and explores what lies behind. A campaign
//! may leave a part of what it has open to others while it runs; put together, as shards are, they are the whole. A way
//! out that nobody can find again (a run that does not repeat) stays open when they are merged, so nothing is lost.

use crate::store::pack_case;
use elsewise_explore::{
    ALTERNATIVE_OTHER, Case, Choice, Item, Kind, PositionId, Reason, State, Step, Tree,
};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Cases of one portion, at most: whoever takes it on has to run them again.
const CASES: usize = 4;
/// A choice of which so many values were taken is not left to others, who would have to run each of them again.
const VALUES: usize = 16;

/// What a store says of where its portion is: [`PORTION_SOUGHT`] until it is known. Those of earlier versions, which say
/// nothing, were not gone on with before.
pub(crate) const PORTION: &str = "portion";
pub(crate) const PORTION_SOUGHT: &str = "sought";
pub(crate) const PORTION_FOUND: &str = "found";

/// See the module's comment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Portion {
    pub cases: Vec<PortionCase>,
    pub open: Vec<WayOut>,
}

/// A case, as it is written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortionCase {
    pub inputs: Vec<(String, Vec<u8>)>,
    pub schedule: Vec<u32>,
}

impl PortionCase {
    fn new(case: Case) -> PortionCase {
        PortionCase {
            inputs: case.inputs.into_iter().collect(),
            schedule: case.schedule,
        }
    }

    pub(crate) fn case(&self) -> Case {
        Case {
            inputs: self.inputs.iter().cloned().collect(),
            schedule: self.schedule.clone(),
        }
    }
}

/// A way out of a choice of a case's run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WayOut {
    /// Which of the portion's cases.
    pub case: u32,
    /// Which choice of its run.
    pub choice: u32,
    pub alternative: u64,
}

/// Who explores other portions at the same time.
pub trait Others: Sync {
    /// Is there somebody with nothing to do? Asked every now and then.
    fn wait(&self) -> bool;

    /// Gives them a portion; false if they cannot have it, so that it stays.
    fn give(&self, portion: &Portion) -> bool;

    /// Has nobody else said that they make an input smaller that fails in this way?
    fn is_first(&self, cause: &str) -> bool;

    /// Where the campaign's database is to be copied to now, if it is.
    fn copy_to(&self) -> Option<PathBuf>;

    /// It has been.
    fn copied(&self, database: &Path);
}

/// What is open behind some runs, by run.
pub(crate) type Offer = Vec<(u32, Vec<Item>)>;

/// What a campaign explores that is not alone.
pub(crate) enum Share {
    /// Cases are run first, by which it is found.
    Sought(Sought),
    /// Everything that is open.
    Open,
}

/// A portion, what was left of it to others before, and the positions that the run of each of their cases passes, by
/// the packed case.
pub(crate) struct Sought {
    portion: Portion,
    given: Vec<Portion>,
    paths: FxHashMap<Vec<u8>, Vec<PositionId>>,
}

impl Share {
    pub fn of(portion: Portion, given: Vec<Portion>) -> Share {
        match portion.is_whole() && given.is_empty() {
            true => Share::Open,
            false => Share::Sought(Sought {
                portion,
                given,
                paths: FxHashMap::default(),
            }),
        }
    }

    /// A run of one of the cases that lead to it.
    pub fn passed(&mut self, tree: &Tree, packed: &[u8], choices: &[Choice]) {
        if let Share::Sought(sought) = self {
            let path = tree.path(choices.iter().map(Step::from));
            sought.paths.insert(packed.to_owned(), path);
        }
    }

    /// All of the cases have been run: what is open and others'.
    pub fn found(&mut self, tree: &Tree) -> Vec<Item> {
        let Share::Sought(sought) = std::mem::replace(self, Share::Open) else {
            return Vec::new();
        };
        let given = sought
            .given
            .iter()
            .flat_map(|portion| sought.items(portion));
        let given: FxHashSet<Item> = given.collect();
        let own: FxHashSet<Item> = sought.items(&sought.portion).collect();
        let whole = sought.portion.is_whole();
        let is_own = |item: &Item| (whole || own.contains(item)) && !given.contains(item);
        let mut others = open(tree);
        others.retain(|item| !is_own(item));
        others
    }
}

impl Sought {
    /// Where a portion is in the tree.
    fn items(&self, portion: &Portion) -> impl Iterator<Item = Item> {
        let cases = portion.cases.iter().map(|case| pack_case(&case.case()));
        let paths: Vec<_> = cases.map(|packed| self.paths.get(&packed)).collect();
        portion.open.iter().filter_map(move |way| {
            let path = (*paths.get(way.case as usize)?)?;
            Some(Item {
                position: *path.get(way.choice as usize)?,
                alternative: way.alternative,
            })
        })
    }
}

/// Does a run go on where others explore?
pub(crate) fn is_others(tree: &Tree, choices: &[Choice]) -> bool {
    let path = tree.path(choices.iter().map(Step::from));
    let Some(position) = path.last().copied() else {
        return false;
    };
    let taken = choices.get(path.len() - 1).map_or(0, |last| last.taken);
    let alternative = match tree.kind(position) {
        Kind::Value => ALTERNATIVE_OTHER,
        _ => taken,
    };
    let item = Item {
        position,
        alternative,
    };
    tree.state(item) == Some(State::GaveUp(Reason::OtherShard))
}

/// All of the frontier, claimed or not.
fn open(tree: &Tree) -> Vec<Item> {
    let mut items = Vec::new();
    for position in (0..tree.positions()).map(PositionId) {
        for (alternative, state) in tree.ways(position) {
            if matches!(state, State::Open | State::Claimed) {
                items.push(Item {
                    position,
                    alternative,
                });
            }
        }
    }
    items
}

/// What nobody is at and no choice of a thread leads to: other orders of a run's threads hang together.
fn free(tree: &Tree) -> Vec<Item> {
    let mut items = Vec::new();
    let mut below = match tree.root() {
        State::Position(first) => vec![first],
        _ => Vec::new(),
    };
    while let Some(position) = below.pop() {
        if tree.kind(position) == Kind::Thread {
            continue;
        }
        for (alternative, state) in tree.ways(position) {
            match state {
                State::Position(next) => below.push(next),
                State::Open => items.push(Item {
                    position,
                    alternative,
                }),
                _ => {}
            }
        }
    }
    items.sort_by_key(|item| item.position);
    items
}

/// An alternative that nobody is at, and the run that leads there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free<R, T> {
    pub run: R,
    /// Which choice of the run.
    pub depth: u32,
    pub item: T,
}

/// What is open, in two parts.
pub struct Half<R, T> {
    pub given: Vec<Free<R, T>>,
    pub kept: Vec<Free<R, T>>,
}

/// About half of what nobody is at: every second alternative, from the shallowest on, since most of a tree lies behind
/// these. No more runs lead to what is given than whoever takes it on can make again.
pub fn halve<R: Copy + PartialEq, T>(mut free: Vec<Free<R, T>>) -> Half<R, T> {
    if free.len() == 1 {
        // Whoever has it goes on with it, and has more to give then.
        return Half {
            given: Vec::new(),
            kept: free,
        };
    }
    free.sort_by_key(|free| free.depth);
    let mut half = Half {
        given: Vec::new(),
        kept: Vec::new(),
    };
    let mut runs = Vec::new();
    for (index, one) in free.into_iter().enumerate() {
        let leads = runs.contains(&one.run);
        if index % 2 == 1 || !leads && runs.len() == CASES {
            half.kept.push(one);
            continue;
        }
        if !leads {
            runs.push(one.run);
        }
        half.given.push(one);
    }
    half
}

/// About half of what nobody is at, by the run that leads there.
pub(crate) fn half(tree: &Tree) -> Offer {
    let mut open = free(tree);
    // A choice of which many values were taken stays.
    open.retain(|item| {
        item.alternative != ALTERNATIVE_OTHER || tree.taken_values(item.position).count() <= VALUES
    });
    let with_run = |item: Item| Free {
        run: tree.witness(item.position),
        depth: tree.depth(item.position),
        item,
    };
    let mut given = halve(open.into_iter().map(with_run).collect()).given;
    given.sort_by_key(|free| free.run);
    let same = |a: &Free<u32, Item>, b: &Free<u32, Item>| a.run == b.run;
    given
        .chunk_by(same)
        .map(|of_run| (of_run[0].run, of_run.iter().map(|free| free.item).collect()))
        .collect()
}

/// Runs that took the values of a choice that were taken: who is to find another has to know them.
fn runs_to_values(tree: &Tree, item: Item) -> Vec<u32> {
    if item.alternative != ALTERNATIVE_OTHER {
        return Vec::new();
    }
    let ways = tree.ways(item.position);
    ways.filter_map(|(_, state)| match state {
        State::Position(below) => Some(tree.witness(below)),
        State::Leaf(leaf) => Some(tree.leaf_run(leaf)),
        _ => None,
    })
    .collect()
}

impl Portion {
    /// Everything, as far as it is not left to others later.
    pub fn whole() -> Portion {
        Portion::default()
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.open.is_empty()
    }

    /// The portion that these items are, which these runs lead to.
    pub(crate) fn new<E>(
        tree: &Tree,
        runs: &Offer,
        mut case: impl FnMut(u32) -> Result<Case, E>,
    ) -> Result<Portion, E> {
        let mut portion = Portion::default();
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        for (run, items) in runs {
            for item in items {
                for run in std::iter::once(*run).chain(runs_to_values(tree, *item)) {
                    if let std::collections::hash_map::Entry::Vacant(new) = numbers.entry(run) {
                        new.insert(portion.cases.len() as u32);
                        portion.cases.push(PortionCase::new(case(run)?));
                    }
                }
                portion.open.push(WayOut {
                    case: numbers[run],
                    choice: tree.depth(item.position),
                    alternative: item.alternative,
                });
            }
        }
        Ok(portion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a tree in which each of some choices has two ways out, what is open after some runs, the deepest first: the run that
    /// leads there, which choice it is, and how many paths are behind it.
    fn explored(choices: u32, runs: u32) -> Vec<Free<u32, u64>> {
        let behind = |run: u32, from: u32| {
            (from..choices).map(move |depth| Free {
                run,
                depth,
                item: 1_u64 << (choices - 1 - depth),
            })
        };
        let mut open: Vec<_> = behind(0, 0).collect();
        for run in 1..runs {
            let taken = open.pop().unwrap();
            open.extend(behind(run, taken.depth + 1));
        }
        open
    }

    fn paths(free: &[Free<u32, u64>]) -> u64 {
        free.iter().map(|free| free.item).sum()
    }

    /// Most of a tree is behind the shallow alternatives of its first run, of which others must get some.
    #[test]
    fn a_half_is_about_half_of_what_is_behind() {
        for runs in 1..200 {
            let open = explored(14, runs);
            let all = paths(&open);
            let half = halve(open);
            let given = paths(&half.given);
            assert_eq!(given + paths(&half.kept), all);
            assert!(
                (all / 4..=all * 3 / 4).contains(&given),
                "{runs}: {given} of {all}"
            );
        }
    }

    #[test]
    fn few_runs_lead_to_what_is_given() {
        let one = |run: u32| Free {
            run,
            depth: run,
            item: 1,
        };
        let half = halve((0..100).map(one).collect());
        assert_eq!((half.given.len(), half.kept.len()), (CASES, 100 - CASES));
        assert!(halve(vec![one(0)]).given.is_empty());
    }
}
