//! Shards put together: a new campaign that begins with everything that others have explored.
//!
//! Nothing is taken on trust that the tree itself can say. Runs are put into one tree, each behind the alternative
//! that it hangs on; what shards have proved is closed in it; what a shard left to another is open until that one's
//! runs come. So whatever was lost, or explored by nobody, is still in the frontier when all have been merged.

use crate::begin::{bounds_of, create};
use crate::findings::Findings;
use crate::options::{PORTION, SHARD, SUBSUMED};
use crate::schedule_search::{ORDERS, ORDERS_DONE};
use crate::store::{
    self, Entry, LoadedRun, MAX_CHAIN, OutcomeCode, Replay, RowSteps, RunRow, Store, StoreWriter,
    read_story, write_story,
};
use crate::summary::Totals;
use crate::words::Words;
use crate::{CampaignError, Options, read_unlinked};
use elsewise_explore::{
    Attach, Blueprint, Coverage, Inserted, Item, PositionId, Reason, State, Step, Tree,
};
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Begins the campaign of these options with what its shards have explored.
pub(crate) fn merge(
    options: &Options,
    blueprint: &Blueprint,
) -> Result<StoreWriter, CampaignError> {
    // Before anything is written.
    for dir in &options.merge {
        can_merge(dir, options, blueprint)?;
    }
    let writer = create(&options.dir, options, blueprint)?;
    writer.together(|| {
        let mut merged = Merged {
            writer: &writer,
            tree: Tree::new(bounds_of(options)),
            coverage: Coverage::new(blueprint),
            words: Words::default(),
            findings: Findings::default(),
            found_in: BTreeMap::new(),
            known: FxHashMap::default(),
            chains: Vec::new(),
            verdicts: Vec::new(),
            entries: Vec::new(),
            totals: Totals::default(),
            objects: None,
            orders_done: true,
        };
        for dir in &options.merge {
            merged.take(&open_shard(dir, options, blueprint)?)?;
        }
        merged.finish()
    })?;
    Ok(writer)
}

/// Opens a shard, if it is one of the same campaign.
fn open_shard(
    dir: &Path,
    options: &Options,
    blueprint: &Blueprint,
) -> Result<Store, CampaignError> {
    let store = Store::open_read(dir)?;
    let replay = store.replay();
    let other = |other| {
        Err(CampaignError::OtherCampaign {
            dir: dir.to_owned(),
            other,
        })
    };
    if replay.meta("build")?.as_ref() != Some(&blueprint.build) {
        return other("another build of the subject");
    }
    let read = |text: &str| -> Result<serde_json::Map<String, Value>, CampaignError> {
        serde_json::from_str(text).map_err(|error| replay.damaged(error))
    };
    let mut identity = read(&replay.meta("identity")?.unwrap_or_default())?;
    let mut wanted = read(&options.identity())?;
    if identity.remove(SHARD).is_some() {
        // Shards close nothing by subsumption, whatever is asked for later.
        wanted.remove(SUBSUMED);
    }
    if identity != wanted {
        return other("other options");
    }
    Ok(store)
}

fn is_portion(part: &Store) -> Result<bool, CampaignError> {
    let replay = part.replay();
    let identity = replay.meta("identity")?.unwrap_or_default();
    let identity: Value = serde_json::from_str(&identity).map_err(|error| replay.damaged(error))?;
    Ok(identity.get(SHARD).and_then(Value::as_str) == Some(PORTION))
}

/// Is this a campaign that can be put together with others to one with these options?
pub fn can_merge(
    dir: &Path,
    options: &Options,
    blueprint: &Blueprint,
) -> Result<(), CampaignError> {
    open_shard(dir, options, blueprint).map(|_| ())
}

/// What all shards together have.
struct Merged<'a> {
    writer: &'a StoreWriter,
    tree: Tree,
    coverage: Coverage,
    words: Words,
    findings: Findings,
    /// The folder of each finding's files.
    found_in: BTreeMap<u32, PathBuf>,
    /// Run of each case, by the case's hash.
    known: FxHashMap<i64, u32>,
    /// By run: the length of its case's chain in the store.
    chains: Vec<u8>,
    /// Alternatives that shards closed.
    verdicts: Vec<(Item, State)>,
    /// What happened beside runs.
    entries: Vec<Entry>,
    totals: Totals,
    /// What programs call their input objects.
    objects: Option<String>,
    /// None of the campaigns has left an order of threads.
    orders_done: bool,
}

/// What a shard's numbers are in the merged campaign.
#[derive(Default)]
struct Numbers {
    positions: Vec<Option<PositionId>>,
    runs: Vec<u32>,
    findings: Vec<u32>,
    words: Vec<u32>,
}

impl Numbers {
    fn item(&self, item: Item) -> Option<Item> {
        let position = self.positions.get(item.position.0 as usize).copied()??;
        Some(Item { position, ..item })
    }
}

impl Merged<'_> {
    fn take(&mut self, part: &Store) -> Result<(), CampaignError> {
        let replay = part.replay();
        let mut numbers = Numbers {
            words: replay.words()?.iter().map(|it| self.words.id(it)).collect(),
            ..Numbers::default()
        };
        let rows = replay.findings()?;
        for row in &rows {
            numbers.findings.push(self.findings.adopt(row));
        }
        // Checked as those of a campaign that is gone on with.
        let mut own = Tree::new(self.tree.bounds());
        replay.runs(|id, mut run| {
            let steps = std::mem::take(&mut run.trace.tree.steps);
            if let Some(attach) = run.trace.tree.attach {
                own.attach(id, attach, steps.iter().copied(), run.trace.tree.end)
                    .map_err(|error| replay.damaged(format!("run {id}: {error}")))?;
            }
            self.add(&replay, id, &run, &steps, &mut numbers)
        })?;
        // Portions have their orders whole; those of shards may go on in another.
        if own.has_threads() && !is_portion(part)? {
            return Err(CampaignError::ThreadsInShard);
        }
        for (row, id) in rows.iter().zip(&numbers.findings) {
            let run = numbers.runs.get(row.run as usize);
            let run = run.ok_or_else(|| replay.damaged("a finding has no run"))?;
            if self.findings.place(*id, row, *run) {
                let folder = part.dir().join("findings").join(row.id.to_string());
                self.found_in.insert(*id, folder);
            }
        }
        if let Some(text) = replay.meta("totals")? {
            let mut more: Totals =
                serde_json::from_str(&text).map_err(|error| replay.damaged(error))?;
            for race in more.races.values_mut() {
                let known = race.failure.and_then(|id| (id as usize).checked_sub(1));
                race.failure = known.and_then(|index| numbers.findings.get(index).copied());
            }
            self.totals.add(&more);
        }
        self.orders_done &= replay.meta(ORDERS)?.as_deref() == Some(ORDERS_DONE);
        let more = replay.meta(store::OBJECTS)?;
        if more.as_ref().map(String::len) > self.objects.as_ref().map(String::len) {
            self.objects = more;
        }
        replay.journal(|entry| {
            match entry {
                Entry::Verdict(_, State::GaveUp(Reason::OtherShard)) => {}
                Entry::Verdict(item, verdict) => {
                    if item.position.0 >= own.positions() {
                        return Err(replay.damaged("the journal closes what is not there"));
                    }
                    if let Some(item) = numbers.item(item) {
                        self.verdicts.push((item, verdict));
                    }
                }
                Entry::Event(word, site) => {
                    let word = numbers.words.get(word as usize);
                    let word = word.ok_or_else(|| replay.damaged("a word is missing"))?;
                    self.entries.push(Entry::Event(*word, site));
                }
            }
            Ok(())
        })
    }

    /// Adds a run of a shard, unless another had the same case.
    fn add(
        &mut self,
        replay: &Replay<'_>,
        id: u32,
        run: &LoadedRun,
        steps: &[Step],
        numbers: &mut Numbers,
    ) -> Result<(), CampaignError> {
        let (packed, _) = replay.case(id)?;
        let known = self.known.get(&run.hash).copied();
        let known = match known {
            Some(known) if self.writer.replay().case(known)?.0 == packed => Some(known),
            _ => None,
        };
        let number = known.unwrap_or(self.chains.len() as u32);
        numbers.runs.push(number);
        let inserted = self.insert(number, run, steps, numbers);
        if run.trace.tree.apart {
            self.tree.note_apart();
        }
        let sides = run.trace.new_sides.iter().copied();
        let new_sides: Vec<_> = sides.filter(|side| self.coverage.add(*side)).collect();
        if known.is_some() {
            return Ok(());
        }
        let word = |word: u32| numbers.words.get(word as usize).copied();
        let approximations: Option<Vec<_>> = run
            .trace
            .approximations
            .iter()
            .map(|(kind, site, count)| Some((word(*kind)?, *site, *count)))
            .collect();
        let approximations = approximations.ok_or_else(|| replay.damaged("a word is missing"))?;
        let outcome = match run.outcome {
            OutcomeCode::Failure(finding) => {
                let index = (finding as usize).wrapping_sub(1);
                let finding = numbers.findings.get(index).copied();
                let gone = || replay.damaged(format!("run {id} has a finding that is not there"));
                OutcomeCode::Failure(finding.ok_or_else(gone)?)
            }
            other => other,
        };
        if !new_sides.is_empty() {
            let dir = self.writer.dir().join("cases").join(number.to_string());
            store::write_case(&dir, &replay.unpack(&packed)?)?;
        }
        let parent = run.parent.and_then(|(parent, choice, alternative)| {
            Some((*numbers.runs.get(parent as usize)?, choice, alternative))
        });
        let parent = parent.filter(|(parent, ..)| *parent < number);
        let base = match parent {
            Some((parent, ..)) => Some((parent, self.writer.replay().case(parent)?.0)),
            None => None,
        };
        let base = base.as_ref().map(|(run, packed)| store::Base {
            run: *run,
            packed,
            chain: self.chains[*run as usize].min(MAX_CHAIN),
        });
        let (input, chain) = store::shrink(&packed, base);
        // Of those behind the alternative, the new ones.
        let depth = run.trace.tree.attach.and_then(|attach| attach.position);
        let depth = depth.and_then(|it| numbers.positions.get(it.0 as usize).copied()?);
        let depth = depth.map_or(0, |position| self.tree.depth(position) + 1);
        let first = inserted.first_new_choice.saturating_sub(depth) as usize;
        let row = RunRow {
            id: number,
            origin: run.origin,
            parent,
            outcome,
            cpu_micros: run.cpu_micros,
            millis: run.millis,
            hash: run.hash,
            inserted: &inserted,
            steps: RowSteps::New(steps.get(first..).unwrap_or_default()),
            new_sides: &new_sides,
            approximations: &approximations,
            input: &input,
        };
        self.writer.commit(Some(&row), &[], &[], &[])?;
        self.known.entry(run.hash).or_insert(number);
        self.chains.push(chain);
        Ok(())
    }

    /// Puts a run into the tree, behind the alternative that it hangs on.
    fn insert(
        &mut self,
        number: u32,
        run: &LoadedRun,
        steps: &[Step],
        numbers: &mut Numbers,
    ) -> Inserted {
        let Some(own) = run.trace.tree.attach else {
            return self.tree.nothing_new();
        };
        let attach = match own.position {
            None => Some(Attach::ROOT),
            Some(position) => {
                let position = numbers.positions.get(position.0 as usize).copied();
                position.flatten().map(|position| Attach {
                    position: Some(position),
                    taken: own.taken,
                })
            }
        };
        let Some(attach) = attach else {
            // It hangs on something that contradicted another shard.
            self.tree.note_apart();
            numbers.positions.extend(steps.iter().map(|_| None));
            return self.tree.nothing_new();
        };
        let end = run.trace.tree.end;
        let inserted = self
            .tree
            .insert_below(number, attach, steps.iter().copied(), end);
        let path = self.tree.path_below(attach, steps.iter().copied());
        let path = path.into_iter().map(Some).chain(std::iter::repeat(None));
        numbers.positions.extend(path.take(steps.len()));
        inserted
    }

    /// Writes down what is not a run's.
    fn finish(mut self) -> Result<(), CampaignError> {
        // What one has proved need not have been given up by another.
        let (given_up, proved): (Vec<_>, Vec<_>) = std::mem::take(&mut self.verdicts)
            .into_iter()
            .partition(|(_, verdict)| matches!(verdict, State::GaveUp(_)));
        for (item, verdict) in proved.into_iter().chain(given_up) {
            if self.tree.close(item, verdict) {
                self.entries.push(Entry::Verdict(item, verdict));
            }
        }
        let totals = serde_json::to_string(&self.totals).unwrap_or_default();
        self.writer.set_meta("totals", &totals)?;
        if self.orders_done {
            self.writer.set_meta(ORDERS, ORDERS_DONE)?;
        }
        if let Some(objects) = &self.objects {
            self.writer.set_meta(store::OBJECTS, objects)?;
        }
        let dir = self.writer.dir();
        for finding in self.findings.rows() {
            let public = finding.public(dir, 1, &self.totals.races);
            let (packed, _) = self.writer.replay().case(finding.run)?;
            let mut case = self.writer.replay().unpack(&packed)?;
            let folder = self.found_in.get(&finding.id);
            for (input, bytes) in &mut case.inputs {
                // There may be less that fails in the same way.
                let small = folder.map(|it| read_unlinked(&it.join(store::file_name(input))));
                if let Some(Ok(small)) = small {
                    *bytes = small;
                }
            }
            // The run's own may be the beginning of one.
            let schedule = folder.and_then(|it| store::read_schedule(it));
            case.schedule = schedule.unwrap_or(case.schedule);
            store::write_case(&public.path, &case)?;
            if let Some(folder) = folder {
                write_story(&public.path, &read_story(folder))?;
            }
            crate::finding_files::write_finding(&public)?;
        }
        let findings: Vec<_> = self.findings.rows().iter().collect();
        let words = self.words.unsaved();
        self.writer.commit(None, &self.entries, &words, &findings)
    }
}
