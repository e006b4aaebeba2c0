//! Tests for cmocka.

use crate::c::render::{Page, above, body};
use crate::c::test::{Check, Statement};
use std::fmt::Write;

pub fn check(check: &Check) -> String {
    match check {
        Check::Integer {
            actual, expected, ..
        } => format!("assert_int_equal({actual}, {expected})"),
        Check::True(actual) => format!("assert_true({actual})"),
        Check::False(actual) => format!("assert_false({actual})"),
        Check::Float {
            actual, expected, ..
        }
        | Check::Same { actual, expected } => format!("assert_true({actual} == {expected})"),
        Check::Nan(actual) => format!("assert_true(isnan({actual}))"),
        Check::Pointer { actual, expected } => format!("assert_ptr_equal({actual}, {expected})"),
        Check::Null(actual) => format!("assert_null({actual})"),
        Check::NotNull(actual) => format!("assert_non_null({actual})"),
        Check::Text { actual, expected } => format!("assert_string_equal({actual}, {expected})"),
        Check::Memory {
            actual,
            expected,
            size,
        } => format!("assert_memory_equal({actual}, {expected}, {size})"),
    }
}

/// cmocka has no tests that exit: a child does.
pub fn exit(call: &str, code: i32) -> String {
    format!(
        "    int status = 0;\n\n    fflush(NULL);\n    pid_t child = fork();\n\n    if (child == 0) {{\n        {call};\n        \
         abort();\n    }}\n    assert_int_equal(waitpid(child, &status, 0), child);\n    \
         assert_true(WIFEXITED(status));\n    // observed\n    \
         assert_int_equal(WEXITSTATUS(status), {code});"
    )
}

pub fn tests(page: &Page) -> String {
    let mut out = String::new();
    for (function, test) in page.tests {
        let limit = if page.failing {
            "    alarm(10); // in case it does not end\n"
        } else {
            ""
        };
        let gap = match test.body.first() {
            Some(Statement::Exit { .. }) | None => "",
            Some(_) => "\n",
        };
        let _ = write!(
            out,
            "{}static void {function}(void **state)\n{{\n    (void)state;\n{limit}{gap}{}}}\n\n",
            above(test),
            body(page, test)
        );
    }
    out.push_str("int main(void)\n{\n    const struct CMUnitTest tests[] = {\n");
    for (function, _) in page.tests {
        let _ = writeln!(out, "        cmocka_unit_test({function}),");
    }
    out.push_str("    };\n\n    return cmocka_run_group_tests(tests, NULL, NULL);\n}\n");
    out
}
