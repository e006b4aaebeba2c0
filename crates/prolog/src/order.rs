//! The standard order of terms that are partly unknown: what two terms begin with is a choice, then their parts in turn.

use crate::machine::Machine;
use crate::signature::INTEGER;
use crate::term::order::{rank, standard_order};
use crate::term::{NodeId, Term};
use elsewise_explore::ApproximationKind;
use elsewise_term::Op;
use std::cmp::Ordering;

impl Machine<'_> {
    /// Which of two terms comes first, with choices wherever unknown parts decide it.
    pub(crate) fn compare(&mut self, a: &Term, b: &Term) -> Ordering {
        let mut open = vec![(a.clone(), b.clone())];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.whole(&a), self.whole(&b));
            let order = match (&a, &b) {
                _ if !a.is_symbolic() && !b.is_symbolic() => standard_order(&a, &b),
                (Term::Input(x), Term::Input(y)) if x == y => Ordering::Equal,
                (Term::Input(x), Term::Input(y)) => match self.begin_alike(*x, *y) {
                    // Alike, and known now: once more with that.
                    Ordering::Equal => match (self.begun(*x), self.begun(*y)) {
                        (Some(a), Some(b)) => {
                            open.push((a, b));
                            continue;
                        }
                        _ => Ordering::Equal,
                    },
                    order => order,
                },
                (Term::Input(x), other) => match self.begins_before(*x, other) {
                    Ordering::Equal => {
                        let known = self.settled_as(*x, other);
                        open.push((known, b.clone()));
                        continue;
                    }
                    order => order,
                },
                (other, Term::Input(y)) => match self.begins_before(*y, other) {
                    Ordering::Equal => {
                        let known = self.settled_as(*y, other);
                        open.push((a.clone(), known));
                        continue;
                    }
                    order => order.reverse(),
                },
                (Term::Int(_) | Term::Number(_), Term::Int(_) | Term::Number(_)) => {
                    self.order_ints(&a, &b)
                }
                (Term::Number(_), Term::Float(_)) | (Term::Float(_), Term::Number(_)) => {
                    let here = self.here;
                    self.path
                        .approximate(ApproximationKind::OpaqueOperation, here);
                    let (a, b) = (self.concrete(&a), self.concrete(&b));
                    standard_order(&a, &b)
                }
                (Term::Compound(x), Term::Compound(y)) => {
                    let first = (x.args.len(), &x.name).cmp(&(y.args.len(), &y.name));
                    if first == Ordering::Equal {
                        let pairs = x.args.iter().cloned().zip(y.args.iter().cloned());
                        open.extend(pairs.rev());
                    }
                    first
                }
                _ => rank(&a).cmp(&rank(&b)),
            };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }

    fn order_ints(&mut self, a: &Term, b: &Term) -> Ordering {
        let (x, y) = (self.int_term(a), self.int_term(b));
        let equal = self.compare_ints(Op::Eq, x, y);
        if self.branch(equal) {
            return Ordering::Equal;
        }
        let less = self.compare_ints(Op::BvSlt, x, y);
        match self.branch(less) {
            true => Ordering::Less,
            false => Ordering::Greater,
        }
    }

    /// Which of two unknown parts begins with what comes first.
    fn begin_alike(&mut self, x: NodeId, y: NodeId) -> Ordering {
        let (con_x, con_y) = (
            self.inputs.con(self.terms, x),
            self.inputs.con(self.terms, y),
        );
        let same = self.terms.eq(con_x, con_y);
        if self.branch(same) {
            return Ordering::Equal;
        }
        let less = self.terms.compare(Op::BvUlt, con_x, con_y);
        match self.branch(less) {
            true => Ordering::Less,
            false => Ordering::Greater,
        }
    }

    /// An unknown part as what it begins with, unless that is an atom, which has nothing more.
    fn begun(&mut self, node: NodeId) -> Option<Term> {
        let first = self.inputs.signature.first_compound();
        let atom = self.inputs.within(self.terms, node, 1, first);
        if self.branch(atom) {
            return None;
        }
        let number = self.inputs.is(self.terms, node, INTEGER);
        Some(match self.branch(number) {
            true => self.as_constructor(node, INTEGER),
            false => self.fix_constructor(node),
        })
    }

    /// Whether an unknown part begins with what comes before what a known term begins with.
    fn begins_before(&mut self, node: NodeId, other: &Term) -> Ordering {
        let signature = self.inputs.signature;
        let number = signature.of(other);
        if let Some(number) = number {
            let is = self.inputs.is(self.terms, node, number);
            if self.branch(is) {
                return Ordering::Equal;
            }
        }
        let before = match other {
            Term::Var(_) => 0,
            Term::Int(_) | Term::Number(_) => INTEGER,
            // By value among the integers: taken as it is now.
            Term::Float(_) => {
                let integer = self.inputs.is(self.terms, node, INTEGER);
                if self.branch(integer) {
                    let here = self.here;
                    self.path
                        .approximate(ApproximationKind::OpaqueOperation, here);
                    return standard_order(&self.inputs.present_of(node).clone(), other);
                }
                0
            }
            Term::Atom(name) => signature.before(name, 0),
            Term::Compound(compound) => signature.before(&compound.name, compound.args.len()),
            // Strings stand between numbers and atoms.
            _ => 1,
        };
        let less = self.inputs.within(self.terms, node, 0, before);
        match self.branch(less) {
            true => Ordering::Less,
            false => Ordering::Greater,
        }
    }

    /// An unknown part that begins as a known term does.
    fn settled_as(&mut self, node: NodeId, other: &Term) -> Term {
        match self.inputs.signature.of(other) {
            Some(number) => self.as_constructor(node, number),
            None => Term::Input(node),
        }
    }
}

#[cfg(test)]
mod tests;
