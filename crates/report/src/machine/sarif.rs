//! SARIF 2.1.0, which GitHub and editors show as marks in the source, with the choices of the run
//! as a code flow.
//!
//! The few objects that are needed are written directly: a crate with types for all of SARIF makes
//! them from its schema, with a build of several minutes, and would still not check the document.

use super::{FindingContext, Material, Passed, headline, uri};
use crate::{escape, hex, names};
use elsewise_campaign::{Finding, Frame};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Under which name a finding's fingerprint stands in a result.
pub const FINGERPRINT: &str = "elsewise/v1";
/// Choices of a code flow: the last ones before the failure. Services refuse what is much longer.
const CHOICES: usize = 500;

pub fn sarif(material: &Material<'_>) -> Result<String, serde_json::Error> {
    let mut kinds: Vec<&str> = material
        .findings
        .iter()
        .map(|told| told.finding.kind.as_str())
        .collect();
    kinds.sort();
    kinds.dedup();
    let rules: Vec<Value> = kinds
        .iter()
        .map(|kind| {
            json!({
                "id": rule(kind),
                "shortDescription": { "text": words(kind) },
                "defaultConfiguration": { "level": "error" },
            })
        })
        .collect();
    let results: Vec<Value> = material
        .findings
        .iter()
        .map(|told| result(told, &kinds))
        .collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Elsewise",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "invocations": [{ "executionSuccessful": true }],
            "automationDetails": { "id": format!("elsewise/{}", escape::text(&material.summary.subject)) },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&document).map(|text| text + "\n")
}

/// An identifier: kinds are ours, but a file may say anything.
fn rule(kind: &str) -> String {
    match kind.is_empty() {
        true => "failure".to_owned(),
        false => escape::text(kind),
    }
}

/// What a kind of failure is, in words.
fn words(kind: &str) -> String {
    let known = match kind {
        "assertion" => "An assertion failed",
        "abort" => "The program aborted",
        "segv" => "A memory access was refused (segmentation fault)",
        "bus" => "A memory access was refused (bus error)",
        "fpe" => "An arithmetic operation was refused, such as a division by zero",
        "hang" => "The program did not end in time",
        "memory" => "The program used more memory than it may",
        "leak" => "Memory was not freed",
        "undefined" => "Undefined behaviour",
        "heap-buffer-overflow" => "An access outside of a heap object",
        "stack-buffer-overflow" => "An access outside of a local variable",
        "global-buffer-overflow" => "An access outside of a variable",
        "use-after-free" => "An access to memory after it was freed",
        "double-free" => "Memory was freed twice",
        kind => return format!("The program failed: {}", escape::text(kind)),
    };
    known.to_owned()
}

fn result(told: &FindingContext<'_>, kinds: &[&str]) -> Value {
    let finding = told.finding;
    let mut result = json!({
        "ruleId": rule(&finding.kind),
        "ruleIndex": kinds.iter().position(|kind| *kind == finding.kind),
        "level": "error",
        "message": { "text": format!("{}\n\nReproduce: {}", headline(finding), told.reproduce) },
        "locations": [location(&finding.frame(), None)],
        "partialFingerprints": { (FINGERPRINT): fingerprint(finding) },
        "occurrenceCount": finding.runs.clamp(1, i64::MAX as u64),
        "properties": { "inputs": inputs(told), "reproduce": told.reproduce },
    });
    if let Some(call) = &told.call {
        result["properties"]["call"] = json!(call);
    }
    if let Some(race) = &finding.race {
        result["properties"]["race"] = json!(race);
        let fatal = crate::finding::fatal(finding).unwrap_or_default();
        let text = format!(
            "{}\n\nFatal: {fatal}\n\nReproduce: {}",
            headline(finding),
            told.reproduce
        );
        result["message"]["text"] = json!(text);
    }
    if !finding.stack.is_empty() {
        let frames: Vec<Value> = finding
            .stack
            .iter()
            .map(|frame| json!({ "location": location(frame, None) }))
            .collect();
        result["stacks"] = json!([{ "message": { "text": "Stack" }, "frames": frames }]);
    }
    if !told.path.is_empty() {
        result["codeFlows"] = json!([flow(told)]);
    }
    result
}

/// What stays the same when lines move: lines are left out.
pub fn fingerprint(finding: &Finding) -> String {
    let message = match finding.kind == "assertion" || finding.stack.is_empty() {
        true => finding.message.as_str(),
        false => "",
    };
    let parts = [&finding.kind, &finding.file, &finding.function, message];
    parts.map(escape::text).join("/")
}

fn inputs(told: &FindingContext<'_>) -> BTreeMap<String, String> {
    let inputs = told.case.iter().flat_map(|case| &case.inputs);
    inputs
        .map(|(name, bytes)| (name.clone(), hex::digits(bytes)))
        .collect()
}

/// The choices that led to the failure, and the failure.
fn flow(told: &FindingContext<'_>) -> Value {
    let skipped = told.path.len().saturating_sub(CHOICES);
    let shown = told.path.iter().skip(skipped);
    let mut locations: Vec<Value> = shown
        .enumerate()
        .map(|(index, Passed { at, way })| {
            json!({
                "location": location(at, Some(way)),
                "executionOrder": index + 1,
                "importance": "important",
            })
        })
        .collect();
    locations.push(json!({
        "location": location(&told.finding.frame(), Some(&headline(told.finding))),
        "executionOrder": locations.len() + 1,
        "importance": "essential",
    }));
    let text = match skipped {
        0 => "Choices of the run that found it".to_owned(),
        skipped => format!("Choices of the run that found it, without the first {skipped}"),
    };
    json!({
        "message": { "text": text },
        "threadFlows": [{ "locations": locations }],
    })
}

fn location(frame: &Frame, message: Option<&str>) -> Value {
    let mut location = Map::new();
    if !frame.file.is_empty() {
        let mut artifact = json!({ "uri": uri::reference(&frame.file) });
        if !frame.file.starts_with('/') {
            artifact["uriBaseId"] = json!("%SRCROOT%");
        }
        let mut physical = json!({ "artifactLocation": artifact });
        if frame.line > 0 {
            physical["region"] = json!({ "startLine": frame.line });
            if frame.column > 0 {
                physical["region"]["startColumn"] = json!(frame.column);
            }
        }
        location.insert("physicalLocation".into(), physical);
    }
    if !frame.function.is_empty() {
        let name = names::readable(&frame.function);
        let mut logical = json!({ "name": name, "kind": "function" });
        if name != frame.function {
            logical["decoratedName"] = json!(frame.function);
        }
        location.insert("logicalLocations".into(), json!([logical]));
    }
    if let Some(message) = message {
        location.insert("message".into(), json!({ "text": message }));
    }
    Value::Object(location)
}
