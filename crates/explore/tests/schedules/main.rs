//! The search over inputs and schedules against trying everything: on random small programs, every
//! execution that differs by causality or by choices on inputs is run once, and no other.

mod machine;
mod search;

use elsewise_explore::Random;
use machine::{CONDITIONS, LOCKS, Op, Program, SEMAPHORES, Source, VARIABLES};

fn program(random: &mut Random) -> Program {
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
            ops.push(Op::Wait { condition, lock });
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

#[test]
fn every_execution_once_and_no_other() {
    let count = std::env::var("ELSEWISE_RANDOM_SCHEDULES").ok();
    let count = count.and_then(|text| text.parse().ok()).unwrap_or(200);
    let mut compared = 0;
    for seed in 0..count {
        let mut random = Random::new(seed);
        let program = program(&mut random);
        let Some(all) = search::everything(&program, 30_000) else {
            continue;
        };
        let found = search::search(&program, &mut random, 4 * all.classes.len() + 10);
        let told = format!("seed {seed}: {program:?}");
        assert_eq!(found.ends, all.ends, "{told}");
        assert_eq!(found.classes.len(), all.classes.len(), "{told}");
        assert_eq!(found.runs, all.classes.len(), "{told}");
        compared += 1;
    }
    assert!(
        compared > count / 2,
        "only {compared} programs were small enough"
    );
}

/// Three pairs of moves that could each come in either order: an order that is left out because its
/// beginning has been tried elsewhere, must not be left out there for the same reason.
#[test]
fn orders_that_do_not_touch_each_other() {
    let store = |variable| Op::Store {
        variable,
        from: Source::Number(1),
    };
    let load = |variable| Op::Load {
        register: 0,
        variable,
    };
    let program = vec![
        vec![store(1)],
        vec![load(0)],
        vec![store(0), store(2)],
        vec![store(2), load(1)],
    ];
    for seed in 0..50 {
        let found = search::search(&program, &mut Random::new(seed), 8);
        assert_eq!(found.classes.len(), 8, "seed {seed}");
    }
}
