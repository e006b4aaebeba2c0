//! A campaign that several processes explore together is one campaign, whoever began it and wherever they meet.

use crate::shards::{COUNTS, THREADS};
use crate::support::{Place, Ran};
use elsewise_cluster::server::Server;
use std::process::{Command, Stdio};

const EXPLORE: &str = "explore a.c --input-size 8 --quiet --format json --cflags=-pthread";

fn words(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

fn begin(place: &Place, text: &str) -> std::process::Child {
    let mut command: Command = place.command(&words(text));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Several processes at one place: what each of those says that explore.
fn together(place: &Place, fleet: &str) -> Vec<serde_json::Value> {
    let exploring: Vec<_> = (0..2)
        .map(|number| {
            begin(
                place,
                &format!("{EXPLORE} --fleet {fleet} --campaign {number}"),
            )
        })
        .collect();
    let worker = begin(place, &format!("worker --join {fleet} --quiet"));
    let said = exploring.into_iter().map(|child| {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        serde_json::from_str(&text).unwrap_or_else(|why| panic!("{why}: {text}{error}"))
    });
    let said: Vec<_> = said.collect();
    let worker = worker.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&worker.stdout).into_owned();
    assert!(text.contains("everything has been explored"), "{text}");
    assert_eq!(worker.status.code(), Some(0));
    said
}

fn same(place: &Place, fleet: &str) {
    let alone = place
        .run(&words(&format!("{EXPLORE} --campaign alone")))
        .json();
    for said in together(place, fleet) {
        for field in [
            "complete",
            "paths",
            "frontier",
            "branch_sides",
            "approximations",
            "bounds",
            "schedules",
        ] {
            assert_eq!(said[field], alone[field], "{field}");
        }
        let of = |summary: &serde_json::Value| {
            let finding = &summary["findings"][0];
            ["kind", "line", "function", "runs"].map(|field| finding[field].clone())
        };
        assert_eq!(of(&said), of(&alone));
    }
}

#[test]
fn a_folder_is_shared() {
    let place = Place::new();
    place.write("a.c", COUNTS);
    same(&place, "meet");
    // Its finding has all that belongs to one.
    let ran = place.run(&["replay", "0/findings/1"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    // Nothing is left for whoever comes later.
    let ran = place.run(&["worker", "--join", "meet", "--quiet"]);
    let text = "0 portions in 0 runs; everything has been explored\n";
    assert_eq!((ran.code, ran.stdout.as_str()), (0, text));
    // Another program is another campaign.
    place.write("a.c", THREADS);
    let ran = place.run(&words(&format!("{EXPLORE} --fleet meet --campaign c")));
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert!(
        ran.stderr.contains("another build of the subject"),
        "{}",
        ran.seen()
    );
}

#[test]
fn a_server_is_shared() {
    let server = Server::start();
    let place = Place::new();
    place.write("a.c", THREADS);
    same(&place, &format!("{}/threads", server.address()));
}

#[test]
fn a_fleet_is_found_or_it_is_said_why_not() {
    let place = Place::new();
    place.write("a.c", COUNTS);
    let refused = |text: &str, why: &str| {
        let ran: Ran = place.run(&words(text));
        assert_eq!(ran.code, 1, "{}", ran.seen());
        assert!(ran.stderr.contains(why), "{}", ran.seen());
    };
    refused(
        "explore a.c --fleet nats://127.0.0.1:1/x",
        "cannot be reached",
    );
    refused("explore a.c --fleet nats://127.0.0.1:1", "HOST");
    refused(
        "explore a.c --fleet m --budget 10runs",
        "give --budget a time",
    );
    refused("explore a.c --fleet m --shard 1/2", "cannot be used with");
    let ran = place.run(&words("worker --join nobody --budget 1ms"));
    assert_eq!(ran.code, 3, "{}", ran.seen());
    // Who began it may not make others' compilers load something.
    place.run(&words(
        "explore a.c --input-size 8 --cflags=-fplugin=x.so --fleet bad --budget 1ms",
    ));
    let ran = place.run(&words(
        "explore a.c --input-size 8 --allow-write /tmp --fleet more --budget 1s --quiet",
    ));
    assert_eq!(ran.code, 2, "{}", ran.seen());
    refused("worker --join more", "--allow-write /tmp");
}
