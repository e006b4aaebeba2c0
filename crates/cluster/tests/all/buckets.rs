//! What is large lies in a bucket, where the campaign has one; here a folder is that bucket.

use crate::members::{build, members, together};
use elsewise_campaign::toy::{Toy, options, wide_program};
use elsewise_cluster::server::Server;
use elsewise_cluster::{
    Agreed, BucketAddress, Cluster, ClusterError, Gathered, Key, Kind, Member, Memory, Place,
    Storage, Task, gather,
};
use elsewise_explore::Subject;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn open(server: &Server, name: &str, bucket: Option<&Path>) -> Cluster {
    let place: Place = format!("{}/{name}", server.address()).parse().unwrap();
    let bucket = bucket.map(|folder| BucketAddress::Folder(folder.to_owned()));
    let storage = Storage {
        bucket: bucket.as_ref(),
        quota: None,
    };
    place.open_with(storage, &Arc::default()).unwrap()
}

/// What a bucket has of a campaign whose names begin so.
fn objects(bucket: &Path, name: &str, kind: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(bucket.join(format!("elw-{name}"))).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_kind = |path: &PathBuf| {
        path.file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .starts_with(kind)
    };
    paths.filter(is_kind).collect()
}

fn damaged<T: std::fmt::Debug>(got: Result<T, ClusterError>) -> String {
    match got {
        Err(ClusterError::Damaged { why, .. }) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_large_is_in_the_bucket_and_checked() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let cluster = open(&server, "x", Some(folder.path()));
    let store = cluster.store.as_ref();
    let key = Key::new(Kind::Copy, &Task::root());
    let (first, second) = (vec![1; 200_000], vec![2; 200_000]);
    store.put(&key, b"small").unwrap();
    assert_eq!(objects(folder.path(), "x", "").len(), 0);
    store.put(&key, &first).unwrap();
    assert_eq!(store.get(&key).unwrap(), Some(first));
    store.put(&key, &second).unwrap();
    let kept = objects(folder.path(), "x", "copy-");
    assert_eq!(kept.len(), 1, "what was replaced is not kept: {kept:?}");
    assert_eq!(fs::read(&kept[0]).unwrap(), second);

    // Who has no bucket is told so, and does not look elsewhere.
    let none = open(&server, "x", None);
    let got = none.store.get(&key);
    assert!(
        matches!(got, Err(ClusterError::UnnamedBucket(_))),
        "{got:?}"
    );
    assert!(none.store.has(&key).unwrap());

    fs::write(&kept[0], &second[1..]).unwrap();
    assert!(damaged(store.get(&key)).contains("content"));
    fs::remove_file(&kept[0]).unwrap();
    assert!(damaged(store.get(&key)).contains("not there"));
    // No link is followed, whoever made it.
    fs::write(folder.path().join("outside"), &second).unwrap();
    std::os::unix::fs::symlink(folder.path().join("outside"), &kept[0]).unwrap();
    assert!(store.get(&key).is_err());
    store.forget(&key).unwrap();
    assert_eq!(objects(folder.path(), "x", "").len(), 0);
    assert!(folder.path().join("outside").exists());
}

#[test]
fn what_is_damaged_in_a_bucket_is_explored_again() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let bucket = folder.path().join("bucket");
    let cluster = open(&server, "x", Some(&bucket));
    let toy = wide_program(12);
    members(&cluster, &toy, 1, &options(&folder.path().join("none")));
    let parts = objects(&bucket, "x", "part-");
    assert_eq!(parts.len(), 1, "all of it is one part, and that is large");
    fs::write(&parts[0], b"damaged").unwrap();
    let gathered = gathered(&cluster, &toy, folder.path());
    assert_eq!((gathered.refused.len(), gathered.parts.len()), (1, 0));
    let summary = together(&cluster, Box::new(toy.clone()), folder.path());
    assert_eq!((summary.paths, summary.complete), (4096, true));
}

/// What a member has left to others is not lost with what it had itself.
#[test]
fn parts_behind_a_damaged_one_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = Cluster::new(Memory::default());
    let toy = wide_program(12);
    members(&cluster, &toy, 3, &options(&folder.path().join("none")));
    let root = Key::new(Kind::Part, &Task::root());
    cluster.store.put(&root, b"damaged").unwrap();
    let gathered = gathered(&cluster, &toy, folder.path());
    assert_eq!(gathered.refused.len(), 1, "{:?}", gathered.refused);
    assert!(!gathered.parts.is_empty());
    let summary = together(&cluster, Box::new(toy.clone()), folder.path());
    assert_eq!((summary.paths, summary.complete), (4096, true));
}

fn gathered(cluster: &Cluster, toy: &Toy, folder: &Path) -> Gathered {
    let to = folder.join("gathered");
    fs::create_dir(&to).unwrap();
    let ours = options(&folder.join("none"));
    gather(cluster.store.as_ref(), &to, &ours, toy.blueprint()).unwrap()
}

/// All members have the same bucket, which each was told of by its own user.
#[test]
fn a_bucket_that_only_the_campaign_names_is_not_used() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let (bucket, other) = (folder.path().join("bucket"), folder.path().join("other"));
    let toy = wide_program(3);
    let ours = options(&folder.path().join("none"));
    let stop = AtomicBool::new(false);
    let join = |name: &str, bucket: Option<&Path>| {
        let cluster = open(&server, name, bucket);
        let joined = Member::join(&cluster, &ours, &build(&toy), &[], &stop);
        joined.map(|_| ()).map_err(|error| error.to_string())
    };
    join("x", Some(&bucket)).unwrap();
    join("x", Some(&bucket)).unwrap();
    let said = join("x", None).unwrap_err();
    assert!(said.contains(bucket.to_str().unwrap()), "{said}");
    let said = join("x", Some(&other)).unwrap_err();
    assert!(said.contains("is not the campaign's bucket"), "{said}");
    let agreed = Agreed::of(open(&server, "x", None).store.as_ref());
    assert!(agreed.unwrap().unwrap().bucket.is_some());

    join("plain", None).unwrap();
    assert!(
        join("plain", Some(&bucket))
            .unwrap_err()
            .contains("no bucket")
    );
    let place: Place = folder
        .path()
        .join("place")
        .display()
        .to_string()
        .parse()
        .unwrap();
    let storage = Storage {
        bucket: Some(&BucketAddress::Folder(bucket)),
        quota: None,
    };
    let opened = place.open_with(storage, &Arc::default());
    assert!(matches!(
        opened.map(drop),
        Err(ClusterError::BucketOfFolder)
    ));
}
