//! The next case: what a model says of the inputs, put into the case that it came from.

use crate::inputs::{bits_big, con_key, int_key, part_key, root_key, unbound_key};
use crate::signature::{INTEGER, Signature};
use crate::term::Term;
use crate::types::{Mode, Type};
use elsewise_term::{Bits, Model, Terms};

pub struct Amended<'a> {
    pub signature: &'a Signature,
    pub terms: &'a Terms,
    pub model: &'a Model,
}

impl Amended<'_> {
    fn get(&self, key: u64) -> Option<&Bits> {
        self.model.get(self.terms.var_by_key(key)?)
    }

    /// An argument; `present` is what the case has now, a variable if it is unbound.
    pub fn argument(&self, at: usize, mode: Mode, of: &Type, present: &Term) -> Term {
        let now = matches!(present, Term::Var(_));
        let unbound = match mode {
            Mode::Ground => false,
            Mode::Unbound => true,
            Mode::Either => self
                .get(unbound_key(at))
                .map_or(now, |bits| !bits.is_zero()),
        };
        if unbound {
            return Term::Var(at as u32);
        }
        let simplest = of.simplest();
        let present = if now { &simplest } else { present };
        self.value(root_key(at), of, present)
    }

    fn value(&self, key: u64, of: &Type, present: &Term) -> Term {
        if let Type::Only(term) = of {
            return term.clone();
        }
        let said = self.get(con_key(key)).and_then(Bits::to_u64);
        let number = match said
            .map(|number| number as u32)
            .or(self.signature.of(present))
        {
            Some(number) => number,
            None => return present.clone(),
        };
        if number == INTEGER {
            let simplest = of.simplest();
            return match (self.get(int_key(key)), present, &simplest) {
                (Some(bits), _, _) => Term::Int(bits_big(bits)),
                (None, Term::Int(value), _) | (None, _, Term::Int(value)) => {
                    Term::Int(value.clone())
                }
                _ => Term::int(0),
            };
        }
        let constructor = self.signature.get(number);
        if constructor.arity == 0 {
            return Term::Atom(constructor.name.clone());
        }
        let args = (0..constructor.arity)
            .map(|index| {
                let of = of.part(&constructor.name, index);
                let there = present.parts().and_then(|(_, args)| args.get(index));
                let present = match there {
                    Some(term) if self.signature.of(term).is_some() => term.clone(),
                    _ => of.simplest(),
                };
                let key = part_key(key, &constructor.name, index);
                self.value(key, &of, &present)
            })
            .collect();
        Term::compound(constructor.name.clone(), args)
    }
}
