//! Tests of EUnit.

use crate::File;
use crate::calls::{CallEnd, CallSuite, CallTest, titles};
use crate::names::identifier;
use std::fmt::Write;

/// Seconds that a call may take which did not end.
const LIMIT: u32 = 5;

/// The module with the tests, and one with those that fail, where there are such.
pub fn eunit(suite: &CallSuite) -> Vec<File> {
    let (failing, kept): (Vec<&CallTest>, Vec<&CallTest>) =
        suite.tests.iter().partition(|test| test.finding.is_some());
    let base = format!(
        "{}_{}_elsewise",
        identifier(suite.module).to_lowercase(),
        identifier(suite.function)
    );
    let mut files = Vec::new();
    for (tests, suffix) in [(kept, ""), (failing, "_failing")] {
        if !tests.is_empty() {
            let name = format!("{base}{suffix}_tests");
            files.push(File {
                text: module(suite, &name, &tests, !suffix.is_empty()),
                name: format!("{name}.erl"),
            });
        }
    }
    files
}

fn module(suite: &CallSuite, name: &str, tests: &[&CallTest], failing: bool) -> String {
    let mut out = String::new();
    let _ = match failing {
        true => writeln!(
            out,
            "%% Calls of {}:{} that Elsewise has seen fail: each fails until it is repaired. Where a\n\
             %% failure is meant, say so with ?_assertError, ?_assertExit or ?_assertThrow.",
            suite.module, suite.function
        ),
        false => writeln!(
            out,
            "%% Calls of {}:{} that Elsewise has tried, one for each way that they took. What is\n\
             %% expected is what the function did, not what it should do: read it before you keep it.",
            suite.module, suite.function
        ),
    };
    let _ = write!(
        out,
        "-module({name}).\n-include_lib(\"eunit/include/eunit.hrl\").\n\n\
         calls_test_() ->\n    ["
    );
    for (index, (test, title)) in tests.iter().zip(titles(tests)).enumerate() {
        let comma = if index > 0 { ",\n     " } else { "" };
        let _ = write!(out, "{comma}{{{}, {}}}", string(&title), assertion(test));
    }
    out.push_str("].\n");
    out
}

fn assertion(test: &CallTest) -> String {
    let call = &test.call;
    match &test.end {
        CallEnd::Unknown => format!("{{timeout, {LIMIT}, ?_test({call})}}"),
        // It returns, and should not have returned this.
        CallEnd::Returns(value) if test.finding.is_some() => {
            format!("?_assertNotEqual({value}, {call})")
        }
        _ if test.finding.is_some() => format!("?_test({call})"),
        CallEnd::ReturnsUnspoken => format!("?_test({call})"),
        CallEnd::Returns(value) => format!("?_assertEqual({value}, {call})"),
        CallEnd::Raises { class, reason } => {
            let assertion = match class.as_str() {
                "exit" => "?_assertExit",
                "throw" => "?_assertThrow",
                _ => "?_assertError",
            };
            format!("{assertion}({reason}, {call})")
        }
    }
}

/// As a string of Erlang's.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
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

    fn test(arguments: &str, end: CallEnd, finding: Option<&str>) -> CallTest {
        CallTest {
            call: format!("bank:transfer({arguments})"),
            title: format!("transfer({arguments})"),
            end,
            finding: finding.map(str::to_string),
        }
    }

    #[test]
    fn kept_and_failing() {
        let raises = |class: &str, reason: &str| CallEnd::Raises {
            class: class.into(),
            reason: reason.into(),
        };
        let tests = [
            test("a, \"x\"", CallEnd::Returns("{ok, 1}".into()), None),
            test("b, 0", CallEnd::ReturnsUnspoken, None),
            test("c", raises("throw", "{no, c}"), None),
            test("d", raises("exit", "_"), None),
            test("e", raises("error", "overdrawn"), None),
            test(
                "0",
                raises("error", "badarith"),
                Some("badarith at bank.erl:12"),
            ),
            test(
                "1",
                CallEnd::Returns("false".into()),
                Some("spec at bank.erl:9"),
            ),
            test("-1", CallEnd::Unknown, Some("hang at bank.erl:14")),
        ];
        let suite = CallSuite {
            module: "bank",
            function: "transfer",
            tests: &tests,
        };
        let files = eunit(&suite);
        let text: Vec<String> = files
            .iter()
            .map(|file| format!("--- {}\n{}", file.name, file.text))
            .collect();
        insta::assert_snapshot!("export_eunit", text.join("\n"));
    }
}
