//! What can go wrong between machines.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        what: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("the server at {server} cannot be reached: {why}")]
    Unreachable {
        server: String,
        why: String,
        /// Nobody answers there, perhaps not yet.
        away: bool,
    },
    #[error("the server at {server} refuses this user")]
    Refused { server: String },
    #[error("the server did not {what}: {why}")]
    Server { what: &'static str, why: String },
    /// The campaign's name.
    #[error("the campaign {0} has as much on the server as it may have")]
    Full(String),
    #[error("a folder has no {0} of ours")]
    OfServers(&'static str),
    #[error("the fleet's campaign is another: {0}")]
    OtherCampaign(String),
    #[error("`{0}` is neither a folder nor nats://HOST[:PORT]/NAME")]
    Address(String),
    #[error("the bucket {address} did not {what}: {why}")]
    Bucket {
        address: String,
        what: &'static str,
        why: String,
    },
    #[error(
        "`{0}` is neither a folder nor s3://BUCKET[/PREFIX], gs://BUCKET[/PREFIX] or az://CONTAINER[/PREFIX]"
    )]
    BucketAddress(String),
    #[error("a campaign in a folder keeps everything there, and has no bucket")]
    BucketOfFolder,
    #[error("the campaign keeps what is large in {0}, and no bucket was named here")]
    UnnamedBucket(String),
    #[error("the campaign has no bucket")]
    NoBucketAgreed,
    #[error("{ours} is not the campaign's bucket, which was named {theirs}")]
    OtherBucket { ours: String, theirs: String },
    #[error("this elsewise was built without buckets of providers")]
    NoBuckets,
    #[error("what the fleet has under {key} is damaged: {why}")]
    Damaged { key: String, why: String },
    #[error(transparent)]
    Campaign(#[from] elsewise_campaign::CampaignError),
}

impl ClusterError {
    /// Is it of a server at which nobody answers, and that may be there later?
    pub fn is_away(&self) -> bool {
        matches!(self, ClusterError::Unreachable { away: true, .. })
    }

    pub(crate) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ClusterError {
        let path = path.to_owned();
        move |source| ClusterError::Io { what, path, source }
    }

    pub(crate) fn server(what: &'static str, why: impl ToString) -> ClusterError {
        ClusterError::Server {
            what,
            why: why.to_string(),
        }
    }

    /// The same, where it is known better why.
    pub(crate) fn because(self, better: Option<String>) -> ClusterError {
        match (self, better) {
            (ClusterError::Server { what, .. }, Some(why)) => ClusterError::Server { what, why },
            (other, _) => other,
        }
    }
}
