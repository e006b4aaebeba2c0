//! A bounded look at what lies below a state: greedy confirmation.
//!
//! Every point may be gone through once, and is then left with a full interpolant; whoever comes to it
//! again by another way must be subsumed. So the look ends soon, and has either seen all that there is,
//! or gives up.

use crate::back::Back;
use crate::cells::Cell;
use crate::condition::Condition;
use crate::condition_store::ConditionStore;
use crate::entry::Question;
use crate::limit::{Limit, Stop};
use crate::machine::{Decision, Ending, Machine, Pause};
use crate::points::Point;
use elsewise_solve::{Answer, Query, Settings, Solver};
use elsewise_term::{Evaluator, Model, Replacer, TermId};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// How long a question may take that is asked on the way.
const QUERY: Duration = Duration::from_millis(200);
/// Decisions that one look may come to, and that may lie one below the other.
const MAX_DECISIONS: u32 = 600;
const MAX_NESTED: u32 = 150;

/// What is needed to follow a program, to ask about it, and to keep what was learnt.
pub(crate) struct Looker {
    pub machine: Machine,
    pub kept: ConditionStore,
    pub solver: Solver,
    back: Back,
    evaluator: Evaluator,
    replacer: Replacer,
    /// A model of the path so far.
    pub model: Model,
    visits: FxHashMap<(Point, u32), ()>,
    along: FxHashMap<Point, u32>,
    decisions: u32,
    nested: u32,
    pub queries: u64,
    /// Until when what is under way may go on.
    pub limit: Limit,
}

/// What is known of one way out of a decision.
#[derive(Clone, Debug)]
pub(crate) enum Way {
    /// Nobody can take it.
    Infeasible,
    /// Nothing below is new as long as this holds.
    Full(Condition),
}

impl Looker {
    pub fn new(machine: Machine, settings: &Settings) -> Looker {
        let mut solver = Solver::new(settings.clone());
        solver.limit(QUERY);
        solver.spare_last(true);
        Looker {
            machine,
            kept: ConditionStore::default(),
            solver,
            back: Back::default(),
            evaluator: Evaluator::new(),
            replacer: Replacer::new(),
            model: Model::default(),
            visits: FxHashMap::default(),
            along: FxHashMap::default(),
            decisions: 0,
            nested: 0,
            queries: 0,
            limit: Limit::default(),
        }
    }

    /// Does a term over what is given hold under the model?
    pub fn holds(&mut self, term: TermId) -> bool {
        self.evaluator.restart();
        self.evaluator.bool(&self.machine.terms, term, &self.model)
    }

    /// A model of the path in which a condition holds as well.
    pub fn feasible(&mut self, condition: TermId) -> Result<Option<Model>, Stop> {
        if self.holds(condition) {
            return Ok(Some(self.model.clone()));
        }
        if self.machine.terms.as_bool(condition) == Some(false) {
            return Ok(None);
        }
        self.limit.check()?;
        self.queries += 1;
        let query = Query {
            prefix: &self.machine.path,
            wanted: condition,
            present: &self.model,
        };
        match self.solver.solve(&mut self.machine.terms, &query) {
            Answer::Sat(model) => Ok(Some(model)),
            Answer::Unsat(_) => Ok(None),
            Answer::Unknown(_) => Err(Stop::Unknown),
        }
    }

    /// Does a term hold whenever the path is taken?
    fn implied(&mut self, term: TermId) -> bool {
        match self.machine.terms.as_bool(term) {
            Some(value) => value,
            None => {
                let not = self.machine.terms.not(term);
                matches!(self.feasible(not), Ok(None))
            }
        }
    }

    /// An atom over cells, told of the present state; `None` where the state does not say.
    fn here(&mut self, atom: TermId) -> Option<TermId> {
        self.replacer.restart();
        // What is in cells is looked up first: the table of terms cannot be lent twice.
        let mut values = Vec::new();
        for var in self.machine.terms.support(atom) {
            let cell = Cell::of_key(self.machine.terms.var_key(var));
            values.push((var, self.machine.cell(cell)?));
        }
        self.replacer
            .replace(&mut self.machine.terms, atom, |_, var| {
                let found = values.iter().find(|(known, _)| *known == var);
                found.map(|(_, value)| *value)
            })
    }

    /// Is an atom over cells true in the present state, whatever is given?
    fn holds_here(&mut self, atom: TermId) -> bool {
        self.here(atom).is_some_and(|term| self.implied(term))
    }

    /// A full interpolant of a point that the present state implies.
    pub fn subsumed(&mut self, point: Point) -> Option<Condition> {
        for index in 0..self.kept.at(point).len() {
            let condition = self.kept.at(point)[index].clone();
            // What simply does not hold is found out before anybody asks a solver.
            let mut open = Vec::new();
            let mut holds = true;
            for atom in &condition.atoms {
                if self.limit.is_over() {
                    return None;
                }
                match self.here(*atom) {
                    Some(term) if self.machine.terms.as_bool(term) == Some(true) => {}
                    Some(term) if self.holds(term) => open.push(term),
                    _ => {
                        holds = false;
                        break;
                    }
                }
            }
            if holds && open.into_iter().all(|term| self.implied(term)) {
                self.kept.used(point, index);
                return Some(condition);
            }
        }
        None
    }

    /// Conditions pushed back to where the log had this length, from where it had that.
    pub fn push_back(
        &mut self,
        first: usize,
        last: usize,
        condition: &Condition,
    ) -> Result<Condition, Stop> {
        let atoms = self.back.push(
            &mut self.machine,
            first,
            last,
            &condition.atoms,
            &self.limit,
        )?;
        self.conjunction(atoms)
    }

    fn conjunction(&mut self, atoms: Vec<TermId>) -> Result<Condition, Stop> {
        let limit = &self.limit;
        let all = Condition::of_while(&mut self.machine.terms, atoms, || !limit.is_over());
        match all {
            Some(condition) => Ok(condition),
            None => limit.check().and(Err(Stop::Much)),
        }
    }

    /// Looks at all that lies below one way out of the decision at which the machine stands; the machine
    /// stands there again afterwards. The condition is about the state at the decision.
    pub fn confirm(&mut self, decision: &Decision, alternative: u32) -> Result<Way, Stop> {
        self.visits.clear();
        self.along.clear();
        self.decisions = 0;
        self.nested = 0;
        self.machine.uncovered = false;
        let model = self.model.clone();
        let seen = self.way(decision, alternative);
        self.model = model;
        seen
    }

    fn way(&mut self, decision: &Decision, alternative: u32) -> Result<Way, Stop> {
        let condition = decision.conditions[alternative as usize];
        let Some(model) = self.feasible(condition)? else {
            return Ok(Way::Infeasible);
        };
        let mark = self.machine.mark();
        let before = std::mem::replace(&mut self.model, model);
        let program = self.machine.program.clone();
        let fails = Question::at(&program, decision.at, decision.stage, decision.room)
            .is_some_and(|question| question.is_failure(alternative));
        let seen = match fails {
            true => Err(Stop::Failure),
            false => {
                let pause = self.machine.take(alternative);
                self.below(mark.log, pause)
            }
        };
        self.machine.undo(&mark);
        self.model = before;
        // The machine stands at the decision again.
        self.machine.run();
        seen.map(Way::Full)
    }

    /// Everything below the present state, told of the state when the log had the length `first`.
    fn below(&mut self, first: usize, mut pause: Option<Pause>) -> Result<Condition, Stop> {
        let mut points = Vec::new();
        let mut passed = Vec::new();
        let seen = loop {
            if let Err(late) = self.limit.check() {
                break Err(late);
            }
            let next = match pause.take() {
                Some(pause) => pause,
                None => self.machine.run(),
            };
            if self.machine.uncovered {
                break Err(Stop::Uncovered);
            }
            match next {
                Pause::Checkpoint(point) => {
                    if let Some(condition) = self.subsumed(point) {
                        break Ok(condition);
                    }
                    let along = self.along.entry(point).or_default();
                    *along += 1;
                    let visit = (point, *along);
                    passed.push(point);
                    if self.visits.insert(visit, ()).is_some() {
                        break Err(Stop::Much);
                    }
                    points.push((self.machine.log.len(), point));
                }
                Pause::Decision => break self.decide(),
                Pause::End(Ending::Exit | Ending::Assumed) => break Ok(Condition::default()),
                Pause::End(Ending::Fail) => break Err(Stop::Failure),
                Pause::End(Ending::Lost(why)) => break Err(Stop::Lost(why)),
            }
        };
        for point in passed {
            if let Some(along) = self.along.get_mut(&point) {
                *along -= 1;
            }
        }
        let mut condition = seen?;
        let mut last = self.machine.log.len();
        for (log, point) in points.into_iter().rev() {
            condition = self.push_back(log, last, &condition)?;
            self.kept.add(point, condition.clone());
            last = log;
        }
        self.push_back(first, last, &condition)
    }

    /// All ways out of the decision at which the machine stands.
    fn decide(&mut self) -> Result<Condition, Stop> {
        self.decisions += 1;
        self.nested += 1;
        if self.decisions > MAX_DECISIONS || self.nested > MAX_NESTED {
            return Err(Stop::Much);
        }
        let Some(decision) = self.machine.decision().cloned() else {
            return Err(Stop::Much);
        };
        let program = self.machine.program.clone();
        let Some(question) = Question::at(&program, decision.at, decision.stage, decision.room)
        else {
            return Err(Stop::Much);
        };
        let mut ways = Vec::new();
        for alternative in 0..question.alternatives() {
            ways.push(match question.is_harmless(alternative) {
                true => None,
                false => Some(self.way(&decision, alternative)?),
            });
        }
        self.nested -= 1;
        self.together(&decision, &ways)
    }

    /// What has to hold at a decision for each of its ways to be what is known of it; `None` for a way
    /// that nobody has to look at.
    pub fn together(
        &mut self,
        decision: &Decision,
        ways: &[Option<Way>],
    ) -> Result<Condition, Stop> {
        let program = self.machine.program.clone();
        let Some(question) = Question::at(&program, decision.at, decision.stage, decision.room)
        else {
            return Err(Stop::Much);
        };
        let mut values = Vec::new();
        for operand in &question.operands {
            let cell = match operand {
                elsewise_explore::program::Operand::Register(register) => {
                    let function = &program.functions[decision.at.function as usize];
                    let width = function.registers[register.0 as usize];
                    Cell::register(decision.depth, *register, width).term(&mut self.machine.terms)
                }
                elsewise_explore::program::Operand::Constant(bits) => {
                    self.machine.terms.constant(bits.clone())
                }
                elsewise_explore::program::Operand::Undefined(_) => return Err(Stop::Much),
            };
            values.push(cell);
        }
        let taken: Vec<u32> = (0..)
            .zip(ways)
            .filter(|(_, way)| !matches!(way, Some(Way::Infeasible)))
            .map(|(alternative, _)| alternative)
            .collect();
        let mut atoms = Vec::new();
        for (alternative, way) in (0..).zip(ways) {
            let condition = question.condition(&mut self.machine.terms, &values, alternative);
            let not = self.machine.terms.not(condition);
            match way {
                None => {}
                Some(Way::Infeasible) => atoms.push(not),
                // The others being infeasible says that it is this one.
                Some(Way::Full(below)) if taken.len() == 1 => atoms.extend(&below.atoms),
                Some(Way::Full(below)) => {
                    for atom in &below.atoms {
                        self.limit.check()?;
                        atoms.push(match self.holds_here(*atom) {
                            true => *atom,
                            false => self.machine.terms.or(not, *atom),
                        });
                    }
                }
            }
        }
        self.conjunction(atoms)
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod whole;
