//! Members, their connections and the server fail at random moments: the tree is the same, and little is done twice.
//!
//! A member that is killed is one whose every word to the fleet is lost from some moment on, with all that it had;
//! another begins in its place. Each has a network of its own, which can be down; and its connection goes through a relay,
//! which can cut or hold it, and delivers messages twice, late, or to another member. Clocks of processes are another
//! test's (`tests/tests/whole/clocks.rs`).

use crate::members::{build, together};
use crate::network::Network;
use crate::relay::{Counts, Known, Mischief, Relay, Way};
use elsewise_campaign::toy::{Cond, Expr, Stmt, Toy, options, subjects, wide_program};
use elsewise_cluster::server::Server;
use elsewise_cluster::{
    Cluster, ClusterError, Joined, Key, Lease, Member, Nats, Queue, Store, Task,
};
use elsewise_explore::{Blueprint, Case, Outcome, Random, RunError, Subject, Trace};
use elsewise_term::{Model, Terms};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const MEMBERS: usize = 3;
/// As much as a run takes at least.
const RUN: Duration = Duration::from_millis(16);
/// Campaigns at the same time: they sleep most of the time.
const AT_ONCE: usize = 10;
/// So many schedules have every kind of fault among them.
const EVERY: u64 = 10;
/// Messages of each member, and to it, that are late: if all were, leases would be lost all the time.
const REORDERED: u32 = 60;
/// Work that is done twice, of all, on the average of so many campaigns.
const MANY: u64 = 50;
const TWICE: f64 = 0.05;
/// A campaign that takes so long does not end.
const LIMIT: Duration = Duration::from_secs(200);

/// How large campaigns are.
#[derive(Clone, Copy)]
struct Size {
    /// Branches of the program, each of which doubles its paths.
    branches: usize,
    /// After which a member that says nothing has lost its portion.
    lease: Duration,
}

/// For every change: it is shown what faults do to a tree.
const SMALL: Size = Size {
    branches: 10,
    lease: Duration::from_secs(1),
};
/// Here what is done twice can be compared with what is to be done.
const LARGE: Size = Size {
    branches: 12,
    lease: Duration::from_secs(2),
};

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
                away: true,
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

/// A machine on which a member runs, and another when that one has ended before the campaign has.
struct Machine {
    /// Of its own, where the system lets us have one.
    network: Option<Network>,
    relay: Relay,
    /// Of the member that runs there now: it is to leave in peace, and it has been killed.
    now: Mutex<(Arc<AtomicBool>, Arc<AtomicBool>)>,
    done: AtomicBool,
}

impl Machine {
    fn new(server: u16, seed: u64, known: &Arc<Known>) -> Machine {
        let network = Network::new().ok();
        Machine {
            relay: Relay::new(server, network.as_ref(), seed, known),
            network,
            now: Mutex::default(),
            done: AtomicBool::new(false),
        }
    }

    fn run(&self, subject: &Counted, lease: Duration) {
        if let Some(network) = &self.network {
            network.enter().unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let begun = Instant::now();
        let mut options = options(&folder.path().join("none"));
        options.budget.time = Some(LIMIT);
        while !self.done.load(Relaxed) {
            assert!(begun.elapsed() < LIMIT, "the campaign does not end");
            let (stop, dead) = (Arc::default(), Arc::default());
            *self.now.lock().unwrap() = (Arc::clone(&stop), Arc::clone(&dead));
            let Ok(nats) = Nats::with_lease(&self.relay.address(), CAMPAIGN, lease) else {
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

    /// For so long nothing reaches it, and nobody is told.
    fn network_down(&self, wait: Duration) {
        let Some(network) = &self.network else {
            return self.relay_is(Way::Cut, wait);
        };
        network.set(false).unwrap();
        std::thread::sleep(wait);
        network.set(true).unwrap();
    }

    fn relay_is(&self, way: Way, wait: Duration) {
        self.relay.set(way);
        std::thread::sleep(wait);
        self.relay.set(Way::Through);
    }
}

/// Of a member, of its connection, or of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Killed,
    Leaves,
    Cut,
    /// For up to a lease and some more.
    NetworkDown,
    Held,
    /// For longer than a lease.
    Silent,
    ServerKilled,
    DiskFull,
    OtherVersion,
    /// Somebody takes part who has another program than is said.
    Liar,
    /// What members publish, and what is delivered to them, is so twice: at once, or after others have gone on.
    Twice,
    /// Members that ask for a task get one that another has.
    AnothersTask,
    /// Messages of members, and to them, overtake each other.
    Reordered,
}

const FAULTS: [Fault; 13] = [
    Fault::Killed,
    Fault::Leaves,
    Fault::Cut,
    Fault::NetworkDown,
    Fault::Held,
    Fault::Silent,
    Fault::ServerKilled,
    Fault::DiskFull,
    Fault::OtherVersion,
    Fault::Liar,
    Fault::Twice,
    Fault::AnothersTask,
    Fault::Reordered,
];

/// The faults of a seed, and after how many hundredths of the work each of them happens. The first two are dealt, so that
/// `EVERY` seeds that follow each other have all of them.
fn schedule(seed: u64, random: &mut Random) -> Vec<(usize, Fault)> {
    let dealt = |which: u64| FAULTS[((2 * seed + which) % FAULTS.len() as u64) as usize];
    let mut faults = vec![dealt(0), dealt(1)];
    for _ in 0..random.below(3) {
        faults.push(FAULTS[random.below(FAULTS.len())]);
    }
    for last in (1..faults.len()).rev() {
        faults.swap(last, random.below(last + 1));
    }
    // Whoever lies may get most of the work, which is over then, before anything else could happen.
    faults.sort_by_key(|fault| *fault == Fault::Liar);
    let (first, all) = (5, 70);
    let each = all / faults.len();
    let faults = faults.into_iter().enumerate();
    faults
        .map(|(index, fault)| (first + index * each + random.below(each), fault))
        .collect()
}

const CAMPAIGN: &str = "c";

/// A campaign in which faults happen.
struct Faulty<'a> {
    size: Size,
    machines: &'a [Machine],
    server: &'a mut Server,
    subject: &'a Counted,
    paths: u64,
}

impl Faulty<'_> {
    /// Waits until so much of the work is done; false if all is over before.
    fn wait(&self, hundredths: usize) -> bool {
        let over = || self.machines.iter().all(|it| it.done.load(Relaxed));
        let wanted = self.paths * hundredths as u64 / 100;
        while !over() && self.subject.runs.load(Relaxed) < wanted {
            std::thread::sleep(Duration::from_millis(5));
        }
        !over()
    }

    fn happens(&mut self, fault: Fault, random: &mut Random) {
        let machine = &self.machines[random.below(MEMBERS)];
        let wait = Duration::from_millis(random.below(300) as u64);
        let lease = self.size.lease;
        let build = build(&self.subject.toy);
        // For the rest of the campaign, or as long as it lasts: other faults happen meanwhile.
        let all = |change: fn(&mut Mischief, Duration)| {
            let machines = self.machines.iter();
            machines.for_each(|it| it.relay.mischief(|mischief| change(mischief, lease)));
        };
        match fault {
            Fault::Killed => machine.end(true),
            Fault::Leaves => machine.end(false),
            Fault::Cut => machine.relay_is(Way::Cut, wait),
            Fault::NetworkDown => machine.network_down(wait + lease / 5 * random.below(6) as u32),
            Fault::Held => machine.relay_is(Way::Held, wait),
            Fault::Silent => machine.relay_is(Way::Held, lease + wait),
            Fault::ServerKilled => {
                self.server.end();
                std::thread::sleep(wait);
                self.server.begin(None);
            }
            Fault::DiskFull => {
                self.server.end();
                self.server.begin(Some(1));
                std::thread::sleep(wait);
                self.server.end();
                self.server.begin(None);
            }
            Fault::OtherVersion => {
                let other = format!("{build} of another version");
                let joined = self.takes_part(&wide_program(3), &other);
                assert!(matches!(joined, Err(ClusterError::OtherCampaign(_))));
            }
            Fault::Liar => {
                let _ = self.takes_part(&wide_program(3), &build);
            }
            Fault::Twice => all(|mischief, lease| mischief.twice = Some(lease * 3 / 2)),
            Fault::AnothersTask => all(|mischief, _| mischief.anothers_task = true),
            Fault::Reordered => all(|mischief, _| mischief.reordered = REORDERED),
        }
    }

    /// Somebody else explores for a short while what he says is this build.
    fn takes_part(&self, toy: &Toy, build: &str) -> Result<Joined, ClusterError> {
        let folder = tempfile::tempdir().unwrap();
        let mut options = options(&folder.path().join("none"));
        options.budget.time = Some(Duration::from_millis(100));
        let nats = Nats::with_lease(&self.server.address(), CAMPAIGN, self.size.lease)?;
        let cluster = Cluster::new(nats);
        let stop = AtomicBool::new(false);
        let mut member = Member::join(&cluster, &options, build, &[], &stop)?;
        member.explore(&mut subjects(toy, 1), &mut |_| {})
    }
}

/// A program of which a few paths fail.
fn program(branches: usize) -> Toy {
    let mut body = wide_program(branches).body.to_vec();
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

/// What came of campaigns.
#[derive(Debug, Default)]
struct Made {
    runs: u64,
    paths: u64,
    /// Faults that happened before all was over.
    faults: BTreeSet<Fault>,
    twice: u64,
    overtaken: u64,
    handed: u64,
}

impl Made {
    fn add(&mut self, other: Made) {
        self.runs += other.runs;
        self.paths += other.paths;
        self.faults.extend(other.faults);
        self.twice += other.twice;
        self.overtaken += other.overtaken;
        self.handed += other.handed;
    }
}

/// A campaign with the faults of a seed.
fn campaign(seed: u64, size: Size, toy: &Toy, truth: &(u64, BTreeSet<u32>)) -> Made {
    let mut random = Random::new(seed);
    let faults = schedule(seed, &mut random);
    let (paths, failures) = (truth.0, &truth.1);
    // While the server is away, nobody else on this machine gets its port.
    if let Ok(network) = Network::new() {
        network.enter().unwrap();
    }
    let mut server = Server::start();
    let subject = Counted {
        toy: toy.clone(),
        runs: Arc::default(),
    };
    let known = Arc::new(Known::default());
    let machines: Vec<Machine> = (0..MEMBERS)
        .map(|_| Machine::new(server.port(), random.number(), &known))
        .collect();
    let mut happened = BTreeSet::new();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for machine in &machines {
            scope.spawn(|| machine.run(&subject, size.lease));
        }
        let mut campaign = Faulty {
            size,
            machines: &machines,
            server: &mut server,
            subject: &subject,
            paths,
        };
        for (moment, fault) in &faults {
            if campaign.wait(*moment) {
                campaign.happens(*fault, &mut random);
                happened.insert(*fault);
            }
        }
    });
    let took = begun.elapsed().as_secs_f64();
    let folder = tempfile::tempdir().unwrap();
    let nats = Nats::with_lease(&server.address(), CAMPAIGN, size.lease).unwrap();
    let merging = Box::new(subject.clone());
    let in_fleet = subject.runs.load(Relaxed);
    let summary = together(&Cluster::new(nats), merging, folder.path());
    let runs = subject.runs.load(Relaxed);
    let about = format!("seed {seed}: {faults:?}");
    assert_eq!(summary.paths, paths, "{about}");
    let found: BTreeSet<u32> = summary.findings.iter().map(|it| it.line).collect();
    assert_eq!(found, *failures, "{about}");
    assert!(summary.complete, "{about}");
    // Only what somebody has said who lies is left out, and is still to be explored.
    let open = runs - in_fleet;
    assert!(
        open == 0 || happened.contains(&Fault::Liar),
        "{open} runs were left: {about}"
    );
    let Counts {
        twice,
        overtaken,
        handed,
    } = &known.counts;
    println!(
        "{about}, {runs} runs for {paths} paths, {took:.1} s, {:?}",
        known.counts
    );
    Made {
        runs,
        paths,
        faults: happened,
        twice: twice.load(Relaxed),
        overtaken: overtaken.load(Relaxed),
        handed: handed.load(Relaxed),
    }
}

/// `ELSEWISE_RANDOM_FAULTS` schedules of faults in campaigns of 20 seconds, from seed `ELSEWISE_RANDOM_FIRST` on; otherwise
/// some in short ones.
#[test]
fn random_faults() {
    let number = |name| {
        std::env::var(name)
            .ok()
            .map(|text| text.parse::<u64>().unwrap())
    };
    let wanted = number("ELSEWISE_RANDOM_FAULTS");
    let size = wanted.map_or(SMALL, |_| LARGE);
    let count = wanted.unwrap_or(EVERY);
    let first = number("ELSEWISE_RANDOM_FIRST").unwrap_or(0);
    let seeds: Vec<u64> = (first..first + count).collect();
    if let Err(error) = Network::new() {
        println!("no networks of the test's own ({error}): the relay's cut stands in for them");
    }
    let toy = program(size.branches);
    let truth = toy.brute_force();
    let mut made = Made::default();
    for some in seeds.chunks(AT_ONCE) {
        std::thread::scope(|scope| {
            let all: Vec<_> = some
                .iter()
                .map(|seed| scope.spawn(|| campaign(*seed, size, &toy, &truth)))
                .collect();
            for one in all {
                made.add(one.join().unwrap());
            }
        });
    }
    let twice = made.runs.saturating_sub(made.paths) as f64 / made.paths as f64;
    println!("{:.1} % of the work was done twice", twice * 100.0);
    println!(
        "{} messages delivered twice, {} overtaken, {} tasks given to a second member",
        made.twice, made.overtaken, made.handed
    );
    if count >= EVERY {
        assert_eq!(made.faults, BTreeSet::from(FAULTS));
        assert!(
            made.twice > 0 && made.overtaken > 0 && made.handed > 0,
            "{made:?}"
        );
    }
    // A few schedules may be unlucky: somebody who lies may get the largest portion, and what was known of it is lost.
    assert!(twice < TWICE || count < MANY, "{made:?}");
}
