//! Tests for Check.

use crate::c::render::{Page, above, body};
use crate::c::test::Check;
use std::fmt::Write;

pub fn check(check: &Check) -> String {
    match check {
        Check::Integer {
            actual,
            expected,
            unsigned,
        } => {
            let kind = if *unsigned { "uint" } else { "int" };
            format!("ck_assert_{kind}_eq({actual}, {expected})")
        }
        Check::True(actual) => format!("ck_assert({actual})"),
        Check::False(actual) => format!("ck_assert(!{actual})"),
        Check::Float {
            actual,
            expected,
            single,
        } => {
            let kind = if *single { "float" } else { "double" };
            format!("ck_assert_{kind}_eq({actual}, {expected})")
        }
        Check::Same { actual, expected } => format!("ck_assert({actual} == {expected})"),
        Check::Nan(actual) => format!("ck_assert_double_nan({actual})"),
        Check::Pointer { actual, expected } => format!("ck_assert_ptr_eq({actual}, {expected})"),
        Check::Null(actual) => format!("ck_assert_ptr_null({actual})"),
        Check::NotNull(actual) => format!("ck_assert_ptr_nonnull({actual})"),
        Check::Text { actual, expected } => format!("ck_assert_str_eq({actual}, {expected})"),
        Check::Memory {
            actual,
            expected,
            size,
        } => format!("ck_assert_mem_eq({actual}, {expected}, {size})"),
    }
}

pub fn exit(call: &str, code: i32) -> String {
    format!(
        "    // observed: the process exits with {code}\n    {call};\n    ck_abort_msg(\"the call returned\");"
    )
}

pub fn tests(page: &Page) -> String {
    let mut out = String::new();
    for (function, test) in page.tests {
        let _ = write!(
            out,
            "{}START_TEST({function})\n{{\n{}}}\nEND_TEST\n\n",
            above(test),
            body(page, test)
        );
    }
    let name = page.suite.function;
    let _ = write!(
        out,
        "int main(void)\n{{\n    Suite *suite = suite_create(\"{name}\");\n    \
         TCase *tests = tcase_create(\"{}\");\n\n",
        if page.failing { "failing" } else { "observed" }
    );
    for (function, test) in page.tests {
        let _ = match test.exits {
            Some(code) => writeln!(out, "    tcase_add_exit_test(tests, {function}, {code});"),
            None => writeln!(out, "    tcase_add_test(tests, {function});"),
        };
    }
    out.push_str(
        "    suite_add_tcase(suite, tests);\n\n    SRunner *runner = srunner_create(suite);\n    \
         srunner_run_all(runner, CK_NORMAL);\n    int failures = srunner_ntests_failed(runner);\n    \
         srunner_free(runner);\n    return failures != 0;\n}\n",
    );
    out
}
