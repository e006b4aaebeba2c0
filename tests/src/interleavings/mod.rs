//! Random small C programs with threads, and all that they can do: every interleaving of their moves
//! for every input, by trying.

use crate::random::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

const VARIABLES: usize = 3;
const LOCKS: usize = 2;
const REGISTERS: usize = 2;
/// Two inputs of two bits each.
const CASES: u8 = 16;

#[derive(Clone, Copy, Debug)]
enum Source {
    Number(u8),
    Input(u8),
    Register(usize),
}

/// One move, or a decision between two.
#[derive(Clone, Copy, Debug)]
enum Op {
    Load(usize, usize),
    Store(usize, Source),
    /// Adds to a variable in one move, and keeps the old value.
    Add(usize, usize, Source),
    /// The first two variables, which lie side by side, in one move.
    LoadBoth(usize),
    StoreBoth(Source),
    Lock(usize),
    Unlock(usize),
    /// Of the one condition, with a lock; the register is told whether it was woken, where it may
    /// also go on by itself.
    Wait(usize, Option<usize>),
    Signal,
    Broadcast,
    /// Of the one semaphore.
    Down,
    Up,
    /// Goes on so many operations later if the register is less than the source.
    Skip(usize, Source, usize),
    /// Ends the thread if they are equal, and fails when all have ended.
    Fail(usize, Source),
}

#[derive(Clone, Debug)]
pub struct Program(Vec<Vec<Op>>);

impl Program {
    pub fn new(random: &mut Random) -> Program {
        let threads = 2 + random.below(3);
        let most = [0, 0, 5, 4, 2][threads];
        let mut all = Vec::new();
        for _ in 0..threads {
            let mut ops = Vec::new();
            let count = 1 + random.below(most);
            while ops.len() < count {
                block(random, &mut ops);
            }
            all.push(ops);
        }
        Program(all)
    }
}

fn block(random: &mut Random, ops: &mut Vec<Op>) {
    let register = random.below(REGISTERS);
    let variable = random.below(VARIABLES);
    let lock = random.below(LOCKS);
    match random.below(18) {
        0..=3 => ops.push(Op::Load(register, variable)),
        4..=6 => ops.push(Op::Store(variable, source(random))),
        7 => ops.push(Op::Add(register, variable, source(random))),
        8..=9 => {
            ops.push(Op::Lock(lock));
            block(random, ops);
            ops.push(Op::Unlock(lock));
        }
        10 => {
            let late = random.chance(50).then_some(register);
            ops.extend([Op::Lock(lock), Op::Wait(lock, late), Op::Unlock(lock)]);
        }
        11 => ops.push(*random.pick(&[Op::Signal, Op::Broadcast])),
        12 => ops.push(*random.pick(&[Op::Down, Op::Up, Op::Up])),
        13 => ops.push(Op::LoadBoth(register)),
        14 => ops.push(Op::StoreBoth(source(random))),
        15..=16 => {
            let at = ops.len();
            ops.push(Op::Skip(register, source(random), 0));
            block(random, ops);
            let count = ops.len() - at - 1;
            if let Op::Skip(_, _, skipped) = &mut ops[at] {
                *skipped = count;
            }
        }
        _ => ops.push(Op::Fail(register, source(random))),
    }
}

fn source(random: &mut Random) -> Source {
    match random.below(4) {
        0 => Source::Number(random.below(3) as u8),
        1 => Source::Register(random.below(REGISTERS)),
        input => Source::Input(input as u8 & 1),
    }
}

impl Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Number(number) => write!(f, "{number}"),
            Source::Input(input) => write!(f, "i{input}"),
            Source::Register(register) => write!(f, "r{register}"),
        }
    }
}

/// The program in C. It exits with its variables, two bits of each, and each value is a path of its
/// own.
impl Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n\
             #include <string.h>\n#include <time.h>\n#include <unistd.h>\n\n\
             static unsigned char in[2];\n\
             static unsigned char v[8] __attribute__((aligned(8)));\n\
             static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n\
             static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n\
             static sem_t s;\n\
             static const struct timespec soon = {1, 0};\n",
        )?;
        for (thread, ops) in self.0.iter().enumerate() {
            writeln!(
                f,
                "\nstatic int f{thread};\nstatic void *t{thread}(void *unused)\n{{\n    (void)unused;\n    \
                 unsigned char r0 = 0, r1 = 0, i0 = in[0] & 3, i1 = in[1] & 3;\n    \
                 (void)r0, (void)r1, (void)i0, (void)i1;"
            )?;
            let mut ends = BTreeSet::new();
            for (at, op) in ops.iter().enumerate() {
                if ends.contains(&at) {
                    writeln!(f, "L{at}:;")?;
                }
                if let Op::Skip(_, _, count) = op {
                    ends.insert(at + 1 + count);
                }
                writeln!(f, "    {}", statement(*op, thread, at))?;
            }
            if ends.contains(&ops.len()) {
                writeln!(f, "L{}:;", ops.len())?;
            }
            f.write_str("    return NULL;\n}\n")?;
        }
        f.write_str(
            "\nstatic int two_bits(int of)\n{\n    switch (v[of] & 3) {\n    case 0: return 0;\n    \
             case 1: return 1;\n    case 2: return 2;\n    }\n    return 3;\n}\n\n\
             int main(void)\n{\n    if (read(0, in, 2) != 2)\n        return 64;\n    \
             sem_init(&s, 0, 0);\n",
        )?;
        let count = self.0.len();
        writeln!(f, "    pthread_t t[{count}];")?;
        for thread in 0..count {
            writeln!(
                f,
                "    pthread_create(&t[{thread}], NULL, t{thread}, NULL);"
            )?;
        }
        for thread in 0..count {
            writeln!(f, "    pthread_join(t[{thread}], NULL);")?;
        }
        for (thread, ops) in self.0.iter().enumerate() {
            for (at, op) in ops.iter().enumerate() {
                if matches!(op, Op::Fail(..)) {
                    writeln!(f, "    if (f{thread} == {}) abort();", at + 1)?;
                }
            }
        }
        f.write_str("    return two_bits(0) | two_bits(1) << 2 | two_bits(2) << 4;\n}\n")
    }
}

fn statement(op: Op, thread: usize, at: usize) -> String {
    match op {
        Op::Load(register, variable) => {
            format!("r{register} = __atomic_load_n(&v[{variable}], __ATOMIC_RELAXED);")
        }
        Op::Store(variable, from) => {
            format!("__atomic_store_n(&v[{variable}], {from}, __ATOMIC_RELAXED);")
        }
        Op::Add(register, variable, from) => {
            format!("r{register} = __atomic_fetch_add(&v[{variable}], {from}, __ATOMIC_SEQ_CST);")
        }
        Op::LoadBoth(register) => format!(
            "{{ unsigned short b = __atomic_load_n((unsigned short *)v, __ATOMIC_RELAXED); \
             r{register} = (b & 255) + (b >> 8); }}"
        ),
        Op::StoreBoth(from) => {
            format!(
                "__atomic_store_n((unsigned short *)v, (unsigned short)({from} | {from} << 8), \
                 __ATOMIC_RELAXED);"
            )
        }
        Op::Lock(lock) => format!("pthread_mutex_lock(&m[{lock}]);"),
        Op::Unlock(lock) => format!("pthread_mutex_unlock(&m[{lock}]);"),
        Op::Wait(lock, None) => format!("pthread_cond_wait(&c, &m[{lock}]);"),
        Op::Wait(lock, Some(register)) => {
            format!("r{register} = pthread_cond_timedwait(&c, &m[{lock}], &soon) == 0;")
        }
        Op::Signal => "pthread_cond_signal(&c);".into(),
        Op::Broadcast => "pthread_cond_broadcast(&c);".into(),
        Op::Down => "sem_wait(&s);".into(),
        Op::Up => "sem_post(&s);".into(),
        Op::Skip(register, than, count) => {
            format!("if (r{register} < {than}) goto L{};", at + 1 + count)
        }
        Op::Fail(register, with) => {
            let told = at + 1;
            format!("if (r{register} == {with}) {{ f{thread} = {told}; return NULL; }}")
        }
    }
}

/// All that a program can do.
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
}

/// For each thread what it decided and, of each thing that it touched, how many writes came before.
type Class = Vec<Vec<(u32, u32)>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Running,
    Waiting { lock: usize, late: Option<usize> },
    Woken { lock: usize, late: Option<usize> },
    Done,
}

#[derive(Clone)]
struct Thread {
    next: usize,
    registers: [u8; REGISTERS],
    at: At,
    /// The operation that failed.
    failed: Option<usize>,
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
    writes: BTreeMap<u32, u32>,
    class: Class,
}

// Things that are touched; variables have the numbers below.
const LOCK: u32 = 100;
const CONDITION: u32 = 200;
const SEMAPHORE: u32 = 300;
const OWN: u32 = 400;
/// In a class: decisions.
const DECISION: u32 = 500;

impl Program {
    /// Tries everything; `None` if there are more than `most` interleavings.
    pub fn everything(&self, most: usize) -> Option<Everything> {
        let mut all = Everything::default();
        let mut tried = 0;
        for case in 0..CASES {
            let mut open = vec![State::new(self, case)];
            while let Some(state) = open.pop() {
                let mut ended = true;
                for thread in 0..self.0.len() {
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
                if ended {
                    tried += 1;
                    if tried > most {
                        return None;
                    }
                    all.add(state);
                }
            }
        }
        Some(all)
    }
}

impl Everything {
    fn add(&mut self, state: State<'_>) {
        let done = state.threads.iter().all(|thread| thread.at == At::Done);
        let mut threads = state.threads.iter().enumerate();
        let failed = threads.find_map(|(thread, of)| Some((thread, of.failed?)));
        let code = (done && failed.is_none()).then(|| {
            let bits = state.variables.map(|value| value & 3);
            bits[0] | bits[1] << 2 | bits[2] << 4
        });
        self.codes.extend(code.map(i32::from));
        self.failures.extend(failed.filter(|_| done));
        self.stuck |= !done;
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
        };
        let count = program.0.len();
        let mut state = State {
            program,
            case,
            threads: vec![thread; count],
            variables: [0; VARIABLES],
            free: [true; LOCKS],
            queue: Vec::new(),
            count: 0,
            writes: BTreeMap::new(),
            class: vec![Vec::new(); count],
        };
        for thread in 0..count {
            state.decide(thread);
        }
        state
    }

    fn op(&self, thread: usize) -> Op {
        self.program.0[thread][self.threads[thread].next]
    }

    fn can_move(&self, thread: usize) -> bool {
        match self.threads[thread].at {
            At::Done | At::Waiting { late: None, .. } => false,
            At::Waiting { lock, .. } | At::Woken { lock, .. } => self.free[lock],
            At::Running => match self.op(thread) {
                Op::Lock(lock) => self.free[lock],
                Op::Down => self.count > 0,
                _ => true,
            },
        }
    }

    /// Whom a signal wakes is left open.
    fn ways(&self, thread: usize) -> usize {
        match self.threads[thread].at {
            At::Running if matches!(self.op(thread), Op::Signal) => self.queue.len().max(1),
            _ => 1,
        }
    }

    fn touch(&mut self, thread: usize, thing: u32, writes: bool) {
        let count = self.writes.entry(thing).or_default();
        self.class[thread].push((thing, *count));
        *count += u32::from(writes);
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
        match self.threads[thread].at {
            At::Woken { lock, late } => self.go_on(thread, lock, late, true),
            At::Waiting { lock, late } => {
                self.queue.retain(|one| *one != thread);
                self.go_on(thread, lock, late, false);
            }
            At::Done => unreachable!("it cannot move"),
            At::Running => {
                let op = self.op(thread);
                self.threads[thread].next += 1;
                self.perform(thread, op, way);
            }
        }
        self.decide(thread);
    }

    /// After a wait, with the lock.
    fn go_on(&mut self, thread: usize, lock: usize, late: Option<usize>, woken: bool) {
        self.touch(thread, OWN + thread as u32, true);
        self.touch(thread, LOCK + lock as u32, true);
        self.free[lock] = false;
        self.threads[thread].at = At::Running;
        if let Some(register) = late {
            self.touch(thread, CONDITION, true);
            self.threads[thread].registers[register] = u8::from(woken);
        }
    }

    fn perform(&mut self, thread: usize, op: Op, way: usize) {
        match op {
            Op::Load(register, variable) => {
                self.touch(thread, variable as u32, false);
                self.threads[thread].registers[register] = self.variables[variable];
            }
            Op::Store(variable, from) => {
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
                let [first, second, _] = self.variables;
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
                self.free[lock] = true;
                self.queue.push(thread);
                self.threads[thread].at = At::Waiting { lock, late };
            }
            Op::Signal => {
                self.touch(thread, CONDITION, true);
                if !self.queue.is_empty() {
                    let woken = self.queue.remove(way);
                    self.class[thread].push((DECISION, 10 + way as u32));
                    self.wake(thread, woken);
                }
            }
            Op::Broadcast => {
                self.touch(thread, CONDITION, true);
                for woken in std::mem::take(&mut self.queue) {
                    self.wake(thread, woken);
                }
            }
            Op::Down => {
                self.touch(thread, SEMAPHORE, true);
                self.count -= 1;
            }
            Op::Up => {
                self.touch(thread, SEMAPHORE, true);
                self.count += 1;
            }
            Op::Skip(..) | Op::Fail(..) => unreachable!("no moves"),
        }
    }

    fn wake(&mut self, by: usize, thread: usize) {
        self.touch(by, OWN + thread as u32, true);
        if let At::Waiting { lock, late } = self.threads[thread].at {
            self.threads[thread].at = At::Woken { lock, late };
        }
    }

    /// What a thread decides until its next move.
    fn decide(&mut self, thread: usize) {
        while self.threads[thread].at == At::Running {
            let next = self.threads[thread].next;
            let Some(op) = self.program.0[thread].get(next) else {
                self.threads[thread].at = At::Done;
                return;
            };
            let register = |register: usize| self.threads[thread].registers[register];
            let (holds, skipped) = match *op {
                Op::Skip(left, right, count) => (register(left) < self.value(thread, right), count),
                Op::Fail(left, right) => (register(left) == self.value(thread, right), 0),
                _ => return,
            };
            self.class[thread].push((DECISION, u32::from(holds)));
            if holds && matches!(op, Op::Fail(..)) {
                self.threads[thread].failed = Some(next);
                self.threads[thread].at = At::Done;
            }
            self.threads[thread].next += 1 + if holds { skipped } else { 0 };
        }
    }
}

impl Program {
    /// The line of the C program at which it fails for an operation.
    pub fn line(&self, thread: usize, at: usize) -> Option<u32> {
        let text = self.to_string();
        let check = format!("    if (f{thread} == {}) abort();", at + 1);
        let line = text.lines().position(|line| line == check)?;
        u32::try_from(line + 1).ok()
    }
}
