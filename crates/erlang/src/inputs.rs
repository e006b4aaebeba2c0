//! Inputs as a tree of parts, each with variables for what it could be; parts appear as a run needs
//! them.
//!
//! A part has a *kind* (integer, atom, pair of a list …) and, for each kind, what else there is to
//! know: the value of the integer, which atom, how many elements. All of these are variables of their
//! own, named by the way from the argument to the part, so that the same part has the same variables
//! in every run. Whatever has no variable in a run keeps its present value.

mod kind;

use crate::kinds::*;
use crate::types::{ANY, Type, TypeId, Types, is_made_fun};
use crate::value::{Key, Symbol, Value};
use elsewise_term::{Bits, Model, Op, Sort, TermId, Terms, VarId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub u32);

/// Numbers that people like to look at.
const SMALL: i64 = 1000;

struct Node {
    key: u64,
    /// What it may be, and when: the condition says which member of a union an outer part is.
    members: Vec<(TermId, TypeId)>,
    present: Value,
    nesting: u32,
    place: u32,
    kind: Option<TermId>,
    /// Kinds that it can have, once its kind is known as a term.
    mask: u16,
    bounded: u16,
}

/// All parts of the inputs that one run has looked at.
pub struct Inputs<'a> {
    types: &'a Types,
    limits: &'a Limits,
    pub atoms: &'a mut Atoms,
    keys: &'a mut Keys,
    nodes: Vec<Node>,
    by_key: FxHashMap<u64, NodeId>,
    pub present: Model,
    pub bounds: Vec<TermId>,
    /// Small numbers before large ones.
    pub preferences: Vec<(VarId, TermId)>,
}

impl<'a> Inputs<'a> {
    pub fn new(
        types: &'a Types,
        limits: &'a Limits,
        atoms: &'a mut Atoms,
        keys: &'a mut Keys,
    ) -> Inputs<'a> {
        Inputs {
            types,
            limits,
            atoms,
            keys,
            nodes: Vec::new(),
            by_key: FxHashMap::default(),
            present: Model::default(),
            bounds: Vec::new(),
            preferences: Vec::new(),
        }
    }

    /// An argument.
    pub fn root(&mut self, terms: &mut Terms, argument: usize, of: TypeId, value: Value) -> Value {
        let always = terms.bool(true);
        let node = self.add(terms, root_key(argument), vec![(always, of)], value, 0, 0);
        self.value(terms, node)
    }

    fn add(
        &mut self,
        terms: &mut Terms,
        key: u64,
        types: Vec<(TermId, TypeId)>,
        present: Value,
        nesting: u32,
        place: u32,
    ) -> NodeId {
        let mut members: Vec<(TermId, TypeId)> = Vec::new();
        for (when, id) in types {
            for member in self.types.members(id) {
                if !members.contains(&(when, member)) {
                    members.push((when, member));
                }
            }
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            key,
            members,
            present,
            nesting,
            place,
            kind: None,
            mask: 0,
            bounded: 0,
        });
        self.by_key.insert(key, id);
        self.split(terms, id);
        id
    }

    /// Where two members have parts of the same kind, a variable says which of them it is.
    fn split(&mut self, terms: &mut Terms, id: NodeId) {
        let node = &self.nodes[id.0 as usize];
        let shapes: Vec<(TermId, Kind, usize)> = node
            .members
            .iter()
            .filter_map(|(when, member)| match self.types.get(*member) {
                Type::Cons(..) => Some((*when, Kind::Cons, 0)),
                Type::Tuple(Some(all)) => Some((*when, Kind::Tuple, all.len())),
                Type::Map(Some(_)) => Some((*when, Kind::Map, 0)),
                Type::Fun(Some((arity, _))) => Some((*when, Kind::Fun, *arity as usize)),
                _ => None,
            })
            .collect();
        let several = (1..shapes.len()).any(|at| shapes[..at].contains(&shapes[at]));
        if !several || node.members.len() >= 1 << MEMBER_BITS {
            return;
        }
        let (key, present) = (Field::Member.key(node.key), node.present.clone());
        let members = node.members.clone();
        let now = members
            .iter()
            .position(|(when, member)| {
                terms.eval_bool(*when, &self.present) && self.types.contains(*member, &present)
            })
            .unwrap_or(0);
        let which = self.variable(terms, key, MEMBER_BITS, Bits::new(MEMBER_BITS, now as u64));
        let mut any = terms.bool(false);
        let mut there = terms.bool(false);
        let mut split = Vec::new();
        for (index, (when, member)) in members.into_iter().enumerate() {
            let number = terms.bits(MEMBER_BITS, index as u64);
            let same = terms.eq(which, number);
            there = terms.or(there, when);
            let when = terms.and(when, same);
            any = terms.or(any, when);
            split.push((when, member));
        }
        self.add_bound(terms, there, any);
        self.nodes[id.0 as usize].members = split;
    }

    fn variable(&mut self, terms: &mut Terms, key: u64, width: u32, now: Bits) -> TermId {
        let term = terms.variable(key, Sort::BitVec(width));
        if let Some(var) = terms.as_var(term)
            && self.present.get(var).is_none()
        {
            self.present.set(var, now);
        }
        term
    }

    /// Says once that some member of the type holds.
    fn bound(
        &mut self,
        terms: &mut Terms,
        id: NodeId,
        what: Field,
        mut holds: impl FnMut(&mut Terms, &Type) -> TermId,
    ) {
        let bit = match what {
            Field::Kind => 1,
            Field::Int => 2,
            Field::Atom => 4,
            Field::Size => 8,
            Field::Length => 16,
            Field::Arity => 32,
            _ => 64,
        };
        let node = &mut self.nodes[id.0 as usize];
        if node.bounded & bit != 0 {
            return;
        }
        node.bounded |= bit;
        let members = node.members.clone();
        let mut any = terms.bool(false);
        let mut there = terms.bool(false);
        for (when, member) in members {
            let holds = holds(terms, self.types.get(member));
            let both = terms.and(when, holds);
            any = terms.or(any, both);
            there = terms.or(there, when);
        }
        self.add_bound(terms, there, any);
    }

    /// A bound on a part that is only there under a condition.
    fn add_bound(&mut self, terms: &mut Terms, there: TermId, holds: TermId) {
        let not = terms.not(there);
        let bound = terms.or(not, holds);
        if terms.as_bool(bound) != Some(true) {
            self.bounds.push(bound);
        }
    }

    pub fn present_of(&self, id: NodeId) -> &Value {
        &self.nodes[id.0 as usize].present
    }

    pub fn int(&mut self, terms: &mut Terms, id: NodeId) -> TermId {
        let node = &self.nodes[id.0 as usize];
        let width = self.integer_bits(node);
        let fallback = || {
            let mut members = node
                .members
                .iter()
                .filter(|(_, member)| matches!(self.types.get(*member), Type::Integer(..)));
            members
                .next()
                .and_then(|(_, member)| self.types.simplest(*member)?.as_big())
                .unwrap_or_default()
        };
        let now = node.present.as_big().unwrap_or_else(fallback);
        let key = Field::Int.key(node.key);
        let first = node.bounded & 2 == 0;
        let int = self.variable(terms, key, width, big_bits(&now, width));
        if first
            && width > 12
            && let Some(var) = terms.as_var(int)
        {
            let low = terms.constant(big_bits(&(-SMALL).into(), width));
            let high = terms.constant(big_bits(&SMALL.into(), width));
            let above = terms.compare(Op::BvSle, low, int);
            let below = terms.compare(Op::BvSle, int, high);
            let small = terms.and(above, below);
            self.preferences.push((var, small));
        }
        // A member of another kind says nothing of it, but that it is not of this one.
        let is = self.is(terms, id, Kind::Int);
        let other = terms.not(is);
        self.bound(terms, id, Field::Int, |terms, of| match of {
            Type::Integer(low, high) => {
                let mut both = terms.bool(true);
                for (bound, is_low) in [(low, true), (high, false)] {
                    let Some(bound) = bound else { continue };
                    // A bound that no input can reach is none.
                    if bound.bits() + 1 > u64::from(width) {
                        continue;
                    }
                    let bound = terms.constant(big_bits(bound, width));
                    let holds = match is_low {
                        true => terms.compare(Op::BvSle, bound, int),
                        false => terms.compare(Op::BvSle, int, bound),
                    };
                    both = terms.and(both, holds);
                }
                both
            }
            Type::Any => terms.bool(true),
            _ => other,
        });
        int
    }

    /// As many bits as the type of an integer needs, if it says how large it can be.
    fn integer_bits(&self, node: &Node) -> u32 {
        let mut most = 0;
        for (_, member) in &node.members {
            match self.types.get(*member) {
                Type::Integer(Some(low), Some(high)) => {
                    most = most.max(low.bits() as u32 + 1).max(high.bits() as u32 + 1);
                }
                Type::Integer(..) | Type::Any => return self.limits.integer_bits,
                _ => {}
            }
        }
        match most {
            0 => self.limits.integer_bits,
            most => most.min(self.limits.integer_bits),
        }
    }

    pub fn float(&mut self, terms: &mut Terms, id: NodeId) -> TermId {
        let node = &mut self.nodes[id.0 as usize];
        let now = match &node.present {
            Value::Float(value) => value.to_bits(),
            _ => 0,
        };
        let first = node.bounded & 128 == 0;
        node.bounded |= 128;
        let key = Field::Float.key(node.key);
        let float = self.variable(terms, key, 64, Bits::new(64, now));
        if first {
            // No infinity, and nothing that is not a number.
            let exponent = terms.extract(float, 52, 11);
            let all = terms.bits(11, 0x7ff);
            let same = terms.eq(exponent, all);
            let finite = terms.not(same);
            self.bounds.push(finite);
        }
        float
    }

    pub fn atom(&mut self, terms: &mut Terms, id: NodeId) -> TermId {
        let node = &self.nodes[id.0 as usize];
        let now = match &node.present {
            Value::Atom(name) => self.atoms.number(name).unwrap_or(0),
            _ => {
                let named =
                    node.members
                        .iter()
                        .find_map(|(_, member)| match self.types.get(*member) {
                            Type::Atom(name) => name.clone(),
                            _ => None,
                        });
                named.and_then(|name| self.atoms.number(&name)).unwrap_or(0)
            }
        };
        let key = Field::Atom.key(node.key);
        let atom = self.variable(terms, key, ATOM_BITS, Bits::new(ATOM_BITS, now.into()));
        let mut atoms = std::mem::take(self.atoms);
        let last = u64::from(atoms.ordered().saturating_sub(1));
        // A member of another kind says nothing of it, but that it is not of this one.
        let is = self.is(terms, id, Kind::Atom);
        let other = terms.not(is);
        self.bound(terms, id, Field::Atom, |terms, of| match of {
            Type::Atom(Some(name)) => {
                let number = atoms.number(name).unwrap_or(0);
                one_of(terms, atom, ATOM_BITS, [u64::from(number)])
            }
            Type::Any | Type::Atom(None) => {
                let last = terms.bits(ATOM_BITS, last);
                let known = terms.compare(Op::BvUle, atom, last);
                // What the seed brought along may stay.
                let same = one_of(terms, atom, ATOM_BITS, [u64::from(now)]);
                terms.or(known, same)
            }
            _ => other,
        });
        *self.atoms = atoms;
        atom
    }

    /// The number of an atom as a constant.
    pub fn atom_number(&mut self, terms: &mut Terms, name: &Arc<str>) -> TermId {
        let number = self.atoms.number(name).unwrap_or((1 << ATOM_BITS) - 1);
        terms.bits(ATOM_BITS, number.into())
    }

    /// Elements of a tuple.
    pub fn size(&mut self, terms: &mut Terms, id: NodeId) -> TermId {
        let node = &self.nodes[id.0 as usize];
        let sizes: Vec<usize> = node
            .members
            .iter()
            .filter_map(|(_, member)| match self.types.get(*member) {
                Type::Tuple(Some(all)) => Some(all.len()),
                _ => None,
            })
            .collect();
        let open = node
            .members
            .iter()
            .any(|(_, member)| matches!(self.types.get(*member), Type::Any | Type::Tuple(None)));
        let now = match &node.present {
            Value::Tuple(tuple) if !is_made_fun(&node.present) => tuple.elements.len(),
            _ => sizes.first().copied().unwrap_or(0),
        };
        if !open && sizes.iter().all(|size| *size == now) {
            return terms.bits(SIZE_BITS, now as u64);
        }
        let key = Field::Size.key(node.key);
        let size = self.variable(terms, key, SIZE_BITS, Bits::new(SIZE_BITS, now as u64));
        let most = u64::from(self.limits.tuple).max(now as u64).min(255);
        // A member of another kind says nothing of it, but that it is not of this one.
        let is = self.is(terms, id, Kind::Tuple);
        let other = terms.not(is);
        self.bound(terms, id, Field::Size, |terms, of| match of {
            Type::Tuple(Some(all)) => one_of(terms, size, SIZE_BITS, [all.len() as u64]),
            Type::Any | Type::Tuple(None) => {
                let most = terms.bits(SIZE_BITS, most);
                terms.compare(Op::BvUle, size, most)
            }
            _ => other,
        });
        size
    }

    /// Bits of a binary.
    pub fn length(&mut self, terms: &mut Terms, id: NodeId) -> TermId {
        let node = &self.nodes[id.0 as usize];
        let now = match &node.present {
            Value::Binary(binary) => binary.len().unwrap_or(0),
            _ => node
                .members
                .iter()
                .find_map(|(_, member)| match self.types.get(*member) {
                    Type::Binary(base, _) => Some(*base),
                    _ => None,
                })
                .unwrap_or(0),
        };
        let key = Field::Length.key(node.key);
        let length = self.variable(terms, key, LENGTH_BITS, Bits::new(LENGTH_BITS, now as u64));
        let most = u64::from(self.limits.binary).max(now as u64).min(0xffff);
        // A member of another kind says nothing of it, but that it is not of this one.
        let is = self.is(terms, id, Kind::Binary);
        let other = terms.not(is);
        self.bound(terms, id, Field::Length, |terms, of| {
            let limit = terms.bits(LENGTH_BITS, most);
            let short = terms.compare(Op::BvUle, length, limit);
            let (base, unit) = match of {
                Type::Binary(base, unit) => (*base as u64, *unit as u64),
                Type::Any => (0, 1),
                _ => return other,
            };
            let least = terms.bits(LENGTH_BITS, base);
            if unit == 0 {
                return terms.eq(length, least);
            }
            let enough = terms.compare(Op::BvUle, least, length);
            let unit = terms.bits(LENGTH_BITS, unit);
            let more = terms.bv(Op::BvSub, &[length, least]);
            let rest = terms.bv(Op::BvURem, &[more, unit]);
            let none = terms.bits(LENGTH_BITS, 0);
            let whole = terms.eq(rest, none);
            let fits = terms.and(enough, whole);
            terms.and(short, fits)
        });
        length
    }

    pub fn length_bits(&self) -> u32 {
        LENGTH_BITS
    }

    pub fn byte(&mut self, terms: &mut Terms, id: NodeId, index: u32) -> TermId {
        let node = &self.nodes[id.0 as usize];
        let now = match &node.present {
            Value::Binary(binary) => binary.packed().0.get(index as usize).copied().unwrap_or(0),
            _ => 0,
        };
        let key = Field::Byte(index).key(node.key);
        self.variable(terms, key, 8, Bits::new(8, now.into()))
    }

    /// Parameters of a fun.
    pub fn arity(&mut self, terms: &mut Terms, id: NodeId) -> TermId {
        let node = &self.nodes[id.0 as usize];
        let arities: Vec<u32> = node
            .members
            .iter()
            .filter_map(|(_, member)| match self.types.get(*member) {
                Type::Fun(Some((arity, _))) => Some(*arity),
                _ => None,
            })
            .collect();
        let now = match node.present.as_tuple() {
            Some([_, _, arity, _]) if is_made_fun(&node.present) => {
                arity.as_usize().unwrap_or(0) as u32
            }
            _ => arities.first().copied().unwrap_or(1),
        };
        let key = Field::Arity.key(node.key);
        let arity = self.variable(terms, key, SIZE_BITS, Bits::new(SIZE_BITS, now.into()));
        // A member of another kind says nothing of it, but that it is not of this one.
        let is = self.is(terms, id, Kind::Fun);
        let other = terms.not(is);
        self.bound(terms, id, Field::Arity, |terms, of| match of {
            Type::Fun(Some((count, _))) => one_of(terms, arity, SIZE_BITS, [u64::from(*count)]),
            Type::Any | Type::Fun(None) => {
                let most = terms.bits(SIZE_BITS, 20);
                terms.compare(Op::BvUle, arity, most)
            }
            _ => other,
        });
        arity
    }

    /// Whether a map has a key.
    pub fn has(&mut self, terms: &mut Terms, id: NodeId, key: &Key) -> TermId {
        let node = &self.nodes[id.0 as usize];
        let entry_key = Step::Entry(key.clone()).key(node.key);
        self.keys
            .of
            .entry(node.key)
            .or_default()
            .insert(key.clone());
        let now = match &node.present {
            Value::Map(map) => matches!(map.entries.get(key), Some(Some(_))),
            _ => false,
        };
        let has = Field::Has.key(entry_key);
        let known = terms
            .var_by_key(has)
            .is_some_and(|var| self.present.get(var).is_some());
        let term = terms.variable(has, Sort::Bool);
        if known {
            return term;
        }
        if let Some(var) = terms.as_var(term) {
            self.present.set(var, Bits::new(1, now.into()));
        }
        let members = node.members.clone();
        let mut any = terms.bool(false);
        let mut there = terms.bool(false);
        for (when, member) in members {
            let holds = match self.types.get(member) {
                Type::Map(Some(pairs)) => {
                    let fits = pairs
                        .iter()
                        .find(|(of, _, _)| self.types.contains(*of, &key.0));
                    match fits {
                        // Required, and no other key could be meant.
                        Some((of, _, true)) if self.single(*of) => term,
                        Some(_) => terms.bool(true),
                        None => terms.not(term),
                    }
                }
                _ => terms.bool(true),
            };
            let both = terms.and(when, holds);
            any = terms.or(any, both);
            there = terms.or(there, when);
        }
        self.add_bound(terms, there, any);
        term
    }

    fn single(&self, id: TypeId) -> bool {
        match self.types.members(id).as_slice() {
            [one] => match self.types.get(*one) {
                Type::Atom(Some(_)) => true,
                Type::Integer(Some(low), Some(high)) => low == high,
                _ => false,
            },
            _ => false,
        }
    }

    /// A part of a part, as far as it is known what it is.
    pub fn part(&mut self, terms: &mut Terms, id: NodeId, step: Step) -> Value {
        let node = &self.nodes[id.0 as usize];
        let key = step.key(node.key);
        if let Some(known) = self.by_key.get(&key) {
            let known = *known;
            return self.value(terms, known);
        }
        let types: Vec<(TermId, TypeId)> = node
            .members
            .iter()
            .filter_map(|(when, member)| {
                let of = part_type(self.types, *member, &step)?;
                Some((*when, of))
            })
            .collect();
        let types = match types.is_empty() {
            true => vec![(terms.bool(true), ANY)],
            false => types,
        };
        let there = part_of(&node.present, &step);
        let present = there.unwrap_or_else(|| {
            let simplest = types.iter().find_map(|(_, of)| self.types.simplest(*of));
            simplest.unwrap_or_else(|| Value::atom("a"))
        });
        let (nesting, place) = match step {
            Step::Tail => (node.nesting, node.place + 1),
            _ => (node.nesting + 1, 0),
        };
        let part = self.add(terms, key, types, present, nesting, place);
        self.value(terms, part)
    }

    /// The part as a value: where its type leaves no choice, what it is.
    pub fn value(&mut self, terms: &mut Terms, id: NodeId) -> Value {
        if matches!(self.nodes[id.0 as usize].present, Value::Foreign(_)) {
            return self.nodes[id.0 as usize].present.clone();
        }
        let deep = self.nodes[id.0 as usize].nesting > self.limits.depth + 8;
        match self.only_kind(terms, id) {
            Some(Kind::Int) => Value::Symbol(Symbol::Int(self.int(terms, id))),
            Some(Kind::Float) => Value::Symbol(Symbol::Float(self.float(terms, id))),
            Some(Kind::Nil) => Value::Nil,
            Some(Kind::Cons) if !deep => {
                let head = self.part(terms, id, Step::Head);
                Value::cons(head, self.part(terms, id, Step::Tail))
            }
            Some(Kind::Tuple) if !deep => {
                let size = self.size(terms, id);
                match terms.as_u64(size) {
                    Some(size) => Value::tuple(
                        (0..size as u32)
                            .map(|index| self.part(terms, id, Step::Element(index)))
                            .collect(),
                    ),
                    None => Value::Symbol(Symbol::Input(id)),
                }
            }
            Some(Kind::Atom) => {
                let members = &self.nodes[id.0 as usize].members;
                match members.as_slice() {
                    [(_, one)] => match self.types.get(*one) {
                        Type::Atom(Some(name)) => Value::Atom(name.clone()),
                        _ => Value::Symbol(Symbol::Input(id)),
                    },
                    _ => Value::Symbol(Symbol::Input(id)),
                }
            }
            _ => Value::Symbol(Symbol::Input(id)),
        }
    }

    /// Keys that the map has now and those that it could have, and whether there can be no others.
    pub fn keys(&self, id: NodeId) -> (Vec<Key>, bool) {
        let node = &self.nodes[id.0 as usize];
        let mut keys: Vec<Key> = match &node.present {
            Value::Map(map) => map.entries.keys().cloned().collect(),
            _ => Vec::new(),
        };
        let mut all = true;
        for (_, member) in &node.members {
            match self.types.get(*member) {
                Type::Map(Some(pairs)) => {
                    for (of, _, _) in pairs {
                        let (samples, few) = self.types.samples(*of);
                        all &= few;
                        keys.extend(samples.into_iter().map(Key));
                    }
                }
                Type::Map(None) | Type::Any => {
                    all = false;
                    keys.extend(["a", "b"].map(|name| Key(Value::atom(name))));
                }
                _ => {}
            }
        }
        keys.sort();
        keys.dedup();
        (keys, all)
    }
}
