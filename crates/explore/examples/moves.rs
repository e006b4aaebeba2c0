//! Measures what it takes to find the other orders of a run's threads: for few moves of many threads,
//! and for runs of more and more moves.

use elsewise_explore::schedule::{Access, Move, Moves, Oracle, Seen, Wakeups};
use elsewise_explore::{Bounds, Choice, LeafEnd, Random, Shape, SiteId, Step, Tree};
use std::ops::Range;
use std::time::Instant;

struct Same;

impl Oracle for Same {
    fn same(&mut self, _: u32, _: u32, _: Range<u32>) -> bool {
        true
    }
}

/// Threads in turn, each of whose moves reads or writes one of some variables.
fn run(random: &mut Random, moves: u32, threads: usize, variables: usize) -> (Moves, Vec<Choice>) {
    let (mut out, mut choices) = (Moves::default(), Vec::new());
    for index in 0..moves {
        let thread = random.below(threads) as u32;
        choices.push(Choice {
            site: SiteId(0),
            taken: thread.into(),
            shape: Shape::Thread,
        });
        out.accesses.push(Access {
            object: random.below(variables) as u64,
            bytes: 0xf,
            writes: random.below(3) == 0,
            needs: 0,
            before: 0,
        });
        out.moves.push(Move {
            thread,
            choice: index,
            accesses: index..index + 1,
            ends: false,
            gives_way: false,
        });
    }
    (out, choices)
}

fn main() {
    for (moves, threads, variables) in [
        (30, 15, 30),
        (30, 15, 3),
        (300, 4, 10),
        (3_000, 4, 100),
        (10_000, 4, 300),
        (10_000, 15, 10),
        (100_000, 4, 300),
    ] {
        let mut random = Random::new(1);
        let mut best = f64::MAX;
        let mut found = 0;
        for _ in 0..if moves < 1000 { 200 } else { 3 } {
            let (moves, choices) = run(&mut random, moves, threads, variables);
            let mut tree = Tree::new(Bounds::default());
            let end = LeafEnd {
                assumed: false,
                cut: false,
            };
            tree.insert_steps(0, choices.iter().map(Step::from), end);
            let positions = tree.path(choices.iter().map(Step::from));
            let seen = Seen {
                run: 0,
                choices: &choices,
                moves: &moves,
                positions: &positions,
                followed: None,
            };
            let mut wakeups = Wakeups::new();
            let start = Instant::now();
            wakeups.note(&seen, &mut Same);
            best = best.min(start.elapsed().as_secs_f64());
            found = wakeups.open();
        }
        println!(
            "{moves} moves of {threads} threads on {variables} variables: {:.1} us, {found} orders",
            best * 1e6
        );
    }
}
