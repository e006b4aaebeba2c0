//! Kinds of things that a behaviour shows: what it returns, and what it does to memory.
//!
//! Two cases that reach the same branches may still differ in what can be seen of them, and a test
//! that sees nothing notices nothing.

use elsewise_graph::{Behaviour, Ending, Field, Value};
use std::collections::BTreeSet;

pub fn effects(behaviour: &Behaviour) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    if let Ending::Exited(code) = behaviour.ending {
        out.insert(format!("exits with {code}"));
    }
    for call in &behaviour.calls {
        if let Some(result) = &call.result {
            let what = returned(&call.arguments, &result.value);
            out.insert(format!("{} returns {what}", call.function));
        }
    }
    let Some(after) = &behaviour.after else {
        return out;
    };
    let before = &behaviour.before;
    for (at, (old, new)) in before.objects.iter().zip(&after.objects).enumerate() {
        // What arguments point to is told from what lies behind it, but not each from the other.
        let given = behaviour.calls.iter().flat_map(|call| &call.arguments);
        let first = given.into_iter().any(|field| points_to(&field.value, at));
        let place = format!("{} {}", if first { "first" } else { "later" }, new.ty);
        if new.freed {
            out.insert(format!("{place} freed"));
        } else {
            changes(&old.value, &new.value, &place, &mut out);
        }
    }
    for root in &after.roots {
        if let Some(old) = before.roots.iter().find(|old| old.name == root.name) {
            changes(&old.value, &root.value, &root.name, &mut out);
        }
    }
    out
}

fn points_to(value: &Value, at: usize) -> bool {
    matches!(value, Value::Pointer { object, .. } if *object == at)
}

fn returned(arguments: &[Field], value: &Value) -> String {
    match value {
        Value::Pointer { object, path } => {
            let argument = arguments.iter().find(|f| points_to(&f.value, *object));
            let what = argument.map_or("a pointer", |field| field.name.as_str());
            match path.is_empty() {
                true => what.to_owned(),
                false => format!("a part of {what}"),
            }
        }
        Value::Struct(fields) => {
            let parts = fields.iter().map(|field| returned(arguments, &field.value));
            parts.collect::<Vec<_>>().join(", ")
        }
        value => class(value),
    }
}

/// Values that are worth telling from one another.
fn class(value: &Value) -> String {
    let sign = |number: f64| match number {
        _ if number.is_nan() => "NaN",
        _ if number < 0.0 => "negative",
        _ if number > 0.0 => "positive",
        _ => "zero",
    };
    match value {
        Value::Integer(number) => match number.signum() {
            -1 => "negative",
            0 => "zero",
            _ => "positive",
        }
        .to_owned(),
        Value::Single(number) => sign(f64::from(*number)).to_owned(),
        Value::Double(number) => sign(*number).to_owned(),
        Value::Named(name) => name.clone(),
        Value::Null => "NULL".to_owned(),
        _ => "something".to_owned(),
    }
}

fn changes(old: &Value, new: &Value, place: &str, out: &mut BTreeSet<String>) {
    match (old, new) {
        _ if old == new => {}
        (Value::Struct(old), Value::Struct(new)) => {
            for (old, new) in old.iter().zip(new) {
                changes(
                    &old.value,
                    &new.value,
                    &format!("{place}.{}", new.name),
                    out,
                );
            }
        }
        (Value::Union(old), Value::Union(new)) => {
            changes(
                &old.value,
                &new.value,
                &format!("{place}.{}", new.name),
                out,
            );
        }
        (Value::Array(old), Value::Array(new)) => {
            for (old, new) in old.iter().zip(new) {
                changes(old, new, &format!("{place}[]"), out);
            }
        }
        _ => {
            out.insert(format!("{place} becomes {}", class(new)));
        }
    }
}
