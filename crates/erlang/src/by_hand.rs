//! Values, expressions and runs that unit tests write by hand.

use crate::inputs::Inputs;
use crate::kinds::{Atoms, Keys, Limits};
use crate::program::{Expr, Pattern, Segment};
use crate::run::Run;
use crate::types::{ANY, Types};
use crate::value::binary::Binary;
use crate::value::{Key, Map, Value};
use elsewise_term::Terms;
use std::sync::Arc;

pub fn int(value: i64) -> Value {
    Value::Int(value)
}

pub fn atom(name: &str) -> Value {
    Value::atom(name)
}

pub fn list<const N: usize>(elements: [Value; N]) -> Value {
    Value::list(elements.to_vec())
}

pub fn tuple<const N: usize>(elements: [Value; N]) -> Value {
    Value::tuple(elements.to_vec())
}

pub fn map<const N: usize>(pairs: [(Value, Value); N]) -> Value {
    let pairs = pairs.into_iter();
    Value::Map(Arc::new(Map {
        base: None,
        entries: pairs.map(|(key, value)| (Key(key), Some(value))).collect(),
    }))
}

/// The first so many bits of these bytes.
pub fn bits(bytes: &[u8], len: usize) -> Value {
    Value::Binary(Binary::known(bytes.into(), len))
}

/// Values of each kind that inputs can have.
pub fn values() -> Vec<Value> {
    vec![
        int(-3),
        int(0),
        int(1),
        int(2),
        Value::Float(-0.5),
        Value::Float(1.0),
        Value::Float(2.5),
        atom("a"),
        atom("b"),
        atom("true"),
        tuple([]),
        tuple([int(1)]),
        tuple([Value::Float(1.0)]),
        tuple([atom("a"), atom("b")]),
        tuple([atom("a"), int(2)]),
        Value::Nil,
        list([int(1)]),
        list([atom("a"), atom("b")]),
        Value::cons(int(1), int(2)),
        list([list([int(1)])]),
        map([]),
        map([(atom("a"), int(1))]),
        map([(atom("b"), int(1))]),
        Value::bytes(&[]),
        Value::bytes(&[1]),
        Value::bytes(&[1, 2]),
        bits(&[0xa0], 3),
    ]
}

/// What runs on the same inputs have in common.
#[derive(Default)]
pub struct Table {
    pub terms: Terms,
    types: Types,
    limits: Limits,
    atoms: Atoms,
    keys: Keys,
}

impl Table {
    pub fn new() -> Table {
        let names = ["a", "b", "c", "false", "true"].map(Arc::from);
        Table {
            atoms: Atoms::new(names),
            ..Table::default()
        }
    }

    /// A run whose inputs are these now, and could be anything.
    pub fn begin(&mut self, values: &[&Value]) -> (Run<'_>, Vec<Value>) {
        let mut inputs = Inputs::new(&self.types, &self.limits, &mut self.atoms, &mut self.keys);
        let values = values.iter().enumerate();
        let arguments = values
            .map(|(argument, value)| inputs.root(&mut self.terms, argument, ANY, (*value).clone()))
            .collect();
        (Run::new(&mut self.terms, inputs), arguments)
    }

    pub fn run<R>(
        &mut self,
        values: &[&Value],
        work: impl FnOnce(&mut Run<'_>, Vec<Value>) -> R,
    ) -> R {
        let (mut run, arguments) = self.begin(values);
        work(&mut run, arguments)
    }
}

pub fn literal(value: Value) -> Expr {
    Expr::Literal(value)
}

/// A call of a function of `erlang`.
pub fn call(name: &str, arguments: Vec<Expr>) -> Expr {
    let [module, function] = [atom("erlang"), atom(name)].map(|name| Box::new(literal(name)));
    Expr::Call(0, module, function, arguments)
}

pub fn segment<T>(value: T, size: Expr, kind: &str) -> Segment<T> {
    Segment {
        value,
        size,
        unit: if kind == "binary" { 8 } else { 1 },
        kind: kind.into(),
        signed: false,
        little: false,
    }
}

/// `X:Size` with the variable of this number.
pub fn bound(variable: u32, size: i64) -> Segment<Pattern> {
    segment(Pattern::Variable(variable), literal(int(size)), "integer")
}
