//! What a part of the inputs can be, how it is numbered, and the names of its variables.

use crate::types::{ANY, Type, TypeId, Types, is_made_fun};
use crate::value::{Key, Value};
use elsewise_explore::mix_key as mix;
use elsewise_term::{Bits, TermId, Terms};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::sync::Arc;

#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Int,
    Float,
    Atom,
    Nil,
    Cons,
    Tuple,
    Map,
    Binary,
    Fun,
    /// Pids and the like: never made, only kept.
    Other,
}

pub const KINDS: [Kind; 10] = [
    Kind::Int,
    Kind::Float,
    Kind::Atom,
    Kind::Nil,
    Kind::Cons,
    Kind::Tuple,
    Kind::Map,
    Kind::Binary,
    Kind::Fun,
    Kind::Other,
];

pub const KIND_BITS: u32 = 4;
pub const ATOM_BITS: u32 = 16;
pub const SIZE_BITS: u32 = 8;
pub const LENGTH_BITS: u32 = 16;
pub const MEMBER_BITS: u32 = 8;

/// Kinds that have no parts.
pub const LEAVES: u16 = 1 << Kind::Int as u16
    | 1 << Kind::Float as u16
    | 1 << Kind::Atom as u16
    | 1 << Kind::Nil as u16
    | 1 << Kind::Binary as u16
    | 1 << Kind::Fun as u16
    | 1 << Kind::Other as u16;
const MADE: u16 = (1 << Kind::Other as u16) - 1;

/// How large inputs may become.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Elements of a list, and how deep terms stand in terms.
    pub depth: u32,
    pub integer_bits: u32,
    /// Elements of a tuple that no type describes.
    pub tuple: u32,
    /// Bits of a binary.
    pub binary: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: 8,
            integer_bits: 64,
            tuple: 6,
            binary: 8 * 32,
        }
    }
}

/// Atoms by number; the numbers of those that were known from the start are in their order.
#[derive(Clone, Debug, Default)]
pub struct Atoms {
    pub names: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, u32>,
    ordered: u32,
}

impl Atoms {
    pub fn new(names: impl IntoIterator<Item = Arc<str>>) -> Atoms {
        let mut names: Vec<Arc<str>> = names.into_iter().collect();
        names.sort();
        names.dedup();
        names.truncate((1 << ATOM_BITS) - 4096);
        let numbers = names.iter().cloned().zip(0..).collect();
        Atoms {
            ordered: names.len() as u32,
            names,
            numbers,
        }
    }

    /// Number of an atom, a new one if it was never seen.
    pub fn number(&mut self, name: &Arc<str>) -> Option<u32> {
        if let Some(number) = self.numbers.get(name) {
            return Some(*number);
        }
        let number = self.names.len() as u32;
        if number + 1 >= 1 << ATOM_BITS {
            return None;
        }
        self.names.push(name.clone());
        self.numbers.insert(name.clone(), number);
        Some(number)
    }

    pub fn name(&self, number: u32) -> Arc<str> {
        let name = self.names.get(number as usize);
        name.cloned().unwrap_or_else(|| Arc::from("a"))
    }

    /// Those whose numbers are in the order of their names.
    pub fn ordered(&self) -> u32 {
        self.ordered
    }
}

/// The way from a part to one of its parts.
#[derive(Clone, Debug)]
pub enum Step {
    Head,
    Tail,
    Element(u32),
    Entry(Key),
    /// What a fun gives for its k-th new arguments.
    Result(u32),
}

#[derive(Clone, Copy)]
pub enum Field {
    Kind,
    Member,
    Int,
    Float,
    Atom,
    Size,
    Length,
    Byte(u32),
    Arity,
    Has,
}

impl Step {
    pub fn key(&self, parent: u64) -> u64 {
        match self {
            Step::Head => mix(parent, 1),
            Step::Tail => mix(parent, 2),
            Step::Element(index) => mix(mix(parent, 3), u64::from(*index)),
            Step::Entry(key) => {
                let bytes = crate::etf::encode(&key.0);
                bytes
                    .iter()
                    .fold(mix(parent, 4), |hash, byte| mix(hash, u64::from(*byte)))
            }
            Step::Result(index) => mix(mix(parent, 5), u64::from(*index)),
        }
    }
}

impl Field {
    pub fn key(self, node: u64) -> u64 {
        match self {
            Field::Kind => mix(node, 16),
            Field::Member => mix(node, 17),
            Field::Int => mix(node, 18),
            Field::Float => mix(node, 19),
            Field::Atom => mix(node, 20),
            Field::Size => mix(node, 21),
            Field::Length => mix(node, 22),
            Field::Byte(index) => mix(mix(node, 23), u64::from(index)),
            Field::Arity => mix(node, 24),
            Field::Has => mix(node, 25),
        }
    }
}

pub fn root_key(argument: usize) -> u64 {
    mix(0x0e15_e315, argument as u64)
}

/// Kinds of the values of a type that is no union.
pub fn mask_of(of: &Type) -> u16 {
    match of {
        Type::Any => MADE,
        Type::None | Type::Union(_) => 0,
        Type::Integer(..) => 1 << Kind::Int as u16,
        Type::Float => 1 << Kind::Float as u16,
        Type::Atom(_) => 1 << Kind::Atom as u16,
        Type::Nil => 1 << Kind::Nil as u16,
        Type::Cons(..) => 1 << Kind::Cons as u16,
        Type::Tuple(_) => 1 << Kind::Tuple as u16,
        Type::Map(_) => 1 << Kind::Map as u16,
        Type::Binary(..) => 1 << Kind::Binary as u16,
        Type::Fun(_) => 1 << Kind::Fun as u16,
        Type::Pid | Type::Port | Type::Reference => 1 << Kind::Other as u16,
    }
}

pub fn kind_of(value: &Value) -> Kind {
    match value {
        Value::Int(_) | Value::Big(_) => Kind::Int,
        Value::Float(_) => Kind::Float,
        Value::Atom(_) => Kind::Atom,
        Value::Nil => Kind::Nil,
        Value::Cons(_) => Kind::Cons,
        Value::Tuple(_) if is_made_fun(value) => Kind::Fun,
        Value::Tuple(_) => Kind::Tuple,
        Value::Map(_) => Kind::Map,
        Value::Binary(_) => Kind::Binary,
        Value::Closure(_) => Kind::Fun,
        Value::Foreign(_) | Value::Symbol(_) => Kind::Other,
    }
}

/// The type of a part of something of a type.
pub fn part_type(types: &Types, of: TypeId, step: &Step) -> Option<TypeId> {
    match (types.get(of), step) {
        (Type::Any, _) | (Type::Tuple(None), Step::Element(_)) => Some(ANY),
        (Type::Map(None), Step::Entry(_)) | (Type::Fun(None), Step::Result(_)) => Some(ANY),
        (Type::Cons(head, _), Step::Head) => Some(*head),
        (Type::Cons(_, tail), Step::Tail) => Some(*tail),
        (Type::Tuple(Some(all)), Step::Element(index)) => all.get(*index as usize).copied(),
        (Type::Map(Some(pairs)), Step::Entry(key)) => pairs
            .iter()
            .find(|(of, _, _)| types.contains(*of, &key.0))
            .map(|(_, value, _)| *value),
        (Type::Fun(Some((_, result))), Step::Result(_)) => Some(*result),
        _ => None,
    }
}

pub fn part_of(value: &Value, step: &Step) -> Option<Value> {
    match (value, step) {
        (Value::Cons(pair), Step::Head) => Some(pair.head.clone()),
        (Value::Cons(pair), Step::Tail) => Some(pair.tail.clone()),
        (Value::Tuple(tuple), Step::Result(index)) if is_made_fun(value) => {
            let results = tuple.elements.get(3)?.elements()?;
            let last = results.last().cloned();
            results.get(*index as usize).cloned().or(last)
        }
        (Value::Tuple(tuple), Step::Element(index)) if !is_made_fun(value) => {
            tuple.elements.get(*index as usize).cloned()
        }
        (Value::Map(map), Step::Entry(key)) => map.entries.get(key)?.clone(),
        _ => None,
    }
}

pub fn one_of(
    terms: &mut Terms,
    term: TermId,
    width: u32,
    values: impl IntoIterator<Item = u64>,
) -> TermId {
    let mut any = terms.bool(false);
    for value in values {
        let value = terms.bits(width, value);
        let same = terms.eq(term, value);
        any = terms.or(any, same);
    }
    any
}

/// An integer in two's complement, cut to a width.
pub fn big_bits(value: &BigInt, width: u32) -> Bits {
    Bits::from_signed_bytes(width, &value.to_signed_bytes_le())
}

/// The signed integer that bits stand for.
pub fn bits_big(bits: &Bits) -> BigInt {
    BigInt::from_signed_bytes_le(&bits.to_signed_bytes())
}

/// Keys that maps of the inputs were asked for, by the map.
#[derive(Debug, Default)]
pub struct Keys {
    pub of: FxHashMap<u64, std::collections::BTreeSet<Key>>,
}
