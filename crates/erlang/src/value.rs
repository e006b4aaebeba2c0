//! Erlang's values, any part of which may be symbolic: a part of the inputs, or computed from them.

pub mod binary;
pub mod closure;

use binary::Binary;
use closure::Closure;
use elsewise_term::TermId;
use num_bigint::BigInt;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A part of the inputs: its place among those that a run has looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub u32);

/// What the machine knows of a value that is not wholly known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A part of the inputs; what it is, is up to the input's variables.
    Input(NodeId),
    /// A signed integer: a bit-vector wide enough for every value that it can have.
    Int(TermId),
    /// The encoding of a float.
    Float(TermId),
    /// The atom `true` or `false`.
    Truth(TermId),
    /// Nothing at all: the program has it, the engine was not told of it.
    Unknown,
}

#[derive(Clone, Debug)]
pub enum Value {
    Atom(Arc<str>),
    Int(i64),
    /// An integer of more than 64 bits.
    Big(Arc<BigInt>),
    Float(f64),
    Nil,
    Cons(Arc<Pair>),
    Tuple(Arc<Tuple>),
    Map(Arc<Map>),
    Binary(Binary),
    /// A fun that the program made.
    Closure(Arc<Closure>),
    /// Pids, ports, references, funs of others: what only the machine can look into.
    Foreign(Arc<eetf::Term>),
    Symbol(Symbol),
}

#[derive(Debug)]
pub struct Pair {
    pub head: Value,
    pub tail: Value,
    symbolic: bool,
}

#[derive(Debug)]
pub struct Tuple {
    pub elements: Vec<Value>,
    symbolic: bool,
}

/// A map with known keys, over a map of the inputs if it came from one.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// The map of the inputs that this one differs from in `entries` only.
    pub base: Option<NodeId>,
    /// `None` for what was removed from the base.
    pub entries: BTreeMap<Key, Option<Value>>,
}

/// A wholly known value, ordered as maps order their keys.
#[derive(Clone, Debug)]
pub struct Key(pub Value);

impl Drop for Pair {
    /// One after the other: a list is as long as it likes, the stack is not.
    fn drop(&mut self) {
        let mut rest = std::mem::replace(&mut self.tail, Value::Nil);
        while let Value::Cons(pair) = rest {
            let Some(mut pair) = Arc::into_inner(pair) else {
                break;
            };
            rest = std::mem::replace(&mut pair.tail, Value::Nil);
        }
    }
}

impl Value {
    pub fn atom(name: &str) -> Value {
        Value::Atom(Arc::from(name))
    }

    pub fn truth(value: bool) -> Value {
        Value::atom(if value { "true" } else { "false" })
    }

    pub fn integer(value: BigInt) -> Value {
        match i64::try_from(&value) {
            Ok(small) => Value::Int(small),
            Err(_) => Value::Big(Arc::new(value)),
        }
    }

    pub fn cons(head: Value, tail: Value) -> Value {
        let symbolic = head.is_symbolic() || tail.is_symbolic();
        Value::Cons(Arc::new(Pair {
            head,
            tail,
            symbolic,
        }))
    }

    pub fn tuple(elements: Vec<Value>) -> Value {
        let symbolic = elements.iter().any(Value::is_symbolic);
        Value::Tuple(Arc::new(Tuple { elements, symbolic }))
    }

    pub fn list(elements: Vec<Value>) -> Value {
        Value::list_with_tail(elements, Value::Nil)
    }

    pub fn list_with_tail(elements: Vec<Value>, tail: Value) -> Value {
        elements
            .into_iter()
            .rev()
            .fold(tail, |tail, head| Value::cons(head, tail))
    }

    pub fn bytes(bytes: &[u8]) -> Value {
        Value::Binary(Binary::known(bytes.into(), bytes.len() * 8))
    }

    pub fn unknown() -> Value {
        Value::Symbol(Symbol::Unknown)
    }

    /// Whether any part of it is not known.
    pub fn is_symbolic(&self) -> bool {
        match self {
            Value::Symbol(_) => true,
            Value::Cons(pair) => pair.symbolic,
            Value::Tuple(tuple) => tuple.symbolic,
            Value::Map(map) => {
                map.base.is_some() || map.entries.values().flatten().any(Value::is_symbolic)
            }
            Value::Binary(binary) => binary.is_symbolic(),
            Value::Closure(closure) => closure.is_symbolic(),
            _ => false,
        }
    }

    pub fn as_atom(&self) -> Option<&str> {
        match self {
            Value::Atom(name) => Some(name),
            _ => None,
        }
    }

    pub fn is_atom(&self, name: &str) -> bool {
        self.as_atom() == Some(name)
    }

    pub fn as_big(&self) -> Option<BigInt> {
        match self {
            Value::Int(value) => Some(BigInt::from(*value)),
            Value::Big(value) => Some(BigInt::clone(value)),
            _ => None,
        }
    }

    pub fn as_usize(&self) -> Option<usize> {
        match self {
            Value::Int(value) => usize::try_from(*value).ok(),
            _ => None,
        }
    }

    /// Elements of a proper list.
    pub fn elements(&self) -> Option<Vec<Value>> {
        let mut all = Vec::new();
        let mut rest = self;
        loop {
            match rest {
                Value::Nil => return Some(all),
                Value::Cons(pair) => {
                    all.push(pair.head.clone());
                    rest = &pair.tail;
                }
                _ => return None,
            }
        }
    }

    pub fn as_tuple(&self) -> Option<&[Value]> {
        match self {
            Value::Tuple(tuple) => Some(&tuple.elements),
            _ => None,
        }
    }

    /// Place of the type in Erlang's order of all terms.
    pub fn rank(&self) -> u8 {
        match self {
            Value::Int(_) | Value::Big(_) | Value::Float(_) => 0,
            Value::Atom(_) => 1,
            Value::Foreign(term) => match &**term {
                eetf::Term::Reference(_) => 2,
                eetf::Term::Port(_) => 4,
                eetf::Term::Pid(_) => 5,
                _ => 3,
            },
            Value::Closure(_) => 3,
            Value::Tuple(_) => 6,
            Value::Map(_) => 7,
            Value::Nil => 8,
            Value::Cons(_) => 9,
            Value::Binary(_) => 10,
            Value::Symbol(_) => 11,
        }
    }
}

/// Erlang's order of wholly known terms; `exact` tells 1 from 1.0, as `=:=` and keys of maps do.
pub fn compare(a: &Value, b: &Value, exact: bool) -> Ordering {
    let (mut a, mut b) = (a.clone(), b.clone());
    // Down the tails without recursion.
    loop {
        let (next_a, next_b) = match (&a, &b) {
            (Value::Cons(x), Value::Cons(y)) => {
                if Arc::ptr_eq(x, y) {
                    return Ordering::Equal;
                }
                match compare(&x.head, &y.head, exact) {
                    Ordering::Equal => (x.tail.clone(), y.tail.clone()),
                    other => return other,
                }
            }
            _ => return compare_others(&a, &b, exact),
        };
        (a, b) = (next_a, next_b);
    }
}

fn compare_others(a: &Value, b: &Value, exact: bool) -> Ordering {
    match (a, b) {
        (Value::Float(x), Value::Float(y)) => x.partial_cmp(y).unwrap_or(Ordering::Equal),
        (Value::Float(x), y) if y.as_big().is_some() => match exact {
            true => Ordering::Greater,
            false => compare_mixed(&y.as_big().unwrap_or_default(), *x).reverse(),
        },
        // As keys, integers come before floats, whatever their values.
        (x, Value::Float(y)) if x.as_big().is_some() => match exact {
            true => Ordering::Less,
            false => compare_mixed(&x.as_big().unwrap_or_default(), *y),
        },
        (Value::Int(x), Value::Int(y)) => x.cmp(y),
        (Value::Atom(x), Value::Atom(y)) => x.cmp(y),
        (Value::Tuple(x), Value::Tuple(y)) => {
            let size = x.elements.len().cmp(&y.elements.len());
            size.then_with(|| {
                let pairs = x.elements.iter().zip(&y.elements);
                pairs
                    .map(|(x, y)| compare(x, y, exact))
                    .find(|order| order.is_ne())
                    .unwrap_or(Ordering::Equal)
            })
        }
        (Value::Map(x), Value::Map(y)) => {
            let size = x.entries.len().cmp(&y.entries.len());
            let keys = || x.entries.keys().cmp(y.entries.keys());
            let values = || {
                let pairs = x
                    .entries
                    .values()
                    .flatten()
                    .zip(y.entries.values().flatten());
                pairs
                    .map(|(x, y)| compare(x, y, exact))
                    .find(|order| order.is_ne())
                    .unwrap_or(Ordering::Equal)
            };
            size.then_with(keys).then_with(values)
        }
        (Value::Binary(x), Value::Binary(y)) => x.compare(y),
        (Value::Closure(x), Value::Closure(y)) => Arc::as_ptr(x).cmp(&Arc::as_ptr(y)),
        (Value::Foreign(x), Value::Foreign(y)) if x == y => Ordering::Equal,
        (Value::Foreign(x), Value::Foreign(y)) => {
            format!("{x:?}").cmp(&format!("{y:?}")).then(Ordering::Less)
        }
        _ => match (a.as_big(), b.as_big()) {
            (Some(x), Some(y)) => x.cmp(&y),
            _ => a.rank().cmp(&b.rank()),
        },
    }
}

/// An integer against a float, exactly.
fn compare_mixed(a: &BigInt, b: f64) -> Ordering {
    // The whole part of a finite float is an integer without loss.
    let whole = whole_part(b);
    a.cmp(&whole).then_with(|| match b.fract() {
        part if part > 0.0 => Ordering::Less,
        part if part < 0.0 => Ordering::Greater,
        _ => Ordering::Equal,
    })
}

/// A float without what is behind the point.
pub fn whole_part(value: f64) -> BigInt {
    let bits = value.abs().trunc().to_bits();
    let exponent = (bits >> 52) as i64 - 1075;
    let mantissa = BigInt::from(bits & ((1 << 52) - 1) | 1 << 52);
    let magnitude = match exponent {
        _ if bits >> 52 == 0 => BigInt::ZERO,
        0.. => mantissa << exponent as usize,
        _ => mantissa >> exponent.unsigned_abs() as usize,
    };
    if value < 0.0 { -magnitude } else { magnitude }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        compare(&self.0, &other.0, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_as_erlang_says() {
        let big = Value::integer(BigInt::from(1) << 70);
        assert_eq!(
            compare(&Value::Int(1), &Value::Float(1.0), false),
            Ordering::Equal
        );
        assert_eq!(
            compare(&Value::Int(1), &Value::Float(1.0), true),
            Ordering::Less
        );
        assert_eq!(compare(&big, &Value::Float(1e30), false), Ordering::Less);
        assert_eq!(
            compare(&Value::Int(-1), &Value::Float(-0.5), false),
            Ordering::Less
        );
        assert_eq!(
            compare(&Value::Int(3), &Value::atom("a"), false),
            Ordering::Less
        );
        assert_eq!(
            compare(&Value::Nil, &Value::tuple(vec![]), false),
            Ordering::Greater
        );
    }

    /// Number, atom, tuple, map, nil, list, bit string; and within each of these.
    fn ascending() -> Vec<Value> {
        use crate::by_hand::{atom, bits, int, list, map, tuple};
        let float = Value::Float;
        vec![
            Value::integer(BigInt::from(-1) << 70),
            int(-1),
            float(-0.5),
            int(0),
            float(0.5),
            int(1),
            float(1.5),
            float(9_007_199_254_740_992.0),
            int(9_007_199_254_740_993),
            Value::integer(BigInt::from(1) << 70),
            float(1e30),
            atom("A"),
            atom("a"),
            atom("ab"),
            atom("b"),
            tuple([]),
            tuple([int(2)]),
            tuple([int(1), int(1)]),
            tuple([int(1), int(2)]),
            map([]),
            map([(atom("a"), int(1))]),
            map([(atom("a"), int(2))]),
            map([(atom("b"), int(1))]),
            map([(atom("a"), int(1)), (atom("b"), int(1))]),
            Value::Nil,
            Value::cons(int(1), int(2)),
            Value::cons(int(1), atom("a")),
            list([int(1)]),
            list([int(1), int(2)]),
            list([int(2)]),
            Value::bytes(&[]),
            bits(&[0x00], 1),
            Value::bytes(&[0x7f]),
            bits(&[0x80], 1),
            Value::bytes(&[0x80]),
            Value::bytes(&[0x80, 0]),
        ]
    }

    #[test]
    fn all_terms_have_their_place() {
        let all = ascending();
        for (at, one) in all.iter().enumerate() {
            for (place, other) in all.iter().enumerate() {
                let order = compare(one, other, false);
                assert_eq!(order, at.cmp(&place), "{one:?} {other:?}");
            }
        }
    }

    /// Of keys, integers come before floats, whatever their values; all else is as it is.
    #[test]
    fn keys_tell_integers_from_floats() {
        use crate::by_hand::{int, tuple};
        let key = |value: &Value| Key(value.clone());
        let (one, float) = (int(1), Value::Float(1.0));
        assert!(key(&one) < key(&float));
        assert!(key(&int(2)) < key(&float));
        assert!(key(&tuple([int(2)])) < key(&tuple([float.clone()])));
        assert!(key(&Value::integer(BigInt::from(1) << 70)) < key(&float));
        assert!(key(&float) < key(&Value::atom("a")));
        let map = |key: &Value| crate::by_hand::map([(key.clone(), Value::atom("a"))]);
        assert_eq!(compare(&map(&int(2)), &map(&float), false), Ordering::Less);
        assert_eq!(
            compare(&tuple([one]), &tuple([float]), false),
            Ordering::Equal
        );
    }

    #[test]
    fn the_whole_part_of_a_float_is_exact() {
        for (number, whole) in [
            (0.0, 0),
            (0.75, 0),
            (-0.75, 0),
            (1.0, 1),
            (-2.5, -2),
            (9_007_199_254_740_993.0, 9_007_199_254_740_992i64),
        ] {
            assert_eq!(whole_part(number), BigInt::from(whole), "{number}");
        }
        assert_eq!(whole_part(f64::MIN_POSITIVE / 2.0), BigInt::ZERO);
        let large = (BigInt::from((1u64 << 53) - 1)) << 971;
        assert_eq!(whole_part(f64::MAX), large);
        assert_eq!(whole_part(f64::MIN), -large);
    }

    #[test]
    fn a_long_list_is_dropped_and_compared_without_a_deep_stack() {
        let make = || Value::list((0..1_000_000).map(Value::Int).collect());
        assert_eq!(compare(&make(), &make(), true), Ordering::Equal);
    }
}
