//! Binaries as the language defines them, of known values and of inputs.

use super::*;
use crate::by_hand::{Table, atom, bits, int, literal, segment};

/// `<<Value:Size/Kind, …>>`, of values as they are and of inputs: the bytes, or the error.
fn made(segments: &[(Value, Value, Segment<Expr>)]) -> String {
    let of = |run: &mut Run<'_>, values: &[Value]| {
        let sizes = segments.iter().map(|(_, size, _)| size.clone());
        let pairs: Vec<_> = values.iter().cloned().zip(sizes).collect();
        let layout: Vec<_> = segments
            .iter()
            .map(|(_, _, segment)| copy(segment))
            .collect();
        match run.construct(0, &layout, &pairs) {
            Ok(value) => {
                let now = run.concrete(&value).expect("it is known");
                crate::text::erlang(&now)
            }
            Err(reason) => format!("error {}", crate::text::erlang(&reason)),
        }
    };
    let values: Vec<Value> = segments.iter().map(|(value, _, _)| value.clone()).collect();
    let known = Table::new().run(&[], |run, _| of(run, &values));
    let inputs: Vec<&Value> = values.iter().collect();
    let input = Table::new().run(&inputs, |run, inputs| of(run, &inputs));
    assert_eq!(input, known);
    known
}

fn copy(of: &Segment<Expr>) -> Segment<Expr> {
    Segment {
        value: literal(Value::Nil),
        size: literal(Value::Nil),
        unit: of.unit,
        kind: of.kind.clone(),
        signed: of.signed,
        little: of.little,
    }
}

fn one(value: Value, size: i64, kind: &str) -> (Value, Value, Segment<Expr>) {
    let nothing = || literal(Value::Nil);
    (value, int(size), segment(nothing(), nothing(), kind))
}

fn little(mut of: (Value, Value, Segment<Expr>)) -> (Value, Value, Segment<Expr>) {
    of.2.little = true;
    of
}

const BADARG: &str = "error badarg";

#[test]
fn integers_are_cut_to_their_size() {
    assert_eq!(made(&[one(int(-1), 12, "integer")]), "<<255, 15:4>>");
    assert_eq!(made(&[one(int(0x1ff), 8, "integer")]), "<<255>>");
    assert_eq!(made(&[one(int(5), 0, "integer")]), "<<>>");
    let two = [one(int(1), 3, "integer"), one(int(5), 5, "integer")];
    assert_eq!(made(&two), "<<\"%\">>");
    assert_eq!(made(&[one(int(5), -1, "integer")]), BADARG);
    assert_eq!(made(&[one(atom("a"), 8, "integer")]), BADARG);
    assert_eq!(made(&[one(Value::Float(1.0), 8, "integer")]), BADARG);
}

/// What is left over of whole bytes stands last.
#[test]
fn the_little_end_comes_first() {
    let odd = little(one(int(0xcab), 12, "integer"));
    assert_eq!(made(&[odd]), "<<171, 12:4>>");
    let word = little(one(int(0x0102), 16, "integer"));
    assert_eq!(made(&[word]), "<<2, 1>>");
    assert_eq!(made(&[one(int(0x0102), 16, "integer")]), "<<1, 2>>");
}

#[test]
fn floats_may_be_given_as_integers() {
    let three = "<<64, 8, 0, 0, 0, 0, 0, 0>>";
    assert_eq!(made(&[one(int(3), 64, "float")]), three);
    assert_eq!(made(&[one(Value::Float(3.0), 64, "float")]), three);
    assert_eq!(
        made(&[one(Value::Float(1.5), 32, "float")]),
        "<<63, 192, 0, 0>>"
    );
    assert_eq!(made(&[one(atom("a"), 64, "float")]), BADARG);
}

#[test]
fn binaries_are_put_together_bit_by_bit() {
    let bytes = || Value::bytes(&[1, 2, 3]);
    assert_eq!(made(&[one(bytes(), 2, "binary")]), "<<1, 2>>");
    assert_eq!(made(&[one(bytes(), 4, "binary")]), BADARG);
    assert_eq!(made(&[one(int(1), 1, "binary")]), BADARG);
    let shifted = [one(int(1), 4, "integer"), one(bytes(), 1, "binary")];
    assert_eq!(made(&shifted), "<<16, 1:4>>");
    let all = |value: Value| {
        let (value, _, segment) = one(value, 0, "binary");
        (value, atom("all"), segment)
    };
    assert_eq!(made(&[all(bytes()), all(bytes())]), "<<1, 2, 3, 1, 2, 3>>");
    // Not of whole bytes.
    assert_eq!(made(&[all(bits(&[0xa0], 3))]), BADARG);
}

#[test]
fn characters_are_those_of_unicode() {
    let character = |code| made(&[one(int(code), 0, "utf8")]);
    assert_eq!(character(0x41), "<<\"A\">>");
    assert_eq!(character(0x20ac), "<<226, 130, 172>>");
    for wrong in [-1, 0xd800, 0xdfff, 0x11_0000] {
        assert_eq!(character(wrong), BADARG, "{wrong:x}");
    }
}
