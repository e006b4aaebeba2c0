//! Somebody who takes part: takes a portion, explores it, leaves parts of it to others, says what came of it.

use crate::ClusterError;
use crate::names::{Key, Kind, Task};
use crate::pack::{self, About};
use crate::place::{Cluster, Lease, Store};
use elsewise_campaign::{
    Ended, Finding, Options, Others, Portion, Progress, Subsume, Summary, explore_portion,
};
use elsewise_explore::Subject;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long it is waited for a task before it is looked whether there will be any.
const WAIT: Duration = Duration::from_millis(300);
/// Who was not heard so often has lost the task.
const UNHEARD: u32 = 3;
/// A portion's campaign is copied when it has gone on for so long, and then whenever it has grown by a part.
const COPY: Duration = Duration::from_millis(500);
const PART: u32 = 10;
/// Who has given something away has something of its own to do first.
const BETWEEN: Duration = Duration::from_millis(20);
/// Tasks of which nothing was heard for so long are put in again, in case the queue has lost them.
const LOST: Duration = Duration::from_secs(60);

/// What has become of a member's part in a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// Everything has been explored, by whomever.
    Done,
    /// There was no more time.
    Budget,
}

/// What members explore.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreed {
    /// Of Elsewise.
    pub version: String,
    /// Of the subject.
    pub build: String,
    pub options: String,
    /// The words by which it was begun.
    pub command: Vec<String>,
}

impl Agreed {
    /// Of a campaign that somebody has begun.
    pub fn of(store: &dyn Store) -> Result<Option<Agreed>, ClusterError> {
        let key = Key::new(Kind::Campaign, &Task::root());
        let said = store.get(&key)?;
        said.map(|said| read(&key, &said)).transpose()
    }

    /// Others may have asked for the same in other words.
    fn accepts(&self, ours: &Agreed) -> Result<(), ClusterError> {
        let other = match () {
            () if self.version != ours.version => "another version of Elsewise",
            () if self.build != ours.build => "another build of the subject",
            () if self.options != ours.options => "other options",
            () => return Ok(()),
        };
        Err(ClusterError::OtherCampaign(other))
    }
}

/// See the module's comment.
pub struct Member<'a> {
    cluster: Cluster,
    options: &'a Options,
    stop: &'a AtomicBool,
    /// Has the campaigns of portions.
    folder: TempDir,
    started: Instant,
    /// Tasks that are known not to be over.
    pending: Vec<Task>,
    /// Since when these are.
    unchanged: Instant,
    done: Done,
}

/// What a member has done before the portion that it is at.
#[derive(Clone, Default)]
struct Done {
    portions: u64,
    runs: u64,
    paths: u64,
    findings: Vec<Finding>,
}

impl Done {
    /// Adds failures that were not found before.
    fn find(&mut self, more: &[Finding]) {
        for finding in more {
            let same = |known: &Finding| {
                (&known.kind, &known.file, known.line)
                    == (&finding.kind, &finding.file, finding.line)
            };
            if !self.findings.iter().any(same) {
                let id = self.findings.len() as u32 + 1;
                self.findings.push(Finding {
                    id,
                    ..finding.clone()
                });
            }
        }
    }

    fn with(&self, progress: &Progress, elapsed: Duration) -> Progress {
        let mut all = self.clone();
        all.find(&progress.findings);
        Progress {
            runs: self.runs + progress.runs,
            paths: self.paths + progress.paths,
            findings: all.findings,
            elapsed,
            resumed: false,
            ..progress.clone()
        }
    }
}

impl<'a> Member<'a> {
    /// Takes part in the campaign of these options, which is begun if nobody has.
    pub fn join(
        cluster: &Cluster,
        options: &'a Options,
        build: &str,
        command: &[String],
        stop: &'a AtomicBool,
    ) -> Result<Member<'a>, ClusterError> {
        let root = Task::root();
        let key = Key::new(Kind::Campaign, &root);
        let ours = Agreed {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: build.to_owned(),
            options: options.of_portion(Portion::whole()).identity(),
            command: command.to_owned(),
        };
        let said = serde_json::to_vec(&ours).unwrap_or_default();
        if !cluster.store.put_new(&key, &said)?
            && let Some(agreed) = Agreed::of(cluster.store.as_ref())?
        {
            agreed.accepts(&ours)?;
        }
        cluster.queue.put(&root)?;
        let folder = tempfile::tempdir();
        Ok(Member {
            cluster: cluster.clone(),
            options,
            stop,
            folder: folder.map_err(ClusterError::io("make", Path::new("a folder")))?,
            started: Instant::now(),
            pending: vec![root],
            unchanged: Instant::now(),
            done: Done::default(),
        })
    }

    /// Explores for as long as there is something to explore, here or elsewhere.
    pub fn explore(
        &mut self,
        subjects: &mut [Box<dyn Subject>],
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<Joined, ClusterError> {
        loop {
            if self.is_over() {
                return Ok(Joined::Budget);
            }
            match self.cluster.queue.take(WAIT)? {
                Some(lease) => self.one(lease.as_ref(), subjects, watch)?,
                None if self.all_done()? => return Ok(Joined::Done),
                None => {}
            }
        }
    }

    /// Portions that this member has explored.
    pub fn portions(&self) -> u64 {
        self.done.portions
    }

    /// Runs that have been made in them.
    pub fn runs(&self) -> u64 {
        self.done.runs
    }

    fn is_over(&self) -> bool {
        self.stop.load(Relaxed) || self.left().is_some_and(|left| left.is_zero())
    }

    /// Time that is left.
    fn left(&self) -> Option<Duration> {
        let time = self.options.budget.time?;
        Some(time.saturating_sub(self.started.elapsed()))
    }

    /// Is every portion over that there is? Those of which nothing was heard for long are put in again.
    fn all_done(&mut self) -> Result<bool, ClusterError> {
        let mut pending = Vec::new();
        let mut open = std::mem::take(&mut self.pending);
        let mut changed = false;
        while let Some(task) = open.pop() {
            match self.cluster.store.get(&Key::new(Kind::Done, &task))? {
                None => pending.push(task),
                Some(said) => {
                    changed = true;
                    let about = read(&Key::new(Kind::Done, &task), &said)?;
                    open.extend(children(self.cluster.store.as_ref(), &task, about)?);
                }
            }
        }
        self.pending = pending;
        if changed {
            self.unchanged = Instant::now();
        }
        if self.unchanged.elapsed() > LOST {
            self.unchanged = Instant::now();
            for task in &self.pending {
                self.cluster.queue.put(task)?;
            }
        }
        Ok(self.pending.is_empty())
    }

    fn one(
        &mut self,
        lease: &dyn Lease,
        subjects: &mut [Box<dyn Subject>],
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<(), ClusterError> {
        let store = self.cluster.store.clone();
        let copy = Key::new(Kind::Copy, lease.task());
        if store.has(&Key::new(Kind::Part, lease.task()))? {
            self.over(lease.task())?;
            return lease.done();
        }
        let gone_on = store.has(&copy)?;
        let dir = self.folder.path().join(lease.task().as_str());
        match self.attempt(lease, subjects, watch) {
            Err(ClusterError::Campaign(error)) if gone_on && error.is_of(&dir) => {
                // The copy is damaged: the portion is begun anew.
                store.forget(&copy)?;
                self.attempt(lease, subjects, watch)
            }
            result => result,
        }
    }

    fn attempt(
        &mut self,
        lease: &dyn Lease,
        subjects: &mut [Box<dyn Subject>],
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<(), ClusterError> {
        let task = lease.task();
        let store = &self.cluster.store;
        let dir = self.folder.path().join(task.as_str());
        let left = AtomicU32::new(0);
        if let Some(copy) = store.get(&Key::new(Kind::Copy, task))? {
            match pack::unpack(&copy, &dir) {
                Ok(about) => left.store(about.children, Relaxed),
                // It is begun anew.
                Err(_) => drop(std::fs::remove_dir_all(&dir)),
            }
        }
        let Some(portion) = self.portion(task)? else {
            // Nobody has left anything under this name, or it is lost: then that part of the tree stays open.
            return lease.done();
        };
        let mut options = self.options.of_portion(portion);
        options.given = self.given(task, &left)?;
        options.dir = dir.clone();
        options.budget.time = self.left();
        let sharing = Sharing {
            cluster: &self.cluster,
            lease,
            dir: dir.clone(),
            children: left,
            begun: Instant::now(),
            copied: Mutex::new(Instant::now()),
            gave: Mutex::new(None),
        };
        let watched = Watched::default();
        let summary = std::thread::scope(|scope| {
            let renewing = scope.spawn(|| watched.renew(lease, self.stop));
            let started = self.started;
            let mut told =
                |progress: &Progress| watch(&self.done.with(progress, started.elapsed()));
            let summary = explore_portion(&options, subjects, &mut told, &watched.stop, &sharing);
            watched.over.store(true, Relaxed);
            renewing.thread().unpark();
            summary
        });
        let summary = summary.inspect_err(|_| drop(std::fs::remove_dir_all(&dir)))?;
        self.done.portions += 1;
        self.done.runs += summary.runs;
        self.done.paths += summary.paths;
        self.done.find(&summary.findings);
        let about = About {
            runs: summary.runs,
            ..sharing.about()
        };
        let result = match watched.lost.load(Relaxed) {
            // Somebody else goes on from the last copy.
            true => Ok(()),
            false => self.keep(lease, &summary, about, &dir),
        };
        // What is left of it is in the store.
        let _ = std::fs::remove_dir_all(&dir);
        result
    }

    /// What somebody else has left of this task to others, and could not say so any more.
    fn given(&self, task: &Task, children: &AtomicU32) -> Result<Vec<Portion>, ClusterError> {
        let mut given = Vec::new();
        loop {
            let child = task.child(children.load(Relaxed));
            let key = Key::new(Kind::Portion, &child);
            let Some(said) = self.cluster.store.get(&key)? else {
                return Ok(given);
            };
            let Ok(portion) = read(&key, &said) else {
                return Ok(given);
            };
            given.push(portion);
            self.cluster.queue.put(&child)?;
            children.fetch_add(1, Relaxed);
        }
    }

    fn portion(&self, task: &Task) -> Result<Option<Portion>, ClusterError> {
        if *task == Task::root() {
            return Ok(Some(Portion::whole()));
        }
        let key = Key::new(Kind::Portion, task);
        let said = self.cluster.store.get(&key)?;
        Ok(said.and_then(|said| read(&key, &said).ok()))
    }

    /// What came of a portion, as far as we came.
    fn keep(
        &self,
        lease: &dyn Lease,
        summary: &Summary,
        about: About,
        dir: &Path,
    ) -> Result<(), ClusterError> {
        let task = lease.task();
        let packed = pack::pack(about, &dir.join("campaign.db"), dir)?;
        match summary.ended {
            Ended::Complete | Ended::Exhausted => {
                // Somebody else may have thought that we are gone, and have been faster.
                let key = Key::new(Kind::Part, task);
                self.cluster.store.put_new(&key, &packed)?;
                self.over(task)?;
                lease.done()
            }
            Ended::Budget | Ended::Stopped => {
                let key = Key::new(Kind::Copy, task);
                self.cluster.store.put(&key, &packed)?;
                lease.give_back()
            }
        }
    }

    /// The part of a task is in the store: what it left to others is in the queue, and all may know.
    fn over(&self, task: &Task) -> Result<(), ClusterError> {
        let store = &self.cluster.store;
        let key = Key::new(Kind::Done, task);
        if store.has(&key)? {
            return Ok(());
        }
        let Some(part) = store.get(&Key::new(Kind::Part, task))? else {
            return Ok(());
        };
        let about = pack::about(&part)?;
        for child in children(store.as_ref(), task, about)? {
            self.cluster.queue.put(&child)?;
        }
        let said = serde_json::to_vec(&about).unwrap_or_default();
        store.put(&key, &said)?;
        store.forget(&Key::new(Kind::Copy, task))
    }
}

/// What a task has left to others. There are no more than are known, whatever is said of it.
pub(crate) fn children(
    store: &dyn Store,
    task: &Task,
    about: About,
) -> Result<Vec<Task>, ClusterError> {
    let mut children = Vec::new();
    for number in 0..about.children {
        let child = task.child(number);
        if !store.has(&Key::new(Kind::Portion, &child))? {
            break;
        }
        children.push(child);
    }
    Ok(children)
}

pub(crate) fn read<T: serde::de::DeserializeOwned>(
    key: &Key,
    bytes: &[u8],
) -> Result<T, ClusterError> {
    serde_json::from_slice(bytes).map_err(|error| ClusterError::Damaged {
        key: key.to_string(),
        why: error.to_string(),
    })
}

/// How a portion is explored on the side of who does it.
#[derive(Default)]
struct Watched {
    over: AtomicBool,
    /// The exploration is to end.
    stop: AtomicBool,
    /// Somebody else may be at it by now.
    lost: AtomicBool,
}

impl Watched {
    /// Says that we are at a task until it is over.
    fn renew(&self, lease: &dyn Lease, stop: &AtomicBool) {
        let mut heard = Instant::now();
        let mut said = heard;
        while !self.over.load(Relaxed) {
            std::thread::park_timeout(Duration::from_millis(20));
            if stop.load(Relaxed) {
                self.stop.store(true, Relaxed);
            }
            let Some(often) = lease.renew_after().filter(|often| said.elapsed() >= *often) else {
                continue;
            };
            said = Instant::now();
            let ours = match lease.renew() {
                Ok(ours) => {
                    heard = said;
                    ours
                }
                Err(_) => heard.elapsed() <= often * UNHEARD,
            };
            if !ours {
                self.lost.store(true, Relaxed);
                self.stop.store(true, Relaxed);
            }
        }
    }
}

/// How a portion's campaign leaves parts of it to others.
struct Sharing<'a> {
    cluster: &'a Cluster,
    lease: &'a dyn Lease,
    dir: PathBuf,
    children: AtomicU32,
    begun: Instant,
    copied: Mutex<Instant>,
    gave: Mutex<Option<Instant>>,
}

impl Sharing<'_> {
    fn about(&self) -> About {
        About {
            children: self.children.load(Relaxed),
            runs: 0,
        }
    }

    fn try_give(&self, portion: &Portion) -> Result<(), ClusterError> {
        let bytes = serde_json::to_vec(portion).unwrap_or_default();
        loop {
            let number = self.children.load(Relaxed);
            let child = self.lease.task().child(number);
            let key = Key::new(Kind::Portion, &child);
            let new = self.cluster.store.put_new(&key, &bytes)?;
            self.cluster.queue.put(&child)?;
            self.children.store(number + 1, Relaxed);
            // Otherwise it is of somebody who was at this task before us, after the copy that we began with.
            if new {
                return Ok(());
            }
        }
    }
}

impl Others for Sharing<'_> {
    fn wait(&self) -> bool {
        // Of several workers, one asks.
        let Ok(mut gave) = self.gave.try_lock() else {
            return false;
        };
        let soon = gave.is_some_and(|gave| gave.elapsed() < BETWEEN);
        let wait = !soon && self.lease.others_wait();
        if wait {
            *gave = Some(Instant::now());
        }
        wait
    }

    fn give(&self, portion: &Portion) -> bool {
        self.try_give(portion).is_ok()
    }

    fn is_first(&self, cause: &str) -> bool {
        let key = Key::new(Kind::Finding, &Task::of(cause));
        // Whoever has found it a second time need not know.
        self.cluster.store.put_new(&key, b"").unwrap_or(true)
    }

    fn copy_to(&self) -> Option<PathBuf> {
        let copied = self.copied.lock().ok()?;
        let due = COPY.max(self.begun.elapsed() / PART);
        (copied.elapsed() >= due).then(|| self.dir.join("copy.db"))
    }

    fn copied(&self, database: &Path) {
        let key = Key::new(Kind::Copy, self.lease.task());
        if let Ok(packed) = pack::pack(self.about(), database, &self.dir) {
            // Without it, whoever goes on has more to do again.
            let _ = self.cluster.store.put(&key, &packed);
        }
        let _ = std::fs::remove_file(database);
        if let Ok(mut copied) = self.copied.lock() {
            *copied = Instant::now();
        }
    }
}

/// What a member's campaigns are told that is not said by the user.
trait OfPortion {
    fn of_portion(&self, portion: Portion) -> Options;
}

impl OfPortion for Options {
    fn of_portion(&self, portion: Portion) -> Options {
        let strategy = match self.strategy.as_str() {
            // Each alternative that is open costs who takes it up a run.
            "mix" => "settle",
            chosen => chosen,
        };
        Options {
            portion: Some(portion),
            strategy: strategy.to_owned(),
            // What closes a part of the tree may lie in another portion.
            subsume: Subsume::default(),
            shard: None,
            merge: Vec::new(),
            fresh: false,
            ..self.clone()
        }
    }
}
