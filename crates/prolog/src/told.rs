//! What only the events tell: answers of goals that are not modelled, and errors.

use crate::database::Stored;
use crate::events::Mark;
use crate::machine::{Alternative, K, Lost, Machine};
use crate::program::Event;
use crate::term::Term;
use elsewise_explore::ApproximationKind;
use std::rc::Rc;

impl Machine<'_> {
    /// A goal that is not modelled: the events tell what it gave.
    pub(crate) fn told(
        &mut self,
        event: Event,
        args: Rc<[Term]>,
        several: bool,
        next: K,
    ) -> Result<bool, Lost> {
        match self.events.peek() {
            Mark::Failed => {
                self.events.advance();
                self.backtrack()
            }
            Mark::Event(it) if it == event => {
                let Some(mut told) = self.events.take_term() else {
                    return Err(Lost(ApproximationKind::DamagedTrace));
                };
                // The last answer is told as such.
                if let Some([last]) = told.args_of("det") {
                    told = last.clone();
                } else if several {
                    self.push(Alternative::Opaque {
                        event,
                        args: args.clone(),
                        next,
                    });
                }
                let Some(told) = told.elements() else {
                    return Err(Lost(ApproximationKind::DamagedTrace));
                };
                self.adopt_all(&args, &told);
                match self.wake() {
                    true => self.go(next),
                    false => self.backtrack(),
                }
            }
            _ => self.raise(None),
        }
    }

    /// An error: thrown by the program itself, or told by the events.
    pub(crate) fn raise(&mut self, ball: Option<Stored>) -> Result<bool, Lost> {
        match self.events.peek() {
            Mark::End => return Ok(false),
            Mark::Caught => {}
            _ => return Err(Lost(ApproximationKind::LabelMismatch)),
        }
        let Some((caught, told)) = self.events.take_caught() else {
            return Err(Lost(ApproximationKind::DamagedTrace));
        };
        let told = Stored::told(told);
        while let Some(index) = self.catching {
            let catch = &self.catches[index];
            let (event, outer, catcher) = (catch.event, catch.outer, catch.catcher.clone());
            let (points, trail, vars) = (catch.points, catch.trail, catch.vars);
            self.points.truncate(points);
            self.undo(trail);
            self.bindings.truncate(vars);
            self.catching = outer;
            let thrown = ball.as_ref().unwrap_or(&told);
            let thrown = self.loaded(thrown);
            let mark = self.trail.len();
            let same = self.unify(&thrown, &catcher);
            if self.branch(same) && event == caught {
                let catch = &self.catches[index];
                let (recovery, env) = (catch.recovery.clone(), catch.env);
                let next = catch.next;
                let height = self.points.len();
                self.k = self.cont_goal(&recovery, env, height, next);
                return Ok(true);
            }
            self.undo(mark);
        }
        Err(Lost(ApproximationKind::LabelMismatch))
    }
}
