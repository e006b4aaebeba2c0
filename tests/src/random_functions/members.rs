//! What a random function is given: members that are pointers, functions or of few values, and what stubs and
//! globals of such types are.

use super::given::{ARRAY, Given, pointer};
use elsewise_test_random::Random;

/// The group of that number; `key` is the number that it is compared with.
pub fn given(random: &mut Random, number: usize, key: i64) -> Given {
    match random.below(8) {
        0 => pair(number, key),
        1 => operations(number, key),
        2 => grid(number, key),
        3 => letters(number),
        4 => switches(number),
        5 => colours(number),
        6 => global(random, number, key),
        _ => stub(random, number, key),
    }
}

/// A structure by value that has a pointer.
fn pair(number: usize, key: i64) -> Given {
    let a = format!("pair{number}");
    Given {
        parameters: vec![format!("struct pair {a}")],
        driver: format!("static struct pair {a};\n"),
        make: format!(
            "    {a}.node = any_node(), {a}.on = choose(2), {a}.colour = ((enum colour[]){{RED, GREEN, BLUE}})[choose(3)];\n"
        ),
        arguments: vec![a.clone()],
        conditions: vec![
            format!("{a}.node && {a}.node->value == {key}"),
            format!("{a}.on && {a}.colour == BLUE"),
            format!("{a}.node && {a}.node->next == {a}.node && {a}.on"),
            format!("{a}.colour > RED"),
        ],
        writes: vec![format!("if ({a}.node) {a}.node->value = {key};")],
        facts: vec![
            format!("*(unsigned char *)&{a}.on <= 1"),
            format!("{a}.colour == RED || {a}.colour == GREEN || {a}.colour == BLUE"),
        ],
        aliases: Some(("node", format!("{a}.node"))),
        ..Given::default()
    }
}

/// A function that a structure has.
fn operations(number: usize, key: i64) -> Given {
    let a = format!("ops{number}");
    Given {
        top: format!(
            "int twice{number}(int number) {{ return 2 * (number & 7); }}\n\
             int minus{number}(int number) {{ return -(number & 7); }}\n"
        ),
        parameters: vec![format!("struct operations *{a}")],
        driver: format!(
            "static int any_{a}(int number) {{ (void)number; return NUMBER(int); }}\n\
             static int (*all_{a}[])(int) = {{ALL_CALLBACKS NULL, any_{a}}};\n\
             static struct operations one_{a}, *{a};\n"
        ),
        make: format!(
            "    one_{a}.apply = PICK(all_{a}), one_{a}.base = NUMBER(int), {a} = choose(2) ? &one_{a} : NULL;\n"
        ),
        arguments: vec![a.clone()],
        pointers: vec![a.clone()],
        conditions: vec![
            format!("{a}->apply && {a}->apply(1) == {key}"),
            format!("{a}->apply == minus{number} && {a}->base == {key}"),
            format!("{a}->apply && {a}->apply({a}->base) < 0"),
            format!("!{a}->apply"),
        ],
        writes: vec![format!("{a}->base = {key};")],
        ..Given::default()
    }
}

fn grid(number: usize, key: i64) -> Given {
    let g = format!("grid{number}");
    let given = pointer(&g, format!("struct grid *{g}"), "struct grid *", "any_grid");
    Given {
        conditions: vec![
            format!("{g}->rows && {g}->rows[1][2] == {key}"),
            format!("{g}->rows && {g}->rows[0][0] > {g}->rows[1][2]"),
            format!("{g}->height == {key}"),
            format!("!{g}->rows && {g}->height < 0"),
        ],
        writes: vec![format!("if ({g}->rows) {g}->rows[0][0] = {key};")],
        aliases: Some(("grid", g)),
        ..given
    }
}

/// Text of unsigned characters.
fn letters(number: usize) -> Given {
    let l = format!("letters{number}");
    let given = pointer(
        &l,
        format!("const unsigned char *{l}"),
        "unsigned char *",
        "any_letters",
    );
    Given {
        conditions: vec![
            format!("{l}[0] == 255"),
            format!("{l}[0] == 'a' && {l}[1] == 'b'"),
            format!("{l}[1] == {l}[2]"),
            format!("strcmp((const char *){l}, \"ba\") == 0"),
            format!("strlen((const char *){l}) == 3"),
        ],
        facts: vec![format!("!{l} || strlen((const char *){l}) <= 3")],
        aliases: Some(("letters", l)),
        ..given
    }
}

fn switches(number: usize) -> Given {
    let s = format!("on{number}");
    let given = pointer(&s, format!("bool *{s}"), "bool *", "any_switches");
    let last = ARRAY - 1;
    Given {
        conditions: vec![
            format!("{s}[0] && !{s}[1]"),
            format!("{s}[{last}]"),
            format!("{s}[0] == {s}[{last}]"),
        ],
        outside: vec![format!("{s}[{ARRAY}]")],
        writes: vec![format!("{s}[0] = !{s}[1];")],
        facts: vec![format!("!{s} || *(unsigned char *)&{s}[1] <= 1")],
        aliases: Some(("switches", s)),
        ..given
    }
}

fn colours(number: usize) -> Given {
    let c = format!("colour{number}");
    let given = pointer(
        &c,
        format!("const enum colour *{c}"),
        "enum colour *",
        "any_colours",
    );
    Given {
        conditions: vec![
            format!("{c}[0] == BLUE"),
            format!("{c}[1] < {c}[2]"),
            format!("{c}[2] == GREEN && {c}[1] != RED"),
        ],
        facts: vec![format!(
            "!{c} || {c}[2] == RED || {c}[2] == GREEN || {c}[2] == BLUE"
        )],
        aliases: Some(("colours", c)),
        ..given
    }
}

fn global(random: &mut Random, number: usize, key: i64) -> Given {
    let g = format!("g{number}");
    if random.chance(50) {
        return Given {
            top: format!("static struct small {g} = {{1, 2, {{3}}}};\n"),
            make: format!(
                "    {g}.a = NUMBER(int), {g}.b = FEW(signed char), {g}.in.c = FEW(short);\n"
            ),
            conditions: vec![
                format!("{g}.a == {key}"),
                format!("{g}.b < {g}.in.c"),
                format!("{g}.in.c == {key}"),
            ],
            writes: vec![format!("{g}.a = {g}.b;")],
            globals: true,
            ..Given::default()
        };
    }
    Given {
        top: format!("short {g}[3] = {{1, 2, 3}};\n"),
        make: format!("    for (int i = 0; i < 3; i++)\n        {g}[i] = FEW(short);\n"),
        conditions: vec![
            format!("{g}[2] == {key}"),
            format!("{g}[0] > {g}[1]"),
            format!("{g}[1] == -1"),
        ],
        writes: vec![format!("{g}[0] = {key};")],
        loops: vec![format!(
            "for (int i = 0; i < 3; i++) sum += {g}[i] == {key};"
        )],
        globals: true,
        ..Given::default()
    }
}

/// Stubs that return what has few values, or parts.
fn stub(random: &mut Random, number: usize, key: i64) -> Given {
    let s = format!("probe{number}");
    match random.below(3) {
        0 => Given {
            top: format!("bool {s}(void);\n"),
            driver: format!("bool {s}(void) {{ return choose(2); }}\n"),
            conditions: vec![format!("{s}()"), format!("{s}() != {s}()")],
            ..Given::default()
        },
        1 => Given {
            top: format!("enum colour {s}(int number);\n"),
            driver: format!(
                "enum colour {s}(int number) {{ (void)number; return ((enum colour[]){{RED, GREEN, BLUE}})[choose(3)]; }}\n"
            ),
            conditions: vec![format!("{s}(1) == GREEN"), format!("{s}(0) < {s}(0)")],
            ..Given::default()
        },
        _ => Given {
            top: format!("struct small {s}(void);\n"),
            driver: format!(
                "struct small {s}(void)\n{{\n    struct small all;\n    all.a = NUMBER(int), all.b = FEW(signed char), \
                 all.in.c = FEW(short);\n    return all;\n}}\n"
            ),
            conditions: vec![format!("{s}().a == {key}"), format!("{s}().in.c < {s}().b")],
            ..Given::default()
        },
    }
}
