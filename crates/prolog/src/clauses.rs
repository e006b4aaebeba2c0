//! Calls of predicates: which clauses apply, and how they are entered.

use crate::database::Stored;
use crate::events::Mark;
use crate::machine::{Activation, Alternative, Candidate, Cont, Env, K, Lost, Machine, Undo};
use crate::program::{Event, Kind, PredId, is_clpfd};
use crate::term::Term;
use elsewise_explore::ApproximationKind;
use elsewise_term::TermId;
use std::rc::Rc;
use std::sync::Arc;

impl Machine<'_> {
    /// Calls a predicate: a choice for each of its clauses, whether it applies.
    pub(crate) fn call(
        &mut self,
        pred: PredId,
        args: Rc<[Term]>,
        event: Event,
        next: K,
    ) -> Result<bool, Lost> {
        let here = self.here;
        let program = self.program;
        let predicate = &program.preds[pred];
        let mut candidates = Vec::new();
        if predicate.kind == Kind::Dynamic {
            for stored in self.database.of(pred) {
                let condition = self.applies_stored(&stored, &args);
                if self.branch_at(here, condition) {
                    candidates.push(Candidate::Dynamic(stored));
                }
            }
        } else {
            for index in &predicate.clauses {
                let clause = &program.clauses[*index];
                self.here = clause.head_site;
                let condition = self.applies(*index, &args);
                if self.branch_at(clause.head_site, condition) {
                    candidates.push(Candidate::Static(*index));
                    continue;
                }
                self.covered.push((clause.head_site, 1));
                if !clause.neck.is_empty() {
                    candidates.push(Candidate::Refused(*index));
                }
            }
            self.here = here;
        }
        let module = predicate.module.clone();
        if candidates.is_empty() {
            self.keep_rejected(pred, &args);
        }
        let first = predicate.clauses.first();
        if first.is_some_and(|first| program.clauses[*first].guard.is_some()) {
            candidates.push(Candidate::NoRule);
        }
        self.try_clause(args, candidates.into(), 0, event, module, next)
    }

    /// Under what condition a clause applies: its head unifies, and the constraints that its body
    /// begins with hold.
    pub(crate) fn applies(&mut self, index: usize, args: &[Term]) -> TermId {
        let program = self.program;
        let clause = &program.clauses[index];
        if clause.open {
            return self.bool(true);
        }
        let (mark, vars, woken) = (self.trail.len(), self.bindings.len(), self.woken);
        let base = self.fresh(clause.vars);
        let env = Env {
            base: Some(base),
            owner: self.owner,
        };
        let mut all = self.bool(true);
        for (arg, head) in args.iter().zip(&clause.head) {
            let head = self.instance(head, env);
            let one = self.unify(arg, &head);
            all = self.terms.and(all, one);
            if self.terms.as_bool(all) == Some(false) {
                break;
            }
        }
        let binds = |undo: &Undo| matches!(undo, Undo::Bound(var) if (*var as usize) < vars);
        if clause.guard.is_some() && self.trail[mark..].iter().any(binds) {
            // The call would be bound: the head is not as general as it is.
            all = self.bool(false);
        }
        if self.terms.as_bool(all) != Some(false) {
            let mut necks = Vec::new();
            for (_, call) in &clause.neck {
                let args = self.instances(&call.args, env);
                match self.neck(call, &args) {
                    Some(one) => necks.push(one),
                    None => break,
                }
            }
            // Where one raises an error, those after it make no difference: the clause was entered.
            let mut rest = self.bool(true);
            while let Some(one) = necks.pop() {
                rest = self.terms.and(one.holds, rest);
                rest = self.terms.or(one.raises, rest);
            }
            all = self.terms.and(all, rest);
        }
        self.undo(mark);
        self.bindings.truncate(vars);
        self.woken = woken;
        all
    }

    pub(crate) fn applies_stored(&mut self, stored: &Stored, args: &[Term]) -> TermId {
        let (mark, vars, woken) = (self.trail.len(), self.bindings.len(), self.woken);
        let (head, _) = self.clause_of(stored);
        let mut all = self.bool(true);
        if let Some((_, heads)) = head.parts() {
            for (arg, head) in args.iter().zip(heads) {
                let one = self.unify(arg, head);
                all = self.terms.and(all, one);
            }
        }
        self.undo(mark);
        self.bindings.truncate(vars);
        self.woken = woken;
        all
    }

    pub(crate) fn try_clause(
        &mut self,
        args: Rc<[Term]>,
        candidates: Rc<[Candidate]>,
        at: usize,
        event: Event,
        module: Arc<str>,
        next: K,
    ) -> Result<bool, Lost> {
        let Some(candidate) = candidates.get(at).cloned() else {
            return self.backtrack();
        };
        let height = self.points.len();
        if at + 1 < candidates.len() {
            self.push(Alternative::Clauses {
                args: args.clone(),
                candidates,
                at: at + 1,
                event,
                module: module.clone(),
                owner: self.owner,
                next,
            });
        }
        match candidate {
            Candidate::Static(index) => self.enter(index, &args, height, next),
            // No rule with `=>` is an error.
            Candidate::NoRule => self.raise(None),
            Candidate::Refused(index) => {
                self.refuse(index, &args)?;
                self.backtrack()
            }
            Candidate::Dynamic(stored) => {
                let (head, body) = self.clause_of(&stored);
                let heads = head.parts().map_or(Vec::new(), |(_, args)| args.to_vec());
                if !self.unify_all(&args, &heads) {
                    return self.backtrack();
                }
                if !self.events.take(Mark::Event(event)) {
                    return self.unless_woken();
                }
                // A cut in it cuts the clauses behind it, too.
                self.call_term(&module, &body, Vec::new(), height, next)
            }
        }
    }

    /// What the real run does with a clause that does not apply because of its constraints: it enters
    /// it, and fails at one of them. That it does not apply is settled; which part of it is why makes
    /// no difference, so there are no choices in here.
    pub(crate) fn refuse(&mut self, index: usize, args: &[Term]) -> Result<(), Lost> {
        let program = self.program;
        let clause = &program.clauses[index];
        let (mark, vars) = (self.trail.len(), self.bindings.len());
        let env = Env {
            base: Some(self.fresh(clause.vars)),
            owner: self.owner,
        };
        let heads = self.instances(&clause.head, env);
        let mut all = self.bool(true);
        for (arg, head) in args.iter().zip(&heads) {
            let one = self.unify(arg, head);
            all = self.terms.and(all, one);
        }
        let mut result = Ok(());
        if self.holds(all) {
            if !self.events.take(Mark::Event(clause.event)) {
                result = Err(self.differs());
            }
            for (event, call) in &clause.neck {
                let args = self.instances(&call.args, env);
                let holds = self.neck(call, &args).map(|one| one.holds);
                if result.is_err() || !holds.is_some_and(|holds| self.holds(holds)) {
                    break;
                }
                match self.events.take(Mark::Event(*event)) {
                    true if is_clpfd(&call.name) => self.events.skip_term(),
                    true => {}
                    false => result = Err(self.differs()),
                }
            }
        }
        self.undo(mark);
        self.bindings.truncate(vars);
        self.woken = false;
        result
    }

    pub(crate) fn unify_all(&mut self, args: &[Term], heads: &[Term]) -> bool {
        let mut all = self.bool(true);
        for (arg, head) in args.iter().zip(heads) {
            let one = self.unify(arg, head);
            all = self.terms.and(all, one);
        }
        self.holds(all) && self.wake()
    }

    /// Enters a clause that applies.
    pub(crate) fn enter(
        &mut self,
        index: usize,
        args: &Rc<[Term]>,
        height: usize,
        next: K,
    ) -> Result<bool, Lost> {
        let program = self.program;
        let clause = &program.clauses[index];
        self.keep_called(index, args);
        let base = self.fresh(clause.vars);
        let env = Env {
            base: Some(base),
            owner: self.owner,
        };
        let heads = self.instances(&clause.head, env);
        self.here = clause.head_site;
        if !self.unify_all(args, &heads) {
            return self.backtrack();
        }
        match &clause.guard {
            None => self.entered(index, base, args, height, next),
            Some(guard) => {
                let then = self.cont(Cont::Commit {
                    index,
                    base,
                    args: args.clone(),
                    owner: self.owner,
                    height,
                    next,
                });
                let inside = self.points.len();
                self.k = self.cont_goal(guard, env, inside, then);
                Ok(true)
            }
        }
    }

    /// The clause is the one: its event must be next.
    pub(crate) fn entered(
        &mut self,
        index: usize,
        base: u32,
        args: &[Term],
        height: usize,
        next: K,
    ) -> Result<bool, Lost> {
        let program = self.program;
        let clause = &program.clauses[index];
        let activation = self.activations.len();
        let env = Env {
            base: Some(base),
            owner: activation,
        };
        if !self.events.take(Mark::Event(clause.event)) {
            return self.unless_woken();
        }
        self.covered.push((clause.head_site, 0));
        let kept = self.keep_entered(index, args);
        self.activations.push(Activation {
            site: clause.body_site,
            succeeded: false,
            kept,
            within: kept.or(self.kept_owner()),
        });
        self.trail.push(Undo::Entered(activation));
        let exit = self.cont(Cont::Exit { activation, next });
        self.k = self.cont_goal(&clause.body, env, height, exit);
        Ok(true)
    }

    /// The event is missing: constraints that propagation found out to be violated are no surprise.
    pub(crate) fn unless_woken(&mut self) -> Result<bool, Lost> {
        if self.pending.is_empty() {
            return Err(self.differs());
        }
        let here = self.here;
        self.path.approximate(ApproximationKind::OpaqueCall, here);
        self.backtrack()
    }
}
