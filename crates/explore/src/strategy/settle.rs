//! The mix for as long as it reaches new sides, and then depth first, so that few alternatives stay open.
//!
//! An open alternative costs a run of whoever takes it up and has not seen the run that leads there: another member of
//! a fleet, or a campaign that is gone on with.

use super::{DepthFirst, Gain, Mix, News, Pick, Strategy};
use crate::{Blueprint, Coverage, Tree};

/// Picks that reach no new side until the mix is left.
const QUIET: u32 = 48;
/// Marks a pick that is not the mix's.
const DEEP: u8 = u8::MAX;

pub struct Settle {
    mix: Mix,
    deep: DepthFirst,
    quiet: u32,
}

impl Settle {
    pub fn new(seed: u64, blueprint: &Blueprint) -> Settle {
        Settle {
            mix: Mix::new(seed, blueprint),
            deep: DepthFirst::default(),
            quiet: 0,
        }
    }
}

impl Strategy for Settle {
    fn name(&self) -> &'static str {
        "settle"
    }

    fn note(&mut self, tree: &Tree, coverage: &Coverage, news: &News) {
        if news.new_sides > 0 {
            self.quiet = 0;
        }
        self.mix.note(tree, coverage, news);
        self.deep.note(tree, coverage, news);
    }

    fn next(&mut self, tree: &Tree, coverage: &Coverage) -> Option<Pick> {
        self.quiet = self.quiet.saturating_add(1);
        if self.quiet > QUIET
            && let Some(pick) = self.deep.next(tree, coverage)
        {
            return Some(Pick { by: DEEP, ..pick });
        }
        self.mix.next(tree, coverage)
    }

    fn paid(&mut self, pick: &Pick, gain: &Gain) {
        if pick.by != DEEP {
            self.mix.paid(pick, gain);
        }
    }
}
