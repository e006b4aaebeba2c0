//! The tools for coding agents, as agents call them.

use crate::session::{Framing, Session};
use crate::support::Place;
use serde_json::{Value, json};

const PARSE: &str = "\
#include <stdlib.h>

int parse(const unsigned char *s)
{
    if (s && s[0] == '<' && s[1] == 7)
        abort();
    return 0;
}
";

fn open(place: &Place) -> Session {
    let mut session = Session::start(place, &["mcp"], Framing::Lines);
    let client = json!({ "name": "test", "version": "1" });
    let params =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
    session.ask(1, "initialize", params);
    session.tell("notifications/initialized", json!({}));
    session
}

fn call(session: &mut Session, id: u64, tool: &str, given: Value) -> Value {
    let answer = session.ask(
        id,
        "tools/call",
        json!({ "name": tool, "arguments": given }),
    );
    answer["result"].clone()
}

fn words(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}

#[test]
fn an_agent_explores_and_looks_at_what_was_found() {
    let place = Place::new();
    place.write("parse.c", PARSE);
    let mut session = open(&place);
    let told = session.ask(2, "tools/list", json!({}));
    let names = told["result"]["tools"].as_array().unwrap().iter();
    let names: Vec<&str> = names.filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(
        names,
        [
            "explore",
            "campaigns",
            "findings",
            "show",
            "replay",
            "export"
        ]
    );
    let explore =
        json!({ "subject": ["parse.c::parse"], "flags": ["--seed=1"], "budget_seconds": 60 });
    let mut seen = String::new();
    let mut see = |name: &str, result: &Value| {
        assert_eq!(result["isError"], false, "{name}: {result}");
        seen.push_str(&format!("== {name}\n{}\n", words(result)));
    };
    let explored = call(&mut session, 3, "explore", explore);
    assert_eq!(
        explored["structuredContent"]["findings"][0]["kind"],
        "abort"
    );
    see("explore", &explored);
    see("campaigns", &call(&mut session, 4, "campaigns", json!({})));
    let campaign = json!({ "campaign": "parse.elsewise" });
    see(
        "findings",
        &call(&mut session, 5, "findings", campaign.clone()),
    );
    let finding = json!({ "campaign": "parse.elsewise", "finding": 1 });
    see("show", &call(&mut session, 6, "show", finding.clone()));
    let replayed = call(&mut session, 7, "replay", finding);
    assert_eq!(replayed["structuredContent"]["fails"], true);
    see("replay", &replayed);
    see("export", &call(&mut session, 8, "export", campaign));
    assert!(place.path("tests").is_dir());
    // What somebody else has made is shown, and not run.
    std::fs::remove_dir_all(place.path(".state")).unwrap();
    let finding = json!({ "campaign": "parse.elsewise", "finding": 1 });
    let strangers = call(&mut session, 9, "replay", finding.clone());
    assert_eq!(strangers["isError"], true, "{strangers}");
    assert!(
        words(&strangers).contains("was not made here by you"),
        "{strangers}"
    );
    let shown = call(&mut session, 10, "show", finding);
    assert!(
        words(&shown).contains("was not made here by you"),
        "{shown}"
    );
    assert_eq!(session.end().code(), Some(0));
    insta::assert_snapshot!(seen);
}

#[test]
fn an_agent_is_refused_what_a_person_would_have_to_say() {
    let place = Place::new();
    place.write("parse.c", PARSE);
    let mut session = open(&place);
    let mut refused = String::new();
    let mut id = 1;
    let mut refuse = |session: &mut Session, tool: &str, given: Value| {
        id += 1;
        let shown = given.to_string();
        let result = call(session, id, tool, given);
        assert_eq!(result["isError"], true, "{shown}: {result}");
        refused.push_str(&format!("{tool} {shown}\n  {}\n", words(&result)));
    };
    for flag in [
        "--no-containment",
        "--allow-write=/",
        "--trust",
        "--campaign=/tmp/x",
        "--config=x.toml",
        "-q",
        "--nothing",
    ] {
        refuse(
            &mut session,
            "explore",
            json!({ "subject": ["parse.c::parse"], "flags": [flag] }),
        );
    }
    let plugin = json!({ "subject": ["parse.c::parse"], "flags": ["--cflags=-fplugin=x.so"] });
    refuse(&mut session, "explore", plugin);
    for subject in ["/etc/passwd", "../parse.c", "--trust"] {
        refuse(&mut session, "explore", json!({ "subject": [subject] }));
    }
    refuse(
        &mut session,
        "show",
        json!({ "campaign": "../x.elsewise", "finding": 1 }),
    );
    refuse(
        &mut session,
        "export",
        json!({ "campaign": "x.elsewise", "folder": "/tmp" }),
    );
    refuse(&mut session, "sh", json!({ "command": "id" }));
    place.write("elsewise.toml", "allow-network = true\n");
    refuse(
        &mut session,
        "explore",
        json!({ "subject": ["parse.c::parse"] }),
    );
    // What is no message does not end the server.
    session.raw(b"{\n");
    refuse(
        &mut session,
        "findings",
        json!({ "campaign": "\u{1b}[31m<script>" }),
    );
    assert!(!place.path("parse.elsewise").exists());
    assert_eq!(session.end().code(), Some(0));
    insta::assert_snapshot!(refused);
}
