//! What all members have explored, as campaigns that can be put together.

use crate::ClusterError;
use crate::books::{children_of_each, walk};
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
    while !open.is_empty() {
        let mut over = Vec::new();
        let pending = walk(store, open, |task, about| over.push((task.clone(), about)))?;
        gathered.unfinished += pending.len();
        let mut left = Vec::new();
        for (task, about) in over {
            let part = gathered.fetch(store, Kind::Part, &task, folder, options, blueprint)?;
            // Otherwise what it has left to others is known.
            left.extend(part.filter(|_| about.is_none()).map(|part| (task, part)));
        }
        for task in pending {
            let about = gathered.fetch(store, Kind::Copy, &task, folder, options, blueprint)?;
            left.extend(about.map(|about| (task, about)));
        }
        open = children_of_each(store, &left)?;
    }
    Ok(gathered)
}

impl Gathered {
    /// Fetches what is known of one portion, if there is something, and what it says of itself.
    fn fetch(
        &mut self,
        store: &dyn Store,
        kind: Kind,
        task: &Task,
        folder: &Path,
        options: &Options,
        blueprint: &Blueprint,
    ) -> Result<Option<About>, ClusterError> {
        let packed = match store.get(&Key::new(kind, task)) {
            Ok(Some(packed)) => Ok(packed),
            Ok(None) => return Ok(None),
            Err(error @ ClusterError::Damaged { .. }) => Err(error),
            Err(error) => return Err(error),
        };
        let dir = folder.join(task.as_str());
        let fits = packed.and_then(|packed| {
            let about = pack::unpack(&packed, &dir)?;
            can_merge(&dir, options, blueprint)?;
            Ok(about)
        });
        match fits {
            Ok(about) => {
                self.parts.push(dir);
                Ok(Some(about))
            }
            Err(error) => {
                self.refused.push(error.to_string());
                Ok(None)
            }
        }
    }
}

/// How far a campaign is, by what is known of its portions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Status {
    pub portions: u64,
    /// Those that have been named by one that is over, and are not.
    pub pending: u64,
    /// Made in portions that are over.
    pub runs: u64,
}

/// Asks how far a campaign is that somebody has begun.
pub fn status(store: &dyn Store) -> Result<Status, ClusterError> {
    let mut status = Status::default();
    let pending = walk(store, vec![Task::root()], |_, about| {
        status.portions += 1;
        status.runs += about.map_or(0, |about| about.runs);
    })?;
    status.pending = pending.len() as u64;
    Ok(status)
}
