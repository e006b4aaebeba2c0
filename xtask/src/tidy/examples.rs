//! Code in documentation comments is not a test: each would be compiled and linked by itself, for every change.
//! What shows how something is used is a test among the others, and what else stands in a block says that it is text.

use crate::repository::Repository;
use anyhow::Result;

/// Words behind the fence of a block that make it a test; so does nothing at all.
const TESTS: [&str; 7] = [
    "rust",
    "should_panic",
    "no_run",
    "compile_fail",
    "ignore",
    "edition",
    "test_harness",
];

pub fn check(repository: &Repository) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for file in repository.files() {
        // Of others, nobody makes documentation.
        if !file.ends_with(".rs") || !file.split('/').any(|folder| folder == "src") {
            continue;
        }
        for line in blocks(&repository.read(file)?) {
            problems.push(format!(
                "{file}:{line}: code in a documentation comment is not run; make it a test, or \
                 begin it with ```text"
            ));
        }
    }
    Ok(problems)
}

/// Lines on which a documentation comment begins what rustdoc would take for a test.
fn blocks(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut inside = false;
    let mut after_blank = true;
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim_start();
        let said = line.strip_prefix("///").or(line.strip_prefix("//!"));
        let Some(said) = said else {
            (inside, after_blank) = (false, true);
            continue;
        };
        if let Some(info) = said.trim_start().strip_prefix("```") {
            if !inside && is_test(info) {
                found.push(number);
            }
            inside = !inside;
        } else if !inside && after_blank && said.starts_with("     ") {
            // A paragraph that is indented is code as well.
            found.push(number);
        }
        after_blank = said.trim().is_empty();
    }
    found
}

fn is_test(info: &str) -> bool {
    let info = info.trim_start_matches('`').trim();
    info.is_empty() || TESTS.iter().any(|word| info.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_is_no_text_is_a_problem() {
        for (text, lines) in [
            ("//! ```text\n//! a -> b\n//! ```\nuse x;\n", vec![]),
            ("/// So:\n/// ```\n/// f();\n/// ```\nfn f() {}\n", vec![2]),
            ("    /// ```no_run\n    /// f();\n    /// ```\n", vec![1]),
            (
                "/// ```text\n/// x\n/// ```\n///\n/// ```rust\n/// f()\n/// ```\n",
                vec![5],
            ),
            ("/// So:\n///\n///     f();\n", vec![3]),
            ("/// - a list that\n///     goes on\n", vec![]),
            ("// ```\n// f();\n// ```\n", vec![]),
        ] {
            assert_eq!(blocks(text), lines, "{text}");
        }
    }
}
