//! `cargo measure charts coverage`: branch coverage over time of random models, and of models in files, by
//! each way to search and by messages that are only random.

use crate::engine::target;
use crate::picture::{Axis, Line, draw};
use crate::runner::{Session, seconds};
use anyhow::{Context, Result};
use elsewise_campaign::Budget;
use elsewise_driver::{Cache, Program};
use elsewise_native::{NativeOptions, NativeSubject};
use elsewise_statechart::generate::Options as Bounds;
use elsewise_statechart::model::Format;
use elsewise_statechart::{ChartSubject, Project};
use elsewise_statechart_testing::chance;
use elsewise_statechart_testing::random::{Shape, random, write_qm};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Ways to search, and what they are called in the picture.
const WAYS: [(&str, &str); 4] = [
    ("mix", "mix"),
    ("cfg", "coverage-seeking"),
    ("dfs", "systematic"),
    ("random", "random"),
];
/// Where the picture begins: before, nothing but the first runs has happened.
const SOON: f64 = 0.01;

/// Seconds, sides reached.
type Points = Vec<(f64, u32)>;

#[derive(clap::Args)]
pub struct Options {
    /// For each way to search
    #[arg(long, value_parser = seconds, default_value = "60s")]
    time: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this one: mix, cfg, dfs, random or chance
    #[arg(long, value_name = "NAME")]
    way: Option<String>,
    /// Numbers of branches of random models, or files with models
    #[arg(value_name = "BRANCHES|FILE", default_value = "600")]
    models: Vec<String>,
}

impl Options {
    fn wants(&self, way: &str) -> bool {
        self.way.as_deref().is_none_or(|only| only == way)
    }

    fn time(&self) -> Duration {
        Duration::from_secs(self.time)
    }
}

pub fn run(session: &Session, ask: &Options) -> Result<()> {
    for model in &ask.models {
        let folder = tempfile::tempdir()?;
        let (file, steps) = match model.parse() {
            Ok(branches) => made(branches, ask.seed, folder.path())?,
            Err(_) => (model.into(), Bounds::default().steps),
        };
        let name = Path::new(model).file_stem().context("which file?")?;
        let curves = curves(&file, steps, ask, folder.path())?;
        let drawing = format!("charts-{}.svg", name.display());
        let drawing = target(&session.root).join(drawing);
        fs::write(&drawing, drawn(&curves))?;
        println!("{} shows it", drawing.display());
    }
    Ok(())
}

/// A random model, and how long sequences have to be for it.
fn made(size: usize, seed: u64, folder: &Path) -> Result<(PathBuf, u32)> {
    let made = random(Shape {
        seed,
        format: Format::Qm,
        branches: size,
        depth: 4,
    });
    let file = folder.join("random.qm");
    fs::write(&file, write_qm(&made.model))?;
    let steps = (made.length + 2).min(60) as u32;
    println!(
        "{} branches, {} transitions, {} messages are enough for each; sequences of {steps}",
        made.branches,
        made.model.capsules[0]
            .machine
            .as_ref()
            .map_or(0, |machine| machine.transitions.len()),
        made.length,
    );
    Ok((file, steps))
}

/// What a way to search is called, what it had reached when, and how many sides there are.
type Curve = (String, Points, u32);

/// The model is built once, and explored in each way.
fn curves(file: &Path, steps: u32, ask: &Options, folder: &Path) -> Result<Vec<Curve>> {
    let options = Bounds {
        steps,
        ..Bounds::default()
    };
    let project = Project::open(file, &options)?;
    let begin = Instant::now();
    let main = project.write(folder)?;
    let cache = Cache::at(folder.join("unpacked"));
    let program = Program::from_source_with(&[main], &["-w".into()], folder, &cache)?;
    println!("  built in {:.0} s", begin.elapsed().as_secs_f64());
    let subject = || -> Result<ChartSubject> {
        let inner = NativeSubject::new(&program, &NativeOptions::default())?;
        let model = &project.model.file;
        Ok(ChartSubject::new(inner, &project.generated, model))
    };
    let mut curves: Vec<Curve> = Vec::new();
    for (way, words) in WAYS {
        if !ask.wants(way) {
            continue;
        }
        let (points, total) = explored(subject()?, way, ask, &folder.join(way))?;
        curves.push((words.into(), points, total));
        tell(&curves);
    }
    if ask.wants("chance") {
        let (points, total) = chance::run(&mut subject()?, &project, ask.time(), ask.seed);
        curves.push(("pure chance".into(), points, total));
        tell(&curves);
    }
    Ok(curves)
}

/// What an exploration has reached as it goes on.
fn explored(
    subject: ChartSubject,
    way: &str,
    ask: &Options,
    campaign: &Path,
) -> Result<(Points, u32)> {
    let options = elsewise_campaign::Options {
        dir: campaign.to_path_buf(),
        title: "model".into(),
        strategy: way.into(),
        seed: ask.seed,
        budget: Budget {
            time: Some(ask.time()),
            runs: None,
        },
        ..elsewise_campaign::Options::default()
    };
    let mut points: Points = Vec::new();
    let mut total = 0;
    let summary = elsewise_campaign::explore(
        &options,
        vec![Box::new(subject)],
        &mut |progress| {
            total = progress.sides_total;
            if points
                .last()
                .is_none_or(|last| last.1 < progress.sides_reached)
            {
                points.push((progress.elapsed.as_secs_f64(), progress.sides_reached));
            }
        },
        &AtomicBool::new(false),
    )?;
    let reached = points.last().map_or(0, |last| last.1);
    points.push((ask.time as f64, reached));
    println!(
        "  {way}: {} runs, {} queries",
        summary.runs, summary.queries.asked
    );
    Ok((points, total))
}

/// The last curve in words.
fn tell(curves: &[Curve]) {
    let Some((name, points, total)) = curves.last() else {
        return;
    };
    let last = points.last().map_or(0, |point| point.1);
    let share = 100.0 * f64::from(last) / f64::from((*total).max(1));
    let goal = (f64::from(*total) * 0.99).ceil() as u32;
    let soon = points.iter().find(|point| point.1 >= goal);
    let soon = soon.map_or("never 99 %".into(), |point| {
        format!("99 % after {:.1} s", point.0)
    });
    println!("  {name}: {last} of {total} branch sides ({share:.1} %), {soon}");
}

fn drawn(curves: &[Curve]) -> String {
    let x = Axis {
        title: "seconds",
        logarithmic: true,
    };
    let y = Axis {
        title: "branch sides",
        logarithmic: false,
    };
    let lines = curves.iter().map(|(name, points, _)| Line {
        name: name.clone(),
        points: points
            .iter()
            .map(|(at, reached)| (at.max(SOON), f64::from(*reached)))
            .collect(),
    });
    draw("Branch sides reached", &x, &y, &lines.collect::<Vec<_>>())
}
