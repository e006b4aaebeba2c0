//! What all members have explored, as campaigns that can be put together.

use crate::ClusterError;
use crate::books::{children, read};
use crate::names::{Key, Kind, Task};
use crate::pack::{self, About};
use crate::place::Store;
use elsewise_campaign::{Options, can_merge};
use elsewise_explore::Blueprint;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Campaigns of portions, in folders of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gathered {
    pub parts: Vec<PathBuf>,
    /// Portions that were not over, of which the last copy is among the parts if there was one.
    pub unfinished: usize,
    /// Why others are left out: they are damaged, or not of this campaign.
    pub refused: Vec<String>,
}

/// Fetches all there is of a campaign to a folder, but for parts that do not fit.
pub fn gather(
    store: &dyn Store,
    folder: &Path,
    options: &Options,
    blueprint: &Blueprint,
) -> Result<Gathered, ClusterError> {
    let mut gathered = Gathered::default();
    let mut open = vec![Task::root()];
    while let Some(task) = open.pop() {
        let done = store.has(&Key::new(Kind::Done, &task))?;
        let kind = if done { Kind::Part } else { Kind::Copy };
        gathered.unfinished += usize::from(!done);
        let packed = match store.get(&Key::new(kind, &task)) {
            Ok(Some(packed)) => Ok(packed),
            Ok(None) => continue,
            Err(error @ ClusterError::Damaged { .. }) => Err(error),
            Err(error) => return Err(error),
        };
        let dir = folder.join(task.as_str());
        let fits = packed.and_then(|packed| {
            let about = pack::unpack(&packed, &dir)?;
            can_merge(&dir, options, blueprint)?;
            Ok(about)
        });
        let about = match fits {
            Ok(about) => {
                gathered.parts.push(dir);
                Some(about)
            }
            Err(error) => {
                gathered.refused.push(error.to_string());
                // What others had of it is not damaged with it.
                let done = Key::new(Kind::Done, &task);
                store.get(&done)?.and_then(|said| read(&done, &said).ok())
            }
        };
        if let Some(about) = about {
            open.extend(children(store, &task, about)?);
        }
    }
    Ok(gathered)
}

/// How far a campaign is, by what is known of its portions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Status {
    pub over: u64,
    /// Those that have been named by one that is over, and are not.
    pub pending: u64,
    /// Made in portions that are over.
    pub runs: u64,
}

/// Asks how far a campaign is that somebody has begun.
pub fn status(store: &dyn Store) -> Result<Status, ClusterError> {
    let mut open = vec![Task::root()];
    let mut status = Status::default();
    while let Some(task) = open.pop() {
        let key = Key::new(Kind::Done, &task);
        match store.get(&key)? {
            None => status.pending += 1,
            Some(said) => {
                let about: About = read(&key, &said)?;
                status.over += 1;
                status.runs += about.runs;
                open.extend(children(store, &task, about)?);
            }
        }
    }
    Ok(status)
}
