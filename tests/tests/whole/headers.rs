//! Operations of headers of the distribution, explored through the wrappers in `tests/headers/`; all of
//! them with `cargo measure headers`.

use anyhow::{Result, ensure};
use elsewise_tests::command::{Exploration, explore};
use elsewise_tests::compile::root;
use std::path::Path;

fn function(file: &Path, function: &str, options: &[&str]) -> Result<Exploration> {
    let folder = tempfile::tempdir()?;
    let mut subject = file.as_os_str().to_owned();
    subject.push(format!("::{function}"));
    let mut options: Vec<String> = options.iter().map(|&word| word.into()).collect();
    options.extend(["--budget".into(), "120s".into()]);
    explore(&[subject.into()], &options, folder.path())
}

/// All that the operation does on small structures was seen.
fn all_reached(explored: &Exploration) -> Result<()> {
    let summary = &explored.summary;
    ensure!(summary.complete, "not complete: {summary:?}");
    let sides = summary.branch_sides;
    ensure!(
        sides.total > 0 && sides.reached == sides.total,
        "not all sides: {summary:?}"
    );
    Ok(())
}

/// Nodes of these lists point to the pointers that lead to them, in other nodes or in the head.
#[test]
fn pointers_to_pointers_lead_to_members() -> Result<()> {
    let file = root().join("tests/headers/queue-list.c");
    let explored = function(&file, "list_remove", &["--valid", "place:valid_place"])?;
    all_reached(&explored)?;
    ensure!(explored.summary.findings.is_empty());
    // Nodes to begin with, in the middle and at the end of lists of up to four.
    ensure!(explored.summary.paths >= 10, "{:?}", explored.summary);
    Ok(())
}

#[test]
fn misuse_is_found() -> Result<()> {
    let file = root().join("tests/headers/queue-slist.c");
    let explored = function(&file, "slist_remove_stranger", &["--valid", "list:valid"])?;
    all_reached(&explored)?;
    let found = &explored.summary.findings;
    ensure!(found.len() == 1 && found[0].kind == "segv", "{found:?}");
    Ok(())
}

/// A function may say with `elsewise.h` what it takes, and the sides of an invariant are not its
/// own.
#[test]
fn assumptions_in_the_function() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("assume.c");
    std::fs::write(
        &file,
        "#include <elsewise.h>\n\
         struct pair { int low, high; };\n\
         static int ordered(const struct pair *p) { return p && p->low <= p->high; }\n\
         int middle(struct pair *pair, int wanted)\n\
         {\n\
             elsewise_assume(wanted > 0);\n\
             elsewise_assert(ordered(pair));\n\
             return wanted < 0 ? pair->high : pair->low;\n\
         }\n",
    )?;
    let explored = function(&file, "middle", &["--valid", "struct pair:ordered"])?;
    let summary = &explored.summary;
    ensure!(
        summary.complete && summary.findings.is_empty(),
        "{summary:?}"
    );
    // Neither the assertion nor the condition has its other side.
    ensure!(
        (summary.branch_sides.reached, summary.branch_sides.total) == (2, 4),
        "{summary:?}"
    );
    Ok(())
}
