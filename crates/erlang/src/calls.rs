//! Calls: of functions that are followed, of funs, of what the engine knows by heart, and of what nobody
//! follows.

use crate::events::Event;
use crate::kinds::{Kind, Step};
use crate::machine::{Lost, Machine, Next, Stands, State};
use crate::primitives::Mode;
use crate::value::closure::{Closure, Environment, FunctionName};
use crate::value::{NodeId, Symbol, Value};
use elsewise_explore::ApproximationKind;
use std::sync::Arc;

impl<'p> Machine<'p, '_> {
    pub(crate) fn local(&mut self, name: &FunctionName, arguments: Vec<Value>) -> Next<'p> {
        let mut locals = self.now.environment.locals.clone();
        while let Some(scope) = locals {
            if let Some((_, lambda)) = scope.functions.iter().find(|(other, _)| other == name) {
                let environment = Environment {
                    function: self.now.environment.function,
                    values: scope.values.clone(),
                    locals: Some(scope.clone()),
                };
                return Ok(self.enter_lambda(*lambda, environment, arguments));
            }
            locals = scope.outer.clone();
        }
        let module = &self.program.functions[self.now.environment.function].module;
        let key = (module.clone(), name.0.clone(), name.1);
        match self.program.by_name.get(&key) {
            Some(function) => Ok(self.enter(*function, arguments)),
            None => Err(Lost::Because(ApproximationKind::LabelMismatch)),
        }
    }

    pub(crate) fn apply(&mut self, site: u32, function: &Value, arguments: Vec<Value>) -> Next<'p> {
        let function = self.run.resolved(function);
        match &function {
            Value::Closure(closure) => self.closure(closure, arguments),
            Value::Foreign(term) => match &**term {
                eetf::Term::ExternalFun(fun) if usize::from(fun.arity) == arguments.len() => {
                    let (module, name) = (&fun.module.name, &fun.function.name);
                    self.call(site, &Value::atom(module), &Value::atom(name), arguments)
                }
                _ => self.opaque(site, &arguments),
            },
            Value::Symbol(Symbol::Input(node)) => self.made_fun(site, *node, &function, arguments),
            Value::Symbol(Symbol::Unknown) => Err(Lost::Because(ApproximationKind::UnknownValue)),
            _ => match self.now.events.front() {
                Some(Event::Opaque) => self.opaque(site, &arguments),
                _ => Ok(Self::error(Value::tuple(vec![
                    Value::atom("badfun"),
                    function,
                ]))),
            },
        }
    }

    pub(crate) fn closure(&mut self, closure: &Arc<Closure>, arguments: Vec<Value>) -> Next<'p> {
        if closure.arity != arguments.len() {
            let pair = vec![Value::Closure(closure.clone()), Value::list(arguments)];
            return Ok(Self::error(Value::tuple(vec![
                Value::atom("badarity"),
                Value::tuple(pair),
            ])));
        }
        Ok(self.enter_lambda(closure.lambda, closure.environment.clone(), arguments))
    }

    /// A fun of the inputs: the k-th new list of arguments has the k-th result.
    fn made_fun(
        &mut self,
        site: u32,
        node: NodeId,
        function: &Value,
        arguments: Vec<Value>,
    ) -> Next<'p> {
        let is = self.run.inputs.is(self.run.terms, node, Kind::Fun);
        if !self.run.branch(site, is) {
            self.skip_opaque();
            let reason = vec![Value::atom("badfun"), function.clone()];
            return Ok(Self::error(Value::tuple(reason)));
        }
        let arity = self.run.inputs.arity(self.run.terms, node);
        let want = self.run.terms.bits(8, arguments.len() as u64);
        let same = self.run.terms.eq(arity, want);
        if !self.run.branch(site, same) {
            self.skip_opaque();
            let pair = Value::tuple(vec![function.clone(), Value::list(arguments)]);
            let reason = vec![Value::atom("badarity"), pair];
            return Ok(Self::error(Value::tuple(reason)));
        }
        self.skip_opaque();
        let earlier = self.run.asked.get(&node).cloned().unwrap_or_default();
        for (index, asked) in earlier.iter().enumerate() {
            let mut all = self.run.terms.bool(true);
            for (a, b) in asked.iter().zip(&arguments) {
                let same = self.run.equal(site, a, b, true);
                all = self.run.terms.and(all, same);
            }
            if self.run.branch(site, all) {
                let step = Step::Result(index as u32);
                let result = self.run.inputs.part(self.run.terms, node, step);
                return Ok(State::Give(result));
            }
        }
        let step = Step::Result(earlier.len() as u32);
        self.run.asked.entry(node).or_default().push(arguments);
        let result = self.run.inputs.part(self.run.terms, node, step);
        Ok(State::Give(result))
    }

    /// The machine knows by itself what the call gives; if it was told, that is passed over.
    fn skip_opaque(&mut self) {
        if matches!(self.now.events.front(), Some(Event::Opaque)) {
            let _ = self.skip();
        }
    }

    pub(crate) fn call(
        &mut self,
        site: u32,
        module: &Value,
        function: &Value,
        arguments: Vec<Value>,
    ) -> Next<'p> {
        let module = self.run.settle(site, module);
        let function = self.run.settle(site, function);
        let (Value::Atom(module), Value::Atom(function)) = (&module, &function) else {
            return match self.now.events.front() {
                Some(Event::Opaque) => self.opaque(site, &arguments),
                _ => Err(Lost::Because(ApproximationKind::UnknownValue)),
            };
        };
        let arity = arguments.len() as u32;
        if &**module == "erlang" {
            match (&**function, arguments.as_slice()) {
                ("error" | "nif_error", [reason, ..]) => return Ok(Self::error(reason.clone())),
                ("exit", [reason]) => {
                    return Ok(State::Raise(Value::atom("exit"), reason.clone()));
                }
                ("throw", [reason]) => {
                    return Ok(State::Raise(Value::atom("throw"), reason.clone()));
                }
                ("raise", [class, reason, _]) => {
                    return Ok(State::Raise(class.clone(), reason.clone()));
                }
                ("apply", [function, list]) => {
                    if let Some(arguments) = self.known_list(site, list) {
                        return self.apply(site, function, arguments);
                    }
                }
                ("apply", [module, function, list]) => {
                    if let Some(arguments) = self.known_list(site, list) {
                        return self.call(site, module, function, arguments);
                    }
                }
                (
                    "make_fun",
                    [
                        Value::Atom(module),
                        Value::Atom(function),
                        Value::Int(arity),
                    ],
                ) => {
                    let fun = eetf::ExternalFun {
                        module: eetf::Atom::from(&**module),
                        function: eetf::Atom::from(&**function),
                        arity: *arity as u8,
                    };
                    return Ok(State::Give(Value::Foreign(Arc::new(
                        eetf::Term::ExternalFun(Box::new(fun)),
                    ))));
                }
                _ => {}
            }
        }
        if let Some(function) = self.program.find(module, function, arity) {
            return Ok(self.enter(function, arguments));
        }
        let key = (module.clone(), function.clone(), arity);
        if self.program.primitives.contains(&key) {
            let outcome = self
                .run
                .primitive(site, module, function, &arguments, &mut Mode::Body);
            return match outcome {
                Some(Ok(value)) => Ok(State::Give(value)),
                Some(Err(reason)) => Ok(Self::error(reason)),
                None => Err(Lost::Because(ApproximationKind::OpaqueOperation)),
            };
        }
        if &**module == "maps" && &**function == "keys" {
            self.run.settle_keys(site, &arguments[0]);
            return self.ended();
        }
        self.opaque(site, &arguments)
    }

    fn known_list(&mut self, site: u32, list: &Value) -> Option<Vec<Value>> {
        let mut all = Vec::new();
        let mut rest = list.clone();
        loop {
            rest = match self.run.decide(site, &rest, &[Kind::Cons, Kind::Nil]) {
                Value::Cons(pair) => {
                    all.push(pair.head.clone());
                    pair.tail.clone()
                }
                Value::Nil => return Some(all),
                _ => return None,
            };
        }
    }

    /// A call that nobody follows: what it was given is settled, what it gave is in the events.
    pub(crate) fn opaque(&mut self, site: u32, arguments: &[Value]) -> Next<'p> {
        if matches!(self.now.events.get(1), Some(Event::Turn)) {
            self.now.stands = Stands::Asks(Some((site, arguments.to_vec())));
            // What comes next is decided when it has its turn.
            return Ok(State::Give(Value::Nil));
        }
        // Which keys a map has is all that those tell who walk through it.
        let walks = |value: &Value| match value {
            Value::Atom(name) => &**name == "erts_internal",
            _ => false,
        };
        if let [module, _, list] = arguments
            && walks(module)
        {
            for value in list.elements().unwrap_or_default() {
                self.run.settle_keys(site, &value);
            }
            return self.ended();
        }
        let symbolic = arguments.iter().any(Value::is_symbolic);
        if symbolic {
            self.run.approximate(ApproximationKind::OpaqueCall, site);
            for argument in arguments {
                self.run.settle(site, argument);
            }
        }
        self.ended()
    }

    fn ended(&mut self) -> Next<'p> {
        match self.skip()? {
            Event::Value(value) => Ok(State::Give(value)),
            Event::Exception(class, reason) => Ok(State::Raise(class, reason)),
            _ => Err(Lost::Because(ApproximationKind::LabelMismatch)),
        }
    }

    /// Passes over an opaque call, with the calls that it makes itself; its end.
    fn skip(&mut self) -> Result<Event, Lost> {
        if !matches!(self.now.events.pop_front(), Some(Event::Opaque)) {
            return Err(Lost::Because(ApproximationKind::LabelMismatch));
        }
        let mut depth = 1;
        while let Some(event) = self.now.events.pop_front() {
            match event {
                Event::Opaque => depth += 1,
                Event::Value(_) | Event::Exception(..) => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(event);
                    }
                }
                Event::Clause(id) | Event::Received(id, _) => self.taken.push(id),
                Event::Caught(..) | Event::Late | Event::Turn => {}
            }
        }
        Err(Lost::Ended)
    }

    pub(crate) fn primop(&mut self, site: u32, name: &str, arguments: &[Value]) -> Next<'p> {
        Ok(match (name, arguments) {
            ("match_fail", [reason]) => Self::error(match reason.as_tuple() {
                // Its arguments stand in the stack, not in the reason.
                Some([kind, ..]) if kind.is_atom("function_clause") => {
                    Value::atom("function_clause")
                }
                _ => reason.clone(),
            }),
            ("raise", [raw, reason]) => {
                let class = match raw.as_tuple() {
                    Some([_, class]) => class.clone(),
                    _ => Value::atom("error"),
                };
                State::Raise(class, reason.clone())
            }
            ("build_stacktrace", [_]) => match self.now.events.front() {
                Some(Event::Opaque) => match self.skip()? {
                    Event::Value(value) => State::Give(value),
                    _ => State::Give(Value::unknown()),
                },
                _ => State::Give(Value::unknown()),
            },
            ("bs_init_writable", _) => State::Give(Value::bytes(&[])),
            ("dialyzer_unknown", _) => State::Give(Value::unknown()),
            _ => {
                self.run
                    .approximate(ApproximationKind::OpaqueOperation, site);
                State::Give(Value::unknown())
            }
        })
    }
}
