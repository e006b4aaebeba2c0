//! Data races: two accesses to the same memory, one of which writes, that nothing orders but chance.
//!
//! Unlike [`super::Causality`], which orders all that conflicts, only what threads meet by counts
//! here: locks, the begin and end of threads, atomics that acquire and release. A clock for each
//! thread and each synchronisation object, and for each byte of memory the accesses that later ones have not made
//! superfluous (Flanagan, Freund: FastTrack).

use crate::SiteId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Races of one run that are told.
const MOST_TOLD: usize = 64;
/// Accesses to the same eight bytes that are remembered.
const MOST_REMEMBERED: usize = 256;

/// One access to memory.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    pub thread: u32,
    pub site: SiteId,
    pub address: u64,
    /// Bytes.
    pub size: u32,
    pub writes: bool,
    /// It is no part of a data race with another that is.
    pub atomic: bool,
    /// What others have done before they released it happened before.
    pub acquires: bool,
    pub releases: bool,
    /// It reads what was there before, whether it writes or not.
    pub reads: bool,
}

/// One of two accesses that race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    pub thread: u32,
    pub site: SiteId,
    pub writes: bool,
    pub atomic: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataRace {
    pub earlier: Side,
    pub later: Side,
    /// The later access.
    pub address: u64,
    pub size: u32,
}

impl DataRace {
    /// The two places, the lesser one first: other races of the same two are no news.
    pub fn sites(&self) -> (SiteId, SiteId) {
        let (one, other) = (self.earlier.site, self.later.site);
        (one.min(other), one.max(other))
    }
}

/// How many steps of each thread, by its number.
type Clock = Vec<u32>;

#[derive(Clone, Copy)]
struct Remembered {
    /// Which of the eight bytes.
    bytes: u8,
    /// Number of the thread, and how far it was.
    thread: u32,
    step: u32,
    side: Side,
}

/// Finds the data races of one run as it goes along.
#[derive(Default)]
pub struct DataRaces {
    numbers: FxHashMap<u32, u32>,
    clocks: Vec<Clock>,
    /// What has changed it, and what has only looked at it.
    sync_objects: FxHashMap<u64, (Clock, Clock)>,
    atomics: FxHashMap<u64, Clock>,
    /// Of each thread: what a fence that acquires would make it come after, and what its atomics
    /// release since the last fence that releases.
    fences: Vec<(Clock, Clock)>,
    memory: FxHashMap<u64, Vec<Remembered>>,
    known: FxHashSet<(SiteId, SiteId)>,
    found: Vec<DataRace>,
}

impl DataRaces {
    pub fn new() -> DataRaces {
        DataRaces::default()
    }

    /// Those found so far, one for each pair of places.
    pub fn found(&self) -> &[DataRace] {
        &self.found
    }

    /// A thread meets others by an object: what changes it comes after all that has touched it, what
    /// does not comes after what has changed it.
    pub fn meet(&mut self, thread: u32, object: u64, changes: bool) {
        let thread = self.number(thread);
        let clock = &mut self.clocks[thread];
        let (changed, looked) = self.sync_objects.entry(object).or_default();
        join(clock, changed);
        if changes {
            join(clock, looked);
            join(changed, clock);
        } else {
            join(looked, clock);
        }
        clock[thread] += 1;
    }

    /// A fence: what atomics around it have read and write counts as acquired and released by it.
    pub fn fence(&mut self, thread: u32, acquires: bool, releases: bool) {
        let thread = self.number(thread);
        let clock = &mut self.clocks[thread];
        let (read, released) = &mut self.fences[thread];
        if acquires {
            join(clock, read);
        }
        if releases {
            released.clone_from(clock);
            clock[thread] += 1;
        }
    }

    pub fn touch(&mut self, touch: &Touch) {
        let thread = self.number(touch.thread);
        if touch.reads
            && touch.atomic
            && let Some(released) = self.atomics.get(&touch.address)
        {
            match touch.acquires {
                true => join(&mut self.clocks[thread], released),
                false => join(&mut self.fences[thread].0, released),
            }
        }
        for (granule, bytes) in granules(touch.address, touch.size) {
            self.look(thread, touch, granule, bytes);
        }
        if touch.releases {
            let clock = &mut self.clocks[thread];
            // Joined, not replaced: what was released before is still there for those who read what
            // was added to it.
            join(self.atomics.entry(touch.address).or_default(), clock);
            clock[thread] += 1;
        } else if touch.writes && touch.atomic && !self.fences[thread].1.is_empty() {
            let fenced = &self.fences[thread].1;
            join(self.atomics.entry(touch.address).or_default(), fenced);
        }
    }

    fn look(&mut self, thread: usize, touch: &Touch, granule: u64, bytes: u8) {
        let clock = &self.clocks[thread];
        let side = Side {
            thread: touch.thread,
            site: touch.site,
            writes: touch.writes,
            atomic: touch.atomic,
        };
        let remembered = self.memory.entry(granule).or_default();
        remembered.retain_mut(|one| {
            if one.bytes & bytes == 0 {
                return true;
            }
            let there = clock.get(one.thread as usize).copied().unwrap_or(0);
            let ordered = one.step <= there;
            let conflict = (one.side.writes || side.writes) && !(one.side.atomic && side.atomic);
            if !ordered && conflict {
                let race = DataRace {
                    earlier: one.side,
                    later: side,
                    address: touch.address,
                    size: touch.size,
                };
                if self.found.len() < MOST_TOLD && self.known.insert(race.sites()) {
                    self.found.push(race);
                }
            }
            // Whatever races with it then races with this one, too.
            let as_strong = (side.writes || !one.side.writes) && (!side.atomic || one.side.atomic);
            if ordered && as_strong {
                one.bytes &= !bytes;
            }
            one.bytes != 0
        });
        if remembered.len() >= MOST_REMEMBERED {
            remembered.remove(0);
        }
        remembered.push(Remembered {
            bytes,
            thread: thread as u32,
            step: clock[thread],
            side,
        });
    }

    fn number(&mut self, name: u32) -> usize {
        let next = self.clocks.len() as u32;
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            let mut clock = vec![0; next as usize + 1];
            clock[next as usize] = 1;
            self.clocks.push(clock);
            self.fences.push(Default::default());
        }
        number as usize
    }
}

fn join(mine: &mut Clock, theirs: &Clock) {
    if mine.len() < theirs.len() {
        mine.resize(theirs.len(), 0);
    }
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine = (*mine).max(*theirs);
    }
}

/// Memory in pieces of eight bytes: the number of each, and which of its bytes are meant.
pub fn granules(address: u64, size: u32) -> impl Iterator<Item = (u64, u8)> {
    let end = address.saturating_add(u64::from(size));
    let pieces = address >> 3..end.div_ceil(8);
    pieces.map(move |piece| {
        let first = address.saturating_sub(piece << 3).min(8) as u32;
        let after = end.saturating_sub(piece << 3).min(8) as u32;
        let below = |count: u32| ((1u32 << count) - 1) as u8;
        (piece, below(after) & !below(first))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: u64 = 1 << 62;

    fn touch(thread: u32, site: u32, address: u64, size: u32, writes: bool) -> Touch {
        Touch {
            thread,
            site: SiteId(site),
            address,
            size,
            writes,
            atomic: false,
            acquires: false,
            releases: false,
            reads: !writes,
        }
    }

    fn atomic(thread: u32, site: u32, writes: bool, acquires: bool, releases: bool) -> Touch {
        Touch {
            atomic: true,
            acquires,
            releases,
            ..touch(thread, site, 0x200, 4, writes)
        }
    }

    fn sites(races: &DataRaces) -> Vec<(u32, u32)> {
        let found = races.found().iter();
        found
            .map(|race| (race.earlier.site.0, race.later.site.0))
            .collect()
    }

    #[test]
    fn memory_in_pieces() {
        let pieces = |address, size| granules(address, size).collect::<Vec<_>>();
        assert_eq!(pieces(16, 8), [(2, 0xff)]);
        assert_eq!(pieces(19, 1), [(2, 0b1000)]);
        assert_eq!(pieces(20, 8), [(2, 0xf0), (3, 0x0f)]);
        assert_eq!(pieces(23, 10), [(2, 0x80), (3, 0xff), (4, 0x01)]);
        assert_eq!(pieces(24, 0), []);
        assert_eq!(pieces(u64::MAX - 3, 64).len(), 1);
    }

    #[test]
    fn two_writes_without_a_lock() {
        let mut races = DataRaces::new();
        races.touch(&touch(1, 10, 0x100, 4, true));
        races.touch(&touch(65, 20, 0x102, 1, false));
        // The same two places once more, and bytes that nobody else touches.
        races.touch(&touch(65, 20, 0x103, 1, false));
        races.touch(&touch(65, 30, 0x104, 4, true));
        assert_eq!(sites(&races), [(10, 20)]);
        let race = races.found()[0];
        assert_eq!((race.earlier.thread, race.later.thread), (1, 65));
        assert_eq!((race.earlier.writes, race.later.writes), (true, false));
        assert_eq!((race.address, race.size), (0x102, 1));
    }

    #[test]
    fn two_reads_do_not_race() {
        let mut races = DataRaces::new();
        races.touch(&touch(1, 10, 0x100, 4, false));
        races.touch(&touch(2, 20, 0x100, 4, false));
        assert_eq!(races.found(), []);
        // What then writes races with both of them.
        races.touch(&touch(3, 30, 0x100, 4, true));
        assert_eq!(sites(&races), [(10, 30), (20, 30)]);
    }

    #[test]
    fn a_lock_orders() {
        let mut races = DataRaces::new();
        for (thread, site) in [(1, 10), (2, 20), (1, 11)] {
            races.meet(thread, LOCK, true);
            races.touch(&touch(thread, site, 0x100, 8, true));
            races.meet(thread, LOCK, true);
        }
        assert_eq!(races.found(), []);
        // After the lock was given back, nothing orders.
        races.touch(&touch(2, 21, 0x100, 8, false));
        assert_eq!(sites(&races), [(11, 21)]);
    }

    #[test]
    fn another_lock_does_not_order() {
        let mut races = DataRaces::new();
        for (thread, lock) in [(1, LOCK), (2, LOCK + 40)] {
            races.meet(thread, lock, true);
            races.touch(&touch(thread, thread, 0x100, 8, true));
            races.meet(thread, lock, true);
        }
        assert_eq!(sites(&races), [(1, 2)]);
    }

    #[test]
    fn who_only_looks_comes_after_what_changed_and_before_what_changes() {
        let mut races = DataRaces::new();
        races.touch(&touch(1, 10, 0x100, 8, true));
        races.meet(1, LOCK, true);
        // Two who look: after the first, but not ordered with each other.
        for thread in [2, 3] {
            races.meet(thread, LOCK, false);
            races.touch(&touch(thread, 10 * thread, 0x100, 8, false));
            races.touch(&touch(thread, 10 * thread + 1, 0x200, 1, true));
            races.meet(thread, LOCK, false);
        }
        assert_eq!(sites(&races), [(21, 31)]);
        races.meet(4, LOCK, true);
        races.touch(&touch(4, 40, 0x100, 8, true));
        assert_eq!(sites(&races), [(21, 31)]);
    }

    #[test]
    fn atomics_order_by_what_they_release_and_acquire() {
        for (acquires, releases) in [(false, false), (true, false), (false, true), (true, true)] {
            let mut races = DataRaces::new();
            races.touch(&touch(1, 10, 0x100, 8, true));
            races.touch(&atomic(1, 11, true, false, releases));
            races.touch(&atomic(2, 20, false, acquires, false));
            races.touch(&touch(2, 21, 0x100, 8, false));
            let expected: &[(u32, u32)] = match acquires && releases {
                true => &[],
                false => &[(10, 21)],
            };
            assert_eq!(sites(&races), expected);
        }
    }

    #[test]
    fn fences_make_atomics_around_them_acquire_and_release() {
        for (acquires, releases) in [(false, false), (true, false), (false, true), (true, true)] {
            let mut races = DataRaces::new();
            races.touch(&touch(1, 10, 0x100, 8, true));
            races.fence(1, !releases, releases);
            // What comes after the fence is not released by it.
            races.touch(&touch(1, 12, 0x300, 8, true));
            races.touch(&atomic(1, 11, true, false, false));
            races.touch(&atomic(2, 20, false, false, false));
            races.fence(2, acquires, !acquires);
            races.touch(&touch(2, 21, 0x100, 8, false));
            races.touch(&touch(2, 22, 0x300, 8, false));
            let expected: &[(u32, u32)] = match acquires && releases {
                true => &[(12, 22)],
                false => &[(10, 21), (12, 22)],
            };
            assert_eq!(sites(&races), expected);
        }
    }

    #[test]
    fn what_only_writes_acquires_nothing() {
        let mut races = DataRaces::new();
        races.touch(&touch(1, 10, 0x100, 8, true));
        races.touch(&atomic(1, 11, true, false, true));
        races.touch(&atomic(2, 20, true, false, false));
        races.fence(2, true, false);
        races.touch(&touch(2, 21, 0x100, 8, false));
        assert_eq!(sites(&races), [(10, 21)]);
    }

    #[test]
    fn an_atomic_races_with_what_is_not() {
        let mut races = DataRaces::new();
        races.touch(&touch(1, 10, 0x200, 4, true));
        races.touch(&atomic(2, 20, true, true, true));
        races.touch(&atomic(3, 30, false, true, true));
        // The atomic write hides nothing of the one before.
        assert_eq!(sites(&races), [(10, 20), (10, 30)]);
    }
}
