//! Finding out that everything has been explored.
//!
//! Many members may have nothing to do. If each of them asked for each portion whether it is over, a place would be asked more
//! the more members there are, and the more portions. So one of them does: the watch is a task like any other, and who has it asks
//! while it has nothing else to do, and then tells all.

use crate::ClusterError;
use crate::books::walk;
use crate::explorer::World;
use crate::names::{Key, Kind, Task};
use crate::place::{Cluster, Lease};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Tasks of which nothing was heard for so long are put in again, in case the queue has lost them.
const LOST: Duration = Duration::from_secs(60);

/// See the module's comment.
pub struct Watch {
    cluster: Cluster,
    world: Arc<dyn World>,
    /// If it is ours.
    held: Option<Held>,
    /// Tasks that are not known to be over, of those that are known.
    pending: Vec<Task>,
    /// Since when nothing was heard of any.
    unchanged: Instant,
}

struct Held {
    lease: Box<dyn Lease>,
    said: Instant,
}

impl Watch {
    /// Of a campaign that has begun.
    pub fn new(cluster: &Cluster, world: &Arc<dyn World>) -> Result<Watch, ClusterError> {
        let watch = Watch {
            cluster: cluster.clone(),
            world: world.clone(),
            held: None,
            pending: vec![Task::root()],
            unchanged: world.now(),
        };
        watch.put_pending()?;
        watch.cluster.queue.put(&Task::watch())?;
        Ok(watch)
    }

    fn put_pending(&self) -> Result<(), ClusterError> {
        let mut pending = self.pending.iter();
        pending.try_for_each(|task| self.cluster.queue.put(task))
    }

    /// It is ours from now on.
    pub fn hold(&mut self, lease: Box<dyn Lease>) {
        let said = self.world.now();
        self.held = Some(Held { lease, said });
    }

    pub fn is_held(&self) -> bool {
        self.held.is_some()
    }

    /// Somebody else is to have it.
    pub fn leave(&mut self) -> Result<(), ClusterError> {
        self.held
            .take()
            .map_or(Ok(()), |held| held.lease.give_back())
    }

    /// Is every portion over that there is? For whoever has nothing to do, again and again.
    pub fn all_done(&mut self) -> Result<bool, ClusterError> {
        self.renew();
        let over = Key::new(Kind::Over, &Task::root());
        if self.cluster.store.has(&over)? {
            self.end()?;
            return Ok(true);
        }
        if self.held.is_some() {
            self.ask()?;
            if self.pending.is_empty() {
                self.cluster.store.put(&over, b"")?;
                self.end()?;
                return Ok(true);
            }
        }
        if self.world.now().duration_since(self.unchanged) > LOST {
            self.unchanged = self.world.now();
            match self.held {
                Some(_) => self.put_pending()?,
                // Whoever does not ask does not know what is pending.
                None => self.cluster.queue.put(&Task::watch())?,
            }
        }
        Ok(false)
    }

    fn end(&mut self) -> Result<(), ClusterError> {
        self.held.take().map_or(Ok(()), |held| held.lease.done())
    }

    /// Whoever cannot say that it has the watch has it no more.
    fn renew(&mut self) {
        let Some(held) = &mut self.held else {
            return;
        };
        let now = self.world.now();
        let due = held.lease.renew_after();
        if due.is_some_and(|often| now.duration_since(held.said) >= often) {
            held.said = now;
            if !held.lease.renew().unwrap_or(false) {
                self.held = None;
            }
        }
    }

    /// Asks for each of the tasks that are known, and for those that they have left.
    fn ask(&mut self) -> Result<(), ClusterError> {
        let mut changed = false;
        let store = self.cluster.store.as_ref();
        self.pending = walk(store, self.pending.clone(), |_, _| changed = true)?;
        if changed {
            self.unchanged = self.world.now();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;
    use crate::explorer::Machine;
    use crate::pack::About;

    #[test]
    fn one_of_those_who_wait_asks_and_tells_the_others() {
        let cluster = Cluster::new(Memory::default());
        let world: Arc<dyn World> = Arc::new(Machine);
        let mut asks = Watch::new(&cluster, &world).unwrap();
        let mut waits = Watch::new(&cluster, &world).unwrap();
        let take = || cluster.queue.take(Duration::ZERO).unwrap();
        let root = take().unwrap();
        assert_eq!(*root.task(), Task::root());
        let watch = take().unwrap();
        assert_eq!(*watch.task(), Task::watch());
        assert!(take().is_none(), "there is one watch");
        asks.hold(watch);
        assert!(!asks.all_done().unwrap() && !waits.all_done().unwrap());

        let child = Task::root().child(0);
        let store = &cluster.store;
        let done = |task: &Task, children: u32| {
            let about = About { children, runs: 1 };
            let said = serde_json::to_vec(&about).unwrap();
            store.put(&Key::new(Kind::Done, task), &said).unwrap();
        };
        store.put(&Key::new(Kind::Portion, &child), b"{}").unwrap();
        done(&Task::root(), 1);
        assert!(!asks.all_done().unwrap(), "what it has left is not over");
        done(&child, 0);
        assert!(!waits.all_done().unwrap(), "nobody has told it");
        asks.leave().unwrap();
        assert!(!asks.all_done().unwrap(), "it does not ask any more");
        let watch = take().unwrap();
        assert_eq!(*watch.task(), Task::watch());
        asks.hold(watch);
        assert!(asks.all_done().unwrap());
        assert!(waits.all_done().unwrap());
        assert!(take().is_none(), "nobody needs it any more");
    }
}
