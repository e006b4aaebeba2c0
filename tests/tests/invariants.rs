//! Data structures come from their invariants: lists of N nodes in a number of queries that grows
//! as N does, and the bugs that CUTE found in SGLIB in fewer runs than it took (140 and 193).

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::program;
use elsewise_tests::compile::root;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

fn explore(subject: &Path, flags: &[&str], folder: &Path) -> Result<Value> {
    let output = Command::new(program()?)
        .arg("explore")
        .arg(subject)
        .args(flags)
        .args(["--quiet", "--format", "json"])
        .current_dir(folder)
        .output()?;
    serde_json::from_slice(&output.stdout)
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

const DOUBLY_LINKED: &str = r#"
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
    struct node *prev;
};

int check(const struct node *list)
{
    if (list && list->prev)
        return 0;
    for (; list; list = list->next) {
        if (list->next && list->next->prev != list)
            return 0;
    }
    return 1;
}

void reach(const struct node *list)
{
    int length = 0;
    for (; list; list = list->next)
        length++;
    if (length == N)
        abort();
}
"#;

#[test]
fn a_doubly_linked_list_takes_queries_in_proportion_to_its_length() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("dll.c");
    fs::write(&file, DOUBLY_LINKED)?;
    let subject = folder.path().join("dll.c::reach");
    for nodes in [5u64, 10, 20, 40] {
        // A node takes two runs: one in which it appears, one in which it points back.
        let runs = 2 * nodes;
        let flags = [
            "--valid",
            "node:check",
            "--cflags",
            &format!("-DN={nodes}"),
            "--strategy",
            "dfs",
            "--max-objects",
            "48",
            "--budget",
            &format!("{runs}runs"),
            "--campaign",
            &format!("{nodes}"),
        ];
        let summary = explore(&subject, &flags, folder.path())?;
        let found = summary["findings"][0]["case"].as_u64();
        ensure!(found.is_some(), "{nodes} nodes: not in {runs} runs");
        let queries = summary["queries"]["asked"].as_u64().context("queries")?;
        ensure!(
            queries <= 6 * nodes,
            "{nodes} nodes: {queries} queries are too many"
        );
    }
    Ok(())
}

#[test]
fn the_bugs_of_sglib_are_found_in_few_runs() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let structures = root().join("tests/structures");
    for (subject, valid, strategy, runs) in [
        (
            "dlist.c::dlist_concat",
            "dlist:dlist_check",
            "mix",
            "50runs",
        ),
        (
            "hash_table.c::hash_add",
            "hash_table:hash_check",
            "generational",
            "70runs",
        ),
    ] {
        let subject = structures.join(subject);
        let common = [
            "--valid",
            valid,
            "--timeout",
            "500",
            "--budget",
            runs,
            "--strategy",
            strategy,
        ];
        let with = [&common[..], &["--cflags", "-DBUGGY", "--campaign", "with"]].concat();
        let summary = explore(&subject, &[&with[..], &["--fresh"]].concat(), folder.path())?;
        let found = summary["findings"].as_array().map_or(0, Vec::len);
        ensure!(found == 1, "{}: {summary}", subject.display());
        let without = [&common[..], &["--campaign", "without", "--fresh"]].concat();
        let summary = explore(&subject, &without, folder.path())?;
        let found = summary["findings"].as_array().map_or(0, Vec::len);
        ensure!(found == 0, "{}: {summary}", subject.display());
    }
    Ok(())
}
