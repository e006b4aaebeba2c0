//! Equality of values, as conditions over the inputs.

use crate::kinds::{Kind, Step};
use crate::number::Number;
use crate::run::Run;
use crate::value::binary::Binary;
use crate::value::{NodeId, Symbol, Value, compare};
use elsewise_explore::ApproximationKind;
use elsewise_term::{Op, TermId};
use std::cmp::Ordering;

/// Parts that a comparison of two unknown values looks at before it takes the rest for what it is now.
const PARTS: u32 = 160;

impl Run<'_> {
    /// Whether two values are the same; with `exact`, 1 and 1.0 are not.
    pub fn equal(&mut self, site: u32, a: &Value, b: &Value, exact: bool) -> TermId {
        let mut parts = PARTS;
        self.equal_parts(site, a, b, exact, &mut parts)
    }

    fn equal_parts(
        &mut self,
        site: u32,
        a: &Value,
        b: &Value,
        exact: bool,
        parts: &mut u32,
    ) -> TermId {
        if !a.is_symbolic() && !b.is_symbolic() {
            let same = compare(a, b, exact) == Ordering::Equal;
            return self.terms.bool(same);
        }
        let (a, b) = (self.resolved(a), self.resolved(b));
        if *parts == 0 {
            // Too much to say: what holds now is taken to hold always.
            self.approximate(ApproximationKind::OpaqueOperation, site);
            let now = match (self.concrete(&a), self.concrete(&b)) {
                (Some(a), Some(b)) => compare(&a, &b, exact) == Ordering::Equal,
                _ => false,
            };
            return self.terms.bool(now);
        }
        *parts -= 1;
        match (&a, &b) {
            (Value::Symbol(Symbol::Unknown), _) | (_, Value::Symbol(Symbol::Unknown)) => {
                self.approximate(ApproximationKind::UnknownValue, site);
                self.terms.bool(false)
            }
            (Value::Symbol(Symbol::Input(x)), Value::Symbol(Symbol::Input(y))) if x == y => {
                self.terms.bool(true)
            }
            (Value::Symbol(Symbol::Input(x)), Value::Symbol(Symbol::Input(y))) => {
                self.equal_inputs(site, *x, *y, exact, parts)
            }
            (Value::Symbol(Symbol::Input(node)), other) => {
                self.equal_input(site, *node, other, exact, parts)
            }
            (other, Value::Symbol(Symbol::Input(node))) => {
                self.equal_input(site, *node, other, exact, parts)
            }
            (Value::Cons(x), Value::Cons(y)) => {
                let heads = self.equal_parts(site, &x.head, &y.head, exact, parts);
                if self.terms.as_bool(heads) == Some(false) {
                    return heads;
                }
                let tails = self.equal_parts(site, &x.tail, &y.tail, exact, parts);
                self.terms.and(heads, tails)
            }
            (Value::Tuple(x), Value::Tuple(y)) => {
                if x.elements.len() != y.elements.len() {
                    return self.terms.bool(false);
                }
                let mut all = self.terms.bool(true);
                for (x, y) in x.elements.iter().zip(&y.elements) {
                    let same = self.equal_parts(site, x, y, exact, parts);
                    all = self.terms.and(all, same);
                }
                all
            }
            (Value::Binary(x), Value::Binary(y)) => self.equal_binaries(site, x, y),
            (Value::Map(_), Value::Map(_)) => self.equal_maps(site, &a, &b, exact, parts),
            (Value::Symbol(Symbol::Truth(x)), Value::Symbol(Symbol::Truth(y))) => {
                self.terms.eq(*x, *y)
            }
            (Value::Symbol(Symbol::Truth(x)), Value::Atom(name))
            | (Value::Atom(name), Value::Symbol(Symbol::Truth(x))) => match &**name {
                "true" => *x,
                "false" => self.terms.not(*x),
                _ => self.terms.bool(false),
            },
            _ => match (self.number(&a), self.number(&b)) {
                (Some(Number::Int(x)), Some(Number::Int(y))) => self.ints(Op::Eq, x, y),
                (Some(Number::Float(x)), Some(Number::Float(y))) => {
                    self.terms.float(Op::FEq, &[x, y], 0)
                }
                (Some(x), Some(y)) if !exact => match self.comparable(x, y) {
                    (Number::Int(x), Number::Int(y)) => self.ints(Op::Eq, x, y),
                    (x, y) => {
                        let (x, y) = (self.as_float(x), self.as_float(y));
                        self.terms.float(Op::FEq, &[x, y], 0)
                    }
                },
                _ => self.terms.bool(false),
            },
        }
    }

    fn equal_inputs(
        &mut self,
        site: u32,
        x: NodeId,
        y: NodeId,
        exact: bool,
        parts: &mut u32,
    ) -> TermId {
        let (kind_x, kind_y) = (
            self.inputs.kind(self.terms, x),
            self.inputs.kind(self.terms, y),
        );
        let same_kind = self.terms.eq(kind_x, kind_y);
        let mut any = self.terms.bool(false);
        for kind in [
            Kind::Int,
            Kind::Float,
            Kind::Atom,
            Kind::Nil,
            Kind::Cons,
            Kind::Tuple,
            Kind::Binary,
        ] {
            let is = self.inputs.is(self.terms, x, kind);
            let may = self.inputs.is(self.terms, y, kind);
            let both = self.terms.and(is, may);
            if self.settled(both) == Some(false) {
                continue;
            }
            let same = match kind {
                Kind::Nil => self.terms.bool(true),
                Kind::Atom => {
                    let (x, y) = (
                        self.inputs.atom(self.terms, x),
                        self.inputs.atom(self.terms, y),
                    );
                    self.terms.eq(x, y)
                }
                Kind::Tuple => self.equal_tuples(site, x, y, exact, parts),
                kind => {
                    let (a, b) = (self.as_kind(x, kind), self.as_kind(y, kind));
                    self.equal_parts(site, &a, &b, exact, parts)
                }
            };
            let both = self.terms.and(is, same);
            any = self.terms.or(any, both);
        }
        // Maps and funs that are both open are not compared.
        for kind in [Kind::Map, Kind::Fun] {
            let both = [x, y].map(|node| self.inputs.is(self.terms, node, kind));
            if !both.iter().any(|is| self.settled(*is) == Some(false)) {
                self.approximate(ApproximationKind::OpaqueOperation, site);
                break;
            }
        }
        let mut whole = self.terms.and(same_kind, any);
        if !exact {
            for (x, y) in [(x, y), (y, x)] {
                let is_int = self.inputs.is(self.terms, x, Kind::Int);
                let is_float = self.inputs.is(self.terms, y, Kind::Float);
                let mixed = self.terms.and(is_int, is_float);
                if self.settled(mixed) != Some(false) {
                    let (a, b) = (self.as_kind(x, Kind::Int), self.as_kind(y, Kind::Float));
                    let same = self.equal_parts(site, &a, &b, false, parts);
                    let both = self.terms.and(mixed, same);
                    whole = self.terms.or(whole, both);
                }
            }
        }
        whole
    }

    fn equal_tuples(
        &mut self,
        site: u32,
        x: NodeId,
        y: NodeId,
        exact: bool,
        parts: &mut u32,
    ) -> TermId {
        let (size_x, size_y) = (
            self.inputs.size(self.terms, x),
            self.inputs.size(self.terms, y),
        );
        let mut all = self.terms.eq(size_x, size_y);
        let most = match (self.terms.as_u64(size_x), self.terms.as_u64(size_y)) {
            (Some(size), _) | (_, Some(size)) => size,
            _ => 4,
        };
        for index in 0..most as u32 {
            let element = Step::Element(index);
            let a = self.inputs.part(self.terms, x, element.clone());
            let b = self.inputs.part(self.terms, y, element);
            let same = self.equal_parts(site, &a, &b, exact, parts);
            let number = self.terms.bits(8, u64::from(index));
            let absent = self.terms.compare(Op::BvUle, size_x, number);
            let holds = self.terms.or(absent, same);
            all = self.terms.and(all, holds);
        }
        if self.terms.as_u64(size_x).is_none() && self.terms.as_u64(size_y).is_none() {
            // Larger ones are left out.
            self.approximate(ApproximationKind::OpaqueOperation, site);
            let limit = self.terms.bits(8, most);
            let small = self.terms.compare(Op::BvUle, size_x, limit);
            all = self.terms.and(all, small);
        }
        all
    }

    fn equal_input(
        &mut self,
        site: u32,
        node: NodeId,
        other: &Value,
        exact: bool,
        parts: &mut u32,
    ) -> TermId {
        match other {
            Value::Atom(name) => {
                let is = self.inputs.is(self.terms, node, Kind::Atom);
                if self.terms.as_bool(is) == Some(false) {
                    return is;
                }
                let atom = self.inputs.atom(self.terms, node);
                let number = self.inputs.atom_number(self.terms, name);
                let same = self.terms.eq(atom, number);
                self.terms.and(is, same)
            }
            Value::Symbol(Symbol::Truth(truth)) => {
                let yes = self.equal_input(site, node, &Value::atom("true"), exact, parts);
                let no = self.equal_input(site, node, &Value::atom("false"), exact, parts);
                self.terms.ite(*truth, yes, no)
            }
            Value::Nil => self.inputs.is(self.terms, node, Kind::Nil),
            Value::Tuple(tuple) => {
                let is = self.is_tuple_of(node, tuple.elements.len());
                if self.terms.as_bool(is) == Some(false) {
                    return is;
                }
                let mut all = is;
                for (index, element) in tuple.elements.iter().enumerate() {
                    let part = self
                        .inputs
                        .part(self.terms, node, Step::Element(index as u32));
                    let same = self.equal_parts(site, &part, element, exact, parts);
                    all = self.terms.and(all, same);
                }
                all
            }
            _ => {
                let kind = match other {
                    Value::Symbol(Symbol::Int(_)) => Kind::Int,
                    Value::Symbol(Symbol::Float(_)) => Kind::Float,
                    other => crate::kinds::kind_of(other),
                };
                let mut any = self.terms.bool(false);
                let kinds: &[Kind] = match kind {
                    Kind::Int | Kind::Float if !exact => &[Kind::Int, Kind::Float],
                    _ => &[kind],
                };
                for kind in kinds {
                    let is = self.inputs.is(self.terms, node, *kind);
                    if self.terms.as_bool(is) == Some(false) {
                        continue;
                    }
                    if matches!(kind, Kind::Fun | Kind::Other) {
                        continue;
                    }
                    let part = self.as_kind(node, *kind);
                    let same = self.equal_parts(site, &part, other, exact, parts);
                    let both = self.terms.and(is, same);
                    any = self.terms.or(any, both);
                }
                any
            }
        }
    }

    pub fn is_tuple_of(&mut self, node: NodeId, size: usize) -> TermId {
        let is = self.inputs.is(self.terms, node, Kind::Tuple);
        if self.terms.as_bool(is) == Some(false) || size > 255 {
            return self.terms.bool(false);
        }
        let have = self.inputs.size(self.terms, node);
        let want = self.terms.bits(8, size as u64);
        let same = self.terms.eq(have, want);
        self.terms.and(is, same)
    }

    fn equal_maps(
        &mut self,
        site: u32,
        a: &Value,
        b: &Value,
        exact: bool,
        parts: &mut u32,
    ) -> TermId {
        let (Value::Map(x), Value::Map(y)) = (a, b) else {
            return self.terms.bool(false);
        };
        let mut keys: Vec<_> = x.entries.keys().chain(y.entries.keys()).cloned().collect();
        for base in [x.base, y.base].into_iter().flatten() {
            keys.extend(self.keys(site, base));
        }
        keys.sort();
        keys.dedup();
        let mut all = self.terms.bool(true);
        for key in keys {
            let (has_x, entry_x) = self.entry(x, &key);
            let (has_y, entry_y) = self.entry(y, &key);
            let both = self.terms.eq(has_x, has_y);
            all = self.terms.and(all, both);
            if let (Some(x), Some(y)) = (entry_x, entry_y) {
                let same = self.equal_parts(site, &x, &y, exact, parts);
                let not = self.terms.not(has_x);
                let holds = self.terms.or(not, same);
                all = self.terms.and(all, holds);
            }
        }
        all
    }

    fn equal_binaries(&mut self, site: u32, x: &Binary, y: &Binary) -> TermId {
        let (x, y) = match (x, y) {
            (Binary::Rest { .. }, Binary::Rest { .. }) => {
                // Both lengths are open: one of them is settled.
                let len = self.length(x);
                self.fix(site, len);
                (self.whole(site, x), y.clone())
            }
            _ => (x.clone(), y.clone()),
        };
        let (known, other) = match x.len() {
            Some(_) => (x, y),
            None => (y, x),
        };
        let len = known.len().unwrap_or(0);
        let other_len = self.length(&other);
        let want = self.terms.bits(self.inputs.length_bits(), len as u64);
        let same_len = self.terms.eq(other_len, want);
        if len == 0 || self.terms.as_bool(same_len) == Some(false) {
            return same_len;
        }
        let a = known.bits(self.terms, 0, len);
        let b = self.bits_of(&other, 0, len);
        match (a, b) {
            (Some(a), Some(b)) => {
                let same = self.terms.eq(a, b);
                self.terms.and(same_len, same)
            }
            _ => same_len,
        }
    }
}

#[cfg(test)]
mod tests;
