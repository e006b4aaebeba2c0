//! What a server has lost, or has under a wrong name, costs time, and no campaign.

use crate::members::{build, members, together};
use elsewise_campaign::toy::{options, wide_program};
use elsewise_cluster::server::Server;
use elsewise_cluster::{Cluster, Key, Kind, Member, Nats, Store, Task, gather};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Puts a value into the bucket as another client would.
fn write(server: &Server, campaign: &str, key: &Key, value: &str) {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    let said = format!(
        "CONNECT {{\"verbose\":false}}\r\nSUB in 1\r\n\
         PUB $KV.elw-{campaign}.{key} in {}\r\n{value}\r\n",
        value.len()
    );
    stream.write_all(said.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let mut bytes = [0; 4096];
    while !String::from_utf8_lossy(&answer).contains("\"seq\"") {
        let count = stream.read(&mut bytes).unwrap();
        assert!(count > 0);
        answer.extend_from_slice(&bytes[..count]);
    }
}

/// The name of an object that nobody has put there.
fn nothing() -> String {
    format!("@{}", "0".repeat(64))
}

#[test]
fn what_cannot_be_read_is_explored_anew() {
    let server = Server::start();
    let toy = wide_program(8);
    let folder = tempfile::tempdir().unwrap();
    let options = options(&folder.path().join("none"));
    let begin = |campaign: &str| {
        let cluster = Cluster::new(Nats::connect(&server.address(), campaign).unwrap());
        let stop = AtomicBool::new(false);
        Member::join(&cluster, &options, &build(&toy), &[], &stop).unwrap();
        cluster
    };
    for (number, (kind, value)) in [
        (Kind::Copy, nothing()),
        (Kind::Part, nothing()),
        (Kind::Part, "=no archive".to_owned()),
    ]
    .iter()
    .enumerate()
    {
        let campaign = format!("c{number}");
        let cluster = begin(&campaign);
        write(&server, &campaign, &Key::new(*kind, &Task::root()), value);
        members(&cluster, &toy, 2, &options);
        let place = folder.path().join(&campaign);
        std::fs::create_dir(&place).unwrap();
        let summary = together(&cluster, Box::new(toy.clone()), &place);
        let said = (summary.paths, summary.complete, summary.runs);
        assert_eq!(said, (256, true, 256), "{kind:?} {value}");
    }
}

/// Whoever looks early, while the last copy is away, is told of the rest.
#[test]
fn what_cannot_be_read_is_named() {
    let server = Server::start();
    let toy = wide_program(3);
    let folder = tempfile::tempdir().unwrap();
    let options = options(&folder.path().join("none"));
    let cluster = Cluster::new(Nats::connect(&server.address(), "named").unwrap());
    let key = Key::new(Kind::Copy, &Task::root());
    write(&server, "named", &key, &nothing());
    let blueprint = &toy.blueprint;
    let gathered = gather(cluster.store.as_ref(), folder.path(), &options, blueprint).unwrap();
    assert_eq!((gathered.parts.len(), gathered.unfinished), (0, 1));
    let [refused] = gathered.refused.as_slice() else {
        panic!("{gathered:?}");
    };
    assert!(refused.contains("its object is not there"), "{refused}");
}

/// Copies of a portion are put in each other's place while somebody reads them.
#[test]
fn an_object_can_be_read_while_it_is_replaced() {
    let server = Server::start();
    let nats = || Nats::connect(&server.address(), "replaced").unwrap();
    let (writes, reads) = (nats(), nats());
    let key = Key::new(Kind::Copy, &Task::root());
    let content = |number: u8| vec![number; 300 << 10];
    Store::put(&writes, &key, &content(0)).unwrap();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 1..=40 {
                Store::put(&writes, &key, &content(number)).unwrap();
            }
            over.store(true, Relaxed);
        });
        let mut last = 0;
        while !over.load(Relaxed) {
            let got = reads.get(&key).unwrap().unwrap();
            assert!(
                got[0] >= last && got == content(got[0]),
                "{} {last}",
                got[0]
            );
            last = got[0];
        }
    });
    assert_eq!(reads.get(&key).unwrap().unwrap(), content(40));
}
