//! A campaign that several processes explore together is one campaign, whoever began it and wherever they meet.

use crate::shards::{COUNTS, THREADS};
use crate::support::{Place, Ran, Socket, sockets};
use elsewise_cluster::server::Server;
use std::fs;
use std::io::{BufRead, BufReader, Read};
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
    let ran = place.run(&["status", "--fleet", "meet"]);
    let said: Vec<&str> = ran.stdout.lines().collect();
    assert!(
        said[0].starts_with("elsewise explore a.c --input-size 8"),
        "{}",
        ran.seen()
    );
    assert!(
        said[1].ends_with("runs; everything has been explored"),
        "{}",
        ran.seen()
    );
    let said = place
        .run(&["status", "--fleet", "meet", "--format", "json"])
        .json();
    assert_eq!((&said["over"], &said["pending"]), (&true.into(), &0.into()));
    assert!(said["portions"].as_u64() > Some(0), "{said}");
    let members = said["members"].as_array().unwrap();
    assert!(
        members.iter().all(|member| member["id"].is_string()),
        "{said}"
    );
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

/// What is built in a temporary folder is the same build for all.
#[test]
fn functions_are_shared_and_gone_on_with() {
    let place = Place::new();
    place.write("m.c", "int f(int x) { return x == 77 ? 1 : 0; }");
    for number in 0..2 {
        let text = format!("explore m.c::f --fleet f --quiet --format json --campaign {number}");
        let ran = place.run(&words(&text));
        assert_eq!(ran.code, 0, "{}", ran.seen());
        assert_eq!(ran.json()["paths"], 2);
    }
    for resumed in [false, true] {
        let ran = place.run(&words("explore m.c::f --quiet --format json"));
        assert_eq!(ran.json()["resumed"], resumed, "{}", ran.seen());
    }
}

/// A finding of threads is the input and the schedule, whoever has found it.
#[test]
fn schedules_come_with_findings() {
    let place = Place::new();
    place.write(
        "a.c",
        "#include <pthread.h>\n#include <stdio.h>\nstatic int r;\n\
         static void *f(void *p) { r++; return p; }\n\
         int main(void) {\n  pthread_t a, b;\n  if (getchar() != 'x') return 0;\n  \
         pthread_create(&a, 0, f, 0);\n  pthread_create(&b, 0, f, 0);\n  \
         pthread_join(a, 0);\n  pthread_join(b, 0);\n}\n",
    );
    let explore = |more: &str| {
        let text =
            format!("explore a.c --input-size 1 --cflags=-pthread --quiet --format json {more}");
        place.run(&words(&text)).json()
    };
    let (alone, fleet) = (
        explore("--campaign alone"),
        explore("--campaign fleet --fleet f"),
    );
    for field in ["kind", "line", "runs", "race"] {
        assert_eq!(
            fleet["findings"][0][field], alone["findings"][0][field],
            "{field}"
        );
    }
    let schedule =
        |campaign: &str| fs::read_to_string(place.path(campaign).join("findings/1/%schedule"));
    assert_eq!(schedule("fleet").unwrap(), schedule("alone").unwrap());
    assert_eq!(place.run(&["replay", "fleet/findings/1"]).code, 2);
}

/// What scripts read of a fleet, by somebody who takes no key twice.
#[derive(serde::Deserialize)]
struct Told {
    over: bool,
    portions: u64,
    pending: u64,
}

#[test]
fn a_key_is_there_once() {
    let place = Place::new();
    place.write("a.c", COUNTS);
    let begun = "explore a.c --input-size 8 --quiet --fleet f --budget 1s";
    assert_eq!(place.run(&words(begun)).code, 2);
    let text = place.run(&words("status --fleet f --format json")).stdout;
    let told: Told = serde_json::from_str(&text).unwrap_or_else(|why| panic!("{why}: {text}"));
    assert_eq!(told.over, told.pending == 0);
    assert!(told.portions + told.pending > 0, "{text}");
}

#[test]
fn a_member_with_other_options_is_told_which() {
    let place = Place::new();
    place.write("a.c", COUNTS);
    let begun = "explore a.c --input-size 8 --quiet --fleet f --budget 1s";
    assert_eq!(place.run(&words(begun)).code, 2);
    let ran = place.run(&words(
        "explore a.c --input-size 9 --quiet --fleet f --campaign c",
    ));
    assert_eq!(ran.code, 1, "{}", ran.seen());
    let why = "other options (there --input-size 8, here --input-size 9)";
    assert!(ran.stderr.contains(why), "{}", ran.seen());
}

/// A server may be started after its workers.
#[test]
fn a_worker_waits_for_its_server() {
    let mut server = Server::start();
    server.end();
    let place = Place::new();
    place.write("a.c", COUNTS);
    let fleet = format!("{}/later", server.address());
    let mut worker = begin(&place, &format!("worker --join {fleet} --jobs 1"));
    let mut said = BufReader::new(worker.stderr.take().unwrap());
    let mut note = String::new();
    said.read_line(&mut note).unwrap();
    assert!(
        note.contains("cannot be reached") && note.contains("waiting for it"),
        "{note}"
    );
    server.begin(None);
    let ran = place.run(&words(&format!("{EXPLORE} --fleet {fleet}")));
    assert_eq!(ran.code, 2, "{}", ran.seen());
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert_eq!(worker.wait().unwrap().code(), Some(0), "{rest}");
    assert!(
        !rest.contains("cannot be reached"),
        "it is said once: {rest}"
    );

    // Who is stopped in the meantime waits no longer.
    server.end();
    let mut worker = begin(&place, &format!("worker --join {fleet}"));
    let mut said = BufReader::new(worker.stderr.take().unwrap());
    said.read_line(&mut note).unwrap();
    let killed = Command::new("kill").arg(worker.id().to_string()).status();
    assert!(killed.unwrap().success());
    assert_eq!(worker.wait().unwrap().code(), Some(3));
}

/// A place that leads elsewhere is not used, and what is damaged there is not waited for.
#[test]
fn nothing_outside_of_a_place_is_touched() {
    let place = Place::new();
    place.write("a.c", COUNTS);
    place.write("outside/kept", "kept");
    let begun = "explore a.c --input-size 8 --quiet --fleet f --budget 1s";
    assert_eq!(place.run(&words(begun)).code, 2);
    let at = |name: &str| place.path(name);
    fs::remove_dir_all(at("f/waiting")).unwrap();
    std::os::unix::fs::symlink(at("outside"), at("f/waiting")).unwrap();
    let ran = place.run(&words("worker --join f --quiet"));
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert!(ran.stderr.contains("it is a link"), "{}", ran.seen());
    assert!(at("outside/kept").exists());

    fs::remove_file(at("f/waiting")).unwrap();
    // Nothing is known under this name.
    place.write(&format!("f/tasks/{}1", "0".repeat(31)), "");
    let ran = place.run(&words("worker --join f --quiet"));
    assert_eq!(ran.code, 0, "{}", ran.seen());
    // A part that says more than it has, and one that nobody can read.
    let part = at(&format!("f/store/part-{}", "0".repeat(32)));
    fs::remove_file(&part).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &part).unwrap();
    let ran = place.run(&words(
        "explore a.c --input-size 8 --quiet --fleet f --campaign again",
    ));
    assert!(matches!(ran.code, 1 | 2), "{}", ran.seen());
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
    refused(
        "status --fleet nothing",
        "nobody has begun a campaign there",
    );
    let ran = place.run(&words("worker --join nobody --budget 1ms"));
    assert_eq!(ran.code, 3, "{}", ran.seen());
    assert!(ran.stderr.contains("nobody has begun a campaign there"));
}

/// Who began a campaign may not make others' compilers load something, nor give the subject more than they do.
#[test]
fn words_of_a_fleet_are_not_obeyed_blindly() {
    let place = Place::new();
    place.write("a.c", COUNTS);
    let begun = "explore a.c --input-size 8 --quiet --fleet f --budget 1s";
    assert_eq!(place.run(&words(begun)).code, 2);
    let record = place.path("f/store/campaign-00000000000000000000000000000000");
    let agreed: serde_json::Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
    for (word, why) in [
        ("--cflags=-fplugin=./x.so", "-fplugin=./x.so"),
        ("--cflags=-include b.h", "-include"),
        ("--seeds=/etc", "--seeds=/etc"),
        ("--env=LD_PRELOAD=/x.so", "LD_PRELOAD"),
        ("--allow-write=.", "--allow-write ."),
        ("--allow-network", "--allow-network"),
        ("--no-containment", "--no-containment"),
    ] {
        let mut changed = agreed.clone();
        let command = changed["command"].as_array_mut().unwrap();
        command.push(word.into());
        fs::write(&record, changed.to_string()).unwrap();
        let ran = place.run(&["worker", "--join", "f", "--quiet"]);
        assert_eq!(ran.code, 1, "{word}: {}", ran.seen());
        assert!(ran.stderr.contains(why), "{}", ran.seen());
    }
}

/// By what a member says who it is, its subject does not learn.
#[test]
fn a_subject_cannot_read_its_members_credentials() {
    let place = Place::new();
    place.write("secret.creds", "a secret");
    let file = place.path("secret.creds");
    let text = r#"
        #include <stdio.h>
        #include <stdlib.h>
        int main(void) {
            char text[16] = "";
            if (getchar() == 'x') {
                FILE *file = fopen(FILE_NAME, "r");
                if (file && fgets(text, sizeof text, file)) abort();
                file = fopen("/proc/self/root" FILE_NAME, "r");
                if (file && fgets(text, sizeof text, file)) abort();
            }
        }"#;
    place.write(
        "a.c",
        text.replace("FILE_NAME", &format!("{:?}", file.display().to_string())),
    );
    let explore = |campaign: &str, credentials: bool| {
        let text = format!(
            "explore a.c --input-size 1 --quiet --fleet {campaign} --campaign {campaign}.x"
        );
        let mut command = place.command(&words(&text));
        if credentials {
            command.env("ELSEWISE_FLEET_CREDENTIALS", &file);
        }
        command.output().unwrap().status.code()
    };
    assert_eq!(
        explore("any", false),
        Some(2),
        "a file like any other is read"
    );
    if elsewise_contain::has_namespaces() {
        assert_ne!(explore("own", true), Some(2));
    }
}

/// A subject of a fleet sees what all members have, and what `--env` says: nothing by which inputs could tell others secrets.
#[test]
fn a_subject_does_not_see_its_members_environment() {
    let place = Place::new();
    let store = place
        .path("f/store")
        .join(format!("campaign-{}", "0".repeat(32)));
    // Aborts where one of these can be read, by a path of its own each.
    place.write(
        "a.c",
        r#"
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        static void look(const char *path, const char *word) {
            static char text[1 << 17];
            int file = open(path, O_RDONLY);
            int count = file < 0 ? 0 : read(file, text, sizeof text);
            if (count > 0 && memmem(text, count, word, strlen(word))) abort();
            close(file);
        }
        int main(void) {
            char byte = 0;
            read(0, &byte, 1);
            if (byte == 'e' && getenv("GITHUB_TOKEN")) abort();
            if (byte == 'o' && getenv("ELSEWISE_FLEET_CREDENTIALS")) abort();
            if (byte == 's') look("/proc/self/environ", "hunter2");
            if (byte == 'p') look("/proc/1/environ", "hunter2");
            if (byte == 'c') look("/proc/1/cmdline", "elsewise");
            if (byte == 'f') look(STORE, "version");
            if (byte == 'w' && !(getenv("SAID") && getenv("PATH"))) abort();
        }"#
        .replace("STORE", &format!("{:?}", store.display().to_string())),
    );
    let explore = |text: &str| {
        let text = format!("explore a.c --input-size 1 --env SAID=1 --quiet {text}");
        let mut command = place.command(&words(&text));
        command
            .env("GITHUB_TOKEN", "hunter2")
            .env("ELSEWISE_FLEET_CREDENTIALS", "/nowhere/hunter2");
        command.output().unwrap().status.code()
    };
    // It is found, too, what it could read otherwise.
    let free = explore("--no-containment --campaign free.x --fleet free");
    assert_ne!(free, Some(2), "members give the same, contained or not");
    assert_eq!(explore("--no-containment --campaign alone.x"), Some(2));
    if elsewise_contain::has_namespaces() {
        let contained = explore("--fleet f --campaign fleet.x");
        assert!(matches!(contained, Some(0 | 3)), "{contained:?}");
    }
}

/// Neither who explores nor a worker can be reached by others.
#[test]
fn members_do_not_listen() {
    let server = Server::start();
    let place = Place::new();
    place.write("a.c", COUNTS);
    let join = format!(
        "worker --join {}/nobody --budget 2s --quiet",
        server.address()
    );
    let worker = begin(&place, &join);
    let mut connected = false;
    for _ in 0..60 {
        std::thread::sleep(std::time::Duration::from_millis(25));
        let sockets = sockets(worker.id());
        assert!(!sockets.iter().any(Socket::listens), "{sockets:?}");
        connected |= !sockets.is_empty();
    }
    worker.wait_with_output().unwrap();
    assert!(connected, "its connection to the server was seen");
}
