//! What members of one campaign can see of another's on the same server, and what strange words there do.

use crate::members::build;
use elsewise_campaign::toy::{options, wide_program};
use elsewise_cluster::server::Server;
use elsewise_cluster::{
    Agreed, Cluster, ClusterError, Key, Kind, Member, Nats, Place, Queue, Store, Task,
};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const ACCOUNTS: &str = r#"
accounts {
  one: { jetstream: enabled, users: [ { user: one, password: p1 } ] }
  two: { jetstream: enabled, users: [ { user: two, password: p2 } ] }
}"#;

/// Where a user finds a campaign.
fn place(server: &Server, user: &str, name: &str) -> Place {
    let at = format!("nats://{user}@127.0.0.1:{}/{name}", server.port());
    at.parse().unwrap()
}

/// All that JetStream says to a user that it has, over a connection of the test's own.
fn listed(server: &Server, user: &str, password: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_millis(500)))
        .unwrap();
    let ask = format!(
        "CONNECT {{\"verbose\":false,\"user\":\"{user}\",\"pass\":\"{password}\"}}\r\n\
         SUB answer 1\r\nPUB $JS.API.STREAM.NAMES answer 0\r\n\r\nPING\r\n"
    );
    stream.write_all(ask.as_bytes()).unwrap();
    let mut said = Vec::new();
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut bytes) {
        said.extend_from_slice(&bytes[..count]);
    }
    String::from_utf8_lossy(&said).into_owned()
}

#[test]
fn campaigns_of_other_accounts_are_not_there() {
    let server = Server::start_with(ACCOUNTS);
    let toy = wide_program(3);
    let folder = tempfile::tempdir().unwrap();
    let options = options(&folder.path().join("none"));
    let stop = AtomicBool::new(false);
    let ours = place(&server, "one:p1", "same")
        .open(&Arc::default())
        .unwrap();
    Member::join(&ours, &options, &build(&toy), &[], &stop).unwrap();
    assert!(Agreed::of(ours.store.as_ref()).unwrap().is_some());

    // Under the same name, another account has a campaign of its own: it reads nothing, and takes no task.
    let theirs = place(&server, "two:p2", "same")
        .open(&Arc::default())
        .unwrap();
    assert_eq!(Agreed::of(theirs.store.as_ref()).unwrap(), None);
    assert!(
        theirs
            .queue
            .take(Duration::from_millis(50))
            .unwrap()
            .is_none()
    );
    // What it writes is its own.
    let key = Key::new(Kind::Part, &Task::root());
    theirs.store.put(&key, b"theirs").unwrap();
    assert_eq!(ours.store.get(&key).unwrap(), None);

    // Nor does it see the names of what others have.
    place(&server, "one:p1", "secret")
        .open(&Arc::default())
        .unwrap();
    let (own, other) = (listed(&server, "one", "p1"), listed(&server, "two", "p2"));
    assert!(own.contains("elw-secret"), "{own}");
    assert!(
        other.contains("elw-same") && !other.contains("secret"),
        "{other}"
    );
}

#[test]
fn who_has_no_password_has_nothing() {
    let server = Server::start_with(ACCOUNTS);
    for user in ["one:p2", "three:p1", ""] {
        let place = match user {
            "" => format!("{}/same", server.address()).parse().unwrap(),
            user => place(&server, user, "same"),
        };
        let opened = place.open(&Arc::default()).map(|_| ());
        assert!(
            matches!(opened, Err(ClusterError::Unreachable { .. })),
            "{user}: {opened:?}"
        );
        let said = opened.unwrap_err().to_string();
        let (_, password) = user.split_once(':').unwrap_or_default();
        assert!(password.is_empty() || !said.contains(user), "{said}");
    }
}

/// A task of a name that none has is taken by nobody, and does not come again.
#[test]
fn words_of_others_are_no_tasks() {
    let server = Server::start();
    let nats = Nats::connect(&server.address(), "words").unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    let words = ["x", "%2e%2e", "ABCDEF0123456789ABCDEF0123456789"];
    for word in words {
        let said = format!("CONNECT {{\"verbose\":false}}\r\nPUB elw.words.task.{word} 0\r\n\r\n");
        stream.write_all(said.as_bytes()).unwrap();
    }
    stream.write_all(b"PING\r\n").unwrap();
    let task = Task::root();
    std::thread::sleep(Duration::from_millis(200));
    Queue::put(&nats, &task).unwrap();
    let mut taken = Vec::new();
    for _ in 0..8 {
        if let Some(lease) = nats.take(Duration::from_millis(50)).unwrap() {
            taken.push(lease.task().clone());
            lease.done().unwrap();
        }
    }
    assert_eq!(taken, [task]);
}

/// What is under a name and is neither bytes nor an object is damaged, not followed.
#[test]
fn names_of_objects_are_not_paths() {
    let server = Server::start();
    let nats = Nats::connect(&server.address(), "paths").unwrap();
    let key = Key::new(Kind::Part, &Task::root());
    // As another client would write it into the bucket.
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    for value in ["@../../../../etc/passwd", "@", "?", "@etc/passwd"] {
        let said = format!(
            "CONNECT {{\"verbose\":false}}\r\nPUB $KV.elw-paths.{key} {}\r\n{value}\r\nPING\r\n",
            value.len()
        );
        stream.write_all(said.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(100));
        let got = nats.get(&key);
        assert!(
            matches!(got, Err(ClusterError::Damaged { .. })),
            "{value}: {got:?}"
        );
    }
    let cluster = Cluster::new(nats);
    assert!(cluster.store.has(&key).unwrap());
}
