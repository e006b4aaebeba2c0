//! The program as the server tells it at load: predicates, clauses, and their bodies as goals.

use crate::signature::{Mentioned, Signature};
use crate::term::Term;
use crate::types::{Determinism, Mode, Type};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub type PredId = usize;
pub type Event = u32;

/// Event of goals that are only known at run time.
pub const GENERIC: Event = 1;

#[derive(Debug, thiserror::Error)]
#[error("what the server says of the program cannot be read: {0}")]
pub struct Misunderstood(pub String);

#[derive(Debug)]
pub enum Goal {
    True,
    Fail,
    Cut,
    And(Arc<Goal>, Arc<Goal>),
    Or(Arc<Goal>, Arc<Goal>),
    Ite(Arc<Goal>, Arc<Goal>, Arc<Goal>),
    Soft(Arc<Goal>, Arc<Goal>, Arc<Goal>),
    Not(Arc<Goal>),
    User(PredId, Vec<Term>),
    Dynamic(PredId, Event, Vec<Term>),
    /// Modelled here.
    Builtin(Event, Call),
    /// At most one answer, told with the event.
    Once(Event, Call),
    /// Any number of answers.
    Opaque(Event, Call),
    Constraint(Event, Call),
    Silent,
    Findall(Event, Term, Arc<Goal>, Term),
    Catch(Event, Arc<Goal>, Term, Arc<Goal>),
    Call(Event, Arc<str>, Term, Vec<Term>),
}

/// A goal by name; where its module matters, that too.
#[derive(Clone, Debug)]
pub struct Call {
    pub module: Arc<str>,
    pub name: Arc<str>,
    pub args: Vec<Term>,
}

#[derive(Debug)]
pub struct Clause {
    pub event: Event,
    pub head: Vec<Term>,
    pub body: Arc<Goal>,
    /// Constraints that the body begins with: the clause applies if these hold, too.
    pub neck: Vec<(Event, Call)>,
    pub vars: u32,
    /// Sites: whether the head unifies, whether the body succeeds.
    pub head_site: u32,
    pub body_site: u32,
    /// Takes every call.
    pub open: bool,
    /// Of a rule with `=>`: its guard. The head must be at least as general as the call, and the first
    /// rule whose guard holds is the one.
    pub guard: Option<Arc<Goal>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Static,
    Dynamic,
    /// Of a library: left out of what people are shown.
    Library,
}

/// What is declared of a predicate.
pub type Modes = (Vec<(Mode, Arc<Type>)>, Determinism);

#[derive(Debug)]
pub struct Predicate {
    pub module: Arc<str>,
    pub name: Arc<str>,
    pub arity: usize,
    pub kind: Kind,
    pub file: String,
    pub line: u32,
    pub clauses: Vec<usize>,
    pub modes: Option<Modes>,
}

/// Where choices are made.
#[derive(Clone, Debug)]
pub struct Site {
    pub pred: PredId,
    pub line: u32,
    pub sides: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Builtin,
    Once,
    Silent,
    Constraint,
    Opaque,
}

#[derive(Debug, Default)]
pub struct Program {
    pub preds: Vec<Predicate>,
    /// By the server's number.
    ids: FxHashMap<u32, PredId>,
    pub clauses: Vec<Clause>,
    pub sites: Vec<Site>,
    pub by_event: FxHashMap<Event, u32>,
    pub visible: FxHashMap<(Arc<str>, Arc<str>, usize), PredId>,
    pub classes: FxHashMap<(Arc<str>, usize), Class>,
    /// Clauses of dynamic predicates as they are at load: head, body, number of variables.
    pub facts: Vec<(PredId, Term, u32)>,
    pub entry: PredId,
    pub signature: Signature,
}

/// Goals that either hold or do not, as their people see it.
const TESTS: [&str; 24] = [
    "<", ">", "=<", ">=", "=:=", "=\\=", "==", "\\==", "\\=", "@<", "@>", "@=<", "@>=", "var",
    "nonvar", "atom", "number", "integer", "atomic", "compound", "is_list", "#<", "#>", "#=",
];

const ARITHMETIC: [&str; 7] = ["is", "<", ">", "=<", ">=", "=:=", "=\\="];

const CONSTRAINTS: [&str; 8] = ["=", "dif", "#=", "#\\=", "#<", "#>", "#=<", "#>="];

/// Constraints that a body may begin with.
pub fn is_constraint(name: &str, args: usize) -> bool {
    args == 2 && CONSTRAINTS.contains(&name)
}

/// Of clpfd: what is bound is told with its event.
pub fn is_clpfd(name: &str) -> bool {
    name.starts_with('#')
}

impl Program {
    /// Reads the lines that the server wrote at load.
    pub fn read(lines: &[Term]) -> Result<Program, Misunderstood> {
        let mut program = Program::default();
        let mut mentioned = Mentioned::default();
        let wrong = |line: &Term| Misunderstood(crate::text::show(line));
        // Predicates first: clauses mention those that come later.
        for line in lines {
            if let Some([id, module, name, arity, kind, file, at]) = line.args_of("pred") {
                let text = |term: &Term| term.as_atom().map(Arc::<str>::from);
                let read = || {
                    Some(Predicate {
                        module: text(module)?,
                        name: text(name)?,
                        arity: arity.as_u32()? as usize,
                        kind: match kind.as_atom()? {
                            "dynamic" => Kind::Dynamic,
                            "library" => Kind::Library,
                            _ => Kind::Static,
                        },
                        file: file.as_atom()?.to_string(),
                        line: at.as_u32()?,
                        clauses: Vec::new(),
                        modes: None,
                    })
                };
                let pred = read().ok_or_else(|| wrong(line))?;
                let id = id.as_u32().ok_or_else(|| wrong(line))?;
                program.ids.insert(id, program.preds.len());
                let key = (pred.module.clone(), pred.name.clone(), pred.arity);
                program.visible.insert(key, program.preds.len());
                program.preds.push(pred);
            }
        }
        for line in lines {
            let read = match line.parts() {
                Some(("clause", _)) => program.clause(line, &mut mentioned),
                Some(("mode", _)) => program.mode(line, &mut mentioned),
                Some(("import", [module, name, arity, pred])) => {
                    let module = module.as_atom().map(Arc::from);
                    let name = name.as_atom().map(Arc::from);
                    match (module, name, arity.as_u32(), program.pred(pred)) {
                        (Some(module), Some(name), Some(arity), Some(pred)) => {
                            program.visible.insert((module, name, arity as usize), pred);
                            Some(())
                        }
                        _ => None,
                    }
                }
                Some(("class", [name, arity, class])) => program.class(name, arity, class),
                Some(("entry", [pred])) => program.pred(pred).map(|pred| program.entry = pred),
                _ => Some(()),
            };
            read.ok_or_else(|| wrong(line))?;
        }
        // A program that uses a library may be given lists, though it does not mention them itself.
        if program.preds.iter().any(|pred| pred.kind == Kind::Library) {
            mentioned.of_type(&Type::List(Arc::new(Type::Any)));
        }
        program.signature = Signature::new(mentioned);
        Ok(program)
    }

    fn pred(&self, term: &Term) -> Option<PredId> {
        self.ids.get(&term.as_u32()?).copied()
    }

    fn class(&mut self, name: &Term, arity: &Term, class: &Term) -> Option<()> {
        let class = match class.as_atom()? {
            "builtin" => Class::Builtin,
            "once" => Class::Once,
            "silent" => Class::Silent,
            "clpfd" => Class::Constraint,
            _ => Class::Opaque,
        };
        let key = (Arc::from(name.as_atom()?), arity.as_u32()? as usize);
        self.classes.insert(key, class);
        Some(())
    }

    fn mode(&mut self, line: &Term, mentioned: &mut Mentioned) -> Option<()> {
        let [pred, modes, determinism] = line.args_of("mode")?;
        let pred = self.pred(pred)?;
        let mut read = Vec::new();
        for one in modes.elements()? {
            let [mode, of] = one.args_of("m")?;
            let mode = match mode.as_atom()? {
                "-" => Mode::Unbound,
                "?" => Mode::Either,
                _ => Mode::Ground,
            };
            let of = Type::read(of);
            mentioned.of_type(&of);
            read.push((mode, Arc::new(of)));
        }
        let determinism = Determinism::read(determinism.as_atom()?);
        // What comes first counts: it is the user's own word.
        let known = &mut self.preds[pred].modes;
        if known.is_none() {
            *known = Some((read, determinism));
        }
        Some(())
    }

    fn clause(&mut self, line: &Term, mentioned: &mut Mentioned) -> Option<()> {
        let [pred, event, at, head, body] = line.args_of("clause")?;
        let (pred, event, at) = (self.pred(pred)?, event.as_u32()?, at.as_u32()?);
        let own = self.preds[pred].kind != Kind::Library;
        if self.preds[pred].kind == Kind::Dynamic {
            if let Some((_, args)) = head.parts() {
                args.iter().for_each(|term| mentioned.term(term));
            }
            let clause = Term::compound(":-", vec![head.clone(), body.clone()]);
            self.facts.push((pred, clause, variables(line)));
            return Some(());
        }
        let head = match head.parts() {
            Some((_, args)) => args.to_vec(),
            None => Vec::new(),
        };
        if own {
            head.iter().for_each(|term| mentioned.term(term));
        }
        let mut reader = Bodies {
            program: self,
            pred,
            line: at,
            mentioned: own.then_some(mentioned),
        };
        let (guard, body) = match body.args_of("ssu") {
            Some([guard, body]) => (Some(reader.inner(guard)?), body),
            None => (None, body),
        };
        let body = reader.inner(body)?;
        let vars = variables(line);
        let open = distinct_variables(&head);
        let neck = match guard {
            Some(_) => Vec::new(),
            None => neck(&body),
        };
        let open = open && neck.is_empty();
        let is_fact = matches!(*body, Goal::True);
        let head_site = self.site(pred, at, if open { 1 } else { 2 });
        let body_site = self.site(pred, at, if is_fact { 0 } else { 2 });
        let index = self.clauses.len();
        self.preds[pred].clauses.push(index);
        self.clauses.push(Clause {
            event,
            head,
            body,
            neck,
            vars,
            head_site,
            body_site,
            open,
            guard,
        });
        Some(())
    }

    fn site(&mut self, pred: PredId, line: u32, sides: u32) -> u32 {
        self.sites.push(Site { pred, line, sides });
        self.sites.len() as u32 - 1
    }

    /// The site of a goal.
    pub fn site_of(&self, event: Event) -> Option<u32> {
        self.by_event.get(&event).copied()
    }

    /// A goal that is only known at run time.
    pub fn runtime_goal(&self, module: &Arc<str>, goal: &Term) -> Option<Goal> {
        let both = |a: &Term, b: &Term| {
            let a = Arc::new(self.runtime_goal(module, a)?);
            Some((a, Arc::new(self.runtime_goal(module, b)?)))
        };
        let one = |a: &Term| Some(Arc::new(self.runtime_goal(module, a)?));
        let fail = || Arc::new(Goal::Fail);
        let truth = || Arc::new(Goal::True);
        let (name, args): (Arc<str>, &[Term]) = match goal {
            Term::Atom(name) => (name.clone(), &[]),
            Term::Compound(compound) => (compound.name.clone(), &compound.args),
            // A variable is called.
            Term::Var(_) => {
                let goal = goal.clone();
                return Some(Goal::Call(GENERIC, module.clone(), goal, Vec::new()));
            }
            _ => return None,
        };
        Some(match (&*name, args) {
            ("true" | "otherwise", []) => Goal::True,
            ("fail" | "false", []) => Goal::Fail,
            ("!", []) => Goal::Cut,
            (",", [a, b]) => {
                let (a, b) = both(a, b)?;
                Goal::And(a, b)
            }
            (";" | "|", [a, b]) => match a.parts() {
                Some(("->", [c, t])) => {
                    let (c, t) = both(c, t)?;
                    Goal::Ite(c, t, one(b)?)
                }
                Some(("*->", [c, t])) => {
                    let (c, t) = both(c, t)?;
                    Goal::Soft(c, t, one(b)?)
                }
                _ => {
                    let (a, b) = both(a, b)?;
                    Goal::Or(a, b)
                }
            },
            ("->", [c, t]) => {
                let (c, t) = both(c, t)?;
                Goal::Ite(c, t, fail())
            }
            ("*->", [c, t]) => {
                let (c, t) = both(c, t)?;
                Goal::And(c, t)
            }
            ("\\+", [a]) => Goal::Not(one(a)?),
            ("once", [a]) => Goal::Ite(one(a)?, truth(), fail()),
            ("ignore", [a]) => Goal::Ite(one(a)?, truth(), truth()),
            ("forall", [a, b]) => {
                let b = Arc::new(Goal::Not(one(b)?));
                Goal::Not(Arc::new(Goal::And(one(a)?, b)))
            }
            ("call", [goal, extra @ ..]) => {
                Goal::Call(GENERIC, module.clone(), goal.clone(), extra.to_vec())
            }
            ("findall", [template, a, list]) => {
                Goal::Findall(GENERIC, template.clone(), one(a)?, list.clone())
            }
            ("catch", [a, catcher, recovery]) => {
                Goal::Catch(GENERIC, one(a)?, catcher.clone(), one(recovery)?)
            }
            (":", [inner, goal]) => match inner {
                Term::Atom(inner) => return self.runtime_goal(inner, goal),
                _ => return None,
            },
            _ => {
                let key = (module.clone(), name.clone(), args.len());
                if let Some(pred) = self.visible.get(&key) {
                    return Some(match self.preds[*pred].kind {
                        Kind::Dynamic => Goal::Dynamic(*pred, GENERIC, args.to_vec()),
                        _ => Goal::User(*pred, args.to_vec()),
                    });
                }
                let call = Call {
                    module: module.clone(),
                    name: name.clone(),
                    args: args.to_vec(),
                };
                match self.classes.get(&(name, args.len())) {
                    Some(Class::Builtin) => Goal::Builtin(GENERIC, call),
                    Some(Class::Once) => Goal::Once(GENERIC, call),
                    Some(Class::Silent) => Goal::Silent,
                    Some(Class::Constraint) => Goal::Constraint(GENERIC, call),
                    _ => Goal::Opaque(GENERIC, call),
                }
            }
        })
    }
}

struct Bodies<'a> {
    program: &'a mut Program,
    pred: PredId,
    line: u32,
    mentioned: Option<&'a mut Mentioned>,
}

impl Bodies<'_> {
    fn goal(&mut self, body: &Term) -> Option<Goal> {
        if let Some(name) = body.as_atom() {
            return Some(match name {
                "true" => Goal::True,
                "fail" => Goal::Fail,
                "cut" => Goal::Cut,
                _ => return None,
            });
        }
        let (name, args) = body.parts()?;
        Some(match (name, args) {
            ("and", [a, b]) => Goal::And(self.inner(a)?, self.inner(b)?),
            ("or", [a, b]) => Goal::Or(self.inner(a)?, self.inner(b)?),
            ("ite", [a, b, c]) => Goal::Ite(self.inner(a)?, self.inner(b)?, self.inner(c)?),
            ("soft", [a, b, c]) => Goal::Soft(self.inner(a)?, self.inner(b)?, self.inner(c)?),
            ("not", [a]) => Goal::Not(self.inner(a)?),
            ("user", [pred, goal]) => {
                let pred = self.program.pred(pred)?;
                Goal::User(pred, self.call(goal)?.args)
            }
            ("dyn", [pred, event, goal]) => {
                let pred = self.program.pred(pred)?;
                let event = self.event(event, 0)?;
                Goal::Dynamic(pred, event, self.call(goal)?.args)
            }
            ("builtin", [event, goal]) => {
                let call = self.call(goal)?;
                let sides = if TESTS.contains(&&*call.name) { 2 } else { 0 };
                Goal::Builtin(self.event(event, sides)?, call)
            }
            ("clpfd", [event, goal]) => {
                let call = self.call(goal)?;
                let sides = if TESTS.contains(&&*call.name) { 2 } else { 0 };
                Goal::Constraint(self.event(event, sides)?, call)
            }
            ("once", [event, goal]) => Goal::Once(self.event(event, 0)?, self.call(goal)?),
            ("opaque", [event, goal]) => Goal::Opaque(self.event(event, 0)?, self.call(goal)?),
            ("silent", [_]) => Goal::Silent,
            ("findall", [event, template, goal, list]) => {
                self.mention(template);
                self.mention(list);
                let event = self.event(event, 0)?;
                Goal::Findall(event, template.clone(), self.inner(goal)?, list.clone())
            }
            ("catch", [event, goal, catcher, recovery]) => {
                let event = self.event(event, 0)?;
                let (goal, recovery) = (self.inner(goal)?, self.inner(recovery)?);
                Goal::Catch(event, goal, catcher.clone(), recovery)
            }
            ("call", [event, module, goal, extra]) => {
                let event = self.event(event, 0)?;
                let extra = extra.elements()?;
                extra.iter().for_each(|term| self.mention(term));
                Goal::Call(event, module.as_atom()?.into(), goal.clone(), extra)
            }
            _ => return None,
        })
    }

    fn inner(&mut self, body: &Term) -> Option<Arc<Goal>> {
        Some(Arc::new(self.goal(body)?))
    }

    fn mention(&mut self, term: &Term) {
        // A closure with its module is code.
        if term.args_of::<2>(":").is_some() {
            return;
        }
        if let Some(mentioned) = &mut self.mentioned {
            mentioned.term(term);
        }
    }

    fn call(&mut self, goal: &Term) -> Option<Call> {
        let mut module = self.program.preds[self.pred].module.clone();
        let mut goal = goal;
        while let Some([inner, rest]) = goal.args_of::<2>(":") {
            module = inner.as_atom()?.into();
            goal = rest;
        }
        let (name, args): (&str, &[Term]) = match goal {
            Term::Atom(name) => (name, &[]),
            other => other.parts()?,
        };
        // An expression is computed, it is no value that is looked at.
        if !ARITHMETIC.contains(&name) && !is_clpfd(name) {
            args.iter().for_each(|term| self.mention(term));
        }
        Some(Call {
            module,
            name: name.into(),
            args: args.to_vec(),
        })
    }

    fn event(&mut self, event: &Term, sides: u32) -> Option<Event> {
        let event = event.as_u32()?;
        let site = self.program.site(self.pred, self.line, sides);
        self.program.by_event.insert(event, site);
        Some(event)
    }
}

/// The constraints that a body begins with.
fn neck(body: &Goal) -> Vec<(Event, Call)> {
    let mut neck = Vec::new();
    let mut rest = body;
    loop {
        let (first, more) = match rest {
            Goal::And(a, b) => (&**a, Some(&**b)),
            other => (other, None),
        };
        match first {
            Goal::Builtin(event, call) | Goal::Constraint(event, call)
                if is_constraint(&call.name, call.args.len()) =>
            {
                neck.push((*event, call.clone()));
            }
            _ => return neck,
        }
        match more {
            Some(more) => rest = more,
            None => return neck,
        }
    }
}

fn variables(term: &Term) -> u32 {
    let mut most = 0;
    term.with_vars(&mut |number| {
        most = most.max(number + 1);
        Term::Var(number)
    });
    most
}

fn distinct_variables(args: &[Term]) -> bool {
    let mut seen = Vec::new();
    args.iter().all(|arg| match arg {
        Term::Var(number) if !seen.contains(number) => {
            seen.push(*number);
            true
        }
        _ => false,
    })
}
