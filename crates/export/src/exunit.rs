//! Tests of ExUnit.

use crate::File;
use crate::calls::{CallEnd, CallSuite, CallTest, titles};
use crate::names::{camel, identifier};
use std::fmt::Write;

/// Milliseconds that a call may take which did not end.
const LIMIT: u32 = 5000;

/// The file with the tests, and one with those that fail, where there are such.
pub fn exunit(suite: &CallSuite) -> Vec<File> {
    let (failing, kept): (Vec<&CallTest>, Vec<&CallTest>) =
        suite.tests.iter().partition(|test| test.finding.is_some());
    let base = format!(
        "{}_{}_elsewise",
        identifier(suite.module).to_lowercase(),
        identifier(suite.function)
    );
    let mut files = Vec::new();
    for (tests, suffix, name) in [(kept, "", ""), (failing, "_failing", "Failing")] {
        if !tests.is_empty() {
            files.push(File {
                name: format!("{base}{suffix}_test.exs"),
                text: module(suite, name, &tests),
            });
        }
    }
    files
}

fn module(suite: &CallSuite, suffix: &str, tests: &[&CallTest]) -> String {
    let mut out = String::new();
    let _ = match suffix {
        "" => writeln!(
            out,
            "# Calls of {}.{} that Elsewise has tried, one for each way that they took. What is\n\
             # expected is what the function did, not what it should do: read it before you keep it.",
            suite.module, suite.function
        ),
        _ => writeln!(
            out,
            "# Calls of {}.{} that Elsewise has seen fail: each fails until it is repaired. Where a\n\
             # failure is meant, say so with assert_raise, catch_exit or catch_throw.",
            suite.module, suite.function
        ),
    };
    let _ = write!(
        out,
        "defmodule {}.{}Elsewise{suffix}Test do\n  use ExUnit.Case, async: true\n",
        suite.module,
        camel(&identifier(suite.function))
    );
    for (test, title) in tests.iter().zip(titles(tests)) {
        if test.end == CallEnd::Unknown {
            let _ = write!(out, "\n  @tag timeout: {LIMIT}");
        }
        let _ = write!(
            out,
            "\n  test {} do\n    {}\n  end\n",
            string(&title),
            assertion(test)
        );
    }
    out.push_str("end\n");
    out
}

fn assertion(test: &CallTest) -> String {
    let call = &test.call;
    match &test.end {
        CallEnd::Returns(value) if test.finding.is_some() => format!("refute {call} === {value}"),
        _ if test.finding.is_some() => call.clone(),
        CallEnd::Unknown | CallEnd::ReturnsUnspoken => call.clone(),
        CallEnd::Returns(value) => format!("assert {call} === {value}"),
        CallEnd::Raises { class, reason } => match class.as_str() {
            "exit" => format!("assert {reason} = catch_exit({call})"),
            "throw" => format!("assert {reason} = catch_throw({call})"),
            _ => format!("assert_raise {reason}, fn -> {call} end"),
        },
    }
}

/// As a string of Elixir's, in which `#{` begins an expression.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' | '#' => out.extend(['\\', char]),
            char if char.is_control() => out.push(' '),
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_and_failing() {
        let test = |arguments: &str, end, finding: Option<&str>| CallTest {
            call: format!("Bank.take_all!({arguments})"),
            title: format!("take_all!({arguments})"),
            end,
            finding: finding.map(str::to_string),
        };
        let raises = |class: &str, reason: &str| CallEnd::Raises {
            class: class.into(),
            reason: reason.into(),
        };
        let tests = [
            test("\"\\#{x}\"", CallEnd::Returns("{:ok, 1}".into()), None),
            test(":b", CallEnd::ReturnsUnspoken, None),
            test(":c", raises("throw", "{:no, :c}"), None),
            test(":d", raises("exit", "_"), None),
            test(":e", raises("error", "ArgumentError"), None),
            test(
                "0",
                raises("error", "KeyError"),
                Some("badkey at bank.ex:3"),
            ),
            test(
                "2",
                CallEnd::Returns("nil".into()),
                Some("spec at bank.ex:4"),
            ),
            test("1", CallEnd::Unknown, Some("hang at bank.ex:4")),
        ];
        let suite = CallSuite {
            module: "Bank",
            function: "take_all!",
            tests: &tests,
        };
        let files = exunit(&suite);
        let text: Vec<String> = files
            .iter()
            .map(|file| format!("--- {}\n{}", file.name, file.text))
            .collect();
        insta::assert_snapshot!("export_exunit", text.join("\n"));
    }
}
