//! What is written down of portions, in an order in which nothing is lost when whoever writes it ends in between.

use crate::ClusterError;
use crate::names::{Key, Kind, Task};
use crate::pack::{self, About};
use crate::place::{Cluster, Lease, Store};
use elsewise_campaign::Portion;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// See the module's comment.
#[derive(Clone)]
pub struct Books {
    pub cluster: Cluster,
}

impl Books {
    /// Where in the tree a task's portion is, if that is known.
    pub fn portion(&self, task: &Task) -> Result<Option<Portion>, ClusterError> {
        if *task == Task::root() {
            return Ok(Some(Portion::whole()));
        }
        let key = Key::new(Kind::Portion, task);
        let said = self.cluster.store.get(&key)?;
        Ok(said.and_then(|said| read(&key, &said).ok()))
    }

    /// The last copy of a task's campaign, if there is one that can be read.
    pub fn copy(&self, task: &Task) -> Result<Option<Vec<u8>>, ClusterError> {
        match self.cluster.store.get(&Key::new(Kind::Copy, task)) {
            Err(ClusterError::Damaged { .. }) => Ok(None),
            copy => copy,
        }
    }

    /// What somebody else has left of this task to others, and could not say so any more.
    pub fn given(&self, task: &Task, children: &AtomicU32) -> Result<Vec<Portion>, ClusterError> {
        let mut given = Vec::new();
        loop {
            let child = task.child(children.load(Relaxed));
            let key = Key::new(Kind::Portion, &child);
            let Some(said) = self.cluster.store.get(&key)? else {
                return Ok(given);
            };
            let Ok(portion) = read(&key, &said) else {
                return Ok(given);
            };
            given.push(portion);
            self.cluster.queue.put(&child)?;
            children.fetch_add(1, Relaxed);
        }
    }

    /// Leaves a portion of this task to others.
    pub fn give(
        &self,
        task: &Task,
        children: &AtomicU32,
        portion: &Portion,
    ) -> Result<(), ClusterError> {
        let bytes = serde_json::to_vec(portion).unwrap_or_default();
        loop {
            let number = children.load(Relaxed);
            let child = task.child(number);
            let key = Key::new(Kind::Portion, &child);
            let new = self.cluster.store.put_new(&key, &bytes)?;
            self.cluster.queue.put(&child)?;
            children.store(number + 1, Relaxed);
            // Otherwise it is of somebody who was at this task before us, after the copy that we began with.
            if new {
                return Ok(());
            }
        }
    }

    /// A task is over, and this came of it.
    pub fn end(&self, lease: &dyn Lease, about: About, packed: &[u8]) -> Result<(), ClusterError> {
        let task = lease.task();
        let key = Key::new(Kind::Part, task);
        // Somebody else may have thought that we are gone, and have been faster.
        if self.cluster.store.put_new(&key, packed)? {
            self.say(task, about)?;
        } else if !self.ended(task)? {
            // What the other has put there cannot be read.
            self.cluster.store.put(&key, packed)?;
            self.say(task, about)?;
        }
        lease.done()
    }

    /// Is the part of a task in the store, of whomever it is? Then all may know that it is over.
    pub fn ended(&self, task: &Task) -> Result<bool, ClusterError> {
        let store = &self.cluster.store;
        if store.has(&Key::new(Kind::Done, task))? {
            return Ok(true);
        }
        let part = match store.get(&Key::new(Kind::Part, task)) {
            Err(ClusterError::Damaged { .. }) => return Ok(false),
            part => part?,
        };
        match part.map(|part| pack::about(&part)) {
            Some(Ok(about)) => self.say(task, about).map(|()| true),
            // Nobody can know what it has left to others: as long as it is not over, it is explored anew.
            Some(Err(_)) | None => Ok(false),
        }
    }

    /// What a task left to others is in the queue, and all may know that it is over.
    fn say(&self, task: &Task, about: About) -> Result<(), ClusterError> {
        let store = &self.cluster.store;
        for child in children(store.as_ref(), task, about)? {
            self.cluster.queue.put(&child)?;
        }
        let said = serde_json::to_vec(&about).unwrap_or_default();
        store.put(&Key::new(Kind::Done, task), &said)?;
        store.forget(&Key::new(Kind::Copy, task))
    }
}

/// What a task has left to others. There are no more than are known, whatever is said of it.
pub(crate) fn children(
    store: &dyn Store,
    task: &Task,
    about: About,
) -> Result<Vec<Task>, ClusterError> {
    let mut children = Vec::new();
    for number in 0..about.children {
        let child = task.child(number);
        if !store.has(&Key::new(Kind::Portion, &child))? {
            break;
        }
        children.push(child);
    }
    Ok(children)
}

pub(crate) fn read<T: serde::de::DeserializeOwned>(
    key: &Key,
    bytes: &[u8],
) -> Result<T, ClusterError> {
    serde_json::from_slice(bytes).map_err(|error| ClusterError::Damaged {
        key: key.to_string(),
        why: error.to_string(),
    })
}
