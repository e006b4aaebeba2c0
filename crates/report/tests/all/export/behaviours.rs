//! Behaviours of the library `kit.c`, written by hand from reading it.

use super::makers::*;
use elsewise_graph::{Behaviour, Ending, Field, Graph, Object, Step, Value};

fn lists() -> Vec<Behaviour> {
    let ty = "struct node *";
    let concat = |list, other, result| {
        let arguments = vec![field("list", ty, list), field("other", ty, other)];
        vec![call("list_concat", arguments, Some((ty, result)))]
    };
    let mut counted = returns(
        vec![node("node 1", 7, Value::Null)],
        vec![node("node 1", 7, Value::Null)],
        concat(Value::Null, to(0), to(0)),
    );
    counted.before.roots = vec![int("kit_calls", 41)];
    counted.after.as_mut().unwrap().roots = vec![int("kit_calls", 42)];
    let ring = |second| {
        let next = if second { to(0) } else { Value::Null };
        unchanged(
            vec![node("node 1", 1, to(1)), node("node 2", 0, next)],
            call(
                "list_is_ring",
                vec![field("list", "const struct node *", to(0))],
                Some(("_Bool", named(if second { "true" } else { "false" }))),
            ),
        )
    };
    vec![
        counted,
        returns(
            vec![
                node("node 1", 1, to(1)),
                node("node 2", -2, Value::Null),
                node("node 3", 3, Value::Null),
            ],
            vec![
                node("node 1", 1, to(1)),
                node("node 2", -2, to(2)),
                node("node 3", 3, Value::Null),
            ],
            concat(to(0), to(2), to(0)),
        ),
        returns(
            vec![node("node 1", 1, Value::Null)],
            vec![node("node 1", 1, to(0))],
            concat(to(0), to(0), to(0)),
        ),
        returns(
            vec![node("node 1", 1, to(1)), node("node 2", 2, Value::Null)],
            vec![
                freed(node("node 1", 1, to(1))),
                node("node 2", 2, Value::Null),
            ],
            vec![call(
                "list_drop",
                vec![field("list", ty, to(0))],
                Some((ty, to(1))),
            )],
        ),
        ring(true),
        ring(false),
        // The node that the call made, and the one behind it.
        returns(
            Vec::new(),
            vec![node("node 1", 9, to(1)), node("node 2", 0, Value::Null)],
            vec![call("node_new", vec![int("value", 9)], Some((ty, to(0))))],
        ),
    ]
}

fn trees() -> Vec<Behaviour> {
    let label = object("text 1", "char", text(b"ro\"ot\0"));
    let insert = |depth| {
        let arguments = vec![
            field("tree", "struct tree *", to(0)),
            field("leaf", "struct tree *", to(1)),
        ];
        vec![call(
            "tree_insert",
            arguments,
            Some(("int", Value::Integer(depth))),
        )]
    };
    vec![
        returns(
            vec![
                tree("tree 1", 5, to(2), Value::Null, to(3)),
                tree("tree 2", 4, Value::Null, Value::Null, Value::Null),
                tree("tree 3", 3, Value::Null, Value::Null, Value::Null),
                label.clone(),
            ],
            vec![
                tree("tree 1", 5, to(2), Value::Null, to(3)),
                tree("tree 2", 4, Value::Null, Value::Null, Value::Null),
                tree("tree 3", 3, Value::Null, to(1), Value::Null),
                label,
            ],
            insert(2),
        ),
        returns(
            vec![
                tree(
                    "tree 1",
                    i128::from(i32::MIN),
                    Value::Null,
                    Value::Null,
                    Value::Null,
                ),
                tree(
                    "tree 2",
                    i128::from(i32::MAX),
                    Value::Null,
                    Value::Null,
                    Value::Null,
                ),
            ],
            vec![
                tree(
                    "tree 1",
                    i128::from(i32::MIN),
                    Value::Null,
                    to(1),
                    Value::Null,
                ),
                tree(
                    "tree 2",
                    i128::from(i32::MAX),
                    Value::Null,
                    Value::Null,
                    Value::Null,
                ),
            ],
            insert(1),
        ),
    ]
}

fn texts() -> Vec<Behaviour> {
    let find = |wanted: u8, result| {
        unchanged(
            vec![object("text 1", "char", text(b"a\n\xe9b??!\0"))],
            call(
                "text_find",
                vec![
                    field("text", "const char *", to(0)),
                    field("wanted", "char", Value::Integer(i128::from(wanted as i8))),
                ],
                Some(("const char *", result)),
            ),
        )
    };
    vec![
        returns(
            vec![object("text 1", "char", text(b"  ab  \0"))],
            vec![object("text 1", "char", text(b"  ab\0\0\0"))],
            vec![call(
                "text_trim",
                vec![field("text", "char *", to(0))],
                Some(("char *", into(0, &[Step::Element(2)]))),
            )],
        ),
        returns(
            vec![object("text 1", "char", text(b"\0\0\0\0"))],
            vec![object("text 1", "char", text(b"\0\0\0\0"))],
            vec![call(
                "text_trim",
                vec![field("text", "char *", to(0))],
                Some(("char *", to(0))),
            )],
        ),
        find(b'x', Value::Null),
        find(0xe9, into(0, &[Step::Element(2)])),
        returns(
            vec![object("text 1", "char", text(b"ab\0"))],
            vec![
                object("text 1", "char", text(b"ab\0")),
                object("text 2", "char", text(b"abab\0")),
            ],
            vec![call(
                "text_double",
                vec![field("text", "const char *", to(0))],
                Some(("char *", to(1))),
            )],
        ),
    ]
}

fn shapes() -> Vec<Behaviour> {
    let radius = field("radius", "double", Value::Double(0.5));
    let area = |object: Object, result| {
        unchanged(
            vec![object],
            call(
                "shape_area",
                vec![field("shape", "const struct shape *", to(0))],
                Some(("double", Value::Double(result))),
            ),
        )
    };
    let colour = |from, result| {
        unchanged(
            Vec::new(),
            call(
                "colour_next",
                vec![field("colour", "enum colour", named(from))],
                Some(("enum colour", named(result))),
            ),
        )
    };
    vec![
        area(shape(0, 0, "RED", true, radius, b"\0\0\0\0\0\0\0\0"), 0.75),
        area(
            shape(1, -16, "GREEN", false, extent(3, 4), b"wide\0\0\0\0"),
            12.0,
        ),
        returns(
            vec![shape(1, -3, "RED", false, extent(2, 7), b"exactly8")],
            vec![shape(0, 3, "BLUE", false, extent(2, 2), b"Fxactly8")],
            vec![call(
                "shape_flip",
                vec![field("shape", "struct shape *", to(0))],
                None,
            )],
        ),
        colour("RED", "GREEN"),
        colour("BLUE", "RED"),
        unchanged(
            Vec::new(),
            call(
                "point_add",
                vec![
                    field("a", "struct point", point(1, -2, 0.1)),
                    field("b", "struct point", point(0, 0, f64::NAN)),
                ],
                Some(("struct point", point(1, -2, f64::NAN))),
            ),
        ),
        unchanged(
            Vec::new(),
            call(
                "point_add",
                vec![
                    field("a", "struct point", point(1, 2, 0.1)),
                    field("b", "struct point", point(0, 0, 0.0)),
                ],
                Some(("struct point", point(1, 2, 0.1))),
            ),
        ),
    ]
}

fn arrays() -> Vec<Behaviour> {
    let sort = |before: &[i128], after: &[i128]| {
        let arguments = vec![
            field("numbers", "int *", to(0)),
            field("count", "size_t", Value::Integer(before.len() as i128)),
        ];
        returns(
            vec![object("int 1", "int", integers(before))],
            vec![object("int 1", "int", integers(after))],
            vec![call("numbers_sort", arguments, None)],
        )
    };
    let vector = |count, items| {
        let fields = vec![
            field("count", "size_t", Value::Integer(count)),
            field("items", "int *", items),
        ];
        object("vector 1", "struct vector", Value::Struct(fields))
    };
    let packet = Value::Struct(vec![
        field("length", "uint16_t", Value::Integer(3)),
        field("data", "unsigned char []", integers(&[200, 0, 55])),
    ]);
    vec![
        sort(&[3, 1, 2], &[1, 2, 3]),
        sort(
            &[10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
            &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        ),
        returns(
            vec![vector(2, to(1)), object("int 1", "int", integers(&[4, 5]))],
            vec![
                vector(3, Value::Elsewhere),
                freed(object("int 1", "int", integers(&[4, 5]))),
            ],
            vec![call(
                "vector_append",
                vec![field("vector", "struct vector *", to(0)), int("item", 6)],
                None,
            )],
        ),
        unchanged(
            vec![object("packet 1", "struct packet", packet)],
            call(
                "packet_sum",
                vec![field("packet", "const struct packet *", to(0))],
                Some(("unsigned int", Value::Integer(255))),
            ),
        ),
        returns(
            vec![handler("add_one", 40)],
            vec![handler("times_two", 46)],
            vec![call(
                "handler_run",
                vec![field("handler", "struct handler *", to(0)), int("n", 5)],
                Some(("int", Value::Integer(0))),
            )],
        ),
        returns(
            vec![
                object("int 1", "int", Value::Integer(1)),
                object("int 2", "int", Value::Integer(-2)),
            ],
            vec![
                object("int 1", "int", Value::Integer(-2)),
                object("int 2", "int", Value::Integer(1)),
            ],
            vec![call(
                "swap",
                vec![field("a", "int *", to(0)), field("b", "int *", to(1))],
                None,
            )],
        ),
    ]
}

fn structures() -> Vec<Behaviour> {
    let item = |tag: u8, weight, low, high| {
        let range = Value::Struct(vec![int("low", low), int("high", high)]);
        Value::Struct(vec![
            field("tag", "char", Value::Integer(tag.into())),
            field("weight", "short", Value::Integer(weight)),
            field("range", "struct {...}", range),
        ])
    };
    let config = |table: Vec<i128>| {
        let mut fields: Vec<Field> = ["a", "b", "c", "d", "e", "f", "g"]
            .iter()
            .zip(1..)
            .map(|(name, value)| int(name, value))
            .collect();
        fields.push(field("fixed", "const int", Value::Integer(100)));
        fields.push(field("at", "struct point", point(7, 0, 0.0)));
        fields.push(field("table", "int [10]", integers(&table)));
        object("config 1", "struct config", Value::Struct(fields))
    };
    let count = |value| field("count", "size_t", Value::Integer(value));
    vec![
        unchanged(
            vec![object(
                "item 1",
                "struct item",
                Value::Array(vec![item(b'-', 3, 0, 9), item(0, 5, -1, 20)]),
            )],
            call(
                "items_weight",
                vec![field("items", "const struct item *", to(0)), count(2)],
                Some(("long", Value::Integer(22))),
            ),
        ),
        returns(
            vec![
                object("head 1", "struct node *", to(1)),
                node("node 1", 1, Value::Null),
                node("node 2", 2, Value::Null),
            ],
            vec![
                object("head 1", "struct node *", to(2)),
                node("node 1", 1, Value::Null),
                node("node 2", 2, to(1)),
            ],
            vec![call(
                "list_push",
                vec![
                    field("head", "struct node **", to(0)),
                    field("node", "struct node *", to(2)),
                ],
                None,
            )],
        ),
        unchanged(
            vec![
                object("words 1", "const char *", Value::Array(vec![to(1), to(2)])),
                object("text 1", "char", text(b"one\0")),
                object("text 2", "char", text(b"three\0")),
            ],
            call(
                "words_length",
                vec![field("words", "const char *const *", to(0)), count(2)],
                Some(("size_t", Value::Integer(8))),
            ),
        ),
        returns(
            vec![config((0..10).collect())],
            vec![config((100..110).collect())],
            vec![call(
                "config_sum",
                vec![field("config", "struct config *", to(0))],
                Some(("int", Value::Integer(28 + 100 + 7))),
            )],
        ),
        unchanged(
            vec![object(
                "data 1",
                "void",
                Value::Bytes(vec![0x0f, 0xf0, 0x01]),
            )],
            call(
                "bytes_xor",
                vec![
                    field("data", "const void *", to(0)),
                    field("size", "size_t", Value::Integer(3)),
                ],
                Some(("int", Value::Integer(0xfe))),
            ),
        ),
    ]
}

fn numbers() -> Vec<Behaviour> {
    let clamp = |value: i128, least: i128, most: i128, result: i128| {
        unchanged(
            Vec::new(),
            call(
                "clamp",
                vec![
                    field("value", "long", Value::Integer(value)),
                    int("least", least),
                    field("most", "unsigned char", Value::Integer(most)),
                ],
                Some(("long", Value::Integer(result))),
            ),
        )
    };
    let ticket = |from: i128, result: i128| {
        unchanged(
            Vec::new(),
            call(
                "ticket_after",
                vec![field("ticket", "ticket_t", Value::Integer(from))],
                Some(("ticket_t", Value::Integer(result))),
            ),
        )
    };
    let ratio = |a: f64, b: f64, result: f64| {
        unchanged(
            Vec::new(),
            call(
                "ratio",
                vec![
                    field("a", "double", Value::Double(a)),
                    field("b", "double", Value::Double(b)),
                ],
                Some(("double", Value::Double(result))),
            ),
        )
    };
    let least = i128::from(i32::MIN);
    vec![
        clamp(i128::from(i64::MIN), least, 0, least),
        clamp(5_000_000_000, -1, 255, 255),
        ticket(i128::from(u64::MAX) - 1, i128::from(u64::MAX)),
        ratio(-1.0, 0.0, f64::NEG_INFINITY),
        ratio(0.0, 0.0, f64::NAN),
        ratio(1.0, 3.0, 1.0 / 3.0),
        unchanged(
            Vec::new(),
            call(
                "half",
                vec![field("value", "float", Value::Single(0.1))],
                Some(("float", Value::Single(0.1 / 2.0))),
            ),
        ),
    ]
}

fn sequences() -> Vec<Behaviour> {
    let stack = || field("stack", "struct stack *", Value::Result(0));
    let push = |value| {
        call(
            "stack_push",
            vec![stack(), int("value", value)],
            Some(("_Bool", named("true"))),
        )
    };
    let pop = |result| {
        call(
            "stack_pop",
            vec![stack()],
            Some(("int", Value::Integer(result))),
        )
    };
    let new = call(
        "stack_new",
        Vec::new(),
        Some(("struct stack *", Value::Elsewhere)),
    );
    let mut exits = unchanged(
        Vec::new(),
        call("require_level", vec![int("level", 0)], None),
    );
    exits.after = None;
    exits.ending = Ending::Exited(3);
    vec![
        returns(
            Vec::new(),
            Vec::new(),
            vec![
                new,
                push(1),
                push(2),
                pop(2),
                pop(1),
                pop(-1),
                call("stack_free", vec![stack()], None),
            ],
        ),
        exits,
        unchanged(
            Vec::new(),
            call("require_level", vec![int("level", 1)], None),
        ),
    ]
}

fn failing() -> Vec<Behaviour> {
    let fails = |case, objects, call, how: &str| Behaviour {
        case,
        before: Graph {
            roots: Vec::new(),
            objects,
        },
        calls: vec![call],
        stubs: Vec::new(),
        after: None,
        ending: Ending::Failed(how.to_owned()),
        reached: Vec::new(),
    };
    vec![
        fails(
            201,
            Vec::new(),
            call(
                "first_value",
                vec![field("list", "const struct node *", Value::Null)],
                None,
            ),
            "segmentation fault at kit.c:228",
        ),
        fails(
            202,
            vec![node("node 1", 1, to(1)), node("node 2", 2, to(1))],
            call(
                "list_push",
                vec![
                    field("head", "struct node **", Value::Null),
                    field("node", "struct node *", to(0)),
                ],
                None,
            ),
            "segmentation fault at kit.c:256",
        ),
    ]
}

/// Of the function that no header declares.
pub fn of_a_static_function() -> Vec<Behaviour> {
    let result = Some(("int", Value::Integer(-8)));
    vec![unchanged(
        Vec::new(),
        call("doubled", vec![int("n", -4)], result),
    )]
}

/// What tests cannot say: a pointer to unknown memory, and a type without a name.
pub fn unspeakable() -> Vec<Behaviour> {
    let somewhere = node("node 1", 1, Value::Elsewhere);
    let list = || vec![field("list", "struct node *", to(0))];
    let nameless = Value::Struct(vec![int("x", 1)]);
    let mut all = vec![
        unchanged(vec![somewhere], call("list_drop", list(), None)),
        unchanged(
            Vec::new(),
            call("take", vec![field("it", "struct {...}", nameless)], None),
        ),
        unchanged(
            vec![node("node 1", 1, Value::Null)],
            call("list_drop", list(), None),
        ),
    ];
    for (behaviour, case) in all.iter_mut().zip(1..) {
        behaviour.case = case;
    }
    all
}

/// What `list_concat` does, case by case, with the sides of `list.c` that are reached.
pub fn of_list_concat() -> Vec<Behaviour> {
    let mut all = lists();
    all.truncate(3);
    all.push(all[0].clone());
    let sides: [&[&str]; 4] = [
        &["list.c:9 true"],
        &["list.c:9 false", "list.c:11 true", "list.c:11 false"],
        &["list.c:9 false", "list.c:11 false"],
        &["list.c:9 true"],
    ];
    for ((behaviour, case), sides) in all.iter_mut().zip(1..).zip(sides) {
        behaviour.case = case;
        behaviour.reached = sides.iter().map(|side| (*side).to_owned()).collect();
        behaviour.before.roots.clear();
        if let Some(after) = &mut behaviour.after {
            after.roots.clear();
        }
    }
    all
}

/// All of them, with numbers.
pub fn all() -> Vec<Behaviour> {
    let mut all = [
        lists(),
        trees(),
        texts(),
        shapes(),
        arrays(),
        structures(),
        numbers(),
        sequences(),
    ]
    .concat();
    for (at, behaviour) in all.iter_mut().enumerate() {
        behaviour.case = at as u64 + 1;
    }
    all.extend(failing());
    all
}
