//! Subsumption at work in a campaign: runs are shown to it, and what it closes is closed in the tree.

use super::Worker;
use crate::board::Begun;
use crate::job::Pursuit;
use crate::{CampaignError, Options, Subsume, SubsumeBy, Subsumption};
use elsewise_explore::{Case, Coverage, Deadline, PositionId, Step, Subject};
use elsewise_subsume::{Closed, InputNames, Observed, Subsumer};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

fn begin(options: &Options, subject: &dyn Subject, coverage: &Coverage, end: Deadline) -> Begun {
    let Subsume { by, cover, .. } = options.subsume;
    let greedy = by == SubsumeBy::Looks;
    let program = subject.program()?;
    let mut subsumer = Subsumer::new(program, &options.solver, greedy);
    subsumer.keep_to(end);
    if cover {
        let reached = |side| coverage.contains(side);
        subsumer.keep_reachable(&subject.blueprint().sites, reached);
    }
    Ok(Mutex::new(subsumer))
}

/// Inputs of a case, each looked up once.
struct Inputs<'a> {
    subject: &'a dyn Subject,
    case: &'a Case,
    bytes: RefCell<BTreeMap<(String, u32), Vec<u8>>>,
}

impl InputNames for Inputs<'_> {
    fn byte(&self, name: &str, occurrence: u32, offset: u32) -> u8 {
        let mut known = self.bytes.borrow_mut();
        let bytes = known
            .entry((name.to_owned(), occurrence))
            .or_insert_with(|| self.subject.input_bytes(self.case, name, occurrence));
        bytes.get(offset as usize).copied().unwrap_or(0)
    }

    fn key(&self, name: &str, occurrence: u32, offset: u32) -> Option<u64> {
        self.subject.input_key(name, occurrence, offset)
    }
}

impl Worker<'_> {
    /// Shows a run that is new in the tree.
    pub(super) fn subsume_run(&mut self, run: u32) -> Result<(), CampaignError> {
        let closed = self.subsumption(run, |subsumer, observed, granted| {
            subsumer.observe(observed, granted)
        });
        let mut state = self.board.state();
        state.close_subsumed(&closed);
        state.ledger.flush(false)
    }

    /// Asks whether an alternative has to be pursued at all; true if it is closed now.
    pub(super) fn subsume_pursuit(&mut self, pursuit: &Pursuit) -> Result<bool, CampaignError> {
        let (choice, alternative) = (pursuit.choice, pursuit.pick.item.alternative);
        let closed = self.subsumption(pursuit.witness, |subsumer, observed, granted| {
            subsumer.consider(observed, (choice, alternative), granted)
        });
        if closed.is_empty() {
            return Ok(false);
        }
        let mut state = self.board.state();
        state.close_subsumed(&closed);
        let closed = state.work.is_closed(pursuit);
        state.ledger.flush(false)?;
        Ok(closed)
    }

    /// What subsumption makes of a run that is in the cache; nothing once it does not pay.
    fn subsumption(
        &mut self,
        run: u32,
        ask: impl FnOnce(&mut Subsumer, &Observed<'_>, Option<Duration>) -> Vec<Closed>,
    ) -> Vec<Closed> {
        let board = self.board;
        let start = Instant::now();
        if self.options.subsume.by == SubsumeBy::Nothing
            || board.state().ledger.runs() < self.options.subsume.after
        {
            return Vec::new();
        }
        let subject = &*self.subject;
        let subsumer = board.subsumer.get_or_init(|| {
            let (coverage, started) = {
                let state = board.state();
                (state.work.coverage().clone(), state.session.started)
            };
            let end = self.options.budget.time.map(|time| started + time);
            let end = Deadline::new(end, board.stop());
            begin(self.options, subject, &coverage, end)
        });
        let (subsumer, seen) = match (subsumer, self.cache.get(run)) {
            (Ok(subsumer), Some(seen)) => (subsumer, seen),
            (Ok(_), None) => return Vec::new(),
            (Err(why), _) => {
                board
                    .state()
                    .counts
                    .subsumption
                    .get_or_insert_with(|| Subsumption {
                        off: Some(why.clone()),
                        ..Subsumption::default()
                    });
                return Vec::new();
            }
        };
        let mut subsumer: MutexGuard<'_, Subsumer> =
            subsumer.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever has waited for another worker, or for what is needed first, could have run something instead.
        subsumer.payoff.spent += start.elapsed();
        let (positions, granted): (Vec<PositionId>, Option<Duration>) = {
            let mut state = board.state();
            let granted = match self.options.subsume.always {
                true => None,
                false => {
                    let session = &state.session;
                    let runs = state.ledger.runs() - session.earlier_runs;
                    let worked = session.opened.elapsed() * session.workers as u32;
                    let granted = subsumer.payoff.grant(worked, runs.into());
                    state.counts.subsumption = Some(told(&subsumer));
                    if granted.is_none() {
                        return Vec::new();
                    }
                    granted
                }
            };
            let positions = state
                .work
                .tree()
                .path(seen.trace.choices.iter().map(Step::from));
            (positions, granted)
        };
        let inputs = Inputs {
            subject: &*self.subject,
            case: &seen.case,
            bytes: RefCell::default(),
        };
        let observed = Observed {
            trace: &seen.trace,
            terms: &self.terms,
            table: (self.number, self.epoch),
            given: &inputs,
            positions: &positions,
        };
        let closed = ask(&mut subsumer, &observed, granted);
        board.state().counts.subsumption = Some(told(&subsumer));
        closed
    }
}

/// What it did; how much of the tree that has closed is the tree's to say.
fn told(subsumer: &Subsumer) -> Subsumption {
    let payoff = &subsumer.payoff;
    let (interpolants, queries) = subsumer.counts();
    Subsumption {
        closed: 0,
        infeasible: payoff.infeasible,
        followed: payoff.followed,
        lost: payoff.lost,
        lost_for: payoff.reasons.clone(),
        interpolants,
        queries,
        cover: false,
        seconds: payoff.spent.as_secs_f64(),
        off: payoff.off.clone(),
    }
}
