//! A failing schedule with as few preemptions as can be found: what is shown to people should have a
//! switch only where it matters.
//!
//! At each switch away from a thread that could have gone on, it is let go on: by itself, or with what
//! it did later. Each try is a run; what fails in the same way with fewer preemptions, or with as few
//! and fewer switches, is kept, and tried further.

use super::Worker;
use super::threads::whole_schedule;
use crate::findings::cause_of;
use elsewise_explore::schedule::{Moves, preemptions};
use elsewise_explore::{Case, Choice, Trace};
use std::time::{Duration, Instant};

/// Runs that are made for one failure, and how long: a hang takes its time each time.
const TRIES: u32 = 200;
const LIMIT: Duration = Duration::from_secs(5);

/// Threads that are let in first, one after the other.
const MOST_OTHERS: usize = 8;

/// What the schedule decided in one move: the thread, and whatever else.
type Unit = Vec<u32>;

/// A run that fails, and what is wrong with it.
struct Failing {
    case: Case,
    trace: Trace,
    /// Moves after which a thread was preempted.
    preempted: Vec<usize>,
    /// Preemptions, and switches of any kind.
    cost: (usize, u32),
}

impl Failing {
    fn new(case: Case, trace: Trace) -> Failing {
        let preempted = preemptions(&trace.moves);
        Failing {
            cost: (preempted.len(), switches(&trace.moves)),
            preempted,
            case,
            trace,
        }
    }

    fn units(&self) -> Vec<Unit> {
        let moves = &self.trace.moves.moves;
        let ends = moves.iter().skip(1).map(|one| one.choice as usize);
        let ends = ends.chain([self.trace.choices.len()]);
        let units = moves.iter().zip(ends).map(|(one, end)| {
            let choices = self.trace.choices.get(one.choice as usize..end);
            let choices = choices.unwrap_or_default().iter();
            choices.filter_map(Choice::scheduled).collect()
        });
        units.collect()
    }
}

fn switches(moves: &Moves) -> u32 {
    let pairs = moves.moves.windows(2);
    pairs.filter(|two| two[0].thread != two[1].thread).count() as u32
}

impl Worker<'_> {
    /// The case of a failing run with fewer preemptions, if there is one that fails in the same way.
    pub(super) fn minimize_schedule(
        &mut self,
        case: &Case,
        trace: &Trace,
        cause: &str,
    ) -> Option<Case> {
        let mut best = Failing::new(case.clone(), trace.clone());
        let end = Instant::now() + LIMIT;
        let (mut tries, mut better) = (0, false);
        let mut at = 0;
        // What has to be there has to be there still when a later one has gone, as a rule: so the next
        // is tried from where the last one went.
        while let Some((switch, tried)) = next_switch(&best, at) {
            at = switch + 1;
            for schedule in tried {
                if tries >= TRIES || Instant::now() >= end || best.cost.0 == 0 {
                    return better.then_some(best.case);
                }
                tries += 1;
                let inputs = best.case.inputs.clone();
                let Some(found) = self.try_order(Case { inputs, schedule }, cause) else {
                    continue;
                };
                if found.cost < best.cost {
                    best = found;
                    better = true;
                    at = switch.saturating_sub(1);
                    break;
                }
            }
        }
        better.then_some(best.case)
    }

    /// Runs a case; with its whole schedule if it fails in this way.
    fn try_order(&mut self, case: Case, cause: &str) -> Option<Failing> {
        let trace = self.run(&case).ok()?.ok()?;
        self.board.state().counts.repeated(&trace);
        let mut failures = std::iter::once(&trace.outcome).chain(&trace.flaws);
        if !failures.any(|outcome| cause_of(outcome).as_deref() == Some(cause)) {
            return None;
        }
        let case = whole_schedule(&case, &trace).into_owned();
        Some(Failing::new(case, trace))
    }
}

/// The next preemption from the move with this index on, and schedules without it.
fn next_switch(failing: &Failing, from: usize) -> Option<(usize, Vec<Vec<u32>>)> {
    let moves = &failing.trace.moves.moves;
    let before = *failing.preempted.iter().find(|at| **at >= from)?;
    let thread = moves[before].thread;
    let units = failing.units();
    let joined = |units: &mut dyn Iterator<Item = &Unit>| units.flatten().copied().collect();
    let here = before + 1;
    // Whoever moves goes on where nothing is said.
    let mut tried: Vec<Vec<u32>> = vec![joined(&mut units[..here].iter())];
    let others = moves[here..].iter();
    let others = others.take_while(|one| one.thread != thread).count();
    let again = here + others;
    let own = moves[again..].iter();
    let own = own.take_while(|one| one.thread == thread).count();
    if own > 0 {
        // What it did next comes before what the others did in between, or the other way round.
        let (first, rest) = units.split_at(here);
        let (between, rest) = rest.split_at(others);
        let (its, rest) = rest.split_at(own);
        tried.push(joined(
            &mut first.iter().chain(its).chain(between).chain(rest),
        ));
        let begin = moves[..here].iter().rev();
        let begin = here - begin.take_while(|one| one.thread == thread).count();
        let (first, before) = first.split_at(begin);
        let all = first.iter().chain(between).chain(before);
        tried.push(joined(&mut all.chain(its).chain(rest)));
    }
    // Another thread may be stopped by what was done, where this one could have gone on.
    let next = moves[here].thread;
    let mut others: Vec<u32> = vec![thread, next];
    for at in here..moves.len() {
        let other = moves[at].thread;
        if others.contains(&other) || others.len() > MOST_OTHERS {
            continue;
        }
        others.push(other);
        let block = moves[at..].iter();
        let block = block.take_while(|one| one.thread == other).count();
        let (first, rest) = units.split_at(here);
        let (between, rest) = rest.split_at(at - here);
        let (its, rest) = rest.split_at(block);
        let all = first.iter().chain(its).chain(between);
        tried.push(joined(&mut all.chain(rest)));
    }
    Some((before, tried))
}
