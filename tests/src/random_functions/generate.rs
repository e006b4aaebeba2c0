//! A random function: what it is given, and a body that compares, writes and fails.

use super::given::{ARRAY, Given, MOST, TEXT};
use super::values::given;
use elsewise_test_random::Random;
use std::fmt::Write as _;

const TYPES: &str = include_str!("../../random_functions/types.h");
const DRIVER: &str = include_str!("../../random_functions/driver.h");
const OBJECTS: &str = include_str!("../../random_functions/objects.h");

pub const FUNCTION: &str = "subject";

#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    /// The file with the function.
    pub source: String,
    /// Calls it on everything; includes `subject.c`.
    pub driver: String,
    /// Options of `elsewise explore`.
    pub options: Vec<String>,
    /// Lines that only what nobody may give leads to.
    pub never: Vec<u32>,
}

impl Program {
    pub fn new(seed: u64) -> Program {
        let mut random = Random::new(seed);
        let key = random.between(3, 9);
        let mut all: Vec<Given> = Vec::new();
        for number in 0..1 + random.below(3) {
            let one = given(&mut random, number, key);
            // Lengths by their place, and names without a number, are there once.
            let once = |one: &Given| one.first || one.driver.contains("struct operations");
            if !(once(&one) && all.iter().any(once)) {
                all.push(one);
            }
        }
        all.sort_by_key(|one| !one.first);
        let mut writer = Writer {
            text: TYPES.to_owned(),
            random,
            key,
            conditions: Vec::new(),
            outside: Vec::new(),
            statements: Vec::new(),
            beside: false,
            failures: 0,
            never: Vec::new(),
        };
        writer.function(&all);
        let mut options = vec![
            format!("--max-objects={MOST}"),
            format!("--max-array={ARRAY}"),
            format!("--max-string={TEXT}"),
        ];
        if all.iter().any(|one| one.globals) {
            options.push("--globals".to_owned());
        }
        Program {
            seed,
            driver: driver(&all, key, writer.beside),
            source: writer.text,
            options,
            never: writer.never,
        }
    }
}

struct Writer {
    text: String,
    random: Random,
    key: i64,
    conditions: Vec<String>,
    outside: Vec<String>,
    /// What writes, or adds to `sum`.
    statements: Vec<String>,
    /// Something is read that nobody gave.
    beside: bool,
    failures: usize,
    never: Vec<u32>,
}

impl Writer {
    fn function(&mut self, all: &[Given]) {
        let (locals, tops): (Vec<&str>, Vec<&str>) = all
            .iter()
            .map(|one| one.top.as_str())
            .partition(|top| top.starts_with("LOCAL "));
        self.text.push('\n');
        for top in tops {
            self.text.push_str(top);
        }
        let parameters: Vec<&str> = all
            .iter()
            .flat_map(|one| one.parameters.iter().map(String::as_str))
            .collect();
        for one in all {
            if let Some(name) = one.attributes.strip_prefix("nonnull ") {
                let at = parameters.iter().position(|text| text.contains(name));
                let at = at.map_or(1, |at| at + 1);
                let _ = writeln!(self.text, "__attribute__((nonnull({at})))");
            }
        }
        let list = match parameters.is_empty() {
            true => "void".to_owned(),
            false => parameters.join(", "),
        };
        let _ = writeln!(self.text, "int {FUNCTION}({list})\n{{");
        self.line("int sum = 0;");
        if all
            .iter()
            .any(|one| one.top.starts_with("struct node *probe"))
        {
            self.line("struct node *first = NULL;");
        }
        for local in locals {
            self.line(local.trim_start_matches("LOCAL ").trim_end());
        }
        for one in all {
            self.facts(one);
        }
        for one in all {
            self.take(one);
        }
        self.aliases(all);
        for _ in 0..2 + self.random.below(4) {
            self.statement(1);
        }
        if self.failures == 0 {
            self.failure(1);
        }
        self.line("return sum;");
        self.text.push_str("}\n");
    }

    fn line(&mut self, text: &str) {
        self.indented(1, text);
    }

    fn indented(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(depth));
    }

    fn facts(&mut self, one: &Given) {
        for fact in &one.facts {
            if self.random.chance(40) {
                self.line(&format!("HERE; if (!({fact}))"));
                self.indented(2, "abort(); /* never */");
                let line = self.text.lines().count();
                self.never.push(u32::try_from(line).unwrap_or(0));
            }
        }
    }

    /// Conditions and statements of a group, with what makes them good.
    fn take(&mut self, one: &Given) {
        let mut guard = String::new();
        if !one.pointers.is_empty() {
            let all = one.pointers.join(" && ");
            match self.random.below(20) {
                0..=12 => {
                    let any: Vec<String> = one.pointers.iter().map(|p| format!("!{p}")).collect();
                    self.line(&format!("HERE; if ({})", any.join(" || ")));
                    self.indented(2, "return -1;");
                }
                13..=17 => guard = format!("{all} && "),
                _ => {}
            }
        }
        let guarded = |text: &String| match (guard.is_empty(), text.contains("&&")) {
            (true, _) => text.clone(),
            (false, _) => format!("{guard}({text})"),
        };
        self.conditions.extend(one.conditions.iter().map(guarded));
        self.outside.extend(one.outside.iter().map(guarded));
        for text in one.writes.iter().chain(&one.loops) {
            let text: Vec<&str> = text.split_whitespace().collect();
            let text = text.join(" ");
            self.statements.push(match guard.is_empty() {
                true => text,
                false => format!("if ({}) {{ {text} }}", guard.trim_end_matches(" && ")),
            });
        }
    }

    fn aliases(&mut self, all: &[Given]) {
        for (at, one) in all.iter().enumerate() {
            for other in &all[at + 1..] {
                let (Some((kind, a)), Some((same, b))) = (&one.aliases, &other.aliases) else {
                    continue;
                };
                if kind != same {
                    continue;
                }
                if *kind == "number" {
                    self.conditions.push(format!("{a} < {b}"));
                }
                let there: Vec<&str> = one
                    .pointers
                    .iter()
                    .chain(&other.pointers)
                    .map(String::as_str)
                    .collect();
                let there = match there.is_empty() {
                    true => String::new(),
                    false => format!("{} && ", there.join(" && ")),
                };
                self.conditions.push(format!("{there}{a} == {b}"));
            }
        }
    }

    fn condition(&mut self) -> String {
        if !self.outside.is_empty() && self.random.chance(2) {
            self.beside = true;
            return self.random.pick(&self.outside).clone();
        }
        if self.conditions.is_empty() {
            return "sum == 0".to_owned();
        }
        let one = self.random.pick(&self.conditions).clone();
        match self.random.below(8) {
            0 => format!("!({one})"),
            _ => one,
        }
    }

    fn failure(&mut self, depth: usize) {
        self.failures += 1;
        let mut all = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let one = self.condition();
            if !all.contains(&one) {
                all.push(one);
            }
        }
        if all.len() > 1 {
            all = all.into_iter().map(|one| format!("({one})")).collect();
        }
        let joined = match self.random.below(6) {
            0 => all.join(" || "),
            _ => all.join(" && "),
        };
        self.indented(depth, &format!("HERE; if ({joined})"));
        self.indented(depth + 1, "abort();");
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(12) {
            0..=4 => self.failure(depth),
            5..=7 if !self.statements.is_empty() => {
                let one = self.random.pick(&self.statements).clone();
                self.indented(depth, &format!("HERE; {one}"));
                if one.contains("sum +=") {
                    let most = self.random.between(1, 3);
                    self.indented(depth, &format!("if (sum == {most})"));
                    self.indented(depth + 1, "abort();");
                    self.failures += 1;
                }
            }
            8 => {
                let one = self.condition();
                self.indented(depth, &format!("HERE; sum += ({one});"));
            }
            9 => {
                let one = self.condition();
                let value = self.random.between(1, self.key);
                self.indented(depth, &format!("HERE; if ({one})"));
                self.indented(depth + 1, &format!("return {value};"));
            }
            _ if depth < 3 => {
                let one = self.condition();
                self.indented(depth, &format!("HERE; if ({one}) {{"));
                self.statement(depth + 1);
                self.indented(depth, "} else {");
                self.statement(depth + 1);
                self.indented(depth, "}");
            }
            _ => self.failure(depth),
        }
    }
}

/// The names of all functions of the file that begin so.
fn names(all: &[Given], begin: &str) -> String {
    let words = all
        .iter()
        .flat_map(|one| one.top.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let fitting = words.filter(|word| {
        let number = word.strip_prefix(begin).unwrap_or("-");
        number.chars().all(|c| c.is_ascii_digit()) && !number.is_empty()
    });
    fitting.map(|word| format!("{word}, ")).collect()
}

fn driver(all: &[Given], key: i64, beside: bool) -> String {
    let outer = i32::from(all.iter().any(|one| one.outer));
    let mut text = DRIVER.to_owned();
    let _ = writeln!(
        text,
        "#define KEY {key}\n#define MOST {MOST}\n#define ARRAY {ARRAY}\n#define TEXT {TEXT}\n\
         #define EXTRA {}\n#define HAS_OUTER {outer}\n#include \"subject.c\"\n{OBJECTS}",
        i32::from(beside)
    );
    let callbacks = names(all, "twice") + &names(all, "minus");
    let (visitors, comparators) = (names(all, "add"), names(all, "by_value"));
    for one in all {
        let declared = one
            .driver
            .replace("ALL_CALLBACKS ", &callbacks)
            .replace("ALL_VISITORS ", &visitors)
            .replace("ALL_COMPARATORS ", &comparators);
        text.push_str(&declared);
    }
    text.push_str("\nstatic void call(void)\n{\n    reset_all();\n");
    for one in all {
        text.push_str(&one.make);
    }
    let arguments: Vec<&str> = all
        .iter()
        .flat_map(|one| one.arguments.iter().map(String::as_str))
        .collect();
    let _ = writeln!(text, "    {FUNCTION}({});\n}}", arguments.join(", "));
    text.push_str(MAIN);
    text
}

/// How many calls are made in their order, and how many by chance if that was not all.
const MAIN: &str = r#"
int main(void)
{
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_NODEFER};
    long calls = 0;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    do {
        at = 0;
        if (sigsetjmp(before, 0) == 0)
            call();
        calls++;
    } while (calls < 2000000 && advance());
    by_chance = calls == 2000000;
    for (volatile long i = 0; by_chance && i < 1000000; i++) {
        if (sigsetjmp(before, 0) == 0)
            call();
    }
    for (int line = 0; line < LINES; line++) {
        if (aborted[line])
            printf("abort %d\n", line);
        if (crashed[line])
            printf("segv %d\n", line);
    }
    printf("calls %ld\nall %d\n", calls, !by_chance);
    return 0;
}
"#;
