//! What ground terms of the inputs can be made of, numbered in the standard order of terms: the
//! integers (all of them one number), then atoms by name, then compounds by arity and name. So the
//! order of two numbers is the order of two terms that begin differently.

use crate::term::order::atom_order;
use crate::term::{CONS, NIL, Term};
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub const CON_BITS: u32 = 16;
/// Any integer.
pub const INTEGER: u32 = 0;
/// Constants that the program does not mention.
const FRESH: usize = 4;
const MOST: usize = 60_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constructor {
    pub name: Arc<str>,
    pub arity: usize,
}

#[derive(Debug, Default)]
pub struct Signature {
    all: Vec<Constructor>,
    numbers: FxHashMap<(Arc<str>, usize), u32>,
    /// The first compound.
    compounds: u32,
    /// Those that the program does not mention.
    pub fresh: Vec<Arc<str>>,
}

/// By arity, then by name.
fn place(name: &str, arity: usize) -> (usize, (bool, &str)) {
    (arity, atom_order(name))
}

/// Gathers what a program mentions.
#[derive(Default)]
pub struct Mentioned(FxHashMap<(Arc<str>, usize), ()>);

impl Mentioned {
    pub fn term(&mut self, term: &Term) {
        match term {
            Term::Atom(name) => {
                self.0.insert((name.clone(), 0), ());
            }
            Term::Compound(compound) => {
                let key = (compound.name.clone(), compound.args.len());
                self.0.insert(key, ());
                for arg in &compound.args {
                    self.term(arg);
                }
            }
            _ => {}
        }
    }

    pub fn of_type(&mut self, of: &Type) {
        match of {
            Type::List(of) => {
                self.0.insert((CONS.into(), 2), ());
                self.0.insert((NIL.into(), 0), ());
                self.of_type(of);
            }
            Type::OneOf(all) => all.iter().for_each(|term| self.term(term)),
            Type::Of(name, args) => {
                self.0.insert((name.clone(), args.len()), ());
                args.iter().for_each(|of| self.of_type(of));
            }
            Type::Char => {
                for letter in ["a", "b", "0", " "] {
                    self.0.insert((letter.into(), 0), ());
                }
            }
            _ => {}
        }
    }
}

impl Signature {
    pub fn new(mentioned: Mentioned) -> Signature {
        let mut all: Vec<Constructor> = mentioned
            .0
            .into_keys()
            .map(|(name, arity)| Constructor { name, arity })
            .collect();
        let letters = (b'a'..=b'z').map(|letter| char::from(letter).to_string());
        let fresh: Vec<Arc<str>> = letters
            .filter(|letter| !all.iter().any(|it| *it.name == **letter))
            .take(FRESH)
            .map(Arc::from)
            .collect();
        all.extend(
            fresh
                .iter()
                .cloned()
                .map(|name| Constructor { name, arity: 0 }),
        );
        all.sort_by(|a, b| place(&a.name, a.arity).cmp(&place(&b.name, b.arity)));
        all.truncate(MOST);
        let integer = Constructor {
            name: "integer".into(),
            arity: 0,
        };
        all.insert(INTEGER as usize, integer);
        let numbers = (1..)
            .zip(&all[1..])
            .map(|(number, it)| ((it.name.clone(), it.arity), number))
            .collect();
        Signature {
            compounds: all.iter().position(|it| it.arity > 0).unwrap_or(all.len()) as u32,
            all,
            numbers,
            fresh,
        }
    }

    pub fn len(&self) -> u32 {
        self.all.len() as u32
    }

    pub fn get(&self, number: u32) -> &Constructor {
        &self.all[(number as usize).min(self.all.len() - 1)]
    }

    pub fn number(&self, name: &str, arity: usize) -> Option<u32> {
        self.numbers.get(&(Arc::from(name), arity)).copied()
    }

    /// The number of the outermost part of a term.
    pub fn of(&self, term: &Term) -> Option<u32> {
        match term {
            Term::Int(_) | Term::Number(_) => Some(INTEGER),
            Term::Atom(name) => self.number(name, 0),
            Term::Compound(compound) => self.number(&compound.name, compound.args.len()),
            _ => None,
        }
    }

    /// Of atoms: `1 .. compounds`.
    pub fn first_compound(&self) -> u32 {
        self.compounds
    }

    /// The first compound with more than so many arguments.
    pub fn first_with_more_than(&self, args: usize) -> u32 {
        self.all.partition_point(|it| it.arity <= args).max(1) as u32
    }

    /// How many come before a constructor in the standard order, whether it is one of them or not.
    pub fn before(&self, name: &str, arity: usize) -> u32 {
        let before = |it: &Constructor| place(&it.name, it.arity) < place(name, arity);
        (1 + self.all[1..].partition_point(before)) as u32
    }

    /// Numbers of what a term of this type can begin with.
    pub fn allowed(&self, of: &Type, compounds: bool) -> Vec<u32> {
        let count = self.len();
        let all = |range: std::ops::Range<u32>| range.collect::<Vec<u32>>();
        let mut allowed = match of {
            Type::Any => all(0..count),
            Type::Integer(..) => vec![INTEGER],
            Type::Atom => {
                let mut atoms = all(1..self.compounds);
                atoms.retain(|number| *self.get(*number).name != *NIL);
                atoms
            }
            Type::Atomic => all(0..self.compounds),
            Type::Callable => all(1..count),
            Type::Compound => all(self.compounds..count),
            Type::Char => {
                let mut atoms = all(1..self.compounds);
                atoms.retain(|number| self.get(*number).name.chars().count() == 1);
                atoms
            }
            Type::OneOf(terms) => {
                let mut numbers: Vec<u32> = terms.iter().filter_map(|it| self.of(it)).collect();
                numbers.sort_unstable();
                numbers.dedup();
                numbers
            }
            Type::List(_) => {
                let numbers = [self.number(NIL, 0), self.number(CONS, 2)];
                numbers.into_iter().flatten().collect()
            }
            Type::Of(name, args) => self.number(name, args.len()).into_iter().collect(),
            Type::Only(_) => Vec::new(),
        };
        // At the depth that is allowed, what has no parts, if there is such.
        if !compounds && allowed.iter().any(|number| *number < self.compounds) {
            allowed.retain(|number| *number < self.compounds);
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_hand::{TERMS, mentions, term};
    use crate::term::order::standard_order;

    #[test]
    fn numbers_are_in_the_standard_order() {
        let signature = mentions().signature;
        for first in TERMS.map(term) {
            for second in TERMS.map(term) {
                let numbers = [&first, &second].map(|term| signature.of(term).expect("a number"));
                if numbers[0] != numbers[1] {
                    let order = standard_order(&first, &second);
                    assert_eq!(numbers[0].cmp(&numbers[1]), order, "{first:?} {second:?}");
                }
            }
        }
    }

    /// As many come before a name as have smaller numbers, whether the name has one or not.
    #[test]
    fn what_has_no_number_has_a_place() {
        let signature = mentions().signature;
        for text in [
            "a", "aa", "'A'", "zzz", "f(a)", "e(a)", "h(a)", "[a]", "f(a,b,c)",
        ] {
            let (name, args) = match &term(text) {
                Term::Atom(name) => (name.to_string(), Vec::new()),
                other => other
                    .parts()
                    .map(|(name, args)| (name.to_owned(), args.to_vec()))
                    .expect("a compound"),
            };
            let shape = |name: &str, arity: usize| match arity {
                0 => Term::atom(name),
                _ => Term::compound(name, vec![Term::nil(); arity]),
            };
            let this = shape(&name, args.len());
            let before = (1..signature.len())
                .filter(|number| {
                    let other = signature.get(*number);
                    standard_order(&shape(&other.name, other.arity), &this).is_lt()
                })
                .count() as u32;
            assert_eq!(signature.before(&name, args.len()), before + 1, "{text}");
        }
    }

    #[test]
    fn constants_that_nobody_mentions_are_among_them() {
        let signature = mentions().signature;
        assert_eq!(signature.fresh.len(), FRESH);
        for name in &signature.fresh {
            assert!(!["a", "b", "f", "g"].contains(&&**name));
            assert!(signature.number(name, 0).is_some());
        }
    }

    #[test]
    fn compounds_follow_by_arity() {
        let signature = mentions().signature;
        for args in 0..4 {
            let from = signature.first_with_more_than(args);
            for number in 1..signature.len() {
                let more = signature.get(number).arity > args;
                assert_eq!(more, number >= from, "{number} {args}");
            }
        }
        assert_eq!(
            signature.first_compound(),
            signature.first_with_more_than(0)
        );
    }

    #[test]
    fn types_allow_what_is_of_them() {
        let signature = mentions().signature;
        let allowed = |of: &Type, deep: bool| {
            let numbers = signature.allowed(of, !deep);
            let shown = numbers.iter().map(|number| {
                let one = signature.get(*number);
                format!("{}/{}", one.name, one.arity)
            });
            shown.collect::<Vec<String>>()
        };
        let list = Type::List(Arc::new(Type::Any));
        assert_eq!(allowed(&list, false), ["[]/0", "[|]/2"]);
        // Where it is as deep as it may be, it ends.
        assert_eq!(allowed(&list, true), ["[]/0"]);
        assert_eq!(allowed(&Type::Integer(None, None), false), ["integer/0"]);
        assert_eq!(allowed(&Type::Compound, false), ["f/1", "[|]/2", "g/2"]);
        assert!(!allowed(&Type::Atom, false).contains(&"[]/0".to_owned()));
        let one_of = Type::OneOf(["b", "f(a)", "1"].map(term).to_vec());
        assert_eq!(allowed(&one_of, false), ["integer/0", "b/0", "f/1"]);
    }
}
