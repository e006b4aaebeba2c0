//! A machine for tiny programs with threads, over two inputs of four values each.
//!
//! A value is what it would be for each of the sixteen cases at once, a condition the set of cases for
//! which it holds: so a condition is solved by looking.

use elsewise_explore::schedule::{Access, Move, Moves, Pending};
use elsewise_explore::{Choice, Shape, SiteId};
use elsewise_term::Terms;

pub const CASES: usize = 16;
pub type Value = [u8; CASES];
/// A set of cases.
pub type Set = u16;

#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// Registers are the thread's own.
    Load {
        register: usize,
        variable: usize,
    },
    Store {
        variable: usize,
        from: Source,
    },
    /// Adds to a variable in one move, and keeps the old value.
    Add {
        register: usize,
        variable: usize,
        from: Source,
    },
    /// Reads or writes the first two variables at once, which lie side by side.
    LoadBoth(usize),
    StoreBoth(Source),
    Lock(usize),
    Unlock(usize),
    Wait {
        condition: usize,
        lock: usize,
    },
    /// Waits, or goes on without having been woken; keeps which of the two.
    WaitLate {
        condition: usize,
        lock: usize,
        register: usize,
    },
    Signal(usize),
    Broadcast(usize),
    Down(usize),
    Up(usize),
    /// Skips operations if a register is less than a source.
    Skip {
        register: usize,
        less_than: Source,
        count: usize,
    },
    /// Ends the run if a register equals a source.
    Fail {
        register: usize,
        equals: Source,
    },
}

#[derive(Clone, Copy, Debug)]
pub enum Source {
    Number(u8),
    Input(usize),
    Register(usize),
}

pub const VARIABLES: usize = 3;
pub const LOCKS: usize = 2;
pub const CONDITIONS: usize = 1;
pub const SEMAPHORES: usize = 1;
const REGISTERS: usize = 2;

pub type Program = Vec<Vec<Op>>;

/// Threads have names that are far apart.
const NAMES: [u32; 4] = [0, 1, 65, 4_000_000_000];

/// The thread with a name; one that there never is if none has it.
pub fn thread_named(name: u32) -> usize {
    let index = NAMES.iter().position(|one| *one == name);
    index.unwrap_or(NAMES.len())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum At {
    Running,
    /// In a condition's queue, and the lock that it wants back.
    Waiting {
        condition: usize,
        lock: usize,
        late: Option<usize>,
    },
    /// Woken by a move that wrote the thread's own object.
    Woken {
        condition: usize,
        lock: usize,
        late: Option<usize>,
    },
    /// About to end the run.
    Failing,
    Done,
}

#[derive(Clone, Debug)]
struct Thread {
    next: usize,
    registers: [Value; REGISTERS],
    at: At,
}

/// What one run has done so far.
#[derive(Clone, Debug)]
pub struct Machine<'a> {
    program: &'a Program,
    /// The case that the run is given.
    case: usize,
    threads: Vec<Thread>,
    variables: [Value; VARIABLES],
    owners: [Option<usize>; LOCKS],
    queues: [Vec<usize>; CONDITIONS],
    counts: [u32; SEMAPHORES],
    pub failed: bool,
    pub log: Log,
}

/// What the run reports.
#[derive(Clone, Debug, Default)]
pub struct Log {
    pub moves: Moves,
    pub choices: Vec<Choice>,
    /// For which cases each choice goes as it went.
    pub conditions: Vec<Set>,
}

/// How a run ended, as a person would compare it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct End {
    pub failed: bool,
    /// Threads that have not ended.
    pub stuck: Vec<bool>,
    /// For every case, as far as it goes this way.
    variables: Vec<Value>,
}

impl<'a> Machine<'a> {
    pub fn new(program: &'a Program, case: usize) -> Machine<'a> {
        let thread = Thread {
            next: 0,
            registers: [[0; CASES]; REGISTERS],
            at: At::Running,
        };
        let mut machine = Machine {
            program,
            case,
            threads: vec![thread; program.len()],
            variables: [[0; CASES]; VARIABLES],
            owners: [None; LOCKS],
            queues: Default::default(),
            counts: [0; SEMAPHORES],
            failed: false,
            log: Log::default(),
        };
        for thread in 0..program.len() {
            machine.compute(thread);
        }
        machine
    }

    pub fn enabled(&self) -> Vec<usize> {
        let threads = 0..self.threads.len();
        threads.filter(|thread| self.can_move(*thread)).collect()
    }

    /// Waits for a time.
    pub fn gives_way(&self, thread: usize) -> bool {
        let at = self.threads[thread].at;
        matches!(
            at,
            At::Waiting { late: Some(_), .. } | At::Woken { late: Some(_), .. }
        )
    }

    /// Does it matter in which order the two move?
    #[allow(dead_code, reason = "only the campaign's tests ask")]
    pub fn conflicts(&self, one: usize, other: usize) -> bool {
        let (Some(one), Some(other)) = (self.touches(one), self.touches(other)) else {
            return false;
        };
        one.iter().any(|a| {
            let same = |b: &&Access| a.object == b.object && a.bytes & b.bytes != 0;
            other.iter().filter(same).any(|b| a.writes || b.writes)
        })
    }

    fn can_move(&self, thread: usize) -> bool {
        let able = |access: &Access| access.before >= access.needs;
        !self.failed && self.touches(thread).is_some_and(|all| all.iter().all(able))
    }

    /// What the thread's next move touches; `None` if it has none.
    fn touches(&self, thread: usize) -> Option<Vec<Access>> {
        let access = |object: usize, writes, needs, before| Access {
            object: object as u64,
            bytes: 0xff,
            writes,
            needs,
            before,
        };
        // The first two are bytes of one object.
        let variable = |variable: usize, writes| {
            let (object, bytes) = match variable {
                0 | 1 => (0, 1 << variable),
                other => (other, 0xff),
            };
            Access {
                bytes,
                ..access(object, writes, 0, 0)
            }
        };
        let both = |writes| Access {
            bytes: 3,
            ..access(0, writes, 0, 0)
        };
        let lock = |index: usize, needs| {
            let free = u32::from(self.owners[index].is_none());
            access(100 + index, true, needs, free)
        };
        let own = 400 + thread;
        let all = match self.threads[thread].at {
            At::Done => return None,
            At::Failing => Vec::new(),
            At::Waiting {
                condition,
                lock: held,
                late,
            }
            | At::Woken {
                condition,
                lock: held,
                late,
            } => {
                let woken = matches!(self.threads[thread].at, At::Woken { .. });
                let needs = u32::from(late.is_none());
                let mut all = vec![access(own, true, needs, woken.into()), lock(held, 1)];
                // Who goes on by itself leaves the queue.
                all.extend(late.map(|_| access(200 + condition, true, 0, 0)));
                all
            }
            At::Running => match self.program[thread][self.threads[thread].next] {
                Op::Load { variable: at, .. } => vec![variable(at, false)],
                Op::Store { variable: at, .. } | Op::Add { variable: at, .. } => {
                    vec![variable(at, true)]
                }
                Op::LoadBoth(_) => vec![both(false)],
                Op::StoreBoth(_) => vec![both(true)],
                Op::Lock(index) => vec![lock(index, 1)],
                Op::Unlock(index) => vec![lock(index, 0)],
                Op::Wait {
                    condition,
                    lock: held,
                }
                | Op::WaitLate {
                    condition,
                    lock: held,
                    ..
                } => {
                    vec![access(200 + condition, true, 0, 0), lock(held, 0)]
                }
                // Whom it wakes is written when it is known.
                Op::Signal(condition) | Op::Broadcast(condition) => {
                    vec![access(200 + condition, true, 0, 0)]
                }
                Op::Down(index) => vec![access(300 + index, true, 1, self.counts[index])],
                Op::Up(index) => vec![access(300 + index, true, 0, self.counts[index])],
                Op::Skip { .. } | Op::Fail { .. } => unreachable!("computed by itself"),
            },
        };
        Some(all)
    }

    /// Moves a thread; `pick` says which way something goes that is left open.
    pub fn step(&mut self, thread: usize, pick: impl FnOnce(u32) -> u32) {
        let Some(accesses) = self.touches(thread) else {
            panic!("a thread that is done cannot move")
        };
        self.decide(Shape::Thread, NAMES[thread].into(), 0);
        let choice = self.log.choices.len() as u32 - 1;
        let begin = self.log.moves.accesses.len() as u32;
        self.log.moves.accesses.extend(accesses);
        let ends = self.threads[thread].at == At::Failing;
        let gives_way = self.gives_way(thread);
        let mut way = None;
        match self.threads[thread].at {
            At::Failing => self.failed = true,
            At::Woken { lock, late, .. } => self.go_on(thread, lock, late, 1),
            At::Waiting {
                condition,
                lock,
                late: late @ Some(_),
            } => {
                self.queues[condition].retain(|one| *one != thread);
                self.go_on(thread, lock, late, 0);
            }
            At::Running => {
                let op = self.program[thread][self.threads[thread].next];
                self.threads[thread].next += 1;
                way = self.perform(thread, op, pick);
            }
            At::Waiting { .. } | At::Done => panic!("thread {thread} cannot move"),
        }
        let end = self.log.moves.accesses.len() as u32;
        self.log.moves.moves.push(Move {
            thread: NAMES[thread],
            choice,
            accesses: begin..end,
            ends,
            gives_way,
        });
        if let Some((ways, taken)) = way {
            self.decide(Shape::Pick { ways }, u64::from(taken), 50);
        }
        if !ends {
            self.compute(thread);
        }
    }

    fn perform(
        &mut self,
        thread: usize,
        op: Op,
        pick: impl FnOnce(u32) -> u32,
    ) -> Option<(u32, u32)> {
        match op {
            Op::Load { register, variable } => {
                self.threads[thread].registers[register] = self.variables[variable];
            }
            Op::Store { variable, from } => self.variables[variable] = self.value(thread, from),
            Op::Add {
                register,
                variable,
                from,
            } => {
                let old = self.variables[variable];
                let more = self.value(thread, from);
                self.variables[variable] =
                    std::array::from_fn(|case| old[case].wrapping_add(more[case]));
                self.threads[thread].registers[register] = old;
            }
            Op::LoadBoth(register) => {
                let [first, second] = [self.variables[0], self.variables[1]];
                self.threads[thread].registers[register] =
                    std::array::from_fn(|case| first[case].wrapping_add(second[case]));
            }
            Op::StoreBoth(from) => {
                let value = self.value(thread, from);
                self.variables[0] = value;
                self.variables[1] = value;
            }
            Op::Lock(index) => self.owners[index] = Some(thread),
            Op::Unlock(index) => self.owners[index] = None,
            Op::Wait { condition, lock } => {
                self.owners[lock] = None;
                self.queues[condition].push(thread);
                self.threads[thread].at = At::Waiting {
                    condition,
                    lock,
                    late: None,
                };
            }
            Op::WaitLate {
                condition,
                lock,
                register,
            } => {
                self.owners[lock] = None;
                self.queues[condition].push(thread);
                self.threads[thread].at = At::Waiting {
                    condition,
                    lock,
                    late: Some(register),
                };
            }
            Op::Signal(condition) => {
                let waiting = self.queues[condition].len() as u32;
                if waiting > 0 {
                    let chosen = if waiting > 1 { pick(waiting) } else { 0 };
                    let woken = self.queues[condition].remove(chosen as usize);
                    self.wake(woken);
                    return (waiting > 1).then_some((waiting, chosen));
                }
            }
            Op::Broadcast(condition) => {
                for woken in std::mem::take(&mut self.queues[condition]) {
                    self.wake(woken);
                }
            }
            Op::Down(index) => self.counts[index] -= 1,
            Op::Up(index) => self.counts[index] += 1,
            Op::Skip { .. } | Op::Fail { .. } => unreachable!("computed by itself"),
        }
        None
    }

    /// After a wait, with the lock.
    fn go_on(&mut self, thread: usize, lock: usize, late: Option<usize>, woken: u8) {
        self.owners[lock] = Some(thread);
        self.threads[thread].at = At::Running;
        if let Some(register) = late {
            self.threads[thread].registers[register] = [woken; CASES];
        }
    }

    fn wake(&mut self, thread: usize) {
        let At::Waiting {
            condition,
            lock,
            late,
        } = self.threads[thread].at
        else {
            panic!("only who waits is woken")
        };
        self.threads[thread].at = At::Woken {
            condition,
            lock,
            late,
        };
        self.log.moves.accesses.push(Access {
            object: 400 + thread as u64,
            bytes: 0xff,
            writes: true,
            needs: 0,
            before: 0,
        });
    }

    /// What a thread does by itself until its next move.
    fn compute(&mut self, thread: usize) {
        if matches!(self.threads[thread].at, At::Waiting { .. }) {
            return;
        }
        loop {
            let next = self.threads[thread].next;
            let Some(op) = self.program[thread].get(next) else {
                self.threads[thread].at = At::Done;
                return;
            };
            let (holds, count) = match *op {
                Op::Skip {
                    register,
                    less_than,
                    count,
                } => (
                    self.compare(thread, register, less_than, |a, b| a < b),
                    count,
                ),
                Op::Fail { register, equals } => {
                    (self.compare(thread, register, equals, |a, b| a == b), 0)
                }
                _ => return,
            };
            let taken = holds >> self.case & 1 == 1;
            if holds != 0 && holds != Set::MAX {
                let condition = Terms::new().bool(true);
                self.decide(
                    Shape::Branch { condition },
                    u64::from(!taken),
                    1000 + thread * 64 + next,
                );
                let last = self.log.conditions.len() - 1;
                self.log.conditions[last] = if taken { holds } else { !holds };
            }
            let end = self.program[thread].len();
            match op {
                Op::Fail { .. } if taken => {
                    self.threads[thread].at = At::Failing;
                    return;
                }
                _ if taken => self.threads[thread].next = (next + 1 + count).min(end),
                _ => self.threads[thread].next += 1,
            }
        }
    }

    fn compare(
        &self,
        thread: usize,
        register: usize,
        with: Source,
        test: fn(u8, u8) -> bool,
    ) -> Set {
        let left = self.threads[thread].registers[register];
        let right = self.value(thread, with);
        let holds = (0..CASES).filter(|case| test(left[*case], right[*case]));
        holds.fold(0, |set, case| set | 1 << case)
    }

    fn value(&self, thread: usize, from: Source) -> Value {
        match from {
            Source::Number(number) => [number; CASES],
            Source::Input(0) => std::array::from_fn(|case| case as u8 & 3),
            Source::Input(_) => std::array::from_fn(|case| case as u8 >> 2),
            Source::Register(register) => self.threads[thread].registers[register],
        }
    }

    fn decide(&mut self, shape: Shape, taken: u64, site: usize) {
        let site = SiteId(site as u32);
        self.log.choices.push(Choice { site, taken, shape });
        self.log.conditions.push(Set::MAX);
    }

    /// The report of a run that has ended.
    pub fn finish(mut self) -> (Log, End) {
        for (thread, name) in NAMES.into_iter().enumerate().take(self.threads.len()) {
            let Some(accesses) = self.touches(thread) else {
                continue;
            };
            let begin = self.log.moves.accesses.len() as u32;
            self.log.moves.accesses.extend(accesses);
            let failing = self.threads[thread].at == At::Failing;
            if failing
                && self.failed
                && self
                    .log
                    .moves
                    .moves
                    .last()
                    .is_some_and(|last| last.thread == name)
            {
                continue;
            }
            self.log.moves.pending.push(Pending {
                thread: name,
                accesses: begin..self.log.moves.accesses.len() as u32,
                ends: failing,
                gives_way: self.gives_way(thread),
            });
        }
        let end = End {
            failed: self.failed,
            stuck: self
                .threads
                .iter()
                .map(|thread| thread.at != At::Done)
                .collect(),
            variables: self.variables.to_vec(),
        };
        (self.log, end)
    }
}
