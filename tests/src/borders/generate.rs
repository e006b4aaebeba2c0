//! Random programs from the table: input, one to three calls of libraries, a condition.
//!
//! Every third program has one snippet alone, the next one each time: what one library call hides is
//! not hidden behind what another gives up.

use super::table::{Form, Snippet, TableFile, Way};
use elsewise_test_random::Random;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A program but for the value on which it aborts.
#[derive(Clone, Debug)]
pub struct Program<'a> {
    pub seed: u64,
    pub cplusplus: bool,
    pub way: Way,
    /// Bytes of input, at most or exactly.
    pub bytes: usize,
    pub exact: bool,
    /// Flags for the compiler, those for the linker among them.
    pub flags: Vec<String>,
    /// The input, then what it goes through.
    pub steps: Vec<(&'a TableFile, &'a Snippet)>,
    /// What is done to a number before it is given to a snippet, by step.
    narrow: Vec<&'static str>,
    /// What is done to the number at the end.
    last: &'static str,
    ending: Ending,
    /// A quarter of the programs abort for no value that was seen.
    pub never: bool,
}

/// How the condition is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Equal,
    Between,
    Switch,
    LookUp,
    Parts,
    Pointer,
}

const ENDINGS: &[Ending] = &[
    Ending::Equal,
    Ending::Between,
    Ending::Switch,
    Ending::LookUp,
    Ending::Parts,
    Ending::Pointer,
];

/// Keep a number within what snippets are promised.
const NARROW: &[&str] = &[
    "v &= 0xff;",
    "v %= 1000;",
    "v = v < -70000 ? -70000 : v > 70000 ? 70000 : v;",
    "v = (v & 0xffff) - 500;",
];

const LAST: &[&str] = &["", "", "v &= 0xff;", "v %= 97;", "v = v > 100 ? 100 : v;"];

/// From one snippet that stands alone to the next: prime, so that files take turns and none is left out.
const STRIDE: u64 = 101;

/// The program with that seed; always the same one.
pub fn program(table: &[TableFile], seed: u64) -> Program<'_> {
    let random = Random::new(seed ^ 0x626f_7264_6572);
    if seed.is_multiple_of(3) {
        alone(table, seed, random)
    } else {
        chained(table, seed, random)
    }
}

/// One snippet, with as little around it as can be. In the first round, all inputs are tried.
fn alone(table: &[TableFile], seed: u64, mut random: Random) -> Program<'_> {
    let all: Vec<(&TableFile, &Snippet)> = table
        .iter()
        .flat_map(|file| file.snippets.iter().map(move |one| (file, one)))
        .collect();
    let number = seed / 3;
    let count = all.len() as u64;
    let first_round = number < count;
    let one = all[(number * STRIDE % count) as usize];
    let read = all.iter().find(|(_, one)| one.name == "by_read");
    let (way, steps) = match (one.1.form, read) {
        (Form::Input(way), _) => (way, vec![one]),
        (_, read) => (Way::Stdin, read.copied().into_iter().chain([one]).collect()),
    };
    let bytes = 1 + random.below(4);
    Program {
        seed,
        cplusplus: one.0.cplusplus,
        way,
        bytes: if first_round { 1 } else { bytes },
        exact: matches!(way, Way::Stdin | Way::File) && (first_round || random.chance(50)),
        flags: flags(&steps, &mut random),
        narrow: vec![""; steps.len()],
        steps,
        last: "",
        ending: if first_round {
            Ending::Equal
        } else {
            *random.pick(ENDINGS)
        },
        never: !first_round && random.chance(25),
    }
}

/// How it is optimised, and the libraries that it needs.
fn flags(steps: &[(&TableFile, &Snippet)], random: &mut Random) -> Vec<String> {
    let mut flags: Vec<String> = vec![(*random.pick(&["-O0", "-O1", "-O2"])).to_owned()];
    let link: BTreeSet<&String> = steps.iter().flat_map(|(file, _)| &file.link).collect();
    flags.extend(link.into_iter().cloned());
    flags
}

fn chained(table: &[TableFile], seed: u64, mut random: Random) -> Program<'_> {
    let cplusplus = random.chance(20);
    let of = |cplusplus: bool| -> Vec<(&TableFile, &Snippet)> {
        let files = table.iter().filter(|file| file.cplusplus == cplusplus);
        files
            .flat_map(|file| file.snippets.iter().map(move |one| (file, one)))
            .collect()
    };
    let (c, cpp) = (of(false), of(true));
    let pick = |random: &mut Random, accepts: &dyn Fn(Form) -> bool| {
        let all = if cplusplus && random.chance(65) {
            &cpp
        } else {
            &c
        };
        let fitting: Vec<_> = all.iter().filter(|(_, one)| accepts(one.form)).collect();
        **random.pick(&fitting)
    };
    let way = match random.below(10) {
        0..6 => Way::Stdin,
        6 | 7 => Way::File,
        8 => Way::Argument,
        _ => Way::Variable,
    };
    let mut steps = vec![pick(&mut random, &|form| form == Form::Input(way))];
    let mut narrow = vec![""];
    let calls = 1 + random.below(3);
    let mut bytes_at_hand = true;
    for call in 1..=calls {
        let to_number = call == calls || random.chance(50);
        let wanted = match (bytes_at_hand, to_number) {
            (true, true) => Form::BytesToNumber,
            (true, false) => Form::BytesToBytes,
            (false, true) => Form::NumberToNumber,
            (false, false) => Form::NumberToBytes,
        };
        steps.push(pick(&mut random, &|form| form == wanted));
        narrow.push(if bytes_at_hand {
            ""
        } else {
            *random.pick(NARROW)
        });
        bytes_at_hand = !to_number;
    }
    let flags = flags(&steps, &mut random);
    Program {
        seed,
        cplusplus,
        way,
        bytes: [1, 1, 1, 2, 2, 3, 4][random.below(7)],
        exact: matches!(way, Way::Stdin | Way::File) && random.chance(50),
        flags,
        steps,
        narrow,
        last: random.pick::<&'static str>(LAST),
        ending: *random.pick(ENDINGS),
        never: random.chance(25),
    }
}

impl Program<'_> {
    pub fn file_name(&self) -> String {
        let extension = if self.cplusplus { "cc" } else { "c" };
        format!("border{}.{extension}", self.seed)
    }

    /// What it is made of, for messages.
    pub fn chain(&self) -> String {
        let names: Vec<&str> = self
            .steps
            .iter()
            .map(|(_, one)| one.name.as_str())
            .collect();
        names.join(" -> ")
    }

    /// The source of the program that aborts for `target`. With `-DBORDER_TABLE`, it says what comes
    /// out instead.
    pub fn source(&self, target: i64) -> String {
        let mut text = format!(
            "/* A random program, seed {}: {}. */\n#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n",
            self.seed,
            self.chain()
        );
        text.push_str("#include <stdio.h>\n#include <stdlib.h>\n");
        let mut files = BTreeSet::new();
        for (file, _) in &self.steps {
            if files.insert((&file.name, file.cplusplus)) {
                text.push_str(&file.prelude);
            }
        }
        let mut snippets = BTreeSet::new();
        for (_, one) in &self.steps {
            if snippets.insert(&one.name) {
                text.push_str(&one.text);
            }
        }
        text.push_str(&self.main(target));
        text
    }

    fn main(&self, target: i64) -> String {
        let mut text = String::from("static void quiet(void)\n{\n}\n\n");
        text.push_str("int main(int argc, char **argv)\n{\n    static char s[256];\n");
        text.push_str("    size_t n = 0;\n    long v = 0;\n    (void)argc;\n");
        let mut bytes_at_hand = true;
        for ((_, one), narrow) in self.steps.iter().zip(&self.narrow) {
            if !narrow.is_empty() {
                let _ = writeln!(text, "    {narrow}");
            }
            let name = &one.name;
            let of_number = matches!(one.form, Form::NumberToNumber | Form::NumberToBytes);
            if of_number && bytes_at_hand {
                text.push_str("    v = (unsigned char)s[0] + 256 * (unsigned char)s[1];\n");
            }
            bytes_at_hand = matches!(
                one.form,
                Form::Input(_) | Form::BytesToBytes | Form::NumberToBytes
            );
            let _ = match one.form {
                Form::Input(_) => writeln!(text, "    n = {name}(s, {}, argv);", self.bytes),
                Form::BytesToNumber => writeln!(text, "    v = {name}(s, n);"),
                Form::BytesToBytes => writeln!(text, "    n = {name}(s, n);"),
                Form::NumberToNumber => writeln!(text, "    v = {name}(v);"),
                Form::NumberToBytes => writeln!(text, "    n = {name}(s, v);"),
            };
        }
        if bytes_at_hand {
            text.push_str("    v = (long)n;\n    for (size_t i = 0; i < n; i++)\n");
            text.push_str("        v = (v * 31 + (unsigned char)s[i]) & 0xffff;\n");
        }
        if !self.last.is_empty() {
            let _ = writeln!(text, "    {}", self.last);
        }
        text.push_str("#ifdef BORDER_TABLE\n    fprintf(stderr, \"\\n=%ld\\n\", v);\n");
        text.push_str("    return 0;\n#endif\n");
        text.push_str(&self.ending.text(target));
        text.push_str("    return n > 1000 ? (quiet(), 1) : 0;\n}\n");
        text
    }
}

impl Ending {
    fn text(self, target: i64) -> String {
        let (below, above) = (target - 1, target + 1);
        match self {
            Ending::Equal => format!("    if (v == {target}L)\n        abort();\n"),
            Ending::Between => format!(
                "    if (v > {below}L) {{\n        if (v < {above}L)\n            abort();\n        \
                 puts(\"above\");\n    }}\n"
            ),
            Ending::Switch => format!(
                "    switch (v) {{\n    case {above}L:\n        puts(\"above\");\n        break;\n    \
                 case {target}L:\n        abort();\n    case {below}L:\n        puts(\"below\");\n        \
                 break;\n    default:\n        break;\n    }}\n"
            ),
            Ending::LookUp => {
                let place = target & 31;
                let table: Vec<String> = (0..32)
                    .map(|i| if i == place { 7 } else { i % 5 }.to_string())
                    .collect();
                format!(
                    "    static const unsigned char table[32] = {{{}}};\n    if (table[v & 31] == 7 && \
                     v == {target}L)\n        abort();\n",
                    table.join(", ")
                )
            }
            Ending::Parts => format!(
                "    if ((v & 0xff) == {} && (v >> 8) == {}L)\n        abort();\n",
                target & 0xff,
                target >> 8
            ),
            Ending::Pointer => format!(
                "    void (*const act[2])(void) = {{quiet, abort}};\n    act[v == {target}L]();\n"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::table;
    use super::*;
    use anyhow::Result;

    #[test]
    fn a_seed_is_a_program() -> Result<()> {
        let table = table()?;
        assert_eq!(program(&table, 7).source(1), program(&table, 7).source(1));
        assert_ne!(program(&table, 7).source(1), program(&table, 8).source(1));
        Ok(())
    }

    #[test]
    fn what_a_program_may_hold_occurs() -> Result<()> {
        let table = table()?;
        let all: String = (0..300)
            .map(|seed| program(&table, seed).source(5))
            .collect();
        for word in [
            "#include <string>",
            "#include <zlib.h>",
            "switch (v)",
            "table[v & 31]",
            "act[v == 5L]",
            "(v >> 8)",
            "v > 4L",
        ] {
            assert!(all.contains(word), "no {word}");
        }
        let known = table.iter().map(|file| file.snippets.len()).sum::<usize>();
        let alone: BTreeSet<String> = (0..known as u64)
            .filter_map(|number| program(&table, 3 * number).steps.pop())
            .map(|(_, one)| one.name.clone())
            .collect();
        assert_eq!(alone.len(), known);
        Ok(())
    }
}
