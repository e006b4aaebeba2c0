//! All orders with few preemptions.
//!
//! A *preemption* is a switch away from a thread that could have gone on, and neither waited nor gave
//! way. With a bound on them the races of a run do not tell what else there is: what leads to the
//! other order may take one more (Coons, Musuvathi, McKinley: Bounded partial-order reduction). So no
//! race is looked at here. At every move of a run, every other thread that can move is an alternative,
//! if its preemptions are not too many, but for three things, which leave out no end of a run:
//!
//! - Who is at a place that is the same, in causality, as one from which the same thread has moved
//!   before with no more preemptions, is not told again.
//! - Nor is one that leads to such a place: a move that comes later in the run, and that nothing from
//!   here on happened before, would do the same here.
//! - A thread is preempted only before what others may notice: a move on objects of which no run
//!   has shown that another thread touches them in conflict might as well come before the switch.
//!   When a run shows it, the switches that were left out are put in. So are all when a run ends
//!   by what one thread does, whatever the others were about to do: that comes before or after
//!   everything.

use super::{Access, Moves, Seen, Wakeup};
use crate::Choice;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// One that is still to be tried: the beginning of a run's schedule, and then another thread.
#[derive(Clone, Debug)]
struct Open {
    run: u32,
    scheduled: Arc<[u32]>,
    before: u32,
    thread: u32,
    place: Place,
    cost: u32,
}

/// A place in causality, who moved last, and who moves.
type Place = (u64, Option<u32>, u32);

/// See the module's comment.
#[derive(Debug)]
pub struct Bounded {
    most: u32,
    /// With how few preemptions each has been or will be reached.
    reached: FxHashMap<Place, u32>,
    /// With how few a run has been at a place in causality after a move of a thread.
    been: FxHashMap<(u64, u32), u32>,
    /// The same of those that are left out so far.
    left_out: FxHashMap<Place, u32>,
    /// Objects that threads are known to touch in conflict.
    shared: FxHashSet<u64>,
    /// One thread may end the run: all moves matter to it.
    may_end: bool,
    /// Switches before moves on an object of which that is not known.
    unneeded: FxHashMap<u64, Vec<Open>>,
    /// By the number of preemptions.
    open: Vec<VecDeque<Open>>,
}

impl Bounded {
    pub fn new(most: u32) -> Bounded {
        Bounded {
            most,
            reached: FxHashMap::default(),
            been: FxHashMap::default(),
            left_out: FxHashMap::default(),
            shared: FxHashSet::default(),
            may_end: false,
            unneeded: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    /// Number of orders still to try.
    pub fn open(&self) -> usize {
        self.open.iter().map(VecDeque::len).sum()
    }

    /// One that is still to be tried, with the fewest preemptions.
    pub fn next_open(&mut self) -> Option<Wakeup> {
        let next = self.open.iter_mut().find_map(VecDeque::pop_front)?;
        let mut schedule = next.scheduled[..next.before as usize].to_vec();
        schedule.push(next.thread);
        Some(Wakeup::order(next.run, schedule))
    }

    /// Strikes out the one that a case was made from, if it is still open: it has the inputs of the run `run`.
    pub fn take_tried(&mut self, run: u32, schedule: &[u32]) {
        let Some((last, before)) = schedule.split_last() else {
            return;
        };
        for open in &mut self.open {
            let same = |one: &Open| {
                one.run == run
                    && one.thread == *last
                    && one.scheduled[..one.before as usize] == *before
            };
            if let Some(index) = open.iter().position(same) {
                open.remove(index);
                return;
            }
        }
    }

    /// Takes a run in: the other threads that could have moved are to be tried.
    pub fn note(&mut self, seen: &Seen<'_>) {
        let moves = seen.moves;
        let able = able(moves);
        self.share(moves);
        let (scheduled, before) = scheduled(seen);
        let mut causes = Causes::new(seen);
        let events: Vec<(u64, Option<usize>)> = {
            let mut causes = Causes::new(seen);
            (0..moves.moves.len())
                .map(|index| causes.add(index))
                .collect()
        };
        // Ends of runs come before or after everything.
        let early = |next: &Next, here: usize| {
            let (event, latest) = events.get(next.index)?;
            let free = latest.is_none_or(|latest| latest < here);
            (free && !moves.moves[next.index].ends).then_some(*event)
        };
        let mut cost = 0;
        let mut last: Option<u32> = None;
        for (index, one) in moves.moves.iter().enumerate() {
            let here = &able[index];
            let last_goes_on = here
                .iter()
                .find(|next| Some(next.thread) == last && !next.gives_way(moves));
            let costs = |thread| cost + u32::from(last_goes_on.is_some() && Some(thread) != last);
            for next in here.iter().filter(|next| next.thread != one.thread) {
                let costs = costs(next.thread);
                if costs > self.most {
                    continue;
                }
                let place = (causes.sum, last, next.thread);
                let known = self.reached.get(&place).into_iter();
                let mut known = known.chain(self.left_out.get(&place));
                if known.any(|known| *known <= costs) {
                    continue;
                }
                let been = early(next, index).and_then(|event| {
                    let there = (causes.sum.wrapping_add(event), next.thread);
                    self.been.get(&there)
                });
                if been.is_some_and(|known| *known <= costs) {
                    continue;
                }
                let open = Open {
                    run: seen.run,
                    scheduled: scheduled.clone(),
                    before: before[index],
                    thread: next.thread,
                    place,
                    cost: costs,
                };
                let preempted = last_goes_on.filter(|_| Some(next.thread) != last);
                match preempted.and_then(|last| self.private(moves, last)) {
                    Some(object) => {
                        self.left_out.insert(place, costs);
                        self.unneeded.entry(object).or_default().push(open);
                    }
                    None => self.push(open),
                }
            }
            cost = costs(one.thread);
            let place = (causes.sum, last, one.thread);
            let known = self.reached.entry(place).or_insert(cost);
            if *known < cost || cost > self.most {
                // All that comes is explored from where it took fewer.
                return;
            }
            *known = cost;
            causes.add(index);
            last = Some(one.thread);
            let been = self.been.entry((causes.sum, one.thread)).or_insert(cost);
            *been = (*been).min(cost);
        }
    }

    fn push(&mut self, open: Open) {
        self.reached.insert(open.place, open.cost);
        let cost = open.cost as usize;
        if self.open.len() <= cost {
            self.open.resize_with(cost + 1, VecDeque::new);
        }
        self.open[cost].push_back(open);
    }

    /// An object of a move, if nothing that the move touches is known to matter to others.
    fn private(&self, moves: &Moves, next: &Next) -> Option<u64> {
        let accesses = next.accesses(moves);
        if self.may_end || accesses.iter().any(|one| self.shared.contains(&one.object)) {
            return None;
        }
        // Each of them may come to matter; the first that does is enough, and most moves have one.
        match accesses {
            [one] => Some(one.object),
            _ => None,
        }
    }

    /// Finds the objects that threads touch in conflict.
    fn share(&mut self, moves: &Moves) {
        let mut touched: FxHashMap<u64, (u32, bool, bool)> = FxHashMap::default();
        let moved = moves.moves.iter().map(|one| (one.thread, &one.accesses));
        let pending = moves.pending.iter().map(|one| (one.thread, &one.accesses));
        for (thread, accesses) in moved.chain(pending) {
            for access in moves.accesses(accesses) {
                let known = touched.entry(access.object);
                let (first, several, writes) = known.or_insert((thread, false, false));
                *several |= *first != thread;
                *writes |= access.writes;
            }
        }
        let mut ends = moves.moves.iter().map(|one| one.ends);
        let mut pending = moves.pending.iter().map(|one| one.ends);
        if !self.may_end && (ends.any(|ends| ends) || pending.any(|ends| ends)) {
            self.may_end = true;
            for open in std::mem::take(&mut self.unneeded).into_values().flatten() {
                self.push(open);
            }
        }
        for (object, (_, several, writes)) in touched {
            if several && writes && self.shared.insert(object) {
                for open in self.unneeded.remove(&object).unwrap_or_default() {
                    self.push(open);
                }
            }
        }
    }
}

/// What the schedule decided in a run, and how much of it before each move.
fn scheduled(seen: &Seen<'_>) -> (Arc<[u32]>, Vec<u32>) {
    let mut before = Vec::with_capacity(seen.moves.moves.len());
    let mut scheduled = Vec::new();
    let mut from = 0;
    for one in &seen.moves.moves {
        let choices = seen.choices.get(from..one.choice as usize);
        let choices = choices.unwrap_or_default().iter();
        scheduled.extend(choices.filter_map(Choice::scheduled));
        before.push(scheduled.len() as u32);
        from = one.choice as usize;
    }
    (scheduled.into(), before)
}

/// What a thread is about to do: a move with this index, or from the number of moves on what is
/// pending.
#[derive(Clone, Copy, Debug)]
struct Next {
    thread: u32,
    index: usize,
}

impl Next {
    fn accesses<'a>(&self, moves: &'a Moves) -> &'a [Access] {
        match moves.moves.get(self.index) {
            Some(one) => moves.accesses(&one.accesses),
            None => moves.accesses(&moves.pending[self.index - moves.moves.len()].accesses),
        }
    }

    fn gives_way(&self, moves: &Moves) -> bool {
        match moves.moves.get(self.index) {
            Some(one) => one.gives_way,
            None => moves.pending[self.index - moves.moves.len()].gives_way,
        }
    }
}

/// The threads that could have moved, before each move.
///
/// What a thread is about to do is what it does next, or what is pending at the end; the state of what
/// it waits for is what the next who touches it found.
fn able(moves: &Moves) -> Vec<Vec<Next>> {
    let count = moves.moves.len();
    let mut states: FxHashMap<u64, u32> = FxHashMap::default();
    let mut next: Vec<Next> = Vec::new();
    for (index, one) in moves.pending.iter().enumerate() {
        for access in moves.accesses(&one.accesses) {
            states.insert(access.object, access.before);
        }
        next.push(Next {
            thread: one.thread,
            index: count + index,
        });
    }
    let mut all = Vec::with_capacity(count);
    for (index, one) in moves.moves.iter().enumerate().rev() {
        for access in moves.accesses(&one.accesses).iter().rev() {
            states.insert(access.object, access.before);
        }
        match next.iter_mut().find(|next| next.thread == one.thread) {
            Some(next) => next.index = index,
            None => next.push(Next {
                thread: one.thread,
                index,
            }),
        }
        let can = |next: &&Next| {
            let mut accesses = next.accesses(moves).iter();
            accesses.all(|one| {
                one.needs == 0
                    || states
                        .get(&one.object)
                        .is_some_and(|state| *state >= one.needs)
            })
        };
        all.push(next.iter().filter(can).copied().collect());
    }
    all.reverse();
    all
}

/// What has happened to one object, byte by byte.
#[derive(Clone, Copy, Default)]
struct History {
    written: [u64; 8],
    /// Reads since then, in no order.
    read: [u64; 8],
    /// Numbers of the last moves that wrote it and that read it.
    last_write: Option<usize>,
    last_read: Option<usize>,
}

/// A number for what has happened so far, the same in all orders of the same causality.
struct Causes<'a> {
    seen: &'a Seen<'a>,
    objects: FxHashMap<u64, History>,
    /// The last move of each thread.
    own: FxHashMap<u32, u64>,
    sum: u64,
}

impl<'a> Causes<'a> {
    fn new(seen: &'a Seen<'a>) -> Causes<'a> {
        let first = seen.moves.moves.first().map_or(0, |one| one.choice);
        let mut hasher = FxHasher::default();
        decided(&seen.choices[..first as usize], &mut hasher);
        Causes {
            seen,
            objects: FxHashMap::default(),
            own: FxHashMap::default(),
            sum: mixed(hasher.finish()),
        }
    }

    /// A move happens. Its number, and the last move of any thread that it comes after because of what
    /// both touch.
    fn add(&mut self, index: usize) -> (u64, Option<usize>) {
        let moves = &self.seen.moves;
        let one = &moves.moves[index];
        let own = self.own.entry(one.thread).or_default();
        let mut hasher = FxHasher::default();
        (one.thread, *own).hash(&mut hasher);
        let next = moves.moves.get(index + 1);
        let end = next.map_or(self.seen.choices.len(), |next| next.choice as usize);
        let chosen = self.seen.choices.get(one.choice as usize + 1..end);
        decided(chosen.unwrap_or_default(), &mut hasher);
        let bytes = |access: &Access| {
            let bytes = access.bytes;
            (0..8).filter(move |byte| bytes >> byte & 1 == 1)
        };
        let accesses = moves.accesses(&one.accesses);
        let mut latest = None;
        for access in accesses {
            let history = self.objects.entry(access.object).or_default();
            (access.object, access.bytes, access.writes).hash(&mut hasher);
            latest = latest.max(history.last_write);
            if access.writes {
                latest = latest.max(history.last_read);
            }
            for byte in bytes(access) {
                history.written[byte].hash(&mut hasher);
                if access.writes {
                    history.read[byte].hash(&mut hasher);
                }
            }
        }
        let event = mixed(hasher.finish());
        for access in accesses {
            let history = self.objects.entry(access.object).or_default();
            match access.writes {
                true => history.last_write = Some(index),
                false => history.last_read = Some(index),
            }
            for byte in bytes(access) {
                if access.writes {
                    history.written[byte] = event;
                    history.read[byte] = 0;
                } else {
                    history.read[byte] = history.read[byte].wrapping_add(event);
                }
            }
        }
        *own = event;
        self.sum = self.sum.wrapping_add(event);
        (event, latest)
    }
}

/// Adds choices to what is hashed. Their number comes first: a hash of nothing is that of any number of
/// zeros, and the first sides of branches are zeros.
fn decided(choices: &[Choice], hasher: &mut FxHasher) {
    (choices.len() + 1).hash(hasher);
    for choice in choices {
        (choice.site.0, choice.taken).hash(hasher);
    }
}

/// Spreads the bits of a number, so that sums of such numbers tell what was added.
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The preemptions of a run: of each, the index of the move before the switch.
pub fn preemptions(moves: &Moves) -> Vec<usize> {
    let able = able(moves);
    let pairs = moves.moves.windows(2).enumerate();
    let preempted = pairs.filter(|(index, two)| {
        let goes_on = |one: &Next| one.thread == two[0].thread && !one.gives_way(moves);
        two[0].thread != two[1].thread && able[index + 1].iter().any(goes_on)
    });
    preempted.map(|(index, _)| index).collect()
}
