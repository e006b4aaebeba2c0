//! Clauses of dynamic predicates, and terms that are kept apart from the store.

use crate::program::{PredId, Program};
use crate::term::Term;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A term apart from the store: its variables are its own.
#[derive(Clone, Debug)]
pub struct Stored {
    pub term: Term,
    pub vars: u32,
}

impl Stored {
    /// A term that was read: its variables are numbered.
    pub fn told(term: Term) -> Stored {
        let mut vars = 0;
        term.with_vars(&mut |number| {
            vars = vars.max(number + 1);
            Term::Var(number)
        });
        Stored { term, vars }
    }
}

/// Clauses of dynamic predicates, as `Head :- Body`.
#[derive(Default)]
pub struct Database {
    of: FxHashMap<PredId, Vec<Arc<Stored>>>,
}

impl Database {
    pub fn new(program: &Program) -> Database {
        let mut database = Database::default();
        for (pred, clause, vars) in &program.facts {
            let stored = Stored {
                term: clause.clone(),
                vars: *vars,
            };
            database.of.entry(*pred).or_default().push(Arc::new(stored));
        }
        database
    }

    /// The clauses that a call which begins now will see.
    pub fn of(&self, pred: PredId) -> Vec<Arc<Stored>> {
        self.of.get(&pred).cloned().unwrap_or_default()
    }

    pub fn add(&mut self, pred: PredId, stored: Arc<Stored>, first: bool) {
        let clauses = self.of.entry(pred).or_default();
        match first {
            true => clauses.insert(0, stored),
            false => clauses.push(stored),
        }
    }

    /// Whether it was there.
    pub fn remove(&mut self, pred: PredId, stored: &Arc<Stored>) -> bool {
        let clauses = self.of.entry(pred).or_default();
        let before = clauses.len();
        clauses.retain(|it| !Arc::ptr_eq(it, stored));
        clauses.len() < before
    }
}
