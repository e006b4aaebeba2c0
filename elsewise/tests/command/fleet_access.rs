//! Who may take part in a campaign on a server: certificates, files of credentials, and what is said to whom is refused.

use crate::shards::COUNTS;
use crate::support::{Place, Ran};
use data_encoding::BASE64URL_NOPAD;
use elsewise_cluster::server::Server;
use nkeys::KeyPair;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, Issuer};
use serde_json::{Value, json};
use std::path::PathBuf;

const CA: &str = "ELSEWISE_FLEET_CA";
const CREDENTIALS: &str = "ELSEWISE_FLEET_CREDENTIALS";

/// Somebody who signs certificates of servers.
fn authority() -> CertifiedIssuer<'static, rcgen::KeyPair> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, rcgen::KeyPair::generate().unwrap()).unwrap()
}

/// A certificate and key of a server on loopback.
fn certificate(by: &Issuer<'_, rcgen::KeyPair>) -> (String, String) {
    let key = rcgen::KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    (
        params.signed_by(&key, by).unwrap().pem(),
        key.serialize_pem(),
    )
}

/// Claims, signed as NATS has it.
fn token(by: &KeyPair, about: &KeyPair, claims: Value) -> String {
    let encode = |value: Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let head = encode(json!({"typ": "JWT", "alg": "ed25519-nkey"}));
    let body = encode(json!({
        "jti": about.public_key(),
        "iat": 1_700_000_000,
        "iss": by.public_key(),
        "name": "test",
        "sub": about.public_key(),
        "nats": claims,
    }));
    let said = format!("{head}.{body}");
    let signed = BASE64URL_NOPAD.encode(&by.sign(said.as_bytes()).unwrap());
    format!("{said}.{signed}")
}

/// Somebody who says who has which account of a server.
struct Operator {
    key: KeyPair,
    accounts: Vec<KeyPair>,
}

impl Operator {
    fn new(accounts: usize) -> Operator {
        Operator {
            key: KeyPair::new_operator(),
            accounts: (0..accounts).map(|_| KeyPair::new_account()).collect(),
        }
    }

    /// What a server is told of it.
    fn settings(&self) -> String {
        let claims = json!({"type": "operator", "version": 2});
        let operator = token(&self.key, &self.key, claims);
        let limits = json!({
            "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true,
            "conn": -1, "leaf": -1, "mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1,
        });
        let account = |account: &KeyPair, limits: &Value| {
            let claims = json!({"type": "account", "version": 2, "limits": limits});
            let token = token(&self.key, account, claims);
            format!("{}: {token}\n", account.public_key())
        };
        let accounts = self.accounts.iter();
        let accounts: String = accounts.map(|one| account(one, &limits)).collect();
        // The server's own, which has no streams.
        let system = KeyPair::new_account();
        let own = account(&system, &json!({"subs": -1, "conn": -1, "wildcards": true}));
        format!(
            "operator: {operator}\nresolver: MEMORY\nsystem_account: {}\n\
             resolver_preload: {{\n{accounts}{own}}}\n",
            system.public_key()
        )
    }

    /// A file of credentials of somebody in an account.
    fn credentials(&self, account: usize) -> String {
        let user = KeyPair::new_user();
        let claims = json!({"type": "user", "version": 2, "subs": -1, "data": -1, "payload": -1});
        let token = token(&self.accounts[account], &user, claims);
        let seed = user.seed().unwrap();
        format!(
            "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
        )
    }
}

/// A folder with what members are given, and a server that wants to see it.
struct Guarded {
    place: Place,
    server: Server,
    authority: PathBuf,
    credentials: PathBuf,
}

impl Guarded {
    fn run(&self, words: &str, variables: &[(&str, &PathBuf)]) -> Ran {
        let words = words.replace("HOST", &format!("127.0.0.1:{}", self.server.port()));
        let words: Vec<&str> = words.split(' ').collect();
        let mut command = self.place.command(&words);
        command.envs(variables.iter().copied());
        Ran::new(command, self.place.folder.path())
    }

    fn member(&self, words: &str) -> Ran {
        let variables = [(CA, &self.authority), (CREDENTIALS, &self.credentials)];
        self.run(words, &variables)
    }
}

#[test]
fn members_need_certificate_and_credentials() {
    let place = Place::new();
    place.write("a.c", COUNTS);
    let (signs, operator) = (authority(), Operator::new(2));
    let (certificate, key) = certificate(&signs);
    let certificate = place.write("server.pem", certificate);
    let key = place.write("server.key", key);
    let server = Server::start_with(&format!(
        "tls {{ cert_file: {certificate:?}, key_file: {key:?} }}\n{}",
        operator.settings()
    ));
    let guarded = Guarded {
        authority: place.write("ca.pem", signs.pem()),
        credentials: place.write("member.creds", operator.credentials(0)),
        server,
        place,
    };
    let explore = "explore a.c --input-size 8 --quiet --format json --fleet tls://HOST/x";
    let ran = guarded.member(explore);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    assert_eq!(ran.json()["complete"], true);
    let ran = guarded.member("worker --join tls://HOST/x --quiet");
    assert_eq!(ran.code, 0, "{}", ran.seen());
    assert!(ran.stdout.ends_with("everything has been explored\n"));
    // Who names an authority asks for TLS, however the server is written.
    let ran = guarded.member("status --fleet nats://HOST/x");
    assert_eq!(ran.code, 0, "{}", ran.seen());

    // Somebody else's account has no such campaign.
    let worker = "worker --join tls://HOST/x --quiet --budget 1s";
    let other = guarded.place.write("other.creds", operator.credentials(1));
    let ran = guarded.run(worker, &[(CA, &guarded.authority), (CREDENTIALS, &other)]);
    assert_eq!(ran.code, 3, "{}", ran.seen());
    assert!(ran.stderr.contains("nobody has begun a campaign there"));

    let write = |name: &str, content: String| guarded.place.write(name, content);
    let stranger = write("strange.creds", Operator::new(1).credentials(0));
    let impostor = write("impostor.pem", authority().pem());
    let (missing, source) = (guarded.place.path("missing"), guarded.place.path("a.c"));
    let (ca, creds) = (&guarded.authority, &guarded.credentials);
    let refused = |variables: &[(&str, &PathBuf)], why: &[&str]| {
        let ran = guarded.run(worker, variables);
        assert_eq!(ran.code, 1, "{}", ran.seen());
        for why in why {
            assert!(ran.stderr.contains(why), "{why}: {}", ran.seen());
        }
    };
    refused(
        &[(CA, ca), (CREDENTIALS, &stranger)],
        &["refuses this user", CREDENTIALS],
    );
    refused(&[(CA, ca)], &["refuses this user", CREDENTIALS]);
    refused(
        &[(CA, &impostor), (CREDENTIALS, creds)],
        &["certificate", CA],
    );
    refused(&[(CREDENTIALS, creds)], &["certificate", CA]);
    refused(
        &[(CA, &missing), (CREDENTIALS, creds)],
        &["cannot read ", "missing", CA],
    );
    refused(
        &[(CA, &source), (CREDENTIALS, creds)],
        &["it has no certificate", CA],
    );
    refused(
        &[(CA, ca), (CREDENTIALS, &missing)],
        &["cannot read ", "missing", CREDENTIALS],
    );
    refused(
        &[(CA, ca), (CREDENTIALS, ca)],
        &["cannot read ", "ca.pem", CREDENTIALS],
    );
}

/// A server that does not encrypt is not spoken to by who asked for it.
#[test]
fn nothing_is_said_in_the_clear_to_who_asked_for_tls() {
    let server = Server::start();
    let place = Place::new();
    let at = format!("tls://name:secret@127.0.0.1:{}/x", server.port());
    let ran = place.run(&["worker", "--join", &at, "--quiet", "--budget", "1s"]);
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert!(!ran.stderr.contains("secret"), "{}", ran.seen());
    assert!(ran.stderr.to_lowercase().contains("tls"), "{}", ran.seen());
}

/// A subject that would talk to the server of its member, if it could.
#[test]
fn a_subject_reaches_no_server() {
    let server = Server::start();
    let place = Place::new();
    let program = r#"#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

int main(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (getchar() == 'x') {
        int s = socket(AF_INET, SOCK_STREAM, 0);
        if (s >= 0 && connect(s, (struct sockaddr *)&at, sizeof at) == 0)
            abort();
    }
}
"#;
    place.write("a.c", program.replace("PORT", &server.port().to_string()));
    let explore = |more: &str| {
        let text = format!("explore a.c --input-size 1 --quiet {more}");
        place.run(&text.split(' ').collect::<Vec<_>>())
    };
    let ran = explore("--no-containment --campaign free");
    assert_eq!(ran.code, 2, "without containment it does: {}", ran.seen());
    let fleet = format!("--fleet {}/x", server.address());
    explore(&format!("{fleet} --budget 1ms --campaign begun"));
    let join = format!("{}/x", server.address());
    let ran = place.run(&["worker", "--join", &join, "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    let ran = explore(&format!("{fleet} --campaign own"));
    assert_eq!(ran.code, 0, "{}", ran.seen());
}
