//! Issues as Code Climate has them, in the part that GitLab reads: it shows in a merge request those that the
//! target branch does not have, by their fingerprints.

use super::{Material, fingerprint, headline};
use crate::escape;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub fn code_quality(material: &Material<'_>) -> Result<String, serde_json::Error> {
    // Of issues with the same fingerprint only the first is shown, so that further ones have a number.
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let issues = material.findings.iter().map(|told| {
        let finding = told.finding;
        // An issue must have a place. What has none is laid at the door of the subject.
        let file = match finding.file.as_str() {
            "" => material.summary.subject.as_str(),
            file => file,
        };
        let mut print = fingerprint(finding);
        let count = seen.entry(print.clone()).or_default();
        *count += 1;
        if *count > 1 {
            print = format!("{print}/{count}");
        }
        json!({
            "type": "issue",
            "check_name": format!("elsewise/{}", escape::text(&finding.kind)),
            "description": escape::text(&format!("{} [{}]", headline(finding), told.reproduce)),
            "categories": ["Bug Risk"],
            "severity": "critical",
            "fingerprint": print,
            "location": {
                "path": file.strip_prefix("./").unwrap_or(file),
                "lines": { "begin": finding.line.max(1) },
            },
        })
    });
    let issues: Vec<Value> = issues.collect();
    serde_json::to_string_pretty(&issues).map(|text| text + "\n")
}
