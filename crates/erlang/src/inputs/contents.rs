//! What else there is to know of a part once its kind is known: the integer, the atom, how many elements.

use super::{Inputs, Node};
use crate::kinds::*;
use crate::types::{Type, TypeId, is_made_fun};
use crate::value::{Key, NodeId, Value};
use elsewise_term::{Bits, Op, Sort, TermId, Terms};
use std::sync::Arc;

/// Numbers that people like to look at.
const SMALL: i64 = 1000;

impl Inputs<'_> {
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
}
