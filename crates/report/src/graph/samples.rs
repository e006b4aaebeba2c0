//! Memory graphs for the tests of the views, each of a shape that programs make.

use elsewise_graph::{Field, Graph, Object, Step, Value};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

pub fn field(name: &str, ty: &str, value: Value) -> Field {
    Field {
        name: name.into(),
        ty: ty.into(),
        value,
    }
}

pub fn int(name: &str, value: i128) -> Field {
    field(name, "int", Value::Integer(value))
}

/// A pointer to an object counted from 1; 0 is null.
pub fn pointer(name: &str, to: usize) -> Field {
    field(name, "struct node *", to_object(to))
}

pub fn to_object(to: usize) -> Value {
    match to.checked_sub(1) {
        None => Value::Null,
        Some(object) => Value::Pointer {
            object,
            path: Vec::new(),
        },
    }
}

pub fn part(object: usize, path: &[Step]) -> Value {
    Value::Pointer {
        object: object - 1,
        path: path.to_vec(),
    }
}

pub fn member(name: &str) -> Step {
    Step::Member(name.into())
}

pub fn object(name: &str, ty: &str, value: Value) -> Object {
    Object {
        name: name.into(),
        ty: ty.into(),
        count: None,
        value,
        freed: false,
    }
}

/// Objects of one type that are named by their number.
fn objects(kind: &str, all: Vec<Vec<Field>>) -> Vec<Object> {
    let objects = all.into_iter().enumerate().map(|(index, fields)| {
        let name = format!("{kind} {}", index + 1);
        object(&name, &format!("struct {kind}"), Value::Struct(fields))
    });
    objects.collect()
}

pub fn list_of_five() -> Graph {
    let values = [3, 1, 4, 1, 5];
    let nodes = values.iter().zip([2, 3, 4, 5, 0]);
    let nodes = nodes.map(|(v, next)| vec![int("v", *v), pointer("next", next)]);
    Graph {
        roots: vec![pointer("l", 1)],
        objects: objects("node", nodes.collect()),
    }
}

pub fn doubly_linked() -> Graph {
    let nodes = (1..=6).map(|at| {
        vec![
            int("value", 10 * at as i128),
            pointer("next", (at + 1) % 7),
            pointer("prev", at - 1),
        ]
    });
    Graph {
        roots: vec![pointer("head", 1), pointer("tail", 6)],
        objects: objects("node", nodes.collect()),
    }
}

pub fn cyclic() -> Graph {
    let nodes = [(3, 2), (1, 3), (2, 2)];
    let nodes = nodes.map(|(v, next)| vec![int("v", v), pointer("next", next)]);
    Graph {
        roots: vec![pointer("p", 1), int("x", 7)],
        objects: objects("cell", nodes.into()),
    }
}

/// A complete tree of 15 nodes, whose nodes know their parent.
pub fn tree() -> Graph {
    let child = |at: usize| if at <= 15 { at } else { 0 };
    let nodes = (1..=15).map(|at| {
        vec![
            int(
                "key",
                [8, 4, 12, 2, 6, 10, 14, 1, 3, 5, 7, 9, 11, 13, 15][at - 1],
            ),
            pointer("left", child(2 * at)),
            pointer("right", child(2 * at + 1)),
            pointer("parent", at / 2),
        ]
    });
    Graph {
        roots: vec![pointer("root", 1), int("key", 7)],
        objects: objects("node", nodes.collect()),
    }
}

pub fn shared_tail() -> Graph {
    let nodes = [(1, 3), (2, 4), (3, 4), (7, 5), (8, 0)];
    let nodes = nodes.map(|(v, next)| vec![int("v", v), pointer("next", next)]);
    Graph {
        roots: vec![pointer("a", 1), pointer("b", 2)],
        objects: objects("node", nodes.into()),
    }
}

pub fn hash_table() -> Graph {
    let text = |value: &[u8]| field("key", "char [8]", Value::Text(value.to_vec()));
    let table = Value::Struct(vec![
        field("size", "size_t", Value::Integer(4)),
        field(
            "bucket",
            "struct entry *[4]",
            Value::Array(vec![to_object(2), Value::Null, to_object(4), to_object(5)]),
        ),
    ]);
    let mut all = vec![object("table 1", "struct table", table)];
    let entries: [(&[u8], i128, usize); 5] = [
        (b"one\0\0\0\0\0", 1, 3),
        (b"five\0\0\0\0", 5, 0),
        (b"three\0\0\0", 3, 0),
        (b"four\0\0\0\0", 4, 6),
        (b"eighteen", 18, 0),
    ];
    for (index, (key, value, next)) in entries.into_iter().enumerate() {
        let next = field("next", "struct entry *", to_object(next));
        let fields = vec![text(key), int("value", value), next];
        let name = format!("entry {}", index + 1);
        all.push(object(&name, "struct entry", Value::Struct(fields)));
    }
    Graph {
        roots: vec![pointer("t", 1)],
        objects: all,
    }
}

/// A struct with a nested struct, arrays, a string, a union and an enumerator.
pub fn nested() -> Graph {
    let point = Value::Struct(vec![
        field("x", "float", Value::Single(0.5)),
        field("y", "float", Value::Single(-2.0)),
    ]);
    let limits = Value::Array((0..40).map(Value::Integer).collect());
    let shape = Value::Struct(vec![
        field("kind", "enum kind", Value::Named("CIRCLE".into())),
        field("at", "struct point", point),
        field("limits", "int [40]", limits),
        field("name", "char *", to_object(2)),
        field("as", "union value", Value::Union(Box::new(int("i", -1)))),
        field("draw", "void (*)(void)", Value::Named("draw_circle".into())),
        field(
            "raw",
            "unsigned char [6]",
            Value::Bytes(vec![0xde, 0xad, 0xbe, 0xef, 0, 1]),
        ),
    ]);
    let mut name = object("string 1", "char", Value::Text(b"say \"hi\"\n\0".to_vec()));
    name.count = Some(10);
    Graph {
        roots: vec![
            pointer("s", 1),
            field("verbose", "bool", Value::Named("true".into())),
            field("scale", "double", Value::Double(1e-9)),
        ],
        objects: vec![object("shape 1", "struct shape", shape), name],
    }
}

/// Pointers into an array and into a struct.
pub fn interior() -> Graph {
    let mut array = object(
        "int 1",
        "int",
        Value::Array([5, 0, -3, 9].map(Value::Integer).into()),
    );
    array.count = Some(4);
    let range = Value::Struct(vec![
        field("begin", "int *", part(1, &[Step::Element(1)])),
        field("end", "int *", part(1, &[Step::Element(3)])),
        field(
            "owner",
            "struct owner",
            Value::Struct(vec![int("id", 9), pointer("up", 2)]),
        ),
    ]);
    Graph {
        roots: vec![
            pointer("r", 2),
            field("id", "int *", part(2, &[member("owner"), member("id")])),
        ],
        objects: vec![array, object("range 1", "struct range", range)],
    }
}

/// Sixty objects that point anywhere.
pub fn sixty() -> Graph {
    let nodes = (1..=60).map(|at| {
        vec![
            int("id", at as i128),
            pointer("a", (at * 7 + 3) % 61),
            pointer("b", (at * at + 11) % 61),
        ]
    });
    Graph {
        roots: vec![pointer("g", 1)],
        objects: objects("vertex", nodes.collect()),
    }
}

/// An object that was given back, and a pointer into the blue.
pub fn freed() -> Graph {
    let mut graph = list_of_five();
    graph.objects.truncate(3);
    graph.objects[1].freed = true;
    graph.objects[2].value = Value::Struct(vec![
        int("v", 4),
        field("next", "struct node *", Value::Elsewhere),
    ]);
    graph
}

pub fn all() -> [(&'static str, Graph); 10] {
    [
        ("list_of_five", list_of_five()),
        ("doubly_linked", doubly_linked()),
        ("cyclic", cyclic()),
        ("tree", tree()),
        ("shared_tail", shared_tail()),
        ("hash_table", hash_table()),
        ("nested", nested()),
        ("interior", interior()),
        ("sixty", sixty()),
        ("freed", freed()),
    ]
}

/// A graph from numbers that mean nothing: any shape, with any damage that a front end could do.
pub fn random(seed: &[u8]) -> Graph {
    let mut seed = seed.iter().copied().cycle();
    let mut next = move || seed.next().unwrap_or(0);
    let count = usize::from(next()) % 130;
    let mut values: BTreeMap<usize, Value> = BTreeMap::new();
    for index in 0..count {
        let fields = usize::from(next() % 5);
        let fields = (0..fields).map(|at| {
            let value = match next() % 12 {
                0..=4 => Value::Pointer {
                    // Some lead nowhere.
                    object: (usize::from(next()) * 3 + usize::from(next())) % (count + 2),
                    path: match next() % 4 {
                        0 => vec![member("f1"), Step::Element(2)],
                        _ => Vec::new(),
                    },
                },
                5 => Value::Null,
                6 => Value::Text(vec![next(); usize::from(next()) % 80]),
                7 => Value::Array(vec![to_object(usize::from(next()) % (count + 1)); 20]),
                8 => Value::Array(vec![Value::Integer(i128::from(next())); 60]),
                9 => Value::Struct(vec![
                    int("\x1b[2Jwide日本語日本語日本語", 1),
                    pointer("p", 1),
                ]),
                10 => Value::Named("x".repeat(usize::from(next()))),
                _ => Value::Integer(i128::from(next()) << (next() % 100)),
            };
            field(&format!("f{at}"), "int", value)
        });
        values.insert(index, Value::Struct(fields.collect()));
    }
    let objects = values.into_iter().map(|(index, value)| {
        let name = format!("thing {}", index + 1);
        let mut object = object(&name, "struct thing", value);
        object.freed = index % 7 == 6;
        object
    });
    let roots = (0..count % 4).map(|at| pointer(&"r".repeat(1 + at * 15), at * 5 % (count + 1)));
    Graph {
        objects: objects.collect(),
        roots: roots.collect(),
    }
}

/// Checks that the book shows `text` as it is.
pub fn assert_in_book(text: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(folder.join("../../docs/src/pictures.md")).unwrap();
    assert!(page.contains(text), "docs/src/pictures.md lacks\n{text}");
}
