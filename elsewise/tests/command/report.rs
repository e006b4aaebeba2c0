//! A campaign as a page: written, and served.

use crate::support::{BUGGY, Place};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::Duration;

fn explored() -> Place {
    let place = Place::new();
    place.write("a<b>.c", BUGGY);
    let ran = place.run(&["explore", "a<b>.c", "--input-size", "4", "-q"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    place
}

#[test]
fn a_page_has_source_finding_input_and_commands() {
    let place = explored();
    let ran = place.run(&["report", "--html"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    let page = std::fs::read_to_string(place.path("a<b>.html")).unwrap();
    for part in [
        "<h1>a&#60;b&#62;.c</h1>",
        "Explored completely",
        "id=\"finding-1\"",
        "elsewise replay &#39;a&#60;b&#62;.elsewise/findings/1&#39; --gdb",
        "47 4f",
        "<i class=k>int</i> main(<i class=k>void</i>)",
        "proved unreachable",
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    assert!(!page.contains("a<b>"), "a file's name is no markup");
    // What decided the failure: the two letters.
    let decided = page.split("Decided by").nth(1).unwrap();
    assert!(decided.contains(":8 in main"), "{decided}");
}

#[test]
fn a_page_is_served_to_this_machine_until_it_is_ended() {
    let place = explored();
    let mut server = place
        .command(&["report", "--serve"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stderr.as_mut().unwrap())
        .read_line(&mut line)
        .unwrap();
    let address = line
        .split_once("http://")
        .and_then(|(_, rest)| rest.split_once("/ "))
        .map(|(address, _)| address.to_owned());
    let address = address.unwrap_or_else(|| panic!("no address in {line}"));
    let mut stream = TcpStream::connect(&address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.contains("Explored completely"), "{answer}");

    let pid = server.id().to_string();
    let killed = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status()
        .unwrap();
    assert!(killed.success());
    assert_eq!(server.wait().unwrap().code(), Some(0));
}
