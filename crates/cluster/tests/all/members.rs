//! Members of a campaign, in threads of the test, at each of the places where they may meet.

use elsewise_campaign::toy::{Toy, options, random_program, subjects, wide_program};
use elsewise_campaign::{Options, Summary, explore};
use elsewise_cluster::server::Server;
use elsewise_cluster::{Cluster, ClusterError, Joined, Member, Memory, Place, gather};
use elsewise_explore::Subject;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Barrier};
use std::time::Duration;

pub fn build(toy: &Toy) -> String {
    toy.blueprint().build.clone()
}

/// So many members, each in a thread: how many portions each explored.
pub fn members(cluster: &Cluster, toy: &Toy, many: usize, options: &Options) -> Vec<u64> {
    let stop = AtomicBool::new(false);
    // However long it takes to join, nobody has done everything by then.
    let joined_all = Barrier::new(many);
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..many)
            .map(|_| {
                scope.spawn(|| {
                    let mut member =
                        Member::join(cluster, options, &build(toy), &[], &stop).unwrap();
                    joined_all.wait();
                    let joined = member.explore(&mut subjects(toy, 1), &mut |_| {}).unwrap();
                    assert_eq!(joined, Joined::Done);
                    member.portions()
                })
            })
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

/// What all of them have explored, as one campaign.
pub fn together(cluster: &Cluster, subject: Box<dyn Subject>, folder: &Path) -> Summary {
    let parts = folder.join("parts");
    std::fs::create_dir(&parts).unwrap();
    let store = cluster.store.as_ref();
    let merged = options(&folder.join("merged"));
    let gathered = gather(store, &parts, &merged, subject.blueprint()).unwrap();
    let merge = Options {
        merge: gathered.parts,
        ..merged
    };
    let stop = AtomicBool::new(false);
    explore(&merge, vec![subject], &mut |_| {}, &stop).unwrap()
}

/// Random programs, explored by one to five members, against brute force.
fn agree(place: impl Fn(u64) -> Cluster, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let toy = random_program(seed);
        let (paths, failures) = toy.brute_force();
        let folder = tempfile::tempdir().unwrap();
        let cluster = place(seed);
        let many = 1 + seed as usize % 5;
        members(&cluster, &toy, many, &options(&folder.path().join("none")));
        let summary = together(&cluster, Box::new(toy.clone()), folder.path());
        assert_eq!(summary.paths, paths, "program {seed}");
        assert_eq!(summary.findings.len(), failures.len(), "program {seed}");
        assert!(summary.complete, "{seed}: {:?}", summary.approximations);
    }
}

/// A program with so much to do that it is shared.
pub fn share(cluster: &Cluster) {
    let toy = wide_program(12);
    let folder = tempfile::tempdir().unwrap();
    let portions = members(cluster, &toy, 4, &options(&folder.path().join("none")));
    let summary = together(cluster, Box::new(toy.clone()), folder.path());
    assert_eq!((summary.paths, summary.complete), (4096, true));
    assert_eq!(summary.runs, 4096, "nothing was left to be run");
    let busy = portions.iter().filter(|portions| **portions > 0).count();
    assert!(busy >= 2, "{portions:?}");
}

#[test]
fn threads_are_one_campaign() {
    agree(|_| Cluster::new(Memory::default()), 0..12);
    share(&Cluster::new(Memory::default()));
}

#[test]
fn members_that_share_a_folder_are_one_campaign() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: String| {
        Place::Folder(folder.path().join(name))
            .open(&Arc::default())
            .unwrap()
    };
    agree(|seed| place(seed.to_string()), 0..8);
    share(&place("wide".to_owned()));
}

#[test]
fn members_of_a_server_are_one_campaign() {
    let server = Server::start();
    let place = |name: String| -> Cluster {
        let place: Place = format!("{}/{name}", server.address()).parse().unwrap();
        place.open(&Arc::default()).unwrap()
    };
    agree(|seed| place(format!("p{seed}")), 0..6);
    share(&place("wide".to_owned()));
}

#[test]
fn whoever_explores_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = Cluster::new(Memory::default());
    let stop = AtomicBool::new(false);
    let toy = wide_program(3);
    let ours = options(&folder.path().join("none"));
    Member::join(&cluster, &ours, &build(&toy), &[], &stop).unwrap();
    let join = |options: &Options, build: &str| {
        let stop = AtomicBool::new(false);
        let joined = Member::join(&cluster, options, build, &[], &stop).map(|_| ());
        matches!(joined, Err(ClusterError::OtherCampaign(_)))
    };
    assert!(join(&ours, "another build"));
    let bounded = Options {
        max_values: 7,
        ..ours.clone()
    };
    assert!(join(&bounded, &build(&toy)));
    assert!(!join(&ours, &build(&toy)));
}

/// A member that has no more time leaves what it has to others.
#[test]
fn what_a_member_has_no_time_for_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = Cluster::new(Memory::default());
    let toy = wide_program(12);
    let mut short = options(&folder.path().join("none"));
    short.budget.time = Some(Duration::from_millis(60));
    let stop = AtomicBool::new(false);
    let mut first = Member::join(&cluster, &short, &build(&toy), &[], &stop).unwrap();
    let joined = first.explore(&mut subjects(&toy, 1), &mut |_| {}).unwrap();
    assert_eq!(joined, Joined::Budget);
    let gathered = folder.path().join("early");
    std::fs::create_dir(&gathered).unwrap();
    let store = cluster.store.as_ref();
    let early = gather(store, &gathered, &short, toy.blueprint()).unwrap();
    assert_eq!((early.parts.len(), early.unfinished), (1, 1));
    members(&cluster, &toy, 2, &options(&folder.path().join("none")));
    let summary = together(&cluster, Box::new(toy.clone()), folder.path());
    assert_eq!((summary.paths, summary.complete), (4096, true));
    assert_eq!(summary.runs, 4096);
}

/// The server goes away without a word while members are at work.
#[test]
fn a_server_that_begins_again_has_lost_nothing() {
    let mut server = Server::start();
    let place: Place = format!("{}/again", server.address()).parse().unwrap();
    let cluster = place.open(&Arc::default()).unwrap();
    let toy = wide_program(12);
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        let work =
            scope.spawn(|| members(&cluster, &toy, 3, &options(&folder.path().join("none"))));
        for _ in 0..3 {
            std::thread::sleep(Duration::from_millis(150));
            server.restart();
        }
        work.join().unwrap();
    });
    let summary = together(&cluster, Box::new(toy.clone()), folder.path());
    assert_eq!((summary.paths, summary.complete), (4096, true));
}
