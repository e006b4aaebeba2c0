//! Explorations, from the command of a person to what came of it.

use super::documents::{self, canonical, path_of};
use super::jobs::{self, Event, Wanted};
use super::offers;
use super::server::{Answer, Job, Server};
use super::wire::{self, INVALID_PARAMS, REQUEST_FAILED};
use crate::commands::Done;
use elsewise_report::escape_text;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// What a person answers who wants to explore in spite of what was said.
const ANYWAY: &str = "Explore anyway";
/// How long explorations may take to end once the client is gone.
const GOOD_BYE: Duration = Duration::from_secs(5);

impl<W: Write> Server<W> {
    /// Begins what leads to an exploration: what it would be allowed is looked at first.
    pub(super) fn explore(&mut self, said: &Value) -> Answer {
        let file = said["uri"].as_str().and_then(path_of).map(canonical);
        let file = file.ok_or((INVALID_PARAMS, "`uri` names no file".to_string()))?;
        let text = self.documents.text(&file).unwrap_or_default();
        let all = self.explorables(&file, &text);
        let line = said["position"]["line"].as_u64().map(|line| line as usize);
        let meant = match (said["name"].as_str(), line) {
            (Some(name), _) => all.iter().find(|one| one.name == name),
            (None, Some(line)) => offers::under(&all, line, &text),
            (None, None) => None,
        };
        let meant = meant.ok_or((
            REQUEST_FAILED,
            "nothing that can be explored is there".to_string(),
        ))?;
        let folder = self.folder_of(&file);
        let name = file.strip_prefix(&folder).unwrap_or(&file).to_str();
        let subject = name.and_then(|name| meant.subject(name));
        let no_name = "no command can name a file that is called so".to_string();
        let subject = subject.ok_or((REQUEST_FAILED, no_name))?;
        let campaign = folder.join(format!("{}.elsewise", meant.stem));
        if self
            .jobs
            .values()
            .any(|job| job.wanted.campaign == campaign)
        {
            return Err((REQUEST_FAILED, "it is being explored".into()));
        }
        let wanted = Wanted {
            name: meant.name.clone(),
            words: self.settings.words(&subject),
            folder,
            campaign,
        };
        let started = json!({ "campaign": documents::uri_of(&wanted.campaign) });
        jobs::check(self.host.clone(), wanted, self.events.clone());
        Ok(started)
    }

    pub(super) fn checked(
        &mut self,
        wanted: Wanted,
        risks: Result<Vec<String>, String>,
    ) -> io::Result<()> {
        match risks {
            Err(why) => self.tell(1, &why),
            Ok(risks) if risks.is_empty() || self.allowed.contains(&risks) => self.start(wanted),
            Ok(risks) => {
                let shown: Vec<String> = risks.iter().map(|risk| escape_text(risk)).collect();
                let words = format!(
                    "Exploring {}: the settings {}. Did you mean that?",
                    escape_text(&wanted.name),
                    shown.join("; ")
                );
                let params = json!({
                    "type": 2,
                    "message": words,
                    "actions": [{ "title": ANYWAY }, { "title": "Do not explore" }],
                });
                let id = self.ask("window/showMessageRequest", params)?;
                self.asked.insert(id, (wanted, risks));
                Ok(())
            }
        }
    }

    pub(super) fn answered(&mut self, id: &Value, result: &Value) -> io::Result<()> {
        let asked = id.as_u64().and_then(|id| self.asked.remove(&id));
        match asked {
            Some((wanted, risks)) if result["title"] == ANYWAY => {
                self.allowed.insert(risks);
                self.start(wanted)
            }
            _ => Ok(()),
        }
    }

    fn start(&mut self, wanted: Wanted) -> io::Result<()> {
        let id = self.next;
        self.next += 1;
        let stop = Arc::new(AtomicBool::new(false));
        let started = jobs::explore(
            &self.host.program,
            id,
            &wanted,
            Arc::clone(&stop),
            self.events.clone(),
        );
        if let Err(error) = started {
            return self.tell(1, &format!("elsewise cannot be started: {error}"));
        }
        let title = format!("Exploring {}", escape_text(&wanted.name));
        self.jobs.insert(id, Job { wanted, stop });
        if self.can(&["window", "workDoneProgress"]) {
            let token = json!({ "token": format!("elsewise/{id}") });
            self.ask("window/workDoneProgress/create", token)?;
        }
        self.progress(
            id,
            json!({ "kind": "begin", "title": title, "cancellable": true }),
        )
    }

    pub(super) fn progress(&mut self, job: u64, value: Value) -> io::Result<()> {
        if !self.jobs.contains_key(&job) || !self.can(&["window", "workDoneProgress"]) {
            return Ok(());
        }
        let params = json!({ "token": format!("elsewise/{job}"), "value": value });
        self.notify("$/progress", params)
    }

    pub(super) fn ended(&mut self, job: u64, done: io::Result<Done>) -> io::Result<()> {
        let Some(wanted) = self.jobs.get(&job).map(|job| job.wanted.clone()) else {
            return Ok(());
        };
        let result = offers::result(&wanted.name, done);
        self.progress(job, json!({ "kind": "end", "message": result.words }))?;
        self.jobs.remove(&job);
        let mut params = result.json;
        params["campaign"] = json!(documents::uri_of(&wanted.campaign));
        params["message"] = json!(result.words);
        self.notify("elsewise/explored", params)?;
        if result.failed || self.settings.messages {
            self.tell(if result.failed { 1 } else { 3 }, &result.words)?;
        }
        self.refresh();
        Ok(())
    }

    pub(super) fn exported(
        &mut self,
        id: &Value,
        files: Result<Vec<PathBuf>, String>,
    ) -> io::Result<()> {
        let answer = match files {
            Ok(files) => {
                let uris: Vec<String> = files.iter().map(|file| documents::uri_of(file)).collect();
                if let (Some(first), true) = (uris.first(), self.can(&["window", "showDocument"])) {
                    self.ask(
                        "window/showDocument",
                        json!({ "uri": first, "takeFocus": false }),
                    )?;
                }
                Ok(json!({ "files": uris }))
            }
            Err(why) => Err((REQUEST_FAILED, why)),
        };
        self.send(&wire::reply(id, answer))
    }

    /// Lets explorations end that nobody waits for any more: those that are killed leave what is temporary behind.
    pub(super) fn end(&mut self, events: &Receiver<Event>) {
        for job in self.jobs.values() {
            job.stop.store(true, Ordering::Relaxed);
        }
        let end = Instant::now() + GOOD_BYE;
        while !self.jobs.is_empty() {
            match events.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(Event::Ended(job, _)) => drop(self.jobs.remove(&job)),
                Ok(_) => {}
                Err(_) => break,
            }
        }
    }
}
