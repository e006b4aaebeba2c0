//! What is shown while an exploration goes on.

use crate::output;
use elsewise_campaign::{Finding, Phase, Progress};
use elsewise_report::{BAD, count, escape_text, paint, seconds};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
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
    Terminal(ProgressBar),
}

/// Shows an exploration's progress on standard error.
pub struct Watcher {
    mode: Mode,
    shown: Option<Duration>,
    findings: usize,
    speed: Speed,
}

impl Watcher {
    pub fn new(quiet: bool) -> Watcher {
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let mode = match (quiet, std::io::stderr().is_terminal() && !dumb) {
            (true, _) => Mode::Silent,
            (false, false) => Mode::Lines,
            (false, true) => {
                let bar = ProgressBar::new_spinner();
                // The template is a constant; the default would only look different.
                if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}\n  {prefix}")
                {
                    bar.set_style(style);
                }
                bar.enable_steady_tick(REDRAW_EVERY);
                Mode::Terminal(bar)
            }
        };
        Watcher {
            mode,
            shown: None,
            findings: 0,
            speed: Speed::default(),
        }
    }

    pub fn show(&mut self, progress: &Progress) {
        let every = match self.mode {
            Mode::Silent => return,
            Mode::Lines => LINE_EVERY,
            Mode::Terminal(_) => REDRAW_EVERY,
        };
        for finding in progress.findings.iter().skip(self.findings) {
            self.line(&news(finding));
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
        let counts = counts(progress, speed);
        let elapsed = seconds(progress.elapsed.as_secs_f64());
        match &self.mode {
            Mode::Terminal(bar) => {
                bar.set_prefix(format!("{elapsed}, {}", doing(progress)));
                bar.set_message(counts);
            }
            _ => output::note(&format!("{elapsed}: {counts}, {}", doing(progress))),
        }
    }

    /// Takes the line away: what follows is the result.
    pub fn end(&self) {
        if let Mode::Terminal(bar) = &self.mode {
            bar.finish_and_clear();
        }
    }

    fn line(&self, text: &str) {
        match &self.mode {
            Mode::Silent => {}
            Mode::Lines => output::note(text),
            Mode::Terminal(bar) => bar.suspend(|| output::note(text)),
        }
    }
}

fn news(finding: &Finding) -> String {
    format!(
        "{} {}: {} at {}:{}",
        paint(BAD, "finding"),
        finding.id,
        escape_text(&finding.kind),
        escape_text(&finding.file),
        finding.line
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
