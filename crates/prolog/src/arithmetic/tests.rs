//! Arithmetic against that of the processor on small numbers, and against the language's definition.

use super::*;
use crate::by_hand::{mentions, term, with};
use elsewise_term::Terms;

/// The value of an expression over `_0` and `_1`, which are inputs; `None` where it raises an error.
fn value(expression: &str, inputs: &[&str]) -> Option<Term> {
    let program = mentions();
    let mut terms = Terms::new();
    with(&program, &mut terms, inputs, "", |machine, args| {
        let expression = term(expression).with_vars(&mut |number| args[number as usize].clone());
        let num = machine.eval(&expression).ok()?;
        let found = machine.num_term(&num);
        Some(machine.concrete(&found))
    })
}

fn known(expression: &str) -> Option<Term> {
    value(expression, &[])
}

fn floor_div(x: i64, y: i64) -> i64 {
    (x as f64 / y as f64).floor() as i64
}

#[test]
fn operations_on_unknown_integers_are_those_on_known_ones() {
    type Operation = (&'static str, fn(i64, i64) -> Option<i64>);
    let operations: [Operation; 14] = [
        ("+", |x, y| Some(x + y)),
        ("-", |x, y| Some(x - y)),
        ("*", |x, y| Some(x * y)),
        ("//", |x, y| x.checked_div(y)),
        ("rem", |x, y| x.checked_rem(y)),
        ("div", |x, y| (y != 0).then(|| floor_div(x, y))),
        ("mod", |x, y| (y != 0).then(|| x - y * floor_div(x, y))),
        ("min", |x, y| Some(x.min(y))),
        ("max", |x, y| Some(x.max(y))),
        ("/\\", |x, y| Some(x & y)),
        ("\\/", |x, y| Some(x | y)),
        ("xor", |x, y| Some(x ^ y)),
        ("-", |x, y| x.checked_sub(y)),
        ("gcd", |x, y| {
            let (mut x, mut y) = (x.abs(), y.abs());
            while y != 0 {
                (x, y) = (y, x % y);
            }
            Some(x)
        }),
    ];
    for (name, operation) in operations {
        for x in [-128, -7, -3, -1, 0, 1, 2, 6, 127] {
            for y in [-128, -3, -2, -1, 0, 1, 2, 127] {
                let expected = operation(x, y).map(Term::int);
                let call = format!("'{}'(_0,_1)", name.replace('\\', "\\\\"));
                let inputs = [x.to_string(), y.to_string()];
                let found = value(&call, &[&inputs[0], &inputs[1]]);
                assert_eq!(found, expected, "{x} {name} {y}");
                let call = call.replace("_0", &inputs[0]).replace("_1", &inputs[1]);
                assert_eq!(known(&call), expected, "{call}");
            }
        }
    }
}

#[test]
fn shifts_and_powers_of_unknown_integers() {
    for x in [-128i64, -5, -1, 0, 1, 3, 127] {
        let input = x.to_string();
        for by in 0..9u32 {
            let shifted = |name| value(&format!("'{name}'(_0,{by})"), &[&input]);
            assert_eq!(shifted("<<"), Some(Term::int(x << by)), "{x} << {by}");
            assert_eq!(shifted(">>"), Some(Term::int(x >> by)), "{x} >> {by}");
            assert_eq!(shifted("^"), Some(Term::int(x.pow(by))), "{x} ^ {by}");
            assert_eq!(shifted("**"), Some(Term::int(x.pow(by))), "{x} ** {by}");
        }
    }
}

#[test]
fn operations_with_one_operand() {
    for x in [-128i64, -2, -1, 0, 1, 127] {
        let of = |name: &str| value(&format!("{name}(_0)"), &[&x.to_string()]);
        assert_eq!(of("-"), Some(Term::int(-x)));
        assert_eq!(of("+"), Some(Term::int(x)));
        assert_eq!(of("abs"), Some(Term::int(x.abs())));
        assert_eq!(of("sign"), Some(Term::int(x.signum())));
        assert_eq!(of("\\"), Some(Term::int(!x)));
        assert_eq!(of("truncate"), Some(Term::int(x)));
        let float = of("float");
        assert_eq!(float, Some(Term::Float(x as f64)));
    }
}

/// Integers have no end.
#[test]
fn numbers_become_as_long_as_they_have_to() {
    let factorial = (2..=30).fold("1".to_owned(), |product, factor| {
        format!("*({product},{factor})")
    });
    let expected = term("265252859812191058636308480000000");
    assert_eq!(known(&factorial), Some(expected));
    assert_eq!(
        known("<<(3,100)"),
        Some(term("3802951800684688204490109616128"))
    );
    assert_eq!(known("**(10,20)"), Some(term("100000000000000000000")));
}

#[test]
fn a_quotient_is_an_integer_where_it_is_one() {
    assert_eq!(known("/(8,2)"), Some(Term::int(4)));
    assert_eq!(known("/(-8,2)"), Some(Term::int(-4)));
    assert_eq!(known("/(7,2)"), Some(Term::Float(3.5)));
    assert_eq!(value("/(_0,2)", &["6"]), Some(Term::int(3)));
    assert_eq!(value("/(_0,2)", &["7"]), Some(Term::Float(3.5)));
}

#[test]
fn floats_are_rounded_as_their_function_says() {
    for (function, expected) in [
        ("truncate", [-2, 2]),
        ("integer", [-3, 3]),
        ("round", [-3, 3]),
        ("ceiling", [-2, 3]),
        ("floor", [-3, 2]),
    ] {
        for (number, expected) in ["-2.5", "2.5"].into_iter().zip(expected) {
            let found = known(&format!("{function}({number})"));
            assert_eq!(found, Some(Term::int(expected)), "{function}({number})");
        }
    }
    let large = Some(term("100000000000000000000"));
    assert_eq!(known("integer(1.0e20)"), large);
}

#[test]
fn what_has_no_value_raises_an_error() {
    for expression in [
        "//(7,0)",
        "mod(7,0)",
        "rem(7,0)",
        "div(7,0)",
        "/(7,0)",
        "/(7,0.0)",
        "/(0,0.0)",
        "+(5,a)",
        "a",
        "f(1)",
        "+(1,_0)",
        "msb(0)",
        "msb(-1)",
        "sqrt(-1)",
        "log(0)",
        "log(-1)",
        "\"ab\"",
        "\"\"",
        "[1,2]",
        "mod(1.5,2)",
        "//(5.0,2)",
        "*(1.0e308,10)",
        "**(-8,0.5)",
        "^(0,-1)",
    ] {
        // A variable that nobody has bound is what `_0` is here.
        let program = mentions();
        let mut terms = Terms::new();
        let raises = with(&program, &mut terms, &[], "", |machine, _| {
            let expression = machine.made(expression);
            machine.eval(&expression).is_err()
        });
        assert!(raises, "{expression}");
    }
}

#[test]
fn one_character_is_its_code() {
    assert_eq!(known("\"a\""), Some(Term::int(97)));
    assert_eq!(known("[a]"), Some(Term::int(97)));
    assert_eq!(known("[97]"), Some(Term::int(97)));
    assert_eq!(value("[_0]", &["b"]), Some(Term::int(98)));
    assert_eq!(value("[_0]", &["[]"]), None);
    assert_eq!(value("[_0]", &["-1"]), None);
}

/// An input that is no number has no value, unless it is an expression itself.
#[test]
fn an_input_may_be_an_expression() {
    assert_eq!(value("+(_0,1)", &["a"]), None);
    assert_eq!(value("+(_0,1)", &["f(1)"]), None);
    assert_eq!(value("+(_0,1)", &["[1]"]), Some(Term::int(2)));
}

#[test]
fn comparisons_of_unknown_integers() {
    type Comparison = (&'static str, fn(&i64, &i64) -> bool);
    let comparisons: [Comparison; 6] = [
        ("<", i64::lt),
        (">", i64::gt),
        ("=<", i64::le),
        (">=", i64::ge),
        ("=:=", i64::eq),
        ("=\\=", i64::ne),
    ];
    let program = mentions();
    let numbers = [-128, -1, 0, 1, 5, 127];
    for (name, comparison) in comparisons {
        let mut terms = Terms::new();
        // With inputs on one run, asked of all other inputs.
        let mut condition = |x: i64, y: i64, ask: Option<TermId>| {
            let inputs = [x.to_string(), y.to_string()];
            let inputs = [&*inputs[0], &*inputs[1]];
            with(&program, &mut terms, &inputs, "", |machine, args| {
                let a = machine.eval(&args[0]).expect("a number");
                let b = machine.eval(&args[1]).expect("a number");
                let found = machine.compare_numbers(name, &a, &b);
                (found, machine.holds(ask.unwrap_or(found)))
            })
        };
        let (found, _) = condition(0, 0, None);
        for x in numbers {
            for y in numbers {
                let (_, holds) = condition(x, y, Some(found));
                assert_eq!(holds, comparison(&x, &y), "{x} {name} {y}");
            }
        }
    }
}

/// Of an integer and a float, by value.
#[test]
fn comparisons_of_mixed_numbers() {
    let program = mentions();
    for (a, name, b, expected) in [
        ("1", "=:=", "1.0", true),
        ("1", "=\\=", "1.0", false),
        ("1.5", "<", "2", true),
        ("2", "=<", "1.5", false),
        ("2", ">=", "1.5", true),
        ("-1", ">", "-1.5", true),
        ("0.0", "=:=", "-0.0", true),
        ("\"a\"", "<", "98", true),
    ] {
        let mut terms = Terms::new();
        let holds = with(&program, &mut terms, &[], "", |machine, _| {
            let a = machine.eval(&term(a)).expect("a number");
            let b = machine.eval(&term(b)).expect("a number");
            let holds = machine.compare_numbers(name, &a, &b);
            machine.holds(holds)
        });
        assert_eq!(holds, expected, "{a} {name} {b}");
    }
}

#[test]
fn floats_that_are_no_numbers_compare_with_nothing() {
    let program = mentions();
    let mut terms = Terms::new();
    with(&program, &mut terms, &[], "", |machine, _| {
        let nan = Num::Float(f64::NAN);
        for (name, expected) in [("=:=", false), ("<", false), (">=", false), ("=\\=", true)] {
            let holds = machine.compare_numbers(name, &nan, &nan);
            assert_eq!(machine.holds(holds), expected, "{name}");
        }
    });
}

#[test]
fn the_sign_of_a_float_is_zero_for_zero() {
    assert_eq!(known("sign(0.0)"), Some(Term::Float(0.0)));
    assert_eq!(known("sign(-2.5)"), Some(Term::Float(-1.0)));
    assert_eq!(known("sign(2.5)"), Some(Term::Float(1.0)));
}

#[test]
fn the_parts_of_an_integer_are_integers() {
    assert_eq!(known("float_integer_part(3)"), Some(Term::int(3)));
    assert_eq!(known("float_fractional_part(3)"), Some(Term::int(0)));
    assert_eq!(known("float_integer_part(-2.5)"), Some(Term::Float(-2.0)));
    assert_eq!(
        known("float_fractional_part(-2.5)"),
        Some(Term::Float(-0.5))
    );
}

/// Of two that are equal, the float.
#[test]
fn the_least_and_the_greatest_of_mixed_numbers() {
    for (expression, expected) in [
        ("max(1,1.0)", Term::Float(1.0)),
        ("max(1.0,1)", Term::Float(1.0)),
        ("min(1,1.0)", Term::Float(1.0)),
        ("min(1.0,1)", Term::Float(1.0)),
        ("min(2,1.5)", Term::Float(1.5)),
        ("max(2,1.5)", Term::int(2)),
        ("max(1.5,2)", Term::int(2)),
        ("min(1.5,2)", Term::Float(1.5)),
    ] {
        assert_eq!(known(expression), Some(expected), "{expression}");
    }
}

#[test]
fn negative_powers_and_shifts() {
    for (expression, expected) in [
        ("^(1,-1)", Term::int(1)),
        ("^(-1,-1)", Term::int(-1)),
        ("^(-1,-2)", Term::int(1)),
        ("**(2,-1)", Term::Float(0.5)),
        (">>(1,-1)", Term::int(2)),
        ("<<(1,-1)", Term::int(0)),
        ("<<(-5,-1)", Term::int(-3)),
    ] {
        assert_eq!(known(expression), Some(expected), "{expression}");
    }
}
