//! Guards as conditions over the inputs.

use crate::matching::Scope;
use crate::primitives::Mode;
use crate::program::Expr;
use crate::run::Run;
use crate::value::closure::Closure;
use crate::value::{Symbol, Value};
use elsewise_explore::ApproximationKind;
use elsewise_term::TermId;
use std::sync::Arc;

impl Run<'_> {
    /// The value of an expression that neither calls nor decides.
    pub fn plain(&mut self, expr: &Expr, scope: &Scope<'_>) -> Value {
        match expr {
            Expr::Literal(value) => value.clone(),
            Expr::Variable(variable) => scope.get(*variable),
            Expr::Cons(head, tail) => {
                let head = self.plain(head, scope);
                Value::cons(head, self.plain(tail, scope))
            }
            Expr::Tuple(all) | Expr::Values(all) => {
                Value::tuple(all.iter().map(|one| self.plain(one, scope)).collect())
            }
            Expr::Fun(lambda) => Value::Closure(Arc::new(Closure {
                lambda: *lambda,
                arity: scope.program.lambdas[lambda.0 as usize].parameters.len(),
                environment: scope.environment.clone(),
            })),
            _ => Value::unknown(),
        }
    }

    /// The condition under which a guard holds; an error in it is a guard that fails.
    pub fn guard(&mut self, site: u32, guard: &Expr, scope: &mut Scope<'_>) -> TermId {
        let mut ok = self.terms.bool(true);
        let value = self.guarded(site, guard, scope, &mut ok);
        let truth = self.equal(site, &value, &Value::atom("true"), true);
        self.terms.and(ok, truth)
    }

    fn guarded(&mut self, site: u32, expr: &Expr, scope: &mut Scope<'_>, ok: &mut TermId) -> Value {
        match expr {
            Expr::Let(variables, first, then) => {
                let value = self.guarded(site, first, scope, ok);
                match variables.as_slice() {
                    [one] => scope.bound.push((*one, value)),
                    several => {
                        let parts = value.as_tuple().map(<[Value]>::to_vec).unwrap_or_default();
                        scope.bound.extend(several.iter().copied().zip(parts));
                    }
                }
                self.guarded(site, then, scope, ok)
            }
            Expr::Seq(first, then) => {
                self.guarded(site, first, scope, ok);
                self.guarded(site, then, scope, ok)
            }
            Expr::Try(parts) => {
                let mut inner = self.terms.bool(true);
                let value = self.guarded(site, &parts.body, scope, &mut inner);
                if let [one] = parts.variables.as_slice() {
                    scope.bound.push((*one, value));
                }
                let value = self.guarded(site, &parts.then, scope, &mut inner);
                let mut other = self.terms.bool(true);
                let failed = self.guarded(site, &parts.handler, scope, &mut other);
                self.either(site, inner, &value, &failed)
            }
            Expr::Case(case) => {
                let arguments: Vec<Value> = case
                    .arguments
                    .iter()
                    .map(|one| self.guarded(site, one, scope, ok))
                    .collect();
                let mut reached = self.terms.bool(true);
                let mut results = Vec::new();
                for clause in &case.clauses {
                    let mut holds = reached;
                    for (pattern, value) in clause.patterns.iter().zip(&arguments) {
                        let fits = self.matches(site, pattern, value, scope);
                        holds = self.terms.and(holds, fits);
                    }
                    let guard = self.guard(site, &clause.guard, scope);
                    let holds = self.terms.and(holds, guard);
                    if self.terms.as_bool(holds) == Some(false) {
                        continue;
                    }
                    let mut inner = self.terms.bool(true);
                    let value = self.guarded(site, &clause.body, scope, &mut inner);
                    let not = self.terms.not(holds);
                    let fine = self.terms.or(not, inner);
                    *ok = self.terms.and(*ok, fine);
                    results.push((holds, value));
                    reached = self.terms.and(reached, not);
                    if self.terms.as_bool(reached) == Some(false) {
                        break;
                    }
                }
                let none = self.terms.not(reached);
                *ok = self.terms.and(*ok, none);
                let mut results = results.into_iter().rev();
                let Some((_, mut value)) = results.next() else {
                    return Value::unknown();
                };
                for (holds, other) in results {
                    value = self.either(site, holds, &other, &value);
                }
                value
            }
            Expr::Call(..) if self.terms.as_bool(*ok) == Some(false) => Value::unknown(),
            Expr::Call(_, module, function, arguments) => {
                let arguments: Vec<Value> = arguments
                    .iter()
                    .map(|one| self.guarded(site, one, scope, ok))
                    .collect();
                let (Some(module), Some(function)) = (
                    self.plain(module, scope).as_atom().map(Arc::<str>::from),
                    self.plain(function, scope).as_atom().map(Arc::<str>::from),
                ) else {
                    return Value::unknown();
                };
                if &*function == "error" {
                    *ok = self.terms.bool(false);
                    return Value::unknown();
                }
                let mut mode = Mode::Guard(*ok);
                let result = self.primitive(site, &module, &function, &arguments, &mut mode);
                if let Mode::Guard(now) = mode {
                    *ok = now;
                }
                match result {
                    Some(Ok(value)) => value,
                    Some(Err(_)) => {
                        *ok = self.terms.bool(false);
                        Value::unknown()
                    }
                    None => {
                        self.approximate(ApproximationKind::OpaqueOperation, site);
                        Value::unknown()
                    }
                }
            }
            Expr::Primop(..) => {
                *ok = self.terms.bool(false);
                Value::unknown()
            }
            _ => self.plain(expr, scope),
        }
    }

    /// One value or the other; where they are no truth values and not known apart, what it is now.
    fn either(&mut self, site: u32, condition: TermId, yes: &Value, no: &Value) -> Value {
        match self.terms.as_bool(condition) {
            Some(true) => return yes.clone(),
            Some(false) => return no.clone(),
            None => {}
        }
        let truth = |run: &mut Run<'_>, value: &Value| match value {
            Value::Symbol(Symbol::Truth(term)) => Some(*term),
            Value::Atom(name) if &**name == "true" => Some(run.terms.bool(true)),
            Value::Atom(name) if &**name == "false" => Some(run.terms.bool(false)),
            // Of no use as a guard: the clause fails.
            Value::Symbol(Symbol::Unknown) => Some(run.terms.bool(false)),
            _ => None,
        };
        if let (Some(yes), Some(no)) = (truth(self, yes), truth(self, no)) {
            let either = self.terms.ite(condition, yes, no);
            return self.truth_value(either);
        }
        self.approximate(ApproximationKind::OpaqueOperation, site);
        match self.holds(condition) {
            true => yes.clone(),
            false => no.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
