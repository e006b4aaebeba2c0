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

/// Runs and queries until a list of so many nodes is there.
fn reach(nodes: u64, strategy: &str, most: u64, folder: &Path) -> Result<(u64, u64)> {
    let flags = [
        "--valid",
        "node:check",
        "--cflags",
        &format!("-DN={nodes}"),
        "--strategy",
        strategy,
        "--max-objects",
        "48",
        "--budget",
        &format!("{most}runs"),
        "--campaign",
        &format!("{strategy}-{nodes}"),
    ];
    let summary = explore(&folder.join("dll.c::reach"), &flags, folder)?;
    let found = summary["findings"][0]["case"].as_u64();
    let found = found.with_context(|| format!("{nodes} nodes: not in {most} runs"))?;
    let queries = summary["queries"]["asked"].as_u64().context("queries")?;
    Ok((found + 1, queries))
}

#[test]
fn a_doubly_linked_list_takes_queries_in_proportion_to_its_length() -> Result<()> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("dll.c"), DOUBLY_LINKED)?;
    for nodes in [5u64, 10, 20, 40] {
        // A node takes two runs: one in which it appears, one in which it points back.
        let (_, queries) = reach(nodes, "dfs", 2 * nodes, folder.path())?;
        ensure!(
            queries <= 6 * nodes,
            "{nodes} nodes: {queries} queries are too many"
        );
        // Whoever knows nothing of strategies pays some more.
        reach(nodes, "mix", 5 * nodes, folder.path())?;
    }
    Ok(())
}

#[test]
fn the_bugs_of_sglib_are_found_in_few_runs() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let structures = root().join("tests/structures");
    for (subject, valid) in [
        ("dlist.c::dlist_concat", "dlist:dlist_check"),
        ("hash_table.c::hash_add", "hash_table:hash_check"),
    ] {
        let subject = structures.join(subject);
        let common = ["--valid", valid, "--timeout", "500", "--budget", "50runs"];
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
