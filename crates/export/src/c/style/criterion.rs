//! Tests for Criterion.

use crate::c::render::{Page, above, body};
use crate::c::test::Check;
use crate::names::identifier;
use std::fmt::Write;

pub fn check(check: &Check) -> String {
    match check {
        Check::Integer {
            actual, expected, ..
        }
        | Check::Float {
            actual, expected, ..
        }
        | Check::Pointer { actual, expected }
        | Check::Same { actual, expected } => format!("cr_assert_eq({actual}, {expected})"),
        Check::True(actual) => format!("cr_assert({actual})"),
        Check::False(actual) => format!("cr_assert_not({actual})"),
        Check::Nan(actual) => format!("cr_assert(isnan({actual}))"),
        Check::Null(actual) => format!("cr_assert_null({actual})"),
        Check::NotNull(actual) => format!("cr_assert_not_null({actual})"),
        Check::Text { actual, expected } => format!("cr_assert_str_eq({actual}, {expected})"),
        Check::Memory {
            actual,
            expected,
            size,
        } => format!("cr_assert_arr_eq({actual}, {expected}, {size})"),
    }
}

pub fn exit(call: &str, code: i32) -> String {
    format!(
        "    // observed: the process exits with {code}\n    {call};\n    cr_assert_fail(\"the call returned\");"
    )
}

pub fn tests(page: &Page) -> String {
    let suite = identifier(page.suite.function);
    let mut out = String::new();
    for (at, (_, test)) in page.tests.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        let options = match (test.exits, page.failing) {
            (Some(code), _) => format!(", .exit_code = {code}"),
            (None, true) => ", .timeout = 10".to_owned(),
            (None, false) => String::new(),
        };
        let _ = write!(
            out,
            "{}Test({suite}, {}{options})\n{{\n{}}}\n",
            above(test),
            test.slug,
            body(page, test)
        );
    }
    out
}
