//! The events of a run as Palacios and Vidal define them for flat programs: each with the parameters and
//! bound variables of the function that it is in, and with patterns as they stand in the program.
//!
//! A run only tells which clauses it took; all else is in the program.

use crate::events::Event;
use crate::program::{Expr, Function, Pattern, Program};
use crate::text;

struct Teller<'p> {
    program: &'p Program,
    decisions: std::vec::IntoIter<u32>,
    events: Vec<String>,
}

/// The function that events are in.
struct Context<'p> {
    function: &'p Function,
    /// Parameters and bound variables, written out.
    head: String,
}

/// Events of a call of a function; none if it is not flat.
pub fn events(program: &Program, function: usize, told: &[Event]) -> Option<Vec<String>> {
    let decisions = told.iter().filter_map(|event| match event {
        Event::Clause(id) => Some(*id),
        _ => None,
    });
    let mut teller = Teller {
        program,
        decisions: decisions.collect::<Vec<_>>().into_iter(),
        events: Vec::new(),
    };
    teller.function(function)?;
    Some(teller.events)
}

impl<'p> Teller<'p> {
    fn function(&mut self, function: usize) -> Option<()> {
        let function = &self.program.functions[function];
        let mut bound = Vec::new();
        bound_variables(&function.body, &mut bound);
        let name = |variable: &u32| variable_name(function, *variable);
        let parameters: Vec<String> = function.parameters.iter().map(name).collect();
        let bound: Vec<String> = bound.iter().map(name).collect();
        let context = Context {
            function,
            head: format!("[{}], [{}]", parameters.join(", "), bound.join(", ")),
        };
        let value = self.expression(&context, &function.body)?;
        self.events.push(format!("exit({}, {value})", context.head));
        Some(())
    }

    /// Tells what an expression does; its return value, as a pattern.
    fn expression(&mut self, context: &Context<'p>, expr: &'p Expr) -> Option<String> {
        match expr {
            Expr::Let(variables, first, then) => {
                let [variable] = variables.as_slice() else {
                    return None;
                };
                let target = variable_name(context.function, *variable);
                match &**first {
                    Expr::Local(name, arguments) => {
                        let module = context.function.module.clone();
                        let key = (module, name.0.clone(), name.1);
                        let callee = *self.program.by_name.get(&key)?;
                        let arguments: Vec<String> = arguments
                            .iter()
                            .map(|one| pattern_of(context.function, one))
                            .collect::<Option<_>>()?;
                        self.events.push(format!(
                            "call({}, {target}, [{}])",
                            context.head,
                            arguments.join(", ")
                        ));
                        self.function(callee)?;
                    }
                    Expr::Case(case) => {
                        let [argument] = case.arguments.as_slice() else {
                            return None;
                        };
                        let argument = pattern_of(context.function, argument)?;
                        let index = match case.silent {
                            true => 0,
                            false => {
                                let (site, index) =
                                    self.program.clauses.get(&self.decisions.next()?)?;
                                (*site == case.site).then_some(*index as usize)?
                            }
                        };
                        let patterns: Vec<String> = case
                            .clauses
                            .iter()
                            .map(|clause| pattern(context.function, clause.patterns.first()?))
                            .collect::<Option<_>>()?;
                        let alternatives: Vec<String> = (1..)
                            .zip(&patterns)
                            .map(|(number, pattern)| format!("({number}, {argument}, {pattern})"))
                            .collect();
                        self.events.push(format!(
                            "case({}, {}, {argument}, {}, [{}])",
                            context.head,
                            index + 1,
                            patterns.get(index)?,
                            alternatives.join(", ")
                        ));
                        let value = self.expression(context, &case.clauses.get(index)?.body)?;
                        self.events
                            .push(format!("exitcase({}, {target}, {value})", context.head));
                    }
                    other => {
                        let value = self.expression(context, other)?;
                        self.events
                            .push(format!("bind({}, {target}, {value})", context.head));
                    }
                }
                self.expression(context, then)
            }
            Expr::Seq(first, then) => {
                self.expression(context, first)?;
                self.expression(context, then)
            }
            other => pattern_of(context.function, other),
        }
    }
}

/// Bound variables of an expression, those of patterns after those of what stands beside them.
fn bound_variables(expr: &Expr, bound: &mut Vec<u32>) {
    match expr {
        Expr::Let(variables, first, then) => {
            bound.extend(variables);
            let mut inner = Vec::new();
            if let Expr::Case(case) = &**first {
                for clause in &case.clauses {
                    bound_variables(&clause.body, bound);
                    let patterns = clause.patterns.iter();
                    patterns.for_each(|pattern| pattern_variables(pattern, &mut inner));
                }
            } else {
                bound_variables(first, bound);
            }
            bound.extend(inner);
            bound_variables(then, bound);
        }
        Expr::Seq(first, then) => {
            bound_variables(first, bound);
            bound_variables(then, bound);
        }
        _ => {}
    }
}

fn pattern_variables(pattern: &Pattern, bound: &mut Vec<u32>) {
    match pattern {
        Pattern::Variable(variable) => bound.push(*variable),
        Pattern::Cons(head, tail) => {
            pattern_variables(head, bound);
            pattern_variables(tail, bound);
        }
        Pattern::Tuple(all) => all.iter().for_each(|one| pattern_variables(one, bound)),
        _ => {}
    }
}

fn variable_name(function: &Function, variable: u32) -> String {
    match function.names.get(&variable) {
        Some(name) => name.to_string(),
        None => format!("_{variable}"),
    }
}

fn pattern(function: &Function, of: &Pattern) -> Option<String> {
    Some(match of {
        Pattern::Literal(value) => text::erlang(value),
        Pattern::Variable(variable) => variable_name(function, *variable),
        Pattern::Cons(head, tail) => {
            format!(
                "[{}|{}]",
                pattern(function, head)?,
                pattern(function, tail)?
            )
        }
        Pattern::Tuple(all) => {
            let all: Option<Vec<String>> = all.iter().map(|one| pattern(function, one)).collect();
            format!("{{{}}}", all?.join(", "))
        }
        _ => return None,
    })
}

fn pattern_of(function: &Function, expr: &Expr) -> Option<String> {
    Some(match expr {
        Expr::Literal(value) => text::erlang(value),
        Expr::Variable(variable) => variable_name(function, *variable),
        Expr::Cons(head, tail) => format!(
            "[{}|{}]",
            pattern_of(function, head)?,
            pattern_of(function, tail)?
        ),
        Expr::Tuple(all) => {
            let all: Option<Vec<String>> =
                all.iter().map(|one| pattern_of(function, one)).collect();
            format!("{{{}}}", all?.join(", "))
        }
        _ => return None,
    })
}
