//! What members of one campaign can see of another's on the same server, and what strange words there do.

use crate::members::{build, share};
use elsewise_campaign::toy::{options, subjects, wide_program};
use elsewise_cluster::server::Server;
use elsewise_cluster::{
    Agreed, Cluster, ClusterError, Key, Kind, Member, Nats, Place, Queue, Storage, Store, Task,
    gather,
};
use elsewise_explore::Subject;
use std::io::{BufRead, BufReader, Read, Write};
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

/// All that JetStream says to a user that it has.
fn listed(server: &Server, user: &str, password: &str) -> String {
    let ask = "SUB answer 1\r\nPUB $JS.API.STREAM.NAMES answer 0\r\n\r\n";
    said(server, user, password, ask)
}

/// A user's connection of the test's own, after these words.
fn tell(server: &Server, user: &str, password: &str, words: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    let ask = format!(
        "CONNECT {{\"verbose\":false,\"user\":\"{user}\",\"pass\":\"{password}\"}}\r\n\
         {words}PING\r\n"
    );
    stream.write_all(ask.as_bytes()).unwrap();
    stream
}

/// What a server says until it has said nothing for a while.
fn said(server: &Server, user: &str, password: &str, words: &str) -> String {
    let mut stream = tell(server, user, password, words);
    stream
        .set_read_timeout(Some(Duration::from_millis(500)))
        .unwrap();
    let mut said = Vec::new();
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut bytes) {
        said.extend_from_slice(&bytes[..count]);
    }
    String::from_utf8_lossy(&said).into_owned()
}

/// Whether a server says that a user may not say that. It does so before it answers what comes next.
fn is_refused(server: &Server, user: &str, words: &str) -> bool {
    let stream = tell(server, user, "p", words);
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    let first = lines.find(|line| line.starts_with("-ERR") || line == "PONG");
    let first = first.expect("the server answers");
    assert!(
        first == "PONG" || first.contains("Permissions Violation"),
        "{first}"
    );
    first != "PONG"
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
            matches!(opened, Err(ClusterError::Refused { .. })),
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
    for value in [
        "@../../../../etc/passwd",
        "@",
        "?",
        "@etc/passwd",
        "#../../etc/passwd",
    ] {
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

/// A publication as a client writes it.
fn publication(subject: &str, reply: &str, content: &str) -> String {
    format!("PUB {subject} {reply} {}\r\n{content}\r\n", content.len())
}

/// Of one account, users who may do what is printed for one campaign.
#[test]
fn permissions_for_one_campaign_are_enough_and_are_for_no_other() {
    let allowed = |name: &str, begin: bool| {
        let place: Place = format!("nats://any/{name}").parse().unwrap();
        place.permissions(begin).unwrap()
    };
    let server = Server::start_with(&format!(
        "accounts {{ all: {{ jetstream: enabled, users: [\n\
         {{ user: begins, password: p\n{} }}\n{{ user: admin, password: p }}\n\
         {{ user: one, password: p\n{} }}\n{{ user: two, password: p\n{} }} ] }} }}",
        allowed("one", true),
        allowed("one", false),
        allowed("two", false),
    ));
    let open = |user: &str, name: &str| {
        let place = place(&server, &format!("{user}:p"), name);
        place.open(&Arc::default())
    };
    // Who may only take part begins nothing, and is told so.
    let refused = open("one", "one").map(|_| ()).unwrap_err().to_string();
    assert!(
        refused.to_lowercase().contains("permissions violation"),
        "{refused}"
    );
    open("begins", "one").unwrap();
    open("admin", "two").unwrap();

    let ours = open("one", "one").unwrap();
    share(&ours);
    // What is too large for the bucket of names, too.
    let key = Key::new(Kind::Copy, &Task::root());
    for byte in [1, 2] {
        let large = vec![byte; 300 << 10];
        ours.store.put(&key, &large).unwrap();
        assert_eq!(ours.store.get(&key).unwrap(), Some(large));
    }
    ours.store.forget(&key).unwrap();
    assert_eq!(ours.store.get(&key).unwrap(), None);

    let refused = open("two", "one").map(|_| ()).unwrap_err().to_string();
    assert!(
        refused.to_lowercase().contains("permissions violation"),
        "{refused}"
    );
    let create = r#"{"name":"elw-two","subjects":[],"sources":[{"name":"KV_elw-one"}]}"#;
    let push = r#"{"stream_name":"KV_elw-one","config":{"deliver_subject":"elw.two.inbox.x"}}"#;
    let reads = [
        "SUB > 1\r\n".to_owned(),
        "SUB _INBOX.> 1\r\n".to_owned(),
        "SUB elw.one.inbox.> 1\r\n".to_owned(),
        "SUB elw.one.hungry busy 1\r\n".to_owned(),
        "SUB $KV.elw-one.> 1\r\n".to_owned(),
        publication("$JS.API.STREAM.NAMES", "elw.two.inbox.x", ""),
        publication("$JS.API.STREAM.INFO.KV_elw-one", "elw.two.inbox.x", ""),
        publication(
            "$JS.API.STREAM.MSG.GET.KV_elw-one",
            "elw.two.inbox.x",
            "{\"seq\":1}",
        ),
        publication(
            "$JS.API.DIRECT.GET.KV_elw-one",
            "elw.two.inbox.x",
            "{\"seq\":1}",
        ),
        publication(
            "$JS.API.CONSUMER.CREATE.KV_elw-one.x",
            "elw.two.inbox.x",
            push,
        ),
        publication("$JS.API.CONSUMER.CREATE.elw-one.x", "elw.two.inbox.x", push),
        publication(
            "$JS.API.CONSUMER.MSG.NEXT.elw-one.members",
            "elw.two.inbox.x",
            "1",
        ),
        publication("$JS.API.STREAM.CREATE.elw-two", "elw.two.inbox.x", create),
        publication("$JS.API.STREAM.UPDATE.elw-two", "elw.two.inbox.x", create),
    ];
    let writes = [
        publication(&format!("$KV.elw-one.{key}"), "", "=theirs"),
        publication("$O.elw-one.M.x", "", "{}"),
        publication(&format!("elw.one.task.{}", Task::root()), "", ""),
        publication("$JS.ACK.elw-one.members.1.1.1.1.1", "", "+ACK"),
        publication("$JS.API.STREAM.PURGE.OBJ_elw-one", "elw.two.inbox.x", ""),
        publication("$JS.API.STREAM.DELETE.KV_elw-one", "elw.two.inbox.x", ""),
    ];
    for words in reads.iter().chain(&writes) {
        assert!(is_refused(&server, "two", words), "{words}");
    }
    // The words themselves are understood: on names of its own the same user is not refused.
    for words in ["SUB elw.two.inbox.> 1\r\n", "SUB elw.two.hungry busy 1\r\n"] {
        assert!(!is_refused(&server, "two", words), "{words}");
    }
}

/// A server writes its answer wherever it is told to. Between accounts that leads nowhere.
#[test]
fn no_answer_is_written_into_another_account() {
    let server = Server::start_with(ACCOUNTS);
    let open = |user: &str| place(&server, user, "same").open(&Arc::default()).unwrap();
    let (ours, theirs) = (open("one:p1"), open("two:p2"));
    let key = Key::new(Kind::Part, &Task::root());
    theirs.store.put(&key, b"theirs").unwrap();
    let ask = format!("$JS.API.DIRECT.GET.KV_elw-same.$KV.elw-same.{key}");
    let other = Key::new(Kind::Copy, &Task::root());
    let words = publication(&ask, &format!("$KV.elw-same.{other}"), "");
    said(&server, "two", "p2", &words);
    assert!(
        theirs.store.has(&other).unwrap(),
        "in its own account it does"
    );
    assert!(!ours.store.has(&other).unwrap());
    assert!(!ours.store.has(&key).unwrap());
}

/// A campaign has no more on a server than it was given, and what is there stays.
#[test]
fn a_quota_is_kept_to() {
    let server = Server::start();
    let place: Place = format!("{}/small", server.address()).parse().unwrap();
    let storage = Storage {
        bucket: None,
        quota: Some(1 << 20),
    };
    let cluster = place.open_with(storage, &Arc::default()).unwrap();
    let kept = |size: usize| {
        let bytes = vec![7; size];
        let mut kept = 0;
        loop {
            let key = Key::new(Kind::Part, &Task::root().child(kept + size as u32));
            match cluster.store.put_new(&key, &bytes) {
                Ok(new) => assert!(new),
                Err(ClusterError::Full(name)) => {
                    assert_eq!(name, "small");
                    assert!(!cluster.store.has(&key).unwrap());
                    break;
                }
                Err(error) => panic!("{error}"),
            }
            assert_eq!(cluster.store.get(&key).unwrap().as_ref(), Some(&bytes));
            kept += 1;
        }
        kept * size as u32
    };
    // Of the one bucket and of the other.
    for size in [100 << 10, 150 << 10] {
        let bytes = kept(size);
        assert!(bytes > 0 && bytes < 1 << 20, "{bytes}");
    }
    let mut tasks = 0;
    let full = loop {
        match cluster.queue.put(&Task::root().child(tasks)) {
            Ok(()) => tasks += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(full, ClusterError::Full(_)), "{full}");
    // None has gone for another.
    for _ in 0..tasks {
        let taken = cluster.queue.take(Duration::from_millis(500)).unwrap();
        taken.unwrap().done().unwrap();
    }
    let folder = Place::Folder(tempfile::tempdir().unwrap().path().join("f"));
    let storage = Storage {
        bucket: None,
        quota: Some(1),
    };
    let refused = folder.open_with(storage, &Arc::default()).map(|_| ());
    assert!(matches!(refused, Err(ClusterError::OfServers(_))));
}

/// What came of a portion cannot be kept: then it is open, and nobody says otherwise.
#[test]
fn who_has_no_more_room_ends_with_something_open() {
    let server = Server::start();
    let place: Place = format!("{}/full", server.address()).parse().unwrap();
    let storage = Storage {
        bucket: None,
        quota: Some(1 << 20),
    };
    let cluster = place.open_with(storage, &Arc::default()).unwrap();
    let toy = wide_program(6);
    let folder = tempfile::tempdir().unwrap();
    let options = options(&folder.path().join("none"));
    let stop = AtomicBool::new(false);
    let mut member = Member::join(&cluster, &options, &build(&toy), &[], &stop).unwrap();
    let mut number = 0;
    for size in [150 << 10, 100 << 10, 10 << 10, 1 << 10, 100, 1] {
        let bytes = vec![7; size];
        loop {
            number += 1;
            let key = Key::new(Kind::Finding, &Task::root().child(number));
            match cluster.store.put_new(&key, &bytes) {
                Ok(_) => {}
                Err(ClusterError::Full(_)) => break,
                Err(error) => panic!("{error}"),
            }
        }
    }
    let explored = member.explore(&mut subjects(&toy, 1), &mut |_| {});
    assert!(
        matches!(explored, Err(ClusterError::Full(_))),
        "{explored:?}"
    );
    let gathered = gather(
        cluster.store.as_ref(),
        folder.path(),
        &options,
        toy.blueprint(),
    );
    assert_eq!(gathered.unwrap().unfinished, 1);
}
