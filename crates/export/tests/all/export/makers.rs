//! Short ways to say values, objects and calls.

use elsewise_graph::{Behaviour, Call, Ending, Field, Graph, Object, Step, Value};

pub fn field(name: &str, ty: &str, value: Value) -> Field {
    Field {
        name: name.to_owned(),
        ty: ty.to_owned(),
        value,
    }
}

pub fn int(name: &str, value: i128) -> Field {
    field(name, "int", Value::Integer(value))
}

pub fn to(object: usize) -> Value {
    Value::Pointer {
        object,
        path: Vec::new(),
    }
}

pub fn into(object: usize, path: &[Step]) -> Value {
    Value::Pointer {
        object,
        path: path.to_vec(),
    }
}

pub fn named(name: &str) -> Value {
    Value::Named(name.to_owned())
}

pub fn text(bytes: &[u8]) -> Value {
    Value::Text(bytes.to_vec())
}

pub fn integers(values: &[i128]) -> Value {
    Value::Array(values.iter().map(|n| Value::Integer(*n)).collect())
}

pub fn object(name: &str, ty: &str, value: Value) -> Object {
    let count = match &value {
        Value::Array(all) => Some(all.len()),
        Value::Text(bytes) => Some(bytes.len()),
        _ => None,
    };
    Object {
        name: name.to_owned(),
        ty: ty.to_owned(),
        count,
        value,
        freed: false,
    }
}

pub fn freed(mut object: Object) -> Object {
    object.freed = true;
    object
}

pub fn node(name: &str, value: i128, next: Value) -> Object {
    let fields = vec![int("value", value), field("next", "struct node *", next)];
    object(name, "struct node", Value::Struct(fields))
}

pub fn tree(name: &str, key: i128, left: Value, right: Value, label: Value) -> Object {
    let fields = vec![
        int("key", key),
        field("left", "struct tree *", left),
        field("right", "struct tree *", right),
        field("label", "const char *", label),
    ];
    object(name, "struct tree", Value::Struct(fields))
}

pub fn point(x: i128, y: i128, weight: f64) -> Value {
    Value::Struct(vec![
        int("x", x),
        int("y", y),
        field("weight", "double", Value::Double(weight)),
    ])
}

pub fn shape(
    filled: i128,
    layer: i128,
    colour: &str,
    round: bool,
    size: Field,
    name: &[u8],
) -> Object {
    let fields = vec![
        field("filled", "unsigned int", Value::Integer(filled)),
        int("layer", layer),
        field("colour", "enum colour", named(colour)),
        field(
            "round",
            "_Bool",
            named(if round { "true" } else { "false" }),
        ),
        field("size", "union {...}", Value::Union(Box::new(size))),
        field("name", "char [8]", text(name)),
    ];
    object("shape 1", "struct shape", Value::Struct(fields))
}

pub fn extent(width: i128, height: i128) -> Field {
    field(
        "box",
        "struct {...}",
        Value::Struct(vec![int("width", width), int("height", height)]),
    )
}

pub fn handler(act: &str, number: i128) -> Object {
    let number = field("number", "long", Value::Integer(number));
    let fields = vec![
        field("act", "int (*)(int)", named(act)),
        field("", "union {...}", Value::Union(Box::new(number))),
        field(
            "owner",
            "void *",
            into(0, &[Step::Member("number".to_owned())]),
        ),
    ];
    object("handler 1", "struct handler", Value::Struct(fields))
}

pub fn call(function: &str, arguments: Vec<Field>, result: Option<(&str, Value)>) -> Call {
    let result = result.map(|(ty, value)| field("", ty, value));
    Call {
        function: function.to_owned(),
        arguments,
        returns: result.as_ref().map(|field| field.ty.clone()),
        result,
    }
}

/// A case that returns: what is there before and after, and the calls.
pub fn returns(before: Vec<Object>, after: Vec<Object>, calls: Vec<Call>) -> Behaviour {
    let graph = |objects| Graph {
        roots: Vec::new(),
        objects,
    };
    Behaviour {
        case: 0,
        before: graph(before),
        calls,
        stubs: Vec::new(),
        after: Some(graph(after)),
        ending: Ending::Returned,
        reached: Vec::new(),
    }
}

pub fn unchanged(objects: Vec<Object>, call: Call) -> Behaviour {
    returns(objects.clone(), objects, vec![call])
}
