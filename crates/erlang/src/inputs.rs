//! Inputs as a tree of parts, each with variables for what it could be; parts appear as a run needs
//! them.
//!
//! A part has a *kind* (integer, atom, pair of a list …) and, for each kind, what else there is to
//! know: the value of the integer, which atom, how many elements. All of these are variables of their
//! own, named by the way from the argument to the part, so that the same part has the same variables
//! in every run. Whatever has no variable in a run keeps its present value.

mod contents;
mod kind;

use crate::kinds::*;
use crate::types::{ANY, Type, TypeId, Types};
use crate::value::{Key, NodeId, Symbol, Value};
use elsewise_term::{Bits, Model, Sort, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

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
