//! Random small C programs with threads, and all that they can do: every interleaving of their moves
//! for every input, by trying.

mod text;
mod world;

pub mod reference;

use elsewise_test_random::Random;

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
    /// A store that all see at once, and a fence.
    StoreNow(usize, Source),
    Fence,
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
    /// Touches what is not in memory.
    Outside(Outside),
    /// A point at which a thread ends that was cancelled, and nothing else.
    Rest,
    /// Whether it can be cancelled from here on.
    Cancellable(bool),
    /// Cancels another thread: the main thread does.
    Cancel(usize),
    /// Sets the timer, whose handler stores into the last variable.
    Alarm,
    /// A process that ends at once.
    Fork,
    /// Waits for the end of a thread: the main thread does.
    Join(usize),
    /// The program fails if the thread has failed: the main thread does, after it has joined it.
    Check(usize),
    /// A variable becomes a part of the exit code: the main thread does, in the end.
    Tell(usize),
    /// The program ends while others run on.
    End,
    /// Looks at two variables, one after the other, until one of them is not this number.
    Spin([(usize, u8); 2]),
    /// Goes on so many operations later if the register is less than the source.
    Skip(usize, Source, usize),
    /// Ends the thread if they are equal, and fails when it has been joined.
    Fail(usize, Source),
}

/// What lies outside of memory. There are two folders, and one file is open.
#[derive(Clone, Copy, Debug)]
enum Outside {
    SetEnvironment(u8),
    GetEnvironment(usize),
    Seed(u8),
    Random(usize),
    /// A file of the working directory; the register is told whether that was done.
    Create(usize),
    Remove(usize),
    Exists(usize),
    Go(u8),
    Where(usize),
    /// Sets the rights that new files do not get; the register has those before.
    Rights(usize, u8),
    Write(u8),
    Read(usize),
    /// The first byte, wherever the file stands.
    First(usize),
    Rewind,
}

#[derive(Clone, Debug)]
struct Thread {
    ops: Vec<Op>,
    /// When it is cancelled, it adds one to the last variable.
    cleans: bool,
}

/// The last thread is the main one, after it has started the others.
#[derive(Clone, Debug)]
pub struct Program {
    threads: Vec<Thread>,
    /// The exit code is made in a handler that runs at the end, while threads that were not joined run on.
    exits: bool,
    /// Others see what a thread stores when it leaves the thread's buffer.
    buffered: bool,
}

/// Which operations there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On memory, locks, conditions and semaphores.
    Memory,
    /// Those, and what lies outside.
    Outside,
    /// Those, and threads that are cancelled.
    Cancelled,
    /// Those, and a program that ends while threads run.
    Exits,
    /// Those, and timers.
    Alarms,
    /// Those, and new processes.
    Forks,
    /// On memory, with threads that look again and again.
    Spins,
    /// On memory, where stores are buffered.
    Buffered,
}

impl Kind {
    const ALL: [Kind; 7] = [
        Kind::Memory,
        Kind::Outside,
        Kind::Cancelled,
        Kind::Exits,
        Kind::Alarms,
        Kind::Forks,
        Kind::Spins,
    ];

    fn of(random: &mut Random) -> Kind {
        match random.below(20) {
            at @ 0..=6 => Kind::ALL[at],
            7..=8 => Kind::Memory,
            9 => Kind::Spins,
            10..=13 => Kind::Outside,
            14..=16 => Kind::Cancelled,
            _ => Kind::Exits,
        }
    }

    /// Each execution that differs is counted, not only each end.
    pub fn is_counted(self) -> bool {
        use Kind::*;
        matches!(self, Memory | Outside | Cancelled | Buffered)
    }
}

impl Program {
    pub fn new(random: &mut Random) -> (Program, Kind) {
        let kind = Kind::of(random);
        (Program::of(random, kind), kind)
    }

    pub fn of(random: &mut Random, kind: Kind) -> Program {
        let threads = 2 + random.below(3);
        let most = [0, 0, 5, 4, 2][threads];
        let mut all = Vec::new();
        for _ in 0..threads {
            let mut ops = Vec::new();
            let count = 1 + random.below(most);
            while ops.len() < count {
                block(random, kind, &mut ops);
            }
            let cleans = kind == Kind::Cancelled && random.chance(30);
            all.push(Thread { ops, cleans });
        }
        let main = of_main(random, kind, threads);
        all.push(main);
        Program {
            threads: all,
            exits: kind == Kind::Exits,
            buffered: kind == Kind::Buffered,
        }
    }

    fn main(&self) -> usize {
        self.threads.len() - 1
    }
}

fn of_main(random: &mut Random, kind: Kind, threads: usize) -> Thread {
    let mut ops = Vec::new();
    match kind {
        Kind::Cancelled => ops.push(Op::Cancel(random.below(threads))),
        Kind::Alarms => ops.push(Op::Alarm),
        _ => {}
    }
    let only_memory = matches!(kind, Kind::Memory | Kind::Spins | Kind::Buffered);
    if !only_memory && random.chance(30) {
        let more = match random.below(3) {
            0 => Op::Store(random.below(VARIABLES), source(random)),
            1 => Op::Outside(outside(random)),
            _ => Op::Up,
        };
        ops.insert(random.below(ops.len() + 1), more);
    }
    let stays = (kind == Kind::Exits).then(|| random.below(threads));
    for thread in (0..threads).filter(|thread| Some(*thread) != stays) {
        ops.push(Op::Join(thread));
    }
    for thread in (0..threads).filter(|thread| Some(*thread) != stays) {
        ops.push(Op::Check(thread));
    }
    ops.extend((0..VARIABLES).map(Op::Tell));
    if kind == Kind::Exits {
        ops.push(Op::End);
    }
    Thread { ops, cleans: false }
}

fn block(random: &mut Random, kind: Kind, ops: &mut Vec<Op>) {
    let register = random.below(REGISTERS);
    let variable = random.below(VARIABLES);
    let lock = random.below(LOCKS);
    match kind {
        Kind::Memory => {}
        Kind::Spins if random.chance(25) => {
            let mut one = || (random.below(VARIABLES), random.below(2) as u8);
            let both = [one(), one()];
            return ops.push(Op::Spin(both));
        }
        Kind::Spins => {}
        Kind::Buffered if random.chance(50) => {
            ops.push(match random.below(8) {
                0..=2 => Op::Store(variable, source(random)),
                3..=5 => Op::Load(register, variable),
                6 => Op::StoreNow(variable, source(random)),
                _ => Op::Fence,
            });
            return;
        }
        Kind::Buffered => {}
        Kind::Cancelled if random.chance(30) => {
            ops.push(*random.pick(&[
                Op::Rest,
                Op::Rest,
                Op::Cancellable(false),
                Op::Cancellable(true),
                Op::Down,
            ]));
            return;
        }
        Kind::Alarms if random.chance(10) => return ops.push(Op::Alarm),
        Kind::Forks if random.chance(30) => return ops.push(Op::Fork),
        _ if random.chance(40) => return ops.push(Op::Outside(outside(random))),
        _ => {}
    }
    match random.below(18) {
        0..=3 => ops.push(Op::Load(register, variable)),
        4..=6 => ops.push(Op::Store(variable, source(random))),
        7 => ops.push(Op::Add(register, variable, source(random))),
        8..=9 => {
            ops.push(Op::Lock(lock));
            block(random, kind, ops);
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
            block(random, kind, ops);
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

fn outside(random: &mut Random) -> Outside {
    let register = random.below(REGISTERS);
    let number = random.below(3) as u8;
    let folder = random.below(2) as u8;
    *random.pick(&[
        Outside::SetEnvironment(number),
        Outside::GetEnvironment(register),
        Outside::Seed(number),
        Outside::Random(register),
        Outside::Create(register),
        Outside::Remove(register),
        Outside::Exists(register),
        Outside::Go(folder),
        Outside::Where(register),
        Outside::Rights(register, number),
        Outside::Write(number),
        Outside::Read(register),
        Outside::First(register),
        Outside::Rewind,
    ])
}
