//! Unification as ISO Prolog has it, and as conditions against trying every term.

use super::*;
use crate::by_hand::{TERMS, mentions, term, with};
use elsewise_term::Terms;
use std::collections::BTreeMap;

/// With variables of a pattern only, by the book.
fn unifies(pattern: &Term, ground: &Term, bound: &mut BTreeMap<u32, Term>) -> bool {
    match (pattern, ground) {
        (Term::Var(number), _) => match bound.get(number) {
            Some(known) => known == ground,
            None => {
                bound.insert(*number, ground.clone());
                true
            }
        },
        (Term::Compound(x), Term::Compound(y)) => {
            let pairs = x.args.iter().zip(&y.args);
            x.name == y.name
                && x.args.len() == y.args.len()
                && pairs.into_iter().all(|(x, y)| unifies(x, y, bound))
        }
        _ => pattern == ground,
    }
}

const PATTERNS: [&str; 16] = [
    "_0", "a", "1", "[]", "f(_0)", "f(1)", "f(f(_0))", "g(_0,_1)", "g(_0,_0)", "g(_0,b)",
    "[_0|_1]", "[_0]", "[_0,_1]", "[a|_0]",
    // Nobody can give what the program does not mention.
    "h(_0)", "f(a,b)",
];

/// `a = b` of terms with variables of their own.
fn known(a: &str, b: &str) -> bool {
    let program = mentions();
    let mut terms = Terms::new();
    with(&program, &mut terms, &[], "", |machine, _| {
        let pair = machine.made(&format!("-({a},{b})"));
        let Some([a, b]) = pair.args_of("-") else {
            panic!("a pair");
        };
        let same = machine.unify(a, b);
        machine.terms.as_bool(same).expect("all of it is known")
    })
}

#[test]
fn known_terms_unify_as_the_standard_says() {
    for (a, b, expected) in [
        ("a", "a", true),
        ("a", "b", false),
        ("1", "1.0", false),
        ("\"a\"", "a", false),
        ("0.0", "-0.0", false),
        ("a", "f(a)", false),
        ("f(_0,b)", "f(a,_0)", false),
        ("f(_0,b)", "f(a,_1)", true),
        ("f(_0,_1)", "f(_1,_0)", true),
        ("f(_0,_0)", "f(a,_1)", true),
        ("f(_0,_0)", "f(a,b)", false),
        ("f(_0,_0,a)", "f(_1,b,_1)", false),
        ("[_0|_1]", "[a,b,c]", true),
        ("[_0|_1]", "[]", false),
        ("[a,b|_0]", "[a|_1]", true),
        ("f(a)", "f(a,b)", false),
        ("99999999999999999999", "99999999999999999999", true),
    ] {
        assert_eq!(known(a, b), expected, "{a} = {b}");
        assert_eq!(known(b, a), expected, "{b} = {a}");
    }
}

#[test]
fn unified_variables_have_the_values_of_the_most_general_unifier() {
    let program = mentions();
    let mut terms = Terms::new();
    with(&program, &mut terms, &[], "", |machine, _| {
        let all = machine.made("t(f(_0,g(_1),_2),f(g(_3),_0,[_1]),_3)");
        let Some([a, b, last]) = all.args_of("t") else {
            panic!("three");
        };
        machine.unify(a, b);
        machine.unify(last, &term("a"));
        let whole = machine.whole(a);
        assert_eq!(whole, term("f(g(a),g(a),[a])"));
        assert_eq!(machine.whole(b), whole);
    });
}

#[test]
fn bindings_are_undone() {
    let program = mentions();
    let mut terms = Terms::new();
    with(&program, &mut terms, &[], "", |machine, _| {
        let pair = machine.made("f(_0,_1)");
        let mark = machine.trail.len();
        machine.unify(&pair, &term("f(a,[b])"));
        assert_eq!(machine.whole(&pair), term("f(a,[b])"));
        machine.undo(mark);
        assert_eq!(machine.whole(&pair), pair);
        machine.unifiable(&pair, &term("f(a,b)"));
        assert_eq!(machine.whole(&pair), pair);
    });
}

/// The condition is found with one input, and asked about all others.
#[test]
fn a_pattern_takes_the_inputs_that_it_unifies_with() {
    let program = mentions();
    for pattern in PATTERNS {
        let mut terms = Terms::new();
        let condition = with(&program, &mut terms, &["a"], "", |machine, args| {
            let pattern = machine.made(pattern);
            machine.unify(&args[0], &pattern)
        });
        for value in TERMS {
            let holds = with(&program, &mut terms, &[value], "", |machine, args| {
                // The parts that it speaks of appear as it is made.
                let pattern = machine.made(pattern);
                machine.unify(&args[0], &pattern);
                machine.holds(condition)
            });
            let expected = unifies(&term(pattern), &term(value), &mut BTreeMap::new());
            assert_eq!(holds, expected, "{value} = {pattern}");
        }
    }
}

/// What makes a clause not apply is the opposite of what makes it apply: together they are all inputs.
#[test]
fn a_negative_constraint_takes_all_other_inputs() {
    let program = mentions();
    for pattern in PATTERNS {
        for value in TERMS {
            let mut terms = Terms::new();
            with(&program, &mut terms, &[value], "", |machine, args| {
                let pattern = machine.made(pattern);
                let same = machine.unifiable(&args[0], &pattern);
                let differs = machine.terms.not(same);
                assert_ne!(machine.holds(same), machine.holds(differs));
                // Once it is chosen, it is settled, and nothing was bound.
                let taken = machine.branch(same);
                assert_eq!(machine.branch(differs), !taken);
                assert!(machine.path.choices.len() <= 1);
                assert_eq!(machine.whole(&pattern), pattern);
            });
        }
    }
}

#[test]
fn two_inputs_are_the_same_if_all_of_their_parts_are() {
    let program = mentions();
    for first in TERMS {
        for second in TERMS {
            let mut terms = Terms::new();
            let inputs = [first, second];
            with(&program, &mut terms, &inputs, "", |machine, args| {
                let same = machine.same(&args[0], &args[1]);
                assert_eq!(machine.holds(same), first == second, "{first} {second}");
                let unify = machine.unify(&args[0], &args[1]);
                assert_eq!(machine.holds(unify), first == second, "{first} {second}");
            });
        }
    }
}

/// `==` does not bind: a variable is the same as itself only.
#[test]
fn identity_is_not_unification() {
    let program = mentions();
    let mut terms = Terms::new();
    with(&program, &mut terms, &["a"], "", |machine, args| {
        let pair = machine.made("f(_0,_1)");
        let Some([x, y]) = pair.args_of("f") else {
            panic!("two");
        };
        let (x, y) = (x.clone(), y.clone());
        let mut is = |a: &Term, b: &Term| {
            let same = machine.same(a, b);
            machine.terms.as_bool(same)
        };
        assert_eq!(is(&x, &x), Some(true));
        assert_eq!(is(&x, &y), Some(false));
        assert_eq!(is(&x, &args[0]), Some(false));
        machine.unify(&x, &y);
        let same = machine.same(&x, &y);
        assert_eq!(machine.terms.as_bool(same), Some(true));
    });
}

#[test]
fn lists_end_with_the_empty_list() {
    let program = mentions();
    for value in TERMS {
        let mut terms = Terms::new();
        let condition = with(&program, &mut terms, &["a"], "", |machine, args| {
            machine.is_list(&args[0])
        });
        let holds = with(&program, &mut terms, &[value], "", |machine, args| {
            machine.is_list(&args[0]);
            machine.holds(condition)
        });
        assert_eq!(holds, term(value).elements().is_some(), "{value}");
    }
}
