//! What is answered to browsers and the like: one page, of which nobody else learns.
//!
//! One page for one person needs no server library: what is answered is `GET` of one path, everything else is
//! refused. Only this machine is listened to unless an address is given; then a page is given for a token, which is
//! part of its address. Other pages in the same browser get nothing: the name that was asked for must be
//! ours.

use crate::error::VerbError;
use elsewise_frontend::Problem;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::time::Duration;

/// Bytes that a request may have.
const REQUEST: usize = 16 << 10;
/// How long is waited for a request, and for its answer to be taken.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// An error of the address that a flag was given.
pub fn cannot(flag: &'static str, address: &str) -> impl Fn(io::Error) -> VerbError {
    move |source| VerbError::Listen {
        flag,
        address: address.to_string(),
        source,
    }
}

/// Waits for nobody: who accepts looks now and then whether there is somebody.
pub fn listen(flag: &'static str, address: &str) -> Result<TcpListener, Problem> {
    let cannot = cannot(flag, address);
    let resolved = address.to_socket_addrs().map_err(&cannot)?;
    let resolved: Vec<SocketAddr> = resolved.collect();
    let listener = TcpListener::bind(resolved.as_slice()).map_err(&cannot)?;
    listener.set_nonblocking(true).map_err(&cannot)?;
    Ok(listener)
}

/// What is served at an address, and to whom.
pub struct Door {
    /// The only path that there is.
    path: &'static str,
    /// Of what is given.
    kind: &'static str,
    /// What requests must have in their address; none is needed on this machine.
    token: Option<String>,
    /// Names that requests may ask for.
    hosts: Vec<String>,
}

impl Door {
    /// A page that may say what nobody else is to know.
    pub fn page(at: SocketAddr) -> Result<Door, Problem> {
        let token = (!at.ip().is_loopback()).then(token).transpose()?;
        Ok(Door {
            path: "/",
            kind: "text/html; charset=utf-8",
            token,
            hosts: hosts(at),
        })
    }

    /// Numbers for whoever may reach the address.
    pub fn numbers(at: SocketAddr, path: &'static str, kind: &'static str) -> Door {
        Door {
            path,
            kind,
            token: None,
            hosts: hosts(at),
        }
    }

    pub fn url(&self, at: SocketAddr) -> String {
        let host = match at.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => "THIS-MACHINE".to_string(),
            IpAddr::V6(ip) if ip.is_unspecified() => "THIS-MACHINE".to_string(),
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        let query = self.token.as_ref().map(|token| format!("?token={token}"));
        let query = query.unwrap_or_default();
        format!("http://{host}:{}{}{query}", at.port(), self.path)
    }

    /// Answers one request; `content` says what there is, or why there is nothing yet.
    pub fn answer(&self, mut stream: TcpStream, content: impl FnOnce() -> Result<String, String>) {
        let prepared = stream
            .set_nonblocking(false)
            .and_then(|()| stream.set_read_timeout(Some(PATIENCE)))
            .and_then(|()| stream.set_write_timeout(Some(PATIENCE)));
        let Some(request) = prepared.ok().and_then(|()| read_request(&mut stream)) else {
            return;
        };
        let (status, body) = match self.judge(&request) {
            Err(refusal) => (refusal, String::new()),
            Ok(()) => match content() {
                Ok(page) => ("200 OK", page),
                // The browser asks again by itself.
                Err(why) => ("503 Service Unavailable", why),
            },
        };
        let (kind, again) = match status {
            "200 OK" => (self.kind, ""),
            _ => ("text/plain; charset=utf-8", "Refresh: 2\r\n"),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
             X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n{again}\
             Connection: close\r\n\r\n",
            body.len()
        );
        // Whoever does not wait for the answer does not need it.
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(body.as_bytes());
    }

    /// Whether a request is one that is answered.
    fn judge(&self, request: &str) -> Result<(), &'static str> {
        let mut lines = request.split("\r\n");
        let mut words = lines.next().unwrap_or_default().split(' ');
        if words.next() != Some("GET") {
            return Err("405 Method Not Allowed");
        }
        let target = words.next().unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let host = lines.find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("host").then(|| value.trim())
        });
        let known = |host: &str| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host));
        if !self.hosts.is_empty() && !host.is_some_and(known) {
            return Err("403 Forbidden");
        }
        if let Some(token) = &self.token {
            let given = query
                .split('&')
                .find_map(|part| part.strip_prefix("token="));
            if !given.is_some_and(|given| same(given.as_bytes(), token.as_bytes())) {
                return Err("403 Forbidden");
            }
        }
        match path == self.path {
            true => Ok(()),
            false => Err("404 Not Found"),
        }
    }
}

/// Names by which this machine is asked for what is for itself only. By which names others know it is not known here.
fn hosts(at: SocketAddr) -> Vec<String> {
    let names = ["localhost", "127.0.0.1", "[::1]"];
    match at.ip().is_loopback() {
        true => names.map(|name| format!("{name}:{}", at.port())).to_vec(),
        false => Vec::new(),
    }
}

/// The head of a request; none if it is too long, never ends or is no text.
fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut part = [0; 1024];
    while !bytes.windows(4).any(|four| four == b"\r\n\r\n") {
        let count = stream.read(&mut part).ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&part[..count]);
        if bytes.len() > REQUEST {
            return None;
        }
    }
    String::from_utf8(bytes).ok()
}

/// A word that nobody guesses.
fn token() -> Result<String, Problem> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")
        .and_then(|mut file| file.read_exact(&mut bytes))
        .map_err(VerbError::NoRandomNumbers)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Equality whose time says nothing about where two words differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    let differ = a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b));
    a.len() == b.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door(at: &str) -> Door {
        Door::page(at.parse().unwrap()).unwrap()
    }

    #[test]
    fn on_this_machine_our_own_name_must_be_asked_for() {
        let door = door("127.0.0.1:8080");
        let ask = |request: &str| door.judge(request);
        assert_eq!(
            ask("GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"),
            Ok(())
        );
        assert_eq!(
            ask("GET /?x HTTP/1.1\r\nhost:LOCALHOST:8080\r\n\r\n"),
            Ok(())
        );
        for request in [
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:81\r\n\r\n",
        ] {
            assert_eq!(ask(request), Err("403 Forbidden"), "{request}");
        }
        let other = "GET /etc/passwd HTTP/1.1\r\nHost: localhost:8080\r\n\r\n";
        assert_eq!(ask(other), Err("404 Not Found"));
        for request in ["POST / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n", "", "\0"] {
            assert_eq!(ask(request), Err("405 Method Not Allowed"));
        }
    }

    #[test]
    fn elsewhere_a_token_is_needed() {
        let door = door("192.0.2.1:80");
        let token = door.token.clone().unwrap();
        let url = door.url("192.0.2.1:80".parse().unwrap());
        assert_eq!(url, format!("http://192.0.2.1:80/?token={token}"));
        let ask = |query: &str| door.judge(&format!("GET /{query} HTTP/1.1\r\n\r\n"));
        assert_eq!(ask(&format!("?token={token}")), Ok(()));
        for query in ["", "?token=", "?token=0", &format!("?token={token}0")] {
            assert_eq!(ask(query), Err("403 Forbidden"), "{query}");
        }
        let another = Door::page("192.0.2.1:80".parse().unwrap()).unwrap();
        assert_ne!(another.token, door.token);
    }

    #[test]
    fn a_request_over_loopback_is_answered_and_a_long_one_is_not() {
        let listener = listen("serve", "127.0.0.1:0").unwrap();
        let at = listener.local_addr().unwrap();
        let door = door(&at.to_string());
        let ask = |request: &[u8]| {
            let mut client = TcpStream::connect(at).unwrap();
            client.set_read_timeout(Some(PATIENCE)).unwrap();
            client.write_all(request).unwrap();
            let stream = loop {
                match listener.accept() {
                    Ok((stream, _)) => break stream,
                    Err(_) => std::thread::sleep(Duration::from_millis(1)),
                }
            };
            door.answer(stream, || Err("there is no campaign".to_owned()));
            let mut answer = String::new();
            // A connection that is closed with data unread may be reset.
            let _ = client.read_to_string(&mut answer);
            answer
        };
        let answer = ask(format!("GET / HTTP/1.1\r\nHost: {at}\r\n\r\n").as_bytes());
        assert!(
            answer.starts_with("HTTP/1.1 503 "),
            "there is no campaign: {answer}"
        );
        assert!(answer.contains("no-store") && answer.contains("nosniff"));
        let answer = ask(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
        assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
        assert_eq!(ask(&[b'a'; REQUEST + 2048]), "");
    }
}
