//! Somebody who takes part: takes a portion, explores it, leaves parts of it to others, says what came of it.

use crate::ClusterError;
use crate::books::{Books, Known, read};
use crate::bucket::{self, AgreedBucket, Bucket};
use crate::explorer::{Duty, Engine, Explored, Explorer, Machine, World};
use crate::names::{Key, Kind, Task};
use crate::pack::{self, About};
use crate::place::{Cluster, Lease, Store};
use crate::pulse::{Beating, Heart};
use crate::watch::Watch;
use elsewise_campaign::{Ended, Finding, Options, Others, Portion, Progress, Subsume, difference};
use elsewise_explore::Subject;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long it is waited for a task before it is looked whether there will be any: so long at first, then a part of the time
/// in which there was none, and so long at most. A place hands out a task at once to those who wait for it, so that they
/// lose nothing, and each look costs it something.
const WAIT: Duration = Duration::from_millis(300);
const WAIT_PART: u32 = 8;
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// A portion's campaign is copied when it has gone on for so long, and then whenever it has grown by a part.
const COPY: Duration = Duration::from_millis(500);
const PART: u32 = 10;
/// But no sooner than after so many times as long as the last copy took: the more members copy at the same time, the longer it takes,
/// and a place that is busy with copies has no time for tasks. It puts a copy off to twice its time at most: one that took long
/// since the place was away says nothing of the next.
const REST: u32 = 5;
const LATER: u32 = 2;
/// Who has given something away has something of its own to do first.
const BETWEEN: Duration = Duration::from_millis(20);

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
    /// Where what is large is, if not where they meet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bucket: Option<AgreedBucket>,
}

impl Agreed {
    /// Of a campaign that somebody has begun.
    pub fn of(store: &dyn Store) -> Result<Option<Agreed>, ClusterError> {
        let key = Key::new(Kind::Campaign, &Task::root());
        let said = store.get(&key)?;
        said.map(|said| read(&key, &said)).transpose()
    }

    /// Writes it down, unless somebody has done so before; what holds from now on.
    fn begin(mut self, store: &dyn Store) -> Result<Agreed, ClusterError> {
        if let Some(agreed) = Agreed::of(store)? {
            return Ok(agreed);
        }
        self.bucket = store.bucket().map(Bucket::mark).transpose()?;
        let said = serde_json::to_vec(&self).unwrap_or_default();
        let key = Key::new(Kind::Campaign, &Task::root());
        match store.put_new(&key, &said)? {
            true => Ok(self),
            false => Ok(Agreed::of(store)?.unwrap_or(self)),
        }
    }

    /// May a member with this store take part?
    pub fn accepts_bucket(&self, store: &dyn Store) -> Result<(), ClusterError> {
        bucket::accepts(self.bucket.as_ref(), store.bucket())
    }

    /// Others may have asked for the same in other words.
    fn accepts(&self, ours: &Agreed) -> Result<(), ClusterError> {
        let other = match () {
            () if self.version != ours.version => format!(
                "another version of Elsewise (there {}, here {})",
                self.version, ours.version
            ),
            () if self.build != ours.build => "another build of the subject".to_owned(),
            () if self.options != ours.options => match difference(&self.options, &ours.options) {
                Some(what) => format!("other options ({what})"),
                None => "other options".to_owned(),
            },
            () => return Ok(()),
        };
        Err(ClusterError::OtherCampaign(other))
    }
}

/// See the module's comment.
pub struct Member<'a> {
    books: Books,
    world: Arc<dyn World>,
    options: &'a Options,
    stop: &'a AtomicBool,
    /// Has the campaigns of portions.
    folder: TempDir,
    started: Instant,
    watch: Watch,
    beating: Beating,
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
        let world = Arc::new(Machine);
        let mut member = Member::join_in(world, cluster, options, build, command, stop)?;
        member.beating = Beating::new(cluster);
        Ok(member)
    }

    /// The same by another time than the system's, and without a word of how far it is.
    pub fn join_in(
        world: Arc<dyn World>,
        cluster: &Cluster,
        options: &'a Options,
        build: &str,
        command: &[String],
        stop: &'a AtomicBool,
    ) -> Result<Member<'a>, ClusterError> {
        let ours = Agreed {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: build.to_owned(),
            options: options.of_portion(Portion::whole()).identity(),
            command: command.to_owned(),
            bucket: None,
        };
        let store = cluster.store.as_ref();
        let agreed = ours.clone().begin(store)?;
        agreed.accepts(&ours)?;
        agreed.accepts_bucket(store)?;
        let folder = tempfile::tempdir();
        Ok(Member {
            books: Books {
                cluster: cluster.clone(),
            },
            options,
            stop,
            folder: folder.map_err(ClusterError::io("make", Path::new("a folder")))?,
            started: world.now(),
            watch: Watch::new(cluster, &world)?,
            beating: Beating::silent(cluster),
            done: Done::default(),
            world,
        })
    }

    /// Explores for as long as there is something to explore, here or elsewhere.
    pub fn explore(
        &mut self,
        subjects: &mut [Box<dyn Subject>],
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<Joined, ClusterError> {
        self.explore_by(&mut Engine(subjects), watch)
    }

    /// The same by whatever explores.
    pub fn explore_by(
        &mut self,
        explorer: &mut dyn Explorer,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<Joined, ClusterError> {
        let joined = self.take_part(explorer, watch)?;
        self.beating.leave();
        Ok(joined)
    }

    fn take_part(
        &mut self,
        explorer: &mut dyn Explorer,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<Joined, ClusterError> {
        let mut idle = self.world.now();
        loop {
            if self.is_over() {
                self.watch.leave()?;
                return Ok(Joined::Budget);
            }
            let wait = self.wait(self.world.now().duration_since(idle));
            match self.books.cluster.queue.take(wait)? {
                Some(lease) if *lease.task() == Task::watch() => self.watch.hold(lease),
                Some(lease) => {
                    self.watch.leave()?;
                    self.beating.heart().explores(lease.task());
                    self.one(lease.as_ref(), explorer, watch)?;
                    self.beating.heart().waits(self.done.portions);
                    idle = self.world.now();
                }
                None if self.watch.all_done()? => return Ok(Joined::Done),
                None => {}
            }
        }
    }

    /// What it says of itself.
    pub fn heart(&self) -> &Heart {
        self.beating.heart()
    }

    /// How long to wait for a task after there was none for so long.
    fn wait(&self, idle: Duration) -> Duration {
        // Others wait for what it finds out.
        let longest = match self.watch.is_held() {
            true => WAIT,
            false => LONGEST_WAIT,
        };
        let wait = (idle / WAIT_PART).clamp(WAIT, longest);
        self.left().map_or(wait, |left| wait.min(left.max(WAIT)))
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
        Some(time.saturating_sub(self.elapsed()))
    }

    fn elapsed(&self) -> Duration {
        self.world.now().duration_since(self.started)
    }

    fn one(
        &mut self,
        lease: &dyn Lease,
        explorer: &mut dyn Explorer,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<(), ClusterError> {
        let store = self.books.cluster.store.clone();
        let copy = Key::new(Kind::Copy, lease.task());
        if self.books.ended(lease.task())? {
            return lease.done();
        }
        let gone_on = store.has(&copy)?;
        let dir = self.folder.path().join(lease.task().as_str());
        match self.attempt(lease, explorer, watch) {
            Err(ClusterError::Campaign(error)) if gone_on && error.is_of(&dir) => {
                // The copy is damaged: the portion is begun anew.
                store.forget(&copy)?;
                self.attempt(lease, explorer, watch)
            }
            result => result,
        }
    }

    fn attempt(
        &mut self,
        lease: &dyn Lease,
        explorer: &mut dyn Explorer,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<(), ClusterError> {
        let task = lease.task();
        let dir = self.folder.path().join(task.as_str());
        let left = AtomicU32::new(0);
        if let Some(copy) = self.books.copy(task)? {
            match pack::unpack(&copy, &dir) {
                Ok(about) => left.store(about.children, Relaxed),
                // It is begun anew.
                Err(_) => drop(std::fs::remove_dir_all(&dir)),
            }
        }
        let portion = match self.books.portion(task)? {
            Known::Portion(portion) => portion,
            // Nobody has left anything under this name, or it is lost: then that part of the tree stays open.
            Known::Nothing => return lease.done(),
            Known::Damaged => {
                let _ = std::fs::remove_dir_all(&dir);
                return self.books.abandon(lease);
            }
        };
        let mut options = self.options.of_portion(portion);
        options.given = self.books.given(task, &left)?;
        options.dir = dir.clone();
        options.budget.time = self.left();
        let world = self.world.as_ref();
        let sharing = Sharing {
            books: &self.books,
            world,
            lease,
            dir: dir.clone(),
            children: left,
            begun: world.now(),
            copied: Mutex::new(Copied {
                at: world.now(),
                took: Duration::ZERO,
            }),
            gave: Mutex::new(None),
        };
        let duty = Duty::new(lease, world, self.stop);
        let mut told = |progress: &Progress| {
            let progress = self.done.with(progress, self.elapsed());
            self.beating.heart().note(&progress);
            watch(&progress);
        };
        let explored = explorer.explore(&options, &mut told, &duty, &sharing);
        let explored = explored.inspect_err(|_| drop(std::fs::remove_dir_all(&dir)))?;
        self.done.portions += 1;
        self.done.runs += explored.runs;
        self.done.paths += explored.paths;
        self.done.find(&explored.findings);
        let about = About {
            runs: explored.runs,
            ..sharing.about()
        };
        let result = match duty.is_lost() {
            // Somebody else goes on from the last copy.
            true => Ok(()),
            false => self.keep(lease, &explored, about, &dir),
        };
        // What is left of it is in the store.
        let _ = std::fs::remove_dir_all(&dir);
        result
    }

    /// What came of a portion, as far as we came.
    fn keep(
        &self,
        lease: &dyn Lease,
        explored: &Explored,
        about: About,
        dir: &Path,
    ) -> Result<(), ClusterError> {
        let task = lease.task();
        let packed = self.world.pack(about, &dir.join("campaign.db"), dir)?;
        match explored.ended {
            Ended::Complete | Ended::Exhausted => self.books.end(lease, about, &packed),
            Ended::Budget | Ended::Stopped => {
                let key = Key::new(Kind::Copy, task);
                self.books.cluster.store.put(&key, &packed)?;
                lease.give_back()
            }
        }
    }
}

/// How a portion's campaign leaves parts of it to others.
struct Sharing<'a> {
    books: &'a Books,
    world: &'a dyn World,
    lease: &'a dyn Lease,
    dir: PathBuf,
    children: AtomicU32,
    begun: Instant,
    copied: Mutex<Copied>,
    gave: Mutex<Option<Instant>>,
}

/// The last copy of a portion's campaign.
#[derive(Clone, Copy)]
struct Copied {
    at: Instant,
    took: Duration,
}

impl Sharing<'_> {
    fn about(&self) -> About {
        About {
            children: self.children.load(Relaxed),
            runs: 0,
        }
    }

    fn since(&self, then: Instant) -> Duration {
        self.world.now().duration_since(then)
    }
}

impl Others for Sharing<'_> {
    fn wait(&self) -> bool {
        // Of several workers, one asks.
        let Ok(mut gave) = self.gave.try_lock() else {
            return false;
        };
        let soon = gave.is_some_and(|gave| self.since(gave) < BETWEEN);
        let wait = !soon && self.lease.others_wait();
        if wait {
            *gave = Some(self.world.now());
        }
        wait
    }

    fn give(&self, portion: &Portion) -> bool {
        let given = self.books.give(self.lease.task(), &self.children, portion);
        given.is_ok()
    }

    fn is_first(&self, cause: &str) -> bool {
        let key = Key::new(Kind::Finding, &Task::of(cause));
        // In whose task: where an answer may be lost, a member takes what is the same for its own.
        let task = self.lease.task().as_str().as_bytes();
        // Whoever has found it a second time need not know.
        self.books.cluster.store.put_new(&key, task).unwrap_or(true)
    }

    fn copy_to(&self) -> Option<PathBuf> {
        let copied = *self.copied.lock().ok()?;
        let due = COPY.max(self.since(self.begun) / PART);
        let due = due.max((copied.took * REST).min(due * LATER));
        (self.since(copied.at) >= due).then(|| self.dir.join("copy.db"))
    }

    fn copied(&self, database: &Path) {
        let key = Key::new(Kind::Copy, self.lease.task());
        let begun = self.world.now();
        if let Ok(packed) = self.world.pack(self.about(), database, &self.dir) {
            // Without it, whoever goes on has more to do again.
            let _ = self.books.cluster.store.put(&key, &packed);
        }
        let _ = std::fs::remove_file(database);
        if let Ok(mut copied) = self.copied.lock() {
            *copied = Copied {
                at: self.world.now(),
                took: self.since(begun),
            };
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
            merged_took: None,
            fresh: false,
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Nats;
    use crate::server::Server;

    /// Of two who find the same failure at a server, where each may think that an answer to it was lost.
    #[test]
    fn an_input_is_made_smaller_by_one_member() {
        let server = Server::start();
        let cluster = Cluster::new(Nats::connect(&server.address(), "smaller").unwrap());
        let books = Books {
            cluster: cluster.clone(),
        };
        let first: Vec<bool> = (0..2)
            .map(|number| {
                cluster.queue.put(&Task::root().child(number)).unwrap();
                let lease = cluster.queue.take(WAIT).unwrap().unwrap();
                let sharing = Sharing {
                    books: &books,
                    world: &Machine,
                    lease: lease.as_ref(),
                    dir: PathBuf::new(),
                    children: AtomicU32::new(0),
                    begun: Instant::now(),
                    copied: Mutex::new(Copied {
                        at: Instant::now(),
                        took: Duration::ZERO,
                    }),
                    gave: Mutex::new(None),
                };
                sharing.is_first("abort at a.c:3")
            })
            .collect();
        assert_eq!(first, [true, false]);
    }
}
