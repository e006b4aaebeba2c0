//! `cargo measure rate`: how many runs a second there are on small functions, with a process for each
//! run and with a process for many.
//!
//! Beginning costs the same in all campaigns of a function, so each is explored twice, with few runs
//! and with many, and the difference counts. Processor time is what the campaign counted of the engine
//! and the runs together: what one core can do, whatever else the machine has to do. That of all
//! processes would have the compiler's in it, which changes by more than all the runs take. The fork
//! server's own is left out; runs per second of a core that has nothing else to do have it.

use crate::engine::{function, summary};
use crate::runner::{Missed, Session, Table, cheapest};
use anyhow::Result;

/// Functions of `harness/rate.c`, and whether a process can have several of their runs.
const FUNCTIONS: [(&str, bool); 5] = [
    ("testme", true),
    ("insert", true),
    ("keep", true),
    ("tell", true),
    ("read_one", false),
];
const FEW: u64 = 20;
const MANY: u64 = 1500;
/// What is wanted of functions of this size, in runs per second of one core.
const WANTED: f64 = 1500.0;
const ROUNDS: usize = 3;

pub fn run(session: &Session) -> Result<()> {
    let engine = session.engine()?;
    let mut table = Table::live("function | | runs per CPU s | runs per s | ");
    let mut missed = Missed::default();
    for (name, reusable) in FUNCTIONS {
        for fork in [true, false] {
            let explore = |runs: u64| {
                let mut command = engine.explore(function(&session.harness("rate.c"), name));
                command.arg(format!("--budget={runs}runs"));
                summary(command.args(fork.then_some("--fork")))
            };
            // Seconds for a run, of the processor and on the wall.
            let round = || {
                let (few, many) = (explore(FEW)?, explore(MANY)?);
                let runs = many.runs.saturating_sub(few.runs) as f64;
                let a_run = |many: f64, few: f64| (many - few).max(1e-3) / runs;
                Ok((
                    a_run(many.cpu_seconds, few.cpu_seconds),
                    a_run(many.wall_seconds, few.wall_seconds),
                ))
            };
            let (cpu, wall) = cheapest(ROUNDS, |(cpu, _)| *cpu, round)?;
            let (per_cpu, per_wall) = (1.0 / cpu, 1.0 / wall);
            let way = if fork {
                "a process each"
            } else {
                "one for many"
            };
            let verdict = match !fork && reusable {
                true => missed.unless(per_cpu >= WANTED, name),
                false => "",
            };
            table.row(format_args!(
                "`{name}` | {way} | {per_cpu:.0} | {per_wall:.0} | {verdict}"
            ));
        }
    }
    missed.none(&format!(
        "fewer than {WANTED} runs per second of processor time"
    ))
}
