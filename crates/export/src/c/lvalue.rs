//! Expressions that lead to a part of an object.

use elsewise_graph::{Step, Value};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LValue {
    /// The expression is the thing itself: a variable, a member, an element.
    Value(String),
    /// The expression points to it.
    Target(String),
    /// The expression points to the first of its elements.
    Elements(String),
}

impl LValue {
    /// A member; one without a name is reached through the members of its own.
    pub fn member(&self, name: &str) -> LValue {
        if name.is_empty() {
            return self.clone();
        }
        LValue::Value(match self {
            LValue::Value(text) => format!("{text}.{name}"),
            LValue::Target(text) => format!("{text}->{name}"),
            LValue::Elements(text) => format!("{text}[0].{name}"),
        })
    }

    pub fn element(&self, index: usize) -> LValue {
        LValue::Value(match self {
            LValue::Value(text) | LValue::Elements(text) => format!("{text}[{index}]"),
            LValue::Target(text) => format!("(*{text})[{index}]"),
        })
    }

    /// The thing as an expression; an array as its first element's address.
    pub fn text(&self) -> String {
        match self {
            LValue::Value(text) | LValue::Elements(text) => text.clone(),
            LValue::Target(text) => format!("*{text}"),
        }
    }

    /// A pointer to it; to its first element if it is an array.
    pub fn address(&self, array: bool) -> String {
        match self {
            LValue::Value(text) if array => text.clone(),
            LValue::Value(text) => format!("&{text}"),
            LValue::Target(text) | LValue::Elements(text) => text.clone(),
        }
    }

    /// A pointer to the part that `path` leads to in `value`, which is what is in this place.
    pub fn pointer(&self, path: &[Step], value: &Value) -> String {
        let mut place = self.clone();
        let mut value = Some(value);
        for (at, step) in path.iter().enumerate() {
            match step {
                Step::Member(name) => {
                    // A member without an index before it is one of the first element.
                    if let Some(Value::Array(all)) = value {
                        place = place.element(0);
                        value = all.first();
                    }
                    place = place.member(name);
                    value = value.and_then(|value| member(value, name));
                }
                Step::Element(index) => {
                    let length = match value {
                        Some(Value::Array(all)) => all.len(),
                        Some(Value::Text(bytes) | Value::Bytes(bytes)) => bytes.len(),
                        _ => 0,
                    };
                    // One past the end has an address but no value.
                    if at + 1 == path.len() && *index >= length {
                        return format!("{} + {index}", place.address(true));
                    }
                    place = place.element(*index);
                    value = match value {
                        Some(Value::Array(all)) => all.get(*index),
                        _ => None,
                    };
                }
            }
        }
        let array = matches!(
            value,
            Some(Value::Array(_) | Value::Text(_) | Value::Bytes(_))
        );
        place.address(array)
    }
}

/// The member `name` of a struct or union, also one of a member without a name.
pub fn member<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    let fields = match value {
        Value::Struct(fields) => fields.as_slice(),
        Value::Union(field) => std::slice::from_ref(&**field),
        _ => return None,
    };
    fields.iter().find_map(|field| match field.name.as_str() {
        "" => member(&field.value, name),
        own => (own == name).then_some(&field.value),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_graph::Field;

    fn field(name: &str, ty: &str, value: Value) -> Field {
        Field {
            name: name.to_owned(),
            ty: ty.to_owned(),
            value,
        }
    }

    fn steps(text: &str) -> Vec<Step> {
        text.split_whitespace()
            .map(|step| match step.parse() {
                Ok(index) => Step::Element(index),
                Err(_) => Step::Member(step.to_owned()),
            })
            .collect()
    }

    #[test]
    fn pointers_into_objects() {
        let item = Value::Struct(vec![
            field("name", "char [4]", Value::Text(b"ab\0\0".to_vec())),
            field(
                "at",
                "struct point",
                Value::Struct(vec![field("x", "int", Value::Integer(1))]),
            ),
            field(
                "",
                "union {...}",
                Value::Union(Box::new(field("number", "long", Value::Integer(0)))),
            ),
        ]);
        let heap = LValue::Target("a".to_owned());
        assert_eq!(heap.pointer(&[], &item), "a");
        assert_eq!(heap.pointer(&steps("name"), &item), "a->name");
        assert_eq!(heap.pointer(&steps("name 2"), &item), "&a->name[2]");
        assert_eq!(heap.pointer(&steps("name 4"), &item), "a->name + 4");
        assert_eq!(heap.pointer(&steps("at x"), &item), "&a->at.x");
        assert_eq!(heap.pointer(&steps("number"), &item), "&a->number");

        let items = Value::Array(vec![item.clone(), item]);
        let local = LValue::Value("items".to_owned());
        assert_eq!(local.pointer(&[], &items), "items");
        assert_eq!(local.pointer(&steps("1 at"), &items), "&items[1].at");
        assert_eq!(local.pointer(&steps("2"), &items), "items + 2");
        assert_eq!(
            LValue::Elements("items".to_owned()).pointer(&steps("1"), &items),
            "&items[1]"
        );
        assert_eq!(
            LValue::Value("count".to_owned()).pointer(&[], &Value::Integer(1)),
            "&count"
        );
    }
}
