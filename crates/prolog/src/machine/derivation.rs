//! What the machine keeps of a run for its derivation.

use super::Machine;
use crate::program::{Kind, PredId};
use crate::term::Term;
use elsewise_graph::Derived;

impl Machine<'_> {
    /// The derivation's place of the clause that the machine is in, or of one around it.
    pub(crate) fn kept_owner(&self) -> Option<usize> {
        self.activations.get(self.owner).and_then(|it| it.within)
    }

    pub(crate) fn keep_entered(&mut self, clause: usize, args: &[Term]) -> Option<usize> {
        self.derivation.as_ref()?;
        let outer = self.kept_owner();
        let program = self.program;
        let site = &program.sites[program.clauses[clause].head_site as usize];
        if program.preds[site.pred].kind == Kind::Library {
            return None;
        }
        let args = args.to_vec();
        let derivation = self.derivation.as_mut()?;
        let goal = std::mem::take(&mut derivation.called);
        derivation.entered(outer, goal, site.line, site.pred, args)
    }

    /// Remembers how a clause is called, before its head has bound anything.
    pub(crate) fn keep_called(&mut self, clause: usize, args: &[Term]) {
        if self.derivation.is_none() {
            return;
        }
        let site = self.program.clauses[clause].head_site;
        let goal = self.goal_text(self.program.sites[site as usize].pred, args);
        if let Some(derivation) = &mut self.derivation {
            derivation.called = goal;
        }
    }

    pub(crate) fn keep_rejected(&mut self, pred: PredId, args: &[Term]) {
        if self.derivation.is_none() || self.program.preds[pred].kind == Kind::Library {
            return;
        }
        let outer = self.kept_owner();
        let goal = self.goal_text(pred, args);
        if let Some(derivation) = &mut self.derivation {
            derivation.rejected(outer, goal);
        }
    }

    pub(crate) fn keep_answer(&mut self, kept: usize) {
        let Some((pred, args)) = self.derivation.as_ref().and_then(|it| it.call_of(kept)) else {
            return;
        };
        let answer = self.goal_text(pred, &args);
        if let Some(derivation) = &mut self.derivation {
            derivation.ended(kept, Derived::Answer(answer));
        }
    }

    pub(crate) fn goal_text(&mut self, pred: PredId, args: &[Term]) -> String {
        let args: Vec<Term> = args.iter().map(|arg| self.concrete(arg)).collect();
        let name = self.program.preds[pred].name.clone();
        match args.is_empty() {
            true => crate::text::atom(&name),
            false => crate::text::show(&Term::compound(name, args)),
        }
    }
}
