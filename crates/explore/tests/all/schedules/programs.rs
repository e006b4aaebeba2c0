//! Random small programs with threads.

use super::machine::{CONDITIONS, LOCKS, Op, Program, SEMAPHORES, Source, VARIABLES};
use elsewise_explore::Random;

pub fn program(random: &mut Random) -> Program {
    let threads = 2 + random.below(3);
    let most = [0, 0, 5, 4, 3][threads];
    let thread = |random: &mut Random| {
        let mut ops = Vec::new();
        let count = 1 + random.below(most);
        while ops.len() < count {
            block(random, &mut ops);
        }
        ops
    };
    (0..threads).map(|_| thread(random)).collect()
}

/// The same, where two threads look at the inputs before they do anything else: runs on different inputs have the same
/// schedules then.
#[allow(dead_code, reason = "not all tests use it")]
pub fn branching(random: &mut Random) -> Program {
    let mut program = program(random);
    for (input, thread) in program.iter_mut().enumerate().take(2) {
        let look = Op::Skip {
            register: 0,
            less_than: Source::Input(input),
            count: random.below(2),
        };
        thread.insert(0, look);
    }
    program
}

fn block(random: &mut Random, ops: &mut Vec<Op>) {
    let register = random.below(2);
    let variable = random.below(VARIABLES);
    let lock = random.below(LOCKS);
    match random.below(18) {
        0..=3 => ops.push(Op::Load { register, variable }),
        4..=6 => ops.push(Op::Store {
            variable,
            from: source(random),
        }),
        7 => ops.push(Op::Add {
            register,
            variable,
            from: source(random),
        }),
        8..=9 => {
            ops.push(Op::Lock(lock));
            block(random, ops);
            ops.push(Op::Unlock(lock));
        }
        10 => {
            let condition = random.below(CONDITIONS);
            ops.push(Op::Lock(lock));
            ops.push(match random.below(2) {
                0 => Op::Wait { condition, lock },
                _ => Op::WaitLate {
                    condition,
                    lock,
                    register,
                },
            });
            ops.push(Op::Unlock(lock));
        }
        11 => ops.push(match random.below(2) {
            0 => Op::Signal(random.below(CONDITIONS)),
            _ => Op::Broadcast(random.below(CONDITIONS)),
        }),
        12 => ops.push(match random.below(3) {
            0 => Op::Down(random.below(SEMAPHORES)),
            _ => Op::Up(random.below(SEMAPHORES)),
        }),
        13 => ops.push(Op::LoadBoth(register)),
        14 => ops.push(Op::StoreBoth(source(random))),
        15..=16 => ops.push(Op::Skip {
            register,
            less_than: source(random),
            count: 1 + random.below(2),
        }),
        _ => ops.push(Op::Fail {
            register,
            equals: source(random),
        }),
    }
}

fn source(random: &mut Random) -> Source {
    match random.below(4) {
        0 => Source::Number(random.below(3) as u8),
        1 => Source::Register(random.below(2)),
        input => Source::Input(input & 1),
    }
}
