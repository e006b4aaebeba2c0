//! What can be done at a place, as lenses and actions of an editor, and what is said of what was done.

use super::documents::{line_of, position, uri_of};
use super::marks::Placed;
use super::view::View;
use crate::commands::{self, Done};
use elsewise_frontend::outline::Explorable;
use elsewise_report::escape_text;
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub const EXPLORE: &str = "elsewise.explore";
pub const STOP: &str = "elsewise.stop";
pub const EXPORT: &str = "elsewise.exportTest";
pub const REPLAY: &str = "elsewise.replayCommand";
pub const SHOW: &str = "elsewise.show";

/// What `workspace/executeCommand` serves.
pub const COMMANDS: [&str; 5] = [EXPLORE, STOP, EXPORT, REPLAY, SHOW];

/// What can be explored at a line; the innermost, if one lies in another.
pub fn under<'a>(all: &'a [Explorable], line: usize, text: &str) -> Option<&'a Explorable> {
    let around = all
        .iter()
        .filter(|one| (line_of(text, one.start)..=line_of(text, one.end)).contains(&line));
    around.min_by_key(|one| one.end - one.start)
}

/// Above each function: explore it, and how its campaign stands.
pub fn lenses(
    all: &[Explorable],
    views: &[&View],
    folder: &Path,
    uri: &str,
    text: &str,
) -> Vec<Value> {
    let mut lenses = Vec::new();
    for one in all {
        let start = position(text, one.start);
        let end = position(text, one.start + one.name.len().min(text.len() - one.start));
        let range =
            json!({ "start": start, "end": if one.word.is_some() { end } else { start.clone() } });
        lenses.push(json!({
            "range": range,
            "command": {
                "title": format!("Explore {}", escape_text(&one.name)),
                "command": EXPLORE,
                "arguments": [{ "uri": uri, "name": one.name }],
            },
        }));
        let campaign = folder.join(format!("{}.elsewise", one.stem));
        let Some(view) = views.iter().find(|view| view.folder == campaign) else {
            continue;
        };
        let changed = if view.outdated {
            ", before the sources were changed"
        } else {
            ""
        };
        let stranger = if view.stranger {
            ", by somebody else"
        } else {
            ""
        };
        let mut command =
            json!({ "title": format!("{}{changed}{stranger}", view.state), "command": "" });
        if let Some(first) = view.findings.first() {
            command["command"] = json!(SHOW);
            command["arguments"] =
                json!([{ "campaign": uri_of(&view.folder), "finding": first.id }]);
        }
        lenses.push(json!({ "range": range, "command": command }));
    }
    lenses
}

/// At these lines: explore the function, and what can be done with findings.
pub fn actions(
    all: &[Explorable],
    placed: &[Placed],
    (first, last): (usize, usize),
    uri: &str,
    text: &str,
) -> Vec<Value> {
    let action = |title: String, command: &str, argument: Value| {
        json!({
            "title": title,
            "kind": "source.elsewise",
            "command": { "title": title, "command": command, "arguments": [argument] },
        })
    };
    let mut actions = Vec::new();
    if let Some(one) = under(all, first, text) {
        let argument = json!({ "uri": uri, "name": one.name });
        actions.push(action(
            format!("Explore {}", escape_text(&one.name)),
            EXPLORE,
            argument,
        ));
    }
    let here = placed
        .iter()
        .filter(|one| (first..=last).contains(&one.line));
    for one in here {
        let campaign = uri_of(&one.view.folder);
        let id = one.mark.id;
        let finding = json!({ "campaign": campaign, "finding": id });
        let kind = &one.mark.kind;
        actions.push(action(
            format!("Show finding {id} ({kind})"),
            SHOW,
            finding.clone(),
        ));
        actions.push(action(
            format!("Replay finding {id} in a terminal"),
            REPLAY,
            finding,
        ));
        if one.view.tests.is_some() {
            let title = format!("Export the cases of {} as tests", one.view.name());
            actions.push(action(title, EXPORT, json!({ "campaign": campaign })));
        }
    }
    actions.dedup();
    actions
}

/// The words of an `export`, in the folder of the campaign.
pub fn export_words(view: &View, said: &Value) -> Vec<String> {
    let folder = said["folder"].as_str().or(view.tests).unwrap_or("tests");
    let mut words = vec!["export".to_string(), format!("--out={folder}")];
    if let Some(framework) = said["framework"].as_str() {
        words.push(format!("--as={framework}"));
    }
    words.push("--".into());
    words.push(view.folder.to_string_lossy().into_owned());
    words
}

/// Writes tests: which files, or why not.
pub fn export(
    program: &Path,
    words: &[String],
    folder: &Path,
    most: Duration,
) -> Result<Vec<PathBuf>, String> {
    let written = said(program, words, folder, most)?;
    Ok(written.lines().map(|line| folder.join(line)).collect())
}

/// What a command says that runs nothing, or why it says nothing.
pub fn said(
    program: &Path,
    words: &[String],
    folder: &Path,
    most: Duration,
) -> Result<String, String> {
    let done = commands::run(program, words, folder, most).map_err(|error| error.to_string())?;
    match done.code {
        Some(0) => Ok(done.stdout),
        _ => Err(done.complaint()),
    }
}

/// What came of an exploration.
pub struct Ended {
    pub failed: bool,
    pub words: String,
    pub json: Value,
}

pub fn result(name: &str, done: io::Result<Done>) -> Ended {
    let name = escape_text(name);
    let failed = |why: &str| Ended {
        failed: true,
        words: format!("{name}: {why}"),
        json: json!({ "failed": true }),
    };
    let done = match done {
        Ok(done) => done,
        Err(error) => return failed(&error.to_string()),
    };
    let Ok(summary) = serde_json::from_str::<Value>(&done.stdout) else {
        return failed(&done.complaint());
    };
    let count = |value: &Value| value.as_array().map_or(0, Vec::len);
    let findings = match count(&summary["findings"]) {
        0 => "no findings".to_string(),
        1 => "1 finding".to_string(),
        more => format!("{more} findings"),
    };
    let complete = summary["complete"] == json!(true);
    let how = match (complete, summary["ended"].as_str()) {
        (true, _) => "explored completely",
        (_, Some("budget")) => "not explored completely: the budget ended",
        (_, Some("stopped")) => "not explored completely: stopped",
        _ => "not explored completely",
    };
    let sides = &summary["branch_sides"];
    // What a user ought to know beside the result, such as containment that the system does not have.
    let beside = match done.stderr.trim() {
        "" => String::new(),
        beside => format!("\n{beside}"),
    };
    Ended {
        failed: false,
        words: format!(
            "{name}: {findings}, {how} ({} runs, {} of {} branch sides){beside}",
            summary["runs"], sides["reached"], sides["total"]
        ),
        json: json!({
            "failed": false,
            "exit": done.code,
            "findings": count(&summary["findings"]),
            "complete": complete,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_of_it_is_said_as_it_is() {
        let done = |stdout: &str, stderr: &str| {
            let done = Done {
                code: Some(0),
                stdout: stdout.into(),
                stderr: stderr.into(),
            };
            result("f", Ok(done)).words
        };
        let summary = |complete: bool, ended: &str| {
            format!(
                r#"{{"findings":[{{}}],"complete":{complete},"ended":"{ended}","runs":7,"branch_sides":{{"reached":1,"total":2}}}}"#
            )
        };
        let rest = "(7 runs, 1 of 2 branch sides)";
        assert_eq!(
            done(&summary(true, "complete"), ""),
            format!("f: 1 finding, explored completely {rest}")
        );
        assert_eq!(
            done(&summary(false, "budget"), "warning: x\n"),
            format!("f: 1 finding, not explored completely: the budget ended {rest}\nwarning: x")
        );
        assert_eq!(done("", "error: no such file\n"), "f: error: no such file");
        assert!(done("{", "").contains("said nothing"));
    }
}
