//! `cargo xtask charts coverage`: branch coverage over time of random models, and of models in files, by
//! each way to search and by messages that are only random.

use crate::engine::{Engine, Profile};
use anyhow::{Context, Result, ensure};
use elsewise_statechart::generate::Options;
use elsewise_statechart::model::Format;
use elsewise_statechart::random::{Shape, random, write_qm};
use elsewise_statechart::{Project, chance};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Ways to search, and what they are called in the paper.
const WAYS: [(&str, &str); 4] = [
    ("mix", "what has paid lately"),
    ("cfg", "towards what is not covered"),
    ("dfs", "systematic"),
    ("random", "random choice"),
];
const COLOURS: [&str; 5] = ["#0969da", "#1a7f37", "#bc4c00", "#8250df", "#6e7781"];

/// Seconds, sides reached.
type Points = Vec<(f64, u64)>;

/// What is explored: a random model of so many branches, or one that somebody wrote.
enum Wanted {
    Random(usize),
    File(PathBuf),
}

/// `[--debug] [--time SECONDSs] [--seed N] [--way NAME] BRANCHES|FILE…`
pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    let (mut profile, mut seconds, mut seed) = (Profile::Release, 120, 1);
    let (mut wanted, mut only) = (Vec::new(), None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--debug" => profile = Profile::Debug,
            "--time" => {
                let text = words.next().and_then(|text| text.strip_suffix('s'));
                let number = text.and_then(|text| text.parse().ok());
                seconds = number.context("--time takes seconds such as 120s")?;
            }
            "--seed" => {
                let number = words.next().and_then(|text| text.parse().ok());
                seed = number.context("--seed takes a number")?;
            }
            "--way" => only = words.next().copied(),
            word => wanted.push(match word.parse() {
                Ok(branches) => Wanted::Random(branches),
                Err(_) => Wanted::File(word.into()),
            }),
        }
    }
    if wanted.is_empty() {
        wanted.push(Wanted::Random(600));
    }
    let engine = Engine::build(root, profile)?;
    for one in wanted {
        let folder = tempfile::tempdir()?;
        let (file, steps, name) = match one {
            Wanted::Random(size) => {
                let (file, steps) = made(size, seed, folder.path())?;
                (file, steps, size.to_string())
            }
            Wanted::File(file) => {
                let name = file.file_stem().context("which file?")?;
                let name = name.to_string_lossy().into_owned();
                (file, Options::default().steps, name)
            }
        };
        let curves = curves(&engine, &file, steps, seconds, seed, only, folder.path())?;
        let drawing = Path::new("target").join(format!("charts-{name}.svg"));
        fs::write(&drawing, svg(&curves, seconds as f64))?;
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
type Curve = (String, Points, u64);

fn curves(
    engine: &Engine,
    file: &Path,
    steps: u32,
    seconds: u64,
    seed: u64,
    only: Option<&str>,
    folder: &Path,
) -> Result<Vec<Curve>> {
    let mut curves: Vec<Curve> = Vec::new();
    for (way, words) in WAYS {
        if only.is_some_and(|only| only != way) {
            continue;
        }
        let (points, total) = explored(engine, file, way, steps, seconds, folder)?;
        curves.push((format!("{way} ({words})"), points, total));
        tell(&curves);
    }
    if only.is_none_or(|only| only == "chance") {
        let options = Options {
            steps,
            ..Options::default()
        };
        let project = Project::open(file, &options)?;
        let place = folder.join("chance");
        let points = chance::run(&project, &place, Duration::from_secs(seconds), seed)?;
        let total = points.last().map_or(0, |point| point.2.into());
        let points = points
            .iter()
            .map(|(at, reached, _)| (*at, (*reached).into()));
        curves.push(("messages by chance".into(), points.collect(), total));
        tell(&curves);
    }
    Ok(curves)
}

/// What an exploration says of itself while it goes on, and at its end.
fn explored(
    engine: &Engine,
    file: &Path,
    way: &str,
    steps: u32,
    seconds: u64,
    folder: &Path,
) -> Result<(Points, u64)> {
    let campaign = folder.join(format!("{way}.elsewise"));
    let begin = Instant::now();
    let output = Command::new(&engine.elsewise)
        .args(["explore", "--format", "json", "--fresh", "--strategy", way])
        .args(["--steps", &steps.to_string()])
        .args(["--budget", &format!("{seconds}s")])
        .arg("--campaign")
        .arg(&campaign)
        .arg(file)
        .output()
        .context("elsewise explore")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(
        matches!(output.status.code(), Some(0 | 2 | 3)),
        "elsewise explore failed: {errors}"
    );
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let mut points: Points = errors.lines().filter_map(point).collect();
    let sides = &summary["branch_sides"];
    let number = |name: &str| sides[name].as_u64().context("no branch sides");
    let end = summary["wall_seconds"].as_f64();
    let end = end.unwrap_or(begin.elapsed().as_secs_f64());
    points.push((end, number("reached")?));
    println!(
        "  {way}: {} runs, {} queries",
        summary["runs"], summary["queries"]["asked"]
    );
    Ok((points, number("total")?))
}

/// `5.1 s: 3,431 runs, 3,431 paths, 29/30 sides, …`
fn point(line: &str) -> Option<(f64, u64)> {
    let (time, rest) = line.split_once(": ")?;
    let mut words = time.split(' ');
    let (mut at, unit) = (words.next()?.parse::<f64>().ok()?, words.next()?);
    if unit.starts_with("min") {
        at *= 60.0;
    }
    let sides = rest.split(", ").find(|word| word.ends_with(" sides"))?;
    let reached = sides.split('/').next()?.replace(',', "");
    Some((at, reached.parse().ok()?))
}

/// The last curve in words.
fn tell(curves: &[Curve]) {
    let Some((name, points, total)) = curves.last() else {
        return;
    };
    let last = points.last().map_or(0, |point| point.1);
    let share = 100.0 * last as f64 / (*total).max(1) as f64;
    let goal = (*total as f64 * 0.99).ceil() as u64;
    let soon = points.iter().find(|point| point.1 >= goal);
    let soon = soon.map_or("never 99 %".into(), |point| {
        format!("99 % after {:.0} s", point.0)
    });
    println!("  {name}: {last} of {total} branch sides ({share:.1} %), {soon}");
}

fn svg(curves: &[Curve], seconds: f64) -> String {
    let (width, height, left, top) = (720.0, 360.0, 60.0, 20.0);
    let most = curves
        .iter()
        .map(|(_, _, total)| *total)
        .max()
        .unwrap_or(1)
        .max(1) as f64;
    let x = |at: f64| left + at.min(seconds) / seconds.max(1.0) * (width - left - 20.0);
    let y = |reached: f64| top + (1.0 - reached / most) * (height - top - 60.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\"><rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"
    );
    for part in 0..=4 {
        let reached = most * f64::from(part) / 4.0;
        let _ = write!(
            out,
            "<path d=\"M{left} {0:.0}H{1}\" stroke=\"#d0d7de\"/><text x=\"8\" y=\"{0:.0}\">{2:.0}</text>",
            y(reached),
            width - 20.0,
            reached
        );
    }
    for (number, (name, points, _)) in curves.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let mut path = format!("M{:.1} {:.1}", x(0.0), y(0.0));
        for (at, reached) in points {
            let _ = write!(path, "L{:.1} {:.1}", x(*at), y(*reached as f64));
        }
        let _ = write!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/><text x=\"{}\" y=\"{:.0}\" fill=\"{colour}\">{name}</text>",
            left + 140.0 * number as f64,
            height - 12.0
        );
    }
    let _ = write!(
        out,
        "<text x=\"{:.0}\" y=\"{:.0}\">{seconds} s</text></svg>",
        width - 60.0,
        height - 36.0
    );
    out
}
