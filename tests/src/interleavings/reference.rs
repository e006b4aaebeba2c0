//! All that a program can do, by trying.

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

    fn step(&mut self, thread: usize, way: usize) {
        if let Some(of) = thread.checked_sub(self.threads.len() + 1) {
            return self.flush(thread, of);
        }
        if thread == self.threads.len() {
            self.armed = false;
            self.touch(thread, TIMER, true);
            self.touch(thread, LAST as u32, true);
            self.variables[LAST] = 1;
            return;
        }
        let stops = self.stops(thread);
        match self.threads[thread].at {
            At::Waiting { lock, late, woken } => {
                self.touch(thread, OWN + thread as u32, true);
                if late.is_some() || stops {
                    self.touch(thread, CONDITION, true);
                }
                self.look_for_cancel(thread);
                self.queue.retain(|one| *one != thread);
                if stops && woken {
                    // The signal is somebody else's.
                    self.signal(thread, way);
                }
                let tells = late.map(|register| (register, woken));
                self.threads[thread].at = At::Relocking { lock, tells, stops };
            }
            At::Relocking { lock, tells, stops } => {
                self.touch(thread, LOCK + lock as u32, true);
                self.free[lock] = false;
                self.threads[thread].at = At::Running;
                if stops {
                    self.stop(thread);
                } else if let Some((register, woken)) = tells {
                    self.threads[thread].registers[register] = u8::from(woken);
                }
            }
            At::Cleaning => {
                self.touch(thread, LAST as u32, true);
                self.variables[LAST] = self.variables[LAST].wrapping_add(1);
                self.threads[thread].at = At::Done;
            }
            At::Spinning => {
                if let Op::Spin([_, (variable, number)]) = self.op(thread) {
                    self.touch(thread, variable as u32, false);
                    self.threads[thread].next += usize::from(self.variables[variable] != number);
                }
                self.threads[thread].at = At::Running;
            }
            At::Done | At::Draining => unreachable!("it cannot move"),
            At::Running if stops => {
                self.look_for_cancel(thread);
                self.stop(thread);
            }
            At::Running => {
                let op = self.op(thread);
                self.threads[thread].next += 1;
                self.perform(thread, op, way);
            }
        }
        self.decide(thread);
        self.decide(self.program.main());
    }

    /// The oldest store of a thread leaves its buffer.
    fn flush(&mut self, buffer: usize, of: usize) {
        let (first, count, value) = self.buffers[of].remove(0);
        for variable in first..first + count {
            self.touch(buffer, variable as u32, true);
        }
        self.variables[first..first + count].fill(value);
        if self.buffers[of].is_empty() && self.threads[of].at == At::Draining {
            self.threads[of].at = At::Done;
            self.decide(self.program.main());
        }
    }

    fn stop(&mut self, thread: usize) {
        self.threads[thread].uncancellable = true;
        self.threads[thread].at = match self.program.threads[thread].cleans {
            true => At::Cleaning,
            false => At::Done,
        };
    }

    fn look_for_cancel(&mut self, thread: usize) {
        if !self.threads[thread].uncancellable {
            self.touch(thread, CANCEL + thread as u32, false);
        }
    }

    fn perform(&mut self, thread: usize, op: Op, way: usize) {
        match op {
            Op::Load(register, variable) => {
                self.touch(thread, variable as u32, false);
                self.threads[thread].registers[register] = self.seen(thread, variable);
            }
            Op::Fence => {}
            Op::Store(variable, from) | Op::StoreNow(variable, from) => {
                self.touch(thread, variable as u32, true);
                self.variables[variable] = self.value(thread, from);
            }
            Op::Add(register, variable, from) => {
                self.touch(thread, variable as u32, true);
                let old = self.variables[variable];
                self.variables[variable] = old.wrapping_add(self.value(thread, from));
                self.threads[thread].registers[register] = old;
            }
            Op::LoadBoth(register) => {
                self.touch(thread, 0, false);
                self.touch(thread, 1, false);
                let [first, second] = [0, 1].map(|variable| self.seen(thread, variable));
                self.threads[thread].registers[register] = first.wrapping_add(second);
            }
            Op::StoreBoth(from) => {
                self.touch(thread, 0, true);
                self.touch(thread, 1, true);
                let value = self.value(thread, from);
                self.variables[..2].fill(value);
            }
            Op::Lock(lock) => {
                self.touch(thread, LOCK + lock as u32, true);
                self.free[lock] = false;
            }
            Op::Unlock(lock) => {
                self.touch(thread, LOCK + lock as u32, true);
                self.free[lock] = true;
            }
            Op::Wait(lock, late) => {
                self.touch(thread, CONDITION, true);
                self.touch(thread, LOCK + lock as u32, true);
                self.look_for_cancel(thread);
                self.free[lock] = true;
                self.queue.push(thread);
                let woken = false;
                self.threads[thread].at = At::Waiting { lock, late, woken };
            }
            Op::Signal => {
                self.touch(thread, CONDITION, true);
                self.signal(thread, way);
            }
            Op::Broadcast => {
                self.touch(thread, CONDITION, true);
                for woken in std::mem::take(&mut self.queue) {
                    self.wake(thread, woken);
                }
            }
            Op::Down => {
                self.touch(thread, SEMAPHORE, true);
                self.look_for_cancel(thread);
                self.count -= 1;
            }
            Op::Up => {
                self.touch(thread, SEMAPHORE, true);
                self.count += 1;
            }
            Op::Outside(outside) => {
                for (thing, changes) in outside.touches() {
                    self.touch(thread, *thing, *changes);
                }
                if outside.is_cancellation_point() {
                    self.look_for_cancel(thread);
                }
                if let Some((register, value)) = self.world.perform(outside) {
                    self.threads[thread].registers[register] = value;
                }
            }
            Op::Rest => self.look_for_cancel(thread),
            Op::Spin([(variable, number), _]) => {
                self.touch(thread, variable as u32, false);
                if self.variables[variable] == number {
                    self.threads[thread].next -= 1;
                    self.threads[thread].at = At::Spinning;
                }
            }
            Op::Cancel(other) => {
                self.touch(thread, CANCEL + other as u32, true);
                self.threads[other].cancelled = true;
            }
            Op::Alarm => {
                self.touch(thread, TIMER, true);
                self.armed = true;
            }
            Op::Fork => self.forked = true,
            Op::End => {}
            Op::Tell(variable) => {
                self.touch(thread, variable as u32, false);
                self.code |= (self.variables[variable] & 3) << (2 * variable);
            }
            Op::Join(_) | Op::Check(_) | Op::Cancellable(_) | Op::Skip(..) | Op::Fail(..) => {
                unreachable!("no moves")
            }
        }
    }

    fn signal(&mut self, by: usize, way: usize) {
        if !self.queue.is_empty() {
            let woken = self.queue.remove(way);
            self.class[by].push((DECISION, 10 + way as u32));
            self.wake(by, woken);
        }
    }

    fn wake(&mut self, by: usize, thread: usize) {
        self.touch(by, OWN + thread as u32, true);
        if let At::Waiting { woken, .. } = &mut self.threads[thread].at {
            *woken = true;
        }
    }

    /// How a thread ends.
    fn end(&self, thread: usize) -> At {
        match self.buffers[thread].is_empty() {
            true => At::Done,
            false => At::Draining,
        }
    }

    /// What a thread decides until its next move.
    fn decide(&mut self, thread: usize) {
        while self.threads[thread].at == At::Running && self.failed.is_none() {
            let next = self.threads[thread].next;
            let Some(op) = self.program.threads[thread].ops.get(next) else {
                self.threads[thread].at = self.end(thread);
                return;
            };
            let register = |register: usize| self.threads[thread].registers[register];
            match *op {
                Op::Skip(left, right, count) => {
                    let holds = register(left) < self.value(thread, right);
                    self.class[thread].push((DECISION, u32::from(holds)));
                    self.threads[thread].next += if holds { count } else { 0 };
                }
                Op::Fail(left, right) => {
                    let holds = register(left) == self.value(thread, right);
                    self.class[thread].push((DECISION, u32::from(holds)));
                    if holds {
                        self.threads[thread].failed = Some(next);
                        self.threads[thread].at = self.end(thread);
                    }
                }
                Op::Store(variable, from) if self.program.buffered => {
                    let value = self.value(thread, from);
                    self.buffers[thread].push((variable, 1, value));
                }
                Op::StoreBoth(from) if self.program.buffered => {
                    let value = self.value(thread, from);
                    self.buffers[thread].push((0, 2, value));
                }
                // It is nothing to others.
                Op::Fence if self.buffers[thread].is_empty() => {}
                Op::Cancellable(can) => self.threads[thread].uncancellable = !can,
                Op::Join(other) if self.threads[other].at == At::Done => {}
                Op::Check(other) => {
                    self.failed = self.threads[other].failed.map(|at| (other, at));
                }
                _ => return,
            }
            self.threads[thread].next += 1;
        }
    }
}
