//! Unification and equality of terms, as conditions over the inputs.

use crate::inputs::{big_bits, signed_bits};
use crate::machine::{Machine, Undo};
use crate::signature::INTEGER;
use crate::term::{CONS, NIL, NodeId, Term};
use elsewise_explore::ApproximationKind;
use elsewise_term::{Op, TermId};
use num_bigint::BigInt;

/// Parts that a comparison of two unknown terms looks at before it takes the rest for what it is now.
const PARTS: u32 = 100;

impl Machine<'_> {
    pub(crate) fn bool(&mut self, value: bool) -> TermId {
        self.terms.bool(value)
    }

    /// A variable's value, and a part of the inputs as far as choices have settled what it is.
    pub(crate) fn value(&mut self, term: &Term) -> Term {
        let mut term = term.clone();
        while let Term::Var(number) = term {
            match &self.bindings[number as usize] {
                Some(bound) => term = bound.clone(),
                None => return term,
            }
        }
        match term {
            Term::Input(node) => self.settled_input(node),
            other => other,
        }
    }

    fn settled_input(&mut self, node: NodeId) -> Term {
        let con = self.inputs.con(self.terms, node);
        match self.path.fixed(self.terms, con) {
            Some(number) => self.as_constructor(node, number as u32),
            None => Term::Input(node),
        }
    }

    /// A part of the inputs that begins with this.
    pub(crate) fn as_constructor(&mut self, node: NodeId, number: u32) -> Term {
        if number == INTEGER {
            let int = self.inputs.int(self.terms, node);
            return self.number(int);
        }
        let signature = self.inputs.signature;
        let constructor = signature.get(number);
        if constructor.arity == 0 {
            return Term::Atom(constructor.name.clone());
        }
        let name = constructor.name.clone();
        let args = (0..constructor.arity)
            .map(|index| self.inputs.part(node, &name, index))
            .collect();
        Term::compound(name, args)
    }

    /// An integer as a term: known if it is.
    pub(crate) fn number(&mut self, int: TermId) -> Term {
        match self.terms.as_bits(int) {
            Some(bits) => Term::Int(crate::inputs::bits_big(&bits)),
            None => Term::Number(int),
        }
    }

    /// An integer of a term for the solver.
    pub(crate) fn constant(&mut self, value: &BigInt) -> TermId {
        let width = signed_bits(value);
        self.terms.constant(big_bits(value, width))
    }

    pub(crate) fn widened(&mut self, a: TermId, b: TermId, more: u32) -> (TermId, TermId) {
        let width = self.terms.width(a).max(self.terms.width(b)) + more;
        (
            self.terms.sign_extend(a, width),
            self.terms.sign_extend(b, width),
        )
    }

    pub(crate) fn compare_ints(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.widened(a, b, 0);
        match op {
            Op::Eq => self.terms.eq(a, b),
            op => self.terms.compare(op, a, b),
        }
    }

    pub(crate) fn bind(&mut self, var: u32, term: Term) {
        self.bindings[var as usize] = Some(term);
        self.trail.push(Undo::Bound(var));
        self.woken = true;
    }

    /// Under what condition two terms unify; variables are bound as they then would be.
    pub(crate) fn unify(&mut self, a: &Term, b: &Term) -> TermId {
        let mut open = vec![(a.clone(), b.clone())];
        let mut all = self.bool(true);
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.value(&a), self.value(&b));
            let one = match (&a, &b) {
                (Term::Var(x), Term::Var(y)) => {
                    // The younger one is bound to the older one.
                    if x != y {
                        let (young, old) = (*x.max(y), *x.min(y));
                        self.bind(young, Term::Var(old));
                    }
                    continue;
                }
                (Term::Var(x), other) | (other, Term::Var(x)) => {
                    self.bind(*x, other.clone());
                    continue;
                }
                (Term::Input(x), Term::Compound(_)) => self.take_apart(*x, &b, &mut open),
                (Term::Compound(_), Term::Input(y)) => self.take_apart(*y, &a, &mut open),
                (Term::Compound(x), Term::Compound(y)) => {
                    if std::sync::Arc::ptr_eq(x, y) {
                        continue;
                    }
                    if x.name != y.name || x.args.len() != y.args.len() {
                        return self.bool(false);
                    }
                    for (x, y) in x.args.iter().zip(&y.args).rev() {
                        open.push((x.clone(), y.clone()));
                    }
                    continue;
                }
                _ => self.equal_leaves(&a, &b),
            };
            match self.path.settled(self.terms, one) {
                Some(true) => continue,
                Some(false) => return self.bool(false),
                None => all = self.terms.and(all, one),
            }
            if self.terms.as_bool(all) == Some(false) {
                return all;
            }
        }
        all
    }

    /// A part of the inputs against a compound: that it begins so; its arguments are still open.
    fn take_apart(&mut self, node: NodeId, term: &Term, open: &mut Vec<(Term, Term)>) -> TermId {
        let Some((name, args)) = term.parts() else {
            return self.bool(false);
        };
        let Some(number) = self.inputs.signature.number(name, args.len()) else {
            return self.bool(false);
        };
        let is = self.inputs.is(self.terms, node, number);
        if self.path.settled(self.terms, is) == Some(false) {
            return self.bool(false);
        }
        for (index, arg) in args.iter().enumerate().rev() {
            let part = self.inputs.part(node, name, index);
            open.push((part, arg.clone()));
        }
        is
    }

    /// Two terms of which at most one is a compound.
    fn equal_leaves(&mut self, a: &Term, b: &Term) -> TermId {
        match (a, b) {
            (Term::Input(x), Term::Input(y)) => {
                let mut parts = PARTS;
                self.equal_inputs(*x, *y, &mut parts)
            }
            (Term::Input(node), Term::Atom(name)) | (Term::Atom(name), Term::Input(node)) => {
                match self.inputs.signature.number(name, 0) {
                    Some(number) => self.inputs.is(self.terms, *node, number),
                    None => self.bool(false),
                }
            }
            (Term::Input(node), other @ (Term::Int(_) | Term::Number(_)))
            | (other @ (Term::Int(_) | Term::Number(_)), Term::Input(node)) => {
                let is = self.inputs.is(self.terms, *node, INTEGER);
                if self.path.settled(self.terms, is) == Some(false) {
                    return self.bool(false);
                }
                let int = self.inputs.int(self.terms, *node);
                let other = self.int_term(other);
                let same = self.compare_ints(Op::Eq, int, other);
                self.terms.and(is, same)
            }
            (Term::Number(_), Term::Int(_) | Term::Number(_)) | (Term::Int(_), Term::Number(_)) => {
                let (a, b) = (self.int_term(a), self.int_term(b));
                self.compare_ints(Op::Eq, a, b)
            }
            (Term::Float(x), Term::Float(y)) => {
                let same = x.to_bits() == y.to_bits();
                self.bool(same)
            }
            _ => {
                let same = a == b;
                self.bool(same)
            }
        }
    }

    /// An integer, known or not.
    pub(crate) fn int_term(&mut self, term: &Term) -> TermId {
        match term {
            Term::Number(int) => *int,
            Term::Int(value) => self.constant(value),
            _ => self.terms.bits(1, 0),
        }
    }

    pub(crate) fn equal_inputs(&mut self, x: NodeId, y: NodeId, parts: &mut u32) -> TermId {
        if x == y {
            return self.bool(true);
        }
        if *parts == 0 {
            // Too much to say: what holds now is taken to hold always.
            let here = self.here;
            self.path
                .approximate(ApproximationKind::OpaqueOperation, here);
            let same = self.inputs.present_of(x) == self.inputs.present_of(y);
            return self.bool(same);
        }
        *parts -= 1;
        let (con_x, con_y) = (
            self.inputs.con(self.terms, x),
            self.inputs.con(self.terms, y),
        );
        let mut all = self.terms.eq(con_x, con_y);
        let both = |machine: &mut Machine<'_>, number: u32| {
            let may = [x, y].map(|node| machine.inputs.is(machine.terms, node, number));
            let both = machine.terms.and(may[0], may[1]);
            match machine.path.settled(machine.terms, both) {
                Some(false) => None,
                _ => Some(may[0]),
            }
        };
        if let Some(is) = both(self, INTEGER) {
            let (a, b) = (
                self.inputs.int(self.terms, x),
                self.inputs.int(self.terms, y),
            );
            let same = self.compare_ints(Op::Eq, a, b);
            all = self.implied(all, is, same);
        }
        // A list has parts of its own.
        let cons = self.inputs.signature.number(CONS, 2);
        let numbers = self.inputs.allowed(x).to_vec();
        let signature = self.inputs.signature;
        let most = numbers
            .iter()
            .filter(|number| Some(**number) != cons)
            .map(|number| signature.get(*number).arity)
            .max()
            .unwrap_or(0);
        for index in 0..most {
            let from = signature.first_with_more_than(index);
            let mut has = self.inputs.within(self.terms, x, from, signature.len());
            let may = self.inputs.within(self.terms, y, from, signature.len());
            if self.terms.as_bool(has) == Some(false) || self.terms.as_bool(may) == Some(false) {
                break;
            }
            if let Some(cons) = cons
                && index < 2
            {
                let is = self.inputs.is(self.terms, x, cons);
                let not = self.terms.not(is);
                has = self.terms.and(has, not);
            }
            if self.path.settled(self.terms, has) == Some(false) {
                continue;
            }
            let same = self.equal_parts(x, y, "", index, parts);
            all = self.implied(all, has, same);
        }
        if let Some(cons) = cons
            && let Some(is) = both(self, cons)
        {
            for index in 0..2 {
                let same = self.equal_parts(x, y, CONS, index, parts);
                all = self.implied(all, is, same);
            }
        }
        all
    }

    fn equal_parts(
        &mut self,
        x: NodeId,
        y: NodeId,
        name: &str,
        index: usize,
        parts: &mut u32,
    ) -> TermId {
        let (a, b) = (
            self.inputs.part(x, name, index),
            self.inputs.part(y, name, index),
        );
        match (a, b) {
            (Term::Input(a), Term::Input(b)) => self.equal_inputs(a, b, parts),
            (a, b) => self.equal_leaves(&a, &b),
        }
    }

    fn implied(&mut self, all: TermId, if_so: TermId, then: TermId) -> TermId {
        let not = self.terms.not(if_so);
        let holds = self.terms.or(not, then);
        self.terms.and(all, holds)
    }

    /// Whether two terms are the same without binding anything (`==`).
    pub(crate) fn same(&mut self, a: &Term, b: &Term) -> TermId {
        let mut open = vec![(a.clone(), b.clone())];
        let mut all = self.bool(true);
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.value(&a), self.value(&b));
            let one = match (&a, &b) {
                (Term::Var(x), Term::Var(y)) if x == y => continue,
                (Term::Var(_), _) | (_, Term::Var(_)) => return self.bool(false),
                (Term::Input(x), Term::Compound(_)) => self.take_apart(*x, &b, &mut open),
                (Term::Compound(_), Term::Input(y)) => self.take_apart(*y, &a, &mut open),
                (Term::Compound(x), Term::Compound(y)) => {
                    if x.name != y.name || x.args.len() != y.args.len() {
                        return self.bool(false);
                    }
                    for (x, y) in x.args.iter().zip(&y.args).rev() {
                        open.push((x.clone(), y.clone()));
                    }
                    continue;
                }
                _ => self.equal_leaves(&a, &b),
            };
            all = self.terms.and(all, one);
            if self.terms.as_bool(all) == Some(false) {
                return all;
            }
        }
        all
    }

    /// Whether two terms unify, and nothing is bound.
    pub(crate) fn unifiable(&mut self, a: &Term, b: &Term) -> TermId {
        let (mark, woken) = (self.trail.len(), self.woken);
        let condition = self.unify(a, b);
        self.undo(mark);
        self.woken = woken;
        condition
    }

    /// A term with the values of its variables put in.
    pub(crate) fn whole(&mut self, term: &Term) -> Term {
        let term = self.value(term);
        match &term {
            Term::Compound(compound) if !compound.ground => {
                let mut open = Vec::new();
                let mut rest = term.clone();
                // Along the last argument without a call each: lists are long.
                let mut last = loop {
                    let Term::Compound(compound) = &rest else {
                        break rest;
                    };
                    let Some((end, front)) = compound.args.split_last() else {
                        break rest;
                    };
                    if compound.ground {
                        break rest;
                    }
                    let front: Vec<Term> = front.iter().map(|arg| self.whole(arg)).collect();
                    open.push((compound.name.clone(), front));
                    let end = self.value(end);
                    rest = end;
                };
                while let Some((name, mut args)) = open.pop() {
                    args.push(last);
                    last = Term::compound(name, args);
                }
                last
            }
            _ => term,
        }
    }

    /// The term as it is in this run; variables stay.
    pub(crate) fn concrete(&mut self, term: &Term) -> Term {
        let term = self.whole(term);
        self.made_known(&term)
    }

    fn made_known(&mut self, term: &Term) -> Term {
        match term {
            Term::Input(node) => self.inputs.present_of(*node).clone(),
            Term::Number(int) => {
                let bits = self.path.now(self.terms, &self.inputs.present, *int);
                Term::Int(crate::inputs::bits_big(&bits))
            }
            Term::Compound(compound) if compound.symbolic || !compound.ground => {
                let args = compound
                    .args
                    .iter()
                    .map(|arg| self.made_known(arg))
                    .collect();
                Term::compound(compound.name.clone(), args)
            }
            other => other.clone(),
        }
    }

    /// Whether a term is a list that ends, as a condition.
    pub(crate) fn is_list(&mut self, term: &Term) -> TermId {
        let mut rest = self.value(term);
        loop {
            match &rest {
                Term::Input(node) => return self.is_list_input(*node),
                Term::Compound(compound) if *compound.name == *CONS && compound.args.len() == 2 => {
                    rest = self.value(&compound.args[1].clone());
                }
                other => {
                    let is = other.is_atom(NIL);
                    return self.bool(is);
                }
            }
        }
    }

    fn is_list_input(&mut self, node: NodeId) -> TermId {
        let signature = self.inputs.signature;
        let nil = match signature.number(NIL, 0) {
            Some(nil) => self.inputs.is(self.terms, node, nil),
            None => self.bool(false),
        };
        let Some(cons) = signature.number(CONS, 2) else {
            return nil;
        };
        let cons = self.inputs.is(self.terms, node, cons);
        if self.path.settled(self.terms, cons) == Some(false) {
            return nil;
        }
        let tail = match self.inputs.part(node, CONS, 1) {
            Term::Input(tail) => self.is_list_input(tail),
            other => {
                let is = other.is_atom(NIL);
                self.bool(is)
            }
        };
        let both = self.terms.and(cons, tail);
        self.terms.or(nil, both)
    }
}

#[cfg(test)]
mod tests;
