//! Members, their connections and the server fail at random moments: the tree is the same, and little is done twice.
//!
//! A member that is killed is one whose every word to the fleet is lost from some moment on, with all that it had;
//! another begins in its place. Its connection goes through a relay of the test's, which can cut or hold it.

use crate::members::{build, together};
use elsewise_campaign::toy::{Cond, Expr, Stmt, Toy, options, subjects, wide_program};
use elsewise_cluster::server::Server;
use elsewise_cluster::{
    Cluster, ClusterError, Joined, Key, Lease, Member, Nats, Queue, Store, Task,
};
use elsewise_explore::{Blueprint, Case, Outcome, Random, RunError, Subject, Trace};
use elsewise_term::{Model, Terms};
use std::collections::BTreeSet;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const MEMBERS: usize = 3;
/// As much as a run takes at least.
const RUN: Duration = Duration::from_millis(16);
/// After which a member that says nothing has lost its portion.
const LEASE: Duration = Duration::from_secs(2);
/// Campaigns at the same time: they sleep most of the time.
const AT_ONCE: usize = 10;
/// Work that is done twice, of all, on the average of so many campaigns.
const MANY: u64 = 50;
const TWICE: f64 = 0.05;

/// A subject that counts its runs, over all members.
#[derive(Clone)]
struct Counted {
    toy: Toy,
    runs: Arc<AtomicU64>,
}

impl Subject for Counted {
    fn blueprint(&self) -> &Blueprint {
        self.toy.blueprint()
    }

    fn first_case(&self) -> Case {
        self.toy.first_case()
    }

    fn run(&mut self, case: &Case, terms: &mut Terms) -> Result<Trace, RunError> {
        self.runs.fetch_add(1, Relaxed);
        std::thread::sleep(RUN);
        self.toy.run(case, terms)
    }

    fn apply_model(&self, case: &Case, terms: &Terms, model: &Model) -> Case {
        self.toy.apply_model(case, terms, model)
    }

    fn confirm(&mut self, case: &Case) -> Result<Outcome, RunError> {
        self.toy.confirm(case)
    }
}

/// The server, as somebody sees it who may have been killed.
#[derive(Clone)]
struct Mortal {
    nats: Arc<Nats>,
    dead: Arc<AtomicBool>,
}

impl Mortal {
    fn alive(&self) -> Result<(), ClusterError> {
        match self.dead.load(Relaxed) {
            false => Ok(()),
            true => Err(ClusterError::Unreachable {
                server: String::new(),
                why: "killed".to_owned(),
            }),
        }
    }
}

impl Queue for Mortal {
    fn put(&self, task: &Task) -> Result<(), ClusterError> {
        self.alive()?;
        Queue::put(self.nats.as_ref(), task)
    }

    fn take(&self, wait: Duration) -> Result<Option<Box<dyn Lease>>, ClusterError> {
        self.alive()?;
        let lease = self.nats.take(wait)?;
        Ok(lease.map(|lease| {
            Box::new(MortalLease {
                lease,
                of: self.clone(),
            }) as Box<dyn Lease>
        }))
    }
}

struct MortalLease {
    lease: Box<dyn Lease>,
    of: Mortal,
}

impl Lease for MortalLease {
    fn task(&self) -> &Task {
        self.lease.task()
    }

    fn others_wait(&self) -> bool {
        self.of.alive().is_ok() && self.lease.others_wait()
    }

    fn renew_after(&self) -> Option<Duration> {
        self.lease.renew_after()
    }

    fn renew(&self) -> Result<bool, ClusterError> {
        self.of.alive()?;
        self.lease.renew()
    }

    fn done(&self) -> Result<(), ClusterError> {
        self.of.alive()?;
        self.lease.done()
    }

    fn give_back(&self) -> Result<(), ClusterError> {
        self.of.alive()?;
        self.lease.give_back()
    }
}

impl Store for Mortal {
    fn get(&self, key: &Key) -> Result<Option<Vec<u8>>, ClusterError> {
        self.alive()?;
        self.nats.get(key)
    }

    fn has(&self, key: &Key) -> Result<bool, ClusterError> {
        self.alive()?;
        self.nats.has(key)
    }

    fn put(&self, key: &Key, bytes: &[u8]) -> Result<(), ClusterError> {
        self.alive()?;
        Store::put(self.nats.as_ref(), key, bytes)
    }

    fn put_new(&self, key: &Key, bytes: &[u8]) -> Result<bool, ClusterError> {
        self.alive()?;
        self.nats.put_new(key, bytes)
    }

    fn forget(&self, key: &Key) -> Result<(), ClusterError> {
        self.alive()?;
        self.nats.forget(key)
    }
}

const THROUGH: u8 = 0;
const HELD: u8 = 1;
const CUT: u8 = 2;

/// Between a member and the server.
struct Relay {
    port: u16,
    state: Arc<AtomicU8>,
    over: Arc<AtomicBool>,
}

impl Relay {
    fn to(server: u16) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(AtomicU8::new(THROUGH));
        let over = Arc::new(AtomicBool::new(false));
        let (of_relay, ends) = (state.clone(), over.clone());
        std::thread::spawn(move || {
            while !ends.load(Relaxed) {
                let Ok((near, _)) = listener.accept() else {
                    std::thread::sleep(Duration::from_millis(5));
                    continue;
                };
                if of_relay.load(Relaxed) == CUT {
                    continue;
                }
                let Ok(far) = TcpStream::connect(("127.0.0.1", server)) else {
                    continue;
                };
                for (from, to) in [(&near, &far), (&far, &near)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let (state, over) = (of_relay.clone(), ends.clone());
                    std::thread::spawn(move || pass_on(from, to, &state, &over));
                }
            }
        });
        Relay { port, state, over }
    }

    fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.over.store(true, Relaxed);
    }
}

fn pass_on(mut from: TcpStream, mut to: TcpStream, state: &AtomicU8, over: &AtomicBool) {
    let mut bytes = [0; 1 << 14];
    let _ = from.set_nonblocking(false);
    let _ = from.set_read_timeout(Some(Duration::from_millis(5)));
    while !over.load(Relaxed) && state.load(Relaxed) != CUT {
        if state.load(Relaxed) == HELD {
            std::thread::sleep(Duration::from_millis(5));
            continue;
        }
        match from.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => {
                if to.write_all(&bytes[..count]).is_err() {
                    break;
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => break,
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}

/// A machine on which a member runs, and another when that one has ended before the campaign has.
struct Machine {
    relay: Relay,
    /// Of the member that runs there now: it is to leave in peace, and it has been killed.
    now: Mutex<(Arc<AtomicBool>, Arc<AtomicBool>)>,
    done: AtomicBool,
}

impl Machine {
    fn new(server: u16) -> Machine {
        Machine {
            relay: Relay::to(server),
            now: Mutex::default(),
            done: AtomicBool::new(false),
        }
    }

    fn run(&self, campaign: &str, subject: &Counted) {
        let folder = tempfile::tempdir().unwrap();
        let options = options(&folder.path().join("none"));
        while !self.done.load(Relaxed) {
            let (stop, dead) = (Arc::default(), Arc::default());
            *self.now.lock().unwrap() = (Arc::clone(&stop), Arc::clone(&dead));
            let Ok(nats) = Nats::with_lease(&self.relay.address(), campaign, LEASE) else {
                std::thread::sleep(Duration::from_millis(20));
                continue;
            };
            let cluster = Cluster::new(Mortal {
                nats: Arc::new(nats),
                dead,
            });
            let mut subjects = vec![Box::new(subject.clone()) as Box<dyn Subject>];
            let joined = Member::join(&cluster, &options, &build(&subject.toy), &[], &stop)
                .and_then(|mut member| member.explore(&mut subjects, &mut |_| {}));
            if let Ok(Joined::Done) = joined {
                self.done.store(true, Relaxed);
            }
        }
    }

    fn end(&self, killed: bool) {
        let now = self.now.lock().unwrap();
        now.1.store(killed, Relaxed);
        now.0.store(true, Relaxed);
    }
}

/// Of a member, of its connection, or of the server.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Killed,
    Leaves,
    Cut,
    Held,
    /// For longer than a lease.
    Silent,
    ServerKilled,
    DiskFull,
    OtherVersion,
    /// Somebody takes part who has another program than is said.
    Liar,
}

const FAULTS: [Fault; 9] = [
    Fault::Killed,
    Fault::Leaves,
    Fault::Cut,
    Fault::Held,
    Fault::Silent,
    Fault::ServerKilled,
    Fault::DiskFull,
    Fault::OtherVersion,
    Fault::Liar,
];

impl Fault {
    fn happen(self, random: &mut Random, machines: &[Machine], server: &mut Server, build: &str) {
        let machine = &machines[random.below(machines.len())];
        let wait = Duration::from_millis(random.below(300) as u64);
        let relay = |state, wait| {
            machine.relay.state.store(state, Relaxed);
            std::thread::sleep(wait);
            machine.relay.state.store(THROUGH, Relaxed);
        };
        match self {
            Fault::Killed => machine.end(true),
            Fault::Leaves => machine.end(false),
            Fault::Cut => relay(CUT, wait),
            Fault::Held => relay(HELD, wait),
            Fault::Silent => relay(HELD, LEASE + wait),
            Fault::ServerKilled => {
                server.end();
                std::thread::sleep(wait);
                server.begin(None);
            }
            Fault::DiskFull => {
                server.end();
                server.begin(Some(1));
                std::thread::sleep(wait);
                server.end();
                server.begin(None);
            }
            Fault::OtherVersion => {
                let other = format!("{build} of another version");
                let joined = take_part(server, &wide_program(3), &other);
                assert!(matches!(joined, Err(ClusterError::OtherCampaign(_))));
            }
            Fault::Liar => {
                let _ = take_part(server, &wide_program(3), build);
            }
        }
    }
}

const CAMPAIGN: &str = "c";

/// Somebody else explores for a short while what he says is this build.
fn take_part(server: &Server, toy: &Toy, build: &str) -> Result<Joined, ClusterError> {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(&folder.path().join("none"));
    options.budget.time = Some(Duration::from_millis(100));
    let cluster = Cluster::new(Nats::with_lease(&server.address(), CAMPAIGN, LEASE)?);
    let stop = AtomicBool::new(false);
    let mut member = Member::join(&cluster, &options, build, &[], &stop)?;
    member.explore(&mut subjects(toy, 1), &mut |_| {})
}

/// A program with some 4,096 paths, of which a few fail.
fn program() -> Toy {
    let mut body = wide_program(12).body.to_vec();
    for (line, byte) in [(90, 5), (91, 0x61), (92, 0xf0)] {
        let is = Cond::Equal(Expr::Input(0), Expr::Const(byte));
        body.push(Stmt::If(
            line,
            is,
            vec![Stmt::Fail("failed", line)],
            Vec::new(),
        ));
    }
    Toy::new("faults", body, 2)
}

/// A campaign with the faults of a seed: how many runs were made, and how many there are.
fn campaign(seed: u64) -> (u64, u64) {
    let mut random = Random::new(seed);
    let toy = program();
    let (paths, failures) = toy.brute_force();
    let mut server = Server::start();
    let subject = Counted {
        toy: toy.clone(),
        runs: Arc::default(),
    };
    let machines: Vec<Machine> = (0..MEMBERS).map(|_| Machine::new(server.port())).collect();
    let mut faults = Vec::new();
    std::thread::scope(|scope| {
        for machine in &machines {
            scope.spawn(|| machine.run(CAMPAIGN, &subject));
        }
        for _ in 0..1 + random.below(4) {
            std::thread::sleep(Duration::from_millis(500 + random.below(4000) as u64));
            let fault = FAULTS[random.below(FAULTS.len())];
            faults.push(fault);
            fault.happen(&mut random, &machines, &mut server, &build(&toy));
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let nats = Nats::with_lease(&server.address(), CAMPAIGN, LEASE).unwrap();
    let merging = Box::new(subject.clone());
    let summary = together(&Cluster::new(nats), merging, folder.path());
    let runs = subject.runs.load(Relaxed);
    assert_eq!(summary.paths, paths, "seed {seed}: {faults:?}");
    let found: BTreeSet<u32> = summary.findings.iter().map(|it| it.line).collect();
    assert_eq!(found, failures, "seed {seed}: {faults:?}");
    assert!(summary.complete, "seed {seed}: {faults:?}");
    println!("seed {seed}: {faults:?}, {runs} runs for {paths} paths");
    (runs, paths)
}

/// `ELSEWISE_RANDOM_FAULTS` schedules of faults, from seed `ELSEWISE_RANDOM_FIRST` on.
#[test]
fn random_faults() {
    let number = |name| {
        std::env::var(name)
            .ok()
            .map(|text| text.parse::<u64>().unwrap())
    };
    let count = number("ELSEWISE_RANDOM_FAULTS").unwrap_or(10);
    let first = number("ELSEWISE_RANDOM_FIRST").unwrap_or(0);
    let seeds: Vec<u64> = (first..first + count).collect();
    let (mut made, mut needed) = (0, 0);
    for some in seeds.chunks(AT_ONCE) {
        std::thread::scope(|scope| {
            let all: Vec<_> = some
                .iter()
                .map(|seed| scope.spawn(|| campaign(*seed)))
                .collect();
            for one in all {
                let (runs, paths) = one.join().unwrap();
                made += runs;
                needed += paths;
            }
        });
    }
    let twice = made.saturating_sub(needed) as f64 / needed as f64;
    println!("{:.1} % of the work was done twice", twice * 100.0);
    // A few schedules may be unlucky: somebody who lies may get the largest portion, and what was known of it is lost.
    let many = count >= MANY;
    assert!(twice < TWICE || !many, "{made} runs for {needed} paths");
}
