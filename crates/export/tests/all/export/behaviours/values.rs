//! Behaviours of functions that take arrays, structures and numbers.

use super::super::makers::*;
use elsewise_graph::{Behaviour, Field, Value};

pub fn arrays() -> Vec<Behaviour> {
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

pub fn structures() -> Vec<Behaviour> {
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

pub fn numbers() -> Vec<Behaviour> {
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
