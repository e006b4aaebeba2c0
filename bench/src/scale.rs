//! `cargo measure scale`: fleets of 10 to 10,000 members, simulated: what members do is the product's own code, what they ask of a
//! server costs what it was measured to cost at a real one, and runs take as long as recorded ones.

mod clock;
mod explorer;
mod fleet;
mod place;
mod prices;
mod shape;
mod shards;

use crate::engine::{Engine, summary, target};
use crate::picture::{Axis, Line, draw};
use crate::runner::{Session, Table};
use anyhow::{Context, Result, ensure};
use clap::Args;
use explorer::Sizes;
use fleet::{Layout, Outcome, Plan};
use place::{LANES, Wires};
use prices::Prices;
use shape::{Recording, Shape};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

#[derive(Args)]
pub struct Options {
    /// How many members
    #[arg(long, value_delimiter = ',', default_value = "10,100,1000")]
    members: Vec<usize>,
    /// Servers that share a fleet's tasks, names and objects; 1x4 is one server with four streams of each kind
    #[arg(long, value_delimiter = ',', default_value = "1")]
    servers: Vec<Layout>,
    /// Seconds of work for each member
    #[arg(long, default_value_t = 120)]
    work: u64,
    /// Campaign that one worker has made, from which runs are drawn; else one is made
    #[arg(long)]
    campaign: Option<PathBuf>,
    /// What requests cost, as an earlier call has written it; else it is measured
    #[arg(long)]
    prices: Option<PathBuf>,
    #[command(flatten)]
    wires: Wires,
    /// Runs that stand for themselves, at most, for each member: where there are more, one stands for some
    #[arg(long, default_value_t = 1000)]
    steps: u64,
    /// What each kind of request comes to
    #[arg(long)]
    requests: bool,
}

/// Bytes that recorded subjects look at: each doubles their paths.
const RECORDED: [u32; 2] = [6, 12];

pub fn run(session: &Session, options: &Options) -> Result<()> {
    let prices = Arc::new(match &options.prices {
        Some(file) => read(file)?,
        None => measured(session)?,
    });
    let engine = session.engine()?;
    let small = record(session, &engine, RECORDED[0])?;
    let recording = Arc::new(match &options.campaign {
        Some(campaign) => Recording::read(campaign)?,
        None => record(session, &engine, RECORDED[1])?,
    });
    let more = (recording.runs() - small.runs()) as f64;
    let sizes = Sizes {
        empty: small.bytes as f64,
        run: recording.bytes.saturating_sub(small.bytes) as f64 / more,
    };
    let mean = recording.mean();
    println!(
        "recorded: {} runs, {:.2} ms each on average, {:.0} bytes of a database each",
        recording.runs(),
        mean as f64 / 1e6,
        sizes.run
    );
    let mut lines: Vec<Line> = Vec::new();
    let line = |name: &str| Line {
        name: name.to_owned(),
        points: Vec::new(),
    };
    lines.push(line("as fast as can be"));
    let titles = options.servers.iter().map(|layout| layout.title());
    lines.extend(titles.map(|title| line(&title)));
    let mut table = Table::live(
        "members | servers | s | of the ideal | runs per s | portions | twice | waiting, most | bytes per run | busiest | took | ",
    );
    for members in &options.members {
        let runs = options.work * clock::SECOND / mean * *members as u64;
        let shape = Arc::new(Shape::new(
            &recording,
            runs,
            options.steps * *members as u64,
        ));
        let ideal = *members as f64 * 1e9 / mean as f64;
        lines[0].points.push((*members as f64, ideal));
        for (layout, line) in options.servers.iter().zip(&mut lines[1..]) {
            let begun = Instant::now();
            let outcome = fleet::run(&Plan {
                members: *members,
                shape: shape.clone(),
                sizes,
                prices: prices.clone(),
                wires: options.wires,
                layout: *layout,
            })?;
            let rate = shape.runs() as f64 / outcome.seconds;
            line.points.push((*members as f64, rate));
            row(&mut table, *members, *layout, &shape, &outcome, begun);
            if options.requests {
                requests(&outcome, &shape);
            }
        }
    }
    let drawing = target(&session.root).join("scale.svg");
    let axis = |title| Axis {
        title,
        logarithmic: true,
    };
    let picture = draw(
        "Fleets, simulated",
        &axis("members"),
        &axis("runs per second"),
        &lines,
    );
    std::fs::write(&drawing, picture)?;
    println!("{} shows it", drawing.display());
    Ok(())
}

fn row(
    table: &mut Table,
    members: usize,
    layout: Layout,
    shape: &Shape,
    outcome: &Outcome,
    begun: Instant,
) {
    let runs = shape.runs();
    let made: u64 = outcome.tally.runs.iter().sum();
    assert_eq!(made, runs, "every run is made once");
    let bytes: u64 = outcome
        .counts
        .values()
        .map(|count| count.read + count.written)
        .sum();
    let busiest = (0..LANES.len()).max_by(|a, b| outcome.busy[*a].total_cmp(&outcome.busy[*b]));
    let busiest = busiest.unwrap_or(0);
    table.row(format_args!(
        "{members} | {layout} | {:.1} | {:.0} % | {:.0} | {} | {} | {} | {:.0} | {} {:.0} % | {:.1} | ",
        outcome.seconds,
        100.0 * outcome.ideal / outcome.seconds,
        runs as f64 / outcome.seconds,
        outcome.tally.portions,
        outcome.tally.twice,
        outcome.deepest,
        bytes as f64 / runs as f64,
        LANES[busiest],
        100.0 * outcome.busy[busiest],
        begun.elapsed().as_secs_f64(),
    ));
}

/// Seconds of which one row tells.
const EVERY: usize = 10;

fn requests(outcome: &Outcome, shape: &Shape) {
    let runs = shape.runs() as f64;
    let mut table = Table::new("what | times | per s | bytes per run | ");
    for (what, count) in &outcome.counts {
        let bytes = (count.read + count.written) as f64 / runs;
        let rate = count.times as f64 / outcome.seconds;
        table.row(format_args!(
            "{what} | {} | {rate:.0} | {bytes:.1} | ",
            count.times
        ));
    }
    table.print("");
    for (lane, busy) in LANES.iter().zip(outcome.busy) {
        println!("{lane}: {:.1} %", 100.0 * busy);
    }
    let mut times = Table::new("second | runs per s | tasks that wait | members that wait | ");
    for (second, (tasks, members)) in outcome.depths.iter().enumerate().step_by(EVERY) {
        let made = outcome.tally.runs.iter().skip(second).take(EVERY);
        let rate = made.sum::<u64>() / EVERY as u64;
        times.row(format_args!("{second} | {rate} | {tasks} | {members} | "));
    }
    times.print("");
    let idle: usize = outcome.depths.iter().map(|(_, idle)| idle).sum();
    println!("idle on average: {}", idle / outcome.depths.len().max(1));
}

fn read(file: &Path) -> Result<Prices> {
    let text = std::fs::read(file).with_context(|| format!("{}", file.display()))?;
    Ok(serde_json::from_slice(&text)?)
}

/// Asks a real server, and keeps what it costs in a file.
fn measured(session: &Session) -> Result<Prices> {
    let prices = prices::measure()?;
    let file = target(&session.root).join("scale-prices.json");
    std::fs::write(&file, serde_json::to_vec_pretty(&prices)?)?;
    println!("{} has what requests cost", file.display());
    Ok(prices)
}

fn record(session: &Session, engine: &Engine, bytes: u32) -> Result<Recording> {
    let campaign = engine.scratch.path().join(format!("recorded-{bytes}"));
    let mut command = engine.explore_in(&campaign, session.harness("fleet.c"));
    command.args([
        format!("--input-size={bytes}"),
        format!("--cflags=-DBYTES={bytes}"),
        "--no-checks".to_owned(),
        "--jobs=1".to_owned(),
        "--strategy=settle".to_owned(),
    ]);
    let summary = summary(command.current_dir(engine.scratch.path()))?;
    ensure!(summary.complete, "{:?}", summary.approximations);
    Recording::read(&campaign)
}
