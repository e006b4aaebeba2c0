//! A run followed step by step, and what its choices are in the program.

use crate::condition::Condition;
use crate::limit::Stop;
use crate::look::Looker;
use crate::machine::{Decision, Ending, Mark, Pause};
use crate::points::Point;
use crate::trace_replay::{Chosen, TraceReplay};

/// What a run came by, in order.
pub(crate) enum Event {
    Checkpoint {
        /// Length of the log when it was reached.
        log: usize,
        point: Point,
    },
    Decision {
        mark: Mark,
        decision: Decision,
        taken: u32,
        /// Index of the choice in the trace; none where the trace has none, as all but one way are
        /// impossible.
        choice: Option<u32>,
    },
}

/// How far a run was followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Followed {
    /// To its end.
    To(Ending),
    /// To a point that is subsumed; what holds there, and the first choice of the trace beyond it.
    Subsumed { condition: Condition, beyond: u32 },
}

pub(crate) struct Spine {
    pub events: Vec<Event>,
    start: Mark,
}

impl Spine {
    /// For a machine that has done nothing yet.
    pub fn new(looker: &Looker) -> Spine {
        Spine {
            events: Vec::new(),
            start: looker.machine.mark(),
        }
    }

    /// Undoes everything.
    pub fn restart(&mut self, looker: &mut Looker) {
        self.events.clear();
        looker.machine.undo(&self.start);
    }

    /// Goes back to where the present model leaves what was followed before.
    pub fn leave(&mut self, looker: &mut Looker) {
        let mut conditions = Vec::new();
        for (index, event) in self.events.iter().enumerate() {
            if let Event::Decision {
                decision, taken, ..
            } = event
            {
                conditions.push((index, decision.conditions[*taken as usize]));
            }
        }
        for (index, condition) in conditions {
            // Without time to say where that is, nothing of it is relied on.
            if looker.limit.is_over() {
                self.restart(looker);
                return;
            }
            if !looker.holds(condition) {
                self.back_to(looker, index);
                return;
            }
        }
    }

    /// Undoes everything from a decision on.
    pub fn back_to(&mut self, looker: &mut Looker, index: usize) {
        match self.events.get(index) {
            Some(Event::Decision { mark, .. }) => {
                looker.machine.undo(mark);
                self.events.truncate(index);
            }
            _ => self.restart(looker),
        }
    }

    /// The choice of the trace that comes next.
    fn next_choice(&self) -> u32 {
        let last = self.events.iter().rev().find_map(|event| match event {
            Event::Decision { choice, .. } => *choice,
            Event::Checkpoint { .. } => None,
        });
        last.map_or(0, |last| last + 1)
    }

    /// Follows a run; stops before the choice `until`.
    pub fn follow(
        &mut self,
        looker: &mut Looker,
        replay: &mut TraceReplay<'_>,
        until: Option<u32>,
    ) -> Result<Followed, Stop> {
        let mut pause = None;
        loop {
            looker.limit.check()?;
            let next = match pause.take() {
                Some(pause) => pause,
                None => looker.machine.run(),
            };
            match next {
                Pause::Checkpoint(point) => {
                    replay.extend(looker);
                    if until.is_none()
                        && let Some(condition) = looker.subsumed(point)
                    {
                        let beyond = self.next_choice();
                        return Ok(Followed::Subsumed { condition, beyond });
                    }
                    let log = looker.machine.log.len();
                    self.events.push(Event::Checkpoint { log, point });
                }
                Pause::Decision => {
                    let Some(decision) = looker.machine.decision().cloned() else {
                        return Err(lost("a decision that is none"));
                    };
                    let from = self.next_choice();
                    replay.extend(looker);
                    let expected = replay.choice(looker, from)?;
                    let (taken, choice) = which(looker, &decision, expected.as_ref())?;
                    if until.is_some() && choice == until {
                        return Ok(Followed::To(Ending::Exit));
                    }
                    let mark = looker.machine.mark();
                    self.events.push(Event::Decision {
                        mark,
                        decision,
                        taken,
                        choice,
                    });
                    pause = looker.machine.take(taken);
                }
                Pause::End(ending) => {
                    let from = self.next_choice();
                    if !matches!(ending, Ending::Lost(_)) && replay.has_more(from) {
                        return Err(lost("a choice that the program does not have"));
                    }
                    return Ok(Followed::To(ending));
                }
            }
        }
    }
}

fn lost(why: &str) -> Stop {
    Stop::Lost(why.into())
}

/// The way that a run took at a decision, and the choice of its trace that this is.
fn which(
    looker: &mut Looker,
    decision: &Decision,
    expected: Option<&Chosen>,
) -> Result<(u32, Option<u32>), Stop> {
    let conditions = decision.conditions.iter().copied().zip(0..);
    let taken = conditions
        .clone()
        .find(|(condition, _)| looker.holds(*condition));
    let Some((condition, taken)) = taken else {
        return Err(lost("a decision that no way fits"));
    };
    if let Some(chosen) = expected
        && chosen.taken == u64::from(taken)
        && decision.site.is_none_or(|site| site == chosen.site)
    {
        let same = chosen.condition == condition || {
            let differs = looker.machine.terms.xor(chosen.condition, condition);
            matches!(looker.feasible(differs), Ok(None))
        };
        if same {
            return Ok((taken, Some(chosen.index)));
        }
    }
    // Not in the trace: then there must have been no other way.
    for (condition, alternative) in conditions {
        if alternative != taken && looker.feasible(condition)?.is_some() {
            return Err(lost("a decision that is not in the trace"));
        }
    }
    Ok((taken, None))
}
