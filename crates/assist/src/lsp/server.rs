//! The server's state, and what becomes of each message.

use super::documents::{self, Documents, canonical, path_of};
use super::jobs::{self, Event, Wanted};
use super::marks;
use super::offers;
use super::settings::Settings;
use super::view::{self, Known, Stamp, View};
use super::wire::{
    self, INVALID_PARAMS, INVALID_REQUEST, Incoming, METHOD_NOT_FOUND, NOT_INITIALIZED,
    PARSE_ERROR, REQUEST_FAILED,
};
use crate::Host;
use crate::commands;
use elsewise_frontend::outline::Explorable;
use elsewise_report::escape_text;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

/// How long commands may take that run nothing.
const PATIENCE: Duration = Duration::from_secs(120);

pub(super) type Answer = Result<Value, (i64, String)>;

/// What is made of a request: an answer, or a promise of one.
enum Outcome {
    Now(Answer),
    Later,
}

/// An exploration at work.
pub(super) struct Job {
    pub(super) wanted: Wanted,
    pub(super) stop: Arc<AtomicBool>,
}

pub struct Server<W: Write> {
    pub(super) host: Host,
    output: W,
    pub(super) events: Sender<Event>,
    /// What the client can do, once it has said so.
    client: Option<Value>,
    shut_down: bool,
    pub(super) settings: Settings,
    roots: Vec<PathBuf>,
    pub(super) documents: Documents,
    views: BTreeMap<PathBuf, (Stamp, Result<View, String>)>,
    /// Campaigns are being read; they may have changed since that began.
    reading: bool,
    again: bool,
    pub(super) jobs: BTreeMap<u64, Job>,
    /// Questions that a person has not answered yet.
    pub(super) asked: BTreeMap<u64, (Wanted, Vec<String>)>,
    /// What a person has said yes to.
    pub(super) allowed: BTreeSet<Vec<String>>,
    pub(super) next: u64,
    /// Files that have diagnostics.
    published: BTreeSet<PathBuf>,
}

impl<W: Write> Server<W> {
    pub fn new(host: Host, output: W, events: Sender<Event>) -> Server<W> {
        Server {
            host,
            output,
            events,
            client: None,
            shut_down: false,
            settings: Settings::default(),
            roots: Vec::new(),
            documents: Documents::default(),
            views: BTreeMap::new(),
            reading: false,
            again: false,
            jobs: BTreeMap::new(),
            asked: BTreeMap::new(),
            allowed: BTreeSet::new(),
            next: 1,
            published: BTreeSet::new(),
        }
    }

    /// Serves until the client says that it is enough, or goes away; true if it has said so.
    pub fn serve(&mut self, events: &Receiver<Event>) -> io::Result<bool> {
        while let Ok(event) = events.recv() {
            match event {
                Event::Came(Ok(None)) => break,
                Event::Came(Err(error)) => {
                    self.end(events);
                    return Err(error);
                }
                Event::Came(Ok(Some(Incoming::Malformed(why)))) => {
                    let answer = Err((PARSE_ERROR, why));
                    self.send(&wire::reply(&Value::Null, answer))?;
                }
                Event::Came(Ok(Some(Incoming::Message(message)))) => {
                    if message["method"] == "exit" {
                        break;
                    }
                    self.message(message)?;
                }
                Event::Read(read, all) => self.take(read, &all)?,
                Event::Answer(id, answer) => self.send(&wire::reply(&id, answer))?,
                Event::Checked(wanted, risks) => self.checked(*wanted, risks)?,
                Event::Progress(job, words) => {
                    self.progress(job, json!({ "kind": "report", "message": words }))?
                }
                Event::Ended(job, done) => self.ended(job, done)?,
                Event::Shown(id, shown) => {
                    if let (Ok(words), true) = (&shown, self.settings.messages) {
                        self.tell(3, words)?;
                    }
                    let answer = shown.map(|words| json!({ "text": words }));
                    let answer = answer.map_err(|why| (REQUEST_FAILED, why));
                    self.send(&wire::reply(&id, answer))?;
                }
                Event::Exported(id, files) => self.exported(&id, files)?,
            }
        }
        self.end(events);
        Ok(self.shut_down)
    }

    pub(super) fn send(&mut self, message: &Value) -> io::Result<()> {
        wire::write(&mut self.output, message)
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) -> io::Result<()> {
        self.send(&wire::notification(method, params))
    }

    pub(super) fn ask(&mut self, method: &str, params: Value) -> io::Result<u64> {
        let id = self.next;
        self.next += 1;
        self.send(&wire::request(id, method, params))?;
        Ok(id)
    }

    /// Something that a person ought to know. 1 is an error, 2 a warning, 3 information.
    pub(super) fn tell(&mut self, kind: u8, words: &str) -> io::Result<()> {
        self.notify(
            "window/showMessage",
            json!({ "type": kind, "message": words }),
        )
    }

    fn message(&mut self, mut message: Value) -> io::Result<()> {
        let method = message["method"].as_str().map(str::to_string);
        let params = message.get_mut("params").map(Value::take);
        let params = params.unwrap_or_default();
        let id = message.get("id").cloned();
        match (method, id) {
            (Some(method), Some(id)) => match self.request(&method, &params, &id)? {
                Outcome::Now(answer) => self.send(&wire::reply(&id, answer)),
                Outcome::Later => Ok(()),
            },
            (Some(method), None) => self.notification(&method, &params),
            (None, Some(id))
                if message.get("result").is_some() || message.get("error").is_some() =>
            {
                self.answered(&id, &message["result"])
            }
            (None, id) => {
                let answer = Err((INVALID_REQUEST, "neither a request nor an answer".into()));
                self.send(&wire::reply(&id.unwrap_or(Value::Null), answer))
            }
        }
    }

    fn request(&mut self, method: &str, params: &Value, id: &Value) -> io::Result<Outcome> {
        if self.client.is_none() && method != "initialize" {
            let answer = Err((NOT_INITIALIZED, "`initialize` comes first".into()));
            return Ok(Outcome::Now(answer));
        }
        if self.shut_down {
            let answer = Err((
                INVALID_REQUEST,
                "nothing comes after `shutdown` but `exit`".into(),
            ));
            return Ok(Outcome::Now(answer));
        }
        let answer = match method {
            "initialize" => self.initialize(params),
            "shutdown" => {
                self.shut_down = true;
                for job in self.jobs.values() {
                    job.stop.store(true, Ordering::Relaxed);
                }
                Ok(Value::Null)
            }
            "textDocument/codeLens" => self.about(params, |server, file, text| {
                let all = server.explorables(file, text);
                let views = server.views();
                let (folder, uri) = (server.folder_of(file), server.documents.uri(file));
                Value::Array(offers::lenses(&all, &views, &folder, &uri, text))
            }),
            "textDocument/codeAction" => self.about(params, |server, file, text| {
                let first = params["range"]["start"]["line"].as_u64().unwrap_or(0) as usize;
                let last = params["range"]["end"]["line"].as_u64().unwrap_or(0) as usize;
                let all = server.explorables(file, text);
                let views = server.views();
                let placed = marks::findings(&views, file, text);
                let uri = server.documents.uri(file);
                Value::Array(offers::actions(&all, &placed, (first, last), &uri, text))
            }),
            "textDocument/hover" => self.about(params, |server, file, text| {
                let line = params["position"]["line"].as_u64().unwrap_or(0) as usize;
                let views = server.views();
                let placed = marks::findings(&views, file, text);
                let branches = marks::branches(&views, file, text);
                match marks::hover(&placed, &branches, line) {
                    None => Value::Null,
                    Some(words) => json!({ "contents": { "kind": "markdown", "value": words } }),
                }
            }),
            "textDocument/inlayHint" => self.about(params, |server, file, text| {
                let views = server.views();
                let branches = marks::branches(&views, file, text);
                Value::Array(marks::hints(&branches, text))
            }),
            "elsewise/branches" => self.about(params, |server, file, text| {
                let views = server.views();
                let campaigns = marks::about(&views, file);
                let campaigns = campaigns
                    .into_iter()
                    .map(|folder| documents::uri_of(folder));
                json!({
                    "lines": marks::lines_json(&marks::branches(&views, file, text)),
                    "campaigns": campaigns.collect::<Vec<_>>(),
                })
            }),
            "elsewise/picture" => return Ok(self.picture(params, id)),
            "elsewise/campaigns" => Ok(self.campaigns()),
            "workspace/executeCommand" => return self.command(params, id),
            _ => Err((
                METHOD_NOT_FOUND,
                format!("`{}` is not served", escape_text(method)),
            )),
        };
        Ok(Outcome::Now(answer))
    }

    fn initialize(&mut self, params: &Value) -> Answer {
        if self.client.is_some() {
            return Err((INVALID_REQUEST, "`initialize` comes once".into()));
        }
        let folders = params["workspaceFolders"].as_array().into_iter().flatten();
        let uris = folders.filter_map(|folder| folder["uri"].as_str());
        let mut uris: Vec<&str> = uris.collect();
        uris.extend(params["rootUri"].as_str().filter(|_| uris.is_empty()));
        let roots = uris.into_iter().filter_map(path_of);
        self.roots = roots
            .filter_map(|root| fs::canonicalize(root).ok())
            .collect();
        self.settings = Settings::default().with(&params["initializationOptions"]);
        self.client = Some(params["capabilities"].clone());
        Ok(json!({
            "serverInfo": { "name": "elsewise", "version": self.host.version },
            "capabilities": {
                "positionEncoding": "utf-16",
                "textDocumentSync": { "openClose": true, "change": 1, "save": true },
                "codeLensProvider": {},
                "codeActionProvider": true,
                "hoverProvider": true,
                "inlayHintProvider": self.settings.hints,
                "executeCommandProvider": { "commands": offers::COMMANDS },
                "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
            },
        }))
    }

    /// What the client can do, by the names of the protocol.
    pub(super) fn can(&self, names: &[&str]) -> bool {
        let client = self.client.as_ref();
        let found =
            client.and_then(|client| names.iter().try_fold(client, |at, name| at.get(name)));
        found.is_some_and(|yes| *yes == json!(true) || yes.is_object())
    }

    fn notification(&mut self, method: &str, params: &Value) -> io::Result<()> {
        if self.client.is_none() {
            return Ok(());
        }
        let uri = params["textDocument"]["uri"].as_str();
        let file = uri.and_then(path_of).map(canonical);
        match (method, uri, file) {
            ("initialized", ..) => self.refresh(),
            ("textDocument/didOpen", Some(uri), Some(file)) => {
                let text = params["textDocument"]["text"].as_str().unwrap_or_default();
                self.documents.set(file.clone(), uri.into(), text.into());
                self.refresh();
                self.publish_for(&file)?;
            }
            ("textDocument/didChange", Some(uri), Some(file)) => {
                let changes = params["contentChanges"].as_array();
                let last = changes.and_then(|changes| changes.last());
                if let Some(text) = last.and_then(|last| last["text"].as_str()) {
                    self.documents.set(file.clone(), uri.into(), text.into());
                    self.publish_for(&file)?;
                }
            }
            ("textDocument/didClose", _, Some(file)) => {
                self.documents.close(&file);
                self.publish_for(&file)?;
            }
            ("textDocument/didSave" | "workspace/didChangeWatchedFiles", ..) => self.refresh(),
            ("workspace/didChangeConfiguration", ..) => {
                self.settings = self.settings.clone().with(&params["settings"]);
            }
            ("workspace/didChangeWorkspaceFolders", ..) => {
                let changed = |which: &str| {
                    let folders = params["event"][which].as_array().into_iter().flatten();
                    let uris = folders.filter_map(|folder| folder["uri"].as_str());
                    let paths = uris.filter_map(path_of).map(canonical);
                    paths.collect::<Vec<_>>()
                };
                let removed = changed("removed");
                self.roots.retain(|root| !removed.contains(root));
                self.roots.extend(changed("added"));
                self.refresh();
            }
            ("window/workDoneProgress/cancel", ..) => {
                let token = params["token"].as_str().unwrap_or_default();
                let job = token
                    .strip_prefix("elsewise/")
                    .and_then(|id| id.parse().ok());
                if let Some(job) = job.and_then(|id: u64| self.jobs.get(&id)) {
                    job.stop.store(true, Ordering::Relaxed);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Answers a request about a document, or a file on the disk, with its text.
    fn about(&self, params: &Value, what: impl FnOnce(&Self, &Path, &str) -> Value) -> Answer {
        let uri = params["textDocument"]["uri"].as_str();
        let uri = uri.ok_or((INVALID_PARAMS, "`textDocument` has no `uri`".to_string()))?;
        let Some(file) = path_of(uri).map(canonical) else {
            return Ok(Value::Null);
        };
        match self.documents.text(&file) {
            Some(text) => Ok(what(self, &file, &text)),
            None => Ok(Value::Null),
        }
    }

    fn views(&self) -> Vec<&View> {
        let views = self.views.values();
        views.filter_map(|(_, view)| view.as_ref().ok()).collect()
    }

    pub(super) fn explorables(&self, file: &Path, text: &str) -> Vec<Explorable> {
        // A name that is no text is none that a command could be given.
        let Some(name) = file.to_str() else {
            return Vec::new();
        };
        let all = self.host.front_ends.iter();
        all.flat_map(|one| one.explorables(name, text)).collect()
    }

    /// The folder that a file is explored in: that of the workspace, or else its own.
    pub(super) fn folder_of(&self, file: &Path) -> PathBuf {
        let roots = self.roots.iter().filter(|root| file.starts_with(root));
        let nearest = roots.max_by_key(|root| root.components().count());
        let own = || file.parent().unwrap_or(Path::new("/")).to_path_buf();
        nearest.cloned().unwrap_or_else(own)
    }

    /// Folders whose campaigns are shown: those of the workspace, and those of files that lie outside of it.
    fn folders(&self) -> Vec<PathBuf> {
        let open = self.documents.files();
        let mut folders: Vec<PathBuf> = open.map(|file| self.folder_of(file)).collect();
        folders.extend(self.roots.iter().cloned());
        folders.sort();
        folders.dedup();
        folders
    }

    pub(super) fn refresh(&mut self) {
        if std::mem::replace(&mut self.reading, true) {
            self.again = true;
            return;
        }
        let known = self.views.iter();
        let known = known.map(|(folder, (stamp, view))| Known {
            campaign: folder.clone(),
            stamp: *stamp,
            since: view
                .as_ref()
                .map(|view| view.since.clone())
                .unwrap_or_default(),
        });
        jobs::read(
            self.host.clone(),
            self.folders(),
            known.collect(),
            self.events.clone(),
        );
    }

    /// Shows campaigns that were read.
    fn take(
        &mut self,
        read: Vec<(PathBuf, Stamp, Result<View, String>)>,
        all: &[PathBuf],
    ) -> io::Result<()> {
        self.reading = false;
        let before = self.views.len();
        self.views.retain(|folder, _| all.contains(folder));
        let changed = !read.is_empty() || before != self.views.len();
        for (folder, stamp, view) in read {
            let known = self.views.contains_key(&folder);
            let name = folder
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            match &view {
                Ok(view) if view.stranger && !known => {
                    let words = "was not made here by you, or was changed since: what it says is somebody else's word";
                    self.tell(2, &format!("{} {words}", view.name()))?;
                }
                Err(why) if !known => {
                    let words = format!("{}: {why}", escape_text(&name));
                    self.notify("window/logMessage", json!({ "type": 2, "message": words }))?;
                }
                _ => {}
            }
            self.views.insert(folder, (stamp, view));
        }
        if changed {
            self.publish()?;
        }
        if std::mem::take(&mut self.again) {
            self.refresh();
        }
        Ok(())
    }

    /// Sends the diagnostics of all files, and tells the client that other marks are new, too.
    fn publish(&mut self) -> io::Result<()> {
        let now: BTreeSet<PathBuf> = marks::files(&self.views()).map(Path::to_path_buf).collect();
        for file in now.union(&self.published.clone()) {
            self.publish_for(file)?;
        }
        self.notify("elsewise/changed", json!({}))?;
        if self.can(&["workspace", "codeLens", "refreshSupport"]) {
            self.ask("workspace/codeLens/refresh", Value::Null)?;
        }
        if self.settings.hints && self.can(&["workspace", "inlayHint", "refreshSupport"]) {
            self.ask("workspace/inlayHint/refresh", Value::Null)?;
        }
        Ok(())
    }

    fn publish_for(&mut self, file: &Path) -> io::Result<()> {
        let text = self.documents.text(file).unwrap_or_default();
        let diagnostics = marks::diagnostics(&self.views(), file, &text, &self.documents);
        let had = self.published.remove(file);
        if diagnostics.is_empty() && !had {
            return Ok(());
        }
        if !diagnostics.is_empty() {
            self.published.insert(file.to_path_buf());
        }
        let uri = self.documents.uri(file);
        let params = json!({ "uri": uri, "diagnostics": diagnostics });
        self.notify("textDocument/publishDiagnostics", params)
    }

    /// The campaign that a client means, which must be one of those that are shown.
    fn campaign(&self, said: &Value) -> Result<&View, (i64, String)> {
        let folder = said["campaign"].as_str().and_then(path_of);
        let view = folder.and_then(|folder| self.views.get(&folder));
        let none = || {
            (
                INVALID_PARAMS,
                "no such campaign in this workspace".to_string(),
            )
        };
        match view.ok_or_else(none)? {
            (_, Ok(view)) => Ok(view),
            (_, Err(why)) => Err((REQUEST_FAILED, why.clone())),
        }
    }

    fn campaigns(&self) -> Value {
        let all = self.views.iter();
        let all = all.map(|(folder, (_, view))| view::told(folder, view));
        Value::Array(all.collect())
    }

    fn finding(said: &Value) -> Result<u32, (i64, String)> {
        let number = said["finding"]
            .as_u64()
            .and_then(|id| u32::try_from(id).ok());
        number.ok_or((INVALID_PARAMS, "`finding` is no number of one".to_string()))
    }

    fn picture(&self, params: &Value, id: &Value) -> Outcome {
        let folder = match self.campaign(params) {
            Ok(view) => view.folder.clone(),
            Err(error) => return Outcome::Now(Err(error)),
        };
        let finding = match Self::finding(params) {
            Ok(finding) => finding,
            Err(error) => return Outcome::Now(Err(error)),
        };
        let (host, id, events) = (self.host.clone(), id.clone(), self.events.clone());
        jobs::aside(move || {
            let drawn = view::picture(&host, &folder, finding).map(|drawing| match drawing {
                None => Value::Null,
                Some(drawing) => json!({
                    "heading": drawing.heading,
                    "title": drawing.title,
                    "svg": drawing.svg,
                }),
            });
            let _ = events.send(Event::Answer(
                id,
                drawn.map_err(|why| (REQUEST_FAILED, why)),
            ));
        });
        Outcome::Later
    }

    fn command(&mut self, params: &Value, id: &Value) -> io::Result<Outcome> {
        let said = params["arguments"].get(0).cloned().unwrap_or(Value::Null);
        let answer = match params["command"].as_str().unwrap_or_default() {
            offers::EXPLORE => self.explore(&said),
            offers::STOP => {
                let name = said["campaign"].as_str().and_then(path_of);
                let jobs = self.jobs.values();
                let meant = jobs.filter(|job| {
                    name.as_ref()
                        .is_none_or(|name| *name == job.wanted.campaign)
                });
                let stopped = meant
                    .map(|job| job.stop.store(true, Ordering::Relaxed))
                    .count();
                Ok(json!({ "stopped": stopped }))
            }
            offers::EXPORT => match self.campaign(&said) {
                Err(error) => Err(error),
                Ok(view) => {
                    let (words, folder) = (offers::export_words(view, &said), view.base.clone());
                    let (program, id, events) =
                        (self.host.program.clone(), id.clone(), self.events.clone());
                    jobs::aside(move || {
                        let files = offers::export(&program, &words, &folder, PATIENCE);
                        let _ = events.send(Event::Exported(id, files));
                    });
                    return Ok(Outcome::Later);
                }
            },
            offers::REPLAY => match (self.campaign(&said), Self::finding(&said)) {
                (Ok(view), Ok(finding)) => {
                    let (command, folder) = (view.replay(finding), view.base.clone());
                    if self.settings.messages {
                        self.tell(3, &format!("In a terminal: {}", escape_text(&command)))?;
                    }
                    Ok(json!({ "command": command, "folder": documents::uri_of(&folder) }))
                }
                (Err(error), _) | (_, Err(error)) => Err(error),
            },
            offers::SHOW => match (self.campaign(&said), Self::finding(&said)) {
                (Ok(view), Ok(finding)) => {
                    let campaign = view.folder.to_string_lossy().into_owned();
                    let words = ["show", &finding.to_string(), "--campaign", &campaign];
                    let (words, folder) = (commands::words(&words), view.base.clone());
                    let (program, id, events) =
                        (self.host.program.clone(), id.clone(), self.events.clone());
                    jobs::aside(move || {
                        let shown = offers::said(&program, &words, &folder, PATIENCE);
                        let _ = events.send(Event::Shown(id, shown));
                    });
                    return Ok(Outcome::Later);
                }
                (Err(error), _) | (_, Err(error)) => Err(error),
            },
            other => Err((
                INVALID_PARAMS,
                format!("there is no command `{}`", escape_text(other)),
            )),
        };
        Ok(Outcome::Now(answer))
    }
}
