//! Order of values, as conditions over the inputs.

use crate::kinds::Kind;
use crate::number::Number;
use crate::run::Run;
use crate::value::{Symbol, Value, compare};
use elsewise_explore::ApproximationKind;
use elsewise_term::{Op, TermId};
use std::cmp::Ordering;

/// Number of a kind in Erlang's order of terms.
const ORDER: [(Kind, u8); 10] = [
    (Kind::Int, 0),
    (Kind::Float, 0),
    (Kind::Atom, 1),
    (Kind::Other, 2),
    (Kind::Fun, 3),
    (Kind::Tuple, 6),
    (Kind::Map, 7),
    (Kind::Nil, 8),
    (Kind::Cons, 9),
    (Kind::Binary, 10),
];

impl Run<'_> {
    /// Whether one value comes before another, or is equal where `or_equal`.
    pub fn less(&mut self, site: u32, a: &Value, b: &Value, or_equal: bool) -> TermId {
        let (a, b) = (self.resolved(a), self.resolved(b));
        if !a.is_symbolic() && !b.is_symbolic() {
            let order = compare(&a, &b, false);
            let holds = order == Ordering::Less || (or_equal && order == Ordering::Equal);
            return self.terms.bool(holds);
        }
        if let (Some(x), Some(y)) = (self.number(&a), self.number(&b)) {
            return self.less_numbers(x, y, or_equal);
        }
        let open = |value: &Value| matches!(value, Value::Symbol(Symbol::Input(_)));
        if open(&a) || open(&b) {
            return self.less_kinds(site, &a, &b, or_equal);
        }
        match (&a, &b) {
            (Value::Cons(x), Value::Cons(y)) => {
                let heads = self.equal(site, &x.head, &y.head, false);
                let first = self.less(site, &x.head, &y.head, false);
                let rest = self.less(site, &x.tail, &y.tail, or_equal);
                let later = self.terms.and(heads, rest);
                self.terms.or(first, later)
            }
            (Value::Tuple(x), Value::Tuple(y)) if x.elements.len() == y.elements.len() => {
                let mut holds = self.terms.bool(or_equal);
                for (x, y) in x.elements.iter().zip(&y.elements).rev() {
                    let same = self.equal(site, x, y, false);
                    let first = self.less(site, x, y, false);
                    let later = self.terms.and(same, holds);
                    holds = self.terms.or(first, later);
                }
                holds
            }
            (Value::Symbol(Symbol::Truth(x)), _) | (_, Value::Symbol(Symbol::Truth(x)))
                if !matches!((&a, &b), (Value::Symbol(_), Value::Symbol(_))) =>
            {
                // `false` comes before `true`.
                let with = |value: bool, which: &Value| match which {
                    Value::Symbol(_) => Value::truth(value),
                    other => other.clone(),
                };
                let yes = compare(&with(true, &a), &with(true, &b), false);
                let no = compare(&with(false, &a), &with(false, &b), false);
                let fits = |order: Ordering| order.is_lt() || (or_equal && order.is_eq());
                let (yes, no) = (self.terms.bool(fits(yes)), self.terms.bool(fits(no)));
                self.terms.ite(*x, yes, no)
            }
            _ => {
                let (rank_a, rank_b) = (self.rank(&a), self.rank(&b));
                if rank_a != rank_b {
                    let holds = rank_a < rank_b;
                    return self.terms.bool(holds);
                }
                self.less_now(site, &a, &b, or_equal)
            }
        }
    }

    /// What holds now is taken to hold always.
    fn less_now(&mut self, site: u32, a: &Value, b: &Value, or_equal: bool) -> TermId {
        self.approximate(ApproximationKind::OpaqueOperation, site);
        let holds = match (self.concrete(a), self.concrete(b)) {
            (Some(a), Some(b)) => {
                let order = compare(&a, &b, false);
                order.is_lt() || (or_equal && order.is_eq())
            }
            _ => false,
        };
        self.terms.bool(holds)
    }

    fn rank(&mut self, value: &Value) -> u8 {
        match value {
            Value::Symbol(Symbol::Int(_) | Symbol::Float(_)) => 0,
            Value::Symbol(Symbol::Truth(_)) => 1,
            other => other.rank(),
        }
    }

    /// Where at least one is a part of the inputs whose kind is open: for each pair of kinds.
    fn less_kinds(&mut self, site: u32, a: &Value, b: &Value, or_equal: bool) -> TermId {
        let mut any = self.terms.bool(false);
        for (kind_a, order_a) in ORDER {
            let is_a = self.is_kind(a, kind_a);
            if self.settled(is_a) == Some(false) {
                continue;
            }
            for (kind_b, order_b) in ORDER {
                let is_b = self.is_kind(b, kind_b);
                if self.settled(is_b) == Some(false) {
                    continue;
                }
                let holds = if order_a != order_b {
                    self.terms.bool(order_a < order_b)
                } else {
                    self.less_same(site, a, b, (kind_a, kind_b), or_equal)
                };
                let both = self.terms.and(is_a, is_b);
                let holds = self.terms.and(both, holds);
                any = self.terms.or(any, holds);
            }
        }
        any
    }

    fn less_same(
        &mut self,
        site: u32,
        a: &Value,
        b: &Value,
        (kind_a, kind_b): (Kind, Kind),
        or_equal: bool,
    ) -> TermId {
        let as_kind = |run: &mut Run<'_>, value: &Value, kind: Kind| match value {
            Value::Symbol(Symbol::Input(node)) => run.as_kind(*node, kind),
            other => other.clone(),
        };
        match kind_a {
            Kind::Int | Kind::Float => {
                let (a, b) = (as_kind(self, a, kind_a), as_kind(self, b, kind_b));
                match (self.number(&a), self.number(&b)) {
                    (Some(x), Some(y)) => self.less_numbers(x, y, or_equal),
                    _ => self.terms.bool(false),
                }
            }
            Kind::Atom => match (self.atom_term(a), self.atom_term(b)) {
                (Some(x), Some(y)) => {
                    let op = if or_equal { Op::BvUle } else { Op::BvUlt };
                    self.terms.compare(op, x, y)
                }
                _ => self.less_now(site, a, b, or_equal),
            },
            Kind::Nil => self.terms.bool(or_equal),
            _ => {
                // Not looked into: equal or not is all that is said.
                self.approximate(ApproximationKind::OpaqueOperation, site);
                if self.holds_kinds(a, b, kind_a, kind_b) {
                    return self.less_now(site, a, b, or_equal);
                }
                self.terms.bool(or_equal)
            }
        }
    }

    fn holds_kinds(&mut self, a: &Value, b: &Value, kind_a: Kind, kind_b: Kind) -> bool {
        let (a, b) = (self.is_kind(a, kind_a), self.is_kind(b, kind_b));
        self.holds(a) && self.holds(b)
    }

    /// The number of an atom, where numbers are in the order of names.
    fn atom_term(&mut self, value: &Value) -> Option<TermId> {
        match value {
            Value::Symbol(Symbol::Input(node)) => Some(self.inputs.atom(self.terms, *node)),
            Value::Atom(name) => {
                let number = self.inputs.atoms.number(name)?;
                (number < self.inputs.atoms.ordered()).then(|| self.terms.bits(16, number.into()))
            }
            _ => None,
        }
    }

    fn less_numbers(&mut self, x: Number, y: Number, or_equal: bool) -> TermId {
        match self.comparable(x, y) {
            (Number::Int(x), Number::Int(y)) => {
                self.ints(if or_equal { Op::BvSle } else { Op::BvSlt }, x, y)
            }
            (x, y) => {
                let (x, y) = (self.as_float(x), self.as_float(y));
                let op = if or_equal { Op::FLe } else { Op::FLt };
                self.terms.float(op, &[x, y], 0)
            }
        }
    }
}

#[cfg(test)]
mod tests;
