//! The order of inputs against that of the values that they are.

use super::*;
use crate::by_hand::{Table, int, tuple, values};

#[test]
fn inputs_are_ordered_as_the_values_that_they_are() {
    for or_equal in [false, true] {
        for first in values() {
            for second in values() {
                let order = compare(&first, &second, false);
                let expected = order.is_lt() || or_equal && order.is_eq();
                Table::new().run(&[&first, &second], |run, inputs| {
                    for (a, b) in [
                        (&inputs[0], &inputs[1]),
                        (&inputs[0], &second),
                        (&first, &inputs[1]),
                    ] {
                        let less = run.less(0, a, b, or_equal);
                        assert_eq!(run.holds(less), expected, "{first:?} {second:?}");
                    }
                });
            }
        }
    }
}

/// The condition is found with one input, and asked about all others that it says something of.
#[test]
fn a_condition_holds_for_the_inputs_that_come_before() {
    let leaf = |value: &Value| value.rank() <= 1 || matches!(value, Value::Nil);
    for other in values().into_iter().filter(leaf) {
        let mut table = Table::new();
        let condition = table.run(&[&int(7)], |run, inputs| {
            run.less(0, &inputs[0], &other, false)
        });
        for value in values() {
            let holds = table.run(&[&value], |run, inputs| {
                run.less(0, &inputs[0], &other, false);
                run.holds(condition)
            });
            let expected = compare(&value, &other, false).is_lt();
            assert_eq!(holds, expected, "{value:?} {other:?}");
        }
    }
}

#[test]
fn the_first_element_that_differs_decides() {
    for x in [-1, 0, 1] {
        for y in [-1, 0, 1] {
            Table::new().run(&[&int(x), &int(y)], |run, inputs| {
                let pair = tuple([inputs[0].clone(), inputs[1].clone()]);
                let known = tuple([int(0), int(0)]);
                for or_equal in [false, true] {
                    let less = run.less(0, &pair, &known, or_equal);
                    let expected = (x, y) < (0, 0) || or_equal && (x, y) == (0, 0);
                    assert_eq!(run.holds(less), expected, "{x} {y}");
                    let rest = Value::cons(inputs[0].clone(), inputs[1].clone());
                    let less = run.less(0, &rest, &Value::cons(int(0), int(0)), or_equal);
                    assert_eq!(run.holds(less), expected, "{x} {y}");
                }
            });
        }
    }
}

/// A truth value stands among the atoms: `false`, then what is between, then `true`.
#[test]
fn truth_values_are_atoms() {
    for value in [true, false] {
        Table::new().run(&[&Value::truth(value)], |run, inputs| {
            let is = run.equal(0, &inputs[0], &Value::atom("true"), true);
            let truth = Value::Symbol(Symbol::Truth(is));
            for name in ["a", "false", "m", "true", "z"] {
                let other = Value::atom(name);
                let less = run.less(0, &truth, &other, false);
                let expected = compare(&Value::truth(value), &other, false).is_lt();
                assert_eq!(run.holds(less), expected, "{value} {name}");
            }
        });
    }
}

/// Beyond what a float has exactly, integers are still told apart.
#[test]
fn large_integers_are_ordered_exactly_among_floats() {
    let limit = 1i64 << 53;
    let float = Value::Float(limit as f64);
    for (number, less, greater) in [
        (limit - 1, true, false),
        (limit, false, false),
        (limit + 1, false, true),
        (-limit, true, false),
    ] {
        Table::new().run(&[&int(number)], |run, inputs| {
            let below = run.less(0, &inputs[0], &float, false);
            assert_eq!(run.holds(below), less, "{number}");
            let above = run.less(0, &float, &inputs[0], false);
            assert_eq!(run.holds(above), greater, "{number}");
            let known = run.less(0, &float, &int(number), false);
            assert_eq!(run.holds(known), greater, "{number}");
        });
    }
}

#[test]
fn fractions_are_between_integers() {
    for number in -3..=3 {
        for fraction in [-2.5, -0.5, 0.5, 1.0, 2.5] {
            Table::new().run(&[&int(number)], |run, inputs| {
                let float = Value::Float(fraction);
                for or_equal in [false, true] {
                    let x = f64::from(number as i32);
                    let below = run.less(0, &inputs[0], &float, or_equal);
                    let expected = x < fraction || or_equal && x == fraction;
                    assert_eq!(run.holds(below), expected, "{number} {fraction}");
                    let above = run.less(0, &float, &inputs[0], or_equal);
                    let expected = fraction < x || or_equal && x == fraction;
                    assert_eq!(run.holds(above), expected, "{fraction} {number}");
                }
            });
        }
    }
}
