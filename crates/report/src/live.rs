//! What a terminal shows while a campaign is being explored, a few lines that are drawn again and
//! again.
//!
//! The widgets are drawn into a buffer and come back as lines. The terminal itself is not asked for
//! anything and keeps its modes, so that Ctrl-C, job control and what is typed meanwhile stay as
//! they are.

use crate::escape;
use crate::finding::place;
use crate::numbers::{count, plural, seconds};
use elsewise_campaign::{Phase, Progress, Stage};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{LineGauge, Paragraph, Sparkline, Widget};
use std::fmt::Write;
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

/// Findings that are listed, the latest.
const FINDINGS: usize = 4;
/// Points of the sparkline that are kept at most.
const POINTS: usize = 400;
/// Narrower than this, nothing is cut further.
const NARROWEST: u16 = 40;
const WIDEST: u16 = 110;
/// Narrower than this, facts stand below each other.
const BESIDE: u16 = 72;

/// What is shown between two drawings.
#[derive(Clone, Debug, Default)]
pub struct LiveView {
    /// The subject as the user wrote it.
    pub title: String,
    /// What the exploration may take.
    pub time: Option<Duration>,
    pub runs: Option<u64>,
    /// Sides reached at equal distances of time.
    history: Vec<u64>,
    /// That distance; doubled whenever there are too many points.
    every: Duration,
    runs_at_start: Option<u64>,
}

impl LiveView {
    pub fn new(title: &str, time: Option<Duration>, runs: Option<u64>) -> LiveView {
        LiveView {
            title: escape::text(title),
            time,
            runs,
            history: Vec::new(),
            every: Duration::from_millis(100),
            runs_at_start: None,
        }
    }

    /// Takes a moment in.
    pub fn note(&mut self, progress: &Progress) {
        self.runs_at_start.get_or_insert(progress.runs);
        let due = |every: Duration| progress.elapsed.as_millis() / every.as_millis().max(1);
        while due(self.every) >= POINTS as u128 {
            self.history = self.history.iter().copied().skip(1).step_by(2).collect();
            self.every *= 2;
        }
        while self.history.len() as u128 <= due(self.every) {
            self.history.push(progress.sides_reached.into());
        }
    }

    /// The lines, with styles in them, for a terminal of `width` columns; `speed` in runs a second.
    pub fn lines(&self, progress: &Progress, speed: f64, width: u16) -> Vec<String> {
        let width = width.saturating_sub(1).clamp(NARROWEST, WIDEST);
        let listed = progress.findings.len().min(FINDINGS) as u16;
        let narrow = width < BESIDE;
        let area = Rect::new(0, 0, width, 5 + 2 * u16::from(narrow) + listed);
        let mut buffer = Buffer::empty(area);
        let mut rows = area.rows();
        let mut next = || rows.next().unwrap_or_default();
        self.head(progress, next(), &mut buffer);
        let speed = count(speed.round() as u64);
        let runs = format!("{}, {speed}/s", count(progress.runs));
        let paths = count(progress.paths);
        pair(
            ("runs", &runs),
            ("paths", &paths),
            narrow,
            &mut next,
            &mut buffer,
        );
        self.coverage(progress, next(), &mut buffer);
        let open = format!("{} open", count(progress.frontier));
        let doing = solver(progress);
        pair(
            ("frontier", &open),
            ("solver", &doing),
            narrow,
            &mut next,
            &mut buffer,
        );
        let number = progress.findings.len() as u64;
        let words = match number {
            0 => Span::raw("none so far"),
            _ => plural(number, "finding", "findings").red().bold(),
        };
        let mut line = vec![name("findings"), words];
        if progress.approximations > 0 {
            let approximations = format!("   {} approximations", count(progress.approximations));
            line.push(approximations.yellow());
        }
        Line::from(line).render(next(), &mut buffer);
        for finding in progress.findings.iter().rev().take(FINDINGS) {
            let kind = format!("{:>10}  {} at ", finding.id, escape::text(&finding.kind));
            let room = usize::from(width).saturating_sub(kind.width());
            let whole = place(&finding.file, finding.line, &finding.function);
            let place = match whole.width() <= room {
                true => whole,
                false => place(&finding.file, finding.line, ""),
            };
            let words = format!("{kind}{}", last_part(&place, room));
            Line::from(words.red()).render(next(), &mut buffer);
        }
        (0..area.height).map(|row| render(&buffer, row)).collect()
    }

    /// The subject, and how much of the budget is left.
    fn head(&self, progress: &Progress, area: Rect, buffer: &mut Buffer) {
        let elapsed = progress.elapsed;
        let made = progress.runs - self.runs_at_start.unwrap_or(progress.runs);
        let by_runs = self.runs.map(|runs| made as f64 / runs.max(1) as f64);
        let by_time = self
            .time
            .map(|time| elapsed.as_secs_f64() / time.as_secs_f64().max(1e-3));
        let share = by_runs.unwrap_or(0.0).max(by_time.unwrap_or(0.0)).min(1.0);
        let words = match (self.time, self.runs) {
            (Some(time), _) => {
                let left = time.saturating_sub(elapsed).as_secs_f64();
                format!("{} left", seconds(left))
            }
            (None, Some(runs)) => format!("{} runs left", count(runs.saturating_sub(made))),
            (None, None) => seconds(elapsed.as_secs_f64()),
        };
        let bounded = self.time.is_some() || self.runs.is_some();
        let bar = match bounded && area.width >= BESIDE {
            true => area.width / 4,
            false => 0,
        };
        let [title, _, left, gauge] = Layout::horizontal([
            Constraint::Fill(1),
            Constraint::Length(2),
            Constraint::Length(words.chars().count() as u16 + 1),
            Constraint::Length(bar),
        ])
        .areas(area);
        let what = last_part(&self.title, usize::from(title.width.saturating_sub(NAME)));
        let titled = Line::from(vec!["exploring ".dim(), what.bold()]);
        Paragraph::new(titled).render(title, buffer);
        Line::from(words).render(left, buffer);
        if bar > 0 {
            LineGauge::default()
                .ratio(share)
                .label("")
                .filled_style(Style::new().cyan())
                .unfilled_style(Style::new().dark_gray())
                .render(gauge, buffer);
        }
    }

    fn coverage(&self, progress: &Progress, area: Rect, buffer: &mut Buffer) {
        let words = format!(
            "{} of {} ",
            count(progress.sides_reached.into()),
            count(progress.sides_total.into())
        );
        let used = NAME + words.chars().count() as u16;
        let [text, chart] =
            Layout::horizontal([Constraint::Length(used), Constraint::Fill(1)]).areas(area);
        Line::from(vec![name("sides"), Span::raw(words)]).render(text, buffer);
        let points = resample(&self.history, chart.width.into());
        Sparkline::default()
            .data(&points)
            .max(progress.sides_total.max(1).into())
            .style(Style::new().cyan())
            .render(chart, buffer);
    }
}

/// Columns of a name.
const NAME: u16 = 10;

fn name(text: &str) -> Span<'static> {
    format!("{text:<width$}", width = NAME as usize).dim()
}

/// Two facts beside each other, or below where there is no room.
fn pair(
    first: (&str, &str),
    second: (&str, &str),
    narrow: bool,
    next: &mut impl FnMut() -> Rect,
    buffer: &mut Buffer,
) {
    let row = next();
    let (left, right) = match narrow {
        true => (row, next()),
        false => {
            let parts = [Constraint::Length(34), Constraint::Fill(1)];
            let [left, right] = Layout::horizontal(parts).areas(row);
            (left, right)
        }
    };
    for ((fact, words), place) in [(first, left), (second, right)] {
        Line::from(vec![name(fact), Span::raw(words.to_string())]).render(place, buffer);
    }
}

/// A text that ends as it does but fits: of a path, its end tells most.
fn last_part(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_string();
    }
    let mut from = text.len();
    for (at, _) in text.char_indices().rev() {
        if text[at..].width() + 1 > room {
            break;
        }
        from = at;
    }
    format!("…{}", &text[from..])
}

/// What is going on, and the stages that answer most queries.
fn solver(progress: &Progress) -> String {
    let phase = match progress.phase {
        Phase::Running => "running",
        Phase::Solving => "solving",
        Phase::Confirming => "confirming a finding",
    };
    let answered = |stage: &Stage| stage.sat + stage.unsat;
    let stages = &progress.queries.stages;
    let all: u64 = stages.iter().map(answered).sum();
    let mut shares: Vec<(u64, &str)> = stages
        .iter()
        .map(|stage| (answered(stage) * 100 / all.max(1), stage.name.as_str()))
        .filter(|(share, _)| *share > 0)
        .collect();
    shares.sort_by(|a, b| b.cmp(a));
    let mut words = phase.to_string();
    for (share, stage) in shares.iter().take(3) {
        let _ = write!(words, ", {stage} {share} %");
    }
    words
}

/// As many points as there is room for.
fn resample(points: &[u64], room: usize) -> Vec<u64> {
    if points.is_empty() || room == 0 {
        return Vec::new();
    }
    (0..room)
        .map(|at| points[(at * points.len() / room).min(points.len() - 1)])
        .collect()
}

/// One row of the buffer as text with styles in it.
fn render(buffer: &Buffer, row: u16) -> String {
    let area = buffer.area;
    let mut out = String::new();
    let mut style = anstyle::Style::new();
    // The cell behind a wide character is part of it.
    let mut next = 0;
    for column in 0..area.width {
        let Some(cell) = buffer.cell((column, row)).filter(|_| column >= next) else {
            continue;
        };
        next = column + (cell.symbol().width() as u16).max(1);
        let wanted = style_of(cell);
        if wanted != style {
            let _ = write!(out, "{style:#}{wanted}");
            style = wanted;
        }
        out.push_str(cell.symbol());
    }
    let _ = write!(out, "{style:#}");
    out.trim_end().to_string()
}

fn style_of(cell: &Cell) -> anstyle::Style {
    use anstyle::AnsiColor::{BrightBlack, Cyan, Red, Yellow};
    let colour = match cell.fg {
        Color::Red => Some(Red),
        Color::Yellow => Some(Yellow),
        Color::Cyan => Some(Cyan),
        Color::DarkGray => Some(BrightBlack),
        _ => None,
    };
    let mut style = anstyle::Style::new().fg_color(colour.map(Into::into));
    if cell.modifier.contains(Modifier::BOLD) {
        style = style.bold();
    }
    if cell.modifier.contains(Modifier::DIM) {
        style = style.dimmed();
    }
    style
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use elsewise_campaign::Queries;
    use proptest::prelude::*;

    fn progress(millis: u64) -> Progress {
        let stage = |name: &str, sat, unsat| Stage {
            name: name.into(),
            sat,
            unsat,
            ..Stage::default()
        };
        Progress {
            runs: 12_345,
            paths: 391,
            frontier: 1_203,
            sides_reached: (millis / 1000) as u32,
            sides_total: 42,
            findings: vec![samples::finding().0],
            elapsed: Duration::from_millis(millis),
            phase: Phase::Solving,
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
            approximations: 7,
        }
    }

    fn plain(view: &LiveView, progress: &Progress, width: u16) -> Vec<String> {
        let lines = view.lines(progress, 811.6, width);
        lines.iter().map(|line| samples::plain(line)).collect()
    }

    #[test]
    fn everything_is_there() {
        let mut view = LiveView::new("bst.c", Some(Duration::from_secs(60)), None);
        for second in 0..=40 {
            view.note(&progress(1000 * second));
        }
        let lines = plain(&view, &progress(40_000), 100);
        assert!(lines[0].starts_with("exploring bst.c"), "{lines:?}");
        assert!(lines[0].contains("20 s left"), "{lines:?}");
        assert!(
            lines[1].contains("12,345, 812/s") && lines[1].contains("391"),
            "{lines:?}"
        );
        assert!(lines[2].contains("40 of 42"), "{lines:?}");
        // The coverage grew all the time.
        let bars: Vec<char> = lines[2]
            .chars()
            .filter(|char| ('▁'..='█').contains(char))
            .collect();
        assert!(bars.len() > 60 && bars.is_sorted(), "{lines:?}");
        assert!(lines[3].contains("1,203 open"), "{lines:?}");
        assert!(
            lines[3].contains("solving, search 81 %, bitblast 19 %"),
            "{lines:?}"
        );
        assert!(
            lines[4].contains("1 finding") && lines[4].contains("7 approximations"),
            "{lines:?}"
        );
        assert!(lines[5].contains("assertion at bst.c:47"), "{lines:?}");
    }

    #[test]
    fn on_a_narrow_terminal_nothing_that_counts_is_cut() {
        let long = "/somewhere/deep/below/tests/structures/dlist.c";
        let time = Some(Duration::from_secs(60));
        let mut view = LiveView::new(&format!("{long}::dlist_concat"), time, None);
        let mut now = progress(40_000);
        now.findings[0].file = long.into();
        view.note(&now);
        let text = plain(&view, &now, 46).join("\n");
        for words in [
            "dlist_concat  20 s left",
            "\npaths     391\n",
            "solving, search 81 %, bitblast 19 %",
            "/dlist.c:47",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }

    #[test]
    fn what_is_left_of_the_runs() {
        let mut view = LiveView::new("x", None, Some(1000));
        let mut now = progress(0);
        view.note(&now);
        now.runs += 400;
        assert!(plain(&view, &now, 80)[0].contains("600 runs left"));
        let unbounded = LiveView::new("x", None, None);
        assert!(plain(&unbounded, &progress(40_000), 80)[0].contains("40 s"));
    }

    #[test]
    fn days_take_no_more_memory_than_minutes() {
        let mut view = LiveView::new("x", None, None);
        for hour in 0..100 {
            view.note(&progress(hour * 3_600_000));
        }
        assert!(view.history.len() <= POINTS, "{}", view.history.len());
    }

    proptest! {
        #![proptest_config(crate::samples::steady(256))]

        #[test]
        fn nothing_steers_the_terminal(title in any::<String>(), file in any::<String>(), width in 0u16..200) {
            let view = LiveView::new(&title, None, None);
            let mut now = progress(1000);
            now.findings[0].file = file.clone();
            now.findings[0].kind = file;
            for line in plain(&view, &now, width) {
                prop_assert!(!line.chars().any(char::is_control));
                prop_assert!(line.width() <= usize::from(width.clamp(NARROWEST + 1, WIDEST)));
            }
        }
    }
}
