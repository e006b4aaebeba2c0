//! Clauses that a run adds and takes away, global variables, and copies of terms.

use super::{Alternative, K, Lost, Machine, Undo};
use crate::database::Stored;
use crate::events::Mark;
use crate::program::{Event, PredId};
use crate::term::Term;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

impl Machine<'_> {
    /// A copy of a term with variables of its own.
    pub(crate) fn stored(&mut self, term: &Term) -> Stored {
        let whole = self.whole(term);
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let term = whole.with_vars(&mut |var| {
            let next = numbers.len() as u32;
            Term::Var(*numbers.entry(var).or_insert(next))
        });
        Stored {
            term,
            vars: numbers.len() as u32,
        }
    }

    pub(crate) fn loaded(&mut self, stored: &Stored) -> Term {
        let base = self.fresh(stored.vars);
        stored
            .term
            .with_vars(&mut |number| Term::Var(base + number))
    }

    /// Head and body of a clause, with new variables.
    pub(crate) fn clause_of(&mut self, stored: &Stored) -> (Term, Term) {
        let clause = self.loaded(stored);
        match clause.args_of(":-") {
            Some([head, body]) => (head.clone(), body.clone()),
            None => (clause, Term::atom("true")),
        }
    }

    /// The predicate that a clause is of, its head and its body.
    fn split(&mut self, module: &Arc<str>, clause: &Term) -> Option<(PredId, Term, Term)> {
        let mut module = module.clone();
        let mut clause = self.whole(clause);
        let strip = |machine: &mut Self, module: &mut Arc<str>, term: Term| {
            let mut term = machine.value(&term);
            while let Some([inner, rest]) = term.args_of::<2>(":") {
                *module = inner.as_atom()?.into();
                term = rest.clone();
            }
            Some(term)
        };
        clause = strip(self, &mut module, clause)?;
        let (head, body) = match clause.args_of(":-") {
            Some([head, body]) => (head.clone(), body.clone()),
            None => (clause, Term::atom("true")),
        };
        let mut head = strip(self, &mut module, head)?;
        while let Term::Input(node) = head {
            head = self.fix_constructor(node);
        }
        let (name, arity) = match &head {
            Term::Atom(name) => (name.clone(), 0),
            Term::Compound(compound) => (compound.name.clone(), compound.args.len()),
            _ => return None,
        };
        let pred = self.program.visible.get(&(module, name, arity))?;
        Some((*pred, head, body))
    }

    pub(crate) fn assert(&mut self, module: &Arc<str>, clause: &Term, first: bool) {
        let Some((pred, head, body)) = self.split(module, clause) else {
            return;
        };
        let clause = Term::compound(":-", vec![head, body]);
        let stored = Arc::new(self.stored(&clause));
        self.database.add(pred, stored, first);
    }

    pub(crate) fn retract_all(&mut self, module: &Arc<str>, head: &Term) {
        let Some((pred, head, _)) = self.split(module, head) else {
            return;
        };
        for stored in self.database.of(pred) {
            let (mark, vars) = (self.trail.len(), self.bindings.len());
            let (other, _) = self.clause_of(&stored);
            let same = self.unify(&head, &other);
            self.undo(mark);
            self.bindings.truncate(vars);
            if self.branch(same) {
                self.database.remove(pred, &stored);
            }
        }
    }

    /// Takes away the first clause that fits; others on backtracking.
    pub(crate) fn retract(
        &mut self,
        event: Event,
        module: &Arc<str>,
        clause: &Term,
        next: K,
    ) -> Result<bool, Lost> {
        let Some((pred, head, body)) = self.split(module, clause) else {
            // Not a predicate that is known here: it has no clauses.
            return self.backtrack();
        };
        let candidates = self.database.of(pred).into();
        self.retract_next(event, pred, (head, body), candidates, 0, next)
    }

    pub(crate) fn retract_next(
        &mut self,
        event: Event,
        pred: PredId,
        clause: (Term, Term),
        candidates: Rc<[Arc<Stored>]>,
        mut at: usize,
        next: K,
    ) -> Result<bool, Lost> {
        while let Some(stored) = candidates.get(at).cloned() {
            at += 1;
            let (mark, vars) = (self.trail.len(), self.bindings.len());
            let fits = self.clause_fits(&clause, &stored);
            self.undo(mark);
            self.bindings.truncate(vars);
            if !self.branch(fits) || !self.database.remove(pred, &stored) {
                continue;
            }
            if at < candidates.len() {
                self.push(Alternative::Retract {
                    event,
                    pred,
                    clause: clause.clone(),
                    candidates,
                    at,
                    next,
                });
            }
            self.clause_fits(&clause, &stored);
            return match self.events.take(Mark::Event(event)) {
                true => self.go(next),
                false => Err(self.differs()),
            };
        }
        self.backtrack()
    }

    fn clause_fits(&mut self, clause: &(Term, Term), stored: &Stored) -> elsewise_term::TermId {
        let (head, body) = self.clause_of(stored);
        let heads = self.unify(&clause.0, &head);
        let bodies = self.unify(&clause.1, &body);
        self.terms.and(heads, bodies)
    }

    /// Sets a global variable; one that is set for backtracking gets its value back.
    pub(crate) fn set_global(&mut self, name: Arc<str>, value: &Term, backtracks: bool) {
        let stored = match backtracks {
            // The variables in it stay the store's.
            true => Stored {
                term: self.whole(value),
                vars: 0,
            },
            false => self.stored(value),
        };
        let old = self.globals.insert(name.clone(), stored);
        if backtracks {
            self.trail.push(Undo::Global(name, old));
        }
    }
}
