//! What people see of a fleet, and how they end its members.

use crate::shards::COUNTS;
use crate::support::{Place, sockets};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A hundred and twenty-eight paths, each of which takes a while.
const SLOW: &str = r#"#include <poll.h>
#include <unistd.h>

int main(void) {
    unsigned char b[7];
    int n = 0;
    if (read(0, b, 7) != 7)
        return 1;
    for (int i = 0; i < 7; i++)
        n += b[i] & 1 ? 1 : 0;
    // What only sleeps is not waited for.
    poll(0, 0, 30);
    return n;
}
"#;

fn words(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

fn begin(place: &Place, text: &str) -> Child {
    let mut command: Command = place.command(&words(text));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn terminate(child: &Child) {
    let killed = Command::new("kill").arg(child.id().to_string()).status();
    assert!(killed.unwrap().success());
}

/// The answer to a request, once somebody listens.
fn ask(address: &str, path: &str, host: &str) -> String {
    let mut stream = (0..200)
        .find_map(|_| {
            std::thread::sleep(Duration::from_millis(20));
            TcpStream::connect(address).ok()
        })
        .expect("somebody listens");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer
}

/// An address of this machine where nobody listens.
fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

/// The value of a metric in what was answered.
fn value(answer: &str, name: &str) -> Option<f64> {
    let line = answer
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line?.parse().ok()
}

#[test]
fn a_fleet_can_be_watched_and_its_members_ended() {
    let place = Place::new();
    place.write("a.c", SLOW);
    let explore = "explore a.c --input-size 7 --quiet --format json --fleet f";
    let ran = place.run(&words(&format!("{explore} --budget 1ms --campaign begun")));
    assert_eq!(ran.code, 3, "{}", ran.seen());

    let metrics = free_address();
    let worker = begin(
        &place,
        &format!("worker --join f --quiet --metrics {metrics}"),
    );
    // It says what it does within a second or so.
    let status = || place.run(&words("status --fleet f --format json")).json();
    let mut members = Vec::new();
    for _ in 0..400 {
        members = status()["members"].as_array().unwrap().clone();
        if members.iter().any(|member| member["doing"] == "exploring") {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(members.len(), 2, "{members:?}");
    assert_eq!(members[0]["doing"], "left");
    let of_worker = &members[1];
    assert_eq!(of_worker["doing"], "exploring");
    assert_eq!(of_worker["process"], worker.id());
    let text = place.run(&words("status --fleet f")).stdout;
    assert!(text.contains("\n  1 member at work: "), "{text}");
    let present = &status()["present"];
    assert_eq!(
        (&present["exploring"], &present["waiting"]),
        (&1.into(), &0.into())
    );
    assert!(
        text.contains(&format!(":{}  exploring", worker.id())),
        "{text}"
    );

    let answers = (0..100).map(|_| ask(&metrics, "/metrics", &metrics));
    let mut runs = answers.filter(|answer| value(answer, "elsewise_runs_total") > Some(0.0));
    let answer = runs.next().expect("runs are counted");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.trim_end().ends_with("# EOF"), "{answer}");
    let portions = value(&answer, "elsewise_portions_total");
    assert_eq!(portions, Some(0.0), "{answer}");
    let listening = sockets(worker.id())
        .iter()
        .filter(|it| it.listens())
        .count();
    assert_eq!(listening, 1, "where it was told to");
    assert!(ask(&metrics, "/", &metrics).starts_with("HTTP/1.1 404"));
    // A page of another site, to which somebody's name server gave this address.
    assert!(ask(&metrics, "/metrics", "evil.example").starts_with("HTTP/1.1 403"));

    let mut serving = begin(&place, "status --fleet f --serve");
    let mut note = String::new();
    let mut said = BufReader::new(serving.stderr.take().unwrap());
    said.read_line(&mut note).unwrap();
    let at = note
        .split_once("http://")
        .and_then(|(_, rest)| rest.split_once('/'));
    let address = at.unwrap_or_else(|| panic!("{note}")).0;
    let page = ask(address, "/", address);
    assert!(page.contains("explore a.c --input-size 7"), "{page}");
    assert!(
        page.contains(&format!(":{}</th><td>exploring", worker.id())),
        "{page}"
    );
    terminate(&serving);
    assert_eq!(serving.wait().unwrap().code(), Some(0));

    terminate(&worker);
    let ended = worker.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert_eq!(ended.status.code(), Some(3), "{text}");
    assert!(text.contains("what is left is others'"), "{text}");
    assert_eq!(status()["members"][1]["doing"], "left");

    let exploring = begin(&place, &format!("{explore} --campaign whole"));
    for _ in 0..40 {
        std::thread::sleep(Duration::from_millis(25));
        let sockets = sockets(exploring.id());
        assert!(sockets.is_empty(), "nobody asked for one: {sockets:?}");
    }
    let ended = exploring.wait_with_output().unwrap();
    let whole: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    // One for each input, and what it has done counts.
    assert_eq!(
        (&whole["paths"], &whole["complete"]),
        (&128.into(), &true.into())
    );
    assert_eq!(whole["runs"], 128);
}

#[test]
fn members_of_another_version_are_refused() {
    let place = Place::new();
    place.write("a.c", COUNTS);
    let explore = "explore a.c --input-size 8 --quiet --fleet f";
    assert_eq!(place.run(&words(explore)).code, 2);
    let record = place.path("f/store/campaign-00000000000000000000000000000000");
    let text = fs::read_to_string(&record).unwrap();
    let mut agreed: serde_json::Value = serde_json::from_str(&text).unwrap();
    agreed["version"] = "0.0.1".into();
    fs::write(&record, agreed.to_string()).unwrap();
    for command in [
        "worker --join f --quiet".to_owned(),
        format!("{explore} --campaign c"),
    ] {
        let ran = place.run(&words(&command));
        assert_eq!(ran.code, 1, "{}", ran.seen());
        assert!(
            ran.stderr.contains("another version of Elsewise"),
            "{}",
            ran.seen()
        );
    }
}

#[test]
fn a_server_is_told_what_a_member_needs() {
    let place = Place::new();
    let print = |more: &str| place.run(&words(&format!("worker --join {more}")));
    let ran = print("nats://nobody.invalid/night --permissions");
    assert_eq!(ran.code, 0, "{}", ran.seen());
    assert!(ran.stdout.contains("\"elw.night.task.*\"") && !ran.stdout.contains("STREAM.CREATE"));
    let begin = print("nats://nobody.invalid/night --permissions=begin").stdout;
    assert!(
        begin.contains("\"$JS.API.STREAM.CREATE.KV_elw-night\""),
        "{begin}"
    );
    let ran = print("folder --permissions");
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert!(
        ran.stderr.contains("the file system has them"),
        "{}",
        ran.seen()
    );

    place.write("a.c", COUNTS);
    let quota = |size: &str| {
        place.run(&words(&format!(
            "explore a.c --fleet f --fleet-quota {size}"
        )))
    };
    let ran = quota("1GiB");
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert!(
        ran.stderr.contains("the file system has them"),
        "{}",
        ran.seen()
    );
    let ran = quota("many");
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert!(ran.stderr.contains("500MiB, 2GiB"), "{}", ran.seen());
}
