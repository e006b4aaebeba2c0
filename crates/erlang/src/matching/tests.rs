//! Patterns against every kind of value, and segments of binaries as the language defines them.

use super::*;
use crate::by_hand::map as map_of;
use crate::by_hand::{Table, atom, bits, bound, int, list, literal, segment, tuple, values};
use crate::program::Expr;
use crate::value::compare;
use std::collections::BTreeMap;

/// By the book, of values that are known.
fn fits(pattern: &Pattern, value: &Value, bound: &mut BTreeMap<u32, Value>) -> bool {
    match (pattern, value) {
        (Pattern::Variable(name), _) => {
            bound.insert(*name, value.clone());
            true
        }
        (Pattern::Alias(name, inner), _) => {
            bound.insert(*name, value.clone());
            fits(inner, value, bound)
        }
        (Pattern::Literal(literal), _) => compare(literal, value, true).is_eq(),
        (Pattern::Cons(head, tail), Value::Cons(pair)) => {
            fits(head, &pair.head, bound) && fits(tail, &pair.tail, bound)
        }
        (Pattern::Tuple(all), Value::Tuple(tuple)) => {
            all.len() == tuple.elements.len()
                && all
                    .iter()
                    .zip(&tuple.elements)
                    .all(|(pattern, value)| fits(pattern, value, bound))
        }
        (Pattern::Map(pairs), Value::Map(map)) => pairs.iter().all(|(key, pattern)| {
            let Expr::Literal(key) = key else {
                panic!("a literal");
            };
            let entry = map.entries.get(&Key(key.clone()));
            entry
                .and_then(Option::as_ref)
                .is_some_and(|entry| fits(pattern, entry, bound))
        }),
        _ => false,
    }
}

fn variable(name: u32) -> Box<Pattern> {
    Box::new(Pattern::Variable(name))
}

fn known(value: Value) -> Box<Pattern> {
    Box::new(Pattern::Literal(value))
}

fn patterns() -> Vec<Pattern> {
    vec![
        Pattern::Variable(0),
        *known(int(1)),
        *known(Value::Float(1.0)),
        *known(atom("a")),
        *known(Value::Nil),
        *known(tuple([int(1)])),
        *known(list([int(1)])),
        Pattern::Cons(variable(0), variable(1)),
        Pattern::Cons(variable(0), known(Value::Nil)),
        Pattern::Cons(known(atom("a")), variable(1)),
        Pattern::Cons(
            variable(0),
            Box::new(Pattern::Cons(variable(1), variable(2))),
        ),
        Pattern::Tuple(Vec::new()),
        Pattern::Tuple(vec![*variable(0)]),
        Pattern::Tuple(vec![*variable(0), *known(atom("b"))]),
        Pattern::Tuple(vec![*known(atom("a")), *variable(0)]),
        Pattern::Alias(0, Box::new(Pattern::Tuple(vec![*variable(1)]))),
        Pattern::Map(Vec::new()),
        Pattern::Map(vec![(literal(atom("a")), *variable(0))]),
        Pattern::Map(vec![(literal(atom("a")), *known(int(2)))]),
    ]
}

/// Whether a pattern takes an input, and what its variables are then.
fn matched(
    run: &mut Run<'_>,
    pattern: &Pattern,
    value: &Value,
) -> (TermId, Vec<(Variable, Value)>) {
    let (program, environment) = (Program::default(), Environment::default());
    let mut scope = Scope {
        program: &program,
        environment: &environment,
        bound: Vec::new(),
    };
    let holds = run.matches(0, pattern, value, &mut scope);
    (holds, scope.bound)
}

#[test]
fn patterns_take_what_they_describe() {
    for pattern in patterns() {
        for value in values() {
            Table::new().run(&[&value], |run, inputs| {
                let (holds, found) = matched(run, &pattern, &inputs[0]);
                let mut expected = BTreeMap::new();
                let takes = fits(&pattern, &value, &mut expected);
                assert_eq!(run.holds(holds), takes, "{pattern:?} {value:?}");
                if !takes {
                    return;
                }
                assert_eq!(found.len(), expected.len());
                for (name, value) in found {
                    let now = run.concrete(&value).expect("it is known");
                    let order = compare(&now, &expected[&name], true);
                    assert!(order.is_eq(), "{pattern:?}: {now:?}");
                }
            });
        }
    }
}

/// The condition is found with one input, and asked about all others.
#[test]
fn a_condition_holds_for_the_inputs_that_a_pattern_takes() {
    for pattern in patterns() {
        let mut table = Table::new();
        let condition = table.run(&[&int(7)], |run, inputs| {
            matched(run, &pattern, &inputs[0]).0
        });
        for value in values() {
            let holds = table.run(&[&value], |run, inputs| {
                matched(run, &pattern, &inputs[0]);
                run.holds(condition)
            });
            let takes = fits(&pattern, &value, &mut BTreeMap::new());
            assert_eq!(holds, takes, "{pattern:?} {value:?}");
        }
    }
}

/// What the segments of a pattern are, of a binary as it is and of an input; `None` if it does not match.
fn taken(segments: Vec<Segment<Pattern>>, value: &Value) -> Option<String> {
    let pattern = Pattern::Binary(segments);
    let find = |run: &mut Run<'_>, value: &Value| {
        let (holds, found) = matched(run, &pattern, value);
        let mut all = Vec::new();
        for (_, value) in found {
            let now = run.concrete(&value).expect("it is known");
            all.push(crate::text::erlang(&now));
        }
        run.holds(holds).then(|| all.join(" "))
    };
    let (input, known) = Table::new().run(&[value], |run, inputs| {
        (find(run, &inputs[0]), find(run, value))
    });
    assert_eq!(input, known);
    known
}

#[test]
fn integers_are_taken_out_of_bits() {
    let byte = Value::bytes(&[0xab]);
    let nibbles = || vec![bound(0, 4), bound(1, 4)];
    assert_eq!(taken(nibbles(), &byte), Some("10 11".into()));
    assert_eq!(taken(nibbles(), &Value::bytes(&[1, 2])), None);
    assert_eq!(taken(nibbles(), &bits(&[0xab], 7)), None);
    let mut signed = nibbles();
    signed[0].signed = true;
    assert_eq!(taken(signed, &byte), Some("-6 11".into()));
    // No bits at all are the number 0.
    let none = vec![bound(0, 0), bound(1, 8), bound(2, 0)];
    assert_eq!(taken(none, &byte), Some("0 171 0".into()));
    // Over the borders of bytes.
    let odd = vec![bound(0, 3), bound(1, 10), bound(2, 3)];
    let word = Value::bytes(&[0b1010_0000, 0b0001_1110]);
    assert_eq!(taken(odd, &word), Some("5 3 6".into()));
}

/// `<<X:12/little>> = <<16#AB, 16#C:4>>` is 16#CAB.
#[test]
fn the_little_end_of_odd_bits_is_a_whole_byte() {
    let value = bits(&[0xab, 0xc0], 12);
    let mut little = bound(0, 12);
    little.little = true;
    assert_eq!(taken(vec![little], &value), Some("3243".into()));
    let mut signed = bound(0, 12);
    (signed.little, signed.signed) = (true, true);
    assert_eq!(taken(vec![signed], &value), Some("-853".into()));
    let mut word = bound(0, 16);
    word.little = true;
    let bytes = Value::bytes(&[1, 2]);
    assert_eq!(taken(vec![word], &bytes), Some("513".into()));
}

#[test]
fn the_rest_is_of_whole_units() {
    let rest = |unit| {
        let mut rest = segment(Pattern::Variable(1), literal(atom("all")), "binary");
        rest.unit = unit;
        vec![bound(0, 1), rest]
    };
    // Nine bits: one, and a byte.
    let nine = bits(&[0x81, 0x80], 9);
    assert_eq!(taken(rest(8), &nine), Some("1 <<3>>".into()));
    let ten = bits(&[0x81, 0x80], 10);
    assert_eq!(taken(rest(8), &ten), None);
    assert!(taken(rest(1), &ten).is_some());
    assert_eq!(taken(rest(8), &Value::bytes(&[])), None);
}

/// The size of a segment may be what a segment before it was.
#[test]
fn a_size_may_come_out_of_the_binary() {
    let segments = || {
        let text = segment(Pattern::Variable(1), Expr::Variable(0), "binary");
        let rest = segment(Pattern::Variable(2), literal(atom("all")), "binary");
        vec![bound(0, 8), text, rest]
    };
    let found = taken(segments(), &Value::bytes(&[2, 7, 8, 9]));
    assert_eq!(found, Some("2 <<7, 8>> <<9>>".into()));
    assert!(taken(segments(), &Value::bytes(&[4, 7, 8, 9])).is_none());
}

#[test]
fn floats_in_binaries_are_finite() {
    let float = |size| vec![segment(Pattern::Variable(0), literal(int(size)), "float")];
    let wide = |bits: u64| Value::bytes(&bits.to_be_bytes());
    assert_eq!(
        taken(float(64), &wide(1.5f64.to_bits())),
        Some("1.5".into())
    );
    assert_eq!(taken(float(64), &wide(f64::INFINITY.to_bits())), None);
    assert_eq!(taken(float(64), &wide(f64::NAN.to_bits())), None);
    let narrow = Value::bytes(&1.5f32.to_be_bytes());
    assert_eq!(taken(float(32), &narrow), Some("1.5".into()));
}

#[test]
fn characters_are_those_of_unicode() {
    let character = || {
        vec![segment(
            Pattern::Variable(0),
            literal(atom("undefined")),
            "utf8",
        )]
    };
    for code in [
        0, 0x41, 0x7f, 0x80, 0x7ff, 0x800, 0x20ac, 0xffff, 0x1_0000, 0x1_f600, 0x10_ffff,
    ] {
        let Some(letter) = char::from_u32(code) else {
            panic!("{code:x}");
        };
        let value = Value::bytes(letter.to_string().as_bytes());
        assert_eq!(taken(character(), &value), Some(code.to_string()));
    }
    // A surrogate, longer than need be, beyond the last, without its second byte.
    for wrong in [
        &[0xed, 0xa0, 0x80][..],
        &[0xc0, 0x80],
        &[0xe0, 0x80, 0x80],
        &[0xf4, 0x90, 0x80, 0x80],
        &[0xc3, 0x41],
        &[0xc3],
        &[0x80],
    ] {
        assert_eq!(taken(character(), &Value::bytes(wrong)), None, "{wrong:x?}");
    }
}

#[test]
fn keys_of_maps_are_told_apart_exactly() {
    let pattern = |key| Pattern::Map(vec![(literal(key), Pattern::Variable(0))]);
    let value = map_of([(int(1), atom("a"))]);
    let takes = |pattern: &Pattern| {
        Table::new().run(&[], |run, _| {
            let (holds, _) = matched(run, pattern, &value);
            run.terms.as_bool(holds)
        })
    };
    assert_eq!(takes(&pattern(int(1))), Some(true));
    assert_eq!(takes(&pattern(Value::Float(1.0))), Some(false));
}
