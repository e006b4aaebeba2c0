//! Terms of Prolog, with parts that are unknown: inputs, and integers that were computed from them.

pub mod order;

use elsewise_term::TermId;
use num_bigint::BigInt;
use std::sync::Arc;

/// A part of the inputs: its place among those that a run has looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub u32);

#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// In a clause, one of its own variables; in a run, a place in the store.
    Var(u32),
    Atom(Arc<str>),
    Int(BigInt),
    Float(f64),
    Text(Arc<str>),
    Compound(Arc<Compound>),
    /// A stream and the like: kept as it is.
    Blob(Arc<str>),
    /// A part of the inputs; it is ground.
    Input(NodeId),
    /// An integer that was computed from inputs.
    Number(TermId),
}

#[derive(Debug, PartialEq)]
pub struct Compound {
    pub name: Arc<str>,
    pub args: Vec<Term>,
    /// Without variables.
    pub ground: bool,
    /// With unknown parts.
    pub symbolic: bool,
}

pub const CONS: &str = "[|]";
pub const NIL: &str = "[]";

/// Ends a long list without a call for each of its elements.
impl Drop for Compound {
    fn drop(&mut self) {
        let Some(mut last) = self.args.pop() else {
            return;
        };
        while let Term::Compound(rest) = last {
            let Ok(mut rest) = Arc::try_unwrap(rest) else {
                return;
            };
            match rest.args.pop() {
                Some(next) => last = next,
                None => return,
            }
        }
    }
}

impl Term {
    pub fn atom(name: &str) -> Term {
        Term::Atom(Arc::from(name))
    }

    pub fn int(value: i64) -> Term {
        Term::Int(BigInt::from(value))
    }

    pub fn compound(name: impl Into<Arc<str>>, args: Vec<Term>) -> Term {
        Term::Compound(Arc::new(Compound {
            name: name.into(),
            ground: args.iter().all(Term::is_ground),
            symbolic: args.iter().any(Term::is_symbolic),
            args,
        }))
    }

    pub fn cons(head: Term, tail: Term) -> Term {
        Term::compound(CONS, vec![head, tail])
    }

    pub fn nil() -> Term {
        Term::atom(NIL)
    }

    pub fn list(elements: Vec<Term>) -> Term {
        Term::list_ending(elements, Term::nil())
    }

    pub fn list_ending(elements: Vec<Term>, tail: Term) -> Term {
        let elements = elements.into_iter().rev();
        elements.fold(tail, |tail, head| Term::cons(head, tail))
    }

    /// Without variables, as far as the term itself tells.
    pub fn is_ground(&self) -> bool {
        match self {
            Term::Var(_) => false,
            Term::Compound(compound) => compound.ground,
            _ => true,
        }
    }

    /// With unknown parts, as far as the term itself tells.
    pub fn is_symbolic(&self) -> bool {
        match self {
            Term::Input(_) | Term::Number(_) => true,
            Term::Compound(compound) => compound.symbolic,
            _ => false,
        }
    }

    pub fn is_atom(&self, name: &str) -> bool {
        matches!(self, Term::Atom(it) if **it == *name)
    }

    pub fn as_atom(&self) -> Option<&str> {
        match self {
            Term::Atom(name) => Some(name),
            _ => None,
        }
    }

    pub fn as_u32(&self) -> Option<u32> {
        match self {
            Term::Int(value) => u32::try_from(value).ok(),
            _ => None,
        }
    }

    /// The name and the arguments of a compound.
    pub fn parts(&self) -> Option<(&str, &[Term])> {
        match self {
            Term::Compound(compound) => Some((&compound.name, &compound.args)),
            _ => None,
        }
    }

    /// The arguments of a compound of this name and size.
    pub fn args_of<const N: usize>(&self, name: &str) -> Option<&[Term; N]> {
        match self {
            Term::Compound(compound) if *compound.name == *name => {
                compound.args.as_slice().try_into().ok()
            }
            _ => None,
        }
    }

    /// The elements of a list that ends.
    pub fn elements(&self) -> Option<Vec<Term>> {
        let mut elements = Vec::new();
        let mut rest = self;
        while let Some([head, tail]) = rest.args_of(CONS) {
            elements.push(head.clone());
            rest = tail;
        }
        rest.is_atom(NIL).then_some(elements)
    }

    /// The same with other variables.
    pub fn with_vars(&self, var: &mut impl FnMut(u32) -> Term) -> Term {
        if self.is_ground() {
            return self.clone();
        }
        match self {
            Term::Var(number) => var(*number),
            Term::Compound(_) => {
                // Along the last argument without a call each: lists are long.
                let mut open: Vec<(Arc<str>, Vec<Term>)> = Vec::new();
                let mut rest = self.clone();
                let mut last = loop {
                    match &rest {
                        Term::Compound(compound) if !compound.ground => {
                            let (end, front) = match compound.args.split_last() {
                                Some(parts) => parts,
                                None => break rest.clone(),
                            };
                            let front = front.iter().map(|arg| arg.with_vars(var)).collect();
                            open.push((compound.name.clone(), front));
                            let end = end.clone();
                            rest = end;
                        }
                        Term::Var(number) => break var(*number),
                        other => break other.clone(),
                    }
                };
                while let Some((name, mut args)) = open.pop() {
                    args.push(last);
                    last = Term::compound(name, args);
                }
                last
            }
            other => other.clone(),
        }
    }
}
