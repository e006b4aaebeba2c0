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
