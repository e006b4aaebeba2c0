//! What each kind of goal means for the machine.

use super::{Alternative, Catch, Cont, Env, K, Lost, Machine};
use crate::program::{Event, Goal};
use crate::term::Term;
use std::sync::Arc;

impl Machine<'_> {
    pub(crate) fn goal(
        &mut self,
        goal: &Arc<Goal>,
        env: Env,
        cut: usize,
        next: K,
    ) -> Result<bool, Lost> {
        self.owner = env.owner;
        match &**goal {
            Goal::True | Goal::Silent => self.go(next),
            Goal::Fail => self.backtrack(),
            Goal::Cut => {
                self.points.truncate(cut);
                self.go(next)
            }
            Goal::And(a, b) => {
                let then = self.cont_goal(b, env, cut, next);
                self.k = self.cont_goal(a, env, cut, then);
                Ok(true)
            }
            Goal::Or(a, b) => {
                self.push(Alternative::Goal {
                    goal: b.clone(),
                    env,
                    cut,
                    next,
                });
                self.k = self.cont_goal(a, env, cut, next);
                Ok(true)
            }
            Goal::Ite(condition, yes, no) => {
                let height = self.points.len();
                self.push(Alternative::Goal {
                    goal: no.clone(),
                    env,
                    cut,
                    next,
                });
                let yes = self.cont_goal(yes, env, cut, next);
                let then = self.cont(Cont::CutTo { height, next: yes });
                self.k = self.cont_goal(condition, env, height + 1, then);
                Ok(true)
            }
            Goal::Soft(condition, yes, no) => {
                let at = self.points.len();
                self.push(Alternative::Goal {
                    goal: no.clone(),
                    env,
                    cut,
                    next,
                });
                let yes = self.cont_goal(yes, env, cut, next);
                let then = self.cont(Cont::SoftCut { at, next: yes });
                self.k = self.cont_goal(condition, env, at + 1, then);
                Ok(true)
            }
            Goal::Not(inner) => {
                let height = self.points.len();
                self.push(Alternative::Resume(next));
                let then = self.cont(Cont::NotSo { height });
                self.k = self.cont_goal(inner, env, height + 1, then);
                Ok(true)
            }
            Goal::User(pred, args) => {
                let args = self.instances(args, env);
                self.call(*pred, args.into(), 0, next)
            }
            Goal::Dynamic(pred, event, args) => {
                let args = self.instances(args, env);
                self.at(*event);
                self.call(*pred, args.into(), *event, next)
            }
            Goal::Builtin(event, call) => {
                let args = self.instances(&call.args, env);
                self.at(*event);
                self.builtin_goal(*event, call, args, next)
            }
            Goal::Once(event, call) | Goal::Opaque(event, call) => {
                let several = matches!(**goal, Goal::Opaque(..));
                let args = self.instances(&call.args, env);
                self.at(*event);
                self.make_known(&args);
                self.told(*event, args.into(), several, next)
            }
            Goal::Constraint(event, call) => {
                let args = self.instances(&call.args, env);
                self.at(*event);
                self.constraint(*event, call, args, next)
            }
            Goal::Findall(event, template, inner, list) => {
                let slot = self.collected.len();
                self.collected.push(Vec::new());
                let list = self.instance(list, env);
                self.push(Alternative::Findall {
                    slot,
                    event: *event,
                    list,
                    next,
                });
                let template = self.instance(template, env);
                let then = self.cont(Cont::Collect { slot, template });
                let height = self.points.len();
                self.k = self.cont_goal(inner, env, height, then);
                Ok(true)
            }
            Goal::Catch(event, inner, catcher, recovery) => {
                let catch = Catch {
                    event: *event,
                    catcher: self.instance(catcher, env),
                    recovery: recovery.clone(),
                    env,
                    next,
                    points: self.points.len(),
                    trail: self.trail.len(),
                    vars: self.bindings.len(),
                    outer: self.catching,
                };
                let then = self.cont(Cont::LeaveCatch {
                    to: catch.outer,
                    next,
                });
                self.catching = Some(self.catches.len());
                self.catches.push(catch);
                let height = self.points.len();
                self.k = self.cont_goal(inner, env, height, then);
                Ok(true)
            }
            Goal::Call(event, module, goal, extra) => {
                let goal = self.instance(goal, env);
                let extra = self.instances(extra, env);
                self.at(*event);
                let height = self.points.len();
                self.call_term(module, &goal, extra, height, next)
            }
        }
    }

    /// The machine is at a goal.
    pub(crate) fn at(&mut self, event: Event) {
        if let Some(site) = self.program.site_of(event) {
            self.here = site;
        }
    }

    /// A goal that is a term.
    pub(crate) fn call_term(
        &mut self,
        module: &Arc<str>,
        goal: &Term,
        extra: Vec<Term>,
        cut: usize,
        next: K,
    ) -> Result<bool, Lost> {
        let mut module = module.clone();
        let mut goal = self.whole(goal);
        while let Term::Input(node) = goal {
            goal = self.fix_constructor(node);
        }
        while let Some([inner, rest]) = goal.args_of::<2>(":") {
            let (inner, rest) = (self.value(inner), self.value(rest));
            match inner {
                Term::Atom(name) => module = name,
                _ => return self.raise(None),
            }
            goal = rest;
        }
        let goal = match (&goal, extra.is_empty()) {
            (_, true) => goal,
            (Term::Atom(name), false) => Term::compound(name.clone(), extra),
            (Term::Compound(compound), false) => {
                let args = compound.args.iter().cloned().chain(extra).collect();
                Term::compound(compound.name.clone(), args)
            }
            _ => return self.raise(None),
        };
        if matches!(goal, Term::Var(_)) {
            return self.raise(None);
        }
        let Some(goal) = self.program.runtime_goal(&module, &goal) else {
            return self.raise(None);
        };
        let env = Env {
            base: None,
            owner: self.owner,
        };
        self.k = self.cont_goal(&Arc::new(goal), env, cut, next);
        Ok(true)
    }
}
