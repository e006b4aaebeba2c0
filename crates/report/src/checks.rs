//! What `doctor` found, one line each.

use crate::escape;
use crate::style::{BAD, DIM, GOOD, WARN, paint};
use serde::Serialize;
use std::fmt::Write;

/// One thing that Elsewise needs or can use.
#[derive(Clone, Debug, Serialize)]
pub struct CheckLine {
    pub name: String,
    /// Where or what it is; nothing when it is not there.
    pub found: Option<String>,
    /// Nothing works without it.
    pub needed: bool,
    /// What to do when it is not there.
    pub advice: String,
}

/// A line for each check, and a last one that sums up.
pub fn checks_text(checks: &[CheckLine]) -> String {
    let mut out = String::new();
    let widest = checks.iter().map(|check| check.name.chars().count()).max();
    let wide = widest.unwrap_or(0).max(16);
    for check in checks {
        let (mark, text) = match (&check.found, check.needed) {
            (Some(found), _) => (paint(GOOD, "ok     "), paint(DIM, escape::text(found))),
            (None, true) => (paint(BAD, "missing"), escape::text(&check.advice)),
            (None, false) => (paint(WARN, "without"), escape::text(&check.advice)),
        };
        let _ = writeln!(out, "{mark}  {:<wide$} {text}", escape::text(&check.name));
    }
    let missing = checks
        .iter()
        .filter(|check| check.needed && check.found.is_none());
    let _ = match missing.count() {
        0 => writeln!(out, "{}", paint(GOOD, "Elsewise can work here.")),
        _ => writeln!(
            out,
            "{}",
            paint(BAD, "Elsewise cannot work here yet; see above.")
        ),
    };
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn check(name: &str, found: Option<&str>, needed: bool) -> CheckLine {
        CheckLine {
            name: name.into(),
            found: found.map(str::to_string),
            needed,
            advice: format!("run `apt-get install {name}`"),
        }
    }

    #[test]
    fn something_needed_is_missing() {
        let checks = [check("clang-22", None, true), check("gdb", None, false)];
        samples::snapshot("checks_missing", &checks_text(&checks));
    }

    #[test]
    fn ready_without_what_is_optional() {
        let checks = [
            check("clang-22", Some("/usr/bin/clang-22"), true),
            check("gdb", None, false),
        ];
        samples::snapshot("checks_ready", &checks_text(&checks));
    }
}
