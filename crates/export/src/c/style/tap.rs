//! Tests that speak the Test Anything Protocol, with nothing but the C library and POSIX.

use crate::c::render::{Page, above, body};
use crate::c::test::{Check, Statement};
use std::fmt::Write;

pub fn check(check: &Check) -> String {
    match check {
        Check::Integer {
            actual, expected, ..
        } => format!("CHECK_EQUAL({actual}, {expected})"),
        Check::True(actual) => format!("CHECK({actual})"),
        Check::False(actual) => format!("CHECK(!{actual})"),
        Check::Float {
            actual, expected, ..
        }
        | Check::Pointer { actual, expected }
        | Check::Same { actual, expected } => format!("CHECK({actual} == {expected})"),
        Check::Nan(actual) => format!("CHECK(isnan({actual}))"),
        Check::Null(actual) => format!("CHECK({actual} == NULL)"),
        Check::NotNull(actual) => format!("CHECK({actual} != NULL)"),
        Check::Text { actual, expected } => format!("CHECK(strcmp({actual}, {expected}) == 0)"),
        Check::Memory {
            actual,
            expected,
            size,
        } => format!("CHECK(memcmp({actual}, {expected}, {size}) == 0)"),
    }
}

pub fn exit(call: &str, code: i32) -> String {
    format!(
        "    // observed: the process exits with {code}\n    {call};\n    CHECK(!\"the call returned\");"
    )
}

pub fn tests(page: &Page) -> String {
    let mut out = String::new();
    let codes: Vec<i32> = page
        .tests
        .iter()
        .filter_map(|(_, test)| test.exits)
        .collect();
    let failed = (1..).find(|code| !codes.contains(code)).unwrap_or(1);
    let statements = || page.tests.iter().flat_map(|(_, test)| &test.body);
    let compares = statements().any(|s| matches!(s, Statement::Check(Check::Integer { .. })));
    let checks = statements().any(|statement| match statement {
        Statement::Check(check) => !matches!(check, Check::Integer { .. }),
        Statement::Exit { .. } => true,
        _ => false,
    });
    out.push_str(
        "// Where the results go, whatever the code under test prints.\nstatic int tap;\n\n",
    );
    if checks {
        let _ = write!(
            out,
            "#define CHECK(condition) check(condition, #condition, __LINE__)\n\n\
             static void check(int holds, const char *what, int line)\n{{\n    if (!holds) {{\n        \
             dprintf(tap, \"# line %d: not so: %s\\n\", line, what);\n        exit({failed});\n    \
             }}\n}}\n\n"
        );
    }
    if compares {
        let _ = write!(
            out,
            "#define CHECK_EQUAL(actual, expected) \\\n    \
             check_equal((long long)(actual), (long long)(expected), #actual, __LINE__)\n\n\
             static void check_equal(long long actual, long long expected, const char *what, int \
             line)\n{{\n    if (actual != expected) {{\n        \
             dprintf(tap, \"# line %d: %s is %lld, not %lld\\n\", line, what, actual, expected);\n        \
             exit({failed});\n    }}\n}}\n\n"
        );
    }
    for (function, test) in page.tests {
        let _ = write!(
            out,
            "{}static void {function}(void)\n{{\n{}}}\n\n",
            above(test),
            body(page, test)
        );
    }
    out.push_str(&main(page));
    out
}

fn main(page: &Page) -> String {
    let exits = page.tests.iter().any(|(_, test)| test.exits.is_some());
    let mut out =
        "static const struct {\n    const char *name;\n    void (*run)(void);\n".to_owned();
    if exits {
        out.push_str("    int code; // that the process exits with\n");
    }
    out.push_str("} tests[] = {\n");
    for (function, test) in page.tests {
        let code = match test.exits {
            Some(code) => format!(", {code}"),
            None if exits => ", 0".to_owned(),
            None => String::new(),
        };
        let _ = writeln!(
            out,
            "    {{\"{}\", {function}{code}}},",
            test.slug.replace('_', " ")
        );
    }
    let wanted = if exits { "tests[i].code" } else { "0" };
    let _ = write!(
        out,
        r##"}};

int main(void)
{{
    const int count = sizeof tests / sizeof tests[0];
    int failures = 0;

    tap = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    dprintf(tap, "1..%d\n", count);
    for (int i = 0; i < count; i++) {{
        // Each test has a process of its own: it sees nothing that another has left behind.
        int status;
        pid_t child = fork();

        if (child == 0) {{
            alarm(10);
            tests[i].run();
            exit(0);
        }}
        if (child < 0 || waitpid(child, &status, 0) < 0) {{
            dprintf(tap, "Bail out! no process for a test\n");
            return 1;
        }}
        int passed = WIFEXITED(status) && WEXITSTATUS(status) == {wanted};
        dprintf(tap, "%sok %d - %s\n", passed ? "" : "not ", i + 1, tests[i].name);
        if (WIFSIGNALED(status))
            dprintf(tap, "# ended by signal %d\n", WTERMSIG(status));
        failures += !passed;
    }}
    return failures != 0;
}}
"##
    );
    out
}
