//! Equality of inputs against that of the values that they are.

use super::*;
use crate::by_hand::{Table, atom, bits, int, list, map, tuple, values};

/// By the book: numbers of different types are equal where that is not `exact`, keys of maps never.
fn same(a: &Value, b: &Value, exact: bool) -> bool {
    match (a, b) {
        (Value::Int(x), Value::Float(y)) | (Value::Float(y), Value::Int(x)) => {
            !exact && *x as f64 == *y
        }
        (Value::Int(x), Value::Int(y)) => x == y,
        (Value::Float(x), Value::Float(y)) => x == y,
        (Value::Atom(x), Value::Atom(y)) => x == y,
        (Value::Nil, Value::Nil) => true,
        (Value::Cons(x), Value::Cons(y)) => {
            same(&x.head, &y.head, exact) && same(&x.tail, &y.tail, exact)
        }
        (Value::Tuple(x), Value::Tuple(y)) => {
            let pairs = || x.elements.iter().zip(&y.elements);
            x.elements.len() == y.elements.len() && pairs().all(|(x, y)| same(x, y, exact))
        }
        (Value::Map(x), Value::Map(y)) => {
            x.entries.len() == y.entries.len()
                && x.entries.iter().zip(&y.entries).all(|((k, x), (l, y))| {
                    let (Some(x), Some(y)) = (x, y) else {
                        panic!("known maps");
                    };
                    same(&k.0, &l.0, true) && same(x, y, exact)
                })
        }
        (Value::Binary(x), Value::Binary(y)) => x.packed() == y.packed(),
        _ => false,
    }
}

#[test]
fn inputs_equal_the_values_that_they_are() {
    for exact in [true, false] {
        for other in values() {
            let mut table = Table::new();
            // Found with one input, asked about all others.
            let condition = table.run(&[&atom("c")], |run, inputs| {
                run.equal(0, &inputs[0], &other, exact)
            });
            for value in values() {
                let expected = same(&value, &other, exact);
                let (now, holds, turned) = table.run(&[&value], |run, inputs| {
                    let now = run.equal(0, &inputs[0], &other, exact);
                    let turned = run.equal(0, &other, &inputs[0], exact);
                    (run.holds(now), run.holds(condition), run.holds(turned))
                });
                assert_eq!(now, expected, "{value:?} {other:?}");
                assert_eq!(turned, expected, "{other:?} {value:?}");
                assert_eq!(holds, expected, "{value:?} {other:?}");
            }
        }
    }
}

/// Two inputs; where that is not said (of maps), it is counted.
#[test]
fn two_inputs_are_equal_if_they_are() {
    for exact in [true, false] {
        for first in values() {
            for second in values() {
                Table::new().run(&[&first, &second], |run, inputs| {
                    let equal = run.equal(0, &inputs[0], &inputs[1], exact);
                    let expected = same(&first, &second, exact);
                    let maps = matches!((&first, &second), (Value::Map(_), Value::Map(_)));
                    if maps {
                        assert!(!run.path.approximations.is_empty());
                    } else {
                        assert_eq!(run.holds(equal), expected, "{first:?} {second:?}");
                    }
                });
            }
        }
    }
}

/// What has a part in it that is an input.
#[test]
fn parts_are_compared_one_by_one() {
    for value in values() {
        Table::new().run(&[&value], |run, inputs| {
            let mut is = |a: Value, b: Value| {
                let equal = run.equal(0, &a, &b, true);
                run.holds(equal)
            };
            let input = || inputs[0].clone();
            let one = same(&value, &int(1), true);
            assert_eq!(
                is(tuple([input(), atom("a")]), tuple([int(1), atom("a")])),
                one
            );
            assert!(!is(tuple([input(), atom("a")]), tuple([int(1), atom("b")])));
            assert!(!is(tuple([input()]), tuple([int(1), int(1)])));
            assert_eq!(is(list([input()]), list([int(1)])), one);
            assert!(!is(list([input()]), list([int(1), int(1)])));
            let key = || atom("k");
            assert_eq!(is(map([(key(), input())]), map([(key(), int(1))])), one);
            assert!(!is(map([(key(), input())]), map([(atom("l"), int(1))])));
            assert!(is(tuple([input()]), tuple([input()])));
        });
    }
}

#[test]
fn binaries_are_equal_bit_by_bit() {
    let all = [
        Value::bytes(&[]),
        bits(&[0x80], 1),
        bits(&[0x00], 1),
        bits(&[0x80], 2),
        Value::bytes(&[0x80]),
        Value::bytes(&[0x80, 0]),
        Value::bytes(&[0x81]),
    ];
    for (at, first) in all.iter().enumerate() {
        for (place, second) in all.iter().enumerate() {
            Table::new().run(&[first, second], |run, inputs| {
                for (a, b) in [(&inputs[0], second), (&inputs[0], &inputs[1])] {
                    let equal = run.equal(0, a, b, true);
                    assert_eq!(run.holds(equal), at == place, "{first:?} {second:?}");
                }
            });
        }
    }
}

/// The largest integers that a float has exactly, and those beside them.
#[test]
fn an_integer_equals_the_float_that_is_exactly_it() {
    let limit = 1i64 << 53;
    let float = Value::Float(limit as f64);
    for (number, expected) in [(limit - 1, false), (limit, true), (limit + 1, false)] {
        Table::new().run(&[&int(number), &float], |run, inputs| {
            let known = run.equal(0, &int(number), &float, false);
            assert_eq!(run.holds(known), expected, "{number}");
            let input = run.equal(0, &inputs[0], &float, false);
            assert_eq!(run.holds(input), expected, "{number}");
            let turned = run.equal(0, &float, &inputs[0], false);
            assert_eq!(run.holds(turned), expected, "{number}");
        });
    }
}
