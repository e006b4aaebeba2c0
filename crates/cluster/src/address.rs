//! Where members meet, as users write it.

use crate::ClusterError;
use crate::access::Permissions;
use crate::bucket::Bucket;
use crate::bucket_address::BucketAddress;
use crate::files;
use crate::folder::Folder;
use crate::nats::Nats;
use crate::place::Cluster;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A folder, or a campaign on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Folder(PathBuf),
    /// The server, and the campaign's name there.
    Nats(String, String),
}

/// Where and how much a campaign on a server keeps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Storage<'a> {
    /// Has what is large, instead of the server.
    pub bucket: Option<&'a BucketAddress>,
    /// Bytes that a campaign may have on its server, if it is begun there.
    pub quota: Option<u64>,
}

impl Place {
    /// Whoever waits there for somebody who is away does so until `stop` is set.
    pub fn open(&self, stop: &Arc<AtomicBool>) -> Result<Cluster, ClusterError> {
        self.open_with(Storage::default(), stop)
    }

    /// The same, with a bucket and a quota.
    pub fn open_with(
        &self,
        storage: Storage<'_>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Cluster, ClusterError> {
        let (server, name) = match self {
            Place::Folder(_) if storage.quota.is_some() => {
                return Err(ClusterError::OfServers("quota"));
            }
            Place::Folder(_) if storage.bucket.is_some() => {
                return Err(ClusterError::BucketOfFolder);
            }
            Place::Folder(folder) => return Ok(Cluster::new(Folder::open(folder)?)),
            Place::Nats(server, name) => (server, name),
        };
        let nats = Nats::within(server, name, storage.quota)?.until(stop.clone());
        let Some(address) = storage.bucket else {
            return Ok(Cluster::new(nats));
        };
        let bucket = Bucket::open(address, &format!("elw-{name}"), stop)?;
        Ok(Cluster::new(nats.with_bucket(bucket)))
    }

    /// Folders, made here, in which a campaign is kept: no subject need read what members know, and have found.
    pub fn folders(&self, bucket: Option<&BucketAddress>) -> Result<Vec<PathBuf>, ClusterError> {
        match (self, bucket) {
            (Place::Folder(folder), _) => Folder::parts(folder).map(Vec::from),
            (Place::Nats(_, name), Some(BucketAddress::Folder(folder))) => {
                Ok(vec![files::make(folder, &format!("elw-{name}"))?])
            }
            (Place::Nats(..), _) => Ok(Vec::new()),
        }
    }

    /// What a user of the server must be allowed to take part; with what it takes to begin the campaign, if that is wanted.
    pub fn permissions(&self, begin: bool) -> Result<Permissions, ClusterError> {
        match self {
            Place::Folder(_) => Err(ClusterError::OfServers("permissions")),
            Place::Nats(_, name) => Ok(Permissions::of(name, begin)),
        }
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
