//! Members that are threads of one process.

use crate::ClusterError;
use crate::names::{Key, Task};
use crate::place::{Lease, Queue, Store};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    more: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Task>,
    /// All that were put in and are not done.
    known: BTreeSet<Task>,
    /// Members that have nothing to do, and of whom nobody was told.
    hungry: usize,
    objects: HashMap<String, Vec<u8>>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, task: &Task) {
        self.state().waiting.push_back(task.clone());
        self.more.notify_one();
    }
}

/// See the module's comment.
#[derive(Clone, Default)]
pub struct Memory(Arc<Shared>);

struct MemoryLease {
    shared: Arc<Shared>,
    task: Task,
}

impl Queue for Memory {
    fn put(&self, task: &Task) -> Result<(), ClusterError> {
        if self.0.state().known.insert(task.clone()) {
            self.0.add(task);
        }
        Ok(())
    }

    fn take(&self, wait: Duration) -> Result<Option<Box<dyn Lease>>, ClusterError> {
        let end = Instant::now() + wait;
        let mut state = self.0.state();
        let mut told = false;
        loop {
            if let Some(task) = state.waiting.pop_front() {
                if told {
                    state.hungry = state.hungry.saturating_sub(1);
                }
                let shared = self.0.clone();
                return Ok(Some(Box::new(MemoryLease { shared, task })));
            }
            let left = end.saturating_duration_since(Instant::now());
            if !told {
                state.hungry += 1;
                told = true;
            }
            if left.is_zero() {
                state.hungry = state.hungry.saturating_sub(1);
                return Ok(None);
            }
            let waited = self.0.more.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Lease for MemoryLease {
    fn task(&self) -> &Task {
        &self.task
    }

    fn others_wait(&self) -> bool {
        let mut state = self.shared.state();
        let wait = state.hungry > 0 && state.waiting.is_empty();
        state.hungry -= usize::from(wait);
        wait
    }

    fn renew_after(&self) -> Option<Duration> {
        None
    }

    fn renew(&self) -> Result<bool, ClusterError> {
        Ok(true)
    }

    fn done(&self) -> Result<(), ClusterError> {
        self.shared.state().known.remove(&self.task);
        Ok(())
    }

    fn give_back(&self) -> Result<(), ClusterError> {
        self.shared.add(&self.task);
        Ok(())
    }
}

impl Store for Memory {
    fn get(&self, key: &Key) -> Result<Option<Vec<u8>>, ClusterError> {
        Ok(self.0.state().objects.get(&key.to_string()).cloned())
    }

    fn has(&self, key: &Key) -> Result<bool, ClusterError> {
        Ok(self.0.state().objects.contains_key(&key.to_string()))
    }

    fn put(&self, key: &Key, bytes: &[u8]) -> Result<(), ClusterError> {
        let mut state = self.0.state();
        state.objects.insert(key.to_string(), bytes.to_vec());
        Ok(())
    }

    fn forget(&self, key: &Key) -> Result<(), ClusterError> {
        self.0.state().objects.remove(&key.to_string());
        Ok(())
    }

    fn put_new(&self, key: &Key, bytes: &[u8]) -> Result<bool, ClusterError> {
        let mut state = self.0.state();
        match state.objects.entry(key.to_string()) {
            std::collections::hash_map::Entry::Occupied(_) => Ok(false),
            std::collections::hash_map::Entry::Vacant(new) => {
                new.insert(bytes.to_vec());
                Ok(true)
            }
        }
    }
}
