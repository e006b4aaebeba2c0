//! What somebody else has put where members keep things: links, folders, pipes, files without an end, objects that are none. It costs
//! time, and no campaign.

use crate::members::{build, members, together};
use async_nats::jetstream::{self, stream};
use async_nats::{HeaderMap, connect};
use elsewise_campaign::toy::{options, wide_program};
use elsewise_cluster::server::Server;
use elsewise_cluster::{
    Cluster, ClusterError, Folder, Key, Kind, Member, Memory, Nats, Store, Task,
};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn is_damaged<T>(got: &Result<T, ClusterError>) -> bool {
    matches!(got, Err(ClusterError::Damaged { .. }))
}

/// Changes what a server says of the only object of a campaign.
fn change(server: &Server, campaign: &str, change: impl FnOnce(&mut Value)) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let context = jetstream::new(connect(server.address()).await.unwrap());
        let objects = context.get_stream(format!("OBJ_elw-{campaign}")).await;
        let objects: stream::Stream = objects.unwrap();
        let names = objects.info_with_subjects(format!("$O.elw-{campaign}.M.>"));
        let (subject, _) = names.await.unwrap().next().await.unwrap().unwrap();
        let said = objects.get_last_raw_message_by_subject(&subject).await;
        let mut said: Value = serde_json::from_slice(&said.unwrap().payload).unwrap();
        change(&mut said);
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Rollup", "sub");
        let sent = context.publish_with_headers(subject, headers, said.to_string().into());
        sent.await.unwrap().await.unwrap();
    });
}

#[test]
fn an_object_that_is_none_is_damaged_at_once() {
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 6] = [
        ("link", |said| {
            said["options"]["link"] = json!({"bucket": said["bucket"], "name": said["name"]});
        }),
        ("elsewhere", |said| {
            said["options"]["link"] = json!({"bucket": "elw-other", "name": "secret"});
        }),
        ("gone", |said| said["nuid"] = "nothing".into()),
        ("more", |said| said["chunks"] = 900.into()),
        ("huge", |said| said["size"] = (1_u64 << 62).into()),
        ("any", |said| said["nuid"] = ">".into()),
    ];
    let server = Server::start();
    let key = Key::new(Kind::Part, &Task::root());
    for (name, how) in changes {
        let nats = Nats::connect(&server.address(), name).unwrap();
        Store::put(&nats, &key, &vec![7; 300 << 10]).unwrap();
        assert_eq!(nats.get(&key).unwrap(), Some(vec![7; 300 << 10]));
        change(&server, name, how);
        let began = Instant::now();
        let got = nats.get(&key);
        assert!(is_damaged(&got), "{name}: {:?}", got.map(|_| ()));
        assert!(began.elapsed() < Duration::from_secs(4), "{name}");
    }
}

/// A portion of which nobody can know what it is does not keep members waiting, and stays open.
#[test]
fn a_portion_that_cannot_be_read_stays_open() {
    let server = Server::start();
    let toy = wide_program(6);
    let folder = tempfile::tempdir().unwrap();
    let options = options(&folder.path().join("none"));
    let places = [
        Cluster::new(Memory::default()),
        Cluster::new(Nats::connect(&server.address(), "portion").unwrap()),
        Cluster::new(Folder::open(&folder.path().join("place")).unwrap()),
    ];
    for (number, cluster) in places.iter().enumerate() {
        let stop = AtomicBool::new(false);
        drop(Member::join(cluster, &options, &build(&toy), &[], &stop).unwrap());
        // The first task is over, and has left two portions to others.
        let root = Task::root();
        let store = &cluster.store;
        let done = br#"{"children":2,"runs":1}"#;
        for (child, said) in [
            (0, &b"garbage"[..]),
            (1, br#"{"cases":[],"open":[{"case":9,"choice":18446744073709551615,"alternative":0}]}"#),
        ] {
            let child = root.child(child);
            store.put(&Key::new(Kind::Portion, &child), said).unwrap();
            cluster.queue.put(&child).unwrap();
        }
        store.put(&Key::new(Kind::Done, &root), done).unwrap();
        members(cluster, &toy, 2, &options);
        let place = folder.path().join(number.to_string());
        fs::create_dir(&place).unwrap();
        let summary = together(cluster, Box::new(toy.clone()), &place);
        assert_eq!((summary.paths, summary.complete), (64, true), "{number}");
    }
}

/// Puts something else in the place of a file.
fn put_there(path: &Path, what: &str) {
    let _ = fs::remove_file(path);
    match what {
        "folder" => fs::create_dir_all(path.join("deep")).unwrap(),
        "link" => symlink("/dev/zero", path).unwrap(),
        "dangling" => symlink("/nowhere/at/all", path).unwrap(),
        _ => File::create(path).unwrap().set_len(1 << 40).unwrap(),
    }
}

#[test]
fn what_is_no_file_is_damaged_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let place = Folder::open(folder.path()).unwrap();
    for kind in [Kind::Part, Kind::Done, Kind::Member] {
        let key = Key::new(kind, &Task::root());
        let path = folder.path().join("store").join(key.to_string());
        for what in ["folder", "link", "dangling", "endless"] {
            put_there(&path, what);
            let began = Instant::now();
            assert!(is_damaged(&place.get(&key)), "{key} {what}");
            assert!(began.elapsed() < Duration::from_secs(2), "{key} {what}");
            Store::put(&place, &key, b"again").unwrap();
            assert_eq!(place.get(&key).unwrap().as_deref(), Some(&b"again"[..]));
        }
    }
    // What is small is small: this would be no part that is too large.
    let key = Key::new(Kind::Member, &Task::root());
    let file = File::create(folder.path().join("store").join(key.to_string())).unwrap();
    file.set_len(2 << 20).unwrap();
    assert!(is_damaged(&place.get(&key)));
}

/// Nobody could take a task that is a link or a folder.
#[test]
fn what_is_named_as_a_task_is_made_one() {
    let toy = wide_program(3);
    for what in ["dangling", "folder"] {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("place");
        let cluster = Cluster::new(Folder::open(&place).unwrap());
        put_there(&place.join("tasks").join(Task::root().as_str()), what);
        let options = options(&folder.path().join("none"));
        members(&cluster, &toy, 1, &options);
        let summary = together(&cluster, Box::new(toy.clone()), folder.path());
        assert_eq!((summary.paths, summary.runs), (8, 8), "{what}");
    }
}

/// Whoever may only look at a folder cannot have the locks of those who take part.
#[test]
fn others_cannot_open_what_members_make() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("place");
    let cluster = Cluster::new(Folder::open(&place).unwrap());
    let key = Key::new(Kind::Done, &Task::root());
    cluster.store.put(&key, b"{}").unwrap();
    cluster.queue.put(&Task::root()).unwrap();
    let task = place.join("tasks").join(Task::root().as_str());
    for path in [
        &place,
        &place.join("tasks"),
        &place.join("store"),
        &place.join("store").join(key.to_string()),
        &task,
    ] {
        let mode = fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode & 0o007, 0, "{} {mode:o}", path.display());
    }
}

#[test]
fn a_member_that_cannot_be_read_is_not_shown() {
    let toy = wide_program(1);
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("place");
    let cluster = Cluster::new(Folder::open(&place).unwrap());
    let options = options(&folder.path().join("none"));
    let stop = AtomicBool::new(false);
    let join = || Member::join(&cluster, &options, &build(&toy), &[], &stop).unwrap();
    let first = join();
    let entries = fs::read_dir(place.join("store")).unwrap().flatten();
    let mut own = entries.filter(|it| it.file_name().to_string_lossy().starts_with("member-"));
    let own = own.next().unwrap().path();
    drop(first);
    put_there(&own, "folder");
    let _second = join();
    let seen = elsewise_cluster::members(cluster.store.as_ref()).unwrap();
    assert_eq!(seen.len(), 1);
}
