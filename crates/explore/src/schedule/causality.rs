//! What happened before what in one run, and which moves could have come in the other order.

use super::{Access, Moves};
use std::collections::HashMap;

/// Two conflicting moves of different threads, the later of which could have come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// Index of the earlier move.
    pub earlier: u32,
    /// Index of the later move; from the number of moves on, what was pending at the end.
    pub later: u32,
}

/// Happens-before of one run, as vector clocks: for each move, how many moves of each thread
/// happened before it or are it.
pub struct Causality {
    threads: usize,
    clocks: Vec<u32>,
    /// The move's number among those of its thread, from 1.
    ordinals: Vec<u32>,
    of: Vec<u32>,
    races: Vec<Race>,
}

/// What has happened to an object so far.
#[derive(Default)]
struct History {
    touched: Vec<Touched>,
    write: Option<u32>,
    reads: Vec<u32>,
}

/// One move that touched an object.
struct Touched {
    event: u32,
    writes: bool,
    /// State of the object before it.
    before: u32,
}

/// A move that a later one depends on directly.
struct Before {
    event: u32,
    /// The object by which it does; `None` if by the end of the run.
    object: Option<u64>,
    /// Could it have come after, as far as the object alone is concerned?
    may_race: bool,
}

impl Causality {
    pub fn new(moves: &Moves) -> Causality {
        let threads = moves.threads();
        let count = moves.moves.len();
        let mut this = Causality {
            threads,
            clocks: vec![0; count * threads],
            ordinals: Vec::with_capacity(count),
            of: moves.moves.iter().map(|one| one.thread).collect(),
            races: Vec::new(),
        };
        let mut last: Vec<Option<u32>> = vec![None; threads];
        let mut objects: HashMap<u64, History> = HashMap::new();
        let mut end = None;
        let mut before = Vec::new();
        for (index, one) in moves.moves.iter().enumerate() {
            let event = index as u32;
            let accesses = moves.accesses(&one.accesses);
            predecessors(&mut before, &objects, accesses);
            if one.ends {
                before.extend(last.iter().flatten().map(|event| Before {
                    event: *event,
                    object: None,
                    may_race: true,
                }));
                end = Some(event);
            }
            let own = last[one.thread as usize];
            this.find_races(event, one.thread, own, &before);
            let ordinal = own.map_or(0, |own| this.ordinals[own as usize]) + 1;
            this.ordinals.push(ordinal);
            for from in before.iter().map(|one| one.event).chain(own) {
                this.join(event, from);
            }
            this.clocks[index * threads + one.thread as usize] = ordinal;
            last[one.thread as usize] = Some(event);
            for access in accesses {
                let history = objects.entry(access.object).or_default();
                history.touched.push(Touched {
                    event,
                    writes: access.writes,
                    before: access.before,
                });
                match access.writes {
                    true => {
                        history.write = Some(event);
                        history.reads.clear();
                    }
                    false => history.reads.push(event),
                }
            }
        }
        for (index, one) in moves.pending.iter().enumerate() {
            let event = (count + index) as u32;
            let accesses = moves.accesses(&one.accesses);
            predecessors(&mut before, &objects, accesses);
            let ended = |event| Before {
                event,
                object: None,
                may_race: true,
            };
            // What waits for something else too would have waited in the other order as well.
            let waits = |access: &&Access| access.before < access.needs;
            let waits: Vec<u64> = accesses.iter().filter(waits).map(|a| a.object).collect();
            for one in &mut before {
                one.may_race &= waits.iter().all(|object| one.object == Some(*object));
            }
            before.extend(end.filter(|_| waits.is_empty()).map(ended));
            if one.ends {
                before.extend(last.iter().flatten().map(|event| ended(*event)));
            }
            this.find_races(event, one.thread, last[one.thread as usize], &before);
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

    fn join(&mut self, event: u32, from: u32) {
        let (from, event) = (from as usize * self.threads, event as usize * self.threads);
        let (earlier, later) = self.clocks.split_at_mut(event);
        for (mine, theirs) in later.iter_mut().zip(&earlier[from..from + self.threads]) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Those of the direct predecessors that nothing else orders before the move.
    fn find_races(&mut self, event: u32, thread: u32, own: Option<u32>, before: &[Before]) {
        for candidate in before.iter().filter(|one| one.may_race) {
            let earlier = candidate.event;
            let ordered = self.of[earlier as usize] == thread
                || own.is_some_and(|own| self.happened_before(earlier, own))
                || before.iter().any(|other| {
                    let blocker = !other.may_race && other.object == candidate.object;
                    other.event != earlier && !blocker && self.happened_before(earlier, other.event)
                });
            let race = Race {
                earlier,
                later: event,
            };
            // By several objects, the same two moves race once.
            let known = self.races.iter().rev();
            let mut known = known.take_while(|known| known.later == event);
            if !ordered && !known.any(|known| *known == race) {
                self.races.push(race);
            }
        }
    }
}

/// The moves that one with these accesses depends on directly.
fn predecessors(before: &mut Vec<Before>, objects: &HashMap<u64, History>, accesses: &[Access]) {
    before.clear();
    for access in accesses {
        let Some(history) = objects.get(&access.object) else {
            continue;
        };
        let object = Some(access.object);
        let reads = history.reads.iter().filter(|_| access.writes);
        before.extend(reads.chain(&history.write).map(|event| Before {
            event: *event,
            object,
            may_race: access.needs == 0,
        }));
        if access.needs == 0 {
            continue;
        }
        // What waits could have come before the last move at which it would not have waited:
        // those between kept it from going on.
        let able = |touched: &&Touched| {
            touched.before >= access.needs && (touched.writes || access.writes)
        };
        let latest = history.touched.iter().rev().find(able);
        before.extend(latest.map(|touched| Before {
            event: touched.event,
            object,
            may_race: true,
        }));
    }
}
