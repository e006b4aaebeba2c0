//! Which functions a call can lead to.

use crate::program::{Expr, Program};
use crate::value::Value;
use crate::value::closure::LambdaId;
use std::sync::Arc;

impl Program {
    /// Functions that a call of `entry` can lead to; all of them where that is not known.
    pub fn reachable(&self, entry: usize) -> Vec<bool> {
        let mut reached = vec![false; self.functions.len()];
        let mut open = vec![entry];
        while let Some(function) = open.pop() {
            if std::mem::replace(&mut reached[function], true) {
                continue;
            }
            let mut reach = Reach {
                program: self,
                module: &self.functions[function].module,
                found: Vec::new(),
                dynamic: false,
            };
            reach.expr(&self.functions[function].body);
            if reach.dynamic {
                return vec![true; self.functions.len()];
            }
            open.extend(reach.found);
        }
        reached
    }
}

struct Reach<'a> {
    program: &'a Program,
    module: &'a Arc<str>,
    found: Vec<usize>,
    /// Some call leads who knows where.
    dynamic: bool,
}

impl Reach<'_> {
    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Literal(Value::Foreign(term)) => {
                if let eetf::Term::ExternalFun(fun) = &**term {
                    let (module, function) = (&fun.module.name, &fun.function.name);
                    self.call(
                        &Arc::from(&**module),
                        &Arc::from(&**function),
                        fun.arity.into(),
                    );
                }
            }
            Expr::Literal(_) | Expr::Variable(_) => {}
            Expr::Fun(lambda) => self.lambda(*lambda),
            Expr::Cons(head, tail) => {
                self.expr(head);
                self.expr(tail);
            }
            Expr::Tuple(all) | Expr::Values(all) | Expr::Primop(_, _, all) => {
                all.iter().for_each(|one| self.expr(one));
            }
            Expr::Map(base, pairs) => {
                self.expr(base);
                for (_, key, value) in pairs {
                    self.expr(key);
                    self.expr(value);
                }
            }
            Expr::Binary(segments) => segments.iter().for_each(|one| self.expr(&one.value)),
            Expr::Let(_, first, then) | Expr::Seq(first, then) => {
                self.expr(first);
                self.expr(then);
            }
            Expr::Case(case) => {
                case.arguments.iter().for_each(|one| self.expr(one));
                case.clauses
                    .iter()
                    .for_each(|clause| self.expr(&clause.body));
            }
            Expr::Receive(receive) => {
                receive
                    .clauses
                    .iter()
                    .for_each(|clause| self.expr(&clause.body));
                self.expr(&receive.late);
            }
            Expr::Local(name, arguments) => {
                let key = (self.module.clone(), name.0.clone(), name.1);
                self.found.extend(self.program.by_name.get(&key));
                arguments.iter().for_each(|one| self.expr(one));
            }
            Expr::Apply(_, function, arguments) => {
                self.expr(function);
                arguments.iter().for_each(|one| self.expr(one));
            }
            Expr::Call(_, module, function, arguments) => {
                match (&**module, &**function) {
                    (Expr::Literal(Value::Atom(module)), Expr::Literal(Value::Atom(function))) => {
                        let starts = matches!(&**function, "apply" | "spawn" | "spawn_link")
                            && arguments.len() == 3;
                        self.dynamic |= &**module == "erlang" && starts;
                        self.call(module, function, arguments.len() as u32);
                    }
                    _ => self.dynamic = true,
                }
                arguments.iter().for_each(|one| self.expr(one));
            }
            Expr::Letrec(functions, body) => {
                for (_, lambda) in functions {
                    self.lambda(*lambda);
                }
                self.expr(body);
            }
            Expr::Try(parts) => {
                self.expr(&parts.body);
                self.expr(&parts.then);
                self.expr(&parts.handler);
            }
            Expr::Catch(body) => self.expr(body),
        }
    }

    fn lambda(&mut self, lambda: LambdaId) {
        let program = self.program;
        self.expr(&program.lambdas[lambda.0 as usize].body);
    }

    fn call(&mut self, module: &Arc<str>, function: &Arc<str>, arity: u32) {
        self.found
            .extend(self.program.find(module, function, arity));
    }
}
