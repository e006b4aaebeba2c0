//! By what a member says to a server who it is, and what a server must allow it.
//!
//! Names on a server are those of a campaign, and so are the subjects that a member hears answers on: a user who may use the
//! names of one campaign only hears nothing of others.

use crate::ClusterError;
use async_nats::{ConnectError, ConnectErrorKind, ConnectOptions, Event, ServerAddr, ServerError};
use futures_util::future::{Either, select};
use percent_encoding::percent_decode_str;
use std::fmt::{self, Write as _};
use std::io;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// After so much more each time a member tries to reach the server again, and after so much at most.
const RECONNECT: Duration = Duration::from_millis(20);
const LOOK_AGAIN: Duration = Duration::from_millis(500);
/// How long an answer is waited for.
pub(crate) const ANSWER: Duration = Duration::from_secs(5);

const AUTHORITY: &str = "ELSEWISE_FLEET_CA";
const CREDENTIALS: &str = "ELSEWISE_FLEET_CREDENTIALS";

/// The file by which a member says who it is, where that is not part of the address.
pub fn credentials() -> Option<PathBuf> {
    std::env::var_os(CREDENTIALS).map(PathBuf::from)
}

/// The file with the certificate of who signs the server's, where the system does not know it.
pub fn authority() -> Option<PathBuf> {
    std::env::var_os(AUTHORITY).map(PathBuf::from)
}

/// What a server has said last of what a member may not do. It answers no request then: whoever asked only waits in vain.
#[derive(Clone, Default)]
pub(crate) struct Refusal(Arc<Mutex<Option<String>>>, Arc<Notify>);

impl Refusal {
    fn hear(&self, event: Event) {
        if let Event::ServerError(ServerError::Other(why)) = event
            && why.to_lowercase().contains("permissions violation")
        {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
            self.1.notify_one();
        }
    }

    /// What comes of it, or of the refusal if that is sooner.
    pub async fn or<T>(
        &self,
        attempt: impl Future<Output = Result<T, ClusterError>>,
    ) -> Result<T, ClusterError> {
        match select(pin!(attempt), pin!(self.1.notified())).await {
            Either::Left((done, _)) => done,
            Either::Right(_) => {
                let why = self.take().unwrap_or_default();
                Err(ClusterError::server("allow that", why))
            }
        }
    }

    /// It is told of once.
    pub fn take(&self) -> Option<String> {
        let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        heard.take()
    }
}

/// How the server of a campaign is reached; who is at it may be part of its address.
pub(crate) async fn options(
    server: &ServerAddr,
    name: &str,
    refusal: &Refusal,
) -> Result<ConnectOptions, ClusterError> {
    let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let refusal = refusal.clone();
    let options = ConnectOptions::new()
        .event_callback(move |event| {
            refusal.hear(event);
            std::future::ready(())
        })
        .name("elsewise")
        .custom_inbox_prefix(inbox(name))
        .max_reconnects(None)
        .reconnect_delay_callback(|attempts| (RECONNECT * attempts as u32).min(LOOK_AGAIN))
        .request_timeout(Some(ANSWER));
    // A server names others of its cluster. Whoever can change what is read without TLS can name his own, which would be told the
    // password.
    let options = match server.tls_required() || authority().is_some() {
        true => options,
        false => options.ignore_discovered_servers(),
    };
    let options = match (server.username(), server.password()) {
        (Some(name), Some(password)) => options.user_and_password(plain(name), plain(password)),
        (Some(token), None) => options.token(plain(token)),
        (None, _) => options,
    };
    let options = match authority() {
        Some(file) => {
            has_certificate(&file)?;
            options.add_root_certificates(file).require_tls(true)
        }
        None => options,
    };
    match credentials() {
        Some(file) => {
            let options = options.credentials_file(&file).await;
            options.map_err(ClusterError::io("read", &file))
        }
        None => Ok(options),
    }
}

/// A file without one would make every server a stranger's.
fn has_certificate(file: &Path) -> Result<(), ClusterError> {
    let failed = ClusterError::io("read", file);
    let none = || io::Error::new(io::ErrorKind::InvalidData, "it has no certificate");
    match std::fs::read_to_string(file) {
        Ok(text) if text.contains("-----BEGIN CERTIFICATE-----") => Ok(()),
        Ok(_) => Err(failed(none())),
        Err(error) => Err(failed(error)),
    }
}

/// Why there is no connection, in words for whoever gave the address.
pub(crate) fn not_connected(server: &str, error: &ConnectError) -> ClusterError {
    let server = server.to_owned();
    let kind = error.kind();
    if kind == ConnectErrorKind::AuthorizationViolation {
        return ClusterError::Refused { server };
    }
    let why = error.to_string();
    let why = match why.contains("InvalidContentType") {
        true => "it does not speak TLS".to_owned(),
        false => why,
    };
    let source = std::error::Error::source(error).and_then(|it| it.downcast_ref::<io::Error>());
    let away = match kind {
        ConnectErrorKind::Dns | ConnectErrorKind::TimedOut => true,
        ConnectErrorKind::Io => source.is_some_and(is_away),
        _ => false,
    };
    ClusterError::Unreachable { server, why, away }
}

/// Is this what comes of an address at which nobody listens, or not for long yet?
fn is_away(error: &io::Error) -> bool {
    use io::ErrorKind::*;
    matches!(
        error.kind(),
        ConnectionRefused
            | ConnectionReset
            | ConnectionAborted
            | HostUnreachable
            | NetworkUnreachable
            | NetworkDown
            | TimedOut
    )
}

/// Under which subjects a member of a campaign gets answers.
fn inbox(name: &str) -> String {
    format!("elw.{name}.inbox")
}

/// What a user of a server must be allowed to take part in a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permissions {
    name: String,
    publish: Vec<String>,
    subscribe: Vec<String>,
}

impl Permissions {
    /// Of a campaign's name; with what it takes to begin it, if that is wanted. Whoever may make streams can make one that
    /// reads all others of its account.
    pub fn of(name: &str, begin: bool) -> Permissions {
        let (tasks, keys) = (format!("elw-{name}"), format!("KV_elw-{name}"));
        let objects = format!("OBJ_elw-{name}");
        let mut publish = vec![
            format!("elw.{name}.task.*"),
            format!("elw.{name}.hungry"),
            format!("$KV.elw-{name}.>"),
            format!("$O.elw-{name}.>"),
            format!("$JS.ACK.{tasks}.members.>"),
            format!("$JS.API.CONSUMER.INFO.{tasks}.members"),
            format!("$JS.API.CONSUMER.MSG.NEXT.{tasks}.members"),
            // Objects are read by consumers that are made for it, and their pieces purged.
            format!("$JS.API.CONSUMER.CREATE.{objects}"),
            format!("$JS.API.CONSUMER.CREATE.{objects}.>"),
            format!("$JS.API.CONSUMER.DELETE.{objects}.>"),
            format!("$JS.API.STREAM.PURGE.{objects}"),
        ];
        for stream in [&keys, &objects] {
            publish.push(format!("$JS.API.DIRECT.GET.{stream}.>"));
        }
        for stream in [&tasks, &keys, &objects] {
            publish.push(format!("$JS.API.STREAM.INFO.{stream}"));
        }
        if begin {
            // What the account has and may have, without names.
            publish.push("$JS.API.INFO".to_owned());
            publish.push(format!("$JS.API.CONSUMER.CREATE.{tasks}.members"));
            for stream in [&tasks, &keys, &objects] {
                publish.push(format!("$JS.API.STREAM.CREATE.{stream}"));
            }
        }
        Permissions {
            name: name.to_owned(),
            publish,
            subscribe: vec![
                format!("elw.{name}.hungry busy"),
                format!("{}.>", inbox(name)),
            ],
        }
    }
}

/// As a server's configuration has it.
impl fmt::Display for Permissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |subjects: &[String]| {
            let mut text = String::new();
            for subject in subjects {
                let _ = write!(text, "\n    {subject:?}");
            }
            text
        };
        writeln!(f, "# A member of the campaign {}.", self.name)?;
        writeln!(f, "permissions {{")?;
        writeln!(f, "  publish {{ allow: [{}\n  ] }}", list(&self.publish))?;
        writeln!(
            f,
            "  subscribe {{ allow: [{}\n  ] }}",
            list(&self.subscribe)
        )?;
        writeln!(f, "}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever may take part in one campaign is allowed nothing that has not its name.
    #[test]
    fn every_subject_is_of_the_campaign() {
        for begin in [false, true] {
            let allowed = Permissions::of("night-1", begin);
            for subject in allowed.publish.iter().chain(&allowed.subscribe) {
                let mut tokens = subject.split(['.', ' ']);
                let own = |token: &str| {
                    let stream = token.trim_start_matches("KV_").trim_start_matches("OBJ_");
                    stream == "elw-night-1" || token == "night-1"
                };
                let numbers = begin && subject == "$JS.API.INFO";
                assert!(tokens.any(own) || numbers, "{subject}");
            }
            let makes = allowed
                .publish
                .iter()
                .any(|it| it.contains("STREAM.CREATE"));
            assert_eq!(makes, begin);
        }
    }

    /// A server that says where others of its cluster are is asked again, and they are told nothing.
    #[test]
    fn servers_that_nobody_named_are_told_nothing() {
        use std::io::{Read, Write};
        use std::net::TcpListener;
        let listen = || TcpListener::bind("127.0.0.1:0").unwrap();
        let (named, other) = (listen(), listen());
        let address = format!("nats://me:secret@{}", named.local_addr().unwrap());
        let info = format!(
            "INFO {{\"server_id\":\"a\",\"version\":\"2.11.0\",\"proto\":1,\"headers\":true,\
             \"max_payload\":1048576,\"connect_urls\":[\"{}\"]}}\r\n",
            other.local_addr().unwrap()
        );
        let serve = std::thread::spawn(move || {
            for _ in 0..4 {
                let (mut stream, _) = named.accept().unwrap();
                stream.write_all(info.as_bytes()).unwrap();
                let mut said = Vec::new();
                let mut bytes = [0; 1024];
                while !String::from_utf8_lossy(&said).contains("PING") {
                    let count = stream.read(&mut bytes).unwrap();
                    said.extend_from_slice(&bytes[..count]);
                    assert!(count > 0);
                }
                let _ = stream.write_all(b"PONG\r\n");
            }
        });
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let _client = runtime.block_on(async {
            let address: ServerAddr = address.parse().unwrap();
            let options = options(&address, "x", &Refusal::default()).await.unwrap();
            options.connect(address).await.unwrap()
        });
        serve.join().unwrap();
        other.set_nonblocking(true).unwrap();
        assert!(other.accept().is_err(), "it was looked for there");
    }
}
