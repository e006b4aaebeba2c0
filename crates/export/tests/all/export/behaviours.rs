//! Behaviours of the library `kit.c`, written by hand from reading it.

mod values;

use super::makers::*;
use elsewise_graph::{Behaviour, Ending, Graph, Object, Step, Value};

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
        values::arrays(),
        values::structures(),
        values::numbers(),
        sequences(),
    ]
    .concat();
    for (at, behaviour) in all.iter_mut().enumerate() {
        behaviour.case = at as u64 + 1;
    }
    all.extend(failing());
    all
}
