//! The page that a framework's tests stand on: what they say of themselves, what they include,
//! the functions that help them, and their bodies line by line.

use super::context::Context;
use super::makers::Maker;
use super::style;
use super::test::{Statement, Test};
use super::{Framework, Suite};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Lines are broken behind this.
const WIDTH: usize = 100;

pub struct Page<'a> {
    pub suite: &'a Suite<'a>,
    pub framework: Framework,
    pub context: &'a Context,
    /// With the names of their functions.
    pub tests: &'a [(String, Test)],
    /// Cases that cannot be written, and why.
    pub left_out: &'a [(u64, String)],
    pub failing: bool,
}

/// The standard headers of things that tests mention.
const HEADERS: &[(&str, &str)] = &[
    (
        "INT_MIN INT_MAX UINT_MAX LONG_MIN LONG_MAX ULONG_MAX LLONG_MIN LLONG_MAX ULLONG_MAX",
        "limits.h",
    ),
    ("isnan NAN INFINITY", "math.h"),
    ("bool true false", "stdbool.h"),
    (
        "INT32_MIN INT32_MAX INT64_MIN INT64_MAX UINT32_MAX UINT64_MAX UINTMAX_MAX INTMAX_MIN \
         INTMAX_MAX SIZE_MAX UINTPTR_MAX int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t \
         uint64_t",
        "stdint.h",
    ),
    ("dprintf fflush", "stdio.h"),
    ("calloc malloc free abort exit NULL", "stdlib.h"),
    ("memcpy memcmp strcpy strcmp strlen", "string.h"),
    ("waitpid", "sys/wait.h"),
    ("fork dup dup2 alarm _exit", "unistd.h"),
];

pub fn page(page: &Page) -> String {
    if page.tests.is_empty() {
        return head(page);
    }
    let mut bodies = String::new();
    for helper in helpers(page) {
        bodies.push_str(&helper);
        bodies.push('\n');
    }
    bodies.push_str(&match page.framework {
        Framework::Tap => style::tap::tests(page),
        Framework::Cmocka => style::cmocka::tests(page),
        Framework::Check => style::check::tests(page),
        Framework::Criterion => style::criterion::tests(page),
        Framework::Gtest => style::gtest::tests(page),
    });
    let mut out = head(page);
    out.push('\n');
    includes(page, &bodies, &mut out);
    out.push_str(&bodies);
    out
}

fn head(page: &Page) -> String {
    let function = page.suite.function;
    let mut text = if page.failing {
        format!(
            "Cases in which {function} fails. Each says how; once that is repaired, the test passes \
             and can move to the others."
        )
    } else {
        format!(
            "Tests of {function}, as few as reach every branch and show every kind of effect that \
             Elsewise has seen. What is marked as observed is what the code did when the tests were \
             written, not what it should do: read it before you rely on it."
        )
    };
    if page.failing && page.framework == Framework::Gtest {
        text.push_str(" Disabled until then; --gtest_also_run_disabled_tests runs them.");
    }
    let mut out = comment(&text, "");
    if !page.left_out.is_empty() {
        out.push_str("//\n");
    }
    for (case, reason) in page.left_out {
        out.push_str(&comment(
            &format!("Left out: case {case}, since {reason}."),
            "",
        ));
    }
    out
}

/// `text` as a comment of lines that fit.
pub fn comment(text: &str, indent: &str) -> String {
    let mut out = String::new();
    let mut line = format!("{indent}//");
    let empty = line.len();
    // What a subject said must not end the comment: a backslash would join the next line to it.
    let text: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    for word in text.split(' ') {
        if line.len() > empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            out.push_str(line.trim_end_matches('\\'));
            out.push('\n');
            line.truncate(empty);
        }
        line.push(' ');
        line.push_str(word);
    }
    out.push_str(line.trim_end_matches('\\'));
    out.push('\n');
    out
}

fn includes(page: &Page, bodies: &str, out: &mut String) {
    let cpp = page.framework.is_cpp();
    let code = bodies
        .lines()
        .map(|line| line.split("// ").next().unwrap_or(line));
    let words: BTreeSet<&str> = code.flat_map(super::spell::words).collect();
    let strict = page
        .suite
        .flags
        .iter()
        .any(|flag| flag.starts_with("-std=c") || flag == "-ansi");
    if strict && !cpp {
        out.push_str("#define _DEFAULT_SOURCE\n");
    }
    let mut system: BTreeSet<&str> = HEADERS
        .iter()
        .filter(|(names, _)| names.split_whitespace().any(|name| words.contains(name)))
        .map(|(_, header)| *header)
        .filter(|header| !(cpp && *header == "stdbool.h"))
        .map(|header| {
            if cpp && header == "math.h" {
                "cmath"
            } else {
                header
            }
        })
        .collect();
    let framework: &[&str] = match page.framework {
        Framework::Tap => &[],
        Framework::Cmocka => {
            // cmocka's header needs these before it.
            system.extend(["setjmp.h", "stdarg.h", "stddef.h", "stdint.h"]);
            &["cmocka.h"]
        }
        Framework::Check => &["check.h"],
        Framework::Criterion => &["criterion/criterion.h"],
        Framework::Gtest => &["gtest/gtest.h"],
    };
    let mut own = String::new();
    for line in page.suite.includes {
        let _ = writeln!(own, "{line}");
    }
    if let Some(prototype) = page.suite.prototype {
        let _ = writeln!(own, "\n{};", prototype.trim_end_matches(';'));
    }
    if cpp && !own.is_empty() {
        own = format!("extern \"C\" {{\n{own}}}\n");
    }
    // A C file says itself what it wants of the system's headers, so it comes before them.
    let whole = page.suite.includes.iter().any(|line| line.contains(".c\""));
    if whole && !cpp {
        let _ = writeln!(out, "{own}");
    }
    for header in &system {
        let _ = writeln!(out, "#include <{header}>");
    }
    if !framework.is_empty() && !system.is_empty() {
        out.push('\n');
    }
    for header in framework {
        let _ = writeln!(out, "#include <{header}>");
    }
    if !framework.is_empty() || !system.is_empty() {
        out.push('\n');
    }
    if (!whole || cpp) && !own.is_empty() {
        let _ = writeln!(out, "{own}");
    }
}

/// Functions that make objects, those only that a test uses.
fn helpers(page: &Page) -> Vec<String> {
    let cpp = page.framework.is_cpp();
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for (_, test) in page.tests {
        for statement in &test.body {
            if let Statement::Code(code) = statement {
                used.extend(super::spell::words(code));
            }
        }
    }
    let mut out = Vec::new();
    let copied = if cpp {
        "static_cast<char *>(copy(text, strlen(text) + 1))"
    } else {
        "copy(text, strlen(text) + 1)"
    };
    let makes = |maker: &&Maker| used.contains(maker.function.as_str());
    let makers: Vec<&Maker> = page.context.makers.iter().filter(makes).collect();
    if !makers.is_empty()
        || ["allocate", "copy", "copy_string"]
            .iter()
            .any(|w| used.contains(w))
    {
        out.push(
            "// Memory that the code under test may free, filled with zeros.\n\
             static void *allocate(size_t size)\n{\n    void *memory = calloc(1, size);\n\n    \
             if (!memory)\n        abort();\n    return memory;\n}\n"
                .to_owned(),
        );
    }
    if used.contains("copy") || used.contains("copy_string") {
        out.push(
            "static void *copy(const void *content, size_t size)\n{\n    \
             return memcpy(allocate(size), content, size);\n}\n"
                .to_owned(),
        );
    }
    if used.contains("copy_string") {
        out.push(format!(
            "static char *copy_string(const char *text)\n{{\n    return {copied};\n}}\n"
        ));
    }
    for maker in makers {
        if let Ok(text) = maker.text(&page.context.names, cpp) {
            out.push(text.lines().map(|line| wrapped(line) + "\n").collect());
        }
    }
    out
}

/// The statements of a test, each as a line or more.
pub fn body(page: &Page, test: &Test) -> String {
    let mut out = String::new();
    for statement in &test.body {
        let line = match statement {
            Statement::Gap => String::new(),
            Statement::Comment(text) => format!("    // {text}"),
            Statement::Code(code) => wrapped(&format!("    {code};")),
            Statement::Check(check) => {
                let check = match page.framework {
                    Framework::Tap => style::tap::check(check),
                    Framework::Cmocka => style::cmocka::check(check),
                    Framework::Check => style::check::check(check),
                    Framework::Criterion => style::criterion::check(check),
                    Framework::Gtest => style::gtest::check(check),
                };
                wrapped(&format!("    {check};"))
            }
            Statement::Exit { call, code } => match page.framework {
                Framework::Tap => style::tap::exit(call, *code),
                Framework::Cmocka => style::cmocka::exit(call, *code),
                Framework::Check => style::check::exit(call, *code),
                Framework::Criterion => style::criterion::exit(call, *code),
                Framework::Gtest => style::gtest::exit(call, *code),
            },
        };
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// What stands above a test.
pub fn above(test: &Test) -> String {
    test.comment.iter().map(|line| comment(line, "")).collect()
}

/// A line of code, broken after commas where it is too long.
fn wrapped(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let mut out = String::new();
    let mut rest = line.to_owned();
    while rest.chars().count() > WIDTH {
        let mut quote = None;
        let mut escaped = false;
        let mut best = None;
        for (at, char) in rest.char_indices() {
            if at >= WIDTH {
                break;
            }
            match quote {
                _ if escaped => escaped = false,
                Some(_) if char == '\\' => escaped = true,
                Some(open) if char == open => quote = None,
                Some(_) => {}
                None if matches!(char, '"' | '\'') => quote = Some(char),
                None if char == ',' && at > indent + 8 => best = Some(at + 1),
                None => {}
            }
        }
        let Some(at) = best else { break };
        out.push_str(&rest[..at]);
        out.push('\n');
        rest = format!("{}{}", " ".repeat(indent + 8), rest[at..].trim_start());
    }
    out + &rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_after_commas_outside_of_texts() {
        let line = format!("    f({}, \"{}\");", "a".repeat(60), ", b".repeat(20));
        let lines: Vec<String> = wrapped(&line).lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].ends_with("a,"), "{lines:?}");
        assert!(lines[1].starts_with("            \", b"), "{lines:?}");
    }

    #[test]
    fn a_comment_stays_a_comment() {
        assert_eq!(comment("a\nint b;", ""), "// a int b;\n");
        assert_eq!(
            comment("ends in \\", ""),
            "// ends in \n".trim_end().to_owned() + " \n"
        );
    }
}
