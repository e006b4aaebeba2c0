//! All that a program can do, by trying.

mod moves;

use super::world::World;
use super::{CASES, LOCKS, Op, Program, REGISTERS, Source, VARIABLES};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Default)]
pub struct Everything {
    /// Executions that differ by causality or by a decision.
    pub executions: BTreeSet<(Class, Option<u8>)>,
    /// What it exits with.
    pub codes: BTreeSet<i32>,
    /// What it fails for: the first thread that did, and its operation.
    pub failures: BTreeSet<(usize, usize)>,
    /// Can all that are left be waiting?
    pub stuck: bool,
    /// Does it start other processes?
    pub forks: bool,
}

/// For each thread what it decided and, of each thing that it touched, how many writes came before.
type Class = Vec<Vec<(u32, u32)>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    Running,
    /// For the condition; the register is told whether it was woken, if it waits for a while only.
    Waiting {
        lock: usize,
        late: Option<usize>,
        woken: bool,
    },
    /// After that, for the lock.
    Relocking {
        lock: usize,
        tells: Option<(usize, bool)>,
        stops: bool,
    },
    /// It was cancelled, and its handler runs.
    Cleaning,
    /// It spins, and looks at the second variable next.
    Spinning,
    /// It has ended but for what is in its buffer.
    Draining,
    Done,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Thread {
    next: usize,
    registers: [u8; REGISTERS],
    at: At,
    /// The operation that failed.
    failed: Option<usize>,
    cancelled: bool,
    /// It cannot be cancelled.
    uncancellable: bool,
}

#[derive(Clone)]
struct State<'a> {
    program: &'a Program,
    case: u8,
    threads: Vec<Thread>,
    variables: [u8; VARIABLES],
    free: [bool; LOCKS],
    queue: Vec<usize>,
    count: u32,
    world: World,
    /// The timer is set.
    armed: bool,
    forked: bool,
    code: u8,
    /// The thread and its operation for which the program has failed.
    failed: Option<(usize, usize)>,
    writes: BTreeMap<u32, u32>,
    /// Of them, those of each thread.
    own_writes: BTreeMap<(usize, u32), u32>,
    class: Class,
    /// Of each thread, stores that others do not see yet: the first variable, how many, and the value of each.
    buffers: Vec<Vec<(usize, usize, u8)>>,
}

// Things that are touched; variables have the numbers below, and those of the world the numbers above.
const LOCK: u32 = 100;
const CONDITION: u32 = 200;
const SEMAPHORE: u32 = 300;
const OWN: u32 = 400;
/// In a class: decisions.
const DECISION: u32 = 500;
const CANCEL: u32 = 700;
const TIMER: u32 = 800;
/// The variable that handlers change.
const LAST: usize = VARIABLES - 1;

impl Program {
    /// Tries everything; `None` if there are more than `most` interleavings.
    pub fn everything(&self, most: usize) -> Option<Everything> {
        let mut all = Everything::default();
        let mut tried = 0;
        let spins = self.has(|op| matches!(op, Op::Spin(_)));
        for case in 0..CASES {
            let mut open = vec![State::new(self, case)];
            let mut seen = BTreeSet::new();
            while let Some(state) = open.pop() {
                // What spins comes back to where it was.
                if spins && !seen.insert(state.all()) {
                    continue;
                }
                let mut ended = true;
                // Behind the threads there are the timer, and their buffers.
                for thread in 0..=2 * self.threads.len() {
                    if !state.can_move(thread) {
                        continue;
                    }
                    ended = false;
                    for way in 0..state.ways(thread) {
                        let mut next = state.clone();
                        next.step(thread, way);
                        open.push(next);
                    }
                }
                tried += usize::from(ended || spins);
                if tried > most {
                    return None;
                }
                if ended {
                    all.add(state);
                }
            }
        }
        Some(all)
    }
}

impl Everything {
    fn add(&mut self, state: State<'_>) {
        let over = state.is_over();
        let code = (over && state.failed.is_none()).then_some(state.code);
        self.codes.extend(code.map(i32::from));
        self.failures.extend(state.failed);
        self.stuck |= !over;
        self.forks |= state.forked;
        self.executions.insert((state.class, code));
    }
}

impl State<'_> {
    fn new(program: &Program, case: u8) -> State<'_> {
        let thread = Thread {
            next: 0,
            registers: [0; REGISTERS],
            at: At::Running,
            failed: None,
            cancelled: false,
            uncancellable: false,
        };
        let count = program.threads.len();
        let mut state = State {
            program,
            case,
            threads: vec![thread; count],
            variables: [0; VARIABLES],
            free: [true; LOCKS],
            queue: Vec::new(),
            count: 0,
            world: World::new(),
            armed: false,
            forked: false,
            code: 0,
            failed: None,
            writes: BTreeMap::new(),
            own_writes: BTreeMap::new(),
            class: vec![Vec::new(); 2 * count + 1],
            buffers: vec![Vec::new(); count],
        };
        for thread in 0..count {
            state.decide(thread);
        }
        state
    }

    /// All that it goes on by, where nothing lies outside of memory.
    fn all(&self) -> impl Ord + use<> {
        (
            self.threads.clone(),
            self.variables,
            self.free,
            self.queue.clone(),
            (self.count, self.code, self.failed),
        )
    }

    /// It spins, and would see nothing new.
    fn spins_in_vain(&self, thread: usize) -> bool {
        let spins = matches!(self.threads[thread].at, At::Running | At::Spinning);
        match self.program.threads[thread]
            .ops
            .get(self.threads[thread].next)
        {
            Some(Op::Spin(both)) if spins => both
                .iter()
                .all(|(variable, number)| self.variables[*variable] == *number),
            _ => false,
        }
    }

    /// The main thread has ended, or the program has failed.
    fn is_over(&self) -> bool {
        self.threads[self.program.main()].at == At::Done || self.failed.is_some()
    }

    fn op(&self, thread: usize) -> Op {
        self.program.threads[thread].ops[self.threads[thread].next]
    }

    /// It was cancelled, and ends where it is.
    fn stops(&self, thread: usize) -> bool {
        let of = &self.threads[thread];
        let here = match of.at {
            At::Waiting { .. } => true,
            At::Running => match self.op(thread) {
                Op::Wait(..) | Op::Down | Op::Rest => true,
                Op::Outside(outside) => outside.is_cancellation_point(),
                _ => false,
            },
            _ => false,
        };
        here && of.cancelled && !of.uncancellable
    }

    fn can_move(&self, thread: usize) -> bool {
        if self.is_over() {
            return false;
        }
        if let Some(of) = thread.checked_sub(self.threads.len() + 1) {
            return !self.buffers[of].is_empty();
        }
        if thread == self.threads.len() {
            return self.armed;
        }
        if self.stops(thread) {
            return true;
        }
        if self.spins_in_vain(thread) && (0..self.threads.len()).all(|other| self.is_still(other)) {
            return false;
        }
        self.is_able(thread)
    }

    /// It cannot move, or comes to nothing by that.
    fn is_still(&self, thread: usize) -> bool {
        self.spins_in_vain(thread) || !self.is_able(thread)
    }

    /// It waits until others see what it has stored.
    fn is_held(&self, thread: usize) -> bool {
        let buffer = &self.buffers[thread];
        let at_once = match (self.threads[thread].at, self.threads[thread].next) {
            (At::Running, next) => match self.program.threads[thread].ops.get(next) {
                Some(Op::Load(..)) => true,
                // Who has stored a part of it reads it from memory.
                Some(Op::LoadBoth(_)) => {
                    let mut stores = buffer.iter().rev();
                    let last = stores.find(|(first, ..)| *first < 2);
                    last.is_none_or(|(_, count, _)| *count == 2)
                }
                _ => false,
            },
            _ => false,
        };
        !buffer.is_empty() && !at_once
    }

    /// What a thread reads.
    fn seen(&self, thread: usize, variable: usize) -> u8 {
        let mut stores = self.buffers[thread].iter().rev();
        let own = stores.find(|(first, count, _)| (*first..first + count).contains(&variable));
        own.map_or(self.variables[variable], |(_, _, value)| *value)
    }

    fn is_able(&self, thread: usize) -> bool {
        if self.is_held(thread) {
            return false;
        }
        match self.threads[thread].at {
            At::Done | At::Draining => false,
            At::Cleaning | At::Spinning => true,
            At::Waiting { late, woken, .. } => late.is_some() || woken,
            At::Relocking { lock, .. } => self.free[lock],
            At::Running => match self.op(thread) {
                Op::Lock(lock) => self.free[lock],
                Op::Down => self.count > 0,
                // It goes on as soon as the thread has ended.
                Op::Join(_) => false,
                _ => true,
            },
        }
    }

    /// Whom a signal wakes is left open.
    fn ways(&self, thread: usize) -> usize {
        if thread >= self.threads.len() {
            return 1;
        }
        let signals = match self.threads[thread].at {
            At::Running => matches!(self.op(thread), Op::Signal),
            At::Waiting { woken, .. } => woken && self.stops(thread),
            _ => false,
        };
        if signals { self.queue.len().max(1) } else { 1 }
    }

    fn touch(&mut self, thread: usize, thing: u32, writes: bool) {
        let owner = match thread.checked_sub(self.threads.len() + 1) {
            Some(of) => of,
            None => thread,
        };
        let count = self.writes.entry(thing).or_default();
        let own = self.own_writes.entry((owner, thing)).or_default();
        // A thread reads what it has stored whether others see it or not.
        let others = match self.program.buffered && !writes {
            true => *count - *own,
            false => *count,
        };
        self.class[thread].push((thing, others));
        *count += u32::from(writes);
        *own += u32::from(writes);
    }

    fn value(&self, thread: usize, from: Source) -> u8 {
        match from {
            Source::Number(number) => number,
            Source::Input(0) => self.case & 3,
            Source::Input(_) => self.case >> 2,
            Source::Register(register) => self.threads[thread].registers[register],
        }
    }
}
