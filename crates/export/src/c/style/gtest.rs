//! Tests for GoogleTest.

use crate::c::render::{Page, above, body};
use crate::c::test::Check;
use crate::names::{camel, identifier};
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
        | Check::Same { actual, expected } => format!("EXPECT_EQ({actual}, {expected})"),
        Check::True(actual) => format!("EXPECT_TRUE({actual})"),
        Check::False(actual) => format!("EXPECT_FALSE({actual})"),
        Check::Nan(actual) => format!("EXPECT_TRUE(std::isnan({actual}))"),
        Check::Null(actual) => format!("EXPECT_EQ({actual}, nullptr)"),
        Check::NotNull(actual) => format!("ASSERT_NE({actual}, nullptr)"),
        Check::Text { actual, expected } => format!("EXPECT_STREQ({actual}, {expected})"),
        Check::Memory {
            actual,
            expected,
            size,
        } => format!("EXPECT_EQ(memcmp({actual}, {expected}, {size}), 0)"),
    }
}

pub fn exit(call: &str, code: i32) -> String {
    format!("    // observed\n    EXPECT_EXIT({call}, testing::ExitedWithCode({code}), \"\");")
}

pub fn tests(page: &Page) -> String {
    let suite = camel(&identifier(page.suite.function));
    let mut out = String::new();
    for (at, (_, test)) in page.tests.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        let (disabled, limit) = if page.failing {
            ("DISABLED_", "    alarm(10); // in case it does not end\n")
        } else {
            ("", "")
        };
        let _ = write!(
            out,
            "{}TEST({suite}, {disabled}{})\n{{\n{limit}{}}}\n",
            above(test),
            camel(&test.slug),
            body(page, test)
        );
    }
    out
}
