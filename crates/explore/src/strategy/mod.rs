//! What to try next.
//!
//! All strategies work on the one frontier of the tree. They are told of every run, remember what
//! they need, and skip what is no longer open when they come to it; so several of them can take
//! turns. Each exhausts the frontier, and each picks the same for the same seed and the same runs.

mod cfg;
mod depth_first;
mod forms;
mod generational;
mod mix;
mod near;
mod settle;
mod uniform;

pub use cfg::Cfg;
pub use depth_first::DepthFirst;
pub use generational::Generational;
pub use mix::Mix;
pub use near::Near;
pub use settle::Settle;
pub use uniform::Uniform;

use crate::{Blueprint, Coverage, Item, PositionId, Tree};
use std::ops::Range;

/// A strategy, as users name it.
pub struct Listed {
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    pub make: fn(seed: u64, &Blueprint) -> Box<dyn Strategy>,
}

/// All of them, the default first.
pub const STRATEGIES: &[Listed] = &[
    Listed {
        name: "mix",
        about: "The others in turn, by what they have added lately",
        make: |seed, blueprint| Box::new(Mix::new(seed, blueprint)),
    },
    Listed {
        name: "settle",
        about: "The mix while it reaches new sides of branches, then deepest first",
        make: |seed, blueprint| Box::new(Settle::new(seed, blueprint)),
    },
    Listed {
        name: "near",
        about: "Fewest changes away from a run whose assumptions held",
        make: |_, _| Box::new(Near::default()),
    },
    Listed {
        name: "dfs",
        about: "Deepest first",
        make: |_, _| Box::new(DepthFirst::default()),
    },
    Listed {
        name: "generational",
        about: "All alternatives of the run that added most coverage",
        make: |_, _| Box::new(Generational::default()),
    },
    Listed {
        name: "random",
        about: "Uniformly at random",
        make: |seed, _| Box::new(Uniform::new(seed)),
    },
    Listed {
        name: "cfg",
        about: "Nearest in the control-flow graph to what no run has reached",
        make: |seed, blueprint| Box::new(Cfg::new(seed, blueprint)),
    },
];

/// Their names.
pub fn names() -> impl Iterator<Item = &'static str> {
    STRATEGIES.iter().map(|listed| listed.name)
}

/// What a run brought.
#[derive(Clone, Debug)]
pub struct News {
    pub run: u32,
    /// Positions that the run added to the tree.
    pub positions: Range<u32>,
    /// A position, older than this run, with an alternative that is open again.
    pub reopened: Option<PositionId>,
    /// Sides that no earlier run had taken.
    pub new_sides: u32,
    /// The run counts for nothing: an assumption of the subject's did not hold.
    pub dismissed: bool,
    /// The position of another run's from which on it went its own way.
    pub from: Option<PositionId>,
}

impl News {
    /// An alternative is open again, with no run.
    pub fn reopened(position: PositionId) -> News {
        News {
            run: 0,
            positions: 0..0,
            reopened: Some(position),
            new_sides: 0,
            dismissed: false,
            from: None,
        }
    }
}

/// A picked alternative, and which of several strategies picked it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    pub item: Item,
    pub by: u8,
}

/// What came of a pick.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gain {
    pub new_sides: u32,
    pub new_path: bool,
    /// Choices that had to be looked at: a measure of work that, unlike time, is the same
    /// whenever the campaign is repeated.
    pub work: u64,
}

pub trait Strategy: Send {
    fn name(&self) -> &'static str;

    /// Hears of a run.
    fn note(&mut self, tree: &Tree, coverage: &Coverage, news: &News);

    /// Picks an open alternative; `None` when there is none.
    fn next(&mut self, tree: &Tree, coverage: &Coverage) -> Option<Pick>;

    /// Hears what came of a pick.
    fn paid(&mut self, _pick: &Pick, _gain: &Gain) {}
}

/// The strategy with that name.
pub fn by_name(name: &str, seed: u64, blueprint: &Blueprint) -> Option<Box<dyn Strategy>> {
    let listed = STRATEGIES.iter().find(|listed| listed.name == name)?;
    Some((listed.make)(seed, blueprint))
}

fn pick(position: u32, alternative: u64) -> Pick {
    Pick {
        item: Item {
            position: PositionId(position),
            alternative,
        },
        by: 0,
    }
}
