//! Findings as compilers write errors, which editors and CI services make into marks in the source.

use super::{FindingContext, headline};
use crate::{escape, names};
use std::fmt::Write;

/// `FILE:LINE:COLUMN: error: …` for each finding, with a note for each further frame of its stack. What has
/// no place is laid at the door of the subject.
pub fn problems(subject: &str, findings: &[FindingContext<'_>]) -> String {
    let mut out = String::new();
    for told in findings {
        let finding = told.finding;
        let file = match finding.file.as_str() {
            "" => subject,
            file => file,
        };
        let column = finding.frame().column.max(1);
        let _ = writeln!(
            out,
            "{}:{}:{column}: error: {} [{}]",
            escape::text(file),
            finding.line.max(1),
            escape::text(&headline(finding)),
            escape::text(&told.reproduce),
        );
        // Editors look for each file that is named: those of libraries have no path.
        let callers = finding.stack.iter().filter(|frame| !frame.is_library());
        for frame in callers.skip(1).filter(|frame| !frame.file.is_empty()) {
            let _ = writeln!(
                out,
                "{}:{}:{}: note: called from {}",
                escape::text(&frame.file),
                frame.line.max(1),
                frame.column.max(1),
                escape::text(&names::readable(&frame.function)),
            );
        }
    }
    out
}
