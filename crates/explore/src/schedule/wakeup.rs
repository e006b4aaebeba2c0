//! What is still to be tried of other orders: wake-up trees at positions of the tree.
//!
//! A *node* belongs to a position at which a thread moves. Its *children* are the moves that have
//! been or will be tried there, in the order in which they were found to be needed; below a later
//! child the threads of earlier ones are asleep until a move conflicts with theirs. A node that
//! no run has shown to need another order is not kept at all: what was done there is explored freely,
//! and every other order that matters comes as a race.

mod seen;

pub use seen::Seen;

use super::{Causality, Moves, Race};
use crate::PositionId;
use rustc_hash::FxHashMap;
use seen::{Chosen, Event, Initial, Noted, Wanted, initial};
use std::ops::Range;
use std::sync::Arc;

/// Moves that are looked at, before the rest of a run's races is put off: they may be as many as the
/// square of its moves, and most of them will never be needed.
const WORK: usize = 1 << 17;

/// Knows what inputs make choices do.
pub trait Oracle {
    /// Would the inputs of the run `inputs` take these choices of the run `run` as it took them?
    fn same(&mut self, inputs: u32, run: u32, choices: Range<u32>) -> bool;
}

/// Another order to try: the inputs of `run`, with this schedule at the beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wakeup {
    pub run: u32,
    pub schedule: Vec<u32>,
    /// How many threads have a lock when its last move comes. Where many have, a deadlock is near:
    /// such orders are tried first.
    held: u32,
    /// Number of moves before the first that is listed below.
    first: u32,
    /// For each listed move: is a thread asleep while it computes?
    asleep: Vec<bool>,
    /// The nodes after each of the listed moves but the last.
    nodes: Vec<u32>,
}

impl Wakeup {
    /// An order that no tree has found.
    pub(super) fn order(run: u32, schedule: Vec<u32>) -> Wakeup {
        Wakeup {
            run,
            schedule,
            held: 0,
            first: 0,
            asleep: Vec::new(),
            nodes: Vec::new(),
        }
    }

    /// More comes first: many threads that have a lock, and then that it is early, as what follows is
    /// still free.
    fn promise(&self) -> (u32, usize) {
        match self.held {
            0 | 1 => (0, 0),
            held => (held, usize::MAX - self.schedule.len()),
        }
    }

    /// Choices of the run that followed this, whose other ways are explored elsewhere.
    pub fn asleep(&self, moves: &Moves, choices: u32) -> Vec<Range<u32>> {
        let listed = (self.first as usize..).zip(&self.asleep);
        let asleep = listed.filter(|(_, asleep)| **asleep);
        asleep
            .filter_map(|(at, _)| {
                let begin = moves.moves.get(at)?.choice + 1;
                let next = moves.moves.get(at + 1);
                Some(begin..next.map_or(choices, |next| next.choice))
            })
            .collect()
    }
}

#[derive(Debug)]
struct Child {
    event: Event,
    /// Threads that are asleep after it.
    sleep: Arc<[Event]>,
    /// The ways from which sequences lead on, each to a node. None at all: everything is explored
    /// below.
    ways: Vec<(Chosen, u32)>,
}

#[derive(Debug)]
struct Node {
    sleep: Arc<[Event]>,
    children: Vec<Child>,
}

/// See the module's comment.
#[derive(Debug)]
pub struct Wakeups {
    nodes: Vec<Node>,
    places: FxHashMap<PositionId, u32>,
    open: Vec<Wakeup>,
    /// Those that wait until it is known what leads to a node.
    deferred: FxHashMap<u32, Vec<Trial>>,
    /// Runs of which not all races have been looked at.
    unfinished: Vec<Unfinished>,
    work: usize,
    /// How many have been taken.
    taken: u64,
    /// How much is decided of those found lately.
    found: Vec<u32>,
}

/// A run of which not all races have been looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished {
    pub run: u32,
    /// Number of the first race that has not.
    from: usize,
}

/// A sequence on its way to where it belongs.
#[derive(Debug)]
struct Trial {
    wakeup: Wakeup,
    node: u32,
    /// What is left of it.
    wanted: Vec<Wanted>,
}

impl Default for Wakeups {
    fn default() -> Wakeups {
        Wakeups::new()
    }
}

impl Wakeups {
    pub fn new() -> Wakeups {
        Wakeups::with_work(WORK)
    }

    /// Looks at so many moves at once, and puts the rest off.
    pub fn with_work(work: usize) -> Wakeups {
        Wakeups {
            nodes: Vec::new(),
            places: FxHashMap::default(),
            open: Vec::new(),
            deferred: FxHashMap::default(),
            unfinished: Vec::new(),
            work,
            taken: 0,
            found: Vec::new(),
        }
    }

    /// Number of orders still to try.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// How much is decided of each order still to try.
    pub fn decided(&self) -> impl Iterator<Item = u32> + '_ {
        self.open.iter().map(|one| one.schedule.len() as u32)
    }

    /// The same of those found since this was asked last.
    pub fn take_found(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.found)
    }

    /// Number of runs of which not all races have been looked at.
    pub fn unfinished(&self) -> usize {
        self.unfinished.len()
    }

    /// Is there nothing left to try?
    pub fn is_done(&self) -> bool {
        self.open.is_empty() && self.deferred.is_empty() && self.unfinished.is_empty()
    }

    /// Takes a run of which not all races have been looked at, for [`Wakeups::go_on`].
    pub fn next_unfinished(&mut self) -> Option<Unfinished> {
        self.unfinished.pop()
    }

    /// Number of orders that may have to be tried, which what is being tried will tell.
    pub fn deferred(&self) -> usize {
        self.deferred.values().map(Vec::len).sum()
    }

    /// One that is still to be tried: where most threads have a lock, and of these the one found
    /// last.
    ///
    /// Every fourth is the one with the least done before it instead, so that loops in which threads
    /// wait for each other are not followed for ever.
    pub fn next_open(&mut self) -> Option<Wakeup> {
        self.taken += 1;
        if !self.taken.is_multiple_of(4) {
            return self.open.pop();
        }
        let all = self.open.iter().enumerate();
        let (least, _) = all.min_by_key(|(_, one)| one.schedule.len())?;
        Some(self.open.remove(least))
    }

    /// Takes the one with this number, of those that are open.
    pub fn take(&mut self, index: usize) -> Wakeup {
        self.open.remove(index)
    }

    /// Takes the one that a case was made from, if it is still open: it has the inputs of the run `run`. Runs on other
    /// inputs may have the same schedules.
    pub fn take_tried(&mut self, run: u32, schedule: &[u32]) -> Option<Wakeup> {
        let tried = |one: &Wakeup| one.run == run && one.schedule == schedule;
        let index = self.open.iter().rposition(tried)?;
        Some(self.open.remove(index))
    }

    /// Takes what is left of a run of which not all races have been looked at.
    pub fn take_unfinished(&mut self, run: u32) -> Option<Unfinished> {
        let index = self.unfinished.iter().rposition(|one| one.run == run)?;
        Some(self.unfinished.remove(index))
    }

    /// Takes a run in: each of its races is to be tried the other way, unless that has been or will
    /// be tried anyway.
    pub fn note(&mut self, seen: &Seen<'_>, oracle: &mut dyn Oracle) {
        if let Some(followed) = seen.followed {
            self.arrive(seen, followed, oracle);
        }
        let start = Unfinished {
            run: seen.run,
            from: 0,
        };
        self.go_on(seen, start, oracle);
    }

    /// Looks at further races of a run that has been taken in, and is seen again.
    pub fn go_on(&mut self, seen: &Seen<'_>, from: Unfinished, oracle: &mut dyn Oracle) {
        let causality = Causality::new(seen.moves);
        let races = causality.races();
        let mut noted = Noted::new(seen);
        let mut work = 0;
        for (index, race) in races.iter().enumerate().skip(from.from) {
            if work > self.work {
                self.unfinished.push(Unfinished {
                    run: seen.run,
                    from: index,
                });
                return;
            }
            work += seen.moves.moves.len();
            self.reverse(&mut noted, &causality, *race, oracle);
        }
    }

    /// Says which positions the nodes of a sequence that has been tried belong to, and what its moves
    /// have chosen.
    fn arrive(&mut self, seen: &Seen<'_>, followed: &Wakeup, oracle: &mut dyn Oracle) {
        let mut node = seen
            .place(followed.first)
            .and_then(|place| self.places.get(&place).copied());
        for (at, next) in (followed.first..).zip(&followed.nodes) {
            let Some(place) = seen.place(at + 1) else {
                return;
            };
            self.places.insert(place, *next);
            let children = node.map(|node| &mut self.nodes[node as usize].children);
            let mut ways = children
                .into_iter()
                .flatten()
                .flat_map(|child| &mut child.ways);
            if let Some((way, _)) = ways.find(|(_, to)| to == next)
                && let Chosen::By(_) = way
            {
                *way = Chosen::Known(Arc::new(seen.way(at)));
                for trial in self.deferred.remove(next).unwrap_or_default() {
                    self.pursue(trial, oracle);
                }
            }
            node = Some(*next);
        }
    }

    /// Sees to it that the later of two moves is tried before the earlier.
    fn reverse(
        &mut self,
        noted: &mut Noted<'_>,
        causality: &Causality,
        race: Race,
        oracle: &mut dyn Oracle,
    ) {
        let seen = noted.seen;
        let Some(place) = seen.place(race.earlier) else {
            return;
        };
        let apart = causality.apart(race);
        let mut wanted: Vec<Wanted> = apart.map(|event| noted.wanted(event)).collect();
        wanted.push(Wanted {
            event: noted.event(race.later),
            way: None,
        });
        let node = match self.places.get(&place) {
            Some(node) => *node,
            None => {
                let node = self.add(Arc::new([]));
                self.places.insert(place, node);
                self.nodes[node as usize].children.push(Child {
                    event: noted.event(race.earlier),
                    sleep: Arc::new([]),
                    ways: Vec::new(),
                });
                node
            }
        };
        let sleep = &self.nodes[node as usize].sleep;
        if sleep.iter().any(|one| initial(one, &wanted).is_some()) {
            return;
        }
        let wakeup = Wakeup {
            run: seen.run,
            schedule: noted.schedule(race.earlier),
            held: holders(seen.moves, race.earlier, &wanted),
            first: race.earlier,
            asleep: Vec::new(),
            nodes: Vec::new(),
        };
        let trial = Trial {
            wakeup,
            node,
            wanted,
        };
        self.pursue(trial, oracle);
    }

    /// Follows what there is already as far as it goes, and hangs the rest there.
    fn pursue(&mut self, mut trial: Trial, oracle: &mut dyn Oracle) {
        while !trial.wanted.is_empty() {
            let at = trial.node as usize;
            let children = &self.nodes[at].children;
            let fits = |child: &Child| initial(&child.event, &trial.wanted);
            let fitting = children
                .iter()
                .enumerate()
                .find_map(|(i, c)| Some((i, fits(c)?)));
            let Some((index, fit)) = fitting else {
                let asleep = self.nodes[at].sleep.iter();
                let tried = children.iter().map(|child| &child.event);
                let sleep: Vec<Event> = asleep.chain(tried).cloned().collect();
                self.hang(sleep.into(), trial);
                return;
            };
            let child = &children[index];
            if child.ways.is_empty() {
                return;
            }
            let own = match fit {
                Initial::At(index) => trial.wanted[index].way.clone(),
                Initial::Apart => None,
            };
            let own = own.map_or(Chosen::By(trial.wakeup.run), Chosen::Known);
            let found = child.ways.iter().find(|(way, _)| way.is(&own, oracle));
            if found.is_none() && child.sleep.is_empty() {
                return;
            }
            let unknown = child
                .ways
                .iter()
                .find(|(way, _)| matches!(way, Chosen::By(_)));
            if let (None, Some((_, to)), Chosen::By(_)) = (found, unknown, &own) {
                // Whether they choose the same is known when one of them has been seen.
                self.deferred.entry(*to).or_default().push(trial);
                return;
            }
            if let Initial::At(index) = fit {
                trial.wanted.remove(index);
            }
            let wakeup = &mut trial.wakeup;
            wakeup.asleep.push(!child.sleep.is_empty());
            wakeup.schedule.push(child.event.thread);
            if let Some((way, next)) = found {
                wakeup.schedule.extend(way.picks());
                wakeup.nodes.push(*next);
                trial.node = *next;
                continue;
            }
            let sleep = child.sleep.clone();
            wakeup.schedule.extend(own.picks());
            let next = self.add(sleep.clone());
            trial.wakeup.nodes.push(next);
            trial.node = next;
            self.nodes[at].children[index].ways.push((own, next));
            self.hang(sleep, trial);
            return;
        }
    }

    fn add(&mut self, sleep: Arc<[Event]>) -> u32 {
        self.nodes.push(Node {
            sleep,
            children: Vec::new(),
        });
        self.nodes.len() as u32 - 1
    }

    /// Hangs a sequence of moves below a node, as its last child.
    fn hang(&mut self, mut sleep: Arc<[Event]>, trial: Trial) {
        let Trial {
            mut wakeup,
            mut node,
            wanted,
        } = trial;
        let last = wanted.len().saturating_sub(1);
        for (index, one) in wanted.into_iter().enumerate() {
            if sleep.iter().any(|asleep| asleep.conflicts(&one.event)) {
                let left = sleep.iter().filter(|asleep| !asleep.conflicts(&one.event));
                sleep = left.cloned().collect();
            }
            wakeup.asleep.push(!sleep.is_empty());
            wakeup.schedule.push(one.event.thread);
            let at = node as usize;
            let mut ways = Vec::new();
            if index < last {
                let way = one.way.map_or(Chosen::By(wakeup.run), Chosen::Known);
                wakeup.schedule.extend(way.picks());
                node = self.add(sleep.clone());
                wakeup.nodes.push(node);
                ways.push((way, node));
            }
            self.nodes[at].children.push(Child {
                event: one.event,
                sleep: sleep.clone(),
                ways,
            });
        }
        self.found.push(wakeup.schedule.len() as u32);
        let at = self
            .open
            .partition_point(|one| one.promise() <= wakeup.promise());
        self.open.insert(at, wakeup);
    }
}

/// Beyond this many moves, nobody looks who has a lock.
const MOST_FOR_HOLDERS: u32 = 2000;

/// Threads that have a lock after the first moves of a run and those that are wanted then.
fn holders(moves: &Moves, first: u32, wanted: &[Wanted]) -> u32 {
    if first > MOST_FOR_HOLDERS {
        return 0;
    }
    let before = moves.moves[..first as usize].iter();
    let before = before.map(|one| (one.thread, moves.accesses(&one.accesses)));
    let after = wanted.iter();
    let after = after.map(|one| (one.event.thread, &*one.event.accesses));
    let mut owners: Vec<(u64, u32)> = Vec::new();
    for (thread, accesses) in before.chain(after) {
        for access in accesses.iter().filter(|access| access.writes) {
            match access.needs {
                0 => owners.retain(|owner| *owner != (access.object, thread)),
                _ => owners.push((access.object, thread)),
            }
        }
    }
    let mut threads: Vec<u32> = owners.into_iter().map(|(_, thread)| thread).collect();
    threads.sort_unstable();
    threads.dedup();
    threads.len() as u32
}
