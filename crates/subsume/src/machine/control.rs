//! Where the machine goes on: at choices, at jumps, at the end of a block.

use super::{CodePosition, Decision, Ending, Lost, Machine, Pause, Undo, lost, site_of};
use crate::entry::{At, Question, What, block};
use elsewise_explore::program::{End, Operand, Program, Step};

impl Machine {
    /// Sees to what is decided at this place: goes on where values decide it, pauses where they do not.
    pub(super) fn settle(
        &mut self,
        program: &Program,
        at: At,
    ) -> Result<Option<Option<Pause>>, Lost> {
        let room = self.room(program, at)?;
        let Some(question) = Question::at(program, at, self.stage, room) else {
            return Ok(None);
        };
        let mut values = Vec::new();
        for operand in &question.operands {
            match self.value(operand) {
                Some(value) => values.push(value),
                None => return lost("a decision by what nobody knows"),
            }
        }
        let count = question.alternatives();
        let mut conditions = Vec::with_capacity(count as usize);
        for alternative in 0..count {
            let condition = question.condition(&mut self.terms, &values, alternative);
            let certain = self.terms.as_bool(condition) == Some(true);
            if certain || self.settled.contains(&condition) {
                let fixed = question
                    .operands
                    .iter()
                    .all(|operand| matches!(operand, Operand::Constant(_)));
                if !fixed {
                    let stage = self.stage;
                    let what = What::Decided {
                        stage,
                        room,
                        alternative,
                    };
                    self.note(at, what);
                }
                return self.goes(program, at, alternative).map(Some);
            }
            conditions.push(condition);
        }
        self.decision = Some(Decision {
            at,
            stage: self.stage,
            room,
            depth: self.depth(),
            site: site_of(program, at),
            conditions,
        });
        Ok(Some(Some(Pause::Decision)))
    }

    /// Takes one way out of the decision at which the machine stands.
    pub fn take(&mut self, alternative: u32) -> Option<Pause> {
        let decision = self.decision.take()?;
        let program = self.program.clone();
        let condition = decision.conditions[alternative as usize];
        self.path.push(condition);
        if self.settled.insert(condition) {
            self.trail.push(Undo::Settled(condition));
        }
        self.note(decision.at, What::Open);
        match self.goes(&program, decision.at, alternative) {
            Ok(pause) => pause,
            Err(why) => Some(Pause::End(Ending::Lost(why))),
        }
    }

    /// Goes the way of an alternative.
    fn goes(&mut self, program: &Program, at: At, alternative: u32) -> Result<Option<Pause>, Lost> {
        if let (Some(covered), Some(site)) = (&self.covered, site_of(program, at)) {
            self.uncovered |= !covered.contains(&(site, alternative));
        }
        let block = block(program, at);
        if let Some(step) = block.steps.get(at.step as usize) {
            match step {
                Step::Select {
                    to,
                    operands,
                    exchanged,
                    ..
                } => {
                    let operand = match (alternative == 0) != *exchanged {
                        true => 1,
                        false => 2,
                    };
                    let value = self.value(&operands[operand as usize]);
                    self.note(at, What::Chosen { operand });
                    self.set(*to, value);
                    self.next_step();
                    self.arrived = true;
                }
                Step::Assume { .. } if alternative == 1 => {
                    return Ok(Some(Pause::End(Ending::Assumed)));
                }
                Step::Assume { .. } => self.next_step(),
                Step::Load { .. } | Step::Store { .. } if alternative == 1 => {
                    return lost("an access outside of an object");
                }
                _ if alternative == 1 => return Ok(Some(Pause::End(Ending::Fail))),
                _ => self.stage += 1,
            }
            return Ok(None);
        }
        let to = match &block.end {
            End::Branch {
                holds,
                fails,
                exchanged,
                ..
            } => match (alternative == 0) != *exchanged {
                true => holds,
                false => fails,
            },
            End::Switch { cases, default, .. } => cases
                .get(alternative as usize)
                .map_or(default, |(_, block)| block),
            _ => return lost("a decision where there is none"),
        };
        self.jump(program, at, to.0);
        Ok(None)
    }

    fn jump(&mut self, program: &Program, at: At, to: u32) {
        let depth = self.depth();
        let place = self.top().place;
        self.trail.push(Undo::CodePosition { depth, place });
        let target = At {
            block: to,
            step: 0,
            ..at
        };
        let phis = &block(program, target).phis;
        if !phis.is_empty() {
            let from = |phi: &elsewise_explore::program::Phi| {
                phi.from
                    .iter()
                    .find(|(block, _)| block.0 == at.block)
                    .map(|(_, operand)| operand.clone())
            };
            let values: Vec<_> = phis
                .iter()
                .map(|phi| (phi.to, from(phi).and_then(|operand| self.value(&operand))))
                .collect();
            self.note(target, What::Phis { from: at.block });
            for (to, value) in values {
                self.set(to, value);
            }
        }
        self.top_mut().place = CodePosition { block: to, step: 0 };
        self.stage = 0;
        self.arrived = self.points.is_join(at.function, to);
    }

    pub(super) fn end(
        &mut self,
        program: &Program,
        at: At,
        end: &End,
    ) -> Result<Option<Pause>, Lost> {
        match end {
            End::Jump(to) => self.jump(program, at, to.0),
            End::Return(operand) => return self.leave(program, at, operand.as_ref()),
            End::Exit => return Ok(Some(Pause::End(Ending::Exit))),
            End::Fail => return Ok(Some(Pause::End(Ending::Fail))),
            End::Unreachable => return lost("a place that nobody should reach"),
            End::Branch { .. } | End::Switch { .. } => return lost("an undecided end"),
        }
        Ok(None)
    }
}
