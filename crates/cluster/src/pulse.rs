//! What members say of themselves now and then, for people who look at a fleet. Nothing rests on it: whoever says nothing, or
//! what is not true, changes no result.

use crate::names::{Key, Kind, Task};
use crate::place::{Cluster, Got, Store};
use crate::{ClusterError, books::read};
use elsewise_campaign::Progress;
use serde::{Deserialize, Serialize};
use std::fmt::{Debug, Formatter};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How often a member says how far it is, and how soon the first time.
const EVERY: Duration = Duration::from_secs(5);
const SOON: Duration = Duration::from_secs(1);
/// Letters of a machine's name that are kept and shown.
const NAME: usize = 64;
/// Members that are looked for at most.
const MOST: u32 = 100_000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doing {
    /// It has nothing to do.
    #[default]
    Waiting,
    Exploring,
    /// It takes no part any more.
    Left,
}

/// What a member has said last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pulse {
    /// Tells it from others with the same name.
    pub id: u64,
    /// The machine's name for itself, and the process there.
    pub host: String,
    pub process: u32,
    pub doing: Doing,
    /// What it explores, or has explored last.
    pub portion: Option<String>,
    /// Portions that it has explored.
    pub portions: u64,
    pub runs: u64,
    pub paths: u64,
    pub findings: u64,
    /// When it said so, in seconds by its own clock.
    pub at: u64,
}

impl Pulse {
    fn new() -> Pulse {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        Pulse {
            id: RandomState::new().build_hasher().finish(),
            host: shortened(host.trim()),
            process: std::process::id(),
            ..Pulse::default()
        }
    }

    /// How long ago it was said, if both clocks are right.
    pub fn seconds_ago(&self) -> u64 {
        now().saturating_sub(self.at)
    }
}

fn shortened(name: &str) -> String {
    name.chars().take(NAME).collect()
}

fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs())
}

/// What a member says of itself, for itself.
#[derive(Clone, Default)]
pub struct Heart(Arc<Shared>);

impl Debug for Heart {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Heart").field(&*self.lock()).finish()
    }
}

/// Who is told when a member begins or ends a portion.
pub type Watching = Box<dyn FnMut(&Pulse) + Send>;

#[derive(Default)]
struct Shared {
    pulse: Mutex<Pulse>,
    watching: Mutex<Option<Watching>>,
    over: Mutex<bool>,
    ended: Condvar,
}

impl Heart {
    pub fn pulse(&self) -> Pulse {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Pulse> {
        self.0.pulse.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on, somebody is told whenever the member begins or ends a portion, or leaves.
    pub fn watch(&self, watching: Watching) {
        let mut slot = self
            .0
            .watching
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *slot = Some(watching);
    }

    fn tell(&self) {
        let pulse = self.pulse();
        let mut slot = self
            .0
            .watching
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(watching) = slot.as_mut() {
            watching(&pulse);
        }
    }

    pub(crate) fn explores(&self, task: &Task) {
        let mut pulse = self.lock();
        pulse.doing = Doing::Exploring;
        pulse.portion = Some(task.to_string());
        drop(pulse);
        self.tell();
    }

    pub(crate) fn waits(&self, portions: u64) {
        let mut pulse = self.lock();
        pulse.doing = Doing::Waiting;
        pulse.portions = portions;
        drop(pulse);
        self.tell();
    }

    /// `progress`: of all that the member has done.
    pub(crate) fn note(&self, progress: &Progress) {
        let mut pulse = self.lock();
        pulse.runs = progress.runs;
        pulse.paths = progress.paths;
        pulse.findings = progress.findings.len() as u64;
    }

    fn say(&self) -> Vec<u8> {
        let mut pulse = self.lock();
        pulse.at = now();
        serde_json::to_vec(&*pulse).unwrap_or_default()
    }
}

/// Says what a member does until it is dropped.
pub(crate) struct Beating {
    heart: Heart,
    cluster: Cluster,
    key: Option<Key>,
}

impl Beating {
    /// Of a member that has joined.
    pub fn new(cluster: &Cluster) -> Beating {
        let heart = Heart::default();
        *heart.lock() = Pulse::new();
        // Without a place for it, nobody sees this member: that is all.
        let key = claim(cluster.store.as_ref(), &heart.say()).ok().flatten();
        if let Some(key) = &key {
            let (heart, key, cluster) = (heart.clone(), key.clone(), cluster.clone());
            std::thread::spawn(move || heart.beat(&key, cluster.store.as_ref()));
        }
        Beating {
            heart,
            cluster: cluster.clone(),
            key,
        }
    }

    /// Of one that tells nobody.
    pub fn silent(cluster: &Cluster) -> Beating {
        Beating {
            heart: Heart::default(),
            cluster: cluster.clone(),
            key: None,
        }
    }

    pub fn heart(&self) -> &Heart {
        &self.heart
    }

    /// The member takes no part any more, and says so.
    pub fn leave(&self) {
        self.heart.lock().doing = Doing::Left;
        self.heart.tell();
        self.heart.end();
        if let Some(key) = &self.key {
            let _ = self.cluster.store.put(key, &self.heart.say());
        }
    }
}

impl Drop for Beating {
    fn drop(&mut self) {
        self.heart.end();
    }
}

impl Heart {
    fn beat(&self, key: &Key, store: &dyn Store) {
        let mut pause = SOON;
        loop {
            let over = self.0.over.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = self.0.ended.wait_timeout_while(over, pause, |over| !*over);
            let (over, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if *over {
                return;
            }
            // Nobody who leaves waits for this.
            drop(over);
            let _ = store.put(key, &self.say());
            pause = EVERY;
        }
    }

    fn end(&self) {
        if let Ok(mut over) = self.0.over.lock() {
            *over = true;
        }
        self.0.ended.notify_all();
    }
}

fn slot(number: u32) -> Key {
    Key::new(Kind::Member, &Task::of(&format!("member {number}")))
}

/// The first place that nobody has, with these words in it. None is ever free again.
fn claim(store: &dyn Store, words: &[u8]) -> Result<Option<Key>, ClusterError> {
    let mut high = 0;
    while store.has(&slot(high))? {
        high = high * 2 + 1;
        if high > MOST {
            return Ok(None);
        }
    }
    let mut low = high.div_ceil(2);
    while low < high {
        let middle = (low + high) / 2;
        match store.has(&slot(middle))? {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    while !store.put_new(&slot(low), words)? {
        low += 1;
    }
    Ok(Some(slot(low)))
}

/// What all members have said last, of those that have ever been there.
pub fn members(store: &dyn Store) -> Result<Vec<Pulse>, ClusterError> {
    let mut members = Vec::new();
    for key in (0..MOST).map(slot) {
        let said = match Got::of(store.get(&key))? {
            Got::Bytes(said) => said,
            Got::Nothing => break,
            Got::Damaged => continue,
        };
        // Whoever says something else is not shown.
        members.extend(read::<Pulse>(&key, &said).ok().map(|pulse| Pulse {
            host: shortened(&pulse.host),
            portion: pulse.portion.as_deref().map(shortened),
            ..pulse
        }));
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;

    #[test]
    fn each_has_a_place_of_its_own() {
        let store = Memory::default();
        let mut all = Vec::new();
        for number in 0..40 {
            let pulse = Pulse {
                id: number,
                ..Pulse::new()
            };
            let words = serde_json::to_vec(&pulse).unwrap();
            assert_eq!(claim(&store, &words).unwrap(), Some(slot(number as u32)));
            all.push(pulse);
        }
        assert_eq!(members(&store).unwrap(), all);
        let long = Pulse {
            host: "A".repeat(100_000),
            ..all[5].clone()
        };
        store
            .put(&slot(5), &serde_json::to_vec(&long).unwrap())
            .unwrap();
        all[5].host = "A".repeat(64);
        assert_eq!(members(&store).unwrap(), all);
        store.put(&slot(3), b"{").unwrap();
        all.remove(3);
        assert_eq!(members(&store).unwrap(), all);
    }

    #[test]
    fn a_member_is_seen_until_it_leaves() {
        let cluster = Cluster::new(Memory::default());
        let beating = Beating::new(&cluster);
        let seen = || members(cluster.store.as_ref()).unwrap();
        assert_eq!(seen()[0].doing, Doing::Waiting);
        beating.heart().explores(&Task::root());
        for _ in 0..100 {
            if seen()[0].doing == Doing::Exploring {
                break;
            }
            std::thread::sleep(SOON / 20);
        }
        assert_eq!(seen()[0].portion, Some(Task::root().to_string()));
        beating.leave();
        assert_eq!(seen()[0].doing, Doing::Left);
    }
}
