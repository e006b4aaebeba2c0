//! Values in Erlang's external term format.

use crate::value::binary::Binary;
use crate::value::{Key, Map, Value};
use eetf::Term;
use num_bigint::BigInt;
use std::sync::Arc;

/// The value of a decoded term.
pub fn value(term: &Term) -> Value {
    match term {
        Term::Atom(atom) => Value::atom(&atom.name),
        Term::FixInteger(integer) => Value::Int(integer.value.into()),
        Term::BigInteger(integer) => Value::integer(integer.value.clone()),
        Term::Float(float) => Value::Float(float.value),
        Term::Binary(binary) => Value::bytes(&binary.bytes),
        Term::BitBinary(binary) => {
            let unused = (8 - usize::from(binary.tail_bits_size)) % 8;
            let len = (binary.bytes.len() * 8).saturating_sub(unused);
            // The library keeps the bits of the last byte at its lower end.
            let mut bytes = binary.bytes.clone();
            if let Some(last) = bytes.last_mut() {
                *last <<= unused;
            }
            Value::Binary(Binary::known(bytes.into(), len))
        }
        Term::ByteList(list) => Value::list(
            list.bytes
                .iter()
                .map(|byte| Value::Int((*byte).into()))
                .collect(),
        ),
        Term::List(list) => Value::list(list.elements.iter().map(value).collect()),
        Term::ImproperList(list) => {
            Value::list_with_tail(list.elements.iter().map(value).collect(), value(&list.last))
        }
        Term::Tuple(tuple) => Value::tuple(tuple.elements.iter().map(value).collect()),
        Term::Map(map) => Value::Map(Arc::new(Map {
            base: None,
            entries: map
                .map
                .iter()
                .map(|(key, entry)| (Key(value(key)), Some(value(entry))))
                .collect(),
        })),
        Term::Pid(_)
        | Term::Port(_)
        | Term::Reference(_)
        | Term::ExternalFun(_)
        | Term::InternalFun(_) => Value::Foreign(Arc::new(term.clone())),
    }
}

/// The term of a wholly known value.
pub fn term(value: &Value) -> Term {
    match value {
        Value::Atom(name) => Term::Atom(eetf::Atom::from(&**name)),
        Value::Int(value) => match i32::try_from(*value) {
            Ok(value) => Term::FixInteger(eetf::FixInteger { value }),
            Err(_) => Term::BigInteger(eetf::BigInteger {
                value: BigInt::from(*value),
            }),
        },
        Value::Big(value) => Term::BigInteger(eetf::BigInteger {
            value: BigInt::clone(value),
        }),
        Value::Float(value) => Term::Float(eetf::Float { value: *value }),
        Value::Nil => Term::List(eetf::List::nil()),
        Value::Cons(_) => {
            let mut elements = Vec::new();
            let mut rest = value;
            while let Value::Cons(pair) = rest {
                elements.push(term(&pair.head));
                rest = &pair.tail;
            }
            match rest {
                Value::Nil => Term::List(eetf::List { elements }),
                last => Term::ImproperList(eetf::ImproperList {
                    elements,
                    last: Box::new(term(last)),
                }),
            }
        }
        Value::Tuple(tuple) => Term::Tuple(eetf::Tuple {
            elements: tuple.elements.iter().map(term).collect(),
        }),
        Value::Map(map) => Term::Map(eetf::Map {
            map: map
                .entries
                .iter()
                .filter_map(|(key, entry)| Some((term(&key.0), term(entry.as_ref()?))))
                .collect(),
        }),
        Value::Binary(binary) => {
            let (mut bytes, len) = binary.packed();
            match len % 8 {
                0 => Term::Binary(eetf::Binary { bytes }),
                tail => {
                    if let Some(last) = bytes.last_mut() {
                        *last >>= 8 - tail;
                    }
                    Term::BitBinary(eetf::BitBinary {
                        bytes,
                        tail_bits_size: tail as u8,
                    })
                }
            }
        }
        Value::Foreign(term) => Term::clone(term),
        // The machine never sends what it does not know, and a fun of the program only as itself.
        Value::Closure(_) | Value::Symbol(_) => Term::Atom(eetf::Atom::from("undefined")),
    }
}

/// Encoded, without any reordering: maps are written in the order of their keys, so that one value
/// has one encoding.
pub fn encode(value: &Value) -> Vec<u8> {
    let mut bytes = vec![131];
    write(&mut bytes, value);
    bytes
}

fn write(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Map(map) => {
            let entries: Vec<_> = map
                .entries
                .iter()
                .filter_map(|(key, entry)| Some((key, entry.as_ref()?)))
                .collect();
            out.push(116);
            out.extend((entries.len() as u32).to_be_bytes());
            for (key, entry) in entries {
                write(out, &key.0);
                write(out, entry);
            }
        }
        Value::Tuple(tuple) if tuple.elements.len() < 256 => {
            out.push(104);
            out.push(tuple.elements.len() as u8);
            tuple
                .elements
                .iter()
                .for_each(|element| write(out, element));
        }
        Value::Cons(_) => {
            let mut elements = Vec::new();
            let mut rest = value;
            while let Value::Cons(pair) = rest {
                elements.push(&pair.head);
                rest = &pair.tail;
            }
            out.push(108);
            out.extend((elements.len() as u32).to_be_bytes());
            elements.into_iter().for_each(|element| write(out, element));
            write(out, rest);
        }
        other => {
            let mut bytes = Vec::new();
            if term(other).encode(&mut bytes).is_ok() {
                // The first byte is the format's version.
                out.extend(&bytes[1..]);
            } else {
                out.push(106);
            }
        }
    }
}

pub fn decode(bytes: &[u8]) -> Option<Value> {
    Term::decode(std::io::Cursor::new(bytes))
        .ok()
        .map(|term| value(&term))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_hand::{atom, bits, int, list, map, tuple, values};
    use crate::value::compare;

    /// Bytes as the description of the external term format has them.
    #[test]
    fn terms_are_encoded_as_the_format_says() {
        for (value, bytes) in [
            (int(1), &[131, 97, 1][..]),
            (int(-1), &[131, 98, 255, 255, 255, 255]),
            (int(256), &[131, 98, 0, 0, 1, 0]),
            (Value::Nil, &[131, 106]),
            (tuple([int(1), int(2)]), &[131, 104, 2, 97, 1, 97, 2]),
            (list([int(1)]), &[131, 108, 0, 0, 0, 1, 97, 1, 106]),
            (
                Value::cons(int(1), int(2)),
                &[131, 108, 0, 0, 0, 1, 97, 1, 97, 2],
            ),
            (Value::bytes(&[7]), &[131, 109, 0, 0, 0, 1, 7]),
            (
                map([(int(1), int(2))]),
                &[131, 116, 0, 0, 0, 1, 97, 1, 97, 2],
            ),
        ] {
            assert_eq!(encode(&value), bytes, "{value:?}");
        }
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        let large = [i64::MIN, i64::MAX, 1 << 31, -(1 << 31) - 1].map(int);
        let huge = Value::integer(BigInt::from(-3) << 100);
        let others = [atom("ä"), tuple([map([(list([]), huge.clone())])]), huge];
        let whole = |value: &Value| match value {
            Value::Binary(binary) => binary.len().is_some_and(|len| len % 8 == 0),
            _ => true,
        };
        let values = values().into_iter().filter(whole);
        for value in values.chain(large).chain(others) {
            let again = decode(&encode(&value)).expect("a term");
            assert!(compare(&again, &value, true).is_eq(), "{value:?}");
        }
        assert!(decode(&[131, 104]).is_none());
        assert!(decode(&[]).is_none());
    }

    /// The bits of the last byte are its highest.
    #[test]
    fn bit_strings_have_their_bits_in_front() {
        let encoded = [131, 77, 0, 0, 0, 2, 3, 0x12, 0xa0];
        let value = bits(&[0x12, 0xa0], 11);
        assert_eq!(encode(&value), encoded);
        let again = decode(&encoded).expect("a term");
        assert!(compare(&again, &value, true).is_eq(), "{again:?}");
        // What is behind them does not matter.
        let filled = decode(&[131, 77, 0, 0, 0, 1, 3, 0xbf]).expect("a term");
        assert!(compare(&filled, &bits(&[0xa0], 3), true).is_eq());
        let whole = decode(&[131, 77, 0, 0, 0, 1, 8, 0xbf]).expect("a term");
        assert!(compare(&whole, &Value::bytes(&[0xbf]), true).is_eq());
    }

    /// A map has one encoding, in whatever order its keys came.
    #[test]
    fn one_value_has_one_encoding() {
        let pairs = [(int(2), atom("a")), (int(1), atom("b"))];
        let [first, second] = pairs.clone();
        assert_eq!(
            encode(&map([first.clone(), second.clone()])),
            encode(&map([second, first]))
        );
    }
}
