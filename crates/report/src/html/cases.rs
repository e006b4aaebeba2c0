//! The table of cases with what each adds.

use super::visible;
use crate::numbers::seconds;

/// Characters of an input that the table shows.
const INPUT: usize = 160;
/// Sides that are named before the rest is counted.
const NAMED: usize = 3;

/// A case that is worth a line.
pub struct CaseRow {
    pub run: u64,
    /// The run whose case it was made from.
    pub from: Option<u64>,
    /// What it gives the subject, in the subject's terms where they are known.
    pub inputs: String,
    pub result: String,
    /// It fails: the finding.
    pub finding: Option<u32>,
    /// Sides that it was the first to reach.
    pub adds: Vec<String>,
    /// When it was run, in the campaign's life.
    pub millis: u64,
}

/// A row as the page has it.
pub(super) struct CaseView {
    pub run: u64,
    pub from: String,
    pub inputs: String,
    pub result: String,
    pub finding: Option<u32>,
    pub number: usize,
    pub adds: String,
    pub all: String,
    pub millis: u64,
    pub time: String,
}

impl CaseView {
    pub fn new(row: &CaseRow) -> CaseView {
        let mut inputs = visible(&row.inputs);
        if let Some((at, _)) = inputs.char_indices().nth(INPUT) {
            inputs.truncate(at);
            inputs.push('…');
        }
        let named: Vec<String> = row.adds.iter().map(|side| visible(side)).collect();
        let mut adds = named[..named.len().min(NAMED)].join(", ");
        if named.len() > NAMED {
            adds.push_str(&format!(" and {} more", named.len() - NAMED));
        }
        CaseView {
            run: row.run,
            from: row.from.map_or("a seed".into(), |run| run.to_string()),
            inputs,
            result: visible(&row.result),
            finding: row.finding,
            number: named.len(),
            adds,
            all: named.join("\n"),
            millis: row.millis,
            time: seconds(row.millis as f64 / 1e3),
        }
    }
}
