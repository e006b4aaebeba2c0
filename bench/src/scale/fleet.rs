//! A whole fleet, from the first member that joins until all know that everything has been explored.

use super::clock::{Clock, Nanos, SECOND, seconds};
use super::explorer::{Counted, Simulated, Sizes, Tally};
use super::place::{Count, LANES, Links, Seat, Server, Wires};
use super::prices::Prices;
use super::shape::Shape;
use super::shards::Shards;
use anyhow::{Context, Result};
use elsewise_campaign::Options;
use elsewise_cluster::{ClusterError, Member};
use elsewise_test_random::Random;
use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Within so long all members join.
const JOINING: Nanos = SECOND;

/// Which fleet.
#[derive(Clone)]
pub struct Plan {
    pub members: usize,
    pub shape: Arc<Shape>,
    pub sizes: Sizes,
    pub prices: Arc<Prices>,
    pub wires: Wires,
    pub layout: Layout,
}

/// By how many its tasks, names and objects are shared: `4` are four servers, `1x4` one with four streams of each kind, of which
/// each member that has nothing to do asks one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    servers: usize,
    streams: usize,
}

impl FromStr for Layout {
    type Err = String;

    fn from_str(text: &str) -> Result<Layout, String> {
        let (servers, streams) = text.split_once('x').unwrap_or((text, "1"));
        let number = |text: &str| {
            text.parse()
                .ok()
                .filter(|number| (1..=1000).contains(number))
        };
        match (number(servers), number(streams)) {
            (Some(servers), Some(streams)) => Ok(Layout { servers, streams }),
            _ => Err("servers, or servers and streams of each: 1, 4, 1x4".to_owned()),
        }
    }
}

impl Display for Layout {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self.streams {
            1 => write!(f, "{}", self.servers),
            streams => write!(f, "{}x{streams}", self.servers),
        }
    }
}

impl Layout {
    /// As people say it.
    pub fn title(self) -> String {
        let counted = |count: usize, what: &str| match count {
            1 => format!("one {what}"),
            several => format!("{several} {what}s"),
        };
        let servers = counted(self.servers, "server");
        match self.streams {
            1 => servers,
            several => format!("{servers}, {several} shards each"),
        }
    }
}

/// What came of it.
pub struct Outcome {
    pub seconds: f64,
    /// As long as it takes at least.
    pub ideal: f64,
    pub tally: Tally,
    /// In each second: tasks that wait, and members that do.
    pub depths: Vec<(usize, usize)>,
    pub deepest: usize,
    /// Of the busiest server: the part of the time in which each of its lanes was at work.
    pub busy: [f64; LANES.len()],
    pub counts: BTreeMap<&'static str, Count>,
}

/// What members share.
struct Fleet {
    plan: Plan,
    clock: Arc<Clock>,
    world: Arc<Counted>,
    servers: Vec<Arc<Server>>,
    tally: Arc<Mutex<Tally>>,
    depths: Mutex<Vec<(usize, usize)>>,
    left: AtomicUsize,
    /// When the last one has left.
    ended: Mutex<Nanos>,
    failed: Mutex<Option<ClusterError>>,
}

impl Fleet {
    fn member(&self, who: usize) -> Result<(), ClusterError> {
        let seat = Seat::new(who, &self.clock);
        let places = self.servers.iter().map(|server| seat.at(server)).collect();
        let cluster = Shards::cluster(places, who as u64);
        let mut explorer = Simulated {
            seat,
            shape: self.plan.shape.clone(),
            sizes: self.plan.sizes,
            tally: self.tally.clone(),
            random: Random::new(who as u64),
        };
        let (options, stop) = (Options::default(), AtomicBool::new(false));
        let world = self.world.clone();
        let mut member = Member::join_in(world, &cluster, &options, "", &[], &stop)?;
        member.explore_by(&mut explorer, &mut |_| {})?;
        Ok(())
    }

    /// Writes down how things are, second by second.
    fn note(&self) {
        while self.left.load(Relaxed) > 0 {
            let depth = self.servers.iter().map(|server| server.depth().0).sum();
            let idle = self.servers.iter().map(|server| server.idle()).sum();
            if let Ok(mut depths) = self.depths.lock() {
                depths.push((depth, idle));
            }
            let who = self.plan.members;
            self.clock.wait(who, self.clock.now() + SECOND);
        }
    }

    fn take_part(&self, who: usize) {
        if who == self.plan.members {
            return self.note();
        }
        let done = self.member(who);
        if let (Err(error), Ok(mut failed)) = (done, self.failed.lock()) {
            failed.get_or_insert(error);
        }
        if let Ok(mut ended) = self.ended.lock() {
            *ended = self.clock.now();
        }
        self.left.fetch_sub(1, Relaxed);
    }
}

pub fn run(plan: &Plan) -> Result<Outcome> {
    let clock = Arc::new(Clock::default());
    let shards = |_| {
        let links = Links::default();
        let shard = |_| Arc::new(Server::new(&clock, &plan.prices, plan.wires, &links));
        (0..plan.layout.streams).map(shard).collect::<Vec<_>>()
    };
    let fleet = Arc::new(Fleet {
        plan: plan.clone(),
        clock: clock.clone(),
        world: Arc::new(Counted {
            clock: clock.clone(),
            begun: Instant::now(),
        }),
        servers: (0..plan.layout.servers).flat_map(shards).collect(),
        tally: Arc::default(),
        depths: Mutex::default(),
        left: AtomicUsize::new(plan.members),
        ended: Mutex::default(),
        failed: Mutex::default(),
    });
    let from = |who: usize| who as Nanos * JOINING / plan.members as Nanos;
    clock.run(plan.members + 1, from, |who| {
        let fleet = fleet.clone();
        move || fleet.take_part(who)
    })?;
    if let Ok(Some(error)) = fleet.failed.lock().map(|mut failed| failed.take()) {
        return Err(error).context("a member failed");
    }
    let seconds = fleet.ended.lock().map_or(0.0, |ended| seconds(*ended));
    let mut counts: BTreeMap<&'static str, Count> = BTreeMap::new();
    let mut busy = [0.0_f64; LANES.len()];
    for server in &fleet.servers {
        for (what, count) in server.counts() {
            let sum = counts.entry(what).or_default();
            sum.times += count.times;
            sum.read += count.read;
            sum.written += count.written;
        }
        for (most, lane) in busy.iter_mut().zip(server.lanes()) {
            *most = most.max(super::clock::seconds(lane.busy) / seconds);
        }
    }
    Ok(Outcome {
        seconds,
        ideal: super::clock::seconds(plan.shape.total()) / plan.members as f64,
        tally: fleet
            .tally
            .lock()
            .map(|mut tally| std::mem::take(&mut *tally))
            .unwrap_or_default(),
        depths: fleet
            .depths
            .lock()
            .map(|mut depths| std::mem::take(&mut *depths))
            .unwrap_or_default(),
        deepest: fleet.servers.iter().map(|server| server.depth().1).sum(),
        busy,
        counts,
    })
}
