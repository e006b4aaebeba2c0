//! Crates depend on each other in the allowed direction only.

use crate::repository::Repository;
use anyhow::{Context, Result};

/// What each crate of ours may use of the others. Data flows one way through the rooms (see the
/// invariants in ARCHITECTURE.md), and so do dependencies.
const ALLOWED: &[(&str, &[&str])] = &[
    ("elsewise-test-random", &[]),
    ("elsewise-operators", &[]),
    (
        "elsewise-wire",
        &["elsewise-operators", "elsewise-test-random"],
    ),
    ("elsewise-term", &["elsewise-test-random"]),
    ("elsewise-graph", &[]),
    ("elsewise-export", &["elsewise-graph"]),
    ("elsewise-child", &[]),
    ("elsewise-contain", &["elsewise-child", "elsewise-wire"]),
    ("elsewise-solve", &["elsewise-term", "elsewise-test-random"]),
    ("elsewise-explore", &["elsewise-operators", "elsewise-term"]),
    (
        "elsewise-subsume",
        &["elsewise-explore", "elsewise-solve", "elsewise-term"],
    ),
    (
        "elsewise-driver",
        &["elsewise-contain", "elsewise-test-random", "elsewise-wire"],
    ),
    // Harnesses are written and cases read without a run.
    (
        "elsewise-functions",
        &[
            "elsewise-driver",
            "elsewise-explore",
            "elsewise-graph",
            "elsewise-test-random",
        ],
    ),
    (
        "elsewise-native",
        &[
            "elsewise-contain",
            "elsewise-driver",
            "elsewise-explore",
            // Its tests run functions.
            "elsewise-functions",
            "elsewise-graph",
            "elsewise-term",
            "elsewise-test-random",
            "elsewise-wire",
        ],
    ),
    (
        "elsewise-erlang",
        &["elsewise-child", "elsewise-explore", "elsewise-term"],
    ),
    (
        "elsewise-prolog",
        &[
            "elsewise-child",
            "elsewise-explore",
            "elsewise-graph",
            "elsewise-term",
        ],
    ),
    // Built on another front end: what is generated from a model is a native subject.
    (
        "elsewise-statechart",
        &[
            // Its tests build what is generated.
            "elsewise-driver",
            "elsewise-explore",
            "elsewise-graph",
            "elsewise-native",
            "elsewise-statechart-testing",
            "elsewise-term",
            "elsewise-test-random",
        ],
    ),
    (
        "elsewise-statechart-testing",
        &[
            "elsewise-explore",
            "elsewise-statechart",
            "elsewise-term",
            "elsewise-test-random",
        ],
    ),
    ("elsewise-pass", &["elsewise-wire"]),
    ("elsewise-runtime", &["elsewise-wire"]),
    (
        "elsewise-campaign",
        &[
            "elsewise-explore",
            "elsewise-solve",
            "elsewise-subsume",
            "elsewise-term",
        ],
    ),
    (
        "elsewise-cluster",
        &["elsewise-campaign", "elsewise-explore", "elsewise-term"],
    ),
    (
        "elsewise-report",
        &["elsewise-campaign", "elsewise-explore", "elsewise-graph"],
    ),
    (
        "elsewise-frontend",
        &[
            "elsewise-campaign",
            "elsewise-child",
            "elsewise-contain",
            "elsewise-explore",
            "elsewise-export",
            "elsewise-graph",
            "elsewise-report",
        ],
    ),
    (
        "elsewise-assist",
        &[
            "elsewise-campaign",
            "elsewise-child",
            "elsewise-frontend",
            "elsewise-report",
        ],
    ),
    // And the front ends.
    (
        "elsewise",
        &[
            "elsewise-assist",
            "elsewise-campaign",
            "elsewise-cluster",
            "elsewise-contain",
            // `elsewise-cc` is a program of its own.
            "elsewise-driver",
            "elsewise-explore",
            "elsewise-export",
            "elsewise-frontend",
            "elsewise-graph",
            // Its tests compare classes of inputs.
            "elsewise-prolog",
            "elsewise-report",
            "elsewise-solve",
            "elsewise-term",
        ],
    ),
    // Developers' tools: nothing of the product uses them.
    (
        "elsewise-tests",
        &[
            "elsewise-campaign",
            "elsewise-cluster",
            "elsewise-contain",
            "elsewise-driver",
            "elsewise-explore",
            "elsewise-native",
            "elsewise-report",
            "elsewise-statechart",
            "elsewise-test-random",
        ],
    ),
    (
        "elsewise-bench",
        &[
            "elsewise-campaign",
            "elsewise-cluster",
            "elsewise-driver",
            "elsewise-explore",
            "elsewise-native",
            "elsewise-statechart",
            "elsewise-statechart-testing",
            "elsewise-test-random",
            "elsewise-tests",
        ],
    ),
    ("xtask", &["elsewise-bench", "elsewise-wire"]),
];

/// What is made for tests and measurements: in the product, tests alone may use it.
const FOR_TESTS: &[&str] = &["elsewise-statechart-testing", "elsewise-test-random"];
/// Developers' tools, which no user gets.
const TOOLS: &[&str] = &["elsewise-tests", "elsewise-bench", "xtask"];

/// What makes a crate a front end.
const DOOR: &str = "elsewise-frontend";
/// What front ends may not use: they never pick what to explore next, and never ask a solver.
const NOT_FOR_FRONT_ENDS: &[&str] = &[
    "elsewise-solve",
    "elsewise-subsume",
    "elsewise-tests",
    "xtask",
];

/// Crates that no line of a subject's language, process or file may come into.
const PURE: &[&str] = &[
    "elsewise-operators",
    "elsewise-term",
    "elsewise-solve",
    "elsewise-explore",
    "elsewise-subsume",
];
/// What would bring processes or files into them.
const IMPURE: &[&str] = &[
    "libc", "nix", "rustix", "rusqlite", "memmap2", "tempfile", "object",
];

pub fn check(repository: &Repository) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for file in repository.files() {
        if !(file == "Cargo.toml" || file.ends_with("/Cargo.toml"))
            || file.starts_with("tests/subjects/")
        {
            continue;
        }
        let manifest: toml::Table = repository
            .read(file)?
            .parse()
            .with_context(|| format!("{file} is not TOML"))?;
        let Some(name) = manifest
            .get("package")
            .and_then(|package| package.get("name"))
            .and_then(toml::Value::as_str)
        else {
            continue;
        };
        let used = used(&manifest);
        let known = ALLOWED.iter().find(|(crate_name, _)| *crate_name == name);
        let is_front_end = known.is_none() && used.iter().any(|(used, _)| used == DOOR);
        if known.is_none() && !is_front_end {
            problems.push(format!(
                "{file}: {name} is neither a front end nor in the table of allowed dependencies; \
                 add it to xtask/src/tidy/dependencies.rs"
            ));
            continue;
        }
        let may_use = |used: &str| match known {
            _ if used == name => true,
            Some((_, allowed)) => {
                allowed.contains(&used) || name == "elsewise" && used.ends_with("-frontend")
            }
            None => !NOT_FOR_FRONT_ENDS.contains(&used),
        };
        for (used, section) in used {
            let ours = used.starts_with("elsewise") || used == "xtask";
            // What only tests use cannot reach a user, but it can still make a circle of rooms.
            if ours && !may_use(&used) {
                problems.push(format!(
                    "{file}: {name} must not depend on {used} ({section})"
                ));
            }
            let is_product = !TOOLS.contains(&name) && !FOR_TESTS.contains(&name);
            if is_product && section != "dev-dependencies" && FOR_TESTS.contains(&used.as_str()) {
                problems.push(format!(
                    "{file}: {name} may use {used} in its tests only, not in its {section}"
                ));
            }
            if section == "dependencies" && PURE.contains(&name) && IMPURE.contains(&used.as_str())
            {
                problems.push(format!(
                    "{file}: {name} names no process and no file, so it must not use {used}"
                ));
            }
        }
    }
    Ok(problems)
}

/// Packages that a manifest depends on, each with the kind of table it stands in.
fn used(manifest: &toml::Table) -> Vec<(String, &'static str)> {
    let mut all = Vec::new();
    let mut collect = |table: &toml::Table| {
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(entries) = table.get(section).and_then(toml::Value::as_table) else {
                continue;
            };
            for (key, value) in entries {
                let package = value
                    .get("package")
                    .and_then(toml::Value::as_str)
                    .unwrap_or(key);
                all.push((package.to_owned(), section));
            }
        }
    };
    collect(manifest);
    if let Some(targets) = manifest.get("target").and_then(toml::Value::as_table) {
        for target in targets.values().filter_map(toml::Value::as_table) {
            collect(target);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(manifest: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        check(&Repository::of(
            folder.path(),
            &[("crates/x/Cargo.toml", manifest)],
        ))
        .unwrap()
    }

    #[test]
    fn the_allowed_direction_passes() {
        let manifest = "[package]\nname = \"elsewise-solve\"\n[dependencies]\n\
                        elsewise-term.workspace = true\nthiserror.workspace = true\n";
        assert_eq!(problems(manifest), Vec::<String>::new());
    }

    #[test]
    fn the_other_direction_is_a_problem_in_every_table() {
        for table in [
            "dependencies",
            "dev-dependencies",
            "build-dependencies",
            "target.'cfg(unix)'.dependencies",
        ] {
            let manifest = format!(
                "[package]\nname = \"elsewise-term\"\n[{table}]\nelsewise-solve = {{ path = \"..\" }}\n"
            );
            let found = problems(&manifest);
            assert_eq!(found.len(), 1, "{table}: {found:?}");
            assert!(found[0].contains("must not depend on elsewise-solve"));
        }
    }

    #[test]
    fn a_renamed_dependency_is_seen_through() {
        let manifest = "[package]\nname = \"elsewise-wire\"\n[dependencies]\n\
                        t = { package = \"elsewise-term\", path = \"../term\" }\n";
        assert_eq!(problems(manifest).len(), 1);
    }

    #[test]
    fn a_front_end_asks_no_solver() {
        let front_end = |more: &str| {
            problems(&format!(
                "[package]\nname = \"elsewise-new\"\n[dependencies]\nelsewise-frontend.workspace = true\n{more}"
            ))
        };
        assert_eq!(
            front_end("elsewise-term.workspace = true"),
            Vec::<String>::new()
        );
        assert_eq!(front_end("elsewise-solve.workspace = true").len(), 1);
    }

    #[test]
    fn what_is_for_tests_is_used_by_tests_alone() {
        let found = |name: &str, table: &str| {
            problems(&format!(
                "[package]\nname = \"{name}\"\n[{table}]\nelsewise-statechart-testing.workspace = true\n"
            ))
        };
        assert_eq!(
            found("elsewise-statechart", "dev-dependencies"),
            Vec::<String>::new()
        );
        assert_eq!(
            found("elsewise-bench", "dependencies"),
            Vec::<String>::new()
        );
        for table in ["dependencies", "build-dependencies"] {
            let found = found("elsewise-statechart", table);
            assert_eq!(found.len(), 1, "{table}: {found:?}");
            assert!(found[0].contains("in its tests only"));
        }
    }

    #[test]
    fn an_unknown_crate_and_an_impure_one_are_problems() {
        assert_eq!(problems("[package]\nname = \"elsewise-new\"\n").len(), 1);
        let impure = "[package]\nname = \"elsewise-explore\"\n[dependencies]\nlibc = \"0.2\"\n";
        assert_eq!(problems(impure).len(), 1);
    }
}
