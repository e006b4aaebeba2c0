//! Times the pipeline on path-like queries: prefixes of 20 to 59 conditions over 8 to 64 input
//! bytes, the next condition turned round.
//!
//!     cargo run --release -p elsewise-solve --example bench_queries

use elsewise_solve::{Answer, Path, Settings, Solver};
use elsewise_term::{Bits, Evaluator, Model, Op, Sort, TermId, Terms};
use elsewise_test_random::Random;
use std::time::Instant;

/// A run: its conditions, which hold under the model.
struct Run {
    terms: Terms,
    present: Model,
    conditions: Vec<TermId>,
}

/// A 32-bit value as programs compute it from input bytes.
fn value(dice: &mut Random, terms: &mut Terms, bytes: &[TermId]) -> TermId {
    let at = dice.word_below(bytes.len() as u64) as usize;
    let byte = |offset: usize| bytes[(at + offset) % bytes.len()];
    let constant = |dice: &mut Random, terms: &mut Terms| terms.bits(32, 1 + dice.word_below(60));
    match dice.word_below(8) {
        0 | 1 => terms.zero_extend(byte(0), 32),
        2 => terms.sign_extend(byte(0), 32),
        3 => {
            let half = terms.concat(byte(1), byte(0));
            terms.zero_extend(half, 32)
        }
        4 => {
            let (high, low) = (
                terms.concat(byte(3), byte(2)),
                terms.concat(byte(1), byte(0)),
            );
            terms.concat(high, low)
        }
        5 => {
            // A digit.
            let wide = terms.zero_extend(byte(0), 32);
            let zero = terms.bits(32, 48);
            terms.bv(Op::BvSub, &[wide, zero])
        }
        6 => {
            let (x, y) = (
                terms.zero_extend(byte(0), 32),
                terms.zero_extend(byte(1), 32),
            );
            let k = constant(dice, terms);
            let product = terms.bv(Op::BvMul, &[x, k]);
            terms.bv(Op::BvAdd, &[product, y])
        }
        _ => {
            let (x, y) = (
                terms.zero_extend(byte(0), 32),
                terms.zero_extend(byte(2), 32),
            );
            let op = [Op::BvXor, Op::BvAnd, Op::BvOr, Op::BvSub][dice.word_below(4) as usize];
            terms.bv(op, &[x, y])
        }
    }
}

fn run(dice: &mut Random) -> Run {
    let mut terms = Terms::new();
    let mut present = Model::default();
    let bytes: Vec<TermId> = (0..8 + dice.word_below(57))
        .map(|key| {
            let byte = terms.variable(key, Sort::BitVec(8));
            let var = terms.as_var(byte).expect("an input");
            present.set(var, Bits::new(8, dice.word_below(256)));
            byte
        })
        .collect();
    let mut evaluator = Evaluator::new();
    let mut conditions = Vec::new();
    while conditions.len() < 60 {
        let a = value(dice, &mut terms, &bytes);
        let b = match dice.word_below(3) {
            0 => value(dice, &mut terms, &bytes),
            1 => terms.bits(32, dice.word_below(256)),
            _ => terms.bits(32, dice.word_below(1 << 16)),
        };
        let op = [Op::Eq, Op::Eq, Op::BvUlt, Op::BvSlt, Op::BvSle][dice.word_below(5) as usize];
        let condition = terms.apply(op, &[a, b], 1);
        if terms.is_const(condition) {
            continue;
        }
        conditions.push(match evaluator.bool(&terms, condition, &present) {
            true => condition,
            false => terms.not(condition),
        });
    }
    Run {
        terms,
        present,
        conditions,
    }
}

/// Processor time of this thread in nanoseconds: on a busy machine the clock on the wall says
/// more about the others. None where the system does not tell.
fn processor_nanos() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}

fn main() {
    let runs: u64 = std::env::args()
        .nth(1)
        .and_then(|runs| runs.parse().ok())
        .unwrap_or(60);
    let configurations: [(&str, &[&str]); 6] = [
        ("all stages", &[]),
        ("no search", &["search"]),
        ("no cache", &["cache"]),
        ("slice, bitblast", &["syntactic", "cache", "search", "z3"]),
        ("bitblast", &["slice", "syntactic", "cache", "search", "z3"]),
        ("slice, z3", &["syntactic", "cache", "search", "bitblast"]),
    ];
    for (name, off) in configurations {
        let mut solver = Solver::new(Settings {
            off: off.iter().map(|name| name.to_string()).collect(),
            ..Settings::default()
        });
        let mut micros = Vec::new();
        let mut processor = 0.0;
        let (mut sat, mut unsat, mut open) = (0, 0, 0);
        for seed in 0..runs {
            let Run {
                mut terms,
                present,
                conditions,
            } = run(&mut Random::new(seed));
            solver.forget();
            let mut path = Path::new(conditions.clone());
            let before = processor_nanos();
            for (index, condition) in conditions.iter().enumerate().skip(20) {
                let wanted = terms.not(*condition);
                let start = Instant::now();
                let answer = solver.solve_on(&mut terms, &mut path, index, wanted, &present);
                micros.push(start.elapsed().as_nanos() as f64 / 1000.0);
                match answer {
                    Answer::Sat(_) => sat += 1,
                    Answer::Unsat(_) => unsat += 1,
                    Answer::Unknown(_) => open += 1,
                }
            }
            if let (Some(before), Some(after)) = (before, processor_nanos()) {
                processor += after - before;
            }
        }
        if processor == 0.0 {
            processor = micros.iter().sum::<f64>() * 1000.0;
        }
        micros.sort_by(f64::total_cmp);
        println!(
            "{name}: {} queries, {sat} sat, {unsat} unsat, {open} open; median {:.0} µs, 90 % {:.0} µs, {:.0} queries per processor second",
            micros.len(),
            micros[micros.len() / 2],
            micros[micros.len() * 9 / 10],
            micros.len() as f64 / processor * 1e9,
        );
        for count in solver.counts() {
            println!(
                "    {:<10} asked {:>6}  sat {:>6}  unsat {:>6}  wrong {}  mean {:.1} µs",
                count.name,
                count.asked,
                count.sat,
                count.unsat,
                count.wrong,
                count.nanos as f64 / 1000.0 / count.asked.max(1) as f64,
            );
        }
    }
}
