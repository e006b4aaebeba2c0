//! What a random function is given: structures, callbacks, globals, and what stubs return.

use super::given::{ARRAY, Given, pointer};
use super::members;
use elsewise_test_random::Random;

/// The group of that number; `key` is the number that it is compared with.
pub fn given(random: &mut Random, number: usize, key: i64) -> Given {
    match random.below(37) {
        0..=4 => node(number, key),
        5..=6 => tree(number, key),
        7..=8 => outer(number, key),
        9 => slots(number, key),
        10 => node_array(random, number, key),
        11..=12 => slot(number, key),
        13 => packet(number, key),
        14..=15 => buffer(number, key),
        16 => value(number, key),
        17 => untyped(number, key),
        18 => bits(random, number),
        19 => container(number, key),
        20..=21 => callback(number, key),
        22 => with_context(number, key),
        23 => comparator(number),
        24 => global(random, number, key),
        25 => nodes(number, key),
        26 => item(number, key),
        27..=35 => members::given(random, number, key),
        _ => stub(random, number, key),
    }
}

fn node(number: usize, key: i64) -> Given {
    let p = format!("p{number}");
    let given = pointer(&p, format!("struct node *{p}"), "struct node *", "any_node");
    Given {
        aliases: Some(("node", p.clone())),
        ..of_node(given, &p, key)
    }
}

/// What is asked of a node behind an expression.
fn of_node(given: Given, p: &str, key: i64) -> Given {
    Given {
        conditions: vec![
            format!("{p}->value == {key}"),
            format!("{p}->value > {key}"),
            format!("{p}->next == {p}"),
            format!("{p}->next && {p}->next->value < 0"),
            format!("{p}->next && {p}->next->next == {p}"),
            format!("{p}->next && {p}->next->value > {p}->value"),
            format!("!{p}->next"),
        ],
        outside: vec![format!("{p}[1].value == {key}")],
        writes: vec![
            format!("{p}->value = {key};"),
            format!("if ({p}->next)\n        {p}->next->value = {p}->value;"),
            format!("{p}->next = {p};"),
        ],
        loops: vec![format!(
            "{{\n        struct node *at = {p};\n        \
             for (int i = 0; i < 3 && at; i++, at = at->next)\n            \
             sum += at->value == {key};\n    }}"
        )],
        ..given
    }
}

fn tree(number: usize, key: i64) -> Given {
    let t = format!("t{number}");
    let given = pointer(&t, format!("struct tree *{t}"), "struct tree *", "any_tree");
    Given {
        conditions: vec![
            format!("{t}->key == {key}"),
            format!("{t}->left && {t}->left->key < {t}->key"),
            format!("{t}->right && {t}->right == {t}->left"),
            format!("{t}->left && {t}->left->right == {t}"),
            format!("{t}->right && {t}->right->key > {key}"),
            format!("!{t}->left && !{t}->right"),
        ],
        writes: vec![
            format!("{t}->key = {key};"),
            format!("if ({t}->left)\n        {t}->left->key = 0;"),
            format!("{t}->left = {t}->right;"),
        ],
        aliases: Some(("tree", t)),
        ..given
    }
}

fn outer(number: usize, key: i64) -> Given {
    let o = format!("o{number}");
    let given = pointer(
        &o,
        format!("struct outer *{o}"),
        "struct outer *",
        "any_outer",
    );
    Given {
        conditions: vec![
            format!("{o}->kind == {key}"),
            format!("{o}->inner.value > {key}"),
            format!("{o}->link == &{o}->inner"),
            format!("{o}->link && {o}->link->value == {o}->inner.value"),
            format!("{o}->inner.next == {o}->link"),
            format!("{o}->link && {o}->link != &{o}->inner && {o}->link->value < 0"),
        ],
        writes: vec![
            format!("{o}->inner.value = {key};"),
            format!("if ({o}->link)\n        {o}->link->value = -1;"),
        ],
        outer: true,
        aliases: Some(("node", format!("&{o}->inner"))),
        ..given
    }
}

fn slots(number: usize, key: i64) -> Given {
    let s = format!("l{number}");
    let given = pointer(
        &s,
        format!("struct slots *{s}"),
        "struct slots *",
        "any_slots",
    );
    Given {
        conditions: vec![
            format!("{s}->slot[1] && {s}->slot[1]->value == {key}"),
            format!("{s}->slot[0] == {s}->slot[1]"),
            format!("{s}->used > {key}"),
            format!("{s}->slot[0] && {s}->slot[0]->next == {s}->slot[1]"),
        ],
        writes: vec![format!(
            "if ({s}->slot[0])\n        {s}->slot[0]->value = 1;"
        )],
        ..given
    }
}

/// `struct node *a[4]`, or so many by a length.
fn node_array(random: &mut Random, number: usize, key: i64) -> Given {
    let a = format!("a{number}");
    let never_null = random.chance(30);
    let word = if never_null { "static " } else { "" };
    let make = format!(
        "    for (int i = 0; i < 3; i++)\n        all_{a}[i] = any_node();\n    {a} = {} ? all_{a} : NULL;\n",
        if never_null { "1" } else { "choose(2)" }
    );
    let pointers = if never_null {
        Vec::new()
    } else {
        vec![a.clone()]
    };
    Given {
        parameters: vec![format!("struct node *{a}[{word}3]")],
        driver: format!("static struct node *all_{a}[3], **{a};\n"),
        make,
        arguments: vec![a.clone()],
        pointers,
        conditions: vec![
            format!("{a}[2] && {a}[2]->value == {key}"),
            format!("{a}[0] && {a}[0] == {a}[2]"),
            format!("!{a}[1]"),
            format!("{a}[1] && {a}[2] && {a}[1]->next == {a}[2]"),
        ],
        writes: vec![format!("{a}[0] = {a}[1];")],
        ..Given::default()
    }
}

/// So many nodes; one may be a part of another object.
fn nodes(number: usize, key: i64) -> Given {
    let (a, n) = (format!("nodes{number}s"), format!("nodes{number}s_count"));
    Given {
        parameters: vec![format!("struct node *{a}"), format!("unsigned {n}")],
        driver: format!("static struct node all_{a}[ARRAY], *{a};\nstatic unsigned {n};\n"),
        make: format!(
            "    {n} = (unsigned)choose(ARRAY + 1);\n    {a} = {n} <= 1 && choose(2) ? any_node() : choose(2) ? all_{a} : NULL;\n    \
             for (int i = 0; {a} == all_{a} && i < (int){n}; i++)\n        \
             all_{a}[i].value = FEW(int), all_{a}[i].next = i ? NULL : any_node();\n"
        ),
        arguments: vec![a.clone(), n.clone()],
        pointers: vec![a.clone()],
        conditions: vec![
            format!("{n} == 2 && {a}[1].value == {key}"),
            format!("{n} > 0 && {a}[0].value > {key}"),
            format!("{n} == 1 && {a}[0].next == {a}"),
            format!("{n} == 3 && {a}[1].value == {a}[2].value"),
        ],
        writes: vec![format!("if ({n} == 1) {a}[0].value = {key};")],
        aliases: Some(("node", format!("({n} == 1 ? {a} : NULL)"))),
        ..Given::default()
    }
}

/// One object, or the first of an array.
fn item(number: usize, key: i64) -> Given {
    let w = format!("w{number}");
    Given {
        parameters: vec![format!("struct item *{w}")],
        driver: format!("static struct item *{w};\n"),
        make: format!("    {w} = any_item(1, 1 + EXTRA);\n"),
        arguments: vec![w.clone()],
        pointers: vec![w.clone()],
        conditions: vec![
            format!("{w}->value == {key}"),
            format!("{w}->weight < 0"),
            format!("{w}->weight > {w}->value"),
        ],
        outside: vec![format!("{w}[1].value == {key}")],
        writes: vec![format!("{w}->value = {key};")],
        aliases: Some(("any_item", w)),
        ..Given::default()
    }
}

fn slot(number: usize, key: i64) -> Given {
    let pp = format!("pp{number}");
    let given = pointer(
        &pp,
        format!("struct node **{pp}"),
        "struct node **",
        "any_slot",
    );
    Given {
        conditions: vec![
            format!("*{pp} && (*{pp})->value == {key}"),
            format!("!*{pp}"),
            format!("*{pp} && &(*{pp})->next == {pp}"),
            format!("*{pp} && (*{pp})->next == *{pp}"),
        ],
        writes: vec![format!("*{pp} = NULL;")],
        aliases: Some(("node", format!("*{pp}"))),
        ..given
    }
}

fn packet(number: usize, key: i64) -> Given {
    let k = format!("k{number}");
    let given = pointer(
        &k,
        format!("struct packet *{k}"),
        "struct packet *",
        "any_packet",
    );
    Given {
        conditions: vec![
            format!("{k}->kind == {key}"),
            format!("{k}->tail[0] > {key}"),
            format!("{k}->tail[{}] == {k}->tail[0]", ARRAY - 1),
            format!("{k}->tail[1] < 0"),
        ],
        outside: vec![format!("{k}->tail[{ARRAY}] == {key}")],
        writes: vec![format!("{k}->tail[1] = {key};")],
        aliases: Some(("packet", k)),
        ..given
    }
}

/// A member says how long what another one points to is.
fn buffer(number: usize, key: i64) -> Given {
    let f = format!("f{number}");
    let given = pointer(
        &f,
        format!("struct buffer *{f}"),
        "struct buffer *",
        "any_buffer",
    );
    Given {
        conditions: vec![
            format!("{f}->data && {f}->length > 1 && {f}->data[1] == {key}"),
            format!("{f}->data && {f}->length == {ARRAY} && {f}->data[2] > {f}->data[0]"),
            format!("!{f}->data && {f}->length == {key}"),
            format!("{f}->data && {f}->length == 0"),
            format!("{f}->data && {f}->length == 2"),
        ],
        facts: vec![format!("!{f} || !{f}->data || {f}->length <= {ARRAY}")],
        writes: vec![format!(
            "if ({f}->data && {f}->length > 1)\n        {f}->data[1] = {key};"
        )],
        aliases: Some(("buffer", f)),
        ..given
    }
}

fn value(number: usize, key: i64) -> Given {
    let u = format!("u{number}");
    let given = pointer(
        &u,
        format!("struct value *{u}"),
        "struct value *",
        "any_value",
    );
    Given {
        conditions: vec![
            format!("{u}->tag == 0 && {u}->number == {key}"),
            format!("{u}->tag == -1"),
            format!("{u}->tag == 0 && {u}->number < 0"),
        ],
        ..given
    }
}

/// A `void *` that the function takes for one structure.
fn untyped(number: usize, key: i64) -> Given {
    let r = format!("r{number}");
    let data = format!("data{number}");
    let mut given = pointer(&data, format!("void *{data}"), "void *", "any_record");
    given.pointers = vec![r.clone()];
    given.top = format!("LOCAL struct record *{r} = {data};\n");
    Given {
        conditions: vec![
            format!("{r}->kind == {key}"),
            format!("{r}->flag > {key}"),
            format!("{r}->flag == {r}->kind"),
        ],
        writes: vec![format!("{r}->kind = {key};")],
        ..given
    }
}

fn bits(random: &mut Random, number: usize) -> Given {
    let i = format!("i{number}");
    let by_value = random.chance(50);
    let mut given = pointer(&i, format!("struct bits *{i}"), "struct bits *", "any_bits");
    let mut dot = "->";
    if by_value {
        dot = ".";
        given = Given {
            parameters: vec![format!("struct bits {i}")],
            driver: format!("static struct bits {i};\n"),
            make: format!(
                "    {i}.a = (unsigned)choose(8), {i}.b = choose(4) - 2, {i}.c = (unsigned)choose(16);\n"
            ),
            arguments: vec![i.clone()],
            ..Given::default()
        };
    }
    Given {
        conditions: vec![
            format!("{i}{dot}a == 5"),
            format!("{i}{dot}b < 0"),
            format!("{i}{dot}c > {i}{dot}a"),
            format!("{i}{dot}c == 9"),
            format!("{i}{dot}a + {i}{dot}c == 20"),
        ],
        writes: vec![format!("{i}{dot}c = {i}{dot}a;")],
        ..given
    }
}

/// The function goes from a part to the whole, which nobody gave.
fn container(number: usize, key: i64) -> Given {
    let l = format!("l{number}");
    let given = pointer(&l, format!("struct link *{l}"), "struct link *", "any_link");
    let entry = format!("((struct entry *)((char *){l} - offsetof(struct entry, link)))");
    Given {
        conditions: vec![format!("{l}->next == {l}"), format!("!{l}->next")],
        outside: vec![
            format!("{entry}->key == {key}"),
            format!("{entry}->key < 0"),
        ],
        ..given
    }
}

fn callback(number: usize, key: i64) -> Given {
    let c = format!("c{number}");
    Given {
        top: format!(
            "int twice{number}(int number) {{ return 2 * (number & 7); }}\n\
             int minus{number}(int number) {{ return -(number & 7); }}\n"
        ),
        parameters: vec![format!("int (*{c})(int)")],
        driver: format!(
            "static int any_{c}(int number) {{ (void)number; return NUMBER(int); }}\n\
             static int (*all_{c}[])(int) = {{ALL_CALLBACKS NULL, any_{c}}};\n\
             static int (*{c})(int);\n"
        ),
        make: format!("    {c} = PICK(all_{c});\n"),
        arguments: vec![c.clone()],
        pointers: vec![c.clone()],
        conditions: vec![
            format!("{c}(1) == {key}"),
            format!("{c} == twice{number}"),
            format!("{c}(3) < 0"),
            format!("{c}(2) > {c}(1)"),
        ],
        ..Given::default()
    }
}

fn with_context(number: usize, key: i64) -> Given {
    let (v, d) = (format!("visit{number}"), format!("data{number}"));
    Given {
        top: format!(
            "int add{number}(int number, void *data)\n{{\n    struct sum *sum = data;\n    \
             return sum ? (number & 7) == (sum->all & 7) && sum->most == {key} : -1;\n}}\n"
        ),
        parameters: vec![format!("int (*{v})(int, void *)"), format!("void *{d}")],
        driver: format!(
            "static int any_{v}(int number, void *data) {{ (void)number; (void)data; return NUMBER(int); }}\n\
             static int (*all_{v}[])(int, void *) = {{ALL_VISITORS NULL, any_{v}}};\n\
             static int (*{v})(int, void *);\nstatic void *{d};\n"
        ),
        make: format!("    {v} = PICK(all_{v}), {d} = any_sum();\n"),
        arguments: vec![v.clone(), d.clone()],
        pointers: vec![v.clone()],
        conditions: vec![
            format!("{v}(1, {d}) == 1"),
            format!("{v} == add{number} && {d} != NULL"),
            format!("{v}(0, {d}) < 0"),
        ],
        ..Given::default()
    }
}

fn comparator(number: usize) -> Given {
    let c = format!("by{number}");
    Given {
        top: format!(
            "int by_value{number}(const void *a, const void *b)\n{{\n    \
             return *(const int *)a - *(const int *)b;\n}}\n"
        ),
        parameters: vec![format!("int (*{c})(const void *, const void *)")],
        driver: format!(
            "static int any_{c}(const void *a, const void *b) {{ (void)a; (void)b; return NUMBER(int); }}\n\
             static int (*all_{c}[])(const void *, const void *) = {{ALL_COMPARATORS NULL, any_{c}}};\n\
             static int (*{c})(const void *, const void *);\n"
        ),
        make: format!("    {c} = PICK(all_{c});\n"),
        arguments: vec![c.clone()],
        pointers: vec![c.clone()],
        conditions: vec![
            format!("{c}(&(int){{3}}, &(int){{5}}) == -2"),
            format!("{c} == by_value{number}"),
            format!("{c}(&(int){{3}}, &(int){{3}}) != 0"),
        ],
        ..Given::default()
    }
}

fn global(random: &mut Random, number: usize, key: i64) -> Given {
    let g = format!("g{number}");
    let globals = random.chance(60);
    match random.below(4) {
        0 if globals => {
            let given = Given {
                top: format!("static struct node *{g};\n"),
                make: format!("    {g} = any_node();\n"),
                pointers: vec![g.clone()],
                globals,
                aliases: Some(("node", g.clone())),
                ..Given::default()
            };
            of_node(given, &g, key)
        }
        1 => Given {
            top: format!("extern int {g};\n"),
            driver: format!("int {g};\n"),
            make: match globals {
                true => format!("    {g} = NUMBER(int);\n"),
                false => format!("    {g} = 0;\n"),
            },
            conditions: vec![format!("{g} == {key}"), format!("{g} < 0")],
            writes: vec![format!("{g} = {key};")],
            globals,
            ..Given::default()
        },
        _ => Given {
            top: format!("static int {g} = {key};\n"),
            make: match globals {
                true => format!("    {g} = NUMBER(int);\n"),
                false => format!("    {g} = {key};\n"),
            },
            conditions: vec![format!("{g} > {key}"), format!("{g} == {}", key + 1)],
            writes: vec![format!("{g}++;"), format!("{g} = {};", key + 1)],
            globals,
            ..Given::default()
        },
    }
}

fn stub(random: &mut Random, number: usize, key: i64) -> Given {
    let s = format!("probe{number}");
    if random.chance(40) {
        return Given {
            top: format!("struct node *{s}(int number);\n"),
            driver: format!(
                "struct node *{s}(int number) {{ (void)number; return any_node(); }}\n"
            ),
            conditions: vec![
                format!("!{s}(1)"),
                format!("(first = {s}(0)) && first->value == {key}"),
                format!("(first = {s}(2)) && first->next == first"),
                format!("(first = {s}(0)) && {s}(0) == first"),
            ],
            ..Given::default()
        };
    }
    Given {
        top: format!("int {s}(int number);\n"),
        driver: format!("int {s}(int number) {{ (void)number; return NUMBER(int); }}\n"),
        conditions: vec![
            format!("{s}(1) == {key}"),
            format!("{s}(0) < {s}(0)"),
            format!("{s}(2) > {key}"),
        ],
        ..Given::default()
    }
}
