//! What all workers share: tree, coverage, strategy, store, findings and counts.

use crate::findings::{Failed, Findings, Verdict};
use crate::schedule_search::{Sample, ScheduleSearch};
use crate::store::{Entry, MAX_CHAIN, Origin, OutcomeCode, Replay, RunRow, StoreWriter};
use crate::summary::Totals;
use crate::unproductive::Unproductive;
use crate::{CampaignError, Ended, Options, Subsumption, store};
use elsewise_explore::schedule::{Unfinished, Wakeup};
use elsewise_explore::strategy::{Gain, News, Pick, Strategy};
use elsewise_explore::{
    ALTERNATIVE_OTHER, ApproximationKind, Blueprint, Case, Choice, Coverage, FailureKind, Item,
    Kind, LeafEnd, Outcome, Reason, SiteId, State, Step, Trace, Tree,
};
use elsewise_solve::StageCount;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::time::Instant;

/// Verdicts that may wait for the next transaction.
const WAITING: usize = 64;

/// Words that approximations are counted under, by number.
#[derive(Default)]
pub(crate) struct Words {
    pub list: Vec<String>,
    ids: FxHashMap<String, u32>,
    saved: usize,
}

impl Words {
    pub fn load(list: Vec<String>) -> Words {
        let ids = list.iter().enumerate();
        Words {
            ids: ids.map(|(id, word)| (word.clone(), id as u32)).collect(),
            saved: list.len(),
            list,
        }
    }

    fn id(&mut self, word: &str) -> u32 {
        if let Some(id) = self.ids.get(word) {
            return *id;
        }
        let id = self.list.len() as u32;
        self.list.push(word.to_owned());
        self.ids.insert(word.to_owned(), id);
        id
    }

    /// Words that the store does not have yet.
    fn unsaved(&self) -> Vec<(u32, String)> {
        let new = self.list.iter().enumerate().skip(self.saved);
        new.map(|(id, word)| (id as u32, word.clone())).collect()
    }
}

/// Sites as the store has them: 0 for none.
pub(crate) fn packed_site(site: Option<SiteId>) -> u64 {
    site.map_or(0, |site| u64::from(site.0) + 1)
}

pub(crate) struct Shared {
    pub blueprint: Blueprint,
    pub tree: Tree,
    pub coverage: Coverage,
    pub strategy: Box<dyn Strategy>,
    pub store: StoreWriter,
    pub findings: Findings,
    pub words: Words,
    /// Approximations that happened, by word and packed site.
    pub events: BTreeMap<(u32, u64), u64>,
    /// Run of each case, by the case's hash.
    pub known: FxHashMap<i64, u32>,
    pub runs: u32,
    pub optimistic: u64,
    pub seeds: VecDeque<Case>,
    /// Claimed alternatives whose query takes long: asked again when nothing else is left.
    pub deferred: VecDeque<Pursuit>,
    pub unproductive: Unproductive,
    /// Other orders of threads.
    pub schedules: ScheduleSearch,
    /// Such an order is next, rather than other inputs.
    pub order_next: bool,
    /// Runs of an earlier session whose threads' moves have to be seen again, in order, and whether
    /// each was to try another order.
    pub unseen: VecDeque<(u32, bool)>,
    pub totals: Totals,
    /// What subsumption has done so far, if there is any.
    pub subsumption: Option<Subsumption>,
    pub resumed: bool,
    pub rotated: Option<PathBuf>,
    /// Entries that wait for the next transaction.
    pub waiting: Vec<Entry>,
    /// Stage counts of each worker's present solver.
    pub stages: Vec<Vec<StageCount>>,
    pub started: Instant,
    pub cpu_at_start: f64,
    pub runs_at_start: u32,
    pub in_flight: u32,
    pub ended: Option<Ended>,
    pub failed: Option<CampaignError>,
}

/// A piece of work for one worker.
pub(crate) enum Job {
    Seed(Case),
    Pursue(Pursuit),
    /// Tries another order of threads.
    Wake(Wakeup),
    /// Lets chance decide who moves.
    Sample(Sample),
    /// Looks at a run of an earlier session again, and whether it was to try another order.
    See(u32, bool),
    /// Looks at more of what a run's threads could have done.
    GoOn(Unfinished),
}

/// An alternative that a worker has claimed.
#[derive(Clone, Debug)]
pub(crate) struct Pursuit {
    pub pick: Pick,
    pub witness: u32,
    /// Index of the choice.
    pub choice: u32,
    /// Values already taken there.
    pub others: Vec<u64>,
    /// The query may take all the time that there is for one.
    pub patient: bool,
}

pub(crate) enum Next {
    Job(Job),
    Wait,
    End,
}

/// A finished run.
pub(crate) struct Finished<'a> {
    pub origin: Origin,
    /// The case as it is kept for people.
    pub kept: &'a Case,
    pub packed: &'a [u8],
    pub trace: &'a Trace,
    /// The run that the case was made from.
    pub parent: Option<Parent<'a>>,
    pub pursuit: Option<&'a Pursuit>,
    /// The order that the run was to try.
    pub wakeup: Option<&'a Wakeup>,
    pub failures: Vec<Failed>,
}

#[derive(Clone, Copy)]
pub(crate) struct Parent<'a> {
    pub run: u32,
    pub packed: &'a [u8],
    pub chain: u8,
}

impl Shared {
    /// The next thing to do; what is handed out counts as in flight until [`Shared::done`].
    pub fn next(&mut self, options: &Options) -> Next {
        if self.ended.is_some() || self.failed.is_some() {
            return Next::End;
        }
        if let Some(limit) = options.budget.time
            && self.started.elapsed() >= limit
        {
            self.ended = Some(Ended::Budget);
            return Next::End;
        }
        let done = u64::from(self.runs);
        self.schedules
            .consider(self.started.elapsed(), options.budget.time, done);
        let made = u64::from(self.runs - self.runs_at_start);
        let left = options
            .budget
            .runs
            .map_or(u64::MAX, |limit| limit.saturating_sub(made));
        // Nothing beyond the budget is begun, and an exhausted frontier is told from a budget
        // that ended at the same moment.
        let more = !self.seeds.is_empty() || self.tree.frontier() > 0 || self.schedules.has_work();
        if left <= u64::from(self.in_flight) && more {
            if self.in_flight > 0 {
                return Next::Wait;
            }
            self.ended = Some(Ended::Budget);
            return Next::End;
        }
        if let Some((run, tried)) = self.unseen.front().copied() {
            // One after the other: what is to be tried follows from the order.
            if self.in_flight > 0 {
                return Next::Wait;
            }
            self.unseen.pop_front();
            self.in_flight += 1;
            return Next::Job(Job::See(run, tried));
        }
        if let Some(case) = self.seeds.pop_front() {
            self.in_flight += 1;
            return Next::Job(Job::Seed(case));
        }
        // ScheduleSearch and inputs in turn, as long as there are both.
        self.order_next = !self.order_next;
        if self.order_next
            && let Some(job) = self.next_order()
        {
            return Next::Job(job);
        }
        while let Some(pick) = self.strategy.next(&self.tree, &self.coverage) {
            let position = pick.item.position;
            if !self.tree.claim(pick.item) {
                continue;
            }
            let pursuit = Pursuit {
                pick,
                witness: self.tree.witness(position),
                choice: self.tree.depth(position),
                others: self.others(pick.item),
                patient: false,
            };
            let site = self.tree.site(position);
            if let Some(pursuit) = self.unproductive.sift(site, pursuit) {
                self.in_flight += 1;
                return Next::Job(Job::Pursue(pursuit));
            }
        }
        if let Some(job) = self.next_order() {
            return Next::Job(job);
        }
        let put_off = self.unproductive.next();
        let patient = put_off.is_none();
        if let Some(mut pursuit) = put_off.or_else(|| self.deferred.pop_front()) {
            // It may have been closed while it waited.
            if self.tree.state(pursuit.pick.item) != Some(State::Claimed) {
                return self.next(options);
            }
            pursuit.others = self.others(pursuit.pick.item);
            pursuit.patient = patient;
            self.in_flight += 1;
            return Next::Job(Job::Pursue(pursuit));
        }
        if self.in_flight > 0 {
            return Next::Wait;
        }
        self.ended = Some(match self.is_complete() {
            true => Ended::Complete,
            false => Ended::Exhausted,
        });
        Next::End
    }

    /// Another order of threads to try, or to look for.
    fn next_order(&mut self) -> Option<Job> {
        let job = self.schedules.next()?;
        self.in_flight += 1;
        Some(job)
    }

    /// Values that an alternative must differ from.
    fn others(&self, item: Item) -> Vec<u64> {
        match item.alternative {
            ALTERNATIVE_OTHER => self.tree.taken_values(item.position).collect(),
            _ => Vec::new(),
        }
    }

    pub fn is_complete(&self) -> bool {
        self.tree.is_complete()
            && self.schedules.is_done()
            && self.events.is_empty()
            && self.findings.rows().iter().all(|row| row.confirmed)
    }

    /// Counts an approximation that no run's row holds.
    pub fn event(&mut self, kind: ApproximationKind, site: Option<SiteId>) {
        let key = (self.words.id(kind.word()), packed_site(site));
        *self.events.entry(key).or_default() += 1;
        self.waiting.push(Entry::Event(key.0, key.1));
    }

    /// Closes a claimed alternative.
    pub fn close(&mut self, pursuit: &Pursuit, verdict: State, work: u64) {
        let item = pursuit.pick.item;
        if self.tree.close(item, verdict) {
            self.waiting.push(Entry::Verdict(item, verdict));
            if let State::GaveUp(reason @ (Reason::Divergence | Reason::Lost)) = verdict {
                self.event(reason.kind(), Some(self.tree.site(item.position)));
            }
        }
        let gain = Gain {
            work,
            ..Gain::default()
        };
        self.strategy.paid(&pursuit.pick, &gain);
    }

    /// Puts a claimed alternative off whose query takes long.
    pub fn defer(&mut self, pursuit: &Pursuit) {
        self.deferred.push_back(pursuit.clone());
        let gain = Gain {
            work: u64::from(pursuit.choice),
            ..Gain::default()
        };
        self.strategy.paid(&pursuit.pick, &gain);
    }

    /// Gives a claimed alternative back, untried.
    pub fn give_back(&mut self, pursuit: &Pursuit) {
        let item = pursuit.pick.item;
        if self.tree.release(item) {
            let news = News::reopened(item.position);
            self.strategy.note(&self.tree, &self.coverage, &news);
        }
    }

    /// The case for a claimed alternative has been run before. Then it should have taken the
    /// alternative; unless another worker ran it in the meantime, it is a divergence.
    pub fn repeated(&mut self, pursuit: &Pursuit) {
        if let Some(position) = self.settle(pursuit) {
            let news = News::reopened(position);
            self.strategy.note(&self.tree, &self.coverage, &news);
        }
        let gain = Gain {
            work: u64::from(pursuit.choice),
            ..Gain::default()
        };
        self.strategy.paid(&pursuit.pick, &gain);
    }

    /// Writes what waits, if it is much or `now`.
    pub fn flush(&mut self, now: bool) -> Result<(), CampaignError> {
        if self.waiting.is_empty() || (!now && self.waiting.len() < WAITING) {
            return Ok(());
        }
        let words = self.words.unsaved();
        self.store.commit(None, &self.waiting, &words, &[])?;
        self.words.saved = self.words.list.len();
        self.waiting.clear();
        Ok(())
    }

    /// The earlier run of a case, if there is one.
    pub fn earlier(&self, hash: i64, packed: &[u8]) -> Result<Option<u32>, CampaignError> {
        let Some(run) = self.known.get(&hash) else {
            return Ok(None);
        };
        let (known, _) = self.replay().case(*run)?;
        Ok((known == packed).then_some(*run))
    }

    pub fn replay(&self) -> Replay<'_> {
        Replay {
            connection: self.store.connection(),
            path: self.store.dir().join("campaign.db"),
        }
    }

    /// Takes a run in: tree, coverage, findings and, in one transaction, the store. The run's
    /// number, and the length of its case's chain in the store.
    pub fn finish(&mut self, done: &Finished<'_>) -> Result<(u32, u8), CampaignError> {
        let run = self.runs;
        let trace = done.trace;
        let choices = trace.choices.len() as u32;
        let asleep = done
            .wakeup
            .map(|wakeup| wakeup.asleep(&trace.moves, choices));
        let asleep = asleep.unwrap_or_default();
        let steps = (0..).zip(&trace.choices).map(|(index, choice)| Step {
            asleep: store::is_asleep(&asleep, index),
            ..Step::from(choice)
        });
        let inserted = self.tree.insert_steps(run, steps, LeafEnd::of(trace));
        if done.origin == Origin::Sample && inserted.new_path {
            self.schedules.new_path();
        }
        let mut new_sides = Vec::new();
        for side in &trace.covered {
            if self.coverage.add(*side) {
                new_sides.push(*side);
            }
        }
        let mut counts: BTreeMap<(u32, u64), u64> = BTreeMap::new();
        for approximation in &trace.approximations {
            let key = (
                self.words.id(approximation.kind.word()),
                packed_site(approximation.site),
            );
            *counts.entry(key).or_default() += 1;
        }
        if let Some(index) = inserted.diverged {
            let site = trace.choices.get(index as usize).map(|choice| choice.site);
            let key = (
                self.words.id(ApproximationKind::Nondeterminism.word()),
                packed_site(site),
            );
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
            let key = (
                self.words.id(ApproximationKind::RunLimit.word()),
                packed_site(site),
            );
            *counts.entry(key).or_default() += 1;
        }
        for (key, count) in &counts {
            *self.events.entry(*key).or_default() += count;
        }

        let aimed = done.pursuit.filter(|_| done.origin == Origin::Query);
        let reopened = aimed.and_then(|pursuit| self.settle(pursuit));
        let mut changed = Vec::new();
        let mut shown = None;
        for failed in &done.failures {
            let verdict = failed.verdict.as_ref().map(|verdict| Verdict {
                confirmed: verdict.confirmed,
                note: verdict.note.clone(),
            });
            let about = failed.about();
            let (id, news) = self.findings.add(&failed.cause, about, run, verdict);
            if shown.is_none() {
                self.findings.hit(id);
                shown = Some(id);
            }
            if news {
                changed.push((id, failed));
            }
        }
        let outcome = match (&trace.outcome, shown) {
            (_, Some(id)) => OutcomeCode::Failure(id),
            (Outcome::Exit(code), None) => OutcomeCode::Exit(*code),
            (Outcome::Assumed | Outcome::Failure { .. }, None) => OutcomeCode::Assumed,
        };
        self.count_races(trace, shown);
        self.write_files(run, done.kept, &new_sides, &changed)?;
        self.store.note_objects(trace)?;

        let base = done.parent.map(|parent| store::Base {
            run: parent.run,
            packed: parent.packed,
            chain: parent.chain.min(MAX_CHAIN),
        });
        let (input, chain) = store::shrink(done.packed, base);
        let hash = store::hash64(done.packed);
        let approximations: Vec<(u32, u64, u64)> = counts
            .iter()
            .map(|((word, site), count)| (*word, *site, *count))
            .collect();
        let row = RunRow {
            id: run,
            origin: done.origin,
            parent: match (done.pursuit, done.wakeup) {
                (Some(p), _) => Some((p.witness, p.choice, p.pick.item.alternative)),
                (None, Some(wakeup)) => Some((wakeup.run, 0, 0)),
                (None, None) => done.parent.map(|parent| (parent.run, 0, 0)),
            },
            outcome,
            cpu_micros: trace.cpu_micros,
            millis: (self.life() * 1e3) as u64,
            hash,
            inserted: &inserted,
            choices: &trace.choices,
            asleep: &asleep,
            new_sides: &new_sides,
            approximations: &approximations,
            input: &input,
        };
        let rows = self.findings.rows();
        let changed: Vec<_> = changed
            .iter()
            .filter_map(|(id, _)| rows.get(*id as usize - 1))
            .collect();
        let words = self.words.unsaved();
        self.store
            .commit(Some(&row), &self.waiting, &words, &changed)?;
        self.words.saved = self.words.list.len();
        self.waiting.clear();
        self.known.entry(hash).or_insert(run);
        self.runs += 1;
        self.optimistic += u64::from(done.origin == Origin::Optimistic);
        self.totals.subject_cpu_seconds += trace.cpu_micros as f64 / 1e6;

        if let Some(wakeup) = done.wakeup {
            let scheduled = trace.choices.iter().filter_map(Choice::scheduled);
            if !scheduled
                .take(wakeup.schedule.len())
                .eq(wakeup.schedule.iter().copied())
            {
                self.event(ApproximationKind::Divergence, None);
            }
        }
        let news = News {
            run,
            positions: inserted.new_positions.clone(),
            reopened,
            new_sides: new_sides.len() as u32,
            dismissed: trace.outcome == Outcome::Assumed,
            from: inserted.attach.and_then(|attach| attach.position),
        };
        self.strategy.note(&self.tree, &self.coverage, &news);
        if let Some(pursuit) = done.pursuit {
            let site = self.tree.site(pursuit.pick.item.position);
            self.unproductive.note(run, site, pursuit, news.dismissed);
            let gain = Gain {
                new_sides: new_sides.len() as u32,
                new_path: inserted.new_path && !news.dismissed,
                work: trace.choices.len() as u64,
            };
            self.strategy.paid(&pursuit.pick, &gain);
        }
        Ok((run, chain))
    }

    /// After the run that was to take a claimed alternative: it did, or it left its predicted
    /// path. The position if its alternative is open again.
    fn settle(&mut self, pursuit: &Pursuit) -> Option<elsewise_explore::PositionId> {
        let item = pursuit.pick.item;
        let Item {
            position,
            alternative,
        } = item;
        if self.tree.kind(position) == Kind::Question {
            if self.tree.close(item, State::Answered) {
                self.waiting.push(Entry::Verdict(item, State::Answered));
            }
            return None;
        }
        let took = match alternative {
            ALTERNATIVE_OTHER => self.tree.taken_values(position).count() > pursuit.others.len(),
            _ => self.tree.state(item) != Some(State::Claimed),
        };
        if !took {
            let verdict = State::GaveUp(Reason::Divergence);
            if self.tree.close(item, verdict) {
                self.waiting.push(Entry::Verdict(item, verdict));
            }
            self.event(
                ApproximationKind::Divergence,
                Some(self.tree.site(position)),
            );
            return None;
        }
        let released = alternative == ALTERNATIVE_OTHER && self.tree.release(item);
        released.then_some(position)
    }

    /// Seconds that the campaign has been explored, the present session included.
    pub fn life(&self) -> f64 {
        self.totals.wall_seconds + self.started.elapsed().as_secs_f64()
    }
}
