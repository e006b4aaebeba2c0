//! What all workers share: what is to be done, the store, findings and counts.

use crate::counts::{Counts, Session};
use crate::finding_files::write_files;
use crate::findings::{Failed, Findings, Verdict};
use crate::job::Pursuit;
use crate::ledger::Ledger;
use crate::portion::{Offer, PORTION, PORTION_FOUND, Portion};
use crate::store::{self, MAX_CHAIN, Origin, OutcomeCode, RowSteps, RunRow};
use crate::work::{Next, Work};
use crate::{CampaignError, Ended, Found, Options};
use elsewise_explore::schedule::Wakeup;
use elsewise_explore::strategy::{Gain, News};
use elsewise_explore::{ApproximationKind, Blueprint, Case, Choice, Outcome, SiteId, State, Trace};
use elsewise_solve::StageCount;
use elsewise_subsume::Closed;

pub(crate) struct Shared {
    pub blueprint: Blueprint,
    pub ledger: Ledger,
    pub work: Work,
    pub findings: Findings,
    pub counts: Counts,
    pub session: Session,
    /// Cases that have reached something new and are still to be given to others, if there are others.
    pub to_give: Option<Vec<Case>>,
    pub ended: Option<Ended>,
    pub failed: Option<CampaignError>,
}

/// A finished run.
pub(crate) struct Finished<'a> {
    /// Who made it, and has its trace.
    pub worker: usize,
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
    /// The next thing for a worker to do, unless the budget ends; what is handed out is at work until [`Shared::done`].
    pub fn next(&mut self, options: &Options, worker: usize) -> Next {
        if self.ended.is_some() || self.failed.is_some() {
            return Next::End;
        }
        let (elapsed, limit) = (self.session.elapsed(), options.budget.time);
        if limit.is_some_and(|limit| elapsed >= limit) {
            self.ended = Some(Ended::Budget);
            return Next::End;
        }
        let runs = self.ledger.runs();
        if !self.work.has_unseen() {
            self.work
                .schedules
                .consider(elapsed, limit, u64::from(runs));
        }
        let made = u64::from(runs - self.session.earlier_runs);
        let left = options
            .budget
            .runs
            .map_or(u64::MAX, |limit| limit.saturating_sub(made));
        // Nothing beyond the budget is begun, and an exhausted frontier is told from a budget
        // that ended at the same moment.
        if left <= u64::from(self.work.in_flight()) && self.work.has_more() {
            if self.work.in_flight() > 0 {
                return Next::Wait;
            }
            self.ended = Some(Ended::Budget);
            return Next::End;
        }
        if options.shard.is_some() && self.work.tree().has_threads() {
            self.failed = Some(CampaignError::ThreadsInShard);
            return Next::End;
        }
        let next = self.work.next(worker, &mut self.ledger);
        if self.work.take_portion_begun()
            && let Err(error) = self.portion_begun()
        {
            self.failed = Some(error);
            return Next::End;
        }
        if matches!(next, Next::End) {
            let waits = self.to_give.is_some() && left > 0 && !self.is_complete();
            if waits {
                return Next::Wait;
            }
            self.ended = Some(match self.is_complete() {
                true => Ended::Complete,
                false => Ended::Exhausted,
            });
        }
        next
    }

    /// What is others' is closed: whoever goes on with the campaign need not look for it.
    fn portion_begun(&mut self) -> Result<(), CampaignError> {
        self.ledger.flush(true)?;
        self.ledger.set_meta(PORTION, PORTION_FOUND)
    }

    /// A worker has done its job; what its solver has counted so far.
    pub fn done(&mut self, worker: usize, stages: Vec<StageCount>) {
        self.counts.stages[worker] = stages;
        self.work.done();
    }

    pub fn is_complete(&self) -> bool {
        self.work.is_complete()
            && self.ledger.is_exact()
            && self.findings.rows().iter().all(|row| row.confirmed)
    }

    /// From now on, cases are exchanged with others. Those that an earlier session has kept are given, too.
    pub fn begin_exchange(&mut self) -> Result<(), CampaignError> {
        let replay = self.ledger.replay();
        let case = |run| replay.unpack(&replay.case(run)?.0);
        let kept: Result<Vec<Case>, CampaignError> =
            replay.worthy()?.into_iter().map(case).collect();
        self.to_give = Some(kept?);
        Ok(())
    }

    /// Others have found these cases; what is to be given to them.
    pub fn exchange(&mut self, taken: Vec<Found>) -> Vec<Case> {
        self.work.arrive(taken);
        self.to_give
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Claims about half of what is open and nobody is at, and says what it is to others; nothing where there is too
    /// little.
    pub fn offer(&mut self) -> Result<Option<(Offer, Portion)>, CampaignError> {
        let offer = self.work.offer();
        if offer.is_empty() {
            return Ok(None);
        }
        let replay = self.ledger.replay();
        let case = |run| replay.unpack(&replay.case(run)?.0);
        let portion = Portion::new(self.work.tree(), &offer, case)?;
        Ok(Some((offer, portion)))
    }

    /// What was offered is others' from now on, or stays.
    pub fn offered(&mut self, offer: &Offer, taken: bool) -> Result<(), CampaignError> {
        self.work.offered(offer, taken, &mut self.ledger);
        self.ledger.flush(true)
    }

    /// Counts an approximation that no run's row holds.
    pub fn event(&mut self, kind: ApproximationKind, site: Option<SiteId>) {
        self.ledger.event(kind, site);
    }

    /// Closes a claimed alternative.
    pub fn close(&mut self, pursuit: &Pursuit, verdict: State, work: u64) {
        self.work.close(pursuit, verdict, work, &mut self.ledger);
    }

    /// Closes what subsumption has closed.
    pub fn close_subsumed(&mut self, closed: &[Closed]) {
        self.work.close_subsumed(closed, &mut self.ledger);
    }

    /// The case for a claimed alternative has been run before.
    pub fn repeated(&mut self, pursuit: &Pursuit) {
        self.work.repeated(pursuit, &mut self.ledger);
    }

    /// Takes a run in: tree, coverage, findings and, in one transaction, the store. The run's
    /// number, and the length of its case's chain in the store.
    pub fn finish(&mut self, done: &Finished<'_>) -> Result<(u32, u8), CampaignError> {
        let run = self.ledger.runs();
        let trace = done.trace;
        let choices = trace.choices.len() as u32;
        let asleep = done
            .wakeup
            .map(|wakeup| wakeup.asleep(&trace.moves, choices));
        let asleep = asleep.unwrap_or_default();
        let foreign = self.work.is_foreign(&trace.choices);
        let inserted = self.work.insert(run, trace, &asleep);
        if done.origin == Origin::Seed {
            self.work.passed(done.packed, trace);
        }
        self.work.holders.note(done.worker, run);
        if done.origin == Origin::Sample && inserted.new_path {
            self.work.schedules.new_path();
        }
        let new_sides = self.work.cover(&trace.covered);
        let approximations = self.ledger.count(trace, inserted.diverged);

        let aimed = done.pursuit.filter(|_| done.origin == Origin::Query);
        let reopened = aimed.and_then(|pursuit| self.work.settle(pursuit, &mut self.ledger));
        let (changed, shown) = self.add_failures(run, &done.failures);
        let outcome = match (&trace.outcome, shown) {
            (_, Some(id)) => OutcomeCode::Failure(id),
            (Outcome::Exit(code), None) => OutcomeCode::Exit(*code),
            (Outcome::Assumed | Outcome::Failure { .. }, None) => OutcomeCode::Assumed,
        };
        // Of the runs that lead to a portion, whoever left it has counted them.
        let hash = store::hash64(done.packed);
        if !self.work.leads(done.origin, hash) {
            self.counts.count_races(trace, shown);
        }
        let dir = self.ledger.dir();
        if !changed.is_empty() || !new_sides.is_empty() {
            store::write_case(&dir.join("cases").join(run.to_string()), done.kept)?;
            if let Some(to_give) = &mut self.to_give {
                to_give.push(done.kept.clone());
            }
        }
        let races = &self.counts.totals.races;
        write_files(dir, &self.findings, races, run, done.kept, &changed)?;

        let base = done.parent.map(|parent| store::Base {
            run: parent.run,
            packed: parent.packed,
            chain: parent.chain.min(MAX_CHAIN),
        });
        let (input, chain) = store::shrink(done.packed, base);
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
            millis: (self.counts.life(&self.session) * 1e3) as u64,
            hash,
            inserted: &inserted,
            steps: RowSteps::Choices(&trace.choices, &asleep),
            new_sides: &new_sides,
            approximations: &approximations,
            input: &input,
        };
        let rows = self.findings.rows();
        let changed: Vec<_> = changed
            .iter()
            .filter_map(|(id, _)| rows.get(*id as usize - 1))
            .collect();
        self.ledger.add(&row, trace, &changed)?;
        let new = inserted.new_positions.clone();
        if foreign {
            self.work.disown(new, &mut self.ledger);
        }
        self.counts.optimistic += u64::from(done.origin == Origin::Optimistic);
        self.counts.ran(trace);

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
        let gain = Gain {
            new_sides: new_sides.len() as u32,
            new_path: inserted.new_path && !news.dismissed,
            work: trace.choices.len() as u64,
        };
        self.work.learn(&news, done.pursuit, &gain);
        Ok((run, chain))
    }

    /// Adds what is wrong with a run to the findings: those that changed, and the one that the run is shown as.
    fn add_failures<'a>(
        &mut self,
        run: u32,
        failures: &'a [Failed],
    ) -> (Vec<(u32, &'a Failed)>, Option<u32>) {
        let mut changed = Vec::new();
        let mut shown = None;
        for failed in failures {
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
        (changed, shown)
    }
}
