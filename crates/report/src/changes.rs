//! What a subject changed in the memory that it was given.

use elsewise_graph::{Graph, Object, Step, Value};

/// A part of an object that is not what it was.
pub struct Change<'a> {
    pub object: usize,
    pub path: Vec<Step>,
    /// What is there now; nothing when the object was given back.
    pub now: Option<&'a Value>,
}

/// The objects that both graphs have, at the same places, compared part by part.
pub fn changes<'a>(before: &Graph, after: &'a Graph) -> Vec<Change<'a>> {
    let mut found = Vec::new();
    for (index, (old, new)) in before.objects.iter().zip(&after.objects).enumerate() {
        compare_objects(index, old, new, &mut found);
    }
    found
}

fn compare_objects<'a>(index: usize, old: &Object, new: &'a Object, found: &mut Vec<Change<'a>>) {
    if new.freed {
        // What is left in there means nothing.
        if !old.freed {
            found.push(Change {
                object: index,
                path: Vec::new(),
                now: None,
            });
        }
        return;
    }
    compare(index, &mut Vec::new(), &old.value, &new.value, found);
}

fn compare<'a>(
    object: usize,
    path: &mut Vec<Step>,
    old: &Value,
    new: &'a Value,
    found: &mut Vec<Change<'a>>,
) {
    match (old, new) {
        (Value::Struct(old), Value::Struct(new)) if old.len() == new.len() => {
            for (old, new) in old.iter().zip(new) {
                path.push(Step::Member(new.name.clone()));
                compare(object, path, &old.value, &new.value, found);
                path.pop();
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                path.push(Step::Element(index));
                compare(object, path, old, new, found);
                path.pop();
            }
        }
        _ if is_same(old, new) => {}
        _ => found.push(Change {
            object,
            path: path.clone(),
            now: Some(new),
        }),
    }
}

/// Floats by their bits: not a number is what it was.
fn is_same(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Single(old), Value::Single(new)) => old.to_bits() == new.to_bits(),
        (Value::Double(old), Value::Double(new)) => old.to_bits() == new.to_bits(),
        _ => old == new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::samples::{field, int, member, object, pointer};

    fn graph(v: i128, weight: f64, second: i128, next: usize, freed: bool) -> Graph {
        let numbers = Value::Array(vec![Value::Integer(5), Value::Integer(second)]);
        let fields = vec![
            int("v", v),
            field("weight", "double", Value::Double(weight)),
            field("numbers", "int [2]", numbers),
            pointer("next", next),
        ];
        let mut other = object("node 2", "struct node", Value::Struct(vec![int("v", v)]));
        other.freed = freed;
        Graph {
            roots: Vec::new(),
            objects: vec![
                object("node 1", "struct node", Value::Struct(fields)),
                other,
            ],
        }
    }

    #[test]
    fn parts_that_changed() {
        let before = graph(1, f64::NAN, 6, 2, false);
        assert!(changes(&before, &before).is_empty());
        let after = graph(1, f64::NAN, 7, 0, false);
        let found: Vec<_> = changes(&before, &after)
            .into_iter()
            .map(|change| (change.object, change.path, change.now.cloned()))
            .collect();
        let number = vec![member("numbers"), Step::Element(1)];
        assert_eq!(
            found,
            [
                (0, number, Some(Value::Integer(7))),
                (0, vec![member("next")], Some(Value::Null)),
            ]
        );
    }

    #[test]
    fn memory_given_back_is_one_change() {
        let before = graph(1, 0.0, 6, 2, false);
        let after = graph(2, 0.0, 6, 2, true);
        let found = changes(&before, &after);
        let told: Vec<_> = found
            .iter()
            .map(|change| (change.object, change.now))
            .collect();
        assert_eq!(told, [(0, Some(&Value::Integer(2))), (1, None)]);
        assert!(changes(&after, &after).is_empty());
    }
}
