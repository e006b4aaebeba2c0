//! Going back to the last alternative.

use crate::events::Mark;
use crate::machine::{Alternative, Lost, Machine};
use crate::term::Term;
use elsewise_explore::ApproximationKind;

impl Machine<'_> {
    /// Goes back to the last alternative; false if there is none.
    pub(crate) fn backtrack(&mut self) -> Result<bool, Lost> {
        loop {
            let Some(point) = self.points.pop() else {
                self.undo(0);
                return match self.events.peek() {
                    Mark::End => Ok(false),
                    _ => Err(Lost(ApproximationKind::LabelMismatch)),
                };
            };
            self.undo(point.trail);
            self.bindings.truncate(point.vars);
            self.catching = point.catches;
            match point.alternative {
                Alternative::None => {}
                Alternative::Resume(next) => return self.go(next),
                Alternative::Goal {
                    goal,
                    env,
                    cut,
                    next,
                } => {
                    self.k = self.cont_goal(&goal, env, cut, next);
                    return Ok(true);
                }
                Alternative::Clauses {
                    args,
                    candidates,
                    at,
                    event,
                    module,
                    owner,
                    next,
                } => {
                    self.owner = owner;
                    return self.try_clause(args, candidates, at, event, module, next);
                }
                Alternative::Opaque { event, args, next } => {
                    return self.told(event, args, true, next);
                }
                Alternative::Retract {
                    event,
                    pred,
                    clause,
                    candidates,
                    at,
                    next,
                } => return self.retract_next(event, pred, clause, candidates, at, next),
                Alternative::Findall {
                    slot,
                    event,
                    list,
                    next,
                } => {
                    let found = std::mem::take(&mut self.collected[slot]);
                    let found = found.iter().map(|stored| self.loaded(stored)).collect();
                    let found = Term::list(found);
                    self.at(event);
                    let same = self.unify(&list, &found);
                    if !self.branch(same) || !self.wake() {
                        continue;
                    }
                    if !self.events.take(Mark::Event(event)) {
                        return self.unless_woken();
                    }
                    return self.go(next);
                }
            }
        }
    }
}
