//! Follows a run: takes every decision from its events, and keeps symbolic values beside.
//!
//! The machine never decides by itself. Where what it knows and what the run tells do not agree, it
//! stops there: what was followed so far is the trace, and that it was cut is counted.

use crate::events::Event;
use crate::matching::Scope;
use crate::processes::{Mailboxes, ended_process};
use crate::program::{Case, Expr, Program, Receive, Try};
use crate::run::Run;
use crate::value::closure::{Environment, LambdaId, Locals, Variable};
use crate::value::{Symbol, Value};
use elsewise_explore::ApproximationKind;
use elsewise_term::TermId;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

pub struct Machine<'p, 'a> {
    pub run: Run<'a>,
    pub(crate) program: &'p Program,
    pub(crate) now: Thread<'p>,
    /// Processes that are not being followed at the moment, by name.
    pub(crate) others: BTreeMap<u32, Thread<'p>>,
    /// Processes that have not begun yet.
    pub(crate) pids: Vec<(Value, u32, VecDeque<Event>)>,
    pub(crate) names: Vec<(Value, u32)>,
    pub(crate) mailboxes: Mailboxes,
    /// Clauses that were taken, in order of their first time.
    pub taken: Vec<u32>,
    pub(crate) steps: u64,
    /// The run has processes that take turns.
    pub(crate) scheduled: bool,
}

pub(crate) enum Frame<'p> {
    Bind(&'p [Variable], &'p Expr),
    Then(&'p Expr),
    Try(&'p Try),
    Catch,
    /// Back into the function that called.
    Return(Environment),
}

pub(crate) enum State<'p> {
    Evaluate(&'p Expr),
    Give(Value),
    Raise(Value, Value),
}

/// A process as far as it has been followed.
#[derive(Default)]
pub(crate) struct Thread<'p> {
    pub name: u32,
    pub events: VecDeque<Event>,
    pub environment: Environment,
    pub frames: Vec<Frame<'p>>,
    /// Where it goes on.
    pub next: Option<State<'p>>,
    pub stands: Stands,
}

/// Why a process is not followed further for now.
#[derive(Clone, Default)]
pub(crate) enum Stands {
    #[default]
    Runs,
    /// Asks for a turn: the call, if it is one, with its arguments.
    Asks(Option<(u32, Vec<Value>)>),
    /// What it receives next has not been sent yet.
    Waits,
    Ended,
}

/// Why a run was followed no further.
pub enum Lost {
    /// There are no more events: whatever wrote them was ended.
    Ended,
    Because(ApproximationKind),
}

pub(crate) type Next<'p> = Result<State<'p>, Lost>;

/// Steps of one run that are followed.
const STEPS: u64 = 3_000_000;
/// Choices of one run that are followed: what comes later is reached by shorter runs, or not at all.
const CHOICES: usize = 10_000;

impl<'p, 'a> Machine<'p, 'a> {
    pub fn new(program: &'p Program, events: Vec<Event>, run: Run<'a>) -> Machine<'p, 'a> {
        Machine {
            run,
            program,
            now: Thread {
                events: events.into(),
                ..Thread::default()
            },
            others: BTreeMap::new(),
            pids: Vec::new(),
            names: Vec::new(),
            mailboxes: Mailboxes::default(),
            taken: Vec::new(),
            steps: 0,
            scheduled: false,
        }
    }

    /// Follows a call of a function to its end, as far as there are events; what it gives, if it
    /// gives anything.
    pub fn follow(
        &mut self,
        function: usize,
        arguments: Vec<Value>,
    ) -> Result<Option<Value>, Lost> {
        let state = self.enter(function, arguments);
        self.now.next = Some(state);
        let result = self.advance()?;
        match (&self.now.stands, self.now.events.front()) {
            (Stands::Ended, None) => Ok(result),
            _ => Err(Lost::Because(ApproximationKind::LabelMismatch)),
        }
    }

    /// Follows the present process until it asks for a turn, waits or ends; what it gives at its end.
    pub(crate) fn advance(&mut self) -> Result<Option<Value>, Lost> {
        let mut result = None;
        while let Some(state) = self.now.next.take() {
            self.steps += 1;
            if self.steps > STEPS || self.run.path.choices.len() > CHOICES {
                return Err(Lost::Because(ApproximationKind::TraceCut));
            }
            let next = match state {
                State::Evaluate(expr) => self.evaluate(expr)?,
                State::Give(value) => match self.now.frames.pop() {
                    None => {
                        result = Some(value);
                        self.now.stands = Stands::Ended;
                        break;
                    }
                    Some(frame) => self.give(frame, value),
                },
                State::Raise(class, reason) => match self.now.frames.pop() {
                    None => {
                        self.now.stands = Stands::Ended;
                        break;
                    }
                    Some(frame) => self.unwind(frame, class, reason),
                },
            };
            self.now.next = Some(next);
            if !matches!(self.now.stands, Stands::Runs) {
                break;
            }
        }
        Ok(result)
    }

    /// What is left of the events after the end: clauses count for coverage all the same.
    pub fn rest(&mut self) {
        let here = std::mem::take(&mut self.now.events);
        let others = std::mem::take(&mut self.others).into_values();
        let all = others.flat_map(|thread| thread.events).chain(here);
        let unborn = std::mem::take(&mut self.pids).into_iter();
        for event in all.chain(unborn.flat_map(|(_, _, events)| events)) {
            if let Event::Clause(id) | Event::Received(id, _) = event {
                self.taken.push(id);
            }
        }
    }

    pub(crate) fn enter(&mut self, function: usize, arguments: Vec<Value>) -> State<'p> {
        let program = self.program;
        let callee = &program.functions[function];
        let mut environment = Environment {
            function,
            values: vec![Value::Nil; callee.variables as usize],
            locals: None,
        };
        for (variable, value) in callee.parameters.iter().zip(arguments) {
            environment.set(*variable, value);
        }
        self.change(environment);
        State::Evaluate(&callee.body)
    }

    /// Goes on in another environment; a call at the end of a function leaves nothing to return to.
    fn change(&mut self, environment: Environment) {
        let old = std::mem::replace(&mut self.now.environment, environment);
        if !matches!(self.now.frames.last(), Some(Frame::Return(_)) | None) {
            self.now.frames.push(Frame::Return(old));
        }
    }

    pub(crate) fn enter_lambda(
        &mut self,
        lambda: LambdaId,
        mut environment: Environment,
        arguments: Vec<Value>,
    ) -> State<'p> {
        let program = self.program;
        let callee = &program.lambdas[lambda.0 as usize];
        for (variable, value) in callee.parameters.iter().zip(arguments) {
            environment.set(*variable, value);
        }
        self.change(environment);
        State::Evaluate(&callee.body)
    }

    pub(crate) fn give(&mut self, frame: Frame<'p>, value: Value) -> State<'p> {
        match frame {
            Frame::Bind(variables, then) => {
                self.bind(variables, value);
                State::Evaluate(then)
            }
            Frame::Then(then) => State::Evaluate(then),
            Frame::Try(parts) => {
                self.bind(&parts.variables, value);
                State::Evaluate(&parts.then)
            }
            Frame::Catch => State::Give(value),
            Frame::Return(environment) => {
                self.now.environment = environment;
                State::Give(value)
            }
        }
    }

    fn bind(&mut self, variables: &[Variable], value: Value) {
        match variables {
            [one] => self.now.environment.set(*one, value),
            several => {
                let parts = value.as_tuple().map(<[Value]>::to_vec).unwrap_or_default();
                for (at, variable) in several.iter().enumerate() {
                    let part = parts.get(at).cloned().unwrap_or_else(Value::unknown);
                    self.now.environment.set(*variable, part);
                }
            }
        }
    }

    pub(crate) fn unwind(&mut self, frame: Frame<'p>, class: Value, reason: Value) -> State<'p> {
        match frame {
            Frame::Bind(..) | Frame::Then(_) => State::Raise(class, reason),
            Frame::Return(environment) => {
                self.now.environment = environment;
                State::Raise(class, reason)
            }
            Frame::Try(parts) => {
                if matches!(self.now.events.front(), Some(Event::Caught(..))) {
                    self.now.events.pop_front();
                }
                // What the handler is given for the stack says how to raise it again.
                let raw = Value::tuple(vec![Value::atom("$raised"), class.clone()]);
                let all = [class, reason, raw];
                for (variable, value) in parts.caught.iter().zip(all) {
                    self.now.environment.set(*variable, value);
                }
                State::Evaluate(&parts.handler)
            }
            Frame::Catch => {
                if matches!(self.now.events.front(), Some(Event::Caught(..))) {
                    self.now.events.pop_front();
                }
                State::Give(match class.as_atom() {
                    Some("throw") => reason,
                    Some("exit") => Value::tuple(vec![Value::atom("EXIT"), reason]),
                    _ => Value::tuple(vec![
                        Value::atom("EXIT"),
                        Value::tuple(vec![reason, Value::unknown()]),
                    ]),
                })
            }
        }
    }

    fn plain(&mut self, expr: &Expr) -> Value {
        let environment = std::mem::take(&mut self.now.environment);
        let scope = Scope {
            program: self.program,
            environment: &environment,
            bound: Vec::new(),
        };
        let value = self.run.plain(expr, &scope);
        self.now.environment = environment;
        value
    }

    fn all(&mut self, exprs: &[Expr]) -> Vec<Value> {
        exprs.iter().map(|expr| self.plain(expr)).collect()
    }

    pub(crate) fn error(reason: Value) -> State<'p> {
        State::Raise(Value::atom("error"), reason)
    }

    fn evaluate(&mut self, expr: &'p Expr) -> Next<'p> {
        Ok(match expr {
            Expr::Literal(_)
            | Expr::Variable(_)
            | Expr::Cons(..)
            | Expr::Tuple(_)
            | Expr::Values(_)
            | Expr::Fun(_) => State::Give(self.plain(expr)),
            Expr::Let(variables, first, then) => {
                self.now.frames.push(Frame::Bind(variables, then));
                State::Evaluate(first)
            }
            Expr::Seq(first, then) => {
                self.now.frames.push(Frame::Then(then));
                State::Evaluate(first)
            }
            Expr::Try(parts) => {
                self.now.frames.push(Frame::Try(parts));
                State::Evaluate(&parts.body)
            }
            Expr::Catch(body) => {
                self.now.frames.push(Frame::Catch);
                State::Evaluate(body)
            }
            Expr::Letrec(functions, body) => {
                let locals = Locals {
                    functions: functions.clone(),
                    values: self.now.environment.values.clone(),
                    outer: self.now.environment.locals.take(),
                };
                self.now.environment.locals = Some(Arc::new(locals));
                State::Evaluate(body)
            }
            Expr::Map(base, pairs) => {
                let base = self.plain(base);
                let pairs: Vec<(bool, Value, Value)> = pairs
                    .iter()
                    .map(|(exact, key, value)| (*exact, self.plain(key), self.plain(value)))
                    .collect();
                let site = self.site();
                match self.run.map_put(site, &base, &pairs) {
                    Ok(value) => State::Give(value),
                    Err(reason) => Self::error(reason),
                }
            }
            Expr::Binary(segments) => {
                let values: Vec<(Value, Value)> = segments
                    .iter()
                    .map(|segment| (self.plain(&segment.value), self.plain(&segment.size)))
                    .collect();
                let site = self.site();
                match self.run.construct(site, segments, &values) {
                    Ok(value) => State::Give(value),
                    Err(reason) => Self::error(reason),
                }
            }
            Expr::Case(case) => self.case(case)?,
            Expr::Receive(receive) => self.receive(receive, expr)?,
            Expr::Local(name, arguments) => {
                let arguments = self.all(arguments);
                self.local(name, arguments)?
            }
            Expr::Apply(site, function, arguments) => {
                let function = self.plain(function);
                let arguments = self.all(arguments);
                self.apply(*site, &function, arguments)?
            }
            Expr::Call(site, module, function, arguments) => {
                let (module, function) = (self.plain(module), self.plain(function));
                let arguments = self.all(arguments);
                self.call(*site, &module, &function, arguments)?
            }
            Expr::Primop(site, name, arguments) => {
                let arguments = self.all(arguments);
                self.primop(*site, name, &arguments)?
            }
        })
    }

    /// Where what has no site of its own is counted: at the last decision.
    fn site(&self) -> u32 {
        let last = self.run.path.choices.last();
        last.map_or(0, |choice| choice.site.0)
    }

    fn case(&mut self, case: &'p Case) -> Next<'p> {
        let arguments = self.all(&case.arguments);
        let taken = if case.silent {
            0
        } else {
            match self.now.events.pop_front() {
                Some(Event::Clause(id)) => {
                    self.taken.push(id);
                    match self.program.clauses.get(&id) {
                        Some((site, index)) if *site == case.site => *index as usize,
                        _ => return Err(Lost::Because(ApproximationKind::LabelMismatch)),
                    }
                }
                Some(Event::Caught(class, reason)) => {
                    // The machine did not see it coming: what it took for unknown has failed.
                    return Ok(State::Raise(class, reason));
                }
                _ => return Err(Lost::Ended),
            }
        };
        self.take(case.site, &case.clauses, &arguments, taken)
    }

    /// Goes into a clause: what must hold for each of them, and what its variables are.
    pub(crate) fn take(
        &mut self,
        site: u32,
        clauses: &'p [crate::program::Clause],
        arguments: &[Value],
        taken: usize,
    ) -> Next<'p> {
        let Some(chosen) = clauses.get(taken) else {
            return Err(Lost::Because(ApproximationKind::LabelMismatch));
        };
        let environment = std::mem::take(&mut self.now.environment);
        let mut conditions: Vec<TermId> = Vec::new();
        let mut bound = Vec::new();
        // Clauses before the one that was taken, it, and those after it until one always matches.
        for (index, clause) in clauses.iter().enumerate() {
            let mut scope = Scope {
                program: self.program,
                environment: &environment,
                bound: Vec::new(),
            };
            let mut holds = self.run.terms.bool(true);
            for (pattern, value) in clause.patterns.iter().zip(arguments) {
                let fits = self.run.matches(site, pattern, value, &mut scope);
                holds = self.run.terms.and(holds, fits);
                if self.run.terms.as_bool(holds) == Some(false) {
                    break;
                }
            }
            if self.run.terms.as_bool(holds) != Some(false) {
                let binds = scope.bound.len();
                let guard = self.run.guard(site, &clause.guard, &mut scope);
                scope.bound.truncate(binds);
                holds = self.run.terms.and(holds, guard);
            }
            conditions.push(holds);
            if index == taken {
                bound = scope.bound;
            }
            if index >= taken && self.run.terms.as_bool(holds) == Some(true) {
                break;
            }
        }
        self.now.environment = environment;
        let unknown = |value: &Value| matches!(value, Value::Symbol(Symbol::Unknown));
        if !arguments.iter().any(unknown) && !self.run.ways(site, &conditions, taken) {
            self.run.approximate(ApproximationKind::LabelMismatch, site);
        }
        for (variable, value) in bound {
            self.now.environment.set(variable, value);
        }
        Ok(State::Evaluate(&chosen.body))
    }

    fn receive(&mut self, receive: &'p Receive, expr: &'p Expr) -> Next<'p> {
        if matches!(self.now.events.front(), Some(Event::Turn)) {
            self.now.stands = Stands::Asks(None);
            return Ok(State::Evaluate(expr));
        }
        let known = match self.now.events.front() {
            Some(Event::Received(_, message)) => {
                let found = self.mailboxes.take(self.now.name, message).or_else(|| {
                    let of = ended_process(message)?;
                    let (_, name) = self
                        .names
                        .iter()
                        .find(|(pid, _)| crate::value::compare(pid, of, true).is_eq())?;
                    self.mailboxes
                        .told_of(self.now.name, *name)
                        .then(|| message.clone())
                });
                if found.is_none() && self.scheduled {
                    self.now.stands = Stands::Waits;
                    return Ok(State::Evaluate(expr));
                }
                found
            }
            // It waits to the end of the run.
            None if self.scheduled => {
                self.now.stands = Stands::Waits;
                return Ok(State::Evaluate(expr));
            }
            _ => None,
        };
        match self.now.events.pop_front() {
            Some(Event::Received(id, message)) => {
                self.taken.push(id);
                let message = known.unwrap_or(message);
                let index = match self.program.clauses.get(&id) {
                    Some((site, index)) if *site == receive.site => *index as usize,
                    _ => return Err(Lost::Because(ApproximationKind::LabelMismatch)),
                };
                self.take(receive.site, &receive.clauses, &[message], index)
            }
            Some(Event::Late) => Ok(State::Evaluate(&receive.late)),
            _ => Err(Lost::Ended),
        }
    }
}

#[cfg(test)]
mod tests;
