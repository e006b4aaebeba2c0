//! `report --serve`: the page of a campaign for a browser, made anew while the campaign is explored.
//!
//! One page for one person needs no server library: what is answered is `GET /`, everything else is
//! refused. Only this machine is listened to unless an address is given; then a token is part of the
//! page's address. Other pages in the same browser get nothing: the name that was asked for must be
//! ours.

use super::html;
use crate::error::VerbError;
use crate::{campaigns, interrupt, output};
use elsewise_frontend::{Exit, Problem};
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Bytes that a request may have.
const REQUEST: usize = 16 << 10;
/// How long is waited for a request, and for its answer to be taken.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two looks at whether to stop.
const TICK: Duration = Duration::from_millis(50);
/// A page is good for so many times what it took to make it.
const KEPT: u32 = 3;

/// The page as it was made last.
struct CachedPage {
    made: Instant,
    took: Duration,
    page: Arc<Result<String, String>>,
}

struct Server {
    campaign: PathBuf,
    /// What requests must have in their address; none is needed on this machine.
    token: Option<String>,
    /// Names that requests may ask for.
    hosts: Vec<String>,
    kept: Mutex<Option<CachedPage>>,
}

pub fn serve(campaign: &Path, address: &str) -> Result<Exit, Problem> {
    // An error now is better than a page that says it.
    campaigns::open(campaign)?;
    let listener = listen(address)?;
    let stop = interrupt::stop_flag()?;
    let at = listener.local_addr().map_err(cannot(address))?;
    let server = Arc::new(Server::new(campaign, at)?);
    output::note(&format!(
        "{} shows the campaign; Ctrl-C ends it",
        server.url(at)
    ));
    while !stop.load(Ordering::Relaxed) {
        match listener.accept() {
            Ok((stream, _)) => {
                let server = Arc::clone(&server);
                // A browser that hangs must not keep others waiting.
                std::thread::spawn(move || server.answer(stream));
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => std::thread::sleep(TICK),
            Err(error) => return Err(cannot(address)(error).into()),
        }
    }
    Ok(Exit::Clean)
}

fn cannot(address: &str) -> impl Fn(io::Error) -> VerbError {
    move |source| VerbError::Listen {
        address: address.to_string(),
        source,
    }
}

fn listen(address: &str) -> Result<TcpListener, Problem> {
    let resolved = address.to_socket_addrs().map_err(cannot(address))?;
    let resolved: Vec<SocketAddr> = resolved.collect();
    let listener = TcpListener::bind(resolved.as_slice());
    let listener = listener.map_err(cannot(address))?;
    listener.set_nonblocking(true).map_err(cannot(address))?;
    Ok(listener)
}

impl Server {
    fn new(campaign: &Path, at: SocketAddr) -> Result<Server, Problem> {
        let local = at.ip().is_loopback();
        let port = at.port();
        Ok(Server {
            campaign: campaign.to_path_buf(),
            token: if local { None } else { Some(token()?) },
            hosts: match local {
                true => vec![
                    format!("localhost:{port}"),
                    format!("127.0.0.1:{port}"),
                    format!("[::1]:{port}"),
                ],
                // The token says enough; by which names this machine is known is not known here.
                false => Vec::new(),
            },
            kept: Mutex::new(None),
        })
    }

    fn url(&self, at: SocketAddr) -> String {
        let host = match at.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => "THIS-MACHINE".to_string(),
            IpAddr::V6(ip) if ip.is_unspecified() => "THIS-MACHINE".to_string(),
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        let query = self.token.as_ref().map(|token| format!("?token={token}"));
        format!("http://{host}:{}/{}", at.port(), query.unwrap_or_default())
    }

    fn answer(&self, mut stream: TcpStream) {
        let prepared = stream
            .set_nonblocking(false)
            .and_then(|()| stream.set_read_timeout(Some(PATIENCE)))
            .and_then(|()| stream.set_write_timeout(Some(PATIENCE)));
        let Some(request) = prepared.ok().and_then(|()| read_request(&mut stream)) else {
            return;
        };
        let (status, body) = match self.judge(&request) {
            Err(refusal) => (refusal, String::new()),
            Ok(()) => match self.page().as_ref() {
                Ok(page) => ("200 OK", page.clone()),
                // The browser asks again by itself.
                Err(why) => ("503 Service Unavailable", why.clone()),
            },
        };
        let (kind, again) = match status {
            "200 OK" => ("text/html; charset=utf-8", ""),
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
        match path {
            "/" => Ok(()),
            _ => Err("404 Not Found"),
        }
    }

    fn page(&self) -> Arc<Result<String, String>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_ref()
            && kept.made.elapsed() < KEPT * kept.took
        {
            return Arc::clone(&kept.page);
        }
        let begun = Instant::now();
        let live = campaigns::explorer(&self.campaign).is_some();
        let page = html::page(&self.campaign, live).map_err(|problem| problem.to_string());
        let page = Arc::new(page);
        *kept = Some(CachedPage {
            made: Instant::now(),
            took: begun.elapsed(),
            page: Arc::clone(&page),
        });
        page
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

    fn server(at: &str) -> Server {
        Server::new(Path::new("none.elsewise"), at.parse().unwrap()).unwrap()
    }

    #[test]
    fn on_this_machine_our_own_name_must_be_asked_for() {
        let server = server("127.0.0.1:8080");
        let ask = |request: &str| server.judge(request);
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
        let server = server("192.0.2.1:80");
        let token = server.token.clone().unwrap();
        let url = server.url("192.0.2.1:80".parse().unwrap());
        assert_eq!(url, format!("http://192.0.2.1:80/?token={token}"));
        let ask = |query: &str| server.judge(&format!("GET /{query} HTTP/1.1\r\n\r\n"));
        assert_eq!(ask(&format!("?token={token}")), Ok(()));
        for query in ["", "?token=", "?token=0", &format!("?token={token}0")] {
            assert_eq!(ask(query), Err("403 Forbidden"), "{query}");
        }
        let another = Server::new(Path::new("x"), "192.0.2.1:80".parse().unwrap()).unwrap();
        assert_ne!(another.token, server.token);
    }

    #[test]
    fn a_request_over_loopback_is_answered_and_a_long_one_is_not() {
        let listener = listen("127.0.0.1:0").unwrap();
        let at = listener.local_addr().unwrap();
        let server = server(&at.to_string());
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
            server.answer(stream);
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
