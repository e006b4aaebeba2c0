//! The standard order of terms that are known.

use super::{NIL, Term};
use num_bigint::BigInt;
use std::cmp::Ordering;

/// Variables, numbers, strings, atoms, compounds: as SWI-Prolog has it.
pub fn rank(term: &Term) -> u8 {
    match term {
        Term::Var(_) => 0,
        Term::Int(_) | Term::Float(_) | Term::Number(_) => 1,
        Term::Text(_) => 2,
        Term::Atom(_) | Term::Blob(_) => 3,
        Term::Compound(_) | Term::Input(_) => 5,
    }
}

/// The standard order of terms that are known.
pub fn standard_order(a: &Term, b: &Term) -> Ordering {
    let mut open = vec![(a, b)];
    while let Some((a, b)) = open.pop() {
        let order = match (a, b) {
            (Term::Var(x), Term::Var(y)) => x.cmp(y),
            (Term::Int(x), Term::Int(y)) => x.cmp(y),
            (Term::Float(x), Term::Float(y)) => x.total_cmp(y),
            (Term::Float(x), Term::Int(y)) => mixed(*x, y),
            (Term::Int(x), Term::Float(y)) => mixed(*y, x).reverse(),
            (Term::Text(x), Term::Text(y)) => x.cmp(y),
            (Term::Atom(x), Term::Atom(y)) => atom_order(x).cmp(&atom_order(y)),
            (Term::Compound(x), Term::Compound(y)) => {
                let first = (x.args.len(), &x.name).cmp(&(y.args.len(), &y.name));
                if first == Ordering::Equal {
                    open.extend(x.args.iter().zip(&y.args).rev());
                }
                first
            }
            _ => rank(a).cmp(&rank(b)),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

/// The empty list comes before all other atoms.
pub fn atom_order(name: &str) -> (bool, &str) {
    (name != NIL, name)
}

/// By value; the float comes first if they are equal.
fn mixed(x: f64, y: &BigInt) -> Ordering {
    let whole = BigInt::parse_bytes(format!("{:.0}", x.trunc()).as_bytes(), 10).unwrap_or_default();
    let order = match whole.cmp(y) {
        Ordering::Equal => x.fract().partial_cmp(&0.0).unwrap_or(Ordering::Equal),
        order => order,
    };
    order.then(Ordering::Less)
}
