//! Where the members of a campaign meet: a queue and a store, whoever keeps them.

use crate::ClusterError;
use crate::folder::Folder;
use crate::names::{Key, Task};
use crate::nats::Nats;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Portions that are to be explored.
pub trait Queue: Send + Sync {
    /// Adds one; adding it again changes nothing until it is done.
    fn put(&self, task: &Task) -> Result<(), ClusterError>;

    /// The next one that nobody else is at. None where there was none for so long; those who have work have heard then that
    /// somebody has none.
    fn take(&self, wait: Duration) -> Result<Option<Box<dyn Lease>>, ClusterError>;
}

/// A task that is ours for as long as we say so.
pub trait Lease: Send + Sync {
    fn task(&self) -> &Task;

    /// Does a member have nothing to do? Each that says so is told of once.
    fn others_wait(&self) -> bool;

    /// How often it is to be said that we are at it; never where the place knows.
    fn renew_after(&self) -> Option<Duration>;

    /// We are still at it; an error if nobody has heard that.
    fn renew(&self) -> Result<(), ClusterError>;

    /// It has been done, and what came of it is in the store.
    fn done(&self) -> Result<(), ClusterError>;

    /// Somebody else is to go on with it.
    fn give_back(&self) -> Result<(), ClusterError>;
}

/// What is known of portions.
pub trait Store: Send + Sync {
    fn get(&self, key: &Key) -> Result<Option<Vec<u8>>, ClusterError>;

    /// Is there something? It may be large.
    fn has(&self, key: &Key) -> Result<bool, ClusterError>;

    fn put(&self, key: &Key, bytes: &[u8]) -> Result<(), ClusterError>;

    /// Only if there is nothing yet: of several who try at the same time, one succeeds.
    fn put_new(&self, key: &Key, bytes: &[u8]) -> Result<bool, ClusterError>;

    /// It is not needed any more.
    fn forget(&self, key: &Key) -> Result<(), ClusterError>;
}

/// Both of them.
#[derive(Clone)]
pub struct Cluster {
    pub queue: Arc<dyn Queue>,
    pub store: Arc<dyn Store>,
}

impl Cluster {
    pub fn new(both: impl Queue + Store + 'static) -> Cluster {
        let both = Arc::new(both);
        Cluster {
            queue: both.clone(),
            store: both,
        }
    }
}

/// Where that is, as users write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Folder(PathBuf),
    /// The server, and the campaign's name there.
    Nats(String, String),
}

impl Place {
    /// Whoever waits there for somebody who is away does so until `stop` is set.
    pub fn open(&self, stop: &Arc<AtomicBool>) -> Result<Cluster, ClusterError> {
        Ok(match self {
            Place::Folder(folder) => Cluster::new(Folder::open(folder)?),
            Place::Nats(server, name) => {
                Cluster::new(Nats::connect(server, name)?.until(stop.clone()))
            }
        })
    }
}

impl FromStr for Place {
    type Err = ClusterError;

    fn from_str(text: &str) -> Result<Place, ClusterError> {
        // It may have a password.
        let shown = match text.rsplit_once('@') {
            Some((_, host)) => format!("…@{host}"),
            None => text.to_owned(),
        };
        let bad = || ClusterError::Address(shown.clone());
        let Some((scheme, rest)) = text.split_once("://") else {
            let is_folder =
                !["nats:", "tls:", ""].contains(&text.split_inclusive(':').next().unwrap_or(""));
            return match is_folder {
                false => Err(bad()),
                true => Ok(Place::Folder(PathBuf::from(text))),
            };
        };
        if !matches!(scheme, "nats" | "tls") {
            return Err(bad());
        }
        let (host, name) = rest.split_once('/').ok_or_else(bad)?;
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let named = (1..=64).contains(&name.len()) && name.bytes().all(letter);
        match named && !host.is_empty() {
            true => Ok(Place::Nats(format!("{scheme}://{host}"), name.to_owned())),
            false => Err(bad()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_folders_or_servers() {
        let place = |text: &str| text.parse::<Place>().ok();
        assert_eq!(place("a/b"), Some(Place::Folder("a/b".into())));
        let server = Place::Nats("nats://host:4222".into(), "night-1".into());
        assert_eq!(place("nats://host:4222/night-1"), Some(server));
        let tls = Place::Nats("tls://host".into(), "x".into());
        assert_eq!(place("tls://host/x"), Some(tls));
        for bad in [
            "",
            "nats://host",
            "nats:///x",
            "nats://host/",
            "nats://host/a.b",
            "nats://host/a>",
            "nats://host/a/b",
            "http://host/x",
            "nats:/me:secret@host/x",
        ] {
            assert_eq!(place(bad), None, "{bad}");
        }
        for bad in [
            "nats://me:secret@host",
            "nats://me:sec/ret@host/x",
            "http://me:secret@host/x",
        ] {
            let said = bad.parse::<Place>().unwrap_err().to_string();
            assert!(!said.contains("sec"), "{said}");
        }
    }
}
