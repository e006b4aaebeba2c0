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

/// Reads as much as makes sense; the second is false if some of it did not.
pub fn read(bytes: &[u8]) -> (Vec<Event>, bool) {
    let mut events = Vec::new();
    let mut rest = bytes;
    while let Some((head, tail)) = rest.split_first_chunk::<4>() {
        rest = tail;
        let number = u32::from_be_bytes(*head);
        if number != u32::MAX {
            events.push(Event::Clause(number));
            continue;
        }
        let Some((size, tail)) = rest.split_first_chunk::<4>() else {
            return (events, false);
        };
        let size = u32::from_be_bytes(*size) as usize;
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
