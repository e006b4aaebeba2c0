//! The standard order of unknown terms is that of the terms that they are.

use super::*;
use crate::by_hand::{TERMS, mentions, term, with};
use elsewise_term::Terms;

#[test]
fn inputs_are_ordered_as_what_they_are() {
    let program = mentions();
    for first in TERMS {
        for second in TERMS {
            let expected = standard_order(&term(first), &term(second));
            let mut terms = Terms::new();
            let inputs = [first, second];
            with(&program, &mut terms, &inputs, "", |machine, args| {
                let order = machine.compare(&args[0], &args[1]);
                assert_eq!(order, expected, "{first} {second}");
                // The other way round is the opposite, and known by now.
                let choices = machine.path.choices.len();
                let order = machine.compare(&args[1], &args[0]);
                assert_eq!(order, expected.reverse(), "{second} {first}");
                if expected.is_eq() {
                    assert_eq!(machine.path.choices.len(), choices);
                }
            });
        }
    }
}

#[test]
fn inputs_are_ordered_among_known_terms() {
    let program = mentions();
    let others = [
        "_0", "\"a\"", "aa", "'A'", "h(a)", "f(_0)", "f(a,b,c)", "2", "-100", "k(a,b)", "e(a,b)",
    ];
    for value in TERMS {
        for other in others {
            let mut terms = Terms::new();
            with(&program, &mut terms, &[value], "", |machine, args| {
                let other = machine.made(other);
                let expected = standard_order(&term(value), &other);
                let order = machine.compare(&args[0], &other);
                assert_eq!(order, expected, "{value} {other:?}");
                let order = machine.compare(&other, &args[0]);
                assert_eq!(order, expected.reverse(), "{other:?} {value}");
            });
        }
    }
}

/// The choices of a comparison lead to each of its results, and only there: another input that takes the
/// same ways has the same order.
#[test]
fn inputs_that_take_the_same_ways_have_the_same_order() {
    let program = mentions();
    let mut by_ways: std::collections::BTreeMap<Vec<(u64, String)>, Ordering> = Default::default();
    let mut terms = Terms::new();
    for value in TERMS {
        let (ways, order) = with(&program, &mut terms, &[value], "", |machine, args| {
            let order = machine.compare(&args[0], &term("g(a,b)"));
            let choices = machine.path.choices.iter();
            let ways = choices.map(|one| (one.taken, format!("{:?}", one.shape)));
            (ways.collect(), order)
        });
        assert_eq!(*by_ways.entry(ways).or_insert(order), order, "{value}");
    }
    assert!(by_ways.len() >= 3);
}
