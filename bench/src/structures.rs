//! `cargo measure structures`: the data structures in `tests/structures/`, each operation explored
//! from its invariant alone, and the two bugs of SGLIB.

use crate::engine::{function, summary};
use crate::runner::{Missed, Session, Table, chosen, seconds, yes_or_no};
use anyhow::{Context, Result, ensure};
use elsewise_campaign::{Sides, Summary};
use std::fs;

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
const UNREACHABLE: [(&str, u32); 8] = [
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

#[derive(clap::Args)]
pub struct Options {
    /// For each operation
    #[arg(long, value_parser = seconds, default_value = "60s")]
    time: u64,
    /// Structures; without any, the bugs of SGLIB are looked for, too
    names: Vec<String>,
}

pub fn run(session: &Session, options: &Options) -> Result<()> {
    let chosen = chosen("structure", &STRUCTURES, |(name, _)| name, &options.names)?;
    let engine = session.engine()?;
    let folder = session.root.join("tests/structures");
    let explore = |name: &str, operation: &str, flags: &[&str]| -> Result<Summary> {
        let subject = function(&folder.join(format!("{name}.c")), operation);
        summary(engine.explore(subject).args(flags))
    };
    let budget = format!("--budget={}s", options.time);
    let mut missed = Missed::default();
    let mut table =
        Table::live("structure | operation | sides | runs | seconds | all explored | findings");
    for (name, valid) in chosen {
        let header = fs::read_to_string(folder.join(format!("{name}.h")))?;
        for operation in operations(&header) {
            let mut flags = vec![&*budget, "--max-objects", OBJECTS];
            flags.extend(valid.iter().flat_map(|valid| ["--valid", *valid]));
            let summary = explore(name, operation, &flags)?;
            let sides = summary.branch_sides;
            missed.unless(all_reached(operation, sides), operation);
            let findings = summary.findings.len();
            table.row(format_args!(
                "{name} | `{operation}` | {} of {} | {} | {:.1} | {} | {findings}",
                sides.reached,
                sides.total,
                summary.runs,
                summary.wall_seconds,
                yes_or_no(summary.complete),
            ));
            // Nothing says that an array must not be null where it has elements.
            ensure!(
                findings == 0 || valid.is_none(),
                "{operation} has {findings} findings"
            );
        }
    }
    if options.names.is_empty() {
        println!();
        let mut table = Table::live("bug | runs to find it | CUTE's runs");
        for (name, operation, valid, cute) in BUGS {
            let flags = ["--budget=100runs", "--valid", valid, "--cflags", "-DBUGGY"];
            let summary = explore(name, operation, &flags)?;
            let found = summary.findings.first();
            let found = found.with_context(|| format!("{operation}: not found"))?;
            table.row(format_args!("`{operation}` | {} | {cute}", found.case + 1));
        }
    }
    missed.none("sides that can be reached were not, in")
}

/// Whether an operation has reached every side that it can.
fn all_reached(operation: &str, sides: Sides) -> bool {
    let never = UNREACHABLE.iter().find(|(name, _)| *name == operation);
    sides.reached + never.map_or(0, |(_, count)| *count) >= sides.total
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_that_cannot_be_reached_are_not_missed() {
        let sides = |reached, total| Sides { reached, total };
        assert!(all_reached("list_add", sides(8, 8)));
        assert!(!all_reached("list_add", sides(7, 8)));
        assert!(all_reached("dlist_sort", sides(16, 18)));
        assert!(!all_reached("dlist_sort", sides(15, 18)));
    }

    #[test]
    fn operations_are_what_a_header_declares() {
        let header = "// Adds (or not).\nint a_check(const struct a *a);\nvoid a_init(struct a *a);\n\
                      struct b *a_find(const struct a *a, int b);\nint a_length(const struct a *a);\n";
        let found: Vec<&str> = operations(header).collect();
        assert_eq!(found, ["a_find", "a_length"]);
    }
}
