//! What a random function is given: numbers, arrays and text.

use super::given::{ARRAY, Given, TEXT};
use super::memory;
use elsewise_test_random::Random;
const INTEGERS: &[(&str, &str, &str)] = &[
    ("signed char", "INT8_MIN", "INT8_MAX"),
    ("unsigned char", "0", "UINT8_MAX"),
    ("short", "INT16_MIN", "INT16_MAX"),
    ("unsigned short", "0", "UINT16_MAX"),
    ("int", "INT32_MIN", "INT32_MAX"),
    ("unsigned", "0", "UINT32_MAX"),
    ("long", "INT64_MIN", "INT64_MAX"),
    ("unsigned long", "0", "UINT64_MAX"),
    ("long long", "INT64_MIN", "INT64_MAX"),
];

/// The group of that number; `key` is the number that it is compared with.
pub fn given(random: &mut Random, number: usize, key: i64) -> Given {
    match random.below(34) {
        0..=3 => integer(random, number, key),
        4 => boolean(number),
        5 => enumeration(random, number),
        6 => float(random, number, key),
        7 => small(number, key),
        8..=9 => array(random, number, key),
        10..=12 => counted(random, number, key),
        13..=14 => copied(random, number, key),
        15..=16 => declared(random, number, key),
        17 => matrix(random, number, key),
        18..=20 => text(random, number),
        21 => bytes(random, number),
        _ => memory::given(random, number, key),
    }
}

fn integer(random: &mut Random, number: usize, key: i64) -> Given {
    let (ty, least, most) = *random.pick(INTEGERS);
    let x = format!("x{number}");
    let mut conditions = vec![
        format!("{x} == {key}"),
        format!("{x} > {key}"),
        format!("({x} & 1) == 0"),
        format!("{x} != {}", key + 1),
    ];
    if least != "0" {
        conditions.push(format!("{x} < 0"));
    }
    Given {
        parameters: vec![format!("{ty} {x}")],
        driver: format!(
            "static const long long all_{x}[] = {{0, KEY, 1, -1, KEY + 1, KEY + 2, KEY + 3, -2, -3, (long long){least}, (long long){most}}};\n"
        ),
        arguments: vec![format!("({ty})PICK(all_{x})")],
        conditions,
        aliases: Some(("number", format!("(long long){x}"))),
        ..Given::default()
    }
}

fn boolean(number: usize) -> Given {
    let b = format!("b{number}");
    Given {
        parameters: vec![format!("bool {b}")],
        arguments: vec!["choose(2)".into()],
        conditions: vec![b.clone(), format!("!{b}")],
        facts: vec![format!("*(unsigned char *)&{b} <= 1")],
        ..Given::default()
    }
}

fn enumeration(random: &mut Random, number: usize) -> Given {
    let e = format!("e{number}");
    if random.chance(40) {
        let domain = "(choose(17) - 1)";
        return Given {
            parameters: vec![format!("enum flag {e}")],
            arguments: vec![format!("(enum flag){domain}")],
            conditions: vec![
                format!("({e} & READ) != 0"),
                format!("{e} == (READ | APPEND)"),
                format!("({e} & (WRITE | APPEND)) == WRITE"),
                format!("({e} & 8) != 0"),
            ],
            ..Given::default()
        };
    }
    Given {
        parameters: vec![format!("enum colour {e}")],
        arguments: vec!["((enum colour[]){RED, GREEN, BLUE})[choose(3)]".into()],
        conditions: vec![
            format!("{e} == GREEN"),
            format!("{e} > GREEN"),
            format!("{e} != RED"),
        ],
        facts: vec![format!("{e} == RED || {e} == GREEN || {e} == BLUE")],
        ..Given::default()
    }
}

fn float(random: &mut Random, number: usize, key: i64) -> Given {
    let x = format!("d{number}");
    let ty = *random.pick(&["float", "double"]);
    Given {
        parameters: vec![format!("{ty} {x}")],
        driver: format!(
            "static const double all_{x}[] = {{0, KEY, KEY + .5, -1, -.0, KEY + 1, -1.5, 1e30, 1 / 0., -1 / 0., 0 / 0.}};\n"
        ),
        arguments: vec![format!("({ty})PICK(all_{x})")],
        conditions: vec![
            format!("{x} == {key}"),
            format!("{x} > {key}"),
            format!("{x} < -1"),
            format!("{x} != {x}"),
            format!("{x} == {key}.5"),
        ],
        ..Given::default()
    }
}

fn small(number: usize, key: i64) -> Given {
    let s = format!("s{number}");
    Given {
        parameters: vec![format!("struct small {s}")],
        driver: format!("static struct small {s};\n"),
        make: format!(
            "    {s}.a = NUMBER(int), {s}.b = FEW(signed char), {s}.in.c = FEW(short);\n"
        ),
        arguments: vec![s.clone()],
        conditions: vec![
            format!("{s}.a == {key}"),
            format!("{s}.b > {key}"),
            format!("{s}.in.c == {}", key + 1),
            format!("{s}.a == {s}.in.c"),
            format!("{s}.in.c < 0"),
        ],
        ..Given::default()
    }
}

/// Type, the driver's function, and a name for aliases.
const ELEMENTS: &[(&str, &str)] = &[
    ("int", "any_int"),
    ("int", "any_int"),
    ("short", "any_short"),
    ("double", "any_double"),
];

/// No length: an array of as many elements as there may be.
fn array(random: &mut Random, number: usize, key: i64) -> Given {
    let v = format!("v{number}");
    let (ty, any) = *random.pick(ELEMENTS);
    Given {
        parameters: vec![format!("{ty} *{v}")],
        driver: format!("static {ty} *{v};\n"),
        make: format!("    {v} = {any}(1, ARRAY + EXTRA);\n"),
        arguments: vec![v.clone()],
        pointers: vec![v.clone()],
        conditions: of_array(&v, ARRAY, key),
        outside: vec![format!("{v}[{ARRAY}] == {key}")],
        writes: vec![format!("{v}[1] = {key};"), format!("{v}[0] = {v}[2];")],
        loops: vec![loop_over(&v, &ARRAY.to_string(), key)],
        aliases: Some((any, v)),
        ..Given::default()
    }
}

fn of_array(v: &str, length: usize, key: i64) -> Vec<String> {
    let last = length - 1;
    vec![
        format!("{v}[0] == {key}"),
        format!("{v}[{last}] > {key}"),
        format!("{v}[{last}] == {v}[0]"),
        format!("{v}[0] < {v}[{last}]"),
        format!("{v}[{}] == -1", length / 2),
    ]
}

fn loop_over(v: &str, length: &str, key: i64) -> String {
    format!("for (long i = 0; i < (long){length}; i++)\n        sum += {v}[i] == {key};")
}

fn counted(random: &mut Random, number: usize, key: i64) -> Given {
    let v = format!("items{number}");
    let n = format!("items{number}_count");
    let (counts, signed) = *random.pick(&[
        ("size_t", false),
        ("unsigned", false),
        ("unsigned short", false),
        ("int", true),
        ("long", true),
    ]);
    let structs = random.chance(20);
    let (ty, any) = match structs {
        true => ("struct item", "any_item"),
        false => *random.pick(ELEMENTS),
    };
    let value = if structs { ".value" } else { "" };
    let mut conditions = vec![
        format!("{n} > 1 && {v}[1]{value} == {key}"),
        format!("{n} == {ARRAY} && {v}[0]{value} > {v}[2]{value}"),
        format!("{n} == 0"),
        format!("{n} == 2"),
    ];
    let mut make = format!("    {n} = ({counts})choose(ARRAY + 1);\n");
    let mut facts = vec![format!("{n} <= {ARRAY}")];
    if signed {
        conditions.push(format!("{n} < 0"));
        make = format!("    {n} = ({counts})(choose(ARRAY + 2) - 1);\n");
    }
    if random.chance(50) {
        facts.clear();
    }
    let mut loops = vec![loop_over(&v, &n, key)];
    if structs {
        loops = vec![loop_over(&v, &n, key).replace("[i]", "[i].weight")];
    }
    Given {
        parameters: vec![format!("const {ty} *{v}"), format!("{counts} {n}")],
        driver: format!("static {ty} *{v};\nstatic {counts} {n};\n"),
        make: format!("{make}    {v} = {any}(1, ({n} < 0 ? ARRAY : (int){n}) + EXTRA);\n"),
        arguments: vec![v.clone(), n.clone()],
        pointers: vec![v.clone()],
        conditions,
        outside: vec![format!("{n} > 0 && {v}[{n}]{value} == {key}")],
        loops,
        facts,
        aliases: Some((any, v)),
        ..Given::default()
    }
}

/// Two arrays with one length, that may be the same.
fn copied(random: &mut Random, number: usize, key: i64) -> Given {
    let (ty, any) = *random.pick(ELEMENTS);
    let (counts, least) = *random.pick(&[("size_t", 0), ("unsigned", 0), ("int", 1)]);
    let make = |v: &str| format!("    {v} = {any}(1, (int)n < 0 ? ARRAY : (int)n);\n");
    let mut conditions = vec![
        "n == 0".to_owned(),
        format!("n > 1 && dst[1] == {key}"),
        format!("n > 1 && src[1] == {key}"),
        "n == 2 && dst[0] < src[1]".to_owned(),
        "dst == src".to_owned(),
    ];
    if least == 1 {
        conditions.push("n < 0".to_owned());
    }
    Given {
        parameters: vec![
            format!("{ty} *dst"),
            format!("const {ty} *src"),
            format!("{counts} n"),
        ],
        driver: format!("static {ty} *dst, *src;\nstatic {counts} n;\n"),
        make: format!(
            "    n = ({counts})(choose(ARRAY + 1 + {least}) - {least});\n{}{}",
            make("dst"),
            make("src")
        ),
        arguments: ["dst", "src", "n"].map(String::from).into(),
        pointers: ["dst", "src"].map(String::from).into(),
        conditions,
        writes: vec![
            format!("if (n > 1)\n        dst[1] = {key};"),
            "if (n == 3)\n        dst[2] = src[0];".to_owned(),
            "if (n == 2)\n        memmove(dst, src, n * sizeof *dst);".to_owned(),
        ],
        loops: vec![
            "for (long i = 0; i < (long)n; i++)\n        sum += dst[i] == src[i];".to_owned(),
        ],
        first: true,
        aliases: Some((any, format!("src /* {number} */"))),
        ..Given::default()
    }
}

/// `int v[2]`, `int v[static 4]`, an array whose function says `nonnull`.
fn declared(random: &mut Random, number: usize, key: i64) -> Given {
    let v = format!("v{number}");
    let (ty, any) = *random.pick(ELEMENTS);
    let length = 2 + random.below(3);
    let never_null = random.chance(50);
    let of_function = never_null && random.chance(40);
    let word = if never_null && !of_function {
        "static "
    } else {
        ""
    };
    let mut facts = Vec::new();
    if never_null {
        // The compiler believes the declaration: it must be asked without its knowledge.
        facts.push(format!("*(void *volatile *)&{v} != NULL"));
    }
    Given {
        parameters: vec![format!("{ty} {v}[{word}{length}]")],
        driver: format!("static {ty} *{v};\n"),
        make: format!(
            "    {v} = {any}({}, {length} + EXTRA);\n",
            i32::from(!never_null)
        ),
        arguments: vec![v.clone()],
        pointers: if never_null {
            Vec::new()
        } else {
            vec![v.clone()]
        },
        conditions: of_array(&v, length, key),
        outside: vec![format!("{v}[{length}] == {key}")],
        writes: vec![format!("{v}[{}] = {key};", length - 1)],
        loops: vec![loop_over(&v, &length.to_string(), key)],
        facts,
        attributes: if of_function {
            format!("nonnull {v}")
        } else {
            String::new()
        },
        aliases: Some((any, v)),
        ..Given::default()
    }
}

fn matrix(random: &mut Random, number: usize, key: i64) -> Given {
    let m = format!("m{number}");
    let (parameter, rows) = match random.below(3) {
        0 => (format!("signed char {m}[2][3]"), 2),
        1 => (format!("signed char (*{m})[3]"), ARRAY),
        _ => (format!("signed char {m}[][3]"), ARRAY),
    };
    let last = rows - 1;
    Given {
        parameters: vec![parameter],
        driver: format!("static signed char {m}[4][3];\n"),
        // Few of its cells are ever looked at.
        make: format!(
            "    {m}[0][0] = FEW(signed char), {m}[1][2] = FEW(signed char), {m}[{last}][1] = FEW(signed char);\n"
        ),
        arguments: vec![format!("choose(2) ? {m} : NULL")],
        pointers: vec![m.clone()],
        conditions: vec![
            format!("{m}[0][0] == {key}"),
            format!("{m}[1][2] > {key}"),
            format!("{m}[{last}][1] == {m}[0][0]"),
            format!("{m}[{last}][1] == {}", key + 1),
        ],
        writes: vec![format!("{m}[1][2] = {key};")],
        ..Given::default()
    }
}

fn text(random: &mut Random, number: usize) -> Given {
    let s = format!("s{number}");
    let writable = random.chance(40);
    let mut conditions: Vec<String> = [
        "strcmp(S, \"ab\") == 0",
        "strlen(S) == 2",
        "strchr(S, 'b') != NULL",
        "memcmp(S, \"ab\", 2) == 0",
        "S[0] == 'c'",
        "strncmp(S, \"ac\", 1) == 0",
        "strstr(S, \"bc\") != NULL",
        "strspn(S, \"ab\") == 2",
        "strcspn(S, \"b\") == 1",
        "memchr(S, 'b', 3) != NULL",
        "strrchr(S, 'a') == S + 1",
        "strlen(S) == 1 && S[2] == 'b'",
        "strcmp(S, \"abc\") < 0",
    ]
    .iter()
    .map(|text| text.replace('S', &s))
    .collect();
    // Few, or all would be about text.
    while conditions.len() > 5 {
        let place = random.below(conditions.len());
        conditions.remove(place);
    }
    let (writes, word) = match writable {
        true => (vec![format!("{s}[0] = 'b';")], ""),
        false => (Vec::new(), "const "),
    };
    Given {
        parameters: vec![format!("{word}char *{s}")],
        driver: format!("static char *{s};\n"),
        make: format!("    {s} = any_text();\n"),
        arguments: vec![s.clone()],
        pointers: vec![s.clone()],
        conditions,
        outside: vec![format!("{s}[{}] == 'x'", TEXT + 1)],
        writes,
        facts: vec![format!("!{s} || strlen({s}) <= {TEXT}")],
        aliases: Some(("text", s)),
        ..Given::default()
    }
}

fn bytes(random: &mut Random, number: usize) -> Given {
    let b = format!("buf{number}");
    let n = format!("buf{number}_len");
    let ty = *random.pick(&["char", "char", "unsigned char"]);
    Given {
        parameters: vec![format!("const {ty} *{b}"), format!("size_t {n}")],
        driver: format!("static char *{b};\nstatic size_t {n};\n"),
        make: format!(
            "    {n} = (size_t)choose(ARRAY + 1);\n    {b} = any_char(1, (int){n} + EXTRA);\n"
        ),
        arguments: vec![format!("(void *){b}"), n.clone()],
        pointers: vec![b.clone()],
        conditions: vec![
            format!("{n} >= 2 && memcmp({b}, \"ab\", 2) == 0"),
            format!("memchr({b}, 'c', {n}) != NULL"),
            format!("{n} == 3 && {b}[0] == {b}[2]"),
            format!("{n} == 1 && {b}[0] == 0"),
        ],
        outside: vec![format!("{n} < {ARRAY} && {b}[{n}] == 'b'")],
        ..Given::default()
    }
}
