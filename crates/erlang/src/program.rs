//! The program as the machine follows it: Core Erlang, simplified, its decisions numbered.

use crate::value::Value;
use crate::value::closure::{FunctionName, LambdaId, Variable};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Module, name and number of parameters.
pub type Mfa = (Arc<str>, Arc<str>, u32);

#[derive(Debug)]
pub enum Expr {
    Literal(Value),
    Variable(Variable),
    Cons(Box<Expr>, Box<Expr>),
    Tuple(Vec<Expr>),
    /// Several values at once; never nested.
    Values(Vec<Expr>),
    Map(Box<Expr>, Vec<(bool, Expr, Expr)>),
    Binary(Vec<Segment<Expr>>),
    Let(Vec<Variable>, Box<Expr>, Box<Expr>),
    Seq(Box<Expr>, Box<Expr>),
    Case(Box<Case>),
    Local(FunctionName, Vec<Expr>),
    Apply(u32, Box<Expr>, Vec<Expr>),
    Call(u32, Box<Expr>, Box<Expr>, Vec<Expr>),
    Primop(u32, Arc<str>, Vec<Expr>),
    Fun(LambdaId),
    Letrec(Vec<(FunctionName, LambdaId)>, Box<Expr>),
    Try(Box<Try>),
    Catch(Box<Expr>),
    Receive(Box<Receive>),
}

#[derive(Debug)]
pub struct Case {
    pub site: u32,
    /// The first clause always matches: no event tells which was taken.
    pub silent: bool,
    pub arguments: Vec<Expr>,
    pub clauses: Vec<Clause>,
}

#[derive(Debug)]
pub struct Clause {
    pub patterns: Vec<Pattern>,
    pub guard: Expr,
    pub body: Expr,
    /// Made by the compiler, for values that no clause of the program's takes.
    pub generated: bool,
}

#[derive(Debug)]
pub struct Try {
    pub body: Expr,
    pub variables: Vec<Variable>,
    pub then: Expr,
    pub caught: Vec<Variable>,
    pub handler: Expr,
}

#[derive(Debug)]
pub struct Receive {
    pub site: u32,
    pub clauses: Vec<Clause>,
    pub late: Expr,
}

#[derive(Debug)]
pub struct Segment<T> {
    pub value: T,
    pub size: Expr,
    pub unit: u32,
    pub kind: Arc<str>,
    pub signed: bool,
    pub little: bool,
}

#[derive(Debug)]
pub enum Pattern {
    Literal(Value),
    Variable(Variable),
    Cons(Box<Pattern>, Box<Pattern>),
    Tuple(Vec<Pattern>),
    Map(Vec<(Expr, Pattern)>),
    Binary(Vec<Segment<Pattern>>),
    Alias(Variable, Box<Pattern>),
}

#[derive(Debug)]
pub struct Function {
    pub module: Arc<str>,
    pub name: FunctionName,
    pub line: u32,
    pub parameters: Vec<Variable>,
    pub variables: u32,
    pub body: Expr,
    /// Names of variables, as far as the program has some.
    pub names: FxHashMap<Variable, Arc<str>>,
}

#[derive(Debug)]
pub struct Lambda {
    pub parameters: Vec<Variable>,
    pub body: Expr,
}

#[derive(Clone, Debug)]
pub struct Site {
    pub module: usize,
    /// Index of the function in which it stands.
    pub home: usize,
    pub line: u32,
    pub column: u32,
    pub function: String,
    /// Ways out that people wrote.
    pub sides: u32,
    pub decides: bool,
}

#[derive(Debug)]
pub struct Module {
    pub name: Arc<str>,
    pub file: String,
    /// A library's: left out of what people are shown.
    pub hidden: bool,
    pub exports: Vec<FunctionName>,
    pub specs: Vec<(FunctionName, Vec<Value>)>,
    /// Abstract forms: name, type, parameters.
    pub types: Vec<(Arc<str>, Value, Vec<Value>)>,
    pub records: Vec<(Arc<str>, Value)>,
}

#[derive(Debug, Default)]
pub struct Program {
    pub modules: Vec<Module>,
    pub functions: Vec<Function>,
    pub by_name: FxHashMap<Mfa, usize>,
    pub lambdas: Vec<Lambda>,
    /// By number; numbers are dense over all modules.
    pub sites: Vec<Site>,
    /// Site and index of each clause, by number.
    pub clauses: FxHashMap<u32, (u32, u32)>,
    /// Calls that go to another function than the one that is written.
    pub redirects: FxHashMap<Mfa, Mfa>,
    pub primitives: rustc_hash::FxHashSet<Mfa>,
    /// Atoms that the program mentions, ascending.
    pub atoms: Vec<Arc<str>>,
    /// Bits of the longest integer that it mentions, if it has more than 64.
    pub widest: u32,
}

/// What the machine sent makes no sense to the engine.
#[derive(Debug, thiserror::Error)]
#[error("what the machine says of the program is not understood: {0}")]
pub struct Misunderstood(pub String);

impl Program {
    pub fn find(&self, module: &Arc<str>, function: &Arc<str>, arity: u32) -> Option<usize> {
        let key = (module.clone(), function.clone(), arity);
        let key = self.redirects.get(&key).unwrap_or(&key);
        self.by_name.get(key).copied()
    }
}

pub fn text(value: &Value) -> String {
    match value {
        Value::Binary(binary) => String::from_utf8_lossy(&binary.packed().0).into_owned(),
        Value::Atom(name) => name.to_string(),
        other => match other.elements() {
            Some(elements) => elements
                .iter()
                .filter_map(|element| match element {
                    Value::Int(code) => char::from_u32(*code as u32),
                    _ => None,
                })
                .collect(),
            None => String::new(),
        },
    }
}
