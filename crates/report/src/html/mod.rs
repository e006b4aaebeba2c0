//! A campaign as one page that needs nothing beside itself: no network, no other file.
//!
//! The template escapes what it is given; what is put together here as HTML goes through
//! `push_html`. Data for the page's scripts is JSON without any `<`.

mod cases;
mod chart;
mod findings;
mod highlight;
mod source;
#[cfg(test)]
mod tests;
mod tree;

pub use cases::CaseRow;
pub use findings::FindingPart;
pub use highlight::{PLAIN, Syntax};
pub use source::SourceFile;

use crate::graph::Picture;
use crate::numbers::{count, plural, seconds};
use crate::sides::{Fate, SideView};
use crate::statechart::ChartPicture;
use crate::{escape, summary};
use askama::Template;
use cases::CaseView;
use chart::Chart;
use elsewise_campaign::{Ended, Finding, Summary, Survey};
use elsewise_explore::ApproximationKind;
use elsewise_graph::StateChart;
use findings::FindingView;
use serde::Serialize;
use source::FileView;
use tree::{NODES, TreeData};

pub(crate) const STYLE: &str = include_str!("../../templates/style.css");
const SCRIPT: &str = concat!(
    include_str!("../../templates/page.js"),
    include_str!("../../templates/tree.js")
);

/// All that a page shows.
pub struct Page<'a> {
    pub summary: &'a Summary,
    pub survey: &'a Survey,
    /// From [`crate::sides()`].
    pub sides: &'a [SideView],
    pub sources: &'a [SourceFile],
    pub findings: Vec<FindingPart<'a>>,
    pub cases: Vec<CaseRow>,
    /// The machines of a model; none for other subjects.
    pub drawings: &'a [StateChart],
    /// The campaign is being explored: the page asks again for what is new.
    pub live: bool,
}

impl Page<'_> {
    pub fn html(&self) -> String {
        let summary = self.summary;
        let tree = TreeData::new(self.survey, NODES);
        let findings: Vec<&Finding> = self.findings.iter().map(|part| part.finding).collect();
        let files = source::files(self.survey, self.sides, &findings, self.sources);
        let fate = |wanted: Fate| self.sides.iter().filter(|s| s.fate == wanted).count() as u64;
        let (verdict, more) = verdict(summary, self.live);
        let template = PageTemplate {
            style: STYLE,
            script: SCRIPT,
            title: visible(&title(&summary.subject)),
            live: self.live,
            verdict,
            more,
            complete: summary.complete && !self.live,
            amount: format!(
                "{} in {}, {}",
                plural(summary.paths, "path", "paths"),
                plural(summary.runs, "run", "runs"),
                seconds(summary.wall_seconds)
            ),
            tiles: tiles(summary, fate(Fate::Unreachable)),
            chart: Chart::new(self.survey, summary),
            reached: fate(Fate::Covered),
            missed: fate(Fate::Missed),
            far: fate(Fate::Far),
            unreachable: fate(Fate::Unreachable),
            findings: findings::views(&self.findings, &files, self.sources, self.survey),
            unconfirmed: summary.unconfirmed.len(),
            files,
            tree_data: script_json(&tree),
            tree_count: count(tree.count as u64),
            tree_whole: tree.whole,
            cases: self.cases.iter().map(CaseView::new).collect(),
            machines: self.drawings.iter().map(MachineView::new).collect(),
            incomplete: incomplete(summary),
            facts: facts(summary),
        };
        // Writing into a string cannot fail.
        template.render().unwrap_or_default()
    }
}

#[derive(Template)]
#[template(path = "page.html")]
struct PageTemplate<'a> {
    style: &'a str,
    script: &'a str,
    title: String,
    live: bool,
    verdict: &'static str,
    more: &'static str,
    complete: bool,
    amount: String,
    tiles: Vec<Tile>,
    chart: Option<Chart>,
    reached: u64,
    missed: u64,
    far: u64,
    unreachable: u64,
    findings: Vec<FindingView>,
    unconfirmed: usize,
    files: Vec<FileView>,
    tree_data: String,
    tree_count: String,
    tree_whole: bool,
    cases: Vec<CaseView>,
    machines: Vec<MachineView>,
    incomplete: Vec<Incomplete>,
    facts: Vec<(&'static str, String)>,
}

/// A number that matters.
struct Tile {
    name: &'static str,
    value: String,
    note: String,
    bad: bool,
    /// Where it leads to in the page.
    to: &'static str,
}

/// A state machine, with what was reached of it.
struct MachineView {
    name: String,
    words: String,
    svg: String,
    /// What was not reached: in words, its line, why not, and whether it cannot be.
    missed: Vec<(String, u32, String, bool)>,
}

impl MachineView {
    fn new(chart: &StateChart) -> MachineView {
        let picture = ChartPicture { chart };
        let (states, transitions) = (picture.states(), picture.transitions());
        MachineView {
            name: visible(&chart.name),
            words: format!(
                "{} of {} states, {} of {} transitions",
                count(states.reached),
                count(states.all),
                count(transitions.reached),
                count(transitions.all)
            ),
            svg: picture.svg(),
            missed: picture
                .missed()
                .into_iter()
                .map(|(words, line, why, never)| (visible(&words), line, visible(&why), never))
                .collect(),
        }
    }
}

/// An approximation.
struct Incomplete {
    kind: String,
    count: String,
    meaning: &'static str,
    places: Vec<(String, String)>,
}

fn verdict(summary: &Summary, live: bool) -> (&'static str, &'static str) {
    // How it ended is not known yet, whatever the last summary says.
    if live {
        return ("So far", "this page follows the exploration");
    }
    if summary.is_indifferent() {
        return (
            "Nothing depends on the input",
            "the subject chose nothing by what it was given",
        );
    }
    if summary.complete {
        return match summary::no_failure(summary) {
            true => (
                "Explored completely",
                "no failure exists within the bounds below",
            ),
            false => ("Explored completely", "within the bounds below"),
        };
    }
    match summary.ended {
        Ended::Budget => (
            "The budget ended first",
            "run the same command again to go on",
        ),
        Ended::Stopped => ("Stopped", "run the same command again to go on"),
        Ended::Complete | Ended::Exhausted => (
            "Explored, but not completely",
            "paths may be missing for the reasons below",
        ),
    }
}

fn tiles(summary: &Summary, unreachable: u64) -> Vec<Tile> {
    let sides = &summary.branch_sides;
    let tile = |name, value: u64, note: String, to| Tile {
        name,
        value: count(value),
        note,
        bad: false,
        to,
    };
    let share = 100 * u64::from(sides.reached) / u64::from(sides.total.max(1));
    let proved = match unreachable {
        0 => String::new(),
        number => format!(", {} proved unreachable", count(number)),
    };
    let queries = &summary.queries;
    vec![
        Tile {
            bad: !summary.findings.is_empty(),
            ..tile(
                "findings",
                summary.findings.len() as u64,
                match summary.findings.len() {
                    0 => "no run failed".into(),
                    _ => "seen to happen again when repeated".into(),
                },
                "#findings",
            )
        },
        tile(
            "branch sides",
            sides.reached.into(),
            format!("of {} ({share} %){proved}", count(sides.total.into())),
            "#source",
        ),
        tile(
            "paths",
            summary.paths,
            match summary.frontier {
                0 => "none is left to try".into(),
                open => format!("{} alternatives wait", count(open)),
            },
            "#tree",
        ),
        tile(
            "runs",
            summary.runs,
            format!("{} of processor time", seconds(summary.cpu_seconds)),
            "#cases",
        ),
        tile(
            "queries",
            queries.asked,
            format!(
                "{} unsatisfiable, {} unknown",
                count(queries.unsat),
                count(queries.unknown)
            ),
            "#incomplete",
        ),
    ]
}

fn incomplete(summary: &Summary) -> Vec<Incomplete> {
    let kinds = summary.approximations.iter();
    kinds
        .map(|(kind, number)| Incomplete {
            kind: visible(kind),
            count: count(*number),
            meaning: ApproximationKind::of_word(kind).map_or("", ApproximationKind::meaning),
            places: summary
                .approximation_places
                .iter()
                .filter(|at| at.kind == *kind && !at.file.is_empty())
                .map(|at| {
                    let place = crate::finding::place(&at.file, at.line, &at.function);
                    (place + &summary::by_callee(at), count(at.count))
                })
                .collect(),
        })
        .collect()
}

fn facts(summary: &Summary) -> Vec<(&'static str, String)> {
    let mut facts = vec![("subject", visible(&summary.subject))];
    facts.extend(summary.bounds.iter().map(|one| ("bound", visible(one))));
    facts.push(("strategy", visible(&summary.strategy)));
    facts.push(("seed", summary.seed.to_string()));
    for words in summary::subsumption(summary) {
        facts.push(("subsumed", words));
    }
    if let Some(words) = summary::schedules(summary) {
        facts.push(("schedules", visible(&words)));
    }
    facts.push((
        "processor time",
        format!(
            "{} (engine {}, subject {})",
            seconds(summary.cpu_seconds),
            seconds(summary.engine_cpu_seconds),
            seconds(summary.subject_cpu_seconds)
        ),
    ));
    if let Some(words) = summary::sanitized(summary) {
        facts.push(("sanitizers", words));
    }
    let stages = &summary.queries.stages;
    for stage in stages.iter().filter(|stage| stage.sat + stage.unsat > 0) {
        facts.push((
            "solver",
            format!(
                "{} answered {} in {}",
                visible(&stage.name),
                plural(stage.sat + stage.unsat, "query", "queries"),
                seconds(stage.seconds)
            ),
        ));
    }
    facts.push(("campaign", visible(&summary.campaign.to_string_lossy())));
    facts
}

/// The subject without the folder that it is in. Of several files, and where a name has a space in it,
/// it is not known which word is what: they stay as they were given.
fn title(subject: &str) -> String {
    // What is in the file may have a slash in its own name: `bank.erl::transfer/3`.
    let (names, arguments) = match subject.find(" -- ").or(subject.find("::")) {
        Some(at) => subject.split_at(at),
        None => (subject, ""),
    };
    let name = match names.rsplit_once('/') {
        Some((_, name)) if !names.contains(' ') && !name.is_empty() => name,
        _ => names,
    };
    format!("{name}{arguments}")
}

/// Text of a subject, so that all of it can be seen: what has no shape is written as an escape.
fn visible(text: &str) -> String {
    escape::text(text)
}

/// Appends text of a subject to HTML, in an element or in quotes.
fn push_html(out: &mut String, text: &str) {
    for char in visible(text).chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(char),
        }
    }
}

/// JSON that may stand in a `<script>`.
fn script_json(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    json.replace('<', "\\u003c")
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let mut word = [0; 3];
        word[..three.len()].copy_from_slice(three);
        let word = u32::from_be_bytes([0, word[0], word[1], word[2]]);
        for digit in 0..4 {
            match digit <= three.len() {
                true => out.push(DIGITS[(word >> (18 - 6 * digit) & 63) as usize] as char),
                false => out.push('='),
            }
        }
    }
    out
}
