//! What a terminal shows while a campaign is being explored, a few lines that are drawn again and
//! again.
//!
//! Here are the lines alone. Where they stand, and which keys are pressed, is known to the command.

use crate::escape;
use crate::finding::place;
use crate::live_curve::Curve;
use crate::numbers::{count, plural, seconds};
use crate::style::{BAD, DIM, HEADING, NAME, WARN, paint};
use elsewise_campaign::{Phase, Progress, Stage};
use std::fmt::Write;
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

/// Findings that are listed, the latest.
const FINDINGS: usize = 3;
/// Narrower than this, nothing is cut further.
const NARROWEST: u16 = 40;
const WIDEST: u16 = 110;
/// Columns of a name.
const NAME_COLUMNS: usize = 11;
/// Rows of the curve.
const ROWS: usize = 3;

/// A key and what it does.
pub type Key = (char, &'static str);

/// What is shown between two drawings.
#[derive(Clone, Debug, Default)]
pub struct LiveView {
    /// The subject as the user wrote it.
    pub title: String,
    /// What the exploration may take.
    pub time: Option<Duration>,
    pub runs: Option<u64>,
    /// The keys that can be pressed.
    pub keys: Vec<Key>,
    /// As many findings are wanted; the latest few if nothing is said.
    pub findings_wanted: Option<usize>,
    curve: Curve,
    runs_at_start: Option<u64>,
    sides: Since,
    findings: Since,
}

/// When a number last grew.
#[derive(Clone, Copy, Debug, Default)]
struct Since {
    known: Option<u64>,
    at: Option<Duration>,
}

impl Since {
    fn note(&mut self, number: u64, now: Duration) {
        match self.known {
            // What there was at the start is of an earlier session.
            None => self.known = Some(number),
            Some(known) if number > known => {
                self.known = Some(number);
                self.at = Some(now);
            }
            Some(_) => {}
        }
    }

    fn words(self, now: Duration) -> Option<String> {
        let since = now.saturating_sub(self.at?).as_secs();
        Some(format!("{} ago", ago(since)))
    }
}

impl LiveView {
    pub fn new(title: &str, time: Option<Duration>, runs: Option<u64>) -> LiveView {
        LiveView {
            title: escape::text(title),
            time,
            runs,
            ..LiveView::default()
        }
    }

    /// Takes a moment in.
    pub fn note(&mut self, progress: &Progress) {
        let now = progress.elapsed;
        if self.runs_at_start.is_none() && !progress.resumed {
            // Whatever a new campaign has is new.
            self.sides.known = Some(0);
            self.findings.known = Some(0);
            self.curve.begin_at(0);
        }
        self.runs_at_start.get_or_insert(progress.runs);
        self.sides.note(progress.sides_reached.into(), now);
        self.findings.note(progress.findings.len() as u64, now);
        self.curve.note(now, progress.sides_reached.into());
    }

    /// How long ago the last new side was reached, and the last finding was found, in words.
    pub fn last(&self, progress: &Progress) -> (Option<String>, Option<String>) {
        let now = progress.elapsed;
        (self.sides.words(now), self.findings.words(now))
    }

    /// The lines, with styles in them, for a terminal of `width` columns; `speed` in runs a second.
    pub fn lines(&self, progress: &Progress, speed: f64, width: u16) -> Vec<String> {
        let width = usize::from(width.saturating_sub(1).clamp(NARROWEST, WIDEST));
        let (side, finding) = self.last(progress);
        let mut lines = vec![self.head(progress, width)];
        let speed = count(speed.round() as u64);
        facts(
            &mut lines,
            width,
            &[
                ("runs", format!("{}, {speed}/s", count(progress.runs))),
                ("paths", count(progress.paths)),
                ("frontier", format!("{} open", count(progress.frontier))),
            ],
        );
        let mut sides = format!(
            "{} of {}",
            count(progress.sides_reached.into()),
            count(progress.sides_total.into())
        );
        if let Some(side) = side {
            let _ = write!(sides, ", the last new one {side}");
        }
        facts(&mut lines, width, &[("sides", sides)]);
        let room = width - NAME_COLUMNS;
        for row in self.curve.rows(room, ROWS) {
            let line = format!("{:NAME_COLUMNS$}{}", "", paint(NAME, &row));
            lines.push(line);
        }
        facts(&mut lines, width, &[("workers", workers(progress))]);
        if let Some(words) = solver(progress) {
            facts(&mut lines, width, &[("queries", words)]);
        }
        self.write_findings(&mut lines, progress, finding, width);
        if !self.keys.is_empty() {
            lines.push(self.keys(progress));
        }
        lines
    }

    /// The subject, and how much of the budget is used.
    fn head(&self, progress: &Progress, width: usize) -> String {
        let elapsed = progress.elapsed;
        let made = progress.runs
            - self
                .runs_at_start
                .unwrap_or(progress.runs)
                .min(progress.runs);
        let mut words = ago(elapsed.as_secs());
        if let Some(time) = self.time {
            let _ = write!(words, " of {}", ago(time.as_secs()));
        }
        if let Some(runs) = self.runs {
            let _ = write!(words, ", {} of {} runs", count(made), count(runs));
        }
        let room = width.saturating_sub(NAME_COLUMNS + words.width() + 2);
        let title = last_part(&self.title, room);
        let gap = width.saturating_sub(NAME_COLUMNS + title.width() + words.width());
        format!(
            "{}{}{:gap$}{words}",
            paint(DIM, format!("{:NAME_COLUMNS$}", "exploring")),
            paint(HEADING, &title),
            ""
        )
    }

    fn write_findings(
        &self,
        lines: &mut Vec<String>,
        progress: &Progress,
        last: Option<String>,
        width: usize,
    ) {
        let number = progress.findings.len();
        let mut words = match number {
            0 => "none so far".to_string(),
            _ => paint(BAD, plural(number as u64, "finding", "findings")).to_string(),
        };
        if let Some(last) = last {
            let _ = write!(words, ", the last one {last}");
        }
        let name = paint(DIM, format!("{:NAME_COLUMNS$}", "findings"));
        lines.push(format!("{name}{words}"));
        let shown = self.findings_wanted.unwrap_or(FINDINGS);
        for finding in progress.findings.iter().rev().take(shown) {
            let kind = escape::text(&finding.kind);
            let kind = format!("{:>11}  {} at ", finding.id, first_part(&kind, width / 2));
            let room = width.saturating_sub(kind.width());
            let whole = place(&finding.file, finding.line, &finding.function);
            let place = match whole.width() <= room {
                true => whole,
                false => last_part(&place(&finding.file, finding.line, ""), room),
            };
            let mut text = paint(BAD, format!("{kind}{place}")).to_string();
            let used = kind.width() + place.width() + 2;
            let message = escape::text(&finding.message);
            if self.findings_wanted.is_some() && used + 8 < width && !message.is_empty() {
                let _ = write!(text, "  {}", paint(DIM, first_part(&message, width - used)));
            }
            lines.push(text);
        }
        let more = number.saturating_sub(shown);
        if more > 0 {
            lines.push(format!("{:13}and {more} more", ""));
        }
        if progress.approximations > 0 {
            let name = paint(DIM, format!("{:NAME_COLUMNS$}", "incomplete"));
            let words = plural(progress.approximations, "approximation", "approximations");
            lines.push(format!("{name}{}", paint(WARN, words)));
        }
    }

    fn keys(&self, progress: &Progress) -> String {
        let keys = self.keys.iter().map(|(key, means)| {
            let means = match key {
                'p' if progress.paused => "go on",
                'f' if self.findings_wanted.is_some() => "fewer findings",
                _ => means,
            };
            format!("{} {}", paint(HEADING, key), paint(DIM, means))
        });
        let keys: Vec<String> = keys.collect();
        format!("{:NAME_COLUMNS$}{}", "", keys.join("   "))
    }
}

/// Facts beside each other as far as there is room.
fn facts(lines: &mut Vec<String>, width: usize, facts: &[(&str, String)]) {
    const COLUMN: usize = 26;
    let mut line = String::new();
    let mut used: usize = 0;
    for (name, words) in facts {
        let size = NAME_COLUMNS + words.width();
        let begin = used.div_ceil(COLUMN) * COLUMN;
        if used > 0 && begin + size > width {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        let gap = if used > 0 { begin - used } else { 0 };
        let name = paint(DIM, format!("{name:NAME_COLUMNS$}")).to_string();
        let words = first_part(words, width - NAME_COLUMNS);
        let _ = write!(line, "{:gap$}{name}{words}", "");
        used += gap + NAME_COLUMNS + words.width();
    }
    lines.push(line);
}

/// What workers do: of each, if they are few.
fn workers(progress: &Progress) -> String {
    /// More are counted.
    const NAMED: usize = 4;
    if progress.paused {
        return "paused".into();
    }
    let doing = &progress.workers;
    let all = [
        Phase::Running,
        Phase::Solving,
        Phase::Confirming,
        Phase::Waiting,
    ];
    match doing.len() {
        0 => word(progress.phase).into(),
        1..=NAMED => {
            let words: Vec<&str> = doing.iter().map(|phase| word(*phase)).collect();
            format!("{}: {}", doing.len(), words.join(", "))
        }
        more => {
            let counted = all.iter().filter_map(|phase| {
                let number = doing.iter().filter(|one| *one == phase).count();
                (number > 0).then(|| format!("{number} {}", word(*phase)))
            });
            let counted: Vec<String> = counted.collect();
            format!("{more}: {}", counted.join(", "))
        }
    }
}

fn word(phase: Phase) -> &'static str {
    match phase {
        Phase::Waiting => "waiting",
        Phase::Running => "running",
        Phase::Solving => "solving",
        Phase::Confirming => "confirming",
    }
}

/// How many queries there were, and the stages that answer most of them.
fn solver(progress: &Progress) -> Option<String> {
    let answered = |stage: &Stage| stage.sat + stage.unsat;
    let stages = &progress.queries.stages;
    let all: u64 = stages.iter().map(answered).sum();
    if all == 0 {
        return None;
    }
    let mut shares: Vec<(u64, &str)> = stages
        .iter()
        .map(|stage| (answered(stage) * 100 / all, stage.name.as_str()))
        .filter(|(share, _)| *share > 0)
        .collect();
    shares.sort_by(|a, b| b.cmp(a));
    let mut words = format!("{} answered", count(all));
    for (share, stage) in shares.iter().take(3) {
        let _ = write!(words, ", {stage} {share} %");
    }
    Some(words)
}

/// A time in whole seconds, minutes, hours: it changes ten times a second.
fn ago(time: u64) -> String {
    match time {
        0..100 => format!("{time} s"),
        _ => seconds(time as f64),
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

/// A text that begins as it does but fits.
fn first_part(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_string();
    }
    let mut end = 0;
    for (at, char) in text.char_indices() {
        let next = at + char.len_utf8();
        if text[..next].width() + 1 > room {
            break;
        }
        end = next;
    }
    format!("{}…", &text[..end])
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
            sides_reached: (40.0 * (1.0 - (-(millis as f64) / 8000.0).exp())) as u32,
            sides_total: 42,
            findings: vec![samples::finding().0],
            elapsed: Duration::from_millis(millis),
            phase: Phase::Solving,
            workers: vec![Phase::Solving, Phase::Running],
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
            approximations: 7,
        }
    }

    fn plain(view: &LiveView, progress: &Progress, width: u16) -> Vec<String> {
        let lines = view.lines(progress, 811.6, width);
        lines.iter().map(|line| samples::plain(line)).collect()
    }

    fn watched() -> LiveView {
        let mut view = LiveView::new("bst.c --input-size 20", Some(Duration::from_secs(60)), None);
        view.keys = vec![('q', "end"), ('p', "pause"), ('f', "all findings")];
        for tenth in 0..=400 {
            view.note(&progress(100 * tenth));
        }
        view
    }

    #[test]
    fn everything_is_there_on_80_columns_and_on_120() {
        let view = watched();
        let now = progress(40_000);
        for width in [80, 120] {
            let lines = plain(&view, &now, width);
            insta::assert_snapshot!(format!("live_{width}"), lines.join("\n"));
            assert!(lines.iter().all(|line| !line.contains('…')), "{lines:?}");
        }
        // With colours, as a terminal has them.
        let coloured = view.lines(&now, 811.6, 80).join("\n");
        insta::assert_snapshot!("live_coloured", coloured.replace('\u{1b}', "␛"));
    }

    #[test]
    fn pausing_and_all_findings_are_seen() {
        let mut view = watched();
        let mut now = progress(40_000);
        now.paused = true;
        let finding = now.findings[0].clone();
        now.findings = vec![finding; 5];
        view.note(&now);
        let text = plain(&view, &now, 80).join("\n");
        assert!(text.contains("workers    paused"), "{text}");
        assert!(text.contains("and 2 more"), "{text}");
        assert!(text.contains("q end   p go on   f all findings"), "{text}");
        view.findings_wanted = Some(9);
        let text = plain(&view, &now, 80).join("\n");
        assert!(!text.contains(" more"), "{text}");
        assert!(text.contains("f fewer findings"), "{text}");
    }

    #[test]
    fn it_is_said_how_long_nothing_was_new() {
        let mut view = LiveView::new("x", None, None);
        let at = |secs: u64, sides: u32, findings: usize| {
            let mut now = progress(1000 * secs);
            now.sides_reached = sides;
            now.findings = vec![samples::finding().0; findings];
            now
        };
        for (secs, sides, findings) in [(0, 3, 0), (5, 4, 0), (65, 4, 1)] {
            view.note(&at(secs, sides, findings));
        }
        let text = plain(&view, &at(75, 4, 1), 80).join("\n");
        assert!(
            text.contains("4 of 42, the last new one 70 s ago"),
            "{text}"
        );
        assert!(text.contains("1 finding, the last one 10 s ago"), "{text}");
        // What an earlier session has reached is not new.
        let mut resumed = LiveView::new("x", None, None);
        let mut now = at(3, 9, 2);
        now.resumed = true;
        resumed.note(&now);
        assert!(!plain(&resumed, &now, 80).join("\n").contains("ago"));
    }

    #[test]
    fn many_workers_are_counted() {
        let mut now = progress(1000);
        now.workers = [Phase::Running, Phase::Waiting, Phase::Running].repeat(3);
        assert_eq!(workers(&now), "9: 6 running, 3 waiting");
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
            "dlist_concat",
            "40 s of 60 s",
            "paths      391\n",
            "solving, running",
            "/dlist.c:47",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }

    #[test]
    fn what_is_used_of_the_runs() {
        let mut view = LiveView::new("x", None, Some(1000));
        let mut now = progress(0);
        view.note(&now);
        now.runs += 400;
        assert!(plain(&view, &now, 80)[0].contains("0 s, 400 of 1,000 runs"));
        let unbounded = LiveView::new("x", None, None);
        assert!(plain(&unbounded, &progress(40_000), 80)[0].ends_with("40 s"));
    }

    proptest! {
        #![proptest_config(crate::samples::steady(256))]

        #[test]
        fn nothing_steers_the_terminal(title in any::<String>(), file in any::<String>(), width in 0u16..200) {
            let mut view = LiveView::new(&title, None, None);
            view.findings_wanted = (width % 2 == 0).then_some(9);
            let mut now = progress(1000);
            now.findings[0].file = file.clone();
            now.findings[0].message = file.clone();
            now.findings[0].kind = file;
            for line in plain(&view, &now, width) {
                prop_assert!(!line.chars().any(char::is_control));
                prop_assert!(line.width() <= usize::from(width.clamp(NARROWEST + 1, WIDEST)), "{}", line);
            }
        }
    }
}
