//! What the machine keeps of a run while it follows it: choices, what they settle, and values that
//! had to be made known.

use crate::inputs::Inputs;
use crate::kinds::{Kind, Step, bits_big, kind_of};
use crate::types::{Type, TypeId, Types};
use crate::value::binary::{Binary, Byte};
use crate::value::{Key, Map, NodeId, Symbol, Value};
use elsewise_explore::{ApproximationKind, Choice, Path, Shape, SiteId};
use elsewise_term::{Op, TermId, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

pub struct Run<'a> {
    pub terms: &'a mut Terms,
    pub inputs: Inputs<'a>,
    pub path: Path,
    /// Lists of arguments that a fun of the inputs was called with.
    pub asked: FxHashMap<NodeId, Vec<Vec<Value>>>,
    /// Where the run is.
    pub here: u32,
}

impl<'a> Run<'a> {
    pub fn new(terms: &'a mut Terms, inputs: Inputs<'a>) -> Run<'a> {
        Run {
            terms,
            inputs,
            path: Path::default(),
            asked: FxHashMap::default(),
            here: 0,
        }
    }

    pub fn approximate(&mut self, kind: ApproximationKind, site: u32) {
        self.path.approximate(kind, site);
    }

    /// Whether a condition holds in this run.
    pub fn holds(&mut self, condition: TermId) -> bool {
        self.path.holds(self.terms, &self.inputs.present, condition)
    }

    /// What earlier choices say of a condition.
    pub fn settled(&mut self, condition: TermId) -> Option<bool> {
        self.path.settled(self.terms, condition)
    }

    /// A choice between a condition and its opposite, unless it is settled; which way this run goes.
    pub fn branch(&mut self, site: u32, condition: TermId) -> bool {
        self.path
            .branch(self.terms, &self.inputs.present, site, condition)
    }

    /// The same, where both sides are only forms of what is wanted.
    pub fn form(&mut self, site: u32, condition: TermId) -> bool {
        self.path
            .form(self.terms, &self.inputs.present, site, condition)
    }

    /// A choice between conditions of which the first that holds counts; see [`Path::ways`].
    pub fn ways(&mut self, site: u32, conditions: &[TermId], taken: usize) -> bool {
        self.path
            .ways(self.terms, &self.inputs.present, site, conditions, taken)
    }

    /// Makes a term known: its present value, with others as alternatives.
    pub fn fix(&mut self, site: u32, term: TermId) -> TermId {
        self.path.fix(self.terms, &self.inputs.present, site, term)
    }

    pub fn is_kind(&mut self, value: &Value, kind: Kind) -> TermId {
        match value {
            Value::Symbol(Symbol::Input(node)) => self.inputs.is(self.terms, *node, kind),
            Value::Symbol(Symbol::Int(_)) => self.terms.bool(kind == Kind::Int),
            Value::Symbol(Symbol::Float(_)) => self.terms.bool(kind == Kind::Float),
            Value::Symbol(Symbol::Truth(_)) => self.terms.bool(kind == Kind::Atom),
            other => {
                let same = kind_of(other) == kind;
                self.terms.bool(same)
            }
        }
    }

    /// Decides what a part of the inputs is, among these kinds or none of them, and gives it as such.
    pub fn decide(&mut self, site: u32, value: &Value, kinds: &[Kind]) -> Value {
        let Value::Symbol(Symbol::Input(node)) = value else {
            return value.clone();
        };
        let mut conditions: Vec<TermId> = kinds
            .iter()
            .map(|kind| self.inputs.is(self.terms, *node, *kind))
            .collect();
        conditions.push(self.terms.bool(true));
        let mut taken = kinds.len();
        for (index, condition) in conditions.iter().enumerate() {
            if self.holds(*condition) {
                taken = index;
                break;
            }
        }
        self.ways(site, &conditions, taken);
        match kinds.get(taken) {
            Some(kind) => self.as_kind(*node, *kind),
            None => value.clone(),
        }
    }

    /// A part of the inputs whose kind is settled.
    pub fn as_kind(&mut self, node: NodeId, kind: Kind) -> Value {
        match kind {
            Kind::Int => Value::Symbol(Symbol::Int(self.inputs.int(self.terms, node))),
            Kind::Float => Value::Symbol(Symbol::Float(self.inputs.float(self.terms, node))),
            Kind::Nil => Value::Nil,
            Kind::Cons => {
                let head = self.inputs.part(self.terms, node, Step::Head);
                Value::cons(head, self.inputs.part(self.terms, node, Step::Tail))
            }
            Kind::Map => Value::Map(Arc::new(Map {
                base: Some(node),
                entries: BTreeMap::new(),
            })),
            Kind::Binary => Value::Binary(Binary::Rest { node, from: 0 }),
            _ => Value::Symbol(Symbol::Input(node)),
        }
    }

    /// The kind that choices have settled for a part of the inputs.
    pub fn settled_kind(&mut self, node: NodeId) -> Option<Kind> {
        let kind = self.inputs.kind(self.terms, node);
        let number = self.path.fixed(self.terms, kind)?;
        crate::kinds::KINDS.get(number as usize).copied()
    }

    /// A value with what choices have settled put in.
    pub fn resolved(&mut self, value: &Value) -> Value {
        let Value::Symbol(Symbol::Input(node)) = value else {
            return value.clone();
        };
        match self.settled_kind(*node) {
            Some(kind) => self.as_kind(*node, kind),
            None => value.clone(),
        }
    }

    /// The value as it is in this run; none if a part of it is unknown even so.
    pub fn concrete(&mut self, value: &Value) -> Option<Value> {
        if !value.is_symbolic() {
            return Some(value.clone());
        }
        Some(match value {
            Value::Symbol(Symbol::Input(node)) => self.inputs.present_of(*node).clone(),
            Value::Symbol(Symbol::Int(term)) => Value::integer(self.int_now(*term)),
            Value::Symbol(Symbol::Float(term)) => {
                let bits = self.bits_now(*term);
                Value::Float(f64::from_bits(bits.low_u64()))
            }
            Value::Symbol(Symbol::Truth(term)) => Value::truth(self.holds(*term)),
            Value::Symbol(Symbol::Unknown) => return None,
            Value::Cons(_) => {
                let mut heads = Vec::new();
                let mut rest = value.clone();
                while let Value::Cons(pair) = &rest {
                    if !rest.is_symbolic() {
                        break;
                    }
                    heads.push(self.concrete(&pair.head)?);
                    let tail = pair.tail.clone();
                    rest = tail;
                }
                let tail = self.concrete(&rest)?;
                Value::list_with_tail(heads, tail)
            }
            Value::Tuple(tuple) => {
                let elements = tuple.elements.iter();
                Value::tuple(
                    elements
                        .map(|element| self.concrete(element))
                        .collect::<Option<_>>()?,
                )
            }
            Value::Map(map) => {
                let mut entries = match map.base.map(|node| self.inputs.present_of(node).clone()) {
                    Some(Value::Map(base)) => base.entries.clone(),
                    _ => BTreeMap::new(),
                };
                for (key, entry) in &map.entries {
                    match entry {
                        Some(entry) => entries.insert(key.clone(), Some(self.concrete(entry)?)),
                        None => entries.remove(key),
                    };
                }
                Value::Map(Arc::new(Map {
                    base: None,
                    entries,
                }))
            }
            Value::Binary(binary) => Value::Binary(self.concrete_binary(binary)),
            other => other.clone(),
        })
    }

    pub fn concrete_binary(&mut self, binary: &Binary) -> Binary {
        match binary {
            Binary::Known { .. } => binary.clone(),
            Binary::Mixed { data, from, len } => {
                let bytes: Vec<u8> = data
                    .iter()
                    .map(|byte| match byte {
                        Byte::Known(value) => *value,
                        Byte::Term(term) => self.bits_now(*term).low_u64() as u8,
                    })
                    .collect();
                Binary::Known {
                    data: bytes.into(),
                    from: *from,
                    len: *len,
                }
            }
            Binary::Rest { node, from } => match self.inputs.present_of(*node) {
                Value::Binary(whole) => {
                    let len = whole.len().unwrap_or(0);
                    whole.part((*from).min(len), len.saturating_sub(*from))
                }
                _ => Binary::known(Arc::from([]), 0),
            },
        }
    }

    pub fn bits_now(&mut self, term: TermId) -> elsewise_term::Bits {
        self.path.now(self.terms, &self.inputs.present, term)
    }

    pub fn int_now(&mut self, term: TermId) -> num_bigint::BigInt {
        bits_big(&self.bits_now(term))
    }

    /// Settles every part of a value, so that it is known from here on; what has no number (which
    /// element of a structure) is only counted.
    pub fn settle(&mut self, site: u32, value: &Value) -> Value {
        if !value.is_symbolic() {
            return value.clone();
        }
        match value {
            Value::Symbol(Symbol::Int(term)) => self.settle_int(site, *term),
            Value::Symbol(Symbol::Float(term)) => {
                self.fix(site, *term);
            }
            Value::Symbol(Symbol::Truth(term)) => {
                self.branch(site, *term);
            }
            Value::Symbol(Symbol::Input(node)) => {
                let kinds = &crate::kinds::KINDS[..9];
                match self.decide(site, value, kinds) {
                    Value::Symbol(Symbol::Input(_)) => match self.settled_kind(*node) {
                        Some(Kind::Atom) => {
                            let atom = self.inputs.atom(self.terms, *node);
                            self.fix(site, atom);
                        }
                        Some(Kind::Tuple) => {
                            let tuple = self.tuple_of(site, *node);
                            self.settle(site, &tuple);
                        }
                        _ => self.approximate(ApproximationKind::OpaqueOperation, site),
                    },
                    known => {
                        self.settle(site, &known);
                    }
                }
            }
            Value::Cons(_) => {
                let mut rest = value.clone();
                loop {
                    let resolved = self.resolved(&rest);
                    let Value::Cons(pair) = &resolved else {
                        self.settle(site, &rest);
                        break;
                    };
                    self.settle(site, &pair.head);
                    let tail = pair.tail.clone();
                    if let Value::Symbol(Symbol::Input(_)) = tail {
                        rest = self.decide(site, &tail, &[Kind::Cons, Kind::Nil]);
                        if matches!(rest, Value::Symbol(_)) {
                            self.settle(site, &rest);
                            break;
                        }
                    } else {
                        rest = tail;
                    }
                }
            }
            Value::Tuple(tuple) => {
                for element in tuple.elements.clone() {
                    self.settle(site, &element);
                }
            }
            _ => self.approximate(ApproximationKind::OpaqueOperation, site),
        }
        self.concrete(value).unwrap_or_else(Value::unknown)
    }

    /// An integer: one of 64 bits, if it is one now.
    fn settle_int(&mut self, site: u32, term: TermId) {
        let width = self.terms.width(term);
        if width <= 64 {
            self.fix(site, term);
            return;
        }
        let low = self.terms.extract(term, 0, 64);
        let same = self.terms.sign_extend(low, width);
        let fits = self.terms.eq(same, term);
        if self.branch(site, fits) {
            self.fix(site, low);
        } else {
            self.approximate(ApproximationKind::WideValue, site);
        }
    }

    /// A tuple of the inputs with its number of elements settled.
    pub fn tuple_of(&mut self, site: u32, node: NodeId) -> Value {
        let size = self.inputs.size(self.terms, node);
        let size = self.fix(site, size);
        let size = self.terms.as_u64(size).unwrap_or(0) as u32;
        let parts = (0..size).map(|index| self.inputs.part(self.terms, node, Step::Element(index)));
        Value::tuple(parts.collect())
    }

    /// Which keys a map has, one choice for each.
    pub fn settle_keys(&mut self, site: u32, value: &Value) {
        if let Value::Map(map) = self.resolved(value)
            && let Some(base) = map.base
        {
            for key in self.keys(site, base) {
                let (has, _) = self.entry(&map, &key);
                self.branch(site, has);
            }
        }
    }

    /// Keys that a map of the inputs could have; where there could be others, that is counted.
    pub fn keys(&mut self, site: u32, map: NodeId) -> Vec<Key> {
        let (keys, all) = self.inputs.keys(map);
        if !all {
            self.approximate(ApproximationKind::OpenKeys, site);
        }
        keys
    }

    /// Asks whether a condition could hold here; the run goes on either way.
    pub fn question(&mut self, site: u32, condition: TermId) {
        if self.settled(condition).is_none() {
            self.path.choices.push(Choice {
                site: SiteId(site),
                taken: 0,
                shape: Shape::Question { condition },
            });
        }
    }

    /// The condition under which a value is of a type, as far as that can be said: what cannot is
    /// taken to be.
    pub fn of_type(&mut self, types: &Types, of: TypeId, value: &Value) -> TermId {
        if !value.is_symbolic() {
            let is = types.contains(of, value);
            return self.terms.bool(is);
        }
        let value = self.resolved(value);
        let mut any = self.terms.bool(false);
        for member in types.members(of) {
            let holds = self.of_member(types, types.get(member), &value);
            any = self.terms.or(any, holds);
        }
        any
    }

    fn of_member(&mut self, types: &Types, of: &Type, value: &Value) -> TermId {
        match (of, value) {
            (Type::Any, _) | (_, Value::Symbol(Symbol::Unknown | Symbol::Input(_))) => {
                self.terms.bool(true)
            }
            (Type::Integer(low, high), Value::Symbol(Symbol::Int(term))) => {
                let mut both = self.terms.bool(true);
                if let Some(low) = low {
                    let low = self.int_constant(low);
                    let holds = self.ints(Op::BvSle, low, *term);
                    both = self.terms.and(both, holds);
                }
                if let Some(high) = high {
                    let high = self.int_constant(high);
                    let holds = self.ints(Op::BvSle, *term, high);
                    both = self.terms.and(both, holds);
                }
                both
            }
            (Type::Float, Value::Symbol(Symbol::Float(_)))
            | (Type::Atom(None), Value::Symbol(Symbol::Truth(_))) => self.terms.bool(true),
            (Type::Atom(Some(name)), Value::Symbol(Symbol::Truth(term))) => match &**name {
                "true" => *term,
                "false" => self.terms.not(*term),
                _ => self.terms.bool(false),
            },
            (Type::Tuple(None), Value::Tuple(_)) => self.terms.bool(true),
            (Type::Tuple(Some(all)), Value::Tuple(tuple)) => {
                if all.len() != tuple.elements.len() {
                    return self.terms.bool(false);
                }
                let mut both = self.terms.bool(true);
                for (of, element) in all.iter().zip(&tuple.elements) {
                    let holds = self.of_type(types, *of, element);
                    both = self.terms.and(both, holds);
                }
                both
            }
            (Type::Cons(head, tail), Value::Cons(pair)) => {
                let first = self.of_type(types, *head, &pair.head);
                if self.terms.as_bool(first) == Some(false) {
                    return first;
                }
                let rest = self.of_type(types, *tail, &pair.tail);
                self.terms.and(first, rest)
            }
            (Type::Map(_), Value::Map(_))
            | (Type::Binary(..), Value::Binary(_))
            | (Type::Fun(_), Value::Closure(_)) => self.terms.bool(true),
            _ => self.terms.bool(false),
        }
    }

    /// What a map has under a key: whether, and what.
    pub fn entry(&mut self, map: &Map, key: &Key) -> (TermId, Option<Value>) {
        match (map.entries.get(key), map.base) {
            (Some(entry), _) => (self.terms.bool(entry.is_some()), entry.clone()),
            (None, None) => (self.terms.bool(false), None),
            (None, Some(node)) => {
                let has = self.inputs.has(self.terms, node, key);
                let part = self.inputs.part(self.terms, node, Step::Entry(key.clone()));
                (has, Some(part))
            }
        }
    }
}
