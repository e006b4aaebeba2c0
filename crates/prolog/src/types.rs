//! What a mode line says of an argument.

use crate::term::{CONS, NIL, Term};
use num_bigint::BigInt;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Any,
    Integer(Option<BigInt>, Option<BigInt>),
    Atom,
    Atomic,
    Callable,
    Compound,
    /// A single character.
    Char,
    OneOf(Vec<Term>),
    List(Arc<Type>),
    /// A compound of these arguments.
    Of(Arc<str>, Vec<Arc<Type>>),
    /// Something that is not made, but always this.
    Only(Term),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Ground,
    Unbound,
    Either,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Determinism {
    Det,
    Semidet,
    Multi,
    Failure,
    Any,
}

impl Type {
    /// As pldoc and library(error) name them; what is not known could be anything.
    pub fn read(term: &Term) -> Type {
        let integer = |low: Option<i64>| Type::Integer(low.map(BigInt::from), None);
        let list = |of: Type| Type::List(Arc::new(of));
        match term {
            Term::Atom(name) => match &**name {
                "integer" | "int" | "number" | "rational" => integer(None),
                "nonneg" | "natural" => integer(Some(0)),
                "positive_integer" | "pos_integer" => integer(Some(1)),
                "byte" | "code" => Type::Integer(Some(0.into()), Some(255.into())),
                "atom" | "symbol" => Type::Atom,
                "atomic" | "constant" => Type::Atomic,
                "callable" => Type::Callable,
                "compound" => Type::Compound,
                "char" => Type::Char,
                "boolean" | "bool" => Type::OneOf(vec![Term::atom("true"), Term::atom("false")]),
                "list" | "proper_list" | "list_or_partial" => list(Type::Any),
                "codes" => list(Type::read(&Term::atom("code"))),
                "chars" => list(Type::Char),
                "pair" => Type::Of("-".into(), vec![Arc::new(Type::Any), Arc::new(Type::Any)]),
                "pairs" => list(Type::read(&Term::atom("pair"))),
                "string" | "text" => Type::Only(Term::Text("a".into())),
                "float" => Type::Only(Term::Float(1.0)),
                "order" => Type::OneOf(["<", "=", ">"].map(Term::atom).to_vec()),
                NIL => Type::Only(Term::nil()),
                _ => Type::Any,
            },
            _ => Type::of_parts(term),
        }
    }

    fn of_parts(term: &Term) -> Type {
        let number = |term: &Term| match term {
            Term::Int(value) => Some(value.clone()),
            _ => None,
        };
        match term.parts() {
            Some(("list" | "list_of", [of])) => Type::List(Arc::new(Type::read(of))),
            Some((CONS, [of, _])) => Type::List(Arc::new(Type::read(of))),
            Some(("between", [low, high])) => Type::Integer(number(low), number(high)),
            Some(("oneof", [all])) => match all.elements() {
                Some(all) if !all.is_empty() => Type::OneOf(all),
                _ => Type::Any,
            },
            Some(("pair", [key, value])) => Type::Of(
                "-".into(),
                vec![Arc::new(Type::read(key)), Arc::new(Type::read(value))],
            ),
            Some(("-", [key, value])) => Type::Of(
                "-".into(),
                vec![Arc::new(Type::read(key)), Arc::new(Type::read(value))],
            ),
            _ => Type::Any,
        }
    }

    /// Something of the type.
    pub fn simplest(&self) -> Term {
        match self {
            Type::Any | Type::Atom | Type::Atomic | Type::Callable | Type::Char => Term::atom("a"),
            Type::Integer(low, high) => {
                let zero = BigInt::default();
                let above = low.clone().filter(|low| *low > zero);
                let below = high.clone().filter(|high| *high < zero);
                Term::Int(above.or(below).unwrap_or(zero))
            }
            Type::Compound => Term::cons(Term::atom("a"), Term::nil()),
            Type::OneOf(all) => all[0].clone(),
            Type::List(_) => Term::nil(),
            Type::Of(name, args) => {
                Term::compound(name.clone(), args.iter().map(|of| of.simplest()).collect())
            }
            Type::Only(term) => term.clone(),
        }
    }

    /// The type of an argument of a compound of the type.
    pub fn part(&self, name: &str, index: usize) -> Arc<Type> {
        let any = || Arc::new(Type::Any);
        match self {
            Type::List(of) if name == CONS => match index {
                0 => of.clone(),
                _ => Arc::new(self.clone()),
            },
            Type::Of(_, args) => args.get(index).cloned().unwrap_or_else(any),
            _ => any(),
        }
    }

    /// Whether a ground term is of the type.
    pub fn contains(&self, term: &Term) -> bool {
        match self {
            Type::Any => true,
            Type::Integer(low, high) => match term {
                Term::Int(value) => {
                    low.as_ref().is_none_or(|low| low <= value)
                        && high.as_ref().is_none_or(|high| value <= high)
                }
                _ => false,
            },
            Type::Atom => matches!(term, Term::Atom(_)),
            Type::Atomic => !matches!(term, Term::Compound(_) | Term::Var(_)),
            Type::Callable => matches!(term, Term::Atom(_) | Term::Compound(_)),
            Type::Compound => matches!(term, Term::Compound(_)),
            Type::Char => term.as_atom().is_some_and(|name| name.chars().count() == 1),
            Type::OneOf(all) => all.contains(term),
            Type::List(of) => match term.elements() {
                Some(elements) => elements.iter().all(|element| of.contains(element)),
                None => false,
            },
            Type::Of(name, types) => match term.parts() {
                Some((it, args)) => {
                    *it == **name
                        && args.len() == types.len()
                        && args.iter().zip(types).all(|(arg, of)| of.contains(arg))
                }
                None => false,
            },
            Type::Only(only) => term == only,
        }
    }
}

impl Determinism {
    pub fn read(name: &str) -> Determinism {
        match name {
            "det" => Determinism::Det,
            "semidet" => Determinism::Semidet,
            "multi" => Determinism::Multi,
            "failure" => Determinism::Failure,
            _ => Determinism::Any,
        }
    }
}
