//! What is shown while an exploration goes on.

use crate::keys::{Keys, Pressed};
use crate::output;
use elsewise_campaign::{Finding, Phase, Progress, Stage};
use elsewise_report::{BAD, DIM, LiveView, count, escape_text, finding_line, paint, seconds};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Between two lines where there is no terminal: a log is read later, by a person, on a page that is to stay short.
const LINE_EVERY: Duration = Duration::from_secs(5);
const LINE_EVERY_LATER: Duration = Duration::from_secs(60);
const LATER: Duration = Duration::from_secs(60);
/// The keys that the live view has.
const KEYS: [(char, &str); 3] = [('q', "end"), ('p', "pause"), ('f', "all findings")];
/// Lines of the view beside those of findings.
const OTHER_LINES: u16 = 14;
/// Between two changes of the line on a terminal.
const REDRAW_EVERY: Duration = Duration::from_millis(100);
/// The speed is that of about this last stretch of time.
const SPEED_OVER: Duration = Duration::from_secs(3);

enum Mode {
    Silent,
    Lines,
    Terminal(Screen),
}

/// Shows an exploration's progress on standard error, and hears what is wanted of it.
pub struct Watcher {
    mode: Mode,
    live: LiveView,
    pressed: Arc<Pressed>,
    /// Keys are read as long as it is there.
    keys: Option<Keys>,
    shown: Option<Duration>,
    findings: usize,
    speed: Speed,
}

impl Watcher {
    /// `live` is what a terminal is shown. `stop` is set where that is asked for; `pauses` says whether whoever explores
    /// can pause.
    pub fn new(quiet: bool, mut live: LiveView, stop: &Arc<AtomicBool>, pauses: bool) -> Watcher {
        let mode = match (quiet, is_terminal()) {
            (true, _) => Mode::Silent,
            (false, false) => Mode::Lines,
            (false, true) => Mode::Terminal(Screen { drawn: None }),
        };
        let pressed = Arc::<Pressed>::default();
        let keys = matches!(mode, Mode::Terminal(_))
            .then(|| Keys::read(Arc::clone(&pressed), Arc::clone(stop)))
            .flatten();
        if keys.is_some() {
            let there = KEYS.into_iter().filter(|(key, _)| pauses || *key != 'p');
            live.keys = there.collect();
        }
        Watcher {
            mode,
            live,
            pressed,
            keys,
            shown: None,
            findings: 0,
            speed: Speed::default(),
        }
    }

    /// What was asked for by keys.
    pub fn pressed(&self) -> Arc<Pressed> {
        Arc::clone(&self.pressed)
    }

    pub fn show(&mut self, progress: &Progress) {
        let every = match &mut self.mode {
            Mode::Silent => return,
            Mode::Lines if progress.elapsed >= LATER => LINE_EVERY_LATER,
            Mode::Lines => LINE_EVERY,
            Mode::Terminal(_) => REDRAW_EVERY,
        };
        self.live.note(progress);
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
            Mode::Terminal(screen) => {
                let (columns, rows) = size();
                let all = self.pressed.findings.load(Ordering::Relaxed);
                let room = rows.saturating_sub(OTHER_LINES).max(3);
                self.live.findings_wanted = all.then_some(room.into());
                screen.put(&self.live.lines(progress, speed, columns));
            }
            _ => {
                let elapsed = seconds(progress.elapsed.as_secs_f64());
                let (side, _) = self.live.last(progress);
                let counts = counts(progress, side, speed);
                output::note(&format!("{elapsed}: {counts}, {}", doing(progress)));
            }
        }
    }

    /// Takes the view away: what follows is the result.
    pub fn end(&mut self) {
        self.keys = None;
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
    /// How many lines stand there, and on how many columns they were drawn.
    drawn: Option<(usize, u16)>,
}

impl Screen {
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
    size().0
}

/// Columns and rows of it.
fn size() -> (u16, u16) {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    size.map_or((80, 24), |(width, height)| (width.0, height.0))
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
fn counts(progress: &Progress, side: Option<String>, speed: f64) -> String {
    let findings = match progress.findings.len() {
        0 => "no findings".to_string(),
        1 => "1 finding".to_string(),
        several => format!("{several} findings"),
    };
    let side = side.map_or(String::new(), |side| format!(" (last new one {side})"));
    format!(
        "{} runs, {} paths, {}/{} sides{side}, {findings}, {} open, {} runs/s",
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
        Phase::Waiting => "waiting",
        Phase::Running => "running",
        Phase::Solving => "solving",
        Phase::Confirming => "confirming a finding",
    };
    format!("{phase}{}", solver(progress))
}

/// The stages that answer most of the queries.
fn solver(progress: &Progress) -> String {
    // Of all workers together.
    let all_stages = &progress.queries.stages;
    let answered = |stage: &Stage| stage.sat + stage.unsat;
    let all: u64 = all_stages.iter().map(answered).sum();
    if all == 0 {
        return String::new();
    }
    let mut stages: Vec<(u64, &str)> = all_stages
        .iter()
        .map(|stage| (answered(stage) * 100 / all, stage.name.as_str()))
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

    fn progress() -> Progress {
        let stage = |name: &str, sat, unsat| Stage {
            name: name.into(),
            asked: 100,
            sat,
            unsat,
            ..Stage::default()
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
            workers: vec![Phase::Solving],
            paused: false,
            solver: Vec::new(),
            queries: Queries {
                stages: vec![
                    stage("slice", 0, 0),
                    stage("search", 81, 0),
                    stage("bitblast", 10, 9),
                ],
                ..Queries::default()
            },
            resumed: false,
            approximations: 0,
        }
    }

    #[test]
    fn how_far_and_what() {
        insta::assert_snapshot!(counts(&progress(), Some("12 s ago".into()), 811.6), @"12,345 runs, 391 paths, 40/42 sides (last new one 12 s ago), no findings, 1,203 open, 812 runs/s");
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
