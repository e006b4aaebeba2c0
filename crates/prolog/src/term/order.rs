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
            (Term::Float(x), Term::Float(y)) => match (x.is_nan(), y.is_nan()) {
                (false, false) => x.total_cmp(y),
                (x, y) => y.cmp(&x),
            },
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

/// By value; the float comes first if they are equal, or if it is no number.
fn mixed(x: f64, y: &BigInt) -> Ordering {
    if !x.is_finite() {
        return match x == f64::INFINITY {
            true => Ordering::Greater,
            false => Ordering::Less,
        };
    }
    let whole = BigInt::parse_bytes(format!("{:.0}", x.trunc()).as_bytes(), 10).unwrap_or_default();
    let order = match whole.cmp(y) {
        Ordering::Equal => x.fract().partial_cmp(&0.0).unwrap_or(Ordering::Equal),
        order => order,
    };
    order.then(Ordering::Less)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    /// Ascending, as the manual of SWI-Prolog says: variables, numbers by value, strings, atoms with the
    /// empty list first, compounds by arity, name and arguments.
    const ASCENDING: [&str; 30] = [
        "_0",
        "-99999999999999999999",
        "-1.5",
        "-1",
        "-0.5",
        "-0.0",
        "0.0",
        "0",
        "0.5",
        "1.0",
        "1",
        "1.5",
        "9007199254740992.0",
        "9007199254740993",
        "1.0e30",
        "\"a\"",
        "\"b\"",
        "[]",
        "''",
        "'A'",
        "a",
        "ab",
        "b",
        "f(a)",
        "f(b)",
        "g(a)",
        "[a]",
        "f(a,b)",
        "f(b,a)",
        "a(a,a,a)",
    ];

    #[test]
    fn all_terms_have_their_place() {
        let terms: Vec<Term> = ASCENDING
            .iter()
            .map(|text| parse(text).unwrap_or_else(|| panic!("{text}")))
            .collect();
        for (at, one) in terms.iter().enumerate() {
            for (place, other) in terms.iter().enumerate() {
                let order = standard_order(one, other);
                assert_eq!(
                    order,
                    at.cmp(&place),
                    "{} {}",
                    ASCENDING[at],
                    ASCENDING[place]
                );
            }
        }
    }

    #[test]
    fn the_first_argument_that_differs_decides() {
        let order = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|text| parse(text).expect("a term"));
            standard_order(&a, &b)
        };
        assert_eq!(order("f(a,b,z)", "f(a,c,a)"), Ordering::Less);
        assert_eq!(order("f(1,b)", "f(1.0,a)"), Ordering::Greater);
        assert_eq!(order("f(g(a),b)", "f(g(a),b)"), Ordering::Equal);
        assert_eq!(order("[a,b]", "[a,b,c]"), Ordering::Less);
    }

    /// Infinite floats are beyond all integers, and what is no number is before all numbers.
    #[test]
    fn floats_that_are_not_finite_have_their_place() {
        let order = |a: &Term, b: &Term| standard_order(a, b);
        let [nan, low, high] = [f64::NAN, f64::NEG_INFINITY, f64::INFINITY].map(Term::Float);
        for number in [Term::int(5), Term::int(-5), Term::int(0), Term::Float(1.5)] {
            assert_eq!(order(&low, &number), Ordering::Less, "{number:?}");
            assert_eq!(order(&number, &low), Ordering::Greater, "{number:?}");
            assert_eq!(order(&high, &number), Ordering::Greater, "{number:?}");
            assert_eq!(order(&number, &high), Ordering::Less, "{number:?}");
            assert_eq!(order(&nan, &number), Ordering::Less, "{number:?}");
            assert_eq!(order(&number, &nan), Ordering::Greater, "{number:?}");
        }
        assert_eq!(order(&nan, &low), Ordering::Less);
        assert_eq!(order(&nan, &nan), Ordering::Equal);
        assert_eq!(order(&high, &high), Ordering::Equal);
    }
}
