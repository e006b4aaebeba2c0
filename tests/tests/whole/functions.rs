//! Functions as subjects: where their failures are said to be.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::{explore, program};
use std::process::Command;

/// A function that fails in one that it calls.
const NESTED: &str = "#include <stdlib.h>
static void deep(int *p)
{
    if (p && *p == 7)
        abort();
}
void outer(int *p)
{
    deep(p);
}
";

/// A sequence that breaks an invariant.
const COUNTER: &str = "\
struct counter { int value; };
int valid(const struct counter *c)
{
    return c->value < 2;
}
void bump(struct counter *c)
{
    c->value++;
}
void init(struct counter *c)
{
    c->value = 0;
}
";

/// The places in the stack of the campaign's only finding, innermost first.
fn stack(text: &str, name: &str, options: &[&str]) -> Result<Vec<String>> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("file.c"), text)?;
    let options: Vec<String> = options.iter().map(|option| option.to_string()).collect();
    let found = explore(&[name.into()], &options, folder.path())?;
    ensure!(found.exit_code == 2, "{found:?}");
    let report = Command::new(program()?)
        .args(["report", "campaign", "--json"])
        .current_dir(folder.path())
        .output()?;
    let report: serde_json::Value = serde_json::from_slice(&report.stdout)?;
    let findings = report["findings"].as_array().context("findings")?;
    let [finding] = &findings[..] else {
        anyhow::bail!("{findings:?}");
    };
    let frames = finding["stack"].as_array().context("stack")?;
    let place = |frame: &serde_json::Value| {
        let word = |key: &str| frame[key].as_str().unwrap_or_default().to_string();
        format!("{}:{} {}", word("file"), frame["line"], word("function"))
    };
    Ok(frames.iter().map(place).collect())
}

#[test]
fn a_stack_ends_with_the_function_that_was_explored() -> Result<()> {
    let expected = ["file.c:5 deep", "file.c:9 outer"];
    assert_eq!(stack(NESTED, "file.c::outer", &[])?, expected);
    // Eight elements are the most that an array has.
    let text = NESTED.replace("abort()", "p[8] = 0");
    let sanitized = stack(&text, "file.c::outer", &["--sanitize=address"])?;
    assert_eq!(sanitized, expected);
    Ok(())
}

#[test]
fn a_broken_invariant_is_placed_at_the_function_that_says_it() -> Result<()> {
    let options = ["--sequence=init,bump", "--valid=counter:valid"];
    assert_eq!(stack(COUNTER, "file.c", &options)?, ["file.c:2 "]);
    Ok(())
}

const CHECKED: &str =
    "int scaled(int a, int b)\n{\n    if (b == 0)\n        return 0;\n    return (a + 1) / b;\n}\n";

/// What the sanitizer asks is no branch of the function's.
#[test]
fn checks_of_sanitizers_are_counted_apart() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("scaled.c");
    std::fs::write(&file, CHECKED)?;
    let mut target = file.into_os_string();
    target.push("::scaled");
    let options = ["--sanitize=undefined", "--budget=20s"].map(String::from);
    let explored = explore(&[target.into()], &options, folder.path())?;
    let summary = &explored.summary;
    let own = (summary.branch_sides.reached, summary.branch_sides.total);
    ensure!(own == (2, 2), "{summary:?}");
    let checks = summary.check_sides.context("no checks are counted")?;
    // The sum, and the quotient by zero or of the least number by -1: the latter may be two.
    ensure!(
        checks.total >= 4 && checks.reached >= checks.total / 2,
        "{summary:?}"
    );
    Ok(())
}
