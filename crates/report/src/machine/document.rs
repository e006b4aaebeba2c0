//! A campaign as one JSON document, whose schema is part of the book.

use super::{Material, Passed, by_file};
use crate::hex;
use elsewise_campaign::Frame;
use serde_json::{Value, json};

/// Raised whenever a field changes its meaning or goes.
pub const SCHEMA: u32 = 1;

pub fn document(material: &Material<'_>) -> Result<String, serde_json::Error> {
    let mut findings = Vec::new();
    for told in &material.findings {
        let mut finding = serde_json::to_value(told.finding)?;
        let inputs = told.case.iter().flat_map(|case| &case.inputs);
        finding["inputs"] = inputs
            .map(|(name, bytes)| (name.clone(), Value::String(hex::digits(bytes))))
            .collect::<serde_json::Map<_, _>>()
            .into();
        if let Some(call) = &told.call {
            finding["call"] = json!(call);
        }
        finding["choices"] = told.path.iter().map(choice).collect();
        finding["reproduce"] = json!(told.reproduce);
        findings.push(finding);
    }
    let coverage: Vec<Value> = by_file(&material.places)
        .into_iter()
        .map(|(file, places)| {
            let places: Vec<Value> = places
                .iter()
                .map(|place| {
                    let sides: Vec<Value> = place
                        .sides
                        .iter()
                        .map(|side| json!({ "way": side.name, "reached": side.reached }))
                        .collect();
                    let Frame {
                        line,
                        column,
                        function,
                        ..
                    } = &place.at;
                    json!({
                        "line": line,
                        "column": column,
                        "function": function,
                        "sides": sides,
                    })
                })
                .collect();
            json!({ "file": file, "places": places })
        })
        .collect();
    let mut summary = serde_json::to_value(material.summary)?;
    // They stand beside the summary, with more to them.
    if let Some(summary) = summary.as_object_mut() {
        summary.remove("findings");
    }
    let document = json!({
        "schema": SCHEMA,
        "elsewise": env!("CARGO_PKG_VERSION"),
        "summary": summary,
        "findings": findings,
        "coverage": coverage,
    });
    serde_json::to_string_pretty(&document).map(|text| text + "\n")
}

fn choice(passed: &Passed) -> Value {
    let Frame {
        file,
        line,
        column,
        function,
    } = &passed.at;
    json!({
        "file": file,
        "line": line,
        "column": column,
        "function": function,
        "way": passed.way,
    })
}
