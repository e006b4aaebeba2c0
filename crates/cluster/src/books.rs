//! What is written down of portions, in an order in which nothing is lost when whoever writes it ends in between.

use crate::ClusterError;
use crate::names::{Key, Kind, Task};
use crate::pack::{self, About};
use crate::place::{Cluster, Got, Lease, Store};
use elsewise_campaign::Portion;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// What is known of where a portion is.
pub enum Known {
    Portion(Portion),
    Nothing,
    /// It cannot be read.
    Damaged,
}

/// See the module's comment.
#[derive(Clone)]
pub struct Books {
    pub cluster: Cluster,
}

impl Books {
    /// Where in the tree a task's portion is.
    pub fn portion(&self, task: &Task) -> Result<Known, ClusterError> {
        if *task == Task::root() {
            return Ok(Known::Portion(Portion::whole()));
        }
        let key = Key::new(Kind::Portion, task);
        Ok(match Got::of(self.cluster.store.get(&key))? {
            Got::Bytes(said) => read(&key, &said).map_or(Known::Damaged, Known::Portion),
            Got::Nothing => Known::Nothing,
            Got::Damaged => Known::Damaged,
        })
    }

    /// A task of which nobody can know what it is is over, without a part: that part of the tree stays open. Otherwise all would
    /// wait for it.
    pub fn abandon(&self, lease: &dyn Lease) -> Result<(), ClusterError> {
        let said = serde_json::to_vec(&About::default()).unwrap_or_default();
        let key = Key::new(Kind::Done, lease.task());
        self.cluster.store.put_new(&key, &said)?;
        lease.done()
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
            // What nobody can read was left to nobody.
            let Got::Bytes(said) = Got::of(self.cluster.store.get(&key))? else {
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
fn children(store: &dyn Store, task: &Task, about: About) -> Result<Vec<Task>, ClusterError> {
    children_of_each(store, &[(task.clone(), about)])
}

/// The same for several tasks: the first child of each, the second of each, and so on.
pub(crate) fn children_of_each(
    store: &dyn Store,
    tasks: &[(Task, About)],
) -> Result<Vec<Task>, ClusterError> {
    let mut children = Vec::new();
    let mut left: Vec<&(Task, About)> = tasks.iter().collect();
    for number in 0.. {
        left.retain(|(_, about)| number < about.children);
        if left.is_empty() {
            break;
        }
        let next: Vec<Task> = left.iter().map(|(task, _)| task.child(number)).collect();
        let key = |child: &Task| Key::new(Kind::Portion, child);
        let there = store.has_each(&next.iter().map(key).collect::<Vec<_>>())?;
        let mut is_there = there.iter().copied();
        left.retain(|_| is_there.next().unwrap_or(false));
        let known = next.into_iter().zip(there).filter(|(_, there)| *there);
        children.extend(known.map(|(child, _)| child));
    }
    Ok(children)
}

/// Tasks that are asked for before what they have left to others is.
const TOGETHER: usize = 256;

/// Tells of each of these tasks that is over, and of those that it has left to others, as far as they are; those that are not. What
/// cannot be read of one that is over says nothing, nor of what it has left.
pub(crate) fn walk(
    store: &dyn Store,
    from: Vec<Task>,
    mut over: impl FnMut(&Task, Option<About>),
) -> Result<Vec<Task>, ClusterError> {
    let mut pending = Vec::new();
    let mut open = from;
    while !open.is_empty() {
        let tasks = open.split_off(open.len().saturating_sub(TOGETHER));
        let key = |task: &Task| Key::new(Kind::Done, task);
        let keys: Vec<Key> = tasks.iter().map(key).collect();
        let mut ended = Vec::new();
        for ((task, key), said) in tasks.into_iter().zip(&keys).zip(store.get_each(&keys)?) {
            let about = match said {
                Got::Nothing => {
                    pending.push(task);
                    continue;
                }
                Got::Bytes(said) => read(key, &said).ok(),
                Got::Damaged => None,
            };
            over(&task, about);
            ended.extend(about.map(|about| (task, about)));
        }
        open.extend(children_of_each(store, &ended)?);
    }
    Ok(pending)
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
