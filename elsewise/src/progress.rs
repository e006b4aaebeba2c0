//! What is shown while an exploration goes on.

use crate::output;
use elsewise_campaign::{Finding, Phase, Progress};
use elsewise_report::{BAD, DIM, LiveView, count, escape_text, finding_line, paint, seconds};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::time::Duration;

/// Between two lines where there is no terminal: a log is read later, by a person.
const LINE_EVERY: Duration = Duration::from_secs(5);
/// Between two changes of the line on a terminal.
const REDRAW_EVERY: Duration = Duration::from_millis(100);
/// The speed is that of about this last stretch of time.
const SPEED_OVER: Duration = Duration::from_secs(3);

enum Mode {
    Silent,
    Lines,
    Terminal(Screen),
}

/// Shows an exploration's progress on standard error.
pub struct Watcher {
    mode: Mode,
    shown: Option<Duration>,
    findings: usize,
    speed: Speed,
}

impl Watcher {
    /// `live` is what a terminal is shown.
    pub fn new(quiet: bool, live: LiveView) -> Watcher {
        let mode = match (quiet, is_terminal()) {
            (true, _) => Mode::Silent,
            (false, false) => Mode::Lines,
            (false, true) => Mode::Terminal(Screen { live, drawn: None }),
        };
        Watcher {
            mode,
            shown: None,
            findings: 0,
            speed: Speed::default(),
        }
    }

    pub fn show(&mut self, progress: &Progress) {
        let every = match &mut self.mode {
            Mode::Silent => return,
            Mode::Lines => LINE_EVERY,
            Mode::Terminal(screen) => {
                screen.live.note(progress);
                REDRAW_EVERY
            }
        };
        if let Mode::Lines = self.mode {
            for finding in progress.findings.iter().skip(self.findings) {
                output::note(&news(finding));
            }
        }
        self.findings = self.findings.max(progress.findings.len());
        self.speed.begin(progress.elapsed, progress.runs);
        // On a log, the first line comes after the first pause: short explorations stay quiet.
        let last = self.shown.get_or_insert(match self.mode {
            Mode::Terminal(_) => Duration::ZERO,
            _ => progress.elapsed,
        });
        if progress.elapsed < *last + every {
            return;
        }
        *last = progress.elapsed;
        let speed = self.speed.note(progress.elapsed, progress.runs);
        match &mut self.mode {
            Mode::Terminal(screen) => screen.draw(progress, speed),
            _ => {
                let elapsed = seconds(progress.elapsed.as_secs_f64());
                let counts = counts(progress, speed);
                output::note(&format!("{elapsed}: {counts}, {}", doing(progress)));
            }
        }
    }

    /// Takes the view away: what follows is the result.
    pub fn end(&mut self) {
        if let Mode::Terminal(screen) = &mut self.mode {
            screen.put(&[]);
        }
    }
}

/// Says on a terminal that the subject is being built, until it is dropped.
pub struct Building {
    shown: bool,
}

impl Building {
    pub fn new(quiet: bool, title: &str) -> Building {
        let shown = !quiet && is_terminal();
        if shown {
            let room = usize::from(columns()).saturating_sub(14);
            let title: String = escape_text(title).chars().take(room).collect();
            let words = format!("{} {title} ...", paint(DIM, "building"));
            let _ = anstream::stderr().lock().write_all(words.as_bytes());
        }
        Building { shown }
    }
}

impl Drop for Building {
    fn drop(&mut self) {
        if self.shown {
            let _ = anstream::stderr().lock().write_all(b"\r\x1b[K");
        }
    }
}

/// Whether lines on standard error can be drawn over.
fn is_terminal() -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    std::io::stderr().is_terminal() && !dumb
}

/// Lines at the end of the terminal that are drawn over and over.
struct Screen {
    live: LiveView,
    /// How many lines stand there, and on how many columns they were drawn.
    drawn: Option<(usize, u16)>,
}

impl Screen {
    fn draw(&mut self, progress: &Progress, speed: f64) {
        let lines = self.live.lines(progress, speed, columns());
        self.put(&lines);
    }

    /// Puts these lines in the place of those that stand there.
    fn put(&mut self, lines: &[String]) {
        let columns = columns();
        let mut text = String::new();
        // After the window changed its width nobody knows where the old lines are: they stay.
        if let Some((count, _)) = self.drawn.filter(|(_, width)| *width == columns)
            && count > 0
        {
            let _ = write!(text, "\x1b[{count}A\r\x1b[J");
        }
        for line in lines {
            text.push_str(line);
            text.push('\n');
        }
        self.drawn = Some((lines.len(), columns));
        // A terminal that went away is no fault.
        let _ = anstream::stderr().lock().write_all(text.as_bytes());
    }
}

/// Columns of the terminal that standard error is.
fn columns() -> u16 {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    size.map_or(80, |(width, _)| width.0)
}

fn news(finding: &Finding) -> String {
    format!(
        "{} {}: {}",
        paint(BAD, "finding"),
        finding.id,
        finding_line(finding)
    )
}

/// How far it is.
fn counts(progress: &Progress, speed: f64) -> String {
    let findings = match progress.findings.len() {
        0 => "no findings".to_string(),
        1 => "1 finding".to_string(),
        several => format!("{several} findings"),
    };
    format!(
        "{} runs, {} paths, {}/{} sides, {findings}, {} open, {} runs/s",
        count(progress.runs),
        count(progress.paths),
        count(progress.sides_reached.into()),
        count(progress.sides_total.into()),
        count(progress.frontier),
        count(speed.round() as u64)
    )
}

/// What is going on.
fn doing(progress: &Progress) -> String {
    let phase = match progress.phase {
        Phase::Running => "running",
        Phase::Solving => "solving",
        Phase::Confirming => "confirming a finding",
    };
    format!("{phase}{}", solver(progress))
}

/// The stages that answer most of the queries.
fn solver(progress: &Progress) -> String {
    let answered = |stage: &elsewise_solve::StageCount| stage.sat + stage.unsat;
    let all: u64 = progress.solver.iter().map(answered).sum();
    if all == 0 {
        return String::new();
    }
    let mut stages: Vec<(u64, &str)> = progress
        .solver
        .iter()
        .map(|stage| (answered(stage) * 100 / all, stage.name))
        .filter(|(share, _)| *share > 0)
        .collect();
    stages.sort_by(|a, b| b.cmp(a));
    let words: Vec<String> = stages
        .iter()
        .take(3)
        .map(|(share, name)| format!("{name} {share} %"))
        .collect();
    format!(" (queries: {})", words.join(", "))
}

/// Runs per second, lately.
#[derive(Default)]
struct Speed {
    from: Option<(Duration, u64)>,
    last: f64,
}

impl Speed {
    fn begin(&mut self, now: Duration, runs: u64) {
        self.from.get_or_insert((now, runs));
    }

    fn note(&mut self, now: Duration, runs: u64) -> f64 {
        let (since, before) = *self.from.get_or_insert((now, runs));
        let passed = now.saturating_sub(since);
        if !passed.is_zero() {
            self.last = runs.saturating_sub(before) as f64 / passed.as_secs_f64();
        }
        if passed >= SPEED_OVER {
            self.from = Some((now, runs));
        }
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_campaign::Queries;
    use elsewise_solve::StageCount;

    fn progress() -> Progress {
        let stage = |name, sat, unsat| StageCount {
            name,
            asked: 100,
            sat,
            unsat,
            ..StageCount::default()
        };
        Progress {
            runs: 12_345,
            paths: 391,
            frontier: 1_203,
            sides_reached: 40,
            sides_total: 42,
            findings: Vec::new(),
            elapsed: Duration::from_secs(12),
            phase: Phase::Solving,
            solver: vec![
                stage("slice", 0, 0),
                stage("search", 81, 0),
                stage("bitblast", 10, 9),
            ],
            queries: Queries::default(),
            resumed: false,
            approximations: 0,
        }
    }

    #[test]
    fn how_far_and_what() {
        insta::assert_snapshot!(counts(&progress(), 811.6), @"12,345 runs, 391 paths, 40/42 sides, no findings, 1,203 open, 812 runs/s");
        insta::assert_snapshot!(doing(&progress()), @"solving (queries: search 81 %, bitblast 19 %)");
    }

    #[test]
    fn the_speed_is_that_of_late() {
        let mut speed = Speed::default();
        assert_eq!(speed.note(Duration::from_secs(0), 0), 0.0);
        assert_eq!(speed.note(Duration::from_secs(4), 400), 100.0);
        assert_eq!(speed.note(Duration::from_secs(5), 410), 10.0);
    }
}
