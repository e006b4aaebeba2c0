//! Constraints of clpfd as they stand in the source, and constraints that wait for a variable.

use crate::arithmetic::Num;
use crate::events::Mark;
use crate::machine::{K, Lost, Machine, Raised, Undo};
use crate::program::{Call, Event};
use crate::signature::INTEGER;
use crate::term::Term;
use elsewise_explore::ApproximationKind;
use elsewise_term::TermId;

/// When a constraint holds, and when it raises an error instead.
pub(crate) struct Neck {
    pub holds: TermId,
    pub raises: TermId,
}

impl Machine<'_> {
    pub(crate) fn pend(&mut self, call: Call, args: Vec<Term>) {
        self.pending.push((call, args));
        self.trail.push(Undo::Pending);
    }

    /// Looks again at constraints that waited, after a variable was bound; whether they hold.
    pub(crate) fn wake(&mut self) -> bool {
        if !std::mem::take(&mut self.woken) || self.pending.is_empty() {
            return true;
        }
        for index in 0..self.pending.len() {
            let (call, args) = self.pending[index].clone();
            let holds = match &*call.name {
                "dif" => {
                    let (a, b) = (self.whole(&args[0]), self.whole(&args[1]));
                    if !(a.is_ground() && b.is_ground()) {
                        continue;
                    }
                    let same = self.same(&a, &b);
                    !self.branch(same)
                }
                name => {
                    if args.iter().any(|arg| !self.whole(arg).is_ground()) {
                        continue;
                    }
                    match (self.eval(&args[0]), self.eval(&args[1])) {
                        (Ok(a), Ok(b)) => {
                            let holds = self.compare_numbers(name, &a, &b);
                            self.branch(holds)
                        }
                        _ => continue,
                    }
                }
            };
            if !holds {
                return false;
            }
        }
        true
    }

    /// When a constraint that a clause begins with holds, if that can be said now.
    pub(crate) fn neck(&mut self, call: &Call, args: &[Term]) -> Option<Neck> {
        let [a, b] = args else { return None };
        let never = self.bool(false);
        let quiet = |holds| {
            Some(Neck {
                holds,
                raises: never,
            })
        };
        match &*call.name {
            "=" => quiet(self.unify(a, b)),
            "dif" => {
                let (a, b) = (self.whole(a), self.whole(b));
                if !(a.is_ground() && b.is_ground()) {
                    return None;
                }
                let same = self.same(&a, &b);
                quiet(self.terms.not(same))
            }
            name => {
                let mut integers = self.bool(true);
                let x = self.pure(a, &mut integers)?;
                let y = self.pure(b, &mut integers)?;
                Some(Neck {
                    holds: self.compare_numbers(name, &x, &y),
                    raises: self.terms.not(integers),
                })
            }
        }
    }

    /// The value of an expression without a choice: what must be an integer is said in a condition.
    fn pure(&mut self, term: &Term, integers: &mut TermId) -> Option<Num> {
        match self.value(term) {
            Term::Input(node) => {
                let is = self.inputs.is(self.terms, node, INTEGER);
                if self.terms.as_bool(is) == Some(false) {
                    return None;
                }
                *integers = self.terms.and(*integers, is);
                Some(Num::Int(self.inputs.int(self.terms, node)))
            }
            Term::Compound(compound) => {
                let allowed = matches!(
                    (&*compound.name, compound.args.len()),
                    ("+" | "-" | "*" | "min" | "max", 2) | ("-" | "abs", 1)
                );
                if !allowed {
                    return None;
                }
                let mut args = Vec::new();
                for arg in &compound.args {
                    let num = self.pure(arg, integers)?;
                    args.push(self.num_term(&num));
                }
                // These have a value for all integers.
                self.eval(&Term::compound(compound.name.clone(), args)).ok()
            }
            known @ (Term::Int(_) | Term::Number(_)) => self.eval(&known).ok(),
            _ => None,
        }
    }

    /// A constraint as a goal; what propagation has bound is told with the event.
    pub(crate) fn constraint(
        &mut self,
        event: Event,
        call: &Call,
        args: Vec<Term>,
        next: K,
    ) -> Result<bool, Lost> {
        let known = match args.as_slice() {
            [a, b] if is_comparison(&call.name) => self.compared(call, a, b),
            _ => Ok(None),
        };
        match known {
            Ok(Some(true)) if !self.wake() => return self.backtrack(),
            Ok(Some(true)) => {
                self.covered.push((self.here, 0));
                return match self.events.peek() == Mark::Event(event) {
                    true => {
                        self.events.take_term();
                        self.go(next)
                    }
                    false if !self.pending.is_empty() => self.backtrack(),
                    false => Err(self.differs()),
                };
            }
            Ok(Some(false)) => {
                self.covered.push((self.here, 1));
                return self.backtrack();
            }
            Err(Raised) => return self.raise(None),
            Ok(None) => {}
        }
        // It waits, or propagation does something with it.
        self.make_known(&args);
        if self.events.peek() != Mark::Event(event) {
            return match self.events.peek() {
                Mark::Failed => {
                    self.events.advance();
                    self.backtrack()
                }
                // Whether it failed or raised an error, the next events tell.
                _ => self.backtrack(),
            };
        }
        let Some(told) = self.events.take_term().and_then(|told| told.elements()) else {
            return Err(Lost(ApproximationKind::DamagedTrace));
        };
        self.adopt_all(&args, &told);
        if is_comparison(&call.name) {
            self.pend(call.clone(), args);
        }
        self.go(next)
    }

    /// A comparison of which all is known, or that says what its only variable is.
    fn compared(&mut self, call: &Call, a: &Term, b: &Term) -> Result<Option<bool>, Raised> {
        let (x, y) = (self.whole(a), self.whole(b));
        if x.is_ground() && y.is_ground() {
            let (x, y) = (self.eval(&x)?, self.eval(&y)?);
            let holds = self.compare_numbers(&call.name, &x, &y);
            return Ok(Some(self.branch(holds)));
        }
        if &*call.name != "#=" {
            return Ok(None);
        }
        let (var, expression) = match (&x, &y) {
            (Term::Var(_), other) if other.is_ground() => (a, other),
            (other, Term::Var(_)) if other.is_ground() => (b, other),
            _ => return Ok(None),
        };
        let value = self.eval(expression)?;
        let value = self.num_term(&value);
        let same = self.unify(var, &value);
        Ok(Some(self.branch(same)))
    }
}

fn is_comparison(name: &str) -> bool {
    matches!(name, "#=" | "#\\=" | "#<" | "#>" | "#=<" | "#>=")
}
