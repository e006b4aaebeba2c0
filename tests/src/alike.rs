//! Random small C programs for what need not be run: flags and sums that branches change and that later
//! branches and assertions ask for, so that subtrees look alike and are not.
//!
//! Many programs stand in one file, since one build then serves all of them: the first character of the
//! first argument says which one runs. Arithmetic is done in unsigned types, and what is hard to solve is
//! narrow; what goes wrong goes wrong by an assertion, by `abort`, by a division or by an address far away.

mod expressions;

use elsewise_test_random::Random;
use std::fmt::Write;

/// The argument that chooses a program of a file.
pub fn argument(index: usize) -> String {
    char::from(b'0' + index as u8).to_string()
}

/// With more of them, each campaign would spend its time in reading a large program.
pub const PER_FILE: usize = 20;

const HEAD: &str = r#"#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef uint8_t u8; typedef int8_t i8; typedef uint16_t u16; typedef int16_t i16;
typedef uint32_t u32; typedef int32_t i32; typedef uint64_t u64; typedef int64_t i64;
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
long __VERIFIER_nondet_long(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);
void elsewise_input(void *, size_t, const char *);
struct s { i32 a; u8 b; i16 c; u32 *p; };
"#;

/// The file with the programs of seeds from `first` on.
pub fn file(first: u64, count: usize) -> String {
    let mut text = HEAD.to_owned();
    for index in 0..count {
        text.push_str(&Writer::new(first + index as u64, index).program());
    }
    text.push_str("int main(int argc, char **argv)\n{\n    if (argc < 2)\n        return 9;\n");
    text.push_str("    switch (argv[1][0]) {\n");
    for index in 0..count {
        let _ = writeln!(
            text,
            "    case {}: return p{index}();",
            b'0' as usize + index
        );
    }
    text.push_str("    }\n    return 8;\n}\n");
    text
}

const TYPES: [&str; 8] = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"];

#[derive(Clone)]
struct Variable {
    name: String,
    kind: &'static str,
    /// Changed by statements; others are what came in.
    written: bool,
}

struct Writer {
    random: Random,
    index: usize,
    out: String,
    indent: usize,
    variables: Vec<Variable>,
    /// Arrays with their lengths, all powers of two.
    arrays: Vec<(String, usize)>,
    structs: Vec<String>,
    /// Functions `u32 NAME(u32, u32 *)`.
    functions: Vec<String>,
    /// How many decisions that depend on inputs may be written still.
    decisions: i32,
    loops: u32,
    made: u32,
    /// Where `goto` may go, in the function that is being written.
    label: bool,
}

impl Writer {
    fn new(seed: u64, index: usize) -> Writer {
        Writer {
            random: Random::new(seed.wrapping_mul(0x1_0000_0001) ^ 0x5ab5),
            index,
            out: format!("/* Seed {seed}. */\n"),
            indent: 0,
            variables: Vec::new(),
            arrays: Vec::new(),
            structs: Vec::new(),
            functions: Vec::new(),
            decisions: 0,
            loops: 0,
            made: 0,
            label: false,
        }
    }

    fn name(&mut self, of: &str) -> String {
        self.made += 1;
        format!("{of}{}_{}", self.index, self.made)
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn open(&mut self, text: &str) {
        self.line(&format!("{text} {{"));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    fn program(mut self) -> String {
        for _ in 0..1 + self.random.below(3) {
            let (name, kind) = (self.name("g"), *self.random.pick(&TYPES));
            let value = self.random.below(4);
            self.line(&format!("static {kind} {name} = {value};"));
            self.variables.push(variable(name, kind));
        }
        if self.random.chance(40) {
            let (name, length) = (self.name("t"), 4 << self.random.below(2));
            let kind = *self.random.pick(&TYPES);
            let values: Vec<String> = (0..length)
                .map(|_| self.random.below(9).to_string())
                .collect();
            self.line(&format!(
                "static {kind} {name}[{length}] = {{ {} }};",
                values.join(", ")
            ));
            self.arrays.push((name, length));
        }
        if self.random.chance(30) {
            let name = self.name("v");
            self.line(&format!("static struct s {name};"));
            self.structs.push(name);
        }
        for _ in 0..self.random.below(3) {
            self.function();
        }
        self.main();
        self.out
    }

    /// A function that others may call.
    fn function(&mut self) {
        let name = self.name("f");
        let kept = self.variables.clone();
        self.decisions = self.random.below(3) as i32;
        self.open(&format!("static u32 {name}(u32 x, u32 *p)"));
        self.variables.push(variable("x".into(), "u32"));
        if self.random.chance(30) {
            // So deep as x says, at most three.
            self.line("if ((x & 3) == 0 || x > 64) return *p;");
            let condition = self.condition(1);
            self.line(&format!("if ({condition}) *p += 1;"));
            self.line(&format!("return {name}((x & 3) - 1, p) + (x >> 4);"));
            self.close();
            self.variables = kept;
            self.functions.push(name);
            return;
        }
        self.variables.push(variable("*p".into(), "u32"));
        let statements = 1 + self.random.below(3);
        for _ in 0..statements {
            self.statement(2);
        }
        let result = self.expression(1);
        self.line(&format!("return (u32)({result});"));
        self.close();
        self.variables = kept;
        self.functions.push(name);
    }

    fn main(&mut self) {
        self.open(&format!("static int p{}(void)", self.index));
        let inputs = 2 + self.random.below(5);
        for _ in 0..inputs {
            self.input();
        }
        for _ in 0..1 + self.random.below(3) {
            let (name, kind) = (self.name("l"), *self.random.pick(&TYPES));
            let value = self.random.below(3);
            self.line(&format!("{kind} {name} = {value};"));
            self.variables.push(variable(name, kind));
        }
        let cell = self.name("c");
        self.line(&format!("u32 {cell} = 1, *q = &{cell};"));
        self.variables.push(variable(cell.clone(), "u32"));
        self.variables.push(variable("*q".into(), "u32"));
        let several: Vec<String> = self
            .variables
            .iter()
            .filter(|one| one.kind == "u32" && one.name != cell && !one.name.contains('*'))
            .map(|one| one.name.clone())
            .collect();
        if !several.is_empty() && self.random.chance(30) {
            let other = self.random.pick(&several).clone();
            let condition = self.condition(0);
            self.line(&format!("if ({condition}) q = &{other};"));
        }
        if self.random.chance(25) {
            let name = self.name("h");
            self.line(&format!("struct s *{name} = malloc(sizeof *{name});"));
            self.line(&format!("memset({name}, 0, sizeof *{name});"));
            self.structs.push(format!("(*{name})"));
        }
        for one in self.structs.clone() {
            self.line(&format!("{one}.p = q;"));
        }
        self.decisions = 6 + self.random.below(12) as i32;
        self.label = true;
        if self.random.chance(35) {
            self.sum();
        }
        let statements = 6 + self.random.below(9);
        for _ in 0..statements {
            self.statement(0);
        }
        if self.random.chance(60) {
            self.rare();
        }
        self.label = false;
        self.line("goto out;");
        self.line("out:;");
        if self.random.chance(50) {
            self.check();
        }
        self.line("return 0;");
        self.close();
    }

    fn input(&mut self) {
        let name = self.name("i");
        if self.random.chance(20) {
            let length = 2 << self.random.below(2);
            self.line(&format!("u8 {name}[{length}];"));
            self.line(&format!(
                "elsewise_input({name}, sizeof {name}, \"{name}\");"
            ));
            self.arrays.push((name.clone(), length));
            for index in 0..2 {
                self.variables.push(Variable {
                    name: format!("{name}[{index}]"),
                    kind: "u8",
                    written: false,
                });
            }
            return;
        }
        let (kind, call) = *self.random.pick(&[
            ("i32", "int"),
            ("u32", "uint"),
            ("i8", "char"),
            ("u8", "uchar"),
            ("i16", "short"),
            ("u16", "ushort"),
            ("i64", "long"),
            ("u8", "bool"),
            ("i32", "int"),
        ]);
        self.line(&format!("{kind} {name} = __VERIFIER_nondet_{call}();"));
        self.variables.push(Variable {
            name,
            kind,
            written: false,
        });
    }

    fn any(&mut self) -> Variable {
        self.random.pick(&self.variables).clone()
    }

    /// What statements change.
    fn state(&mut self) -> Variable {
        let all: Vec<Variable> = self
            .variables
            .iter()
            .filter(|one| one.written)
            .cloned()
            .collect();
        self.random.pick(&all).clone()
    }

    fn read(&mut self) -> Variable {
        let inputs: Vec<Variable> = self
            .variables
            .iter()
            .filter(|one| !one.written)
            .cloned()
            .collect();
        if inputs.is_empty() || self.random.chance(35) {
            return self.any();
        }
        self.random.pick(&inputs).clone()
    }

    fn assignment(&mut self) {
        let to = match self.random.below(6) {
            0 => self.stored(),
            _ => self.state().name,
        };
        match self.random.below(5) {
            0 => self.line(&format!("{to} += 1;")),
            1 => {
                let value = self.random.below(5);
                self.line(&format!("{to} = {value};"));
            }
            2 => {
                let operator = *self.random.pick(&["|=", "^=", "&=", "-=", "+="]);
                let value = 1 << self.random.below(3);
                self.line(&format!("{to} {operator} {value};"));
            }
            _ => {
                let value = self.expression(2);
                self.line(&format!("{to} = {value};"));
            }
        }
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        let kind = self.random.below(100);
        if self.decisions <= 0 || depth > 3 || kind < 30 {
            return self.assignment();
        }
        match kind {
            30..60 => {
                self.decisions -= 1;
                let condition = self.condition(1);
                self.open(&format!("if {condition}"));
                self.block(depth + 1);
                if self.random.chance(45) {
                    self.indent -= 1;
                    self.open("} else");
                    self.block(depth + 1);
                }
                self.close();
            }
            60..68 => self.switch(depth),
            68..76 => self.repeat(depth),
            76..84 if !self.functions.is_empty() => {
                let function = self.random.pick(&self.functions).clone();
                let (to, x) = (self.state().name, self.expression(1));
                self.decisions -= 1;
                let p = *self.random.pick(&["q", "q", "&"]);
                let cells: Vec<String> = self
                    .variables
                    .iter()
                    .filter(|one| one.kind == "u32" && one.written && !one.name.contains('*'))
                    .map(|one| one.name.clone())
                    .collect();
                match (self.label || depth > 0, cells.is_empty()) {
                    // Inside of functions there is no q.
                    _ if !self.label && cells.is_empty() => self.assignment(),
                    _ if p == "q" && self.label => {
                        self.line(&format!("{to} = {function}((u32)({x}), q);"));
                    }
                    (_, false) => {
                        let cell = self.random.pick(&cells).clone();
                        self.line(&format!("{to} = {function}((u32)({x}), &{cell});"));
                    }
                    _ => self.assignment(),
                }
            }
            84..89 => {
                let condition = self.comparison();
                self.line(&format!("__VERIFIER_assume({condition});"));
            }
            89..93 => self.check(),
            93..95 if self.label => {
                let condition = self.condition(0);
                self.line(&format!("if {condition} goto out;"));
                self.decisions -= 1;
            }
            95..97 => {
                let condition = self.condition(0);
                let code = self.random.below(3);
                self.line(&format!("if {condition} exit({code});"));
                self.decisions -= 1;
            }
            97..99 => self.far(),
            _ => self.rare(),
        }
    }

    fn switch(&mut self, depth: u32) {
        self.decisions -= 2;
        let on = match self.random.below(3) {
            0 => format!("{} & 3", self.read().name),
            1 => self.state().name,
            _ => self.read().name,
        };
        self.open(&format!("switch ({on})"));
        let cases = 1 + self.random.below(3);
        for case in 0..cases {
            let value = case * (1 + self.random.below(2)) + 4 * case;
            self.line(&format!("case {value}:"));
            self.block(depth + 1);
            if self.random.chance(75) {
                self.line("break;");
            }
        }
        if self.random.chance(60) {
            self.line("default:");
            self.block(depth + 1);
        }
        self.close();
    }

    fn repeat(&mut self, depth: u32) {
        if self.loops > 1 {
            return self.assignment();
        }
        self.loops += 1;
        self.decisions -= 2;
        let (name, bound) = (self.name("k"), 1 + self.random.below(3));
        match self.random.below(4) {
            0 => {
                let of = self.read().name;
                self.open(&format!(
                    "for (u32 {name} = 0; {name} < (u32)({of} & 3); {name}++)"
                ));
            }
            1 => {
                let condition = self.condition(0);
                self.line(&format!("u32 {name} = {bound};"));
                self.open(&format!("while ({condition} && {name}-- > 0)"));
            }
            _ => self.open(&format!("for (u32 {name} = 0; {name} < {bound}; {name}++)")),
        }
        let allowed = self.decisions.min(1);
        let kept = std::mem::replace(&mut self.decisions, allowed);
        self.block(depth + 1);
        if self.random.chance(40) {
            let condition = self.condition(0);
            let way = *self.random.pick(&["break", "continue"]);
            self.line(&format!("if {condition} {way};"));
        }
        self.assignment();
        self.decisions = kept - (allowed - self.decisions);
        self.close();
    }

    /// Several branches that add to a sum, which may then be asked for.
    fn sum(&mut self) {
        let sum = self.state().name;
        let mut most = 0;
        self.line(&format!("{sum} = 0;"));
        for _ in 0..2 + self.random.below(3) {
            let (condition, by) = (self.condition(0), 1 + self.random.below(4));
            most += by;
            self.decisions -= 1;
            self.line(&format!("if {condition} {sum} += {by};"));
        }
        let limit = most + self.random.below(3) - 1;
        self.line(&format!("assert(!({sum} > {limit}));"));
    }

    /// What fails in few of all states.
    fn rare(&mut self) {
        let (a, b) = (self.state().name, self.random.below(5));
        let second = self.comparison();
        match self.random.below(5) {
            // What a side of a branch says of the input is not enough for every state.
            0 | 1 => {
                let input = self.read().name;
                let (above, least) = (self.random.between(-3, 9), self.random.below(4) as i64);
                let margin = above - least;
                let test = match self.random.below(2) {
                    0 => format!("assert((i64){input} - (i64){a} >= {margin})"),
                    _ => format!("if ((i64){input} - (i64){a} < {margin}) abort()"),
                };
                self.line(&format!("if ((i64){input} > {above}) {test};"));
            }
            2 => self.line(&format!("if ({a} == {b} && ({second})) abort();")),
            3 => self.line(&format!("assert(!({a} == {b} && ({second})));")),
            _ => {
                let third = self.comparison();
                self.line(&format!("assert({a} != {b} || !({second}) || ({third}));"));
            }
        }
    }

    fn check(&mut self) {
        let name = self.state().name;
        match self.random.below(4) {
            0 => {
                let condition = self.condition(1);
                self.line(&format!("assert({condition});"));
            }
            1 => {
                let value = 3 + self.random.below(30);
                self.line(&format!("assert((i64){name} < {value});"));
            }
            _ => self.rare(),
        }
    }

    /// An index that may be far beyond its array.
    fn far(&mut self) {
        let Some((name, length)) = self.arrays.first().cloned() else {
            return self.assignment();
        };
        let (to, at) = (self.state().name, self.state().name);
        let value = self.random.below(4);
        self.line(&format!(
            "{to} = {name}[({at} == {value} ? 1ul << 40 : ({at} & {}))];",
            length - 1
        ));
    }
}

fn variable(name: String, kind: &'static str) -> Variable {
    Variable {
        name,
        kind,
        written: true,
    }
}
