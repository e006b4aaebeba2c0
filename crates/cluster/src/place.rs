//! Where the members of a campaign meet: a queue and a store, whoever keeps them.

use crate::ClusterError;
use crate::bucket::Bucket;
use crate::names::{Key, Task};
use std::sync::Arc;
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

    /// We are still at it; an error if nobody has heard that. False if somebody else has it by now.
    fn renew(&self) -> Result<bool, ClusterError>;

    /// It has been done, and what came of it is in the store.
    fn done(&self) -> Result<(), ClusterError>;

    /// Somebody else is to go on with it.
    fn give_back(&self) -> Result<(), ClusterError>;
}

/// What a store has under one of several names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Got {
    Bytes(Vec<u8>),
    Nothing,
    /// There is something, and it is not what a member has put there.
    Damaged,
}

impl Got {
    /// Of an answer that is an error only if the place has not answered.
    pub fn of(answer: Result<Option<Vec<u8>>, ClusterError>) -> Result<Got, ClusterError> {
        match answer {
            Ok(Some(bytes)) => Ok(Got::Bytes(bytes)),
            Ok(None) => Ok(Got::Nothing),
            Err(ClusterError::Damaged { .. }) => Ok(Got::Damaged),
            Err(error) => Err(error),
        }
    }
}

/// What is known of portions.
pub trait Store: Send + Sync {
    fn get(&self, key: &Key) -> Result<Option<Vec<u8>>, ClusterError>;

    /// Is there something? It may be large.
    fn has(&self, key: &Key) -> Result<bool, ClusterError>;

    /// The same for many keys, of which nothing is large: a place that is far away is asked for several at a time.
    fn get_each(&self, keys: &[Key]) -> Result<Vec<Got>, ClusterError> {
        keys.iter().map(|key| Got::of(self.get(key))).collect()
    }

    fn has_each(&self, keys: &[Key]) -> Result<Vec<bool>, ClusterError> {
        keys.iter().map(|key| self.has(key)).collect()
    }

    fn put(&self, key: &Key, bytes: &[u8]) -> Result<(), ClusterError>;

    /// Only if there is nothing yet: of several who try at the same time, one succeeds. Where answers may be lost, so do
    /// those whose bytes are the same.
    fn put_new(&self, key: &Key, bytes: &[u8]) -> Result<bool, ClusterError>;

    /// It is not needed any more.
    fn forget(&self, key: &Key) -> Result<(), ClusterError>;

    /// Where what is large is, if that is not where the rest is.
    fn bucket(&self) -> Option<&Bucket> {
        None
    }
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
