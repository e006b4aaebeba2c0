//! The language server, as editors speak with it.

use crate::session::{Framing, Session};
use crate::support::Place;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const LIST: &str = "\
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

/* The value at an index from 0 to 3; -1 if there is none. */
int list_at(const struct node *list, unsigned index)
{
    if (list == NULL || index > 3)
        return -1;
    if (index == 3 && index * 2 == 7)
        return -2;
    for (; index > 0; index--)
        list = list->next;
    return list->value;
}
";

/// A URI whose characters need no escape but for these.
fn uri(path: &Path) -> String {
    let bytes = path.as_os_str().as_bytes().iter();
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(byte);
    let text: String = bytes
        .map(|byte| match plain(byte) {
            true => char::from(*byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect();
    format!("file://{text}")
}

fn folder(place: &Place) -> PathBuf {
    fs::canonicalize(place.folder.path()).unwrap()
}

/// A server that knows its client.
fn open(place: &Place, root: &Path, options: Value) -> Session {
    let mut session = Session::start(place, &["lsp", "--stdio"], Framing::Headers);
    let yes = json!({ "refreshSupport": true });
    let params = json!({
        "processId": null,
        "rootUri": uri(root),
        "capabilities": {
            "window": { "workDoneProgress": true, "showDocument": { "support": true } },
            "workspace": { "codeLens": yes, "inlayHint": yes },
        },
        "initializationOptions": options,
    });
    session.ask(1, "initialize", params);
    session.tell("initialized", json!({}));
    session
}

fn did_open(session: &mut Session, file: &Path, text: &str) {
    let document = json!({ "uri": uri(file), "languageId": "c", "version": 1, "text": text });
    session.tell("textDocument/didOpen", json!({ "textDocument": document }));
}

fn did_change(session: &mut Session, file: &Path, text: &str) -> Value {
    let params = json!({
        "textDocument": { "uri": uri(file), "version": 2 },
        "contentChanges": [{ "text": text }],
    });
    session.tell("textDocument/didChange", params);
    session.wait_for("textDocument/publishDiagnostics")
}

fn run(session: &mut Session, id: u64, command: &str, argument: Value) -> Value {
    let params = json!({ "command": command, "arguments": [argument] });
    session.ask(id, "workspace/executeCommand", params)
}

fn bye(session: &mut Session) {
    session.ask(99, "shutdown", Value::Null);
    session.tell("exit", Value::Null);
    assert_eq!(session.end().code(), Some(0));
}

#[test]
fn a_function_is_explored_and_what_is_found_is_shown() {
    let place = Place::new();
    let root = folder(&place);
    let file = place.write("list.c", LIST);
    let file = fs::canonicalize(file).unwrap();
    let at = json!({ "textDocument": { "uri": uri(&file) } });
    let at_line = |line: u32| {
        let mut params = at.clone();
        params["position"] = json!({ "line": line, "character": 0 });
        params
    };
    let options = json!({ "budget": "60s", "arguments": ["--seed=1", "--max-objects=2"] });
    let mut session = open(&place, &root, options);
    did_open(&mut session, &file, LIST);
    session.ask(2, "textDocument/codeLens", at.clone());
    // Nothing runs until somebody asks for it.
    assert!(!root.join("list_at.elsewise").exists());
    let argument = json!({ "uri": uri(&file), "position": { "line": 14, "character": 4 } });
    run(&mut session, 3, "elsewise.explore", argument);
    session.wait_for("elsewise/explored");
    session.wait_for("textDocument/publishDiagnostics");
    session.wait_for("workspace/inlayHint/refresh");
    session.ask(4, "textDocument/codeLens", at.clone());
    session.ask(5, "textDocument/hover", at_line(16));
    session.ask(6, "textDocument/hover", at_line(12));
    session.ask(7, "elsewise/branches", at.clone());
    session.ask(8, "textDocument/inlayHint", at.clone());
    let mut params = at.clone();
    params["range"] =
        json!({ "start": { "line": 16, "character": 0 }, "end": { "line": 16, "character": 0 } });
    session.ask(9, "textDocument/codeAction", params);
    let finding = json!({ "campaign": uri(&root.join("list_at.elsewise")), "finding": 1 });
    let picture = session.ask(10, "elsewise/picture", finding.clone());
    let svg = picture["result"]["svg"].as_str().unwrap();
    assert!(svg.starts_with("<svg") && !svg.contains("<script"), "{svg}");
    let shown = svg.to_string();
    session.transcript = session
        .transcript
        .replace(Value::from(shown).to_string().as_str(), "\"[svg]\"");
    run(&mut session, 11, "elsewise.show", finding.clone());
    run(&mut session, 12, "elsewise.replayCommand", finding);
    let campaign = json!({ "campaign": uri(&root.join("list_at.elsewise")) });
    let exported = run(&mut session, 13, "elsewise.exportTest", campaign);
    let first = exported["result"]["files"][0].as_str().unwrap();
    assert!(
        Path::new(first.strip_prefix("file://").unwrap()).is_file(),
        "{first}"
    );
    session.ask(14, "elsewise/campaigns", Value::Null);
    // The finding moves with its line, and is stale without it.
    did_change(&mut session, &file, &format!("\n{LIST}"));
    did_change(
        &mut session,
        &file,
        &LIST.replace("return list->value", "return list ? list->value : -1"),
    );
    session.ask(15, "elsewise/branches", at.clone());
    // What was saved is no longer what was explored.
    fs::write(&file, LIST.replace("-2", "-3")).unwrap();
    session.tell("textDocument/didSave", at.clone());
    session.wait_for("workspace/inlayHint/refresh");
    let lenses = session.ask(16, "textDocument/codeLens", at);
    let title = lenses["result"][1]["command"]["title"].as_str().unwrap();
    assert!(
        title.ends_with("before the sources were changed"),
        "{title}"
    );
    bye(&mut session);
    let transcript = session
        .transcript
        .replace(env!("CARGO_PKG_VERSION"), "[version]");
    insta::assert_snapshot!(transcript);
}

#[test]
fn names_and_messages_are_text_wherever_they_show() {
    const HOSTILE: &str = "\
#include <assert.h>

int f(int a)
{
    assert(a != 7 && \"</pre><script>alert(1)</script>[x](command:y)\\033[31m%s\");
    return a;
}
";
    let place = Place::new();
    let root = folder(&place).join("100% <b>'&;$(id)?#");
    fs::create_dir_all(&root).unwrap();
    let file = root.join("<script>%41 ;`id`.c");
    fs::write(&file, HOSTILE).unwrap();
    let options = json!({ "arguments": ["--seed=1"], "messages": false });
    let mut session = open(&place, &root, options);
    did_open(&mut session, &file, HOSTILE);
    run(
        &mut session,
        2,
        "elsewise.explore",
        json!({ "uri": uri(&file), "name": "f" }),
    );
    session.wait_for("elsewise/explored");
    let published = session.wait_for("textDocument/publishDiagnostics");
    assert_eq!(published["params"]["uri"], uri(&file));
    let message = published["params"]["diagnostics"][0]["message"]
        .as_str()
        .unwrap();
    assert!(message.contains("<script>alert(1)</script>"), "{message}");
    let steers = |char: char| char.is_control() && char != '\n';
    assert!(!message.contains(steers), "{message:?}");
    let at =
        json!({ "textDocument": { "uri": uri(&file) }, "position": { "line": 4, "character": 0 } });
    let hover = session.ask(3, "textDocument/hover", at);
    let words = hover["result"]["contents"]["value"].as_str().unwrap();
    assert!(
        words.contains("\\<script\\>") && words.contains("\\[x\\]\\(command\\:y\\)"),
        "{words}"
    );
    let finding = json!({ "campaign": uri(&root.join("f.elsewise")), "finding": 1 });
    let replay = run(&mut session, 4, "elsewise.replayCommand", finding);
    assert_eq!(
        replay["result"]["command"],
        "elsewise replay f.elsewise/findings/1"
    );
    // A name that is no text is none that a command could be given.
    let odd = root.join(OsStr::from_bytes(b"\xff\xfe.c"));
    fs::write(&odd, HOSTILE).unwrap();
    did_open(&mut session, &odd, HOSTILE);
    let lenses = session.ask(
        5,
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": uri(&odd) } }),
    );
    assert_eq!(lenses["result"], json!([]));
    bye(&mut session);
    // To whoever has not made it, a campaign is somebody else's word.
    fs::remove_dir_all(place.path(".state")).unwrap();
    let mut session = open(&place, &root, json!({}));
    let told = session.wait_for("window/showMessage");
    let words = told["params"]["message"].as_str().unwrap();
    assert!(
        words.starts_with("f.elsewise was not made here by you"),
        "{words}"
    );
    let published = session.wait_for("textDocument/publishDiagnostics");
    assert_eq!(published["params"]["diagnostics"][0]["severity"], 2);
    bye(&mut session);
}

#[test]
fn what_is_no_message_is_answered_or_ends_the_server() {
    let place = Place::new();
    let root = folder(&place);
    let mut session = Session::start(&place, &["lsp"], Framing::Headers);
    session.ask(1, "textDocument/hover", json!({}));
    session.raw(b"Content-Length: 1\r\n\r\n{");
    session.wait("an answer", |message| message["id"] == Value::Null);
    for message in [
        json!([]),
        json!({}),
        json!({ "id": 2 }),
        json!("x"),
        json!({ "id": {}, "method": 7 }),
    ] {
        session.send(message);
        session.wait("an answer", |message| message["error"]["code"] == -32600);
    }
    session.ask(
        3,
        "initialize",
        json!({ "rootUri": uri(&root), "capabilities": 7, "workspaceFolders": "x" }),
    );
    session.ask(4, "initialize", json!({}));
    session.ask(5, "no/such\u{1b}[31m", json!({}));
    session.ask(6, "textDocument/hover", json!({ "textDocument": 7 }));
    session.ask(
        7,
        "textDocument/hover",
        json!({ "textDocument": { "uri": "file:///no/such.c" }, "position": -1 }),
    );
    session.ask(
        8,
        "elsewise/picture",
        json!({ "campaign": "file:///etc", "finding": 1 }),
    );
    run(
        &mut session,
        9,
        "elsewise.explore",
        json!({ "uri": "untitled:1" }),
    );
    run(&mut session, 10, "rm", json!({}));
    session.tell("textDocument/didChange", json!({ "contentChanges": [] }));
    session.tell("$/anything", json!([1]));
    session.ask(11, "elsewise/campaigns", json!({}));
    // Without a good-bye.
    assert_eq!(session.end().code(), Some(1));
    insta::assert_snapshot!(
        session
            .transcript
            .replace(env!("CARGO_PKG_VERSION"), "[version]")
    );
    for bytes in [
        &b"garbage\n"[..],
        b"Content-Length: 999999999999\r\n\r\n",
        b"Content-Length: 5\r\n\r\n{",
    ] {
        let mut session = Session::start(&place, &["lsp"], Framing::Headers);
        session.raw(bytes);
        assert_eq!(session.end().code(), Some(1));
    }
}

#[test]
fn settings_that_weaken_containment_are_asked_about() {
    let place = Place::new();
    let root = folder(&place);
    let file = root.join("a.c");
    place.write("a.c", "int f(int a) { return a > 0; }\n");
    place.write("elsewise.toml", "no-containment = true\n");
    let mut session = open(&place, &root, json!({}));
    run(
        &mut session,
        2,
        "elsewise.explore",
        json!({ "uri": uri(&file), "name": "f" }),
    );
    let asked = session.wait_for("window/showMessageRequest");
    let words = asked["params"]["message"].as_str().unwrap();
    assert!(words.contains("switch containment off"), "{words}");
    for answer in [Value::Null, json!({ "title": "Do not explore" })] {
        session.send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": answer }));
    }
    session.ask(3, "elsewise/campaigns", json!({}));
    assert!(!root.join("f.elsewise").exists());
    bye(&mut session);
}

#[test]
fn an_exploration_is_stopped() {
    let place = Place::new();
    let root = folder(&place);
    let text = "\
int many(const char *s)
{
    int n = 0;
    for (int i = 0; s && i < 8 && s[i]; i++)
        switch (s[i]) {
        case 'a': n += 1; break;
        case 'b': n += 2; break;
        case 'c': n += 3; break;
        case 'd': n += 4; break;
        }
    return n;
}
";
    let file = root.join("a.c");
    place.write("a.c", text);
    let mut session = open(
        &place,
        &root,
        json!({ "budget": "10m", "arguments": ["--jobs=1"] }),
    );
    let explore = json!({ "uri": uri(&file), "name": "many" });
    run(&mut session, 2, "elsewise.explore", explore.clone());
    let begun = session.wait_for("$/progress");
    let far = |message: &Value| message["params"]["value"]["kind"] == "report";
    session.wait("a report", far);
    let twice = run(&mut session, 3, "elsewise.explore", explore);
    assert_eq!(twice["error"]["message"], "it is being explored");
    session.tell(
        "window/workDoneProgress/cancel",
        json!({ "token": begun["params"]["token"] }),
    );
    let explored = session.wait_for("elsewise/explored");
    assert_eq!(explored["params"]["complete"], false);
    let words = explored["params"]["message"].as_str().unwrap();
    assert!(
        words.contains("not explored completely: stopped"),
        "{words}"
    );
    bye(&mut session);
}
