//! What happened before what in one run, and which moves could have come in the other order.

use super::{Access, MEETING, Moves, same_memory};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Two conflicting moves of different threads, the later of which could have come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// Index of the earlier move.
    pub earlier: u32,
    /// Index of the later move; from the number of moves on, what was pending at the end.
    pub later: u32,
}

/// Happens-before of one run, as vector clocks: for each move, how many moves of each thread happened
/// before it or are it.
pub struct Causality {
    threads: usize,
    clocks: Vec<u32>,
    /// The move's number among those of its thread, from 1.
    ordinals: Vec<u32>,
    /// Number of the thread, counted within the run.
    of: Vec<u32>,
    races: Vec<Race>,
}

/// What has happened to an object so far.
#[derive(Default)]
struct History {
    /// Who wrote each byte last.
    writes: Vec<(u32, u8)>,
    /// Who has read each byte since: of each thread, the last.
    reads: Vec<(u32, u8)>,
    /// Moves before which the object had a state, and what it was: only those after which no move
    /// has found as much or more.
    touched: Vec<(u32, u32)>,
    /// The same of those that wrote.
    written: Vec<(u32, u32)>,
}

/// A move that a later one depends on directly.
#[derive(Clone, Copy)]
struct Before {
    event: u32,
    /// The object by which it does; `None` if by the end of the run.
    object: Option<u64>,
    /// Could it have come after, as far as the object alone is concerned?
    may_race: bool,
}

/// One move, or what is pending, while it is being looked at.
struct Looking<'a> {
    event: u32,
    thread: u32,
    own: Option<u32>,
    accesses: &'a [Access],
    /// Names of the threads.
    names: &'a [u32],
}

impl Looking<'_> {
    /// Does an access to an object matter to what this thread has done, or to what its buffer has?
    fn matters(&self, thread: u32, object: u64) -> bool {
        let [one, other] = [thread, self.thread].map(|thread| self.names[thread as usize]);
        match object < MEETING {
            true => !same_memory(one, other),
            false => one != other,
        }
    }
}

/// What the moves so far have left behind.
struct Walk {
    objects: FxHashMap<u64, History>,
    /// The last move of each thread.
    last: Vec<Option<u32>>,
    before: Vec<Before>,
    /// Of each thread, the latest move that the present one depends on without waiting for it: its
    /// earlier ones happened before that.
    latest: Vec<Option<(u32, u64)>>,
}

impl Causality {
    pub fn new(moves: &Moves) -> Causality {
        let names = moves.threads();
        let threads = names.len();
        let number = |name: u32| names.binary_search(&name).unwrap_or_default() as u32;
        let count = moves.moves.len();
        let mut this = Causality {
            threads,
            clocks: vec![0; count * threads],
            ordinals: Vec::with_capacity(count),
            of: moves.moves.iter().map(|one| number(one.thread)).collect(),
            races: Vec::new(),
        };
        let mut walk = Walk {
            objects: FxHashMap::default(),
            last: vec![None; threads],
            before: Vec::new(),
            latest: vec![None; threads],
        };
        let mut end = None;
        let ended = |event| Before {
            event,
            object: None,
            may_race: true,
        };
        for (index, one) in moves.moves.iter().enumerate() {
            let thread = this.of[index];
            let looking = Looking {
                event: index as u32,
                thread,
                own: walk.last[thread as usize],
                accesses: moves.accesses(&one.accesses),
                names: &names,
            };
            walk.predecessors(&this.of, &looking);
            if one.ends {
                let last = walk.last.iter().flatten();
                walk.before.extend(last.map(|event| ended(*event)));
                end = Some(looking.event);
            }
            this.find_races(&looking, &walk.before);
            let ordinal = looking.own.map_or(0, |own| this.ordinals[own as usize]) + 1;
            this.ordinals.push(ordinal);
            this.join_all(&looking, &walk.before);
            this.clocks[index * threads + thread as usize] = ordinal;
            walk.take(&this.of, &looking);
        }
        for (index, one) in moves.pending.iter().enumerate() {
            let thread = number(one.thread);
            let looking = Looking {
                event: (count + index) as u32,
                thread,
                own: walk.last[thread as usize],
                accesses: moves.accesses(&one.accesses),
                names: &names,
            };
            walk.predecessors(&this.of, &looking);
            // What waits for something else too would have waited in the other order as well.
            let mut waits = looking.accesses.iter().filter(|a| a.before < a.needs);
            let waits_for = waits.next().map(|access| access.object);
            let several = waits.any(|access| Some(access.object) != waits_for);
            walk.before.retain(|before| {
                !before.may_race || waits_for.is_none() || !several && before.object == waits_for
            });
            let ends = end.filter(|_| waits_for.is_none());
            walk.before.extend(ends.map(ended));
            if one.ends {
                let last = walk.last.iter().flatten();
                walk.before.extend(last.map(|event| ended(*event)));
            }
            this.find_races(&looking, &walk.before);
        }
        this
    }

    pub fn races(&self) -> &[Race] {
        &self.races
    }

    /// Did the one move happen before the other, or are they the same?
    pub fn happened_before(&self, earlier: u32, later: u32) -> bool {
        let thread = self.of[earlier as usize] as usize;
        self.clocks[later as usize * self.threads + thread] >= self.ordinals[earlier as usize]
    }

    /// The moves after the earlier of two that race which would be there without it.
    ///
    /// All of them, not only those without which the later would not be there: else two orders could
    /// each be taken for a part of what the other has tried.
    pub fn apart(&self, race: Race) -> impl Iterator<Item = u32> + '_ {
        let after: Range<u32> = race.earlier + 1..self.of.len() as u32;
        after.filter(move |event| {
            *event != race.later && !self.happened_before(race.earlier, *event)
        })
    }

    fn join_all(&mut self, looking: &Looking<'_>, before: &[Before]) {
        for from in before.iter().map(|one| one.event).chain(looking.own) {
            let from = from as usize * self.threads;
            let event = looking.event as usize * self.threads;
            let (earlier, later) = self.clocks.split_at_mut(event);
            for (mine, theirs) in later.iter_mut().zip(&earlier[from..from + self.threads]) {
                *mine = (*mine).max(*theirs);
            }
        }
    }

    /// Those of the direct predecessors that nothing else orders before the move.
    fn find_races(&mut self, looking: &Looking<'_>, before: &[Before]) {
        let later = looking.event;
        for candidate in before.iter().filter(|one| one.may_race) {
            let earlier = candidate.event;
            let own = looking.own;
            // What kept the later move waiting until just before it: whatever happened before that
            // without being needed could not have come between.
            let blockers = || {
                let same = |one: &&Before| !one.may_race && one.object == candidate.object;
                before.iter().filter(same)
            };
            let kept_out = |other: &Before| {
                let until = |one: &Before| self.happened_before(other.event, one.event);
                other.may_race && blockers().any(until)
            };
            // The same move may be what another object had to wait for.
            let is_needed = before.iter().any(|one| {
                let able = |other: &Before| {
                    other.event == earlier && other.object == one.object && other.may_race
                };
                one.event == earlier && !one.may_race && !before.iter().any(able)
            });
            let ordered = is_needed
                || self.of[earlier as usize] == looking.thread
                || own.is_some_and(|own| self.happened_before(earlier, own))
                || before.iter().any(|other| {
                    let blocker = !other.may_race && other.object == candidate.object;
                    other.event != earlier
                        && !blocker
                        && !kept_out(other)
                        && self.happened_before(earlier, other.event)
                });
            let race = Race { earlier, later };
            // By several objects, the same two moves race once.
            let known = self.races.iter().rev();
            let mut known = known.take_while(|known| known.later == later);
            if !ordered && !known.any(|known| *known == race) {
                self.races.push(race);
            }
        }
    }
}

impl Walk {
    /// Finds the moves that one with these accesses depends on directly, leaving out those of its
    /// own thread.
    fn predecessors(&mut self, of: &[u32], looking: &Looking<'_>) {
        self.before.clear();
        self.latest.fill(None);
        for access in looking.accesses {
            let Some(history) = self.objects.get(&access.object) else {
                continue;
            };
            let reads: &[(u32, u8)] = match access.writes {
                true => &history.reads,
                false => &[],
            };
            let touching = reads.iter().chain(&history.writes);
            let touching = touching.filter(|(event, bytes)| {
                bytes & access.bytes != 0 && looking.matters(of[*event as usize], access.object)
            });
            if access.needs == 0 {
                for (event, _) in touching {
                    let latest = &mut self.latest[of[*event as usize] as usize];
                    if latest.is_none_or(|(known, _)| known < *event) {
                        *latest = Some((*event, access.object));
                    }
                }
                continue;
            }
            let object = Some(access.object);
            self.before.extend(touching.map(|(event, _)| Before {
                event: *event,
                object,
                may_race: false,
            }));
            // What waits could have come before the last move at which it would not have waited:
            // those between kept it from going on.
            let touched = match access.writes {
                true => &history.touched,
                false => &history.written,
            };
            let able = |(_, state): &&(u32, u32)| *state >= access.needs;
            let latest = touched.iter().rev().find(able);
            self.before.extend(latest.map(|(event, _)| Before {
                event: *event,
                object,
                may_race: true,
            }));
        }
        let latest = self.latest.iter().flatten();
        self.before.extend(latest.map(|(event, object)| Before {
            event: *event,
            object: Some(*object),
            may_race: true,
        }));
    }

    fn take(&mut self, of: &[u32], looking: &Looking<'_>) {
        let event = looking.event;
        self.last[looking.thread as usize] = Some(event);
        for access in looking.accesses {
            let history = self.objects.entry(access.object).or_default();
            remember(&mut history.touched, event, access.before);
            if access.writes {
                remember(&mut history.written, event, access.before);
                forget(&mut history.reads, access.bytes, |one| {
                    let thread = of[one as usize];
                    thread == looking.thread || looking.matters(thread, access.object)
                });
                forget(&mut history.writes, access.bytes, |_| true);
                history.writes.push((event, access.bytes));
            } else {
                forget(&mut history.reads, access.bytes, |one| {
                    of[one as usize] == looking.thread
                });
                history.reads.push((event, access.bytes));
            }
        }
    }
}

/// Takes bytes away from those of the moves that `which` says.
fn forget(list: &mut Vec<(u32, u8)>, bytes: u8, which: impl Fn(u32) -> bool) {
    list.retain_mut(|(event, its)| {
        if which(*event) {
            *its &= !bytes;
        }
        *its != 0
    });
}

/// Adds a move before which an object had this state; nobody waits for none.
fn remember(list: &mut Vec<(u32, u32)>, event: u32, state: u32) {
    if state == 0 {
        return;
    }
    while list.last().is_some_and(|(_, earlier)| *earlier <= state) {
        list.pop();
    }
    list.push((event, state));
}
