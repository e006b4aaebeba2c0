//! What the store has, and what is still to be written there: runs, the words and counts of approximations,
//! closed alternatives.

use crate::CampaignError;
use crate::store::{Entry, FindingRow, LoadedRun, Replay, RunRow, StoreWriter};
use crate::words::Words;
use elsewise_explore::{ApproximationKind, FailureKind, Item, Outcome, SiteId, State, Trace, Tree};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

/// Verdicts that may wait for the next transaction.
const WAITING: usize = 64;

/// Sites as the store has them: 0 for none.
pub(crate) fn packed_site(site: Option<SiteId>) -> u64 {
    site.map_or(0, |site| u64::from(site.0) + 1)
}

/// See the module's comment.
pub(crate) struct Ledger {
    store: StoreWriter,
    words: Words,
    /// Approximations that happened, by word and packed site.
    events: BTreeMap<(u32, u64), u64>,
    /// Run of each case, by the case's hash.
    known: FxHashMap<i64, u32>,
    runs: u32,
    /// Entries that wait for the next transaction.
    waiting: Vec<Entry>,
    /// How often more was looked at of a run's races.
    looked_on: u32,
}

impl Ledger {
    /// With nothing read of what the store has.
    pub fn new(store: StoreWriter) -> Ledger {
        Ledger {
            store,
            words: Words::default(),
            events: BTreeMap::new(),
            known: FxHashMap::default(),
            runs: 0,
            waiting: Vec::new(),
            looked_on: 0,
        }
    }

    /// Reads all runs of the store into the tree, in order, and the verdicts that are `believed`; `each` is told
    /// of every run and its new positions.
    pub fn load(
        &mut self,
        tree: &mut Tree,
        believed: impl Fn(State) -> bool,
        mut each: impl FnMut(&Tree, u32, &LoadedRun, Range<u32>) -> Result<(), CampaignError>,
    ) -> Result<(), CampaignError> {
        let Ledger {
            store,
            words,
            events,
            known,
            runs,
            ..
        } = self;
        let replay = store.replay();
        *words = Words::load(replay.words()?);
        known.reserve(replay.likely_runs()?);
        replay.grow(tree, |tree, id, run, positions| {
            replay.count(&run, words.len(), events)?;
            each(tree, id, &run, positions)?;
            known.entry(run.hash).or_insert(id);
            *runs = id + 1;
            Ok(())
        })?;
        replay.judge(tree, words.len(), events, believed)
    }

    /// Runs over the life of the campaign; the next one has this number.
    pub fn runs(&self) -> u32 {
        self.runs
    }

    /// The campaign's folder.
    pub fn dir(&self) -> &Path {
        self.store.dir()
    }

    pub fn replay(&self) -> Replay<'_> {
        self.store.replay()
    }

    pub fn set_meta(&self, name: &str, value: &str) -> Result<(), CampaignError> {
        self.store.set_meta(name, value)
    }

    /// More is looked at of a run's races, now.
    pub fn look_on(&mut self, run: u32) -> Result<(), CampaignError> {
        self.store.note_look(self.looked_on, (self.runs, run))?;
        self.looked_on += 1;
        Ok(())
    }

    /// Of which runs more was looked at, in order, each when there were so many runs.
    pub fn looked_on(&mut self) -> Result<Vec<(u32, u32)>, CampaignError> {
        let looks = self.replay().looks()?;
        self.looked_on = looks.len() as u32;
        Ok(looks)
    }

    /// The earlier run of a case, if there is one.
    pub fn earlier(&self, hash: i64, packed: &[u8]) -> Result<Option<u32>, CampaignError> {
        let Some(run) = self.known.get(&hash) else {
            return Ok(None);
        };
        let (known, _) = self.replay().case(*run)?;
        Ok((known == packed).then_some(*run))
    }

    /// Has nothing been approximated?
    pub fn is_exact(&self) -> bool {
        self.events.is_empty()
    }

    /// Approximations that happened, by word and packed site.
    pub fn approximations(&self) -> impl Iterator<Item = (&str, u64, u64)> {
        self.events.iter().map(|((word, site), count)| {
            let word = self.words.get(*word);
            (word.unwrap_or_default(), *site, *count)
        })
    }

    /// Counts an approximation that no run's row holds.
    pub fn event(&mut self, kind: ApproximationKind, site: Option<SiteId>) {
        let key = self.key(kind, site);
        *self.events.entry(key).or_default() += 1;
        self.waiting.push(Entry::Event(key.0, key.1));
    }

    /// Counts the approximations of a run, and gives them back for its row: word, packed site, and how many.
    /// `diverged` is the choice that contradicts the tree, if there is one.
    pub fn count(&mut self, trace: &Trace, diverged: Option<u32>) -> Vec<(u32, u64, u64)> {
        let mut counts: BTreeMap<(u32, u64), u64> = BTreeMap::new();
        for approximation in &trace.approximations {
            let key = self.key(approximation.kind, approximation.site);
            *counts.entry(key).or_default() += 1;
        }
        if let Some(index) = diverged {
            let site = trace.choices.get(index as usize).map(|choice| choice.site);
            let key = self.key(ApproximationKind::Nondeterminism, site);
            *counts.entry(key).or_default() += 1;
        }
        // What a run that does not end would have chosen later is not known.
        if matches!(
            &trace.outcome,
            Outcome::Failure {
                kind: FailureKind::Hang,
                ..
            }
        ) {
            let site = trace.choices.last().map(|choice| choice.site);
            let key = self.key(ApproximationKind::RunLimit, site);
            *counts.entry(key).or_default() += 1;
        }
        for (key, count) in &counts {
            *self.events.entry(*key).or_default() += count;
        }
        let rows = counts.into_iter();
        rows.map(|((word, site), count)| (word, site, count))
            .collect()
    }

    fn key(&mut self, kind: ApproximationKind, site: Option<SiteId>) -> (u32, u64) {
        (self.words.id(kind.word()), packed_site(site))
    }

    /// An alternative of the tree has been closed.
    pub fn closed(&mut self, item: Item, verdict: State) {
        self.waiting.push(Entry::Verdict(item, verdict));
    }

    /// Writes a run down, with its findings that changed and all that waits, in one transaction.
    pub fn add(
        &mut self,
        row: &RunRow<'_>,
        trace: &Trace,
        findings: &[&FindingRow],
    ) -> Result<(), CampaignError> {
        self.store.note_objects(trace)?;
        self.commit(Some(row), findings)?;
        self.known.entry(row.hash).or_insert(row.id);
        self.runs += 1;
        Ok(())
    }

    /// Writes what waits, if it is much or `now`.
    pub fn flush(&mut self, now: bool) -> Result<(), CampaignError> {
        if self.waiting.is_empty() || (!now && self.waiting.len() < WAITING) {
            return Ok(());
        }
        self.commit(None, &[])
    }

    /// Copies the database, as it is now, to a file that is not there.
    pub fn copy(&mut self, to: &Path) -> Result<(), CampaignError> {
        self.flush(true)?;
        self.store.copy(to)
    }

    fn commit(
        &mut self,
        row: Option<&RunRow<'_>>,
        findings: &[&FindingRow],
    ) -> Result<(), CampaignError> {
        let words = self.words.unsaved();
        self.store.commit(row, &self.waiting, &words, findings)?;
        self.words.save();
        self.waiting.clear();
        Ok(())
    }
}
