//! What requests cost a real server: the time of its processor, and what it reads and writes.

use super::clock::Nanos;
use anyhow::{Context, Result, ensure};
use elsewise_cluster::server::Server;
use elsewise_cluster::{Cluster, Key, Kind, Lease, Place, Task};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// What a server is asked for; what members do is made of these (`crates/cluster/src/nats.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// A task into the queue.
    Put,
    /// A look for a task that waits a moment.
    Look,
    /// One that waits for longer, and the word that somebody has nothing to do.
    Hungry,
    /// A task, handed out.
    Take,
    /// A word of a task: it is over, or somebody is still at it.
    Say,
    Ask,
    Keep,
    KeepNew,
    Forget,
    Object,
    Fetch,
    Delete,
    Nothing,
}

impl Request {
    /// Which of the server's threads is at it.
    pub fn lane(self) -> usize {
        match self {
            Request::Put | Request::Look | Request::Hungry | Request::Take | Request::Say => 0,
            Request::Ask | Request::Keep | Request::KeepNew | Request::Forget => 1,
            Request::Object | Request::Fetch | Request::Delete | Request::Nothing => 2,
        }
    }
}

/// Of one request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Price {
    pub time: Nanos,
    pub read: u64,
    pub written: u64,
}

/// What something costs the server: microseconds of its processor, bytes that it reads from members, and bytes that it writes to them
/// and to its disk.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Cost {
    pub micros: f64,
    pub read: f64,
    pub written: f64,
}

impl Cost {
    fn minus(self, other: Cost) -> Cost {
        Cost {
            micros: (self.micros - other.micros).max(0.0),
            read: (self.read - other.read).max(0.0),
            written: (self.written - other.written).max(0.0),
        }
    }

    fn times(self, factor: f64) -> Cost {
        Cost {
            micros: self.micros * factor,
            read: self.read * factor,
            written: self.written * factor,
        }
    }
}

/// As they are kept in a file.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Prices {
    pub put: Cost,
    /// A look for a task that finds none, with the word that somebody waits.
    pub empty: Cost,
    pub take: Cost,
    pub say: Cost,
    pub ask: Cost,
    pub keep: Cost,
    pub keep_new: Cost,
    pub forget: Cost,
    /// Of a byte of a value that is kept or asked for.
    pub byte: Cost,
    pub object: Cost,
    pub object_byte: Cost,
    pub fetch: Cost,
    pub fetch_byte: Cost,
    pub delete: Cost,
}

impl Prices {
    /// Of a request about so many bytes.
    pub fn of(&self, request: Request, bytes: u64) -> Price {
        let none = Cost::default();
        let (fixed, each, many) = match request {
            Request::Put => (self.put, none, 0),
            Request::Look | Request::Hungry => (self.empty.times(0.5), none, 0),
            Request::Take => (self.take, none, 0),
            Request::Say => (self.say, none, 0),
            Request::Ask => (self.ask, none, bytes),
            Request::Keep => (self.keep, self.byte, bytes),
            Request::KeepNew => (self.keep_new, self.byte, bytes),
            Request::Forget => (self.forget, none, 0),
            Request::Object => (self.object, self.object_byte, bytes),
            Request::Fetch => (self.fetch, self.fetch_byte, bytes),
            Request::Delete => (self.delete, none, 0),
            Request::Nothing => (none, none, 0),
        };
        let sum = |fixed: f64, each: f64| (fixed + each * many as f64).max(0.0);
        Price {
            time: (sum(fixed.micros, each.micros) * 1000.0) as Nanos,
            read: sum(fixed.read, each.read) as u64,
            written: sum(fixed.written, each.written) as u64,
        }
    }
}

/// Members that ask at the same time.
const THREADS: u64 = 4;
const SETTLE: Duration = Duration::from_millis(300);

/// A number of a process's statistics of bytes.
fn said(io: &Path, name: &str) -> Result<f64> {
    let io = std::fs::read_to_string(io)?;
    let line = io.lines().find_map(|line| line.strip_prefix(name));
    Ok(line.context("no statistics of bytes")?.trim().parse()?)
}

/// A real server, and what it has used so far.
struct Meter {
    server: Server,
    cluster: Cluster,
    /// Names that were used.
    used: AtomicU64,
}

impl Meter {
    fn used(&self) -> Result<Cost> {
        let process = Path::new("/proc").join(self.server.id().to_string());
        let stat = std::fs::read_to_string(process.join("stat"))?;
        // The name may have spaces; behind it, the twelfth and the next are times.
        let (_, behind) = stat.rsplit_once(')').context("no statistics")?;
        let fields: Vec<&str> = behind.split_whitespace().collect();
        let ticks: u64 = fields[11].parse::<u64>()? + fields[12].parse::<u64>()?;
        // What this process writes, the server reads.
        let ours = said(Path::new("/proc/self/io"), "wchar:")?;
        let its = said(&process.join("io"), "wchar:")?;
        // SAFETY: sysconf only reads.
        let hertz = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
        Ok(Cost {
            micros: ticks as f64 * 1e6 / hertz as f64,
            read: ours,
            written: its,
        })
    }

    /// What each of so many costs, which some threads do.
    fn each(&self, many: u64, what: impl Fn(u64) -> Result<()> + Sync) -> Result<Cost> {
        self.by(THREADS, many / THREADS, what)
    }

    fn by(&self, threads: u64, each: u64, what: impl Fn(u64) -> Result<()> + Sync) -> Result<Cost> {
        let first = self.used.fetch_add(threads * each, Relaxed);
        let before = self.used()?;
        std::thread::scope(|scope| {
            let work = |thread: u64| {
                let mut numbers = (0..each).map(|number| first + thread * each + number);
                numbers.try_for_each(&what)
            };
            let all: Vec<_> = (0..threads)
                .map(|thread| scope.spawn(move || work(thread)))
                .collect();
            all.into_iter().try_for_each(|thread| match thread.join() {
                Ok(done) => done,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })?;
        // It may still be at work on what nobody waits for.
        std::thread::sleep(SETTLE);
        let used = self.used()?.minus(before);
        Ok(used.times(1.0 / (threads * each) as f64))
    }
}

/// Members that wait for a task at the same time when that is measured: so many that it does not matter what the server does
/// by itself.
const WAITING: u64 = 256;
/// A value that is large and yet among the names, and two objects.
const VALUE: u64 = 64 << 10;
const OBJECTS: [u64; 2] = [1 << 20, 4 << 20];
const SMALL: usize = 100;
const OFTEN: u64 = 2000;

fn key(number: u64) -> Key {
    Key::new(Kind::Portion, &task(number))
}

fn task(number: u64) -> Task {
    Task::root().child(number as u32)
}

/// Bytes that differ from object to object.
fn bytes(number: u64, many: u64) -> Vec<u8> {
    let mut bytes = vec![0x5a; many as usize];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    bytes
}

/// Measures all of them, in less than two minutes.
pub fn measure() -> Result<Prices> {
    let server = Server::start();
    let place: Place = format!("{}/prices", server.address()).parse()?;
    let meter = Meter {
        cluster: place.open(&Arc::default())?,
        server,
        used: AtomicU64::new(0),
    };
    let Cluster { queue, store } = meter.cluster.clone();
    let small = [b'x'; SMALL];
    let put_small = |number| Ok(store.put(&key(number), &small)?);
    let ask = meter.each(OFTEN, |number| {
        store.has(&key(number))?;
        Ok(())
    })?;
    let asked_and_kept = meter.each(OFTEN, put_small)?;
    let keep = asked_and_kept.minus(ask);
    let keep_new = meter.each(OFTEN, |number| {
        store.put_new(&key(number), &small)?;
        Ok(())
    })?;
    let forget = meter.each(OFTEN, |number| {
        put_small(number)?;
        Ok(store.forget(&key(number))?)
    })?;
    let forget = forget.minus(asked_and_kept).minus(ask);
    let value = meter.each(OFTEN / 10, |number| {
        Ok(store.put(&key(number), &bytes(number, VALUE))?)
    })?;
    let byte = value.minus(asked_and_kept).times(1.0 / VALUE as f64);

    let put = meter.each(OFTEN, |number| Ok(queue.put(&task(number))?))?;
    let leases = std::sync::Mutex::new(Vec::<Box<dyn Lease>>::new());
    let take = meter.each(OFTEN, |_| {
        let lease = queue.take(Duration::from_secs(1))?;
        if let Ok(mut leases) = leases.lock() {
            leases.extend(lease);
        }
        Ok(())
    })?;
    let take = take.minus(keep);
    let say = meter.each(OFTEN, |_| {
        let lease = leases.lock().ok().and_then(|mut leases| leases.pop());
        Ok(lease.context("a task is missing")?.done()?)
    })?;
    let wait = Duration::from_millis(300);
    let look = |_| {
        let found = queue.take(wait)?;
        ensure!(found.is_none(), "there is a task");
        Ok(())
    };
    let empty = meter.by(WAITING, 4, look)?;

    let object = |size: u64| {
        let first = meter.used.load(Relaxed);
        let often = 64 * OBJECTS[0] / size;
        let put = |number: u64| Ok(store.put(&key(number), &bytes(number, size))?);
        let kept = meter.each(often, put)?;
        meter.used.store(first, Relaxed);
        let fetched = meter.each(often, |number| {
            ensure!(store.get(&key(number))?.is_some(), "an object is missing");
            Ok(())
        })?;
        meter.used.store(first, Relaxed);
        let again = meter.each(often, |number| {
            Ok(store.put(&key(number), &bytes(number + (1 << 32), size))?)
        })?;
        Ok::<_, anyhow::Error>((
            kept.minus(ask).minus(keep),
            fetched.minus(ask),
            again.minus(kept),
        ))
    };
    let [one, four] = [object(OBJECTS[0])?, object(OBJECTS[1])?];
    let step = 1.0 / (OBJECTS[1] - OBJECTS[0]) as f64;
    let object_byte = four.0.minus(one.0).times(step);
    let fetch_byte = four.1.minus(one.1).times(step);
    Ok(Prices {
        put,
        empty,
        take,
        say,
        ask,
        keep,
        keep_new,
        forget,
        byte,
        object: one.0.minus(object_byte.times(OBJECTS[0] as f64)),
        object_byte,
        fetch: one.1.minus(fetch_byte.times(OBJECTS[0] as f64)),
        fetch_byte,
        delete: one.2,
    })
}
