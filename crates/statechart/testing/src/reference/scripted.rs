//! Code of a model that is simple enough to be run here.

use super::{Context, EventInstance, Host};
use crate::evaluate::{Meaning, perform, value};
use elsewise_statechart::expression::{Expression, Step, parse_expression, parse_statements};
use elsewise_statechart::model::{Attribute, Code, EventId, Statement, VertexId};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Runs guards and actions that are of the small part of C that `evaluate.rs` knows.
#[derive(Default)]
pub struct Scripted {
    pub variables: BTreeMap<String, i64>,
    /// Calls of functions and lines for people, in order.
    pub calls: Vec<(String, Vec<i64>)>,
    /// Code that could not be run.
    pub unknown: Vec<String>,
    /// What a failure is reported to the machine by (SCXML's `error.execution`).
    pub error: Option<EventId>,
    /// Names that parameters of events cannot have of their own.
    attributes: HashSet<String>,
    expressions: HashMap<String, Option<Expression>>,
    statements: HashMap<String, Option<Vec<Step>>>,
}

impl Scripted {
    /// With variables for attributes, as far as their initial values are simple.
    pub fn new(attributes: &[Attribute]) -> Self {
        let mut scripted = Self::default();
        let names = attributes.iter().map(|attribute| attribute.name.clone());
        scripted.attributes = names.collect();
        for attribute in attributes {
            let initial = attribute.initial.as_deref().and_then(parse_expression);
            let known = initial.map(|initial| {
                let mut variables = Known {
                    variables: &mut scripted.variables,
                    calls: &mut scripted.calls,
                    context: None,
                };
                value(&initial, &mut variables)
            });
            match known {
                Some(Ok(known)) => {
                    scripted.variables.insert(attribute.name.clone(), known);
                    // QM's action code has attributes behind a pointer.
                    let behind = format!("me->{}", attribute.name);
                    scripted.variables.insert(behind, known);
                }
                // Without a value: using it is an error until it has one.
                Some(Err(_)) => scripted.unknown.push(attribute.name.clone()),
                None if attribute.initial.is_some() => {
                    scripted.unknown.push(attribute.name.clone());
                }
                None => {}
            }
        }
        scripted
    }

    fn value(&mut self, text: &str, context: &mut Context) -> Option<i64> {
        let parsed = self
            .expressions
            .entry(text.to_owned())
            .or_insert_with(|| parse_expression(text));
        let result = parsed.as_ref().map(|expression| {
            let mut known = Known {
                variables: &mut self.variables,
                calls: &mut self.calls,
                context: Some(context),
            };
            value(expression, &mut known)
        });
        match result {
            Some(Ok(result)) => Some(result),
            _ => {
                self.failed(text, context);
                None
            }
        }
    }

    fn failed(&mut self, text: &str, context: &mut Context) {
        self.unknown.push(text.to_owned());
        context.raised.extend(self.error);
    }

    /// False if something failed: what stands behind it is not done (SCXML 4.3.1).
    fn statement(&mut self, statement: &Statement, context: &mut Context) -> bool {
        match statement {
            Statement::Code(code) => {
                let parsed = self
                    .statements
                    .entry(code.text.clone())
                    .or_insert_with(|| parse_statements(&code.text));
                let result = parsed.as_ref().map(|steps| {
                    let mut known = Known {
                        variables: &mut self.variables,
                        calls: &mut self.calls,
                        context: Some(context),
                    };
                    perform(steps, &mut known)
                });
                let good = matches!(result, Some(Ok(())));
                if !good {
                    self.failed(&code.text, context);
                }
                good
            }
            Statement::Raise { event, .. } => {
                context.raised.push(*event);
                true
            }
            Statement::Send {
                event,
                arguments,
                delay,
                id,
                ..
            } => {
                let mut data = Vec::new();
                for argument in arguments {
                    match self.value(&argument.value.text, context) {
                        Some(value) => data.push((argument.name.clone(), value)),
                        None => return false,
                    }
                }
                let given = event.map(|event| EventInstance { event, data });
                match (given, delay) {
                    (None, _) => true,
                    (Some(given), None) => {
                        context.sent.push(given);
                        true
                    }
                    (Some(given), Some(delay)) => match self.value(&delay.text, context) {
                        Some(delay) => {
                            context.started.push((given, delay, id.clone()));
                            true
                        }
                        None => false,
                    },
                }
            }
            Statement::Cancel { id, .. } => {
                context.cancelled.push(id.clone());
                true
            }
            Statement::If { branches } => {
                for (condition, statements) in branches {
                    let holds = match condition {
                        Some(code) => match self.value(&code.text, context) {
                            Some(value) => value != 0,
                            // A condition that cannot be evaluated is false (SCXML 5.9.1).
                            None => false,
                        },
                        None => true,
                    };
                    if holds {
                        return statements
                            .iter()
                            .all(|statement| self.statement(statement, context));
                    }
                }
                true
            }
            Statement::Log { label, value, .. } => {
                let values = value
                    .as_ref()
                    .and_then(|code| self.value(&code.text, context));
                self.calls
                    .push((label.clone(), values.into_iter().collect()));
                true
            }
        }
    }
}

impl Host for Scripted {
    fn given(&mut self, _event: EventId, data: &[(String, i64)]) {
        for (name, value) in data {
            self.variables.insert(format!("_event.data.{name}"), *value);
            // UML-RT's action code has parameters under their own names.
            if !self.attributes.contains(name) {
                self.variables.insert(name.clone(), *value);
            }
        }
    }

    fn holds(&mut self, guard: &Code, context: &mut Context) -> bool {
        self.value(&guard.text, context)
            .is_some_and(|value| value != 0)
    }

    fn perform(&mut self, statements: &[Statement], context: &mut Context) {
        for statement in statements {
            if !self.statement(statement, context) {
                break;
            }
        }
    }
}

struct Known<'k, 'c, 'm> {
    variables: &'k mut BTreeMap<String, i64>,
    calls: &'k mut Vec<(String, Vec<i64>)>,
    context: Option<&'c mut Context<'m>>,
}

impl Meaning for Known<'_, '_, '_> {
    fn get(&self, name: &str) -> Option<i64> {
        self.variables.get(name).copied()
    }

    fn set(&mut self, name: &str, value: i64) {
        self.variables.insert(name.to_owned(), value);
    }

    fn call(&mut self, name: &str, arguments: &[i64]) -> Option<i64> {
        if name == "In" {
            let state = VertexId(u32::try_from(*arguments.first()?).ok()?);
            let context = self.context.as_deref()?;
            return Some(i64::from(context.is_in(state)));
        }
        self.calls.push((name.to_owned(), arguments.to_vec()));
        Some(0)
    }
}
