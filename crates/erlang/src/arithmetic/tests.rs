//! Arithmetic against that of the processor on small numbers, and against the language's definition.

use super::*;
use crate::by_hand::{Table, atom, int, values};
use num_bigint::BigInt;

/// The value of a function of `erlang`, of inputs and of the same values as they are.
fn value(function: &str, arguments: &[Value]) -> Outcome {
    let now = |run: &mut Run<'_>, arguments: &[Value]| {
        let outcome = run
            .primitive(0, "erlang", function, arguments, &mut Mode::Body)
            .expect("a function that is known");
        outcome.map(|value| run.concrete(&value).expect("it is known"))
    };
    let known = Table::new().run(&[], |run, _| now(run, arguments));
    let values: Vec<&Value> = arguments.iter().collect();
    let input = Table::new().run(&values, |run, inputs| now(run, &inputs));
    assert_eq!(shown(&input), shown(&known), "{function} {arguments:?}");
    known
}

fn shown(outcome: &Outcome) -> String {
    match outcome {
        Ok(value) => crate::text::erlang(value),
        Err(reason) => format!("error {}", crate::text::erlang(reason)),
    }
}

fn show(function: &str, arguments: &[Value]) -> String {
    shown(&value(function, arguments))
}

const BADARITH: &str = "error badarith";
const BADARG: &str = "error badarg";

#[test]
fn operations_on_integers() {
    type Operation = (&'static str, fn(i64, i64) -> Option<i64>);
    let operations: [Operation; 8] = [
        ("+", |x, y| Some(x + y)),
        ("-", |x, y| Some(x - y)),
        ("*", |x, y| Some(x * y)),
        ("div", i64::checked_div),
        ("rem", i64::checked_rem),
        ("band", |x, y| Some(x & y)),
        ("bor", |x, y| Some(x | y)),
        ("bxor", |x, y| Some(x ^ y)),
    ];
    let numbers = [-1000, -7, -2, -1, 0, 1, 2, 3, 64, 1000];
    for (name, operation) in operations {
        for x in numbers {
            for y in numbers {
                let expected = match operation(x, y) {
                    Some(value) => value.to_string(),
                    None => BADARITH.into(),
                };
                assert_eq!(show(name, &[int(x), int(y)]), expected, "{x} {name} {y}");
            }
        }
    }
}

#[test]
fn shifts_go_both_ways() {
    for x in [-5i64, -1, 0, 1, 3] {
        for by in -70..=40i64 {
            let left = match by >= 0 {
                true => BigInt::from(x) << by as usize,
                false => BigInt::from(x >> (-by).min(63)),
            };
            assert_eq!(
                show("bsl", &[int(x), int(by)]),
                left.to_string(),
                "{x} {by}"
            );
            assert_eq!(
                show("bsr", &[int(x), int(-by)]),
                left.to_string(),
                "{x} {by}"
            );
        }
    }
}

#[test]
fn functions_of_one_number() {
    for x in [-1000, -1, 0, 1, 1000] {
        assert_eq!(show("-", &[int(x)]), (-x).to_string());
        assert_eq!(show("+", &[int(x)]), x.to_string());
        assert_eq!(show("abs", &[int(x)]), x.abs().to_string());
        assert_eq!(show("bnot", &[int(x)]), (!x).to_string());
        assert_eq!(show("float", &[int(x)]), format!("{:.1}", x as f64));
    }
}

/// Integers have no end.
#[test]
fn numbers_become_as_long_as_they_have_to() {
    let most = int(i64::MAX);
    assert_eq!(show("+", &[most.clone(), int(1)]), "9223372036854775808");
    assert_eq!(
        show("*", &[most.clone(), most.clone()]),
        "85070591730234615847396907784232501249"
    );
    assert_eq!(show("-", &[int(i64::MIN)]), "9223372036854775808");
    assert_eq!(show("abs", &[int(i64::MIN)]), "9223372036854775808");
    assert_eq!(
        show("div", &[int(i64::MIN), int(-1)]),
        "9223372036854775808"
    );
}

#[test]
fn quotients_are_floats() {
    assert_eq!(show("/", &[int(4), int(2)]), "2.0");
    assert_eq!(show("/", &[int(5), int(2)]), "2.5");
    assert_eq!(show("/", &[int(-1), Value::Float(0.5)]), "-2.0");
    for zero in [int(0), Value::Float(0.0), Value::Float(-0.0)] {
        assert_eq!(show("/", &[int(1), zero]), BADARITH);
    }
}

#[test]
fn floats_that_would_not_be_finite_are_errors() {
    let large = Value::Float(1e308);
    assert_eq!(show("*", &[large.clone(), int(10)]), BADARITH);
    assert_eq!(show("+", &[large.clone(), large.clone()]), BADARITH);
    assert_eq!(show("/", &[large, Value::Float(0.1)]), BADARITH);
    assert_eq!(show("+", &[Value::Float(1.5), int(1)]), "2.5");
}

#[test]
fn what_is_no_number_is_an_error() {
    let numbers = |value: &Value| matches!(value, Value::Int(_) | Value::Float(_));
    for value in values().into_iter().filter(|value| !numbers(value)) {
        for name in ["+", "-", "*", "/", "div", "rem", "band", "bsl"] {
            assert_eq!(show(name, &[value.clone(), int(1)]), BADARITH, "{name}");
            assert_eq!(show(name, &[int(1), value.clone()]), BADARITH, "{name}");
        }
        for name in ["abs", "float", "trunc", "round"] {
            assert_eq!(show(name, std::slice::from_ref(&value)), BADARG, "{name}");
        }
    }
    for name in ["div", "rem", "band", "bsr"] {
        assert_eq!(show(name, &[Value::Float(1.0), int(1)]), BADARITH, "{name}");
    }
}

#[test]
fn floats_are_rounded_as_their_function_says() {
    for (number, expected) in [
        (2.5, [2, 3, 2, 3]),
        (-2.5, [-2, -3, -3, -2]),
        (2.1, [2, 2, 2, 3]),
        (-2.9, [-2, -3, -3, -2]),
        (-0.5, [0, -1, -1, 0]),
        (0.499_999_999_999_999_94, [0, 0, 0, 1]),
        (7.0, [7, 7, 7, 7]),
    ] {
        let functions = ["trunc", "round", "floor", "ceil"];
        for (function, expected) in functions.into_iter().zip(expected) {
            let found = show(function, &[Value::Float(number)]);
            assert_eq!(found, expected.to_string(), "{function} {number}");
        }
    }
}

#[test]
fn the_least_and_the_greatest_are_the_first_of_two_that_are_equal() {
    let (one, float) = (int(1), Value::Float(1.0));
    for function in ["min", "max"] {
        assert_eq!(show(function, &[one.clone(), float.clone()]), "1");
        assert_eq!(show(function, &[float.clone(), one.clone()]), "1.0");
    }
    assert_eq!(show("min", &[atom("a"), int(3)]), "3");
    assert_eq!(show("max", &[atom("a"), int(3)]), "a");
}

#[test]
fn truth_values_are_needed_for_what_is_said_of_them() {
    for (x, y) in [(true, true), (true, false), (false, true), (false, false)] {
        let arguments = [Value::truth(x), Value::truth(y)];
        assert_eq!(show("and", &arguments), (x && y).to_string());
        assert_eq!(show("or", &arguments), (x || y).to_string());
        assert_eq!(show("xor", &arguments), (x != y).to_string());
        assert_eq!(show("not", &arguments[..1]), (!x).to_string());
    }
    // Both sides are looked at, even where one of them decides.
    assert_eq!(show("and", &[Value::truth(false), atom("a")]), BADARG);
    assert_eq!(show("or", &[Value::truth(true), int(1)]), BADARG);
    assert_eq!(show("not", &[int(1)]), BADARG);
}

#[test]
fn parts_are_there_or_an_error() {
    let tuple = crate::by_hand::tuple([atom("a"), atom("b")]);
    assert_eq!(show("element", &[int(2), tuple.clone()]), "b");
    for index in [0, 3, -1] {
        assert_eq!(show("element", &[int(index), tuple.clone()]), BADARG);
    }
    assert_eq!(show("tuple_size", &[tuple]), "2");
    let list = crate::by_hand::list([int(1), int(2)]);
    assert_eq!(show("hd", std::slice::from_ref(&list)), "1");
    assert_eq!(show("length", &[list]), "2");
    assert_eq!(show("hd", &[Value::Nil]), BADARG);
    assert_eq!(show("length", &[Value::cons(int(1), int(2))]), BADARG);
}

#[test]
fn sizes_of_binaries_are_rounded_up_to_bytes() {
    let nine = crate::by_hand::bits(&[1, 0x80], 9);
    assert_eq!(show("bit_size", std::slice::from_ref(&nine)), "9");
    assert_eq!(show("byte_size", std::slice::from_ref(&nine)), "2");
    assert_eq!(show("is_binary", std::slice::from_ref(&nine)), "false");
    assert_eq!(show("is_bitstring", &[nine]), "true");
    let three = Value::bytes(&[1, 2, 3]);
    assert_eq!(
        show("binary_part", &[three.clone(), int(3), int(-2)]),
        "<<2, 3>>"
    );
    assert_eq!(show("binary_part", &[three, int(2), int(2)]), BADARG);
}

/// The other sign, of zero as well.
#[test]
fn a_float_is_negated_bit_by_bit() {
    for (number, expected) in [(0.0, -0.0), (-0.0, 0.0), (1.5, -1.5)] {
        let Ok(Value::Float(found)) = value("-", &[Value::Float(number)]) else {
            panic!("a float");
        };
        assert_eq!(found.to_bits(), f64::to_bits(expected), "{number}");
    }
}

/// Integers that no float is near to.
#[test]
fn integers_beyond_all_floats_are_errors_as_floats() {
    let large = |bits: usize| Value::integer(BigInt::from(1) << bits);
    let known = |function: &str, arguments: &[Value]| {
        Table::new().run(&[], |run, _| {
            let outcome = run.primitive(0, "erlang", function, arguments, &mut Mode::Body);
            shown(&outcome.expect("a function that is known"))
        })
    };
    assert_eq!(known("float", &[large(2000)]), BADARG);
    assert_eq!(known("/", &[large(1030), large(1029)]), BADARITH);
    assert_eq!(known("+", &[large(1030), Value::Float(1.0)]), BADARITH);
    assert_eq!(known("/", &[large(1000), large(999)]), "2.0");
}
