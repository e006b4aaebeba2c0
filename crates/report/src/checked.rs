//! What came of running kept cases again.

use crate::escape;
use crate::finding::place;
use crate::numbers::count;
use crate::style::{BAD, DIM, GOOD, NAME, WARN, paint};
use elsewise_campaign::Frame;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// Changes that are shown of one campaign.
const SHOWN: usize = 20;

/// One campaign's cases, run again.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedCampaign {
    pub campaign: PathBuf,
    /// The subject as the user named it.
    pub subject: String,
    /// Cases that were run.
    pub cases: u64,
    /// Cases that end otherwise than they did.
    pub changes: Vec<CheckedCase>,
    /// Findings that do not fail any more.
    pub gone: Vec<u32>,
    /// Findings that fail as they did.
    pub remaining: Vec<u32>,
    /// The command that explores the subject as it is now.
    pub explore: String,
}

/// A case that ends otherwise than it did.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedCase {
    /// Its run in the campaign.
    pub run: u64,
    pub before: String,
    pub now: String,
    pub fails: bool,
    /// Where it fails, innermost first.
    pub stack: Vec<Frame>,
}

/// A case that a project keeps, run again.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedKept {
    /// Its folder.
    pub case: PathBuf,
    pub subject: String,
    /// How it failed when it was kept.
    pub before: String,
    pub now: String,
    pub fails: bool,
    /// Where it fails, innermost first.
    pub stack: Vec<Frame>,
}

/// One line for each case that a project keeps.
pub fn kept_text(kept: &[CheckedKept]) -> String {
    let mut out = String::new();
    for one in kept {
        let name = escape::text(&one.case.to_string_lossy());
        let verdict = match (one.fails, one.stack.first()) {
            (false, _) => paint(GOOD, "passes").to_string(),
            (true, frame) => {
                let at = frame.map(|at| format!(" at {}", place(&at.file, at.line, &at.function)));
                let now = paint(BAD, format!("fails: {}", escape::text(&one.now)));
                format!("{now}{}", at.unwrap_or_default())
            }
        };
        let _ = writeln!(out, "{}: {verdict}", paint(NAME, name));
    }
    out
}

impl CheckedCampaign {
    pub fn changed(&self) -> bool {
        !self.changes.is_empty()
    }
}

pub fn checked_text(campaigns: &[CheckedCampaign]) -> String {
    let mut out = String::new();
    for checked in campaigns {
        let name = escape::text(&checked.campaign.to_string_lossy());
        let verdict = match checked.changes.len() {
            0 => paint(GOOD, "as before").to_string(),
            1 => paint(BAD, "1 case ends otherwise").to_string(),
            more => paint(BAD, format!("{more} cases end otherwise")).to_string(),
        };
        let _ = writeln!(
            out,
            "{}: {verdict} ({} cases)",
            paint(NAME, name),
            count(checked.cases)
        );
        for change in checked.changes.iter().take(SHOWN) {
            let at = match Frame::of_stack(&change.stack) {
                Some(frame) => format!(" at {}", place(&frame.file, frame.line, &frame.function)),
                None => String::new(),
            };
            let style = if change.fails { BAD } else { WARN };
            let _ = writeln!(
                out,
                "  run {}: {}{at}; it was {}",
                change.run,
                paint(style, escape::text(&change.now)),
                escape::text(&change.before)
            );
        }
        let more = checked.changes.len().saturating_sub(SHOWN);
        if more > 0 {
            let _ = writeln!(out, "  and {more} more");
        }
        for id in &checked.gone {
            let _ = writeln!(
                out,
                "  finding {id}: {}",
                paint(GOOD, "does not fail any more")
            );
        }
        for id in &checked.remaining {
            let _ = writeln!(out, "  finding {id}: {}", paint(WARN, "still fails"));
        }
        if checked.changed() || !checked.gone.is_empty() {
            let command = escape::text(&checked.explore);
            let _ = writeln!(out, "  {}", paint(DIM, format!("explore again: {command}")));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn changes_come_with_their_place() {
        let quiet = CheckedCampaign {
            campaign: "a.elsewise".into(),
            subject: "a.c".into(),
            cases: 1200,
            changes: Vec::new(),
            gone: Vec::new(),
            remaining: vec![2],
            explore: "elsewise explore a.c".into(),
        };
        let case = |now: &str, fails, stack| CheckedCase {
            run: 17,
            before: "exit code 0".into(),
            now: now.into(),
            fails,
            stack,
        };
        let frame = Frame {
            file: "b.c".into(),
            line: 7,
            column: 3,
            function: "insert".into(),
        };
        let loud = CheckedCampaign {
            campaign: "b\x1b[2J.elsewise".into(),
            changes: vec![
                case("segv: invalid read\x1b[31m", true, vec![frame]),
                case("exit code 3", false, Vec::new()),
            ],
            gone: vec![1],
            ..quiet.clone()
        };
        assert!(loud.changed() && !quiet.changed());
        samples::snapshot("checked", &checked_text(&[quiet, loud]));
    }

    #[test]
    fn kept_cases_pass_or_fail() {
        let passes = CheckedKept {
            case: "tests/elsewise/a-1".into(),
            subject: "a.c".into(),
            before: "segv".into(),
            now: "exit code 0".into(),
            fails: false,
            stack: Vec::new(),
        };
        let fails = CheckedKept {
            now: "segv: invalid\x1b[31m read".into(),
            fails: true,
            stack: vec![Frame {
                file: "a.c".into(),
                line: 7,
                column: 3,
                function: "insert".into(),
            }],
            ..passes.clone()
        };
        samples::snapshot("checked_kept", &kept_text(&[passes, fails]));
    }
}
