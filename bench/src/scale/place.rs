//! A server that counts: the queue and the store of a fleet, whose requests take the time and the bytes that were measured at a
//! real one, in virtual time.
//!
//! What members do with it is what they do with the real one, request by request (`crates/cluster/src/nats.rs`). A server has a
//! thread for each stream, so for tasks, for names and for objects, and what is asked of one waits for what was asked before.

use super::clock::{Clock, Nanos, SECOND, nanos};
use super::prices::{Prices, Request};
use elsewise_cluster::{Cluster, ClusterError, Got, Key, Kind, Lease, Queue, Store, Task};
use elsewise_test_random::Random;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// As at the real one.
const LOOK: Nanos = SECOND / 100;
pub const RENEW: Nanos = 5 * SECOND;
const TOGETHER: usize = 64;
/// What is larger is an object.
const SMALL: u64 = 128 << 10;

/// How quick a server and what leads there are said to be; nothing of it was measured.
#[derive(Clone, Copy, clap::Args)]
pub struct Wires {
    /// From a member to the server and back, in microseconds
    #[arg(long, default_value_t = 500)]
    round_trip: u64,
    /// What the server can read or write at the same time, in MB a second each (10 Gbit/s are 1,250)
    #[arg(long, default_value_t = 1250)]
    bandwidth: u64,
}

/// What works one thing off after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lane {
    free: Nanos,
    pub busy: Nanos,
}

impl Lane {
    /// When it is done with something that comes at a moment.
    fn serve(&mut self, at: Nanos, takes: Nanos) -> Nanos {
        self.free = self.free.max(at) + takes;
        self.busy += takes;
        self.free
    }
}

/// What a shard has to itself, a thread for each stream, and then what a server has: what it reads and writes.
pub const LANES: [&str; 5] = ["tasks", "names", "objects", "reading", "writing"];
const STREAMS: usize = 3;

/// A server's wires, which its shards share.
pub type Links = Arc<Mutex<[Lane; LANES.len() - STREAMS]>>;

/// What was asked of a server, and how often; how many bytes it has read and written for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    pub times: u64,
    pub read: u64,
    pub written: u64,
}

/// Where a member finds the task that it was given.
type Found = Arc<Mutex<Option<Task>>>;

#[derive(Default)]
struct State {
    lanes: [Lane; STREAMS],
    counts: BTreeMap<&'static str, Count>,
    known: BTreeSet<Task>,
    waiting: VecDeque<Task>,
    /// Members that wait for a task, and where they find it, in the order in which they came.
    pulls: BTreeMap<u64, (usize, Found)>,
    /// So many have come.
    came: u64,
    /// Members that have one, and what tells them of those who wait.
    busy: Vec<(usize, Arc<AtomicBool>)>,
    names: HashMap<String, Named>,
    random: u64,
    /// The most tasks that have waited.
    deepest: usize,
}

enum Named {
    Bytes(Vec<u8>),
    /// Of which the size matters here, and the bytes that were said.
    Object(u64, Vec<u8>),
}

/// A server, or a shard of one that has several: a stream for tasks, one for names and one for objects.
pub struct Server {
    clock: Arc<Clock>,
    prices: Arc<Prices>,
    wires: Wires,
    links: Links,
    state: Mutex<State>,
}

impl Server {
    pub fn new(clock: &Arc<Clock>, prices: &Arc<Prices>, wires: Wires, links: &Links) -> Server {
        Server {
            clock: clock.clone(),
            prices: prices.clone(),
            wires,
            links: links.clone(),
            state: Mutex::default(),
        }
    }

    fn links(&self) -> MutexGuard<'_, [Lane; LANES.len() - STREAMS]> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn lanes(&self) -> impl Iterator<Item = Lane> {
        self.state().lanes.into_iter().chain(*self.links())
    }

    pub fn counts(&self) -> BTreeMap<&'static str, Count> {
        self.state().counts.clone()
    }

    /// Tasks that wait, and the most that have.
    pub fn depth(&self) -> (usize, usize) {
        let state = self.state();
        (state.waiting.len(), state.deepest)
    }

    pub fn idle(&self) -> usize {
        self.state().pulls.len()
    }

    /// When the answer to a request is back. What is busy takes requests in the order in which they come, and bytes are on their way
    /// while the server is at work.
    fn serve(&self, what: &'static str, request: Request, bytes: u64) -> Nanos {
        let trip = self.wires.round_trip * 1000;
        let there = self.clock.now() + trip / 2;
        let price = self.prices.of(request, bytes);
        let link = |bytes: u64| bytes * 1000 / self.wires.bandwidth;
        let [reading, writing] = &mut *self.links();
        let read = reading.serve(there, link(price.read));
        let written = writing.serve(there, link(price.written));
        let mut state = self.state();
        let done = state.lanes[request.lane()].serve(there, price.time);
        let count = state.counts.entry(what).or_default();
        count.read += price.read;
        count.written += price.written;
        done.max(read).max(written) + trip / 2
    }

    fn count(&self, what: &'static str) {
        self.state().counts.entry(what).or_default().times += 1;
    }
}

/// A member's place at a server.
#[derive(Clone)]
pub struct Seat {
    pub who: usize,
    pub clock: Arc<Clock>,
    /// How large its portion's database is by now.
    pub database: Arc<AtomicU64>,
    /// Somebody waits; so that whoever explores need not ask for nothing.
    pub told: Arc<AtomicBool>,
}

impl Seat {
    pub fn new(who: usize, clock: &Arc<Clock>) -> Seat {
        Seat {
            who,
            clock: clock.clone(),
            database: Arc::default(),
            told: Arc::default(),
        }
    }

    /// As members see a server.
    pub fn at(&self, server: &Arc<Server>) -> Cluster {
        Cluster::new(Seated {
            seat: self.clone(),
            server: server.clone(),
        })
    }
}

struct Seated {
    seat: Seat,
    server: Arc<Server>,
}

impl Seated {
    /// Asks for one after the other, and waits for each answer.
    fn ask(&self, what: &'static str, requests: &[(Request, u64)]) {
        self.server.count(what);
        let made = requests.iter().filter(|(it, _)| *it != Request::Nothing);
        for (request, bytes) in made {
            let done = self.server.serve(what, *request, *bytes);
            self.seat.clock.wait(self.seat.who, done);
        }
    }

    /// Bytes of a value: whoever packs a portion says nothing of its database here.
    fn size(&self, key: &Key, bytes: &[u8]) -> u64 {
        match key.kind {
            Kind::Copy | Kind::Part => self.seat.database.load(Relaxed),
            _ => bytes.len() as u64,
        }
    }

    fn lease(&self, task: Task) -> Box<dyn Lease> {
        Box::new(Leased {
            seat: self.seat.clone(),
            server: self.server.clone(),
            task,
            listening: OnceLock::new(),
        })
    }
}

impl State {
    fn hand_out(&mut self, clock: &Clock, task: &Task) {
        match self.pulls.pop_first() {
            Some((_, (who, found))) => {
                if let Ok(mut found) = found.lock() {
                    *found = Some(task.clone());
                }
                clock.wake(who, clock.now());
            }
            None => self.waiting.push_back(task.clone()),
        }
        self.deepest = self.deepest.max(self.waiting.len());
    }

    /// One of those who have something hears of somebody who has nothing.
    fn tell(&mut self, clock: &Clock) {
        if self.busy.is_empty() {
            return;
        }
        self.random += 1;
        let lucky = Random::new(self.random).below(self.busy.len());
        let (who, told) = &self.busy[lucky];
        told.store(true, Relaxed);
        clock.wake(*who, clock.now());
    }
}

impl Queue for Seated {
    fn put(&self, task: &Task) -> Result<(), ClusterError> {
        self.ask("put a task", &[(Request::Put, 0)]);
        let mut state = self.server.state();
        if state.known.insert(task.clone()) {
            state.hand_out(&self.seat.clock, task);
        }
        Ok(())
    }

    fn take(&self, wait: Duration) -> Result<Option<Box<dyn Lease>>, ClusterError> {
        let clock = &self.seat.clock;
        let look = |what, request, wait| {
            self.ask(what, &[(request, 0)]);
            let found = Arc::new(Mutex::new(None));
            let mut state = self.server.state();
            if let Some(task) = state.waiting.pop_front() {
                return Some(task);
            }
            if request == Request::Hungry {
                state.tell(clock);
            }
            let ticket = state.came;
            state.came += 1;
            state.pulls.insert(ticket, (self.seat.who, found.clone()));
            drop(state);
            clock.doze(self.seat.who, clock.now() + wait);
            self.server.state().pulls.remove(&ticket);
            found.lock().ok()?.take()
        };
        let task = look("look for a task", Request::Look, LOOK).or_else(|| {
            look(
                "say that there is none",
                Request::Hungry,
                nanos(wait.as_secs_f64()),
            )
        });
        let Some(task) = task else {
            return Ok(None);
        };
        self.ask("take a task", &[(Request::Take, 0), (Request::Keep, 8)]);
        Ok(Some(self.lease(task)))
    }
}

struct Leased {
    seat: Seat,
    server: Arc<Server>,
    task: Task,
    /// Whoever never asks whether others wait is told of nobody.
    listening: OnceLock<()>,
}

impl Leased {
    fn listen(&self) {
        let told = self.seat.told.clone();
        told.store(false, Relaxed);
        self.server.state().busy.push((self.seat.who, told));
    }

    fn say(&self, what: &'static str) {
        self.server.count(what);
        let done = self.server.serve(what, Request::Say, 0);
        self.seat.clock.wait(self.seat.who, done);
    }
}

impl Drop for Leased {
    fn drop(&mut self) {
        if self.listening.get().is_none() {
            return;
        }
        let mut state = self.server.state();
        if let Some(at) = state.busy.iter().position(|(who, _)| *who == self.seat.who) {
            state.busy.swap_remove(at);
        }
    }
}

impl Lease for Leased {
    fn task(&self) -> &Task {
        &self.task
    }

    fn others_wait(&self) -> bool {
        self.listening.get_or_init(|| self.listen());
        self.seat.told.swap(false, Relaxed)
    }

    fn renew_after(&self) -> Option<Duration> {
        Some(Duration::from_nanos(RENEW))
    }

    fn renew(&self) -> Result<bool, ClusterError> {
        // By a thread of its own: nobody waits for it.
        let what = "renew a lease";
        self.server.count(what);
        self.server.serve(what, Request::Say, 0);
        self.server.serve(what, Request::Ask, 8);
        Ok(true)
    }

    fn done(&self) -> Result<(), ClusterError> {
        self.say("end a task");
        self.server.state().known.remove(&self.task);
        Ok(())
    }

    fn give_back(&self) -> Result<(), ClusterError> {
        self.say("give a task back");
        let clock = &self.seat.clock;
        self.server.state().hand_out(clock, &self.task);
        Ok(())
    }
}

/// What a value's bytes cost, as far as it is not in the bucket of names.
fn kept(size: u64) -> [(Request, u64); 2] {
    match size <= SMALL {
        true => [(Request::Keep, size), (Request::Nothing, 0)],
        false => [(Request::Object, size), (Request::Keep, 64)],
    }
}

fn verb(asks: bool, kind: Kind) -> &'static str {
    match (asks, kind) {
        (true, Kind::Portion) => "ask for a portion",
        (true, Kind::Over) => "ask whether all is over",
        (true, Kind::Done) => "ask whether a portion is over",
        (true, _) => "ask for a copy or a part",
        (false, Kind::Portion) => "say what a portion is",
        (false, Kind::Copy) => "keep a copy",
        (false, Kind::Part) => "keep a part",
        (false, _) => "say something else",
    }
}

impl Seated {
    fn keep(&self, key: &Key, bytes: &[u8]) {
        let size = self.size(key, bytes);
        let named = match size <= SMALL {
            true => Named::Bytes(bytes.to_vec()),
            false => Named::Object(size, bytes.to_vec()),
        };
        self.server.state().names.insert(key.to_string(), named);
    }

    /// An object that was there before.
    fn before(&self, key: &Key) -> Option<u64> {
        match self.server.state().names.get(&key.to_string()) {
            Some(Named::Object(size, _)) => Some(*size),
            _ => None,
        }
    }

    fn named(&self, key: &Key) -> Option<Vec<u8>> {
        match self.server.state().names.get(&key.to_string())? {
            Named::Bytes(bytes) | Named::Object(_, bytes) => Some(bytes.clone()),
        }
    }

    /// Asks for many names without waiting for each answer.
    fn ask_each(&self, keys: &[Key]) {
        for keys in keys.chunks(TOGETHER) {
            let asked = keys.iter().map(|key| {
                let what = verb(true, key.kind);
                let size = self.named(key).map_or(0, |bytes| bytes.len() as u64);
                self.server.count(what);
                self.server.serve(what, Request::Ask, size)
            });
            let done = asked.max().unwrap_or_default();
            self.seat.clock.wait(self.seat.who, done);
        }
    }

    fn has_now(&self, key: &Key) -> bool {
        self.server.state().names.contains_key(&key.to_string())
    }
}

impl Store for Seated {
    fn get(&self, key: &Key) -> Result<Option<Vec<u8>>, ClusterError> {
        let (size, object) = match self.server.state().names.get(&key.to_string()) {
            None => (0, None),
            Some(Named::Bytes(bytes)) => (bytes.len() as u64, None),
            Some(Named::Object(size, _)) => (64, Some(*size)),
        };
        let fetched = object.map(|size| (Request::Fetch, size));
        let requests = [
            (Request::Ask, size),
            fetched.unwrap_or((Request::Nothing, 0)),
        ];
        self.ask(verb(true, key.kind), &requests);
        Ok(self.named(key))
    }

    fn has(&self, key: &Key) -> Result<bool, ClusterError> {
        let size = match self.server.state().names.get(&key.to_string()) {
            Some(Named::Bytes(bytes)) => bytes.len() as u64,
            _ => 0,
        };
        self.ask(verb(true, key.kind), &[(Request::Ask, size)]);
        Ok(self.has_now(key))
    }

    fn get_each(&self, keys: &[Key]) -> Result<Vec<Got>, ClusterError> {
        self.ask_each(keys);
        keys.iter()
            .map(|key| Got::of(Ok(self.named(key))))
            .collect()
    }

    fn has_each(&self, keys: &[Key]) -> Result<Vec<bool>, ClusterError> {
        self.ask_each(keys);
        Ok(keys.iter().map(|key| self.has_now(key)).collect())
    }

    fn put(&self, key: &Key, bytes: &[u8]) -> Result<(), ClusterError> {
        let [object, name] = kept(self.size(key, bytes));
        let gone = self.before(key).map(|_| (Request::Delete, 0));
        let gone = gone.unwrap_or((Request::Nothing, 0));
        let requests = [(Request::Ask, 64), object, name, gone];
        self.ask(verb(false, key.kind), &requests);
        self.keep(key, bytes);
        Ok(())
    }

    fn put_new(&self, key: &Key, bytes: &[u8]) -> Result<bool, ClusterError> {
        let [object, name] = kept(self.size(key, bytes));
        let name = match name {
            (Request::Keep, size) => (Request::KeepNew, size),
            other => other,
        };
        let object = match object {
            (Request::Keep, size) => (Request::KeepNew, size),
            other => other,
        };
        self.ask(verb(false, key.kind), &[object, name]);
        let new = !self.has_now(key);
        if new {
            self.keep(key, bytes);
        }
        Ok(new)
    }

    fn forget(&self, key: &Key) -> Result<(), ClusterError> {
        let gone = self.before(key).map(|_| (Request::Delete, 0));
        let gone = gone.unwrap_or((Request::Nothing, 0));
        self.ask(
            "forget a copy",
            &[(Request::Ask, 64), (Request::Forget, 0), gone],
        );
        self.server.state().names.remove(&key.to_string());
        Ok(())
    }
}
