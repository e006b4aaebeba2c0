//! A queue and a store in several places: which of them has a task, and what is known of it, follows from its name.
//!
//! A member that has nothing to do looks at one of them, and at another the next time.

use elsewise_cluster::{Cluster, ClusterError, Got, Key, Lease, Queue, Store, Task};
use elsewise_test_random::Random;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// See the module's comment.
pub struct Shards {
    places: Vec<Cluster>,
    /// Where to look for a task.
    home: AtomicUsize,
    random: Mutex<Random>,
}

/// Digits of a name by which its place is chosen.
const DIGITS: usize = 8;

impl Shards {
    pub fn cluster(places: Vec<Cluster>, seed: u64) -> Cluster {
        Cluster::new(Shards {
            home: AtomicUsize::new(seed as usize % places.len()),
            places,
            random: Mutex::new(Random::new(seed)),
        })
    }

    fn number(&self, task: &Task) -> usize {
        let number = u64::from_str_radix(&task.as_str()[..DIGITS], 16).unwrap_or(0);
        number as usize % self.places.len()
    }

    fn of(&self, task: &Task) -> &Cluster {
        &self.places[self.number(task)]
    }

    /// Asks each place for those of the keys that it has, one place after the other.
    fn each<T>(
        &self,
        keys: &[Key],
        ask: impl Fn(&Cluster, &[Key]) -> Result<Vec<T>, ClusterError>,
    ) -> Result<Vec<T>, ClusterError> {
        let mut answers: Vec<Option<T>> = keys.iter().map(|_| None).collect();
        for (number, place) in self.places.iter().enumerate() {
            let is_there = |key: &&Key| self.number(&key.task) == number;
            let of_place: Vec<Key> = keys.iter().filter(is_there).cloned().collect();
            if of_place.is_empty() {
                continue;
            }
            let mut said = ask(place, &of_place)?.into_iter();
            for (key, answer) in keys.iter().zip(&mut answers) {
                if is_there(&key) {
                    *answer = said.next();
                }
            }
        }
        Ok(answers.into_iter().flatten().collect())
    }
}

impl Queue for Shards {
    fn put(&self, task: &Task) -> Result<(), ClusterError> {
        self.of(task).queue.put(task)
    }

    fn take(&self, wait: Duration) -> Result<Option<Box<dyn Lease>>, ClusterError> {
        let taken = self.places[self.home.load(Relaxed)].queue.take(wait)?;
        if taken.is_none()
            && let Ok(mut random) = self.random.lock()
        {
            self.home.store(random.below(self.places.len()), Relaxed);
        }
        Ok(taken)
    }
}

impl Store for Shards {
    fn get(&self, key: &Key) -> Result<Option<Vec<u8>>, ClusterError> {
        self.of(&key.task).store.get(key)
    }

    fn has(&self, key: &Key) -> Result<bool, ClusterError> {
        self.of(&key.task).store.has(key)
    }

    fn get_each(&self, keys: &[Key]) -> Result<Vec<Got>, ClusterError> {
        self.each(keys, |place, keys| place.store.get_each(keys))
    }

    fn has_each(&self, keys: &[Key]) -> Result<Vec<bool>, ClusterError> {
        self.each(keys, |place, keys| place.store.has_each(keys))
    }

    fn put(&self, key: &Key, bytes: &[u8]) -> Result<(), ClusterError> {
        self.of(&key.task).store.put(key, bytes)
    }

    fn put_new(&self, key: &Key, bytes: &[u8]) -> Result<bool, ClusterError> {
        self.of(&key.task).store.put_new(key, bytes)
    }

    fn forget(&self, key: &Key) -> Result<(), ClusterError> {
        self.of(&key.task).store.forget(key)
    }
}
