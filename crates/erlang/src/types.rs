//! Types as specifications say them: which values a function takes, and which it gives.

use crate::value::{Key, Map, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Any,
    None,
    /// From the first to the second, where there is one.
    Integer(Option<BigInt>, Option<BigInt>),
    Float,
    /// Any, or one of these.
    Atom(Option<Arc<str>>),
    Nil,
    Cons(TypeId, TypeId),
    /// Any, or one with these elements.
    Tuple(Option<Vec<TypeId>>),
    /// Any, or one with these keys; `true` where the key must be there.
    Map(Option<Vec<(TypeId, TypeId, bool)>>),
    /// So many bits, and any number of so many more.
    Binary(usize, usize),
    /// Any, or one with so many parameters and this result.
    Fun(Option<(u32, TypeId)>),
    Pid,
    Port,
    Reference,
    Union(Vec<TypeId>),
}

/// What a function takes and gives.
#[derive(Clone, Debug)]
pub struct Signature {
    pub parameters: Vec<TypeId>,
    pub result: TypeId,
}

/// Module, name and arguments of a type.
type Named = (Arc<str>, Arc<str>, Vec<TypeId>);

#[derive(Debug)]
pub struct Types {
    pub(crate) types: Vec<Type>,
    /// Types with names, by module, name and arguments, so that recursive ones end.
    pub(crate) named: FxHashMap<Named, TypeId>,
}

pub const ANY: TypeId = TypeId(0);
pub const NONE: TypeId = TypeId(1);
pub const NIL: TypeId = TypeId(2);

/// How deep types with names are looked into when a value is made or checked.
const DEPTH: u32 = 16;

impl Default for Types {
    fn default() -> Types {
        Types {
            types: vec![Type::Any, Type::None, Type::Nil],
            named: FxHashMap::default(),
        }
    }
}

impl Types {
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    pub(crate) fn add(&mut self, kind: Type) -> TypeId {
        match kind {
            Type::Any => return ANY,
            Type::None => return NONE,
            Type::Nil => return NIL,
            _ => {}
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(kind);
        id
    }

    pub(crate) fn union(&mut self, members: Vec<TypeId>) -> TypeId {
        match members.as_slice() {
            [] => NONE,
            [one] => *one,
            _ => self.add(Type::Union(members)),
        }
    }

    /// What is of one of these types.
    pub fn any_of(&mut self, members: Vec<TypeId>) -> TypeId {
        self.union(members)
    }

    pub(crate) fn list(&mut self, element: TypeId, filled: bool) -> TypeId {
        self.list_ending(element, NIL, filled)
    }

    /// A list that may end in something else than an empty list.
    pub(crate) fn list_ending(&mut self, element: TypeId, end: TypeId, filled: bool) -> TypeId {
        let tail = self.add(Type::Union(Vec::new()));
        let cons = self.add(Type::Cons(element, tail));
        self.types[tail.0 as usize] = Type::Union(vec![end, cons]);
        match filled {
            true => cons,
            false if end == NIL => tail,
            false => self.add(Type::Union(vec![NIL, cons])),
        }
    }

    pub(crate) fn integer(&mut self, low: Option<i64>, high: Option<i64>) -> TypeId {
        self.add(Type::Integer(low.map(BigInt::from), high.map(BigInt::from)))
    }

    /// What a type is a union of, none of them a union.
    pub fn members(&self, id: TypeId) -> Vec<TypeId> {
        let mut seen = Vec::new();
        let mut members = Vec::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            match self.get(id) {
                Type::Union(inner) => open.extend(inner.iter().rev()),
                Type::None => {}
                _ => members.push(id),
            }
        }
        members
    }

    /// Whether a wholly known value is of a type.
    pub fn contains(&self, id: TypeId, value: &Value) -> bool {
        let mut rest = value.clone();
        let mut ids = self.members(id);
        // Down a list without recursion.
        loop {
            let Value::Cons(pair) = &rest else {
                return ids.iter().any(|id| self.is(*id, &rest));
            };
            let mut tails = Vec::new();
            for id in &ids {
                match self.get(*id) {
                    Type::Any => return true,
                    Type::Cons(head, tail) if self.contains(*head, &pair.head) => {
                        for member in self.members(*tail) {
                            if !tails.contains(&member) {
                                tails.push(member);
                            }
                        }
                    }
                    _ => {}
                }
            }
            if tails.is_empty() {
                return false;
            }
            let next = pair.tail.clone();
            rest = next;
            ids = tails;
        }
    }

    fn is(&self, id: TypeId, value: &Value) -> bool {
        match (self.get(id), value) {
            (Type::Any, _) => true,
            (Type::Integer(low, high), _) => value.as_big().is_some_and(|value| {
                low.as_ref().is_none_or(|low| *low <= value)
                    && high.as_ref().is_none_or(|high| value <= *high)
            }),
            (Type::Float, Value::Float(_)) => true,
            (Type::Atom(None), Value::Atom(_)) => true,
            (Type::Atom(Some(name)), Value::Atom(other)) => name == other,
            (Type::Nil, Value::Nil) => true,
            (Type::Tuple(None), Value::Tuple(_)) => !is_made_fun(value),
            (Type::Tuple(Some(types)), Value::Tuple(tuple)) => {
                types.len() == tuple.elements.len()
                    && !is_made_fun(value)
                    && types
                        .iter()
                        .zip(&tuple.elements)
                        .all(|(id, element)| self.contains(*id, element))
            }
            (Type::Map(None), Value::Map(_)) => true,
            (Type::Map(Some(pairs)), Value::Map(map)) => self.is_map(pairs, map),
            (Type::Binary(base, unit), Value::Binary(binary)) => {
                let len = binary.len().unwrap_or(0);
                match unit {
                    0 => len == *base,
                    unit => len >= *base && (len - base).is_multiple_of(*unit),
                }
            }
            (Type::Fun(None), Value::Closure(_)) => true,
            (Type::Fun(_), Value::Closure(_)) => true,
            (Type::Fun(signature), Value::Tuple(tuple)) if is_made_fun(value) => {
                signature.as_ref().is_none_or(|(arity, _)| {
                    tuple.elements.get(2).and_then(Value::as_usize) == Some(*arity as usize)
                })
            }
            (Type::Fun(_), Value::Foreign(term)) => matches!(
                **term,
                eetf::Term::ExternalFun(_) | eetf::Term::InternalFun(_)
            ),
            (Type::Pid, Value::Foreign(term)) => matches!(**term, eetf::Term::Pid(_)),
            (Type::Port, Value::Foreign(term)) => matches!(**term, eetf::Term::Port(_)),
            (Type::Reference, Value::Foreign(term)) => matches!(**term, eetf::Term::Reference(_)),
            _ => false,
        }
    }

    fn is_map(&self, pairs: &[(TypeId, TypeId, bool)], map: &Map) -> bool {
        let required = pairs
            .iter()
            .filter(|(_, _, required)| *required)
            .all(|(key, _, _)| {
                map.entries
                    .iter()
                    .any(|(other, value)| value.is_some() && self.contains(*key, &other.0))
            });
        required
            && map.entries.iter().all(|(key, value)| {
                let Some(value) = value else {
                    return true;
                };
                // The first key type that fits says what the value must be.
                let fits = pairs.iter().find(|(of, _, _)| self.contains(*of, &key.0));
                fits.is_some_and(|(_, of, _)| self.contains(*of, value))
            })
    }

    /// The simplest value of a type; none if there is none within some depth.
    pub fn simplest(&self, id: TypeId) -> Option<Value> {
        (1..DEPTH).find_map(|depth| self.simplest_within(id, depth))
    }

    fn simplest_within(&self, id: TypeId, depth: u32) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        self.members(id)
            .into_iter()
            .filter_map(|id| self.simplest_of(id, depth))
            .next()
    }

    fn simplest_of(&self, id: TypeId, depth: u32) -> Option<Value> {
        Some(match self.get(id) {
            Type::Any => Value::atom("a"),
            Type::None | Type::Union(_) | Type::Pid | Type::Port | Type::Reference => return None,
            Type::Integer(low, high) => {
                let zero = BigInt::ZERO;
                let value = match (low, high) {
                    (Some(low), _) if *low > zero => low.clone(),
                    (_, Some(high)) if *high < zero => high.clone(),
                    _ => zero,
                };
                Value::integer(value)
            }
            Type::Float => Value::Float(0.0),
            Type::Atom(None) => Value::atom("a"),
            Type::Atom(Some(name)) => Value::Atom(name.clone()),
            Type::Nil => Value::Nil,
            Type::Cons(head, tail) => Value::cons(
                self.simplest_within(*head, depth)?,
                self.simplest_within(*tail, depth)?,
            ),
            Type::Tuple(None) => Value::tuple(Vec::new()),
            Type::Tuple(Some(all)) => Value::tuple(
                all.iter()
                    .map(|id| self.simplest_within(*id, depth))
                    .collect::<Option<_>>()?,
            ),
            Type::Map(None) => Value::Map(Arc::default()),
            Type::Map(Some(pairs)) => {
                let mut entries = BTreeMap::new();
                for (key, value, _) in pairs.iter().filter(|(_, _, required)| *required) {
                    let key = Key(self.simplest_within(*key, depth)?);
                    entries.insert(key, Some(self.simplest_within(*value, depth)?));
                }
                Value::Map(Arc::new(Map {
                    base: None,
                    entries,
                }))
            }
            Type::Binary(base, _) => Value::Binary(crate::value::binary::Binary::known(
                vec![0; base.div_ceil(8)].into(),
                *base,
            )),
            Type::Fun(signature) => {
                let (arity, result) = signature.unwrap_or((1, ANY));
                made_fun(arity, vec![self.simplest_within(result, depth)?])
            }
        })
    }

    /// Values of a type, and whether they are all that there are.
    pub fn samples(&self, id: TypeId) -> (Vec<Value>, bool) {
        let mut samples = Vec::new();
        let mut all = true;
        for member in self.members(id) {
            match self.get(member) {
                Type::Integer(low, high) => {
                    let low = match (low, high) {
                        (Some(low), _) => low.clone(),
                        (None, Some(high)) => high - 3,
                        (None, None) => BigInt::ZERO,
                    };
                    let few = (0..8).map(|more| &low + more);
                    let most = if high.is_some() { 8 } else { 2 };
                    all &= high
                        .as_ref()
                        .is_some_and(|high| high - &low < BigInt::from(8));
                    samples.extend(
                        few.take(most)
                            .filter(|value| high.as_ref().is_none_or(|high| value <= high))
                            .map(Value::integer),
                    );
                }
                Type::Atom(None) | Type::Any => {
                    all = false;
                    samples.extend(["a", "b"].map(Value::atom));
                }
                Type::Binary(0, 8) => {
                    all = false;
                    samples.extend([Value::bytes(b"a"), Value::bytes(b"b")]);
                }
                Type::Atom(Some(_)) | Type::Nil => samples.extend(self.simplest_of(member, DEPTH)),
                _ => {
                    all = false;
                    samples.extend(self.simplest_of(member, DEPTH));
                }
            }
        }
        (samples, all)
    }

    /// Atoms that types mention.
    pub fn atoms(&self) -> impl Iterator<Item = Arc<str>> + '_ {
        self.types.iter().filter_map(|of| match of {
            Type::Atom(name) => name.clone(),
            _ => None,
        })
    }
}

/// A fun that is an input: the k-th new list of arguments gives the k-th result.
pub fn made_fun(arity: u32, results: Vec<Value>) -> Value {
    Value::tuple(vec![
        Value::atom("$elsewise"),
        Value::atom("fun"),
        Value::Int(arity.into()),
        Value::list(results),
    ])
}

pub fn is_made_fun(value: &Value) -> bool {
    matches!(value.as_tuple(), Some([mark, kind, _, _]) if mark.is_atom("$elsewise") && kind.is_atom("fun"))
}
