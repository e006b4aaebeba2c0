//! Work that takes longer than an editor waits for an answer: it is done in threads, which say what came of it.

use super::view::{self, Known, Stamp, View, state};
use super::wire::{self, Incoming};
use crate::Host;
use crate::commands::{Done, Running};
use elsewise_campaign::{STACK, Store};
use serde_json::Value;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

/// How often is looked how far an exploration is.
const LOOK: Duration = Duration::from_millis(400);

/// What the server is told.
pub enum Event {
    Came(io::Result<Option<Incoming>>),
    /// Campaigns that were read, and all that there are.
    Read(Vec<(PathBuf, Stamp, Result<View, String>)>, Vec<PathBuf>),
    /// The answer to a request.
    Answer(Value, Result<Value, (i64, String)>),
    /// What an exploration would be allowed that is not usual.
    Checked(Box<Wanted>, Result<Vec<String>, String>),
    Progress(u64, String),
    Ended(u64, io::Result<Done>),
    /// What `show` says.
    Shown(Value, Result<String, String>),
    /// Tests that were written.
    Exported(Value, Result<Vec<PathBuf>, String>),
}

/// An exploration that somebody has asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// As people call it.
    pub name: String,
    pub words: Vec<String>,
    /// Where it is explored.
    pub folder: PathBuf,
    pub campaign: PathBuf,
}

/// Reads messages until there are no more.
pub fn listen(mut input: impl BufRead + Send + 'static, events: Sender<Event>) {
    thread::spawn(move || {
        loop {
            let read = wire::read(&mut input);
            let last = !matches!(read, Ok(Some(_)));
            if events.send(Event::Came(read)).is_err() || last {
                break;
            }
        }
    });
}

/// Does something in a thread whose stack is that of the command.
pub fn aside(work: impl FnOnce() + Send + 'static) {
    let deep = thread::Builder::new().stack_size(STACK);
    // Without a thread, the answer is missing, which the editor survives.
    let _ = deep.spawn(work);
}

/// Reads the campaigns of these folders that are not as they were.
pub fn read(host: Host, folders: Vec<PathBuf>, known: Vec<Known>, events: Sender<Event>) {
    aside(move || {
        let mut all = Vec::new();
        let mut read = Vec::new();
        for (campaign, stamp) in folders.iter().flat_map(|folder| view::campaigns(folder)) {
            if !known.iter().any(|known| known.holds(&campaign, stamp)) {
                let view = view::read(&host, &campaign, &folders);
                read.push((campaign.clone(), stamp, view));
            }
            all.push(campaign);
        }
        let _ = events.send(Event::Read(read, all));
    });
}

/// Looks what an exploration would be allowed.
pub fn check(host: Host, wanted: Wanted, events: Sender<Event>) {
    aside(move || {
        let risks = (host.risks)(&wanted.folder, &wanted.words);
        let risks = risks.map_err(|problem| problem.to_string());
        let _ = events.send(Event::Checked(Box::new(wanted), risks));
    });
}

/// Explores, and says how far it is. `stop`: it is to end.
pub fn explore(
    program: &Path,
    id: u64,
    wanted: &Wanted,
    stop: Arc<AtomicBool>,
    events: Sender<Event>,
) -> io::Result<()> {
    let mut words = vec!["explore".to_string()];
    words.extend(wanted.words.iter().cloned());
    let mut running = Running::start(program, &words, &wanted.folder)?;
    let campaign = wanted.campaign.clone();
    thread::spawn(move || {
        let mut said = String::new();
        while !running.ended(LOOK) {
            if stop.load(Ordering::Relaxed) {
                running.stop();
            }
            let Some(now) = how_far(&campaign) else {
                continue;
            };
            if now != said {
                said.clone_from(&now);
                let _ = events.send(Event::Progress(id, now));
            }
        }
        let _ = events.send(Event::Ended(id, running.done()));
    });
    Ok(())
}

fn how_far(campaign: &Path) -> Option<String> {
    let store = Store::open_read(campaign).ok()?;
    let summary = store.summary().ok()??;
    let state = state(&summary);
    // While it is explored, that it is not complete goes without saying.
    let (_, state) = state.split_once(": ")?;
    Some(state.to_string())
}
