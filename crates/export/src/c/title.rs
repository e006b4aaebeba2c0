//! What distinguishes a behaviour from the others of its suite, as a name and as a sentence.

use super::names::noun;
use super::spell::{Kind, integer, kind, string};
use crate::names::identifier;
use elsewise_graph::{Behaviour, Call, Ending, Field, Value};
use std::collections::BTreeSet;

const RETURNS: &str = "returns_";
/// What a struct holds is told when it is no longer than this.
const SHORT: usize = 48;
/// Nobody's arguments: what a struct points to is then called by its name.
static NOWHERE: Call = Call {
    function: String::new(),
    arguments: Vec::new(),
    result: None,
    returns: None,
};

/// A name for each of `behaviours`, all different: as little as tells it from the others, or the
/// number of its case.
pub fn slugs(behaviours: &[&Behaviour]) -> Vec<String> {
    let features: Vec<Vec<String>> = behaviours.iter().map(|b| features(b)).collect();
    let mut used = BTreeSet::new();
    let mut slugs = Vec::new();
    for (at, own) in features.iter().enumerate() {
        let others = |names: &[&String]| {
            features
                .iter()
                .enumerate()
                .any(|(other, all)| other != at && names.iter().all(|name| all.contains(name)))
        };
        let one = own.iter().find(|name| !others(&[name])).cloned();
        // What is passed is told before what comes of it.
        let (ends, given): (Vec<&String>, Vec<&String>) =
            own.iter().partition(|name| name.starts_with(RETURNS));
        let both = [given, ends].concat();
        let two = || {
            both.iter().enumerate().find_map(|(at, first)| {
                let second = both[at + 1..].iter().find(|name| !others(&[first, name]))?;
                Some(format!("{first}_{second}"))
            })
        };
        let name = one.or_else(two);
        let name = name.unwrap_or_else(|| format!("case_{}", behaviours[at].case));
        let mut unique = name.clone();
        let mut number = 2;
        while !used.insert(unique.clone()) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        slugs.push(unique);
    }
    slugs
}

fn features(behaviour: &Behaviour) -> Vec<String> {
    let mut out = Vec::new();
    let mut exact = Vec::new();
    match behaviour.calls.as_slice() {
        [call] => {
            for (at, argument) in call.arguments.iter().enumerate() {
                of_argument(
                    behaviour,
                    &call.arguments[..at],
                    argument,
                    &mut out,
                    &mut exact,
                );
            }
            if let Ending::Exited(code) = behaviour.ending {
                out.push(format!("exits_with_{}", number(i128::from(code))));
            }
            out.extend(of_result(behaviour, call));
        }
        calls => out.push(sequence(calls)),
    }
    out.extend(exact);
    out.retain(|name| !name.is_empty());
    out
}

/// The functions of a sequence without the words that all of them begin with.
fn sequence(calls: &[Call]) -> String {
    let mut common = calls.first().map_or("", |call| &call.function);
    for call in calls {
        while !call.function.starts_with(common) {
            let last = common.chars().next_back().map_or(0, char::len_utf8);
            common = &common[..common.len() - last];
        }
    }
    let common = common.rfind('_').map_or(0, |at| at + 1);
    let mut words: Vec<&str> = Vec::new();
    let mut repeated = 1;
    let mut out = Vec::new();
    for call in calls {
        let word = &call.function[common..];
        if words.last() == Some(&word) {
            repeated += 1;
        } else {
            words.push(word);
            out.push(String::new());
            repeated = 1;
        }
        if let Some(last) = out.last_mut() {
            *last = match repeated {
                1 => word.to_owned(),
                2 => format!("{word}_twice"),
                _ => format!("{word}_{repeated}_times"),
            };
        }
    }
    if out.len() > 5 {
        return format!("{}_calls", calls.len());
    }
    out.join("_")
}

fn number(value: i128) -> String {
    if value < 0 {
        format!("minus_{}", value.unsigned_abs())
    } else {
        value.to_string()
    }
}

fn of_argument(
    behaviour: &Behaviour,
    earlier: &[Field],
    field: &Field,
    out: &mut Vec<String>,
    exact: &mut Vec<String>,
) {
    let name = identifier(&field.name);
    match &field.value {
        Value::Null => out.push(format!("null_{name}")),
        Value::Pointer { object, .. } => {
            let same = |other: &&Field| other.value == field.value;
            if let Some(other) = earlier.iter().find(same) {
                // Nothing tells more of a case than that two pointers are one.
                out.insert(0, format!("{name}_is_{}", identifier(&other.name)));
                return;
            }
            let Some(to) = behaviour.before.objects.get(*object) else {
                return;
            };
            match (&to.value, to.count) {
                (Value::Text(bytes), _) => {
                    let length = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
                    let text = String::from_utf8_lossy(&bytes[..length]);
                    let word = identifier(&text);
                    if length == 0 {
                        out.push(format!("empty_{name}"));
                    } else if word.len() == length && length <= 12 {
                        exact.push(format!("{name}_{}", word.to_lowercase()));
                    } else {
                        exact.push(format!("{name}_of_{length}"));
                    }
                }
                (_, Some(0)) => out.push(format!("empty_{name}")),
                (_, Some(count)) => out.push(format!("{name}_of_{count}")),
                (Value::Struct(_), None) => {
                    let (count, cyclic) = reachable(behaviour, *object);
                    if cyclic {
                        out.push(format!("cyclic_{name}"));
                    }
                    out.push(match (count, held(behaviour, *object)) {
                        (1, Some((_, 0))) => format!("empty_{name}"),
                        (1, Some((what, 1))) => format!("{name}_of_1_{what}"),
                        (1, Some((what, held))) => format!("{name}_of_{held}_{what}s"),
                        (1, None) => format!("single_{name}"),
                        _ => format!("{name}_of_{count}"),
                    });
                    if let Value::Struct(fields) = &to.value {
                        for inner in fields.iter().filter(|f| !f.name.is_empty()) {
                            let mut field = inner.clone();
                            field.name = format!("{name}_{}", inner.name);
                            if matches!(field.value, Value::Pointer { .. }) {
                                exact.push(format!("with_{}", identifier(&field.name)));
                            } else if !matches!(field.value, Value::Struct(_)) {
                                of_argument(behaviour, &[], &field, exact, &mut Vec::new());
                            }
                        }
                    }
                }
                (value, None) => {
                    let value = value.clone();
                    let inner = Field {
                        name,
                        ty: to.ty.clone(),
                        value,
                    };
                    if !matches!(inner.value, Value::Pointer { .. }) {
                        of_argument(behaviour, &[], &inner, out, exact);
                    }
                }
            }
        }
        Value::Integer(value) => {
            out.push(match value {
                0 => format!("zero_{name}"),
                _ if *value < 0 => format!("negative_{name}"),
                _ => format!("positive_{name}"),
            });
            exact.push(format!("{name}_{}", number(*value)));
        }
        Value::Named(word) => out.push(match word.as_str() {
            "true" => format!("with_{name}"),
            "false" => format!("without_{name}"),
            _ => format!("{name}_{}", identifier(word).to_lowercase()),
        }),
        Value::Single(_) | Value::Double(_) => {
            let value = match field.value {
                Value::Single(value) => f64::from(value),
                Value::Double(value) => value,
                _ => return,
            };
            out.push(match value {
                _ if value.is_nan() => format!("nan_{name}"),
                _ if value.is_infinite() => format!("infinite_{name}"),
                _ if value == 0.0 => format!("zero_{name}"),
                _ if value < 0.0 => format!("negative_{name}"),
                _ => format!("positive_{name}"),
            });
        }
        Value::Struct(fields) => {
            for inner in fields.iter().filter(|f| !f.name.is_empty()) {
                let mut field = inner.clone();
                field.name = format!("{name}_{}", inner.name);
                of_argument(behaviour, &[], &field, out, exact);
            }
        }
        Value::Union(inner) => out.push(format!("{name}_{}", identifier(&inner.name))),
        _ => {}
    }
}

/// What the one pointer of a struct leads to, by name and number of them: the nodes of a list, say,
/// where there are any.
fn held(behaviour: &Behaviour, holder: usize) -> Option<(String, usize)> {
    let objects = &behaviour.before.objects;
    let Value::Struct(fields) = &objects[holder].value else {
        return None;
    };
    let pointer = |field: &&Field| field.ty.ends_with('*');
    let mut pointers = fields.iter().filter(pointer);
    let (first, None) = (pointers.next()?, pointers.next()) else {
        return None;
    };
    match &first.value {
        Value::Null => Some((String::new(), 0)),
        Value::Pointer { object, path } if path.is_empty() => {
            let to = objects.get(*object)?;
            let other = to.ty != objects[holder].ty && to.count.is_none();
            let count = reachable(behaviour, *object).0;
            other.then(|| (identifier(&noun(&to.ty)), count))
        }
        _ => None,
    }
}

/// How many objects of its type can be reached from an object, itself included, and whether it
/// is among those that it leads to.
fn reachable(behaviour: &Behaviour, from: usize) -> (usize, bool) {
    let objects = &behaviour.before.objects;
    let mut seen = vec![false; objects.len()];
    let mut cyclic = false;
    let mut count = 0;
    let mut open = vec![from];
    seen[from] = true;
    while let Some(at) = open.pop() {
        if objects[at].ty == objects[from].ty {
            count += 1;
        }
        let mut values = vec![&objects[at].value];
        while let Some(value) = values.pop() {
            match value {
                Value::Pointer { object, .. } => {
                    cyclic |= *object == from;
                    if let Some(seen) = seen.get_mut(*object)
                        && !std::mem::replace(seen, true)
                    {
                        open.push(*object);
                    }
                }
                Value::Struct(fields) => values.extend(fields.iter().map(|f| &f.value)),
                Value::Union(field) => values.push(&field.value),
                Value::Array(all) => values.extend(all),
                _ => {}
            }
        }
    }
    (count, cyclic)
}

fn of_result(behaviour: &Behaviour, call: &Call) -> Option<String> {
    let what = match &call.result.as_ref()?.value {
        Value::Null => "null".to_owned(),
        Value::Integer(value) => number(*value),
        Value::Named(name) => identifier(name).to_lowercase(),
        Value::Pointer { object, .. } => {
            let same = |field: &&Field| matches!(&field.value, Value::Pointer { object: other, .. } if other == object);
            match call.arguments.iter().find(same) {
                Some(argument) => identifier(&argument.name),
                None => match behaviour.before.objects.get(*object) {
                    Some(object) => identifier(&object.name),
                    None => format!(
                        "new_{}",
                        noun(&behaviour.after.as_ref()?.objects.get(*object)?.ty)
                    ),
                },
            }
        }
        _ => return None,
    };
    Some(format!("{RETURNS}{what}"))
}

/// What is passed and what comes of it, in a line: `list of 2 nodes, other NULL; returns list`.
pub fn sentence(behaviour: &Behaviour) -> String {
    let ending = match &behaviour.ending {
        Ending::Exited(code) => Some(format!("the process exits with {code}")),
        Ending::Failed(_) => None,
        Ending::Returned => match behaviour.calls.as_slice() {
            [call] => call.result.as_ref().map(|result| {
                format!(
                    "returns {}",
                    words_of(behaviour, &result.value, Some(&behaviour.calls[0]))
                )
            }),
            _ => None,
        },
    };
    let [call] = behaviour.calls.as_slice() else {
        let mut text = format!("a sequence of {} calls", behaviour.calls.len());
        if let Some(ending) = ending {
            text.push_str("; ");
            text.push_str(&ending);
        }
        return text;
    };
    let mut parts: Vec<String> = Vec::new();
    for (at, argument) in call.arguments.iter().enumerate() {
        let earlier = call.arguments[..at].iter().find(|other| {
            other.value == argument.value && matches!(other.value, Value::Pointer { .. })
        });
        parts.push(match earlier {
            Some(other) => format!("{} the same as {}", argument.name, other.name),
            None => passed(behaviour, argument),
        });
    }
    let mut text = parts.join(", ");
    if let Some(ending) = ending {
        if !text.is_empty() {
            text.push_str("; ");
        }
        text.push_str(&ending);
    }
    text
}

/// An argument in a few words; what it points to, where that is a single value.
fn passed(behaviour: &Behaviour, field: &Field) -> String {
    let star = match &field.value {
        Value::Pointer { object, .. } => {
            let to = behaviour.before.objects.get(*object);
            let shown = |value: &Value| {
                matches!(value, Value::Struct(_) | Value::Text(_) | Value::Bytes(_))
            };
            to.is_some_and(|to| to.count.is_none() && !shown(&to.value))
        }
        _ => false,
    };
    let value = match &field.value {
        Value::Integer(number) if kind(&field.ty) == Kind::Char => {
            integer(*number, &field.ty, false).unwrap_or_else(|_| number.to_string())
        }
        value => words_of(behaviour, value, None),
    };
    format!("{}{} {value}", if star { "*" } else { "" }, field.name)
}

/// A value in a few words; as one of the arguments of `of` where it is one.
fn words_of(behaviour: &Behaviour, value: &Value, of: Option<&Call>) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Single(number) => number.to_string(),
        Value::Double(number) => number.to_string(),
        Value::Named(name) => name.clone(),
        Value::Null => "NULL".to_owned(),
        Value::Text(bytes) => text(bytes),
        Value::Pointer { object, path } => {
            let argument = of.and_then(|call| {
                call.arguments.iter().find(|field| {
                    matches!(&field.value, Value::Pointer { object: other, .. } if other == object)
                })
            });
            if let Some(argument) = argument {
                return match path.is_empty() {
                    true => argument.name.clone(),
                    false => format!("a place in {}", argument.name),
                };
            }
            let before = behaviour.before.objects.get(*object);
            let Some(to) = before else {
                return "something new".to_owned();
            };
            if of.is_some_and(|call| call.function.is_empty()) && to.count.is_none() {
                return match reachable(behaviour, *object) {
                    (1, _) => to.name.clone(),
                    (count, _) => format!("{} of {count}", to.name),
                };
            }
            if of.is_some() {
                return to.name.clone();
            }
            match (&to.value, to.count) {
                (Value::Text(bytes), _) => text(bytes),
                (_, Some(count)) => format!("of {count} {}", plural(&to.ty, count)),
                (Value::Bytes(bytes), None) => format!("of {} bytes", bytes.len()),
                (Value::Struct(_), None) => {
                    let (count, cyclic) = reachable(behaviour, *object);
                    let inside = words_of(behaviour, &to.value, Some(&NOWHERE));
                    match (count, cyclic) {
                        (1, false) if inside.len() <= SHORT => inside,
                        (1, false) => format!("a single {}", noun(&to.ty)),
                        (_, true) => format!("of {count} {} in a ring", plural(&to.ty, count)),
                        (_, false) => format!("of {count} {}", plural(&to.ty, count)),
                    }
                }
                (value, None) => words_of(behaviour, value, Some(&NOWHERE)),
            }
        }
        Value::Result(_) => "from an earlier call".to_owned(),
        Value::Elsewhere => "somewhere".to_owned(),
        Value::Struct(fields) => {
            let parts: Vec<String> = fields
                .iter()
                .map(|field| format!("{} {}", field.name, words_of(behaviour, &field.value, of)))
                .collect();
            format!("{{{}}}", parts.join(", "))
        }
        Value::Union(field) => format!(
            "{{{} {}}}",
            field.name,
            words_of(behaviour, &field.value, of)
        ),
        Value::Array(all) => format!("of {} elements", all.len()),
        Value::Bytes(bytes) => format!("of {} bytes", bytes.len()),
    }
}

fn text(bytes: &[u8]) -> String {
    let length = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    if length > 24 {
        return format!("of {length} characters");
    }
    string(&bytes[..length])
}

fn plural(ty: &str, count: usize) -> String {
    let noun = if ty.contains('*') {
        "pointer".to_owned()
    } else {
        noun(ty)
    };
    if count == 1 { noun } else { format!("{noun}s") }
}
