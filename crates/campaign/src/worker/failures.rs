//! What is wrong with runs: each failure is seen once more before anybody is told.

use super::Worker;
use crate::findings::{self, Failed, cause_of};
use crate::job::Pursuit;
use crate::{CampaignError, Phase};
use elsewise_explore::{
    Blueprint, Case, Choice, FailureKind, Kind, Location, Outcome, RunError, Shape, SiteId, Trace,
};

fn location_of(blueprint: &Blueprint, site: SiteId) -> Option<Location> {
    let site = blueprint.sites.get(site.0 as usize)?;
    Some(site.location.clone())
}

impl Worker<'_> {
    /// Where the operation is that was to go wrong, if that is what was asked for.
    pub(super) fn asked(&self, pursuit: &Pursuit) -> Option<Location> {
        let state = self.board.state();
        let (tree, position) = (state.work.tree(), pursuit.pick.item.position);
        let asks = tree.kind(position) == Kind::Question;
        let site = asks.then(|| tree.site(position));
        location_of(&state.blueprint, site?)
    }

    /// Where the first operation is that goes wrong in a run, whether it was asked for or not.
    pub(super) fn goes_wrong(&mut self, trace: &Trace) -> Option<Location> {
        self.evaluator.restart();
        let wrong = |choice: &&Choice| match choice.shape {
            Shape::Question { condition } => {
                self.evaluator.bool(&self.terms, condition, &trace.present)
            }
            _ => false,
        };
        let site = trace.choices.iter().find(wrong)?.site;
        location_of(&self.board.state().blueprint, site)
    }

    /// How a case ends on the plain build. Of a failure that has no place, it is that of what went wrong before.
    fn plain_outcome(&mut self, case: &Case, at: Location) -> Result<Outcome, CampaignError> {
        let mut outcome = match self.subject.confirm(case) {
            Err(RunError::Late) => return Err(CampaignError::Late),
            other => other.unwrap_or(Outcome::Exit(0)),
        };
        if let Outcome::Failure { place, .. } = &mut outcome
            && place.is_empty()
        {
            place.push(at);
        }
        Ok(outcome)
    }

    /// Does the plain build fail on a case in which an operation goes wrong, as was asked for?
    pub(super) fn plain_fails(
        &mut self,
        pursuit: &Pursuit,
        case: &Case,
    ) -> Result<bool, CampaignError> {
        Ok(match self.asked(pursuit) {
            Some(at) if case.schedule.is_empty() => {
                matches!(self.plain_outcome(case, at)?, Outcome::Failure { .. })
            }
            _ => false,
        })
    }

    /// What is wrong with a run: how it ended, or its flaws that are not known well enough. Each is
    /// run on the plain build, or again with its schedule, and that then with as few preemptions as can
    /// be found, unless it is known. A case in which an operation goes `wrong` may end otherwise on the plain build, which
    /// is then asked.
    pub(super) fn failures(
        &mut self,
        case: &Case,
        trace: &Trace,
        wrong: Option<Location>,
    ) -> Result<Vec<Failed>, CampaignError> {
        let plain;
        let (outcomes, flaws) = match (&trace.outcome, wrong) {
            (Outcome::Exit(_), Some(at)) if trace.flaws.is_empty() && case.schedule.is_empty() => {
                plain = self.plain_outcome(case, at)?;
                (std::slice::from_ref(&plain), false)
            }
            (Outcome::Failure { .. }, _) => (std::slice::from_ref(&trace.outcome), false),
            (Outcome::Exit(_), _) => (trace.flaws.as_slice(), true),
            (Outcome::Assumed, _) => return Ok(Vec::new()),
        };
        let mut failures = Vec::new();
        for outcome in outcomes {
            let Some(seen) = cause_of(outcome) else {
                continue;
            };
            let blamed = match flaws {
                true => None,
                false => self.blamed(case, outcome, &seen),
            };
            let mut failed = Failed {
                outcome: outcome.clone(),
                cause: match (&blamed, outcome) {
                    (Some(what), Outcome::Failure { kind, .. }) => {
                        findings::cause_of_blamed(kind, what)
                    }
                    _ => seen.clone(),
                },
                blamed,
                verdict: None,
                shorter: None,
                story: Vec::new(),
            };
            let wanted = self.board.state().findings.wants_confirming(&failed.cause);
            if wanted {
                self.confirm(case, trace, &mut failed, &seen)?;
            }
            if let (Some(what), Outcome::Failure { message, .. }) =
                (&failed.blamed, &mut failed.outcome)
            {
                *message = format!("{what}: {message}");
            }
            if wanted || !flaws {
                failures.push(failed);
            }
        }
        Ok(failures)
    }

    /// What alone is to blame for a failure, if that can be told: with something else in its place, the case does not
    /// fail so any more, and nothing else that the case gives is like that.
    fn blamed(&mut self, case: &Case, failure: &Outcome, seen: &str) -> Option<String> {
        let suspects = self.subject.suspects(case, failure);
        if suspects.is_empty() {
            return None;
        }
        let known = self.board.state().findings.blamed(seen);
        if let Some(known) = known {
            // At the same place, it may be something else.
            return known.filter(|what| suspects.iter().any(|suspect| suspect.what == *what));
        }
        let mut guilty = Vec::new();
        for suspect in suspects {
            let Ok(Ok(trace)) = self.run(&suspect.otherwise) else {
                continue;
            };
            self.board.state().counts.repeated(&trace);
            if cause_of(&trace.outcome).as_deref() != Some(seen) {
                guilty.push(suspect.what);
            }
        }
        let what = guilty.pop().filter(|_| guilty.is_empty());
        let mut state = self.board.state();
        state.findings.blame(seen.to_owned(), what.clone());
        what
    }

    /// Sees a failure once more, with this cause of its place.
    fn confirm(
        &mut self,
        case: &Case,
        trace: &Trace,
        failed: &mut Failed,
        seen: &str,
    ) -> Result<(), CampaignError> {
        self.board.phase(self.number, Phase::Confirming);
        let by_schedule = !case.schedule.is_empty();
        let again = match self.outcome_again(case, seen) {
            Err(RunError::Late) => return Err(CampaignError::Late),
            again => again.map_err(|error| error.to_string()),
        };
        failed.story = self.subject.story();
        if let Ok(again) = &again {
            failed.say_more(again);
        }
        let Some(kind) = failed.kind() else {
            return Ok(());
        };
        let verdict = findings::judge(kind, again, by_schedule, trace.was_refused());
        // What does not end takes its time at each try, and is told without its schedule anyway.
        let ends = !matches!(kind, FailureKind::Livelock | FailureKind::Hang);
        if verdict.confirmed
            && by_schedule
            && ends
            && let Some(shorter) = self.minimize_schedule(case, trace, seen)
            && let Ok(outcome) = self.outcome_again(&shorter, seen)
            && cause_of(&outcome).as_deref() == Some(seen)
        {
            failed.outcome = outcome;
            failed.shorter = Some(shorter);
            failed.story = self.subject.story();
        }
        if verdict.confirmed
            && !by_schedule
            && ends
            && self.board.is_first(&failed.cause)
            && let Some((smaller, outcome)) = self.smaller(case, seen)
            && let Ok(again) = self.outcome_again(&smaller, seen)
            && let Outcome::Failure { kind: found, .. } = &again
            && failed.kind() == Some(found)
        {
            failed.outcome = outcome;
            failed.say_more(&again);
            failed.shorter = Some(smaller);
        }
        failed.verdict = Some(verdict);
        Ok(())
    }

    /// What a case shows once more: what is looked for, if it is there.
    fn outcome_again(&mut self, case: &Case, cause: &str) -> Result<Outcome, RunError> {
        let shown = self.subject.confirm_all(case)?;
        let wanted = |outcome: &&Outcome| cause_of(outcome).as_deref() == Some(cause);
        let found = shown.iter().find(wanted).or(shown.first());
        Ok(found.cloned().unwrap_or(Outcome::Exit(0)))
    }
}
