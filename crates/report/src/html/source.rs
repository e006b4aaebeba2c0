//! Source files with what became of each branch side beside their lines.

use super::highlight::{Highlighter, Syntax};
use super::{push_html, visible};
use crate::numbers::plural;
use crate::sides::{Fate, SideView};
use elsewise_campaign::{Finding, Survey};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Lines of all files together that a page shows.
const LINES: usize = 80_000;
/// Lines that a browser lays out, or does not, together.
const CHUNK: u32 = 250;
/// Characters of a line.
const COLUMNS: usize = 500;

/// A source file as it is now.
pub struct SourceFile {
    /// As the sites name it.
    pub name: String,
    /// None if it cannot be read any more, or is not to be shown.
    pub text: Option<String>,
    /// It is there, and none of the project's.
    pub withheld: bool,
    /// It was changed after the subject was built.
    pub changed: bool,
    pub syntax: &'static Syntax,
}

/// A file in the page.
pub(super) struct FileView {
    pub name: String,
    pub number: usize,
    pub reached: usize,
    pub total: usize,
    pub unreachable: usize,
    pub findings: usize,
    pub open: bool,
    pub changed: bool,
    /// What is shown instead of lines.
    pub note: &'static str,
    /// Lines as HTML.
    pub html: String,
}

impl FileView {
    pub fn missed(&self) -> usize {
        self.total - self.reached - self.unreachable
    }

    /// Share of sides reached, in percent.
    pub fn share(&self) -> usize {
        100 * self.reached / self.total.max(1)
    }
}

/// Sides of one line, by site.
type Line<'a> = BTreeMap<u32, Vec<&'a SideView>>;

/// Files with findings first, then those with most sides.
pub(super) fn files(
    survey: &Survey,
    sides: &[SideView],
    findings: &[&Finding],
    sources: &[SourceFile],
) -> Vec<FileView> {
    let mut by_file: BTreeMap<&str, BTreeMap<u32, Line>> = BTreeMap::new();
    for side in sides {
        let location = &survey.sites[side.site.0 as usize].location;
        let line = by_file
            .entry(&location.file)
            .or_default()
            .entry(location.line);
        let sites = line.or_default().entry(side.site.0).or_default();
        sites.push(side);
    }
    for finding in findings.iter().filter(|finding| finding.line > 0) {
        by_file.entry(&finding.file).or_default();
    }
    let mut files: Vec<FileView> = Vec::new();
    for (name, lines) in &by_file {
        let all = || lines.values().flat_map(BTreeMap::values).flatten();
        let fate = |wanted: Fate| all().filter(|side| side.fate == wanted).count();
        let here: Vec<&Finding> = findings
            .iter()
            .copied()
            .filter(|finding| finding.file == *name)
            .collect();
        files.push(FileView {
            name: visible(name),
            number: 0,
            reached: fate(Fate::Covered),
            total: all().count(),
            unreachable: fate(Fate::Unreachable),
            findings: here.len(),
            open: false,
            changed: false,
            note: "",
            html: (*name).to_string(),
        });
    }
    files.sort_by_key(|file| {
        (
            std::cmp::Reverse((file.findings, file.total)),
            file.name.clone(),
        )
    });
    let mut room = LINES;
    for (number, file) in files.iter_mut().enumerate() {
        file.number = number + 1;
        file.open = number == 0;
        // Until now, the name as it is.
        let name = std::mem::take(&mut file.html);
        let source = sources.iter().find(|source| source.name == name);
        file.changed = source.is_some_and(|source| source.changed);
        let shown = source.and_then(|source| Some((source.text.as_deref()?, source.syntax)));
        let Some((text, syntax)) = shown else {
            file.note = match source.is_some_and(|source| source.withheld) {
                true => {
                    "This file is not in the project's folder, so that its lines are not shown."
                }
                false => "This file cannot be read any more, so that its lines are not shown.",
            };
            file.html = lines_without_source(number + 1, &by_file[name.as_str()], survey);
            continue;
        };
        let length = text.lines().count();
        if length > room {
            file.note = "This file is too long for this page.";
            continue;
        }
        room -= length;
        let here: Vec<&Finding> = findings
            .iter()
            .copied()
            .filter(|finding| finding.file == name)
            .collect();
        file.html = lines(
            number + 1,
            syntax,
            text,
            &by_file[name.as_str()],
            &here,
            survey,
        );
    }
    files
}

fn lines(
    number: usize,
    syntax: &'static Syntax,
    text: &str,
    marks: &BTreeMap<u32, Line>,
    findings: &[&Finding],
    survey: &Survey,
) -> String {
    let mut highlighter = Highlighter::new(syntax);
    let mut html = String::with_capacity(text.len() * 3);
    let mut far = 0u32;
    for (line, text) in (1u32..).zip(text.lines()) {
        if line % CHUNK == 1 {
            html.push_str(if line == 1 {
                "<div class=chunk>"
            } else {
                "</div><div class=chunk>"
            });
        }
        let sides = marks.get(&line);
        let failing: Vec<&&Finding> = findings.iter().filter(|f| f.line == line).collect();
        let class = if failing.is_empty() { "" } else { " bad" };
        let _ = write!(
            html,
            "<div class=\"l{class}\" id=f{number}l{line}><a href=#f{number}l{line}>{line}</a>"
        );
        match sides {
            Some(sides) => chips(sides, &mut html),
            None => html.push_str("<b></b>"),
        }
        html.push_str("<code>");
        let expanded = text.replace('\t', "    ");
        let cut = expanded.char_indices().nth(COLUMNS).map(|(at, _)| at);
        highlighter.line(&expanded[..cut.unwrap_or(expanded.len())], &mut html);
        if cut.is_some() {
            html.push_str(" …");
        }
        html.push_str("</code></div>\n");
        for finding in failing {
            let _ = write!(
                html,
                "<div class=\"why bad\"><a href=#finding-{}>finding {}</a>: ",
                finding.id, finding.id
            );
            push_html(&mut html, &finding.message);
            html.push_str("</div>\n");
        }
        if let Some(sides) = sides {
            far = reasons(sides, survey, far, &mut html);
        }
    }
    if !html.is_empty() {
        html.push_str("</div>");
    }
    html
}

/// Where there is no source, the places alone.
fn lines_without_source(number: usize, marks: &BTreeMap<u32, Line>, survey: &Survey) -> String {
    let mut html = String::new();
    let mut far = 0;
    for (line, sides) in marks {
        let _ = write!(
            html,
            "<div class=l id=f{number}l{line}><a href=#f{number}l{line}>{line}</a>"
        );
        chips(sides, &mut html);
        html.push_str("<code></code></div>\n");
        far = reasons(sides, survey, far, &mut html);
    }
    html
}

/// One mark for each side of a line's only branch, else how many of all are reached.
fn chips(sides: &Line, html: &mut String) {
    html.push_str("<b>");
    let all: Vec<&&SideView> = sides.values().flatten().collect();
    if let [first, second] = all.as_slice() {
        for (letter, side) in [("T", first), ("F", second)] {
            let (class, word) = look(side.fate);
            let _ = write!(
                html,
                "<u class={class} title=\"{}: {word}\">{letter}</u>",
                side.way
            );
        }
    } else {
        let fate = |wanted: Fate| all.iter().filter(|side| side.fate == wanted).count();
        let missed = fate(Fate::Missed) + fate(Fate::Far);
        let (class, _) = look(match (missed, fate(Fate::Unreachable)) {
            (0, 0) => Fate::Covered,
            (0, _) => Fate::Unreachable,
            (missed, _) if missed == all.len() => Fate::Far,
            _ => Fate::Missed,
        });
        let reached = fate(Fate::Covered);
        let of = all.len();
        let _ = write!(
            html,
            "<u class={class} title=\"{reached} of {of} sides reached\">{reached}/{of}</u>"
        );
    }
    html.push_str("</b>");
}

/// A side's class and the word for what became of it.
fn look(fate: Fate) -> (&'static str, &'static str) {
    match fate {
        Fate::Covered => ("y", "reached"),
        Fate::Unreachable => ("z", "proved unreachable"),
        Fate::Missed => ("x", "missed"),
        Fate::Far => ("w", "missed: no run came near"),
    }
}

/// A line below the source for every side that was missed. Places that no run came near follow
/// each other: what is said of the first of them is not said again. Those since then are returned.
fn reasons(sides: &Line, survey: &Survey, far: u32, html: &mut String) -> u32 {
    let mut far = far;
    let several = sides.len() > 1;
    for views in sides.values() {
        if views.iter().all(|side| side.fate == Fate::Far) {
            if far == 0 {
                html.push_str("<div class=\"why far\">no run came near</div>\n");
            }
            far += 1;
            continue;
        }
        far = 0;
        let mut said: Vec<(&str, Fate, Vec<&str>)> = Vec::new();
        for side in views.iter().filter(|side| side.fate != Fate::Covered) {
            match said.iter_mut().find(|(why, ..)| *why == side.why) {
                Some((.., ways)) => ways.push(&side.way),
                None => said.push((&side.why, side.fate, vec![&side.way])),
            }
        }
        for (why, fate, ways) in said {
            let class = if fate == Fate::Unreachable {
                " calm"
            } else {
                ""
            };
            let _ = write!(html, "<div class=\"why{class}\">");
            if several {
                let column = survey.sites[views[0].site.0 as usize].location.column;
                let _ = write!(html, "column {column} ");
            }
            let ways = match ways.len() {
                0..=4 => ways.join(", "),
                more => plural(more as u64, "side", "sides"),
            };
            let _ = write!(html, "<b>{ways}</b>: ");
            push_html(html, why);
            html.push_str("</div>\n");
        }
    }
    far
}
