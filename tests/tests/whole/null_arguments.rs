//! Null arguments of functions: one finding for each of them, and none for those that are never null.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::{Exploration, explore};
use std::fs;
use std::path::Path;

const RUNE: &str = r#"
struct rune { int v; int kind; };
struct rune *make(int k) __attribute__((returns_nonnull));
struct rune *other(int k);
int chartorune(struct rune *rune, const char *str)
{
    if (str[0] == 0) {
        rune->v = 0;
        return 1;
    }
    if (str[0] < 'a') {
        rune->v = 1;
        return 2;
    }
    if (str[0] == 'x') {
        rune->kind = 3;
        return 3;
    }
    rune->v = str[0];
    if (make(str[1])->v == 7)
        return 9;
    return other(str[1])->v;
}
"#;

/// Explores the function of a file with these flags.
fn explored(source: &str, flags: &[&str], folder: &Path) -> Result<Exploration> {
    let file = folder.join("rune.c");
    fs::write(&file, source)?;
    let mut target = file.into_os_string();
    target.push("::chartorune");
    let options: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    explore(&[target.into()], &options, folder)
}

/// Lines and messages of what was found, by line.
fn found(explored: &Exploration) -> Vec<(u32, &str)> {
    let findings = explored.summary.findings.iter();
    let mut found: Vec<(u32, &str)> = findings
        .map(|finding| (finding.line, finding.message.as_str()))
        .collect();
    found.sort_unstable();
    found
}

/// Four places follow `rune`, one `str`, and one what a stub returned; what `make` returns is never null.
#[test]
fn a_null_argument_is_one_finding_wherever_it_is_followed() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let explored = explored(RUNE, &[], folder.path())?;
    let found = found(&explored);
    let of = |what: &str| {
        let mut found = found.iter();
        let found = found.find(|(_, message)| message.starts_with(what));
        found.with_context(|| format!("{what}: {explored:?}"))
    };
    ensure!(found.len() == 3 && explored.summary.complete, "{found:?}");
    let (line, message) = of("the argument `rune` is null: ")?;
    for place in [8, 12, 16, 19] {
        let said = message.contains(&format!("rune.c:{place}"));
        ensure!((place == *line) != said, "{place}: {message}");
    }
    ensure!(of("the argument `str` is null: ")?.0 == 7, "{found:?}");
    ensure!(of("invalid memory access")?.0 == 22, "{found:?}");
    Ok(())
}

#[test]
fn arguments_that_are_never_null_are_not() -> Result<()> {
    let annotated = RUNE.replace(
        "int chartorune(struct rune *rune, const char *str)\n{",
        "int chartorune(struct rune * _Nonnull rune, const char *str) __attribute__((nonnull(2)));\n\
         int chartorune(struct rune *rune, const char *str)\n{",
    );
    for (source, flags, lines) in [
        (RUNE, &["--nonnull"][..], &[22][..]),
        (RUNE, &["--nonnull=rune,str"], &[22]),
        (RUNE, &["--nonnull=rune"], &[7, 22]),
        (annotated.as_str(), &[], &[23]),
    ] {
        let folder = tempfile::tempdir()?;
        let explored = explored(source, flags, folder.path())?;
        let found: Vec<u32> = found(&explored).iter().map(|(line, _)| *line).collect();
        ensure!(found == lines, "{flags:?}: {explored:?}");
        let bounds = explored.summary.bounds.join("; ");
        ensure!(
            bounds.contains("never null: ") && bounds.contains("rune"),
            "{bounds}"
        );
    }
    Ok(())
}

/// Where either of two null arguments alone would do, neither is to blame; and a null member of a structure is none.
#[test]
fn what_is_not_clearly_an_argument_is_told_by_its_place() -> Result<()> {
    let source = "struct rune { int v; struct rune *next; };\n\
        int chartorune(struct rune *rune, const char *str)\n{\n    if (!rune && !str)\n        \
        return *(volatile int *)0;\n    if (rune)\n        return rune->next->v;\n    return 0;\n}\n";
    let folder = tempfile::tempdir()?;
    let explored = explored(source, &[], folder.path())?;
    let found = found(&explored);
    ensure!(
        found.len() == 2
            && found
                .iter()
                .all(|(_, message)| !message.contains("argument")),
        "{explored:?}"
    );
    Ok(())
}
