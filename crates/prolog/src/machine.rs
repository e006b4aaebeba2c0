//! The program followed with unknown values: a machine for Prolog that is told by the events of the
//! real run where it must be, and held against them everywhere else.
//!
//! Every call records, for each clause, whether it applies: the clauses that do are the set of the
//! paper's Definition 8, and the choices are sound because those that do not apply are part of the
//! condition (its negative constraints).

mod database;
mod derivation;
mod goals;

use crate::database::{Database, Stored};
use crate::derivation::Deriving;
use crate::events::{Events, Mark};
use crate::inputs::Inputs;
use crate::program::{Call, Event, GENERIC, Goal, Kind, PredId, Program};
use crate::term::Term;
use elsewise_explore::{ApproximationKind, Path, SideId};
use elsewise_graph::Derived;
use elsewise_term::{TermId, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// A goal raises an error; which one, the events tell.
#[derive(Debug)]
pub struct Raised;

/// The machine does not know further: why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost(pub ApproximationKind);

pub enum Undo {
    Bound(u32),
    /// A clause was entered: backtracking over it means that it failed, unless it had succeeded.
    Entered(usize),
    Global(Arc<str>, Option<Stored>),
    Pending,
}

/// Variables of a goal: those of a clause from a place in the store on, or the store's own; and the
/// activation of the clause that the goal is in.
#[derive(Clone, Copy, Debug)]
pub struct Env {
    pub(crate) base: Option<u32>,
    pub(crate) owner: usize,
}

/// No clause: the call that the run begins with.
const NOBODY: usize = usize::MAX;

/// A clause that was entered.
pub(crate) struct Activation {
    pub(crate) site: u32,
    pub(crate) succeeded: bool,
    /// Where it is in the derivation, if that is kept.
    pub(crate) kept: Option<usize>,
    /// Where what it calls belongs there.
    pub(crate) within: Option<usize>,
}

pub(crate) type K = u32;

#[derive(Clone)]
pub(crate) enum Cont {
    Done,
    Goal {
        goal: Arc<Goal>,
        env: Env,
        cut: usize,
        next: K,
    },
    /// A clause has succeeded.
    Exit {
        activation: usize,
        next: K,
    },
    CutTo {
        height: usize,
        next: K,
    },
    /// The guard of a rule with `=>` holds.
    Commit {
        index: usize,
        base: u32,
        args: Rc<[Term]>,
        owner: usize,
        height: usize,
        next: K,
    },
    /// The alternative of a soft cut is no longer one.
    SoftCut {
        at: usize,
        next: K,
    },
    /// What must not succeed has.
    NotSo {
        height: usize,
    },
    LeaveCatch {
        to: Option<usize>,
        next: K,
    },
    Collect {
        slot: usize,
        template: Term,
    },
}

pub(crate) enum Alternative {
    None,
    Goal {
        goal: Arc<Goal>,
        env: Env,
        cut: usize,
        next: K,
    },
    Clauses {
        args: Rc<[Term]>,
        candidates: Rc<[Candidate]>,
        at: usize,
        event: Event,
        module: Arc<str>,
        owner: usize,
        next: K,
    },
    Opaque {
        event: Event,
        args: Rc<[Term]>,
        next: K,
    },
    Retract {
        event: Event,
        pred: PredId,
        clause: (Term, Term),
        candidates: Rc<[Arc<Stored>]>,
        at: usize,
        next: K,
    },
    Findall {
        slot: usize,
        event: Event,
        list: Term,
        next: K,
    },
    Resume(K),
}

#[derive(Clone)]
pub(crate) enum Candidate {
    Static(usize),
    /// After all rules with `=>`.
    NoRule,
    /// Its head unifies, but the constraints that its body begins with do not hold.
    Refused(usize),
    Dynamic(Arc<Stored>),
}

pub(crate) struct Point {
    pub(crate) trail: usize,
    pub(crate) vars: usize,
    pub(crate) catches: Option<usize>,
    pub(crate) alternative: Alternative,
}

pub(crate) struct Catch {
    pub(crate) event: Event,
    pub(crate) catcher: Term,
    pub(crate) recovery: Arc<Goal>,
    pub(crate) env: Env,
    pub(crate) next: K,
    pub(crate) points: usize,
    pub(crate) trail: usize,
    pub(crate) vars: usize,
    pub(crate) outer: Option<usize>,
}

pub struct Machine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) terms: &'a mut Terms,
    pub(crate) inputs: Inputs<'a>,
    pub path: Path,
    pub(crate) bindings: Vec<Option<Term>>,
    pub(crate) trail: Vec<Undo>,
    pub(crate) events: Events<'a>,
    pub(crate) database: Database,
    pub(crate) globals: FxHashMap<Arc<str>, Stored>,
    /// Constraints on variables that are not bound yet.
    pub(crate) pending: Vec<(Call, Vec<Term>)>,
    /// A variable was bound since constraints were last looked at.
    pub(crate) woken: bool,
    /// Where the run is.
    pub(crate) here: u32,
    pub covered: Vec<(u32, u64)>,
    pub(crate) conts: Vec<Cont>,
    pub(crate) points: Vec<Point>,
    pub(crate) catches: Vec<Catch>,
    pub(crate) catching: Option<usize>,
    pub(crate) activations: Vec<Activation>,
    /// What called what, if it is to be kept.
    pub derivation: Option<Deriving>,
    /// The activation of the clause that the machine is in.
    pub(crate) owner: usize,
    pub(crate) collected: Vec<Vec<Stored>>,
    pub(crate) k: K,
    solutions: usize,
    steps: u64,
}

/// Steps after which a run is followed no further: what it chose until then is enough to go another
/// way.
const STEPS: u64 = 1_000_000;

impl<'a> Machine<'a> {
    pub fn new(
        program: &'a Program,
        terms: &'a mut Terms,
        inputs: Inputs<'a>,
        events: Events<'a>,
    ) -> Machine<'a> {
        Machine {
            program,
            terms,
            inputs,
            path: Path::default(),
            bindings: Vec::new(),
            trail: Vec::new(),
            events,
            database: Database::new(program),
            globals: FxHashMap::default(),
            pending: Vec::new(),
            woken: false,
            here: 0,
            covered: Vec::new(),
            conts: vec![Cont::Done],
            points: Vec::new(),
            catches: Vec::new(),
            catching: None,
            activations: Vec::new(),
            derivation: None,
            owner: NOBODY,
            collected: Vec::new(),
            k: 0,
            solutions: 0,
            steps: 0,
        }
    }

    /// New variables; the first of them.
    pub(crate) fn fresh(&mut self, count: u32) -> u32 {
        let base = self.bindings.len() as u32;
        self.bindings
            .resize(self.bindings.len() + count as usize, None);
        base
    }

    pub fn fresh_var(&mut self) -> Term {
        Term::Var(self.fresh(1))
    }

    pub(crate) fn branch(&mut self, condition: TermId) -> bool {
        let here = self.here;
        self.branch_at(here, condition)
    }

    pub(crate) fn branch_at(&mut self, site: u32, condition: TermId) -> bool {
        self.path
            .branch(self.terms, &self.inputs.present, site, condition)
    }

    pub(crate) fn holds(&mut self, condition: TermId) -> bool {
        self.path.holds(self.terms, &self.inputs.present, condition)
    }

    pub(crate) fn instance(&self, term: &Term, env: Env) -> Term {
        match env.base {
            Some(base) => term.with_vars(&mut |number| Term::Var(base + number)),
            None => term.clone(),
        }
    }

    pub(crate) fn instances(&self, terms: &[Term], env: Env) -> Vec<Term> {
        terms.iter().map(|term| self.instance(term, env)).collect()
    }

    pub(crate) fn cont(&mut self, cont: Cont) -> K {
        self.conts.push(cont);
        self.conts.len() as K - 1
    }

    pub(crate) fn cont_goal(&mut self, goal: &Arc<Goal>, env: Env, cut: usize, next: K) -> K {
        self.cont(Cont::Goal {
            goal: goal.clone(),
            env,
            cut,
            next,
        })
    }

    pub(crate) fn push(&mut self, alternative: Alternative) {
        self.points.push(Point {
            trail: self.trail.len(),
            vars: self.bindings.len(),
            catches: self.catching,
            alternative,
        });
    }

    pub(crate) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Undo::Bound(var)) => self.bindings[var as usize] = None,
                Some(Undo::Entered(activation)) => {
                    let entered = &self.activations[activation];
                    if !entered.succeeded {
                        self.covered.push((entered.site, 1));
                        if let (Some(kept), Some(derivation)) = (entered.kept, &mut self.derivation)
                        {
                            derivation.ended(kept, Derived::Failed);
                        }
                    }
                }
                Some(Undo::Global(name, Some(value))) => {
                    self.globals.insert(name, value);
                }
                Some(Undo::Global(name, None)) => {
                    self.globals.remove(&name);
                }
                Some(Undo::Pending) => {
                    self.pending.pop();
                }
                None => return,
            }
        }
    }

    /// Follows a call of the entry up to so many solutions.
    pub fn follow(&mut self, args: Vec<Term>, solutions: usize) -> Result<(), Lost> {
        let entry = self.program.entry;
        self.here = self.program.preds[entry]
            .clauses
            .first()
            .map_or(0, |clause| self.program.clauses[*clause].head_site);
        let mut going = match self.program.preds[entry].kind {
            // Called by the run-time caller, as any dynamic predicate.
            Kind::Dynamic => self.call(entry, args.into(), GENERIC, 0)?,
            _ => self.call(entry, args.into(), 0, 0)?,
        };
        while going {
            self.steps += 1;
            if self.steps > STEPS {
                return Err(Lost(ApproximationKind::RunLimit));
            }
            going = self.step(solutions)?;
        }
        Ok(())
    }

    /// One step; whether there is another.
    fn step(&mut self, solutions: usize) -> Result<bool, Lost> {
        match self.conts[self.k as usize].clone() {
            Cont::Done => {
                if !self.events.take(Mark::Solution) {
                    return Err(self.differs());
                }
                self.solutions += 1;
                match self.solutions < solutions {
                    true => self.backtrack(),
                    false => Ok(false),
                }
            }
            Cont::Goal {
                goal,
                env,
                cut,
                next,
            } => self.goal(&goal, env, cut, next),
            Cont::Exit { activation, next } => {
                let entered = &mut self.activations[activation];
                if !entered.succeeded {
                    entered.succeeded = true;
                    self.covered.push((entered.site, 0));
                }
                if let Some(kept) = entered.kept {
                    self.keep_answer(kept);
                }
                self.go(next)
            }
            Cont::CutTo { height, next } => {
                self.points.truncate(height);
                self.go(next)
            }
            Cont::Commit {
                index,
                base,
                args,
                owner,
                height,
                next,
            } => {
                self.owner = owner;
                self.points.truncate(height);
                self.keep_called(index, &args);
                self.entered(index, base, &args, height, next)
            }
            Cont::SoftCut { at, next } => {
                if let Some(point) = self.points.get_mut(at) {
                    point.alternative = Alternative::None;
                }
                self.go(next)
            }
            Cont::NotSo { height } => {
                self.points.truncate(height);
                self.backtrack()
            }
            Cont::LeaveCatch { to, next } => {
                self.catching = to;
                self.go(next)
            }
            Cont::Collect { slot, template } => {
                let stored = self.stored(&template);
                self.collected[slot].push(stored);
                self.backtrack()
            }
        }
    }

    pub(crate) fn go(&mut self, next: K) -> Result<bool, Lost> {
        self.k = next;
        Ok(true)
    }

    /// The real run went another way than the machine says.
    pub(crate) fn differs(&mut self) -> Lost {
        match self.events.peek() {
            Mark::End => Lost(ApproximationKind::TraceCut),
            _ => Lost(ApproximationKind::LabelMismatch),
        }
    }

    /// Sides that were taken.
    pub fn sides(&self, side: impl Fn(u32, u64) -> Option<SideId>) -> Vec<SideId> {
        let mut sides: Vec<SideId> = self
            .covered
            .iter()
            .filter_map(|(site, alternative)| side(*site, *alternative))
            .collect();
        sides.sort_unstable();
        sides.dedup();
        sides
    }
}

#[cfg(test)]
mod tests;
