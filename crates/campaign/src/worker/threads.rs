//! A worker's part in the search over schedules.

use super::{Aim, Lost, Worker};
use crate::again::{Again, sleeps_otherwise};
use crate::cache::{Cache, Seen};
use crate::job::{Pursuit, Sample};
use crate::state::Shared;
use crate::store::{Origin, Replay, pack_case};
use crate::{CampaignError, Phase};
use elsewise_explore::schedule::{self, Oracle, Unfinished, Wakeup};
use elsewise_explore::{ApproximationKind, Case, Choice, RunError, Shape, Step, Subject, Trace};
use elsewise_term::{Evaluator, Terms};
use std::borrow::Cow;
use std::ops::Range;

impl Worker<'_> {
    /// Tries another order of threads.
    pub(super) fn wake(&mut self, wakeup: &Wakeup) -> Result<(), CampaignError> {
        let mut case = match self.cache.get(wakeup.run) {
            Some(seen) => seen.case.clone(),
            None => {
                let state = self.board.state();
                let (packed, _) = state.ledger.replay().case(wakeup.run)?;
                state.ledger.replay().unpack(&packed)?
            }
        };
        case.schedule.clone_from(&wakeup.schedule);
        let packed = pack_case(&case);
        match self.run(&case)? {
            Ok(trace) => self.keep(case, packed, trace, Origin::Schedule, Aim::Wakeup(wakeup)),
            Err(Lost::Damaged) => {
                self.board
                    .state()
                    .event(ApproximationKind::DamagedTrace, None);
                Ok(())
            }
        }
    }

    /// Runs inputs that have been run before, and lets chance decide who moves.
    pub(super) fn sample(&mut self, sample: Sample) -> Result<(), CampaignError> {
        if !self.show(sample.base)? {
            return Ok(());
        }
        let Some(base) = self.cache.get(sample.base) else {
            return Ok(());
        };
        let rule = sample.rule(base.trace.moves.moves.len());
        let mut case = Case {
            inputs: base.case.inputs.clone(),
            schedule: Vec::new(),
        };
        self.board.phase(self.number, Phase::Running);
        let trace = match self.subject.sample(&case, &rule, &mut self.terms) {
            Ok(trace) => trace,
            Err(RunError::Damaged(_)) => {
                self.board
                    .state()
                    .event(ApproximationKind::DamagedTrace, None);
                return Ok(());
            }
            Err(RunError::Start(why)) => return Err(CampaignError::Subject(why)),
            Err(RunError::Late) => return Err(CampaignError::Late),
        };
        // What chance decided is a schedule as any other from here on.
        case.schedule = whole_schedule(&case, &trace).schedule.clone();
        let packed = pack_case(&case);
        let aim = Aim::Sample(sample.base);
        self.keep(case, packed, trace, Origin::Sample, aim)
    }

    /// Looks again at what an earlier session has looked at, for what else its threads could have done.
    pub(super) fn see_again(&mut self, again: Again) -> Result<(), CampaignError> {
        let board = self.board;
        let (run, tried) = match again {
            Again::Free(run) => (run, None),
            Again::Tried(run, of) => (run, Some(of)),
            Again::More(run) => {
                let from = board.state().work.schedules.take_unfinished(run);
                return from.map_or(Ok(()), |from| self.look_on(from));
            }
        };
        if !self.show(run)? {
            return Ok(());
        }
        let wakeup = match tried {
            Some(of) => self.tried(run, of)?,
            None => None,
        };
        if !self.show(run)? {
            return Ok(());
        }
        let Some(trace) = self.cache.get(run).map(|seen| &seen.trace) else {
            return Ok(());
        };
        let asleep = wakeup
            .as_ref()
            .map(|wakeup| wakeup.asleep(&trace.moves, trace.choices.len() as u32));
        let asleep = asleep.unwrap_or_default();
        let mut state = board.state();
        // The search is another one from here on than it was.
        let lost = tried.is_some() && wakeup.is_none() && state.work.schedules.is_by_races();
        if lost || sleeps_otherwise(state.work.tree(), run, &trace.choices, &asleep) {
            state.work.wake();
        }
        self.see(&mut state, run, Looked::First(wakeup.as_ref()));
        Ok(())
    }

    /// The order that a run was to try, which has the inputs of the run `of`.
    fn tried(&mut self, run: u32, of: Option<u32>) -> Result<Option<Wakeup>, CampaignError> {
        let board = self.board;
        let (Some(seen), Some(of)) = (self.cache.get(run), of) else {
            return Ok(None);
        };
        let schedule = seen.case.schedule.clone();
        loop {
            let mut state = board.state();
            let wakeup = state.work.schedules.take_tried(of, &schedule);
            if wakeup.is_some() {
                return Ok(wakeup);
            }
            // When more was looked at of a run is not known of campaigns that were put together.
            let Some(from) = state.work.schedules.next_unfinished() else {
                return Ok(None);
            };
            drop(state);
            self.look_on(from)?;
        }
    }

    /// Looks at further races of a run, and writes down that it does.
    pub(super) fn go_on(&mut self, from: Unfinished) -> Result<(), CampaignError> {
        let board = self.board;
        if self.show(from.run)? {
            let mut state = board.state();
            // Before anything is tried that follows from it.
            state.ledger.look_on(from.run)?;
            self.see(&mut state, from.run, Looked::Before(from));
        }
        Ok(())
    }

    fn look_on(&mut self, from: Unfinished) -> Result<(), CampaignError> {
        let board = self.board;
        if self.show(from.run)? {
            let mut state = board.state();
            self.see(&mut state, from.run, Looked::Before(from));
        }
        Ok(())
    }

    /// Sees to it that a run is in the cache; false if it cannot be repeated.
    pub(super) fn show(&mut self, run: u32) -> Result<bool, CampaignError> {
        if self.cache.get(run).is_some() {
            return Ok(true);
        }
        let Some(seen) = self.repeat(run)? else {
            self.board
                .state()
                .event(ApproximationKind::DamagedTrace, None);
            return Ok(false);
        };
        self.cache.put(run, seen);
        Ok(true)
    }

    /// Finds what other orders of a run's threads are to be tried.
    pub(super) fn see(&mut self, state: &mut Shared, run: u32, looked: Looked<'_>) {
        let Some(seen) = self.cache.get(run) else {
            return;
        };
        if seen.trace.moves.moves.is_empty() {
            return;
        }
        let decided = seen.case.schedule.len() as u32;
        let (choices, moves) = (seen.trace.choices.clone(), seen.trace.moves.clone());
        let Shared { ledger, work, .. } = state;
        let mut recalled = Recalled {
            replay: ledger.replay(),
            cache: &mut self.cache,
            terms: &mut self.terms,
            evaluator: &mut self.evaluator,
            subject: &mut *self.subject,
        };
        let positions = work.tree().path(choices.iter().map(Step::from));
        let seen = schedule::Seen {
            run,
            choices: &choices,
            moves: &moves,
            positions: &positions,
            followed: match looked {
                Looked::First(followed) => followed,
                Looked::Before(_) => None,
            },
        };
        match looked {
            Looked::First(_) => work.schedules.note(&seen, decided, &mut recalled),
            Looked::Before(from) => work.schedules.go_on(&seen, from, decided, &mut recalled),
        }
    }
}

/// How much of a run has been looked at.
#[derive(Clone, Copy)]
pub(super) enum Looked<'a> {
    /// It is new; the order that it was to try.
    First(Option<&'a Wakeup>),
    Before(Unfinished),
}

/// What runs chose, from the worker's cache or by running them again.
struct Recalled<'a> {
    replay: Replay<'a>,
    cache: &'a mut Cache,
    terms: &'a mut Terms,
    evaluator: &'a mut Evaluator,
    subject: &'a mut dyn Subject,
}

impl Recalled<'_> {
    fn get(&mut self, run: u32) -> Option<&Trace> {
        if self.cache.get(run).is_none() {
            let (packed, chain) = self.replay.case(run).ok()?;
            let case = self.replay.unpack(&packed).ok()?;
            let trace = self.subject.run(&case, self.terms).ok()?;
            let seen = Seen {
                case,
                packed,
                chain,
                trace,
                path: None,
            };
            self.cache.put(run, seen);
        }
        self.cache.get(run).map(|seen| &seen.trace)
    }
}

impl Oracle for Recalled<'_> {
    fn same(&mut self, inputs: u32, run: u32, choices: Range<u32>) -> bool {
        if choices.is_empty() {
            return true;
        }
        let Some(present) = self.get(inputs).map(|trace| trace.present.clone()) else {
            return false;
        };
        let range = choices.start as usize..choices.end as usize;
        let Some(choices) = self.get(run).and_then(|trace| trace.choices.get(range)) else {
            return false;
        };
        let choices = choices.to_vec();
        self.evaluator.restart();
        choices.iter().all(|choice| {
            let condition = choice.taken_condition(self.terms);
            // Where the inputs do not say it, it is not the same: that is tried, and told then.
            let support = self.terms.support(condition);
            support.iter().all(|input| present.get(*input).is_some())
                && self.evaluator.bool(self.terms, condition, &present)
        })
    }
}

/// The schedule of a case that is to take an alternative: what was decided before it.
pub(super) fn schedule_of(pursuit: &Pursuit, trace: &Trace) -> Vec<u32> {
    let index = pursuit.choice as usize;
    let before = trace.choices.get(..index).unwrap_or_default();
    let mut schedule: Vec<u32> = before.iter().filter_map(Choice::scheduled).collect();
    if let Some(Shape::Pick { .. }) = trace.choices.get(index).map(|choice| &choice.shape) {
        schedule.extend(u32::try_from(pursuit.pick.item.alternative));
    }
    schedule
}

/// The case with all that the schedule decided in its run, so that nothing is left to whatever a
/// front end does where a schedule ends.
pub(super) fn whole_schedule<'a>(case: &'a Case, trace: &Trace) -> Cow<'a, Case> {
    if trace.moves.moves.is_empty() {
        return Cow::Borrowed(case);
    }
    let choices = trace.choices.iter();
    Cow::Owned(Case {
        inputs: case.inputs.clone(),
        schedule: choices.filter_map(Choice::scheduled).collect(),
    })
}
