//! What a run told, in order.

use crate::value::Value;

#[derive(Debug)]
pub enum Event {
    /// The clause that was taken.
    Clause(u32),
    /// A call begins that nobody follows.
    Opaque,
    /// It has ended with this value.
    Value(Value),
    /// It has ended by an exception: class and reason.
    Exception(Value, Value),
    Caught(Value, Value),
    /// A message was taken out of the mailbox by this clause.
    Received(u32, Value),
    Late,
    /// A process has got its turn.
    Turn,
}

/// Bits of a clause's number in a word: `crates/erlang/beam/elsewise_events.hrl`.
const CLAUSE_BITS: u32 = 11;

/// The clauses in a word, after its first bit; false if it is none.
fn clauses(word: u64, events: &mut Vec<Event>) -> bool {
    let bits = 63u32.saturating_sub(word.leading_zeros());
    if word == 0 || !bits.is_multiple_of(CLAUSE_BITS) {
        return false;
    }
    for at in (0..bits / CLAUSE_BITS).rev() {
        let number = word >> (at * CLAUSE_BITS) & ((1 << CLAUSE_BITS) - 1);
        events.push(Event::Clause(number as u32));
    }
    true
}

/// Reads as much as makes sense; the second is false if some of it did not.
pub fn read(bytes: &[u8]) -> (Vec<Event>, bool) {
    let mut events = Vec::new();
    let mut rest = bytes;
    while let Some((head, tail)) = rest.split_first_chunk::<8>() {
        rest = tail;
        let word = u64::from_be_bytes(*head);
        if word >> 32 != u64::from(u32::MAX) {
            if !clauses(word, &mut events) {
                return (events, false);
            }
            continue;
        }
        let size = word as u32 as usize;
        let Some(body) = tail.get(..size) else {
            return (events, false);
        };
        rest = &tail[size..];
        let Some(event) = crate::etf::decode(body).as_ref().and_then(other) else {
            return (events, false);
        };
        events.push(event);
    }
    (events, rest.is_empty())
}

fn other(value: &Value) -> Option<Event> {
    if value.is_atom("o") {
        return Some(Event::Opaque);
    }
    if value.is_atom("m") {
        return Some(Event::Turn);
    }
    let parts = value.as_tuple()?;
    Some(match (parts.first()?.as_atom()?, &parts[1..]) {
        ("c", [Value::Int(clause)]) => Event::Clause(u32::try_from(*clause).ok()?),
        ("v", [value]) => Event::Value(value.clone()),
        ("x", [class, reason]) => Event::Exception(class.clone(), reason.clone()),
        ("caught", [class, reason]) => Event::Caught(class.clone(), reason.clone()),
        ("r", [Value::Int(clause), message]) => {
            Event::Received(u32::try_from(*clause).ok()?, message.clone())
        }
        ("r", [_]) => Event::Late,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(bytes: &[u8]) -> (Vec<u32>, bool) {
        let (events, whole) = read(bytes);
        let numbers = events.iter().map(|event| match event {
            Event::Clause(number) => *number,
            other => panic!("{other:?}"),
        });
        (numbers.collect(), whole)
    }

    #[test]
    fn words_of_one_to_five_clauses() {
        let mut bytes = Vec::new();
        let mut wanted = Vec::new();
        for count in 1..=5u64 {
            let mut word = 1u64;
            for at in 0..count {
                let number = (at * 700 + count) % 2048;
                word = word * 2048 + number;
                wanted.push(number as u32);
            }
            bytes.extend(word.to_be_bytes());
        }
        assert_eq!(numbers(&bytes), (wanted, true));
    }

    #[test]
    fn what_is_no_word_is_said_to_be_none() {
        for word in [0u64, 2, 1 << 12, 3 << 40] {
            let mut bytes = (2048u64 + 7).to_be_bytes().to_vec();
            bytes.extend(word.to_be_bytes());
            assert_eq!(numbers(&bytes), (vec![7], false), "{word}");
        }
        assert_eq!(numbers(&[0, 0, 0]), (vec![], false));
    }
}
