//! The tree made anew from the store: what resuming and looking share.

use super::read::LoadedRun;
use super::{Entry, Replay};
use crate::CampaignError;
use elsewise_explore::{State, Tree};
use std::collections::BTreeMap;
use std::ops::Range;

impl Replay<'_> {
    /// Puts all runs into the tree, in order; `each` is told of every run and its new positions.
    pub fn grow(
        &self,
        tree: &mut Tree,
        mut each: impl FnMut(&Tree, u32, LoadedRun, Range<u32>) -> Result<(), CampaignError>,
    ) -> Result<(), CampaignError> {
        self.runs(|id, mut run| {
            let mut positions = 0..0;
            let part = &mut run.trace.tree;
            if let Some(attach) = part.attach {
                let steps = std::mem::take(&mut part.steps);
                let inserted = tree
                    .attach(id, attach, steps.into_iter(), part.end)
                    .map_err(|error| self.damaged(format!("run {id}: {error}")))?;
                positions = inserted.new_positions;
            }
            if part.apart {
                tree.note_apart();
            }
            each(tree, id, run, positions)
        })
    }

    /// Puts the journal's verdicts into the tree where they are `believed`, and adds its
    /// approximations to `events`, whose words are numbers below `words`.
    pub fn judge(
        &self,
        tree: &mut Tree,
        words: usize,
        events: &mut BTreeMap<(u32, u64), u64>,
        believed: impl Fn(State) -> bool,
    ) -> Result<(), CampaignError> {
        self.journal(|entry| {
            match entry {
                Entry::Event(word, site) => {
                    if word as usize >= words {
                        return Err(self.damaged("the journal counts what has no name"));
                    }
                    let counted = events.entry((word, site)).or_default();
                    *counted = counted.saturating_add(1);
                }
                Entry::Verdict(item, verdict) => {
                    if item.position.0 >= tree.positions() {
                        return Err(self.damaged("the journal closes what is not there"));
                    }
                    if believed(verdict) {
                        tree.close(item, verdict);
                    }
                }
            }
            Ok(())
        })
    }

    /// Adds a run's approximations to `events`, whose words are numbers below `words`.
    pub fn count(
        &self,
        run: &LoadedRun,
        words: usize,
        events: &mut BTreeMap<(u32, u64), u64>,
    ) -> Result<(), CampaignError> {
        for (word, site, count) in &run.trace.approximations {
            if *word as usize >= words {
                return Err(self.damaged("a run counts what has no name"));
            }
            let counted = events.entry((*word, *site)).or_default();
            *counted = counted.saturating_add(*count);
        }
        Ok(())
    }
}
