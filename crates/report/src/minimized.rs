//! What came of making a finding's input smaller.

use crate::numbers::{self, count, plural};
use crate::style::{GOOD, NAME, WARN, paint};
use crate::{escape, hex, replay_command};
use elsewise_explore::Case;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// Inputs that are shown.
const SHOWN: usize = 8;

/// A finding's input before and after.
#[derive(Serialize)]
pub struct MinimizedView<'a> {
    pub schema: u32,
    pub campaign: &'a Path,
    pub finding: u32,
    /// Bytes of all inputs that could be made smaller.
    pub before: usize,
    pub after: usize,
    /// It has fewer or plainer bytes than it had.
    pub changed: bool,
    pub runs: u64,
    /// No more runs would have made it smaller.
    pub finished: bool,
    #[serde(skip)]
    pub case: &'a Case,
    #[serde(skip)]
    pub folder: &'a Path,
}

impl MinimizedView<'_> {
    pub fn text(&self) -> String {
        let size = |bytes: usize| numbers::bytes(bytes as u64);
        let what = match (self.after < self.before, self.changed) {
            (true, _) => {
                let words = format!("{} instead of {}", size(self.after), size(self.before));
                paint(GOOD, words)
            }
            (false, true) => paint(GOOD, format!("{}, with plainer bytes", size(self.after))),
            (false, false) => format!("{}, as small as before", size(self.after)),
        };
        let mut out = format!(
            "finding {}: {what} ({})\n",
            self.finding,
            plural(self.runs, "run", "runs")
        );
        let inputs: Vec<_> = self
            .case
            .inputs
            .iter()
            .filter(|(_, bytes)| !bytes.is_empty())
            .collect();
        for (name, bytes) in inputs.iter().take(SHOWN) {
            let _ = writeln!(out, "  {}: {}", escape::text(name), hex::short(bytes));
        }
        if inputs.len() > SHOWN {
            let more = count((inputs.len() - SHOWN) as u64);
            let _ = writeln!(out, "  and {more} more inputs");
        }
        if !self.finished {
            let words = "the budget ended before all was tried: give more with --budget";
            let _ = writeln!(out, "  {}", paint(WARN, words));
        }
        let replay = replay_command(&self.folder.to_string_lossy(), "");
        let _ = writeln!(out, "  {}", paint(NAME, replay));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn before_and_after() {
        let (_, case) = samples::finding();
        let view = |before, changed, finished| MinimizedView {
            schema: 1,
            campaign: Path::new("bst.elsewise"),
            finding: 1,
            before,
            after: 16,
            changed,
            runs: 1234,
            finished,
            case: &case,
            folder: Path::new("bst.elsewise/findings/1"),
        };
        let all = [
            view(40, true, true),
            view(16, true, false),
            view(16, false, true),
        ];
        let text: String = all.iter().map(MinimizedView::text).collect();
        samples::snapshot("minimized", &text);
    }
}
