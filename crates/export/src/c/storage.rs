//! Where the objects of a test live: made on the heap, in a variable, or as a literal.

use super::context::Context;
use super::makers::{is_flexible, is_made};
use super::spell::{is_string, plain};
use elsewise_graph::{Behaviour, Field, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// On the heap, by the maker with this number.
    Made(usize),
    Heap,
    Local,
    /// A string literal where it is used.
    Literal,
}

/// Calls `see` with every pointer in `value` and the type that it has there.
pub fn pointers<'a>(value: &'a Value, ty: &'a str, see: &mut dyn FnMut(&'a Value, &'a str)) {
    match value {
        Value::Pointer { .. } => see(value, ty),
        Value::Struct(fields) => {
            for field in fields {
                pointers(&field.value, &field.ty, see);
            }
        }
        Value::Union(field) => pointers(&field.value, &field.ty, see),
        Value::Array(all) => {
            let element = ty.find('[').map_or(ty, |at| ty[..at].trim_end());
            for value in all {
                pointers(value, element, see);
            }
        }
        _ => {}
    }
}

pub fn target(value: &Value) -> Option<usize> {
    match value {
        Value::Pointer { object, .. } => Some(*object),
        _ => None,
    }
}

/// What the calls are given, and the globals that are set.
pub fn roots(behaviour: &Behaviour) -> impl Iterator<Item = &Field> {
    let arguments = behaviour.calls.iter().flat_map(|call| &call.arguments);
    arguments.chain(&behaviour.before.roots)
}

/// How something points to an object: its type, and whether an argument does so itself.
type Use<'a> = (&'a str, bool);

fn uses(behaviour: &Behaviour, at: usize) -> Vec<Use<'_>> {
    let mut uses = Vec::new();
    for field in roots(behaviour) {
        let direct = matches!(field.value, Value::Pointer { .. });
        pointers(&field.value, &field.ty, &mut |value, ty| {
            if target(value) == Some(at) {
                uses.push((ty, direct));
            }
        });
    }
    for other in &behaviour.before.objects {
        pointers(&other.value, &other.ty, &mut |value, ty| {
            if target(value) == Some(at) {
                uses.push((ty, false));
            }
        });
    }
    uses
}

pub fn choose(context: &Context, behaviour: &Behaviour, at: usize) -> Storage {
    let object = &behaviour.before.objects[at];
    let ty = plain(&object.ty);
    if is_made(object)
        && let Some(maker) = context.makers.iter().position(|maker| maker.ty == ty)
    {
        return Storage::Made(maker);
    }
    let uses = uses(behaviour, at);
    if let Value::Text(bytes) = &object.value
        && is_string(bytes)
        && ty == "char"
        && matches!(uses.as_slice(), [(used, _)] if used.trim_start().starts_with("const char *"))
        && !is_told_of(behaviour, at)
    {
        return Storage::Literal;
    }
    // Whoever frees what it is given in one case must be given something to free in all.
    let freed = behaviour.calls.iter().any(|call| {
        call.arguments.iter().any(|argument| {
            target(&argument.value) == Some(at)
                && context
                    .freed
                    .contains(&(call.function.clone(), argument.name.clone()))
        })
    });
    let simple = object.count != Some(0)
        && !matches!(object.value, Value::Union(_))
        && !is_flexible(&object.value);
    let direct = uses.iter().all(|(_, direct)| *direct);
    if simple && direct && !freed && behaviour.after.is_some() {
        Storage::Local
    } else {
        Storage::Heap
    }
}

/// Whether checks may have something to say of the object.
fn is_told_of(behaviour: &Behaviour, at: usize) -> bool {
    let mut told = false;
    let mut look = |field: &Field| {
        pointers(&field.value, &field.ty, &mut |value, _| {
            told |= target(value) == Some(at);
        });
    };
    for call in &behaviour.calls {
        call.result.iter().for_each(&mut look);
    }
    let Some(after) = &behaviour.after else {
        return told;
    };
    let before = &behaviour.before;
    let changed = after
        .roots
        .iter()
        .filter(|root| !before.roots.contains(root));
    changed.for_each(&mut look);
    for (number, object) in after.objects.iter().enumerate() {
        if before.objects.get(number) != Some(object) {
            told |= number == at;
            pointers(&object.value, &object.ty, &mut |value, _| {
                told |= target(value) == Some(at);
            });
        }
    }
    told
}
