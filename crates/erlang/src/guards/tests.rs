//! Guards on every kind of value: an error in one is a guard that fails.

use super::*;
use crate::by_hand::{Table, atom, call, int, literal, values};
use crate::program::{Case, Clause, Pattern, Program, Try};
use crate::value::closure::Environment;
use crate::value::compare;

/// Whether a guard over the variable 0 holds for a value.
fn holds(guard: &Expr, value: &Value) -> bool {
    let program = Program::default();
    let of = |run: &mut Run<'_>, value: &Value| {
        let environment = Environment {
            values: vec![value.clone()],
            ..Environment::default()
        };
        let mut scope = Scope {
            program: &program,
            environment: &environment,
            bound: Vec::new(),
        };
        let condition = run.guard(0, guard, &mut scope);
        run.holds(condition)
    };
    let known = Table::new().run(&[], |run, _| {
        let known = of(run, value);
        // Of what is known, nothing is guessed.
        assert!(run.path.approximations.is_empty(), "{guard:?} {value:?}");
        known
    });
    let input = Table::new().run(&[value], |run, inputs| of(run, &inputs[0]));
    assert_eq!(input, known, "{guard:?} {value:?}");
    known
}

fn x() -> Expr {
    Expr::Variable(0)
}

fn number(value: i64) -> Expr {
    literal(int(value))
}

/// A clause of `case` in a guard, as the compiler writes `andalso` and `orelse`.
fn clause(pattern: &str, body: Expr) -> Clause {
    Clause {
        patterns: vec![Pattern::Literal(atom(pattern))],
        guard: literal(atom("true")),
        body,
        generated: false,
    }
}

/// The first, then what is made of it as the variable 9: the compiler does not write calls into calls.
fn then(first: Expr, next: impl FnOnce(Expr) -> Expr) -> Expr {
    let next = next(Expr::Variable(9));
    Expr::Let(vec![9], Box::new(first), Box::new(next))
}

/// An error in it is `false`, as the compiler writes guards that can have one.
fn tried(body: Expr) -> Expr {
    Expr::Try(Box::new(Try {
        body,
        variables: vec![5],
        then: Expr::Variable(5),
        caught: vec![6, 7],
        handler: literal(atom("false")),
    }))
}

fn is_one(of: Expr) -> Expr {
    then(of, |value| call("==", vec![value, number(1)]))
}

fn case(of: Expr, clauses: Vec<Clause>) -> Expr {
    Expr::Case(Box::new(Case {
        site: 0,
        silent: false,
        arguments: vec![of],
        clauses,
    }))
}

#[test]
fn comparisons_are_those_of_all_terms() {
    for value in values() {
        let order = compare(&value, &int(1), false);
        for (name, expected) in [
            ("<", order.is_lt()),
            (">", order.is_gt()),
            ("=<", order.is_le()),
            (">=", order.is_ge()),
            ("==", order.is_eq()),
            ("/=", order.is_ne()),
        ] {
            let guard = call(name, vec![x(), number(1)]);
            assert_eq!(holds(&guard, &value), expected, "{value:?} {name} 1");
        }
        let same = matches!(value, Value::Int(1));
        assert_eq!(holds(&call("=:=", vec![x(), number(1)]), &value), same);
        assert_eq!(holds(&call("=/=", vec![x(), number(1)]), &value), !same);
    }
}

#[test]
fn tests_of_types() {
    for value in values() {
        let kind = crate::kinds::kind_of(&value);
        use crate::kinds::Kind;
        let whole = matches!(&value, Value::Binary(it) if it.len().is_some_and(|len| len % 8 == 0));
        for (name, expected) in [
            ("is_integer", kind == Kind::Int),
            ("is_float", kind == Kind::Float),
            ("is_number", matches!(kind, Kind::Int | Kind::Float)),
            ("is_atom", kind == Kind::Atom),
            ("is_boolean", value.is_atom("true")),
            ("is_list", matches!(kind, Kind::Nil | Kind::Cons)),
            ("is_tuple", kind == Kind::Tuple),
            ("is_map", kind == Kind::Map),
            ("is_bitstring", kind == Kind::Binary),
            ("is_binary", whole),
        ] {
            let guard = call(name, vec![x()]);
            assert_eq!(holds(&guard, &value), expected, "{name} {value:?}");
        }
    }
}

/// `hd(X) == 1`, `element(1, X) == 1`, `X rem 2 == 1`, `length(X) == 1`: whoever raises an error does not hold.
#[test]
fn an_error_is_a_guard_that_fails() {
    for value in values() {
        let head = match &value {
            Value::Cons(pair) => compare(&pair.head, &int(1), false).is_eq(),
            _ => false,
        };
        let guard = tried(is_one(call("hd", vec![x()])));
        assert_eq!(holds(&guard, &value), head, "{value:?}");
        let element = value.as_tuple().and_then(<[Value]>::first);
        let element = element.is_some_and(|first| compare(first, &int(1), false).is_eq());
        let guard = tried(is_one(call("element", vec![number(1), x()])));
        assert_eq!(holds(&guard, &value), element, "{value:?}");
        let odd = matches!(value, Value::Int(number) if number % 2 == 1);
        let guard = tried(is_one(call("rem", vec![x(), number(2)])));
        assert_eq!(holds(&guard, &value), odd, "{value:?}");
        let size = value.as_tuple().is_some_and(|all| all.len() == 1);
        let guard = tried(is_one(call("tuple_size", vec![x()])));
        assert_eq!(holds(&guard, &value), size, "{value:?}");
    }
}

/// Nor does its opposite hold: `not (hd(X) == 1)` fails where `hd(X)` does.
#[test]
fn an_error_is_not_turned_into_a_truth_by_its_negation() {
    let one = is_one(call("hd", vec![x()]));
    let guard = tried(then(one, |one| call("not", vec![one])));
    for value in values() {
        let expected = match &value {
            Value::Cons(pair) => compare(&pair.head, &int(1), false).is_ne(),
            _ => false,
        };
        assert_eq!(holds(&guard, &value), expected, "{value:?}");
    }
}

/// `is_list(X) andalso hd(X) == 1`, and `is_atom(X) orelse hd(X) == 1`: the second is looked at only where
/// the first does not decide.
#[test]
fn what_is_not_reached_raises_no_error() {
    let head = || is_one(call("hd", vec![x()]));
    let also = tried(case(
        call("is_list", vec![x()]),
        vec![
            clause("true", head()),
            clause("false", literal(atom("false"))),
        ],
    ));
    let or_else = tried(case(
        call("is_atom", vec![x()]),
        vec![
            clause("true", literal(atom("true"))),
            clause("false", head()),
        ],
    ));
    for value in values() {
        let first = match &value {
            Value::Cons(pair) => compare(&pair.head, &int(1), false).is_eq(),
            _ => false,
        };
        assert_eq!(holds(&also, &value), first, "{value:?}");
        let expected = first || matches!(value, Value::Atom(_));
        assert_eq!(holds(&or_else, &value), expected, "{value:?}");
    }
}

#[test]
fn only_true_is_true() {
    for value in values() {
        assert_eq!(holds(&x(), &value), value.is_atom("true"), "{value:?}");
    }
}
