//! `cargo measure charts conformance`: the W3C's tests of SCXML and those of SCION, as far as they are within
//! what is read, run on the reference that generated code is tested against.
//!
//! The tests come with a package of npm, at a fixed version; nothing of it is kept in this repository.

use crate::source;
use anyhow::{Context, Result, ensure};
use elsewise_statechart::model::{Capsule, EventId};
use elsewise_statechart_testing::reference::{Endless, Interpreter, Scripted};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const PACKAGE: &str = "@scion-scxml/test-framework";
const VERSION: &str = "2.0.16";
/// No test waits longer than this, in virtual time.
const LONGEST: i64 = 60_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Expected {
    initial_configuration: Vec<String>,
    #[serde(default)]
    events: Vec<Given>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Given {
    #[serde(default)]
    after: i64,
    event: Named,
    next_configuration: Vec<String>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
    data: Option<serde_json::Value>,
}

enum Verdict {
    Passed,
    Failed(String),
    /// Not within what is read, with the reason.
    LeftOut(String),
}

#[derive(Default)]
struct Tally {
    passed: usize,
    failed: Vec<String>,
    left_out: BTreeMap<String, usize>,
}

pub fn run() -> Result<()> {
    let folder = source::fetch_npm(PACKAGE, VERSION)?.join("test");
    let mut suites: BTreeMap<&str, Tally> = BTreeMap::new();
    for document in documents(&folder)? {
        let of_w3c = document.parent().is_some_and(|it| it.ends_with("w3c-ecma"));
        let tally = suites
            .entry(if of_w3c { "W3C" } else { "SCION" })
            .or_default();
        let name = document.strip_prefix(&folder).unwrap_or(&document);
        match one(&document).with_context(|| format!("{}", document.display()))? {
            Verdict::Passed => tally.passed += 1,
            Verdict::Failed(why) => tally.failed.push(format!("{}: {why}", name.display())),
            Verdict::LeftOut(why) => *tally.left_out.entry(why).or_default() += 1,
        }
    }
    let mut failures = 0;
    for (suite, tally) in &suites {
        let left_out: usize = tally.left_out.values().sum();
        println!(
            "{suite}: {} passed, {} failed, {left_out} left out",
            tally.passed,
            tally.failed.len()
        );
        for failure in &tally.failed {
            println!("  failed: {failure}");
        }
        for (reason, count) in &tally.left_out {
            println!("  left out: {count:3}  {reason}");
        }
        failures += tally.failed.len();
    }
    ensure!(failures == 0, "{failures} tests failed");
    Ok(())
}

/// All documents that have what is expected of them beside.
fn documents(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let suites =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for suite in suites {
        let suite = suite?.path();
        if !suite.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&suite)? {
            let path = entry?.path();
            if path.extension().is_some_and(|it| it == "scxml")
                && path.with_extension("json").is_file()
            {
                found.push(path);
            }
        }
    }
    ensure!(!found.is_empty(), "no tests in {}", folder.display());
    found.sort();
    Ok(found)
}

fn one(document: &Path) -> Result<Verdict> {
    let text = fs::read(document)?;
    let text = String::from_utf8_lossy(&text);
    let reading = match elsewise_statechart::read_text(&document.to_string_lossy(), &text) {
        Ok(reading) => reading,
        Err(refusal) => {
            let reason = refusal.errors().next().map_or("?", |error| error.reason);
            return Ok(Verdict::LeftOut(reason.to_owned()));
        }
    };
    let mut expected: Expected =
        serde_json::from_slice(&fs::read(document.with_extension("json"))?)?;
    // The W3C says itself when its tests have passed: at rest in a state of that name.
    if document.parent().is_some_and(|it| it.ends_with("w3c-ecma")) {
        expected.initial_configuration = vec!["pass".to_owned()];
        expected.events.clear();
    }
    let capsule = &reading.model.capsules[0];
    if !capsule.sends.is_empty() {
        return Ok(Verdict::LeftOut("sends to others".to_owned()));
    }
    let Some(mut machine) = Interpreter::new(capsule, reading.model.semantics) else {
        return Ok(Verdict::LeftOut("no state machine".to_owned()));
    };
    let mut host = Scripted::new(&capsule.attributes);
    host.error = capsule.event_named(None, "error.execution");
    match follow(capsule, &mut machine, &mut host, &expected) {
        Ok(None) => Ok(Verdict::Passed),
        Ok(Some(why)) => Ok(Verdict::Failed(match host.unknown.first() {
            Some(unknown) => format!("{why} (first failure: {unknown})"),
            None => why,
        })),
        Err(Endless) => Ok(Verdict::Failed("it never comes to rest".to_owned())),
    }
}

/// Runs a test; what differs from what is expected, if anything does.
fn follow(
    capsule: &Capsule,
    machine: &mut Interpreter,
    host: &mut Scripted,
    expected: &Expected,
) -> Result<Option<String>, Endless> {
    machine.start(host)?;
    if expected.events.is_empty() {
        machine.pass(LONGEST, host)?;
    }
    if let Some(difference) = differs(capsule, machine, &expected.initial_configuration) {
        return Ok(Some(difference));
    }
    for given in &expected.events {
        machine.pass(given.after, host)?;
        if let Some(serde_json::Value::Object(data)) = &given.event.data {
            for (name, value) in data {
                let number = value.as_i64().unwrap_or_default();
                host.variables.insert(format!("_event.data.{name}"), number);
            }
        }
        if let Some(event) = known(capsule, &given.event.name) {
            machine.give(event, host)?;
        }
        if let Some(difference) = differs(capsule, machine, &given.next_configuration) {
            return Ok(Some(format!("after {}: {difference}", given.event.name)));
        }
    }
    Ok(None)
}

/// The event of a name, or the longest that begins it: what nobody names in full is matched by that.
fn known(capsule: &Capsule, name: &str) -> Option<EventId> {
    let mut name = name;
    loop {
        if let Some(event) = capsule.event_named(None, name) {
            return Some(event);
        }
        name = name.rsplit_once('.')?.0;
    }
}

fn differs(capsule: &Capsule, machine: &Interpreter, expected: &[String]) -> Option<String> {
    let active = capsule.machine.as_ref()?.vertex(machine.active());
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    (expected != [active.id.as_str()])
        .then(|| format!("expected {}, it is in {}", expected.join(", "), active.name))
}
