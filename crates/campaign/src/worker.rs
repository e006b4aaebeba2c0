//! One thread at work with one subject.

mod failures;
mod minimize_schedule;
mod smaller;
mod subsume;
mod threads;

use crate::board::Board;
use crate::cache::{Cache, Seen};
use crate::check::{check, shared};
use crate::job::{Job, Pursuit};
use crate::preferences::Preferences;
use crate::state::{Finished, Parent};
use crate::store::{Origin, hash64, pack_case};
use crate::{CampaignError, Options, Phase};
use elsewise_explore::schedule::Wakeup;
use elsewise_explore::{
    ALTERNATIVE_OTHER, ApproximationKind, Case, Outcome, Reason, RunError, Shape, State, Step,
    Subject, Trace,
};
use elsewise_solve::{Answer, GaveUp, Path, Query, Solver};
use elsewise_term::{Evaluator, Model, Sort, Terms};
use std::time::Duration;
use threads::{Looked, schedule_of, whole_schedule};

/// Terms beyond which a worker starts its table anew, with all that refers to it.
const MAX_TERMS: usize = 20_000_000;
/// What takes longer is asked again when nothing quicker is left to do.
const SHORT: Duration = Duration::from_millis(250);
/// Share of the time that the last resort of the solver may take while there is other work.
const LAST_SHARE: f32 = 0.2;
/// Choices and inputs of recent runs that a worker keeps.
const CACHE: usize = 8_000_000;

pub(crate) struct Worker<'a> {
    number: usize,
    options: &'a Options,
    board: &'a Board<'a>,
    subject: &'a mut dyn Subject,
    terms: Terms,
    solver: Solver,
    /// How long failing inputs have been made smaller.
    making_smaller: Duration,
    preferences: Preferences,
    evaluator: Evaluator,
    cache: Cache,
    /// How often the table of terms was begun anew.
    epoch: u64,
}

/// What a run is for.
#[derive(Clone, Copy)]
enum Aim<'a> {
    None,
    Pursuit(&'a Pursuit),
    Wakeup(&'a Wakeup),
    /// Chance decides; the run whose inputs it has.
    Sample(u32),
}

/// Why a case was not run, or its run not kept.
enum Lost {
    /// What the subject wrote makes no sense.
    Damaged,
}

impl<'a> Worker<'a> {
    pub fn new(
        number: usize,
        options: &'a Options,
        board: &'a Board<'a>,
        subject: &'a mut dyn Subject,
    ) -> Worker<'a> {
        Worker {
            number,
            options,
            board,
            subject,
            terms: Terms::new(),
            solver: Solver::new(options.solver.clone()),
            making_smaller: Duration::ZERO,
            preferences: Preferences::default(),
            evaluator: Evaluator::new(),
            cache: Cache::new(CACHE),
            epoch: 0,
        }
    }

    /// Works until there is nothing more to do.
    pub fn work(&mut self) -> Result<(), CampaignError> {
        while let Some(job) = self.board.take(self.options, self.number) {
            let result = match job {
                Job::Seed(case) => self.seed(case),
                Job::Pursue(pursuit) => self.pursue(&pursuit),
                Job::Wake(wakeup) => self.wake(&wakeup),
                Job::Sample(sample) => self.sample(sample),
                Job::See(again) => self.see_again(again),
                Job::GoOn(from) => self.go_on(from),
            };
            let counts = self.solver.counts();
            self.board.state().done(self.number, counts);
            self.board.changed();
            match result {
                // What was begun is as if it had not been; there is no more to be had.
                Err(CampaignError::Late) => continue,
                result => result?,
            }
            self.board.share()?;
            if self.terms.len() > MAX_TERMS {
                self.renew();
            }
        }
        Ok(())
    }

    fn renew(&mut self) {
        let counts = self.solver.counts();
        let mut state = self.board.state();
        state.counts.renew(self.number, &counts);
        state.work.holders.forget(self.number);
        drop(state);
        self.cache = Cache::new(CACHE);
        self.solver = Solver::new(self.options.solver.clone());
        self.evaluator = Evaluator::new();
        self.terms = Terms::new();
        self.epoch += 1;
    }

    fn seed(&mut self, case: Case) -> Result<(), CampaignError> {
        let packed = pack_case(&case);
        let board = self.board;
        let earlier = board.state().ledger.earlier(hash64(&packed), &packed)?;
        if let Some(run) = earlier {
            // If it leads to a portion, it is to be known where it passes.
            if board.state().work.is_sought()
                && self.show(run)?
                && let Some(seen) = self.cache.get(run)
            {
                board.state().work.passed(&packed, &seen.trace);
            }
            return Ok(());
        }
        match self.run(&case)? {
            Ok(trace) => self.keep(case, packed, trace, Origin::Seed, Aim::None)?,
            Err(Lost::Damaged) => self
                .board
                .state()
                .event(ApproximationKind::DamagedTrace, None),
        }
        Ok(())
    }

    /// Tries to make a run take a claimed alternative.
    fn pursue(&mut self, pursuit: &Pursuit) -> Result<(), CampaignError> {
        if !self.recall(pursuit)? {
            return Ok(());
        }
        let work = u64::from(pursuit.choice);
        self.board.phase(self.number, Phase::Solving);
        if self.subsume_pursuit(pursuit)? {
            return Ok(());
        }
        let limit = match pursuit.patient {
            true => Duration::MAX,
            false => SHORT,
        };
        let elapsed = self.board.state().session.elapsed();
        let spent = self.solver.spent_on_last();
        let spare = !pursuit.patient && spent > elapsed.mul_f32(LAST_SHARE).max(SHORT);
        self.solver.spare_last(spare);
        let time = self.options.budget.time;
        let left = time.map(|time| time.saturating_sub(elapsed).max(SHORT));
        self.solver
            .limit(left.map_or(limit, |left| limit.min(left)));
        let Some(answer) = self.ask(pursuit) else {
            let verdict = State::GaveUp(Reason::WideValue);
            self.board.state().close(pursuit, verdict, work);
            return Ok(());
        };
        let mut state = self.board.state();
        state.counts.totals.queries.asked += 1;
        match answer {
            Answer::Sat(model) => {
                state.counts.totals.queries.sat += 1;
                // Only now it is known that there is another value.
                if state.work.tree().is_full(pursuit.pick.item.position) {
                    state.close(pursuit, State::GaveUp(Reason::Values), work);
                    return state.ledger.flush(false);
                }
                drop(state);
                self.follow(pursuit, &model)
            }
            Answer::Unsat(_) => {
                state.counts.totals.queries.unsat += 1;
                state.close(pursuit, State::Infeasible, work);
                state.ledger.flush(false)
            }
            Answer::Unknown(GaveUp::Limit) if !pursuit.patient => {
                state.counts.totals.queries.put_off += 1;
                state.work.defer(pursuit);
                Ok(())
            }
            Answer::Unknown(why) => {
                state.counts.totals.queries.unknown += 1;
                let reason = match why {
                    GaveUp::Limit => Reason::QueryLimit,
                    GaveUp::Size => Reason::QuerySize,
                    GaveUp::Unsupported => Reason::QueryUnsupported,
                };
                state.close(pursuit, State::GaveUp(reason), work);
                state.ledger.flush(false)?;
                drop(state);
                self.try_optimistic(pursuit)
            }
        }
    }

    /// Sees to it that the witness's trace is in the cache; false if it cannot be had any more.
    fn recall(&mut self, pursuit: &Pursuit) -> Result<bool, CampaignError> {
        if self.cache.get(pursuit.witness).is_some() {
            return Ok(true);
        }
        let Some(seen) = self.repeat(pursuit.witness)? else {
            let verdict = State::GaveUp(Reason::Lost);
            self.board.state().close(pursuit, verdict, 0);
            return Ok(false);
        };
        let mut state = self.board.state();
        let steps = seen.trace.choices.iter().map(Step::from);
        let found = state.work.tree().find(steps, pursuit.choice);
        if found != Some(pursuit.pick.item.position) {
            let work = seen.trace.choices.len() as u64;
            state.close(pursuit, State::GaveUp(Reason::Divergence), work);
            return Ok(false);
        }
        state.work.holders.note(self.number, pursuit.witness);
        drop(state);
        self.cache.put(pursuit.witness, seen);
        Ok(true)
    }

    /// Runs the case of an earlier run again; `None` if what it wrote makes no sense.
    fn repeat(&mut self, run: u32) -> Result<Option<Seen>, CampaignError> {
        let (packed, chain, case) = {
            let state = self.board.state();
            let (packed, chain) = state.ledger.replay().case(run)?;
            let case = state.ledger.replay().unpack(&packed)?;
            (packed, chain, case)
        };
        let Ok(trace) = self.run(&case)? else {
            return Ok(None);
        };
        self.board.state().counts.repeated(&trace);
        Ok(Some(Seen {
            case,
            packed,
            chain,
            trace,
            path: None,
        }))
    }

    /// Asks the solver for the alternative; `None` if its condition cannot be said.
    fn ask(&mut self, pursuit: &Pursuit) -> Option<Answer> {
        let seen = self.cache.get(pursuit.witness)?;
        let index = pursuit.choice as usize;
        let choice = seen.trace.choices.get(index)?;
        let alternative = pursuit.pick.item.alternative;
        if let Shape::Value { term, .. } = &choice.shape
            && alternative == ALTERNATIVE_OTHER
            && !matches!(self.terms.sort(*term), Sort::BitVec(1..=64))
        {
            return None;
        }
        let wanted = choice.condition(&mut self.terms, alternative, &pursuit.others);
        let path = seen.path.get_or_insert_with(|| {
            let mut conditions = seen.trace.bounds.clone();
            let choices = seen.trace.choices.iter();
            conditions.extend(choices.map(|choice| choice.taken_condition(&mut self.terms)));
            Path::new(conditions)
        });
        let index = seen.trace.bounds.len() + index;
        let present = &seen.trace.present;
        let preferences = &seen.trace.preferences;
        let is_value = matches!(choice.shape, Shape::Value { .. });
        if !is_value
            && let Some(preferred) =
                self.preferences
                    .condition(&mut self.terms, wanted, preferences)
            && let answer @ Answer::Sat(_) =
                self.solver
                    .solve_on(&mut self.terms, path, index, preferred, present)
        {
            return Some(answer);
        }
        Some(
            self.solver
                .solve_on(&mut self.terms, path, index, wanted, present),
        )
    }

    /// Runs the case that a model stands for.
    fn follow(&mut self, pursuit: &Pursuit, model: &Model) -> Result<(), CampaignError> {
        let Some(seen) = self.cache.get(pursuit.witness) else {
            self.board.state().work.give_back(pursuit);
            return Ok(());
        };
        let mut case = self.subject.apply_model(&seen.case, &self.terms, model);
        case.schedule = schedule_of(pursuit, &seen.trace);
        let packed = pack_case(&case);
        let hash = hash64(&packed);
        let known = self.board.state().ledger.earlier(hash, &packed)?.is_some();
        if known && !self.plain_fails(pursuit, &case)? {
            return self.repeated(pursuit);
        }
        match self.run(&case)? {
            // Both builds fail, as was seen before.
            Ok(trace) if known && !matches!(trace.outcome, Outcome::Exit(_)) => {
                self.repeated(pursuit)
            }
            Ok(trace) => self.keep(case, packed, trace, Origin::Query, Aim::Pursuit(pursuit)),
            Err(Lost::Damaged) => {
                let mut state = self.board.state();
                let verdict = State::GaveUp(Reason::Lost);
                state.close(pursuit, verdict, u64::from(pursuit.choice));
                state.ledger.flush(false)
            }
        }
    }

    /// The case that a model stands for has been run.
    fn repeated(&mut self, pursuit: &Pursuit) -> Result<(), CampaignError> {
        let mut state = self.board.state();
        state.repeated(pursuit);
        state.ledger.flush(false)
    }

    /// After a query that was given up: a case for the wanted condition alone may still lead
    /// somewhere new. Nothing is concluded from where it leads. What holds for every input must hold
    /// for it, too: others are no inputs.
    fn try_optimistic(&mut self, pursuit: &Pursuit) -> Result<(), CampaignError> {
        let Some(seen) = self.cache.get(pursuit.witness) else {
            return Ok(());
        };
        let Some(choice) = seen.trace.choices.get(pursuit.choice as usize) else {
            return Ok(());
        };
        let alternative = pursuit.pick.item.alternative;
        let wanted = choice.condition(&mut self.terms, alternative, &pursuit.others);
        let query = Query {
            prefix: &seen.trace.bounds,
            wanted,
            present: &seen.trace.present,
        };
        let Answer::Sat(model) = self.solver.solve(&mut self.terms, &query) else {
            return Ok(());
        };
        let mut case = self.subject.apply_model(&seen.case, &self.terms, &model);
        case.schedule = schedule_of(pursuit, &seen.trace);
        let packed = pack_case(&case);
        if self
            .board
            .state()
            .ledger
            .earlier(hash64(&packed), &packed)?
            .is_some()
        {
            return Ok(());
        }
        match self.run(&case)? {
            Ok(trace) => self.keep(
                case,
                packed,
                trace,
                Origin::Optimistic,
                Aim::Pursuit(pursuit),
            ),
            Err(Lost::Damaged) => {
                self.board
                    .state()
                    .event(ApproximationKind::DamagedTrace, None);
                Ok(())
            }
        }
    }

    fn run(&mut self, case: &Case) -> Result<Result<Trace, Lost>, CampaignError> {
        self.board.phase(self.number, Phase::Running);
        match self.subject.run(case, &mut self.terms) {
            Ok(trace) => Ok(Ok(trace)),
            Err(RunError::Damaged(_)) => Ok(Err(Lost::Damaged)),
            Err(RunError::Start(why)) => Err(CampaignError::Subject(why)),
            Err(RunError::Late) => Err(CampaignError::Late),
        }
    }

    /// Takes a new run in.
    fn keep(
        &mut self,
        case: Case,
        packed: Vec<u8>,
        mut trace: Trace,
        origin: Origin,
        aim: Aim<'_>,
    ) -> Result<(), CampaignError> {
        let (pursuit, wakeup) = match aim {
            Aim::None | Aim::Sample(_) => (None, None),
            Aim::Pursuit(pursuit) => (Some(pursuit), None),
            Aim::Wakeup(wakeup) => (None, Some(wakeup)),
        };
        if self.options.check {
            let from = pursuit.map_or(0, |pursuit| {
                let Some(seen) = self.cache.get(pursuit.witness) else {
                    return 0;
                };
                // A repeated run is checked no further than it is relied on.
                let relied_on = seen.trace.choices.get(..pursuit.choice as usize);
                shared(relied_on.unwrap_or_default(), &trace.choices)
            });
            check(&mut self.terms, &mut self.evaluator, &mut trace, from);
        }
        let kept = whole_schedule(&case, &trace);
        let wrong = self.goes_wrong(&trace);
        let failures = self.failures(&kept, &trace, wrong)?;
        let from = match aim {
            Aim::None => None,
            Aim::Pursuit(pursuit) => Some(pursuit.witness),
            Aim::Wakeup(wakeup) => Some(wakeup.run),
            Aim::Sample(base) => Some(base),
        };
        let parent = from.and_then(|run| {
            let seen = self.cache.get(run)?;
            Some(Parent {
                run,
                packed: &seen.packed,
                chain: seen.chain,
            })
        });
        let done = Finished {
            worker: self.number,
            origin,
            kept: &kept,
            packed: &packed,
            trace: &trace,
            parent,
            pursuit,
            wakeup,
            failures,
        };
        // What its threads could have done is found before anybody else sees the run: the order in
        // which runs are taken in is then that of their numbers.
        let board = self.board;
        let mut state = board.state();
        let leads = state.work.leads(origin, hash64(&packed));
        let (run, chain) = state.finish(&done)?;
        drop(done);
        drop(kept);
        let seen = Seen {
            case,
            packed,
            chain,
            trace,
            path: None,
        };
        self.cache.put(run, seen);
        // Orders of the runs that lead to a portion are for whoever left it.
        if !matches!(aim, Aim::Sample(_)) && !leads {
            self.see(&mut state, run, Looked::First(wakeup));
        }
        drop(state);
        self.subsume_run(run)
    }
}
