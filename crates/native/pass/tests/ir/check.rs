//! Compares lines with what a case says of them.

use anyhow::{Result, bail, ensure};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Label,
    Found,
    Next,
    Not,
}

/// What a case says, in its order.
fn checks(case: &str) -> Vec<(Kind, &str)> {
    let kinds = [
        ("CHECK-LABEL:", Kind::Label),
        ("CHECK-NEXT:", Kind::Next),
        ("CHECK-NOT:", Kind::Not),
        ("CHECK:", Kind::Found),
    ];
    let comments = case
        .lines()
        .filter_map(|line| line.trim().strip_prefix(';'));
    let found = comments.filter_map(|comment| {
        let comment = comment.trim();
        let named = |(name, kind): &(&str, Kind)| Some((*kind, comment.strip_prefix(name)?.trim()));
        kinds.iter().find_map(named)
    });
    found.collect()
}

/// Has a line these pieces, one after the other?
fn has(line: &str, text: &str) -> bool {
    let mut rest = line;
    text.split("{{*}}")
        .all(|piece| match rest.split_once(piece.trim()) {
            Some((_, behind)) => {
                rest = behind;
                true
            }
            None => false,
        })
}

pub fn check(case: &str, result: &str) -> Result<()> {
    let lines: Vec<&str> = result.lines().collect();
    let checks = checks(case);
    ensure!(!checks.is_empty(), "the case says nothing");
    let mut at = 0;
    let mut absent: Vec<&str> = Vec::new();
    let none = |absent: &mut Vec<&str>, lines: &[&str]| {
        for text in absent.drain(..) {
            if let Some(line) = lines.iter().find(|line| has(line, text)) {
                bail!("found `{text}`, in `{line}`, in\n{result}");
            }
        }
        Ok(())
    };
    for (kind, text) in checks {
        if kind == Kind::Not {
            absent.push(text);
            continue;
        }
        if kind == Kind::Label {
            none(&mut absent, &lines[at..])?;
            at = 0;
        }
        let reach = match kind {
            Kind::Next => &lines[at..(at + 1).min(lines.len())],
            _ => &lines[at..],
        };
        let Some(found) = reach.iter().position(|line| has(line, text)) else {
            bail!("no `{text}` from line {} on, in\n{result}", at + 1);
        };
        none(&mut absent, &lines[at..at + found])?;
        at += found + 1;
    }
    none(&mut absent, &lines[at..])
}

/// A checker that lets all pass would check nothing.
pub fn can_fail() -> Result<()> {
    let result = "one 1\ntwo 2\nthree 3";
    for (case, passes) in [
        ("; CHECK: one\n; CHECK: three", true),
        ("; CHECK: three\n; CHECK: one", false),
        ("; CHECK: three\n; CHECK-LABEL: one", true),
        ("; CHECK: one\n; CHECK-NEXT: two", true),
        ("; CHECK: one\n; CHECK-NEXT: three", false),
        ("; CHECK: t{{*}} 2", true),
        ("; CHECK: t{{*}} 1", false),
        ("; CHECK: one\n; CHECK-NOT: two\n; CHECK: three", false),
        ("; CHECK: two\n; CHECK-NOT: one\n; CHECK: three", true),
        ("; CHECK: one\n; CHECK-NOT: three", false),
        ("; CHECK-NOT: four", true),
        ("; nothing", false),
    ] {
        ensure!(check(case, result).is_ok() == passes, "{case}");
    }
    Ok(())
}
