//! `cargo xtask structures`: the data structures in `tests/structures/`, each operation explored
//! from its invariant alone, and the two bugs of SGLIB.

use crate::engine::{Engine, Wishes};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A structure's file and its invariant, by type and function.
const STRUCTURES: [(&str, Option<&str>); 7] = [
    ("quick_sort", None),
    ("heap_sort", None),
    ("list", Some("list:list_check")),
    ("sorted_list", Some("sorted_list:sorted_check")),
    ("dlist", Some("dlist:dlist_check")),
    ("hash_table", Some("hash_table:hash_check")),
    ("rb_tree", Some("rb_tree:rb_check")),
];
/// Operations that have a bug with BUGGY, their invariants, and the runs that CUTE took to find it.
const BUGS: [(&str, &str, &str, u64); 2] = [
    ("dlist", "dlist_concat", "dlist:dlist_check", 140),
    ("hash_table", "hash_add", "hash_table:hash_check", 193),
];
/// Operations that cannot reach so many of their sides; why is in the book.
const UNREACHABLE: [(&str, u64); 8] = [
    ("heap_sort", 1),
    ("dlist_add_first", 1),
    ("dlist_add_last", 1),
    ("dlist_add_after", 1),
    ("dlist_remove_first", 1),
    ("dlist_remove_last", 1),
    ("dlist_sort", 2),
    ("rb_insert", 1),
];
/// Objects of a type; what is larger shows nothing new.
const OBJECTS: &str = "12";

pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    let Wishes {
        profile,
        seconds,
        names,
    } = Wishes::new(words, 60)?;
    let engine = Engine::build(root, profile)?;
    let folder = tempfile::tempdir()?;
    let budget = format!("{seconds}s");
    let mut missed = Vec::new();
    println!("| structure | operation | sides | runs | seconds | all explored | findings |");
    println!("|---|---|---|---|---|---|---|");
    for (name, valid) in STRUCTURES {
        if !names.is_empty() && !names.contains(&name) {
            continue;
        }
        let header = fs::read_to_string(root.join(format!("tests/structures/{name}.h")))?;
        for operation in operations(&header) {
            let mut flags = vec!["--budget", &budget, "--max-objects", OBJECTS];
            flags.extend(valid.iter().flat_map(|valid| ["--valid", *valid]));
            let summary = explore(&engine, root, name, operation, &flags, folder.path())?;
            let sides = &summary["branch_sides"];
            if !all_reached(operation, sides) {
                missed.push(operation.to_owned());
            }
            let findings = summary["findings"].as_array().map_or(0, Vec::len);
            println!(
                "| {name} | `{operation}` | {} of {} | {} | {:.1} | {} | {findings} |",
                sides["reached"],
                sides["total"],
                summary["runs"],
                summary["wall_seconds"].as_f64().unwrap_or(0.0),
                if summary["complete"] == Value::Bool(true) {
                    "yes"
                } else {
                    "no"
                },
            );
            // Nothing says that an array must not be null where it has elements.
            ensure!(
                findings == 0 || valid.is_none(),
                "{operation} has {findings} findings"
            );
        }
    }
    if names.is_empty() {
        println!("\n| bug | runs to find it | CUTE's runs |");
        println!("|---|---|---|");
        for (name, operation, valid, cute) in BUGS {
            let flags = [
                "--budget", "100runs", "--valid", valid, "--cflags", "-DBUGGY",
            ];
            let summary = explore(&engine, root, name, operation, &flags, folder.path())?;
            let found = summary["findings"][0]["case"].as_u64();
            let found = found.with_context(|| format!("{operation}: not found"))?;
            println!("| `{operation}` | {} | {cute} |", found + 1);
        }
    }
    ensure!(
        missed.is_empty(),
        "sides that can be reached were not, in {}",
        missed.join(", ")
    );
    Ok(())
}

/// Whether an operation has reached every side that it can.
fn all_reached(operation: &str, sides: &Value) -> bool {
    let never = UNREACHABLE.iter().find(|(name, _)| *name == operation);
    let never = never.map_or(0, |(_, count)| *count);
    match (sides["reached"].as_u64(), sides["total"].as_u64()) {
        (Some(reached), Some(total)) => reached + never >= total,
        _ => false,
    }
}

/// Functions that a header declares, without the invariant and what makes an empty structure.
fn operations(header: &str) -> impl Iterator<Item = &str> {
    header.lines().filter_map(|line| {
        let (before, _) = line.strip_suffix(';')?.split_once('(')?;
        let name = before.rsplit([' ', '*']).next()?;
        let own = name.ends_with("_check") || name.ends_with("_init");
        (!own && !line.starts_with(' ')).then_some(name)
    })
}

fn explore(
    engine: &Engine,
    root: &Path,
    name: &str,
    operation: &str,
    flags: &[&str],
    folder: &Path,
) -> Result<Value> {
    let file = root.join(format!("tests/structures/{name}.c"));
    let output = Command::new(&engine.elsewise)
        .arg("explore")
        .arg(format!("{}::{operation}", file.display()))
        .args(flags)
        .arg("--campaign")
        .arg(folder.join(operation))
        .args(["--fresh", "--quiet", "--format", "json"])
        .stdin(Stdio::null())
        .output()?;
    serde_json::from_slice(&output.stdout).with_context(|| {
        let words = String::from_utf8_lossy(&output.stderr);
        format!("no summary of {operation}: {words}")
    })
}

#[cfg(test)]
mod tests {
    use super::all_reached;
    use serde_json::json;

    #[test]
    fn sides_that_cannot_be_reached_are_not_missed() {
        let sides = |reached, total| json!({"reached": reached, "total": total});
        assert!(all_reached("list_add", &sides(8, 8)));
        assert!(!all_reached("list_add", &sides(7, 8)));
        assert!(all_reached("dlist_sort", &sides(16, 18)));
        assert!(!all_reached("dlist_sort", &sides(15, 18)));
        assert!(!all_reached("list_add", &json!({})));
    }

    #[test]
    fn operations_are_what_a_header_declares() {
        let header = "// Adds (or not).\nint a_check(const struct a *a);\nvoid a_init(struct a *a);\n\
                      struct b *a_find(const struct a *a, int b);\nint a_length(const struct a *a);\n";
        let found: Vec<&str> = super::operations(header).collect();
        assert_eq!(found, ["a_find", "a_length"]);
    }
}
